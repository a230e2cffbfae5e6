//! Where the parts of the stage lie. Everything fits the given width; as long
//! as rows stay legible it fits the height too, and beyond that it is taller.

use super::model::{Planes, StageModel, channel_letter};
use super::svg::{
    CellDensity, Chip, ChipState, Face, Point, Rect, Route, Tone, fit_end, text_width,
};

/// Default size of the stage in CSS pixels.
pub(crate) const USUAL: (f64, f64) = (700.0, 596.0);

/// Around everything.
const MARGIN: f64 = 14.0;

/// The font size of heads.
pub(crate) const HEAD_SIZE: f64 = 11.5;

/// A line of column heads.
const HEAD: f64 = 16.0;

/// Between the heads and what is below them.
const HEAD_GAP: f64 = 6.0;

/// Below everything.
const BOTTOM: f64 = 10.0;

/// The least distance from one lane to the next.
const LEAST_PITCH: f64 = 15.5;

/// That of rows of planes and records, with the tracks of edges below them.
const LEAST_RECORD_PITCH: f64 = 18.0;

/// Height of the line that explains the frames of cells.
const LEGEND: f64 = 18.0;

/// The width below which there is room for little more than numbers.
const NARROW: f64 = 480.0;

/// Maximum number of lanes in one column; more are split to both sides of the
/// cells.
const ONE_COLUMN: usize = 34;

/// Where the parts of the stage lie.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StageLayout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// One for each lane of the model.
    pub(crate) lanes: Vec<LanePlace>,
    /// Font size of lanes.
    pub(crate) lane_size: f64,
    /// Room beside each other in a lane for its name, and for what it returned;
    /// 0 in planes, whose elements show neither.
    pub(crate) label_width: f64,
    pub(crate) result_width: f64,
    /// One for each cell of the model.
    pub(crate) cells: Vec<Rect>,
    pub(crate) density: CellDensity,
    /// Lines of disabled lanes, one per reason.
    pub(crate) idle: Vec<Rect>,
    /// Cells that share bytes without being the same: their group, and what
    /// holds them.
    pub(crate) overlaps: Vec<(u32, Rect)>,
    /// The height that the heads take from the top on.
    pub(crate) head_height: f64,
    pub(crate) heads: Vec<Head>,
    /// Whether a head names the operation, and the lanes show only their
    /// operands.
    pub(crate) operation_in_head: bool,
    /// Names of rows: lanes of planes, addresses of records. Each ends where
    /// it says, and its line has its middle there.
    pub(crate) rows: Vec<(String, Point)>,
    /// Their font size.
    pub(crate) row_size: f64,
    /// Registers of a plane that hold no element of a lane, and channels that
    /// are not enabled.
    pub(crate) padding: Vec<(Rect, PaddingKind)>,
    /// Where the frame of cells that several elements access is explained.
    pub(crate) legend: Option<Rect>,
    /// Beside the elements of a lane that faults: the word.
    pub(crate) faults: Vec<Rect>,
    /// Where the reason of a fault stands, if no cell has the room.
    pub(crate) reason: Option<Rect>,
}

/// Where a lane lies, and the way of its edge to its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LanePlace {
    pub(crate) rect: Rect,
    pub(crate) route: Route,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Head {
    pub(crate) text: String,
    /// The middle of its line; where it starts, or ends.
    pub(crate) at: Point,
    pub(crate) anchor: &'static str,
    pub(crate) tone: Tone,
}

/// What a place without a lane stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaddingKind {
    /// Padding between the last lane of a plane and the next register.
    Skipped,
    /// The column of a channel that is not enabled.
    Missing(u8),
}

impl StageLayout {
    /// Lays a model out in a width and, if it can be, a height.
    pub(crate) fn of(model: &StageModel, width: f64, height: f64) -> Self {
        match &model.planes {
            Some(planes) => records(model, planes, width, height),
            None => queue(model, width, height),
        }
    }

    /// The area that everything lies in.
    #[cfg(test)]
    pub(crate) const fn area(&self) -> Rect {
        Rect::new(0.0, 0.0, self.width, self.height)
    }
}

/// A head on a line, the first being 0.
fn head(line: usize, text: impl Into<String>, x: f64, anchor: &'static str) -> Head {
    Head {
        text: text.into(),
        at: Point::new(x, MARGIN + HEAD * line as f64 + 6.0),
        anchor,
        tone: Tone::Plain,
    }
}

/// The height of the heads, from the top on.
fn head_height(lines: usize) -> f64 {
    MARGIN + HEAD * lines as f64 + HEAD_GAP
}

/// The distance from one row to the next: all of them in the height, or where
/// that is too little as many whole rows as there is room for, so that none is
/// cut off.
fn row_pitch(rows: usize, room: f64, visible: f64, least: f64, most: f64) -> f64 {
    let pitch = room / rows.max(1) as f64;
    if pitch >= least {
        return pitch.min(most);
    }
    visible / (visible / least).floor().max(1.0)
}

/// Room for the widest of some texts.
fn widest<'t>(texts: impl Iterator<Item = &'t str>, size: f64) -> f64 {
    texts
        .map(|text| text_width(text, size, Face::Mono))
        .fold(0.0, f64::max)
}

/// Height of a line of idle lanes.
const IDLE: f64 = 20.0;

/// Lanes on the left, cells on the right; of very many lanes the second half
/// stands to the right of the cells.
fn queue(model: &StageModel, width: f64, height: f64) -> StageLayout {
    let count = model.lanes.len();
    let both_sides = count > ONE_COLUMN && width >= NARROW;
    let columns = if both_sides { 2 } else { 1 };
    let rows = count.div_ceil(columns);
    let idle_height = match model.idle.len() {
        0 => 0.0,
        lines => lines as f64 * IDLE + 8.0,
    };
    let is_narrow = width < NARROW;
    let top = head_height(if is_narrow { 2 } else { 1 });
    let room = height - top - BOTTOM - idle_height;
    let pitch = row_pitch(rows, room, height - top, LEAST_PITCH, 50.0);
    let lane_height = (pitch * 0.8).clamp(14.5, 34.0);
    let lane_size = (lane_height - 6.0).clamp(10.0, 13.0);

    // Across.
    let (lane_width, cell_width) = match (both_sides, width) {
        (true, _) => (width * 0.24, width * 0.3),
        (false, _) if is_narrow => (width * 0.4, width * 0.42),
        (false, _) => ((width * 0.38).min(300.0), (width * 0.35).min(290.0)),
    };
    let left = MARGIN;
    let cell_x = if both_sides {
        (width - cell_width) / 2.0
    } else {
        width - MARGIN - cell_width
    };
    let right = width - MARGIN - lane_width;

    // Down.
    let lanes_height = pitch * rows as f64;
    let lanes: Vec<Rect> = (0..count)
        .map(|index| {
            let (column, row) = (index / rows.max(1), index % rows.max(1));
            let x = if column == 0 { left } else { right };
            let y = top + pitch * row as f64 + (pitch - lane_height) / 2.0;
            Rect::new(x, y, lane_width, lane_height)
        })
        .collect();
    let idle_top = top + lanes_height + 8.0;
    // No edges start there: words may reach towards the cells.
    let idle_width = if both_sides {
        lane_width
    } else {
        cell_x - left - 6.0
    };
    let idle: Vec<Rect> = (0..model.idle.len())
        .map(|line| Rect::new(left, idle_top + line as f64 * IDLE, idle_width, IDLE))
        .collect();
    let lanes_end = top + lanes_height + idle_height;

    let cells_at = cells_at(model, lanes_height, room, height - top);
    let places = cell_places(model, cell_x, cell_width, top, cells_at);
    let end = places
        .cells
        .iter()
        .map(|rect| rect.bottom())
        .fold(lanes_end, f64::max);

    let ends = edge_ends(model, &lanes, &places.cells);
    let lanes = lanes.iter().zip(ends).map(|(rect, (from, to))| LanePlace {
        rect: *rect,
        route: Route::Curve { from, to },
    });

    let labels = model.lanes.iter().map(|lane| lane.label.as_str());
    let label_width = widest(labels, lane_size);
    let mut heads = Vec::new();
    let mut result_width = 0.0;
    if count > 0 {
        let results = model.lanes.iter().filter_map(|lane| lane.result.as_deref());
        let values = model
            .cells
            .iter()
            .flat_map(|cell| cell.trail.iter().map(String::as_str));
        let most =
            widest(results.chain(values), lane_size).max(text_width("0000", lane_size, Face::Mono));
        let texts = model.lanes.iter().map(|lane| {
            if is_narrow {
                &*lane.operands
            } else {
                &*lane.operation
            }
        });
        // What a chip has for its text and its result together.
        let both = (lane_width - Chip::text_at(lane_size, label_width)).max(0.0);
        let (text, result) = (widest(texts, lane_size) + 4.0, most + 16.0);
        result_width = if text + result <= both {
            result
        } else {
            (both * result / (text + result))
                .max(both * 0.45)
                .min(result)
        };
        let lanes_end = left + lane_width;
        let by_address = format!("{}, by address", model.memory);
        if is_narrow {
            heads.push(head(0, "lanes, in order ↓", left, "start"));
            heads.push(head(1, &*model.operands_head, left, "start"));
            heads.push(head(1, model.returned.head(), lanes_end, "end"));
            heads.push(head(0, by_address, cell_x, "start"));
        } else {
            let returned = model.returned.head();
            let room = lane_width - 12.0 - text_width(&returned, HEAD_SIZE, Face::Sans);
            let forms = ["lanes, in this order ↓", "lanes, in order ↓", "in order ↓"];
            let fits = |text: &&&str| text_width(text, HEAD_SIZE, Face::Sans) <= room;
            let text = forms.iter().find(fits).copied().unwrap_or("order ↓");
            heads.push(head(0, text, left, "start"));
            heads.push(head(0, returned, lanes_end, "end"));
            heads.push(head(0, by_address, cell_x, "start"));
        }
        if both_sides {
            let text = format!("from number {} on ↓", rows + 1);
            heads.push(head(0, text, right, "start"));
        }
    }
    StageLayout {
        width,
        height: (end + BOTTOM).ceil(),
        lanes: lanes.collect(),
        lane_size,
        label_width,
        result_width,
        cells: places.cells,
        density: places.density,
        idle,
        overlaps: places.overlaps,
        head_height: top,
        heads,
        operation_in_head: is_narrow,
        rows: Vec::new(),
        row_size: lane_size,
        padding: Vec::new(),
        legend: None,
        faults: Vec::new(),
        reason: None,
    }
}

/// Where cells may lie beside lanes, from the top of these on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CellsAt {
    start: f64,
    height: f64,
    /// How high a few of them may be together at most.
    most: f64,
}

/// The heights are those of all lanes, of the room for them, and of what is in
/// view at once. Where lanes have to be scrolled, cells are so close together
/// that each is in view together with any lane, if they can be.
fn cells_at(model: &StageModel, lanes: f64, room: f64, visible: f64) -> CellsAt {
    let close = 2.0 * visible - lanes;
    let least = model.cells.len() as f64 * (CellDensity::Small.least_height() + 2.5);
    if lanes > visible && close >= least {
        return CellsAt {
            start: lanes - visible,
            height: close,
            most: close,
        };
    }
    CellsAt {
        start: 0.0,
        height: lanes.max(room.min(lanes * 1.3)),
        most: room,
    }
}

struct CellPlaces {
    cells: Vec<Rect>,
    density: CellDensity,
    overlaps: Vec<(u32, Rect)>,
}

/// Cells below each other, as large as there is room for; in two columns where
/// they are very many.
fn cell_places(model: &StageModel, x: f64, width: f64, top: f64, at: CellsAt) -> CellPlaces {
    let (top, room) = (top + at.start, at.height);
    let count = model.cells.len();
    // Where one column would be taller than there is room for.
    let columns = if count as f64 * LEAST_PITCH > room + 0.5 {
        2
    } else {
        1
    };
    let rows = count.div_ceil(columns).max(1);
    let pitch = room / rows as f64;
    let fits = |density: CellDensity, gap: f64| pitch >= density.least_height() + gap;
    // A few cells beside few lanes may reach further down than these.
    let reaches = |density: CellDensity| count as f64 * density.least_height() <= at.most;
    let density = match columns {
        1 if fits(CellDensity::Large, 5.0) => CellDensity::Large,
        1 if fits(CellDensity::Medium, 4.0) => CellDensity::Medium,
        _ if count <= 2 && reaches(CellDensity::Large) => CellDensity::Large,
        _ if count <= 4 && reaches(CellDensity::Medium) => CellDensity::Medium,
        _ => CellDensity::Small,
    };
    let gap = match density {
        CellDensity::Large => 5.0,
        CellDensity::Medium => 4.0,
        CellDensity::Small => 2.5,
    };
    let height = (pitch - gap).clamp(density.least_height(), density.height());
    let pitch = pitch.clamp(height + 2.5, height * 1.7);
    let start = top + ((room - pitch * rows as f64) / 2.0).max(0.0);
    let gap = 6.0;
    let own = (width - gap * (columns - 1) as f64) / columns as f64;
    let cells: Vec<Rect> = (0..count)
        .map(|index| {
            let (column, row) = (index / rows, index % rows);
            Rect::new(
                x + column as f64 * (own + gap),
                start + pitch * row as f64 + (pitch - height) / 2.0,
                own,
                height,
            )
        })
        .collect();
    let mut overlaps: Vec<(u32, Rect)> = Vec::new();
    let grouped = model.cells.iter().zip(&cells).enumerate();
    for (index, (cell, rect)) in grouped {
        let Some(group) = cell.group else { continue };
        let before = index
            .checked_sub(1)
            .filter(|before| before / rows == index / rows);
        let shares = before.is_some_and(|before| model.cells[before].range.overlaps(cell.range));
        if !shares {
            continue;
        }
        let first = cells[index - 1];
        match overlaps
            .last_mut()
            .filter(|(last, frame)| *last == group && frame.bottom() >= first.bottom())
        {
            Some((_, frame)) => frame.height = rect.bottom() + 3.0 - frame.y,
            None => overlaps.push((
                group,
                Rect::new(
                    first.x - 4.0,
                    first.y - 3.0,
                    own + 8.0,
                    rect.bottom() - first.y + 6.0,
                ),
            )),
        }
    }
    CellPlaces {
        cells,
        density,
        overlaps,
    }
}

/// Position of each edge's end along the side of its cell, from 0 to 1: edges
/// to the same cell are sorted by lane order.
fn shares(model: &StageModel) -> Vec<f64> {
    let mut placed = vec![0_usize; model.cells.len()];
    let shares = model.lanes.iter().map(|lane| {
        let nth = placed[lane.cell];
        placed[lane.cell] += 1;
        (nth as f64 + 0.5) / model.cells[lane.cell].lanes as f64
    });
    shares.collect()
}

/// Where edges start and end: at the side that faces the cell, spread over its
/// height in the order of the lanes.
fn edge_ends(model: &StageModel, lanes: &[Rect], cells: &[Rect]) -> Vec<(Point, Point)> {
    let lanes = model.lanes.iter().zip(lanes).zip(shares(model));
    let ends = lanes.map(|((lane, rect), share)| {
        let cell = cells[lane.cell];
        let y = cell.y + cell.height * (0.18 + 0.64 * share);
        if rect.x < cell.x {
            (rect.right_middle(), Point::new(cell.x, y))
        } else {
            (rect.left_middle(), Point::new(cell.right(), y))
        }
    });
    ends.collect()
}

/// Planes of registers on the left, lanes down and channels across; memory on
/// the right, a record of four channels a row.
fn records(model: &StageModel, planes: &Planes, width: f64, height: f64) -> StageLayout {
    let top = head_height(2);
    let threads = usize::from(model.threads.max(1));
    let plane_rows = planes.stride * threads;
    let memory = record_rows(model);
    let rows = plane_rows.max(memory.len()).max(1);
    let groups = model.cells.iter().any(|cell| cell.group.is_some());
    let lines = usize::from(groups) + usize::from(model.fault.is_some());
    let below = BOTTOM + LEGEND * lines as f64;
    let room = height - top - below;
    let pitch = row_pitch(rows, room, height - top, LEAST_RECORD_PITCH, 40.0);
    let cell_height = (pitch * 0.66).clamp(14.0, 28.0);
    // Between rows: the tracks of the edges.
    let gutter = pitch - cell_height;
    let size = (cell_height - 5.0).clamp(9.5, 12.5);

    // Across: lanes, four planes, edges, addresses, four channels of memory.
    let is_narrow = width < NARROW;
    let name_of = |eu: usize, lane: usize| match threads {
        1 => lane.to_string(),
        _ => format!("EU{eu}.{lane}"),
    };
    let of_eu = |eu| (0..planes.lanes).map(move |lane| name_of(eu, lane));
    let lane_names: Vec<String> = (0..threads).flat_map(of_eu).collect();
    let name_width = widest(lane_names.iter().map(String::as_str), size) + 8.0;
    let left = MARGIN + name_width;
    let addresses: Vec<String> = memory.iter().map(|(at, _)| format!("{at:#x}")).collect();
    let address_room = if is_narrow { width * 0.17 } else { width * 0.2 };
    let address_size = if is_narrow { size.min(11.0) } else { size };
    let addresses: Vec<String> = addresses
        .iter()
        .map(|address| fit_end(address, address_room, address_size, Face::Mono))
        .collect();
    let address_width = widest(addresses.iter().map(String::as_str), address_size) + 8.0;
    let edge_room = (width * 0.1).max(28.0);
    let plane_gap = if is_narrow { 3.0 } else { 4.0 };
    let across = width - 2.0 * MARGIN - name_width - edge_room - address_width;
    let slots = across - 6.0 * plane_gap;
    // Values of memory may change there: a little more for them.
    let (plane_width, slot) = (slots * 0.122, slots * 0.128);
    let memory_x = width - MARGIN - 4.0 * slot - 3.0 * plane_gap;

    let column_x = |channel: usize| left + channel as f64 * (plane_width + plane_gap);
    let row_y = |row: usize| top + pitch * row as f64;
    let mut cells = vec![Rect::default(); model.cells.len()];
    for (row, (_, slots)) in memory.iter().enumerate() {
        for (slot_index, cell) in slots {
            cells[*cell] = Rect::new(
                memory_x + *slot_index as f64 * (slot + plane_gap),
                row_y(row),
                slot,
                cell_height,
            );
        }
    }
    // Edges run below the rows, each channel on a track of its own: that of
    // the first plane is the lowest, so that no other crosses it there.
    let track = |channel: u8, rect: Rect| {
        let count = planes.channels.len() as f64;
        let later = planes.channels.iter().filter(|other| **other > channel);
        let nth = later.count() as f64 + 1.0;
        rect.bottom() + gutter * nth / (count + 1.0)
    };
    let (leave_x, enter_x) = (column_x(4) + 2.0, memory_x - address_width - 4.0);
    let lanes = model.lanes.iter().zip(shares(model)).map(|(lane, share)| {
        let unit = lane.unit;
        let channel = unit.channel.expect("planes are of channels");
        let row = usize::from(unit.eu) * planes.stride + usize::from(unit.lane);
        let x = column_x(usize::from(channel));
        let rect = Rect::new(x, row_y(row), plane_width, cell_height);
        let cell = cells[lane.cell];
        let at = cell.x + cell.width * (0.2 + 0.6 * share);
        let route = Route::Below {
            from: Point::new(rect.x + rect.width / 2.0, rect.bottom()),
            leave: Point::new(leave_x, track(channel, rect)),
            enter: Point::new(enter_x, track(channel, cell)),
            to: Point::new(at, cell.bottom()),
        };
        LanePlace { rect, route }
    });
    let lanes: Vec<LanePlace> = lanes.collect();
    let mut padding = Vec::new();
    for channel in 0..4_u8 {
        let x = column_x(usize::from(channel));
        if !planes.channels.contains(&channel) {
            let last = row_y(plane_rows - 1) + cell_height;
            padding.push((
                Rect::new(x, row_y(0), plane_width, last - row_y(0)),
                PaddingKind::Missing(channel),
            ));
            continue;
        }
        // The last plane of Src ends with its last lane.
        if planes.channels.last() == Some(&channel) {
            continue;
        }
        for eu in 0..threads {
            for row in planes.lanes..planes.stride {
                let y = row_y(eu * planes.stride + row);
                padding.push((
                    Rect::new(x, y, plane_width, cell_height),
                    PaddingKind::Skipped,
                ));
            }
        }
    }
    let mut heads: Vec<Head> = (0..4_u8)
        .map(|channel| {
            let x = column_x(usize::from(channel)) + plane_width / 2.0;
            Head {
                tone: Tone::Channel(channel),
                ..head(1, channel_letter(channel), x, "middle")
            }
        })
        .collect();
    for slot_index in 0..4_u8 {
        let x = memory_x + f64::from(slot_index) * (slot + plane_gap) + slot / 2.0;
        let (text, tone) = if groups {
            (format!("+{:X}", slot_index * 4), Tone::Plain)
        } else {
            let letter = channel_letter(slot_index).to_owned();
            (letter, Tone::Channel(slot_index))
        };
        heads.push(Head {
            tone,
            ..head(1, text, x, "middle")
        });
    }
    // Which registers these are, and which memory.
    let side = if planes.reads {
        format!("Dst {}, planes ←", planes.variable)
    } else {
        format!("Src {}, planes →", planes.variable)
    };
    heads.push(head(0, side, left, "start"));
    // Above the numbers of the lanes, which may be narrower.
    let lane_end = text_width("lane", HEAD_SIZE, Face::Sans).max(left - 8.0);
    heads.push(head(1, "lane", lane_end, "end"));
    let side = if groups {
        format!("{}, by address", model.memory)
    } else {
        format!("{}, records", model.memory)
    };
    heads.push(head(0, side, memory_x, "start"));
    let mut names: Vec<(String, Point)> = Vec::new();
    for eu in 0..threads {
        for lane in 0..planes.lanes {
            let name = lane_names[eu * planes.lanes + lane].clone();
            let row = eu * planes.stride + lane;
            names.push((name, Point::new(left - 8.0, row_y(row) + cell_height / 2.0)));
        }
    }
    for (row, address) in addresses.into_iter().enumerate() {
        let at = Point::new(memory_x - 8.0, row_y(row) + cell_height / 2.0);
        names.push((address, at));
    }
    let end = row_y(rows) - gutter;
    // Below the records, which are often fewer than the rows of the planes.
    let legend = groups.then(|| {
        let y = row_y(memory.len());
        Rect::new(memory_x, y, width - MARGIN - memory_x, LEGEND)
    });
    // Below everything: on a phone it needs the whole width.
    let reason = model.fault.is_some().then(|| {
        let y = legend.map_or(row_y(rows), |legend| legend.bottom().max(row_y(rows)));
        Rect::new(MARGIN, y, width - 2.0 * MARGIN, LEGEND)
    });
    let end = [legend, reason]
        .into_iter()
        .flatten()
        .map(Rect::bottom)
        .fold(end, f64::max);
    let mut faults: Vec<Rect> = Vec::new();
    for (lane, place) in model.lanes.iter().zip(&lanes) {
        let at = Rect::new(
            column_x(4) + 2.0,
            place.rect.y,
            edge_room - 4.0,
            cell_height,
        );
        if lane.state == ChipState::Fault && !faults.contains(&at) {
            faults.push(at);
        }
    }
    StageLayout {
        width,
        height: (end + gutter.max(BOTTOM)).ceil(),
        lanes,
        lane_size: size,
        label_width: 0.0,
        result_width: 0.0,
        cells,
        density: CellDensity::Small,
        idle: Vec::new(),
        overlaps: Vec::new(),
        head_height: top,
        heads,
        operation_in_head: false,
        rows: names,
        row_size: address_size,
        padding,
        legend,
        faults,
        reason,
    }
}

/// Touched memory as rows of 16 bytes: where each starts, and the cells in its
/// four slots. A row starts at a record's first channel where it can, so that
/// a record is a row; records that overlap share rows.
pub(crate) fn record_rows(model: &StageModel) -> Vec<(u64, Vec<(usize, usize)>)> {
    let mut rows: Vec<(u64, Vec<(usize, usize)>)> = Vec::new();
    for (index, cell) in model.cells.iter().enumerate() {
        let address = cell.range.address;
        let fits = rows.last().and_then(|(start, slots)| {
            let offset = address.checked_sub(*start).filter(|offset| *offset < 16)?;
            let slot = (offset / 4) as usize;
            let is_free = slots.iter().all(|(taken, _)| *taken != slot);
            (offset % 4 == 0 && is_free).then_some(slot)
        });
        if let Some(slot) = fits {
            if let Some((_, slots)) = rows.last_mut() {
                slots.push((slot, index));
            }
            continue;
        }
        // The record that this cell is a channel of.
        let owner = model.lanes.iter().find(|lane| lane.cell == index);
        let channel = owner
            .and_then(|lane| lane.unit.channel)
            .expect("a channel of a lane accesses each cell of a record");
        let base = address.wrapping_sub(u64::from(channel) * 4);
        let is_clear = rows
            .last()
            .is_none_or(|(start, _)| base.checked_sub(*start).is_some_and(|offset| offset >= 16));
        let start = if is_clear && base <= address {
            base
        } else {
            address
        };
        rows.push((start, vec![(((address - start) / 4) as usize, index)]));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::library::BUNDLED;
    use lanewise_core::program::Program;
    use lanewise_core::session::Session;
    use std::rc::Rc;

    /// Whether no two rectangles overlap.
    fn are_apart(rects: &[Rect]) -> bool {
        let pairs = rects.iter().enumerate();
        let mut pairs = pairs.flat_map(|(i, a)| rects[i + 1..].iter().map(move |b| (a, b)));
        pairs.all(|(a, b)| !a.overlaps(*b))
    }

    /// Whether a place is on the outline of a rectangle.
    fn is_at(at: Point, rect: Rect) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 0.01;
        let across = rect.x - 0.01 <= at.x && at.x <= rect.right() + 0.01;
        let down = rect.y - 0.01 <= at.y && at.y <= rect.bottom() + 0.01;
        let on_side = near(at.x, rect.x) || near(at.x, rect.right());
        let on_end = near(at.y, rect.y) || near(at.y, rect.bottom());
        across && down && (on_side || on_end)
    }

    fn check(name: &str, model: &StageModel, width: f64, height: f64) -> StageLayout {
        let layout = StageLayout::of(model, width, height);
        let lanes = layout.lanes.iter().map(|place| place.rect);
        let padding = layout.padding.iter().map(|(rect, _)| *rect);
        let all: Vec<Rect> = lanes
            .chain(layout.cells.iter().copied())
            .chain(layout.idle.iter().copied())
            .chain(padding)
            .collect();
        assert!(are_apart(&all), "{name} at {width}: parts overlap");
        for rect in &all {
            assert!(rect.is_within(layout.area()), "{name} at {width}: {rect:?}");
            assert!(rect.width > 8.0 && rect.height >= 13.9, "{name}: {rect:?}");
        }
        for (lane, place) in model.lanes.iter().zip(&layout.lanes) {
            let (from, to) = place.route.ends();
            assert!(is_at(from, place.rect), "{name}: {from:?}");
            assert!(is_at(to, layout.cells[lane.cell]), "{name}: {to:?}");
        }
        layout
    }

    /// Every step of every bundled scenario that accesses memory.
    #[test]
    fn bundled_scenarios_fit() {
        let mut seen = 0;
        for bundled in BUNDLED {
            let mut session = Session::new(Rc::new(Program::parse(bundled.text)));
            loop {
                if let Some(model) = StageModel::of(&session) {
                    seen += 1;
                    let layout = check(bundled.id, &model, USUAL.0, USUAL.1);
                    assert!(
                        layout.height <= USUAL.1 + 1.0,
                        "{}: {}",
                        bundled.id,
                        layout.height
                    );
                    check(bundled.id, &model, 336.0, 500.0);
                }
                if !session.step() {
                    break;
                }
            }
        }
        assert!(seen > 400, "{seen} steps");
    }

    /// In a low window a step's lane and its cell are in view together.
    #[test]
    fn scrolled_lanes_have_their_cells_in_view() {
        let mut seen = 0;
        for bundled in BUNDLED {
            let session = Session::new(Rc::new(Program::parse(bundled.text)));
            let model = StageModel::of(&session).filter(|model| model.planes.is_none());
            let Some(model) = model else { continue };
            let height = 220.0;
            let layout = check(bundled.id, &model, 680.0, height);
            let visible = height - layout.head_height;
            let (first, last) = match &layout.lanes[..] {
                [first, .., last] => (first.rect, last.rect),
                _ => continue,
            };
            if model.cells.len() > 4 || last.bottom() - first.y > 1.5 * visible {
                continue;
            }
            seen += 1;
            for cell in &layout.cells {
                let (down, up) = (cell.bottom() - first.y, last.bottom() - cell.y);
                assert!(down <= visible && up <= visible, "{}: {cell:?}", bundled.id);
            }
        }
        assert!(seen > 5, "{seen}");
    }

    #[test]
    fn two_eus_of_32_lanes_fit() {
        let program = |offsets: &str| {
            format!(
                ".decl V32 v_type=G type=ud num_elts=32 align=GRF\n\
                 .decl V33 v_type=G type=ud num_elts=32 align=GRF\n\
                 .threads 2\n.slm 1024\n{offsets}\n\
                 dword_atomic.inc (M1, 32) %slm V32.0 %null.0 %null.0 V33.0\n"
            )
        };
        for offsets in [
            ".init V32 = splat(0)",
            ".init V32 = iota(0, 4)",
            ".init EU0.V32 = iota(0, 4)\n.init EU1.V32 = iota(128, 4)",
        ] {
            let parsed = Program::parse(&program(offsets));
            assert!(
                !parsed
                    .diagnostics
                    .iter()
                    .any(|d| d.severity() == lanewise_core::diagnostic::Severity::Error),
                "{offsets}"
            );
            let mut session = Session::new(Rc::new(parsed));
            session.run_to_end();
            let model = StageModel::of(&session).expect("an atomic has a stage");
            assert_eq!(model.lanes.len(), 64);
            let layout = check(offsets, &model, USUAL.0, USUAL.1);
            assert!(layout.height <= USUAL.1 + 1.0, "{}", layout.height);
            check(offsets, &model, 336.0, 500.0);
        }
    }
}

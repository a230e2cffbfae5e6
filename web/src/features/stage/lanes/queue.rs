//! Lanes in execution order beside the cells by address.

use super::View;
use super::item::StageItem;
use crate::components::hue::hue;
use lanewise_answer::access::{StageCell, StageLane};
use lanewise_answer::lanes::group_letter;
use yew::prelude::*;

/// Maximum number of lanes or cells in one column; more are split into two,
/// the lanes to both sides of the cells.
const ONE_COLUMN: usize = 34;

/// Values of more characters, several elements of a buffer, are smaller.
const LONG: usize = 12;

/// Length of the longest text in characters, at least `least`.
fn longest<'t>(texts: impl Iterator<Item = &'t str>, least: usize) -> usize {
    let lengths = texts.map(|text| text.chars().count());
    lengths.fold(least, usize::max)
}

impl View<'_> {
    pub(super) fn queue(&self, content: &NodeRef) -> Html {
        let model = self.model;
        let columns = |count: usize| 1 + usize::from(count > ONE_COLUMN);
        let (sides, cell_columns) = (columns(model.lanes.len()), columns(model.cells.len()));
        let rows = model.lanes.len().div_ceil(sides).max(1);
        let cell_rows = model.cells.len().div_ceil(cell_columns).max(1);
        let labels = model.lanes.iter().map(|lane| &*lane.label);
        let results = model.lanes.iter().filter_map(|lane| lane.result.as_deref());
        let results = results.chain(model.cells.iter().map(|cell| &*cell.value));
        let operations = model.lanes.iter().map(|lane| &*lane.operation);
        let style = format!(
            "--rows:{rows};--cell-rows:{cell_rows};--idle:{};--label:{}ch;--operation:{}ch;--result:{}ch",
            model.idle.len(),
            longest(labels, 1),
            longest(operations, 1),
            longest(results, 4),
        );
        // All cells have the same size.
        let cell = self.boxes.cells.first().copied().unwrap_or_default();
        let lines = match cell.height {
            height if height >= 76.0 => Some("4"),
            height if height >= 38.0 => Some("2"),
            _ => None,
        };
        let mut cell_style = format!("--height:{}px", cell.height);
        let has_long = model.cells.iter().any(|cell| cell.value.len() > LONG);
        if has_long {
            let texts = model.cells.iter();
            let lengths = texts.map(|cell| cell.name.chars().count() + cell.value.len());
            let longest = lengths.max().unwrap_or(0);
            cell_style.push_str(&format!(";--characters:{longest}"));
        }
        let cell_width = match cell.width {
            width if width < 136.0 => "tiny",
            width if width < 204.0 => "narrow",
            width if width < 304.0 => "medium",
            _ => "wide",
        };
        let lanes = (0..model.lanes.len()).map(|index| {
            let place = self.shown_spot(index);
            let (row, column) = (place % rows + 1, place / rows + 1);
            let style = format!("grid-area:{row}/{column};{}", self.drag_style(index));
            let inner = self.lane(&model.lanes[index]);
            self.option(StageItem::Lane(index), "stage-lane", style, inner)
        });
        let cells = model.cells.iter().enumerate().map(|(index, cell)| {
            let (row, column) = (index % cell_rows + 1, index / cell_rows + 1);
            let style = format!("grid-area:{row}/{column}");
            self.option(StageItem::Cell(index), "stage-cell", style, self.card(cell))
        });
        let idle = model.idle.iter().map(|lanes| html! { <li>{ lanes }</li> });
        html! {
            <div
                ref={content}
                class="stage-content stage-queue"
                ~style={style}
                data-picture=""
                data-sides={sides.to_string()}
                data-grouped={model.lanes.iter().any(|lane| lane.group.is_some()).then_some("")}
            >
                { self.edges() }
                <div class="stage-heads">
                    <span class="wrapping lanes-head">
                        <span class="order-head">{ format!("{}, in this order ↓", model.units) }</span>
                        <span class="operands-head">{ &model.operands_head }</span>
                        <span class="result-head">{ &model.results_head }</span>
                    </span>
                    <span class="cells-head">{ format!("{}, by address", model.memory) }</span>
                    if sides > 1 {
                        <span class="wrapping lanes-head">{ format!("from number {} on ↓", rows + 1) }</span>
                    }
                </div>
                <div
                    class="stage-lanes"
                    role="listbox"
                    aria-label="Lanes in order"
                    aria-owns={self.lane_ids()}
                >
                    { for lanes }
                </div>
                <div
                    class="stage-cells"
                    role="listbox"
                    aria-label="Memory cells"
                    ~style={cell_style}
                    data-columns={cell_columns.to_string()}
                    data-lines={lines}
                    data-width={cell_width}
                >
                    { for self.overlaps(cell_rows) }
                    { for cells }
                </div>
                if !model.idle.is_empty() {
                    <ul class="stage-idle" aria-label="Disabled lanes">{ for idle }</ul>
                }
            </div>
        }
    }

    /// `Ⓑ 5  add 3      2`. Hidden from screen readers, because the option's
    /// label says more.
    fn lane(&self, lane: &StageLane) -> Html {
        let kept = lane.dst.as_ref().filter(|_| self.model.fault.is_some());
        let result = match (&lane.result, kept) {
            (Some(result), _) => result.clone(),
            (None, Some(kept)) => format!("keeps {kept}"),
            (None, None) => String::from("–"),
        };
        let class = classes!(
            "result",
            lane.result.is_none().then_some("dim"),
            lane.failed.then_some("failed")
        );
        // Where there is little room, a heading names the operation.
        let operation = if lane.operands == lane.operation {
            html! { <span class="operation" aria-hidden="true">{ &lane.operation }</span> }
        } else {
            html! {
                <>
                    <span class="operation wide" aria-hidden="true">{ &lane.operation }</span>
                    <span class="operation narrow" aria-hidden="true">{ &lane.operands }</span>
                </>
            }
        };
        html! {
            <>
                if self.can_reorder {
                    <span class="grip"></span>
                }
                { for lane.group.map(group_mark) }
                <b aria-hidden="true">{ &lane.label }</b>
                { operation }
                <span {class} aria-hidden="true">{ result }</span>
            </>
        }
    }

    /// Contents of a cell; how many lines depends on the height of its box.
    fn card(&self, cell: &StageCell) -> Html {
        html! {
            <div class="card" aria-hidden="true">
                <span class="title">
                    <span class="name"><bdi>{ &cell.name }</bdi></span>
                    { for cell.group.map(group_mark) }
                    if cell.lanes > 1 {
                        <span class="about">{ format!("{} lanes", cell.lanes) }</span>
                    }
                </span>
                <span class="values">
                    <b class="value" data-long={(cell.value.len() > LONG).then_some("")}>{ &cell.value }</b>
                    { trail(&cell.trail) }
                </span>
                if let Some(event) = &cell.event {
                    <span class="event">
                        <span class="what">{ &event.what }<span class="more">{ event.more }</span></span>
                        <span class="who">{ &event.who }</span>
                    </span>
                }
                if !cell.waiting.is_empty() {
                    <span class="waiting">{ format!("waiting: {}", cell.waiting) }</span>
                }
            </div>
        }
    }

    /// Frames of adjacent cells that share bytes without being the same.
    fn overlaps(&self, rows: usize) -> Vec<Html> {
        let mut frames = Vec::new();
        for (column, cells) in (1..).zip(self.model.cells.chunks(rows)) {
            let shares =
                |a: &StageCell, b: &StageCell| b.group.is_some() && a.range.overlaps(b.range);
            let mut row = 1;
            for shared in cells.chunk_by(shares) {
                let end = row + shared.len();
                if shared.len() > 1 {
                    frames.push(html! {
                        <div
                            class="overlap"
                            ~style={format!("grid-area:{row}/{column}/{end}/{column}")}
                            aria-hidden="true"
                            data-group={shared[0].group.map(hue)}
                        ></div>
                    });
                }
                row = end;
            }
        }
        frames
    }
}

/// Letter of a group in its own shape and hue.
fn group_mark(group: u32) -> Html {
    html! {
        <span
            class="group-mark"
            data-group={hue(group)}
            data-shape={(group % 4).to_string()}
            aria-hidden="true"
        >
            { group_letter(group) }
        </span>
    }
}

/// `0 → 1 → 2`. The first and last value always remain; the middle is elided at
/// its start.
fn trail(values: &[String]) -> Html {
    match values {
        [first, middle @ .., last] => html! {
            <span class="trail">
                <span>{ first }{ " →" }</span>
                if !middle.is_empty() {
                    <span class="middle"><bdi>{ middle.join(" → ") }{ " →" }</bdi></span>
                }
                <span>{ last }</span>
            </span>
        },
        [] | [_] => Html::default(),
    }
}

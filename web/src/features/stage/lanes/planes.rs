//! Register planes beside memory as records of four channels.

use super::View;
use super::item::StageItem;
use lanewise_answer::access::{AccessModel, PLANES, Planes, StageCell};
use lanewise_answer::lanes::LaneState;
use lanewise_core::isa::{CHANNELS, Unit, index_of};
use lanewise_core::session::unit_name;
use yew::prelude::*;

impl View<'_> {
    pub(super) fn planes(&self, planes: &Planes, content: &NodeRef) -> Html {
        let model = self.model;
        let memory = record_rows(model);
        let plane_rows = planes.stride * planes.eus.len();
        let is_shared = model.cells.iter().any(|cell| cell.group.is_some());
        let lines = usize::from(is_shared) + usize::from(model.fault.is_some());
        let style = format!("--rows:{};--lines:{lines}", plane_rows.max(memory.len()));
        let row_of = |unit: Unit| {
            let eu = planes.eus.iter().position(|eu| *eu == unit.thread);
            let eu = eu.expect("the EU issues the instruction");
            eu * planes.stride + usize::from(unit.lane) + 1
        };
        let threads = u8::try_from(planes.eus.len()).expect("at most 128 threads");
        let units = planes.eus.iter().flat_map(|eu| {
            let lanes = u8::try_from(planes.lanes).expect("at most 32 lanes");
            (0..lanes).map(move |lane| Unit::lane(*eu, lane))
        });
        let names = units.map(|unit| {
            let area = format!("{}/1", row_of(unit));
            label("row-name", &area, html! { unit_name(unit, threads) })
        });
        let elements = model.lanes.iter().enumerate().map(|(index, lane)| {
            let channel = lane.unit.channel.expect("planes are of channels");
            let (row, column) = (row_of(lane.unit), index_of(channel) + 2);
            let style = format!("grid-area:{row}/{column};{}", self.drag_style(index));
            // For a gather, the value is old until the lane executes.
            let value = match planes.reads {
                true => lane.dst.as_deref().unwrap_or("–"),
                false => &lane.operation,
            };
            let inner = change(lane.dst_before.as_deref(), value);
            self.option(StageItem::Lane(index), "element", style, inner)
        });
        let faulted = model.lanes.iter();
        let faulted = faulted.filter(|lane| lane.state == LaneState::Faulted);
        let mut faulted: Vec<usize> = faulted.map(|lane| row_of(lane.unit)).collect();
        // Once for all channels of a lane.
        faulted.dedup();
        let faults = faulted.iter();
        let faults = faults.map(|row| label("fault", &format!("{row}/5"), html! { "Fault" }));
        let addresses = memory.iter().enumerate().map(|(row, record)| {
            // Buffer elements have names; other cells are shown by address.
            let first = record.cells.first();
            let name = match first.map(|(_, index)| &model.cells[*index].name) {
                Some(name) if !name.contains("0x") => name.clone(),
                _ => format!("{:#x}", record.address),
            };
            let area = format!("{}/1", row + 1);
            label("row-name", &area, html! { <bdi>{ name }</bdi> })
        });
        let cells = memory.iter().enumerate().flat_map(|(row, record)| {
            record.cells.iter().map(move |(slot, index)| {
                let style = format!("grid-area:{}/{}", row + 1, slot + 2);
                let inner = self.channel(&model.cells[*index]);
                self.option(StageItem::Cell(*index), "element", style, inner)
            })
        });
        let (registers, arrow) = if planes.reads {
            ("Dst", "←")
        } else {
            ("Src", "→")
        };
        let contents = if is_shared { "by address" } else { "records" };
        let first = planes.first();
        let slot_head = |slot: u8| {
            let column = slot + 8;
            if is_shared {
                let style = format!("grid-column:{column}");
                let offset = slot * planes.bytes;
                html! { <span class="slot" ~style={style}>{ format!("+{offset:X}") }</span> }
            } else {
                channel_head(first + slot, column)
            }
        };
        html! {
            <div ref={content} class="stage-content stage-channels" data-picture="" ~style={style}>
                { self.edges() }
                <div class="stage-heads">
                    <span class="registers-head">{ format!("{registers} {}, planes {arrow}", planes.variable) }</span>
                    <span class="memory-head">{ format!("{}, {contents}", model.memory) }</span>
                    <span class="lane-head">{ "lane" }</span>
                    { for (0..PLANES).map(|channel| channel_head(first + channel, channel + 2)) }
                    { for (0..PLANES).map(slot_head) }
                </div>
                <div
                    class="stage-lanes"
                    role="listbox"
                    aria-label="Lanes in order"
                    aria-owns={self.lane_ids()}
                >
                    { for names }
                    { for self.padding(planes) }
                    { for elements }
                    { for faults }
                </div>
                <div class="stage-cells" role="listbox" aria-label="Memory cells">
                    { for addresses }
                    { for cells }
                    if is_shared {
                        <span
                            class="wrapping legend"
                            ~style={format!("grid-area:{}/2/auto/-1", memory.len() + 1)}
                            aria-hidden="true"
                        >
                            <span class="element shared"></span>
                            { "accessed by several elements" }
                        </span>
                    }
                </div>
                if let Some(fault) = &model.fault {
                    <p class="fault reason">{ fault }</p>
                }
            </div>
        }
    }

    fn channel(&self, cell: &StageCell) -> Html {
        let before = match &*cell.trail {
            [.., old, _] if cell.written_now => Some(&**old),
            _ => None,
        };
        change(before, &cell.value)
    }

    /// Places without a lane: registers that a plane skips, and channels that
    /// are not enabled.
    fn padding(&self, planes: &Planes) -> Vec<Html> {
        let threads = planes.eus.len();
        let mut padding = Vec::new();
        let first = planes.first();
        for channel in first..first + PLANES {
            let column = index_of(channel) + 2;
            if !planes.channels.contains(&channel) {
                let end = planes.stride * threads + 1;
                let text = if first == 0 { "disabled" } else { "" };
                let area = format!("1/{column}/{end}/{column}");
                padding.push(label("padding column", &area, html! { text }));
                continue;
            }
            // The last plane ends with its last lane.
            if planes.channels.last() == Some(&channel) {
                continue;
            }
            for eu in 0..threads {
                for row in planes.lanes..planes.stride {
                    let area = format!("{}/{column}", eu * planes.stride + row + 1);
                    padding.push(label("padding", &area, html! { "skipped" }));
                }
            }
        }
        padding
    }
}

/// Text in a grid area, hidden from screen readers.
fn label(class: &'static str, area: &str, text: Html) -> Html {
    html! {
        <span {class} ~style={format!("grid-area:{area}")} aria-hidden="true">{ text }</span>
    }
}

fn channel_head(channel: u8, column: u8) -> Html {
    html! {
        <span class="slot" ~style={format!("grid-column:{column}")} data-channel={index_of(channel).to_string()}>
            { CHANNELS[usize::from(channel)] }
        </span>
    }
}

/// Value, after the old one if the last step changed it. In reverse order,
/// because the new value has precedence where there is little room.
fn change(before: Option<&str>, value: &str) -> Html {
    html! {
        <>
            <span class="value" aria-hidden="true">{ value }</span>
            if let Some(before) = before {
                <span class="before" aria-hidden="true">{ before }{ "→" }</span>
            }
        </>
    }
}

/// Accessed memory as long as four channels.
pub(crate) struct RecordRow {
    address: u64,
    /// Slot, 0 to 3, and index of each accessed cell.
    pub(crate) cells: Vec<(usize, usize)>,
}

/// Accessed memory as rows. A row starts at the first channel of a record if
/// possible, so that a record is a row; overlapping records share rows.
pub(crate) fn record_rows(model: &AccessModel) -> Vec<RecordRow> {
    let bytes = u64::from(model.planes.as_ref().map_or(4, |planes| planes.bytes));
    let mut rows: Vec<RecordRow> = Vec::new();
    for (index, cell) in model.cells.iter().enumerate() {
        let address = cell.range.address;
        let slot = |row: &RecordRow| {
            let offset = address.checked_sub(row.address)?;
            let is_slot = offset < u64::from(PLANES) * bytes && offset % bytes == 0;
            is_slot.then_some((offset / bytes) as usize)
        };
        if let Some(row) = rows.last_mut()
            && let Some(slot) = slot(row)
        {
            row.cells.push((slot, index));
            continue;
        }
        // The record that this cell is a channel of.
        let owner = model.lanes.iter().find(|lane| lane.cell == index);
        let channel = owner
            .and_then(|lane| lane.unit.channel)
            .expect("a channel of a lane accesses each cell of a record");
        let base = address.wrapping_sub(u64::from(index_of(channel)) * bytes);
        let is_clear = rows.last().is_none_or(|row| {
            base.checked_sub(row.address)
                .is_some_and(|offset| offset >= u64::from(PLANES) * bytes)
        });
        let start = if is_clear && base <= address {
            base
        } else {
            address
        };
        rows.push(RecordRow {
            address: start,
            cells: vec![(((address - start) / bytes) as usize, index)],
        });
    }
    rows
}

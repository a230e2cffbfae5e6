//! Register planes beside memory as records of four channels.

use super::super::model::{Planes, StageCell, StageModel, channel_letter};
use super::View;
use super::item::StageItem;
use crate::features::lanes::table::LaneState;
use crate::features::lanes::units::unit_name;
use lanewise_core::isa::{FIRST_ELEMENT, Unit};
use yew::prelude::*;

impl View<'_> {
    pub(super) fn planes(&self, planes: &Planes, content: &NodeRef) -> Html {
        let model = self.model;
        let memory = record_rows(model);
        let plane_rows = planes.stride * planes.eus.len();
        let is_shared = model.cells.iter().any(|cell| cell.group.is_some());
        let lines = usize::from(is_shared) + usize::from(model.fault.is_some());
        let style = format!(
            "--rows:{};--lines:{lines}",
            plane_rows.max(memory.len()).max(1)
        );
        let row_of = |unit: Unit| {
            let eu = planes.eus.iter().position(|eu| *eu == unit.eu);
            let eu = eu.expect("the EU issues the instruction");
            eu * planes.stride + usize::from(unit.lane) + 1
        };
        let threads = u8::try_from(planes.eus.len()).expect("at most 128 threads");
        let units = planes.eus.iter().flat_map(|eu| {
            let lanes = u8::try_from(planes.lanes).expect("at most 32 lanes");
            (0..lanes).map(move |lane| Unit::lane(*eu, lane))
        });
        let names = units.clone().map(|unit| {
            let style = format!("grid-area:{}/1", row_of(unit));
            html! { <span class="row-name" ~style={style} aria-hidden="true">{ unit_name(unit, threads) }</span> }
        });
        let elements = (0..model.lanes.len()).map(|index| {
            let unit = model.lanes[index].unit;
            let channel = unit.channel.expect("planes are of channels");
            let column = channel % FIRST_ELEMENT + 2;
            let style = format!(
                "grid-area:{}/{column};{}",
                row_of(unit),
                self.drag_style(index)
            );
            let lane = &model.lanes[index];
            // For a gather, the value is old until the lane executes.
            let value = match planes.reads {
                true => lane.dst.as_deref().unwrap_or("–"),
                false => &lane.operation,
            };
            let inner = change(lane.dst_before.as_deref(), value, None);
            self.option(StageItem::Lane(index), "element", style, inner)
        });
        let faults = units
            .filter(|unit| {
                let mut lanes = model.lanes.iter();
                lanes.any(|lane| {
                    lane.state == LaneState::Faulted
                        && (lane.unit.eu, lane.unit.lane) == (unit.eu, unit.lane)
                })
            })
            .map(|unit| {
                let style = format!("grid-area:{}/5", row_of(unit));
                html! { <span class="fault" ~style={style} aria-hidden="true">{ "Fault" }</span> }
            });
        let addresses = memory.iter().enumerate().map(|(row, record)| {
            let style = format!("grid-area:{}/1", row + 1);
            // Buffer elements have names; other cells are shown by address.
            let first = record
                .cells
                .first()
                .map(|(_, index)| &model.cells[*index].name);
            let name = match first {
                Some(name) if !name.contains("0x") => name.clone(),
                _ => format!("{:#x}", record.address),
            };
            html! {
                <span class="row-name" ~style={style} aria-hidden="true"><bdi>{ name }</bdi></span>
            }
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
        let first = planes.channels[0] / FIRST_ELEMENT * FIRST_ELEMENT;
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
                    { for (0..4).map(|channel| channel_head(first + channel, channel + 2)) }
                    { for (0..4).map(slot_head) }
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
                            class="legend"
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
        let step = cell.written_now.then_some(self.model.step);
        let before = match &*cell.trail {
            [.., old, _] if cell.written_now => Some(&**old),
            _ => None,
        };
        change(before, &cell.value, step)
    }

    /// Places without a lane: registers that a plane skips, and channels that
    /// are not enabled.
    fn padding(&self, planes: &Planes) -> Vec<Html> {
        let threads = planes.eus.len();
        let mut padding = Vec::new();
        let mut add = |column: Option<&'static str>, style: String, text: &'static str| {
            let class = classes!("padding", column);
            padding.push(html! { <span {class} ~style={style} aria-hidden="true">{ text }</span> });
        };
        let first = planes.channels[0] / FIRST_ELEMENT * FIRST_ELEMENT;
        for channel in first..first + FIRST_ELEMENT {
            let column = channel - first + 2;
            if !planes.channels.contains(&channel) {
                let style = format!(
                    "grid-area:1/{column}/{}/{column}",
                    planes.stride * threads + 1
                );
                add(
                    Some("column"),
                    style,
                    if first == 0 { "disabled" } else { "" },
                );
            } else if planes.channels.last() != Some(&channel) {
                // The last plane ends with its last lane.
                for row in (0..threads).flat_map(|eu| {
                    let start = eu * planes.stride + 1;
                    start + planes.lanes..start + planes.stride
                }) {
                    add(None, format!("grid-area:{row}/{column}"), "skipped");
                }
            }
        }
        padding
    }
}

fn channel_head(channel: u8, column: u8) -> Html {
    html! {
        <span class="slot" ~style={format!("grid-column:{column}")} data-channel={(channel % FIRST_ELEMENT).to_string()}>
            { channel_letter(channel) }
        </span>
    }
}

/// Value, after the old one if the last step changed it. In reverse order,
/// because the new value has precedence where there is little room.
fn change(before: Option<&str>, value: &str, step: Option<usize>) -> Html {
    html! {
        <>
            <span
                key={step.map_or_else(String::new, |step| step.to_string())}
                class="value"
                data-flips={step.map(|_| "")}
                aria-hidden="true"
            >
                { value }
            </span>
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
pub(crate) fn record_rows(model: &StageModel) -> Vec<RecordRow> {
    let bytes = u64::from(model.planes.as_ref().map_or(4, |planes| planes.bytes));
    let mut rows: Vec<RecordRow> = Vec::new();
    for (index, cell) in model.cells.iter().enumerate() {
        let address = cell.range.address;
        let slot = |row: &RecordRow| {
            let offset = address.checked_sub(row.address)?;
            let is_slot = offset < 4 * bytes && offset % bytes == 0;
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
        let base = address.wrapping_sub(u64::from(channel % FIRST_ELEMENT) * bytes);
        let is_clear = rows.last().is_none_or(|row| {
            base.checked_sub(row.address)
                .is_some_and(|offset| offset >= 4 * bytes)
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

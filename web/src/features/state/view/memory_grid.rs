use crate::components::resize::use_size;
use crate::features::highlight::{ByteRange, use_highlight};
use crate::features::state::cells::Notation;
use crate::features::state::memory::{MemoryModel, MemoryRow};
use crate::features::state::place::Place;
use crate::features::state::rows::{RowFit, TypeSize};
use crate::features::state::view::cell::ValueCell;
use crate::features::state::view::cell_box::CellBox;
use crate::features::state::view::grid::{
    ROW_HEIGHT, first_row, scroll_to_row, use_in_view, use_scroll, whole_rows,
};
use crate::features::state::view::memory_tools::MemoryTools;
use crate::features::state::{MemoryAction, StateAction, Tab};
use crate::store::Action;
use std::rc::Rc;
use yew::prelude::*;

/// Minimum column width in characters.
const MIN_CHARACTERS: usize = 5;

/// Pixels per value: padding plus the gap between columns.
const GAP: f64 = 8.0;

/// Pixels around the address and at the end of a row.
const EDGES: f64 = 26.0;

#[derive(Properties, PartialEq)]
pub(crate) struct MemoryGridProps {
    pub(crate) memory: Rc<MemoryModel>,
    /// Whether the inspected cell should receive focus.
    pub(crate) focus: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Memory of a tab with two, four or eight dwords per row. Renders only the
/// rows in view and a margin.
#[component]
pub(crate) fn MemoryGrid(props: &MemoryGridProps) -> Html {
    let MemoryGridProps {
        memory,
        focus,
        dispatch,
    } = props;
    let (kind, state) = (memory.kind, &memory.state);
    let highlight = use_highlight();
    let scroller = use_node_ref();
    let size = use_size(&scroller).filter(|(_, height)| *height > 0);
    let (width, height) = size.unwrap_or_default();
    let rows_in_view = whole_rows(height - ROW_HEIGHT);
    use_scroll(&scroller, state.in_view, size.is_some(), scroll_to_row);
    let onscroll = use_in_view(
        &scroller,
        size,
        state.in_view,
        move |scroller| (first_row(scroller), rows_in_view),
        dispatch.reform(move |(first, count)| {
            Action::StatePane(StateAction::Memory(
                kind,
                MemoryAction::Scrolled { first, count },
            ))
        }),
    );
    let notation = state.notation();
    let element = usize::from(notation.ty.bytes());
    let least = MIN_CHARACTERS.min(2 * element);
    let widest = use_widest((state.region, notation), memory.characters.max(least));
    let address = address_characters(memory);
    let addresses = EDGES + address as f64 * TypeSize::Px13.character_width();
    let fit = RowFit::of(
        f64::from(width) - addresses,
        element,
        widest,
        notation.width(),
        GAP,
    );
    {
        let (dispatch, shown) = (dispatch.clone(), state.row_bytes);
        use_effect_with((width, fit, shown), move |(width, fit, shown)| {
            if *width > 0 && fit.bytes != *shown {
                dispatch.emit(Action::StatePane(StateAction::Memory(
                    kind,
                    MemoryAction::RowBytes(fit.bytes),
                )));
            }
        });
    }
    let slots = state.row_bytes / element;
    let column = (f64::from(width) - addresses) / slots as f64 - GAP;
    let room = widest.max((column / fit.type_size.character_width()) as usize);
    let style = format!(
        "--row: {ROW_HEIGHT}px; --type: {}px; --slots: {slots}; --room: {widest}ch; --address: {address}ch",
        fit.type_size.pixels()
    );
    let heads = (0..slots).map(|slot| {
        html! { <span class="head" role="columnheader">{ format!("+{:X}", slot * element) }</span> }
    });
    let rows = memory.rows.iter().map(|row| {
        let range = ByteRange::new(row.space, row.address, row.row_bytes as u64);
        let highlighted = highlight.highlighted.within(range);
        html! { <MemoryGridRow key={row.index} row={row.clone()} {highlighted} {room} /> }
    });
    html! {
        <>
            <MemoryTools
                {kind}
                regions={memory.regions.clone()}
                region={state.region}
                format={state.format}
                used_type={state.used_type}
                cut={memory.cut}
                dispatch={dispatch.clone()}
            />
            <CellBox
                {scroller}
                class="memory"
                label="Memory rows"
                {style}
                {onscroll}
                focus={*focus}
                dispatch={dispatch.clone()}
            >
                <div
                    class="rows"
                    role="table"
                    aria-label={memory.tab.label()}
                    aria-rowcount={(memory.total + 1).to_string()}
                >
                    <div class="row heads" role="row" aria-rowindex="1">
                        <span class="address" role="columnheader"><span class="unseen">{ "Address" }</span></span>
                        { for heads }
                    </div>
                    <div
                        role="rowgroup"
                        class="window"
                        ~style={format!("height: {}px", memory.total * ROW_HEIGHT as usize)}
                    >
                        { for rows }
                    </div>
                </div>
            </CellBox>
        </>
    }
}

/// Longest value so far, in characters, for the same memory and format: columns
/// do not shrink after a step or scroll.
#[hook]
fn use_widest(shown: (usize, Notation), now: usize) -> usize {
    let kept = use_state_eq(|| (shown, now));
    let before = if kept.0 == shown { kept.1 } else { 0 };
    let widest = before.max(now);
    let setter = kept.setter();
    use_effect_with((shown, widest), move |widest| setter.set(*widest));
    widest
}

/// Digits of the longest address of the region, at least four.
fn address_characters(memory: &MemoryModel) -> usize {
    let last = memory
        .regions
        .get(memory.state.region)
        .map_or(0, |region| region.last);
    format!("{last:04x}").len()
}

/// Placeholder if nothing is mapped.
pub(crate) const fn not_mapped(tab: Tab) -> &'static str {
    match tab {
        Tab::Virtual => {
            "Virtual memory is not mapped. Add a line such as: .region svm 0x10000 4096"
        }
        Tab::Global => {
            "Global memory is not mapped. Add a line such as: .region global 0x10000 4096"
        }
        Tab::Surfaces => {
            "No surface has a buffer. Add lines such as: .decl T6 v_type=T num_elts=1, then .surface T6 4096"
        }
        Tab::Local | Tab::Registers => {
            "The size of shared local memory is 0 (.slm 0). Set a size, such as .slm 1024"
        }
    }
}

#[derive(Properties, PartialEq)]
struct MemoryGridRowProps {
    row: MemoryRow,
    /// Highlighted byte ranges of the row.
    highlighted: Vec<ByteRange>,
    /// Column width in characters.
    room: usize,
}

/// Row of a memory.
#[component]
fn MemoryGridRow(props: &MemoryGridRowProps) -> Html {
    let MemoryGridRowProps {
        row,
        highlighted,
        room,
    } = props;
    let size = usize::from(row.notation.ty.bytes());
    let first = row.elements().start;
    let unmapped = (0..first / size).map(|_| html! { <span class="slot" role="cell" /> });
    let cells = row.cells();
    let cells = cells.iter().enumerate().map(|(index, cell)| {
        let address = row.address + (first + index * size) as u64;
        let range = ByteRange::new(row.space, address, size as u64);
        let cell = ValueCell {
            cell,
            notation: row.notation,
            number: None,
            place: Place::new(row.space, address),
            chosen: row.chosen.as_ref(),
            highlighted: highlighted
                .iter()
                .any(|highlighted| highlighted.overlaps(range)),
            room: *room,
        };
        html! { <span class="slot" role="cell">{ cell.view() }</span> }
    });
    html! {
        <div
            class="row"
            role="row"
            aria-rowindex={(row.index + 2).to_string()}
            data-bytes={size.to_string()}
            ~style={format!("top: {}px", row.index * ROW_HEIGHT as usize)}
        >
            <span class="address" role="rowheader" aria-label={format!("{:#06x}", row.address)}>
                { format!("{:04x}", row.address) }
            </span>
            { for unmapped }
            { for cells }
        </div>
    }
}

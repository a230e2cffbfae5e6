use super::cell::ValueCell;
use super::choosing::CellListeners;
use super::grid::{
    CHARACTER, ROW_HEIGHT, first_row, use_focus_on_chosen, use_jump, use_size, whole_rows,
};
use super::memory_tools::MemoryTools;
use crate::features::highlight::{ByteRange, use_highlight};
use crate::state::inspect::Place;
use crate::state::memory::{MAX_ROW_BYTES, MIN_ROW_BYTES, MemoryPane, MemoryRow};
use crate::state::{Action, MemoryAction, Tab};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// The fewest characters for which a column has room.
const LEAST_ROOM: usize = 5;

/// Pixels between columns, and on both sides of a row.
const GAP: f64 = 6.0;

#[derive(Properties, PartialEq)]
pub(crate) struct MemoryProps {
    pub(crate) pane: Rc<MemoryPane>,
    /// A request to put the focus on the chosen cell.
    pub(crate) focus: u32,
    pub(crate) dispatch: Callback<Action>,
}

/// The memory of a tab, four or eight dwords a row. Only the rows on the
/// screen and a margin are on the page.
#[component]
pub(crate) fn Memory(props: &MemoryProps) -> Html {
    let MemoryProps {
        pane,
        focus,
        dispatch,
    } = props;
    let (tab, view) = (pane.tab, &pane.view);
    let highlight = use_highlight();
    let scroller = use_node_ref();
    let (width, height) = use_size(&scroller);
    let rows_in_view = whole_rows(height - ROW_HEIGHT);
    let report = {
        let (scroller, visible) = (scroller.clone(), view.visible());
        let act = dispatch.reform(move |action| Action::Memory(tab, action));
        move || {
            if let Some(scroller) = scroller.cast::<Element>()
                && visible != (first_row(&scroller), rows_in_view)
            {
                act.emit(MemoryAction::Scrolled(first_row(&scroller), rows_in_view));
            }
        }
    };
    use_jump(&scroller, view.jump, height > 0);
    use_focus_on_chosen(&scroller, *focus);
    {
        let report = report.clone();
        use_effect_with((height, view.jump), move |(height, _)| {
            if *height > 0 {
                report();
            }
        });
    }
    // How many bytes fit is decided when the size or what is shown changes, not
    // when a step writes a longer number.
    let address = address_characters(pane);
    {
        let pane = Rc::clone(pane);
        let dispatch = dispatch.clone();
        let shown = (width, tab, view.region, view.format);
        use_effect_with(shown, move |(width, ..)| {
            let bytes = row_bytes(&pane, f64::from(*width), address);
            if *width > 0 && bytes != pane.view.row_bytes {
                dispatch.emit(Action::Memory(tab, MemoryAction::RowBytes(bytes)));
            }
        });
    }
    if pane.regions.is_empty() {
        return html! { <p class="empty">{ not_mapped(tab) }</p> };
    }
    let notation = view.notation();
    let size = usize::from(notation.ty.bytes());
    let slots = view.row_bytes / size;
    let characters = pane.characters.max(LEAST_ROOM.min(2 * size));
    let column = (f64::from(width) - GAP - address as f64 * CHARACTER) / slots as f64 - GAP;
    let room = characters.max((column / CHARACTER) as usize);
    let style = format!(
        "--row: {ROW_HEIGHT}px; --slots: {slots}; --room: {characters}ch; --address: {address}ch"
    );
    let heads = (0..slots).map(|slot| {
        html! { <span key={slot} class="head" role="columnheader">{ format!("+{:X}", slot * size) }</span> }
    });
    let rows = pane.rows.iter().map(|row| {
        let range = ByteRange::new(row.space, row.address, row.row_bytes as u64);
        let lit = highlight.lit.within(range);
        html! { <Row key={row.index} row={row.clone()} {lit} {room} /> }
    });
    let onscroll = Callback::from(move |_: Event| report());
    let listeners = CellListeners::new(dispatch, &highlight);
    html! {
        <>
            <MemoryTools
                {tab}
                regions={pane.regions.clone()}
                region={view.region}
                format={view.format}
                declared={view.declared}
                cut={pane.cut}
                dispatch={dispatch.clone()}
            />
            <div class="grid-box">
                <div
                    ref={scroller}
                    class="scroller grid memory"
                    tabindex="0"
                    role="group"
                    aria-label="Memory rows"
                    {style}
                    {onscroll}
                    onclick={listeners.onclick}
                    onchange={listeners.onchange}
                    onkeydown={listeners.onkeydown}
                    onmouseover={listeners.onmouseover}
                    onmouseleave={listeners.onmouseleave}
                    onfocusin={listeners.onfocusin}
                    onfocusout={listeners.onfocusout}
                >
                    <div
                        class="rows"
                        role="table"
                        aria-label={tab.name()}
                        aria-rowcount={(pane.total + 1).to_string()}
                    >
                        <div class="row heads" role="row" aria-rowindex="1">
                            <span class="address" role="columnheader"><span class="unseen">{ "Address" }</span></span>
                            { for heads }
                        </div>
                        <div
                            role="rowgroup"
                            class="window"
                            style={format!("height: {}px", pane.total * ROW_HEIGHT as usize)}
                        >
                            { for rows }
                        </div>
                    </div>
                </div>
            </div>
        </>
    }
}

/// Digits of the longest address of the region that is shown, at least four.
fn address_characters(pane: &MemoryPane) -> usize {
    let last = pane
        .regions
        .get(pane.view.region)
        .map_or(0, |region| region.last);
    format!("{last:04x}").len()
}

/// How many bytes of a row fit into a width.
fn row_bytes(pane: &MemoryPane, width: f64, address: usize) -> usize {
    let size = usize::from(pane.view.notation().ty.bytes());
    let slots = (MAX_ROW_BYTES / size) as f64;
    let characters = pane.characters.max(LEAST_ROOM) as f64;
    let wanted = GAP + address as f64 * CHARACTER + slots * (characters * CHARACTER + GAP);
    if width >= wanted {
        MAX_ROW_BYTES
    } else {
        MIN_ROW_BYTES
    }
}

const fn not_mapped(tab: Tab) -> &'static str {
    match tab {
        Tab::Virtual => {
            "No virtual memory is mapped. Map some with a line like: .region svm 0x10000 4096"
        }
        Tab::Global => {
            "No global memory is mapped. Map some with a line like: .region global 0x10000 4096"
        }
        Tab::Surfaces => {
            "No surface has a buffer. Declare one: .decl T6 v_type=T num_elts=1, then .surface T6 4096"
        }
        Tab::Local | Tab::Registers => {
            "There is no shared local memory: .slm 0. Give it a size: .slm 1024"
        }
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    row: MemoryRow,
    /// The lit bytes in it.
    lit: Vec<ByteRange>,
    /// How many characters fit into a column.
    room: usize,
}

/// One row of a memory.
#[component]
fn Row(props: &RowProps) -> Html {
    let RowProps { row, lit, room } = props;
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
            lit: lit.iter().any(|lit| lit.overlaps(range)),
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
            style={format!("top: {}px", row.index * ROW_HEIGHT as usize)}
        >
            <span class="address" role="rowheader" aria-label={format!("{:#06x}", row.address)}>
                { format!("{:04x}", row.address) }
            </span>
            { for unmapped }
            { for cells }
        </div>
    }
}

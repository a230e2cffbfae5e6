use crate::components::resize::use_size;
use crate::features::highlight::{ByteRange, Highlighted, use_highlight};
use crate::features::state::StateAction;
use crate::features::state::inspect::ChosenCell;
use crate::features::state::place::Place;
use crate::features::state::rows::TypeSize;
use crate::features::state::view::cell::{CellLook, LastAccess, ValueCell, cell_button};
use crate::features::state::view::cell_box::CellBox;
use crate::features::state::view::grid::{ROW_HEIGHT, use_in_view, use_scroll};
use crate::features::state::warp::{Bit, Register, Value, WarpLane, WarpModel};
use crate::store::Action;
use std::rc::Rc;
use yew::prelude::*;

/// Width of the lane column in pixels.
const LANES: i32 = 36;

/// Pixels between columns.
const GAP: i32 = 6;

#[derive(Properties, PartialEq)]
pub(crate) struct WarpGridProps {
    pub(crate) warp: Rc<WarpModel>,
    /// Whether the inspected cell should receive focus.
    pub(crate) focus: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Registers and predicates of a warp: one row per lane, one column per
/// register. Renders only the columns in view and a margin.
#[component]
pub(crate) fn WarpGrid(props: &WarpGridProps) -> Html {
    let WarpGridProps {
        warp,
        focus,
        dispatch,
    } = props;
    let highlight = use_highlight();
    let scroller = use_node_ref();
    let size = use_size(&scroller);
    let (width, _) = size.unwrap_or_default();
    let column = (warp.characters as f64 * TypeSize::Px13.character_width()) as i32 + GAP;
    let in_view = warp.state.in_view;
    use_scroll(
        &scroller,
        in_view,
        size.is_some(),
        move |scroller, first| {
            scroller.set_scroll_left(first * column);
        },
    );
    let onscroll = use_in_view(
        &scroller,
        size.map(|_| (width, column)),
        in_view,
        move |scroller| {
            // Some browsers overscroll past the start.
            let whole = |pixels: i32| {
                usize::try_from(pixels.max(0) / column).expect("the value is not negative")
            };
            // The lane column is sticky; the other columns scroll beneath it.
            let room = (width - LANES).max(column);
            (whole(scroller.scroll_left()), whole(room))
        },
        dispatch
            .reform(|(first, count)| Action::StatePane(StateAction::WarpScrolled { first, count })),
    );
    let heads = warp.columns.iter().map(|index| {
        let index = *index;
        html! {
            <span
                key={index}
                class="head"
                role="columnheader"
                aria-colindex={(index + 2).to_string()}
                ~style={left(index, column)}
            >
                { &warp.names[index] }
            </span>
        }
    });
    // A separate list: next to an unkeyed element, keys have no effect.
    let heads: Html = heads.collect();
    let count = warp.names.len();
    let rows = warp.lanes.iter().map(|lane| {
        let highlighted = highlighted_ranges(lane, &highlight.highlighted);
        html! {
            <WarpRow
                key={lane.lane}
                lane={lane.clone()}
                columns={Rc::clone(&warp.columns)}
                {count}
                {column}
                {highlighted}
            />
        }
    });
    let rows: Html = rows.collect();
    let wide = LANES + i32::try_from(count).expect("a warp has 256 registers") * column;
    html! {
        <CellBox
            {scroller}
            class="warp"
            label="Warp registers"
            style={format!("--row: {ROW_HEIGHT}px; --lanes: {LANES}px; --column: {column}px")}
            {onscroll}
            focus={*focus}
            dispatch={dispatch.clone()}
        >
            <div
                class="rows"
                role="table"
                aria-label="Registers"
                aria-colcount={(count + 2).to_string()}
                ~style={format!("width: calc({wide}px + 12ch)")}
            >
                <div class="row heads" role="row">
                    <span class="address" role="columnheader" aria-colindex="1">{ "Lane" }</span>
                    { heads }
                    <span
                        class="unseen"
                        role="columnheader"
                        aria-colindex={(count + 2).to_string()}
                    >
                        { "Inactive" }
                    </span>
                </div>
                { rows }
            </div>
        </CellBox>
    }
}

/// Position of a column.
fn left(index: usize, column: i32) -> String {
    let index = i32::try_from(index).expect("a warp has 256 registers");
    format!("left: {}px", LANES + index * column)
}

/// Highlighted byte ranges of a lane's visible registers.
fn highlighted_ranges(lane: &WarpLane, highlighted: &Highlighted) -> Vec<ByteRange> {
    let registers = lane.values.iter().filter_map(|value| match value {
        Value::Register(register) => Some(register),
        Value::Predicate(_) => None,
    });
    let ranges = registers.map(|register| {
        let size = u64::from(register.notation.ty.bytes()) * register.cells.len() as u64;
        ByteRange::new(register.place.space, register.place.address, size)
    });
    ranges.flat_map(|range| highlighted.within(range)).collect()
}

#[derive(Properties, PartialEq)]
struct WarpRowProps {
    lane: WarpLane,
    /// Columns of the values.
    columns: Rc<[usize]>,
    count: usize,
    /// Column width in pixels.
    column: i32,
    highlighted: Vec<ByteRange>,
}

/// Row of a lane's registers.
#[component]
fn WarpRow(props: &WarpRowProps) -> Html {
    let WarpRowProps {
        lane,
        columns,
        count,
        column,
        highlighted,
    } = props;
    let chosen = lane.chosen.as_ref();
    let room = (f64::from(*column - GAP) / TypeSize::Px13.character_width()) as usize;
    let values = columns.iter().zip(&lane.values).map(|(index, value)| {
        let index = *index;
        let bytes = match value {
            Value::Register(register) => Some(register.notation.ty.bytes().to_string()),
            Value::Predicate(_) => None,
        };
        html! {
            <span
                key={index}
                class="slot"
                role="cell"
                aria-colindex={(index + 2).to_string()}
                data-bytes={bytes}
                ~style={left(index, *column)}
            >
                { match value {
                    Value::Predicate(bit) => predicate(bit, chosen, room),
                    Value::Register(register) => cells(register, chosen, highlighted, room),
                } }
            </span>
        }
    });
    let values: Html = values.collect();
    html! {
        <div
            class="row"
            role="row"
            data-idle={lane.idle.map(|_| "")}
            aria-current={lane.current.then_some("step")}
        >
            <span class="address" role="rowheader" aria-colindex="1">{ lane.lane }</span>
            { values }
            if let Some(idle) = lane.idle {
                <span
                    class="slot idle"
                    role="cell"
                    aria-colindex={(count + 2).to_string()}
                    ~style={left(*count, *column)}
                >
                    { idle }
                </span>
            }
        </div>
    }
}

fn cells(
    register: &Register,
    chosen: Option<&ChosenCell>,
    highlighted: &[ByteRange],
    room: usize,
) -> Html {
    let size = u64::from(register.notation.ty.bytes());
    let room = room / register.cells.len().max(1);
    let cells = (0..).zip(&register.cells).map(|(index, cell)| {
        let address = register.place.address + index * size;
        let range = ByteRange::new(register.place.space, address, size);
        let cell = ValueCell {
            cell,
            notation: register.notation,
            number: None,
            place: Place::new(register.place.space, address),
            chosen,
            highlighted: highlighted
                .iter()
                .any(|highlighted| highlighted.overlaps(range)),
            room,
        };
        cell.view()
    });
    cells.collect()
}

fn predicate(bit: &Bit, chosen: Option<&ChosenCell>, room: usize) -> Html {
    let word = |bit| if bit { "true" } else { "false" };
    let changed = bit.was != bit.now;
    let look = CellLook {
        access: if changed {
            LastAccess::Changed
        } else {
            LastAccess::None
        },
        highlighted: false,
        tall: changed && room < "false → true".chars().count(),
    };
    let content = html! {
        <>
            if changed {
                <span class="was">
                    <span class="unseen">{ "changed from " }</span>{ word(bit.was) }{ " → " }
                </span>
            }
            <span class="now">{ word(bit.now) }</span>
        </>
    };
    cell_button(
        bit.place,
        String::from("The lane's bit"),
        look,
        chosen,
        content,
    )
}

use crate::components::resize::use_size;
use crate::components::select::Select;
use crate::features::highlight::{ByteRange, Highlighted, use_highlight};
use crate::features::state::RegisterFormat;
use crate::features::state::StateAction;
use crate::features::state::cells::cut;
use crate::features::state::place::Place;
use crate::features::state::registers::{
    EuRegisters, RegisterRow, RegisterRows, RegistersModel, RowData,
};
use crate::features::state::rows::RowFit;
use crate::features::state::view::cell::{CellLook, ValueCell, cell_button};
use crate::features::state::view::cell_box::CellBox;
use crate::features::state::view::grid::{
    ROW_HEIGHT, first_row, scroll_to_row, use_in_view, use_scroll, whole_rows,
};
use crate::store::Action;
use std::rc::Rc;
use yew::prelude::*;

/// Width of register names in pixels, and the minimum in narrow layouts.
const NAMES: i32 = 88;
const MIN_NAMES: i32 = 72;

/// Pixels between columns.
const GAP: i32 = 3;

/// Padding and gap of a dword in pixels.
const DWORD_EDGES: f64 = 6.0;

/// Minimum width in pixels to show two EUs side by side.
const BESIDE: i32 = 760;

#[derive(Properties, PartialEq)]
pub(crate) struct FormatMenuProps {
    pub(crate) format: RegisterFormat,
    /// Label of the default format: warp registers are not declared.
    #[prop_or(RegisterFormat::Declared.label())]
    pub(crate) declared: &'static str,
    pub(crate) dispatch: Callback<Action>,
}

/// Register format menu.
#[component]
pub(crate) fn FormatMenu(props: &FormatMenuProps) -> Html {
    let names = RegisterFormat::ALL.map(|format| match format {
        RegisterFormat::Declared => AttrValue::Static(props.declared),
        other => AttrValue::Static(other.label()),
    });
    let chosen = RegisterFormat::ALL
        .iter()
        .position(|format| *format == props.format);
    let on_pick = props.dispatch.reform(|index: usize| {
        let format = RegisterFormat::ALL.get(index);
        Action::StatePane(StateAction::RegisterFormat(
            *format.expect("the menu lists this value"),
        ))
    });
    html! {
        <div class="panel-tools">
            <Select label="Format" options={names.to_vec()} {chosen} {on_pick} />
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct RegisterGridProps {
    pub(crate) registers: Rc<RegistersModel>,
    /// Whether the inspected cell should receive focus.
    pub(crate) focus: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Register files of a vISA program: variables, predicates, execution masks and
/// address variables of every EU. Renders only the rows in view and a margin.
#[component]
pub(crate) fn RegisterGrid(props: &RegisterGridProps) -> Html {
    let RegisterGridProps {
        registers,
        focus,
        dispatch,
    } = props;
    let state = registers.state;
    let highlight = use_highlight();
    let scroller = use_node_ref();
    let size = use_size(&scroller).filter(|(_, height)| *height > 0);
    let (width, height) = size.unwrap_or_default();
    use_scroll(&scroller, state.in_view, size.is_some(), scroll_to_row);
    let onscroll = use_in_view(
        &scroller,
        size,
        state.in_view,
        move |scroller| (first_row(scroller), whole_rows(height)),
        dispatch.reform(|(first, count)| {
            Action::StatePane(StateAction::RegistersScrolled { first, count })
        }),
    );
    let beside = registers.eus.len() == 2 && width >= BESIDE;
    let columns = if beside { 2 } else { 1 };
    let characters = registers.max_characters;
    let fit = RowFit::of(
        f64::from(width / columns - MIN_NAMES),
        4,
        characters,
        characters,
        DWORD_EDGES,
    );
    let rows = RegisterRows {
        beside,
        bytes: fit.bytes,
    };
    {
        let dispatch = dispatch.clone();
        use_effect_with((width, rows, state.rows), move |(width, rows, shown)| {
            if *width > 0 && rows != shown {
                dispatch.emit(Action::StatePane(StateAction::RegisterRows(*rows)));
            }
        });
    }
    let dwords = state.rows.bytes as i32 / 4;
    let dword = (width / columns - NAMES) / dwords - GAP;
    let character = fit.type_size.character_width();
    let room = registers
        .characters
        .max((f64::from(dword) / character) as usize);
    let row_bytes = state.rows.bytes;
    let files = registers.eus.iter().map(|eu| {
        html! {
            <div
                key={eu.name}
                class="eu"
                role="group"
                aria-label={eu.name}
                ~style={format!("height: {}px", (registers.total + 1) * ROW_HEIGHT as usize)}
            >
                <h3>{ eu.name }</h3>
                { rows_of(eu, row_bytes, room, &highlight.highlighted) }
            </div>
        }
    });
    html! {
        <CellBox
            {scroller}
            class="eus"
            label="Register files"
            style={format!(
                    "--row: {ROW_HEIGHT}px; --type: {}px; --names: {NAMES}px; --gap: {GAP}px; --dword: {}ch",
                    fit.type_size.pixels(),
                    registers.characters
                )}
            beside={state.rows.beside}
            {onscroll}
            focus={*focus}
            dispatch={dispatch.clone()}
        >
            { for files }
        </CellBox>
    }
}

/// Rows of an EU as a separate list: mixed with the unkeyed heading, their keys
/// would have no effect.
fn rows_of(eu: &EuRegisters, row_bytes: usize, room: usize, highlighted: &Highlighted) -> Html {
    let rows = eu.rows.iter().map(|row| {
        let range = ByteRange::new(row.place.space, row.place.address, row_bytes as u64);
        let highlighted = highlighted.within(range);
        html! { <RegisterGridRow key={row.index} row={row.clone()} {row_bytes} {highlighted} {room} /> }
    });
    rows.collect()
}

#[derive(Properties, PartialEq)]
struct RegisterGridRowProps {
    row: RegisterRow,
    /// Maximum row length in bytes.
    row_bytes: usize,
    /// Highlighted byte ranges of the row.
    highlighted: Vec<ByteRange>,
    /// Dword width in characters.
    room: usize,
}

/// Row of an EU's registers: elements of a variable, or a mask.
#[component]
fn RegisterGridRow(props: &RegisterGridRowProps) -> Html {
    let row = &props.row;
    let top = (row.index + 1) * ROW_HEIGHT as usize;
    let (slots, bytes, cells) = cells(props);
    let title = match (row.pending_row, &row.title, &row.name) {
        (Some(row), ..) => {
            format!("Row {row} of Dst is still being accumulated; these values are older")
        }
        (None, Some(title), _) => title.to_string(),
        // The text may be truncated.
        (None, None, Some(name)) => format!("{name} {}", row.about),
        (None, None, None) => row.about.clone(),
    };
    html! {
        <div
            class="line"
            data-first={row.name.is_some().then_some("")}
            data-bytes={bytes.map(|bytes| bytes.to_string())}
            data-mask={matches!(row.data, RowData::Mask { .. }).then_some("")}
            data-pending={row.pending_row.map(|_| "")}
            ~style={format!("top: {top}px; --slots: {slots}; --share: {}", props.row_bytes as f32 / 4.0 / slots as f32)}
        >
            <span class="line-name" title={title}>
                if let Some(name) = &row.name {
                    <span class="variable">{ &**name }</span>{ " " }
                }
                <span class="muted">{ &row.about }</span>
                if row.pending_row.is_some() {
                    <span class="pending" aria-hidden="true">{ " …" }</span>
                    <span class="unseen">{ " pending" }</span>
                }
            </span>
            { for cells }
        </div>
    }
}

/// Number of columns, bytes per highlightable element, and cells of a row.
fn cells(props: &RegisterGridRowProps) -> (usize, Option<usize>, Vec<Html>) {
    let row = &props.row;
    let chosen = row.chosen.as_ref();
    let at = |offset: usize| Place::new(row.place.space, row.place.address + offset as u64);
    match &row.data {
        RowData::Mask { bits: mask, width } => {
            // Lane 0 is on the right, like bit 0 of a number.
            let bits = (0..*width).rev().fold(String::new(), |mut bits, bit| {
                bits.push(if mask >> bit & 1 == 1 { '1' } else { '0' });
                if bit > 0 && bit % 4 == 0 {
                    bits.push(' ');
                }
                bits
            });
            let now = html! { <span class="now">{ bits }</span> };
            let title = format!("{mask:#x}");
            let cell = cell_button(row.place, title, CellLook::default(), chosen, now);
            (1, None, vec![cell])
        }
        RowData::Pointers(pointers) => {
            let cells = pointers.iter().enumerate().map(|(index, pointer)| {
                let now = html! { <span class="now">{ pointer }</span> };
                let title = String::from("Points to");
                cell_button(at(4 * index), title, CellLook::default(), chosen, now)
            });
            (
                (props.row_bytes / 4).max(pointers.len()),
                None,
                cells.collect(),
            )
        }
        RowData::Values {
            bytes,
            count,
            notation,
            changes,
            first,
        } => {
            let size = usize::from(notation.ty.bytes());
            let whole = count / size * size;
            let values = &bytes[..whole];
            let cells = cut(values, row.place.address, *notation, changes);
            let cells = cells.iter().enumerate().map(|(index, cell)| {
                let place = at(index * size);
                let range = ByteRange::new(place.space, place.address, size as u64);
                let cell = ValueCell {
                    cell,
                    notation: *notation,
                    number: Some(first + index),
                    place,
                    chosen,
                    highlighted: props
                        .highlighted
                        .iter()
                        .any(|highlighted| highlighted.overlaps(range)),
                    room: props.room * size / 4,
                };
                cell.view()
            });
            (props.row_bytes / size, Some(size), cells.collect())
        }
    }
}

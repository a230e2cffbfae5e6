use crate::components::resize::use_size;
use crate::components::select::Select;
use crate::features::highlight::{ByteRange, use_highlight};
use crate::features::machine::MachineAction;
use crate::features::machine::RegisterFormat;
use crate::features::machine::cells::cut;
use crate::features::machine::inspect::Place;
use crate::features::machine::registers::{Data, Eu, Line, RegistersPane};
use crate::features::machine::view::cell::{CellLook, ValueCell, cell_button};
use crate::features::machine::view::cell_listeners::CellListeners;
use crate::features::machine::view::grid::{
    ROW_HEIGHT, first_row, use_focus_on_chosen, use_in_view, use_jump, whole_rows,
};
use crate::store::Action;
use std::rc::Rc;
use yew::prelude::*;

/// Width of the names of registers, in pixels.
const NAMES: i32 = 88;

/// Pixels between columns.
const GAP: i32 = 3;

#[derive(Properties, PartialEq)]
pub(crate) struct FormatMenuProps {
    pub(crate) format: RegisterFormat,
    /// What the first format is called: registers of a warp are not declared.
    #[prop_or(RegisterFormat::Declared.name())]
    pub(crate) declared: &'static str,
    pub(crate) dispatch: Callback<Action>,
}

/// How registers are shown.
#[component]
pub(crate) fn FormatMenu(props: &FormatMenuProps) -> Html {
    let names = RegisterFormat::ALL.map(|format| match format {
        RegisterFormat::Declared => AttrValue::Static(props.declared),
        other => AttrValue::Static(other.name()),
    });
    let chosen = RegisterFormat::ALL
        .iter()
        .position(|format| *format == props.format);
    let onpick = props.dispatch.reform(|index: usize| {
        let format = RegisterFormat::ALL.get(index);
        Action::Machine(MachineAction::RegisterFormat(
            *format.expect("the menu offers these"),
        ))
    });
    html! {
        <div class="panel-tools">
            <Select label="Format" options={names.to_vec()} {chosen} {onpick} />
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct RegisterFilesProps {
    pub(crate) pane: Rc<RegistersPane>,
    /// Whether the chosen cell is to have the focus.
    pub(crate) focus: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// The register files of a vISA program: variables, predicates, execution
/// masks and address variables of every EU. Only lines in view and a margin
/// are on the page.
#[component]
pub(crate) fn RegisterFiles(props: &RegisterFilesProps) -> Html {
    let RegisterFilesProps {
        pane,
        focus,
        dispatch,
    } = props;
    let view = pane.view;
    let highlight = use_highlight();
    let scroller = use_node_ref();
    let size = use_size(&scroller);
    let (width, height) = size.unwrap_or_default();
    use_jump(&scroller, view.jump, height > 0);
    use_focus_on_chosen(&scroller, *focus, dispatch);
    let onscroll = use_in_view(
        &scroller,
        size.map(|size| (size, view.jump)),
        (view.first, view.count, view.width),
        move |scroller| {
            (
                first_row(scroller),
                whole_rows(height),
                width.unsigned_abs(),
            )
        },
        dispatch.reform(|(first, count, width)| {
            Action::Machine(MachineAction::RegistersScrolled {
                first,
                count,
                width,
            })
        }),
    );
    let listeners = CellListeners::new(dispatch, &highlight);
    let columns = if view.beside { 2 } else { 1 };
    let dwords = view.line as i32 / 4;
    let dword = (width / columns - NAMES) / dwords - GAP;
    let character = view.type_size.character_width();
    let room = pane.characters.max((f64::from(dword) / character) as usize);
    let files = pane.eus.iter().map(|eu| {
        html! {
            <div
                key={eu.name}
                class="eu"
                role="group"
                aria-label={eu.name}
                ~style={format!("height: {}px", (pane.total + 1) * ROW_HEIGHT as usize)}
            >
                <h3>{ eu.name }</h3>
                { for lines(eu, room, &highlight.lit) }
            </div>
        }
    });
    html! {
        <div class="grid-box">
            <div
                ref={scroller}
                class="scroller grid eus"
                role="group"
                aria-label="Register files"
                data-beside={view.beside.then_some("")}
                tabindex="0"
                ~style={format!(
                    "--row: {ROW_HEIGHT}px; --type: {}px; --names: {NAMES}px; --gap: {GAP}px; --dword: {}ch",
                    view.type_size.pixels(),
                    pane.characters
                )}
                {onscroll}
                onclick={listeners.onclick}
                onchange={listeners.onchange}
                onkeydown={listeners.onkeydown}
                onmouseover={listeners.onmouseover}
                onmouseleave={listeners.onmouseleave}
                onfocusin={listeners.onfocusin}
                onfocusout={listeners.onfocusout}
            >
                { for files }
            </div>
        </div>
    }
}

fn lines<'a>(
    eu: &'a Eu,
    room: usize,
    highlighted: &'a crate::features::highlight::Highlighted,
) -> impl Iterator<Item = Html> + 'a {
    eu.lines.iter().map(move |line| {
        let range = ByteRange::new(line.place.space, line.place.address, line.bytes as u64);
        let lit = highlighted.within(range);
        html! { <RegisterLine key={line.index} line={line.clone()} {lit} {room} /> }
    })
}

#[derive(Properties, PartialEq)]
struct RegisterLineProps {
    line: Line,
    /// The lit bytes in it.
    lit: Vec<ByteRange>,
    /// How many characters fit into the room of a dword.
    room: usize,
}

/// A line of a register file: some elements of a variable, or a mask.
#[component]
fn RegisterLine(props: &RegisterLineProps) -> Html {
    let line = &props.line;
    let top = (line.index + 1) * ROW_HEIGHT as usize;
    let (slots, bytes, cells) = cells(props);
    let title = match (line.pending_row, &line.title, &line.name) {
        (Some(row), ..) => format!("Row {row} of Dst is being summed up: what is here is older"),
        (None, Some(title), _) => title.to_string(),
        // It may be cut.
        (None, None, Some(name)) => format!("{name} {}", line.about),
        (None, None, None) => line.about.clone(),
    };
    html! {
        <div
            class="line"
            data-first={line.name.is_some().then_some("")}
            data-bytes={bytes.map(|bytes| bytes.to_string())}
            data-mask={matches!(line.data, Data::Mask(..)).then_some("")}
            data-pending={line.pending_row.map(|_| "")}
            ~style={format!("top: {top}px; --slots: {slots}; --share: {}", line.bytes as f32 / 4.0 / slots as f32)}
        >
            <span class="line-name" title={title}>
                if let Some(name) = &line.name {
                    <span class="variable">{ &**name }</span>{ " " }
                }
                <span class="muted">{ &line.about }</span>
                if line.pending_row.is_some() {
                    <span class="pending" aria-hidden="true">{ " …" }</span>
                    <span class="unseen">{ " pending" }</span>
                }
            </span>
            { for cells }
        </div>
    }
}

/// How many columns a line has, how many bytes an element that can be lit has,
/// and its cells.
fn cells(props: &RegisterLineProps) -> (usize, Option<usize>, Vec<Html>) {
    let line = &props.line;
    let chosen = line.chosen.as_ref();
    let at = |offset: usize| Place::new(line.place.space, line.place.address + offset as u64);
    match &line.data {
        Data::Mask(mask, width) => {
            // Lane 0 to the right as in a number.
            let bits = (0..*width).rev().fold(String::new(), |mut bits, bit| {
                bits.push(if mask >> bit & 1 == 1 { '1' } else { '0' });
                if bit > 0 && bit % 4 == 0 {
                    bits.push(' ');
                }
                bits
            });
            let now = html! { <span class="now">{ bits }</span> };
            let title = format!("{mask:#x}");
            let cell = cell_button(line.place, title, CellLook::default(), chosen, now);
            (1, None, vec![cell])
        }
        Data::Pointers(pointers) => {
            let cells = pointers.iter().enumerate().map(|(index, pointer)| {
                let now = html! { <span class="now">{ pointer }</span> };
                let title = String::from("Points to");
                cell_button(at(4 * index), title, CellLook::default(), chosen, now)
            });
            ((line.bytes / 4).max(pointers.len()), None, cells.collect())
        }
        Data::Values {
            bytes,
            count,
            notation,
            changes,
            first,
        } => {
            let size = usize::from(notation.ty.bytes());
            let whole = count / size * size;
            let values = &bytes[..whole];
            let cells = cut(values, line.place.address, *notation, changes);
            let cells = cells.iter().enumerate().map(|(index, cell)| {
                let place = at(index * size);
                let range = ByteRange::new(place.space, place.address, size as u64);
                let cell = ValueCell {
                    cell,
                    notation: *notation,
                    number: Some(first + index),
                    place,
                    chosen,
                    lit: props.lit.iter().any(|lit| lit.overlaps(range)),
                    room: props.room * size / 4,
                };
                cell.view()
            });
            (line.bytes / size, Some(size), cells.collect())
        }
    }
}

use super::choosing::listening;
use super::inspect::focus_chosen;
use super::{cell, select, warp};
use crate::dom::{El, On, Part, Seen, el, list, part};
use crate::state::cells::cut;
use crate::state::inspect::Place;
use crate::state::memory::Jump;
use crate::state::registers::{Data, Eu, Line, RegistersPane, RegistersView};
use crate::state::{Action, RegisterFormat, State};
use lanewise_core::isa::Family;
use web_sys::Element;
use yew::prelude::*;

/// Height of a line in pixels; the style sheet is told.
const HEIGHT: i32 = 36;

/// The register files, masks and predicates of every EU that runs, or of the
/// warp.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> Html {
    let format = state.register_format();
    let names = RegisterFormat::ALL.map(|format| match (format, state.family()) {
        // Registers of a warp are declared nowhere.
        (RegisterFormat::Declared, Family::Sass) => AttrValue::Static("bits"),
        _ => AttrValue::Static(format.name()),
    });
    let chosen = RegisterFormat::ALL.iter().position(|f| *f == format);
    let pick = act.reform(|index| {
        let format = RegisterFormat::ALL.get(index).copied();
        Action::RegisterFormat(format.unwrap_or(RegisterFormat::Declared))
    });
    let tools =
        el!("div", "class" = "panel-tools").put(select::draw("Format", &names, chosen, pick));
    let (act, focus) = (act.clone(), state.cell_focus());
    let files = match state.family() {
        Family::Sass => part(
            warp::Registers {
                warp: state.warp(),
                focus,
                act,
            },
            Some("warp".into()),
        ),
        Family::Visa => part(
            Files {
                pane: state.registers(),
                focus,
                act,
            },
            Some("files".into()),
        ),
    };
    list(vec![tools.html(), files])
}

/// The register files of a vISA program. Only lines in view and a margin are
/// on the page.
#[derive(PartialEq)]
struct Files {
    pane: RegistersPane,
    focus: u32,
    act: Callback<Action>,
}

/// What the pane keeps from one drawing to the next.
#[derive(Default)]
struct Kept {
    scroller: NodeRef,
    seen: Seen<Option<Jump>>,
    focus: Seen<u32>,
    /// Whether the chosen cell is yet to come into view.
    waits: bool,
}

impl Part for Files {
    type Kept = Kept;

    fn draw(&self, kept: &Kept) -> Html {
        let view = self.pane.view;
        let act = self.act.clone();
        let onscroll = Callback::from(move |event: Event| {
            report(&event.target_unchecked_into(), view, &act);
        });
        let scroller = el!(
            "div",
            "class" = "scroller eus",
            "role" = "group",
            "aria-label" = "Register files",
            "data-is" = view.beside.then_some("beside"),
            "tabindex" = "0"
        )
        .bind(kept.scroller.clone())
        .on(On::Scroll, onscroll);
        listening(scroller, &self.act)
            .each(self.pane.eus.iter().map(|eu| file(eu, self.pane.total)))
            .html()
    }

    fn drawn(&self, kept: &mut Kept) {
        let Some(scroller) = kept.scroller.cast::<Element>() else {
            return;
        };
        let jump = self.pane.view.jump;
        if kept.seen.changes(jump)
            && let Some(jump) = jump
        {
            let top = i32::try_from(jump.row).unwrap_or(0).saturating_mul(HEIGHT);
            let above = scroller.client_height() / 3 / HEIGHT * HEIGHT;
            scroller.set_scroll_top(top - above);
        }
        report(&scroller, self.pane.view, &self.act);
        kept.waits |= kept.focus.changes(self.focus) && self.focus > 0;
        if kept.waits {
            kept.waits = !focus_chosen(&scroller);
        }
    }
}

/// Tells which lines are on the screen, if they are others than before.
fn report(scroller: &Element, view: RegistersView, act: &Callback<Action>) {
    let rows = |pixels: i32| usize::try_from(pixels / HEIGHT).unwrap_or(0);
    let (first, count) = (
        rows(scroller.scroll_top()),
        rows(scroller.client_height()).max(1),
    );
    let width = u32::try_from(scroller.client_width()).unwrap_or(0);
    if (first, count) != (view.first, view.count) || width != view.width {
        act.emit(Action::Registers(first, count, width));
    }
}

fn file(eu: &Eu, total: usize) -> El {
    let lines = eu.lines.iter().map(|line| {
        let key = line.index.into();
        part(Row { line: line.clone() }, Some(key))
    });
    let style = format!("height: {}px", (total + 1) * HEIGHT as usize);
    el!(
        "div",
        "class" = "eu",
        "role" = "group",
        "aria-label" = eu.name,
        "style" = style
    )
    .put(el!("h3").put(eu.name))
    .each(lines)
}

#[derive(PartialEq)]
struct Row {
    line: Line,
}

impl Part for Row {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let line = &self.line;
        let top = (line.index + 1) * HEIGHT as usize;
        let title = line.title.clone().map(|title| String::from(&*title));
        let name = line.name.clone().map(AttrValue::from);
        let label = el!("span", "class" = "line-name", "title" = title)
            .put(el!("span", "class" = "variable").put(name))
            .put(el!("span", "class" = "muted").put(line.about.clone()));
        let (style, cells) = cells(line);
        el!(
            "div",
            "class" = "line",
            "data-is" = line.name.is_some().then_some("first"),
            "style" = format!("top: {top}px; {style}")
        )
        .put(label)
        .each(cells)
        .html()
    }
}

fn cells(line: &Line) -> (String, Vec<El>) {
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
            let title = format!("{mask:#x}");
            let cell = cell::button(line.place, title, cell::Shows::Plain, chosen, |button| {
                button.put(el!("span", "class" = "now").put(bits))
            });
            (String::from("--slots: 1; --width: 39ch"), vec![cell])
        }
        Data::Pointers(pointers) => {
            let cells = pointers.iter().enumerate().map(|(index, pointer)| {
                let title = String::from("Where it points");
                cell::button(at(4 * index), title, cell::Shows::Plain, chosen, |button| {
                    button.put(el!("span", "class" = "now").put(pointer.clone()))
                })
            });
            (String::from("--slots: 4; --width: 10ch"), cells.collect())
        }
        Data::Values {
            bytes,
            count,
            notation,
            changes,
            first,
        } => {
            let size = usize::from(notation.ty.bytes());
            // Elements that are there whole.
            let whole = count / size * size;
            let values = bytes.get(..whole).unwrap_or(&[]);
            let cells = cut(values, line.place.address, *notation, changes);
            let cells = cells.iter().enumerate().map(|(index, value)| {
                let number = Some(first + index);
                cell::draw(value, *notation, number, at(index * size), chosen)
            });
            let slots = line.bytes / size;
            let style = format!("--slots: {slots}; --width: {}ch", notation.width());
            (style, cells.collect())
        }
    }
}

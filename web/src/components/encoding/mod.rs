//! The bits of the instruction at hand: typed, drawn, and field by field.

mod edit;
mod fields;
mod paste;
mod picture;
mod said;

use crate::dom::{El, On, Part, el, part};
use crate::state::encoding::paste::Form;
use crate::state::encoding::view::View;
use crate::state::{Action, EncodingAction, State};
use std::cell::Cell;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, MouseEvent};
use yew::prelude::*;

/// The pane; nothing without an instruction.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> El {
    let bits = state.encoding_view().map(|view| {
        let act = act.clone();
        part(Bits { view, act }, None)
    });
    let form = state.paste_form();
    let act = act.clone();
    let pasted = part(Pasted { form, act }, None);
    el!(
        "section",
        "class" = "pane encoding",
        "aria-labelledby" = "encoding-title"
    )
    .put(bits.unwrap_or_else(|| head(None).html()))
    .put(pasted)
}

fn head(copy: Option<El>) -> El {
    el!("div", "class" = "pane-head")
        .put(el!("h2", "id" = "encoding-title").put("Encoding"))
        .put(copy)
}

/// What the instruction at hand is made of.
#[derive(PartialEq)]
struct Bits {
    view: View,
    act: Callback<Action>,
}

impl Part for Bits {
    /// The field under the pointer or the focus, as it was told last.
    type Kept = Rc<Cell<Option<usize>>>;

    fn draw(&self, last: &Self::Kept) -> Html {
        let view = &self.view;
        let act = &self.act.reform(Action::Encoding);
        let fields = view.encoding.all_fields();
        let tell = {
            let (last, act) = (Rc::clone(last), act.clone());
            Callback::from(move |field: Option<usize>| {
                if last.replace(field) != field {
                    act.emit(EncodingAction::Light(field));
                }
            })
        };
        let copied = view.copied.map_or("", |copied| match copied {
            true => "Copied",
            false => "Copying is not allowed here: select the digits and copy them",
        });
        let copy = el!("div", "class" = "pane-tools")
            .put(el!("span", "class" = "muted", "role" = "status").put(copied))
            .put(
                el!("button", "class" = "button quiet")
                    .on(On::Click, copy(view.encoding.digits(), act))
                    .put("Copy"),
            );
        let table = fields::table(view, &fields, act);
        let details = el!("details")
            .put(el!("summary").put(format!("{} fields", fields.len())))
            .put(table);
        el!("div", "class" = "bits")
            .on(On::Over, reaches(&tell, Event::target))
            .on(
                On::Out,
                reaches(&tell, |event| {
                    event.dyn_ref::<MouseEvent>()?.related_target()
                }),
            )
            .on(On::FocusIn, reaches(&tell, Event::target))
            .on(
                On::FocusOut,
                reaches(&tell, |event| {
                    event.dyn_ref::<FocusEvent>()?.related_target()
                }),
            )
            .put(head(Some(copy)))
            .put(edit::draw(view, act))
            .put(picture::draw(view, &fields))
            .put(fields::readout(view, &fields))
            .put(details)
            .html()
    }
}

/// Tells the field that an event reaches.
fn reaches(
    tell: &Callback<Option<usize>>,
    target: impl Fn(&Event) -> Option<web_sys::EventTarget> + 'static,
) -> Callback<Event> {
    tell.reform(move |event: Event| {
        let element = target(&event)?.dyn_into::<Element>().ok()?;
        let field = element.closest("[data-field]").ok()??;
        field.get_attribute("data-field")?.parse().ok()
    })
}

fn copy(digits: String, act: &Callback<EncodingAction>) -> Callback<Event> {
    let act = act.clone();
    Callback::from(move |_| {
        let act = act.clone();
        crate::fetched::copied(&digits, move |is| act.emit(EncodingAction::Copied(is)));
    })
}

/// The form for bytes from elsewhere.
#[derive(PartialEq)]
struct Pasted {
    form: Form,
    act: Callback<Action>,
}

impl Part for Pasted {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let act = self.act.reform(Action::Encoding);
        paste::draw(&self.form, &act).html()
    }
}

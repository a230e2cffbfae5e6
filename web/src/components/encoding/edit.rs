use super::said;
use crate::dom::{El, On, el};
use crate::state::EncodingAction;
use crate::state::encoding::Place;
use crate::state::encoding::view::View;
use lanewise_core::isa::Family;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The digits of the whole, to be edited, and what there is to say of them.
pub(super) fn draw(view: &View, act: &Callback<EncodingAction>) -> El {
    let encoding = &view.encoding;
    let name = match encoding.family() {
        Family::Visa => "Bytes",
        Family::Sass => "Word",
    };
    let whole = digits(name, Place::Whole, encoding.digits(), view, act);
    let has_slot = !encoding.slot_fields().is_empty();
    let slot = has_slot.then(|| {
        let digits_of = format!("0x{:06x}", encoding.slot_bits());
        digits("Control slot", Place::Slot, digits_of, view, act)
    });
    let unsaid = (has_slot && !encoding.says_slot()).then(|| {
        el!("p", "class" = "muted").put(
            "The text says nothing of its slot in the control word: no barriers, no hint, no stall.",
        )
    });
    const STALE: &str =
        "The text has errors: this is the instruction as it was before them. Fix them to edit it.";
    let stale = (!encoding.is_written()).then(|| el!("p", "class" = "muted").put(STALE));
    let said = match &view.typed {
        Some(typed) if !matches!(typed.place, Place::Field(_)) => said::of_typed(typed, act),
        _ => el!("div"),
    };
    el!("div", "class" = "digits-edit")
        .put(el!("div", "class" = "digits-row").put(whole).put(slot))
        .put(
            el!("div", "id" = "encoding-said", "role" = "status")
                .put(stale)
                .put(said),
        )
        .put(unsaid)
}

fn digits(
    name: &'static str,
    place: Place,
    now: String,
    view: &View,
    act: &Callback<EncodingAction>,
) -> El {
    let typed = view.typed.as_ref().filter(|typed| typed.place == place);
    let wrong = typed.is_some_and(|typed| typed.is_wrong).then_some("true");
    let value = typed.map_or(now, |typed| typed.text.to_string());
    let oninput = act.reform(move |event: Event| EncodingAction::Type(place, value_of(&event)));
    let readonly = (!view.encoding.is_written()).then_some("true");
    let rows = value.len().div_ceil(60).clamp(1, 6).to_string();
    el!("label", "class" = "field digits-field")
        .put(el!("span").put(name))
        .put(
            el!(
                "textarea",
                "rows" = rows,
                "class" = "mono",
                "aria-label" = name,
                "aria-invalid" = wrong,
                "aria-describedby" = "encoding-said",
                "readonly" = readonly,
                "spellcheck" = "false",
                "autocomplete" = "off",
                "autocapitalize" = "off"
            )
            .value(value)
            .on(On::Input, oninput),
        )
}

/// What stands in the field that an event is of.
pub(super) fn value_of(event: &Event) -> String {
    let target = event.target();
    let Some(target) = target else {
        return String::new();
    };
    match target.dyn_into::<HtmlTextAreaElement>() {
        Ok(area) => area.value(),
        Err(other) => other.unchecked_into::<HtmlInputElement>().value(),
    }
}

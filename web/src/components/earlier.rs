use super::focus;
use crate::components::editor::ID;
use crate::dom::{El, On, el};
use crate::state::{Action, Aside};
use web_sys::js_sys::Date;
use web_sys::wasm_bindgen::JsValue;
use yew::prelude::*;

/// The texts that were put aside, when there is more than one of them: what
/// each is called, and since when it is kept.
pub(crate) fn draw(asides: &[Aside], act: &Callback<Action>) -> [El; 2] {
    let button = el!(
        "button",
        "class" = "button quiet",
        "popovertarget" = "earlier"
    )
    .put(format!("Earlier texts ({})", asides.len()));
    let rows = asides.iter().enumerate().map(|(index, aside)| {
        let onclick = act.reform(move |_| {
            focus(ID);
            Action::BringBack(index)
        });
        let lines = aside.text.lines().count();
        let since = Date::new(&JsValue::from_f64(aside.time))
            .to_locale_string("default", &JsValue::UNDEFINED);
        let lines = match lines {
            1 => String::from("1 line"),
            _ => format!("{lines} lines"),
        };
        let about = format!("{}, {lines}", String::from(since));
        el!("button", "class" = "button quiet")
            .on(On::Click, onclick)
            .put(aside.title())
            .put(" ")
            .put(el!("span", "class" = "muted").put(about))
    });
    let list = el!(
        "div",
        "id" = "earlier",
        "class" = "earlier",
        "popover" = "auto",
        "role" = "group",
        "aria-label" = "Earlier texts"
    )
    .each(rows)
    .put(el!("p", "class" = "muted").put("The last eight texts that others took the place of."));
    [button, list]
}

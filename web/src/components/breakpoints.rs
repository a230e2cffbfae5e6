use super::send;
use crate::dom::{El, On, el};
use crate::state::Action;
use crate::state::breakpoints::BreakpointAction;
use yew::prelude::*;

/// The lines that have breakpoints, each with a way to take it away, and one
/// sentence on what was done last.
pub(super) fn draw(bar: El, lines: &[u32], told: &str, act: &Callback<Action>) -> El {
    let remove = |line: &u32| {
        let name = format!("Remove the breakpoint on line {}", line + 1);
        let toggle = Action::Breakpoint(BreakpointAction::Toggle(*line));
        el!(
            "button",
            "class" = "button small breakpoint-go",
            "aria-label" = name.clone(),
            "title" = name
        )
        .on(On::Click, send(act, toggle))
        .put(format!("line {} ×", line + 1))
    };
    let clear = || {
        el!("button", "class" = "button small")
            .on(
                On::Click,
                send(act, Action::Breakpoint(BreakpointAction::Clear)),
            )
            .put("Remove all")
    };
    let list = || {
        el!(
            "div",
            "class" = "breakpoints",
            "role" = "group",
            "aria-label" = "Breakpoints"
        )
        .put(el!("span", "class" = "muted").put("Breakpoints"))
        .each(lines.iter().map(remove))
        .put((lines.len() > 1).then(clear))
    };
    let said = el!(
        "p",
        "class" = "unseen",
        "role" = "status",
        "aria-label" = "Breakpoint change"
    );
    bar.put((!lines.is_empty()).then(list))
        .put(said.put(told.to_owned()))
}

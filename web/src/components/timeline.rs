use super::icon::Icon;
use crate::dom::{El, On, el};
use crate::state::Action;
use crate::state::execution::ExecutionView;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Every step of the run in a row, with a mark where an instruction starts.
pub(crate) fn draw(view: &ExecutionView, act: &Callback<Action>) -> El {
    let oninput = act.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Seek(input.value().parse().unwrap_or(0))
    });
    let more = if view.explored { "" } else { " or more" };
    let text = format!("step {} of {}{more}", view.position, view.known);
    let disabled = !view.can_run || view.known == 0;
    let starts = view
        .starts
        .iter()
        .map(|start| tick(*start, view.known, None));
    let writes = view.writes.iter();
    let writes = writes.map(|step| tick(*step, view.known, Some("write")));
    let stops = view.stops.iter();
    let stops = stops.map(|step| tick(*step, view.known, Some("stop")));
    let fault = view.fault.map(|step| tick(step, view.known, Some("fault")));
    el!("div", "class" = "timeline")
        .put(
            el!("div", "class" = "ticks", "aria-hidden" = "true")
                .each(starts)
                .each(stops)
                .each(writes)
                .put(fault),
        )
        .put(
            el!(
                "input",
                "type" = "range",
                "aria-label" = "Timeline",
                "aria-valuetext" = text,
                "min" = "0",
                "max" = view.known.to_string(),
                "step" = "1",
                "disabled" = disabled.then_some("disabled")
            )
            .value(view.position.to_string())
            .on(On::Input, oninput),
        )
}

/// To the instructions before and after, and what the marks are.
pub(super) fn legend(view: &ExecutionView, act: &Callback<Action>) -> El {
    let go = |name: &'static str, sign: Icon, on: bool, next: bool| {
        let act = act.clone();
        let onclick = Callback::from(move |_| {
            if on {
                act.emit(Action::Instruction(next));
            }
        });
        el!(
            "button",
            "type" = "button",
            "class" = "button quiet small",
            "aria-label" = name,
            "title" = name,
            "aria-disabled" = (!on).then_some("true")
        )
        .on(On::Click, onclick)
        .put(sign.draw())
        .put(el!("span", "aria-hidden" = "true").put(name))
    };
    let mark = |is: &'static str, text: String| {
        el!("span", "class" = "sign")
            .put(el!(
                "span",
                "class" = "dot",
                "data-is" = is,
                "aria-hidden" = "true"
            ))
            .put(text)
    };
    let writes = match view.writes.len() {
        0 => None,
        1 => Some(String::from("1 write of a watched cell")),
        n => Some(format!("{n} writes of watched cells")),
    };
    let stops = match view.stops.len() {
        0 => None,
        1 => Some(String::from("1 breakpoint")),
        n => Some(format!("{n} breakpoints")),
    };
    let fault = view.fault.map(|step| format!("Fault at step {step}"));
    let back = view.can_run && view.position > 0;
    let on = view.can_run && !view.at_end;
    el!("div", "class" = "legend muted")
        .put(go("Previous instruction", Icon::Start, back, false))
        .put(go("Next instruction", Icon::End, on, true))
        .put(fault.map(|text| mark("fault", text)))
        .put(writes.map(|text| mark("write", text)))
        .put(stops.map(|text| mark("stop", text)))
}

fn tick(start: usize, known: usize, is: Option<&'static str>) -> El {
    // In hundredths of a percent: whole numbers are enough.
    let at = start * 10_000 / known.max(1);
    el!("span", "data-is" = is, "style" = format!("--at: {at}"))
}

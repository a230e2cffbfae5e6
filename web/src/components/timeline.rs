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
    let ticks = view.starts.iter().map(|start| tick(*start, view.known));
    el!("div", "class" = "timeline")
        .put(el!("div", "class" = "ticks", "aria-hidden" = "true").each(ticks))
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

fn tick(start: usize, known: usize) -> El {
    // In hundredths of a percent: whole numbers are enough.
    let at = start * 10_000 / known.max(1);
    el!("span", "style" = format!("--at: {at}"))
}

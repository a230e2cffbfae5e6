use crate::state::Action;
use crate::state::execution::ExecutionView;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Every step of the run in a row, with a mark where an instruction starts.
pub(crate) fn draw(view: &ExecutionView, act: &Callback<Action>) -> Html {
    let oninput = act.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Seek(input.value().parse().unwrap_or(0))
    });
    let more = if view.explored { "" } else { " or more" };
    let text = format!("step {} of {}{more}", view.position, view.known);
    html! {
        <div class="timeline">
            <div class="ticks" aria-hidden="true">
                { for view.starts.iter().map(|start| tick(*start, view.known)) }
            </div>
            <input
                type="range"
                aria-label="Timeline"
                aria-valuetext={text}
                min="0"
                max={view.known.to_string()}
                step="1"
                value={view.position.to_string()}
                disabled={!view.can_run || view.known == 0}
                {oninput}
            />
        </div>
    }
}

fn tick(start: usize, known: usize) -> Html {
    // In hundredths of a percent: whole numbers are enough.
    let at = start * 10_000 / known.max(1);
    html! { <span style={format!("--at: {at}")} /> }
}

use crate::state::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) position: usize,
    pub(crate) known: usize,
    pub(crate) explored: bool,
    pub(crate) starts: Vec<usize>,
    pub(crate) enabled: bool,
    pub(crate) act: Callback<Action>,
}

/// Every step of the run in a row, with a mark where an instruction starts.
#[component]
pub(crate) fn Timeline(props: &Props) -> Html {
    let oninput = props.act.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Seek(input.value().parse().unwrap_or(0))
    });
    let more = if props.explored { "" } else { " or more" };
    let text = format!("step {} of {}{more}", props.position, props.known);
    html! {
        <div class="timeline">
            <Ticks starts={props.starts.clone()} known={props.known} />
            <input
                type="range"
                aria-label="Timeline"
                aria-valuetext={text}
                min="0"
                max={props.known.to_string()}
                step="1"
                value={props.position.to_string()}
                disabled={!props.enabled || props.known == 0}
                {oninput}
            />
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct TicksProps {
    starts: Vec<usize>,
    known: usize,
}

#[component]
fn Ticks(props: &TicksProps) -> Html {
    let known = props.known.max(1) as f64;
    html! {
        <div class="ticks" aria-hidden="true">
            { for props.starts.iter().map(|start| {
                let at = (*start as f64 / known * 10_000.0).round() / 100.0;
                html! { <span style={format!("left: {at}%")} /> }
            }) }
        </div>
    }
}

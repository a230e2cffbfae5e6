use super::TransportModel;
use crate::features::transport::TransportAction;
use crate::store::Action;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct TimelineProps {
    pub(crate) model: Rc<TransportModel>,
    pub(crate) dispatch: Callback<Action>,
}

/// Timeline of all steps, with marks for instruction starts, watched writes,
/// breakpoints and faults.
#[component]
pub(crate) fn Timeline(props: &TimelineProps) -> Html {
    let TimelineProps { model, dispatch } = props;
    let oninput = dispatch.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Transport(TransportAction::Seek(
            input
                .value()
                .parse()
                .expect("slider steps are whole numbers"),
        ))
    });
    let more = if model.explored { "" } else { " or more" };
    let known = model.known;
    let tick = |step: usize, mark: Option<&'static str>| {
        // In hundredths of a percent, which avoids fractions.
        let at = step as u64 * 10_000 / known.max(1) as u64;
        html! { <span data-mark={mark} ~style={format!("--at: {at}")} /> }
    };
    html! {
        <div class="timeline">
            <div class="ticks" aria-hidden="true">
                { for model.starts.iter().map(|step| tick(*step, None)) }
                { for model.stops.iter().map(|step| tick(*step, Some("stop"))) }
                { for model.writes.iter().map(|step| tick(*step, Some("write"))) }
                { for model.fault.iter().map(|step| tick(*step, Some("fault"))) }
            </div>
            <input
                type="range"
                aria-label="Timeline"
                aria-valuetext={format!("step {} of {known}{more}", model.position)}
                min="0"
                max={known.to_string()}
                step="1"
                disabled={!model.can_run || known == 0}
                value={model.position.to_string()}
                {oninput}
            />
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct LegendProps {
    pub(crate) model: Rc<TransportModel>,
}

/// Legend of the marks.
#[component]
pub(crate) fn Legend(props: &LegendProps) -> Html {
    let model = &props.model;
    let mark = |mark: &'static str, text: String| {
        html! {
            <span class="sign"><span class="dot" data-mark={mark} aria-hidden="true" />{ text }</span>
        }
    };
    let counted = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let writes = counted(
        model.writes.len(),
        "write of a watched cell",
        "writes of watched cells",
    );
    let stops = counted(model.stops.len(), "breakpoint", "breakpoints");
    let fault = model.fault.map(|step| format!("Fault at step {step}"));
    html! {
        <div class="legend muted">
            { for fault.map(|text| mark("fault", text)) }
            { for writes.map(|text| mark("write", text)) }
            { for stops.map(|text| mark("stop", text)) }
        </div>
    }
}

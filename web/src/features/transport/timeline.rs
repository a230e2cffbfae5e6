use super::ExecutionModel;
use crate::features::transport::TransportAction;
use crate::store::Action;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct TimelineProps {
    pub(crate) execution: Rc<ExecutionModel>,
    pub(crate) dispatch: Callback<Action>,
}

/// Every step of the run in a row, with marks where instructions start, where
/// a watched cell is written, at breakpoints and at a fault.
#[component]
pub(crate) fn Timeline(props: &TimelineProps) -> Html {
    let TimelineProps {
        execution,
        dispatch,
    } = props;
    let oninput = dispatch.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Action::Transport(TransportAction::Seek(
            input
                .value()
                .parse()
                .expect("the steps of a slider are whole numbers"),
        ))
    });
    let more = if execution.explored { "" } else { " or more" };
    let known = execution.known;
    let tick = |step: usize, mark: Option<&'static str>| {
        // In hundredths of a percent: whole numbers are enough.
        let at = step as u64 * 10_000 / known.max(1) as u64;
        html! { <span data-mark={mark} ~style={format!("--at: {at}")} /> }
    };
    html! {
        <div class="timeline">
            <div class="ticks" aria-hidden="true">
                { for execution.starts.iter().map(|step| tick(*step, None)) }
                { for execution.stops.iter().map(|step| tick(*step, Some("stop"))) }
                { for execution.writes.iter().map(|step| tick(*step, Some("write"))) }
                { for execution.fault.iter().map(|step| tick(*step, Some("fault"))) }
            </div>
            <input
                type="range"
                aria-label="Timeline"
                aria-valuetext={format!("step {} of {known}{more}", execution.position)}
                min="0"
                max={known.to_string()}
                step="1"
                disabled={!execution.can_run || known == 0}
                value={execution.position.to_string()}
                {oninput}
            />
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct LegendProps {
    pub(crate) execution: Rc<ExecutionModel>,
}

/// What the marks of the timeline are.
#[component]
pub(crate) fn Legend(props: &LegendProps) -> Html {
    let execution = &props.execution;
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
        execution.writes.len(),
        "write of a watched cell",
        "writes of watched cells",
    );
    let stops = counted(execution.stops.len(), "breakpoint", "breakpoints");
    let fault = execution.fault.map(|step| format!("Fault at step {step}"));
    html! {
        <div class="legend muted">
            { for fault.map(|text| mark("fault", text)) }
            { for writes.map(|text| mark("write", text)) }
            { for stops.map(|text| mark("stop", text)) }
        </div>
    }
}

use super::{Speed, StepSize, Stepping, TransportAction, TransportModel};
use crate::components::guard::use_guard;
use crate::components::icon::{IconShape, icon};
use crate::components::select::select;
use crate::dom::value_of;
use crate::features::program::Document;
use crate::store::{Action, State, on_click};
use gloo_timers::callback::{Interval, Timeout};
use lanewise_core::text::counted;
use std::rc::Rc;
use web_sys::js_sys::Date;
use yew::prelude::*;

pub(crate) const STEP_BUTTON_ID: &str = "step";

/// Step buttons, timeline, step count, and a menu of options.
pub(crate) fn transport(
    state: &State,
    model: &TransportModel,
    dispatch: &Callback<Action>,
) -> Html {
    use TransportAction as Act;
    let session = &state.session;
    let (position, known) = (session.position(), session.known());
    let can_run = state.can_run();
    let back = can_run && position > 0;
    let launch = session.program().launch.as_ref();
    let to_start = back || can_run && launch.is_some_and(|launch| launch.group > 0);
    let on = can_run && !session.at_end();
    let goes_on = on || can_run && session.fault().is_none() && state.has_later_groups();
    let run = can_run && (known > 0 || state.waits_for_groups());
    let (run_name, run_icon) = if state.stepping.running {
        ("Pause", IconShape::PAUSE)
    } else {
        ("Run", IconShape::RUN)
    };
    let control = |name, shape, enabled: bool, action, text| {
        let onclick = enabled.then(|| on_click(dispatch, action));
        control(name, shape, onclick, text)
    };
    let more = if session.is_explored() { "" } else { "+" };
    let sizes = StepSize::ALL.into_iter();
    let sizes = sizes.filter(|size| match size {
        StepSize::Channel => model.has_stages,
        StepSize::Line => model.has_source,
        _ => true,
    });
    let sizes = sizes.map(|size| (size, size.label_for(model.has_stages)));
    // Without depth stages, step by channel equals step by access.
    let size = match state.stepping.step_size {
        StepSize::Channel if !model.has_stages => StepSize::Access,
        StepSize::Line if !model.has_source => StepSize::Instruction,
        size => size,
    };
    let pick_step_size = dispatch.reform(|size| Action::Transport(Act::StepSize(size)));
    let speeds = Speed::ALL.map(|speed| (speed, speed.label()));
    let pick_speed = dispatch.reform(|speed| Action::Transport(Act::Speed(speed)));
    html! {
        <section class="transport" aria-label="Transport">
            // The key keeps a focused button from becoming one with another meaning.
            <div class="controls" key={model.is_kernel.to_string()}>
                { control("Go to start", IconShape::START, to_start, Act::ToStart, Label::None) }
                { control("Step back", IconShape::BACK, back, Act::StepBack, Label::None) }
                if model.is_kernel {
                    if state.stepping.running {
                        { control("Pause", IconShape::PAUSE, run, Act::ToggleRun, Label::Main) }
                    } else {
                        { control("Continue", IconShape::RUN, goes_on, Act::Continue, Label::Main) }
                    }
                    { control("Step over", IconShape::OVER, on, Act::StepOver, Label::None) }
                    { control("Step into", IconShape::INTO, on, Act::Step, Label::First) }
                    { control("Step out", IconShape::OUT, on, Act::StepOut, Label::None) }
                    { control("Run to end", IconShape::END, on, Act::ToEnd, Label::None) }
                } else {
                    { control("Step", IconShape::STEP, on, Act::Step, Label::Primary) }
                    if model.has_calls {
                        { control("Step over", IconShape::OVER, on, Act::StepOver, Label::None) }
                    }
                    { control("Run to end", IconShape::END, on, Act::ToEnd, Label::None) }
                    { control(run_name, run_icon, run, Act::ToggleRun, Label::WhereWide) }
                    { control("Reset", IconShape::RESET, can_run, Act::Reset, Label::None) }
                }
            </div>
            { timeline(state, model, dispatch) }
            <span class="muted step-count tabular">{ format!("{position} / {known}{more}") }</span>
            <button
                class="button quiet"
                popovertarget="stepping"
                aria-label="Stepping options"
                title="Stepping options"
            >
                { icon(IconShape::MORE) }
            </button>
            <div id="stepping" class="menu" popover="auto" role="group" aria-label="Stepping options">
                { select("Step by", sizes, Some(&size), &pick_step_size) }
                { select("Speed", speeds, Some(&state.stepping.speed), &pick_speed) }
                if model.is_kernel {
                    if !state.stepping.running {
                        { control("Run step by step", IconShape::RUN, run, Act::ToggleRun, Label::InMenu) }
                    }
                    { control("Reset", IconShape::RESET, can_run, Act::Reset, Label::InMenu) }
                }
                { control("Previous instruction", IconShape::START, back, Act::PreviousInstruction, Label::InMenu) }
                { control("Next instruction", IconShape::END, on, Act::NextInstruction, Label::InMenu) }
                { legend(state, model) }
            </div>
        </section>
    }
}

/// When a button shows a label beside its icon.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    None,
    WhereWide,
    /// The first step button, to which a skip link leads.
    First,
    /// Where wide: the primary button of a kernel.
    Main,
    /// Always: the primary button, to which a skip link leads.
    Primary,
    /// Always: an item of a menu.
    InMenu,
}

/// Button, disabled without a handler. It stays focusable then, so that focus is
/// not lost at the end of a run.
fn control(
    name: &'static str,
    shape: IconShape,
    onclick: Option<Callback<MouseEvent>>,
    label: Label,
) -> Html {
    let class = match label {
        Label::None | Label::WhereWide | Label::First => "control",
        Label::Main | Label::Primary => "control primary",
        Label::InMenu => "quiet",
    };
    html! {
        <button
            id={matches!(label, Label::First | Label::Primary).then_some(STEP_BUTTON_ID)}
            class={classes!("button", class)}
            title={shortcut(name)}
            aria-label={name}
            aria-disabled={onclick.is_none().then_some("true")}
            {onclick}
        >
            { icon(shape) }
            if !matches!(label, Label::None | Label::First) {
                <span class={matches!(label, Label::WhereWide | Label::Main).then_some("wide-only")} aria-hidden="true">{ name }</span>
            }
        </button>
    }
}

/// Name of a button with the key that does the same.
fn shortcut(name: &'static str) -> &'static str {
    match name {
        "Continue" => "Continue (F5)",
        "Step over" => "Step over (F10)",
        "Step into" => "Step into (F11)",
        "Step out" => "Step out (Shift+F11)",
        _ => name,
    }
}

/// Timeline of all steps, with marks for instruction starts, watched writes,
/// breakpoints and faults.
fn timeline(state: &State, model: &TransportModel, dispatch: &Callback<Action>) -> Html {
    let session = &state.session;
    let oninput = dispatch.reform(|event: InputEvent| {
        let step = value_of(&event).parse();
        let step = step.expect("slider steps are whole numbers");
        Action::Transport(TransportAction::Seek(step))
    });
    let (position, known) = (session.position(), session.known());
    let more = if session.is_explored() {
        ""
    } else {
        " or more"
    };
    let tick = |step: usize, mark: Option<&'static str>| {
        // In hundredths of a percent, which avoids fractions.
        let at = step as u64 * 10_000 / known.max(1) as u64;
        html! { <span data-mark={mark} ~style={format!("--at: {at}")} /> }
    };
    let writes = &state.state_view.inspect.writes;
    html! {
        <div class="timeline">
            <div class="ticks" aria-hidden="true">
                { for model.starts.iter().map(|step| tick(*step, None)) }
                { for model.stops.iter().map(|step| tick(*step, Some("stop"))) }
                { for writes.iter().map(|step| tick(*step, Some("write"))) }
                { for model.fault.iter().map(|step| tick(*step, Some("fault"))) }
            </div>
            <input
                type="range"
                aria-label="Timeline"
                aria-valuetext={format!("step {position} of {known}{more}")}
                min="0"
                max={known.to_string()}
                step="1"
                disabled={!state.can_run() || known == 0}
                value={position.to_string()}
                {oninput}
            />
        </div>
    }
}

fn legend(state: &State, model: &TransportModel) -> Html {
    let mark = |mark: &'static str, text: String| {
        html! {
            <span class="sign"><span class="dot" data-mark={mark} aria-hidden="true" />{ text }</span>
        }
    };
    let writes = match state.state_view.inspect.writes.len() {
        0 => None,
        1 => Some(String::from("1 write of a watched cell")),
        count => Some(format!("{count} writes of watched cells")),
    };
    let stops = match model.stops.len() {
        0 => None,
        count => Some(counted(count, "stop")),
    };
    let fault = model.fault.map(|step| format!("Fault at step {step}"));
    html! {
        <div class="wrapping legend muted">
            { for fault.map(|text| mark("fault", text)) }
            { for writes.map(|text| mark("write", text)) }
            { for stops.map(|text| mark("stop", text)) }
        </div>
    }
}

pub(crate) fn summary(state: &State, model: &TransportModel) -> Html {
    // The result of a launch shows the same text.
    let is_result = state.session.at_end() && !model.faulted && state.launch_result().is_some();
    html! {
        <Summary
            text={model.summary.clone()}
            has_error={model.faulted || !state.can_run()}
            {is_result}
            running={state.stepping.running}
            opened={state.source.opened}
            document={state.source.document.clone()}
        />
    }
}

/// Milliseconds without an edit after which typing has paused.
const TYPING_PAUSE: u32 = 1_000;

/// Whether a text is being typed: problems of unfinished lines are not announced.
#[hook]
fn use_typing(opened: u32, document: &Document) -> bool {
    let text = (opened, document.clone());
    let paused = use_state(|| text.clone());
    let typing = paused.0 == opened && paused.1 != text.1;
    use_guard(text, move |text| {
        let text = text.clone();
        let delay = if typing { TYPING_PAUSE } else { 0 };
        Timeout::new(delay, move || paused.set(text))
    });
    typing
}

#[derive(Properties, PartialEq)]
struct SummaryProps {
    text: String,
    has_error: bool,
    is_result: bool,
    running: bool,
    opened: u32,
    document: Document,
}

/// Step summary. Announced after a run or typing, not during it.
#[component]
fn Summary(props: &SummaryProps) -> Html {
    let is_quiet = use_typing(props.opened, &props.document) || props.running;
    // Recreates the text afterwards, so that screen readers announce it.
    let key = if is_quiet { "quiet" } else { "still" };
    html! {
        <p
            class={classes!("summary", props.is_result.then_some("unseen"))}
            data-error={props.has_error.then_some("")}
            role="status"
            aria-label="Step summary"
            aria-live={is_quiet.then_some("off")}
        >
            <span {key}>{ &props.text }</span>
        </p>
    }
}

/// Milliseconds that a tick computes on the way to a goal, so that the page stays responsive.
const TICK: f64 = 32.0;

/// Maximum number of slices per tick: later slices may take longer than earlier ones.
const MAX_SLICES: f64 = 16.0;

/// The number of slices for the next tick, after one with some slices took this many
/// milliseconds.
fn slices_after(slices: u16, took: f64) -> u16 {
    let factor = (TICK / took.max(1.0)).min(2.0);
    // Within the range of the type.
    (f64::from(slices) * factor).ceil().min(MAX_SLICES) as u16
}

/// Steps automatically while the run is active.
#[hook]
pub(crate) fn use_run_timer(stepping: Stepping, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    // The slices of another goal may take longer.
    let timer = (stepping.running).then(|| (stepping.interval(), stepping.goal.is_some()));
    use_guard(timer, move |timer| {
        let mut slices = 1;
        let tick = move || {
            let start = Date::now();
            dispatch.emit(Action::Transport(TransportAction::Tick { slices }));
            slices = slices_after(slices, Date::now() - start);
        };
        timer.map(|(interval, _)| Interval::new(interval, tick))
    });
}

#[hook]
pub(crate) fn use_transport(state: &State) -> Rc<TransportModel> {
    let inputs = (
        state.session.clone(),
        state.source.clone(),
        state.stepping,
        state.files.clone(),
        state.start_error,
        state.group_progress(),
    );
    use_memo(inputs, |_| state.transport())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_settle_at_their_time() {
        // Milliseconds for each tick, and for each slice of it.
        for (tick, slice) in [(0.0, 0.05), (0.0, 3.0), (17.0, 1.0), (0.0, 500.0)] {
            let time = |slices: u16| tick + f64::from(slices) * slice;
            let last = (0..20).fold(1, |slices, _| slices_after(slices, time(slices)));
            let fits = |slices| time(slices) <= TICK;
            assert!(last == 1 || fits(last - 1), "{last} × {slice}");
            assert!(
                f64::from(last) == MAX_SLICES || !fits(last + 1),
                "{last} × {slice}"
            );
        }
    }
}

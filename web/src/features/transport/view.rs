use super::TransportModel;
use super::model::TransportInputs;
use super::timeline::{Legend, Timeline};
use super::{Speed, Stepping, Stride};
use crate::components::icon::{Icon, IconShape};
use crate::components::select::Select;
use crate::features::transport::TransportAction;
use crate::store::{Action, State};
use gloo_timers::callback::Interval;
use std::rc::Rc;
use yew::prelude::*;

/// Id of the Step button.
pub(crate) const STEP_BUTTON_ID: &str = "step";

#[derive(Properties, PartialEq)]
pub(crate) struct TransportProps {
    pub(crate) model: Rc<TransportModel>,
    pub(crate) dispatch: Callback<Action>,
}

/// Step buttons, timeline, step count, and a menu of options.
#[component]
pub(crate) fn Transport(props: &TransportProps) -> Html {
    let TransportProps { model, dispatch } = props;
    let back = model.can_run && model.position > 0;
    let on = model.can_run && !model.at_end;
    let run = model.can_run && (model.known > 0 || model.has_earlier_groups);
    let (run_name, run_icon) = if model.running {
        ("Pause", IconShape::Pause)
    } else {
        ("Run", IconShape::Run)
    };
    let control = |name, icon, enabled, action| {
        html! { <Control {name} {icon} {enabled} {action} dispatch={dispatch.clone()} /> }
    };
    let primary = |name, icon, enabled, action| {
        html! { <Control {name} {icon} {enabled} {action} id={STEP_BUTTON_ID} text={ControlText::Primary} dispatch={dispatch.clone()} /> }
    };
    let named = |name, icon, enabled, action| {
        html! { <Control {name} {icon} {enabled} {action} text={ControlText::WhereWide} dispatch={dispatch.clone()} /> }
    };
    let in_menu = |name, icon, enabled, action| {
        html! { <Control {name} {icon} {enabled} {action} text={ControlText::InMenu} dispatch={dispatch.clone()} /> }
    };
    let more = if model.explored { "" } else { "+" };
    let strides = Stride::all(model.has_stages);
    let stride_names = strides
        .iter()
        .map(|stride| AttrValue::Static(stride.label(model.has_stages)));
    // Without depth stages, step by channel equals step by access.
    let stride = strides
        .iter()
        .position(|stride| *stride == model.stride)
        .or(Some(0));
    let pick_stride = dispatch.reform(|index: usize| {
        Action::Transport(TransportAction::Stride(
            *strides.get(index).expect("the menu lists this value"),
        ))
    });
    let speed_names = Speed::ALL
        .iter()
        .map(|speed| AttrValue::Static(speed.label()));
    let speed = Speed::ALL.iter().position(|speed| *speed == model.speed);
    let pick_speed = dispatch.reform(|index: usize| {
        Action::Transport(TransportAction::Speed(
            *Speed::ALL.get(index).expect("the menu lists this value"),
        ))
    });
    html! {
        <section class="transport" aria-label="Transport">
            <div class="controls">
                { control("To start", IconShape::Start, back, Action::Transport(TransportAction::ToStart)) }
                { control("Step back", IconShape::Back, back, Action::Transport(TransportAction::StepBack)) }
                { primary("Step", IconShape::Step, on, Action::Transport(TransportAction::Step)) }
                if model.has_calls {
                    { control("Step over", IconShape::Over, on, Action::Transport(TransportAction::StepOver)) }
                }
                { control("To end", IconShape::End, on, Action::Transport(TransportAction::ToEnd)) }
                { named(run_name, run_icon, run, Action::Transport(TransportAction::ToggleRun)) }
                { control("Reset", IconShape::Reset, model.can_run, Action::Transport(TransportAction::Reset)) }
            </div>
            <Timeline model={Rc::clone(model)} dispatch={dispatch.clone()} />
            <span class="step-count tabular">{ format!("{} / {}{more}", model.position, model.known) }</span>
            <button
                class="button quiet"
                popovertarget="stepping"
                aria-label="Stepping options"
                title="Stepping options"
            >
                <Icon shape={IconShape::More} />
            </button>
            <div id="stepping" class="menu" popover="auto" role="group" aria-label="Stepping options">
                <Select label="Step by" options={stride_names.collect::<Vec<_>>()} chosen={stride} on_pick={pick_stride} />
                <Select label="Speed" options={speed_names.collect::<Vec<_>>()} chosen={speed} on_pick={pick_speed} />
                { in_menu("Previous instruction", IconShape::Start, back, Action::Transport(TransportAction::PreviousInstruction)) }
                { in_menu("Next instruction", IconShape::End, on, Action::Transport(TransportAction::NextInstruction)) }
                <Legend model={Rc::clone(model)} />
            </div>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct ControlProps {
    name: &'static str,
    icon: IconShape,
    enabled: bool,
    action: Action,
    #[prop_or_default]
    id: Option<&'static str>,
    #[prop_or_default]
    text: ControlText,
    dispatch: Callback<Action>,
}

/// When a button shows a label beside its icon.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ControlText {
    #[default]
    None,
    /// In wide windows.
    WhereWide,
    /// Always: the primary button.
    Primary,
    /// Always: an item of a menu.
    InMenu,
}

/// Button that stays focusable when disabled, so that focus is not lost at the
/// end of a run.
#[component]
fn Control(props: &ControlProps) -> Html {
    let ControlProps {
        name,
        icon,
        enabled,
        action,
        id,
        text,
        dispatch,
    } = props;
    let onclick = {
        let (enabled, action, dispatch) = (*enabled, action.clone(), dispatch.clone());
        Callback::from(move |_: MouseEvent| {
            if enabled {
                dispatch.emit(action.clone());
            }
        })
    };
    let class = match text {
        ControlText::None | ControlText::WhereWide => "control",
        ControlText::Primary => "control primary",
        ControlText::InMenu => "quiet",
    };
    let is_wide_only = *text == ControlText::WhereWide;
    html! {
        <button
            id={*id}
            class={classes!("button", class)}
            title={*name}
            aria-label={*name}
            aria-disabled={(!enabled).then_some("true")}
            {onclick}
        >
            <Icon shape={*icon} />
            if *text != ControlText::None {
                <span class={is_wide_only.then_some("wide-only")} aria-hidden="true">{ *name }</span>
            }
        </button>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct SummaryProps {
    pub(crate) text: AttrValue,
    /// While running, steps are not announced.
    pub(crate) running: bool,
    /// Whether the summary reports a fault or a program that cannot run.
    pub(crate) wrong: bool,
}

/// Step summary.
#[component]
pub(crate) fn Summary(props: &SummaryProps) -> Html {
    // Recreates the text when a run stops, so that screen readers announce it.
    let key = if props.running { "running" } else { "still" };
    html! {
        <p
            class="summary"
            data-error={props.wrong.then_some("")}
            role="status"
            aria-label="Step summary"
            aria-live={props.running.then_some("off")}
        >
            <span {key}>{ &props.text }</span>
        </p>
    }
}

/// Steps automatically while the run is active.
#[hook]
pub(crate) fn use_run_timer(stepping: Stepping, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    let interval = stepping.running.then(|| stepping.interval());
    use_effect_with(interval, move |interval| {
        let timer = interval.map(|interval| {
            Interval::new(interval, move || {
                dispatch.emit(Action::Transport(TransportAction::Tick))
            })
        });
        move || drop(timer)
    });
}

/// Model of the transport.
#[hook]
pub(crate) fn use_transport(state: &State) -> Rc<TransportModel> {
    use_memo(state.transport_inputs(), TransportInputs::model)
}

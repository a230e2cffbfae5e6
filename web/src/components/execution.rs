use super::icon::Icon;
use super::select::Select;
use super::timeline::Timeline;
use crate::state::{Action, Speed};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) position: usize,
    pub(crate) known: usize,
    pub(crate) explored: bool,
    pub(crate) starts: Vec<usize>,
    pub(crate) running: bool,
    pub(crate) speed: Speed,
    pub(crate) can_run: bool,
    pub(crate) at_end: bool,
    pub(crate) faulted: bool,
    pub(crate) summary: String,
    pub(crate) act: Callback<Action>,
}

/// The buttons that step, the timeline, and one sentence on the last step.
#[component]
pub(crate) fn Execution(props: &Props) -> Html {
    let act = &props.act;
    let back = props.can_run && props.position > 0;
    let on = props.can_run && !props.at_end;
    let run = props.can_run && props.known > 0;
    let (run_name, run_icon) = match props.running {
        true => ("Pause", Icon::Pause),
        false => ("Run", Icon::Run),
    };
    let speeds: Vec<AttrValue> = Speed::ALL.iter().map(|s| s.name().into()).collect();
    let chosen = Speed::ALL.iter().position(|s| *s == props.speed);
    let pick =
        act.reform(|index| Action::Speed(Speed::ALL.get(index).copied().unwrap_or(Speed::Normal)));
    html! {
        <section class="pane execution" aria-labelledby="execution-title">
            <div class="pane-head">
                <h2 id="execution-title">{ "Execution" }</h2>
                <p class="muted tabular">{ count(props) }</p>
                <div class="pane-tools">
                    <Select label="Speed" options={speeds} chosen={chosen.unwrap_or(0)} onpick={pick} />
                </div>
            </div>
            <div class="controls">
                <Control name="To start" icon={Icon::Start} enabled={back} act={act} action={Action::ToStart} />
                <Control name="Step back" icon={Icon::Back} enabled={back} worded={true} {act} action={Action::StepBack} />
                <Control name="Step" icon={Icon::Step} enabled={on} worded={true} primary={true} {act} action={Action::Step} />
                <Control name="To end" icon={Icon::End} enabled={on} {act} action={Action::ToEnd} />
                <Control name={run_name} icon={run_icon} enabled={run} worded={true} {act} action={Action::ToggleRun} />
                <Control name="Reset" icon={Icon::Reset} enabled={props.can_run} worded={true} {act} action={Action::Reset} />
            </div>
            <Timeline
                position={props.position}
                known={props.known}
                explored={props.explored}
                starts={props.starts.clone()}
                enabled={props.can_run}
                {act}
            />
            <p
                class={classes!("summary", props.faulted.then_some("fault"), (!props.can_run).then_some("blocked"))}
                role="status"
                aria-label="Step summary"
            >
                if props.faulted || !props.can_run {
                    { Icon::Fault.draw() }
                }
                <span>{ &props.summary }</span>
            </p>
        </section>
    }
}

fn count(props: &Props) -> String {
    let more = if props.explored { "" } else { " or more" };
    format!("{} of {}{more}", props.position, props.known)
}

#[derive(Properties, PartialEq)]
struct ControlProps {
    name: &'static str,
    icon: Icon,
    enabled: bool,
    /// Whether the name is written out where there is room.
    #[prop_or_default]
    worded: bool,
    #[prop_or_default]
    primary: bool,
    action: Action,
    act: Callback<Action>,
}

/// A button that stays in the tab order when it has nothing to do, so that
/// the focus is not lost at the end of a run.
#[component]
fn Control(props: &ControlProps) -> Html {
    let (enabled, action) = (props.enabled, props.action.clone());
    let act = props.act.clone();
    let onclick = move |_| {
        if enabled {
            act.emit(action.clone());
        }
    };
    html! {
        <button
            class={classes!("button", "control", props.primary.then_some("primary"))}
            aria-label={props.name}
            title={props.name}
            aria-disabled={(!enabled).then_some("true")}
            {onclick}
        >
            { props.icon.draw() }
            if props.worded {
                <span class="wide-only" aria-hidden="true">{ props.name }</span>
            }
        </button>
    }
}

use super::icon::Icon;
use super::{select, timeline};
use crate::dom::{El, On, el};
use crate::state::execution::ExecutionView;
use crate::state::{Action, Speed, Stride};
use yew::prelude::*;

/// The id of the button that steps.
pub(super) const STEP: &str = "step";

/// The buttons that step, the timeline, and one sentence on the last step.
pub(crate) fn draw(view: &ExecutionView, act: &Callback<Action>) -> El {
    let back = view.can_run && view.position > 0;
    let on = view.can_run && !view.at_end;
    let run = view.can_run && view.known > 0;
    let (run_name, run_icon) = match view.running {
        true => ("Pause", Icon::Pause),
        false => ("Run", Icon::Run),
    };
    let control = |name, icon, enabled, action| control(name, icon, enabled, action, act);
    let more = if view.explored { "" } else { " or more" };
    let head = el!("div", "class" = "pane-head")
        .put(el!("h2", "id" = "execution-title").put("Execution"))
        .put(
            el!("p", "class" = "muted tabular")
                .put(format!("{} of {}{more}", view.position, view.known)),
        )
        .put(
            el!("div", "class" = "pane-tools")
                .put(stride(view, act))
                .put(speed(view.speed, act)),
        );
    let controls = el!("div", "class" = "controls").each([
        control("To start", Icon::Start, back, Action::ToStart),
        control("Step back", Icon::Back, back, Action::StepBack),
        control("Step", Icon::Step, on, Action::Step),
        control("To end", Icon::End, on, Action::ToEnd),
        control(run_name, run_icon, run, Action::ToggleRun),
        control("Reset", Icon::Reset, view.can_run, Action::Reset),
    ]);
    // A run is not read out step by step; where it stops is: the text is put
    // in anew.
    let said = el!("span")
        .key(if view.running { "run" } else { "still" })
        .put(view.summary.clone());
    let summary = el!(
        "p",
        "class" = "summary",
        "data-is" = tone(view),
        "role" = "status",
        "aria-label" = "Step summary",
        "aria-live" = view.running.then_some("off")
    );
    el!(
        "section",
        "class" = "pane execution",
        "aria-labelledby" = "execution-title"
    )
    .put(head)
    .put(controls)
    .put(timeline::draw(view, act))
    .put(timeline::legend(view, act))
    .put(summary.put(said))
}

fn tone(view: &ExecutionView) -> Option<&'static str> {
    (view.faulted || !view.can_run).then_some("wrong")
}

fn speed(chosen: Speed, act: &Callback<Action>) -> El {
    let names: Vec<AttrValue> = Speed::ALL.iter().map(|s| s.name().into()).collect();
    let chosen = Speed::ALL.iter().position(|s| *s == chosen);
    let pick = act.reform(|index| {
        let speed = Speed::ALL.get(index).copied();
        Action::Speed(speed.unwrap_or(Speed::Normal))
    });
    select::draw("Speed", &names, chosen, pick)
}

/// How far a step goes.
fn stride(view: &ExecutionView, act: &Callback<Action>) -> El {
    let count = if view.has_channels { 3 } else { 2 };
    let strides = Stride::ALL.get(..count).unwrap_or(&[]);
    let names: Vec<AttrValue> = strides.iter().map(|s| s.name().into()).collect();
    // Without finer effects one of them is what others are.
    let chosen = strides.iter().position(|s| *s == view.stride).or(Some(0));
    let pick = act.reform(|index| {
        let stride = Stride::ALL.get(index).copied();
        Action::Stride(stride.unwrap_or(Stride::Effect))
    });
    select::draw("Step by", &names, chosen, pick)
}

/// A button that stays in the tab order when it has nothing to do, so that
/// the focus is not lost at the end of a run.
fn control(
    name: &'static str,
    icon: Icon,
    enabled: bool,
    action: Action,
    act: &Callback<Action>,
) -> El {
    let act = act.clone();
    let onclick = Callback::from(move |_| {
        if enabled {
            act.emit(action.clone());
        }
    });
    el!(
        "button",
        "id" = (name == "Step").then_some(STEP),
        "class" = "button control",
        "data-icon" = icon.name(),
        "title" = name,
        "aria-label" = name,
        "aria-disabled" = (!enabled).then_some("true")
    )
    .on(On::Click, onclick)
    .put(icon.draw())
    .put(el!("span", "class" = "wide-only", "aria-hidden" = "true").put(name))
}

use super::{CheckChoice, ChecksAction};
use crate::components::check::check;
use crate::features::screen::{DrawerTab, ScreenAction};
use crate::store::{Action, State, on_click};
use lanewise_core::program::Sizes;
use lanewise_core::text::counted;
use lanewise_web::launch_checks::{FindingAccess, LaunchFinding};
use yew::prelude::*;

/// Outcome of a launch that has ended. A press opens the findings.
pub(crate) fn launch_result(state: &State, dispatch: &Callback<Action>) -> Html {
    let Some(text) = state.launch_result() else {
        return Html::default();
    };
    let onclick = on_click(dispatch, ScreenAction::OpenTab(DrawerTab::Problems));
    html! {
        <p class="launch-result" role="status" aria-label="Launch result">
            if state.findings().is_empty() {
                { text }
            } else {
                <button {onclick}>{ text }</button>
            }
        </p>
    }
}

/// Checkboxes of the available checks, which run when a launch has ended.
pub(crate) fn check_choices(
    state: &State,
    available: &[CheckChoice],
    dispatch: &Callback<Action>,
) -> Html {
    let chosen = state.checks.chosen();
    let boxes = available.iter().map(|choice| {
        let choice = *choice;
        let choose = dispatch
            .reform(move |is_chosen| Action::Checks(ChecksAction::Choose(choice, is_chosen)));
        check(choice.label(), chosen.contains(&choice), &choose)
    });
    html! {
        <fieldset class="launch-checks">
            <legend>{ "Check for" }</legend>
            { for boxes }
        </fieldset>
    }
}

/// Findings of the checks, each with its accesses.
pub(crate) fn finding_list(state: &State, dispatch: &Callback<Action>) -> Html {
    let findings = state.findings().iter().enumerate();
    let items = findings.map(|(index, found)| finding(index, found, state, dispatch));
    html! { <ul aria-label="Findings">{ for items }</ul> }
}

fn finding(
    index: usize,
    found: &LaunchFinding,
    state: &State,
    dispatch: &Callback<Action>,
) -> Html {
    let severity = found.severity.word();
    let accesses = found.accesses.iter().enumerate();
    let accesses = accesses.map(|(access, own)| {
        let show = ChecksAction::Show {
            finding: index,
            access,
        };
        html! {
            <li>
                <button class="problem-go place" onclick={on_click(dispatch, show)}>
                    { access_text(own, state) }
                </button>
            </li>
        }
    });
    let often = format!(
        "{} in {}",
        counted(found.count, "occurrence"),
        counted(found.groups, "work-group")
    );
    html! {
        <li class="problem" data-severity={severity}>
            <p>
                <span class="severity">{ severity }</span>{ " " }
                <span class="place">{ &found.code }</span>{ " " }
                <span class="message">{ &found.message }</span>
            </p>
            <ul>{ for accesses }</ul>
            { for found.consequences.iter().map(|text| html! { <p>{ "Also: " }{ text }</p> }) }
            <details class="problem-why">
                <summary>{ format!("{often}. About {}: {}", found.code, found.title) }</summary>
                <p>{ &found.why }</p>
            </details>
        </li>
    }
}

/// An access: `write by item (0,0,0) of group (1,0,0), thread 0 lane 0: a.cl:5, line 117,
/// value 194`.
fn access_text(access: &FindingAccess, state: &State) -> String {
    let mut text = format!(
        "{} by item {} of group {}, thread {} lane {}:",
        access.operation,
        sizes(access.item),
        sizes(access.group_id),
        access.thread,
        access.lane
    );
    if let Some((file, line)) = &access.source {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        text.push_str(&format!(" {name}:{line},"));
    }
    if let Some(placed) = state.accessing(access) {
        text.push_str(&format!(" line {}", placed.line + 1));
    }
    if let Some(value) = access.value {
        text.push_str(&format!(", value {value:#x}"));
    }
    text
}

fn sizes([x, y, z]: Sizes) -> String {
    format!("({x},{y},{z})")
}

use super::{CheckChoice, ChecksAction};
use crate::components::check::check;
use crate::features::screen::{DrawerTab, ScreenAction};
use crate::store::{Action, State, on_click};
use lanewise_answer::launch::ResultPart;
use lanewise_core::program::{ItemPlace, file_name};
use lanewise_core::text::counted;
use lanewise_web::launch_checks::{FindingAccess, LaunchFinding};
use yew::prelude::*;

const FIRST_FINDING_ID: &str = "first-finding";

/// Outcome of a launch that has ended. A press goes to the first finding of a kind.
pub(crate) fn launch_result(state: &State, dispatch: &Callback<Action>) -> Html {
    let Some((text, parts, remark)) = state.launch_result() else {
        return Html::default();
    };
    let part = |part: &ResultPart| {
        let show = ChecksAction::Show {
            finding: part.finding,
            access: 0,
        };
        html! { <>{ " · " }<button onclick={on_click(dispatch, show)}>{ &part.text }</button></> }
    };
    let list = ScreenAction::OpenTabAt(DrawerTab::Problems, FIRST_FINDING_ID);
    let list = on_click(dispatch, list);
    html! {
        <section class="muted launch-result" aria-label="Result">
            <p role="status">
                <strong>{ text }</strong>
                { for parts.iter().map(part) }
                { for remark.map(|remark| format!(" · {remark}")) }
                if !parts.is_empty() {
                    { " · " }<button onclick={list}>{ "List" }</button>
                }
            </p>
        </section>
    }
}

/// Checkboxes of the available checks, which run when a launch has ended.
pub(crate) fn check_choices(state: &State, dispatch: &Callback<Action>) -> Html {
    let chosen = state.checks.chosen();
    let boxes = CheckChoice::ALL.into_iter().map(|choice| {
        let choose = dispatch
            .reform(move |is_chosen| Action::Checks(ChecksAction::Choose(choice, is_chosen)));
        check(choice.label(), chosen.contains(&choice), &choose)
    });
    html! {
        <fieldset class="wrapping launch-checks">
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
    let is_first = index == 0;
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
        counted(found.groups, state.session.program().words().work_group)
    );
    html! {
        <li
            id={is_first.then_some(FIRST_FINDING_ID)}
            class="problem"
            tabindex={is_first.then_some("-1")}
            data-severity={severity}
        >
            <p>
                // The codes of findings say nothing about how severe they are.
                <span class="severity">
                    <span class="unseen">{ severity }{ ": " }</span>
                    { &found.noun }
                </span>{ " " }
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

/// An access: `write by work-item 35 of group 1, thread 0 lane 3: a.cl:5, line 117, value 194`.
fn access_text(access: &FindingAccess, state: &State) -> String {
    let (thread, lane) = (access.thread, access.lane);
    let program = &state.source.document.program;
    let words = program.words();
    let id = program.launch.as_ref().and_then(|launch| {
        launch.item_id(ItemPlace {
            group: access.group,
            thread,
            channel: lane,
        })
    });
    let mut text = format!(
        "{} by {} {} of {} {}, {} {thread} lane {lane}:",
        access.operation,
        words.item,
        id.unwrap_or_default(),
        words.group,
        access.group,
        words.thread
    );
    if let Some((file, line)) = &access.source {
        text.push_str(&format!(" {}:{line},", file_name(file)));
    }
    if let Some(placed) = state.accessing(access) {
        text.push_str(&format!(" line {}", placed.line + 1));
    }
    if let Some(value) = &access.value {
        text.push_str(&format!(", value {value}"));
    }
    text
}

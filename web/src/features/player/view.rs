//! The embedded page: the program, step controls, and the requested panes.

use super::host::use_host;
use super::{Pane, program_address};
use crate::components::read_only::ReadOnly;
use crate::features::encoding::EncodingPane;
use crate::features::explain::ExplainPane;
use crate::features::help::use_shortcuts;
use crate::features::highlight::use_encoding_highlight;
use crate::features::outcomes::OutcomesPane;
use crate::features::program::{Editor, Listing, Problems, use_run_marks, visible};
use crate::features::stage::use_stage;
use crate::features::state::StatePane;
use crate::features::transport::{summary, transport, use_transport};
use crate::store::{Action, State, StoreProps};
use std::rc::Rc;
use yew::prelude::*;

/// Embedded player.
#[component]
pub(crate) fn PlayerPage(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    use_host();
    let player = state.player().expect("App renders this for a player");
    if let Some(reason) = &player.broken {
        return html! {
            <main class="player">
                <p class="empty" role="alert">
                    { format!("Cannot open this scenario: {reason}") }
                </p>
            </main>
        };
    }
    let unknown = player.unknown.iter().map(|name| {
        html! { <p class="muted player-remark">{ format!("Unknown pane “{name}”.") }</p> }
    });
    let pane = |pane: &Pane| player_pane(pane, state, dispatch);
    html! {
        <ContextProvider<ReadOnly> context={ReadOnly(player.readonly)}>
        <main class="player">
            <div class="player-part">
                <PlayerProgram
                    state={state.clone()}
                    readonly={player.readonly}
                    dispatch={dispatch.clone()}
                />
                { for unknown }
            </div>
            <div class="player-part">
                <PlayerTransport state={state.clone()} dispatch={dispatch.clone()} />
                { for player.panes.iter().map(pane) }
            </div>
        </main>
        </ContextProvider<ReadOnly>>
    }
}

#[derive(Properties, PartialEq)]
struct PlayerProgramProps {
    state: UseReducerHandle<State>,
    readonly: bool,
    dispatch: Callback<Action>,
}

/// Program, editable or read-only, and its problems.
#[component]
fn PlayerProgram(props: &PlayerProgramProps) -> Html {
    let PlayerProgramProps {
        state,
        readonly,
        dispatch,
    } = props;
    let pointed = use_encoding_highlight().pointed;
    let run_marks = use_run_marks(state);
    // A link compresses the text.
    let link = use_memo(state.text(), open_link);
    let title = match state.source.title() {
        Some(title) => AttrValue::from(visible(title).into_owned()),
        None => AttrValue::Static("Program"),
    };
    let problems = &state.source.problems;
    html! {
        <section class="pane program" aria-labelledby="program-title">
            <div class="pane-head">
                <h1 id="program-title">{ title }</h1>
                { (*link).clone() }
            </div>
            if *readonly {
                <Listing
                    text={state.text()}
                    current={state.current_line()}
                />
            } else {
                // A text area: CodeMirror is larger than the rest of the
                // player.
                <Editor
                    document={state.source.document.clone()}
                    opened={state.source.opened}
                    current={state.current_line()}
                    {run_marks}
                    problems={Rc::clone(problems)}
                    breakpoints={state.source.breakpoints.lines()}
                    highlighted={state.highlighted_text(pointed)}
                    caret={state.source.caret}
                    dispatch={dispatch.clone()}
                />
            }
            if !problems.is_empty() {
                <section class="problems scroller" aria-label="Problems" tabindex="0">
                    <Problems id="problem" {problems} most={50} dispatch={dispatch.clone()} />
                </section>
            }
        </section>
    }
}

/// Link to the full page with the same text.
fn open_link(text: &Rc<str>) -> Html {
    match program_address(text) {
        Ok(href) => html! {
            <a class="button quiet player-open" {href} target="_blank" rel="noopener">
                { "Open in Lanewise" }
            </a>
        },
        Err(reason) => html! {
            <span class="muted">{ format!("Cannot link to Lanewise: {reason}.") }</span>
        },
    }
}

/// Requested pane.
fn player_pane(pane: &Pane, state: &UseReducerHandle<State>, dispatch: &Callback<Action>) -> Html {
    let (state, dispatch) = (state.clone(), dispatch.clone());
    match pane {
        Pane::Stage => html! { <PlayerStage {state} {dispatch} /> },
        Pane::State => html! { <StatePane {state} {dispatch} /> },
        Pane::Encoding => html! { <EncodingPane {state} {dispatch} /> },
        Pane::Explain => html! { <ExplainPane {state} {dispatch} /> },
        Pane::Outcomes => html! { <OutcomesPane {state} {dispatch} /> },
    }
}

/// Stage with the products below it.
#[component]
fn PlayerStage(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let stage = use_stage(state);
    html! {
        <section class="pane stage" aria-label="Stage">
            { stage.kind.picture(state, true, dispatch) }
        </section>
    }
}

/// Step controls and the step summary.
#[component]
fn PlayerTransport(props: &StoreProps) -> Html {
    // Registered here so that keys cannot step through a hidden run.
    use_shortcuts(props.state.single_keys, &props.dispatch);
    let model = use_transport(&props.state);
    html! {
        <div class="player-transport">
            { transport(&props.state, &model, &props.dispatch) }
            { summary(&props.state, &model) }
        </div>
    }
}

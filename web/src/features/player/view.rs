//! The embedded page: the program, step controls, and the requested panes.

use super::host::use_host;
use super::{Pane, program_address};
use crate::components::read_only::ReadOnly;
use crate::dom::show_current;
use crate::features::encoding::EncodingPane;
use crate::features::explain::ExplainPane;
use crate::features::help::use_shortcuts;
use crate::features::outcomes::OutcomesPane;
use crate::features::program::{ProgramPaneProps, listing, problem_list, use_editor, visible};
use crate::features::stage::{Stage, use_stage};
use crate::features::state::StatePane;
use crate::features::transport::{summary, transport, use_transport};
use crate::store::{Action, State, StoreProps};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// A pane of the page, with what it shows of the state.
pub(crate) fn pane(pane: Pane, stage: &Stage, state: &State, dispatch: &Callback<Action>) -> Html {
    let (session, dispatch) = (state.session.clone(), dispatch.clone());
    let document = state.source.document.clone();
    match pane {
        Pane::Stage => html! {
            <section class="pane stage" aria-label="Stage">
                { stage.kind.picture(state, true, &dispatch) }
            </section>
        },
        Pane::State => {
            let (inputs, opened) = (state.state_inputs(), state.source.opened);
            html! { <StatePane {inputs} {document} {opened} {dispatch} /> }
        }
        Pane::Encoding => {
            let encoding = state.encoding.clone();
            html! { <EncodingPane {session} {document} {encoding} {dispatch} /> }
        }
        Pane::Explain => html! { <ExplainPane {session} {dispatch} /> },
        Pane::Outcomes => {
            let outcomes = state.outcomes.clone();
            html! { <OutcomesPane {outcomes} {session} can_run={state.can_run()} {dispatch} /> }
        }
    }
}

#[component]
pub(crate) fn PlayerPage(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    use_host();
    use_shortcuts(state.single_keys, false, dispatch);
    let editor = use_editor(&ProgramPaneProps::of(state, dispatch));
    let stage = use_stage(state);
    let model = use_transport(state);
    // A link compresses the text.
    let link = use_memo(state.text(), open_link);
    let frame = use_node_ref();
    {
        let frame = frame.clone();
        use_effect_with(state.current_line(), move |line| {
            if let (Some(_), Some(frame)) = (line, frame.cast::<Element>()) {
                show_current(&frame);
            }
        });
    }
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
    let source = &state.source;
    let title = match source.title() {
        Some(title) => visible(title).into_owned(),
        None => String::from("Program"),
    };
    let unknown = player.unknown.iter().map(|name| {
        html! { <p class="muted player-remark">{ format!("Unknown pane “{name}”.") }</p> }
    });
    html! {
        <ContextProvider<ReadOnly> context={ReadOnly(player.readonly)}>
        <main class="player">
            <div class="player-part">
                <section class="pane program" aria-labelledby="program-title">
                    <div class="pane-head">
                        <h1 id="program-title">{ title }</h1>
                        { (*link).clone() }
                    </div>
                    if player.readonly {
                        { listing(&state.text(), state.current_line(), frame) }
                    } else {
                        // A text area: CodeMirror is larger than the rest of the
                        // player.
                        { editor }
                    }
                    if !source.problems.is_empty() {
                        <section class="problems scroller" aria-label="Problems" tabindex="0">
                            { problem_list("problem", 50, &source.problems, &[], player.readonly, dispatch) }
                        </section>
                    }
                </section>
                { for unknown }
            </div>
            <div class="player-part">
                <div class="player-transport">
                    { transport(state, &model, dispatch) }
                    { summary(state, &model) }
                </div>
                { for player.panes.iter().map(|chosen| pane(*chosen, &stage, state, dispatch)) }
            </div>
        </main>
        </ContextProvider<ReadOnly>>
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

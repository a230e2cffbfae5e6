//! The page as it stands inside another: the program, the steps, and the panes
//! that the other page asks for.

use super::quiz_form::QuizForm;
use super::{Pane, Player, Quiz, page_address};
use crate::features::outcomes::OutcomesPane;
use crate::features::program::{Editor, Listing, Problems, visible};
use crate::features::stage::stage_pane;
use crate::features::state::state_panes;
use crate::features::transport::{Summary, Transport};
use crate::features::{encoding, explain};
use crate::store::{Action, State};
use std::rc::Rc;
use yew::prelude::*;

/// The player.
pub(crate) fn player(state: &State, dispatch: &Callback<Action>) -> Html {
    let Some(player) = state.player() else {
        return html! { <main class="player" /> };
    };
    if let Some(reason) = &player.broken {
        return html! {
            <main class="player">
                <p class="empty" role="alert">
                    { format!("This scenario could not be opened: {reason}") }
                </p>
            </main>
        };
    }
    let quiz = player.quiz.as_ref();
    // Until it is answered, a question hides how the program runs.
    let reveals = quiz.is_none_or(Quiz::is_open);
    let unknown = player.unknown.iter().map(|name| {
        html! { <p class="muted player-remark">{ format!("There is no pane “{name}”.") }</p> }
    });
    let panes = player.panes.iter();
    html! {
        <main class="player">
            <div class="player-part">
                { program(state, player, reveals, dispatch) }
                if let Some(quiz) = quiz {
                    <QuizForm quiz={quiz.clone()} dispatch={dispatch.clone()} />
                }
                { for unknown }
            </div>
            if reveals {
                <div class="player-part">
                    { transport(state, dispatch) }
                    { for panes.map(|pane| pane_view(*pane, state, dispatch)) }
                </div>
            }
        </main>
    }
}

fn program(state: &State, player: &Player, reveals: bool, dispatch: &Callback<Action>) -> Html {
    let title = match state.title() {
        Some(title) => AttrValue::from(visible(&title).into_owned()),
        None => AttrValue::Static("Program"),
    };
    let problems = state.problems();
    html! {
        <section class="pane program" aria-labelledby="program-title">
            <div class="pane-head">
                <h1 id="program-title">{ title }</h1>
                <OpenLink text={state.text()} />
            </div>
            // A question is about the program as it is.
            if player.readonly || !reveals {
                <Listing
                    key="listing"
                    text={state.text()}
                    current={state.current_line().filter(|_| reveals)}
                />
            } else {
                // A text area: CodeMirror is larger than a player.
                <Editor
                    key="editor"
                    document={state.document()}
                    current={state.current_line()}
                    problems={Rc::clone(&problems)}
                    breakpoints={state.breakpoints().lines()}
                    lit={state.lit()}
                    caret={state.caret()}
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

#[derive(Properties, PartialEq)]
struct OpenLinkProps {
    text: Rc<str>,
}

/// A link to the whole page with the same text. Drawn anew with the text only,
/// which is compressed for it.
#[component]
fn OpenLink(props: &OpenLinkProps) -> Html {
    html! {
        <a
            class="button quiet player-open"
            href={page_address(&props.text)}
            target="_blank"
            rel="noopener"
        >
            { "Open in Lanewise" }
        </a>
    }
}

fn pane_view(pane: Pane, state: &State, dispatch: &Callback<Action>) -> Html {
    match pane {
        Pane::Picture => html! {
            <section class="pane stage" aria-label="Stage">
                { stage_pane(state, state.matrix().map(Rc::new), true, dispatch) }
            </section>
        },
        Pane::State => state_panes(state, dispatch),
        Pane::Encoding => encoding::pane(state, dispatch),
        Pane::Explain => explain::pane(state, dispatch),
        Pane::Outcomes => html! {
            <OutcomesPane view={state.outcomes_view()} dispatch={dispatch.clone()} />
        },
    }
}

/// The buttons that step, and one sentence on the last step.
fn transport(state: &State, dispatch: &Callback<Action>) -> Html {
    let view = Rc::new(state.execution());
    let (text, running) = (AttrValue::from(view.summary.clone()), view.running);
    let wrong = view.faulted || !view.can_run;
    html! {
        <div class="player-transport">
            <Transport {view} dispatch={dispatch.clone()} />
            <Summary {text} {running} {wrong} />
        </div>
    }
}

//! The compact player: the page as it stands inside another.

use super::{encoding, explain, lanes, outcomes, panes, quiz};
use crate::dom::{El, Part, el, part};
use crate::features::program::{Editor, Listing, Problems, visible};
use crate::features::stage::matrix::matrix_pane;
use crate::features::transport::{Summary, Transport};
use crate::state::embed::{Pane, Player, page_address};
use crate::state::{Action, State};
use std::rc::Rc;
use yew::prelude::*;

/// The player.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> El {
    let main = el!("main", "class" = "player");
    let Some(player) = state.player() else {
        return main;
    };
    if let Some(why) = &player.broken {
        let what = format!("This scenario could not be opened: {why}");
        return main.put(el!("p", "class" = "empty", "role" = "alert").put(what));
    }
    let question = player.quiz.as_ref();
    let seen = question.is_none_or(crate::state::quiz::Quiz::is_open);
    let left = el!("div", "class" = "player-part")
        .put(program(state, player, seen, act))
        .put(question.map(|question| quiz::draw(question, act)));
    let unknown = player.unknown.iter().map(|name| {
        el!("p", "class" = "muted player-remark").put(format!("There is no pane “{name}”."))
    });
    let left = left.each(unknown);
    let right = seen.then(|| {
        let right = el!("div", "class" = "player-part");
        let right = right.put(transport(state, act));
        let panes = player.panes.iter();
        panes.fold(right, |right, pane| shown(right, *pane, state, act))
    });
    main.put(left).put(right)
}

fn program(state: &State, player: &Player, seen: bool, act: &Callback<Action>) -> El {
    // A question is asked of the program as it stands.
    let text = match player.readonly || !seen {
        true => html! {
            <Listing
                text={state.text()}
                current={state.current_line().filter(|_| seen)}
            />
        },
        // A text area: CodeMirror is larger than a player.
        false => html! {
            <Editor
                document={state.document()}
                current={state.current_line()}
                problems={state.problems()}
                breakpoints={state.breakpoints().lines()}
                lit={state.lit()}
                caret={state.caret()}
                dispatch={act.clone()}
            />
        },
    };
    let title = match state.title() {
        Some(title) => AttrValue::from(visible(&title).into_owned()),
        None => AttrValue::Static("Program"),
    };
    let problems = state.problems();
    let wrong = !problems.is_empty();
    let problems = wrong.then(|| {
        html! {
            <section class="problems scroller" aria-label="Problems" tabindex="0">
                <Problems id="problem" {problems} most={50} dispatch={act.clone()} />
            </section>
        }
    });
    el!(
        "section",
        "class" = "pane program",
        "aria-labelledby" = "program-title"
    )
    .put(
        el!("div", "class" = "pane-head")
            .put(el!("h1", "id" = "program-title").put(title))
            .put(part(Open { text: state.text() }, None)),
    )
    .put(text)
    .put(problems)
}

/// The way to the whole page with the same scenario; made anew with the text
/// only, for a link is compressed.
#[derive(PartialEq)]
struct Open {
    text: Rc<str>,
}

impl Part for Open {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        el!(
            "a",
            "class" = "button quiet player-open",
            "href" = page_address(&self.text),
            "target" = "_blank",
            "rel" = "noopener"
        )
        .put("Open in Lanewise")
        .html()
    }
}

fn shown(to: El, pane: Pane, state: &State, act: &Callback<Action>) -> El {
    let stale = !state.can_run();
    match pane {
        Pane::Picture => to.put(match state.matrix() {
            Some(model) => matrix_pane(Rc::new(model), state, true, act),
            None => lanes::pane(state.lanes_table(), stale),
        }),
        Pane::State => to.put(panes::draw(state, act)),
        Pane::Encoding => to.put(encoding::pane(state, act)),
        Pane::Explain => to.put(explain::pane(state, act)),
        Pane::Outcomes => to.put(outcomes::draw(state, stale, act)),
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

//! Quiz form, answered before the program runs.

use super::{Quiz, QuizAction};
use crate::dom::{focus, has_lost_focus};
use crate::store::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Id of the answer field.
const ANSWER_ID: &str = "quiz-answer";

/// Id of the button that replaces those that end the quiz.
const AGAIN_ID: &str = "quiz-again";

#[derive(Properties, PartialEq)]
pub(super) struct QuizFormProps {
    pub(super) quiz: Quiz,
    pub(super) dispatch: Callback<Action>,
}

/// Question, answer field and verdict.
#[component]
pub(super) fn QuizForm(props: &QuizFormProps) -> Html {
    let QuizFormProps { quiz, dispatch } = props;
    let is_revealed = quiz.is_revealed();
    let reply = quiz.reply.as_ref();
    let on_action = dispatch.reform(Action::Quiz);
    use_effect_with(is_revealed, |is_revealed| {
        // The pressed button has disappeared.
        if *is_revealed && has_lost_focus() {
            focus(AGAIN_ID);
        }
    });
    let oninput = on_action.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        QuizAction::Answer(input.value())
    });
    let onsubmit = {
        let on_action = on_action.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            on_action.emit(QuizAction::Check);
        })
    };
    let again = {
        let on_action = on_action.clone();
        Callback::from(move |_: MouseEvent| {
            // The button disappears when pressed; keep focus in the form.
            focus(ANSWER_ID);
            on_action.emit(QuizAction::Again);
        })
    };
    html! {
        <section class="pane quiz" aria-label="Question">
            <form class="quiz-form" {onsubmit}>
                <h2 class="quiz-title">{ "Quiz" }</h2>
                <label for={ANSWER_ID}>{ &quiz.question }</label>
                <div class="quiz-row">
                    <input
                        id={ANSWER_ID}
                        class="mono"
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        aria-invalid={(reply.is_some() && !is_revealed).then_some("true")}
                        aria-describedby="quiz-verdict"
                        readonly={is_revealed}
                        value={quiz.input.clone()}
                        {oninput}
                    />
                    if is_revealed {
                        <button id={AGAIN_ID} type="button" class="button" onclick={again}>
                            { "Ask me again" }
                        </button>
                    } else {
                        <button class="button primary">{ "Check" }</button>
                        <button
                            type="button"
                            class="button"
                            onclick={on_action.reform(|_| QuizAction::Show)}
                        >
                            { "Show answer" }
                        </button>
                    }
                </div>
            </form>
            <p
                id="quiz-verdict"
                class="verdict"
                data-verdict={reply.map(|reply| reply.verdict.key())}
                role="status"
                aria-label="Verdict"
            >
                if let Some(reply) = reply {
                    <span>{ &reply.text }</span>
                }
            </p>
        </section>
    }
}

use super::editor_mode::EditorAction;
use crate::store::Action;
use lanewise_core::isa::{Family, SPECS, Spec};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct TemplatesProps {
    pub(super) dispatch: Callback<Action>,
}

/// What an empty program can start from: a whole program with each of the
/// instructions, its first example.
#[component]
pub(super) fn Templates(props: &TemplatesProps) -> Html {
    let template = |(index, spec): (usize, &&'static Spec)| {
        let onclick = (props.dispatch)
            .reform(move |_: MouseEvent| Action::Editor(EditorAction::Template(index)));
        let family = match spec.family {
            Family::Visa => "vISA",
            Family::Sass => "SASS",
        };
        html! {
            <li>
                <button class="template" {onclick}>
                    <span class="mono">{ spec.name }</span>{ " " }
                    <span class="muted">{ family }</span>
                    <span class="template-summary">{ first_sentence(spec.summary) }</span>
                </button>
            </li>
        }
    };
    html! {
        <section class="templates scroller" aria-label="Templates">
            <p class="muted">{ "The program is empty. Start with an instruction:" }</p>
            <ul>{ for SPECS.iter().enumerate().map(template) }</ul>
        </section>
    }
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

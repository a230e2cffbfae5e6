use super::icon::Icon;
use super::{help, picker};
use crate::state::{Action, Theme};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) scenario: &'static str,
    pub(crate) theme: Theme,
    pub(crate) single_keys: bool,
    pub(crate) help: NodeRef,
    pub(crate) act: Callback<Action>,
}

/// The name, the scenarios, the theme, help.
#[component]
pub(crate) fn Header(props: &Props) -> Html {
    use_effect_with(props.theme, |theme| apply_theme(*theme));
    let next = format!(
        "Now {}. Press for {}.",
        props.theme.name(),
        props.theme.next().name()
    );
    html! {
        <header class="header">
            <h1 class="brand">
                <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
                    <path d="M5.5 5h7a2.5 2.5 0 0 1 0 5h-7a2.5 2.5 0 0 1 0-5zm7 8.5h14a2.5 2.5 0 0 1 0 5h-14a2.5 2.5 0 0 1 0-5zm-7 8.5h10a2.5 2.5 0 0 1 0 5h-10a2.5 2.5 0 0 1 0-5z" />
                </svg>
                { "Lanewise" }
            </h1>
            { picker::draw(props.scenario, &props.act) }
            <div class="header-end">
                <button class="button quiet" title={next} onclick={props.act.reform(|_| Action::Theme)}>
                    { Icon::Theme.draw() }
                    <span class="wide-only">{ "Theme" }</span>
                </button>
                { help::draw(props.single_keys, &props.help, &props.act) }
            </div>
        </header>
    }
}

fn apply_theme(theme: Theme) {
    let document = web_sys::window().and_then(|window| window.document());
    let Some(root) = document.and_then(|document| document.document_element()) else {
        return;
    };
    // An element takes any name and value that are set here.
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        theme => root.set_attribute("data-theme", theme.name()),
    };
}

use super::help::Help;
use super::icon::Icon;
use super::picker::Picker;
use crate::state::{Action, Theme};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) scenario: &'static str,
    pub(crate) theme: Theme,
    pub(crate) single_keys: bool,
    pub(crate) act: Callback<Action>,
}

/// The name, the scenarios, the theme, help.
#[component]
pub(crate) fn Header(props: &Props) -> Html {
    use_effect_with(props.theme, |theme| apply_theme(*theme));
    let act = &props.act;
    let next = format!(
        "Now {}. Press for {}.",
        props.theme.name(),
        props.theme.next().name()
    );
    html! {
        <header class="header">
            <h1 class="brand">
                <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
                    <rect x="3" y="5" width="12" height="5" rx="2.5" />
                    <rect x="10" y="13.5" width="19" height="5" rx="2.5" />
                    <rect x="3" y="22" width="15" height="5" rx="2.5" />
                </svg>
                { "Lanewise" }
            </h1>
            <Picker chosen={props.scenario} {act} />
            <div class="header-end">
                <button class="button quiet" title={next} onclick={act.reform(|_| Action::Theme)}>
                    { Icon::Theme.draw() }
                    <span class="wide-only">{ "Theme" }</span>
                </button>
                <Help single_keys={props.single_keys} {act} />
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

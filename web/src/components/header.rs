use super::icon::Icon;
use super::{help, picker, send};
use crate::dom::{El, On, el};
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
    let theme = el!("button", "class" = "button quiet", "title" = next)
        .on(On::Click, send(&props.act, Action::Theme))
        .put(Icon::Theme.draw())
        .put(el!("span", "class" = "wide-only").put("Theme"));
    let end = el!("div", "class" = "header-end")
        .put(theme)
        .each(help::draw(props.single_keys, &props.help, &props.act));
    el!("header", "class" = "header")
        .put(el!("h1", "class" = "brand").put(mark()).put("Lanewise"))
        .put(picker::draw(props.scenario, &props.act))
        .put(end)
        .html()
}

fn mark() -> El {
    const LANES: &str = "M5.5 5h7a2.5 2.5 0 0 1 0 5h-7a2.5 2.5 0 0 1 0-5zm7 8.5h14a2.5 2.5 0 0 1 0 5h-14a2.5 2.5 0 0 1 0-5zm-7 8.5h10a2.5 2.5 0 0 1 0 5h-10a2.5 2.5 0 0 1 0-5z";
    el!(
        "svg",
        "class" = "brand-mark",
        "viewBox" = "0 0 32 32",
        "aria-hidden" = "true"
    )
    .put(el!("path", "d" = LANES))
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

use super::Theme;
use crate::components::icon::{Icon, IconShape};
use crate::features::help::HelpButton;
use crate::features::picker::{Listed, PickerAction};
use crate::features::share::model::{EmbedChoice, ShareAction};
use crate::features::transport::{ExecutionView, Transport};
use crate::store::{Action, use_dispatch};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct BarProps {
    /// The title of the scenario that the program started from.
    pub(crate) scenario: &'static str,
    /// Whether the program was edited since.
    pub(crate) edited: bool,
    pub(crate) theme: Theme,
    pub(crate) execution: Rc<ExecutionView>,
    /// Opens the list of keyboard shortcuts, or closes it.
    pub(crate) show_help: Callback<bool>,
}

/// The bar above everything: scenarios, stepping, and what goes beyond the
/// page.
#[component]
pub(crate) fn Bar(props: &BarProps) -> Html {
    let BarProps {
        scenario,
        edited,
        theme,
        execution,
        show_help,
    } = props;
    html! {
        <header class="bar">
            <div class="bar-start">
                <h1 class="brand"><BrandMark /><span class="wide-only">{ "Lanewise" }</span></h1>
                <ScenarioButton {scenario} {edited} />
            </div>
            <Transport view={execution} />
            <BarMenu theme={*theme} {show_help} />
        </header>
    }
}

#[derive(Properties, PartialEq)]
struct ScenarioButtonProps {
    scenario: &'static str,
    edited: bool,
}

/// The button that opens the list of scenarios.
#[component]
fn ScenarioButton(props: &ScenarioButtonProps) -> Html {
    let dispatch = use_dispatch();
    let onclick =
        dispatch.reform(|_: MouseEvent| Action::Picker(PickerAction::Open(Listed::Scenarios)));
    html! {
        <button class="button chooser" aria-haspopup="dialog" {onclick}>
            <span class="unseen">{ "Scenarios " }</span>
            <span class="chosen">{ props.scenario }</span>
            if props.edited {
                <span class="edited">{ " edited" }</span>
            }
            <span aria-hidden="true">{ "▾" }</span>
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct BarMenuProps {
    theme: Theme,
    show_help: Callback<bool>,
}

/// What goes beyond the page; in a narrow window behind a button.
#[component]
fn BarMenu(props: &BarMenuProps) -> Html {
    let dispatch = use_dispatch();
    let theme = props.theme;
    let entry = |name: &'static str, shape: IconShape, title: Option<String>, action: Action| {
        let onclick = dispatch.reform(move |_: MouseEvent| action.clone());
        html! {
            <button class="button quiet" {title} {onclick}>
                <Icon {shape} /><span class="bar-name">{ name }</span>
            </button>
        }
    };
    let themes = format!("Now {}. Press for {}.", theme.name(), theme.next().name());
    html! {
        <>
            <button
                class="button quiet menu-button"
                popovertarget="bar-menu"
                aria-label="Menu"
            >
                <Icon shape={IconShape::Menu} />
            </button>
            <div id="bar-menu" class="bar-end" popover="auto">
                { entry("Share", IconShape::Share, None, Action::Share(ShareAction::Make)) }
                { entry("Embed", IconShape::Embed, None, Action::Share(ShareAction::Embed(EmbedChoice::Open))) }
                <a class="button quiet" href="./guide/">
                    <Icon shape={IconShape::Guide} /><span class="bar-name">{ "Guide" }</span>
                </a>
                { entry("Theme", IconShape::Theme, Some(themes), Action::Theme) }
                <HelpButton onclick={props.show_help.reform(|_| true)} />
            </div>
        </>
    }
}

/// The three lanes of the name.
#[component]
fn BrandMark() -> Html {
    const LANES: &str = "M5.5 5h7a2.5 2.5 0 0 1 0 5h-7a2.5 2.5 0 0 1 0-5zm7 8.5h14a2.5 2.5 0 0 1 0 5h-14a2.5 2.5 0 0 1 0-5zm-7 8.5h10a2.5 2.5 0 0 1 0 5h-10a2.5 2.5 0 0 1 0-5z";
    html! {
        <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true"><path d={LANES} /></svg>
    }
}

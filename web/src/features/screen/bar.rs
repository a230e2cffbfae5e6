use super::{DialogKind, ScreenAction};
use crate::components::file::choose_file;
use crate::components::icon::{IconShape, icon};
use crate::features::embed::EmbedAction;
use crate::features::help::help_button;
use crate::features::picker::{ListKind, PickerAction};
use crate::features::program::ProgramAction;
use crate::features::share::ShareAction;
use crate::features::transport::{TransportModel, transport};
use crate::store::{Action, State, on_click};
use yew::prelude::*;

/// Top bar: scenario, stepping, sharing, help and theme.
pub(crate) fn top_bar(
    state: &State,
    model: &TransportModel,
    is_system_dark: bool,
    dispatch: &Callback<Action>,
) -> Html {
    // Narrow bars show icons only.
    let entry = |name: &'static str, shape: IconShape, title: &str, action: Action| {
        let title = title.to_owned();
        html! {
            <button class="button quiet" {title} onclick={on_click(dispatch, action)}>
                { icon(shape) }<span class="bar-name">{ name }</span>
            </button>
        }
    };
    let next_theme = state.theme.next(is_system_dark);
    let themes = format!(
        "Theme: {}. Switch to {}.",
        state.theme.label(),
        next_theme.label()
    );
    html! {
        <header class="top-bar">
            <div class="bar-start">
                <h1 class="brand">{ brand_mark() }<span class="wide-only">{ "Lanewise" }</span></h1>
                <button
                    class="button chooser"
                    aria-haspopup="dialog"
                    onclick={on_click(dispatch, PickerAction::Open(ListKind::Scenarios))}
                >
                    <span class="unseen">{ "Scenarios " }</span>
                    <span class="chosen">{ state.source.label() }</span>
                    if state.source.is_edited() {
                        <span class="edited">{ " edited" }</span>
                    }
                    <span aria-hidden="true">{ "▾" }</span>
                </button>
                <button
                    class="button quiet"
                    title="Open a compiled kernel, a listing or a scenario"
                    onclick={Callback::from(|_| choose_file())}
                >
                    { "Open" }
                </button>
                <button
                    class="button quiet"
                    title="Start with an empty program"
                    onclick={on_click(dispatch, ProgramAction::New)}
                >
                    { "New" }
                </button>
            </div>
            { transport(state, model, dispatch) }
            <button
                class="button quiet menu-button"
                popovertarget="bar-menu"
                aria-label="Menu"
            >
                { icon(IconShape::MENU) }
            </button>
            <div id="bar-menu" class="bar-end" popover="auto">
                { entry("Share", IconShape::SHARE, "Share", Action::Share(ShareAction::MakeLink)) }
                { entry("Embed", IconShape::EMBED, "Embed", Action::Embed(EmbedAction::Open)) }
                <a class="button quiet" title="Guide" href="./guide/">
                    { icon(IconShape::GUIDE) }<span class="bar-name">{ "Guide" }</span>
                </a>
                { entry("Theme", IconShape::THEME, &themes, Action::Theme(next_theme)) }
                { help_button(&on_click(dispatch, ScreenAction::OpenDialog(DialogKind::Help))) }
            </div>
        </header>
    }
}

/// The three lanes of the logo.
fn brand_mark() -> Html {
    const LANES: &str = "M5.5 5h7a2.5 2.5 0 0 1 0 5h-7a2.5 2.5 0 0 1 0-5zm7 8.5h14a2.5 2.5 0 0 1 0 5h-14a2.5 2.5 0 0 1 0-5zm-7 8.5h10a2.5 2.5 0 0 1 0 5h-10a2.5 2.5 0 0 1 0-5z";
    html! {
        <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true"><path d={LANES} /></svg>
    }
}

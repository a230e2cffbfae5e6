use super::editor::{EditorAction, PROGRAM_TEXT_ID};
use super::invisible::visible;
use super::{Draft, Source, draft_title};
use crate::components::file::choose_file;
use crate::features::files::ListedFile;
use crate::features::program::ProgramAction;
use crate::features::screen::{DialogKind, ScreenAction};
use crate::features::share::ShareAction;
use crate::store::{Action, on_click, on_last_click};
use lanewise_core::isa::Style;
use lanewise_core::text::counted;
use web_sys::js_sys::{Date, Reflect};
use web_sys::wasm_bindgen::JsValue;
use yew::prelude::*;

/// Less frequent commands: files, syntax, search, drafts.
pub(super) fn program_menu(
    source: &Source,
    spellings: &[(&str, Style)],
    listed: Option<&ListedFile>,
    wraps: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let (mode, drafts) = (source.editor, &source.drafts);
    let button = |name: &str, is_on: Option<bool>, onclick: Callback<MouseEvent>| {
        html! {
            <button
                class="button quiet"
                aria-pressed={is_on.map(|is_on| is_on.to_string())}
                popovertarget={MENU_ID}
                popovertargetaction="hide"
                {onclick}
            >
                { name }
            </button>
        }
    };
    let entry = |name: &str, onclick: Callback<MouseEvent>| button(name, None, onclick);
    let switch = |name: &str, is_on: bool, action: EditorAction| {
        button(name, Some(is_on), on_click(dispatch, action))
    };
    let rewrite = |style: Style| {
        dispatch.reform(move |_: MouseEvent| Action::Program(ProgramAction::Format(style, caret())))
    };
    let run_to_cursor = dispatch
        .reform(|_: MouseEvent| Action::Program(ProgramAction::RunToCursor(caret().unwrap_or(0))));
    html! {
        <div id={MENU_ID} class="menu" popover="auto" role="group" aria-label="Program menu">
            { entry("Open file", Callback::from(|_| choose_file())) }
            if let Some(file) = listed {
                { entry(&format!("Functions of {}", file.name), on_click(dispatch, ScreenAction::OpenDialog(DialogKind::Files))) }
            }
            { entry("Download", on_click(dispatch, ShareAction::Download)) }
            if mode.is_code() {
                { entry("Find", on_click(dispatch, EditorAction::Search)) }
            }
            { for spellings.iter().map(|(name, style)| entry(name, rewrite(*style))) }
            // In the text area, line numbers require one row per line.
            if mode.is_code() {
                { switch("Wrap long lines", wraps, EditorAction::Wrap(!wraps)) }
            }
            { entry("Run to cursor", run_to_cursor) }
            { switch("Plain text", mode.plain, EditorAction::Plain(!mode.plain)) }
            if !drafts.is_empty() {
                <div role="group" aria-label="Earlier drafts" class="drafts">
                    <p class="muted">{ "Earlier drafts" }</p>
                    { for drafts.iter().enumerate().map(|(index, draft)| {
                        draft_entry(index, draft, dispatch)
                    }) }
                </div>
            }
        </div>
    }
}

/// Id of the menu, opened by a button of the pane.
pub(super) const MENU_ID: &str = "program-menu";

/// Draft: title, length and date.
fn draft_entry(index: usize, draft: &Draft, dispatch: &Callback<Action>) -> Html {
    let restore = ProgramAction::RestoreDraft(index);
    let onclick = on_last_click(dispatch, PROGRAM_TEXT_ID, restore);
    let lines = counted(draft.text.lines().count(), "line");
    let since =
        Date::new(&JsValue::from_f64(draft.time)).to_locale_string("default", &JsValue::UNDEFINED);
    html! {
        <button class="button quiet" popovertarget={MENU_ID} popovertargetaction="hide" {onclick}>
            { visible(&draft_title(draft)).into_owned() }{ " " }
            <span class="muted">{ format!("{}, {lines}", String::from(since)) }</span>
        </button>
    }
}

/// Caret position in either editor, in UTF-16 code units. `web/editor/main.js`
/// defines this text-area property on CodeMirror too.
fn caret() -> Option<u32> {
    let editor = gloo_utils::document().get_element_by_id(PROGRAM_TEXT_ID)?;
    let place = Reflect::get(&editor, &"selectionEnd".into()).ok()?;
    Some(place.as_f64()? as u32)
}

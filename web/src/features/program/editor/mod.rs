//! Program editor: a text area until CodeMirror is loaded.

mod action;
mod code_editor;
mod mode;
mod plain_editor;
mod reducer;

pub(crate) use action::EditorAction;
pub(crate) use mode::{EditorMode, EditorStatus};

use super::Source;
use crate::components::guard::use_guard;
use crate::interop;
use crate::store::{Action, Slice};
use code_editor::CodeEditor;
use gloo_events::EventListener;
use lanewise_answer::run_marks::RunMark;
use plain_editor::PlainEditor;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

/// Id of the element that contains the editable text.
pub(crate) const PROGRAM_TEXT_ID: &str = "program-text";

/// Id of the description of the editor's keys.
pub(super) const KEYS_ID: &str = "program-keys";

/// Loads CodeMirror when it is needed.
#[hook]
pub(crate) fn use_code_editor(mode: EditorMode, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    let wanted = (mode.is_loading(), mode.attempt);
    use_effect_with(wanted, move |(is_loading, attempt)| {
        // Until the mode or attempt changes.
        let is_current = Rc::new(Cell::new(*is_loading));
        if *is_loading {
            let is_current = Rc::clone(&is_current);
            let address = match attempt {
                0 => String::from("editor.js"),
                // Bypasses the cache.
                attempt => format!("editor.js?{attempt}"),
            };
            spawn_local(async move {
                let loaded = interop::load_script(&address, "LanewiseEditor").await;
                if is_current.get() {
                    dispatch.emit(Action::Editor(match loaded {
                        Ok(()) => EditorAction::Loaded,
                        Err(_) => EditorAction::LoadFailed,
                    }));
                }
            });
        }
        move || is_current.set(false)
    });
}

/// Selection in UTF-16 code units and scroll position in CSS pixels, carried
/// over between editors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct EditorPosition {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) scroll: i32,
    pub(super) focus: bool,
}

/// State passed from one editor to the other.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Handover {
    /// Last position; `None` for the first editor of a visit.
    pub(super) left: Option<EditorPosition>,
    /// Text as the program was opened, if the text area was first: CodeMirror
    /// can then undo what was typed there.
    pub(super) opened_text: Option<Rc<str>>,
}

#[derive(Properties, PartialEq, Clone)]
pub(crate) struct EditorProps {
    pub(crate) source: Slice<Source>,
    /// Line of the current instruction, from 0.
    pub(crate) current: Option<u32>,
    pub(crate) run_marks: Rc<Vec<RunMark>>,
    /// Highlighted range in UTF-16 code units.
    pub(crate) highlighted: Option<(u32, u32)>,
    /// Whether CodeMirror wraps long lines.
    pub(crate) wraps: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Props of both editors: those of [`Editor`], and the shared handover state.
#[derive(Properties, PartialEq)]
pub(super) struct InnerEditorProps {
    pub(super) editor: EditorProps,
    pub(super) handover: Rc<RefCell<Handover>>,
}

/// Whether IME composition is in progress. Yew has no such events.
#[hook]
fn use_composing() -> bool {
    let composing = use_state(|| false);
    let setter = composing.setter();
    use_guard((), move |()| {
        [("compositionstart", true), ("compositionend", false)].map(|(event, is)| {
            let setter = setter.clone();
            EventListener::new(&gloo_utils::document(), event, move |_| setter.set(is))
        })
    });
    *composing
}

/// Text with line numbers and marks, and a description of its keys.
#[component]
pub(crate) fn Editor(props: &EditorProps) -> Html {
    let handover = use_mut_ref(Handover::default);
    let editor = props.clone();
    let composing = use_composing();
    let is_code = props.source.editor.is_code();
    let shows_code = use_state_eq(|| is_code);
    let setter = shows_code.setter();
    use_effect_with((is_code, composing), move |(is_code, composing)| {
        // Swapping editors would abort IME composition.
        if !composing {
            setter.set(*is_code);
        }
    });
    html! {
        <>
            if *shows_code {
                <CodeEditor {editor} {handover} />
            } else {
                <PlainEditor {editor} {handover} />
            }
            <p id={KEYS_ID} class="unseen">
                { "F9 toggles a breakpoint on the current line. Ctrl+F10 runs to the current line. Tab moves to the next control." }
            </p>
        </>
    }
}

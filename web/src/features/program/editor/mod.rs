//! The editor of the program: a text area at first, CodeMirror once it is
//! loaded.

mod action;
mod code_editor;
mod mode;
mod plain_editor;
mod reducer;

pub(crate) use action::EditorAction;
pub(crate) use mode::{EditorMode, EditorStatus};

use super::Caret;
use super::problem::Problem;
use super::source::Document;
use crate::interop;
use crate::store::{Action, Request};
use code_editor::CodeEditor;
use gloo_events::EventListener;
use plain_editor::PlainEditor;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The id of the element in which the text is edited.
pub(crate) const PROGRAM_TEXT_ID: &str = "program-text";

/// The id of the sentence on its keys.
pub(super) const KEYS_ID: &str = "program-keys";

/// Loads CodeMirror where it is wanted.
#[hook]
pub(crate) fn use_code_editor(mode: EditorMode, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with(
        (mode.is_loading(), mode.attempt),
        move |(loading, attempt)| {
            let done = move |is_loaded| {
                dispatch.emit(Action::Editor(if is_loaded {
                    EditorAction::Loaded
                } else {
                    EditorAction::LoadFailed
                }));
            };
            let mut listeners = None;
            match (loading, interop::is_loaded()) {
                (false, _) => {}
                (true, true) => done(true),
                (true, false) => listeners = Some(interop::load_bundle(*attempt, done)),
            }
            move || drop(listeners)
        },
    );
}

/// The selection, in UTF-16 units, and the scroll position, in CSS pixels, that
/// one editor had when the other took its place.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct EditorPosition {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) scroll: i32,
    pub(super) focus: bool,
}

/// What one editor hands over to the other.
#[derive(Debug, Default)]
pub(super) struct Handover {
    /// How it was left; `None` for the first editor of a visit.
    pub(super) left: Option<EditorPosition>,
    /// The text as the program was opened, where the text area came first: so
    /// that what was typed there can be undone in CodeMirror.
    pub(super) opened_text: Option<Rc<str>>,
}

#[derive(Properties, PartialEq, Clone)]
pub(crate) struct EditorProps {
    pub(crate) document: Document,
    /// How many programs were opened: what came before cannot be brought back
    /// by undoing.
    pub(crate) opened: u32,
    /// The line of the current instruction, from 0.
    pub(crate) current: Option<u32>,
    pub(crate) problems: Rc<[Problem]>,
    /// Lines with breakpoints, from 0.
    pub(crate) breakpoints: Rc<[u32]>,
    /// What is highlighted in the text, in UTF-16 units.
    pub(crate) lit: Option<(u32, u32)>,
    /// Where the caret is to go.
    pub(crate) caret: Option<Request<Caret>>,
    /// Whether CodeMirror takes the place of the text area.
    #[prop_or_default]
    pub(crate) code: bool,
    /// Whether CodeMirror wraps long lines.
    #[prop_or_default]
    pub(crate) wraps: bool,
    /// To open the search of CodeMirror.
    #[prop_or_default]
    pub(crate) search: Option<Request<()>>,
    pub(crate) dispatch: Callback<Action>,
}

/// What the text area and CodeMirror get: the props of [`Editor`], and where
/// one leaves what the other takes over.
#[derive(Properties, PartialEq)]
pub(super) struct InnerEditorProps {
    pub(super) editor: EditorProps,
    pub(super) handover: SharedHandover,
}

/// Both editors share it; it is the same as long as [`Editor`] is on the page.
#[derive(Clone, Debug)]
pub(super) struct SharedHandover(pub(super) Rc<RefCell<Handover>>);

impl PartialEq for SharedHandover {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Whether an input method is composing a character. Yew has no such events.
#[hook]
fn use_composing() -> bool {
    let composing = use_state(|| false);
    let setter = composing.setter();
    use_effect_with((), move |()| {
        let document = gloo_utils::document();
        let listen = |event: &'static str, is: bool| {
            let setter = setter.clone();
            EventListener::new(&document, event, move |_| setter.set(is))
        };
        let listeners = [
            listen("compositionstart", true),
            listen("compositionend", false),
        ];
        move || drop(listeners)
    });
    *composing
}

/// The text with line numbers and marks beside it, and what its keys do.
#[component]
pub(crate) fn Editor(props: &EditorProps) -> Html {
    let handover = SharedHandover(use_mut_ref(Handover::default));
    let editor = props.clone();
    let composing = use_composing();
    let shows_code = use_state_eq(|| props.code);
    {
        let shows_code = shows_code.setter();
        use_effect_with((props.code, composing), move |(code, composing)| {
            // The swap would end what an input method is composing.
            if !composing {
                shows_code.set(*code);
            }
        });
    }
    html! {
        <>
            if *shows_code {
                <CodeEditor {editor} {handover} />
            } else {
                <PlainEditor {editor} {handover} />
            }
            <p id={KEYS_ID} class="unseen">
                { "F9 sets a breakpoint on the line. Tab goes on to what follows." }
            </p>
        </>
    }
}

//! The editor of the program: a text area at first, CodeMirror once it is
//! loaded.

use super::Caret;
use super::code_editor::CodeEditor;
use super::document::Document;
use super::plain_editor::PlainEditor;
use super::problems::Problem;
use crate::interop;
use crate::store::Action;
use gloo_events::EventListener;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// The id of the element in which the text is edited.
pub(crate) const ID: &str = "program-text";

/// The id of the sentence on its keys.
pub(super) const KEYS: &str = "program-keys";

/// What is done with the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorAction {
    /// Whether plain text is wanted.
    Plain(bool),
    /// Whether CodeMirror could be loaded.
    Loaded(bool),
    /// Try to load it again.
    Retry,
    /// Open its search.
    Search,
    /// Go to the instruction on a line, from 0, and show its encoding.
    ShowEncoding(u32),
    /// Start an empty program from an instruction's example, by its index in
    /// `lanewise_core::isa::SPECS`.
    Template(usize),
}

/// Whether CodeMirror has been loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorStatus {
    Loading,
    Ready,
    Failed,
}

/// Which editor is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EditorMode {
    /// Whether plain text is wanted.
    pub(crate) plain: bool,
    /// Whether a link wanted it: then it is for this visit.
    for_link: bool,
    pub(crate) status: EditorStatus,
    /// How often loading CodeMirror was repeated.
    pub(crate) attempt: u32,
    /// How often its search was opened.
    pub(crate) searches: u32,
}

impl EditorMode {
    pub(crate) const fn new(plain: bool) -> Self {
        Self {
            plain,
            for_link: false,
            status: EditorStatus::Loading,
            attempt: 0,
            searches: 0,
        }
    }

    pub(crate) const fn set_plain(&mut self, plain: bool) {
        (self.plain, self.for_link) = (plain, false);
    }

    /// A link wants plain text.
    pub(crate) const fn plain_for_link(&mut self) {
        self.for_link |= !self.plain;
        self.plain = true;
    }

    /// Whether the next visit starts with plain text.
    pub(crate) const fn keeps_plain(self) -> bool {
        self.plain && !self.for_link
    }

    /// Whether CodeMirror is shown.
    pub(crate) fn is_code(self) -> bool {
        !self.plain && self.status == EditorStatus::Ready
    }

    /// Whether CodeMirror is to be loaded.
    pub(crate) fn is_loading(self) -> bool {
        !self.plain && self.status == EditorStatus::Loading
    }
}

/// Loads CodeMirror where it is wanted.
#[hook]
pub(crate) fn use_code_editor(mode: EditorMode, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with(
        (mode.is_loading(), mode.attempt),
        move |(loading, attempt)| {
            let done = move |is| dispatch.emit(Action::Editor(EditorAction::Loaded(is)));
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

/// How one editor is left for the other. Offsets are UTF-16 units, `scroll` is
/// in pixels.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Left {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) scroll: i32,
    pub(super) focus: bool,
}

/// What one editor hands over to the other.
#[derive(Debug, Default)]
pub(super) struct Handover {
    /// How it was left; `None` for the first editor of a visit.
    pub(super) left: Option<Left>,
    /// The text as the program was opened, where the text area came first: so
    /// that what was typed there can be undone in CodeMirror.
    pub(super) opened: Option<Rc<str>>,
}

#[derive(Properties, PartialEq, Clone)]
pub(crate) struct EditorProps {
    pub(crate) document: Document,
    /// The line of the current instruction, from 0.
    pub(crate) current: Option<u32>,
    pub(crate) problems: Rc<[Problem]>,
    /// Lines with breakpoints, from 0.
    pub(crate) breakpoints: Rc<[u32]>,
    /// What is highlighted in the text, in UTF-16 units.
    pub(crate) lit: Option<(u32, u32)>,
    /// Where the caret is to go.
    pub(crate) caret: Option<Caret>,
    /// Whether CodeMirror takes the place of the text area.
    #[prop_or_default]
    pub(crate) code: bool,
    /// How often its search was opened.
    #[prop_or_default]
    pub(crate) searches: u32,
    pub(crate) dispatch: Callback<Action>,
    /// Set by [`Editor`].
    #[prop_or_default]
    pub(super) handover: HandoverRef,
}

/// Both editors share it; it never draws anything.
#[derive(Clone, Debug, Default)]
pub(super) struct HandoverRef(pub(super) Rc<RefCell<Handover>>);

impl PartialEq for HandoverRef {
    fn eq(&self, _: &Self) -> bool {
        true
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
    let handover = use_memo((), |()| HandoverRef::default());
    // The swap would end what an input method is composing.
    let composing = use_composing();
    let shown = use_mut_ref(|| props.code);
    let code = match composing {
        true => *shown.borrow(),
        false => props.code,
    };
    *shown.borrow_mut() = code;
    let inner = EditorProps {
        handover: (*handover).clone(),
        ..props.clone()
    };
    html! {
        <>
            if code {
                <CodeEditor ..inner />
            } else {
                <PlainEditor ..inner />
            }
            <p id={KEYS} class="unseen">
                { "F9 sets a breakpoint on the line. Tab goes on to what follows." }
            </p>
        </>
    }
}

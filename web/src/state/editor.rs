//! Which editor stands in the Program pane: a text area, or the one that is
//! fetched.

use super::State;

/// What a reader, or what was fetched, says of the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorAction {
    /// Plain text is wanted, or is not.
    Plain(bool),
    /// Whether the editor could be had.
    Loaded(bool),
    /// Ask for it again.
    Again,
    /// Open its search.
    Search,
}

/// Whether CodeMirror's bundle has been loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorStatus {
    Loading,
    Ready,
    Failed,
}

/// Which editor there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Editing {
    /// Whether a reader asked for plain text.
    pub(crate) plain: bool,
    /// Whether it was a link that asked: then it is for this visit.
    for_link: bool,
    /// Whether the other editor is there.
    pub(crate) editor: EditorStatus,
    /// How often its search was asked for.
    pub(crate) searches: u32,
}

impl Editing {
    pub(super) const fn new(plain: bool) -> Self {
        Self {
            plain,
            for_link: false,
            editor: EditorStatus::Loading,
            searches: 0,
        }
    }

    /// A link asks for plain text.
    pub(super) const fn plain_for_link(&mut self) {
        self.for_link |= !self.plain;
        self.plain = true;
    }

    /// Whether plain text is to be there at the next visit.
    pub(crate) const fn keeps_plain(self) -> bool {
        self.plain && !self.for_link
    }

    /// Whether the fetched editor is to be seen.
    pub(crate) fn is_rich(self) -> bool {
        !self.plain && self.editor == EditorStatus::Ready
    }
}

impl State {
    pub(super) fn change_editor(&mut self, action: EditorAction) {
        let editing = &mut self.editing;
        match action {
            EditorAction::Plain(plain) => (editing.plain, editing.for_link) = (plain, false),
            EditorAction::Loaded(true) => editing.editor = EditorStatus::Ready,
            EditorAction::Loaded(false) => editing.editor = EditorStatus::Failed,
            EditorAction::Again => editing.editor = EditorStatus::Loading,
            EditorAction::Search => editing.searches = editing.searches.wrapping_add(1),
        }
    }

    /// Which editor there is.
    pub(crate) const fn editing(&self) -> Editing {
        self.editing
    }

    /// Whether the editor is to be fetched: nobody asked for plain text.
    pub(crate) fn needs_editor(&self) -> bool {
        let Editing { plain, editor, .. } = self.editing;
        !plain && editor == EditorStatus::Loading
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Saved};
    use super::*;

    #[test]
    fn the_editor_comes_after_the_page_and_not_where_plain_text_is_wanted() {
        let mut state = State::new(Saved::default());
        let editor = |state: &mut State, action| state.apply(Action::Editor(action));
        assert!(state.needs_editor() && !state.editing().is_rich());
        editor(&mut state, EditorAction::Loaded(false));
        assert!(!state.needs_editor() && !state.editing().is_rich());
        editor(&mut state, EditorAction::Again);
        assert!(state.needs_editor());
        editor(&mut state, EditorAction::Loaded(true));
        assert!(!state.needs_editor() && state.editing().is_rich());
        editor(&mut state, EditorAction::Plain(true));
        assert!(!state.needs_editor() && !state.editing().is_rich());
        editor(&mut state, EditorAction::Plain(false));
        assert!(state.editing().is_rich());

        let plain = Saved {
            plain: true,
            ..Saved::default()
        };
        let state = State::new(plain);
        assert!(!state.needs_editor());
    }
}

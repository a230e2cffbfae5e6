/// What is done with the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorAction {
    /// Whether plain text is wanted.
    Plain(bool),
    /// Whether long lines are wrapped.
    Wrap(bool),
    /// CodeMirror has been loaded.
    Loaded,
    /// CodeMirror could not be loaded.
    LoadFailed,
    /// Try to load it again.
    Retry,
    /// Open its search.
    Search,
    /// Put the focus into it.
    Focus,
}

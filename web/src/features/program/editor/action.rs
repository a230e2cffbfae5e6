#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorAction {
    /// Selects the plain-text editor or CodeMirror.
    Plain(bool),
    /// Enables or disables line wrapping.
    Wrap(bool),
    /// CodeMirror was loaded.
    Loaded,
    /// CodeMirror could not be loaded.
    LoadFailed,
    /// Retries loading CodeMirror.
    Retry,
    /// Opens the search panel.
    Search,
    Focus,
}

use super::Embedding;

/// Action of the Embed dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EmbedAction {
    Open,
    /// Sets the options.
    Set(Embedding),
}

use super::Embedding;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EmbedAction {
    Open,
    Set(Embedding),
}

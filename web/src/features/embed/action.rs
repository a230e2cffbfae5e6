use super::EmbedForm;
use crate::features::player::Pane;

/// Action of the Embed dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EmbedAction {
    Open,
    Form(EmbedForm),
    /// Includes or excludes a pane.
    Pane(Pane, bool),
    ReadOnly(bool),
    AtStep(bool),
}

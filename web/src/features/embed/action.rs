use super::EmbedForm;
use crate::features::player::Pane;

/// What a reader can do in the dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EmbedAction {
    Open,
    Form(EmbedForm),
    /// Show a pane, or no longer.
    Pane(Pane, bool),
    ReadOnly(bool),
    AtStep(bool),
}

use super::ScreenAction;
use crate::store::Action;
use yew::prelude::*;

/// Closes the open dialog.
pub(crate) fn close_dialog(dispatch: &Callback<Action>) -> Callback<()> {
    dispatch.reform(|()| Action::Screen(ScreenAction::CloseDialog))
}

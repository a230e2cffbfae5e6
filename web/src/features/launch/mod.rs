//! Kernel launches: the Launch dialog edits the `.launch`, `.buffer`,
//! `.local_arg` and `.bind` lines of a text, and starts the run. All work-groups
//! before the one in the timeline run without a history.

mod action;
mod groups;
mod model;
mod reducer;
mod view;

pub(crate) use action::{LaunchAction, LaunchField, LaunchStart};
pub(crate) use groups::Sought;
pub(crate) use model::LaunchDialogState;
pub(crate) use view::launch_dialog;

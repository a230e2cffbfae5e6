//! Checks of a launch: the worker runs them when the launch has ended.

mod action;
mod model;
mod reducer;
mod view;

pub(crate) use action::ChecksAction;
pub(crate) use model::{CheckChoice, CheckStatus, Checks, finding_lines};
pub(crate) use view::{check_choices, finding_list, launch_result};

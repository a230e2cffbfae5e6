//! Work-items and variables of a kernel.

mod action;
mod reducer;
mod view;

pub(crate) use action::ItemsAction;
pub(crate) use view::{VariablesPane, WorkItemsPane};

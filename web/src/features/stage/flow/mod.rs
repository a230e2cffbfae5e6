//! Control flow: the blocks of a program, and where its lanes are.

mod model;
mod view;

pub(crate) use model::FlowModel;
pub(crate) use view::{Flow, decisions_table};

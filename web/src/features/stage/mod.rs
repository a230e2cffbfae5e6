//! The picture of the instruction at hand.

mod layout;
mod model;
mod order;
mod size;
pub(crate) mod svg;
mod table;
mod view;

pub(crate) use model::StageModel;
pub(crate) use view::Stage;

//! Stage: picture of the current instruction.

mod export;
mod flow;
mod follow;
mod kind;
mod lanes;
pub(crate) mod matrix;
mod model;
mod pane;
mod thumbnail;
mod vector;

pub(crate) use export::{Caption, picture, png};
pub(crate) use flow::FlowPane;
pub(crate) use follow::use_reveal;
pub(crate) use kind::{StageKind, use_stage_kind};
pub(crate) use model::StageModel;
pub(crate) use model::full_operand;
pub(crate) use pane::StagePane;
pub(crate) use thumbnail::Thumbnail;
pub(crate) use vector::with_component;

//! Stage: picture of the current instruction.

mod export;
mod flow;
mod follow;
mod kind;
mod lanes;
pub(crate) mod matrix;
mod thumbnail;
mod vector;

pub(crate) use export::{Caption, picture, png};
pub(crate) use flow::Flow;
pub(crate) use follow::use_reveal;
#[cfg(test)]
pub(crate) use kind::StageKind;
pub(crate) use kind::{Stage, use_stage};
pub(crate) use thumbnail::thumbnail;

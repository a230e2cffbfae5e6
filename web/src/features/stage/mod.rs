//! Stage: picture of the current instruction.

mod export;
mod follow;
mod instruction_table;
mod kind;
mod layout;
pub(crate) mod matrix;
mod model;
mod order;
mod pane;
mod size;
pub(crate) mod svg;
mod table;
mod thumbnail;
mod view;

pub(crate) use export::{Caption, picture, png};
pub(crate) use instruction_table::InstructionTable;
pub(crate) use kind::{StageKind, use_stage_kind};
pub(crate) use model::StageModel;
pub(crate) use pane::{StagePane, as_tools_write};
pub(crate) use thumbnail::Thumbnail;
pub(crate) use view::Stage;

//! Vector stage: the bytes that each lane reads, what it computes, and where the
//! result goes.

mod model;
mod view;

pub(crate) use model::VectorModel;
pub(crate) use view::{VectorStage, vector_table};

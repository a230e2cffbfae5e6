//! Checks that watch a run.

mod shadow;
pub mod undefined;
mod warp;

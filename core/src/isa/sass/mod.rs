//! NVIDIA's machine code (SASS) of the Maxwell and Pascal chips: one warp of
//! 32 lanes.

pub mod chip;
pub mod control;
pub mod operation;
pub mod register;
pub mod warp;

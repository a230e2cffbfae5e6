//! NVIDIA's machine code (SASS) of the Maxwell and Pascal chips: one warp of
//! 32 lanes.

pub mod atom;
pub mod atomic;
pub mod chip;
pub mod op;
pub mod operand;
pub mod operation;
pub mod red;
pub mod register;
pub mod schedule;
pub mod size;
pub mod suffix;
pub mod warp;

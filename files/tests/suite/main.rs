//! The tests of this package in one program, which links once and uses all processors.

mod export;
mod hostile;
mod memory;
mod programs;
mod sass;
mod visa;

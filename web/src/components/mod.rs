//! What is on the page. Every component, and every function that draws a
//! part, knows what it is handed only. A component is what is skipped when its
//! props are the same: the header, the program, one lane, one register, one
//! row of memory.

mod cell;
mod editor;
pub(crate) mod execution;
mod header;
mod help;
mod icon;
pub(crate) mod lanes;
mod memory;
mod memory_tools;
pub(crate) mod panes;
mod picker;
mod problems;
mod program;
mod registers;
mod select;
mod timeline;

pub(crate) use header::Header;
pub(crate) use program::Program;

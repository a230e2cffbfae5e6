//! What is on the page. Every component knows its props only.

mod cell;
mod editor;
mod execution;
mod header;
mod help;
mod icon;
mod lanes;
mod memory;
mod memory_tools;
mod panes;
mod picker;
mod problems;
mod program;
mod registers;
mod select;
mod timeline;

pub(crate) use execution::Execution;
pub(crate) use header::Header;
pub(crate) use lanes::Lanes;
pub(crate) use panes::StatePanes;
pub(crate) use program::Program;

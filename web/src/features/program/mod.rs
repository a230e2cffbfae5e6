//! The program: the text and what it says, its editors, what is done with it,
//! its diagnostics and breakpoints.

mod breakpoints;
mod code_editor;
mod document;
mod editor;
mod invisible;
mod language;
mod line_index;
mod listing;
mod menu;
mod notes;
mod pane;
mod plain_editor;
mod problems;
mod templates;

pub(crate) use breakpoints::{BreakpointAction, Breakpoints};
pub(crate) use document::Document;
pub(crate) use editor::{Editor, EditorAction, EditorMode, EditorStatus, ID, use_code_editor};
pub(crate) use invisible::visible;
pub(crate) use line_index::LineIndex;
pub(crate) use listing::Listing;
pub(crate) use notes::{Heading, Notes};
pub(crate) use pane::ProgramPane;
pub(crate) use problems::{Problem, Problems};

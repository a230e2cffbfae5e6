//! The program: the text and what it says, its editors, what is done with it,
//! its diagnostics and breakpoints.

mod breakpoint_actions;
mod breakpoints;
mod editor;
mod editor_actions;
mod editor_mode;
mod format;
mod invisible;
mod language;
mod line_index;
mod listing;
mod menu;
mod notes;
mod pane;
mod problem;
mod problems;
mod source;
mod text;

pub(crate) use breakpoints::{BreakpointAction, Breakpoints};
pub(crate) use editor::{Editor, ID, use_code_editor};
pub(crate) use editor_mode::{EditorAction, EditorMode, EditorStatus};
pub(crate) use invisible::visible;
pub(crate) use line_index::LineIndex;
pub(crate) use listing::Listing;
pub(crate) use notes::{Heading, Notes, use_window_title};
pub(crate) use pane::ProgramPane;
pub(crate) use problem::Problem;
pub(crate) use problems::Problems;
pub(crate) use source::{
    Caret, Document, Draft, FILE, LINK, ProgramAction, Source, draft_title, is_bundled, origin,
};

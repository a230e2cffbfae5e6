//! Program: text, editors, commands, diagnostics and breakpoints.

mod action;
mod breakpoints;
mod editor;
mod format;
mod invisible;
mod language;
mod line_index;
mod listing;
mod menu;
mod notes;
mod pane;
mod problem;
mod problem_list;
mod reducer;
mod source;
mod source_text;

pub(crate) use action::ProgramAction;
pub(crate) use breakpoints::{BreakpointAction, Breakpoints, breakpoint_place};
pub(crate) use editor::{EditorAction, EditorMode, PROGRAM_TEXT_ID, use_code_editor};
pub(crate) use invisible::visible;
pub(crate) use line_index::LineIndex;
pub(crate) use listing::listing;
pub(crate) use notes::{notes, program_name, use_window_title};
pub(crate) use pane::{ProgramPane, ProgramPaneProps, use_editor};
pub(crate) use problem::Problem;
pub(crate) use problem_list::problem_list;
pub(crate) use source::{Caret, Document, Draft, Origin, Source, draft_title};
pub(crate) use source_text::SourceText;

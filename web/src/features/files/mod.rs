//! Local files, dropped on the page or chosen; they are never uploaded.
//! Scenarios open immediately; for compiler output, the dialog lists functions,
//! each of which opens as a scenario.

mod action;
mod input;
mod model;
mod reducer;
mod view;

pub(crate) use action::FilesAction;
pub(crate) use input::{FileInput, choose_file};
pub(crate) use model::ListedFile;
pub(crate) use view::FilesDialog;

//! Local files, dropped on the page, pasted or chosen; they are never uploaded.
//! The worker reads them. Scenarios open immediately; for compiler output, the
//! dialog lists functions, each of which opens as a scenario, and kernels, which
//! are launched.

mod action;
mod input;
mod model;
mod reducer;
mod view;

pub(crate) use action::FilesAction;
pub(crate) use input::use_file_input;
pub(crate) use model::{Files, ListedFile};
pub(crate) use view::files_dialog;

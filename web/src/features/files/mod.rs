//! Files from the reader's machine: dropped on the page or chosen, they are
//! read here and nowhere else. A scenario is opened at once; of what compilers
//! write, the functions are listed, and one is opened as a scenario.

mod action;
mod input;
mod model;
mod reducer;
mod view;

pub(crate) use action::FilesAction;
pub(crate) use input::{FileInput, choose_file};
pub(crate) use model::ListedFile;
pub(crate) use view::FilesDialog;

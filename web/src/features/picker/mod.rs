//! Picker: dialog for choosing a bundled scenario or an instruction.

mod action;
mod model;
mod reducer;
mod synonyms;
mod view;

pub(crate) use action::{PickerAction, PickerMove};
pub(crate) use model::{ListKind, Picker, ServedEntry};
pub(crate) use view::{picker_dialog, use_picker_scroll};

//! The dialog in which a bundled scenario, or an instruction, is chosen.

mod model;
mod synonyms;
mod view;

pub(crate) use model::{Listed, Picker, PickerAction};
pub(crate) use view::PickerDialog;

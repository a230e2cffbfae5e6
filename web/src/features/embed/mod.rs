//! The dialog "Embed": code that puts the scenario into another page. What it
//! looks like there is `features::player`.

mod action;
mod model;
mod reducer;
mod view;

pub(crate) use action::EmbedAction;
pub(crate) use model::{EmbedForm, Embedding};
pub(crate) use view::EmbedDialog;

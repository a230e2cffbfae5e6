//! Embed dialog: code that embeds the scenario in another page.
//! `features::player` renders the embedded scenario.

mod action;
mod model;
mod reducer;
mod view;

pub(crate) use action::EmbedAction;
pub(crate) use model::{EmbedForm, Embedding};
pub(crate) use view::embed_dialog;

//! The player: the page as it stands inside another page.

mod player;
mod quiz;

pub(crate) use player::player;

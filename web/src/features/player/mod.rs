//! Player: the page as embedded in another page.

mod host;
mod model;
mod reducer;
mod view;

pub(crate) use host::player_options;
pub(crate) use model::{Pane, Player, PlayerOptions, program_address};
pub(crate) use view::{PlayerPage, pane};

//! The player: the page as it stands inside another page, and the question that
//! a reader answers before the program runs.

mod host;
mod model;
mod player;
mod quiz;
mod quiz_form;
#[cfg(test)]
mod quiz_tests;
mod reducer;

pub(crate) use host::{player_options, use_host};
pub(crate) use model::{Pane, Player, PlayerOptions, QuizAction, program_address};
pub(crate) use player::PlayerPage;
pub(crate) use quiz::Quiz;
#[cfg(test)]
pub(crate) use quiz::Verdict;

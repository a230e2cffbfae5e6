//! Player: the page as embedded in another page, and its quiz.

mod action;
mod host;
mod model;
mod quiz;
mod quiz_form;
#[cfg(test)]
mod quiz_tests;
mod reducer;
mod view;

pub(crate) use action::QuizAction;
pub(crate) use host::player_options;
pub(crate) use model::{Pane, Player, PlayerOptions, program_address};
pub(crate) use quiz::Quiz;
#[cfg(test)]
pub(crate) use quiz::Verdict;
pub(crate) use view::PlayerPage;

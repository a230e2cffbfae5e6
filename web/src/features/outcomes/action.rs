use super::results::grids::GridValue;
use crate::components::reorder::LaneMove;
use lanewise_web::search_worker::SearchResponse;
use std::rc::Rc;

/// What can be done about outcomes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OutcomesAction {
    /// The worker says something.
    Worker(Rc<SearchResponse>),
    /// There is no worker any more, for this reason.
    Failed(Rc<str>),
    /// Begin again, with another worker.
    Retry,
    /// Search on: with more work, where it was spent.
    Compute,
    /// Pause the search.
    Stop,
    /// Run the program in an order that gives a result, by its index.
    Replay(usize),
    /// Run the program in an order that gives a value.
    ReplayValue(GridValue),
    /// Show in the stage the order that gives a result, by its index; `None`
    /// shows the run again.
    Preview(Option<usize>),
    /// Show in the stage an order that gives a value, where one of the results
    /// listed shows it.
    PreviewValue(GridValue),
    /// Show more results.
    More,
    /// Look for what another lane returns, by its index.
    Lane(usize),
    /// Look for this returned value; empty for any.
    Value(String),
    /// A lane moves from one place in the order to another.
    Move(LaneMove),
}

impl OutcomesAction {
    /// Whether it changes the text.
    pub(super) const fn edits(&self) -> bool {
        matches!(self, Self::Replay(_) | Self::ReplayValue(_) | Self::Move(_))
    }
}

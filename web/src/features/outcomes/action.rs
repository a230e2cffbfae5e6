use super::results::grids::GridValue;
use crate::components::reorder::LaneMove;
use lanewise_web::search_worker::SearchResponse;
use std::rc::Rc;

/// Action on outcomes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OutcomesAction {
    /// Response of the worker.
    Worker(Rc<SearchResponse>),
    /// The worker failed, with a reason.
    Failed(Rc<str>),
    /// Restarts the search with a new worker.
    Retry,
    /// Continues the search, with a higher limit if the previous one was
    /// reached.
    Compute,
    /// Pauses the search.
    Stop,
    /// Replays an order that produces a result, by index.
    Replay(usize),
    /// Replays an order that produces a value.
    ReplayValue(GridValue),
    /// Previews in the stage the order of a result, by index; `None` ends the
    /// preview.
    Preview(Option<usize>),
    /// Previews in the stage an order that produces a value, if a listed result
    /// has it.
    PreviewValue(GridValue),
    /// Shows more results.
    More,
    /// Selects the lane of the returned-value query, by index.
    Lane(usize),
    /// Sets the queried value; empty for any.
    Value(String),
    /// Moves a lane in the order.
    Move(LaneMove),
}

impl OutcomesAction {
    /// Whether the action edits the text.
    pub(super) const fn edits(&self) -> bool {
        matches!(self, Self::Replay(_) | Self::ReplayValue(_) | Self::Move(_))
    }
}

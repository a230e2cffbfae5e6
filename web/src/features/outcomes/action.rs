use crate::components::reorder::LaneMove;
use lanewise_answer::results::GridValue;
use lanewise_web::search_worker::SearchResponse;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OutcomesAction {
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
    /// Runs an order that produces a result, by index, to the end.
    Replay(usize),
    /// Runs an order that produces a value, up to the step that shows it.
    ReplayValue(GridValue),
    /// Writes the order of the replayed result into the text.
    Keep,
    /// Returns to the order of the text.
    Discard,
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
    Move(LaneMove),
}

impl OutcomesAction {
    /// Whether the action edits the text or changes the run.
    pub(super) const fn edits(&self) -> bool {
        matches!(
            self,
            Self::Replay(_) | Self::ReplayValue(_) | Self::Keep | Self::Move(_)
        )
    }
}

/// Action on the quiz.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QuizAction {
    /// Edits the answer.
    Answer(String),
    /// Checks the answer against the run.
    Check,
    /// Reveals the answer.
    Show,
    /// Restarts the quiz.
    Again,
}

/// What a reader can do with the question of a player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QuizAction {
    /// The answer is being written.
    Answer(String),
    /// Compare the answer with what the program gives.
    Check,
    /// Give up, and see what it gives.
    Show,
    /// Ask again.
    Again,
}

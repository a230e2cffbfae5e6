use super::Listed;

/// What a reader can do with the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PickerAction {
    Open(Listed),
    Close,
    /// Search for these words.
    Query(String),
    /// Mark the entry so many places further on, or back.
    Move(isize),
}

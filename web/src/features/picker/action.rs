use super::Listed;

/// What a reader can do with the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PickerAction {
    Open(Listed),
    /// Search for these words.
    Query(String),
    /// Mark another entry.
    Mark(PickerMove),
}

/// From the marked entry to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PickerMove {
    /// From the last to the first.
    Next,
    /// From the first to the last.
    Previous,
    /// Some entries on, at most to the last.
    PageDown,
    /// Some entries back, at most to the first.
    PageUp,
}

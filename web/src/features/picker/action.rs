use super::ListKind;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PickerAction {
    Open(ListKind),
    Query(String),
    Mark(PickerMove),
}

/// Movement of the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PickerMove {
    /// Wraps from the last entry to the first.
    Next,
    /// Wraps from the first entry to the last.
    Previous,
    /// One page down, stopping at the last entry.
    PageDown,
    /// One page up, stopping at the first entry.
    PageUp,
}

use crate::features::state::place::Place;

/// Action on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InspectAction {
    /// Inspects a cell and edits its initial value.
    Open(Place),
    /// Inspects the first cell in view.
    First,
    /// Moves to a neighbouring cell: columns to the right, rows down.
    Move(i32, i32),
    /// Edits the initial value.
    Edit,
    /// Commits the initial value and returns focus to the cell.
    Commit(String),
    /// Commits the initial value after focus has moved elsewhere.
    Leave(String),
    /// Discards the edit.
    Cancel,
    /// The cell has received the requested focus.
    Focused,
    /// Stops inspecting.
    Close,
    /// Toggles watching.
    Watch,
    /// Stops watching a cell.
    Unwatch(Place),
    /// Seeks to the step that last wrote the cell.
    ToLastWrite,
    /// Seeks to the next step that writes the cell.
    ToNextWrite,
    /// Continues to the next step that writes a watched cell.
    Continue,
}

use lanewise_answer::grids::Place;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InspectAction {
    /// Inspects a cell and edits its initial value.
    Open(Place),
    /// Inspects a cell and scrolls to it.
    Select(Place),
    /// Edits the initial value.
    Edit,
    /// Commits the initial value.
    Commit(String),
    /// Commits the initial value and edits another cell.
    CommitAndEdit(String, Place),
    /// Sets the initial values of these cells to a list; fails if there are more
    /// values than cells.
    Fill(Vec<Place>, Vec<String>),
    /// Commits the initial value of a cell after focus has moved elsewhere.
    Leave(Place, String),
    /// Discards the edit.
    Cancel,
    /// Stops inspecting.
    Close,
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

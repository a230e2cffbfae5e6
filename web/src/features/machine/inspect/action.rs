use crate::features::machine::place::Place;

/// What a reader can do with a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InspectAction {
    /// Look at this cell, and edit its start value.
    Open(Place),
    /// Look at the first cell in view.
    First,
    /// Look at the neighbour: so many to the right, so many down.
    Move(i32, i32),
    /// Edit its start value.
    Edit,
    /// This is the start value; the focus goes back to the cell.
    Commit(String),
    /// This is the start value; the reader has gone elsewhere.
    Leave(String),
    /// The start value stays as it is.
    Cancel,
    /// The cell has the focus that it was to have.
    Focused,
    /// Look at none.
    Close,
    /// Watch it, or no longer.
    Watch,
    /// Watch this one no longer.
    Unwatch(Place),
    /// Go to the step that wrote it last.
    ToLastWrite,
    /// Go to the step that writes it next.
    ToNextWrite,
    /// Go to the step that writes a watched cell next.
    Continue,
}

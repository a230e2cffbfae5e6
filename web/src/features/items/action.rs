use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemsAction {
    /// Chooses the work-item of a channel of the shown thread, or no longer.
    Choose(u8),
    /// Shows the work-item with a global ID, as written: `35`, `3, 1`.
    Go(Rc<str>),
    /// Sets the variables that the table shows, as written.
    Columns(Rc<str>),
}

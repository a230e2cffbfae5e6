use lanewise_core::program::ItemPlace;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemsAction {
    /// Chooses the work-item of a channel of the shown thread, or no longer.
    Choose(u8),
    /// Shows a work-item.
    Go(ItemPlace),
    /// Sets the variables that the table shows, as written.
    Columns(Rc<str>),
}

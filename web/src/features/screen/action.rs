use super::{Area, DialogKind, Divider, DrawerTab};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenAction {
    /// Reports whether the window is narrow, so that it shows one area at a
    /// time.
    Compact(bool),
    /// Shows an area in a narrow window.
    Show(Area),
    OpenTab(DrawerTab),
    /// Opens a tab and moves the focus to an element of it.
    OpenTabAt(DrawerTab, &'static str),
    /// Sets the size of an area in percent; `None` restores the default.
    Resize(Divider, Option<u8>),
    /// Opens a dialog, replacing any other.
    OpenDialog(DialogKind),
    CloseDialog,
}

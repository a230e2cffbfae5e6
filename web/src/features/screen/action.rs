use super::{Area, DialogKind, Divider, DrawerTab};

/// What a reader can do about where things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenAction {
    /// Whether the window is so narrow that it shows one area at a time.
    Compact(bool),
    /// Show this area, where only one is shown.
    Show(Area),
    /// Open this tab of the drawer.
    OpenTab(DrawerTab),
    /// The size of an area, in percent, or the default.
    Resize(Divider, Option<u8>),
    /// Open a dialog, in place of another.
    OpenDialog(DialogKind),
    CloseDialog,
}

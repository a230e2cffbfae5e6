//! Where everything is: the bar above, Program, Stage and State side by side,
//! and one drawer of tabs below. A narrow window shows one of the four areas
//! at a time.

mod action;
mod bar;
mod dialog;
mod model;
mod reducer;
mod theme;
mod view;

pub(crate) use action::ScreenAction;
pub(crate) use bar::Bar;
pub(crate) use dialog::close_dialog;
pub(crate) use model::{Area, DialogKind, Divider, DrawerTab, Screen, Sizes};
#[cfg(test)]
pub(crate) use theme::Appearance;
pub(crate) use theme::{Theme, show_theme, use_theme};
pub(crate) use view::{
    AreaBox, AreaTabs, DRAWER_PANEL_ID, DividerHandle, DrawerTabs, SkipLinks, is_compact,
    use_compact,
};

/// The media query of windows that show one area at a time: `layout.css` and the
/// other style sheets have the same. Narrower than 900 CSS pixels, Program, Stage
/// and State side by side have less room than a line of assembler needs.
pub(crate) const COMPACT: &str = "(max-width: 899.98px)";

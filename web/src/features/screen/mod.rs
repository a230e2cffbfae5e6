//! Layout: the top bar; Program, Stage and State side by side; a drawer of tabs
//! below. A narrow window shows one of the four areas at a time.

mod action;
mod bar;
mod model;
mod reducer;
mod theme;
mod view;

pub(crate) use action::ScreenAction;
pub(crate) use bar::top_bar;
pub(crate) use model::{Area, DialogKind, Divider, DrawerTab, Screen, TabScope};
pub(crate) use theme::{Theme, show_theme};
pub(crate) use view::{
    DRAWER_PANEL_ID, DividerHandle, area_box, area_tabs, dialog, dialog_head, drawer_tabs,
    is_compact, skip_links, use_compact,
};

/// Media query for showing one area at a time, duplicated in `layout.css` and
/// other style sheets. Below 900 CSS pixels, an area beside two others is too
/// narrow for a line of assembly.
pub(crate) const COMPACT: &str = "(max-width: 899.98px)";

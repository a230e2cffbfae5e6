//! Where everything is: the bar above, Program, Stage and State side by side,
//! and one drawer of tabs below. A narrow window shows one of the four areas
//! at a time.

mod bar;
mod model;
mod theme;
mod view;

pub(crate) use bar::Bar;
pub(crate) use model::{Area, Divider, DrawerTab, Screen, ScreenAction, Sizes};
pub(crate) use theme::{Theme, use_theme};
pub(crate) use view::{
    AreaBox, AreaTabs, DividerHandle, DrawerTabs, SkipLinks, is_compact, use_compact,
};

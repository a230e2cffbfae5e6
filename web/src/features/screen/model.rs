//! Visible areas, tabs and dialogs, and the sizes of the areas.

/// Area of the screen, in tab order of a narrow window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Stage,
    Program,
    State,
    Drawer,
}

impl Area {
    pub(crate) const ALL: [Self; 4] = [Self::Stage, Self::Program, Self::State, Self::Drawer];

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Stage => "Stage",
            Self::Program => "Program",
            Self::State => "State",
            Self::Drawer => "Details",
        }
    }

    /// Stable name in saved settings.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Stage => "stage",
            Self::Program => "program",
            Self::State => "state",
            Self::Drawer => "drawer",
        }
    }

    fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|area| area.key() == key)
    }

    /// Id of the containing element.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Stage => "area-stage",
            Self::Program => "area-program",
            Self::State => "area-state",
            Self::Drawer => "area-drawer",
        }
    }

    /// Id of the area's tab in a narrow window.
    pub(crate) const fn tab_id(self) -> &'static str {
        match self {
            Self::Stage => "show-stage",
            Self::Program => "show-program",
            Self::State => "show-state",
            Self::Drawer => "show-drawer",
        }
    }
}

/// Tab of the drawer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawerTab {
    Lanes,
    /// Blocks of a program with branches.
    Flow,
    /// Threads of a program with several.
    Threads,
    /// Products of one D element; only beside the matrix picture.
    Products,
    Outcomes,
    Encoding,
    Explain,
    Problems,
}

impl DrawerTab {
    const ALL: [Self; 8] = [
        Self::Lanes,
        Self::Flow,
        Self::Threads,
        Self::Products,
        Self::Outcomes,
        Self::Encoding,
        Self::Explain,
        Self::Problems,
    ];

    /// Available tabs in order.
    pub(crate) fn all_for(scope: TabScope) -> Vec<Self> {
        let all = Self::ALL.into_iter();
        all.filter(|tab| tab.exists_for(scope)).collect()
    }

    fn exists_for(self, scope: TabScope) -> bool {
        match self {
            Self::Products => scope.own == Some(self),
            Self::Flow => scope.has_branches,
            Self::Threads => scope.threads > 1,
            _ => true,
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Lanes => "Lanes",
            Self::Flow => "Control flow",
            Self::Threads => "Threads",
            Self::Products => "Products",
            Self::Outcomes => "Outcomes",
            Self::Encoding => "Encoding",
            Self::Explain => "Explain",
            Self::Problems => "Problems",
        }
    }

    /// Stable name in links and saved settings.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Flow => "flow",
            Self::Threads => "threads",
            Self::Products => "products",
            Self::Outcomes => "outcomes",
            Self::Encoding => "encoding",
            Self::Explain => "explain",
            Self::Problems => "problems",
        }
    }

    /// Parses a stable name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tab| tab.key() == key)
    }

    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Lanes => "drawer-lanes",
            Self::Flow => "drawer-flow",
            Self::Threads => "drawer-threads",
            Self::Products => "drawer-products",
            Self::Outcomes => "drawer-outcomes",
            Self::Encoding => "drawer-encoding",
            Self::Explain => "drawer-explain",
            Self::Problems => "drawer-problems",
        }
    }
}

/// Facts that decide which drawer tabs exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TabScope {
    /// Tab that only the current picture has.
    pub(crate) own: Option<DrawerTab>,
    /// Whether the program has branches.
    pub(crate) has_branches: bool,
    /// Number of threads.
    pub(crate) threads: u8,
}

/// Dialogs, of which at most one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialogKind {
    /// Scenario or instruction picker.
    Picker,
    Share,
    Embed,
    /// Functions of a file.
    Files,
    /// Sizes and arguments of a kernel launch.
    Launch,
    /// Keyboard shortcuts.
    Help,
}

/// Draggable divider between two areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Divider {
    /// Width of Program.
    Program,
    /// Width of State.
    State,
    /// Height of the drawer.
    Drawer,
}

impl Divider {
    pub(crate) const ALL: [Self; 3] = [Self::Program, Self::State, Self::Drawer];

    /// Custom property that holds the size.
    pub(crate) const fn property(self) -> &'static str {
        match self {
            Self::Program => "--program",
            Self::State => "--state",
            Self::Drawer => "--drawer",
        }
    }

    /// Accessible name.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Program => "Width of Program",
            Self::State => "Width of State",
            Self::Drawer => "Height of the drawer",
        }
    }

    /// Default size in percent, as in `layout.css`.
    pub(crate) const fn default_size(self) -> u8 {
        match self {
            Self::Program => 25,
            Self::State => 29,
            Self::Drawer => 24,
        }
    }

    /// Minimum and maximum size in percent.
    pub(crate) const fn limits(self) -> (u8, u8) {
        match self {
            Self::Program | Self::State => (15, 45),
            Self::Drawer => (5, 70),
        }
    }
}

/// User-set sizes in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    program: Option<u8>,
    state: Option<u8>,
    drawer: Option<u8>,
}

impl Sizes {
    /// Converts to the saved record.
    pub(crate) const fn record(self) -> lanewise_saved::Sizes {
        lanewise_saved::Sizes {
            program: self.program,
            state: self.state,
            drawer: self.drawer,
        }
    }

    /// Converts from the saved record, clamping to the limits.
    pub(crate) fn of_record(record: lanewise_saved::Sizes) -> Self {
        let mut sizes = Self::default();
        sizes.set(Divider::Program, record.program);
        sizes.set(Divider::State, record.state);
        sizes.set(Divider::Drawer, record.drawer);
        sizes
    }

    pub(crate) const fn of(self, divider: Divider) -> Option<u8> {
        match divider {
            Divider::Program => self.program,
            Divider::State => self.state,
            Divider::Drawer => self.drawer,
        }
    }

    /// Sets a size, clamped to the limits; `None` restores the default.
    pub(crate) fn set(&mut self, divider: Divider, size: Option<u8>) {
        let (least, greatest) = divider.limits();
        let size = size.map(|size| size.clamp(least, greatest));
        match divider {
            Divider::Program => self.program = size,
            Divider::State => self.state = size,
            Divider::Drawer => self.drawer = size,
        }
    }

    /// Custom properties of the user-set sizes.
    pub(crate) fn style(self) -> String {
        let chosen = Divider::ALL.into_iter().filter_map(|divider| {
            let size = self.of(divider)?;
            Some(format!("{}:{size};", divider.property()))
        });
        chosen.collect()
    }
}

/// Visible areas, tabs and dialogs, and the sizes of the areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Whether the window shows one area at a time. Copied from the media
    /// query, because reducers and links also need it.
    pub(crate) compact: bool,
    pub(crate) shown: Area,
    /// Drawer tab that the user picked, if any.
    pub(crate) tab: Option<DrawerTab>,
    pub(crate) sizes: Sizes,
    /// Open dialog.
    pub(crate) dialog: Option<DialogKind>,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            compact: false,
            shown: Area::Stage,
            tab: None,
            sizes: Sizes::default(),
            dialog: None,
        }
    }
}

impl Screen {
    /// Shows the area and drawer tab with these stable names; ignores unknown
    /// names.
    pub(crate) fn restore(&mut self, area: &str, tab: &str) {
        self.shown = Area::of_key(area).unwrap_or(self.shown);
        self.tab = DrawerTab::of_key(tab).or(self.tab);
    }

    /// Whether an area is hidden behind another tab.
    pub(crate) fn hides(self, area: Area) -> bool {
        self.compact && self.shown != area
    }

    /// Open drawer tab: the user's choice, or the default for the current
    /// picture.
    pub(crate) fn open_tab(self, scope: TabScope) -> DrawerTab {
        match self.tab {
            Some(tab) if tab.exists_for(scope) => tab,
            Some(_) => DrawerTab::Lanes,
            None => scope.own.unwrap_or(DrawerTab::Lanes),
        }
    }

    /// Whether the Outcomes tab is visible.
    pub(crate) fn shows_outcomes(self) -> bool {
        self.tab == Some(DrawerTab::Outcomes) && !self.hides(Area::Drawer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::screen::ScreenAction;

    #[test]
    fn only_a_narrow_window_hides_areas() {
        let mut screen = Screen::default();
        screen.apply(ScreenAction::Show(Area::State));
        assert!(Area::ALL.iter().all(|area| !screen.hides(*area)));
        screen.apply(ScreenAction::Compact(true));
        let seen = Area::ALL.into_iter().filter(|area| !screen.hides(*area));
        assert_eq!(seen.collect::<Vec<_>>(), [Area::State]);
        screen.apply(ScreenAction::OpenTab(DrawerTab::Outcomes));
        assert!(screen.shows_outcomes() && screen.hides(Area::State));
    }

    #[test]
    fn products_tab_requires_the_matrix_picture() {
        let mut screen = Screen::default();
        let scope = |own| TabScope {
            own,
            ..TabScope::default()
        };
        let open = |screen: Screen| {
            [Some(DrawerTab::Products), None].map(|own| screen.open_tab(scope(own)))
        };
        assert_eq!(open(screen), [DrawerTab::Products, DrawerTab::Lanes]);
        screen.apply(ScreenAction::OpenTab(DrawerTab::Products));
        assert_eq!(open(screen), [DrawerTab::Products, DrawerTab::Lanes]);
        screen.apply(ScreenAction::OpenTab(DrawerTab::Lanes));
        assert_eq!(open(screen), [DrawerTab::Lanes; 2]);
        assert!(!DrawerTab::all_for(scope(None)).contains(&DrawerTab::Products));
    }

    #[test]
    fn sizes_are_clamped() {
        let mut sizes = Sizes::default();
        sizes.set(Divider::Drawer, Some(99));
        sizes.set(Divider::Program, Some(30));
        assert_eq!(sizes.style(), "--program:30;--drawer:70;");
        sizes.set(Divider::Drawer, None);
        assert_eq!(sizes.of(Divider::Drawer), None);
    }
}

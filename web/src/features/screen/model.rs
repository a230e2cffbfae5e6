//! Which area, which tab and which dialog are shown, and how large the areas are.

/// An area of the screen, in the order of the tabs of a narrow window.
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

    /// Its name in what a browser keeps.
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

    /// The id of the element that holds it.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Stage => "area-stage",
            Self::Program => "area-program",
            Self::State => "area-state",
            Self::Drawer => "area-drawer",
        }
    }

    /// The id of its tab in a narrow window.
    pub(crate) const fn tab_id(self) -> &'static str {
        match self {
            Self::Stage => "show-stage",
            Self::Program => "show-program",
            Self::State => "show-state",
            Self::Drawer => "show-drawer",
        }
    }
}

/// A tab of the drawer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawerTab {
    Lanes,
    /// Of an element of D; only where the instruction multiplies matrices.
    Products,
    Outcomes,
    Encoding,
    Explain,
    Problems,
}

impl DrawerTab {
    const ALL: [Self; 6] = [
        Self::Lanes,
        Self::Products,
        Self::Outcomes,
        Self::Encoding,
        Self::Explain,
        Self::Problems,
    ];

    /// The tabs that there are for an instruction that multiplies matrices or does
    /// not, in their order.
    pub(crate) fn all_for(is_matrix: bool) -> Vec<Self> {
        let all = Self::ALL.into_iter();
        all.filter(|tab| is_matrix || *tab != Self::Products)
            .collect()
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Lanes => "Lanes",
            Self::Products => "Products",
            Self::Outcomes => "Outcomes",
            Self::Encoding => "Encoding",
            Self::Explain => "Explain",
            Self::Problems => "Problems",
        }
    }

    /// Its name in links and in what a browser keeps.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Products => "products",
            Self::Outcomes => "outcomes",
            Self::Encoding => "encoding",
            Self::Explain => "explain",
            Self::Problems => "problems",
        }
    }

    /// The tab of such a name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tab| tab.key() == key)
    }

    /// The id of the tab.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Lanes => "drawer-lanes",
            Self::Products => "drawer-products",
            Self::Outcomes => "drawer-outcomes",
            Self::Encoding => "drawer-encoding",
            Self::Explain => "drawer-explain",
            Self::Problems => "drawer-problems",
        }
    }
}

/// The dialogs, of which one is open at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialogKind {
    /// The list of scenarios or of instructions.
    Picker,
    Share,
    Embed,
    /// The functions of a file.
    Files,
    /// The keyboard shortcuts.
    Help,
}

/// What can be dragged between two areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Divider {
    /// The width of Program.
    Program,
    /// The width of State.
    State,
    /// The height of the drawer.
    Drawer,
}

impl Divider {
    pub(crate) const ALL: [Self; 3] = [Self::Program, Self::State, Self::Drawer];

    /// The custom property that has the size.
    pub(crate) const fn property(self) -> &'static str {
        match self {
            Self::Program => "--program",
            Self::State => "--state",
            Self::Drawer => "--drawer",
        }
    }

    /// Its accessible name.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Program => "Width of Program",
            Self::State => "Width of State",
            Self::Drawer => "Height of the drawer",
        }
    }

    /// The size as long as nobody has chosen one, in percent: as in
    /// `layout.css`.
    pub(crate) const fn default_size(self) -> u8 {
        match self {
            Self::Program => 25,
            Self::State => 29,
            Self::Drawer => 24,
        }
    }

    /// The least and the greatest size, in percent.
    pub(crate) const fn limits(self) -> (u8, u8) {
        match self {
            Self::Program | Self::State => (15, 45),
            Self::Drawer => (5, 70),
        }
    }
}

/// The sizes that a reader has chosen, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    program: Option<u8>,
    state: Option<u8>,
    drawer: Option<u8>,
}

impl Sizes {
    /// As it is kept between visits.
    pub(crate) const fn record(self) -> lanewise_saved::Sizes {
        lanewise_saved::Sizes {
            program: self.program,
            state: self.state,
            drawer: self.drawer,
        }
    }

    /// As it was kept, within the limits.
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

    /// Sets a size, within its limits; `None` is the default.
    pub(crate) fn set(&mut self, divider: Divider, size: Option<u8>) {
        let (least, greatest) = divider.limits();
        let size = size.map(|size| size.clamp(least, greatest));
        match divider {
            Divider::Program => self.program = size,
            Divider::State => self.state = size,
            Divider::Drawer => self.drawer = size,
        }
    }

    /// The custom properties of those that were chosen.
    pub(crate) fn style(self) -> String {
        let chosen = Divider::ALL.into_iter().filter_map(|divider| {
            let size = self.of(divider)?;
            Some(format!("{}:{size};", divider.property()))
        });
        chosen.collect()
    }
}

/// Which area, which tab and which dialog are shown, and how large the areas are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Whether the window shows one area at a time. A copy of what the media query
    /// says: which areas are hidden is asked by reducers and links too.
    pub(crate) compact: bool,
    pub(crate) shown: Area,
    /// The tab of the drawer that was picked, if any was.
    pub(crate) tab: Option<DrawerTab>,
    pub(crate) sizes: Sizes,
    /// The dialog that is open.
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
    /// Shows the area and opens the drawer's tab of these keys, where there are
    /// such.
    pub(crate) fn restore(&mut self, area: &str, tab: &str) {
        self.shown = Area::of_key(area).unwrap_or(self.shown);
        self.tab = DrawerTab::of_key(tab).or(self.tab);
    }

    /// Whether an area is out of sight, behind another one's tab.
    pub(crate) fn hides(self, area: Area) -> bool {
        self.compact && self.shown != area
    }

    /// The open tab of the drawer: the one that was picked, or what suits the
    /// instruction at hand.
    pub(crate) fn open_tab(self, is_matrix: bool) -> DrawerTab {
        match self.tab {
            Some(DrawerTab::Products) if !is_matrix => DrawerTab::Lanes,
            Some(tab) => tab,
            None if is_matrix => DrawerTab::Products,
            None => DrawerTab::Lanes,
        }
    }

    /// Whether the Outcomes tab of the drawer is in sight.
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
    fn products_are_a_tab_of_matrix_instructions_only() {
        let mut screen = Screen::default();
        let open = |screen: Screen| [true, false].map(|is_matrix| screen.open_tab(is_matrix));
        assert_eq!(open(screen), [DrawerTab::Products, DrawerTab::Lanes]);
        screen.apply(ScreenAction::OpenTab(DrawerTab::Products));
        assert_eq!(open(screen), [DrawerTab::Products, DrawerTab::Lanes]);
        screen.apply(ScreenAction::OpenTab(DrawerTab::Lanes));
        assert_eq!(open(screen), [DrawerTab::Lanes; 2]);
        assert!(!DrawerTab::all_for(false).contains(&DrawerTab::Products));
    }

    #[test]
    fn sizes_stay_within_their_limits() {
        let mut sizes = Sizes::default();
        sizes.set(Divider::Drawer, Some(99));
        sizes.set(Divider::Program, Some(30));
        assert_eq!(sizes.style(), "--program:30;--drawer:70;");
        sizes.set(Divider::Drawer, None);
        assert_eq!(sizes.of(Divider::Drawer), None);
    }
}

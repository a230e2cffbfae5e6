//! Visible areas, tabs and dialogs, and the sizes of the areas.

use crate::store::Request;
use lanewise_answer::choices;
use lanewise_core::isa::LaunchWords;
use lanewise_core::text::capitalized;
use lanewise_saved::{Settings, Sizes};

choices! {
    /// Area of the screen, in tab order of a narrow window.
    #[derive(Default)]
    pub(crate) Area {
        #[default]
        Stage "stage" "Stage",
        Program "program" "Program",
        State "state" "State",
        Drawer "drawer" "Details",
    }
}

impl Area {
    /// Id of the containing element.
    pub(crate) fn id(self) -> String {
        format!("area-{}", self.key())
    }

    /// Id of the area's tab in a narrow window.
    pub(crate) fn tab_id(self) -> String {
        format!("show-{}", self.key())
    }
}

choices! {
    pub(crate) DrawerTab {
        WorkItems "items" "Work-items",
        /// Arguments and variables of a kernel.
        Variables "variables" "Variables",
        Lanes "lanes" "Lanes",
        /// Blocks of a program with branches.
        Flow "flow" "Control flow",
        /// Threads of a program with several.
        Threads "threads" "Threads",
        /// Products of one D element; only beside the matrix picture.
        Products "products" "Products",
        Outcomes "outcomes" "Outcomes",
        /// Text that a kernel prints.
        Output "output" "Output",
        Encoding "encoding" "Encoding",
        Explain "explain" "Explain",
        Problems "problems" "Problems",
        /// Source of a file of `lanewise serve`.
        Source "source" "Source",
    }
}

impl DrawerTab {
    /// Available tabs in order.
    pub(crate) fn all_for(scope: TabScope) -> Vec<Self> {
        let all = Self::ALL.into_iter();
        all.filter(|tab| tab.exists_for(scope)).collect()
    }

    /// Label, in the words of a program.
    pub(crate) fn label_in(self, words: &LaunchWords) -> String {
        match self {
            Self::WorkItems => capitalized(words.item) + "s",
            Self::Threads => capitalized(words.thread) + "s",
            tab => String::from(tab.label()),
        }
    }

    fn exists_for(self, scope: TabScope) -> bool {
        match self {
            Self::WorkItems | Self::Variables => scope.is_kernel,
            Self::Products => scope.own == Some(self),
            Self::Flow => scope.has_branches,
            Self::Threads => scope.threads > 1,
            Self::Source => scope.is_served,
            Self::Output => scope.prints,
            _ => true,
        }
    }

    pub(crate) fn id(self) -> String {
        format!("drawer-{}", self.key())
    }
}

/// Facts that decide which drawer tabs exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TabScope {
    /// Tab that only the current picture has.
    pub(crate) own: Option<DrawerTab>,
    pub(crate) has_branches: bool,
    /// Whether the program is a kernel.
    pub(crate) is_kernel: bool,
    pub(crate) threads: u8,
    pub(crate) is_served: bool,
    /// Whether the kernel calls printf.
    pub(crate) prints: bool,
}

/// Dialogs, of which at most one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialogKind {
    /// Scenario or instruction picker.
    Picker,
    Share,
    Embed,
    Files,
    /// Sizes and arguments of a kernel launch.
    Launch,
    Help,
}

choices! {
    /// Draggable divider between two areas: the custom property of its size, and its
    /// accessible name.
    pub(crate) Divider {
        /// Width of Program.
        Program "--program" "Width of Program",
        /// Width of State.
        State "--state" "Width of State",
        /// Height of the drawer.
        Drawer "--drawer" "Height of the drawer",
    }
}

impl Divider {
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

    pub(super) const fn size_mut(self, sizes: &mut Sizes) -> &mut Option<u8> {
        match self {
            Self::Program => &mut sizes.program,
            Self::State => &mut sizes.state,
            Self::Drawer => &mut sizes.drawer,
        }
    }
}

/// Visible areas, tabs and dialogs, and the sizes of the areas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Screen {
    /// Whether the window shows one area at a time. Copied from the media
    /// query, because reducers and links also need it.
    pub(crate) compact: bool,
    pub(crate) shown: Area,
    /// Drawer tab that the user picked, if any.
    pub(crate) tab: Option<DrawerTab>,
    /// Sizes of the areas in percent, where the user has set them.
    pub(crate) sizes: Sizes,
    pub(crate) dialog: Option<DialogKind>,
    /// Id of an element to focus.
    pub(crate) focus: Option<Request<&'static str>>,
    /// Whether `lanewise serve` serves the page.
    pub(crate) is_served: bool,
}

impl Screen {
    /// Layout of an earlier visit; ignores unknown names.
    pub(crate) fn restored(settings: &Settings) -> Self {
        Self {
            shown: Area::of_key(&settings.area).unwrap_or_default(),
            tab: DrawerTab::of_key(&settings.drawer),
            sizes: settings.sizes,
            ..Self::default()
        }
    }

    /// Size that the user has set, within the limits.
    pub(crate) fn size(mut self, divider: Divider) -> Option<u8> {
        let (least, greatest) = divider.limits();
        let size = *divider.size_mut(&mut self.sizes);
        size.map(|size| size.clamp(least, greatest))
    }

    /// Custom properties of the sizes that the user has set.
    pub(crate) fn style(self) -> String {
        let chosen = Divider::ALL.into_iter().filter_map(|divider| {
            let size = self.size(divider)?;
            Some(format!("{}:{size};", divider.key()))
        });
        chosen.collect()
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
            None if scope.own.is_none() && scope.is_kernel => DrawerTab::WorkItems,
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
}

//! Where the panes are: which of them a phone shows, and how large they are.

/// A pane, in the order of the phone's tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    Program,
    Encoding,
    Explain,
    /// With the lanes, or the instruction's own picture.
    Execution,
    State,
    Outcomes,
}

impl Pane {
    pub(crate) const ALL: [Self; 6] = [
        Self::Program,
        Self::Encoding,
        Self::Explain,
        Self::Execution,
        Self::State,
        Self::Outcomes,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Program => "Program",
            Self::Encoding => "Encoding",
            Self::Explain => "Explain",
            Self::Execution => "Execution",
            Self::State => "State",
            Self::Outcomes => "Outcomes",
        }
    }

    /// The id of the place that holds it.
    pub(crate) const fn place(self) -> &'static str {
        match self {
            Self::Program => "place-program",
            Self::Encoding => "place-encoding",
            Self::Explain => "place-explain",
            Self::Execution => "place-execution",
            Self::State => "place-state",
            Self::Outcomes => "place-outcomes",
        }
    }

    /// The id of its tab on a phone.
    pub(crate) const fn tab(self) -> &'static str {
        match self {
            Self::Program => "show-program",
            Self::Encoding => "show-encoding",
            Self::Explain => "show-explain",
            Self::Execution => "show-execution",
            Self::State => "show-state",
            Self::Outcomes => "show-outcomes",
        }
    }
}

/// What can be dragged, between panes, in the order in which sizes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Divider {
    /// How wide the left column is.
    Columns,
    /// How high the program is.
    Program,
    Encoding,
    Lanes,
    Outcomes,
}

impl Divider {
    pub(crate) const ALL: [Self; 5] = [
        Self::Columns,
        Self::Program,
        Self::Encoding,
        Self::Lanes,
        Self::Outcomes,
    ];

    /// The custom property that has the size.
    pub(crate) const fn property(self) -> &'static str {
        match self {
            Self::Columns => "--columns",
            Self::Program => "--program",
            Self::Encoding => "--encoding",
            Self::Lanes => "--lanes",
            Self::Outcomes => "--outcomes",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Columns => "Width of the left column",
            Self::Program => "Height of Program",
            Self::Encoding => "Height of Encoding",
            Self::Lanes => "Height of Lanes",
            Self::Outcomes => "Height of Outcomes",
        }
    }

    /// The size as long as nobody has chosen one, in percent: as in
    /// `layout.css`.
    pub(crate) const fn usual(self) -> u8 {
        match self {
            Self::Columns => 42,
            Self::Program => 55,
            Self::Encoding => 50,
            Self::Lanes => 38,
            Self::Outcomes => 34,
        }
    }

    /// The least and the most, in percent.
    pub(crate) const fn limits(self) -> (u8, u8) {
        match self {
            Self::Columns => (25, 70),
            _ => (15, 80),
        }
    }
}

/// The sizes that a reader has chosen, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes([Option<u8>; 5]);

impl Sizes {
    pub(crate) const fn of(self, divider: Divider) -> Option<u8> {
        self.0[divider as usize]
    }

    fn set(&mut self, divider: Divider, size: Option<u8>) {
        let (least, most) = divider.limits();
        self.0[divider as usize] = size.map(|size| size.clamp(least, most));
    }

    /// One after the other, as it is kept.
    pub(crate) fn text(self) -> String {
        let text = |size: &Option<u8>| size.map_or_else(String::new, |size| size.to_string());
        self.0.iter().map(text).collect::<Vec<_>>().join(",")
    }

    /// What was kept; what is no size is none.
    pub(crate) fn read(kept: &str) -> Self {
        let mut sizes = Self::default();
        for (divider, size) in Divider::ALL.into_iter().zip(kept.split(',')) {
            let (least, most) = divider.limits();
            let size = size.parse().ok();
            sizes.set(divider, size.filter(|size| (least..=most).contains(size)));
        }
        sizes
    }

    /// For the style sheet.
    pub(crate) fn style(self) -> String {
        let mut style = String::new();
        for divider in Divider::ALL {
            if let Some(size) = self.of(divider) {
                for part in [divider.property(), ":", &size.to_string(), ";"] {
                    style.push_str(part);
                }
            }
        }
        style
    }
}

/// What a reader can do about where the panes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkbenchAction {
    /// Whether the window is a phone's: panes are tabs there.
    Phone(bool),
    /// Show this pane, where only one is shown.
    Show(Pane),
    /// The same, and move the focus into the program.
    ToProgram,
    /// A pane is to be this large, in percent, or as usual.
    Size(Divider, Option<u8>),
}

/// Where the panes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Workbench {
    pub(crate) phone: bool,
    pub(crate) shown: Pane,
    pub(crate) sizes: Sizes,
    /// How often the focus was asked into the program.
    pub(crate) to_program: u32,
}

impl Default for Workbench {
    fn default() -> Self {
        Self {
            phone: false,
            shown: Pane::Program,
            sizes: Sizes::default(),
            to_program: 0,
        }
    }
}

impl Workbench {
    pub(super) fn apply(&mut self, action: WorkbenchAction) {
        match action {
            WorkbenchAction::Phone(phone) => self.phone = phone,
            WorkbenchAction::Show(pane) => self.shown = pane,
            WorkbenchAction::Size(divider, size) => self.sizes.set(divider, size),
            WorkbenchAction::ToProgram => {
                self.shown = Pane::Program;
                self.to_program = self.to_program.wrapping_add(1);
            }
        }
    }

    /// Shows the pane of a name, if there is one.
    pub(crate) fn show(&mut self, name: &str) {
        let pane = Pane::ALL.into_iter().find(|pane| pane.name() == name);
        self.shown = pane.unwrap_or(self.shown);
    }

    /// Whether a pane is out of sight, behind another one's tab.
    pub(crate) fn hides(self, pane: Pane) -> bool {
        self.phone && self.shown != pane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_phone_hides_panes() {
        let mut bench = Workbench::default();
        bench.apply(WorkbenchAction::Show(Pane::State));
        assert!(Pane::ALL.iter().all(|pane| !bench.hides(*pane)));
        bench.apply(WorkbenchAction::Phone(true));
        let seen: Vec<Pane> = Pane::ALL.into_iter().filter(|p| !bench.hides(*p)).collect();
        assert_eq!(seen, [Pane::State]);
        bench.apply(WorkbenchAction::ToProgram);
        assert!(!bench.hides(Pane::Program));
    }
}

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

/// What a reader can do about where the panes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkbenchAction {
    /// Whether the window is a phone's: panes are tabs there.
    Phone(bool),
    /// Show this pane, where only one is shown.
    Show(Pane),
    /// The same, and move the focus into the program.
    ToProgram,
}

/// Where the panes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Workbench {
    pub(crate) phone: bool,
    pub(crate) shown: Pane,
    /// How often the focus was asked into the program.
    pub(crate) to_program: u32,
}

impl Default for Workbench {
    fn default() -> Self {
        Self {
            phone: false,
            shown: Pane::Program,
            to_program: 0,
        }
    }
}

impl Workbench {
    pub(super) fn apply(&mut self, action: WorkbenchAction) {
        match action {
            WorkbenchAction::Phone(phone) => self.phone = phone,
            WorkbenchAction::Show(pane) => self.shown = pane,
            WorkbenchAction::ToProgram => {
                self.shown = Pane::Program;
                self.to_program = self.to_program.wrapping_add(1);
            }
        }
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

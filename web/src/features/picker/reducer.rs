use super::{Picker, PickerAction, PickerMove};
use crate::features::program::Origin;
use crate::features::screen::DialogKind;
use crate::store::State;
use lanewise_core::library::{BUNDLED, Bundled};
use lanewise_core::program::Program;
use std::rc::Rc;

/// Number of entries per page.
const PAGE: usize = 8;

impl State {
    pub(crate) fn apply_picker(&mut self, action: PickerAction) {
        if matches!(action, PickerAction::Open(_)) {
            self.screen.dialog = Some(DialogKind::Picker);
        }
        self.picker.apply(action, &self.source.origin);
    }
}

impl Picker {
    /// `current` is the origin of the open program.
    pub(super) fn apply(&mut self, action: PickerAction, current: &Origin) {
        match action {
            PickerAction::Open(listed) => {
                self.listed = listed;
                if self.notes.is_empty() {
                    let notes = |s: &Bundled| Program::parse(s.text).notes.join(" ");
                    self.notes = BUNDLED.iter().map(notes).collect();
                }
                self.query.clear();
                self.matches = Rc::new(self.find());
                let mut entries = self.matches.entries.iter();
                let open = entries.position(|entry| listed.shows(entry, current));
                self.marked = open.unwrap_or_default();
            }
            PickerAction::Query(query) => {
                self.query = query;
                self.matches = Rc::new(self.find());
                self.marked = 0;
            }
            PickerAction::Mark(to) => {
                let last = self.matches.entries.len().saturating_sub(1);
                self.marked = match to {
                    PickerMove::Next if self.marked >= last => 0,
                    PickerMove::Next => self.marked + 1,
                    PickerMove::Previous => self.marked.checked_sub(1).unwrap_or(last),
                    PickerMove::PageDown => last.min(self.marked + PAGE),
                    PickerMove::PageUp => self.marked.saturating_sub(PAGE),
                };
            }
        }
    }
}

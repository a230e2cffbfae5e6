use super::{Picker, PickerAction};
use lanewise_core::library::{BUNDLED, Bundled};
use lanewise_core::program::Program;
use std::rc::Rc;

impl Picker {
    /// `current` is the id of the scenario that is open.
    pub(crate) fn apply(&mut self, action: PickerAction, current: &str) {
        match action {
            PickerAction::Open(listed) => {
                self.listed = Some(listed);
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
            PickerAction::Close => self.listed = None,
            PickerAction::Query(query) => {
                self.query = query;
                self.matches = Rc::new(self.find());
                self.marked = 0;
            }
            PickerAction::Move(by) => {
                let last = self.matches.entries.len().saturating_sub(1);
                self.marked = match self.marked.checked_add_signed(by) {
                    Some(to) if to <= last => to,
                    // Single steps go round, longer ones stop at the ends.
                    Some(_) if by == 1 => 0,
                    None if by == -1 => last,
                    Some(_) => last,
                    None => 0,
                };
            }
        }
    }
}

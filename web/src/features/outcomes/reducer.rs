//! Reducer of Outcomes.

use super::OutcomesAction;
use super::state::ProgramContext;
use crate::store::{Slice, State};
use lanewise_core::session::Session;

impl State {
    /// Run shown in the stage: the program's own, or that of a previewed
    /// result.
    pub(crate) fn stage_session(&self) -> &Slice<Session> {
        self.outcomes.preview().unwrap_or(&self.session)
    }

    pub(crate) fn apply_outcomes(&mut self, action: OutcomesAction) {
        if action.edits() && self.is_read_only() {
            return;
        }
        let context = ProgramContext::new(&self.source, &self.session);
        if let Some(edit) = self.outcomes.apply(action, context) {
            self.rewrite(&edit.lines.text, edit.lines.caret);
            if edit.to_end {
                self.seek_end();
            }
        }
    }

    /// Updates outcomes for the current program; no effect if it is unchanged.
    pub(crate) fn update_outcomes(&mut self) {
        let context = ProgramContext::new(&self.source, &self.session);
        if !self.outcomes.are_of(context) {
            self.outcomes.take_program(context);
        }
    }
}

//! The outcomes of the program, as part of the state.

use super::OutcomesAction;
use super::state::ProgramContext;
use crate::store::{Slice, State};
use lanewise_core::session::Session;

impl State {
    /// The run that the stage shows: the program's own, or that of a result
    /// that is previewed.
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

    /// Has the outcomes take the program that the text now is. Where it is the
    /// same they stay as they are.
    pub(crate) fn update_outcomes(&mut self) {
        let context = ProgramContext::new(&self.source, &self.session);
        if !self.outcomes.are_of(context) {
            self.outcomes.take_program(context);
        }
    }
}

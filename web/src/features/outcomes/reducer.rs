//! The outcomes of the program, as part of the state.

use super::{Outcomes, OutcomesAction, ProgramContext};
use crate::store::{Slice, State};
use lanewise_core::session::Session;

impl State {
    /// The outcomes of the program.
    pub(crate) fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// The run that the stage shows: the program's own, or that of a result
    /// that is previewed.
    pub(crate) fn stage_session(&self) -> &Slice<Session> {
        self.outcomes.preview().unwrap_or(&self.session)
    }

    pub(crate) fn apply_outcomes(&mut self, action: OutcomesAction) {
        let context = ProgramContext::new(&self.source, &self.session);
        if let Some(edit) = self.outcomes.apply(action, context) {
            self.rewrite(&edit.text, edit.caret);
            if edit.to_end {
                self.seek_end();
            }
        }
    }

    /// Has the outcomes follow the program. Where it is the same they stay as
    /// they are.
    pub(crate) fn follow_outcomes(&mut self) {
        let context = ProgramContext::new(&self.source, &self.session);
        if !self.outcomes.follows(context) {
            self.outcomes.follow(context);
        }
    }
}

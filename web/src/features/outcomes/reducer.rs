//! Reducer of Outcomes.

use super::OutcomesAction;
use super::state::{Effect, ProgramContext, RunEnd};
use crate::features::transport::AHEAD;
use crate::store::{Slice, State};
use lanewise_answer::goal::Goal;
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, Session};
use lanewise_core::text::Rewritten;
use std::rc::Rc;

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
        if matches!(action, OutcomesAction::Move(_)) && self.outcomes.is_trial() {
            // The lane is moved in the order that is shown.
            self.apply_outcomes(OutcomesAction::Keep);
        }
        let context = ProgramContext::new(&self.source, &self.session);
        match self.outcomes.apply(action, context) {
            None => {}
            Some(Effect::Rewrite(Rewritten { text, caret })) => self.rewrite(&text, caret),
            Some(Effect::Run(program, end)) => self.run_reordered(program, end),
        }
    }

    /// Runs the program with other lane orders than those of the text.
    fn run_reordered(&mut self, program: Rc<Program>, end: RunEnd) {
        let here = self.destination();
        self.pause();
        let is_alike = self.session.replace_program(program);
        assert!(is_alike, "only lane orders differ");
        let session = &mut self.session;
        match end {
            RunEnd::Here => self.seek_unexplored(here),
            RunEnd::End => self.run_to(Goal::End),
            RunEnd::Access(issue, unit) => {
                session.precompute(AHEAD);
                let position = match unit {
                    Some(unit) => session.issue_start(issue).and_then(|start| {
                        let rows = session.lanes(issue);
                        let order = rows.iter().find(|row| row.unit == unit)?.order?;
                        Some(start + order as usize + 1)
                    }),
                    None => session.issue_start(IssueIndex(issue.0 + 1)),
                };
                match position {
                    Some(position) => self.seek_unexplored(position),
                    None => self.run_to(Goal::End),
                }
            }
        }
    }

    /// Updates outcomes for the current program; no effect if it is unchanged.
    pub(crate) fn update_outcomes(&mut self) {
        let context = ProgramContext::new(&self.source, &self.session);
        if !self.outcomes.belong_to(context) {
            self.outcomes.set_program(context);
        }
    }
}

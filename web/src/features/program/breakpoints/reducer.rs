use super::{BreakpointAction, Breakpoints};
use crate::store::State;
use lanewise_core::session::Condition;
use std::rc::Rc;

impl State {
    /// Restores breakpoints and their conditions by line number (from 1) of an
    /// earlier visit or a link.
    pub(crate) fn restore_breakpoints(&mut self, numbered: &[(u32, String)]) {
        let lines = self.source.document.lines.line_count();
        self.source.breakpoints = Breakpoints::restore(numbered, lines);
    }

    pub(crate) fn apply_breakpoint(&mut self, action: BreakpointAction) {
        let program = Rc::clone(&self.source.document.program);
        let instructions = program.instructions.iter();
        self.source
            .breakpoints
            .apply(action, instructions.map(|placed| placed.line));
    }

    /// Records a stop if the next instruction's line has a breakpoint. Returns
    /// whether it has.
    pub(crate) fn stop_at_breakpoint(&mut self) -> bool {
        if self.session.next_issue() == self.session.last_issue() {
            return false;
        }
        let Some(issue) = self.next_issue() else {
            return false;
        };
        let line = self.session.program().instruction(issue).line;
        let Some(condition) = self.source.breakpoints.lines.get(&line) else {
            return false;
        };
        if !condition.is_empty()
            // The run stops at a breakpoint whose condition is invalid.
            && let Ok(condition) = Condition::parse(condition, self.session.program())
            && !condition.holds(self.session.program(), self.session.machine(), issue.threads)
        {
            return false;
        }
        let step = self.session.position();
        self.source.breakpoints.stopped = Some((line, step));
        true
    }

    /// Clears the stop when the run continues.
    pub(crate) fn leave_breakpoint(&mut self) {
        // Early return: a mutable borrow would mark the slice as changed.
        if self.source.breakpoints.stopped.is_some() {
            self.source.breakpoints.stopped = None;
        }
    }
}

use super::model::Stop;
use super::{BreakpointAction, Breakpoints};
use crate::store::State;
use lanewise_core::session::Condition;

impl State {
    /// Restores breakpoints and their conditions by line number (from 1) of an
    /// earlier visit or a link.
    pub(crate) fn restore_breakpoints(&mut self, numbered: &[(u32, String)]) {
        let lines = self.source.document.lines.line_count();
        self.source.breakpoints = Breakpoints::restore(numbered, lines);
    }

    pub(crate) fn apply_breakpoint(&mut self, action: BreakpointAction) {
        let source = &mut *self.source;
        let program = &source.document.program;
        source.breakpoints.apply(action, program);
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
        let program = self.session.program();
        let line = program.instruction(issue).line;
        let Some(condition) = self.source.breakpoints.lines.get(&line) else {
            return false;
        };
        // The run stops at a breakpoint whose condition is invalid.
        let condition = Condition::parse(condition, program).ok();
        let threads = issue.threads;
        let first = condition
            .as_ref()
            .map(|found| found.first(program, self.session.machine(), threads));
        let (thread, channel) = match first {
            None => (threads.first(), None),
            Some(Some(place)) => place,
            Some(None) => return false,
        };
        // A condition says which thread and channel are of interest.
        if condition.is_some() && program.threads > 1 {
            if self.stepping.thread != Some(thread) {
                self.stepping.channel = None;
            }
            self.stepping.thread = Some(thread);
        }
        self.stepping.channel = channel.or(self.stepping.channel);
        self.source.breakpoints.stopped = Some(Stop {
            line,
            step: self.session.position(),
            thread,
        });
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

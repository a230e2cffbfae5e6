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
            && !condition.holds(self.session.machine(), issue.threads)
        {
            return false;
        }
        let step = self.session.position();
        self.source.breakpoints.stop_before(line, step);
        true
    }

    /// Clears the stop when the run continues.
    pub(crate) fn leave_breakpoint(&mut self) {
        // Early return: a mutable borrow would mark the slice as changed.
        if self.source.breakpoints.has_stopped() {
            self.source.breakpoints.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::transport::TransportAction;
    use crate::store::{Action, Saved};

    const TEXT: &str = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
// two of them
dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0

dword_atomic.dec (M1, 2) %slm V32.0 %null.0 %null.0 %null.0
";

    fn with(text: &str) -> State {
        State::new(Saved {
            text: Some(text.to_owned()),
            ..Saved::default()
        })
    }

    fn toggle(state: &mut State, line: u32) {
        state.act(Action::Breakpoint(BreakpointAction::Toggle(line)));
    }

    fn run(state: &mut State) -> usize {
        state.act(Action::Transport(TransportAction::ToggleRun));
        for _ in 0..100 {
            state.act(Action::Transport(TransportAction::Tick));
        }
        assert!(!state.stepping.running);
        state.session.position()
    }

    #[test]
    fn run_stops_at_a_breakpoint_and_resumes() {
        let mut state = with(TEXT);
        toggle(&mut state, 4);
        assert_eq!(run(&mut state), 2);
        let summary = state.transport().summary;
        assert_eq!(summary, "Stopped at the breakpoint on line 5.");
        assert_eq!(run(&mut state), 4);
        assert!(!state.transport().summary.contains("breakpoint"));
        // From the end, a run starts over.
        assert_eq!(run(&mut state), 2);
        state.act(Action::Transport(TransportAction::StepBack));
        state.act(Action::Transport(TransportAction::Step));
        assert!(!state.transport().summary.contains("breakpoint"));
        state.act(Action::Transport(TransportAction::ToEnd));
        toggle(&mut state, 2);
        assert_eq!(run(&mut state), 0);
        assert_eq!(run(&mut state), 2);
    }
}

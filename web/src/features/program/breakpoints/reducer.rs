use super::{BreakpointAction, Breakpoints};
use crate::store::State;
use lanewise_core::session::Condition;
use std::rc::Rc;

impl State {
    /// Restores breakpoints and conditions from line numbers (from 1) of an earlier
    /// visit or a link.
    pub(crate) fn restore_breakpoints(&mut self, numbers: &[u32], conditions: &[(u32, String)]) {
        let lines = self.source.document.lines.line_count();
        self.source.breakpoints = Breakpoints::restore(numbers, conditions, lines);
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
        // Early return: a mutable borrow would mark the slice as changed.
        if !self.source.breakpoints.lines().contains(&line) {
            return false;
        }
        let condition = self.source.breakpoints.conditions().get(&line).cloned();
        if let Some(text) = condition
            // The run stops at a breakpoint whose condition is invalid.
            && let Ok(condition) = Condition::parse(&text, self.session.program())
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
    use crate::features::program::ProgramAction;
    use crate::features::transport::TransportAction;
    use crate::store::{Action, Saved};
    use lanewise_core::library::named;

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
    fn breakpoints_toggle_and_move_to_an_instruction() {
        let mut state = with(TEXT);
        toggle(&mut state, 1);
        assert_eq!(*state.source.breakpoints.lines(), [2]);
        assert_eq!(&*state.source.breakpoints.change(), "Breakpoint on line 3.");
        toggle(&mut state, 4);
        assert_eq!(*state.source.breakpoints.lines(), [2, 4]);
        assert_eq!(state.source.breakpoints.numbers(), [3, 5]);
        toggle(&mut state, 5);
        assert_eq!(*state.source.breakpoints.lines(), [2, 4]);
        assert!(
            state
                .source
                .breakpoints
                .change()
                .starts_with("There is no instruction on or after")
        );
        toggle(&mut state, 2);
        assert_eq!(*state.source.breakpoints.lines(), [4]);
        state.act(Action::Breakpoint(BreakpointAction::Clear));
        assert!(state.source.breakpoints.numbers().is_empty());
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

    #[test]
    fn breakpoints_follow_their_lines_and_program() {
        let mut state = with(TEXT);
        toggle(&mut state, 4);
        state.act(Action::Program(ProgramAction::Edit(format!(
            "// more\n{TEXT}"
        ))));
        assert_eq!(*state.source.breakpoints.lines(), [5]);
        assert_eq!(run(&mut state), 2);
        let saved = Saved {
            text: Some(TEXT.to_owned()),
            breakpoints: vec![5, 900, 3],
            ..Saved::default()
        };
        let mut state = State::new(saved);
        assert_eq!(state.source.breakpoints.numbers(), [3, 5]);
        assert_eq!(*state.source.breakpoints.lines(), [2, 4]);
        state.act(Action::Program(ProgramAction::Choose(
            named("histogram").unwrap(),
        )));
        assert!(state.source.breakpoints.lines().is_empty());
    }
}

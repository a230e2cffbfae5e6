//! The chosen thread.

use crate::store::{Slice, State};
use lanewise_answer::threads::last_step_of;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::session::Session;

impl State {
    /// The thread that has stopped at a breakpoint, if the last step was one of another
    /// thread.
    pub(crate) fn stopped_thread(&self) -> Option<u8> {
        let session = &self.session;
        let stop = self.source.breakpoints.stopped_at(session.position());
        let thread = stop.filter(|_| !self.stepping.running)?.thread;
        let is_chosen = self.stepping.thread.is_none_or(|chosen| chosen == thread);
        let last = session.issue(session.last_issue()?)?;
        let is_other = last.threads.iter().all(|last| last != thread);
        (is_chosen && is_other && self.outcomes.preview().is_none()).then_some(thread)
    }

    /// Run shown in the stage, at the last step of the chosen thread; `None` before
    /// its first one. At a breakpoint in a thread that others have followed, it shows the
    /// next instruction.
    pub(crate) fn pictured_session(&self) -> Option<Slice<Session>> {
        let session = self.stage_session();
        if let Some(thread) = self.stopped_thread() {
            let mut session = Session::clone(session);
            show_next_of(&mut session, thread);
            return Some(Slice::new(session));
        }
        let threads = session.program().threads;
        let Some(thread) = self.stepping.thread.filter(|thread| *thread < threads) else {
            return Some(session.clone());
        };
        let at = last_step_of(session, thread)?;
        if at == session.position() {
            return Some(session.clone());
        }
        let mut session = Session::clone(session);
        session.seek(at);
        Some(Slice::new(session))
    }

    /// Whether a thread can execute another instruction.
    pub(crate) fn can_step(&self, thread: u8) -> bool {
        let control = Control::new(self.session.machine(), thread);
        self.can_run() && control.state() != ThreadState::Ended
    }
}

/// Shows the next instruction of a thread whose turn it is, behind marks of source lines.
fn show_next_of(session: &mut Session, thread: u8) {
    let next = |session: &Session| {
        let issue = session.issue(session.next_issue()?)?;
        let is_own = issue.threads.iter().any(|own| own == thread);
        let instruction = &session.program().instruction(issue).instruction;
        is_own.then(|| instruction.is_source_mark())
    };
    while next(session) == Some(true) && session.step() {}
    if next(session).is_some() {
        session.show_next();
    }
}

#[cfg(test)]
mod tests {
    use crate::features::program::BreakpointAction;
    use crate::features::stage::StageKind;
    use crate::features::transport::TransportAction;
    use crate::store::State;

    const TEXT: &str = ".target visa DG2
.launch global=16 local=16
.simd 8
.decl V32 v_type=G type=d num_elts=8 align=GRF
FILE \"a.cl\"
barrier
LOC 7
add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 1:d
ret (M1, 1)
";

    #[test]
    fn a_stop_behind_a_barrier_shows_the_next_instruction_of_the_stopped_thread() {
        let mut state = State::of_text(TEXT);
        state.act(BreakpointAction::Toggle(6));
        for thread in [0, 1] {
            state.run(TransportAction::Continue);
            let position = state.session.position();
            let stop = state.source.breakpoints.stopped_at(position);
            assert_eq!(stop.map(|stop| stop.thread), Some(thread));
            assert_eq!(state.shown_thread(), thread);
            let stage = state.stage();
            let StageKind::Vector(model) = &stage.kind else {
                panic!("not a computation: {:?}", stage.kind);
            };
            assert_eq!(stage.line, Some(7));
            assert!(model.caption.ends_with("about to be executed"));
            assert_eq!(model.threads[0].name, Some(format!("thread {thread}")));
            let label = state.pictured_line_label(7);
            assert_eq!(label.as_deref(), Some("Line 8: "));
        }
        // Another thread that the user chooses shows its own last step.
        state.act(TransportAction::Thread(Some(0)));
        assert_eq!(state.stopped_thread(), None);
        assert_ne!(state.stage().line, Some(7));
    }
}

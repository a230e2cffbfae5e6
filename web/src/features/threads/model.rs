//! The chosen thread, and names of threads.

use crate::store::{Slice, State};
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::Issue;
use lanewise_core::session::Session;

impl State {
    /// Run shown in the stage, at the last step of the chosen thread; `None` before
    /// its first one.
    pub(crate) fn pictured_session(&self) -> Option<Slice<Session>> {
        let session = self.stage_session();
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

fn last_step_of(session: &Session, thread: u8) -> Option<usize> {
    let position = session.position();
    let is_own = |issue: &Issue| issue.threads.iter().any(|own| own == thread);
    let starts: Vec<(usize, Issue)> = session.issue_starts().zip(session.issues()).collect();
    let begun = starts.partition_point(|(start, _)| *start < position);
    let own = starts[..begun]
        .iter()
        .rposition(|(_, issue)| is_own(issue))?;
    let next = starts.get(own + 1).map_or(position, |(start, _)| *start);
    Some(next.min(position))
}

/// The instruction at which a thread waits for others, if it does.
pub(crate) fn waiting_at(control: Control<'_>) -> Option<u32> {
    match control.state() {
        // The thread is already past the barrier.
        ThreadState::AtBarrier => control.pc().checked_sub(1),
        ThreadState::AtNamedBarrier => Some(control.pc()),
        ThreadState::Running | ThreadState::Ended => None,
    }
}

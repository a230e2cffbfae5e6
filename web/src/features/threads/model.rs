//! The chosen thread.

use crate::store::{Slice, State};
use lanewise_answer::threads::last_step_of;
use lanewise_core::machine::control::{Control, ThreadState};
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

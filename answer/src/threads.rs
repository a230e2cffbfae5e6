//! Where the threads of a work-group are.

use alloc::vec::Vec;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::Issue;
use lanewise_core::session::Session;

/// Position after the last step of a thread; `None` before its first one.
pub fn last_step_of(session: &Session, thread: u8) -> Option<usize> {
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
pub fn waiting_at(control: Control<'_>) -> Option<u32> {
    match control.state() {
        // The thread is already past the barrier.
        ThreadState::AtBarrier => control.pc().checked_sub(1),
        ThreadState::AtNamedBarrier => Some(control.pc()),
        ThreadState::Running | ThreadState::Ended => None,
    }
}

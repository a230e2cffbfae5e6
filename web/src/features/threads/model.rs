//! Model of the Threads tab.

use crate::features::lanes::units::runs;
use crate::store::{Slice, State};
use lanewise_core::isa::Unit;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::{Issue, Program};
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
}

/// Position after the last step of a thread.
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

/// Row of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadRow {
    pub(crate) thread: u8,
    pub(crate) name: String,
    /// Line of its next instruction, from 0.
    pub(crate) line: Option<u32>,
    /// Active lanes: `0–15`.
    pub(crate) lanes: String,
    /// Number of active lanes.
    pub(crate) count: u32,
    /// Number of lanes that wait elsewhere.
    pub(crate) waiting: usize,
    pub(crate) state: &'static str,
    /// Whether it executes the next instruction.
    pub(crate) is_next: bool,
    /// Whether it can execute an instruction now or later.
    pub(crate) has_ended: bool,
}

/// Name of a thread: `EU1` of a fused pair, else `thread 1`.
pub(crate) fn thread_name(thread: u8, program: &Program) -> String {
    match program.threads {
        2 if program.launch.is_none() => format!("EU{thread}"),
        _ => format!("thread {thread}"),
    }
}

/// Rows of all threads of the group.
pub(super) fn rows(session: &Session) -> Vec<ThreadRow> {
    let program = session.program();
    let next = session.next_issue().and_then(|next| session.issue(next));
    let row = |thread: u8| {
        let control = Control::new(session.machine(), thread);
        let has_ended = control.state() == ThreadState::Ended;
        let placed = program.instructions.get(control.pc() as usize);
        let active = if has_ended { 0 } else { control.active() };
        let units = (0..32).filter(|lane| active >> lane & 1 == 1);
        let units: Vec<Unit> = units.map(|lane| Unit::lane(thread, lane)).collect();
        let waiting = (0..32).filter(|channel| control.waiting(*channel).is_some());
        ThreadRow {
            thread,
            name: thread_name(thread, program),
            line: placed.filter(|_| !has_ended).map(|placed| placed.line),
            lanes: runs(&units, 1),
            count: active.count_ones(),
            waiting: waiting.count(),
            state: match control.state() {
                ThreadState::Running => "runs",
                ThreadState::AtBarrier => "waits at the barrier",
                ThreadState::AtNamedBarrier => "waits at a named barrier",
                ThreadState::Ended => "ended",
            },
            is_next: next.is_some_and(|next| next.threads.iter().any(|own| own == thread)),
            has_ended,
        }
    };
    (0..program.threads).map(row).collect()
}

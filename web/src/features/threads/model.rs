//! Model of the Threads tab.

use crate::features::lanes::units::runs;
use lanewise_core::isa::Unit;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::Program;
use lanewise_core::session::Session;

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

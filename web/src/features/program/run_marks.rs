//! Marks of the run beside the program: how often lines were executed, where
//! threads are and wait, and the fault.

use crate::features::threads::waiting_at;
use crate::store::State;
use lanewise_answer::lanes::lanes_text;
use lanewise_core::isa::Unit;
use lanewise_core::machine::control::{ChannelState, Control, ThreadState};
use lanewise_core::session::Session;
use lanewise_web::launch_checks::LaunchFinding;
use serde::Serialize;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// Marks of the run on a line. The code editor reads them, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct RunMark {
    /// From 0.
    pub(crate) line: u32,
    /// `EU1 ×9`; of a fault, `not-modelled`.
    pub(crate) text: String,
    /// `EU1 is here, executed 9 times`; of a fault, its message.
    pub(crate) title: String,
    /// Whether the fault that ends the run is here, once it is reached.
    pub(crate) fault: bool,
    /// Who waits there: `lanes 3, 6 wait here`.
    waits: Option<String>,
}

impl RunMark {
    fn add(&mut self, text: &str, title: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
            self.title.push_str(", ");
        }
        self.text.push_str(text);
        self.title.push_str(title);
    }
}

/// Marks of a run, by line. `thread` is the chosen thread, if any.
pub(crate) fn run_marks(
    session: &Session,
    thread: Option<u8>,
    findings: &[LaunchFinding],
) -> Vec<RunMark> {
    let mut marks: BTreeMap<u32, RunMark> = BTreeMap::new();
    let instructions = &session.program().instructions;
    if let Some(fault) = session.fault()
        && let Some(placed) = instructions.get(fault.instruction as usize)
    {
        let mark = marks.entry(placed.line).or_default();
        mark.fault = true;
        mark.add(fault.kind.word(), &fault.message);
    }
    for (line, name) in threads_by_line(session) {
        let mark = marks.entry(line).or_default();
        mark.add(&name, &format!("{name} is here"));
    }
    for (placed, count) in instructions.iter().zip(session.hit_counts()) {
        if count > 1 {
            let mark = marks.entry(placed.line).or_default();
            mark.add(&format!("×{count}"), &format!("executed {count} times"));
        }
    }
    for found in findings {
        for access in &found.accesses {
            if let Some(placed) = instructions.get(access.instruction as usize) {
                let mark = marks.entry(placed.line).or_default();
                if !mark.text.split(' ').any(|word| word == found.code) {
                    mark.add(&found.code, &found.title);
                }
            }
        }
    }
    for (line, text) in waits_by_line(session, thread) {
        marks.entry(line).or_default().waits = Some(text);
    }
    let marks = marks.into_iter();
    marks.map(|(line, mark)| RunMark { line, ..mark }).collect()
}

/// Where lanes of the chosen or next thread wait, and where threads wait at a
/// barrier.
fn waits_by_line(session: &Session, thread: Option<u8>) -> Vec<(u32, String)> {
    let program = session.program();
    let line = |pc: u32| Some(program.instructions.get(pc as usize)?.line);
    let mut waits = Vec::new();
    for thread in 0..program.threads {
        let control = Control::new(session.machine(), thread);
        if let Some(at) = waiting_at(control) {
            let at = line(at);
            waits.extend(at.map(|at| (at, format!("{} waits here", program.thread_name(thread)))));
        }
    }
    let next = session
        .current_issue()
        .and_then(|index| session.issue(index));
    let thread = thread.or(next.map(|issue| issue.threads.first()));
    let Some(thread) = thread.filter(|thread| *thread < program.threads) else {
        return waits;
    };
    let control = Control::new(session.machine(), thread);
    let mut lanes: BTreeMap<u32, Vec<Unit>> = BTreeMap::new();
    for channel in 0..32 {
        if let ChannelState::Waiting { pc, .. } = control.channel(channel)
            && let Some(line) = line(pc)
        {
            lanes
                .entry(line)
                .or_default()
                .push(Unit::lane(thread, channel));
        }
    }
    let text = |units: &[Unit]| {
        let verb = if units.len() == 1 { "waits" } else { "wait" };
        format!("{} {verb} here", lanes_text(units, 1))
    };
    waits.extend(lanes.iter().map(|(line, units)| (*line, text(units))));
    waits
}

/// Where the threads that have not ended are; empty if they are together.
fn threads_by_line(session: &Session) -> Vec<(u32, String)> {
    let program = session.program();
    let mut lines: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    for thread in 0..program.threads {
        let control = Control::new(session.machine(), thread);
        if let Some(placed) = program.instructions.get(control.pc() as usize)
            && control.state() != ThreadState::Ended
        {
            lines.entry(placed.line).or_default().push(thread);
        }
    }
    if lines.len() < 2 {
        return Vec::new();
    }
    let name = |threads: Vec<u8>| {
        let first = program.short_thread_name(threads[0]);
        match threads.len() {
            1 => first,
            count => format!("{first} +{}", count - 1),
        }
    };
    lines
        .into_iter()
        .map(|(line, threads)| (line, name(threads)))
        .collect()
}

/// Marks of the run, if the text can run.
#[hook]
pub(crate) fn use_run_marks(state: &State) -> Rc<Vec<RunMark>> {
    use_memo(
        (
            state.session.clone(),
            state.can_run(),
            state.stepping.thread,
            state.checks.clone(),
        ),
        |(session, runs, thread, _)| match runs {
            true => run_marks(session, *thread, state.findings()),
            false => Vec::new(),
        },
    )
}

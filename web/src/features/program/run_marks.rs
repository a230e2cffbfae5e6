//! Marks of the run beside the program: how often lines were executed, and
//! where threads are.

use crate::features::lanes::units::runs;
use crate::features::threads::thread_name;
use crate::store::State;
use lanewise_core::isa::Unit;
use lanewise_core::machine::control::{ChannelState, Control, ThreadState};
use lanewise_core::session::Session;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// Marks of the run, by line from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunMarks {
    /// Number of executions, of instructions executed more than once.
    pub(crate) hits: Rc<[(u32, u32)]>,
    /// Names of the threads there, where threads are at different lines.
    pub(crate) threads: Rc<[(u32, String)]>,
    /// Who waits there: `lanes 3, 6 wait here`.
    pub(crate) waits: Rc<[(u32, String)]>,
    /// Line of the fault that ends the run, once it is reached: its kind and
    /// its message.
    pub(crate) fault: Option<(u32, &'static str, Rc<str>)>,
}

/// Marks of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunMark {
    pub(crate) line: u32,
    /// Number of executions, if there are several.
    hits: Option<u32>,
    threads: Option<String>,
    fault: Option<(&'static str, Rc<str>)>,
    pub(crate) waits: Option<String>,
}

impl RunMark {
    /// `EU1 ×9`; of a fault, `not-modelled`.
    pub(crate) fn text(&self) -> String {
        let fault = self.fault.as_ref().map(|(kind, _)| String::from(*kind));
        let hits = self.hits.map(|count| format!("×{count}"));
        let parts = fault.into_iter().chain(self.threads.clone()).chain(hits);
        parts.collect::<Vec<_>>().join(" ")
    }

    /// `EU1 is here, executed 9 times`; of a fault, its message.
    pub(crate) fn title(&self) -> String {
        let fault = self.fault.as_ref().map(|(_, message)| message.to_string());
        let threads = self.threads.as_ref().map(|name| format!("{name} is here"));
        let hits = self.hits.map(|count| format!("executed {count} times"));
        let parts = fault.into_iter().chain(threads).chain(hits);
        parts.collect::<Vec<_>>().join(", ")
    }

    pub(crate) const fn is_fault(&self) -> bool {
        self.fault.is_some()
    }
}

impl RunMarks {
    /// Marked lines, in ascending order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = RunMark> {
        let mut marks: BTreeMap<u32, RunMark> = BTreeMap::new();
        let empty = |line| RunMark {
            line,
            hits: None,
            threads: None,
            fault: None,
            waits: None,
        };
        for (line, count) in self.hits.iter() {
            let mark = marks.entry(*line).or_insert_with(|| empty(*line));
            mark.hits = Some(*count);
        }
        for (line, name) in self.threads.iter() {
            let mark = marks.entry(*line).or_insert_with(|| empty(*line));
            mark.threads = Some(name.clone());
        }
        for (line, text) in self.waits.iter() {
            let mark = marks.entry(*line).or_insert_with(|| empty(*line));
            mark.waits = Some(text.clone());
        }
        if let Some((line, kind, message)) = &self.fault {
            let mark = marks.entry(*line).or_insert_with(|| empty(*line));
            mark.fault = Some((kind, Rc::clone(message)));
        }
        marks.into_values()
    }

    /// Marks of a run. `thread` is the chosen thread, if any.
    pub(crate) fn of(session: &Session, thread: Option<u8>) -> Self {
        let instructions = &session.program().instructions;
        let counts = instructions.iter().zip(session.hit_counts());
        let hits = counts.filter(|(_, count)| *count > 1);
        Self {
            hits: hits.map(|(placed, count)| (placed.line, count)).collect(),
            threads: threads_by_line(session).into(),
            waits: waits_by_line(session, thread).into(),
            fault: session.fault().and_then(|fault| {
                let placed = instructions.get(fault.instruction as usize)?;
                Some((placed.line, fault.kind.word(), Rc::from(&*fault.message)))
            }),
        }
    }
}

/// Where lanes of the chosen or next thread wait, and where threads wait at a
/// barrier.
fn waits_by_line(session: &Session, thread: Option<u8>) -> Vec<(u32, String)> {
    let program = session.program();
    let line = |pc: u32| Some(program.instructions.get(pc as usize)?.line);
    let mut waits = Vec::new();
    for thread in 0..program.threads {
        let control = Control::new(session.machine(), thread);
        let at = match control.state() {
            // The thread is already behind the barrier.
            ThreadState::AtBarrier => control.pc().checked_sub(1),
            ThreadState::AtNamedBarrier => Some(control.pc()),
            ThreadState::Running | ThreadState::Ended => None,
        };
        if let Some(at) = at {
            let at = line(at);
            waits.extend(at.map(|at| (at, format!("{} waits here", thread_name(thread, program)))));
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
    let text = |units: &[Unit]| match units {
        [unit] => format!("lane {} waits here", unit.lane),
        units => format!("lanes {} wait here", runs(units, 1)),
    };
    waits.extend(lanes.iter().map(|(line, units)| (*line, text(units))));
    waits
}

/// Where the threads that have not ended are; empty if they are together.
fn threads_by_line(session: &Session) -> Vec<(u32, String)> {
    let program = session.program();
    let mut lines: Vec<(u32, Vec<u8>)> = Vec::new();
    for thread in 0..program.threads {
        let control = Control::new(session.machine(), thread);
        let placed = program.instructions.get(control.pc() as usize);
        let Some(placed) = placed.filter(|_| control.state() != ThreadState::Ended) else {
            continue;
        };
        match lines.iter_mut().find(|(line, _)| *line == placed.line) {
            Some((_, threads)) => threads.push(thread),
            None => lines.push((placed.line, vec![thread])),
        }
    }
    if lines.len() < 2 {
        return Vec::new();
    }
    let name = |threads: Vec<u8>| match (program.threads, &threads[..]) {
        (2, [thread, ..]) if program.launch.is_none() => format!("EU{thread}"),
        (_, [thread]) => format!("T{thread}"),
        (_, threads) => format!("T{} +{}", threads[0], threads.len() - 1),
    };
    lines.sort_by_key(|(line, _)| *line);
    lines
        .into_iter()
        .map(|(line, threads)| (line, name(threads)))
        .collect()
}

/// Marks of the run, if the text can run.
#[hook]
pub(crate) fn use_run_marks(state: &State) -> Rc<RunMarks> {
    use_memo(
        (
            state.session.clone(),
            state.can_run(),
            state.stepping.thread,
        ),
        |(session, runs, thread)| {
            if *runs {
                RunMarks::of(session, *thread)
            } else {
                RunMarks::default()
            }
        },
    )
}

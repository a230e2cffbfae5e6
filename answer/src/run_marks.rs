//! Marks of the run beside the program: how often lines were executed, where
//! threads are and wait, and the fault.

use crate::lanes::lanes_text;
use crate::threads::waiting_at;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::isa::Unit;
use lanewise_core::machine::control::{ChannelState, Control, ThreadState};
use lanewise_core::session::Session;
use serde::Serialize;

/// Marks of the run on a line. The code editor reads them, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunMark {
    /// From 0.
    pub line: u32,
    /// `EU1 ×9`; of a fault, `not-modelled`.
    pub text: String,
    /// `EU1 is here, executed 9 times`; of a fault, its message.
    pub title: String,
    /// Whether the fault that ends the run is here, once it is reached.
    pub fault: bool,
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

/// A defect found at an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Defect<'d> {
    pub instruction: u32,
    pub code: &'d str,
    /// The kind of defect: `race on local memory`.
    pub title: &'d str,
}

/// Marks of a run, by line. `thread` is the chosen thread, if any.
pub fn run_marks<'d>(
    session: &Session,
    thread: Option<u8>,
    defects: impl Iterator<Item = Defect<'d>>,
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
    for Defect {
        instruction,
        code,
        title,
    } in defects
    {
        if let Some(placed) = instructions.get(instruction as usize) {
            let mark = marks.entry(placed.line).or_default();
            if !mark.text.split(' ').any(|word| word == code) {
                mark.add(code, title);
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
    let line = |pc: u32| program.line_at(pc);
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
        if let Some(line) = program.line_at(control.pc())
            && control.state() != ThreadState::Ended
        {
            lines.entry(line).or_default().push(thread);
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use core::iter;
    use lanewise_core::program::Program;

    #[test]
    fn marks_count_executions_and_name_defects() {
        let text = ".launch global=16 local=16\n.simd 8\n.decl V32 v_type=G type=d num_elts=8\n\
             mov (M1, 1) V32(0,0)<1> 1:d\nbarrier\nmov (M1, 1) V32(0,1)<1> 2:d\n";
        let mut session = Session::new(Rc::new(Program::parse(text)));
        for _ in 0..2 {
            assert!(session.step());
        }
        let marks = run_marks(&session, None, iter::empty());
        let waits = marks.iter().find_map(|mark| mark.waits.as_deref());
        assert!(waits.is_some_and(|text| text.ends_with(" waits here")));
        session.run_to_end();
        let (code, title) = ("race", "race on local memory");
        let defect = Defect {
            instruction: 0,
            code,
            title,
        };
        let marks = run_marks(&session, None, [defect; 2].into_iter());
        let first = marks.iter().find(|mark| mark.line == 3).unwrap();
        assert_eq!(first.text, "×2 race");
        assert_eq!(first.title, "executed 2 times, race on local memory");
    }
}

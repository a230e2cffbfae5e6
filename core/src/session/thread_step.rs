//! Steps of a thread as debuggers make them: into calls, over calls and out of functions,
//! by instruction or by line.

use super::Session;
use crate::diagnostic::to_usize;
use crate::machine::control::{Control, ThreadState};
use crate::program::{Issue, Program};
use alloc::collections::BTreeMap;

/// Which calls a step enters and leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    Into,
    /// Executes calls as a whole.
    Over,
    /// Executes the rest of the function.
    Out,
}

/// Granularity of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepUnit {
    Instruction,
    /// A line of the source; without source lines, a line of the text.
    Line,
}

/// A step under way. It ends when its thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadStep {
    thread: u8,
    unit: StepUnit,
    /// Instruction and call depth at the start.
    from: u32,
    depth: u32,
    /// Greatest call depth at which the step ends; `None` if only the end of the thread does.
    deepest: Option<u32>,
}

/// File and line of an instruction; of marks, those of the instruction after them.
fn line_of(program: &Program, instruction: u32) -> Option<(&str, u64)> {
    let instruction = program.after_marks(instruction);
    if program.source_file().is_some() {
        return program.source_line(instruction);
    }
    let placed = program.instructions.get(to_usize(instruction))?;
    Some(("", u64::from(placed.line) + 1))
}

impl ThreadStep {
    /// Begins a step at the position of a session.
    #[must_use]
    pub fn begin(session: &Session, thread: u8, kind: StepKind, unit: StepUnit) -> Self {
        let control = Control::new(session.machine(), thread);
        let (from, depth) = (control.pc(), control.depth());
        Self {
            thread,
            unit: match kind {
                StepKind::Out => StepUnit::Instruction,
                StepKind::Into | StepKind::Over => unit,
            },
            from,
            depth,
            deepest: match kind {
                StepKind::Into => Some(u32::MAX),
                StepKind::Over => Some(depth),
                StepKind::Out => depth.checked_sub(1),
            },
        }
    }

    /// Whether the step ends at the position of a session: before an instruction of its
    /// thread, and the marks of source lines before that, or, if the thread has ended, of any
    /// other.
    #[must_use]
    pub fn ends_at(self, session: &Session) -> bool {
        let Some(issue) = session.starting_issue() else {
            return false;
        };
        let program = session.program();
        let control = Control::new(session.machine(), self.thread);
        if control.state() == ThreadState::Ended {
            return true;
        }
        let is_own = issue.threads.iter().any(|thread| thread == self.thread);
        let depth = control.depth();
        if !is_own || self.deepest.is_none_or(|deepest| depth > deepest) {
            return false;
        }
        match self.unit {
            StepUnit::Instruction => true,
            StepUnit::Line => line_of(program, issue.instruction).is_some_and(|line| {
                depth != self.depth || Some(line) != line_of(program, self.from)
            }),
        }
    }
}

impl Session {
    /// The next issue, if no effect of it has been executed.
    #[must_use]
    pub fn starting_issue(&self) -> Option<Issue> {
        let next = self.next_issue()?;
        match self.last_issue() == Some(next) {
            true => None,
            false => self.issue(next),
        }
    }

    /// Position at which the last line before the position began, on the thread that executed
    /// it. Instructions without a line belong to that before them.
    #[must_use]
    pub fn previous_line_start(&self) -> usize {
        let program = self.program();
        let issues = self.history.issues();
        let begun = issues.partition_point(|issued| self.position > to_usize(issued.first_effect));
        let mut own = issues[..begun].iter().rev();
        let Some(last) = own.next() else {
            return 0;
        };
        let thread = last.issue.threads.first();
        let mut start = last.first_effect;
        let mut line = line_of(program, last.issue.instruction);
        for issued in own {
            if !issued.issue.threads.iter().any(|own| own == thread) {
                continue;
            }
            let before = line_of(program, issued.issue.instruction);
            if line.is_some() && before.is_some() && line != before {
                break;
            }
            line = line.or(before);
            start = issued.first_effect;
        }
        to_usize(start)
    }

    /// How often lines of the program's source file were started before the position.
    #[must_use]
    pub fn source_line_hits(&self) -> BTreeMap<u64, u32> {
        let mut hits = BTreeMap::new();
        let counts = (0..).zip(self.hit_counts());
        for (instruction, count) in counts.filter(|(_, count)| *count > 0) {
            if let Some(line) = self.program().source_line_start(instruction) {
                *hits.entry(line).or_default() += count;
            }
        }
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Line 2 calls a function of lines 10 and 11; a barrier is on line 4. `THREADS` take turns
    /// where they wait.
    const TEXT: &str = ".launch global=16 local=16\n.simd 8\n\
        .decl V32 v_type=G type=d num_elts=8 align=GRF\n\
        FILE \"a.cl\"\n\
        LOC 1\nmov (M1, 8) V32(0,0)<1> 1:d\n\
        LOC 2\nmov (M1, 8) V32(0,0)<1> 2:d\ncall (M1, 8) SUB\nmov (M1, 8) V32(0,0)<1> 3:d\n\
        LOC 3\n\
        LOC 4\nbarrier\n\
        LOC 5\nret (M1, 8)\n\
        .function \"SUB\"\nSUB:\nLOC 10\nmov (M1, 8) V32(0,0)<1> 4:d\nLOC 11\nret (M1, 8)\n";

    fn session() -> Session {
        let program = Rc::new(Program::parse(TEXT));
        assert!(program.can_run(), "{:?}", program.diagnostics);
        Session::new(program)
    }

    /// Makes a step; the thread and line of the next instruction.
    fn step(session: &mut Session, kind: StepKind, unit: StepUnit) -> Option<(u8, u64)> {
        let thread = session.starting_issue()?.threads.first();
        let step = ThreadStep::begin(session, thread, kind, unit);
        while session.step() && !step.ends_at(session) {}
        place(session)
    }

    fn place(session: &Session) -> Option<(u8, u64)> {
        let issue = session.starting_issue()?;
        let (_, line) = line_of(session.program(), issue.instruction)?;
        Some((issue.threads.first(), line))
    }

    #[test]
    fn steps_go_by_line_and_marks_are_none() {
        use StepUnit::Line;
        let mut session = session();
        let into = |session: &mut Session| step(session, StepKind::Into, Line);
        assert_eq!(place(&session), Some((0, 1)));
        // Line 3 has no instruction. At the barrier, the other thread runs on its own.
        for line in [2, 10, 11, 2, 4, 5] {
            assert_eq!(into(&mut session), Some((0, line)));
        }
        assert_eq!(session.source_line_hits().get(&2), Some(&2));
        assert_eq!(into(&mut session), Some((1, 5)));
        assert_eq!(into(&mut session), None);
        assert!(session.at_end());
    }

    #[test]
    fn calls_are_stepped_over_and_out_of() {
        use StepUnit::{Instruction, Line};
        let mut session = session();
        let mut go = |kind, unit| step(&mut session, kind, unit);
        assert_eq!(go(StepKind::Over, Line), Some((0, 2)));
        assert_eq!(go(StepKind::Over, Line), Some((0, 4)));
        let mut session = self::session();
        let mut go = |kind, unit| step(&mut session, kind, unit);
        for _ in 0..2 {
            go(StepKind::Into, Line);
        }
        assert_eq!(go(StepKind::Out, Line), Some((0, 2)));
        assert_eq!(go(StepKind::Into, Instruction), Some((0, 4)));
        // Out of the kernel: to the end of the thread.
        assert_eq!(go(StepKind::Out, Line), Some((1, 5)));
    }

    #[test]
    fn lines_are_stepped_back_to_their_start() {
        let mut session = session();
        session.run_to_end();
        let mut lines = Vec::new();
        while session.position() > 0 {
            let start = session.previous_line_start();
            assert!(start < session.position());
            session.seek(start);
            lines.extend(place(&session));
        }
        // In the order of execution: the threads have reached the barrier one by one.
        let until_barrier = [4, 2, 11, 10, 2, 1];
        let mut expected = vec![(1, 5), (0, 5)];
        expected.extend(until_barrier.map(|line| (1, line)));
        expected.extend(until_barrier.map(|line| (0, line)));
        assert_eq!(lines, expected);
    }
}

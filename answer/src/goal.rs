//! Goals of runs.

use crate::grids::CellBits;
use alloc::format;
use alloc::string::String;
use lanewise_core::program::{Issue, ProgramInstruction};
use lanewise_core::session::{IssueIndex, Session, ThreadStep};

/// Where a run stops that does not show each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The end of the run.
    End,
    /// The last write of a cell before the end of the run.
    LastWrite(CellBits),
    /// A position that is not known yet.
    Position(usize),
    /// Before an instruction on a line, from 0.
    Line(u32),
    /// Before a line of the source, from 1.
    Source(u32),
    /// The end of a step.
    Step(ThreadStep),
    /// The next breakpoint or write of a watched cell, in this work-group or a later one.
    Continue,
    /// Before an instruction that the thread executes on a line, from 0.
    Iteration { thread: u8, line: u32 },
    /// Before a barrier; of the thread, if one is chosen.
    Barrier { thread: Option<u8> },
    /// After the next instruction of the thread.
    Thread(u8),
}

impl Goal {
    /// The goal in words, after "running to".
    pub fn name(self) -> String {
        match self {
            Self::End => String::from("the end"),
            Self::LastWrite(_) => String::from("the last write"),
            Self::Position(position) => format!("step {position}"),
            Self::Line(line) | Self::Iteration { line, .. } => format!("line {}", line + 1),
            Self::Source(line) => format!("source line {line}"),
            Self::Step(_) => String::from("the end of the step"),
            Self::Continue => String::from("the next breakpoint"),
            Self::Barrier { .. } => String::from("the next barrier"),
            Self::Thread(_) => String::from("the next instruction"),
        }
    }

    /// A goal that the end of the run can prevent, in words, after "without reaching".
    pub fn missed(self) -> Option<String> {
        match self {
            Self::Iteration { .. } => Some(format!("{} again", self.name())),
            Self::Line(_) | Self::Source(_) | Self::Barrier { .. } => Some(self.name()),
            Self::End
            | Self::LastWrite(_)
            | Self::Position(_)
            | Self::Step(_)
            | Self::Continue
            | Self::Thread(_) => None,
        }
    }

    /// Whether a session that has just executed an instruction is at the goal. Ends and
    /// positions, which need no stepping, are not.
    pub fn is_reached(self, session: &Session) -> bool {
        let program = session.program();
        let issue = |index: Option<IssueIndex>| session.issue(index?);
        let is_of = |issue: Issue, thread: u8| issue.threads.iter().any(|own| own == thread);
        if let Self::Thread(thread) = self {
            return issue(session.last_issue()).is_some_and(|last| is_of(last, thread));
        }
        let Some(next) = issue(session.next_issue()) else {
            return false;
        };
        let placed = program.instruction(next);
        match self {
            Self::Line(line) => placed.line == line,
            Self::Source(line) => program.source_line_start(next.instruction) == Some(line.into()),
            Self::Iteration { thread, line } => placed.line == line && is_of(next, thread),
            Self::Barrier { thread } => {
                is_barrier(placed) && thread.is_none_or(|thread| is_of(next, thread))
            }
            Self::Step(step) => step.ends_at(session),
            Self::End
            | Self::LastWrite(_)
            | Self::Position(_)
            | Self::Continue
            | Self::Thread(_) => false,
        }
    }
}

/// Whether threads or lanes wait for others at an instruction.
pub fn is_barrier(placed: &ProgramInstruction) -> bool {
    let branch = placed.instruction.branch();
    branch.is_some_and(|branch| branch.kind.synchronizes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use lanewise_core::program::Program;

    #[test]
    fn goals_are_reached_before_lines_and_after_threads() {
        let text = ".launch global=16 local=16\n.simd 8\n.decl V32 v_type=G type=d num_elts=8\n\
             mov (M1, 1) V32(0,0)<1> 1:d\nbarrier\nmov (M1, 1) V32(0,1)<1> 2:d\n";
        let steps_to = |goal: Goal| {
            let mut session = Session::new(Rc::new(Program::parse(text)));
            while session.step() && !goal.is_reached(&session) {}
            session.position()
        };
        // The barrier begins after the `mov` of the first thread.
        assert_eq!(steps_to(Goal::Line(4)), 1);
        assert_eq!(steps_to(Goal::Barrier { thread: None }), 1);
        assert_eq!(steps_to(Goal::Thread(1)), 3);
        assert_eq!(steps_to(Goal::Barrier { thread: Some(1) }), 3);
        assert_eq!(steps_to(Goal::End), 6);
        let again = Goal::Iteration { thread: 1, line: 5 };
        assert_eq!(again.missed().as_deref(), Some("line 6 again"));
    }
}

use lanewise_core::machine::StepGranularity;

/// Effects computed ahead, so that the timeline has an end.
pub(crate) const AHEAD: usize = 20_000;

/// Maximum number of effects computed by one action.
pub(crate) const MAX_AHEAD: usize = 200_000;

/// Effects computed by one tick on the way to a goal, so that the page stays
/// responsive.
pub(crate) const SLICE: usize = 4_000;

/// Where a run stops that does not show each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The end of the run.
    End,
    /// A position that is not known yet.
    Position(usize),
    /// Before an instruction on a line, from 0.
    Line(u32),
    /// Before a line of the source, from 1.
    Source(u32),
    /// After a call: where the thread is at this call depth again.
    Return { thread: u8, depth: u32 },
    /// Before an instruction that the thread executes on a line, from 0.
    Iteration { thread: u8, line: u32 },
    /// Before a barrier; of the thread, if one is chosen.
    Barrier { thread: Option<u8> },
    /// After the next instruction of the thread.
    Thread(u8),
}

impl Goal {
    /// The goal in words, after "running to".
    pub(super) fn name(self) -> String {
        match self {
            Self::End => String::from("the end"),
            Self::Position(position) => format!("step {position}"),
            Self::Line(line) | Self::Iteration { line, .. } => format!("line {}", line + 1),
            Self::Source(line) => format!("source line {line}"),
            Self::Return { .. } => String::from("the return of the call"),
            Self::Barrier { .. } => String::from("the next barrier"),
            Self::Thread(thread) => format!("the next instruction of thread {thread}"),
        }
    }
}

/// Stepping options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stepping {
    /// Whether automatic stepping is active.
    pub(crate) running: bool,
    /// Goal of a run that does not show each step.
    pub(crate) goal: Option<Goal>,
    pub(crate) speed: Speed,
    pub(crate) stride: Stride,
    /// The chosen thread; `None` follows the schedule.
    pub(crate) thread: Option<u8>,
}

impl Stepping {
    /// Milliseconds between ticks.
    pub(crate) const fn interval(self) -> u32 {
        match self.goal {
            Some(_) => Speed::Fastest.milliseconds(),
            None => self.speed.milliseconds(),
        }
    }
}

/// Speed of automatic stepping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speed {
    Slow,
    Normal,
    Fast,
    Fastest,
}

impl Speed {
    pub(crate) const ALL: [Self; 4] = [Self::Slow, Self::Normal, Self::Fast, Self::Fastest];

    /// Stable name in saved settings, label, and milliseconds between ticks.
    const fn properties(self) -> (&'static str, &'static str, u32) {
        match self {
            Self::Slow => ("slow", "Slow", 900),
            Self::Normal => ("normal", "Normal", 300),
            Self::Fast => ("fast", "Fast", 60),
            // Every frame.
            Self::Fastest => ("fastest", "As fast as possible", 16),
        }
    }

    pub(crate) const fn key(self) -> &'static str {
        self.properties().0
    }

    /// Parses a stable name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|speed| speed.key() == key)
    }

    pub(crate) const fn label(self) -> &'static str {
        self.properties().1
    }

    pub(crate) const fn milliseconds(self) -> u32 {
        self.properties().2
    }
}

/// Step size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    /// A channel of a depth stage of a matrix instruction; otherwise the access
    /// of a lane.
    Channel,
    /// The access of a lane, or a depth stage of a matrix instruction.
    Access,
    Instruction,
}

impl Stride {
    const ALL: [Self; 3] = [Self::Access, Self::Instruction, Self::Channel];

    /// Available step sizes, with or without depth stages.
    pub(crate) const fn all(has_stages: bool) -> &'static [Self] {
        if has_stages {
            &Self::ALL
        } else {
            &[Self::Access, Self::Instruction]
        }
    }

    /// Menu label, for a program with or without depth stages.
    pub(crate) const fn label(self, has_stages: bool) -> &'static str {
        match self {
            Self::Channel => "channel of a stage",
            Self::Access if has_stages => "stage",
            Self::Access => "lane access",
            Self::Instruction => "instruction",
        }
    }

    /// Stable name in links and saved settings.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Channel => "channel",
            // Name used by the first links.
            Self::Access => "effect",
            Self::Instruction => "instruction",
        }
    }

    /// Parses a stable name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stride| stride.key() == key)
    }

    /// Granularity of the effects.
    pub(crate) const fn granularity(self) -> StepGranularity {
        match self {
            Self::Channel => StepGranularity::Fine,
            Self::Access | Self::Instruction => StepGranularity::Unit,
        }
    }
}

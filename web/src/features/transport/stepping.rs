use lanewise_answer::choices;
use lanewise_core::machine::StepGranularity;
use lanewise_core::session::ThreadStep;

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
    pub(super) fn name(self) -> String {
        match self {
            Self::End => String::from("the end"),
            Self::Position(position) => format!("step {position}"),
            Self::Line(line) | Self::Iteration { line, .. } => format!("line {}", line + 1),
            Self::Source(line) => format!("source line {line}"),
            Self::Step(_) => String::from("the end of the step"),
            Self::Continue => String::from("the next breakpoint"),
            Self::Barrier { .. } => String::from("the next barrier"),
            Self::Thread(_) => String::from("the next instruction"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stepping {
    /// Whether automatic stepping is active.
    pub(crate) running: bool,
    /// Goal of a run that does not show each step.
    pub(crate) goal: Option<Goal>,
    pub(crate) speed: Speed,
    pub(crate) step_size: StepSize,
    /// Step sizes that the user has set for kernels and for other programs.
    pub(crate) chosen_step_sizes: [Option<StepSize>; 2],
    /// The chosen thread; `None` follows the schedule.
    pub(crate) thread: Option<u8>,
    /// The chosen work-item of a thread, by its channel.
    pub(crate) channel: Option<u8>,
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

choices! {
    /// Speed of automatic stepping.
    pub(crate) Speed {
        Slow "slow" "Slow",
        Normal "normal" "Normal",
        Fast "fast" "Fast",
        Fastest "fastest" "As fast as possible",
    }
}

impl Speed {
    /// Milliseconds between ticks.
    pub(crate) const fn milliseconds(self) -> u32 {
        match self {
            Self::Slow => 900,
            Self::Normal => 300,
            Self::Fast => 60,
            // Every frame.
            Self::Fastest => 16,
        }
    }
}

choices! {
    /// Step size.
    pub(crate) StepSize {
        /// The access of a lane, or a depth stage of a matrix instruction. The first links have
        /// this name.
        Access "effect" "lane access",
        Instruction "instruction" "instruction",
        /// A line of the source of a kernel.
        Line "line" "source line",
        /// A channel of a depth stage of a matrix instruction; otherwise the access of a lane.
        Channel "channel" "channel of a stage",
    }
}

impl StepSize {
    /// Menu label, for a program with or without depth stages.
    pub(crate) const fn label_for(self, has_stages: bool) -> &'static str {
        match self {
            Self::Access if has_stages => "stage",
            size => size.label(),
        }
    }

    pub(crate) const fn granularity(self) -> StepGranularity {
        match self {
            Self::Channel => StepGranularity::Fine,
            Self::Access | Self::Instruction | Self::Line => StepGranularity::Unit,
        }
    }
}

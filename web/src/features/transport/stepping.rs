use lanewise_answer::choices;
use lanewise_answer::goal::Goal;
use lanewise_core::machine::StepGranularity;
use lanewise_core::session::Session;

/// Effects computed ahead, so that the timeline has an end.
pub(crate) const AHEAD: usize = 20_000;

/// Maximum number of effects computed by one action.
pub(crate) const MAX_AHEAD: usize = 200_000;

/// Effects in a slice. On the way to a goal, each tick computes one or more slices.
pub(crate) const SLICE: usize = 4_000;

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

/// The instruction under way or about to be executed, behind marks of source lines; at the
/// end, the last.
pub(crate) fn upcoming_instruction(session: &Session) -> Option<usize> {
    let issue = |index| Some(session.issue(index)?.instruction);
    let next = session.next_issue().and_then(issue);
    let next = next.map(|next| session.program().after_marks(next));
    let upcoming = next.or_else(|| session.last_issue().and_then(issue))?;
    usize::try_from(upcoming).ok()
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

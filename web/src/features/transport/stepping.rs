use lanewise_core::machine::StepGranularity;

/// How many effects are computed ahead, so that the timeline has an end.
pub(crate) const AHEAD: usize = 20_000;

/// The most effects that one action computes.
pub(crate) const MAX_AHEAD: usize = 1_000_000;

/// How the program is stepped through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stepping {
    /// Whether it steps by itself.
    pub(crate) running: bool,
    pub(crate) speed: Speed,
    pub(crate) stride: Stride,
}

/// How fast a run steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speed {
    Slow,
    Normal,
    Fast,
    Fastest,
}

impl Speed {
    pub(crate) const ALL: [Self; 4] = [Self::Slow, Self::Normal, Self::Fast, Self::Fastest];

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Slow => "Slow",
            Self::Normal => "Normal",
            Self::Fast => "Fast",
            Self::Fastest => "As fast as possible",
        }
    }

    /// Its name in what a browser keeps.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::Normal => "normal",
            Self::Fast => "fast",
            Self::Fastest => "fastest",
        }
    }

    /// The speed of such a name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|speed| speed.key() == key)
    }

    pub(crate) const fn milliseconds(self) -> u32 {
        match self {
            Self::Slow => 900,
            Self::Normal => 300,
            Self::Fast => 60,
            // Every picture that a screen shows.
            Self::Fastest => 16,
        }
    }
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    /// A channel of a depth stage; elsewhere the access of a lane.
    Channel,
    /// The access of a lane, a depth stage of a matrix multiplication.
    Access,
    Instruction,
}

impl Stride {
    const ALL: [Self; 3] = [Self::Access, Self::Instruction, Self::Channel];

    /// Those that a program has, with depth stages or without.
    pub(crate) const fn all(has_stages: bool) -> &'static [Self] {
        if has_stages {
            &Self::ALL
        } else {
            &[Self::Access, Self::Instruction]
        }
    }

    /// What the menu calls it, for a program with depth stages or without.
    pub(crate) const fn label(self, has_stages: bool) -> &'static str {
        match self {
            Self::Channel => "channel of a stage",
            Self::Access if has_stages => "stage",
            Self::Access => "lane access",
            Self::Instruction => "instruction",
        }
    }

    /// Its name in links and in what a browser keeps.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Channel => "channel",
            // The name that the first links had for it.
            Self::Access => "effect",
            Self::Instruction => "instruction",
        }
    }

    /// The stride of such a name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stride| stride.key() == key)
    }

    /// How fine the effects are.
    pub(crate) const fn granularity(self) -> StepGranularity {
        match self {
            Self::Channel => StepGranularity::Fine,
            Self::Access | Self::Instruction => StepGranularity::Unit,
        }
    }
}

//! What a reader can choose from.

use lanewise_core::isa::Family;
use lanewise_core::machine::StepGranularity;
use lanewise_core::number::ElementType;

/// A state tab. Tab and panel share the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The register files of both EUs, predicates, masks.
    Registers,
    /// Shared local memory.
    Local,
    /// The virtual address space.
    Virtual,
    /// The same, as a warp calls it.
    Global,
    /// Buffers of declared surfaces.
    Surfaces,
}

impl Tab {
    /// The tabs of a program of a family, in their order.
    pub(crate) const fn all(family: Family) -> &'static [Self] {
        match family {
            Family::Visa => &[Self::Registers, Self::Local, Self::Virtual, Self::Surfaces],
            Family::Sass => &[Self::Registers, Self::Global],
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Registers => "Registers",
            Self::Local => "Shared local memory",
            Self::Virtual => "Shared virtual memory",
            Self::Global => "Global memory",
            Self::Surfaces => "Surfaces",
        }
    }

    /// The usual abbreviation of its name.
    pub(crate) const fn short_name(self) -> Option<&'static str> {
        match self {
            Self::Local => Some("SLM"),
            Self::Virtual => Some("SVM"),
            Self::Registers | Self::Global | Self::Surfaces => None,
        }
    }

    /// The tab of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let families = [Family::Visa, Family::Sass];
        let mut all = families.into_iter().flat_map(Self::all);
        all.find(|tab| tab.name() == name).copied()
    }

    /// Which of the memory panes it is.
    pub(super) const fn memory(self) -> Option<usize> {
        match self {
            Self::Registers => None,
            Self::Local => Some(0),
            Self::Virtual | Self::Global => Some(1),
            Self::Surfaces => Some(2),
        }
    }
}

/// Light, dark, or what the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn named(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    pub(crate) const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
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

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Slow => "Slow",
            Self::Normal => "Normal",
            Self::Fast => "Fast",
            Self::Fastest => "As fast as possible",
        }
    }

    /// The speed of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|speed| speed.name() == name)
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
    /// A channel of a stage of a DPASW; elsewhere an effect.
    Channel,
    /// A lane of an atomic, a stage of a DPASW.
    Effect,
    Instruction,
}

impl Stride {
    pub(crate) const ALL: [Self; 3] = [Self::Effect, Self::Instruction, Self::Channel];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Channel => "channel of a stage",
            Self::Effect => "effect",
            Self::Instruction => "instruction",
        }
    }

    /// How fine the effects are.
    pub(super) const fn granularity(self) -> StepGranularity {
        match self {
            Self::Channel => StepGranularity::Fine,
            Self::Effect | Self::Instruction => StepGranularity::Unit,
        }
    }
}

/// How registers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterFormat {
    Declared,
    Hex,
    Unsigned,
    Signed,
    Float,
    Double,
    Half,
    BFloat,
    Bytes,
}

impl RegisterFormat {
    pub(crate) const ALL: [Self; 9] = [
        Self::Declared,
        Self::Hex,
        Self::Unsigned,
        Self::Signed,
        Self::Float,
        Self::Double,
        Self::Half,
        Self::BFloat,
        Self::Bytes,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Declared => "as declared",
            Self::Hex => "hexadecimal",
            Self::Unsigned => "unsigned",
            Self::Signed => "signed",
            Self::Float => "f: 32-bit float",
            Self::Double => "df: 64-bit float",
            Self::Half => "hf: 16-bit float",
            Self::BFloat => "bf: 16-bit bfloat",
            Self::Bytes => "bytes, in hexadecimal",
        }
    }

    /// The elements into which a variable of type `declared` is cut, and
    /// whether they are shown as bits.
    pub(crate) const fn elements(self, declared: ElementType) -> (ElementType, bool) {
        use ElementType::{B, Bf, D, F, Hf, Q, Ub, Ud, Uq, Uw, W};
        match self {
            Self::Declared => (declared, false),
            Self::Hex => (declared, true),
            Self::Unsigned => match declared.bytes() {
                1 => (Ub, false),
                2 => (Uw, false),
                4 => (Ud, false),
                _ => (Uq, false),
            },
            Self::Signed => match declared.bytes() {
                1 => (B, false),
                2 => (W, false),
                4 => (D, false),
                _ => (Q, false),
            },
            Self::Float => match declared {
                ElementType::Df => (declared, false),
                _ => (F, false),
            },
            Self::Double => (ElementType::Df, false),
            Self::Half => (Hf, false),
            Self::BFloat => (Bf, false),
            Self::Bytes => (Ub, true),
        }
    }
}

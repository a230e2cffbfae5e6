//! The tabs of the state, and how registers are shown.

use lanewise_core::isa::Family;
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

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Registers => "Registers",
            Self::Local => "Shared local memory",
            Self::Virtual => "Shared virtual memory",
            Self::Global => "Global memory",
            Self::Surfaces => "Surfaces",
        }
    }

    /// The usual abbreviation of its label.
    pub(crate) const fn short_label(self) -> Option<&'static str> {
        match self {
            Self::Local => Some("SLM"),
            Self::Virtual => Some("SVM"),
            Self::Registers | Self::Global | Self::Surfaces => None,
        }
    }

    /// Which of the memory panes it is.
    pub(crate) const fn memory(self) -> Option<usize> {
        match self {
            Self::Registers => None,
            Self::Local => Some(0),
            Self::Virtual | Self::Global => Some(1),
            Self::Surfaces => Some(2),
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

    /// Its name in links and in what a browser keeps.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Hex => "hex",
            Self::Unsigned => "unsigned",
            Self::Signed => "signed",
            Self::Float => "float",
            Self::Half => "half",
            Self::BFloat => "bfloat",
            Self::Double => "double",
            Self::Bytes => "bytes",
        }
    }

    /// The format of such a name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.key() == key)
    }

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

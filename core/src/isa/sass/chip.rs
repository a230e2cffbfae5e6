//! The chips of the SASS targets.

/// A chip, in the order of its generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chip {
    /// Maxwell, first generation: SPA 5.0. The default.
    #[default]
    Sm50,
    /// Maxwell, second generation.
    Sm52,
    /// Maxwell, Tegra X1.
    Sm53,
    /// Pascal, GP100.
    Sm60,
    /// Pascal.
    Sm61,
    /// Pascal, Tegra X2.
    Sm62,
    /// Volta.
    Sm70,
    /// Turing.
    Sm75,
    /// Ampere, A100.
    Sm80,
    /// Ampere.
    Sm86,
    /// Ada.
    Sm89,
    /// Hopper.
    Sm90,
}

/// How the tensor cores of a chip add products of floats: the model of MMA-Sim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorFacts {
    /// Bytes of a row of the first matrix whose products are added at once.
    pub block_bytes: usize,
    /// Bits of a sum below the leading bit of its largest term.
    pub fraction_bits: i32,
}

/// Facts of a chip.
struct ChipFacts {
    name: &'static str,
    /// `max_shared_memory_per_block_optin` in NVIDIA/cccl, `arch_traits.cuh`; of SM90, with the
    /// 1 KB of the system, which sections of shared memory contain.
    most_shared_kilobytes: u64,
    /// From SM75 on.
    tensor: TensorFacts,
}

const fn chip(name: &'static str, most_shared_kilobytes: u64) -> ChipFacts {
    ChipFacts {
        name,
        most_shared_kilobytes,
        tensor: TensorFacts {
            block_bytes: 16,
            fraction_bits: 24,
        },
    }
}

impl Chip {
    /// The chips whose instructions are encoded.
    pub const ALL: [Self; 6] = [
        Self::Sm50,
        Self::Sm52,
        Self::Sm53,
        Self::Sm60,
        Self::Sm61,
        Self::Sm62,
    ];

    /// Later chips, of which listings are read.
    pub const LISTED: [Self; 6] = [
        Self::Sm70,
        Self::Sm75,
        Self::Sm80,
        Self::Sm86,
        Self::Sm89,
        Self::Sm90,
    ];

    const fn facts(self) -> ChipFacts {
        match self {
            Self::Sm50 => chip("SM50", 48),
            Self::Sm52 => chip("SM52", 48),
            Self::Sm53 => chip("SM53", 48),
            Self::Sm60 => chip("SM60", 48),
            Self::Sm61 => chip("SM61", 48),
            Self::Sm62 => chip("SM62", 48),
            Self::Sm70 => chip("SM70", 96),
            Self::Sm75 => chip("SM75", 64),
            Self::Sm80 => chip("SM80", 163),
            Self::Sm86 => chip("SM86", 99),
            Self::Sm89 => chip("SM89", 99),
            Self::Sm90 => ChipFacts {
                tensor: TensorFacts {
                    block_bytes: 32,
                    fraction_bits: 25,
                },
                ..chip("SM90", 228)
            },
        }
    }

    /// Name in `.target sass NAME`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// How tensor cores add products of floats.
    #[must_use]
    pub const fn tensor(self) -> TensorFacts {
        self.facts().tensor
    }

    /// Largest shared memory of a block, in bytes; the host must ask for more than 48 KB.
    #[must_use]
    pub const fn most_shared_bytes(self) -> u64 {
        self.facts().most_shared_kilobytes << 10
    }

    /// Whether the encodings of its instructions are known.
    #[must_use]
    pub fn has_encodings(self) -> bool {
        Self::ALL.contains(&self)
    }

    /// Whether instructions have 64 bits and lanes meet by a stack of tokens, as up to SM62.
    #[must_use]
    pub fn is_old(self) -> bool {
        self < Self::Sm70
    }

    /// Finds a chip by name, ignoring case and an underscore: SM50, sm_50.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let digits = name
            .get(..2)
            .filter(|letters| letters.eq_ignore_ascii_case("sm"))
            .and_then(|_| name.get(2..))
            .map(|rest| rest.strip_prefix('_').unwrap_or(rest))?;
        Self::ALL
            .into_iter()
            .chain(Self::LISTED)
            .find(|chip| chip.name().get(2..) == Some(digits))
    }
}

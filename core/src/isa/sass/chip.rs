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
    /// Ampere, Orin.
    Sm87,
    /// Ampere.
    Sm88,
    /// Ada.
    Sm89,
    /// Hopper.
    Sm90,
    /// Blackwell, B200.
    Sm100,
    /// Blackwell, B300.
    Sm103,
    /// Rubin (assumed).
    Sm107,
    /// Blackwell, Thor.
    Sm110,
    /// Blackwell, RTX 50.
    Sm120,
    /// Blackwell, Spark.
    Sm121,
}

/// A word of constant bank 0 that describes a launch. A cluster has one block, and one
/// multiprocessor is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankWord {
    /// Threads of a block in three dimensions.
    Block,
    /// Blocks of the grid in three dimensions.
    Grid,
    /// End of the local memory.
    Stack,
    /// Generic address of shared memory.
    SharedWindow,
    /// Generic address of local memory.
    LocalWindow,
    /// Bytes of dynamic shared memory.
    DynamicShared,
    /// Bytes of the shared memory of the system.
    SystemShared,
    /// Number of multiprocessors.
    Multiprocessors,
    /// Blocks of a cluster in three dimensions.
    Cluster,
    /// 1 divided by the blocks of a cluster in each dimension, as floats.
    ClusterInverse,
    /// Clusters of the grid in three dimensions.
    Clusters,
    /// Blocks of a cluster.
    ClusterBlocks,
}

/// Layout of constant bank 0 (observed in code of ptxas and NVRTC).
#[derive(Debug, PartialEq, Eq)]
pub struct BankLayout {
    /// Offset of the first parameter.
    pub parameters: u32,
    /// Offset of the generic address of bank 3.
    pub constants: u32,
    /// Offsets of the words that describe a launch, in groups.
    words: &'static [&'static [(u32, BankWord)]],
}

impl BankLayout {
    /// Offsets of the words that describe a launch.
    pub fn words(&self) -> impl Iterator<Item = (u32, BankWord)> {
        self.words.iter().copied().flatten().copied()
    }
}

const MAXWELL_BANK: BankLayout = BankLayout {
    parameters: 0x140,
    constants: 0xd0,
    words: &[&[
        (0x8, BankWord::Block),
        (0x14, BankWord::Grid),
        (0x20, BankWord::Stack),
        (0x0, BankWord::SharedWindow),
        (0x4, BankWord::LocalWindow),
        (0xfc, BankWord::DynamicShared),
    ]],
};

/// From SM70 to SM90.
const SIZES_AND_WINDOWS: &[(u32, BankWord)] = &[
    (0x0, BankWord::Block),
    (0xc, BankWord::Grid),
    (0x28, BankWord::Stack),
    (0x18, BankWord::SharedWindow),
    (0x20, BankWord::LocalWindow),
    (0x2c, BankWord::DynamicShared),
    (0x10c, BankWord::Multiprocessors),
];

const VOLTA_BANK: BankLayout = BankLayout {
    parameters: 0x160,
    constants: 0x50,
    words: &[SIZES_AND_WINDOWS],
};

const HOPPER_BANK: BankLayout = BankLayout {
    parameters: 0x210,
    constants: 0xd0,
    words: &[
        SIZES_AND_WINDOWS,
        &[
            (0x114, BankWord::SystemShared),
            (0x144, BankWord::Cluster),
            (0x150, BankWord::ClusterInverse),
            (0x15c, BankWord::Clusters),
            (0x188, BankWord::ClusterBlocks),
        ],
    ],
};

/// Words at two offsets depend on `SR_CgaSize`, by which code indexes them.
const BLACKWELL_BANK: BankLayout = BankLayout {
    parameters: 0x380,
    constants: 0x120,
    words: &[&[
        (0x16c, BankWord::SystemShared),
        (0x1d8, BankWord::SystemShared),
        (0x278, BankWord::SystemShared),
        (0x200, BankWord::Cluster),
        (0x2a0, BankWord::Cluster),
        (0x20c, BankWord::DynamicShared),
        (0x2ac, BankWord::DynamicShared),
        (0x210, BankWord::ClusterInverse),
        (0x2b0, BankWord::ClusterInverse),
        (0x220, BankWord::Clusters),
        (0x2c0, BankWord::Clusters),
        (0x22c, BankWord::ClusterBlocks),
        (0x2cc, BankWord::ClusterBlocks),
        (0x2d0, BankWord::Multiprocessors),
        (0x2f8, BankWord::LocalWindow),
        (0x360, BankWord::Block),
        (0x370, BankWord::Grid),
        (0x37c, BankWord::Stack),
    ]],
};

/// How the tensor cores of a chip add products of floats, as the row of `HMMA` describes.
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
    /// `max_shared_memory_per_block_optin` in NVIDIA/cccl, `arch_traits.h`; from SM90 on, with the
    /// 1 KB of the system, which sections of shared memory contain.
    most_shared_kilobytes: u64,
    /// From SM75 on.
    tensor: TensorFacts,
    bank: &'static BankLayout,
    /// A register that code reads at the start of a warp (observed), and that is 0 then (assumed).
    register_at_start: Option<&'static str>,
}

const fn maxwell(name: &'static str) -> ChipFacts {
    ChipFacts {
        bank: &MAXWELL_BANK,
        ..volta(name, 48)
    }
}

const fn volta(name: &'static str, most_shared_kilobytes: u64) -> ChipFacts {
    ChipFacts {
        name,
        most_shared_kilobytes,
        tensor: TensorFacts {
            block_bytes: 16,
            fraction_bits: 24,
        },
        bank: &VOLTA_BANK,
        register_at_start: None,
    }
}

const fn hopper(name: &'static str, most_shared_kilobytes: u64) -> ChipFacts {
    ChipFacts {
        tensor: TensorFacts {
            block_bytes: 32,
            fraction_bits: 25,
        },
        bank: &HOPPER_BANK,
        ..volta(name, most_shared_kilobytes)
    }
}

const fn blackwell(name: &'static str, most_shared_kilobytes: u64) -> ChipFacts {
    ChipFacts {
        bank: &BLACKWELL_BANK,
        ..hopper(name, most_shared_kilobytes)
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
    pub const LISTED: [Self; 14] = [
        Self::Sm70,
        Self::Sm75,
        Self::Sm80,
        Self::Sm86,
        Self::Sm87,
        Self::Sm88,
        Self::Sm89,
        Self::Sm90,
        Self::Sm100,
        Self::Sm103,
        Self::Sm107,
        Self::Sm110,
        Self::Sm120,
        Self::Sm121,
    ];

    const fn facts(self) -> ChipFacts {
        match self {
            Self::Sm50 => maxwell("SM50"),
            Self::Sm52 => maxwell("SM52"),
            Self::Sm53 => maxwell("SM53"),
            Self::Sm60 => maxwell("SM60"),
            Self::Sm61 => maxwell("SM61"),
            Self::Sm62 => maxwell("SM62"),
            Self::Sm70 => volta("SM70", 96),
            Self::Sm75 => volta("SM75", 64),
            Self::Sm80 => volta("SM80", 163),
            Self::Sm86 => volta("SM86", 99),
            Self::Sm87 => ChipFacts {
                register_at_start: Some("UR2"),
                ..volta("SM87", 163)
            },
            Self::Sm88 => volta("SM88", 99),
            Self::Sm89 => volta("SM89", 99),
            Self::Sm90 => hopper("SM90", 228),
            Self::Sm100 => blackwell("SM100", 228),
            Self::Sm103 => blackwell("SM103", 228),
            Self::Sm107 => blackwell("SM107", 228),
            Self::Sm110 => blackwell("SM110", 228),
            Self::Sm120 => blackwell("SM120", 100),
            Self::Sm121 => blackwell("SM121", 100),
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

    /// A register that is 0 at the start of a warp.
    #[must_use]
    pub const fn register_at_start(self) -> Option<&'static str> {
        self.facts().register_at_start
    }

    /// Layout of constant bank 0.
    #[must_use]
    pub const fn bank(self) -> &'static BankLayout {
        self.facts().bank
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

    /// Whether all lanes of a warp share uniform registers.
    #[must_use]
    pub fn has_uniform_registers(self) -> bool {
        self >= Self::Sm75
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

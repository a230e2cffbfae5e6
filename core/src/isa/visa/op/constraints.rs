//! Constraints of an opcode by the documents and the real tool's verifier, as a column of the
//! opcode table.

use crate::isa::visa::platform::Platforms;
use crate::text::SyntaxPart;
use SyntaxPart::{Address, Coordinate, Dst, Offsets, Src0};
use alloc::string::String;
use alloc::vec::Vec;

/// Constraints of an opcode.
#[derive(Clone, Copy, Debug)]
pub struct Constraints {
    pub(super) availability: Availability,
    /// Of arithmetic, logic and moves.
    pub(super) computation: Option<ComputationRules>,
    /// Whether vector operands are checked for their placement, region and value.
    pub(super) placed: bool,
    pub(super) classes: Classes,
    /// Of memory messages other than LSC.
    pub(super) message: Option<MessageConstraints>,
    pub(super) lsc: Option<LscConstraints>,
    pub(super) requirements: &'static [Requirement],
}

/// Platforms that support an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Availability {
    pub documented: Platforms,
    /// By the real tool.
    pub accepted: Platforms,
}

/// Constraints of arithmetic, logic and moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComputationRules {
    /// Of dst and src0.
    pub types: TypeSupport,
    /// Of the other sources.
    pub others: TypeSupport,
    pub modifiers: Modifiers,
    pub saturation: Saturation,
    pub mixing: Mixing,
}

/// Types of an operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeSupport {
    pub documented: TypeSet,
    /// By the real tool.
    pub accepted: TypeSet,
}

/// Support of source modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifiers {
    /// `(-)` and `(abs)` are documented, `(~)` is rejected.
    Arithmetic,
    /// `(-)` and `(abs)` are documented, `(~)` is accepted.
    Shift,
    /// `(~)` is documented, the others are rejected.
    Logic,
    /// None is documented, `(~)` is accepted.
    AcceptsNot,
    /// None is documented, `(-)` and `(abs)` are accepted.
    AcceptsSign,
    /// None is documented, all are accepted.
    AcceptsAll,
    /// None is documented, all are rejected.
    None,
}

/// Support of `.sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saturation {
    Documented,
    /// Documented for floats; the real tool also accepts integers.
    Floats,
    /// Undocumented, but accepted.
    Accepted,
    /// On platforms whose conversions of small floats saturate.
    Conversions,
    Refused,
}

/// Whether floats may be combined with other types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mixing {
    Refused,
    /// Undocumented, but accepted.
    Accepted,
    Documented,
}

/// Which classes of operands may stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Classes {
    /// All that the syntax allows.
    Any,
    /// All operands are predicates, or none is.
    Alike,
    /// Dst is neither a predicate nor a surface or sampler.
    VectorOrAddressDst,
    /// Dst is neither an address nor a surface or sampler.
    VectorOrPredicateDst,
    /// Dst is a predicate.
    PredicateDst,
    /// No operand is a predicate, and dst is direct.
    Direct,
}

/// Constraints of a memory message other than LSC.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageConstraints {
    /// Documented types of operands.
    pub types: &'static [(SyntaxPart, &'static [&'static str])],
    /// Documented execution sizes.
    pub lanes: &'static [u8],
    pub surface: SurfaceRule,
}

/// Surfaces that a message supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SurfaceRule {
    Any,
    /// No predefined surfaces. The real tool rejects shared local memory and accepts the
    /// others.
    Declared,
    /// No predefined surfaces. The real tool accepts all.
    DeclaredAccepted,
    /// Shared local memory on later platforms only.
    SlmLater,
}

/// Constraints of an LSC message.
#[derive(Clone, Copy, Debug)]
pub(super) struct LscConstraints {
    pub access: LscAccess,
    /// Whether it accesses typed surfaces.
    pub typed: bool,
    /// Whether it accesses up to four channels.
    pub quad: bool,
}

/// Kind of LSC message.
#[derive(Clone, Copy, Debug)]
pub(super) enum LscAccess {
    Load,
    Store,
    Atomic(LscAtomic),
}

/// Limits of an LSC atomic.
#[derive(Clone, Copy, Debug)]
pub(super) struct LscAtomic {
    /// Number of data operands.
    pub(super) operands: u8,
    /// Codes of the data sizes.
    pub(super) sizes: &'static [u64],
    pub(super) functions: AtomicFunctions,
}

/// Shared functions that perform an LSC atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomicFunctions {
    /// All; 64-bit data requires memory outside slm.
    Usual,
    /// All, also with 64-bit data.
    All,
    /// Only ugm and ugml.
    Global,
}

/// A rule that concerns few opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Requirement {
    /// Execution size of at least 4.
    FourLanes,
    /// The bits of a source become a predicate.
    PredicateBits,
    Predicate,
    /// The sources have one type, and dst is not narrower.
    ComparableTypes,
    /// No constant of 32 bits.
    NoDwordConstant,
    /// Src0 is not a constant.
    VariableSrc0,
    /// Dst is an address, src0 has one, src1 is narrow.
    AddressSum,
    /// Dst or src0 is a surface or sampler.
    State,
    /// One of the conversions between packed and wider floats.
    FloatConversion,
    /// BF is converted to F only.
    BfToF,
    /// No 64-bit source; dst of bytes is undocumented on some platforms.
    NarrowFactors,
    /// 64-bit types are supported on some platforms only.
    RareQuadwords,
    /// Integers are divided on some platforms only.
    RareIntegers,
    /// Dst and src0 have the same signedness.
    SameSignedness,
    /// The index of a single lane, of type UD.
    Index,
    /// Src0 is the address of a function.
    FunctionAddress,
    /// Dst takes the address of a function.
    TakesFunctionAddress,
    /// The numbers of a named barrier are scalar bytes.
    BarrierNumbers,
    /// The raw operand has 16 bytes for each block.
    Owords,
    /// The limits of a 2D block.
    MediaBlock,
    /// Elements of 32 bits, in 1, 8 or 16 lanes.
    DwordElements,
    /// At most 4 blocks.
    FourBlocks,
    /// The operands of the operation, which is a suffix.
    OperandsOfOperation,
    /// A number of blocks that is not listed is refused.
    ListedCounts,
}

/// A set of types, by code.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeSet(u16);

impl TypeSet {
    const fn of(codes: &[u8]) -> Self {
        let (mut set, mut i) = (0, 0);
        while i < codes.len() {
            set |= 1 << codes[i];
            i += 1;
        }
        Self(set)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has(self, ty: &str) -> bool {
        let code = NAMES.iter().position(|name| *name == ty);
        code.is_some_and(|code| self.0 >> code & 1 == 1)
    }

    pub(super) fn names(self) -> String {
        let known = NAMES.iter().enumerate();
        let names = known.filter(|(code, name)| !name.is_empty() && self.0 >> code & 1 == 1);
        let names: Vec<&str> = names.map(|(_, name)| *name).collect();
        names.join(", ")
    }
}

/// Type names by code; packed vectors count as their element type.
const NAMES: [&str; 16] = [
    "ud", "d", "uw", "w", "ub", "b", "df", "f", "v", "vf", "bool", "uq", "uv", "q", "hf", "bf",
];

pub(super) const BYTES: TypeSet = TypeSet::of(&[4, 5]);
const WORDS: TypeSet = TypeSet::of(&[2, 3, 8, 12]);
pub(super) const DWORDS: TypeSet = TypeSet::of(&[0, 1]);
pub(super) const UD: TypeSet = TypeSet::of(&[0]);
const PACKED_UNSIGNED: TypeSet = TypeSet::of(&[12]);
pub(super) const QWORDS: TypeSet = TypeSet::of(&[11, 13]);
pub(super) const INTEGERS: TypeSet = BYTES.and(WORDS).and(DWORDS);
pub(super) const ALL_INTEGERS: TypeSet = INTEGERS.and(QWORDS);
pub(super) const UNSIGNED: TypeSet = TypeSet::of(&[0, 2, 4, 11, 12]);
pub(super) const SIGNED: TypeSet = TypeSet::of(&[1, 3, 5, 13, 8]);
const F: TypeSet = TypeSet::of(&[7, 9]);
const F_HF: TypeSet = F.and(TypeSet::of(&[14]));
const F_DF: TypeSet = F.and(TypeSet::of(&[6]));
pub(super) const FLOATS: TypeSet = F_HF.and(F_DF);
const BF: TypeSet = TypeSet::of(&[15]);
pub(super) const FLOATS_AND_BF: TypeSet = FLOATS.and(BF);
pub(super) const EVERY: TypeSet = ALL_INTEGERS.and(FLOATS_AND_BF);
pub(super) const WORDS_AND_DWORDS: TypeSet = DWORDS.and(WORDS);

/// Without constraints.
pub(super) const FREE: Constraints = Constraints {
    availability: Availability {
        documented: Platforms::ALL,
        accepted: Platforms::ALL,
    },
    computation: None,
    placed: false,
    classes: Classes::Any,
    message: None,
    lsc: None,
    requirements: &[],
};

/// Vector operands are checked for their placement only.
pub(super) const PLACED: Constraints = Constraints {
    placed: true,
    ..FREE
};

/// A computation on the types, with arithmetic modifiers and `.sat`.
pub(super) const fn types(documented: TypeSet) -> Constraints {
    let types = TypeSupport {
        documented,
        accepted: documented,
    };
    Constraints {
        computation: Some(ComputationRules {
            types,
            others: types,
            modifiers: Modifiers::Arithmetic,
            saturation: Saturation::Documented,
            mixing: Mixing::Refused,
        }),
        ..PLACED
    }
}

const fn message(
    types: &'static [(SyntaxPart, &'static [&'static str])],
    lanes: &'static [u8],
    surface: SurfaceRule,
) -> Constraints {
    Constraints {
        message: Some(MessageConstraints {
            types,
            lanes,
            surface,
        }),
        ..FREE
    }
}

const fn lsc(access: LscAccess) -> Constraints {
    Constraints {
        lsc: Some(LscConstraints {
            access,
            typed: false,
            quad: false,
        }),
        ..LSC
    }
}

impl Constraints {
    /// Platforms, for the documents and the real tool.
    pub(super) const fn on(self, platforms: Platforms) -> Self {
        Self {
            availability: Availability {
                documented: platforms,
                accepted: platforms,
            },
            ..self
        }
    }

    /// Platforms, for the real tool only.
    pub(super) const fn accepted_on(self, accepted: Platforms) -> Self {
        Self {
            availability: Availability {
                accepted,
                ..self.availability
            },
            ..self
        }
    }

    /// Platforms, for the documents only.
    pub(super) const fn documented_on(self, documented: Platforms) -> Self {
        self.on(documented).accepted_on(Platforms::ALL)
    }

    const fn computation(self) -> ComputationRules {
        self.computation.expect("a computation has types")
    }

    const fn with(self, computation: ComputationRules) -> Self {
        Self {
            computation: Some(computation),
            ..self
        }
    }

    /// The types that the real tool accepts.
    pub(super) const fn accepting(self, accepted: TypeSet) -> Self {
        let old = self.computation();
        let types = TypeSupport {
            accepted,
            ..old.types
        };
        self.with(ComputationRules {
            types,
            others: types,
            ..old
        })
    }

    /// The types of the sources other than src0.
    pub(super) const fn others(self, documented: TypeSet, accepted: TypeSet) -> Self {
        self.with(ComputationRules {
            others: TypeSupport {
                documented,
                accepted,
            },
            ..self.computation()
        })
    }

    pub(super) const fn modifiers(self, modifiers: Modifiers) -> Self {
        self.with(ComputationRules {
            modifiers,
            ..self.computation()
        })
    }

    pub(super) const fn saturation(self, saturation: Saturation) -> Self {
        self.with(ComputationRules {
            saturation,
            ..self.computation()
        })
    }

    pub(super) const fn unsaturated(self) -> Self {
        self.saturation(Saturation::Refused)
    }

    pub(super) const fn mixing(self, mixing: Mixing) -> Self {
        self.with(ComputationRules {
            mixing,
            ..self.computation()
        })
    }

    pub(super) const fn classes(self, classes: Classes) -> Self {
        Self { classes, ..self }
    }

    pub(super) const fn requiring(self, requirements: &'static [Requirement]) -> Self {
        Self {
            requirements,
            ..self
        }
    }

    /// The code of the first data size of an LSC atomic.
    pub(super) const fn atomic_size(&self) -> Option<u64> {
        match &self.lsc {
            Some(LscConstraints {
                access: LscAccess::Atomic(atomic),
                ..
            }) => atomic.sizes.first().copied(),
            _ => None,
        }
    }

    const fn lsc(self) -> LscConstraints {
        self.lsc.expect("the message is LSC")
    }

    /// An LSC message of typed surfaces.
    pub(super) const fn typed(self) -> Self {
        Self {
            lsc: Some(LscConstraints {
                typed: true,
                ..self.lsc()
            }),
            ..self
        }
    }

    /// An LSC message of channels.
    pub(super) const fn quad(self) -> Self {
        Self {
            lsc: Some(LscConstraints {
                quad: true,
                ..self.lsc()
            }),
            ..self
        }
    }
}

pub(super) const LOGIC: Constraints = types(ALL_INTEGERS)
    .modifiers(Modifiers::Logic)
    .unsaturated()
    .classes(Classes::Alike);
pub(super) const SHIFT: Constraints = types(ALL_INTEGERS).modifiers(Modifiers::Shift);
pub(super) const ROTATION: Constraints = types(WORDS_AND_DWORDS.and(QWORDS))
    .modifiers(Modifiers::AcceptsAll)
    .unsaturated()
    .on(Platforms::FROM_ICLLP)
    .requiring(&[Requirement::RareQuadwords]);
pub(super) const BIT_FIELD: Constraints = types(DWORDS)
    .accepting(ALL_INTEGERS)
    .modifiers(Modifiers::AcceptsNot)
    .unsaturated();
pub(super) const CARRIED: Constraints = types(UD)
    // Intel's compiler writes packed constants.
    .others(UD, UD.and(PACKED_UNSIGNED))
    .unsaturated();
pub(super) const SUM_OF_THREE: Constraints =
    types(WORDS_AND_DWORDS).documented_on(Platforms::FROM_XEHP);
pub(super) const FLOAT: Constraints = types(F);
pub(super) const TRANSCENDENTAL: Constraints = types(F_HF);
pub(super) const ROOT: Constraints = types(FLOATS).accepting(FLOATS.and(ALL_INTEGERS));
pub(super) const IEEE: Constraints = types(F_DF)
    .modifiers(Modifiers::AcceptsSign)
    .on(Platforms::WITH_IEEE);
pub(super) const OLD_FLOAT: Constraints = FLOAT.documented_on(Platforms::UP_TO_ICLLP);
pub(super) const DOT: Constraints = OLD_FLOAT.requiring(&[Requirement::FourLanes]);

pub(super) const BARRIER: Constraints = FREE
    .on(Platforms::FROM_PVC)
    .requiring(&[Requirement::BarrierNumbers]);

const MESSAGE_UD: &[&str] = &["ud"];
const MESSAGE_UQ: &[&str] = &["uq"];
pub(super) const MESSAGE_DWORDS: &[&str] = &["ud", "d", "f"];
const SVM_DATA: &[&str] = &["ud", "d", "f", "uq", "q", "df", "ub", "b"];
const MESSAGE_QWORDS: &[&str] = &["uq", "q", "df"];
const ANY_LANES: &[u8] = &[1, 2, 4, 8, 16, 32];

pub(super) const OWORDS: Constraints =
    message(&[(Address, MESSAGE_UD)], ANY_LANES, SurfaceRule::SlmLater)
        .requiring(&[Requirement::Owords]);
pub(super) const MEDIA: Constraints = message(
    &[(Coordinate(3), MESSAGE_UD), (Coordinate(4), MESSAGE_UD)],
    ANY_LANES,
    SurfaceRule::Declared,
)
.requiring(&[Requirement::MediaBlock]);
pub(super) const ELEMENTS: Constraints = message(
    &[(Address, MESSAGE_UD), (Offsets, MESSAGE_UD)],
    ANY_LANES,
    SurfaceRule::Any,
)
.requiring(&[Requirement::DwordElements, Requirement::ListedCounts]);
pub(super) const TYPED: Constraints =
    message(&[(Coordinate(0), MESSAGE_UD)], &[8], SurfaceRule::Declared);
pub(super) const SCALED: Constraints = message(
    &[(Address, MESSAGE_UD), (Offsets, MESSAGE_UD)],
    &[1, 8, 16],
    SurfaceRule::Any,
)
.requiring(&[Requirement::FourBlocks]);
pub(super) const CHANNELS: Constraints = message(
    &[
        (Address, MESSAGE_UD),
        (Offsets, MESSAGE_UD),
        (Dst, MESSAGE_DWORDS),
        (Src0, MESSAGE_DWORDS),
    ],
    &[8, 16],
    SurfaceRule::Any,
);
pub(super) const QUADWORDS: Constraints = message(
    &[
        (Offsets, MESSAGE_UD),
        (Dst, MESSAGE_QWORDS),
        (Src0, MESSAGE_QWORDS),
    ],
    ANY_LANES,
    SurfaceRule::Any,
)
.on(Platforms::FROM_PVC)
.accepted_on(Platforms::FROM_XEHP)
.requiring(&[Requirement::FourBlocks]);
pub(super) const SVM_BLOCKS: Constraints =
    message(&[(Address, MESSAGE_UQ)], &[1, 2, 4, 8], SurfaceRule::Any);
pub(super) const SVM_ELEMENTS: Constraints = message(
    &[(Address, MESSAGE_UQ), (Dst, SVM_DATA), (Src0, SVM_DATA)],
    &[1, 2, 4, 8, 16],
    SurfaceRule::Any,
);
pub(super) const TYPED_ATOMIC: Constraints = message(
    &[(Coordinate(0), MESSAGE_UD)],
    &[8],
    SurfaceRule::DeclaredAccepted,
)
.requiring(&[Requirement::OperandsOfOperation, Requirement::ListedCounts]);

/// An LSC instruction that accesses no data.
pub(super) const LSC: Constraints = FREE.on(Platforms::WITH_LSC);
pub(super) const LSC_LOAD: Constraints = lsc(LscAccess::Load);
pub(super) const LSC_STORE: Constraints = lsc(LscAccess::Store);

/// Data of 32 and 64 bits, and of 16 bits in registers of 32.
const ATOMIC_SIZES: &[u64] = &[3, 4, NARROW_DATA];
/// Data size `d16u32`.
const NARROW_DATA: u64 = 6;

const fn atomic(operands: u8, sizes: &'static [u64], functions: AtomicFunctions) -> Constraints {
    lsc(LscAccess::Atomic(LscAtomic {
        operands,
        sizes,
        functions,
    }))
}

/// An LSC atomic with this number of data operands.
pub(super) const fn lsc_atomic(operands: u8) -> Constraints {
    atomic(operands, ATOMIC_SIZES, AtomicFunctions::Usual)
}

/// An LSC atomic of bfloat16 numbers.
pub(super) const fn lsc_bf_atomic(operands: u8) -> Constraints {
    atomic(operands, &[NARROW_DATA], AtomicFunctions::Usual)
        .on(Platforms::FROM_XE3P)
        .accepted_on(Platforms::WITH_LSC)
}

pub(super) const LSC_FLOAT_SUM: Constraints = atomic(1, ATOMIC_SIZES, AtomicFunctions::Global);
pub(super) const LSC_COMPARE: Constraints = atomic(2, ATOMIC_SIZES, AtomicFunctions::All);

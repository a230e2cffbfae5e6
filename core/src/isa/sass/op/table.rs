//! The opcode table. A row says which operands an opcode has, which words may follow it,
//! and what it does. An opcode with a leading `U` is the uniform twin of the row without.
//! Words behind `=>` are of some of these chips only.
//!
//! Sources: NVIDIA's CUDA Binary Utilities (names), the PTX ISA (rules that an opcode
//! inherits), recorded listings and launches (`tests/vectors/sass-kernels`). The first chip of
//! an opcode is the first for which nvdisasm 12.4 reads its encoding, or, as that of a word, the
//! one that the PTX ISA requires.

use super::expression as e;
use super::flow::{TokenKind as K, WarpFlow as F};
use super::matrix::{MatrixKind, MatrixShape};
use super::memory::{Action, MemoryKind, Window};
use super::special::SpecialKind as Sp;
use super::words::{SassModifiers, Word, WordSet};
use super::{Class, Era, OperandSlot as O, SassOp};
use crate::isa::sass::chip::Chip;
use crate::isa::sass::op::operand::Kind::{
    Bits, Bytes, Double, Float, FloatPair as TwoFloats, Half, Halves, Int, Matrix, Short, Typed,
    TypedPair, Upper, Wide as Long, WithHalf,
};
use crate::isa::schema::Syntax;
use crate::isa::{Fact, Family, Spec};
use crate::rules::Provenance;
use Class::{Alu, Fence, Flow, Memory, NoEffect, Special};
use Era::{Every, New, Old};
use Word::*;

const SM61: Era = Era::From(Chip::Sm61);
const SM75: Era = Era::From(Chip::Sm75);
const SM80: Era = Era::From(Chip::Sm80);
const SM86: Era = Era::From(Chip::Sm86);
const SM89: Era = Era::From(Chip::Sm89);
const SM90: Era = Era::From(Chip::Sm90);
const SM100: Era = Era::From(Chip::Sm100);
// By the words that nvdisasm 13.5 reads.
const DATA_CENTERS: Era = Era::Of(&[Chip::Sm100, Chip::Sm103, Chip::Sm107]);
const THREE_SOURCES: Era = Era::Of(&[Chip::Sm100, Chip::Sm103, Chip::Sm107, Chip::Sm110]);
const LONG_INTEGERS: Era = Era::Of(&[Chip::Sm107, Chip::Sm120, Chip::Sm121]);

const I2: &[O] = &[O::D(Int), O::S(Int), O::S(Int)];
const I1: &[O] = &[O::D(Int), O::S(Int), O::Maybe(Int)];
const I3: &[O] = &[O::D(Int), O::S(Int), O::S(Int), O::S(Int)];
const B1: &[O] = &[O::D(Bits), O::S(Bits), O::Maybe(Bits)];
const B3: &[O] = &[O::D(Bits), O::S(Bits), O::S(Bits), O::S(Bits)];
const ADD3: &[O] = &[
    O::D(Int),
    O::MaybeP,
    O::MaybeP,
    O::S(Int),
    O::S(Int),
    O::S(Int),
    O::MaybeQ,
    O::MaybeQ,
];
const ADD: &[O] = &[O::D(Int), O::MaybeP, O::S(Int), O::S(Int), O::MaybeQ];
const LONG_ADD: &[O] = &[O::D(Long), O::MaybeP, O::S(Long), O::S(Long), O::MaybeQ];
const LONG_ADD3: &[O] = &[
    O::D(Long),
    O::MaybeP,
    O::MaybeP,
    O::S(Long),
    O::S(Long),
    O::S(Long),
    O::MaybeQ,
    O::MaybeQ,
];
const LEA: &[O] = &[O::D(Int), O::MaybeP, O::S(Int), O::S(Int), O::Maybe(Int)];
const LEA_HI: &[O] = &[
    O::MaybeP,
    O::D(Int),
    O::MaybeP,
    O::S(Int),
    O::S(Int),
    O::S(Int),
    O::Maybe(Int),
    O::MaybeQ,
];
const MAD: &[O] = &[O::D(Int), O::S(Int), O::S(Int), O::S(Int), O::MaybeQ];
const MAD_HI: &[O] = &[
    O::D(Int),
    O::MaybeP,
    O::S(Int),
    O::S(Int),
    O::S(Long),
    O::MaybeQ,
];
const MAD_WIDE: &[O] = &[
    O::D(Long),
    O::MaybeP,
    O::S(Int),
    O::S(Int),
    O::S(Long),
    O::MaybeQ,
];
const XMAD: &[O] = &[O::D(Int), O::S(WithHalf), O::S(WithHalf), O::S(Int)];
const PICK3: &[O] = &[O::D(Int), O::S(Int), O::S(Int), O::S(Int), O::Q];
const PICK: &[O] = &[O::D(Int), O::S(Int), O::S(Int), O::Q];
const LONG_PICK: &[O] = &[O::D(Long), O::S(Long), O::S(Long), O::Q];
const LONG_MINIMUM: &[O] = &[
    O::Unused("PT"),
    O::Unused("PT"),
    O::D(Long),
    O::S(Long),
    O::S(Long),
    O::Q,
    O::Unused("!PT"),
];
const PART_MINIMUM: &[O] = &[
    O::D(Int),
    O::Unused("PT"),
    O::Unused("PT"),
    O::S(Int),
    O::S(Int),
    O::Q,
];
const LOP: &[O] = &[O::MaybeP, O::D(Bits), O::S(Bits), O::S(Bits)];
const LOP3: &[O] = &[
    O::MaybeP,
    O::D(Bits),
    O::S(Bits),
    O::S(Bits),
    O::S(Bits),
    O::S(Bits),
    O::MaybeQ,
];
const PLOP3: &[O] = &[O::P, O::P, O::Q, O::Q, O::Q, O::S(Int), O::S(Int)];
const PSETP: &[O] = &[O::P, O::P, O::Q, O::Q, O::Q];
const PSET: &[O] = &[O::D(Bits), O::Q, O::Q, O::Q];
const ISETP: &[O] = &[O::P, O::P, O::S(Int), O::S(Int), O::Q, O::MaybeQ];
const LONG_ISETP: &[O] = &[O::P, O::P, O::S(Long), O::S(Long), O::Q, O::MaybeQ];
const ISET: &[O] = &[O::D(Bits), O::S(Int), O::S(Int), O::Q];
const F1: &[O] = &[O::D(Float), O::S(Float)];
const F2: &[O] = &[O::D(Float), O::S(Float), O::S(Float)];
const F3: &[O] = &[O::D(Float), O::S(Float), O::S(Float), O::S(Float)];
const FPICK: &[O] = &[O::D(Float), O::S(Float), O::S(Float), O::Q];
const FSETP: &[O] = &[O::P, O::P, O::S(Float), O::S(Float), O::Q];
const FSET: &[O] = &[O::D(Bits), O::S(Float), O::S(Float), O::Q];
const FCHK: &[O] = &[O::P, O::S(Float), O::S(Float)];
const FPAIR2: &[O] = &[O::D(TwoFloats), O::S(TwoFloats), O::S(TwoFloats)];
const FPAIR3: &[O] = &[
    O::D(TwoFloats),
    O::S(TwoFloats),
    O::S(TwoFloats),
    O::S(TwoFloats),
];
const D2: &[O] = &[O::D(Double), O::S(Double), O::S(Double)];
const D3: &[O] = &[O::D(Double), O::S(Double), O::S(Double), O::S(Double)];
const DPICK: &[O] = &[O::D(Double), O::S(Double), O::S(Double), O::Q];
const DSETP: &[O] = &[O::P, O::P, O::S(Double), O::S(Double), O::Q];
const H2: &[O] = &[O::D(Halves), O::S(Halves), O::S(Halves)];
const H3: &[O] = &[O::D(Halves), O::S(Halves), O::S(Halves), O::S(Halves)];

/// Operands of a conversion of one source, by its types: destination, then source.
fn conversion(m: &SassModifiers, is_integer_first: bool) -> &'static [O] {
    let has = |is_float: bool, bits: u32| {
        let mut types = m.types.iter().flatten();
        types.any(|ty| ty.format.is_some() == is_float && ty.bits == bits)
    };
    let is_long = has(false, 64);
    // The source of an integer to float conversion is an integer.
    match (is_integer_first, has(true, 64), has(true, 16)) {
        (true, true, _) if is_long => &[O::D(Double), O::S(TypedPair)],
        (true, true, _) => &[O::D(Double), O::S(Typed)],
        (true, _, true) if is_long => &[O::D(Half), O::S(TypedPair)],
        (true, _, true) => &[O::D(Half), O::S(Typed)],
        (true, ..) if is_long => &[O::D(Float), O::S(TypedPair)],
        (true, ..) => &[O::D(Float), O::S(Typed)],
        (false, true, _) if is_long => &[O::D(Long), O::S(Double)],
        (false, true, _) => &[O::D(Int), O::S(Double)],
        (false, _, true) if is_long => &[O::D(Long), O::S(Half)],
        (false, _, true) => &[O::D(Int), O::S(Half)],
        (false, ..) if is_long => &[O::D(Long), O::S(Float)],
        (false, ..) => &[O::D(Int), O::S(Float)],
    }
}

/// Operands of a conversion between floats.
fn between_floats(m: &SassModifiers) -> &'static [O] {
    let bits = |place: usize| m.types[place].map_or(32, |ty| ty.bits);
    match (bits(0), bits(1)) {
        (64, 64) => &[O::D(Double), O::S(Double)],
        (64, 16) => &[O::D(Double), O::S(Half)],
        (64, _) => &[O::D(Double), O::S(Float)],
        (16, 64) => &[O::D(Half), O::S(Double)],
        (16, 16) => &[O::D(Half), O::S(Half)],
        (16, _) => &[O::D(Half), O::S(Float)],
        (_, 64) => &[O::D(Float), O::S(Double)],
        (_, 16) => &[O::D(Float), O::S(Half)],
        _ => F1,
    }
}

/// Operands of a function; those of doubles take and return their upper word.
fn function(m: &SassModifiers) -> &'static [O] {
    match () {
        () if m.has(Rcp64h) || m.has(Rsq64h) => &[O::D(Bits), O::S(Upper)],
        () if m.has(F16) && m.has(Sat) => &[],
        () if m.has(F16) => &[O::D(Half), O::S(Half)],
        () => F1,
    }
}

/// Operands of an instruction that packs floats, or unpacks them.
fn packed_floats(m: &SassModifiers) -> &'static [O] {
    match () {
        () if (m.has(MergeC) || m.has(PackAb)) && (m.has(E4m3) || m.has(E5m2)) => &[],
        () if m.has(MergeC) => &[O::D(Halves), O::S(Float), O::S(Bits)],
        () if m.has(PackAb) => &[O::D(Halves), O::S(Float), O::S(Float)],
        () if m.has(PackAbMergeC) => &[O::D(Bits), O::S(Float), O::S(Float), O::S(Bits)],
        () if m.has(UnpackB) => &[O::D(Halves), O::S(Bits)],
        () => &[O::D(Bits), O::S(Halves), O::S(Bits)],
    }
}

fn rounded(m: &SassModifiers) -> &'static [O] {
    match m.types[0].map_or(32, |ty| ty.bits) {
        64 => &[O::D(Double), O::S(Double)],
        16 => &[O::D(Half), O::S(Half)],
        _ => F1,
    }
}

/// Operands of a load, store or atomic.
fn memory(m: &SassModifiers, action: Action) -> &'static [O] {
    let is_any = |words: &[Word]| words.iter().any(|word| m.has(*word));
    let is_pair = is_any(&[U64, S64, F64, B64, HalfQuad, BrainQuad, FloatPair]);
    let data = match (is_any(&[B128, HalfOctet, BrainOctet, FloatQuad]), is_pair) {
        _ if m.has(B256) => 4,
        (true, _) => 2,
        (_, true) => 1,
        _ => 0,
    };
    match (action, data) {
        (Action::Load, 0) => &[O::D(Int), O::Address, O::Ignored],
        (Action::Load, 1) => &[O::D(Long), O::Address, O::Ignored],
        (Action::Load, 2) => &[O::Four, O::Address, O::Ignored],
        (Action::Load, _) => &[O::UpperWords, O::LowerWords, O::Address, O::WordMask],
        (Action::Store, 0) => &[O::Address, O::S(Int), O::Ignored],
        (Action::Store, 1) => &[O::Address, O::S(Long), O::Ignored],
        (Action::Store, 2) => &[O::Address, O::Quad, O::Ignored],
        (Action::Store, _) => &[O::Address, O::Quad, O::Quad, O::Ignored],
        (Action::Atomic, 0) if m.has(Cast) => {
            &[O::MaybeP, O::MaybeD(Int), O::Address, O::S(Int), O::S(Int)]
        }
        (Action::Atomic, 1) if m.has(Cast) => &[
            O::MaybeP,
            O::MaybeD(Long),
            O::Address,
            O::S(Long),
            O::S(Long),
        ],
        (Action::Atomic, _) if m.has(Arrive) => &[O::D(Long), O::Address],
        (Action::Atomic, 0) if m.has(Popc) => &[O::MaybeP, O::D(Int), O::Address],
        (Action::Atomic, 0) if m.swaps() => {
            &[O::MaybeP, O::D(Int), O::Address, O::S(Int), O::S(Int)]
        }
        (Action::Atomic, 0) => &[O::MaybeP, O::D(Int), O::Address, O::S(Int)],
        (Action::Atomic, 2) => &[O::MaybeP, O::Four, O::Address, O::Quad],
        (Action::Atomic, _) if m.swaps() => {
            &[O::MaybeP, O::D(Long), O::Address, O::S(Long), O::S(Long)]
        }
        (Action::Atomic, _) => &[O::MaybeP, O::D(Long), O::Address, O::S(Long)],
        (Action::Copy, _) => &[O::Address, O::From, O::MaybeTrue],
        (Action::BulkCopy, _) => &[O::Address, O::From, O::S(Int), O::Ignored],
        (Action::Synchronize, _) if m.has(Ldgstsbar) => &[O::Address],
        (Action::Synchronize, _) if m.has(Exch) => &[O::D(Long), O::Address, O::S(Long)],
        (Action::Synchronize, _) if m.has(Arrive) => &[O::D(Long), O::Address, O::S(Int)],
        (Action::Synchronize, _) if m.has(Phasechk) => &[O::P, O::Address, O::S(Int)],
        (Action::Synchronize, _) => &[O::Any],
        (Action::Reduction, 0) => &[O::Address, O::S(Int)],
        (Action::Reduction, 2) => &[O::Address, O::Quad],
        (Action::Reduction, _) => &[O::Address, O::S(Long)],
    }
}

/// Operands of a matrix product: the result, both factors and the addend.
fn matrices(m: &SassModifiers, kind: MatrixKind) -> &'static [O] {
    macro_rules! operands {
        ($a:literal $b:literal $d:literal) => {
            &[
                O::D(Matrix($d)),
                O::S(Matrix($a)),
                O::S(Matrix($b)),
                O::S(Matrix($d)),
            ]
        };
    }
    match MatrixShape::of(m, kind).map(MatrixShape::registers) {
        Some([1, 1, 2]) => operands!(1 1 2),
        Some([2, 1, 2]) => operands!(2 1 2),
        Some([2, 1, 4]) => operands!(2 1 4),
        Some([4, 2, 2]) => operands!(4 2 2),
        Some([4, 2, 4]) => operands!(4 2 4),
        Some([2, 2, 4]) => operands!(2 2 4),
        Some([4, 2, 8]) => operands!(4 2 8),
        Some([8, 4, 8]) => operands!(8 4 8),
        Some([16, 8, 8]) => operands!(16 8 8),
        Some(_) | None => &[],
    }
}

/// Operands of a load or store of matrices.
fn moved_matrices(m: &SassModifiers, action: Action) -> &'static [O] {
    match (action, m.has(Two), m.has(Four)) {
        (Action::Load, true, _) => &[O::D(Matrix(2)), O::Address],
        (Action::Load, _, true) => &[O::D(Matrix(4)), O::Address],
        (Action::Load, ..) => &[O::D(Matrix(1)), O::Address],
        (_, true, _) => &[O::Address, O::S(Matrix(2))],
        (_, _, true) => &[O::Address, O::S(Matrix(4))],
        _ => &[O::Address, O::S(Matrix(1))],
    }
}

const fn kind(window: Window, action: Action) -> Class {
    Memory(MemoryKind { window, action })
}

const RS_LS: &[Word] = &[X, Rs, Ls];
const ROUNDINGS: &[Word] = &[Rn, Rm, Rp, Rz, Ftz, Sat];
const COMPARISONS: WordSet = WordSet::of(&[
    Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan,
]);
const LOGIC: WordSet = WordSet::of(&[And, Or, Xor]);
const FUNCTIONS: WordSet = WordSet::of(&[Rcp, Rsq, Sqrt, Ex2, Lg2, Sin, Cos, Tanh, Rcp64h, Rsq64h]);
const TYPES: WordSet = WordSet::of(&[
    U8, S8, U16, S16, U32, S32, U64, S64, F16, Bf16, F32, F64, B32, B64, B128,
]);
const CONVERSIONS: WordSet = TYPES.and(WordSet::of(&[
    Rn, Rm, Rp, Rz, Ftz, Sat, Floor, Ceil, Trunc, Round, Ntz,
]));
const VIDEO_TYPES: WordSet = WordSet::of(&[U8, S8, U16, S16, U32, S32]);
const VIDEO: WordSet = VIDEO_TYPES.and(WordSet::of(&[
    Sat, Acc, Min, Max, Mrg16h, Mrg16l, Mrg8b0, Mrg8b2,
]));
const HALF_NUMBERS: WordSet = WordSet::of(&[Sat, Ftz]);
const HALVES: WordSet = WordSet::of(&[Sat, Ftz, F32, Mma, Brain, Relu]);
const MINIMA: WordSet = WordSet::of(&[U32, S32, U16Pairs, S16Pairs, Relu]);
const ACCESSES: WordSet = TYPES.and(WordSet::of(&[E, U]));
const ATOMICS: WordSet = WordSet::of(&[
    E, U, U32, S32, U64, S64, F32, F64, B32, B64, Ftz, Rn, Spin, Popc, HalfPair, HalfQuad,
    HalfOctet, BrainPair, BrainQuad, BrainOctet, FloatPair, FloatQuad,
]);
const REDUCTIONS: WordSet = WordSet::of(&[Add, Min, Max, Inc, Dec, And, Or, Xor]);
const UPDATES: WordSet = REDUCTIONS.and(WordSet::of(&[Exch, Cas, Cast]));

macro_rules! rows {
    ($($name:literal $era:ident [$words:expr $(; $($choice:expr),+)? $(=> $restricted:expr)?] $forms:expr, $class:expr, $summary:literal, $mark:ident $doc:literal;)*) => {
        /// All rows.
        pub static OPS: &[SassOp] = &[$(SassOp {
            spec: spec($name, &[$name], matches!($class, Memory(_)), $summary,
                &[Fact { mark: Provenance::$mark, text: $doc }]),
            era: $era,
            words: $words$($(.and($choice))+)?,
            choices: &[$($($choice),+)?],
            restricted: &[$($restricted)?],
            operands: $forms,
            class: $class,
        },)*];
    };
}

/// The row of an opcode that is not in the table: it stops the run.
pub static UNKNOWN: SassOp = SassOp {
    spec: spec(
        "instruction",
        &["instruction"],
        false,
        "An instruction that Lanewise does not execute",
        &[],
    ),
    era: Every,
    words: WordSet::of(&[]),
    choices: &[],
    restricted: &[],
    operands: |_| &[],
    class: Class::NotModelled,
};

const fn spec(
    name: &'static str,
    mnemonics: &'static [&'static str],
    lane_queue: bool,
    summary: &'static str,
    facts: &'static [Fact],
) -> Spec {
    Spec {
        name,
        mnemonics,
        family: Family::Sass,
        opcodes: &[],
        fused: false,
        lane_queue,
        summary,
        source: "NVIDIA's CUDA Binary Utilities",
        syntax: Syntax {
            predicate: true,
            suffixes: &[],
            lanes: "",
            operands: &[],
        },
        operations: alloc::vec::Vec::new,
        constructs: alloc::vec::Vec::new,
        pseudo_code: &[],
        facts,
        contradictions: &[],
        examples: &[],
    }
}

const fn w(words: &[Word]) -> WordSet {
    WordSet::of(words)
}

rows! {
    // Integers.
    "IADD" Old [w(&[X, Sat])] |_| I2, Alu(e::add2), "d = a + b; with .X, d = a + b + the carry",
        Documented "Adds two 32-bit integers. `.CC` on the destination sets the condition code; `.X` adds its carry, `.SAT` clamps to the signed range.";
    "IADD32I" Old [w(&[X])] |_| I2, Alu(e::add2), "d = a + b; with .X, d = a + b + the carry",
        Documented "IADD with an immediate of 32 bits.";
    "IADD3" Old [w(RS_LS)] |_| I3, Alu(e::add3_old), "d = a + b + c",
        Observed "Adds three integers. `.RS` shifts the 33-bit sum of a and b right by 16 before c is added, `.LS` shifts it left; `.H0` and `.H1` select a half of a source.";
    "IADD" LONG_INTEGERS [w(&[X, B64])] |m| if m.has(B64) { LONG_ADD } else { ADD }, Alu(e::add_with_carries), "d = a + b; with .X, d = a + b + the carry p",
        Observed "Adds two integers, of 64 bits with `.64`. The carry goes to u; `.X` adds the carry p.";
    "IADD3" New [w(&[X, B64])] |m| if m.has(B64) { LONG_ADD3 } else { ADD3 }, Alu(e::add_with_carries), "d = a + b + c; carries go to u and v; with .X, d = a + b + c + the carries p and q; carries go to u and v",
        Documented "Adds three integers, of 64 bits with `.64`. u is set if the sum exceeds 32 bits, v if it exceeds twice that; `.X` adds the carries p and q.";
    "VIADD" SM90 [w(&[Pairs, S32, U32, S16Pairs, U16Pairs, S8Quads, U8Quads, Isat])
        => (LONG_INTEGERS, w(&[S8Quads, U8Quads, Isat]))] |_| I2, Alu(e::add_in_parts), "d = a + b",
        Observed "Adds two 32-bit integers, or with `.16x2` two pairs of 16-bit integers, with `.U8x4` four of bytes. `.ISAT` clamps the sums to the type.";
    "ISCADD" Old [w(&[])] |_| I3, Alu(e::scaled_add), "d = (a << c) + b",
        Documented "Shifts a left by an immediate count and adds b.";
    "ISCADD32I" Old [w(&[])] |_| I3, Alu(e::scaled_add), "d = (a << c) + b",
        Documented "ISCADD with an immediate b of 32 bits.";
    "LEA" Old [w(&[Hi, X])] |m| if m.has(Hi) { LEA_HI } else { LEA },
        Alu(|m, x| if m.has(Hi) { e::scaled_high(m, x, true) } else { e::scaled_add(m, x) }),
        "d = (a << c) + b; with .HI, d = (c:a << n) >> 32, plus b",
        Documented "Computes an address: a scaled by a power of two, plus b. `.HI` computes the upper word from c:a; `.X` adds the carry.";
    "LEA" New [w(&[Hi, X, Sx32])] |m| if m.has(Hi) { LEA_HI } else { LEA },
        Alu(|m, x| if m.has(Hi) { e::scaled_high(m, x, false) } else { e::scaled_add(m, x) }),
        "d = (a << c) + b; with .HI, d = (c:a << n) >> 32, plus b",
        Observed "Computes an address: a scaled by a power of two, plus b, with the carry in u. `.HI` computes the upper word from c:a, `.SX32` from the sign of a; `.X` adds the carry p.";
    "IMAD" Old [w(&[Hi, X, Sat, U32, S32])] |m| if m.has(Sat) && (!m.has(Hi) || m.has(U32)) { &[] } else { I3 },
        Alu(e::multiply_add_words), "d = a * b + c; with .HI, d = the upper word of a * b, plus c",
        Documented "Multiplies and adds. `.HI` takes the upper word of the product; `.SAT` clamps the sum with it to the signed range. `.CC` on the destination sets the condition code; `.X` adds its carry.";
    "IMAD" New [w(&[Hi, Wide, U32, S32, X, Mov, Iadd, Shl])]
        |m| if m.has(Wide) { MAD_WIDE } else if m.has(Hi) { MAD_HI } else { MAD },
        Alu(e::multiply_add), "d = a * b + c; with .HI, d = the upper word of a * b + c",
        Observed "Multiplies and adds. `.WIDE` adds the 64-bit product to a register pair, `.HI` returns the upper word of such a sum; `.MOV`, `.IADD` and `.SHL` only say what it is used for.";
    "IMUL" Every [w(&[Hi, U32, S32])] |_| I2, Alu(e::multiply_add), "d = a * b; with .HI, d = the upper word of a * b",
        Documented "Multiplies; `.HI` returns the upper word of the product.";
    "IMUL32I" Old [w(&[Hi, U32, S32])] |_| I2, Alu(e::multiply_add), "d = a * b; with .HI, d = the upper word of a * b",
        Documented "IMUL with an immediate of 32 bits.";
    "XMAD" Old [w(&[X, U16, S16, Psl, Clo, Chi, Cbcc, Csfu, Mrg])] |_| XMAD, Alu(e::multiply_halves),
        "d = a * b + c, with halves of the factors",
        Documented "Multiplies two 16-bit halves and adds c; three of them make a product of 32 bits. `.PSL` shifts the product left by 16, `.CLO` and `.CHI` take a half of c, `.CBCC` adds b shifted left by 16, `.MRG` puts the lower half of b into the upper half of d.";
    "IABS" New [w(&[])] |_| I1, Alu(|_, x| {
        let negative = x.sources[0] >> 31 & 1 == 1;
        e::LaneOutput::value(if negative { x.sources[0].wrapping_neg() } else { x.sources[0] } & e::ALL)
    }), "d = |a|",
        Observed "Absolute value; that of the smallest integer is itself.";
    "VABSDIFF" Every [VIDEO.and(w(&[Sd]))] |_| I3, Alu(e::distance), "d = |a - b| + c; with .MIN or .MAX, the smaller or larger of |a - b| and c",
        Observed "Absolute difference without overflow, plus c, or the minimum or maximum with c.";
    "VMNMX" Old [VIDEO.and(w(&[Ud, Mx]))] |_| I3, Alu(e::video_minimum), "d = the smaller of a and b, plus c; with .MX, the larger; with .MIN or .MAX, the smaller or larger of it and c",
        Documented "Minimum of a and b, or with `.MX` the maximum. `.MIN` and `.MAX` compare it with c, `.ACC` adds c; `.UD` makes the result unsigned.";
    "VADD" Old [VIDEO.and(w(&[Ud]))] |_| &[O::D(Int), O::S(Int), O::S(Short), O::S(Int)], Alu(e::video_add), "d = a + b; with .ACC, plus c; with .MIN or .MAX, the smaller or larger of it and c",
        Documented "Adds bytes, halves or words without overflow. `.SAT` clamps the sum to the type of the destination, unsigned with `.UD`; `.ACC`, `.MIN` and `.MAX` combine it with c; `.MRG_16H`, `.MRG_16L`, `.MRG_8B0` and `.MRG_8B2` replace a part of c.";
    "VMAD" Old [VIDEO_TYPES.and(w(&[Sat, Po, Shr7, Shr15]))] |_| &[O::D(Int), O::S(Int), O::S(Short), O::S(Int)], Alu(e::video_multiply_add), "d = a * b + c; with .PO, plus 1",
        Documented "Multiplies bytes, halves or words and adds c exactly. `.SHR_7` and `.SHR_15` shift the sum right, `.SAT` clamps it.";
    "VSHL" Old [VIDEO.and(w(&[Ud, W]))] |_| I3, Alu(|m, x| e::video_shift(m, x, true)), "d = a << b, combined with c as by VADD",
        Documented "Shifts left; counts above 32 are 32, with `.W` they are taken modulo 32.";
    "VSHR" Old [VIDEO.and(w(&[Ud, W]))] |_| I3, Alu(|m, x| e::video_shift(m, x, false)), "d = a >> b, combined with c as by VADD",
        Documented "Shifts right, by the sign of a signed source, otherwise as VSHL.";
    "VSET" Old [VIDEO; COMPARISONS] |_| I3, Alu(e::video_compare_in_register), "d = whether a cmp b, 0 or 1, combined with c as by VADD",
        Documented "Compares bytes, halves or words.";
    "VSETP" Old [VIDEO_TYPES; COMPARISONS, LOGIC] |_| &[O::P, O::P, O::S(Int), O::S(Int), O::Q], Alu(e::video_compare), "u = (a cmp b) op p; v = the complement, combined likewise",
        Observed "Compares bytes, halves or words and combines the result with p, as ISETP.";
    "VABSDIFF4" Every [w(&[U8, S8, Acc])] |_| &[O::D(Int), O::S(Int), O::S(Bytes), O::S(Int)], Alu(e::distance_of_bytes), "d = |a - b| in each of four bytes",
        Documented "Absolute differences of four pairs of bytes. `.ACC` adds them up, and c.";
    "IDP" SM61 [w(&[Lo, Hi, U8, S8, U16, S16]); w(&[FourA, TwoA])] |_| I3, Alu(e::dot_product), "d = the sum of products of parts of a and b, plus c",
        Documented "Dot product. `.4A` multiplies the four bytes of a and b, `.2A` the halves of a and two bytes of b, the lower ones or with `.HI` the upper ones.";
    "IMNMX" New [w(&[U32, S32, U64, S64]) => (LONG_INTEGERS, w(&[U64, S64]))] |m| if m.is_long() { LONG_MINIMUM } else { PICK }, Alu(e::minimum), "d = the smaller of a and b if p, else the larger",
        Documented "Minimum if p is true, maximum otherwise, of 64 bits with `.U64` and `.S64`.";
    "IMNMX" Old [w(&[U32, S32, Xhi, Xlo])] |_| PICK, Alu(e::minimum), "d = the smaller of a and b if p, else the larger",
        Documented "Minimum if p is true, maximum otherwise. `.XHI` and `.XLO` compare 64-bit values in two steps through the condition code.";
    "VIMNMX" SM90 [MINIMA.and(w(&[S8Quads, U8Quads])) => (LONG_INTEGERS, w(&[S8Quads, U8Quads]))] |_| PART_MINIMUM, Alu(|m, x| e::minimum_in_parts(m, x, 2)), "d = the smaller of a and b if p, else the larger",
        Observed "Minimum if p is true, maximum otherwise. `.U16x2` and `.S16x2` work on two pairs of 16-bit integers, `.U8x4` and `.S8x4` on four of bytes; `.RELU` replaces a negative result by 0.";
    "VIMNMX3" SM90 [MINIMA] |_| PICK3, Alu(|m, x| e::minimum_in_parts(m, x, 3)), "d = the smallest of a, b and c if p, else the largest",
        Observed "Minimum of three numbers if p is true, maximum otherwise, with the words of VIMNMX.";
    "VIADDMNMX" SM90 [MINIMA] |_| PICK3, Alu(e::minimum_of_sum), "d = the smaller of a + b and c if p, else the larger",
        Observed "Adds a and b, then takes the minimum with c if p is true, the maximum otherwise, with the words of VIMNMX.";
    "POPC" Every [w(&[])] |_| I1, Alu(|_, x| {
        let bits = (x.sources[0] | x.sources[1]) & e::ALL;
        e::LaneOutput::value(bits.count_ones().into())
    }), "d = the number of ones in a",
        Documented "Counts the bits that are 1.";
    "FLO" Every [w(&[U32, S32, Sh])] |_| I1, Alu(e::highest_bit), "d = the index of the highest bit unlike the sign",
        Documented "Finds the highest bit that is 1, or in signed numbers, that differs from the sign; all ones if there is none. `.SH` counts from the top.";
    "BREV" New [w(&[])] |_| B1, Alu(|_, x| e::LaneOutput::value(x.sources[0].reverse_bits() >> 32)), "d = the bits of a in reverse order",
        Documented "Reverses the order of the bits.";
    "SGXT" New [w(&[U32, S32, W])] |_| I2, Alu(e::extend), "d = the lower b bits of a, extended",
        Observed "Extends the lower b bits by their sign, or with `.U32` by zeros.";
    "BMSK" New [w(&[W])] |_| &[O::D(Bits), O::S(Int), O::S(Int)], Alu(e::mask), "d = b ones from bit a on",
        Documented "Makes a mask of b ones that starts at bit a.";
    "I2I" Every [CONVERSIONS] |_| &[O::D(Int), O::S(Typed)], Alu(e::integer_to_integer), "d = a in another integer type",
        Observed "Converts between integer types; the first type is that of d. `.SAT` clamps instead of wrapping.";
    "I2IP" SM75 [w(&[S32]); w(&[U4, S4, U8, S8, U16, S16]), w(&[Sat])] |_| I3, Alu(e::pack_integers), "d = a and b, clamped to small integers, below c",
        Observed "Clamps two integers and packs them: a above b, and c above both.";
    // Logic, shifts and bytes.
    "LOP" Old [w(&[Nz, Z, T, X]); w(&[And, Or, Xor, PassB])] |_| LOP, Alu(e::logic), "d = a op b; with .PASS_B, d = b",
        Documented "Bitwise AND, OR or XOR; `.PASS_B` copies b. The predicate u tells whether the result is zero, as `.Z` or `.NZ` asks.";
    "LOP32I" Old [w(&[]); w(&[And, Or, Xor, PassB])] |_| LOP, Alu(e::logic), "d = a op b; with .PASS_B, d = b",
        Documented "LOP with an immediate of 32 bits.";
    "LOP3" Every [w(&[Lut, Nz])] |_| LOP3, Alu(e::logic3), "d = the function n of a, b and c; u = whether it is not 0",
        Documented "Any bitwise function of three sources: bit 4a+2b+c of the table n is the result, so 0xc0 is a & b, 0xfc a | b, 0x3c a ^ b, 0x96 a ^ b ^ c. u tells whether the result is not zero, or p.";
    "PLOP3" New [w(&[Lut])] |_| PLOP3, Alu(e::predicate_logic3), "u, v = the functions a and b of p, q and r",
        Documented "Any two functions of three predicates, or of the signs of registers, by tables of eight bits: a for u, b for v.";
    "PSETP" Old [w(&[]); LOGIC, LOGIC] |_| PSETP, Alu(e::predicate_logic), "u = (p op q) op r; v = the complement, combined likewise",
        Documented "Combines three predicates with the two operations; v starts from the complement of p.";
    "PSET" Old [w(&[Bf]); LOGIC, LOGIC] |_| PSET, Alu(|m, x| e::in_register(m, x, e::predicate_logic)), "d = (p op q) op r",
        Documented "Combines three predicates; d is all ones if the result is true, or 1.0 with `.BF`.";
    "SHL" Old [w(&[W])] |_| I2, Alu(e::shift_left), "d = a << b",
        Documented "Shifts left. Counts above 32 give 0; `.W` takes them modulo 32.";
    "SHR" Old [w(&[W, U32, S32])] |_| I2, Alu(e::shift_right), "d = a >> b",
        Documented "Shifts right: by the sign unless `.U32`. `.W` takes the count modulo 32.";
    "SHF" Old [w(&[W, U32, S32, U64, S64, Hi]); w(&[L, R])] |_| I3, Alu(|m, x| e::funnel(m, x, true)), "d = one word of c:a, shifted by b",
        Observed "Shifts the 64-bit value c:a by b; `.L` returns the upper word, `.R` the lower one.";
    "SHF" New [w(&[W, U32, S32, U64, S64, Hi]); w(&[L, R])] |_| I3, Alu(|m, x| e::funnel(m, x, false)), "d = one word of c:a, shifted by b",
        Observed "Shifts the 64-bit value c:a by b and returns the lower word, with `.HI` the upper one. With a = c it rotates; with RZ as one of the words it is a plain shift.";
    "BFE" Old [w(&[U32, S32, Brev])] |_| I2, Alu(e::extract), "d = the field of a that b names",
        Documented "Extracts a field: its position is in bits 0 to 7 of b, its length in bits 8 to 15.";
    "BFI" Old [w(&[])] |_| I3, Alu(e::insert), "d = c, with the field from a that b names",
        Documented "Inserts a field of a into c: its position is in bits 0 to 7 of b, its length in bits 8 to 15.";
    "PRMT" Every [w(&[F4e, B4e, Rc8, Ecl, Ecr, Rc16])] |_| B3, Alu(e::permute), "d = four bytes of a and c, which b selects",
        Documented "Selects four of the eight bytes of a (0 to 3) and c (4 to 7) by the digits of b; digits from 8 on replicate the sign of a byte.";
    "SEL" Every [w(&[B64]) => (LONG_INTEGERS, w(&[B64]))] |m| if m.has(B64) { LONG_PICK } else { PICK }, Alu(e::select), "d = p ? a : b",
        Documented "Selects a if p is true, b otherwise.";
    "FSEL" New [w(&[Ftz])] |_| FPICK, Alu(e::select), "d = p ? a : b",
        Documented "Selects a if p is true, b otherwise; the sources may have float modifiers.";
    "MOV" Every [w(&[B64]) => (LONG_INTEGERS, w(&[B64]))] |m| if m.has(B64) { &[O::D(Long), O::S(Long)] } else { I1 }, Alu(|_, x| e::LaneOutput::value(x.sources[0])), "d = a",
        Documented "Copies a register, constant or number, or with `.64` a pair of registers.";
    "MOV32I" Old [w(&[])] |_| I1, Alu(|_, x| e::LaneOutput::value(x.sources[0] & e::ALL)), "d = a",
        Documented "Copies an immediate of 32 bits.";
    "R2UR" SM75 [w(&[Broadcast]) => (SM100, w(&[Broadcast]))] |_| &[O::MaybeP, O::D(Int), O::S(Int)], Special(Sp::Uniform), "the uniform register d = a",
        Observed "Copies a register to a uniform register, which all lanes share, also those whose guard is false; the value must be the same in all lanes that execute it. A predicate tells the lanes in which it is not (inferred from the code of compilers, as are `BRA.DIV` and `WARPSYNC.EXCLUSIVE`).";
    "ICMP" Old [w(&[U32, S32]); COMPARISONS] |_| I3, Alu(e::select_by_number), "d = c cmp 0 ? a : b",
        Observed "Selects a or b by comparing c with 0.";
    "ISETP" Every [w(&[U32, S32, U64, S64, X, Ex]); COMPARISONS, LOGIC => (LONG_INTEGERS, w(&[U64, S64]))] |m| if m.is_long() { LONG_ISETP } else { ISETP }, Alu(e::compare), "u = (a cmp b) op p; v = the complement, combined likewise",
        Documented "Compares two integers and combines the result with p; v gets the complement of the comparison combined with p. `.EX` and `.X` continue a comparison of 64 bits.";
    "CSETP" Old [w(&[]); COMPARISONS.and(w(&[Sft, Sff])), LOGIC] |_| &[O::P, O::P, O::Name, O::Q], Alu(e::compare_code), "u = (the test of the condition code) op p; v = the complement, combined likewise",
        Observed "Tests the condition code and combines the result with p; v gets the complement of the test combined with p. `.SFT` and `.SFF` ask for the sign, the comparisons compare the result that has set the code with 0.";
    "ISET" Old [w(&[U32, S32, X, Bf]); COMPARISONS, LOGIC] |_| ISET, Alu(|m, x| e::in_register(m, x, e::compare)), "d = (a cmp b) op p",
        Documented "Compares two integers; d is all ones if the result is true, or 1.0 with `.BF`.";
    // Floats.
    "FADD" Every [w(ROUNDINGS)] |_| F2, Alu(e::float_add), "d = a + b",
        Documented "Adds floats with one rounding. `.FTZ` replaces subnormal numbers by 0, `.SAT` clamps to 0 to 1.";
    "FADD32I" Old [w(ROUNDINGS)] |_| F2, Alu(e::float_add), "d = a + b",
        Documented "FADD with an immediate of 32 bits.";
    "FMUL" Every [w(ROUNDINGS)] |_| F2, Alu(e::float_multiply), "d = a * b",
        Documented "Multiplies floats with one rounding.";
    "FMUL32I" Old [w(ROUNDINGS)] |_| F2, Alu(e::float_multiply), "d = a * b",
        Documented "FMUL with an immediate of 32 bits.";
    "FFMA" Every [w(ROUNDINGS)] |_| F3, Alu(e::float_multiply_add), "d = a * b + c, rounded once",
        Documented "Fused multiply-add: the product is not rounded before c is added.";
    "FFMA32I" Old [w(ROUNDINGS)] |_| F3, Alu(e::float_multiply_add), "d = a * b + c, rounded once",
        Documented "FFMA with an immediate of 32 bits.";
    "FMNMX" Every [w(&[Ftz, Nan, Xorsign])] |_| FPICK, Alu(e::float_minimum), "d = the smaller of a and b if p, else the larger",
        Documented "Minimum if p is true, maximum otherwise; a NaN is ignored unless both sources are NaN or `.NAN` is there. -0 is less than +0. `.XORSIGN` compares the magnitudes; a result that is a number is negative if exactly one source is.";
    "FMNMX3" THREE_SOURCES [w(&[Ftz, Nan])] |_| &[O::D(Float), O::S(Float), O::S(Float), O::S(Float), O::Q], Alu(e::float_minimum_of_three), "d = the smallest of a, b and c if p, else the largest",
        Observed "Minimum of three numbers if p is true, maximum otherwise, with the words of FMNMX.";
    "FADD2" DATA_CENTERS [w(ROUNDINGS)] |_| FPAIR2, Alu(|m, x| e::pair_of_floats(m, x, e::float_add)), "d = a + b, for two floats",
        Observed "Adds two pairs of floats; `.F32` on a source takes one float for both.";
    "FMUL2" DATA_CENTERS [w(ROUNDINGS)] |_| FPAIR2, Alu(|m, x| e::pair_of_floats(m, x, e::float_multiply)), "d = a * b, for two floats",
        Observed "Multiplies two pairs of floats.";
    "FFMA2" DATA_CENTERS [w(ROUNDINGS)] |_| FPAIR3, Alu(|m, x| e::pair_of_floats(m, x, e::float_multiply_add)), "d = a * b + c, for two floats",
        Observed "Fused multiply-add of two pairs of floats.";
    "FSETP" Every [w(&[Ftz]); COMPARISONS, LOGIC] |_| FSETP, Alu(e::float_compare), "u = (a cmp b) op p; v = the complement, combined likewise",
        Documented "Compares two floats and combines the result with p. With a NaN, comparisons that end in U are true, the others false.";
    "FSET" Every [w(&[Ftz, Bf]); COMPARISONS, LOGIC] |_| FSET, Alu(|m, x| e::in_register(m, x, e::float_compare)), "d = (a cmp b) op p",
        Documented "Compares two floats; d is all ones if the result is true, or 1.0 with `.BF`.";
    "FCMP" Old [COMPARISONS.and(w(&[Ftz]))] |_| F3, Alu(e::select_by_float), "d = c cmp 0 ? a : b",
        Observed "Selects a or b by comparing c with 0.0.";
    "MUFU" Old [w(&[Sat, Ftz]); FUNCTIONS] function,
        Alu(|m, x| e::special_function(m, x, true)), "d = the function of a, to about 1 unit in the last place (assumed)",
        Assumed "Reciprocal, square root, power or logarithm of base 2, sine or cosine (radians, behind RRO), rounded correctly where hardware has an error of one or two units in the last place.";
    "MUFU" New [w(&[Sat, Ftz, F16]); FUNCTIONS => (SM75, w(&[F16]))] function,
        Alu(|m, x| e::special_function(m, x, false)), "d = the function of a, to about 1 unit in the last place (assumed)",
        Assumed "Reciprocal, square root, power or logarithm of base 2, sine or cosine (turns: 1 is a full circle), rounded correctly where hardware has an error of one or two units in the last place.";
    "RRO" Old [w(&[]); w(&[Sincos, Ex2])] |_| F1, Alu(|_, x| e::LaneOutput::value(x.sources[0])), "reduces an argument for MUFU",
        Assumed "Prepares the argument of a MUFU; here it copies it, and MUFU takes the value itself.";
    "FCHK" Every [w(&[Divide])] |_| FCHK, Alu(e::needs_slow_division), "u = whether a / b needs the slow path",
        Assumed "Tells whether a division needs the slow path; true more often than on hardware is right too, because the slow path handles all values.";
    "DADD" Every [w(ROUNDINGS)] |_| D2, Alu(e::double_add), "d = a + b",
        Documented "Adds doubles in register pairs.";
    "DMUL" Every [w(ROUNDINGS)] |_| D2, Alu(e::double_multiply), "d = a * b",
        Documented "Multiplies doubles in register pairs.";
    "DFMA" Every [w(ROUNDINGS)] |_| D3, Alu(e::double_multiply_add), "d = a * b + c, rounded once",
        Documented "Fused multiply-add of doubles.";
    "DMNMX" Old [w(&[])] |_| DPICK, Alu(e::double_minimum), "d = the smaller of a and b if p, else the larger",
        Documented "Minimum of doubles if p is true, maximum otherwise.";
    "DSET" Old [w(&[Bf]); COMPARISONS, LOGIC] |_| &[O::D(Bits), O::S(Double), O::S(Double), O::Q], Alu(|m, x| e::in_register(m, x, e::double_compare)), "d = whether (a cmp b) op p, as all ones; with .BF, as 1.0",
        Documented "DSETP with the result in a register.";
    "DSETP" Every [w(&[]); COMPARISONS.and(w(&[Min, Max])), LOGIC] |_| DSETP, Alu(e::double_compare), "u = (a cmp b) op p; v = the complement, combined likewise",
        Documented "Compares two doubles and combines the result with p. `.MIN` and `.MAX` tell which source a minimum or maximum takes.";
    "HADD2" Every [HALVES] |m| if m.has(F32) { &[O::D(Float), O::S(Halves), O::S(Halves)] } else { H2 }, Alu(e::halves_add), "d = a + b, for two halves",
        Observed "Adds two pairs of 16-bit floats. `.F32` returns one rounded sum as a float; `.BF16_V2` takes them as bfloat16.";
    "HMUL2" Every [HALVES] |m| if m.has(F32) { &[O::D(Float), O::S(Halves), O::S(Halves)] } else { H2 }, Alu(e::halves_multiply), "d = a * b, for two halves",
        Observed "Multiplies two pairs of 16-bit floats.";
    "HFMA2" Every [HALVES] |m| if m.has(F32) { &[O::D(Float), O::S(Halves), O::S(Halves), O::S(Halves)] } else { H3 }, Alu(e::halves_multiply_add), "d = a * b + c, for two halves",
        Observed "Fused multiply-add of two pairs of 16-bit floats; compilers also use it to load a constant. `.RELU` replaces negative results by 0.";
    "HADD2_32I" Old [HALF_NUMBERS] |_| H2, Alu(e::halves_add), "d = a + b, for two halves",
        Observed "HADD2 with two immediates of 16 bits.";
    "HMUL2_32I" Old [HALF_NUMBERS] |_| H2, Alu(e::halves_multiply), "d = a * b, for two halves",
        Observed "HMUL2 with two immediates of 16 bits.";
    "HFMA2_32I" Old [HALF_NUMBERS] |_| H3, Alu(e::halves_multiply_add), "d = a * b + c, for two halves",
        Observed "HFMA2 with two immediates of 16 bits.";
    "HMNMX2" SM80 [w(&[Ftz, Nan, Brain, Xorsign])] |_| &[O::D(Halves), O::S(Halves), O::S(Halves), O::Q], Alu(e::halves_minimum), "d = the smaller of a and b if p, else the larger, for two halves",
        Documented "Minimum of two pairs of 16-bit floats if p is true, maximum otherwise. Of a number and a NaN it takes the number, with `.NAN` the NaN. `.XORSIGN` is as in FMNMX.";
    "HSETP2" Every [w(&[Ftz, Brain, HAnd]); COMPARISONS, LOGIC] |_| &[O::P, O::P, O::S(Halves), O::S(Halves), O::Q], Alu(e::halves_compare), "u = (a cmp b) op p for the lower halves; v the same for the upper halves",
        Documented "Compares two pairs of 16-bit floats. With `.H_AND`, u tells whether both comparisons hold, v whether one does not, each combined with p.";
    "HSET2" Every [w(&[Ftz, Brain, Bf]); COMPARISONS, LOGIC] |_| &[O::D(Halves), O::S(Halves), O::S(Halves), O::Q], Alu(e::halves_compare_in_register), "d = (a cmp b) op p, for two halves",
        Documented "Compares two pairs of 16-bit floats; a half of d is all ones if the result is true, or 1.0 with `.BF`.";
    // Conversions.
    "FRND" New [CONVERSIONS] rounded, Alu(e::round), "d = a, rounded to an integer",
        Observed "Rounds to an integral value, to nearest even unless `.FLOOR`, `.CEIL` or `.TRUNC`.";
    "F2F" Every [CONVERSIONS] between_floats, Alu(e::float_to_float), "d = a in another float type",
        Documented "Converts between float types, or rounds to an integral value; the first type is that of d.";
    "F2I" Every [CONVERSIONS] |m| conversion(m, false), Alu(e::float_to_integer), "d = a as an integer",
        Documented "Converts a float to an integer; values out of range are clamped, NaN gives 0 (0x80000000 from a double).";
    "I2F" Every [CONVERSIONS] |m| conversion(m, true), Alu(e::integer_to_float), "d = a as a float",
        Documented "Converts an integer to a float, to nearest even unless a rounding is named.";
    "I2FP" SM86 [CONVERSIONS] |m| conversion(m, true), Alu(e::integer_to_float), "d = a as a float",
        Observed "Converts a 32-bit integer to a float.";
    "F2FP" SM80 [CONVERSIONS.and(w(&[Relu, E4m3, E5m2, Satfinite])); w(&[PackAb, MergeC, PackAbMergeC, UnpackB, UnpackBMergeC]) => (SM89, w(&[E4m3, E5m2, Satfinite]))] packed_floats,
        Alu(e::pack), "d = a and b as halves; with .MERGE_C, d = a as the lower half and the upper half of b; with .PACK_AB_MERGE_C, d = a and b as bytes below c; with .UNPACK_B, d = the bytes of a as halves; with .UNPACK_B_MERGE_C, d = the halves of a as bytes below b",
        Observed "Packs two floats as halves: a is the upper one. `.MERGE_C` converts one and keeps the upper half of b (assumed). With `.E4M3` and `.E5M2` it packs or unpacks floats of 8 bits; `.SATFINITE` clamps to the largest number.";
    "F2IP" SM86 [w(&[F32, Ftz, Trunc, Floor, Ceil, Ntz]); w(&[U8, S8])] |_| &[O::D(Bits), O::S(Float), O::S(Float), O::S(Bits)], Alu(e::pack_bytes), "d = a and b as bytes below c",
        Assumed "Converts two floats to bytes and packs them: a above b, and c above both.";
    // The warp.
    "S2R" Every [w(&[])] |_| &[O::D(Int), O::Name], Special(Sp::Register), "d = the special register s",
        Documented "Reads a special register: the index of the thread (SR_TID) or block (SR_CTAID), the lane, or a mask of lanes.";
    "CS2R" Old [w(&[])] |_| &[O::D(Int), O::Name], Special(Sp::Register), "d = the special register s",
        Observed "Reads a special register.";
    "CS2R" New [w(&[B32])] |m| if m.has(B32) { &[O::D(Int), O::Name] } else { &[O::D(Long), O::Name] },
        Special(Sp::Register), "d = the special register s",
        Observed "Reads a special register, or 0 with SRZ, into a pair; `.32` into one register.";
    "LEPC" New [w(&[])] |_| &[O::D(Long), O::MaybeLabel], Special(Sp::CodeAddress), "d = the address of the label, or of this instruction",
        Observed "Reads the address of an instruction.";
    "B2R" Every [w(&[Result])] |_| &[O::D(Int), O::MaybeP], Special(Sp::BarrierResult), "d = the result of a reducing barrier",
        Observed "Reads the result of the last BAR.RED: a count, or whether the predicate was true in all or any lanes.";
    "P2R" Every [w(&[])] |_| &[O::D(Bits), O::Name, O::S(Bits), O::Maybe(Bits)], Special(Sp::PredicatesToRegister), "d = the predicates under a mask",
        Observed "Copies the predicates under the mask b to a register, the other bits from a; with CC the condition code: zero, sign, carry and overflow from bit 0 on (assumed).";
    "R2P" Every [w(&[])] |_| &[O::Name, O::S(Bits), O::S(Bits)], Special(Sp::RegisterToPredicates), "predicates = bits of a under the mask b",
        Documented "Sets the predicates under the mask b from the bits of a; with CC the condition code, in the order of P2R (assumed).";
    "BMOV" New [w(&[B32, Clear])] |_| &[O::Name, O::Name], Special(Sp::BarrierMove), "saves or restores a convergence barrier",
        Documented "Saves a convergence barrier in a register, or restores it; `.CLEAR` empties it.";
    "RPCMOV" SM75 [w(&[]); w(&[B32])] |_| &[O::Name, O::Name], Special(Sp::ReturnAddressMove), "copies to or from the return address Rpc",
        Observed "Copies a register to a half of Rpc, the register of return addresses, or back; compilers also keep values there.";
    "SHFL" Every [w(&[]); w(&[Idx, Up, Down, Bfly])] |_| &[O::P, O::D(Int), O::S(Int), O::S(Int), O::S(Bits)], Special(Sp::Shuffle), "d = a of the lane b; with .UP, d = a of the lane b lanes below; with .DOWN, d = a of the lane b lanes above; with .BFLY, d = a of the lane whose number differs by b",
        Documented "Reads a of another lane: the lane b (`.IDX`), b lanes below (`.UP`) or above (`.DOWN`), or the lane whose number differs by b in its bits (`.BFLY`). c limits the range; u tells whether the source was in range, else a lane keeps its own value.";
    "VOTE" Every [w(&[]); w(&[Any, All, Eq])] |_| &[O::MaybeD(Int), O::MaybeP, O::Q], Special(Sp::Vote), "d = the lanes in which p is true",
        Documented "d has a bit for each lane in which p is true; u tells whether p is true in any lane, in all, or the same in all.";
    "MATCH" New [w(&[U64]); w(&[Any, All])] |m| if m.has(U64) { &[O::MaybeP, O::D(Bits), O::S(Long)] } else { &[O::MaybeP, O::D(Bits), O::S(Int)] },
        Special(Sp::Match), "d = the lanes with the same value",
        Documented "`.ANY`: the lanes that have the same value. `.ALL`: all lanes if they have the same value, which u tells, else 0.";
    "REDUX" SM80 [w(&[Sum, Min, Max, Or, Xor, And, S32, U32])] |_| &[O::D(Int), O::S(Int)], Special(Sp::Reduce), "d = the reduction of a over the lanes",
        Documented "Reduces a over the lanes that execute it: sum, minimum, maximum, or a bitwise operation (AND if none is named).";
    "CREDUX" DATA_CENTERS [w(&[S32, U32, F32, Nan]); w(&[Min, Max, MinAbs, MaxAbs])] |m| if (m.has(MinAbs) || m.has(MaxAbs)) && !m.has(F32) { &[] } else { &[O::D(Bits), O::S(Bits)] }, Special(Sp::Reduce), "d = the reduction of a over the lanes",
        Observed "Minimum or maximum of integers or floats over the lanes that execute it, of the absolute values with `.MINABS` and `.MAXABS`. NaNs are ignored without `.NAN`.";
    "ELECT" SM90 [w(&[])] |_| &[O::P, O::MaybeD(Int), O::Unused("PT")], Special(Sp::Elect), "u = whether it is the first lane; d = its number",
        Observed "Chooses the first of the lanes that execute it: u is true in it alone, and d is its number.";
    "QSPC" New [w(&[E]); w(&[S, L, G, D])] |_| &[O::P, O::D(Bits), O::Address], Special(Sp::Space), "u = whether the address is in shared memory; with .L, in local memory; with .G, in neither",
        Observed "Tests whether a generic address is in the window of shared (`.S`) or local memory (`.L`), or in global memory (`.G`). `.D` asks for the shared memory of the blocks of a cluster, of which there is one.";
    // Matrices.
    "IMMA" SM75 [w(&[Sat]); w(&[M8n8k16, M8n8k32, M16n8k16, M16n8k32, M16n8k64]), w(&[U8, S8, U4, S4]), w(&[U8, S8, U4, S4])
        => (SM80, w(&[M16n8k16, M16n8k32, M16n8k64]))]
        |m| matrices(m, MatrixKind::Integers), Special(Sp::Multiply(MatrixKind::Integers)), "d = a * b + c, for matrices in the registers of all lanes",
        Documented "Multiplies matrices of integers and adds a matrix of 32-bit integers. The shape is that of PTX: `.16832` multiplies 16 × 32 by 32 × 8 elements. `.SAT` clamps the sums, otherwise they wrap.";
    "BMMA" SM75 [w(&[]); w(&[M8n8k128, M16n8k128, M16n8k256]), w(&[And, Xor]), w(&[Popc])
        => (SM80, w(&[M16n8k128, M16n8k256, And]))]
        |m| matrices(m, MatrixKind::Bits), Special(Sp::Multiply(MatrixKind::Bits)), "d = the number of ones in a op b, plus c, for matrices in the registers of all lanes",
        Documented "Multiplies matrices of bits: the ones of a row combined with a column are counted.";
    "HMMA" SM75 [w(&[Bf16, Tf32]); w(&[M16n8k4, M16n8k8, M16n8k16]), w(&[F16, F32])
        => (SM80, w(&[M16n8k4, M16n8k16, Bf16, Tf32]))]
        |m| matrices(m, MatrixKind::Floats), Special(Sp::Multiply(MatrixKind::Floats)), "d = a * b + c, for matrices in the registers of all lanes",
        Assumed "Multiplies matrices of 16-bit floats, `.BF16` or `.TF32` (19 bits); the first type is that of c and d. NVIDIA does not document how the products are added. Lanewise follows MMA-Sim, a model that its authors have compared with GPUs (arXiv 2511.10909): the products of 16 bytes of a row of a (SM90: 32) and c are cut off 24 (SM90: 25) bits below the largest one, added exactly, and rounded toward zero, or to a 16-bit float to nearest. Sums of small integers are exact in any order.";
    "DMMA" SM80 [w(&[]); w(&[M8n8k4, M8n8k4Long, M16n8k4Long, M16n8k8Long, M16n8k16Long])
        => (SM90, w(&[M8n8k4Long, M16n8k4Long, M16n8k8Long, M16n8k16Long]))]
        |m| matrices(m, MatrixKind::Doubles), Special(Sp::Multiply(MatrixKind::Doubles)), "d = a * b + c, for matrices in the registers of all lanes",
        Assumed "Multiplies matrices of doubles: fused multiply-adds in the order of the columns of a (source: that of `HMMA`).";
    "MOVM" SM75 [w(&[]); w(&[B16]), w(&[Mt88])] |_| &[O::D(Matrix(1)), O::S(Matrix(1))], Special(Sp::Transpose), "d = the transposed matrix a",
        Documented "Transposes a matrix of 8 × 8 elements of 16 bits in the registers of all lanes.";
    // Memory.
    "LDSM" SM75 [w(&[Two, Four]); w(&[B16]), w(&[M88, Mt88])] |m| moved_matrices(m, Action::Load), kind(Window::Shared, Action::Load), "d = matrices in shared memory",
        Documented "Loads one, two or four matrices of 8 × 8 elements of 16 bits. Lanes 0 to 7 have the addresses of the rows of the first one, lanes 8 to 15 those of the second, and so on; `.MT88` transposes.";
    "STSM" SM90 [w(&[Two, Four]); w(&[B16]), w(&[M88, Mt88])] |m| moved_matrices(m, Action::Store), kind(Window::Shared, Action::Store), "matrices in shared memory = a",
        Documented "Stores matrices as LDSM loads them.";
    "LDC" Every [ACCESSES] |m| match () {
        () if m.has(B128) => &[O::Four, O::ConstantQuad],
        () if m.has(B64) => &[O::D(Long), O::S(Long)],
        () => &[O::D(Int), O::Constant],
    }, Alu(e::load_constant), "d = the constant a",
        Documented "Loads from a constant bank, whose index may be in a register.";
    "LDG" Every [ACCESSES.and(w(&[B256])) => (SM100, w(&[B256]))] |m| memory(m, Action::Load), kind(Window::Global, Action::Load), "d = global memory",
        Documented "Each lane loads from global memory, at a 64-bit address. Bytes and 16-bit values are extended; `.64` and `.128` fill two or four registers, `.256` eight, of which the upper four come first. A mask behind the address has the words that are loaded; the first register is that of the first of them (inferred from the code of compilers).";
    "LD" Every [ACCESSES] |m| memory(m, Action::Load), kind(Window::Generic, Action::Load), "d = memory",
        Documented "Each lane loads from a generic address: in the windows of shared or local memory, or else global.";
    "LDS" Every [ACCESSES] |m| memory(m, Action::Load), kind(Window::Shared, Action::Load), "d = shared memory",
        Documented "Each lane loads from the shared memory of its block.";
    "LDL" Every [ACCESSES] |m| memory(m, Action::Load), kind(Window::Local, Action::Load), "d = local memory",
        Documented "Each lane loads from its own local memory.";
    "STG" Every [ACCESSES.and(w(&[B256])) => (SM100, w(&[B256]))] |m| memory(m, Action::Store), kind(Window::Global, Action::Store), "global memory = a",
        Documented "Each lane stores to global memory, at a 64-bit address: one, two or four registers, or with `.256` two times four.";
    "ST" Every [ACCESSES] |m| memory(m, Action::Store), kind(Window::Generic, Action::Store), "memory = a",
        Documented "Each lane stores to a generic address.";
    "STS" Every [ACCESSES] |m| memory(m, Action::Store), kind(Window::Shared, Action::Store), "shared memory = a",
        Documented "Each lane stores to the shared memory of its block.";
    "STL" Every [ACCESSES] |m| memory(m, Action::Store), kind(Window::Local, Action::Store), "local memory = a",
        Documented "Each lane stores to its own local memory.";
    "ATOM" Every [ATOMICS; UPDATES] |m| memory(m, Action::Atomic), kind(Window::Generic, Action::Atomic), "d = memory, which is updated",
        Documented "Each lane updates a word at a generic address and gets the old value. Lanes that share a word take turns. u tells whether the address is in global memory; otherwise, an instruction with u has no effect (observed). `.F16x2` and the like update each part.";
    "ATOMG" New [ATOMICS; UPDATES] |m| memory(m, Action::Atomic), kind(Window::Global, Action::Atomic), "d = global memory, which is updated",
        Documented "Each lane updates a word of global memory and gets the old value. Lanes that share a word take turns.";
    "ATOMS" Every [ATOMICS; UPDATES.and(w(&[Arrive])) => (SM80, w(&[Arrive]))] |m| memory(m, Action::Atomic), kind(Window::Shared, Action::Atomic), "d = shared memory, which is updated",
        Documented "Each lane updates a word of shared memory and gets the old value. `.CAST.SPIN` returns whether it stored, in d or u; `.POPC.INC` counts the lanes. `.ARRIVE` arrives at a barrier object (`mbarrier`), whose layout is that of the code around it.";
    "RED" Every [ATOMICS; REDUCTIONS] |m| memory(m, Action::Reduction), kind(Window::Generic, Action::Reduction), "updates memory",
        Documented "Each lane updates a word without getting the old value.";
    "REDG" New [ATOMICS; REDUCTIONS] |m| memory(m, Action::Reduction), kind(Window::Global, Action::Reduction), "updates global memory",
        Documented "Each lane updates a word of global memory without getting the old value.";
    "LDGSTS" SM80 [w(&[E, B32, B64, B128, Zfill])] |m| memory(m, Action::Copy), kind(Window::Shared, Action::Copy), "shared memory = global memory at [from], or 0 if not p",
        Observed "Each lane copies 4, 8 or 16 bytes from global to shared memory, at once here. Lanes in which p is false write zeros; with `.ZFILL`, the lowest bits of the address are the number of bytes at the end that become 0.";
    "LDGDEPBAR" SM80 [w(&[])] |_| &[], Class::CopyGroup, "commits the copies since the last LDGDEPBAR to a group",
        Documented "Makes a group of the copies that a warp has started since its last group, for DEPBAR.";
    "UBLKCP" SM90 [w(&[ByteMask]); w(&[S]), w(&[G])] |m| memory(m, Action::BulkCopy), kind(Window::Shared, Action::BulkCopy), "copies a * 16 bytes from [from] to [address]",
        Observed "The warp copies many bytes at once: `.S.G` from global to shared memory, `.G.S` back. The lower half of a is the number of units of 16 bytes. A copy to shared memory counts its bytes at the barrier object whose address is in the second register of [address]; with `.DST_G_BYTE_MASK`, the upper half of a has a bit for each byte of a unit that is copied.";
    "UTMACMDFLUSH" SM90 [w(&[])] |_| &[], Class::CopyGroup, "commits the copies since the last UTMACMDFLUSH to a group",
        Observed "Makes a group of the bulk copies to global memory that a warp has started since its last group, for DEPBAR (`cp.async.bulk.commit_group`).";
    "ARRIVES" SM80 [w(&[B64, Arvcnt, Transcnt]); w(&[Ldgstsbar]) => (SM90, w(&[Arvcnt, Transcnt]))] |m| memory(m, Action::Synchronize), kind(Window::Shared, Action::Synchronize), "arrives at the barrier at [address]",
        Observed "Each lane arrives at a barrier object once its asynchronous copies are complete (`cp.async.mbarrier.arrive`), which they are at once here. `.TRANSCNT` counts one written byte instead, which `SYNCS.ARRIVE.A0T1` expects.";
    "SYNCS" SM90 [w(&[B64, Trans64, Reducing, Optout, OneNoBytes, SomeNoBytes, NoneExpects, NoneExpectsOne, NoneWrites, Trywait, Iv]); w(&[Exch, Arrive, Phasechk, Cctl])]
        |m| memory(m, Action::Synchronize), kind(Window::Shared, Action::Synchronize), "d = the barrier at [address], which is set to a; with .ARRIVE, d = the barrier at [address], at which the lane arrives; with .PHASECHK, u = whether the phase of the barrier at [address] is not that of a; with .CCTL, nothing",
        Observed "Uses a barrier object in shared memory (`mbarrier`). `.ARRIVE` expects a more bytes; `.A1T0` expects none, `.ART0` arrives a times, `.OPTOUT` leaves the barrier. Without an arrival, `.A0TR` and `.A0T1` expect bytes and `.A0TX` counts written ones. `.TRYWAIT` waits until the phase is complete, without a time limit (assumed). The place of the number of bytes in the object is assumed, that of the counts and the phase is observed.";
    // Control flow.
    "BRA" Every [w(&[U, Div, Conv, Any]) => (New, w(&[Any]))] |_| &[O::MaybeCode, O::MaybeR, O::Label], Flow(F::Branch), "goes on at a label",
        Documented "Lanes whose guard is true go on at the label; the warp may diverge. With `.ANY`, all active lanes go if one has to.";
    "JMX" Old [w(&[])] |_| &[O::MaybeCode, O::S(Int)], Flow(F::Return), "goes on at the address a",
        Observed "Goes on at an absolute address: behind PRET, a call of a function.";
    "JMP" Every [w(&[U])] |_| &[O::MaybeCode, O::Label], Flow(F::Branch), "goes on at a label",
        Documented "Lanes whose guard is true go on at an absolute address.";
    "BRX" Every [w(&[])] |_| &[O::Indexed], Flow(F::Indexed), "goes on at a computed address",
        Observed "Goes on at the address of the next instruction plus a register and a number: a jump table.";
    "EXIT" Every [w(&[])] |_| &[O::MaybeCode], Flow(F::Exit), "ends the lanes",
        Documented "Ends the lanes whose guard is true; the others go on.";
    "SSY" Old [w(&[])] |_| &[O::Label], Flow(F::Push(K::Sync)), "pushes where lanes meet at SYNC",
        Documented "Pushes the label at which the active lanes will meet again by SYNC.";
    "PBK" Old [w(&[])] |_| &[O::Label], Flow(F::Push(K::Break)), "pushes where lanes meet at BRK",
        Documented "Pushes the label behind a loop, at which lanes meet that leave it by BRK.";
    "PCNT" Old [w(&[])] |_| &[O::Label], Flow(F::Push(K::Continue)), "pushes where lanes meet at CONT",
        Documented "Pushes the label at which lanes meet that finish an iteration by CONT.";
    "SYNC" Old [w(&[])] |_| &[O::MaybeCode], Flow(F::Pop(K::Sync)), "waits at the label of SSY",
        Documented "Waits until all lanes of the last SSY are here or have ended, then goes on at its label.";
    "BRK" Old [w(&[])] |_| &[O::MaybeCode], Flow(F::Pop(K::Break)), "waits at the label of PBK",
        Documented "Leaves a loop: waits for the lanes of the last PBK, then goes on at its label.";
    "CONT" Old [w(&[])] |_| &[O::MaybeCode], Flow(F::Pop(K::Continue)), "waits at the label of PCNT",
        Documented "Ends an iteration: waits for the lanes of the last PCNT, then goes on at its label.";
    "PRET" Old [w(&[])] |_| &[O::Label], Flow(F::Push(K::Call)), "pushes where RET goes on",
        Observed "Pushes the label at which RET goes on; BRX or JMX behind it calls a function.";
    "JCAL" Old [w(&[])] |_| &[O::Label], Flow(F::Call), "calls a function",
        Documented "CAL with an absolute address.";
    "CAL" Old [w(&[])] |_| &[O::Label], Flow(F::Call), "calls a function",
        Documented "Pushes the address of the next instruction and goes on at a function.";
    "RET" Old [w(&[])] |_| &[], Flow(F::Pop(K::Call)), "returns behind the call",
        Documented "Pops down to the last CAL and goes on behind it.";
    "BSSY" New [w(&[])] |_| &[O::Name, O::Label], Flow(F::SetBarrier), "the convergence barrier s = the active lanes",
        Documented "Notes the active lanes in a convergence barrier; they meet at its BSYNC.";
    "BSYNC" New [w(&[])] |_| &[O::Name], Flow(F::WaitBarrier), "waits for the lanes of the convergence barrier s",
        Documented "Waits until all lanes of the barrier that have not left it or ended are here.";
    "BREAK" New [w(&[])] |_| &[O::MaybeCode, O::Name], Flow(F::LeaveBarrier), "leaves the convergence barrier s",
        Documented "Removes lanes from a convergence barrier, so that the others do not wait for them.";
    "YIELD" New [w(&[])] |_| &[O::Any], Flow(F::Yield), "leaves the convergence barriers at which others wait",
        Observed "Takes the executing lanes out of the convergence barriers at which other lanes wait for them, so that these go on: one of them may have the lock that the executing lanes want. Compilers write it in loops that wait for other threads.";
    "NANOSLEEP" New [w(&[Warp, Syncs])] |_| &[O::Any], Flow(F::Yield), "waits for some time, as YIELD",
        Observed "Waits for some time, in which the lanes go on that YIELD lets go on.";
    "WARPSYNC" New [w(&[All, Exclusive, Collective])] |_| &[O::Maybe(Int), O::Ignored], Flow(F::WarpSync), "waits for the lanes of the mask",
        Observed "Waits until all lanes of a mask that have not ended are here. With `.EXCLUSIVE` or `.COLLECTIVE`, these then run alone, up to where they wait again.";
    "CALL" New [w(&[Rel])] |_| &[O::Callee], Flow(F::Invoke), "goes on at a function",
        Observed "Goes on at a function: a label, or the address in a register pair, which must be the start of one. Its return address is already in a register.";
    "RET" New [w(&[Rel])] |_| &[O::Callee], Flow(F::Return), "goes on at the address a",
        Observed "Goes on at the address in a register pair: an offset in the section of the function that is named, or with `.ABS` an address.";
    "BPT" Every [w(&[]); w(&[Drain, Trap, Interrupt])] |_| &[O::Any], Class::Trap, "stops the run; with .DRAIN, nothing",
        Documented "A trap or breakpoint, which stops the run. `.DRAIN` waits for memory accesses.";
    "BAR" Every [w(&[]); w(&[Sync, Arv, Reducing]), w(&[Sync, Arv, Popc, And, Or])] |_| &[O::S(Int), O::Maybe(Int), O::MaybeQ], Flow(F::Barrier), "waits for all lanes of the block",
        Documented "Waits until all lanes of the block that have not ended are here, or as many threads as b says. `.ARV` only counts as here. `.RED` also reduces a predicate, for B2R.";
    // No effect on values: each instruction is complete before the next.
    "NOP" Every [w(&[])] |_| &[O::Any], NoEffect, "nothing",
        Documented "Does nothing.";
    "DEPBAR" Every [w(&[Le])] |_| &[O::Ignored, O::Maybe(Int), O::Any], Class::CopyWait, "waits until at most a groups of copies are pending",
        Observed "Waits for a scoreboard: for all groups of copies but the last a. Instructions are complete in order here; `--check` finds copies that nothing waits for.";
    "MEMBAR" Every [w(&[All])] |_| &[O::Any], Fence, "orders memory accesses",
        Documented "Orders memory accesses, which are in order here.";
    "FENCE" New [w(&[All, View, Async, S, G])] |_| &[O::Any], NoEffect, "orders memory accesses",
        Documented "Orders memory accesses, which are in order here.";
    "ERRBAR" New [w(&[])] |_| &[O::Any], NoEffect, "orders errors",
        Documented "Orders errors of memory accesses.";
    "CGAERRBAR" SM90 [w(&[])] |_| &[O::Any], NoEffect, "orders errors",
        Documented "Orders errors of memory accesses.";
    "CCTL" Every [w(&[E, All])] |_| &[O::Any], NoEffect, "controls a cache",
        Documented "Controls a cache; without effect on values.";
    "CCTLL" Every [w(&[E, All])] |_| &[O::Any], NoEffect, "controls a cache",
        Documented "Controls a cache; without effect on values.";
    "ENDCOLLECTIVE" New [w(&[])] |_| &[O::Any], NoEffect, "ends the instructions of WARPSYNC.COLLECTIVE",
        Observed "Ends what the lanes of a mask do together.";
    "ACQBULK" SM90 [w(&[])] |_| &[], NoEffect, "waits for the launches before",
        Observed "Waits for the grids that this one depends on (`griddepcontrol.wait`): one is launched at a time here.";
    "PREEXIT" SM90 [w(&[])] |_| &[], NoEffect, "lets the next launch start",
        Observed "Lets dependent grids start (`griddepcontrol.launch_dependents`): one is launched at a time here.";
    "UBLKPF" SM90 [w(&[L2])] |_| &[O::Any], NoEffect, "a hint to load",
        Observed "Hints that many bytes of global memory will be read (`cp.async.bulk.prefetch`).";
    "PREFETCH" New [w(&[E])] |_| &[O::Any], NoEffect, "a hint to load",
        Documented "Hints that memory will be read.";
}

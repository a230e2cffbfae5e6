//! The opcode table. A row says which operands an opcode has, which words may follow it,
//! and what it does. An opcode with a leading `U` is the uniform twin of the row without.
//!
//! Sources: NVIDIA's CUDA Binary Utilities (names), the PTX ISA (rules that an opcode
//! inherits), recorded listings and launches (`tests/vectors/sass-kernels`).

use super::expression as e;
use super::flow::{TokenKind as K, WarpFlow as F};
use super::memory::{Action, MemoryKind, Window};
use super::special::SpecialKind as Sp;
use super::words::{SassModifiers, Word, WordSet};
use super::{Class, Era, OperandSlot as O, SassOp};
use crate::isa::sass::op::operand::Kind::{
    Double, Float, Half, Halves, Int, Wide as Long, WithHalf,
};
use crate::isa::schema::Syntax;
use crate::isa::{Family, Spec};
use Class::{Alu, Fence, Flow, Memory, NoEffect, Special};
use Era::{Both, New, Old};
use Word::*;

const I2: &[O] = &[O::D, O::S(Int), O::S(Int)];
const I1: &[O] = &[O::D, O::S(Int), O::Maybe(Int)];
const I3: &[O] = &[O::D, O::S(Int), O::S(Int), O::S(Int)];
const ADD3: &[O] = &[
    O::D,
    O::MaybeP,
    O::MaybeP,
    O::S(Int),
    O::S(Int),
    O::S(Int),
    O::MaybeQ,
    O::MaybeQ,
];
const LEA: &[O] = &[O::D, O::MaybeP, O::S(Int), O::S(Int), O::Maybe(Int)];
const LEA_HI: &[O] = &[
    O::MaybeP,
    O::D,
    O::MaybeP,
    O::S(Int),
    O::S(Int),
    O::S(Int),
    O::Maybe(Int),
    O::MaybeQ,
];
const MAD: &[O] = &[O::D, O::S(Int), O::S(Int), O::S(Int), O::MaybeQ];
const MAD_HI: &[O] = &[O::D, O::MaybeP, O::S(Int), O::S(Int), O::S(Long), O::MaybeQ];
const MAD_WIDE: &[O] = &[
    O::Pair,
    O::MaybeP,
    O::S(Int),
    O::S(Int),
    O::S(Long),
    O::MaybeQ,
];
const XMAD: &[O] = &[O::D, O::S(WithHalf), O::S(WithHalf), O::S(Int)];
const PICK: &[O] = &[O::D, O::S(Int), O::S(Int), O::Q];
const LOP: &[O] = &[O::MaybeP, O::D, O::S(Int), O::S(Int)];
const LOP3: &[O] = &[
    O::MaybeP,
    O::D,
    O::S(Int),
    O::S(Int),
    O::S(Int),
    O::S(Int),
    O::MaybeQ,
];
const PLOP3: &[O] = &[O::P, O::P, O::Q, O::Q, O::Q, O::S(Int), O::S(Int)];
const PSETP: &[O] = &[O::P, O::P, O::Q, O::Q, O::Q];
const PSET: &[O] = &[O::D, O::Q, O::Q, O::Q];
const ISETP: &[O] = &[O::P, O::P, O::S(Int), O::S(Int), O::Q, O::MaybeQ];
const ISET: &[O] = &[O::D, O::S(Int), O::S(Int), O::Q];
const F1: &[O] = &[O::D, O::S(Float)];
const F2: &[O] = &[O::D, O::S(Float), O::S(Float)];
const F3: &[O] = &[O::D, O::S(Float), O::S(Float), O::S(Float)];
const FPICK: &[O] = &[O::D, O::S(Float), O::S(Float), O::Q];
const FSETP: &[O] = &[O::P, O::P, O::S(Float), O::S(Float), O::Q];
const FCHK: &[O] = &[O::P, O::S(Float), O::S(Float)];
const D2: &[O] = &[O::Pair, O::S(Double), O::S(Double)];
const D3: &[O] = &[O::Pair, O::S(Double), O::S(Double), O::S(Double)];
const DPICK: &[O] = &[O::Pair, O::S(Double), O::S(Double), O::Q];
const DSETP: &[O] = &[O::P, O::P, O::S(Double), O::S(Double), O::Q];
const H2: &[O] = &[O::D, O::S(Halves), O::S(Halves)];
const H3: &[O] = &[O::D, O::S(Halves), O::S(Halves), O::S(Halves)];

/// Operands of a conversion of one source, by its types: destination, then source.
fn conversion(m: &SassModifiers, is_integer_first: bool) -> &'static [O] {
    let is_64 = |integer: bool| {
        let mut types = m.types.iter().flatten();
        types.any(|ty| ty.float != integer && ty.bits == 64)
    };
    let is_half = m.types.iter().flatten().any(|ty| ty.float && ty.bits == 16);
    // The source of an integer to float conversion is an integer.
    match (is_integer_first, is_64(true), is_64(false), is_half) {
        (true, false, false, _) => &[O::D, O::S(Int)],
        (true, true, false, _) => &[O::D, O::S(Long)],
        (true, false, true, _) => &[O::Pair, O::S(Int)],
        (true, true, true, _) => &[O::Pair, O::S(Long)],
        (false, false, false, false) => F1,
        (false, false, false, true) => &[O::D, O::S(Half)],
        (false, true, false, false) => &[O::Pair, O::S(Float)],
        (false, true, false, true) => &[O::Pair, O::S(Half)],
        (false, false, true, _) => &[O::D, O::S(Double)],
        (false, true, true, _) => &[O::Pair, O::S(Double)],
    }
}

/// Operands of a conversion between floats.
fn between_floats(m: &SassModifiers) -> &'static [O] {
    let bits = |place: usize| m.types[place].map_or(32, |ty| ty.bits);
    match (bits(0), bits(1)) {
        (64, 64) => &[O::Pair, O::S(Double)],
        (64, 16) => &[O::Pair, O::S(Half)],
        (64, _) => &[O::Pair, O::S(Float)],
        (_, 64) => &[O::D, O::S(Double)],
        (_, 16) => &[O::D, O::S(Half)],
        _ => F1,
    }
}

fn rounded(m: &SassModifiers) -> &'static [O] {
    match m.types[0].map_or(32, |ty| ty.bits) {
        64 => &[O::Pair, O::S(Double)],
        16 => &[O::D, O::S(Half)],
        _ => F1,
    }
}

/// Operands of a load, store or atomic.
fn memory(m: &SassModifiers, action: Action) -> &'static [O] {
    let is_pair = [U64, S64, F64, B64].into_iter().any(|word| m.has(word));
    let data = match (m.has(B128), is_pair) {
        (true, _) => 2,
        (_, true) => 1,
        _ => 0,
    };
    match (action, data) {
        (Action::Load, 0) => &[O::D, O::Address, O::Ignored],
        (Action::Load, 1) => &[O::Pair, O::Address, O::Ignored],
        (Action::Load, _) => &[O::Four, O::Address, O::Ignored],
        (Action::Store, 0) => &[O::Address, O::S(Int), O::Ignored],
        (Action::Store, 1) => &[O::Address, O::S(Long), O::Ignored],
        (Action::Store, _) => &[O::Address, O::Quad, O::Ignored],
        (Action::Atomic, 0) => &[O::MaybeP, O::D, O::Address, O::Maybe(Int), O::Maybe(Int)],
        (Action::Atomic, _) => &[
            O::MaybeP,
            O::Pair,
            O::Address,
            O::Maybe(Long),
            O::Maybe(Long),
        ],
        (Action::Reduction, 0) => &[O::Address, O::S(Int)],
        (Action::Reduction, _) => &[O::Address, O::S(Long)],
    }
}

const fn kind(window: Window, action: Action) -> Class {
    Memory(MemoryKind { window, action })
}

const RS_LS: &[Word] = &[X, Rs, Ls];
const ROUNDINGS: &[Word] = &[Rn, Rm, Rp, Rz, Ftz, Sat];
const COMPARISONS: WordSet = WordSet::of(&[
    Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan, And, Or, Xor,
]);
const TYPES: WordSet = WordSet::of(&[
    U8, S8, U16, S16, U32, S32, U64, S64, F16, F32, F64, B32, B64, B128,
]);
const CONVERSIONS: WordSet = TYPES.and(WordSet::of(&[
    Rn, Rm, Rp, Rz, Ftz, Sat, Floor, Ceil, Trunc, Round, Ntz,
]));
const ACCESSES: WordSet = TYPES.and(WordSet::of(&[E, U]));
const ATOMICS: WordSet = ACCESSES.and(WordSet::of(&[
    Add, Min, Max, Inc, Dec, And, Or, Xor, Exch, Cas, Cast, Spin, Popc, Ftz, Rn,
]));

macro_rules! rows {
    ($($name:literal $era:ident [$words:expr] $forms:expr, $class:expr, $summary:literal;)*) => {
        /// All rows.
        pub static OPS: &[SassOp] = &[$(SassOp {
            spec: spec($name, &[$name], $summary),
            era: $era,
            words: $words,
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
        "An instruction that Lanewise does not execute.",
    ),
    era: Both,
    words: WordSet::of(&[]),
    operands: |_| &[],
    class: Class::NotModelled,
};

const fn spec(
    name: &'static str,
    mnemonics: &'static [&'static str],
    summary: &'static str,
) -> Spec {
    Spec {
        name,
        mnemonics,
        family: Family::Sass,
        opcodes: &[],
        fused: false,
        lane_queue: false,
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
        facts: &[],
        contradictions: &[],
        examples: &[],
    }
}

const fn w(words: &[Word]) -> WordSet {
    WordSet::of(words)
}

rows! {
    // Integers.
    "IADD" Old [w(&[X])] |_| I2, Alu(e::add2), "d = a + b";
    "IADD32I" Old [w(&[X])] |_| I2, Alu(e::add2), "d = a + b";
    "IADD3" Old [w(RS_LS)] |_| I3, Alu(e::add3_old), "d = a + b + c";
    "IADD3" New [w(&[X])] |_| ADD3, Alu(e::add3), "d = a + b + c, with the carries in predicates";
    "VIADD" New [w(&[])] |_| I2, Alu(e::add2), "d = a + b";
    "ISCADD" Old [w(&[])] |_| I3, Alu(e::scaled_add), "d = (a << n) + b";
    "ISCADD32I" Old [w(&[])] |_| I3, Alu(e::scaled_add), "d = (a << n) + b";
    "LEA" Old [w(&[Hi, X])] |m| if m.has(Hi) { LEA_HI } else { LEA },
        Alu(|m, x| if m.has(Hi) { e::scaled_high(m, x, true) } else { e::scaled_add(m, x) }),
        "d = (a << n) + b; .HI: the upper word of the 64-bit shift";
    "LEA" New [w(&[Hi, X, Sx32])] |m| if m.has(Hi) { LEA_HI } else { LEA },
        Alu(|m, x| if m.has(Hi) { e::scaled_high(m, x, false) } else { e::scaled_add(m, x) }),
        "d = (a << n) + b; .HI: the upper word of the 64-bit shift";
    "IMAD" Both [w(&[Hi, Wide, U32, S32, X, Mov, Iadd, Shl])]
        |m| if m.has(Wide) { MAD_WIDE } else if m.has(Hi) { MAD_HI } else { MAD },
        Alu(e::multiply_add), "d = a * b + c";
    "IMUL" Both [w(&[Hi, U32, S32])] |_| I2, Alu(e::multiply_add), "d = a * b";
    "XMAD" Old [w(&[X, U16, S16, Psl, Clo, Chi, Cbcc, Csfu, Mrg])] |_| XMAD, Alu(e::multiply_halves),
        "d = a * b + c with halves of a and b";
    "IABS" New [w(&[])] |_| I1, Alu(|_, x| {
        let negative = x.sources[0] >> 31 & 1 == 1;
        e::LaneOutput::value(if negative { x.sources[0].wrapping_neg() } else { x.sources[0] } & e::ALL)
    }), "d = |a|";
    "VABSDIFF" Both [w(&[U32, S32, Sd, Acc])] |_| I3, Alu(e::distance), "d = |a - b| + c";
    "IMNMX" Both [w(&[U32, S32, Xhi, Xlo])] |_| PICK, Alu(e::minimum), "d = the smaller of a and b if p, else the larger";
    "VIMNMX" New [w(&[U32, S32])] |_| PICK, Alu(e::minimum), "d = the smaller of a and b if p, else the larger";
    "VIADDMNMX" New [w(&[U32, S32])] |_| &[O::D, O::S(Int), O::S(Int), O::S(Int), O::Q],
        Alu(e::minimum_of_sum), "d = the smaller of a + b and c if p, else the larger";
    "POPC" Both [w(&[])] |_| I1, Alu(|_, x| {
        let bits = (x.sources[0] | x.sources[1]) & e::ALL;
        e::LaneOutput::value(bits.count_ones().into())
    }), "d = the number of ones in a";
    "FLO" Both [w(&[U32, S32, Sh])] |_| I1, Alu(e::highest_bit), "d = the index of the highest bit unlike the sign";
    "BREV" New [w(&[])] |_| I1, Alu(|_, x| e::LaneOutput::value(x.sources[0].reverse_bits() >> 32)), "d = the bits of a in reverse order";
    "SGXT" New [w(&[U32, S32, W])] |_| I2, Alu(e::extend), "d = the lower b bits of a, extended";
    "BMSK" New [w(&[W])] |_| I2, Alu(e::mask), "d = b ones from bit a on";
    "I2I" Old [CONVERSIONS] |_| I1, Alu(e::integer_to_integer), "d = a in another integer type";
    // Logic, shifts and bytes.
    "LOP" Old [w(&[And, Or, Xor, PassB, Nz, Z, T, X])] |_| LOP, Alu(e::logic), "d = a op b";
    "LOP32I" Old [w(&[And, Or, Xor, PassB])] |_| LOP, Alu(e::logic), "d = a op b";
    "LOP3" Both [w(&[Lut, Nz])] |_| LOP3, Alu(e::logic3), "d = the function of a, b and c with a table of eight bits";
    "PLOP3" New [w(&[Lut])] |_| PLOP3, Alu(e::predicate_logic3), "two functions of three predicates";
    "PSETP" Old [w(&[And, Or, Xor])] |_| PSETP, Alu(e::predicate_logic), "d = (p op q) op r";
    "PSET" Old [w(&[And, Or, Xor, Bf])] |_| PSET, Alu(e::predicate_logic_in_register), "d = (p op q) op r";
    "SHL" Old [w(&[W])] |_| I2, Alu(e::shift_left), "d = a << b";
    "SHR" Old [w(&[W, U32, S32])] |_| I2, Alu(e::shift_right), "d = a >> b";
    "SHF" Old [w(&[L, R, W, U32, S32, U64, S64, Hi])] |_| I3, Alu(|m, x| e::funnel(m, x, true)), "d = one word of the shifted pair c:a";
    "SHF" New [w(&[L, R, W, U32, S32, U64, S64, Hi])] |_| I3, Alu(|m, x| e::funnel(m, x, false)), "d = one word of the shifted pair c:a";
    "BFE" Old [w(&[U32, S32, Brev])] |_| I2, Alu(e::extract), "d = a field of a";
    "BFI" Old [w(&[])] |_| I3, Alu(e::insert), "d = c with a field from a";
    "PRMT" Both [w(&[F4e, B4e, Rc8, Ecl, Ecr, Rc16])] |_| I3, Alu(e::permute), "d = four bytes of a and c";
    "SEL" Both [w(&[])] |_| PICK, Alu(e::select), "d = p ? a : b";
    "FSEL" Both [w(&[Ftz])] |_| FPICK, Alu(e::select), "d = p ? a : b";
    "MOV" Both [w(&[])] |_| I1, Alu(|_, x| e::LaneOutput::value(x.sources[0] & e::ALL)), "d = a";
    "MOV32I" Old [w(&[])] |_| I1, Alu(|_, x| e::LaneOutput::value(x.sources[0] & e::ALL)), "d = a";
    "R2UR" New [w(&[])] |_| I1, Alu(|_, x| e::LaneOutput::value(x.sources[0] & e::ALL)), "a uniform register = a";
    "ICMP" Old [COMPARISONS.and(w(&[U32, S32]))] |_| I3, Alu(e::select_by_number), "d = c cmp 0 ? a : b";
    "ISETP" Both [COMPARISONS.and(w(&[U32, S32, X, Ex]))] |_| ISETP, Alu(e::compare), "d = (a cmp b) op p";
    "ISET" Old [COMPARISONS.and(w(&[U32, S32, X, Bf]))] |_| ISET, Alu(e::compare_in_register), "d = (a cmp b) op p";
    // Floats.
    "FADD" Both [w(ROUNDINGS)] |_| F2, Alu(e::float_add), "d = a + b";
    "FADD32I" Old [w(ROUNDINGS)] |_| F2, Alu(e::float_add), "d = a + b";
    "FMUL" Both [w(ROUNDINGS)] |_| F2, Alu(e::float_multiply), "d = a * b";
    "FMUL32I" Old [w(ROUNDINGS)] |_| F2, Alu(e::float_multiply), "d = a * b";
    "FFMA" Both [w(ROUNDINGS)] |_| F3, Alu(e::float_multiply_add), "d = a * b + c, rounded once";
    "FFMA32I" Old [w(ROUNDINGS)] |_| F3, Alu(e::float_multiply_add), "d = a * b + c, rounded once";
    "FMNMX" Both [w(&[Ftz, Nan])] |_| FPICK, Alu(e::float_minimum), "d = the smaller of a and b if p, else the larger";
    "FSETP" Both [COMPARISONS.and(w(&[Ftz]))] |_| FSETP, Alu(e::float_compare), "d = (a cmp b) op p";
    "FSET" Old [COMPARISONS.and(w(&[Ftz, Bf]))] |_| FPICK, Alu(e::float_compare_in_register), "d = (a cmp b) op p";
    "FCMP" Old [COMPARISONS.and(w(&[Ftz]))] |_| F3, Alu(e::select_by_float), "d = c cmp 0 ? a : b";
    "MUFU" Old [w(&[Rcp, Rsq, Sqrt, Ex2, Lg2, Sin, Cos, Tanh, Rcp64h, Rsq64h, Sat, Ftz])] |_| F1,
        Alu(|m, x| e::special_function(m, x, true)), "d = a function of a, to about 1 unit in the last place (assumed)";
    "MUFU" New [w(&[Rcp, Rsq, Sqrt, Ex2, Lg2, Sin, Cos, Tanh, Rcp64h, Rsq64h, Sat, Ftz])] |_| F1,
        Alu(|m, x| e::special_function(m, x, false)), "d = a function of a, to about 1 unit in the last place (assumed)";
    "RRO" Old [w(&[Sincos, Ex2])] |_| F1, Alu(|_, x| e::LaneOutput::value(x.sources[0])), "reduces an argument for MUFU";
    "FCHK" Both [w(&[Divide])] |_| FCHK, Alu(e::needs_slow_division), "p = whether a / b needs the slow path";
    "DADD" Both [w(ROUNDINGS)] |_| D2, Alu(e::double_add), "d = a + b";
    "DMUL" Both [w(ROUNDINGS)] |_| D2, Alu(e::double_multiply), "d = a * b";
    "DFMA" Both [w(ROUNDINGS)] |_| D3, Alu(e::double_multiply_add), "d = a * b + c, rounded once";
    "DMNMX" Old [w(&[])] |_| DPICK, Alu(e::double_minimum), "d = the smaller of a and b if p, else the larger";
    "DSETP" Both [COMPARISONS.and(w(&[Min, Max]))] |_| DSETP, Alu(e::double_compare), "d = (a cmp b) op p";
    "HADD2" Both [w(&[Sat, Ftz, F32, Mma])] |_| H2, Alu(e::halves_add), "d = a + b, for two halves";
    "HMUL2" Both [w(&[Sat, Ftz, F32, Mma])] |_| H2, Alu(e::halves_multiply), "d = a * b, for two halves";
    "HFMA2" Both [w(&[Sat, Ftz, F32, Mma])] |_| H3, Alu(e::halves_multiply_add), "d = a * b + c, for two halves";
    // Conversions.
    "FRND" New [CONVERSIONS] rounded, Alu(e::round), "d = a, rounded to an integer";
    "F2F" Both [CONVERSIONS] between_floats, Alu(e::float_to_float), "d = a in another float type";
    "F2I" Both [CONVERSIONS] |m| conversion_to_integer(m), Alu(e::float_to_integer), "d = a as an integer";
    "I2F" Both [CONVERSIONS] |m| conversion(m, true), Alu(e::integer_to_float), "d = a as a float";
    "I2FP" New [CONVERSIONS] |m| conversion(m, true), Alu(e::integer_to_float), "d = a as a float";
    "F2FP" New [CONVERSIONS.and(w(&[PackAb]))] |_| F2, Alu(e::pack), "d = a and b as halves";
    // The warp.
    "S2R" Both [w(&[])] |_| &[O::D, O::Name], Special(Sp::Register), "d = a special register";
    "CS2R" Both [w(&[B32])] |m| if m.has(B32) { &[O::D, O::Name] } else { &[O::Pair, O::Name] },
        Special(Sp::Register), "d = a special register";
    "B2R" Both [w(&[Result])] |_| &[O::D, O::MaybeP], Special(Sp::BarrierResult), "d = the result of a reducing barrier";
    "P2R" Both [w(&[])] |_| &[O::D, O::Name, O::S(Int), O::Maybe(Int)], Special(Sp::PredicatesToRegister), "d = the predicates under a mask";
    "R2P" Both [w(&[])] |_| &[O::Name, O::S(Int), O::S(Int)], Special(Sp::RegisterToPredicates), "predicates = bits of a under a mask";
    "BMOV" New [w(&[B32, Clear])] |_| &[O::Name, O::Name], Special(Sp::BarrierMove), "saves or restores a convergence barrier";
    "SHFL" Both [w(&[Idx, Up, Down, Bfly])] |_| &[O::P, O::D, O::S(Int), O::S(Int), O::S(Int)], Special(Sp::Shuffle), "d = a of another lane";
    "VOTE" Both [w(&[Any, All, Eq])] |_| &[O::MaybeD, O::MaybeP, O::Q], Special(Sp::Vote), "d = the lanes in which p is true";
    "MATCH" New [w(&[Any, All, U64])] |m| if m.has(U64) { &[O::MaybeP, O::D, O::S(Long)] } else { &[O::MaybeP, O::D, O::S(Int)] },
        Special(Sp::Match), "d = the lanes with the same value";
    "REDUX" New [w(&[Sum, Min, Max, Or, Xor, And, S32, U32])] |_| &[O::D, O::S(Int)], Special(Sp::Reduce), "d = a reduction over the lanes";
    // Memory.
    "LDC" Both [ACCESSES] |m| if m.has(B64) { &[O::Pair, O::S(Long)] } else { &[O::D, O::S(Int)] }, Alu(e::load_constant), "d = a constant";
    "LDG" Both [ACCESSES] |m| memory(m, Action::Load), kind(Window::Global, Action::Load), "d = global memory";
    "LD" Both [ACCESSES] |m| memory(m, Action::Load), kind(Window::Generic, Action::Load), "d = memory";
    "LDS" Both [ACCESSES] |m| memory(m, Action::Load), kind(Window::Shared, Action::Load), "d = shared memory";
    "LDL" Both [ACCESSES] |m| memory(m, Action::Load), kind(Window::Local, Action::Load), "d = local memory";
    "STG" Both [ACCESSES] |m| memory(m, Action::Store), kind(Window::Global, Action::Store), "global memory = a";
    "ST" Both [ACCESSES] |m| memory(m, Action::Store), kind(Window::Generic, Action::Store), "memory = a";
    "STS" Both [ACCESSES] |m| memory(m, Action::Store), kind(Window::Shared, Action::Store), "shared memory = a";
    "STL" Both [ACCESSES] |m| memory(m, Action::Store), kind(Window::Local, Action::Store), "local memory = a";
    "ATOM" Both [ATOMICS] |m| memory(m, Action::Atomic), kind(Window::Generic, Action::Atomic), "d = memory, which is updated";
    "ATOMG" New [ATOMICS] |m| memory(m, Action::Atomic), kind(Window::Global, Action::Atomic), "d = global memory, which is updated";
    "ATOMS" Both [ATOMICS] |m| memory(m, Action::Atomic), kind(Window::Shared, Action::Atomic), "d = shared memory, which is updated";
    "RED" Both [ATOMICS] |m| memory(m, Action::Reduction), kind(Window::Generic, Action::Reduction), "updates memory";
    "REDG" New [ATOMICS] |m| memory(m, Action::Reduction), kind(Window::Global, Action::Reduction), "updates global memory";
    // Control flow.
    "BRA" Both [w(&[U, Div, Conv])] |_| &[O::MaybeCode, O::MaybeR, O::Label], Flow(F::Branch), "goes on at a label";
    "JMP" Both [w(&[U])] |_| &[O::MaybeCode, O::Label], Flow(F::Branch), "goes on at a label";
    "BRX" Both [w(&[])] |_| &[O::Indexed], Flow(F::Indexed), "goes on at a computed address";
    "EXIT" Both [w(&[])] |_| &[O::MaybeCode], Flow(F::Exit), "ends the lanes";
    "SSY" Old [w(&[])] |_| &[O::Label], Flow(F::Push(K::Sync)), "pushes where lanes meet at SYNC";
    "PBK" Old [w(&[])] |_| &[O::Label], Flow(F::Push(K::Break)), "pushes where lanes meet at BRK";
    "PCNT" Old [w(&[])] |_| &[O::Label], Flow(F::Push(K::Continue)), "pushes where lanes meet at CONT";
    "SYNC" Old [w(&[])] |_| &[O::MaybeCode], Flow(F::Pop(K::Sync)), "waits at the label of SSY";
    "BRK" Old [w(&[])] |_| &[O::MaybeCode], Flow(F::Pop(K::Break)), "waits at the label of PBK";
    "CONT" Old [w(&[])] |_| &[O::MaybeCode], Flow(F::Pop(K::Continue)), "waits at the label of PCNT";
    "CAL" Old [w(&[])] |_| &[O::Label], Flow(F::Call), "calls a function";
    "RET" Old [w(&[])] |_| &[], Flow(F::Pop(K::Call)), "returns behind the call";
    "BSSY" New [w(&[])] |_| &[O::Name, O::Label], Flow(F::SetBarrier), "a convergence barrier = the active lanes";
    "BSYNC" New [w(&[])] |_| &[O::Name], Flow(F::WaitBarrier), "waits for the lanes of a convergence barrier";
    "BREAK" New [w(&[])] |_| &[O::Name], Flow(F::LeaveBarrier), "leaves a convergence barrier";
    "WARPSYNC" New [w(&[All, Exclusive])] |_| &[O::Maybe(Int)], Flow(F::WarpSync), "waits for the lanes of a mask";
    "CALL" New [w(&[Rel])] |_| &[O::Label], Flow(F::Branch), "goes on at a function";
    "RET" New [w(&[Rel])] |_| &[O::S(Int), O::Ignored], Flow(F::Return), "goes on at an address";
    "BAR" Both [w(&[Sync, Reducing, Popc, And, Or])] |_| &[O::S(Int), O::Maybe(Int), O::MaybeQ], Flow(F::Barrier), "waits for all lanes of the block";
    // No effect on values: each instruction is complete before the next.
    "NOP" Both [w(&[])] |_| &[O::Any], NoEffect, "nothing";
    "DEPBAR" Both [w(&[Le])] |_| &[O::Any], NoEffect, "waits for a scoreboard";
    "MEMBAR" Both [w(&[All])] |_| &[O::Any], Fence, "orders memory accesses";
    "FENCE" New [w(&[All])] |_| &[O::Any], NoEffect, "orders memory accesses";
    "ERRBAR" New [w(&[])] |_| &[O::Any], NoEffect, "orders errors";
    "CGAERRBAR" New [w(&[])] |_| &[O::Any], NoEffect, "orders errors";
    "CCTL" Both [w(&[E, All])] |_| &[O::Any], NoEffect, "controls a cache";
    "CCTLL" Both [w(&[E, All])] |_| &[O::Any], NoEffect, "controls a cache";
    "YIELD" New [w(&[])] |_| &[O::Any], NoEffect, "a hint to go on with other lanes";
    "NANOSLEEP" New [w(&[])] |_| &[O::Any], NoEffect, "waits for some time";
    "PREFETCH" New [w(&[E])] |_| &[O::Any], NoEffect, "a hint to load";
}

/// Operands of a conversion from a float to an integer.
fn conversion_to_integer(m: &SassModifiers) -> &'static [O] {
    conversion(m, false)
}

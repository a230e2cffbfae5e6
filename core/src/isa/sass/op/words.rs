//! The words behind the dots of a mnemonic.

use crate::number::{ElementType, FloatFormat, Rounding, low_mask, sign_extend};
use alloc::vec::Vec;

macro_rules! words {
    ($($name:ident $text:literal)*) => {
        /// A word behind a dot of a mnemonic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Word { $(#[doc = concat!("`.", $text, "`")] $name),* }

        const WORDS: &[(&str, Word)] = &[$(($text, Word::$name)),*];
    };
}

words! {
    X "X" Rs "RS" Ls "LS" Hi "HI" Wide "WIDE" Ex "EX"
    U8 "U8" S8 "S8" U16 "U16" S16 "S16" U32 "U32" S32 "S32" U64 "U64" S64 "S64"
    F16 "F16" F32 "F32" F64 "F64" B32 "32" B64 "64" B128 "128"
    Mov "MOV" Iadd "IADD" Shl "SHL" Lut "LUT" Nz "NZ" Z "Z" T "T" PassB "PASS_B"
    L "L" R "R" W "W" S "S" G "G" Sx32 "SX32" Xhi "XHI" Xlo "XLO" Acc "ACC" Sd "SD" Ud "UD" Mx "MX" Sh "SH" Brev "BREV"
    Psl "PSL" Clo "CLO" Chi "CHI" Cbcc "CBCC" Csfu "CSFU" Mrg "MRG" Bf "BF"
    And "AND" Or "OR" Xor "XOR" Min "MIN" Max "MAX" Nan "NAN" Num "NUM"
    Eq "EQ" Ne "NE" Lt "LT" Le "LE" Gt "GT" Ge "GE"
    Equ "EQU" Neu "NEU" Ltu "LTU" Leu "LEU" Gtu "GTU" Geu "GEU"
    Ftz "FTZ" Sat "SAT" Rn "RN" Rm "RM" Rp "RP" Rz "RZ"
    Rcp "RCP" Rsq "RSQ" Sqrt "SQRT" Ex2 "EX2" Lg2 "LG2" Sin "SIN" Cos "COS" Tanh "TANH"
    Rcp64h "RCP64H" Rsq64h "RSQ64H" Sincos "SINCOS" Divide "DIVIDE"
    Floor "FLOOR" Ceil "CEIL" Trunc "TRUNC" Round "ROUND" Ntz "NTZ" Mma "MMA" Tf32 "TF32" M88 "M88" Mt88 "MT88" B16 "16" Two "2" Four "4"
    M8n8k4 "884" M8n8k16 "8816" M8n8k32 "8832" M8n8k128 "88128" M8n8k4Long "8x8x4"
    M16n8k4 "1684" M16n8k8 "1688" M16n8k16 "16816" M16n8k32 "16832" M16n8k64 "16864"
    M16n8k128 "168128" M16n8k256 "168256" M16n8k4Long "16x8x4" M16n8k8Long "16x8x8" M16n8k16Long "16x8x16"
    PackAb "PACK_AB" MergeC "MERGE_C"
    Mrg16h "MRG_16H" Mrg16l "MRG_16L" Mrg8b0 "MRG_8B0" Mrg8b2 "MRG_8B2" Po "PO" Shr7 "SHR_7" Shr15 "SHR_15"
    HAnd "H_AND" Xorsign "XORSIGN" U4 "U4" S4 "S4"
    Zfill "ZFILL" Bf16 "BF16" Brain "BF16_V2" Relu "RELU" Warp "WARP"
    F4e "F4E" B4e "B4E" Rc8 "RC8" Ecl "ECL" Ecr "ECR" Rc16 "RC16"
    Idx "IDX" Up "UP" Down "DOWN" Bfly "BFLY" Any "ANY" All "ALL"
    Add "ADD" Inc "INC" Dec "DEC" Exch "EXCH" Cas "CAS" Cast "CAST" Spin "SPIN" Popc "POPC"
    Sum "SUM" Sync "SYNC" Arv "ARV" Reducing "RED" Result "RESULT" Clear "CLEAR"
    Isat "ISAT" S8Quads "S8x4" U8Quads "U8x4" E4m3 "E4M3" E5m2 "E5M2" Satfinite "SATFINITE" MaxAbs "MAXABS" MinAbs "MINABS"
    PackAbMergeC "PACK_AB_MERGE_C" UnpackB "UNPACK_B" UnpackBMergeC "UNPACK_B_MERGE_C" D "D"
    FourA "4A" TwoA "2A" Lo "LO" Sft "SFT" Sff "SFF" Pairs "16x2" S16Pairs "S16x2" U16Pairs "U16x2"
    HalfPair "F16x2" HalfQuad "F16x4" HalfOctet "F16x8" BrainPair "BF16x2" BrainQuad "BF16x4" BrainOctet "BF16x8"
    FloatPair "F32x2" FloatQuad "F32x4" Drain "DRAIN" Trap "TRAP" Interrupt "INT"
    Arrive "ARRIVE" Trans64 "TRANS64" OneNoBytes "A1T0" SomeNoBytes "ART0" NoneExpects "A0TR" NoneWrites "A0TX"
    NoneExpectsOne "A0T1" Ldgstsbar "LDGSTSBAR" Arvcnt "ARVCNT" Transcnt "TRANSCNT" Optout "OPTOUT" Phasechk "PHASECHK" Trywait "TRYWAIT" B256 "256" Broadcast "BROADCAST" ByteMask "DST_G_BYTE_MASK" L2 "L2" Cctl "CCTL" Iv "IV" Syncs "SYNCS" View "VIEW" Async "ASYNC"
    Exclusive "EXCLUSIVE" Collective "COLLECTIVE" Conv "CONV" Div "DIV" E "E" U "U" Rel "REL" Hint "STRONG"
}

/// Words that concern caches, scopes and scheduling only, which have no effect on
/// values.
const HINTS: &[&str] = &[
    "CI",
    "BYPASS",
    "CV",
    "CG",
    "CS",
    "CONSTANT",
    "GPU",
    "SYS",
    "CTA",
    "SM",
    "LU",
    "WT",
    "EF",
    "EL",
    "EU",
    "NA",
    "EFL2",
    "ENL2",
    "ELL2",
    "LTC64B",
    "LTC128B",
    "LTC256B",
    "WEAK",
    "PF1",
    "PF2",
    "NOINC",
    "NODEC",
    "DEFER_BLOCKING",
    "IVALL",
    "IVALLD",
    "SC",
    "GL",
    "VC",
    "PRIVATE",
    "ABS",
    "RECONVERGENT",
    "RELIABLE",
    "reuse",
];

impl Word {
    /// Finds a word by its text.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        if HINTS.contains(&text) {
            return Some(Self::Hint);
        }
        let found = WORDS.iter().find(|(known, _)| *known == text);
        found.map(|(_, word)| *word)
    }

    /// All words with their texts.
    pub(super) fn all() -> impl Iterator<Item = (&'static str, Self)> {
        let words = WORDS.iter().copied();
        words.filter(|(_, word)| *word != Self::Hint)
    }

    /// Index of its element in a [`WordSet`], and its bit there.
    const fn place(self) -> (usize, u128) {
        (self as usize / 128, 1 << (self as u32 % 128))
    }
}

/// A set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordSet([u128; 2]);

impl WordSet {
    /// The set of some words.
    #[must_use]
    pub const fn of(words: &[Word]) -> Self {
        let (mut set, mut rest) = ([0; 2], words);
        while let [first, others @ ..] = rest {
            let (index, bit) = first.place();
            set[index] |= bit;
            rest = others;
        }
        Self(set)
    }

    /// The words of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// Whether a word is in the set.
    #[must_use]
    #[inline]
    pub const fn has(self, word: Word) -> bool {
        let (index, bit) = word.place();
        self.0[index] & bit != 0
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordComparison {
    less: bool,
    equal: bool,
    greater: bool,
    unordered: bool,
}

impl WordComparison {
    /// Whether it holds for operands in this order; `None` means that one is NaN.
    #[must_use]
    pub const fn holds(self, order: Option<core::cmp::Ordering>) -> bool {
        match order {
            Some(core::cmp::Ordering::Less) => self.less,
            Some(core::cmp::Ordering::Equal) => self.equal,
            Some(core::cmp::Ordering::Greater) => self.greater,
            None => self.unordered,
        }
    }

    const fn of(word: Word) -> Option<Self> {
        let (less, equal, greater, unordered) = match word {
            Word::Lt => (true, false, false, false),
            Word::Le => (true, true, false, false),
            Word::Eq => (false, true, false, false),
            Word::Ne => (true, false, true, false),
            Word::Gt => (false, false, true, false),
            Word::Ge => (false, true, true, false),
            Word::Ltu => (true, false, false, true),
            Word::Leu => (true, true, false, true),
            Word::Equ => (false, true, false, true),
            Word::Neu => (true, false, true, true),
            Word::Gtu => (false, false, true, true),
            Word::Geu => (false, true, true, true),
            Word::Num => (true, true, true, false),
            Word::Nan => (false, false, false, true),
            _ => return None,
        };
        Some(Self {
            less,
            equal,
            greater,
            unordered,
        })
    }
}

/// An operation on two truth values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Logic {
    /// Both.
    #[default]
    And,
    /// At least one.
    Or,
    /// Exactly one.
    Xor,
}

impl Logic {
    /// Its result.
    #[must_use]
    pub const fn of(self, a: bool, b: bool) -> bool {
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
        }
    }
}

/// A number type behind a dot: of sources, destinations and conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberType {
    /// Size in bits.
    pub bits: u32,
    /// Whether it is signed or a float.
    pub signed: bool,
    /// Format of a float.
    pub format: Option<FloatFormat>,
}

impl NumberType {
    pub const S32: Self = Self::integer(32, true);
    pub const S8: Self = Self::integer(8, true);
    pub const U32: Self = Self::integer(32, false);
    pub const F32: Self = Self::float(32, FloatFormat::F32);
    pub const F16: Self = Self::float(16, FloatFormat::F16);
    pub const BF16: Self = Self::float(16, FloatFormat::Bf16);

    const fn float(bits: u32, format: FloatFormat) -> Self {
        Self {
            bits,
            signed: true,
            format: Some(format),
        }
    }

    const fn integer(bits: u32, signed: bool) -> Self {
        Self {
            bits,
            signed,
            format: None,
        }
    }

    /// The integer of this type in the lowest bits.
    pub(super) fn value(self, bits: u64) -> i128 {
        match self.signed {
            true => sign_extend(bits, self.bits).into(),
            false => (bits & low_mask(self.bits)).into(),
        }
    }

    const fn of(word: Word) -> Option<Self> {
        Some(match word {
            Word::U4 => Self::integer(4, false),
            Word::S4 => Self::integer(4, true),
            Word::U8 => Self::integer(8, false),
            Word::S8 => Self::integer(8, true),
            Word::U16 => Self::integer(16, false),
            Word::S16 => Self::integer(16, true),
            Word::U32 => Self::integer(32, false),
            Word::S32 => Self::integer(32, true),
            Word::U64 => Self::integer(64, false),
            Word::S64 => Self::integer(64, true),
            Word::E4m3 => Self::float(8, FloatFormat::Hf8),
            Word::E5m2 => Self::float(8, FloatFormat::Bf8),
            Word::F16 => Self::F16,
            Word::F32 => Self::F32,
            Word::Bf16 => Self::BF16,
            Word::F64 => Self::float(64, FloatFormat::F64),
            _ => return None,
        })
    }
}

/// The words of an instruction, and what they mean by their order.
#[derive(Clone, Copy, Debug, Default)]
pub struct SassModifiers {
    /// All words.
    pub words: WordSet,
    /// The first comparison.
    pub comparison: WordComparison,
    /// Whether there is a comparison.
    pub compares: bool,
    /// AND, OR and XOR in their order.
    pub logic: [Logic; 2],
    /// Number types in their order.
    pub types: [Option<NumberType>; 2],
    /// The rounding mode that a word names.
    pub rounding: Option<Rounding>,
}

impl SassModifiers {
    /// Reads words in their order.
    #[must_use]
    pub fn new(words: &[Word]) -> Self {
        let mut logic = words.iter().filter_map(|word| match word {
            Word::And => Some(Logic::And),
            Word::Or => Some(Logic::Or),
            Word::Xor => Some(Logic::Xor),
            _ => None,
        });
        let types: Vec<NumberType> = words.iter().copied().filter_map(NumberType::of).collect();
        let comparison = words.iter().copied().find_map(WordComparison::of);
        let rounding = words.iter().find_map(|word| match word {
            Word::Rm | Word::Floor => Some(Rounding::Down),
            Word::Rp | Word::Ceil => Some(Rounding::Up),
            Word::Rz | Word::Trunc => Some(Rounding::TowardZero),
            _ => None,
        });
        Self {
            words: WordSet::of(words),
            comparison: comparison.unwrap_or_default(),
            compares: comparison.is_some(),
            logic: [logic.next(), logic.next()].map(Option::unwrap_or_default),
            types: [types.first().copied(), types.get(1).copied()],
            rounding,
        }
    }

    /// Whether a word is there.
    #[must_use]
    #[inline]
    pub const fn has(&self, word: Word) -> bool {
        self.words.has(word)
    }

    /// Whether an atomic compares, and stores another value if they are equal.
    pub(super) const fn swaps(&self) -> bool {
        self.has(Word::Cas) || self.has(Word::Cast)
    }

    /// Type of two halves.
    #[must_use]
    pub const fn half(&self) -> ElementType {
        match self.has(Word::Brain) {
            true => ElementType::Bf,
            false => ElementType::Hf,
        }
    }

    /// Whether numbers have 64 bits.
    #[must_use]
    pub const fn is_long(&self) -> bool {
        self.has(Word::B64) || self.has(Word::U64) || self.has(Word::S64)
    }

    /// Type of the integer that is converted: the last one.
    pub(super) fn source_integer(&self) -> NumberType {
        let mut integers = self
            .types
            .iter()
            .rev()
            .flatten()
            .filter(|ty| ty.format.is_none());
        integers.next().copied().unwrap_or(NumberType::S32)
    }

    /// The rounding mode; to nearest even unless a word names another.
    #[must_use]
    pub const fn rounding(&self) -> Rounding {
        match self.rounding {
            Some(rounding) => rounding,
            None => Rounding::NearestEven,
        }
    }
}

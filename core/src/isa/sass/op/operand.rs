//! Operands of the instructions of the table: registers, predicates, constants and
//! numbers.

use super::expression::NAN;
use super::words::{NumberType, SassModifiers, Word};
use crate::isa::Shown;
use crate::isa::sass::warp::{FILE_BYTES, LANES, PAIR_BYTES, register_address};
use crate::machine::{Machine, SpaceId, flag_address};
use crate::number::{ElementType, from_f64, low_mask, low_qword, sign_extend, to_f64};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Values of all lanes.
pub type LaneValues = [u64; LANES as usize];

/// Number of the first uniform register. Every lane has its own copy, which the lanes that
/// execute an instruction write (assumed to be equivalent to one value of a warp).
const FIRST_UNIFORM: u16 = 256;

/// Number of the uniform registers, with URZ. Up to SM90, it is 64, and later compilers write
/// more than that.
const UNIFORM_REGISTERS: u16 = 128;

/// The lower word of the register of return addresses, behind the uniform registers.
const RETURN_ADDRESS: u16 = FIRST_UNIFORM + UNIFORM_REGISTERS;

/// Bytes of the register file with the uniform registers and the return address.
pub const KERNEL_FILE_BYTES: u64 = FILE_BYTES + (UNIFORM_REGISTERS as u64 / 2 + 1) * PAIR_BYTES;

/// Word of the flags space with uniform predicates and condition codes.
pub const KERNEL_FLAGS: u64 = 24;

/// Word of the flags space with the first uniform predicate.
const UNIFORM_PREDICATES: u16 = 8;

/// Word of the flags space with the bits of the condition code: two of the carry, zero,
/// sign, overflow.
pub const CONDITION_CODE: [u64; 5] = [
    flag_address(16),
    flag_address(17),
    flag_address(18),
    flag_address(19),
    flag_address(20),
];

/// A register of a lane: R0 to R254, UR0 to UR126.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LaneRegister(u16);

impl LaneRegister {
    /// Reads `R7`, `UR7` or `Rpc.LO`; `RZ` and `URZ` are `Some(None)`.
    #[must_use]
    pub fn named(text: &str) -> Option<Option<Self>> {
        match text {
            "Rpc.LO" => return Some(Some(Self(RETURN_ADDRESS))),
            "Rpc.HI" => return Some(Some(Self(RETURN_ADDRESS + 1))),
            _ => {}
        }
        let (digits, first, limit) = match text.strip_prefix("UR") {
            Some(digits) => (digits, FIRST_UNIFORM, UNIFORM_REGISTERS - 1),
            None => (text.strip_prefix('R')?, 0, 255),
        };
        if digits == "Z" {
            return Some(None);
        }
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number: u16 = digits.parse().ok().filter(|_| is_number)?;
        (number < limit).then_some(Some(Self(first + number)))
    }

    /// `R7`, `UR7` or `Rpc.LO`.
    #[must_use]
    pub fn name(self) -> String {
        match self.0 {
            number @ ..FIRST_UNIFORM => format!("R{number}"),
            number @ ..RETURN_ADDRESS => format!("UR{}", number - FIRST_UNIFORM),
            RETURN_ADDRESS => String::from("Rpc.LO"),
            _ => String::from("Rpc.HI"),
        }
    }

    /// The number of a register that is not uniform.
    #[must_use]
    pub fn number(self) -> Option<u8> {
        u8::try_from(self.0).ok()
    }

    /// Address in the register file of a lane's register.
    #[must_use]
    pub const fn address(self, lane: u8) -> u64 {
        let [number, page] = self.0.to_le_bytes();
        page as u64 * FILE_BYTES + register_address(lane, number)
    }

    /// The register behind it.
    #[must_use]
    pub const fn next(self, distance: u16) -> Self {
        Self(self.0 + distance)
    }

    /// Whether a value of two registers starts at an even one.
    #[must_use]
    pub const fn is_even(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

/// A predicate: P0 to P6, UP0 to UP6; or true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LanePredicate(Option<u16>);

impl LanePredicate {
    /// Reads `P3`, `PT`, `UP3` or `UPT`.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let (digits, first) = match text.strip_prefix("UP") {
            Some(digits) => (digits, UNIFORM_PREDICATES),
            None => (text.strip_prefix('P')?, 1),
        };
        match digits.as_bytes() {
            b"T" => Some(Self(None)),
            [digit @ b'0'..=b'6'] => Some(Self(Some(first + u16::from(digit - b'0')))),
            _ => None,
        }
    }

    /// `P3`, `UP3` or `PT`.
    #[must_use]
    pub fn name(self) -> String {
        match self.0 {
            None => String::from("PT"),
            Some(word) if word >= UNIFORM_PREDICATES => {
                format!("UP{}", word - UNIFORM_PREDICATES)
            }
            Some(word) => format!("P{}", word - 1),
        }
    }

    /// Its word in the flags space; `None` for PT.
    #[must_use]
    pub fn address(self) -> Option<u64> {
        self.0.map(flag_address)
    }

    /// Its number if it is one of P0 to P6.
    #[must_use]
    pub fn number(self) -> Option<u8> {
        let number = u8::try_from(self.0?.checked_sub(1)?).ok()?;
        (number < 7).then_some(number)
    }

    /// Its bits in all lanes.
    #[must_use]
    pub fn bits(self, machine: &Machine, thread: u8) -> u32 {
        match self.address() {
            Some(address) => machine.flag_word(SpaceId::flags(thread), address),
            None => u32::MAX,
        }
    }
}

/// A predicate as a source, or the sign of a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredicateSource {
    /// The predicate.
    pub register: LanePredicate,
    /// The register whose sign replaces the predicate.
    pub sign_of: Option<LaneRegister>,
    /// Whether it is negated.
    pub negated: bool,
}

impl PredicateSource {
    /// Reads `!P3`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.strip_prefix('!').unwrap_or(text);
        Some(Self {
            register: LanePredicate::named(name)?,
            sign_of: None,
            negated: name.len() < text.len(),
        })
    }

    /// Reads `!P3`, or `R3.SIGN`.
    #[must_use]
    pub fn parse_sign(text: &str) -> Option<Self> {
        let Some(name) = text.strip_suffix(".SIGN") else {
            return Self::parse(text);
        };
        let register = name.strip_prefix('!').unwrap_or(name);
        let is_negated = register.len() < name.len();
        let sign_of = LaneRegister::named(register)?;
        Some(Self {
            register: LanePredicate::default(),
            sign_of,
            // Without a register it is the sign of 0, which is false.
            negated: is_negated ^ sign_of.is_none(),
        })
    }

    /// Its bits in all lanes.
    #[must_use]
    #[inline]
    pub fn bits(self, machine: &Machine, thread: u8) -> u32 {
        let bits = match self.sign_of {
            None => self.register.bits(machine, thread),
            Some(register) => {
                let mut values = [0; LANES as usize];
                read_register(machine, thread, register, false, &mut values);
                let lanes = (0..).zip(values);
                let signs = lanes.filter(|(_, value)| value >> 31 & 1 == 1);
                signs.fold(0, |bits, (lane, _): (u32, _)| bits | 1 << lane)
            }
        };
        if self.negated { !bits } else { bits }
    }
}

/// How a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 32 bits; `-` is the two's complement.
    Int,
    /// The same, shown in hexadecimal.
    Bits,
    /// Four bytes; on old chips, a number is the lowest of them.
    Bytes,
    /// 32 bits; a number has 16, with a sign unless the second type has none.
    Short,
    /// 64 bits in two registers.
    Wide,
    /// An integer of the type that a word names, in 64 bits: `-` and `||` are exact up to 32 bits.
    Typed,
    /// The same in two registers.
    TypedPair,
    /// A 32-bit float; `-` is the sign bit.
    Float,
    /// The upper word of a 64-bit float.
    Upper,
    /// A 64-bit float in two registers.
    Double,
    /// Two 32-bit floats in two registers.
    FloatPair,
    /// Two 16-bit floats.
    Halves,
    /// A 16-bit float: a half of a register.
    Half,
    /// 32 bits, and in bit 32 whether the text names the upper half.
    WithHalf,
    /// Part of a matrix in a number of registers, of which one or two are shown.
    Matrix(u8),
}

impl Kind {
    /// Number of bytes: 4 or 8.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::Wide | Self::TypedPair | Self::Double | Self::FloatPair | Self::Matrix(2..) => 8,
            _ => 4,
        }
    }

    /// Number of registers.
    #[must_use]
    pub const fn registers(self) -> u8 {
        match self {
            Self::Matrix(count) => count,
            _ => self.bytes() / 4,
        }
    }

    /// Type of the values, and how they are shown.
    #[must_use]
    pub const fn shown(self, is_unsigned: bool) -> (ElementType, Shown) {
        match self {
            Self::Int | Self::Short | Self::Typed if is_unsigned => {
                (ElementType::Ud, Shown::Number)
            }
            Self::Int | Self::Short | Self::Typed => (ElementType::D, Shown::Number),
            Self::Float => (ElementType::F, Shown::Number),
            Self::Double => (ElementType::Df, Shown::Number),
            Self::Half => (ElementType::Hf, Shown::Number),
            Self::Bits | Self::Bytes | Self::Upper | Self::WithHalf | Self::Matrix(..2) => {
                (ElementType::Ud, Shown::Hexadecimal)
            }
            Self::Wide | Self::TypedPair | Self::FloatPair | Self::Matrix(2..) => {
                (ElementType::Uq, Shown::Hexadecimal)
            }
            Self::Halves => (ElementType::Ud, Shown::Halves),
        }
    }
}

/// Part of a register that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Whole,
    /// A half or byte: its first bit and number of bits.
    Bits(u32, u32),
    /// One half twice; the first bit.
    Twice(u32),
    /// A 32-bit float, converted to two equal halves.
    Converted,
    /// A 32-bit float as both of a pair.
    BothFloats,
    /// A pair of 32-bit floats: whether they are swapped, and the sign bits that are flipped then.
    Floats(bool, u64),
}

/// Where the bits of a source are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourcePlace {
    Number(u64),
    Register(LaneRegister),
    /// A constant: bank, offset, and a register that is added.
    Constant(u8, u32, Option<LaneRegister>),
}

/// A source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SassSource {
    /// Where its bits are.
    pub place: SourcePlace,
    kind: Kind,
    part: Part,
    absolute: bool,
    negated: bool,
    inverted: bool,
    /// Number of bytes of a constant.
    bytes: u8,
    /// Type of an integer that is converted, or of halves.
    ty: NumberType,
}

impl SassSource {
    /// Whether it is negated.
    #[must_use]
    pub const fn is_negated(&self) -> bool {
        self.negated
    }

    /// Whether its bits are read unchanged.
    #[must_use]
    #[inline]
    pub const fn is_plain(&self) -> bool {
        let is_changed = self.absolute || self.negated || self.inverted;
        let is_typed = matches!(self.kind, Kind::Typed | Kind::TypedPair);
        matches!(self.part, Part::Whole) && !is_changed && !is_typed
    }

    /// The number 0.
    pub const ZERO: Self = Self {
        place: SourcePlace::Number(0),
        kind: Kind::Int,
        part: Part::Whole,
        absolute: false,
        negated: false,
        inverted: false,
        bytes: 4,
        ty: NumberType::S32,
    };

    /// Reads a source of an instruction with these words.
    #[must_use]
    pub fn parse(text: &str, kind: Kind, context: &SourceContext<'_>) -> Option<Self> {
        let mut source = Self {
            kind,
            bytes: kind.bytes(),
            ty: match (kind, context.modifiers.half()) {
                (Kind::Halves, ElementType::Bf) => NumberType::BF16,
                (Kind::Halves, _) => NumberType::F16,
                _ => context.modifiers.source_integer(),
            },
            ..Self::ZERO
        };
        let mut rest = text.trim();
        while let Some((sign, after)) = split_sign(rest) {
            match sign {
                '-' if !starts_number(after) => source.negated = true,
                '~' | '!' => source.inverted = true,
                _ => break,
            }
            rest = after;
        }
        if let Some(inside) = rest.strip_prefix('|') {
            let (inside, after) = inside.split_once('|')?;
            source.absolute = true;
            source.part = parts(after)?;
            rest = inside;
        }
        let register = rest.split('.').next()?;
        if let Some(register) = LaneRegister::named(register) {
            let suffixes = rest.get(rest.find('.').unwrap_or(rest.len())..)?;
            if suffixes.contains("F32x2") && kind != Kind::FloatPair {
                return None;
            }
            if source.part == Part::Whole {
                source.part = parts(suffixes)?;
            }
            match source.part {
                Part::Converted if kind == Kind::FloatPair => source.part = Part::BothFloats,
                Part::Floats(..) if kind != Kind::FloatPair => return None,
                _ => {}
            }
            if let Some(register) = register {
                source.place = SourcePlace::Register(register);
            }
        } else if let Some(constant) = rest.strip_prefix("c[") {
            let (bank, after) = constant.split_once(']')?;
            let (offset, suffixes) = after.trim().strip_prefix('[')?.split_once(']')?;
            let (offset, register) = constant_offset(offset)?;
            source.place = SourcePlace::Constant(integer(bank)?.try_into().ok()?, offset, register);
            if source.part == Part::Whole {
                source.part = parts(suffixes.trim())?;
            }
        } else {
            source.place = SourcePlace::Number(context.number(rest, kind)?);
        }
        // The instruction reads the signs before it takes the magnitudes.
        if context.modifiers.has(Word::Xorsign) {
            if !source.absolute || source.negated {
                return None;
            }
            source.absolute = false;
        }
        // In a chain of additions, a carry replaces the 1 of a two's complement.
        if context.is_old
            && matches!(kind, Kind::Int | Kind::Bits)
            && context.modifiers.has(Word::X)
            && source.negated
        {
            (source.negated, source.inverted) = (false, true);
        }
        if kind == Kind::Half && source.part == Part::Whole {
            source.part = Part::Bits(0, 16);
        }
        Some(source)
    }

    /// How its values are read.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The constant bank that it reads.
    #[must_use]
    pub const fn bank(&self) -> Option<u8> {
        match self.place {
            SourcePlace::Constant(bank, ..) => Some(bank),
            _ => None,
        }
    }

    /// The registers that it reads.
    pub fn registers(&self) -> impl Iterator<Item = LaneRegister> {
        let (first, count) = match self.place {
            SourcePlace::Register(register) if self.part == Part::BothFloats => (Some(register), 1),
            SourcePlace::Register(register) => (Some(register), u16::from(self.kind.registers())),
            SourcePlace::Constant(_, _, register) => (register, 1),
            SourcePlace::Number(_) => (None, 0),
        };
        let registers = (0..count).map(move |distance| first.map(|first| first.next(distance)));
        registers.flatten()
    }

    /// Its values in all lanes.
    #[inline]
    pub fn read(&self, machine: &Machine, thread: u8, out: &mut LaneValues) {
        match self.place {
            SourcePlace::Number(bits) => *out = [bits; LANES as usize],
            SourcePlace::Register(register) => {
                let is_pair = self.kind.bytes() == 8 && self.part != Part::BothFloats;
                read_register(machine, thread, register, is_pair, out);
            }
            SourcePlace::Constant(bank, offset, None) => {
                let bits = constant(machine, bank, offset, self.bytes);
                *out = [bits; LANES as usize];
            }
            SourcePlace::Constant(bank, offset, Some(register)) => {
                read_register(machine, thread, register, false, out);
                for value in out.iter_mut() {
                    let index = u32::try_from(*value & 0xffff_ffff).expect("32 bits");
                    *value = constant(machine, bank, offset.wrapping_add(index), self.bytes);
                }
            }
        }
        if !self.is_plain() {
            for value in out.iter_mut() {
                *value = self.modified(*value);
            }
        }
    }

    fn modified(&self, bits: u64) -> u64 {
        let bits = match self.part {
            Part::Bits(first, _) if self.kind == Kind::WithHalf => bits | u64::from(first) << 28,
            Part::Whole => bits,
            Part::Bits(first, count) => bits >> first & low_mask(count),
            Part::Twice(first) => (bits >> first & 0xffff) * 0x1_0001,
            Part::BothFloats => (bits & 0xffff_ffff) * 0x1_0000_0001,
            Part::Floats(is_swapped, signs) => {
                bits.rotate_left(if is_swapped { 32 } else { 0 }) ^ signs
            }
            Part::Converted => {
                let half = match self.ty {
                    NumberType::BF16 => ElementType::Bf,
                    _ => ElementType::Hf,
                };
                from_f64(to_f64(bits, ElementType::F), half) * 0x1_0001
            }
        };
        let (sign, all) = match self.kind {
            Kind::Int | Kind::Short | Kind::Bits | Kind::Bytes => {
                return self.modified_integer(bits, 32);
            }
            Kind::Wide => return self.modified_integer(bits, 64),
            Kind::Typed | Kind::TypedPair => return self.modified_number(bits),
            Kind::Float | Kind::Upper => (1 << 31, 0xffff_ffff),
            Kind::Double => (1 << 63, u64::MAX),
            Kind::FloatPair => (1 << 63 | 1 << 31, u64::MAX),
            Kind::Halves => (0x8000_8000, 0xffff_ffff),
            Kind::Half => (0x8000, 0xffff),
            Kind::WithHalf | Kind::Matrix(_) => (0, u64::MAX),
        };
        let bits = if self.absolute { bits & !sign } else { bits };
        let bits = if self.negated { bits ^ sign } else { bits };
        if self.inverted { !bits & all } else { bits }
    }

    /// A number of the type that is converted.
    fn modified_number(&self, bits: u64) -> u64 {
        let value = self.ty.value(bits);
        let value = if self.absolute { value.abs() } else { value };
        low_qword(if self.negated { -value } else { value })
    }

    /// A negated number of 32 bits is 2^32 minus it, so that a sum shows the carry.
    fn modified_integer(&self, bits: u64, size: u32) -> u64 {
        let mask = low_mask(size);
        let mut bits = bits & mask;
        if self.absolute {
            bits = sign_extend(bits, size).unsigned_abs() & mask;
        }
        if self.negated {
            bits = match size {
                32 => (1 << 32) - bits,
                _ => bits.wrapping_neg(),
            };
        }
        if self.inverted { !bits & mask } else { bits }
    }
}

/// Context in which the text of a source is read.
pub struct SourceContext<'m> {
    /// The words of the instruction.
    pub modifiers: &'m SassModifiers,
    /// Whether the chip is older than SM70.
    pub is_old: bool,
    /// Whether integers have 20 bits, of which the highest is the sign.
    pub short_immediates: bool,
}

impl SourceContext<'_> {
    fn number(&self, text: &str, kind: Kind) -> Option<u64> {
        let text = text.trim();
        // A negated float that has no exact text with a sign: `2.NEG`.
        if let Some(positive) = text.strip_suffix(".NEG") {
            let sign = match kind {
                Kind::Double => 1 << 63,
                Kind::Float => 1 << 31,
                _ => return None,
            };
            return Some(self.number(positive, kind)? ^ sign);
        }
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if !starts_number(digits) {
            return None;
        }
        let is_hexadecimal = digits.starts_with("0x");
        match kind {
            Kind::Float | Kind::Upper if is_nan(text) => Some(nan(text)),
            Kind::Double if is_nan(text) => Some(nan(text) << 32),
            Kind::Float if !is_hexadecimal => Some(from_f64(float(text)?, ElementType::F)),
            Kind::Double if !is_hexadecimal => Some(float(text)?.to_bits()),
            Kind::Upper if !is_hexadecimal => Some(float(text)?.to_bits() >> 32),
            // The upper word, as an instruction has it.
            Kind::Double | Kind::TypedPair => Some(u64::from(integer(text)?) << 32),
            // One number for both.
            Kind::FloatPair if !is_hexadecimal => {
                Some(from_f64(float(text)?, ElementType::F) * 0x1_0000_0001)
            }
            Kind::FloatPair => None,
            Kind::Half | Kind::Halves if !is_hexadecimal => {
                Some(from_f64(float(text)?, self.modifiers.half()))
            }
            Kind::Wide if self.modifiers.is_long() => long_integer(text),
            Kind::Wide => {
                let value = signed_integer(text)?;
                Some(sign_extend(value.cast_unsigned() & 0xffff_ffff, 32).cast_unsigned())
            }
            Kind::Bytes if self.short_immediates => {
                Some(signed_integer(text)?.cast_unsigned() & 0xff)
            }
            Kind::Short => {
                let is_unsigned = self.modifiers.types[1].is_some_and(|ty| !ty.signed);
                let value = i64::from(integer(digits)?);
                let number = match (is_unsigned, text.starts_with('-')) {
                    (false, is_negated) => {
                        let number = sign_extend(value.cast_unsigned() & 0xffff, 16);
                        if is_negated { -number } else { number }
                    }
                    (true, false) => value,
                    // Its sign would be lost with the upper bits.
                    (true, true) => return None,
                };
                Some(number.cast_unsigned() & 0xffff_ffff)
            }
            _ => {
                let value = signed_integer(text)?.cast_unsigned() & 0xffff_ffff;
                let is_negative = self.short_immediates && (0x8_0000..=0xf_ffff).contains(&value);
                Some(if is_negative {
                    value | 0xfff0_0000
                } else {
                    value
                })
            }
        }
    }
}

fn split_sign(text: &str) -> Option<(char, &str)> {
    let mut letters = text.chars();
    let first = letters.next()?;
    matches!(first, '-' | '~' | '!').then_some((first, letters.as_str()))
}

fn starts_number(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.')
        || text == "INF"
        || is_nan(text)
}

/// The bits that are assumed for a NaN, or for the upper word of one.
pub(super) fn nan(text: &str) -> u64 {
    NAN | u64::from(text.starts_with('-')) << 31
}

/// Whether a number is NaN. The text does not tell its bits.
pub(super) fn is_nan(text: &str) -> bool {
    let name = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(name, "QNAN" | "SNAN")
}

/// The part that suffixes such as `.H1.reuse` name.
fn parts(suffixes: &str) -> Option<Part> {
    let mut part = Part::Whole;
    for suffix in suffixes.split('.').skip(1) {
        part = match suffix.trim() {
            "LO_HI" => Part::Floats(true, 0),
            // The first letter is the sign of the upper float.
            sign @ ("NP" | "PN") => {
                let is_swapped = part == Part::Floats(true, 0);
                Part::Floats(is_swapped, if sign == "NP" { 1 << 63 } else { 1 << 31 })
            }
            "H0" => Part::Bits(0, 16),
            "H1" => Part::Bits(16, 16),
            "24" => Part::Bits(0, 24),
            "B0" => Part::Bits(0, 8),
            "B1" => Part::Bits(8, 8),
            "B2" => Part::Bits(16, 8),
            "B3" => Part::Bits(24, 8),
            "H0_H0" => Part::Twice(0),
            "H1_H1" => Part::Twice(16),
            "F32" => Part::Converted,
            "H1_H0" | "F32x2" | "HI_LO" | "reuse" | "CC" => part,
            _ => return None,
        };
    }
    Some(part)
}

/// An integer without a sign.
#[must_use]
pub fn integer(text: &str) -> Option<u32> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The bits of an integer of 64 bits with an optional sign.
fn long_integer(text: &str) -> Option<u64> {
    let digits = text.trim_start_matches('-');
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if digits.len() < text.len() {
        value.wrapping_neg()
    } else {
        value
    })
}

/// An integer with an optional sign.
#[must_use]
pub fn signed_integer(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.trim().strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.trim().trim_start_matches('+')),
    };
    let value: i64 = integer(digits)?.into();
    Some(if is_negative { -value } else { value })
}

fn float(text: &str) -> Option<f64> {
    Some(match text {
        "+INF" | "INF" => f64::INFINITY,
        "-INF" => f64::NEG_INFINITY,
        _ if is_nan(text) => f64::NAN,
        _ => text.parse().ok()?,
    })
}

/// `0x160`, `R5+0x10`, `R0`, `RZ`.
fn constant_offset(text: &str) -> Option<(u32, Option<LaneRegister>)> {
    let (mut offset, mut register) = (0_i64, None);
    for term in text.split('+') {
        let name = term.trim().split('.').next()?;
        match LaneRegister::named(name) {
            Some(found) => register = found,
            None => offset += signed_integer(term)?,
        }
    }
    let offset = u32::try_from(offset.cast_unsigned() & 0xffff_ffff);
    Some((offset.expect("32 bits"), register))
}

/// Reads a constant; bytes past the end of a bank are 0 (assumed).
#[must_use]
pub fn constant(machine: &Machine, bank: u8, offset: u32, bytes: u8) -> u64 {
    let bits = machine.load(SpaceId::surface(bank), offset.into(), bytes);
    bits.unwrap_or(0)
}

/// Values of a register, or of a pair, in all lanes.
#[inline]
pub fn read_register(
    machine: &Machine,
    thread: u8,
    register: LaneRegister,
    is_pair: bool,
    out: &mut LaneValues,
) {
    let file = machine.space(SpaceId::registers(thread));
    if is_pair && !register.is_even() {
        let mut high = *out;
        read_register(machine, thread, register, false, out);
        read_register(machine, thread, register.next(1), false, &mut high);
        for (low, high) in out.iter_mut().zip(high) {
            *low |= high << 32;
        }
        return;
    }
    let within = register.address(0) % 8;
    const BYTES: usize = 8 * LANES as usize;
    let block = file.block::<BYTES>(register.address(0) - within);
    let block = block.expect("the registers of a warp are mapped");
    let (cells, _) = block.as_chunks::<8>();
    for (value, cell) in out.iter_mut().zip(cells) {
        let pair = u64::from_le_bytes(*cell);
        *value = match (is_pair, within) {
            (true, _) => pair,
            (false, 0) => pair & 0xffff_ffff,
            (false, _) => pair >> 32,
        };
    }
}

/// Splits operands at the commas outside brackets.
#[must_use]
pub fn split_operands(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text.get(start..at).unwrap_or("").trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text.get(start..).unwrap_or("").trim();
    if !last.is_empty() || !found.is_empty() {
        found.push(last);
    }
    found
}

/// Removes the operand-cache hints, which have no effect on values.
#[must_use]
pub fn without_reuse(text: &str) -> String {
    text.replace(".reuse", "")
}

impl SassSource {
    #[must_use]
    pub const fn register(register: LaneRegister) -> Self {
        Self {
            place: SourcePlace::Register(register),
            ..Self::ZERO
        }
    }

    /// A pair of registers.
    #[must_use]
    pub const fn pair(register: LaneRegister) -> Self {
        Self {
            kind: Kind::Wide,
            ..Self::register(register)
        }
    }

    #[must_use]
    pub const fn number(bits: u64) -> Self {
        Self {
            place: SourcePlace::Number(bits),
            ..Self::ZERO
        }
    }

    /// The same of a number of bytes in the constant bank.
    #[must_use]
    pub(super) const fn narrowed(self, bytes: u8) -> Self {
        Self { bytes, ..self }
    }

    /// The constant a number of bytes behind it.
    #[must_use]
    pub(super) const fn behind(self, bytes: u32) -> Self {
        let place = match self.place {
            SourcePlace::Constant(bank, offset, register) => {
                SourcePlace::Constant(bank, offset.wrapping_add(bytes), register)
            }
            place => place,
        };
        Self { place, ..self }
    }

    /// With all bits inverted.
    #[must_use]
    pub const fn inverted(self) -> Self {
        Self {
            inverted: true,
            ..self
        }
    }
}

impl LaneRegister {
    /// Whether as many registers exist from it on.
    #[must_use]
    pub const fn exists(self, count: u16) -> bool {
        let end = if self.0 < FIRST_UNIFORM {
            255
        } else {
            FIRST_UNIFORM + UNIFORM_REGISTERS - 1
        };
        self.0 + count <= end
    }
}

/// A condition of the condition code, such as `CC.NEU`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeCondition {
    zero: bool,
    sign: bool,
    inverted: bool,
}

impl CodeCondition {
    /// Reads `CC.NEU`.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let (zero, sign, inverted) = match text.strip_prefix("CC.")? {
            "T" => (false, false, true),
            "F" => (false, false, false),
            "EQ" | "EQU" => (true, false, false),
            "NE" | "NEU" => (true, false, true),
            "LT" | "LTU" => (false, true, false),
            "GE" | "GEU" => (false, true, true),
            "LE" | "LEU" => (true, true, false),
            "GT" | "GTU" => (true, true, true),
            _ => return None,
        };
        Some(Self {
            zero,
            sign,
            inverted,
        })
    }

    /// The lanes in which it holds.
    #[must_use]
    pub fn bits(self, machine: &Machine, thread: u8) -> u32 {
        let [_, _, zero, sign, _] = CONDITION_CODE;
        let word = |address, is_wanted| match is_wanted {
            true => machine.flag_word(SpaceId::flags(thread), address),
            false => 0,
        };
        let bits = word(zero, self.zero) | word(sign, self.sign);
        if self.inverted { !bits } else { bits }
    }
}

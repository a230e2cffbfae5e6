//! Evaluation of the arithmetic rows of the table, for one lane.

use super::Expression;
use super::words::{NumberType, SassModifiers, Word};
use crate::diagnostic::to_usize;
use crate::isa::sass::warp::WINDOW_BYTES;
use crate::number::{
    ElementType, FloatFormat, OddDouble, Real, Rounding, from_f64, low_mask, low_qword,
    sign_extend, to_f64,
};

/// All ones in 32 bits.
pub const ALL: u64 = 0xffff_ffff;

/// NaN results of 32-bit floats.
pub(super) const NAN: u64 = 0x7fff_ffff;

/// NaN results of 16-bit floats.
pub(super) const NAN_HALF: u64 = 0x7fff;

/// NaN results of 8-bit floats.
const NAN_BYTE: u64 = 0x7f;

/// The condition code of old chips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConditionCode {
    /// Carry: 0 to 2.
    pub carry: u64,
    /// The result is zero.
    pub zero: bool,
    /// The result is negative.
    pub sign: bool,
    /// The signed sum exceeds the range.
    pub overflow: bool,
}

/// Operands of a lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneInput {
    /// Sources after their modifiers.
    pub sources: [u64; 4],
    /// Which sources are negated.
    pub negated: [bool; 4],
    /// Predicate sources.
    pub predicates: [bool; 3],
    /// The condition code.
    pub code: ConditionCode,
    /// Start of the window of shared memory.
    pub shared_window: u64,
}

/// Results of a lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneOutput {
    /// The destination.
    pub value: u64,
    /// Predicate destinations.
    pub predicates: [bool; 2],
    /// The condition code.
    pub code: ConditionCode,
}

impl LaneOutput {
    /// A value without predicates.
    #[must_use]
    pub const fn value(value: u64) -> Self {
        Self {
            value,
            predicates: [false; 2],
            code: ConditionCode {
                carry: 0,
                zero: value & ALL == 0,
                sign: value >> 31 & 1 == 1,
                overflow: false,
            },
        }
    }

    /// Two predicates.
    #[must_use]
    pub const fn predicates(first: bool, second: bool) -> Self {
        Self {
            predicates: [first, second],
            ..Self::value(0)
        }
    }
}

/// The signed number of 32 bits.
fn signed(bits: u64) -> i64 {
    sign_extend(bits & ALL, 32)
}

/// A source as a number of 32 bits: signed unless `.U32`.
fn number(m: &SassModifiers, bits: u64) -> i64 {
    field(bits, 32, !m.has(Word::U32))
}

/// The number in the lowest `size` bits.
fn field(bits: u64, size: u32, is_signed: bool) -> i64 {
    let bits = bits & low_mask(size);
    match is_signed {
        true => sign_extend(bits, size),
        false => bits.cast_signed(),
    }
}

fn low(bits: u64) -> u32 {
    u32::try_from(bits & ALL).expect("32 bits")
}

fn flag(value: bool) -> u64 {
    u64::from(value)
}

fn all_bits(value: bool) -> u64 {
    if value { ALL } else { 0 }
}

/// Sum of two or three sources with their flags. `x` is the old condition code under `.X`.
fn added(m: &SassModifiers, terms: &[u64], before: ConditionCode) -> LaneOutput {
    let carry = if m.has(Word::X) { before.carry } else { 0 };
    let sum = terms.iter().sum::<u64>() + carry;
    let value = sum & ALL;
    let mut out = LaneOutput::value(value);
    out.code.carry = sum >> 32;
    out.code.zero = value == 0 && (!m.has(Word::X) || before.zero);
    let exact: i64 = terms.iter().map(|term| signed(*term)).sum();
    out.code.overflow = i32::try_from(exact).is_err();
    out
}

/// Combines two sources in parts of `bits` bits each.
fn by_parts(bits: u32, a: u64, b: u64, combine: impl Fn(u64, u64) -> u64) -> LaneOutput {
    let shifts = (0..32).step_by(to_usize(bits));
    let parts = shifts.map(|shift| {
        let part = |source: u64| source >> shift & low_mask(bits);
        (combine(part(a), part(b)) & low_mask(bits)) << shift
    });
    LaneOutput::value(parts.fold(0, |all, part| all | part))
}

/// `VIADD`: each part is negated on its own.
pub fn add_in_parts(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let ty = part_type(m);
    let [a, b, _, _] = unnegated(x).sources;
    let signed = |part, place: usize| match x.negated[place] {
        true => -ty.value(part),
        false => ty.value(part),
    };
    by_parts(ty.bits, a, b, |a, b| {
        let sum = signed(a, 0) + signed(b, 1);
        match m.has(Word::Isat) {
            true => clamped(sum, ty),
            false => low_qword(sum),
        }
    })
}

/// `IADD`.
pub fn add2(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let mut out = added(m, &[x.sources[0], x.sources[1]], x.code);
    // The negated smallest number exceeds the range.
    let exact = |place: usize| match x.negated[place] {
        true => -signed((ALL + 1).wrapping_sub(x.sources[place])),
        false => signed(x.sources[place]),
    };
    let carry = i64::from(m.has(Word::X) && x.code.carry > 0);
    let exact = exact(0) + exact(1) + carry;
    out.code.overflow = i32::try_from(exact).is_err();
    if m.has(Word::Sat) && out.code.overflow {
        out.value = if exact < 0 { 0x8000_0000 } else { 0x7fff_ffff };
    }
    out
}

/// `IADD3` of old chips.
pub fn add3_old(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let pair = a + b;
    match (m.has(Word::Rs), m.has(Word::Ls)) {
        // The sum has 33 bits, and the shift is logical (observed).
        (true, _) => added(m, &[(pair & low_mask(33)) >> 16, c], x.code),
        (_, true) => added(m, &[pair << 16 & ALL, c], x.code),
        _ => added(m, &[a, b, c], x.code),
    }
}

/// `IADD` and `IADD3` from SM70: carries are predicates.
pub fn add_with_carries(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let bits = if m.has(Word::B64) { 64 } else { 32 };
    // A negated zero of 64 bits has lost the carry.
    let term = |place: usize| match x.negated[place] && x.sources[place] == 0 {
        true => 1 << bits,
        false => u128::from(x.sources[place]),
    };
    let carries = match m.has(Word::X) {
        true => flag(x.predicates[0]) + flag(x.predicates[1]),
        false => 0,
    };
    let sum = term(0) + term(1) + term(2) + u128::from(carries);
    LaneOutput {
        value: low_qword(sum.cast_signed()) & low_mask(bits),
        predicates: [sum >> bits >= 1, sum >> bits >= 2],
        ..LaneOutput::default()
    }
}

/// `ISCADD`, and `LEA` without `.HI`.
pub fn scaled_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, n, _] = x.sources;
    let scaled = |a: u64| (a & ALL) << (n & 31) & ALL;
    // The scaled number is negated, so that the sum shows its carry.
    let a = match x.negated[0] {
        true => ALL + 1 - scaled(a.wrapping_neg()),
        false => scaled(a),
    };
    let mut out = added(m, &[a, b], x.code);
    out.predicates[0] = out.code.carry > 0;
    out
}

/// `LEA.HI`.
pub fn scaled_high(m: &SassModifiers, x: &LaneInput, is_old: bool) -> LaneOutput {
    let [a, b, mut c, mut n] = x.sources;
    if m.has(Word::Sx32) {
        n = c;
        c = all_bits(a >> 31 & 1 == 1);
    }
    let wide = (c & ALL) << 32 | a & ALL;
    let high = (wide << (n & 31)) >> 32;
    if is_old {
        let mut out = added(m, &[high, b], x.code);
        // The predicate is false if the address is in the window of shared memory (assumed). Compilers
        // test addresses without an addend, so the lower word is that of a.
        let address = out.value << 32 | wide << (n & 31) & ALL;
        out.predicates[0] = address & !(WINDOW_BYTES - 1) != x.shared_window;
        return out;
    }
    let carry = flag(m.has(Word::X) && x.predicates[0]);
    let sum = high + b + carry;
    LaneOutput {
        value: sum & ALL,
        predicates: [sum >> 32 > 0, false],
        ..LaneOutput::default()
    }
}

/// `IMAD` and `IMUL`.
pub fn multiply_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let c = x.sources[2];
    let [a, b] = typed_sources(m, x);
    let product = i128::from(a) * i128::from(b);
    // The sum of 64-bit numbers and its carry, in two's complement.
    let product = u128::from(low_qword(product));
    let carry = u128::from(m.has(Word::X) && x.predicates[0]);
    let is_wide = m.has(Word::Wide) || m.has(Word::Hi);
    let c = if is_wide { c } else { c & ALL };
    let sum = product + u128::from(c) + carry;
    let bits = low_qword(sum.cast_signed());
    let value = match (m.has(Word::Wide), m.has(Word::Hi)) {
        (true, _) => bits,
        (_, true) => bits >> 32,
        _ => bits & ALL,
    };
    LaneOutput {
        predicates: [sum >> 64 > 0, false],
        ..LaneOutput::value(value)
    }
}

/// `IMAD` to SM62: the addend has 32 bits.
pub fn multiply_add_words(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let c = x.sources[2] & ALL;
    let [a, b] = typed_sources(m, x);
    let product = low_qword(i128::from(a) * i128::from(b));
    let word = product >> if m.has(Word::Hi) { 32 } else { 0 } & ALL;
    let mut out = added(m, &[word, c], x.code);
    if m.has(Word::Sat) {
        out.value = clamped((signed(word) + signed(c)).into(), NumberType::S32) & ALL;
    }
    out
}

/// `XMAD`.
pub fn multiply_halves(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let half = |bits: u64| bits >> (16 * (bits >> 32)) & 0xffff;
    let other = |bits: u64| bits >> (16 - 16 * (bits >> 32)) & 0xffff;
    let (half_a, half_b) = (half(a), half(b));
    let is_signed = |place: usize| m.types[place].is_some_and(|ty| ty.signed);
    let product = field(half_a, 16, is_signed(0)) * field(half_b, 16, is_signed(1));
    let product = product.cast_unsigned() & ALL;
    let product = if m.has(Word::Psl) {
        product << 16 & ALL
    } else {
        product
    };
    let mut addend = match (m.has(Word::Clo), m.has(Word::Chi)) {
        (true, _) => c & 0xffff,
        (_, true) => c >> 16 & 0xffff,
        _ => c & ALL,
    };
    if m.has(Word::Cbcc) {
        addend = (addend + ((b & ALL) << 16)) & ALL;
    }
    if m.has(Word::Csfu) {
        // Assumed: the correction of a signed high product.
        let fix = |own: u64, of_other: u64| flag(own >> 15 == 1 && of_other != 0) << 16;
        let fixes = fix(half_a, other(b)) + fix(half_b, other(a));
        addend = addend.wrapping_sub(fixes) & ALL;
    }
    let mut out = added(m, &[product, addend], x.code);
    if m.has(Word::Mrg) {
        out.value = out.value & 0xffff | (b & 0xffff) << 16;
    }
    out
}

/// Sources a and b by their types, signed unless a word names another; one type is that of both.
fn typed_sources(m: &SassModifiers, x: &LaneInput) -> [i64; 2] {
    let first = m.types[0].unwrap_or(NumberType::S32);
    let types = [first, m.types[1].unwrap_or(first)];
    [0, 1].map(|place| field(x.sources[place], types[place].bits, types[place].signed))
}

/// Result of a video instruction: `.SAT` clamps to the type of the destination, or of the part
/// of c that it replaces; otherwise c is added, or is a minimum or maximum.
fn video_result(m: &SassModifiers, value: i64, ty: NumberType, c: u64) -> LaneOutput {
    let parts = [
        (Word::Mrg16h, 16, 16),
        (Word::Mrg16l, 16, 0),
        (Word::Mrg8b0, 8, 0),
        (Word::Mrg8b2, 8, 16),
    ];
    let part = parts.into_iter().find(|(word, ..)| m.has(*word));
    let bits = part.map_or(ty.bits, |(_, bits, _)| bits);
    let value = match m.has(Word::Sat) {
        true => clamped(value.into(), NumberType { bits, ..ty }),
        false => value.cast_unsigned(),
    };
    if let Some((_, bits, first)) = part {
        let mask = low_mask(bits) << first;
        return LaneOutput::value((c & !mask | value << first & mask) & ALL);
    }
    let [value, c] = [value, c].map(|bits| field(bits, 32, ty.signed));
    let result = match (m.has(Word::Min), m.has(Word::Max)) {
        (true, _) => value.min(c),
        (_, true) => value.max(c),
        _ => value + c,
    };
    LaneOutput::value(result.cast_unsigned() & ALL)
}

/// `VABSDIFF`.
pub fn distance(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b] = typed_sources(m, x);
    let ty = match m.has(Word::Sd) {
        true => NumberType::S32,
        false => NumberType::U32,
    };
    let distance = a.abs_diff(b).cast_signed();
    video_result(m, distance, ty, x.sources[2])
}

/// `VMNMX`.
pub fn video_minimum(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b] = typed_sources(m, x);
    let value = if m.has(Word::Mx) { a.max(b) } else { a.min(b) };
    video_result(m, value, video_type(m), x.sources[2])
}

/// The sources before their negation.
fn unnegated(x: &LaneInput) -> LaneInput {
    let negated = x.negated;
    let source = |place: usize| match negated[place] {
        true => x.sources[place].wrapping_neg() & ALL,
        false => x.sources[place],
    };
    LaneInput {
        sources: core::array::from_fn(source),
        ..*x
    }
}

/// Type of the results of the video instructions.
fn video_type(m: &SassModifiers) -> NumberType {
    match m.has(Word::Ud) {
        true => NumberType::U32,
        false => NumberType::S32,
    }
}

/// `VADD`.
pub fn video_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b] = typed_sources(m, &unnegated(x));
    let signed = |value: i64, place: usize| if x.negated[place] { -value } else { value };
    video_result(m, signed(a, 0) + signed(b, 1), video_type(m), x.sources[2])
}

/// `VMAD`: the sum is signed unless all of its parts are unsigned.
pub fn video_multiply_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let plain = unnegated(x);
    let [a, b] = typed_sources(m, &plain);
    let has_sign = m.types.iter().flatten().any(|ty| ty.signed);
    let is_signed = has_sign || x.negated.contains(&true);
    let ty = NumberType {
        signed: is_signed,
        ..NumberType::U32
    };
    let negated = |value: i128, place: usize| if x.negated[place] { -value } else { value };
    let product = negated(i128::from(a) * i128::from(b), 0);
    let sum = product + negated(ty.value(plain.sources[2]), 2) + i128::from(m.has(Word::Po));
    let scale = match (m.has(Word::Shr7), m.has(Word::Shr15)) {
        (true, _) => 7,
        (_, true) => 15,
        _ => 0,
    };
    LaneOutput::value(match m.has(Word::Sat) {
        true => clamped(sum >> scale, ty) & ALL,
        false => low_qword(sum >> scale) & ALL,
    })
}

/// `VSHL` and `VSHR`.
pub fn video_shift(m: &SassModifiers, x: &LaneInput, is_left: bool) -> LaneOutput {
    let first = m.types[0].unwrap_or(NumberType::S32);
    let size = m.types[1].map_or(32, |ty| ty.bits);
    let a = field(x.sources[0], first.bits, first.signed);
    let n = count(m, x.sources[1] & low_mask(size), 32);
    // At most 32 bits are shifted by at most 32. Of 2^63, only `.SAT` takes more than the low bits.
    let value = match is_left {
        true if m.has(Word::Sat) => i64::try_from(i128::from(a) << n).unwrap_or(i64::MAX),
        true => a << n,
        false => a >> n,
    };
    video_result(m, value, video_type(m), x.sources[2])
}

fn videos_compare(m: &SassModifiers, x: &LaneInput) -> bool {
    let [a, b] = typed_sources(m, x);
    m.comparison.holds(Some(a.cmp(&b)))
}

/// `VSET`.
pub fn video_compare_in_register(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let value = i64::from(videos_compare(m, x));
    video_result(m, value, NumberType::U32, x.sources[2])
}

/// `VSETP`.
pub fn video_compare(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    compared(m, x, videos_compare(m, x))
}

/// `VABSDIFF4`.
pub fn distance_of_bytes(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let first = m.types[0].unwrap_or(NumberType::S8);
    let types = [first, m.types[1].unwrap_or(first)];
    let distance = |a, b| low_qword((types[0].value(a) - types[1].value(b)).abs());
    if !m.has(Word::Acc) {
        return by_parts(8, a, b, distance);
    }
    let distances = (0..32).step_by(8).map(|at| distance(a >> at, b >> at));
    LaneOutput::value((distances.sum::<u64>() + c) & ALL)
}

/// `IDP`.
pub fn dot_product(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let part = |place: usize, source: u64, bits: u32, index: u32| {
        let is_signed = m.types[place].is_some_and(|ty| ty.signed);
        field(source >> (bits * index), bits, is_signed)
    };
    let (count, bits_a) = if m.has(Word::FourA) { (4, 8) } else { (2, 16) };
    let first = if m.has(Word::Hi) { 2 } else { 0 };
    let products = (0..count).map(|index| part(0, a, bits_a, index) * part(1, b, 8, first + index));
    let sum = products.sum::<i64>().wrapping_add(c.cast_signed());
    LaneOutput::value(sum.cast_unsigned() & ALL)
}

fn chosen(m: &SassModifiers, is_first: bool, a: u64, b: u64) -> LaneOutput {
    let mask = if m.is_long() { u64::MAX } else { ALL };
    LaneOutput::value(if is_first { a } else { b } & mask)
}

fn picked(m: &SassModifiers, a: u64, b: u64, minimum: bool) -> LaneOutput {
    let ty = m.types[0].unwrap_or(NumberType::S32);
    chosen(m, (ty.value(a) < ty.value(b)) == minimum, a, b)
}

/// `IMNMX`.
pub fn minimum(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, _, _] = x.sources;
    let minimum = x.predicates[0];
    if m.has(Word::Xhi) {
        // The carry remembers whether a is picked, the zero flag whether both are equal.
        let mut out = picked(m, a, b, minimum);
        out.code.zero = a & ALL == b & ALL;
        out.code.carry = flag((number(m, a) < number(m, b)) == minimum);
        return out;
    }
    if m.has(Word::Xlo) && !x.code.zero {
        return chosen(m, x.code.carry > 0, a, b);
    }
    if m.has(Word::Xlo) {
        return chosen(m, (a & ALL < b & ALL) == minimum, a, b);
    }
    picked(m, a, b, minimum)
}

/// Bits of the numbers on which `VIMNMX` and its kin work: of one, or of each part of 32 bits.
const fn part_bits(m: &SassModifiers) -> u32 {
    match () {
        () if m.has(Word::S8Quads) || m.has(Word::U8Quads) => 8,
        () if m.has(Word::Pairs) || m.has(Word::S16Pairs) || m.has(Word::U16Pairs) => 16,
        () => 32,
    }
}

/// Type of these numbers: signed unless a word says that they are not.
const fn part_type(m: &SassModifiers) -> NumberType {
    let is_unsigned = m.has(Word::U32) || m.has(Word::U16Pairs) || m.has(Word::U8Quads);
    NumberType {
        bits: part_bits(m),
        signed: !is_unsigned,
        format: None,
    }
}

/// The minimum of numbers, or the maximum, in parts.
fn minimum_by_parts(m: &SassModifiers, x: &LaneInput, first: u64, others: &[u64]) -> LaneOutput {
    let ty = part_type(m);
    let number = |part| ty.value(part);
    let picked = others.iter().fold(first, |best, other| {
        let pick = |a, b| match (number(a) < number(b)) == x.predicates[0] {
            true => a,
            false => b,
        };
        by_parts(ty.bits, best, *other, pick).value
    });
    let clamp = |part, _| match m.has(Word::Relu) && number(part) < 0 {
        true => 0,
        false => part,
    };
    by_parts(ty.bits, picked, 0, clamp)
}

/// `VIMNMX` and `VIMNMX3`: of some sources.
pub fn minimum_in_parts(m: &SassModifiers, x: &LaneInput, count: usize) -> LaneOutput {
    minimum_by_parts(m, x, x.sources[0], &x.sources[1..count])
}

/// `VIADDMNMX`.
pub fn minimum_of_sum(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let sum = by_parts(part_bits(m), a, b, u64::wrapping_add).value;
    minimum_by_parts(m, x, sum, &[c])
}

/// `FLO`.
pub fn highest_bit(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let bits = low(x.sources[0]);
    let bits = if !m.has(Word::U32) && bits >> 31 == 1 {
        !bits
    } else {
        bits
    };
    LaneOutput::value(match bits.checked_ilog2() {
        None => ALL,
        Some(index) if m.has(Word::Sh) => u64::from(31 - index),
        Some(index) => index.into(),
    })
}

/// `SGXT`.
pub fn extend(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, n, _, _] = x.sources;
    let n = count(m, n, 32);
    let bits = a & low_mask(n);
    LaneOutput::value(match (m.has(Word::U32), n) {
        (_, 0) => 0,
        (true, _) => bits,
        (false, _) => sign_extend(bits, n).cast_unsigned() & ALL,
    })
}

/// `BMSK`.
pub fn mask(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [position, width, _, _] = x.sources;
    LaneOutput::value(low_mask(count(m, width, 32)) << count(m, position, 32) & ALL)
}

/// `LOP`.
pub fn logic(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, _, _] = x.sources;
    let value = match (m.has(Word::And), m.has(Word::Or), m.has(Word::Xor)) {
        (true, ..) => a & b,
        (_, true, _) => a | b,
        (.., true) => a ^ b,
        _ => b,
    } & ALL;
    // Under `.X`, the word before has to be zero, too.
    let is_zero = value == 0 && (!m.has(Word::X) || x.code.zero);
    let predicate = match (m.has(Word::Z), m.has(Word::T)) {
        (true, _) => is_zero,
        (_, true) => true,
        _ => !is_zero,
    };
    let mut out = LaneOutput::value(value);
    out.code.zero = is_zero;
    out.predicates[0] = predicate;
    out
}

/// The function of three bits with a table.
fn looked_up(a: u64, b: u64, c: u64, table: u64) -> u64 {
    let terms = (0..8_u32).filter(|index| table >> index & 1 == 1);
    let terms = terms.map(|index| {
        let part = |bits: u64, set: bool| if set { bits } else { !bits };
        part(a, index & 4 != 0) & part(b, index & 2 != 0) & part(c, index & 1 != 0)
    });
    terms.fold(0, |all, term| all | term) & ALL
}

/// `LOP3`.
pub fn logic3(_: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, table] = x.sources;
    let value = looked_up(a, b, c, table);
    LaneOutput {
        predicates: [value != 0 || x.predicates[0], false],
        ..LaneOutput::value(value)
    }
}

/// `PLOP3`.
pub fn predicate_logic3(_: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [p, q, r] = x.predicates.map(all_bits);
    let bit = |table| looked_up(p, q, r, table) & 1 == 1;
    LaneOutput::predicates(bit(x.sources[0]), bit(x.sources[1]))
}

/// `PSETP`.
pub fn predicate_logic(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [p, q, r] = x.predicates;
    let result = |p| m.logic[1].of(m.logic[0].of(p, q), r);
    LaneOutput::predicates(result(p), result(!p))
}

/// `CSETP`.
pub fn compare_code(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    use core::cmp::Ordering::{Equal, Greater, Less};
    let order = match (x.code.zero, x.code.sign) {
        (true, _) => Equal,
        (_, true) => Less,
        _ => Greater,
    };
    let holds = match (m.has(Word::Sft), m.has(Word::Sff)) {
        (true, _) => x.code.sign,
        (_, true) => !x.code.sign,
        _ => m.comparison.holds(Some(order)),
    };
    compared(m, x, holds)
}

/// The first predicate of an operation in a register: all ones, or 1.0 with `.BF`.
pub fn in_register(m: &SassModifiers, x: &LaneInput, operation: Expression) -> LaneOutput {
    let [value, _] = operation(m, x).predicates;
    LaneOutput::value(match (value, m.has(Word::Bf)) {
        (false, _) => 0,
        (true, false) => ALL,
        (true, true) => 0x3f80_0000,
    })
}

/// A number of bits, clamped or with `.W` wrapped.
fn count(m: &SassModifiers, n: u64, size: u64) -> u32 {
    low(if m.has(Word::W) {
        n & (size - 1)
    } else {
        (n & ALL).min(size)
    })
}

/// `SHL`.
pub fn shift_left(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    LaneOutput::value((x.sources[0] & ALL) << count(m, x.sources[1], 32) & ALL)
}

/// `SHR`.
pub fn shift_right(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let shifted = number(m, x.sources[0]) >> count(m, x.sources[1], 32);
    LaneOutput::value(shifted.cast_unsigned() & ALL)
}

/// `SHF`.
pub fn funnel(m: &SassModifiers, x: &LaneInput, is_old: bool) -> LaneOutput {
    let [a, n, c, _] = x.sources;
    let wide = (c & ALL) << 32 | a & ALL;
    let is_64 = m.has(Word::U64) || m.has(Word::S64);
    let n = count(m, n, if is_64 { 64 } else { 32 });
    let is_signed = m.has(Word::S64) || m.has(Word::S32);
    let left = m.has(Word::L);
    let number = match is_signed && !left {
        true => i128::from(wide.cast_signed()),
        false => i128::from(wide),
    };
    let bits = low_qword(if left { number << n } else { number >> n });
    let is_high = if is_old { left } else { m.has(Word::Hi) };
    LaneOutput::value(if is_high { bits >> 32 } else { bits & ALL })
}

/// `BFE`.
pub fn extract(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, _, _] = x.sources;
    let a = if m.has(Word::Brev) {
        low(a).reverse_bits().into()
    } else {
        a & ALL
    };
    let (position, length) = (b & 0xff, (b >> 8 & 0xff).min(32));
    if length == 0 {
        return LaneOutput::value(0);
    }
    let top = (position + length - 1).min(31);
    let bits = (number(m, a) >> position.min(63)).cast_unsigned();
    let bits = bits & low_mask(low(length));
    let is_negative = !m.has(Word::U32) && a >> top & 1 == 1;
    LaneOutput::value(match is_negative {
        true => (bits | !low_mask(low(length))) & ALL,
        false => bits & ALL,
    })
}

/// `BFI`.
pub fn insert(_: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let (position, length) = (b & 0xff, (b >> 8 & 0xff).min(32));
    let mask = match position {
        0..32 => low_mask(low(length)) << position & ALL,
        _ => 0,
    };
    LaneOutput::value(c & ALL & !mask | (a & ALL) << position.min(32) & mask)
}

/// `PRMT`.
pub fn permute(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, selector, c, _] = x.sources;
    let bytes = (c & ALL) << 32 | a & ALL;
    let byte = |index: u64| bytes >> (8 * (index & 7)) & 0xff;
    let first = selector & 3;
    let picks: [u64; 4] = match m.words {
        words if words.has(Word::F4e) => [0, 1, 2, 3].map(|i| byte(first + i)),
        words if words.has(Word::B4e) => [8, 7, 6, 5].map(|i| byte(first + i)),
        words if words.has(Word::Rc8) => [0; 4].map(|_| byte(first)),
        words if words.has(Word::Ecl) => [0, 1, 2, 3].map(|i: u64| byte(i.max(first))),
        words if words.has(Word::Ecr) => [0, 1, 2, 3].map(|i: u64| byte(i.min(first))),
        words if words.has(Word::Rc16) => [0, 1, 0, 1].map(|i| byte((selector & 1) * 2 + i)),
        _ => [0, 4, 8, 12].map(|shift| {
            let pick = selector >> shift & 15;
            match pick >> 3 {
                0 => byte(pick),
                _ => (byte(pick) >> 7) * 0xff,
            }
        }),
    };
    let value = picks.iter().rev().fold(0, |value, byte| value << 8 | byte);
    LaneOutput::value(value)
}

/// `SEL`.
pub fn select(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, _, _] = x.sources;
    chosen(m, x.predicates[0], a, b)
}

/// `ICMP`.
pub fn select_by_number(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    chosen(m, m.comparison.holds(Some(number(m, c).cmp(&0))), a, b)
}

fn integers_compare(m: &SassModifiers, x: &LaneInput) -> bool {
    let ty = m.types[0].unwrap_or(NumberType::S32);
    let [a, b, _, _] = x.sources.map(|bits| ty.value(bits));
    let order = a.cmp(&b);
    if m.has(Word::Ex) {
        // The low words were compared before; they decide if the high words are equal.
        return match order {
            core::cmp::Ordering::Equal => x.predicates[1],
            _ => m.comparison.holds(Some(order)),
        };
    }
    if m.has(Word::X) {
        let borrow = 1 - i128::from(x.code.carry.min(1));
        let order = match a - b - borrow {
            difference if difference & 0xffff_ffff == 0 && x.code.zero => {
                core::cmp::Ordering::Equal
            }
            ..0 => core::cmp::Ordering::Less,
            _ => core::cmp::Ordering::Greater,
        };
        return m.comparison.holds(Some(order));
    }
    m.comparison.holds(Some(order))
}

fn compared(m: &SassModifiers, x: &LaneInput, holds: bool) -> LaneOutput {
    let result = |holds| m.logic[0].of(holds, x.predicates[0]);
    LaneOutput::predicates(result(holds), result(!holds))
}

/// `ISETP`.
pub fn compare(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    compared(m, x, integers_compare(m, x))
}

// Floats.

fn is_nan(bits: u64) -> bool {
    bits & 0x7fff_ffff > 0x7f80_0000
}

/// A source with `.FTZ`: subnormal numbers are zeros of the same sign.
fn flushed(m: &SassModifiers, bits: u64) -> u64 {
    match m.has(Word::Ftz) && bits & 0x7f80_0000 == 0 {
        true => bits & 0x8000_0000,
        false => bits & ALL,
    }
}

/// A result of 32 bits after `.FTZ` and `.SAT`.
fn finished(m: &SassModifiers, bits: u64) -> LaneOutput {
    let mut bits = if is_nan(bits) { NAN } else { flushed(m, bits) };
    if m.has(Word::Sat) {
        let value = to_f64(bits, ElementType::F);
        let is_positive = value > 0.0;
        bits = match (is_positive, value > 1.0) {
            (false, _) => 0,
            (true, true) => 0x3f80_0000,
            (true, false) => bits,
        };
    }
    LaneOutput::value(bits)
}

/// Rounds an expression of 32-bit floats once.
fn rounded(
    m: &SassModifiers,
    x: &LaneInput,
    fast: impl Fn([OddDouble; 3]) -> OddDouble,
    exact: impl Fn([Real; 3]) -> Real,
) -> LaneOutput {
    let [a, b, c, _] = x.sources.map(|bits| flushed(m, bits));
    let sources = [a, b, c];
    let bits = match m.rounding() {
        Rounding::NearestEven => {
            fast(sources.map(|bits| OddDouble::from_bits(bits, ElementType::F)))
                .to_bits(ElementType::F)
        }
        rounding => exact(sources.map(|bits| Real::from_bits(bits, FloatFormat::F32)))
            .to_bits(FloatFormat::F32, rounding),
    };
    finished(m, bits)
}

/// `FADD`.
pub fn float_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    rounded(m, x, |[a, b, _]| a + b, |[a, b, _]| a + b)
}

/// `FMUL`.
pub fn float_multiply(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    rounded(m, x, |[a, b, _]| a * b, |[a, b, _]| a * b)
}

/// `FFMA`.
pub fn float_multiply_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    rounded(
        m,
        x,
        |[a, b, c]| a.mul_add(b, c),
        |[a, b, c]| a.mul_add(b, c),
    )
}

/// A key that orders floats, with −0 before +0.
fn order_key(bits: u64, size: u32) -> i64 {
    let sign = 1 << (size - 1);
    let magnitude = i64::try_from(bits & (sign - 1)).expect("63 bits");
    if bits & sign == 0 {
        magnitude
    } else {
        -1 - magnitude
    }
}

/// The smaller or greater of two floats; of a number and a NaN, the number.
fn float_picked(a: u64, b: u64, ty: ElementType, is_minimum: bool) -> u64 {
    let is_nan = |bits| to_f64(bits, ty).is_nan();
    match (is_nan(a), is_nan(b)) {
        (true, _) => b,
        (false, true) => a,
        _ if (order_key(a, ty.bits()) < order_key(b, ty.bits())) == is_minimum => a,
        _ => b,
    }
}

/// The minimum or maximum of floats; `nan` is the result if it is not a number.
pub(super) fn float_minimum_of(
    m: &SassModifiers,
    mut sources: [u64; 2],
    ty: ElementType,
    nan: u64,
    is_minimum: bool,
) -> u64 {
    let sign_bit = 1 << (ty.bits() - 1);
    let mut sign = 0;
    if m.has(Word::Xorsign) {
        sign = (sources[0] ^ sources[1]) & sign_bit;
        sources = sources.map(|bits| bits & !sign_bit);
    }
    let [a, b] = sources;
    match sources.map(|bits| to_f64(bits, ty).is_nan()) {
        [true, true] => nan,
        [true, _] | [_, true] if m.has(Word::Nan) => nan,
        _ => float_picked(a, b, ty, is_minimum) | sign,
    }
}

/// `FMNMX`.
pub fn float_minimum(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let sources = [0, 1].map(|place| flushed(m, x.sources[place]));
    let value = float_minimum_of(m, sources, ElementType::F, NAN, x.predicates[0]);
    LaneOutput::value(value)
}

/// `FMNMX3`.
pub fn float_minimum_of_three(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources.map(|bits| flushed(m, bits));
    let minimum = |a, b| float_minimum_of(m, [a, b], ElementType::F, NAN, x.predicates[0]);
    LaneOutput::value(minimum(minimum(a, b), c))
}

/// An operation on each of two floats.
pub fn pair_of_floats(m: &SassModifiers, x: &LaneInput, operation: Expression) -> LaneOutput {
    let half = |shift: u32| {
        let input = LaneInput {
            sources: x.sources.map(|bits| bits >> shift & ALL),
            ..*x
        };
        operation(m, &input).value << shift
    };
    LaneOutput::value(half(0) | half(32))
}

/// `DMNMX`.
pub fn double_minimum(_: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, _, _] = x.sources;
    LaneOutput::value(
        match [a, b].iter().all(|bits| f64::from_bits(*bits).is_nan()) {
            true => f64::NAN.to_bits(),
            false => float_picked(a, b, ElementType::Df, x.predicates[0]),
        },
    )
}

fn floats_compare(m: &SassModifiers, a: u64, b: u64) -> bool {
    let value = |bits| to_f64(flushed(m, bits), ElementType::F);
    m.comparison.holds(value(a).partial_cmp(&value(b)))
}

/// `FSETP`.
pub fn float_compare(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    compared(m, x, floats_compare(m, x.sources[0], x.sources[1]))
}

/// `FCMP`.
pub fn select_by_float(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let holds = match m.compares {
        true => floats_compare(m, c, 0),
        // Without a comparison it is GT (observed).
        false => to_f64(flushed(m, c), ElementType::F) > 0.0,
    };
    chosen(m, holds, a, b)
}

/// `DSETP`.
pub fn double_compare(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, _, _] = x.sources.map(f64::from_bits);
    if m.has(Word::Min) || m.has(Word::Max) {
        let a_wins = match m.has(Word::Min) {
            true => a < b,
            false => a > b,
        };
        // The second predicate is set if the result is NaN, which the code then quiets.
        let is_nan = a.is_nan() && b.is_nan();
        return LaneOutput::predicates(a_wins || b.is_nan() && !is_nan, is_nan);
    }
    compared(m, x, m.comparison.holds(a.partial_cmp(&b)))
}

/// Rounds an expression of doubles once.
fn double(m: &SassModifiers, x: &LaneInput, f: impl Fn([Real; 3]) -> Real) -> LaneOutput {
    let [a, b, c, _] = x
        .sources
        .map(|bits| Real::from_bits(bits, FloatFormat::F64));
    LaneOutput::value(f([a, b, c]).to_bits(FloatFormat::F64, m.rounding()))
}

/// `DADD`.
pub fn double_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    double(m, x, |[a, b, _]| a + b)
}

/// `DMUL`.
pub fn double_multiply(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    double(m, x, |[a, b, _]| a * b)
}

/// `DFMA`.
pub fn double_multiply_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    double(m, x, |[a, b, c]| a.mul_add(b, c))
}

/// `MUFU`. The hardware differs from the correctly rounded value by 1 or 2 in the last
/// place (assumed).
pub fn special_function(m: &SassModifiers, x: &LaneInput, is_old: bool) -> LaneOutput {
    let bits = x.sources[0] & ALL;
    if m.has(Word::Rcp64h) || m.has(Word::Rsq64h) {
        let value = f64::from_bits(bits << 32);
        let seed = match m.has(Word::Rcp64h) {
            true => 1.0 / value,
            false => 1.0 / libm::sqrt(value),
        };
        return LaneOutput::value(seed.to_bits() >> 32);
    }
    // Subnormal sources count as zeros: compilers scale them before a reciprocal or logarithm
    // (assumed for the other functions).
    let is_half = m.has(Word::F16);
    let is_subnormal = bits & 0x7f80_0000 == 0;
    let value = match () {
        () if is_half => to_f64(flushed_half(m, bits), ElementType::Hf),
        () if is_subnormal => to_f64(bits & 0x8000_0000, ElementType::F),
        () => to_f64(bits, ElementType::F),
    };
    let words = m.words;
    // New chips take the angle in turns, old ones after the reduction of RRO.
    let angle = if is_old {
        value
    } else {
        value * core::f64::consts::TAU
    };
    let result = match words {
        _ if words.has(Word::Rcp) => 1.0 / value,
        _ if words.has(Word::Rsq) => 1.0 / libm::sqrt(value),
        _ if words.has(Word::Sqrt) => libm::sqrt(value),
        _ if words.has(Word::Ex2) => libm::exp2(value),
        _ if words.has(Word::Lg2) => libm::log2(value),
        _ if words.has(Word::Sin) => libm::sin(angle),
        _ if words.has(Word::Cos) => libm::cos(angle),
        _ => libm::tanh(value),
    };
    if is_half {
        let result = Real::from_bits(result.to_bits(), FloatFormat::F64);
        return float_result(m, result, NumberType::F16, Rounding::NearestEven);
    }
    finished(m, from_f64(result, ElementType::F))
}

/// `FCHK`: whether a quotient needs the slow path. True is always correct.
pub fn needs_slow_division(_: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let field = |bits: u64| (bits >> 23 & 0xff).cast_signed();
    let (a, b) = (field(x.sources[0]), field(x.sources[1]));
    let is_special = |field: i64| field == 0 || field == 255;
    let slow = is_special(a) || is_special(b) || (a - b).abs() >= 125 || b > 252 || a < 25;
    LaneOutput::predicates(slow, !slow)
}

/// The value of a float source by its type.
fn float_source(m: &SassModifiers, bits: u64, ty: NumberType) -> Real {
    let format = ty.format.unwrap_or(FloatFormat::F32);
    let bits = match format {
        FloatFormat::F32 => flushed(m, bits),
        _ => bits & low_mask(ty.bits),
    };
    Real::from_bits(bits, format)
}

fn float_result(m: &SassModifiers, value: Real, ty: NumberType, rounding: Rounding) -> LaneOutput {
    let format = ty.format.unwrap_or(FloatFormat::F32);
    match ty.bits {
        8 if value.is_nan() => LaneOutput::value(NAN_BYTE),
        16 if value.is_nan() => LaneOutput::value(NAN_HALF),
        8 | 16 if m.has(Word::Satfinite) => {
            let bits = value.to_bits(format, rounding);
            let magnitude = bits & !format.sign();
            LaneOutput::value(bits & format.sign() | magnitude.min(format.infinity() - 1))
        }
        32 => finished(m, value.to_bits(format, rounding)),
        _ => LaneOutput::value(value.to_bits(format, rounding)),
    }
}

/// `FRND`.
pub fn round(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let ty = m.types[0].unwrap_or(NumberType::F32);
    let value = float_source(m, x.sources[0], ty).integral(m.rounding());
    float_result(m, value, ty, Rounding::NearestEven)
}

/// `F2F`.
pub fn float_to_float(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let to = m.types[0].unwrap_or(NumberType::F32);
    let from = m.types[1].unwrap_or(NumberType::F32);
    let value = float_source(m, x.sources[0], from);
    let words = [Word::Round, Word::Floor, Word::Ceil, Word::Trunc];
    if words.into_iter().any(|word| m.has(word)) {
        return float_result(m, value.integral(m.rounding()), to, Rounding::NearestEven);
    }
    float_result(m, value, to, m.rounding())
}

/// A source of 64 bits as an integer of its type.
fn integer_source(bits: u64, ty: NumberType) -> i128 {
    match ty.bits {
        64 => ty.value(bits),
        _ => bits.cast_signed().into(),
    }
}

pub(super) fn clamped(value: i128, ty: NumberType) -> u64 {
    let size = ty.bits - u32::from(ty.signed);
    let most = i128::from(low_mask(size));
    let least = if ty.signed { -most - 1 } else { 0 };
    low_qword(value.clamp(least, most))
}

/// Type of the float and of the integer of a conversion.
fn conversion_types(m: &SassModifiers) -> (NumberType, NumberType) {
    let mut types = m.types.iter().flatten().copied();
    let float = types.clone().find(|ty| ty.format.is_some());
    let integer = types.find(|ty| ty.format.is_none());
    (
        float.unwrap_or(NumberType::F32),
        integer.unwrap_or(NumberType::S32),
    )
}

/// `I2F`.
pub fn integer_to_float(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let (float, integer) = conversion_types(m);
    let value = Real::from_integer(integer_source(x.sources[0], integer));
    float_result(m, value, float, m.rounding())
}

/// `F2I`.
pub fn float_to_integer(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let (float, integer) = conversion_types(m);
    let value = float_source(m, x.sources[0], float);
    if value.is_nan() {
        return LaneOutput::value(match (integer.bits, float.bits) {
            (64, _) => 1 << 63,
            (_, 64) => 0x8000_0000,
            _ => 0,
        });
    }
    let bits = clamped(value.integral(m.rounding()).to_integer(), integer);
    LaneOutput::value(if integer.bits == 64 { bits } else { bits & ALL })
}

/// `I2I`.
pub fn integer_to_integer(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let to = m.types[0].unwrap_or(NumberType::S32);
    let value = integer_source(x.sources[0], m.source_integer());
    let bits = match m.has(Word::Sat) {
        true => clamped(value, to),
        false => field(low_qword(value), to.bits, to.signed).cast_unsigned(),
    };
    LaneOutput::value(bits & ALL)
}

/// The halves of sources a, b and c at a bit.
fn half_sources(m: &SassModifiers, x: &LaneInput, shift: u32) -> [u64; 3] {
    let [a, b, c, _] = x
        .sources
        .map(|bits| flushed_half(m, bits >> shift & 0xffff));
    [a, b, c]
}

/// A half with `.FTZ`: subnormal numbers are zeros of the same sign.
fn flushed_half(m: &SassModifiers, bits: u64) -> u64 {
    let exponent = match m.half() {
        ElementType::Bf => 0x7f80,
        _ => 0x7c00,
    };
    match m.has(Word::Ftz) && bits & exponent == 0 {
        true => bits & 0x8000,
        false => bits,
    }
}

/// A result of 16 bits after `.FTZ`, `.SAT` and `.RELU`.
fn finished_half(m: &SassModifiers, value: OddDouble) -> u64 {
    if value.is_nan() {
        return if m.has(Word::Sat) { 0 } else { NAN_HALF };
    }
    let bits = flushed_half(m, value.to_bits(m.half()));
    let number = to_f64(bits, m.half());
    let is_clamped = m.has(Word::Sat) || m.has(Word::Relu);
    match (
        is_clamped && number <= 0.0,
        m.has(Word::Sat) && number > 1.0,
    ) {
        (true, _) => 0,
        (_, true) => from_f64(1.0, m.half()),
        _ => bits,
    }
}

/// An operation on both halves, each rounded once.
fn halves(m: &SassModifiers, x: &LaneInput, f: impl Fn([OddDouble; 3]) -> OddDouble) -> LaneOutput {
    let half = |shift| {
        let sources = half_sources(m, x, shift);
        finished_half(
            m,
            f(sources.map(|bits| OddDouble::from_bits(bits, m.half()))),
        )
    };
    // It is rounded before (assumed): compilers fuse a multiplication of halves and a conversion.
    if m.has(Word::F32) {
        return finished(m, from_f64(to_f64(half(0), m.half()), ElementType::F));
    }
    LaneOutput::value(half(0) | half(16) << 16)
}

/// `HMNMX2`.
pub fn halves_minimum(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let half = |shift| {
        let [a, b, _] = half_sources(m, x, shift);
        float_minimum_of(m, [a, b], m.half(), NAN_HALF, x.predicates[0])
    };
    LaneOutput::value(half(0) | half(16) << 16)
}

/// `HSETP2`.
pub fn halves_compare(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let holds = [0, 16].map(|shift| {
        let [a, b, _] = half_sources(m, x, shift).map(|bits| to_f64(bits, m.half()));
        m.comparison.holds(a.partial_cmp(&b))
    });
    if m.has(Word::HAnd) {
        return compared(m, x, holds == [true; 2]);
    }
    let [low, high] = holds.map(|holds| m.logic[0].of(holds, x.predicates[0]));
    LaneOutput::predicates(low, high)
}

/// `HSET2`.
pub fn halves_compare_in_register(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let one = match m.has(Word::Bf) {
        true => from_f64(1.0, m.half()),
        false => 0xffff,
    };
    let [low, high] = halves_compare(m, x)
        .predicates
        .map(|holds| if holds { one } else { 0 });
    LaneOutput::value(low | high << 16)
}

/// `HADD2`.
pub fn halves_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    halves(m, x, |[a, b, _]| a + b)
}

/// `HMUL2`.
pub fn halves_multiply(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    halves(m, x, |[a, b, _]| a * b)
}

/// `HFMA2`.
pub fn halves_multiply_add(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    halves(m, x, |[a, b, c]| a.mul_add(b, c))
}

/// `F2FP`: packed floats, rounded from the second type to the first.
pub fn pack(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let named = match m.has(Word::Bf16) {
        true => NumberType::BF16,
        false => NumberType::F16,
    };
    let to = m.types[0].unwrap_or(named);
    let from = m.types[1].unwrap_or(NumberType::F32);
    let part = |bits: u64| {
        let value = float_source(m, bits, from);
        let bits = float_result(m, value, to, m.rounding()).value;
        let is_negative = !value.is_nan() && bits >> (to.bits - 1) == 1;
        match m.has(Word::Relu) && is_negative {
            true => 0,
            false => bits,
        }
    };
    let [a, b, c, _] = x.sources;
    let low = |bits: u64| bits & 0xffff;
    LaneOutput::value(match () {
        () if m.has(Word::MergeC) => b & 0xffff_0000 | part(a),
        () if m.has(Word::PackAb) => part(a) << 16 | part(b),
        () if m.has(Word::PackAbMergeC) => low(c) << 16 | part(a) << 8 | part(b),
        () if m.has(Word::UnpackB) => part(a >> 8) << 16 | part(a),
        () => low(b) << 16 | part(a >> 16) << 8 | part(a),
    })
}

/// Two small integers below c.
fn packed(a: u64, b: u64, c: u64, bits: u32) -> LaneOutput {
    let part = |number: u64| number & low_mask(bits);
    LaneOutput::value((c << (2 * bits) | part(a) << bits | part(b)) & ALL)
}

/// `I2IP`.
pub fn pack_integers(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let ty = m.types[0].unwrap_or(NumberType::S32);
    let [a, b, c, _] = x.sources;
    let [a, b] = [a, b].map(|bits| clamped(signed(bits).into(), ty));
    packed(a, b, c, ty.bits)
}

/// `F2IP`.
pub fn pack_bytes(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    let [a, b, c, _] = x.sources;
    let converted = |bits| {
        let source = LaneInput {
            sources: [bits, 0, 0, 0],
            ..*x
        };
        float_to_integer(m, &source).value
    };
    packed(converted(a), converted(b), c, 8)
}

/// `LDC`: a constant, extended by its type.
pub fn load_constant(m: &SassModifiers, x: &LaneInput) -> LaneOutput {
    LaneOutput::value(match m.types[0] {
        Some(ty) if ty.bits < 32 => field(x.sources[0], ty.bits, ty.signed).cast_unsigned() & ALL,
        _ => x.sources[0],
    })
}

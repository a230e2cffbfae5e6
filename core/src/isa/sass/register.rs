//! Registers, predicates and guards.

use crate::bits::{BitField, SymbolResolver, number_bits};
use crate::isa::rmw::Width;
use crate::text::{Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;

/// A 32-bit register of a lane: R0 to R254, or RZ, which reads as 0 and discards
/// writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register(pub u8);

impl Register {
    /// RZ.
    pub const ZERO: Self = Self(255);

    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == Self::ZERO.0
    }

    /// Finds a register by name: `R7`, `RZ`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        number(name, b'R', Self::ZERO.0).map(Self)
    }

    /// Whether it can be the first register of a pair: even, and not R254, which would
    /// pair with RZ.
    #[must_use]
    pub const fn starts_pair(self) -> bool {
        self.0.is_multiple_of(2) && self.0 != 254
    }

    /// Help text that suggests a valid pair.
    #[must_use]
    pub fn pair_help(self) -> String {
        let even = (self.0 & !1).min(252);
        format!("use an even register, such as R{even}")
    }

    pub fn print(self, part: SyntaxPart, sink: &mut impl Sink) {
        print(REGISTERS, self.0, Self::ZERO.0, part, sink);
    }

    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        self.print(SyntaxPart::None, &mut name);
        name
    }
}

impl BitField for Register {
    number_bits!(u8);
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        self.name()
    }
}

/// A one-bit register of a lane: P0 to P6, or PT, which is always true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PredicateRegister(pub u8);

impl PredicateRegister {
    /// Whether a word looks like a predicate: `P7`, `PT`.
    pub(super) fn is_like(word: &str) -> bool {
        let digits = word.strip_prefix(['P', 'p']).unwrap_or("");
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_number || Self::named(word).is_some()
    }

    /// PT.
    pub const TRUE: Self = Self(7);

    #[must_use]
    pub const fn is_true(self) -> bool {
        self.0 == Self::TRUE.0
    }

    /// Finds a predicate by name: `P3`, `PT`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        number(name, b'P', Self::TRUE.0).map(Self)
    }

    pub fn print(self, part: SyntaxPart, sink: &mut impl Sink) {
        print(PREDICATES, self.0, Self::TRUE.0, part, sink);
    }

    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        self.print(SyntaxPart::None, &mut name);
        name
    }
}

impl BitField for PredicateRegister {
    number_bits!(u8, 8);
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        self.name()
    }
}

/// A predicate with an inverted number in the encoding, as in the sparse forms: 0 is
/// PT, 7 is P0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inverted(pub PredicateRegister);

impl BitField for Inverted {
    fn to_bits(self) -> u64 {
        u64::from(!self.0.0 & 7)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        PredicateRegister::from_bits(bits ^ 7).map(Self)
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        format!("{}, inverted", self.0.name())
    }
}

/// The guard of an instruction: `@P0`, `@!P0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    pub predicate: PredicateRegister,
    /// Whether the predicate must be false.
    pub negated: bool,
}

impl Guard {
    /// `@PT`, which is always true.
    pub const ALWAYS: Self = Self {
        predicate: PredicateRegister::TRUE,
        negated: false,
    };

    /// Prints the guard and a blank, unless it is always true.
    pub fn print(self, sink: &mut impl Sink) {
        if self == Self::ALWAYS {
            return;
        }
        let sign = if self.negated { "@!" } else { "@" };
        sink.token(TokenClass::Keyword, SyntaxPart::Predicate, sign);
        self.predicate.print(SyntaxPart::Predicate, sink);
        sink.space();
    }

    /// Mask of the lanes whose guard is true, given those whose predicate is true.
    #[must_use]
    pub const fn lanes(self, set: u32) -> u32 {
        let set = if self.predicate.is_true() {
            u32::MAX
        } else {
            set
        };
        if self.negated { !set } else { set }
    }
}

/// The number in a name such as `R7`; `last` for the constant `RZ` or `PT`.
fn number(name: &str, letter: u8, last: u8) -> Option<u8> {
    let (first, rest) = name.as_bytes().split_first()?;
    if !first.eq_ignore_ascii_case(&letter) {
        return None;
    }
    match rest {
        [constant] if constant.eq_ignore_ascii_case(&constant_of(letter)) => Some(last),
        // R07 is not a spelling of R7.
        [b'0', _, ..] | [] => None,
        digits => digits
            .iter()
            .try_fold(0_u8, |value, digit| {
                let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
                value.checked_mul(10)?.checked_add(digit)
            })
            .filter(|number| *number < last),
    }
}

const fn constant_of(letter: u8) -> u8 {
    if letter == b'R' { b'Z' } else { b'T' }
}

/// Bytes per name in a list of names: the longest are `R100` to `R254`.
const NAME: usize = 4;

/// Precomputed names padded with blanks, since printing must handle millions of
/// words per second.
const fn names<const BYTES: usize>(letter: u8, last: u8) -> [u8; BYTES] {
    let mut names = [b' '; BYTES];
    let mut rest: &mut [u8] = &mut names;
    let mut number = 0_u8;
    while let Some((name, later)) = rest.split_first_chunk_mut::<NAME>() {
        let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
        *name = if number == last {
            [letter, constant_of(letter), b' ', b' ']
        } else if number > 99 {
            [letter, b'0' + hundreds, b'0' + tens, b'0' + ones]
        } else if number > 9 {
            [letter, b'0' + tens, b'0' + ones, b' ']
        } else {
            [letter, b'0' + ones, b' ', b' ']
        };
        number = number.wrapping_add(1);
        rest = later;
    }
    names
}

const fn list(names: &[u8]) -> &str {
    match core::str::from_utf8(names) {
        Ok(names) => names,
        Err(_) => unreachable!(),
    }
}

static REGISTERS: &str = list(&names::<{ 256 * NAME }>(b'R', Register::ZERO.0));
static PREDICATES: &str = list(&names::<{ 8 * NAME }>(b'P', PredicateRegister::TRUE.0));

fn print(names: &str, number: u8, last: u8, part: SyntaxPart, sink: &mut impl Sink) {
    let length = match number {
        _ if number == last => 2,
        100.. => 4,
        10.. => 3,
        _ => 2,
    };
    let start = NAME * usize::from(number);
    let name = names.get(start..start + length);
    let name = name.expect("every number up to the last has a name");
    sink.token(TokenClass::Variable, part, name);
}

// Pairs.

/// The meaning of the encoded register number of CAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CasPair {
    /// Rb is Rn; Rc is the next register or, for 64 bits, the one after.
    Both,
    /// Rb is Rn, Rc is RZ.
    StoresZero,
    /// Rb is RZ, Rc is Rn: can be encoded but is illegal.
    ComparesZero,
}

const fn step(width: Width) -> u8 {
    match width {
        Width::W64 => 2,
        _ => 1,
    }
}

impl CasPair {
    /// Rb and Rc; `None` if Rc would exceed the last register.
    #[must_use]
    pub fn registers(self, stored: Register, width: Width) -> Option<(Register, Register)> {
        match self {
            Self::Both => {
                let next = stored.0.checked_add(step(width)).map(Register);
                next.filter(|next| !next.is_zero()).map(|rc| (stored, rc))
            }
            Self::StoresZero => Some((stored, Register::ZERO)),
            // Two RZ are encoded as `StoresZero`.
            Self::ComparesZero => (!stored.is_zero()).then_some((Register::ZERO, stored)),
        }
    }

    /// The encoding of Rb and Rc; `None` if they cannot be encoded.
    #[must_use]
    pub fn of(rb: Register, rc: Register, width: Width) -> Option<(Self, Register)> {
        if rc.is_zero() {
            Some((Self::StoresZero, rb))
        } else if rb.is_zero() {
            Some((Self::ComparesZero, rc))
        } else {
            let together = Self::Both.registers(rb, width) == Some((rb, rc));
            together.then_some((Self::Both, rb))
        }
    }
}

impl BitField for CasPair {
    fn to_bits(self) -> u64 {
        match self {
            Self::Both => 0,
            Self::StoresZero => 1,
            Self::ComparesZero => 2,
        }
    }
    fn from_bits(bits: u64) -> Option<Self> {
        match bits {
            0 => Some(Self::Both),
            1 => Some(Self::StoresZero),
            2 => Some(Self::ComparesZero),
            _ => None,
        }
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        String::from(match self {
            Self::Both => "both, one after the other",
            Self::StoresZero => "Rc is RZ",
            Self::ComparesZero => "Rb is RZ",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_one_to_one() {
        for n in 0..=255 {
            let register = Register(n);
            assert_eq!(Register::named(&register.name()), Some(register));
        }
        for n in 0..=7 {
            let predicate = PredicateRegister(n);
            assert_eq!(PredicateRegister::named(&predicate.name()), Some(predicate));
            let inverted = Inverted(predicate);
            assert_eq!(inverted.to_bits(), 7 - u64::from(n));
            assert_eq!(Inverted::from_bits(inverted.to_bits()), Some(inverted));
        }
        assert_eq!(Register(254).name(), "R254");
        assert_eq!(Register::named("rz"), Some(Register::ZERO));
        for other in ["R255", "R256", "R", "R07", "R1x", "RT", "P0", "R1000", ""] {
            assert_eq!(Register::named(other), None, "{other}");
        }
        for other in ["P7", "P8", "P", "PZ", "P00", "R0"] {
            assert_eq!(PredicateRegister::named(other), None, "{other}");
        }
    }

    #[test]
    fn guards_hold_lane_by_lane() {
        let guard = |predicate, negated| Guard {
            predicate: PredicateRegister(predicate),
            negated,
        };
        assert_eq!(guard(0, false).lanes(0xf0), 0xf0);
        assert_eq!(guard(0, true).lanes(0xf0), !0xf0);
        assert_eq!(guard(7, false).lanes(0), u32::MAX);
        assert_eq!(guard(7, true).lanes(0), 0);
    }

    #[test]
    fn encodable_pairs_round_trip() {
        for width in [Width::W32, Width::W64] {
            for rb in 0..=255 {
                for rc in 0..=255 {
                    let (rb, rc) = (Register(rb), Register(rc));
                    if let Some((pair, stored)) = CasPair::of(rb, rc, width) {
                        assert_eq!(pair.registers(stored, width), Some((rb, rc)));
                    }
                }
            }
        }
        assert_eq!(CasPair::Both.registers(Register(254), Width::W32), None);
        assert_eq!(CasPair::Both.registers(Register(253), Width::W64), None);
        assert_eq!(
            CasPair::ComparesZero.registers(Register(255), Width::W32),
            None
        );
    }
}

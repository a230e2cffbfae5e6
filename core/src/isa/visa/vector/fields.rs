//! Field codes of vector operands.
//!
//! Source: visa_5_operands.md; the modifiers, which the document does not list,
//! are as the real tool prints them.

use super::FieldNames;
use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor, number_bits};
use crate::number::ElementType;
use alloc::format;
use alloc::string::String;

/// Bits 0-2 of the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandClass {
    /// A general variable.
    Direct,
    /// An address variable.
    Address,
    Predicate,
    /// A general variable through an address variable.
    Indirect,
    /// A constant.
    Immediate,
    /// A surface or sampler.
    State,
}

impl OperandClass {
    const ALL: [(u64, Self, &'static str); 6] = [
        (0, Self::Direct, "general"),
        (1, Self::Address, "address"),
        (2, Self::Predicate, "predicate"),
        (3, Self::Indirect, "indirect"),
        (5, Self::Immediate, "immediate"),
        (6, Self::State, "state"),
    ];

    /// Name in the document, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, class, _)| *class == self);
        let (.., name) = found.expect("every class is listed");
        name
    }
}

impl BitField for OperandClass {
    fn to_bits(self) -> u64 {
        let found = Self::ALL.iter().find(|(_, class, _)| *class == self);
        let (bits, ..) = found.expect("every class is listed");
        *bits
    }
    fn from_bits(bits: u64) -> Option<Self> {
        let found = Self::ALL.iter().find(|(code, ..)| *code == bits);
        found.map(|(_, class, _)| *class)
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        String::from(self.name())
    }
}

/// Defines a small code that can hold every value of its field.
macro_rules! small_code {
    ($name:ident, $bits:literal) => {
        impl $name {
            const LIMIT: u8 = 1 << $bits;
        }

        impl BitField for $name {
            number_bits!(u8, Self::LIMIT);
            fn meaning(self, _: &dyn SymbolResolver) -> String {
                self.text()
            }
        }
    };
}

/// Source modifier, bits 3-5 of the tag: applied to elements before use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modifier(u8);
small_code!(Modifier, 3);

impl Modifier {
    /// No modifier.
    pub const NONE: Self = Self(0);

    /// Saturation of a destination: the result is clamped to the range of its type.
    pub const SATURATE: Self = Self(4);

    /// Whether it is [`Self::SATURATE`].
    #[must_use]
    pub const fn saturates(self) -> bool {
        self.0 == 4
    }

    /// Spellings with their codes.
    pub(super) const SIGNS: [(&'static str, Self); 4] = [
        ("abs", Self(1)),
        ("-", Self(2)),
        ("-abs", Self(3)),
        ("~", Self(5)),
    ];

    /// The spelling in parentheses before the operand; `None` for undefined codes,
    /// which the real tool treats as no modifier.
    #[must_use]
    pub fn spelling(self) -> Option<&'static str> {
        let found = Self::SIGNS.iter().find(|(_, code)| *code == self);
        found.map(|(sign, _)| *sign)
    }

    /// Whether it inverts bits, which only logic instructions can do.
    #[must_use]
    pub const fn is_logical(self) -> bool {
        self.0 == 5
    }

    /// Whether the absolute value is taken, before any negation.
    #[must_use]
    pub const fn is_absolute(self) -> bool {
        matches!(self.0, 1 | 3)
    }

    /// Whether the value is negated.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        matches!(self.0, 2 | 3)
    }

    fn text(self) -> String {
        String::from(match self.0 {
            0 => "none",
            1 => "absolute value",
            2 => "negated",
            3 => "negated absolute value",
            4 => "saturates a destination; not defined for a source",
            5 => "bits inverted",
            _ => "not defined, treated as none",
        })
    }
}

/// ID of an address variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddressId(pub u16);

impl BitField for AddressId {
    number_bits!(u16);
    fn is_declared(self, symbols: &dyn SymbolResolver) -> bool {
        symbols.address(self.0).is_some()
    }
    fn meaning(self, symbols: &dyn SymbolResolver) -> String {
        String::from(symbols.address(self.0).unwrap_or("not declared"))
    }
}

/// Signed byte offset of an indirect operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByteOffset(pub i16);

impl ByteOffset {
    /// Whether it is in the documented range, -512 to 511.
    #[must_use]
    pub const fn is_documented(self) -> bool {
        -512 <= self.0 && self.0 <= 511
    }
}

impl BitField for ByteOffset {
    fn to_bits(self) -> u64 {
        u64::from(self.0.cast_unsigned())
    }
    fn from_bits(bits: u64) -> Option<Self> {
        let bits = u16::try_from(bits).ok()?;
        Some(Self(bits.cast_signed()))
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        format!("{} bytes", self.0)
    }
}

/// Type of an indirect or immediate operand, as its four-bit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperandType(u8);
small_code!(OperandType, 4);

impl OperandType {
    /// Unsigned doubleword.
    pub const UD: Self = Self(0);

    /// Unsigned quadword.
    pub const UQ: Self = Self(11);

    /// Names and element types by code. V, VF and UV are packed into a doubleword.
    const TYPES: [(&'static str, Option<ElementType>); 16] = [
        ("ud", Some(ElementType::Ud)),
        ("d", Some(ElementType::D)),
        ("uw", Some(ElementType::Uw)),
        ("w", Some(ElementType::W)),
        ("ub", Some(ElementType::Ub)),
        ("b", Some(ElementType::B)),
        ("df", Some(ElementType::Df)),
        ("f", Some(ElementType::F)),
        ("v", None),
        ("vf", None),
        ("bool", None),
        ("uq", Some(ElementType::Uq)),
        ("uv", None),
        ("q", Some(ElementType::Q)),
        ("hf", Some(ElementType::Hf)),
        ("bf", Some(ElementType::Bf)),
    ];

    /// Finds a type by name, ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let types = (0..).zip(&Self::TYPES);
        let mut found = types.filter(|(_, (known, _))| known.eq_ignore_ascii_case(name));
        found.next().map(|(code, _)| Self(code))
    }

    /// Name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::TYPES.get(usize::from(self.0)).map_or("", |t| t.0)
    }

    /// Element type; `None` for packed vectors and BOOL.
    #[must_use]
    pub fn element(self) -> Option<ElementType> {
        Self::TYPES.get(usize::from(self.0))?.1
    }

    /// Whether it is BOOL, which is illegal for indirect and immediate operands.
    #[must_use]
    pub const fn is_bool(self) -> bool {
        self.0 == 10
    }

    /// Size in bytes; 4 for a packed vector.
    #[must_use]
    pub fn bytes(self) -> u8 {
        self.element().map_or(4, ElementType::bytes)
    }

    fn text(self) -> String {
        self.name().to_ascii_uppercase()
    }
}

/// Stride or width in a region, in elements, as its four-bit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stride(u8);
small_code!(Stride, 4);

impl Stride {
    /// No stride: each row of an indirect operand has its own address.
    pub const NULL: Self = Self(0);

    const VALUES: [u8; 7] = [0, 1, 2, 4, 8, 16, 32];

    /// Whether it is [`Self::NULL`].
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    /// Number of elements; `None` for null and undefined codes.
    #[must_use]
    pub fn elements(self) -> Option<u8> {
        let index = usize::from(self.0).checked_sub(1)?;
        Self::VALUES.get(index).copied()
    }

    /// The code for a number of elements.
    #[must_use]
    pub fn of(elements: u64) -> Option<Self> {
        let codes = (1..).zip(Self::VALUES);
        let mut found = codes.filter(|(_, value)| u64::from(*value) == elements);
        found.next().map(|(code, _)| Self(code))
    }

    fn text(self) -> String {
        match self.elements() {
            Some(elements) => format!("{elements}"),
            None if self.0 == 0 => String::from("null"),
            None => String::from("not defined"),
        }
    }
}

/// Access pattern of an operand: `<vertical; width, horizontal>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// Stride between rows.
    pub vertical: Stride,
    /// Elements per row.
    pub width: Stride,
    /// Stride between elements.
    pub horizontal: Stride,
}

impl Region {
    /// `<0;1,0>`: the first element, repeated.
    pub const SCALAR: Self = Self {
        vertical: Stride(1),
        width: Stride(2),
        horizontal: Stride(1),
    };

    /// `<1;1,0>`: consecutive elements. The real tool encodes it for operands
    /// without a region in the text.
    pub const CONTIGUOUS: Self = Self {
        vertical: Stride(2),
        width: Stride(2),
        horizontal: Stride(1),
    };

    /// `<1>`: consecutive elements of a destination.
    pub const DESTINATION: Self = Self {
        vertical: Stride::NULL,
        width: Stride::NULL,
        horizontal: Stride(2),
    };

    /// Whether the document lists its parameters: widths 1 to 16, vertical strides 0
    /// to 32, horizontal strides 0 to 4.
    #[must_use]
    pub fn is_legal(self) -> bool {
        let width = self.width.elements();
        let horizontal = self.horizontal.elements();
        self.vertical.elements().is_some()
            && width.is_some_and(|w| (1..=16).contains(&w))
            && horizontal.is_some_and(|h| h <= 4)
    }

    /// Visits `uw region`.
    ///
    /// # Errors
    /// If the bytes end early.
    pub fn layout<V: Visitor>(&mut self, names: &FieldNames, v: &mut V) -> Result<(), DecodeError> {
        v.field(names.part, names.vertical, 4, &mut self.vertical)?;
        v.field(names.part, names.width, 4, &mut self.width)?;
        v.field(names.part, names.horizontal, 4, &mut self.horizontal)?;
        v.ignored(names.region_reserved, 4)
    }
}

/// Class of a state operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateClass(u8);
small_code!(StateClass, 2);

impl StateClass {
    pub const SURFACE: Self = Self(0);

    pub const SAMPLER: Self = Self(1);

    /// Whether it is a surface rather than a sampler.
    #[must_use]
    pub const fn is_surface(self) -> bool {
        self.0 == 0
    }

    fn text(self) -> String {
        String::from(match self.0 {
            0 => "surface",
            1 => "sampler",
            _ => "not defined",
        })
    }
}

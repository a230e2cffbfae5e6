//! A single description of an encoding for encoding, decoding and display.
//!
//! The `layout` function of an instruction passes its fields to a [`Visitor`], from the
//! least significant bit up. The [`Encoder`] writes the fields, the [`Decoder`] reads
//! them, and the [`Describer`] lists them. This is the only definition of the encoding.

use crate::number::{little_endian, low_mask};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The value of a field of an encoding.
#[expect(unused_variables, reason = "defaults ignore their arguments")]
pub trait BitField: Copy {
    /// Returns the encoded bits.
    fn to_bits(self) -> u64;

    /// Decodes bits; `None` if they are undefined.
    fn from_bits(bits: u64) -> Option<Self>;

    /// Whether every ID it encodes is declared.
    fn is_declared(self, symbols: &dyn SymbolResolver) -> bool {
        true
    }

    /// Describes the value; empty if the number is enough.
    fn meaning(self, symbols: &dyn SymbolResolver) -> String {
        String::new()
    }
}

/// Resolves encoded IDs to names.
pub trait SymbolResolver {
    /// The name of a general variable.
    fn general(&self, id: u32) -> Option<&str>;
    /// The name of a predicate variable.
    fn predicate(&self, id: u16) -> Option<&str>;
    /// The name of an address variable.
    fn address(&self, id: u16) -> Option<&str>;
    /// The name of a surface.
    fn surface(&self, index: u8) -> Option<String>;
    /// The name of a label or function.
    fn label(&self, id: u16) -> Option<&str>;
}

macro_rules! unsigned_code {
    ($($type:ty),*) => {$(
        impl BitField for $type {
            fn to_bits(self) -> u64 {
                u64::from(self)
            }
            fn from_bits(bits: u64) -> Option<Self> {
                Self::try_from(bits).ok()
            }
        }
    )*};
}
unsigned_code!(u8, u16, u32, u64);

/// `to_bits` and `from_bits` of a newtype of an unsigned number, below a limit if one is
/// given.
macro_rules! number_bits {
    ($unsigned:ty $(, $limit:expr)?) => {
        fn to_bits(self) -> u64 {
            u64::from(self.0)
        }
        fn from_bits(bits: u64) -> Option<Self> {
            let number = <$unsigned>::try_from(bits).ok()?;
            $(if number >= $limit {
                return None;
            })?
            Some(Self(number))
        }
    };
}
pub(crate) use number_bits;

impl BitField for bool {
    fn to_bits(self) -> u64 {
        u64::from(self)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        match bits {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        String::from(if self { "yes" } else { "no" })
    }
}

/// Error of decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Name of the invalid field.
    pub field: &'static str,
    /// Index of the byte with the first bit of the field.
    pub byte: u32,
    /// The bits of the field.
    pub bits: u64,
    /// Whether the bytes ended within the field.
    pub truncated: bool,
}

impl DecodeError {
    /// Undefined bits of a field.
    const fn undefined(field: &'static str, byte: u32, bits: u64) -> Self {
        Self {
            field,
            byte,
            bits,
            truncated: false,
        }
    }
}

/// Visitor of a layout.
#[expect(unused_variables, reason = "defaults ignore their arguments")]
pub trait Visitor {
    /// A field of `width` bits.
    ///
    /// # Errors
    /// If the bits are undefined or the bytes end early.
    fn field<C: BitField>(
        &mut self,
        part: SyntaxPart,
        name: &'static str,
        width: u32,
        value: &mut C,
    ) -> Result<(), DecodeError>;

    /// A field of `width` bits whose values a table lists: `meaning` gives the
    /// name of a value, or none where it is not listed.
    ///
    /// # Errors
    /// When the bits are not listed, or the bytes end.
    fn listed(
        &mut self,
        part: SyntaxPart,
        name: &'static str,
        width: u32,
        value: &mut u64,
        meaning: &dyn Fn(u64) -> Option<String>,
    ) -> Result<(), DecodeError> {
        self.field(part, name, width, value)
    }

    /// Visits constant bits.
    ///
    /// # Errors
    /// If the bits differ or the bytes end early.
    fn fixed(
        &mut self,
        part: SyntaxPart,
        name: &'static str,
        width: u32,
        value: u64,
    ) -> Result<(), DecodeError>;

    /// Visits bits that decoders ignore and encoders clear.
    ///
    /// # Errors
    /// If the bytes end early.
    fn ignored(&mut self, name: &'static str, width: u32) -> Result<(), DecodeError>;
}

/// Maximum length of an encoded instruction, in bytes.
pub const MAX_BYTES: usize = 128;

/// An encoded instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoded {
    bytes: [u8; MAX_BYTES],
    len: usize,
}

impl Encoded {
    /// The bytes, first to last.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let written = self.bytes.get(..self.len);
        written.expect("no encoding is longer than MAX_BYTES")
    }
}

impl core::fmt::Debug for Encoded {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.bytes().iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

/// Writes fields into bytes, little-endian, without padding.
#[derive(Debug)]
pub struct Encoder {
    out: Encoded,
    pending: u64,
    pending_bits: u32,
}

impl Default for Encoder {
    fn default() -> Self {
        Self {
            out: Encoded {
                bytes: [0; MAX_BYTES],
                len: 0,
            },
            pending: 0,
            pending_bits: 0,
        }
    }
}

impl Encoder {
    /// The bytes written so far.
    #[must_use]
    pub fn finish(self) -> Encoded {
        self.out
    }

    fn put(&mut self, width: u32, bits: u64) {
        if self.pending_bits == 0 && width.is_multiple_of(8) {
            let count = crate::diagnostic::to_usize(width / 8);
            let to = self.out.bytes.get_mut(self.out.len..self.out.len + count);
            let to = to.expect("no encoding is longer than MAX_BYTES");
            let bytes = bits.to_le_bytes();
            to.copy_from_slice(bytes.get(..count).expect("a field has at most 64 bits"));
            self.out.len += count;
            return;
        }
        // Other fields go byte by byte: they may straddle bytes.
        let mut left = width;
        let mut bits = bits & low_mask(width);
        while left > 0 {
            let take = left.min(8 - self.pending_bits);
            self.pending |= (bits & low_mask(take)) << self.pending_bits;
            self.pending_bits += take;
            bits >>= take;
            left -= take;
            if self.pending_bits == 8 {
                let byte = self.out.bytes.get_mut(self.out.len);
                let byte = byte.expect("no encoding is longer than MAX_BYTES");
                *byte = self.pending.to_le_bytes()[0];
                self.out.len += 1;
                self.pending = 0;
                self.pending_bits = 0;
            }
        }
    }
}

impl Visitor for Encoder {
    fn field<C: BitField>(
        &mut self,
        _: SyntaxPart,
        _: &'static str,
        width: u32,
        value: &mut C,
    ) -> Result<(), DecodeError> {
        self.put(width, value.to_bits());
        Ok(())
    }

    fn fixed(
        &mut self,
        _: SyntaxPart,
        _: &'static str,
        width: u32,
        value: u64,
    ) -> Result<(), DecodeError> {
        self.put(width, value);
        Ok(())
    }

    fn ignored(&mut self, _: &'static str, width: u32) -> Result<(), DecodeError> {
        self.put(width, 0);
        Ok(())
    }
}

/// Nonzero bits that a decoder ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedBits {
    /// The field's name.
    pub name: &'static str,
    /// Index of the byte with the first bit of the field.
    pub byte: u32,
    /// The ignored bits.
    pub bits: u64,
}

/// An undeclared ID in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undeclared {
    /// The field's name.
    pub field: &'static str,
    /// Index of the byte with the first bit of the field.
    pub byte: u32,
    pub number: u64,
}

/// Reads fields from bytes.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    bit: u32,
    symbols: Option<&'a dyn SymbolResolver>,
    /// Ignored fields that were not zero.
    pub skipped: Vec<ReservedBits>,
    /// The undeclared IDs in order, if there are declarations.
    pub undeclared: Vec<Undeclared>,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder at the first bit of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            bit: 0,
            symbols: None,
            skipped: Vec::new(),
            undeclared: Vec::new(),
        }
    }

    /// Looks up IDs in `symbols`.
    #[must_use]
    pub fn with_declarations(self, symbols: &'a dyn SymbolResolver) -> Self {
        let symbols = Some(symbols);
        Self { symbols, ..self }
    }

    /// Number of bytes read, including a partial last one.
    #[must_use]
    pub fn consumed(&self) -> usize {
        crate::diagnostic::to_usize(self.bit.div_ceil(8))
    }

    fn take(&mut self, name: &'static str, width: u32) -> Result<(u32, u64), DecodeError> {
        let byte = self.bit / 8;
        let start = crate::diagnostic::to_usize(byte);
        let end_bit = self.bit + width;
        let tail = self.bytes.get(start..);
        let tail = tail.expect("reads stay within the bytes");
        let ended = crate::diagnostic::to_usize(end_bit.div_ceil(8)) > self.bytes.len();
        if ended {
            return Err(DecodeError {
                field: name,
                byte: crate::diagnostic::to_u32(self.bytes.len()),
                bits: 0,
                truncated: true,
            });
        }
        let bits = (little_endian(tail) >> (self.bit % 8)) & low_mask(width);
        self.bit = end_bit;
        Ok((byte, bits))
    }
}

impl Visitor for Decoder<'_> {
    fn field<C: BitField>(
        &mut self,
        _: SyntaxPart,
        name: &'static str,
        width: u32,
        value: &mut C,
    ) -> Result<(), DecodeError> {
        let (byte, bits) = self.take(name, width)?;
        *value = C::from_bits(bits).ok_or(DecodeError::undefined(name, byte, bits))?;
        if (self.symbols).is_some_and(|symbols| !value.is_declared(symbols)) {
            self.undeclared.push(Undeclared {
                field: name,
                byte,
                number: bits,
            });
        }
        Ok(())
    }

    fn listed(
        &mut self,
        _: SyntaxPart,
        name: &'static str,
        width: u32,
        value: &mut u64,
        meaning: &dyn Fn(u64) -> Option<String>,
    ) -> Result<(), DecodeError> {
        let (byte, bits) = self.take(name, width)?;
        *value = bits;
        meaning(bits)
            .map(|_| ())
            .ok_or(DecodeError::undefined(name, byte, bits))
    }

    fn fixed(
        &mut self,
        _: SyntaxPart,
        name: &'static str,
        width: u32,
        value: u64,
    ) -> Result<(), DecodeError> {
        let (byte, bits) = self.take(name, width)?;
        if bits == value {
            Ok(())
        } else {
            Err(DecodeError::undefined(name, byte, bits))
        }
    }

    fn ignored(&mut self, name: &'static str, width: u32) -> Result<(), DecodeError> {
        let (byte, bits) = self.take(name, width)?;
        if bits != 0 {
            self.skipped.push(ReservedBits { name, byte, bits });
        }
        Ok(())
    }
}

/// A field of an encoding, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Syntax part of the field, as in text tokens.
    pub part: SyntaxPart,
    /// Name in the document.
    pub name: &'static str,
    /// Position of its least significant bit from the start of the encoding.
    pub first_bit: u32,
    /// Its width in bits.
    pub width: u32,
    /// Its value.
    pub bits: u64,
    /// Meaning of the value; empty if the number is enough.
    pub meaning: String,
}

/// Lists the fields of an instruction.
pub struct Describer<'a> {
    fields: Vec<Field>,
    bit: u32,
    symbols: &'a dyn SymbolResolver,
}

impl<'a> Describer<'a> {
    /// Creates a describer that resolves names with `symbols`.
    #[must_use]
    pub fn new(symbols: &'a dyn SymbolResolver) -> Self {
        Self {
            fields: Vec::new(),
            bit: 0,
            symbols,
        }
    }

    /// The fields, from the least significant bit up.
    #[must_use]
    pub fn finish(self) -> Vec<Field> {
        self.fields
    }

    fn push(
        &mut self,
        part: SyntaxPart,
        name: &'static str,
        width: u32,
        bits: u64,
        meaning: String,
    ) {
        self.fields.push(Field {
            part,
            name,
            first_bit: self.bit,
            width,
            bits,
            meaning,
        });
        self.bit += width;
    }
}

impl Visitor for Describer<'_> {
    fn field<C: BitField>(
        &mut self,
        part: SyntaxPart,
        name: &'static str,
        width: u32,
        value: &mut C,
    ) -> Result<(), DecodeError> {
        self.push(
            part,
            name,
            width,
            value.to_bits(),
            value.meaning(self.symbols),
        );
        Ok(())
    }

    fn listed(
        &mut self,
        part: SyntaxPart,
        name: &'static str,
        width: u32,
        value: &mut u64,
        meaning: &dyn Fn(u64) -> Option<String>,
    ) -> Result<(), DecodeError> {
        let meaning = meaning(*value).unwrap_or_default();
        self.push(part, name, width, *value, meaning);
        Ok(())
    }

    fn fixed(
        &mut self,
        part: SyntaxPart,
        name: &'static str,
        width: u32,
        value: u64,
    ) -> Result<(), DecodeError> {
        self.push(part, name, width, value, String::new());
        Ok(())
    }

    fn ignored(&mut self, name: &'static str, width: u32) -> Result<(), DecodeError> {
        self.push(SyntaxPart::Ignored, name, width, 0, String::from("ignored"));
        Ok(())
    }
}

/// The valid values of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDomain {
    /// Name in the document.
    pub name: &'static str,
    /// Position of its least significant bit from the start of the encoding.
    pub first_bit: u32,
    /// Its width in bits.
    pub width: u32,
    /// The defined values with their meanings, ascending; empty for a field of more than
    /// eight bits, which can have any value.
    pub values: Vec<(u64, String)>,
}

/// Lists the valid values of the fields of a layout.
pub struct DomainLister<'a> {
    fields: Vec<FieldDomain>,
    bit: u32,
    symbols: &'a dyn SymbolResolver,
}

impl<'a> DomainLister<'a> {
    /// Creates a lister that resolves names with `symbols`.
    #[must_use]
    pub fn new(symbols: &'a dyn SymbolResolver) -> Self {
        Self {
            fields: Vec::new(),
            bit: 0,
            symbols,
        }
    }

    /// The fields, from the least significant bit up.
    #[must_use]
    pub fn finish(self) -> Vec<FieldDomain> {
        self.fields
    }

    fn push(&mut self, name: &'static str, width: u32, values: Vec<(u64, String)>) {
        self.fields.push(FieldDomain {
            name,
            first_bit: self.bit,
            width,
            values,
        });
        self.bit += width;
    }
}

/// The values of a field that is narrow enough to list them.
const fn codes_of(width: u32) -> Range<u64> {
    0..if width <= 8 { 1 << width } else { 0 }
}

impl Visitor for DomainLister<'_> {
    fn field<C: BitField>(
        &mut self,
        _: SyntaxPart,
        name: &'static str,
        width: u32,
        _: &mut C,
    ) -> Result<(), DecodeError> {
        let known = codes_of(width).filter_map(|bits| Some((bits, C::from_bits(bits)?)));
        let values = known.map(|(bits, value)| (bits, value.meaning(self.symbols)));
        let values = values.collect();
        self.push(name, width, values);
        Ok(())
    }

    fn listed(
        &mut self,
        _: SyntaxPart,
        name: &'static str,
        width: u32,
        _: &mut u64,
        meaning: &dyn Fn(u64) -> Option<String>,
    ) -> Result<(), DecodeError> {
        let values = codes_of(width).filter_map(|bits| {
            let word = meaning(bits)?;
            // Some words are the number itself.
            let is_number = word == format!("{bits}") || word == format!("x{bits:x}");
            Some((bits, if is_number { String::new() } else { word }))
        });
        let values = values.collect();
        self.push(name, width, values);
        Ok(())
    }

    fn fixed(
        &mut self,
        _: SyntaxPart,
        name: &'static str,
        width: u32,
        value: u64,
    ) -> Result<(), DecodeError> {
        self.push(name, width, Vec::from([(value, String::new())]));
        Ok(())
    }

    fn ignored(&mut self, name: &'static str, width: u32) -> Result<(), DecodeError> {
        self.push(name, width, Vec::from([(0, String::from("ignored"))]));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn layout<V: Visitor>(fields: &mut (u8, u16, u32), v: &mut V) -> Result<(), DecodeError> {
        v.fixed(SyntaxPart::Opcode, "opcode", 8, 0x7d)?;
        v.field(SyntaxPart::Operation, "low", 5, &mut fields.0)?;
        v.ignored("reserved", 2)?;
        v.field(SyntaxPart::Dst, "straddling", 11, &mut fields.1)?;
        v.field(SyntaxPart::Src0, "wide", 30, &mut fields.2)
    }

    #[test]
    fn straddling_fields_round_trip() {
        let mut fields = (0x15, 0x5a5, 0x2bad_cafe);
        let mut encoder = Encoder::default();
        layout(&mut fields, &mut encoder).unwrap();
        let encoded = encoder.finish();
        // Fields are consecutive from the lowest bit of the first byte.
        let word = 0x7d_u64 | 0x15 << 8 | 0x5a5 << 15 | 0x2bad_cafe << 26;
        assert_eq!(encoded.bytes(), &word.to_le_bytes()[..7]);
        assert_eq!(encoded.bytes(), [0x7d, 0x95, 0xd2, 0xfa, 0x2b, 0xb7, 0xae]);
        let mut back = (0, 0, 0);
        let mut decoder = Decoder::new(encoded.bytes());
        layout(&mut back, &mut decoder).unwrap();
        assert_eq!(back, fields);
        assert_eq!(decoder.consumed(), 7);
    }

    #[test]
    fn ignored_bits_are_reported_and_truncation_fails() {
        let mut fields = (0, 0, 0);
        let mut decoder = Decoder::new(&[0x7d, 0x60, 0, 0, 0, 0, 0]);
        layout(&mut fields, &mut decoder).unwrap();
        assert_eq!(
            decoder.skipped,
            vec![ReservedBits {
                name: "reserved",
                byte: 1,
                bits: 3
            }]
        );
        let error = layout(&mut fields, &mut Decoder::new(&[0x7d, 0])).unwrap_err();
        assert!(error.truncated);
        let error = layout(&mut fields, &mut Decoder::new(&[0x7c])).unwrap_err();
        assert_eq!((error.byte, error.bits), (0, 0x7c));
    }
}

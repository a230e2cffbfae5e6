//! Scheduling of an instruction: its slot of a control word, and the fields after
//! the operands.
//!
//! The document shows only placeholders (`&req`, `&rd`, `&wr`, `?`). The encoding
//! is that of NVIDIA's tools; the notation is Lanewise's own:
//! `&req={0,2} &rd=1 &wr=0 ?stall2.yield.reuse3`.

use crate::bits::{
    BitField, DecodeError, Decoder, Describer, Encoder, Field, SymbolResolver, Visitor, number_bits,
};
use crate::diagnostic::{Diagnostics, Span};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A barrier set by an instruction: 0 to 5, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Barrier(pub Option<u8>);

/// Number of barriers.
const BARRIERS: u8 = 6;

impl BitField for Barrier {
    fn to_bits(self) -> u64 {
        self.0.map_or(7, u64::from)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        match u8::try_from(bits) {
            Ok(barrier) if barrier < BARRIERS => Some(Self(Some(barrier))),
            Ok(7) => Some(Self(None)),
            _ => None,
        }
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        self.0
            .map_or_else(|| String::from("none"), |n| format!("barrier {n}"))
    }
}

/// Mask of the barriers to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Waits(u8);

impl Waits {
    fn barriers(self) -> impl Iterator<Item = u8> {
        (0..BARRIERS).filter(move |b| self.0 >> b & 1 == 1)
    }
}

impl BitField for Waits {
    number_bits!(u8);
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        let barriers: Vec<String> = self.barriers().map(|b| format!("{b}")).collect();
        match barriers.as_slice() {
            [] => String::from("none"),
            some => format!("barriers {}", some.join(", ")),
        }
    }
}

/// The hint to switch to another warp; encoded as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Hint(bool);

impl BitField for Hint {
    fn to_bits(self) -> u64 {
        u64::from(!self.0)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        bool::from_bits(bits).map(|no| Self(!no))
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        String::from(if self.0 { "yield" } else { "no hint" })
    }
}

/// Scheduling of one instruction. It affects timing only, so runs ignore it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// Cycles until the next instruction can issue, 0 to 15.
    pub stall: u8,
    /// Hint to switch to another warp.
    pub yields: bool,
    /// Barrier released when the result is written.
    pub write: Barrier,
    /// Barrier released when the sources have been read.
    pub read: Barrier,
    /// Mask of the barriers to wait for.
    pub wait: u8,
    /// Mask of the operands whose registers are cached for the next instruction.
    pub reuse: u8,
}

impl Schedule {
    /// Visits the 21 bits of a slot.
    pub(super) fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let (mut hint, mut waits) = (Hint(self.yields), Waits(self.wait));
        let part = SyntaxPart::Schedule;
        v.field(part, "stall", 4, &mut self.stall)?;
        v.field(part, "yield", 1, &mut hint)?;
        v.field(part, "wr", 3, &mut self.write)?;
        v.field(part, "rd", 3, &mut self.read)?;
        v.field(part, "req", 6, &mut waits)?;
        v.field(part, "reuse", 4, &mut self.reuse)?;
        (self.yields, self.wait) = (hint.0, waits.0);
        Ok(())
    }

    /// Parses the optional fields after the operands, in order. `None` if there are
    /// none, or if one is invalid, which is reported.
    pub fn parse(cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<Self> {
        let mut this = Self::default();
        let mut next = 0;
        while cursor.is_punct('&') || cursor.is_punct('?') {
            let start = cursor.here().start;
            let field = match this.parse_field(cursor) {
                Ok(field) => field,
                Err(what) => {
                    let span = cursor.since(start);
                    let help = "the fields are &req={0,2} &rd=1 &wr=0 ?stall2.yield.reuse3, all optional; barriers are 0 to 5";
                    out.advise(&rules::SCHEDULING, span, what, help);
                    return None;
                }
            };
            if field < next {
                let span = cursor.since(start);
                let what = format!("`{}` is out of order", span.of(cursor.text()));
                let help = "write each field once, in this order: &req &rd &wr ?";
                out.advise(&rules::SCHEDULING, span, what, help);
                return None;
            }
            next = field + 1;
        }
        (next > 0).then_some(this)
    }

    /// Parses one field; returns its position in the order.
    fn parse_field(&mut self, cursor: &mut Cursor<'_>) -> Result<u8, String> {
        if cursor.eat_punct('?').is_some() {
            return self.parse_stall(cursor).map(|()| 3);
        }
        cursor.advance();
        let (name, _) = cursor.name().unwrap_or_default();
        let field = ["req", "rd", "wr"]
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("unknown scheduling field `&{name}`"))?;
        if cursor.eat_punct('=').is_none() {
            return Err(format!("expected `=` and a value after `&{name}`"));
        }
        if field == 0 {
            if cursor.eat_punct('{').is_none() {
                return Err(String::from("expected a list in braces after `&req=`"));
            }
            while cursor.eat_punct('}').is_none() {
                let barrier = barrier(cursor)?;
                if self.wait >> barrier & 1 == 1 {
                    return Err(format!("repeated barrier {barrier}"));
                }
                self.wait |= 1 << barrier;
                if cursor.eat_punct(',').is_none() && !cursor.is_punct('}') {
                    return Err(String::from("expected `}` after the list of `&req`"));
                }
            }
            return Ok(0);
        }
        let barrier = Barrier(Some(barrier(cursor)?));
        if field == 1 {
            self.read = barrier;
            Ok(1)
        } else {
            self.write = barrier;
            Ok(2)
        }
    }

    /// Parses `stall2.yield.reuse3`.
    fn parse_stall(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let mut first = true;
        let mut has_reuse = false;
        loop {
            let (word, _) = cursor.name().unwrap_or_default();
            let digits = word.find(|c: char| c.is_ascii_digit());
            let (name, number) = word.split_at(digits.unwrap_or(word.len()));
            let number = parse_integer(number)
                .ok()
                .and_then(|n| u8::try_from(n).ok());
            let number = number.filter(|n| *n < 16);
            match number {
                Some(stall) if first && name.eq_ignore_ascii_case("stall") => self.stall = stall,
                Some(reuse) if !first && name.eq_ignore_ascii_case("reuse") => {
                    if has_reuse {
                        return Err(format!("repeated reuse field `{word}`"));
                    }
                    (self.reuse, has_reuse) = (reuse, true);
                }
                _ if !first && word.eq_ignore_ascii_case("yield") => {
                    if self.yields {
                        return Err(String::from("repeated `yield`"));
                    }
                    self.yields = true;
                }
                _ => {
                    return Err(format!(
                        "expected stall0 to stall15, yield, or reuse0 to reuse15, found `{word}`"
                    ));
                }
            }
            first = false;
            if cursor.eat_punct('.').is_none() {
                return Ok(());
            }
        }
    }

    /// Prints the fields that are not the default, each after a blank, and always the
    /// stall count.
    pub fn print(&self, sink: &mut impl Sink) {
        let part = SyntaxPart::Schedule;
        let mut lead = " &req={";
        for barrier in Waits(self.wait).barriers() {
            sink.token(TokenClass::Keyword, part, lead);
            sink.number(part, u64::from(barrier));
            lead = ",";
        }
        if lead == "," {
            sink.token(TokenClass::Keyword, part, "}");
        }
        for (lead, barrier) in [(" &rd=", self.read), (" &wr=", self.write)] {
            if let Barrier(Some(number)) = barrier {
                sink.token(TokenClass::Keyword, part, lead);
                sink.number(part, u64::from(number));
            }
        }
        sink.token(TokenClass::Keyword, part, " ?stall");
        sink.number(part, u64::from(self.stall));
        if self.yields {
            sink.token(TokenClass::Keyword, part, ".yield");
        }
        if self.reuse != 0 {
            sink.token(TokenClass::Keyword, part, ".reuse");
            sink.number(part, u64::from(self.reuse));
        }
    }
}

/// Parses the number of a barrier.
fn barrier(cursor: &mut Cursor<'_>) -> Result<u8, String> {
    let word = cursor.word();
    let is_number = cursor.peek().is_some_and(|l| l.kind == LexemeKind::Number);
    if is_number {
        cursor.advance();
    }
    let number = parse_integer(word).ok().and_then(|n| u8::try_from(n).ok());
    match number.filter(|n| is_number && *n < BARRIERS) {
        Some(number) => Ok(number),
        None => Err(format!("expected a barrier, found `{word}`")),
    }
}

// ControlWord words.

/// Bit positions in a slot of the barriers set by an instruction.
const SET_BARRIERS: [(&str, u32); 2] = [("wr", 5), ("rd", 8)];

/// Number of bits of a slot.
const SLOT_BITS: u32 = 21;

/// Replaces barrier 6 with no barrier in a control word and reports a warning.
fn without_reserved_barriers(mut word: u64, out: &mut Diagnostics) -> u64 {
    let slots = (0..).step_by(SLOT_BITS as usize).take(SLOTS);
    for (index, slot) in slots.enumerate() {
        for (name, bit) in SET_BARRIERS {
            let at: u32 = slot + bit;
            if word >> at & 7 == 6 {
                word |= 7 << at;
                let what = format!("the control word sets {name}=6 for instruction {index}");
                let byte = at / 8;
                out.report(&rules::RESERVED_BARRIER, Span::new(byte, byte + 1), what);
            }
        }
    }
    word
}

/// Number of instructions of a group.
pub const SLOTS: usize = 3;

/// Bytes of a group: the control word and the instructions.
pub const GROUP_BYTES: usize = 8 * (1 + SLOTS);

/// The control word of a group, with one slot per instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ControlWord {
    /// The slots in the order of the instructions.
    pub slots: [Schedule; SLOTS],
}

impl ControlWord {
    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        for slot in &mut self.slots {
            slot.layout(v)?;
        }
        v.ignored("bit 63", 1)
    }

    #[must_use]
    pub fn encode(mut self) -> [u8; 8] {
        let mut encoder = Encoder::default();
        self.layout(&mut encoder).expect("only decoders refuse");
        let encoded = encoder.finish();
        let bytes = encoded.bytes().first_chunk();
        *bytes.expect("a control word has 8 bytes")
    }

    /// Decodes a control word from the start of `bytes`; reports a diagnostic and
    /// returns `None` if it is invalid.
    pub fn decode(bytes: &[u8], out: &mut Diagnostics) -> Option<Self> {
        let Some(word) = bytes.first_chunk() else {
            let end = crate::diagnostic::to_u32(bytes.len());
            let what = "the bytes end in the control word";
            out.report(&rules::TRUNCATED, Span::new(end, end + 1), what);
            return None;
        };
        let bytes = without_reserved_barriers(u64::from_le_bytes(*word), out).to_le_bytes();
        let mut this = Self::default();
        let mut decoder = Decoder::new(&bytes);
        let read = this.layout(&mut decoder);
        read.expect("every field of a control word has a meaning");
        if !decoder.skipped.is_empty() {
            let what = "bit 63 of the control word is set";
            out.report(&rules::RESERVED_BITS, Span::new(7, 8), what);
        }
        Some(this)
    }

    /// The fields, for display.
    #[must_use]
    pub fn fields(mut self, symbols: &dyn SymbolResolver) -> Vec<Field> {
        let mut describer = Describer::new(symbols);
        self.layout(&mut describer).expect("only decoders refuse");
        describer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lex;

    pub(crate) fn read(text: &str) -> (Option<Schedule>, Diagnostics) {
        let (mut lexemes, mut out) = (Vec::new(), Diagnostics::new());
        lex(text, &mut lexemes);
        let mut cursor = Cursor::new(text, &lexemes, crate::diagnostic::to_u32(text.len()));
        let schedule = Schedule::parse(&mut cursor, &mut out);
        assert!(out.has_errors() || cursor.at_end(), "{text}");
        (schedule, out)
    }

    #[test]
    fn fields_are_optional_and_ordered() {
        assert_eq!(read("").0, None);
        assert_eq!(read("?stall0").0, Some(Schedule::default()));
        let some = read("&req={2,0} &wr=5 ?stall2.yield.reuse3").0.unwrap();
        assert_eq!(
            (some.wait, some.write, some.read),
            (5, Barrier(Some(5)), Barrier(None))
        );
        assert_eq!((some.stall, some.yields, some.reuse), (2, true, 3));
        for bad in [
            "&req={6}",
            "&rd=6",
            "&wr=7",
            "&wr=-1",
            "&req=1",
            "&req={1",
            "&rd",
            "&xx=1",
            "?",
            "?stall16",
            "?yield",
            "?stall1.stall2",
            "&wr=0 &rd=1",
            "&rd=0 &rd=0",
            "?stall1 &wr=0",
        ] {
            let (schedule, out) = read(bad);
            assert!(schedule.is_none() && out.has_errors(), "{bad}");
        }
    }

    use crate::number::Random;

    #[test]
    fn valid_control_words_round_trip() {
        let mut random = Random::new(1);
        let mut seen = 0;
        for _ in 0..2000 {
            let word = random.bits() >> 1;
            let mut out = Diagnostics::new();
            let Some(control) = ControlWord::decode(&word.to_le_bytes(), &mut out) else {
                assert!(out.has_errors());
                continue;
            };
            if !out.is_empty() {
                // A reserved barrier is read as none, with a warning.
                assert_ne!(control.encode(), word.to_le_bytes());
                continue;
            }
            seen += 1;
            assert_eq!(control.encode(), word.to_le_bytes());
            for slot in control.slots {
                let mut text = String::new();
                slot.print(&mut text);
                assert_eq!(read(&text).0, Some(slot), "{text}");
            }
        }
        assert!(seen > 500, "{seen}");
    }
}

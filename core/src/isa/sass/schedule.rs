//! How one instruction is scheduled: a slot of a control word, and the fields
//! behind the operands.
//!
//! The document shows placeholders only (`&req`, `&rd`, `&wr`, `?`); the bits
//! are those of NVIDIA's own code, the notation is Lanewise's:
//! `&req={0,2} &rd=1 &wr=0 ?stall2.yield.reuse3`.

use crate::bits::{
    BitField, DecodeError, Decoder, Describer, Encoder, Field, SymbolResolver, Visitor,
};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, LexemeKind, OperandKind, Sink, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A barrier that an instruction sets: 0 to 5, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Barrier(pub Option<u8>);

/// How many barriers there are.
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

/// The barriers that are waited for, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Waits(u8);

impl Waits {
    fn barriers(self) -> impl Iterator<Item = u8> {
        (0..BARRIERS).filter(move |b| self.0 >> b & 1 == 1)
    }
}

impl BitField for Waits {
    fn to_bits(self) -> u64 {
        u64::from(self.0)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        u8::try_from(bits).ok().map(Self)
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        let barriers: Vec<String> = self.barriers().map(|b| format!("{b}")).collect();
        match barriers.as_slice() {
            [] => String::from("none"),
            some => format!("barriers {}", some.join(", ")),
        }
    }
}

/// The hint to let another warp go first; 0 gives it.
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

/// How one instruction is scheduled. It changes when things happen, never
/// what they do, so a run takes no notice of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// Cycles before the next instruction may issue, 0 to 15.
    pub stall: u8,
    /// Whether another warp had better go next.
    pub yields: bool,
    /// Set until the result is written.
    pub write: Barrier,
    /// Set until the sources are read.
    pub read: Barrier,
    /// Barriers to wait for, a bit each.
    pub wait: u8,
    /// Which operands' registers are kept for the next instruction, a bit each.
    pub reuse: u8,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            stall: 0,
            yields: false,
            write: Barrier(None),
            read: Barrier(None),
            wait: 0,
            reuse: 0,
        }
    }
}

impl Schedule {
    /// Its 21 bits.
    pub(super) fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let (mut hint, mut waits) = (Hint(self.yields), Waits(self.wait));
        let part = OperandKind::Schedule;
        v.field(part, "stall", 4, &mut self.stall)?;
        v.field(part, "yield", 1, &mut hint)?;
        v.field(part, "wr", 3, &mut self.write)?;
        v.field(part, "rd", 3, &mut self.read)?;
        v.field(part, "req", 6, &mut waits)?;
        v.field(part, "reuse", 4, &mut self.reuse)?;
        (self.yields, self.wait) = (hint.0, waits.0);
        Ok(())
    }

    /// Reads the fields behind the operands, each of which may be missing, in
    /// their order; `None` where there is none at all, or where one is wrong
    /// and a diagnostic is reported.
    pub fn parse(cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<Self> {
        let mut this = Self::default();
        let mut next = 0;
        while cursor.is_sign('&') || cursor.is_sign('?') {
            let start = cursor.here().start;
            let field = match this.parse_field(cursor) {
                Ok(field) => field,
                Err(what) => {
                    let span = cursor.since(start);
                    out.push(Diagnostic::new(&rules::SCHEDULING, span, what).help(
                        "write what you need of &req={0,2} &rd=1 &wr=0 ?stall2.yield.reuse3; barriers are 0 to 5",
                    ));
                    return None;
                }
            };
            if field < next {
                let span = cursor.since(start);
                let what = format!("`{}` comes too late", span.of(cursor.text()));
                let diagnostic = Diagnostic::new(&rules::SCHEDULING, span, what);
                out.push(diagnostic.help("each is written once, in this order: &req &rd &wr ?"));
                return None;
            }
            next = field + 1;
        }
        (next > 0).then_some(this)
    }

    /// Reads one field; its place in the order.
    fn parse_field(&mut self, cursor: &mut Cursor<'_>) -> Result<u8, String> {
        if cursor.sign('?').is_some() {
            return self.parse_stall(cursor).map(|()| 3);
        }
        cursor.advance();
        let (name, _) = cursor.name().unwrap_or_default();
        let field = ["req", "rd", "wr"]
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("`&{name}` is no scheduling field"))?;
        if cursor.sign('=').is_none() {
            return Err(format!("`&{name}` needs = and a value"));
        }
        if field == 0 {
            if cursor.sign('{').is_none() {
                return Err(String::from("&req takes a list in braces"));
            }
            while cursor.sign('}').is_none() {
                let barrier = barrier(cursor)?;
                if self.wait >> barrier & 1 == 1 {
                    return Err(format!("barrier {barrier} is in the list twice"));
                }
                self.wait |= 1 << barrier;
                if cursor.sign(',').is_none() && !cursor.is_sign('}') {
                    return Err(String::from("the list of &req does not end"));
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

    /// Reads `stall2.yield.reuse3`.
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
                        return Err(format!("`{word}` is a second reuse"));
                    }
                    (self.reuse, has_reuse) = (reuse, true);
                }
                _ if !first && word.eq_ignore_ascii_case("yield") => {
                    if self.yields {
                        return Err(String::from("yield is there twice"));
                    }
                    self.yields = true;
                }
                _ => {
                    return Err(format!(
                        "`{word}` is no stall count (stall0 to stall15), yield or reuse0 to reuse15"
                    ));
                }
            }
            first = false;
            if cursor.sign('.').is_none() {
                return Ok(());
            }
        }
    }

    /// Prints the fields that say something, each after a blank; the stall
    /// count always.
    pub fn print(&self, sink: &mut impl Sink) {
        let part = OperandKind::Schedule;
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

/// A barrier's number.
fn barrier(cursor: &mut Cursor<'_>) -> Result<u8, String> {
    let word = cursor.word();
    let is_number = cursor.peek().is_some_and(|l| l.kind == LexemeKind::Number);
    if is_number {
        cursor.advance();
    }
    let number = parse_integer(word).ok().and_then(|n| u8::try_from(n).ok());
    match number.filter(|n| is_number && *n < BARRIERS) {
        Some(number) => Ok(number),
        None => Err(format!("`{word}` is no barrier")),
    }
}

// ControlWord words.

/// Where the two barriers that an instruction sets lie in its slot.
const SET_BARRIERS: [(&str, u32); 2] = [("wr", 5), ("rd", 8)];

/// Bits of a slot.
const SLOT_BITS: u32 = 21;

/// A control word with no barrier where barrier 6 is set; a warning is reported.
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

/// Instructions of a group.
pub const SLOTS: usize = 3;

/// Bytes of a group: the control word, then the instructions.
pub const GROUP_BYTES: usize = 8 * (1 + SLOTS);

/// The control word of a group: one slot for each instruction.
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

    /// Its bytes.
    #[must_use]
    pub fn encode(mut self) -> [u8; 8] {
        let mut encoder = Encoder::default();
        self.layout(&mut encoder).expect("only decoders refuse");
        let encoded = encoder.finish();
        let bytes = encoded.bytes().first_chunk();
        *bytes.expect("a control word has 8 bytes")
    }

    /// Reads it from the start of `bytes`; `None` when they mean nothing, and
    /// a diagnostic is reported.
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

    /// Its fields, for a reader.
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
    fn every_word_with_a_meaning_comes_back_from_its_bytes_and_its_text() {
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

//! Pasted bytes, decoded.

use super::{
    Decoded, bytes_text, declarations_end, decode, hex, insert_lines, lacks_declarations, widen,
};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::bits::Field;
use lanewise_core::diagnostic::{Diagnostic, Diagnostics};
use lanewise_core::isa::sass::schedule::{ControlWord, SLOTS};
use lanewise_core::isa::{EncodingUnit, Instruction, Style, SymbolTable};
use lanewise_core::text::Rewritten;

/// Decoded pasted bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PasteResult {
    /// Why the text could not be parsed as bytes.
    pub wrong: Option<String>,
    pub items: Vec<PastedItem>,
    /// Declarations that the instructions require.
    pub declare: Vec<String>,
}

impl PasteResult {
    /// Inserts the instructions after the line that contains byte `after`, or at the
    /// end, and their declarations. Returns the text, with the caret after the last
    /// instruction, and the line of the first, from 1.
    #[must_use]
    pub fn insert_into(&self, text: &str, after: Option<usize>) -> (Rewritten, usize) {
        let mut text = String::from(text);
        let after = after.unwrap_or(text.len());
        let rest = text.get(after..).unwrap_or("");
        let at = rest.find('\n').map_or(text.len(), |end| after + end + 1);
        let declared = declarations_end(&text);
        // Declarations must come first.
        let mut at = at.max(declared);
        let items = self.items.iter();
        let items = items.filter(|item| item.instruction.is_some());
        let lines = || items.clone().map(|item| &*item.text);
        at += insert_lines(&mut text, at, lines());
        let declare = self.declare.iter().map(|line| &**line);
        at += insert_lines(&mut text, declared, declare);
        let start = at - lines().map(|line| line.len() + 1).sum::<usize>();
        let before = text.get(..start).unwrap_or("");
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (
            Rewritten {
                text,
                caret: at - 1,
            },
            line,
        )
    }
}

/// Item of the pasted bytes: an instruction, a control word, or undecodable
/// bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedItem {
    /// Location: `Bytes 0 to 29`, `Word 2`.
    pub place: String,
    pub digits: String,
    /// Instruction text; empty if undecodable.
    pub text: String,
    pub fields: Vec<Field>,
    /// Warnings, or why the bytes cannot be decoded.
    pub diagnostics: Vec<Diagnostic>,
    pub instruction: Option<Instruction>,
}

/// Maximum length of pasted text in characters.
const MAX_PASTED: usize = 64 << 10;

/// Maximum number of items shown.
const MAX_ITEMS: usize = 100;

/// Decodes pasted hexadecimal text, with the declarations that the instructions
/// require.
#[must_use]
pub fn find(typed: &str, names: &SymbolTable, style: Style) -> PasteResult {
    if typed.trim().is_empty() {
        return PasteResult::default();
    }
    let wrong = |wrong: String| PasteResult {
        wrong: Some(wrong),
        ..PasteResult::default()
    };
    let count = typed.chars().count();
    if count > MAX_PASTED {
        return wrong(format!(
            "the text has {count} characters; the maximum is {MAX_PASTED}"
        ));
    }
    let bytes = match hex::read(typed, names.target.facts().encoding_unit) {
        Ok(bytes) => bytes,
        Err(error) => return wrong(error),
    };
    let mut finder = Finder {
        names,
        style,
        found: PasteResult::default(),
        undeclared: false,
    };
    finder.all(&bytes);
    if !finder.undeclared {
        return finder.found;
    }
    let Some(widened) = widen(names) else {
        return finder.found;
    };
    let mut wide = Finder {
        names: &widened.names,
        found: PasteResult::default(),
        ..finder
    };
    wide.all(&bytes);
    let instructions = wide
        .found
        .items
        .iter()
        .filter_map(|i| i.instruction.clone());
    wide.found.declare = widened.needed(&instructions.collect::<Vec<_>>());
    wide.found
}

struct Finder<'a> {
    names: &'a SymbolTable,
    style: Style,
    found: PasteResult,
    /// Whether missing declarations are the only reason that bytes cannot be
    /// decoded.
    undeclared: bool,
}

impl Finder<'_> {
    fn all(&mut self, bytes: &[u8]) {
        match self.names.target.facts().encoding_unit {
            EncodingUnit::Byte => self.instructions(bytes),
            // A group starts with the control word that schedules the other
            // three.
            EncodingUnit::Word if bytes.len().is_multiple_of(8 * (1 + SLOTS)) => {
                for (index, group) in bytes.chunks(8 * (1 + SLOTS)).enumerate() {
                    self.group((1 + SLOTS) * index, group);
                }
            }
            EncodingUnit::Word => {
                for (index, word) in bytes.chunks(8).enumerate() {
                    self.word(index, word, None);
                }
            }
        }
    }

    fn is_full(&mut self) -> bool {
        let is_full = self.found.items.len() >= MAX_ITEMS;
        if is_full {
            self.found.wrong = Some(format!(
                "only the first {MAX_ITEMS} are shown; paste fewer at a time"
            ));
        }
        is_full
    }

    /// Decodes consecutive instructions until one cannot be decoded.
    fn instructions(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() && !self.is_full() {
            let rest = &bytes[at..];
            match decode(rest, self.names, self.style) {
                Ok(decoded) => {
                    let length = decoded.length.max(1);
                    let place = format!("Bytes {at} to {}", at + length - 1);
                    let own = rest.get(..length).unwrap_or(rest);
                    self.good(place, own, decoded);
                    at += length;
                }
                Err(diagnostics) => {
                    let place = format!("From byte {at} on");
                    self.bad(place, rest, &diagnostics);
                    return;
                }
            }
        }
    }

    fn group(&mut self, first: usize, group: &[u8]) {
        if self.is_full() {
            return;
        }
        let (head, words) = group.split_at(8.min(group.len()));
        let mut out = Diagnostics::new();
        let control = ControlWord::decode(head, &mut out);
        let place = format!("Word {}: control", first + 1);
        let diagnostics = out.into_vec();
        let mut item = self.item(place, head, &diagnostics);
        item.fields = control.map_or_else(Vec::new, |control| control.fields(&self.names.visa));
        self.found.items.push(item);
        for (index, word) in words.chunks(8).enumerate() {
            self.word(first + 1 + index, word, control.map(|c| (c, index)));
        }
    }

    fn word(&mut self, index: usize, word: &[u8], slot: Option<(ControlWord, usize)>) {
        if self.is_full() {
            return;
        }
        let place = format!("Word {}", index + 1);
        match decode(word, self.names, self.style) {
            Ok(mut decoded) => {
                if let Some((control, slot)) = slot {
                    let slot = control.slots.get(slot).copied();
                    decoded.instruction.set_schedule(slot);
                    decoded.text = decoded.instruction.text(self.names, self.style);
                }
                self.good(place, word, decoded);
            }
            Err(diagnostics) => self.bad(place, word, &diagnostics),
        }
    }

    fn item(&self, place: String, bytes: &[u8], diagnostics: &[Diagnostic]) -> PastedItem {
        PastedItem {
            place,
            digits: bytes_text(bytes, self.names.target.facts().encoding_unit),
            text: String::new(),
            fields: Vec::new(),
            diagnostics: diagnostics.to_vec(),
            instruction: None,
        }
    }

    fn good(&mut self, place: String, bytes: &[u8], decoded: Decoded) {
        let item = self.item(place, bytes, &decoded.diagnostics);
        self.found.items.push(PastedItem {
            text: decoded.text,
            fields: decoded.instruction.fields(self.names),
            instruction: Some(decoded.instruction),
            ..item
        });
    }

    fn bad(&mut self, place: String, bytes: &[u8], diagnostics: &[Diagnostic]) {
        self.undeclared |= lacks_declarations(diagnostics);
        // The first few undecodable bytes are enough to identify them.
        let shown = bytes.get(..bytes.len().min(8)).unwrap_or(bytes);
        let item = self.item(place, shown, diagnostics);
        self.found.items.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::program::Program;

    #[test]
    fn addresses_have_the_elements_of_the_platform() {
        let read = |platform: &str, bytes: &str| {
            let program = Program::parse(&format!(".target visa {platform}\n"));
            let found = find(bytes, &program.symbols, Style::Assembler);
            let codes = found.items.iter().flat_map(|item| &item.diagnostics);
            assert_eq!(codes.map(|d| d.rule.code).collect::<Vec<_>>(), [""; 0]);
            found.declare.last().cloned()
        };
        // `mov (M1, 32) V32(0,0)<1> r[A0(0),0]<1,0>:ud` and the same with 16 lanes.
        let wide = "29050000002000000000000002030000000000002001";
        let narrow = "29040000002000000000000002030000000000002001";
        let declared = |elements| Some(format!(".decl A0 v_type=A num_elts={elements}"));
        assert_eq!(read("XE3P", wide), declared(32));
        assert_eq!(read("DG2", narrow), declared(16));
    }
}

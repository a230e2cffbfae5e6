//! Pasted bytes: decoded, shown, and inserted into the program.

use super::{bytes_text, hex};
use crate::features::encoding::model::decode::{Decoded, decode, lacks_declarations, widen};
use crate::features::encoding::model::edit::{
    declarations_end, insert_lines, problems_of, style_of,
};
use crate::features::program::{Document, Problem, Source};
use crate::store::State;
use lanewise_core::bits::Field;
use lanewise_core::diagnostic::{Diagnostic, Diagnostics};
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::{ControlWord, SLOTS};
use lanewise_core::isa::{Family, Instruction, Style, SymbolTable, Target};
use std::rc::Rc;

/// Pasted text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pasted {
    /// Selected family; `None` for that of the program.
    family: Option<Family>,
    typed: Rc<str>,
    /// Line of the insertion, from 1, and the resulting text.
    inserted: Option<(usize, Rc<str>)>,
}

/// Decoded pasted bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PasteResult {
    /// Why the text could not be parsed as bytes.
    pub(crate) wrong: Option<Rc<str>>,
    pub(crate) items: Vec<Rc<PastedItem>>,
    /// Declarations that the instructions require.
    pub(crate) declare: Rc<[String]>,
}

/// Item of the pasted bytes: an instruction, a control word, or undecodable
/// bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PastedItem {
    /// Location: `Bytes 0 to 29`, `Word 2`.
    pub(crate) place: String,
    pub(crate) digits: String,
    /// Instruction text; empty if undecodable.
    pub(crate) text: String,
    pub(crate) fields: Rc<[Field]>,
    pub(crate) problems: Rc<[Problem]>,
    instruction: Option<Instruction>,
}

/// Model of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PasteForm {
    pub(crate) family: Family,
    pub(crate) typed: Rc<str>,
    pub(crate) found: PasteResult,
    /// Line of the insertion, from 1, until the text is edited.
    pub(crate) inserted: Option<usize>,
    /// Why the instructions cannot be inserted; empty if they can.
    pub(crate) refused: &'static str,
}

/// Maximum length of pasted text in characters.
const MAX_PASTED: usize = 64 << 10;

/// Maximum number of items shown.
const MAX_ITEMS: usize = 100;

impl PasteForm {
    /// Decodes pasted bytes in the context of a program.
    pub(crate) fn of(pasted: &Pasted, source: &Source) -> Self {
        let Document { program, text, .. } = &source.document;
        let own = program.symbols.target.family();
        let family = pasted.family.unwrap_or(own);
        let other;
        let names = if family == own {
            &program.symbols
        } else {
            other = SymbolTable::new(match family {
                Family::Visa => Target::default(),
                // The target that supports the most instructions.
                Family::Sass => Target::Sass(Chip::Sm60),
            });
            &other
        };
        let written = program.instructions.first();
        let style = written.map_or(Style::Assembler, |placed| {
            style_of(placed.spans.whole().of(text), &placed.instruction)
        });
        let found = find(&pasted.typed, names, style);
        let any = found.items.iter().any(|i| i.instruction.is_some());
        let refused = match (any, family == own, family) {
            (false, ..) => "There are no instructions to insert.",
            (true, true, _) => "",
            (true, false, Family::Visa) => "The program is SASS, but these are vISA instructions.",
            (true, false, Family::Sass) => "The program is vISA, but these are SASS instructions.",
        };
        let inserted = pasted.inserted.as_ref();
        Self {
            family,
            typed: Rc::clone(&pasted.typed),
            found,
            inserted: inserted
                .filter(|(_, then)| then == text)
                .map(|(line, _)| *line),
            refused,
        }
    }
}

impl State {
    pub(crate) fn paste_encodings_for(&mut self, family: Family) {
        self.encoding.pasted.family = Some(family);
    }

    pub(crate) fn paste_encodings(&mut self, typed: &str) {
        self.encoding.pasted.typed = Rc::from(typed);
        self.encoding.pasted.inserted = None;
    }

    /// Inserts the pasted instructions after the current one, or at the end.
    pub(crate) fn insert_pasted_instructions(&mut self) {
        let form = PasteForm::of(&self.encoding.pasted, &self.source);
        if !form.refused.is_empty() || self.is_read_only() {
            return;
        }
        let mut text = self.source.document.text.to_string();
        let range = (self.encoding_inputs().instruction()).and_then(|current| current.range);
        let end = range.map_or(text.len(), |(_, end)| end);
        let rest = text.get(end..).unwrap_or("");
        let mut at = rest.find('\n').map_or(text.len(), |line| end + line + 1);
        let declared = declarations_end(&text);
        // Declarations must come first.
        at = at.max(declared);
        let items = form.found.items.iter();
        let lines = items.filter(|item| item.instruction.is_some());
        let lines: String = lines.flat_map(|item| [&*item.text, "\n"]).collect();
        at += insert_lines(&mut text, at, &lines);
        let declare = form.found.declare.iter();
        let declare: String = declare.flat_map(|line| [&**line, "\n"]).collect();
        at += insert_lines(&mut text, declared, &declare);
        let before = text.get(..at - lines.len()).unwrap_or("");
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        // After the last inserted line.
        self.rewrite(&text, at - 1);
        self.encoding.pasted.inserted = Some((line, self.text()));
    }
}

fn find(typed: &str, names: &SymbolTable, style: Style) -> PasteResult {
    if typed.trim().is_empty() {
        return PasteResult::default();
    }
    let wrong = |wrong: String| PasteResult {
        wrong: Some(Rc::from(wrong)),
        ..PasteResult::default()
    };
    let count = typed.chars().count();
    if count > MAX_PASTED {
        return wrong(format!(
            "the text has {count} characters; the maximum is {MAX_PASTED}"
        ));
    }
    let family = names.target.family();
    let bytes = match hex::read(typed, family) {
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
    wide.found.declare = widened.needed(&instructions.collect::<Vec<_>>()).into();
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
        match self.names.target.family() {
            Family::Visa => self.instructions(bytes),
            // A group starts with the control word that schedules the other
            // three.
            Family::Sass if bytes.len().is_multiple_of(8 * (1 + SLOTS)) => {
                for (index, group) in bytes.chunks(8 * (1 + SLOTS)).enumerate() {
                    self.group((1 + SLOTS) * index, group);
                }
            }
            Family::Sass => {
                for (index, word) in bytes.chunks(8).enumerate() {
                    self.word(index, word, None);
                }
            }
        }
    }

    fn is_full(&mut self) -> bool {
        let is_full = self.found.items.len() >= MAX_ITEMS;
        if is_full {
            self.found.wrong = Some(Rc::from(format!(
                "only the first {MAX_ITEMS} are shown; paste fewer at a time"
            )));
        }
        is_full
    }

    /// Decodes consecutive instructions until one cannot be decoded.
    fn instructions(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() && !self.is_full() {
            let rest = bytes.get(at..).unwrap_or(&[]);
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
        item.fields = control
            .map_or_else(Vec::new, |control| control.fields(self.names))
            .into();
        self.found.items.push(Rc::new(item));
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
            digits: bytes_text(bytes, self.names.target.family()),
            text: String::new(),
            fields: Rc::from([]),
            problems: problems_of(diagnostics),
            instruction: None,
        }
    }

    fn good(&mut self, place: String, bytes: &[u8], decoded: Decoded) {
        let item = self.item(place, bytes, &decoded.diagnostics);
        self.found.items.push(Rc::new(PastedItem {
            text: decoded.text,
            fields: decoded.instruction.fields(self.names).into(),
            instruction: Some(decoded.instruction),
            ..item
        }));
    }

    fn bad(&mut self, place: String, bytes: &[u8], diagnostics: &[Diagnostic]) {
        self.undeclared |= lacks_declarations(diagnostics);
        // The first few undecodable bytes are enough to identify them.
        let shown = bytes.get(..bytes.len().min(8)).unwrap_or(bytes);
        let item = self.item(place, shown, diagnostics);
        self.found.items.push(Rc::new(item));
    }
}

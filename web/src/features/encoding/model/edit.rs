//! Digits that were typed, and the text that follows from them.

use super::{EditedPart, Encoding, hex};
use crate::features::encoding::model::decode::{Decoded, decode, lacks_declarations, widen};
use crate::features::program::{LineIndex, Problem};
use crate::store::State;
use lanewise_core::diagnostic::{Diagnostic, Diagnostics, Severity};
use lanewise_core::isa::sass::schedule::Control;
use lanewise_core::isa::{Family, Instruction, Style, SymbolTable};
use std::rc::Rc;

/// What was typed last, until the text or the current instruction changes.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) place: EditedPart,
    pub(crate) typed: Rc<str>,
    /// What is wrong with it, or worth knowing.
    pub(crate) problems: Rc<[Problem]>,
    /// Why it is no number, if it is none.
    pub(crate) wrong: Option<Rc<str>>,
    /// What of it the text cannot say.
    pub(crate) remark: Option<Rc<str>>,
    /// What could be declared so that it has a reading.
    pub(crate) declare: Rc<[String]>,
    /// The text for which it was typed, or which follows from it.
    pub(super) text: Rc<str>,
    /// The current instruction, by its index.
    pub(super) index: usize,
    /// The instruction it decodes to, and where in the text that is written.
    pub(super) instruction: Option<(Instruction, (usize, usize))>,
}

impl Draft {
    /// Whether it encodes nothing that can be written.
    pub(crate) fn is_wrong(&self) -> bool {
        self.wrong.is_some() || self.problems.iter().any(|p| p.severity == Severity::Error)
    }
}

/// What became of something typed.
enum Read {
    Good(Decoded),
    /// No number, or one that does not fit.
    Wrong(String),
    /// Bytes without a reading.
    ParseError(Vec<Diagnostic>, Vec<u8>),
}

/// The spelling that a text has.
pub(crate) fn style_of(text: &str, instruction: &Instruction) -> Style {
    let spec = instruction.spec();
    let document = match spec.family {
        Family::Visa => text.contains(spec.name),
        Family::Sass => text.trim_end().ends_with(';'),
    };
    if document {
        Style::Document
    } else {
        Style::Assembler
    }
}

/// What the text leaves out of an encoding: bits that mean nothing where they
/// stand, such as how a predicate is combined when there is none.
fn lost_bits(typed: &[u8], written: &Encoding) -> Option<String> {
    let bytes = written.bytes();
    let mut pairs = typed.iter().zip(&bytes);
    let first = pairs.position(|(typed, written)| typed != written)?;
    let is_hit = |field: &&lanewise_core::bits::Field| {
        (field.first_bit + field.width).div_ceil(8) as usize > first
    };
    let fields = written.fields();
    let name = fields.iter().find(is_hit).map_or("", |field| field.name);
    let written = bytes.get(first)?;
    Some(format!(
        "No text says this value of byte {first} ({name}) here: the text encodes \
         {written:02x}."
    ))
}

/// What diagnostics say, for a list.
pub(crate) fn problems_of(diagnostics: &[Diagnostic]) -> Rc<[Problem]> {
    let nowhere = LineIndex::new(Rc::from(""));
    let problems = diagnostics.iter().map(|d| Problem::new(d, &nowhere));
    problems.collect()
}

/// Puts the `width` low bits of `bits` into bytes, at a bit.
fn put(bytes: &mut [u8], first: u32, width: u32, bits: u64) {
    for offset in 0..width {
        let at = first + offset;
        let Some(byte) = bytes.get_mut(at as usize / 8) else {
            return;
        };
        let mask = 1 << (at % 8);
        match bits >> offset & 1 {
            1 => *byte |= mask,
            _ => *byte &= !mask,
        }
    }
}

impl State {
    pub(crate) fn retype(&mut self, place: EditedPart, typed: &str) {
        let (Some(encoding), Some(index)) = (self.encoding(), self.session.current_instruction())
        else {
            return;
        };
        let Some(range) = encoding.range else {
            return;
        };
        let mut draft = Draft {
            place,
            typed: Rc::from(typed),
            problems: Rc::from([]),
            wrong: None,
            remark: None,
            declare: Rc::from([]),
            text: self.text(),
            index,
            instruction: self.drafted(),
        };
        let old = self
            .source
            .document
            .text
            .get(range.0..range.1)
            .unwrap_or("");
        let style = style_of(old, &encoding.instruction);
        match read(&encoding, &encoding.program.symbols, place, typed, style) {
            Read::Good(decoded) => {
                draft.problems = problems_of(&decoded.diagnostics);
                if !encoding.is_like(&decoded.instruction) {
                    let end = self.write(range, &decoded.text);
                    draft.instruction = Some((decoded.instruction, (range.0, end)));
                    draft.text = self.text();
                    draft.remark = self.written_at_hand().and_then(|(_, now)| {
                        let typed = decoded.instruction.encode();
                        let changed = lost_bits(typed.bytes(), &now);
                        changed.map(Rc::from)
                    });
                }
            }
            Read::Wrong(wrong) => draft.wrong = Some(Rc::from(wrong)),
            Read::ParseError(diagnostics, bytes) => {
                draft.problems = problems_of(&diagnostics);
                draft.declare = Rc::from(offered(&encoding, &diagnostics, &bytes));
            }
        }
        self.encoding.draft = Some(draft);
    }

    /// Puts text in the place of other text; where it ends now.
    fn write(&mut self, range: (usize, usize), with: &str) -> usize {
        let mut text = self.source.document.text.to_string();
        text.replace_range(range.0..range.1, with);
        let end = range.0 + with.len();
        self.rewrite(&text, end);
        end
    }

    /// Declares what the typed bytes lack, and writes them.
    pub(crate) fn declare_drafted(&mut self) {
        let Some(draft) = self.draft().cloned() else {
            return;
        };
        if draft.declare.is_empty() {
            return;
        }
        let (Some(encoding), Some(widened)) = (
            self.encoding(),
            widen(&self.source.document.program.symbols),
        ) else {
            return;
        };
        let Some(range) = encoding.range else {
            return;
        };
        let old = self
            .source
            .document
            .text
            .get(range.0..range.1)
            .unwrap_or("");
        let style = style_of(old, &encoding.instruction);
        let names = &widened.names;
        let read = read(&encoding, names, draft.place, &draft.typed, style);
        let Read::Good(decoded) = read else {
            return;
        };
        let mut text = self.source.document.text.to_string();
        text.replace_range(range.0..range.1, &decoded.text);
        let at = declarations_end(&text);
        let lines = draft
            .declare
            .iter()
            .fold(String::new(), |lines, line| lines + line + "\n");
        let added = insert_lines(&mut text, at, &lines);
        let shift = if at <= range.0 { added } else { 0 };
        let (start, end) = (range.0 + shift, range.0 + shift + decoded.text.len());
        self.rewrite(&text, end);
        self.encoding.draft = Some(Draft {
            problems: problems_of(&decoded.diagnostics),
            declare: Rc::from([]),
            text: self.text(),
            instruction: Some((decoded.instruction, (start, end))),
            ..draft
        });
    }
}

/// The declarations with which bytes would have a reading.
fn offered(encoding: &Encoding, diagnostics: &[Diagnostic], bytes: &[u8]) -> Vec<String> {
    let widened = if lacks_declarations(diagnostics) {
        widen(&encoding.program.symbols)
    } else {
        None
    };
    let needed = widened.and_then(|widened| {
        let decoded = decode(bytes, &widened.names, Style::Document).ok()?;
        Some(widened.needed(&[decoded.instruction]))
    });
    needed.unwrap_or_default()
}

/// Puts whole lines into a text, where a line starts or the text ends; how
/// many bytes that are.
pub(crate) fn insert_lines(text: &mut String, at: usize, lines: &str) -> usize {
    let before = text.len();
    let ended = at == 0 || text.get(..at).is_some_and(|text| text.ends_with('\n'));
    text.insert_str(at, lines);
    if !ended && !lines.is_empty() {
        text.insert(at, '\n');
    }
    text.len() - before
}

/// Where declarations are added: behind the last one, or behind what may only
/// come before them.
pub(crate) fn declarations_end(text: &str) -> usize {
    let (mut at, mut end, mut lead) = (0, None, true);
    for line in text.split_inclusive('\n') {
        at += line.len();
        let word = line.split_ascii_whitespace().next().unwrap_or("");
        let word = word.to_ascii_lowercase();
        let before = [".target", ".title", ".note"].contains(&&*word);
        lead &= before || word.is_empty() || word.starts_with("//");
        if word == ".decl" || (lead && before) {
            end = Some(at);
        }
    }
    end.unwrap_or(0)
}

/// What was typed, read in its place.
fn read(
    encoding: &Encoding,
    names: &SymbolTable,
    place: EditedPart,
    typed: &str,
    style: Style,
) -> Read {
    match typed_bytes(encoding, place, typed) {
        Ok(TypedBits::Bytes(bytes)) => read_bytes(encoding, names, &bytes, style),
        Ok(TypedBits::Slot(bits)) => read_slot(encoding, names, bits, style),
        Err(wrong) => Read::Wrong(wrong),
    }
}

enum TypedBits {
    Bytes(Vec<u8>),
    Slot(u64),
}

fn typed_bytes(
    encoding: &Encoding,
    place: EditedPart,
    typed: &str,
) -> Result<TypedBits, hex::Wrong> {
    let family = encoding.family();
    match place {
        EditedPart::Whole => {
            let bytes = hex::read(typed, family)?;
            match family {
                Family::Sass if bytes.len() > 8 => Err(format!(
                    "there are {} words; write one here, or use Decode bytes",
                    bytes.len() / 8
                )),
                _ => Ok(TypedBits::Bytes(bytes)),
            }
        }
        EditedPart::Slot => hex::number(typed, super::SLOT_BITS).map(TypedBits::Slot),
        EditedPart::Field(index) => {
            let fields = encoding.fields();
            let of_slot = index.checked_sub(fields.len());
            let slot = encoding.slot_fields();
            let field = fields.get(index).or_else(|| slot.get(of_slot?));
            let field = field.ok_or("there is no such field")?;
            let bits = hex::number(typed, field.width)?;
            if of_slot.is_some() {
                let mut slot = encoding.slot_bits().to_le_bytes();
                put(&mut slot, field.first_bit, field.width, bits);
                return Ok(TypedBits::Slot(u64::from_le_bytes(slot)));
            }
            let mut bytes = encoding.bytes();
            put(&mut bytes, field.first_bit, field.width, bits);
            Ok(TypedBits::Bytes(bytes))
        }
    }
}

fn read_bytes(encoding: &Encoding, names: &SymbolTable, bytes: &[u8], style: Style) -> Read {
    let mut decoded = match decode(bytes, names, style) {
        Ok(decoded) => decoded,
        Err(diagnostics) => return Read::ParseError(diagnostics, bytes.to_vec()),
    };
    let left = bytes.len() - decoded.length;
    if left > 0 {
        return Read::Wrong(format!(
            "the instruction ends after {} bytes; take away the {left} that follow, or use \
             Decode bytes",
            decoded.length
        ));
    }
    // A word does not say when it issues; the text goes on saying it.
    if let Some(schedule) = encoding.instruction.schedule() {
        decoded.instruction.set_schedule(Some(schedule));
        decoded.text = decoded.instruction.text(names, style);
    }
    Read::Good(decoded)
}

fn read_slot(encoding: &Encoding, names: &SymbolTable, bits: u64, style: Style) -> Read {
    let mut out = Diagnostics::new();
    let control = Control::decode(&bits.to_le_bytes(), &mut out);
    let Some(control) = control.filter(|_| encoding.instruction.is_scheduled()) else {
        return Read::ParseError(out.into_vec(), Vec::new());
    };
    let [slot, ..] = control.slots;
    let mut instruction = encoding.instruction;
    instruction.set_schedule(Some(slot));
    Read::Good(Decoded {
        instruction,
        length: 0,
        text: instruction.text(names, style),
        diagnostics: out.into_vec(),
    })
}

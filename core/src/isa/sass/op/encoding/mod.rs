//! Machine words of SM50 to SM62, by the rows of a table, printed as nvdisasm prints them.
//!
//! A row says where the words and operands of an opcode are in its 64 bits. ATOM and RED have their own instructions,
//! which are not here.

mod fields;
mod number;
mod table;

use crate::diagnostic::Diagnostics;
use crate::isa::sass::chip::Chip;
use crate::isa::{Instruction, Style, SymbolTable, Target};
use crate::number::little_endian;
use alloc::string::String;
use alloc::vec::Vec;
use fields::{Context, SIGN, WordForm, WordSlot, get};
use table::ROWS;

/// Where the parts of an opcode are in a word.
#[derive(Clone, Copy, Debug)]
struct EncodedOp {
    name: &'static str,
    /// The upper 16 bits, by [`WordForm`]; 0 for a form that does not exist.
    opcodes: [u16; 4],
    /// The bits that tell the row, those of the opcode and others, and the values of the others.
    mask: u64,
    fixed: u64,
    /// Whether an instruction may have a guard.
    is_guarded: bool,
    /// Whether sources of a word may stay in the operand cache.
    caches: fn(u64) -> bool,
    /// The first chip that has it.
    since: Chip,
    /// Fields with their words, in the order in which they are printed: `-` is none, `!` a value
    /// without a meaning.
    words: &'static [(u64, &'static str)],
    operands: &'static [WordSlot],
}

/// Guard of a word.
const GUARD: WordSlot = WordSlot::condition(16).omitted(7);

/// An instruction that was read from a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, as nvdisasm prints it.
    pub text: String,
    /// Bits that are set and that no row knows; nvdisasm ignores them.
    pub ignored: u64,
    /// The address in the function that its last operand is.
    pub target: Option<i64>,
}

/// Words of a list with their values.
fn choices(list: &'static str) -> impl Iterator<Item = (u64, &'static str)> {
    let words = (0..).zip(list.split(' '));
    words.filter(|(_, word)| *word != "!")
}

impl EncodedOp {
    fn opcode(&self, form: WordForm) -> Option<u64> {
        let upper = self.opcodes[form as usize];
        (upper != 0).then_some(u64::from(upper) << 48 | self.fixed)
    }

    /// Bits that tell a form, without those of its operands.
    const fn mask(&self, form: WordForm) -> u64 {
        let sign = if matches!(form, WordForm::Number) {
            SIGN
        } else {
            0
        };
        self.mask & !(self.operand_bits(form) | sign)
    }

    const fn operand_bits(&self, form: WordForm) -> u64 {
        let (mut bits, mut at) = (0, 0);
        while at < self.operands.len() {
            bits |= self.operands[at].bits(form);
            at += 1;
        }
        bits
    }

    fn form(&self, word: u64) -> Option<WordForm> {
        let matches = |form: &WordForm| {
            self.opcode(*form)
                .is_some_and(|opcode| (word ^ opcode) & self.mask(*form) == 0)
        };
        WordForm::ALL.into_iter().find(matches)
    }

    fn print(&self, word: u64, form: WordForm, context: &Context) -> Option<Decoded> {
        let context = &Context {
            reuse: if (self.caches)(word) {
                context.reuse
            } else {
                0
            },
            ..*context
        };
        let mut known = self.mask(form) | self.operand_bits(form);
        let mut text = String::new();
        if self.is_guarded {
            known |= GUARD.bits(form);
            if let Some(guard) = GUARD.print(word, form, context)? {
                text = alloc::format!("@{guard} ");
            }
        }
        text.push_str(self.name);
        for (mask, list) in self.words {
            known |= mask;
            let value = get(word, *mask);
            let (_, found) = choices(list).find(|(choice, _)| *choice == value)?;
            if found != "-" {
                text.push('.');
                text.push_str(found);
            }
        }
        let mut target = None;
        let mut separator = " ";
        for slot in self.operands {
            if let Some(operand) = slot.print(word, form, context)? {
                text.push_str(separator);
                text.push_str(&operand);
                separator = ", ";
                target = slot.target(word, context);
            }
        }
        let ignored = word & !known;
        Some(Decoded {
            text,
            ignored,
            target,
        })
    }
}

/// Reads ATOM and RED, whose fields are those of their own instructions.
fn decode_atomic(word: u64, chip: Chip) -> Option<Decoded> {
    let symbols = SymbolTable::new(Target::Sass(chip));
    let mut diagnostics = Diagnostics::new();
    let read = Instruction::decode(&word.to_le_bytes(), &symbols, &mut diagnostics);
    let (instruction, _) = read
        .ok()
        .filter(|(instruction, _)| instruction.has_encoding())?;
    let text = instruction.text(&symbols, Style::Assembler);
    let again = little_endian(instruction.encode().bytes());
    Some(Decoded {
        text,
        ignored: word ^ again,
        target: None,
    })
}

/// Reads the word at an address of a function; `reuse` has the bits of its operand cache, as
/// in a control word. `None` if no row has it, or a field has a value without a meaning.
#[must_use]
pub fn decode(word: u64, address: u32, reuse: u8, chip: Chip) -> Option<Decoded> {
    let context = Context {
        address,
        reuse,
        chip,
    };
    let rows = ROWS.iter().filter(|row| row.since <= chip);
    let mut found = rows.filter_map(|row| row.print(word, row.form(word)?, &context));
    found.next().or_else(|| decode_atomic(word, chip))
}

/// The forms of an opcode, without words: the bits that are always the same, and those that
/// may vary.
#[must_use]
pub fn forms(name: &str, chip: Chip) -> Vec<(u64, u64)> {
    let rows = ROWS
        .iter()
        .filter(|row| row.name.split('.').next() == Some(name) && row.since <= chip);
    let forms = rows.flat_map(|row| {
        WordForm::ALL.into_iter().filter_map(|form| {
            let opcode = row.opcode(form)?;
            let words = row.words.iter().fold(0, |bits, (mask, _)| bits | mask);
            let guard = if row.is_guarded { GUARD.bits(form) } else { 0 };
            Some((opcode, words | row.operand_bits(form) | guard))
        })
    });
    forms.collect()
}

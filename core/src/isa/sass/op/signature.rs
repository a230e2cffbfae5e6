//! Syntax of a row: names and samples of its operands.

use super::memory::Window;
use super::special::SpecialKind;
use super::words::{SassModifiers, Word, WordSet};
use super::{Class, OperandSlot, SassOp};
use crate::isa::schema::SyntaxPiece;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Most words that a syntax line lists.
const MAX_LISTED: usize = 4;

/// An operand of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotName {
    pub part: SyntaxPart,
    /// Its name in the summary: `a`.
    pub name: &'static str,
    /// Whether it may be missing.
    pub is_optional: bool,
    /// An operand that parses.
    pub sample: &'static str,
    /// Description, as signature help shows it.
    pub what: &'static str,
}

impl SassOp {
    /// A word of each choice that some words leave open.
    pub fn missing_words(&self, words: &[Word]) -> impl Iterator<Item = (&'static str, Word)> {
        let is_open = |(index, choice): &(usize, &WordSet)| {
            let before = self.choices.iter().take(*index);
            let before = before.filter(|other| other == choice).count();
            words.iter().filter(|word| choice.has(**word)).count() <= before
        };
        let open = self.choices.iter().enumerate().filter(is_open);
        open.filter_map(|(_, choice)| Word::all().find(|(_, word)| choice.has(*word)))
    }

    /// The operands in their order, with words.
    #[must_use]
    pub fn slots(&self, modifiers: &SassModifiers) -> Vec<SlotName> {
        let slots = (self.operands)(modifiers);
        let slot = |(index, slot): (usize, &OperandSlot)| {
            let before = slots.iter().take(index);
            let part = slot.part(before.filter(|other| other.parts() == slot.parts()).count());
            let (sample, what) = self.sample(*slot);
            SlotName {
                part,
                name: match part {
                    SyntaxPart::Address => "[address]",
                    SyntaxPart::Offsets => "[from]",
                    SyntaxPart::Label => "label",
                    SyntaxPart::Name => "name",
                    SyntaxPart::Ignored => "…",
                    part => self.spec.letter(part),
                },
                is_optional: slot.is_optional() || *slot == OperandSlot::Any,
                sample,
                what,
            }
        };
        slots.iter().enumerate().map(slot).collect()
    }

    fn sample(&self, slot: OperandSlot) -> (&'static str, &'static str) {
        match slot {
            OperandSlot::D(kind) if kind.bytes() == 8 => ("R0", "destination, two registers"),
            OperandSlot::D(_) | OperandSlot::MaybeD(_) => ("R0", "destination register"),
            OperandSlot::Four => ("R0", "destination, four registers"),
            OperandSlot::LowerWords => ("R0", "destination of the lower four words"),
            OperandSlot::UpperWords => ("R4", "destination of the upper four words"),
            OperandSlot::WordMask => ("0xff", "mask of the words that have registers"),
            OperandSlot::P | OperandSlot::MaybeP => ("P0", "destination predicate"),
            OperandSlot::Q | OperandSlot::MaybeQ | OperandSlot::MaybeTrue => {
                ("PT", "source predicate")
            }
            OperandSlot::S(kind) | OperandSlot::Maybe(kind) if kind.bytes() == 8 => (
                "R2",
                "source of 64 bits: two registers, a constant or a number",
            ),
            OperandSlot::S(_) | OperandSlot::Maybe(_) | OperandSlot::Constant => {
                ("R2", "source: a register, a constant or a number")
            }
            OperandSlot::MaybeR => ("RZ", "mask of lanes"),
            OperandSlot::Quad => ("R4", "source, four registers"),
            OperandSlot::Unused(written) => (written, "predicate that is not used"),
            OperandSlot::ConstantQuad => ("c[0x0][0x380]", "constant, four words"),
            OperandSlot::Indexed => ("R2 -0x10", "address relative to the next instruction"),
            OperandSlot::MaybeCode => ("CC.NE", "condition of the condition code"),
            OperandSlot::Address => match self.class {
                Class::Memory(kind) if matches!(kind.window, Window::Global | Window::Generic) => {
                    ("[R2.64]", "address of each lane, two registers")
                }
                _ => ("[R2]", "address of each lane"),
            },
            OperandSlot::From => (
                "[R2.64]",
                "address from which each lane copies, two registers",
            ),
            OperandSlot::Callee => ("R2 0x0", "address of a function in a register"),
            OperandSlot::Label | OperandSlot::MaybeLabel => {
                ("0x0", "label or address of an instruction")
            }
            OperandSlot::Name => match self.class {
                Class::Special(SpecialKind::Register) => ("SR_TID.X", "special register"),
                Class::Special(SpecialKind::BarrierMove) => ("B0", "convergence barrier"),
                Class::Special(_) => ("PR", "all predicates"),
                _ => ("B0", "convergence barrier"),
            },
            OperandSlot::Ignored | OperandSlot::Any => ("", "no effect"),
        }
    }

    /// The words that it executes.
    pub fn word_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        Word::all().filter_map(|(name, word)| self.words.has(word).then_some(name))
    }

    /// The pieces of its syntax line.
    #[must_use]
    pub fn pieces(&self, modifiers: &SassModifiers) -> Vec<SyntaxPiece> {
        let piece = |part, text: String| SyntaxPiece { part, text };
        let mut pieces = Vec::from([
            piece(SyntaxPart::Predicate, String::from("[@[!]p] ")),
            piece(SyntaxPart::Opcode, String::from(self.spec.name)),
        ]);
        let words: Vec<&str> = self.word_names().collect();
        let words = match words.len() {
            ..=MAX_LISTED => words.iter().map(|word| format!("[.{word}]")).collect(),
            _ => String::from("[.words]"),
        };
        pieces.push(piece(SyntaxPart::Operation, words));
        let mut comma = " ";
        for slot in self.slots(modifiers) {
            let name = slot.name;
            pieces.push(piece(
                slot.part,
                match slot.is_optional {
                    true => format!("[{comma}{name}]"),
                    false => format!("{comma}{name}"),
                },
            ));
            comma = ", ";
        }
        pieces
    }

    /// Operands that complete a line, from an index on.
    #[must_use]
    pub fn samples(&self, modifiers: &SassModifiers, from: usize) -> String {
        let slots = self.slots(modifiers).into_iter();
        let needed = slots.filter(|slot| !slot.is_optional).skip(from);
        needed
            .map(|slot| slot.sample)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

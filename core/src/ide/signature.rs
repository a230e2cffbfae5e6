//! Signature help: the syntax of an instruction with the piece at the caret.

use super::line::{Line, count_operands};
use crate::diagnostic::{Span, to_u32};
use crate::isa::sass::op::operand::split_operands;
use crate::isa::sass::op::words::{SassModifiers, Word};
use crate::isa::sass::op::{self, SassInstruction, SassLine, is_of_table};
use crate::isa::schema::SyntaxPiece;
use crate::isa::{Instruction, Spec, Style, find_mnemonic};
use crate::program::Program;
use crate::text::{Lexeme, LexemeKind, SyntaxPart};
use alloc::string::String;
use alloc::vec::Vec;

/// The syntax of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The pieces of the syntax line; concatenate them to get the line.
    pub pieces: Vec<SyntaxPiece>,
    /// Index of the piece at the caret; `None` after the last.
    pub active: Option<usize>,
    /// Description of that piece; empty if its name is enough.
    pub what: &'static str,
}

/// Returns the syntax of the instruction at byte `offset`, valid or not, in a
/// spelling; `None` outside instructions.
#[must_use]
pub fn signature(program: &Program, text: &str, offset: usize, style: Style) -> Option<Signature> {
    let offset = text.floor_char_boundary(offset);
    let line = Line::at(text, offset);
    let at = to_u32(offset);
    if line.comment_at(text, at).is_some() {
        return None;
    }
    let family = program.symbols.target.family();
    let mnemonic = find_mnemonic(&line.cursor(text), family)?;
    if let Some(found) = of_table(program, text, &line, mnemonic, at) {
        return Some(found);
    }
    let spec = Instruction::named(family, mnemonic.of(text))?;
    let after: Vec<Lexeme> = line
        .lexemes
        .iter()
        .filter(|l| mnemonic.end <= l.span.start && l.span.start < at)
        .copied()
        .collect();
    let active = if at < mnemonic.start {
        Active::Predicate
    } else if at <= mnemonic.end {
        Active::Mnemonic
    } else {
        active(&after, spec, mnemonic.end, at)
    };
    let pieces = spec.syntax.pieces(spec, style);
    let (index, what) = found(spec, &pieces, active);
    Some(Signature {
        pieces,
        active: index,
        what,
    })
}

/// The syntax of an instruction that the opcode table of SASS reads.
fn of_table(
    program: &Program,
    text: &str,
    line: &Line,
    mnemonic: Span,
    at: u32,
) -> Option<Signature> {
    let chip = program.symbols.target.chip()?;
    let word = mnemonic.of(text);
    let (row, _) = op::named(word, chip).filter(|_| {
        let is_launch = program.launch.is_some();
        is_of_table(word, chip, is_launch)
    })?;
    let whole = SassLine::split(line.span.of(text));
    let words = whole.mnemonic.split('.').skip(1).filter_map(Word::named);
    let modifiers = SassModifiers::new(&words.collect::<Vec<_>>());
    let end = mnemonic.start + to_u32(whole.mnemonic.len());
    let active = match () {
        () if at < mnemonic.start => Some(SyntaxPart::Predicate),
        () if at <= mnemonic.end => Some(SyntaxPart::Opcode),
        () if at <= end => Some(SyntaxPart::Operation),
        () => {
            let before = Span::new(end, at).of(text);
            let index = split_operands(before).len().max(1) - 1;
            let index = index + usize::from(before.trim_end().ends_with(','));
            let read = SassInstruction::parse(line.span.of(text), chip).ok();
            let written = read.and_then(|read| read.parts().nth(index));
            let slots = row.slots(&modifiers).into_iter();
            let mut needed = slots.filter(|slot| !slot.is_optional);
            written.or_else(|| needed.nth(index).map(|slot| slot.part))
        }
    };
    let mut pieces = row.pieces(&modifiers);
    // A uniform twin has another name.
    for piece in &mut pieces {
        if piece.part == SyntaxPart::Opcode {
            piece.text = String::from(word);
        }
    }
    let slots = row.slots(&modifiers);
    let slot = slots.iter().find(|slot| Some(slot.part) == active);
    Some(Signature {
        active: active.and_then(|active| pieces.iter().position(|piece| piece.part == active)),
        pieces,
        what: slot.map_or("", |slot| slot.what),
    })
}

/// The part of a line at the caret.
#[derive(Clone, Copy)]
enum Active {
    Predicate,
    Mnemonic,
    Suffix(usize),
    Size,
    Operand(usize),
}

/// Finds the part at caret `at`, after the mnemonic that ends at `end`.
fn active(after: &[Lexeme], spec: &Spec, end: u32, at: u32) -> Active {
    let mut glued_to = end;
    let glued = after.iter().take_while(|l| {
        let glued = l.span.start == glued_to && l.kind != LexemeKind::Punct('(');
        glued_to = if glued { l.span.end } else { glued_to };
        glued
    });
    let suffixes = glued.count();
    let is = |sign: char| move |l: &&Lexeme| l.kind == LexemeKind::Punct(sign);
    if suffixes == after.len() && at <= glued_to {
        let dots = after.iter().filter(is('.')).count();
        return Active::Suffix(dots.saturating_sub(1));
    }
    let rest = after.get(suffixes..).expect("as many were counted");
    if !spec.family.facts().has_execution_sizes {
        return Active::Operand(rest.iter().filter(is(',')).count());
    }
    let Some(close) = rest.iter().position(|l| is(')')(&l)) else {
        return Active::Size;
    };
    let operands = rest.get(close + 1..).expect("it was found before");
    let (started, depth) = count_operands(operands);
    let inside = depth > 0 || operands.last().is_some_and(|l| at <= l.span.end);
    Active::Operand(if inside {
        started.saturating_sub(1)
    } else {
        started
    })
}

/// The index of the piece at the caret and its description.
fn found(spec: &Spec, pieces: &[SyntaxPiece], active: Active) -> (Option<usize>, &'static str) {
    let first = |part: SyntaxPart| pieces.iter().position(|p| p.part == part);
    let opcode = first(SyntaxPart::Opcode).expect("every line has a mnemonic");
    let suffixes = spec.syntax.suffixes;
    // The mnemonic is followed by suffixes, the execution size and operands.
    let size = usize::from(spec.family.facts().has_execution_sizes);
    match active {
        Active::Predicate => (first(SyntaxPart::Predicate), ""),
        Active::Mnemonic => (Some(opcode), ""),
        Active::Size => (
            first(SyntaxPart::ExecSize),
            "mask control and number of lanes",
        ),
        Active::Suffix(index) => match suffixes.get(index) {
            Some(suffix) => (Some(opcode + 1 + index), suffix.what),
            None => (None, ""),
        },
        Active::Operand(index) => match spec.syntax.operands.get(index) {
            Some(operand) => (
                Some(opcode + 1 + suffixes.len() + size + index),
                operand.what,
            ),
            None => (None, ""),
        },
    }
}

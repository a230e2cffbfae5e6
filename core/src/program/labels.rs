//! Labels and functions: IDs and positions.

use super::{Program, Reader};
use crate::diagnostic::{Diagnostic, Span, to_u32};
use crate::isa::schema::Form;
use crate::isa::visa::op::{FlowKind, LabelId};
use crate::isa::{Family, Instruction, SymbolTable};
use crate::rules;
use crate::text::{Cursor, Lexeme, LexemeKind};
use alloc::format;
use alloc::vec::Vec;

/// Assigns IDs to the labels of a line and adds its texts to the string pool. IDs follow
/// the order of first mention, forward references included, like those of the real
/// assembler.
pub(super) fn mention(text: &str, line: &[Lexeme], symbols: &mut SymbolTable) {
    let Some(last) = line.last() else { return };
    if symbols.target.family() != Family::Visa {
        return;
    }
    let cursor = Cursor::new(text, line, last.span.end);
    let (mnemonic, spec) = super::find_spec(&cursor, Family::Visa);
    let Some((mnemonic, spec)) = mnemonic.zip(spec) else {
        let is_declaration = mnemonic.is_some_and(|word| word.of(text) == ".decl");
        symbols.visa.grow_pool(u32::from(is_declaration));
        return;
    };
    let has = |form| {
        let mut operands = spec.syntax.operands.iter();
        operands.any(|operand| operand.form == form)
    };
    if super::is_label(line) {
        symbols.visa.mention_label(cursor.word());
        return;
    }
    let is_name = |l: &&Lexeme| matches!(l.kind, LexemeKind::Name | LexemeKind::Quoted { .. });
    let behind = line.iter().filter(|l| l.span.start >= mnemonic.end);
    let mut names: Vec<Lexeme> = behind.filter(is_name).copied().collect();
    let name_of = |lexeme: &Lexeme| lexeme.span.of(text).trim_matches('"');
    if has(Form::Labels) {
        // The labels are in the last parentheses.
        let open = line.iter().rfind(|l| l.kind == LexemeKind::Punct('('));
        let start = open.map_or(0, |open| open.span.end);
        names.retain(|l| l.span.start >= start);
        for name in &names {
            symbols.visa.mention_label(name_of(name));
        }
    } else if has(Form::Label) {
        if let Some(name) = names.last() {
            symbols.visa.mention_label(name_of(name));
        }
    } else if has(Form::Name) || has(Form::Quoted) {
        // The function is the only name after the execution size.
        let mut behind = line.iter().filter(|l| l.span.start >= mnemonic.end);
        let close = behind.find(|l| l.kind == LexemeKind::Punct(')'));
        let start = close.filter(|_| !spec.syntax.lanes.is_empty());
        let start = start.map_or(0, |close| close.span.end);
        names.retain(|l| l.span.start >= start);
        if let Some(name) = names.first() {
            symbols.visa.mention_text(name_of(name));
        }
    }
}

impl Reader<'_> {
    /// Defines a label or function at the next instruction.
    pub(super) fn define_label(&mut self, name: &str, span: Span) {
        if Instruction::named(Family::Visa, name).is_some() {
            let what = format!("label `{name}` has the name of an instruction");
            let diagnostic = Diagnostic::new(&rules::LABEL, span, what);
            self.out.push(diagnostic.help("rename it"));
        }
        let label = self.symbols.visa.mention_label(name);
        let Some(label) = label.filter(|label| label.0 > 0) else {
            let what = format!("too many labels: `{name}` exceeds the limit of 65,535");
            self.out.report(&rules::LABEL_COUNT, span, what);
            return;
        };
        let index = usize::from(label.0) - 1;
        if self.labels.len() <= index {
            self.labels.resize(index + 1, None);
        }
        let here = to_u32(self.instructions.len());
        let entry = &mut self.labels[index];
        match entry {
            Some((before, _)) if *before != here => {
                let what = format!("duplicate label `{name}`");
                let diagnostic = Diagnostic::new(&rules::LABEL_TWICE, span, what);
                self.out.push(diagnostic.help("rename one of the labels"));
            }
            _ => *entry = Some((here, span)),
        }
    }

    /// Reports undefined labels and returns the positions of all labels.
    pub(super) fn finish_labels(&mut self) -> Vec<Option<u32>> {
        for placed in &self.instructions {
            let Some(branch) = placed.instruction.branch() else {
                continue;
            };
            let calls = branch.kind == FlowKind::Call;
            let other = |label: &&LabelId| self.functions.contains(label) != calls;
            let defined = |label: &&LabelId| {
                let index = usize::from(label.0).checked_sub(1);
                index.is_some_and(|index| self.labels.get(index).is_some_and(Option::is_some))
            };
            let mut targets = branch.targets.iter().filter(defined);
            if let Some(label) = targets.find(other) {
                let name = self.symbols.visa.label_name(*label).unwrap_or("?");
                let what = match calls {
                    true => format!("`{name}` is a label, not a subroutine"),
                    false => format!("`{name}` is a subroutine, not a label"),
                };
                let span = placed.spans.of(crate::text::SyntaxPart::Label);
                self.out.report(&rules::LABEL_KIND, span, what);
            }
            for label in branch.targets {
                // Label 0 stands for a function outside the program; calling it is a fault.
                let Some(index) = usize::from(label.0).checked_sub(1) else {
                    continue;
                };
                if self.labels.get(index).is_none_or(Option::is_none) {
                    let name = self.symbols.visa.label_name(*label).unwrap_or("?");
                    let span = placed.spans.of(crate::text::SyntaxPart::Label);
                    let what = format!("label `{name}` is not defined");
                    let diagnostic = Diagnostic::new(&rules::LABEL_UNDEFINED, span, what);
                    self.out.push(
                        diagnostic.help(format!("define it with `{name}:` on a separate line")),
                    );
                }
            }
        }
        let positions = self.labels.iter();
        positions
            .map(|entry| entry.map(|(index, _)| index))
            .collect()
    }
}

impl Program {
    /// The label at an instruction index.
    #[must_use]
    pub fn label_at(&self, instruction: u32) -> Option<&str> {
        let (label, _) = self
            .labels()
            .find(|(_, position)| *position == instruction)?;
        self.symbols.visa.label_name(label)
    }
}

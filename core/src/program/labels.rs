//! Labels and functions: IDs and positions.

use super::Reader;
use crate::diagnostic::{Span, to_u32, to_usize};
use crate::isa::schema::Form;
use crate::isa::visa::execution::Predicate;
use crate::isa::visa::op::{FlowKind, LabelId};
use crate::isa::{Branch, Instruction, SymbolTable, find_spec};
use crate::rules;
use crate::text::{Cursor, Lexeme, LexemeKind, SyntaxPart};
use alloc::format;
use alloc::vec::Vec;

/// Assigns IDs to the labels of a line and adds its texts to the string pool. IDs follow
/// the order of first mention, forward references included, like those of the real
/// assembler.
pub(super) fn mention(text: &str, line: &[Lexeme], symbols: &mut SymbolTable) {
    let Some(last) = line.last() else { return };
    if !symbols.target.facts().has_declarations {
        return;
    }
    let cursor = Cursor::new(text, line, last.span.end);
    let (mnemonic, spec) = find_spec(&cursor, symbols.target.family());
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

/// Line that defines a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelKind {
    /// `.function NAME`.
    Function,
    /// `NAME:`.
    Label,
}

impl Reader<'_> {
    /// Defines a label or function at the next instruction. The label of a function may
    /// follow its `.function` line.
    pub(super) fn define_label(&mut self, name: &str, span: Span, kind: LabelKind) {
        let function = self.symbols.visa.label(name);
        let is_function = function.is_some_and(|label| self.functions.contains(&label));
        let is_plain = kind == LabelKind::Label && !is_function;
        if is_plain && Instruction::named(self.family(), name).is_some() {
            let what = format!("label `{name}` has the name of an instruction");
            self.out.advise(&rules::LABEL, span, what, "rename it");
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
            Some(before) if (*before, kind) != ((here, LabelKind::Function), LabelKind::Label) => {
                let what = format!("duplicate label `{name}`");
                self.out
                    .advise(&rules::LABEL_TWICE, span, what, "rename one of the labels");
            }
            _ => *entry = Some((here, kind)),
        }
    }

    /// Reports illegal branch targets and returns the positions of all labels.
    pub(super) fn finish_labels(&mut self) -> Vec<Option<u32>> {
        let labels: Vec<Option<u32>> = (self.labels.iter())
            .map(|entry| entry.map(|(index, _)| index))
            .collect();
        let position = |label: &LabelId| {
            let index = usize::from(label.0).checked_sub(1)?;
            labels.get(index).copied().flatten()
        };
        let mut starts: Vec<(u32, LabelId)> = (self.functions.iter())
            .filter_map(|label| Some((position(label)?, *label)))
            .collect();
        starts.sort_unstable();
        let function_of = |index: u32| starts.partition_point(|(start, _)| *start <= index);
        for (index, placed) in (0..).zip(&self.instructions) {
            let Some(branch) = placed.instruction.branch() else {
                continue;
            };
            let span = placed.spans.of(SyntaxPart::Label);
            let calls = branch.kind == FlowKind::Call;
            let is_local = |label: &LabelId| {
                let target = position(label).map(function_of);
                target.is_none_or(|target| target == function_of(index))
            };
            // Label 0 stands for a function outside the program; calling it is a fault.
            for label in branch.targets.iter().filter(|label| label.0 > 0) {
                let name = self.symbols.visa.label_name(*label).unwrap_or("?");
                let is_function = self.functions.contains(label);
                let what = match position(label) {
                    None => {
                        let what = format!("label `{name}` is not defined");
                        let help = format!("define it with `{name}:` on a separate line");
                        self.out.advise(&rules::LABEL_UNDEFINED, span, what, help);
                        continue;
                    }
                    Some(_) if calls && !is_function => {
                        format!("`{name}` is a label, not a subroutine")
                    }
                    Some(_) if !calls && is_function => {
                        format!("`{name}` is a subroutine, not a label")
                    }
                    Some(_) if !calls && !is_local(label) => {
                        let what = format!("label `{name}` belongs to another function");
                        self.out.report(&rules::OTHER_FUNCTION, span, what);
                        continue;
                    }
                    Some(_) => continue,
                };
                self.out.report(&rules::LABEL_KIND, span, what);
            }
        }
        for (start, label) in starts {
            let last = to_usize(start).checked_sub(1);
            let last = last.and_then(|last| self.instructions.get(last));
            if let Some(last) = last.filter(|last| last.instruction.continues()) {
                let name = self.symbols.visa.label_name(label).unwrap_or("?");
                let what = format!("execution continues into subroutine `{name}`");
                let span = last.spans.of(SyntaxPart::Opcode);
                let help = "end the code before the subroutine with ret or goto";
                self.out.advise(&rules::FALLS_THROUGH, span, what, help);
            }
        }
        labels
    }
}

impl Instruction {
    /// Whether channels can continue with the next instruction.
    fn continues(&self) -> bool {
        let ends = |branch: Branch<'_>| {
            let leaves = matches!(
                branch.kind,
                FlowKind::Jump | FlowKind::Goto | FlowKind::Switch | FlowKind::Return
            );
            leaves && branch.execution.predicate == Predicate::NONE
        };
        !self.branch().is_some_and(ends)
    }
}

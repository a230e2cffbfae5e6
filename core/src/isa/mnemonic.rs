//! Finds the mnemonic of a line.

use super::sass::chip::Chip;
use super::{Family, Instruction, Spec, Target, sass, visa};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules;
use crate::text::{Cursor, LexemeKind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Family {
    /// Help for a word that is not a mnemonic of the family, but of something similar.
    pub(crate) fn similar_help(self, word: &str) -> Option<String> {
        match self {
            Self::Visa => visa::predefined::native_help(word),
            Self::Sass => None,
        }
    }
}

impl Target {
    /// Whether a word is a mnemonic of the real tools, documented here or not.
    pub(crate) fn has_mnemonic(self, word: &str) -> bool {
        match self {
            Self::Visa(_) => visa::predefined::is_mnemonic(word),
            Self::Sass(chip) => sass::op::named(word, chip).is_some(),
        }
    }

    /// The mnemonics that are executed.
    pub(crate) fn mnemonics(self) -> Vec<&'static str> {
        match self {
            Self::Visa(_) => Instruction::specs(self.family())
                .flat_map(|spec| spec.mnemonics.iter().copied())
                .collect(),
            Self::Sass(chip) => (sass::op::OPS.iter())
                .filter(|op| op.era.has(chip))
                .map(|op| op.spec.name)
                .collect(),
        }
    }
}

/// Diagnostic for an instruction of another family, in a program that has a line `.target` or
/// not.
pub(crate) fn of_another_family(
    word: &str,
    span: Span,
    family: Family,
    has_target: bool,
) -> Option<Diagnostic> {
    let mut others = Family::ALL.into_iter().filter(|other| *other != family);
    let spec = others.find_map(|other| Instruction::named(other, word));
    let (name, target) = match spec {
        Some(spec) => (spec.name, Target::of(spec.family)),
        None => {
            let chips = [Chip::Sm80, Chip::Sm50].map(Target::Sass);
            let mut targets = chips.into_iter().chain([Target::default()]);
            let is_other = |t: &Target| t.family() != family && t.has_mnemonic(word);
            (word, targets.find(is_other)?)
        }
    };
    let what = format!("`{name}` requires a `{}` target", target.family().name());
    let line = format!(".target {}", target.name());
    let help = format!("add {line} as the first line");
    let diagnostic = Diagnostic::new(&rules::UNKNOWN_INSTRUCTION, span, what);
    Some(match has_target {
        true => diagnostic.help(help),
        false => diagnostic.fix(help, Span::new(0, 0), line + "\n"),
    })
}

/// Finds the first name of a line outside the predicate or guard.
pub(crate) fn find_mnemonic(cursor: &Cursor<'_>, family: Family) -> Option<Span> {
    let mut ahead = cursor.clone();
    match family {
        Family::Visa => return find_after_predicate(ahead),
        Family::Sass if ahead.eat_punct('@').is_some() => {
            // Skip extra `!`, which are diagnosed elsewhere.
            while matches!(ahead.peek().map(|l| l.kind), Some(LexemeKind::Punct(_))) {
                ahead.advance();
            }
            let is_known = |word| Instruction::named(family, word).is_some();
            if !is_known(ahead.word()) {
                ahead.name();
            }
        }
        Family::Sass => {}
    }
    ahead.name().map(|(_, span)| span)
}

/// The word of a line that names its instruction, and the instruction.
pub(crate) fn find_spec(
    cursor: &Cursor<'_>,
    family: Family,
) -> (Option<Span>, Option<&'static Spec>) {
    let mut ahead = cursor.clone();
    let is = |ahead: &Cursor<'_>, sign| {
        ahead.peek_at(1).map(|l| l.kind) == Some(LexemeKind::Punct(sign))
    };
    if family == Family::Visa && is(cursor, ':') {
        return (Some(cursor.here()), Instruction::named(family, ":"));
    }
    if family == Family::Visa && ahead.eat_punct('.').is_some() {
        let span = cursor.here().to(ahead.here());
        return (
            Some(span),
            Instruction::named(family, span.of(cursor.text())),
        );
    }
    let mnemonic = find_mnemonic(cursor, family);
    let spec = mnemonic.and_then(|span| Instruction::named(family, span.of(cursor.text())));
    (mnemonic, spec)
}

/// Finds the first name of a line outside the leading parentheses. A mnemonic
/// ends the parentheses even if the closing one is missing.
fn find_after_predicate(mut ahead: Cursor<'_>) -> Option<Span> {
    if ahead.eat_punct('(').is_some() {
        let mut words = 0_u32;
        while let Some(next) = ahead.take() {
            let word = next.span.of(ahead.text());
            let known = Instruction::named(Family::Visa, word).is_some();
            let known = known || words > 0 && visa::predefined::is_mnemonic(word);
            match next.kind {
                LexemeKind::Punct(')') => break,
                LexemeKind::Name if known && !ahead.is_punct(')') => return Some(next.span),
                LexemeKind::Name => words += 1,
                _ => {}
            }
        }
    }
    ahead.name().map(|(_, span)| span)
}

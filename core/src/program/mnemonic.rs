//! Finds the mnemonic of a line.

use crate::diagnostic::{Diagnostic, Span};
use crate::isa::visa::predefined::is_mnemonic;
use crate::isa::{Family, Instruction, Spec, Target};
use crate::rules;
use crate::text::{Cursor, LexemeKind};
use alloc::format;
use alloc::string::String;

/// Mnemonics of the native code of Intel GPUs that vISA does not have, and what vISA has
/// instead. Some resemble an instruction that computes something else.
const NATIVE: [(&str, &str); 15] = [
    (
        "math",
        "inv, log, exp, sqrt, rsqrt, pow, sin, cos, div or mod",
    ),
    ("cmpn", "cmp"),
    ("csel", "cmp and sel"),
    ("bfi1", "bfi"),
    ("bfi2", "bfi"),
    ("macl", "mul or mad"),
    ("mach", "mulh"),
    ("send", "the message itself, such as lsc_load or raw_send"),
    ("sends", "the message itself, such as lsc_load or raw_sends"),
    ("sendc", "the message itself, such as lsc_load or raw_send"),
    ("nop", "no instruction"),
    ("sync", "fence or barrier"),
    ("if", "goto"),
    ("else", "goto"),
    ("endif", "a label"),
];

/// Help for a mnemonic of native code.
pub(super) fn native_help(word: &str) -> Option<String> {
    let found = NATIVE
        .iter()
        .find(|(native, _)| native.eq_ignore_ascii_case(word));
    found.map(|(native, instead)| {
        format!("`{native}` is an instruction of native code; vISA has {instead}")
    })
}

/// Diagnostic for an instruction of another family.
pub(super) fn of_another_family(word: &str, span: Span, family: Family) -> Option<Diagnostic> {
    let (other, target) = match family {
        Family::Visa => (Family::Sass, Target::Sass(Default::default())),
        Family::Sass => (Family::Visa, Target::default()),
    };
    let spec = Instruction::named(other, word)?;
    let what = format!("`{}` requires a `{}` target", spec.name, other.name());
    let help = format!("add .target {} as the first line", target.name());
    Some(Diagnostic::new(&rules::UNKNOWN_INSTRUCTION, span, what).help(help))
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
            let known = known || words > 0 && is_mnemonic(word);
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

//! Completion of SASS instructions.

use super::CompletionContext;
use super::offer::Offer;
use super::words::Template;
use crate::diagnostic::Span;
use crate::isa::sass::register::{PredicateRegister, Register};
use crate::isa::schema::{Form, Suffix};
use crate::isa::{Family, Instruction, Spec, Style};
use crate::program::find_mnemonic;
use crate::text::{Lexeme, LexemeKind, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn offer(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    if matches!(context.back(1), "@" | "!") && context.before.lexemes.len() <= 2 {
        let rests = all_forms(context).map(|t| format!(" {}", whole(&t)));
        let rests: Vec<String> = rests.collect();
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        predicates("", &rests, offer);
        return;
    }
    let cursor = context.before.cursor(context.text);
    let mnemonic = find_mnemonic(&cursor, Family::Sass);
    let known = mnemonic.and_then(|span| {
        let spec = Instruction::named(Family::Sass, span.of(context.text))?;
        Some((spec, span))
    });
    let Some((spec, mnemonic)) = known else {
        // Only a guard can precede the mnemonic.
        if matches!(context.nth(0), "" | "@") && !context.glued() {
            mnemonics(context, offer);
        }
        return;
    };
    let lexemes = &context.before.lexemes;
    let from = lexemes.partition_point(|l| l.span.start < mnemonic.end);
    let after = &lexemes[from..];
    // Suffixes end at the first blank.
    let mut end = mnemonic.end;
    let suffixes = after.iter().take_while(|l| {
        let glued = l.span.start == end;
        end = l.span.end;
        glued
    });
    let suffixes = suffixes.count();
    if suffixes == after.len() && context.glued() {
        let written = after.first().map_or(mnemonic.end, |l| l.span.start);
        self::suffixes(context, spec, Span::new(written, context.word.start), offer);
        return;
    }
    let operands = after.get(suffixes..).expect("as many were counted");
    self::operands(context, (spec, mnemonic), operands, offer);
}

/// The default instruction of each form.
fn forms<'a>(
    context: &CompletionContext<'a>,
    spec: &'static Spec,
) -> impl Iterator<Item = Template> + 'a {
    let symbols = context.symbols();
    let forms = 0..spec.opcodes.len();
    forms.filter_map(move |form| Template::of(spec, form, symbols, Style::Assembler))
}

/// The default instruction of each form of all instructions.
fn all_forms<'a>(context: &'a CompletionContext<'_>) -> impl Iterator<Item = Template> + 'a {
    Instruction::specs(Family::Sass).flat_map(move |spec| forms(context, spec))
}

fn whole(template: &Template) -> String {
    format!("{} {}", template.lead, operands_of(template, 0))
}

/// The operands from index `first`, separated by commas.
fn operands_of(template: &Template, first: usize) -> String {
    let text = template.operands_from(first, ", ");
    String::from(text.strip_prefix(", ").unwrap_or(&text))
}

fn mnemonics(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    for spec in Instruction::specs(Family::Sass) {
        if let Some(template) = Template::of(spec, 0, context.symbols(), Style::Assembler) {
            let rest = whole(&template);
            let rest = rest.strip_prefix(spec.name);
            let rest = rest.expect("a line begins with its mnemonic");
            offer.try_word(
                spec.name,
                "read-modify-write of global memory",
                TokenClass::Mnemonic,
                &[rest],
            );
        }
    }
    if context.before.lexemes.is_empty() {
        let rests: Vec<String> = all_forms(context).map(|t| whole(&t)).collect();
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        for predicate in context.symbols().sass.predicates() {
            let name = PredicateRegister(predicate).name();
            for (sign, what) in [
                ("@", "lanes whose bit is set"),
                ("@!", "lanes whose bit is clear"),
            ] {
                let label = format!("{sign}{name}");
                offer.try_insert(
                    &label,
                    &format!("{label} "),
                    what,
                    TokenClass::Predicate,
                    &rests,
                );
            }
        }
    }
}

/// Offers P0 to P6 and PT after a prefix.
fn predicates(sign: &str, rests: &[&str], offer: &mut Offer<'_, '_>) {
    for number in 0..=PredicateRegister::TRUE.0 {
        let predicate = PredicateRegister(number);
        let what = match predicate.is_true() {
            true => "always true",
            false => "one bit per lane",
        };
        let label = format!("{sign}{}", predicate.name());
        offer.try_word(&label, what, TokenClass::Predicate, rests);
    }
}

/// Offers suffixes by the schema; `written` is the span of the existing suffixes.
fn suffixes(
    context: &CompletionContext<'_>,
    spec: &'static Spec,
    written: Span,
    offer: &mut Offer<'_, '_>,
) {
    let text = written.of(context.text);
    let mut left = text.strip_prefix('.').unwrap_or(text);
    // The possible next suffixes: optional ones up to the first required one.
    let mut next: Vec<&Suffix> = Vec::new();
    for suffix in spec.syntax.suffixes {
        let words = suffix.words(spec, Style::Document);
        let segment = left.split('.').next().unwrap_or("").trim();
        if words
            .iter()
            .any(|(word, _)| word.eq_ignore_ascii_case(segment))
        {
            left = left.split_once('.').map_or("", |(_, rest)| rest);
            next.clear();
        } else if next.iter().all(|suffix| suffix.optional) {
            next.push(suffix);
        }
    }
    // The text after the mnemonic and after the suffixes of each form.
    let forms = forms(context, spec).map(|t| {
        let operands = format!(" {}", operands_of(&t, 0));
        let suffix = t.suffixes();
        (format!("{suffix}{operands}"), operands)
    });
    let (whole, plain): (Vec<String>, Vec<String>) = forms.unzip();
    for suffix in &next {
        let after = spec.syntax.suffixes.iter();
        let after: Vec<&Suffix> = after
            .skip_while(|s| s.part != suffix.part)
            .skip(1)
            .collect();
        let mut rests = match after.iter().all(|s| s.optional) {
            true => plain.clone(),
            false => whole.clone(),
        };
        // Some operations require further suffixes.
        for (word, _) in after
            .first()
            .iter()
            .filter(|s| s.optional)
            .flat_map(|s| s.words(spec, Style::Document))
        {
            rests.extend(plain.iter().map(|operands| format!(".{word}{operands}")));
        }
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        let words = suffix.words(spec, Style::Document);
        if words.iter().any(|(word, _)| word.contains('.')) {
            // Words can contain dots and are replaced as a whole.
            let start = written.end - crate::diagnostic::to_u32(left.len());
            offer.replace(Span::new(start, context.word.end));
        } else if left.contains('.') {
            continue;
        }
        for (word, what) in words {
            offer.try_word(word, &what, TokenClass::Suffix, &rests);
        }
    }
}

fn operands(
    context: &CompletionContext<'_>,
    (spec, mnemonic): (&'static Spec, Span),
    lexemes: &[Lexeme],
    offer: &mut Offer<'_, '_>,
) {
    let is = |sign: char| move |l: &&Lexeme| l.kind == LexemeKind::Punct(sign);
    let fields = lexemes
        .iter()
        .any(|l| matches!(l.kind, LexemeKind::Punct('&' | '?' | ';')));
    let open = lexemes.iter().filter(is('[')).count() > lexemes.iter().filter(is(']')).count();
    let commas = lexemes.iter().filter(is(',')).count();
    let empty = lexemes.is_empty() || context.back(1) == "," || (open && context.back(1) == "[");
    let mut rests = Vec::new();
    let (mut addresses, mut statuses) = (false, false);
    let mut full = usize::MAX;
    for template in forms(context, spec) {
        full = full.min(template.operands.len());
        if let Some((part, _)) = template.operands.get(commas) {
            let form = spec.syntax.operand(*part).form;
            addresses |= form == Form::Address;
            statuses |= form == Form::Predicate;
            let rest = template.operands_from(commas + 1, ", ");
            rests.push(format!("{}{rest}", if open { "]" } else { "" }));
        }
    }
    if !empty {
        if !open && commas + 1 >= full {
            scheduling(context, fields, offer);
        }
        return;
    }
    if fields {
        return;
    }
    let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
    if addresses {
        // An odd register of an address is reported at `.E`.
        offer.together_with(mnemonic.end);
    }
    if statuses && !open {
        // Ps of a sparse form, if the instruction has one.
        predicates("", &rests, offer);
    }
    let named = |register: u8| context.symbols().sass.registers().any(|r| r == register);
    let (mine, others): (Vec<u8>, Vec<u8>) = (0..Register::ZERO.0).partition(|r| named(*r));
    let zero = [Register::ZERO.0];
    for register in mine.iter().chain(&zero).chain(&others) {
        let name = Register(*register).name();
        let what = match () {
            () if Register(*register).is_zero() => "reads as 0",
            () if named(*register) => "used in this program",
            () => "a 32-bit register per lane",
        };
        let bracketed = format!("[{name}]");
        let label = match addresses && !open {
            true if offer.try_word(&bracketed, what, TokenClass::Variable, &rests) => continue,
            _ => &name,
        };
        offer.try_word(label, what, TokenClass::Variable, &rests);
    }
}

/// Offers scheduling fields, in Lanewise's notation.
fn scheduling(context: &CompletionContext<'_>, fields: bool, offer: &mut Offer<'_, '_>) {
    let sign = context.back(1);
    if sign == "&" || sign == "?" {
        for (word, what) in FIELDS {
            if let Some(word) = word.strip_prefix(sign) {
                offer.try_word(word, what, TokenClass::Keyword, &[]);
            }
        }
        return;
    }
    if context.glued() && !fields {
        offer.try_word(";", "end of the instruction", TokenClass::Punctuation, &[]);
        return;
    }
    for (word, what) in FIELDS {
        offer.try_word(word, what, TokenClass::Keyword, &[]);
    }
}

/// Scheduling fields with example values.
const FIELDS: [(&str, &str); 4] = [
    ("&req={0}", "wait for barriers"),
    ("&rd=0", "set a barrier until the sources are read"),
    ("&wr=0", "set a barrier until the result is written"),
    ("?stall1", "cycles until the next instruction"),
];

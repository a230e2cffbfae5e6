//! What may come in a line of SASS.

use super::Place;
use super::offer::Offer;
use super::words::Template;
use crate::diagnostic::Span;
use crate::isa::sass::register::{Predicate, Register};
use crate::isa::sass::size::SPELLINGS;
use crate::isa::{Family, Instruction, Spec, Style};
use crate::program::find_mnemonic;
use crate::text::{Kind, Lexeme, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn offer(place: &Place<'_>, offer: &mut Offer<'_, '_>) {
    if matches!(place.back(1), "@" | "!") && place.before.lexemes.len() <= 2 {
        let rests = all_forms(place).map(|t| format!(" {}", whole(&t)));
        let rests: Vec<String> = rests.collect();
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        predicates("", &rests, offer);
        return;
    }
    let cursor = place.before.cursor(place.text);
    let mnemonic = find_mnemonic(&cursor, Family::Sass);
    let known = mnemonic.and_then(|span| {
        let spec = Instruction::named(Family::Sass, span.of(place.text))?;
        Some((spec, span))
    });
    let Some((spec, mnemonic)) = known else {
        // A guard at most comes before the mnemonic.
        if matches!(place.nth(0), "" | "@") && !place.glued() {
            mnemonics(place, offer);
        }
        return;
    };
    let lexemes = &place.before.lexemes;
    let from = lexemes.iter().position(|l| l.span.start >= mnemonic.end);
    let after = from.and_then(|from| lexemes.get(from..)).unwrap_or(&[]);
    // The suffixes end at the first blank.
    let mut end = mnemonic.end;
    let suffixes = after.iter().take_while(|l| {
        let glued = l.span.start == end;
        end = l.span.end;
        glued
    });
    let suffixes = suffixes.count();
    if suffixes == after.len() && place.glued() {
        let written = after.first().map_or(mnemonic.end, |l| l.span.start);
        self::suffixes(place, spec, Span::new(written, place.word.start), offer);
        return;
    }
    let operands = after.get(suffixes..).unwrap_or(&[]);
    self::operands(place, (spec, mnemonic), operands, offer);
}

/// The plainest instruction of every form that an instruction has.
fn forms<'a>(place: &Place<'a>, spec: &'static Spec) -> impl Iterator<Item = Template> + 'a {
    let symbols = place.symbols();
    let forms = 0..spec.opcodes.len();
    forms.filter_map(move |form| Template::of(spec, form, symbols, Style::Assembler))
}

/// The plainest instruction of every form of every instruction.
fn all_forms<'a>(place: &'a Place<'_>) -> impl Iterator<Item = Template> + 'a {
    Instruction::specs(Family::Sass).flat_map(move |spec| forms(place, spec))
}

fn whole(template: &Template) -> String {
    format!("{} {}", template.lead, operands_of(template, 0))
}

/// The operands from one on, with commas between them.
fn operands_of(template: &Template, first: usize) -> String {
    let text = template.operands_from(first, ", ");
    String::from(text.strip_prefix(", ").unwrap_or(&text))
}

fn mnemonics(place: &Place<'_>, offer: &mut Offer<'_, '_>) {
    for spec in Instruction::specs(Family::Sass) {
        if let Some(template) = Template::of(spec, 0, place.symbols(), Style::Assembler) {
            let rest = whole(&template);
            let rest = rest.get(spec.name.len()..).unwrap_or("");
            offer.try_word(
                spec.name,
                "read-modify-write of global memory",
                TokenClass::Mnemonic,
                &[rest],
            );
        }
    }
    if place.before.lexemes.is_empty() {
        let rests: Vec<String> = all_forms(place).map(|t| whole(&t)).collect();
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        for predicate in place.symbols().sass.predicates() {
            let name = Predicate(predicate).name();
            for (sign, what) in [
                ("@", "lanes whose bit is set"),
                ("@!", "lanes whose bit is not set"),
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

/// P0 to P6 and PT, behind a sign.
fn predicates(sign: &str, rests: &[&str], offer: &mut Offer<'_, '_>) {
    for number in 0..=Predicate::TRUE.0 {
        let predicate = Predicate(number);
        let what = match predicate.is_true() {
            true => "always true",
            false => "a bit for every lane",
        };
        let label = format!("{sign}{}", predicate.name());
        offer.try_word(&label, what, TokenClass::Predicate, rests);
    }
}

/// `.E`, the operation, the size; `written` is what stands there of them.
fn suffixes(place: &Place<'_>, spec: &'static Spec, written: Span, offer: &mut Offer<'_, '_>) {
    let words = written.of(place.text);
    let mut segments = words.split('.').skip(1).map(str::trim).peekable();
    let extended = segments.next_if(|s| s.eq_ignore_ascii_case("E"));
    let rows = (spec.operations)();
    let row = segments.next_if(|s| rows.iter().any(|row| row.name.eq_ignore_ascii_case(s)));
    // What each form has behind its suffixes.
    let all: Vec<(String, String)> = forms(place, spec)
        .map(|t| {
            let operands = format!(" {}", operands_of(&t, 0));
            let suffix = t.lead.get(spec.name.len()..).unwrap_or("");
            (String::from(suffix), operands)
        })
        .collect();
    let plain: Vec<&str> = all.iter().map(|(_, operands)| &**operands).collect();
    if row.is_none() {
        if segments.next().is_some_and(|s| !s.is_empty()) {
            return;
        }
        if extended.is_none() {
            let rests: Vec<String> = all.iter().map(|(s, o)| format!("{s}{o}")).collect();
            let rests: Vec<&str> = rests.iter().map(|r| &**r).collect();
            offer.try_word("E", "64-bit addresses", TokenClass::Suffix, &rests);
        }
        for row in &rows {
            // Some operations take no size of 32 bits.
            let wide: Vec<String> = plain.iter().map(|o| format!(".U64{o}")).collect();
            let mut rests = plain.clone();
            rests.extend(wide.iter().map(|r| &**r));
            offer.try_word(row.name, row.formula, TokenClass::Suffix, &rests);
        }
        return;
    }
    // A size has dots inside: it is replaced as a whole.
    let own = words.split('.').take(2 + usize::from(extended.is_some()));
    let own: usize = own.map(|s| s.len() + 1).sum();
    let own = crate::diagnostic::to_u32(own);
    offer.replace(Span::new(written.start + own, place.word.end));
    for (spelling, _) in SPELLINGS {
        if let Some(size) = spelling.strip_prefix('.') {
            offer.try_word(size, "size of the cell", TokenClass::Suffix, &plain);
        }
    }
}

fn operands(
    place: &Place<'_>,
    (spec, mnemonic): (&'static Spec, Span),
    lexemes: &[Lexeme],
    offer: &mut Offer<'_, '_>,
) {
    let is = |sign: char| move |l: &&Lexeme| l.kind == Kind::Punct(sign);
    let fields = lexemes
        .iter()
        .any(|l| matches!(l.kind, Kind::Punct('&' | '?' | ';')));
    let open = lexemes.iter().filter(is('[')).count() > lexemes.iter().filter(is(']')).count();
    let commas = lexemes.iter().filter(is(',')).count();
    let empty = lexemes.is_empty() || place.back(1) == "," || (open && place.back(1) == "[");
    let mut rests = Vec::new();
    let mut addresses = false;
    let mut full = usize::MAX;
    for template in forms(place, spec) {
        full = full.min(template.operands.len());
        if let Some((_, plain)) = template.operands.get(commas) {
            addresses |= plain.starts_with('[');
            let rest = template.operands_from(commas + 1, ", ");
            rests.push(format!("{}{rest}", if open { "]" } else { "" }));
        }
    }
    if !empty {
        if !open && commas + 1 >= full {
            scheduling(place, fields, offer);
        }
        return;
    }
    if fields {
        return;
    }
    let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
    if addresses {
        // A register that has no pair is told at the `.E` that asks for one.
        offer.together_with(mnemonic.end);
    }
    if commas == 0 && !open {
        // Ps of a sparse form; offered if a form reads it.
        predicates("", &rests, offer);
    }
    let named = |register: u8| place.symbols().sass.registers().any(|r| r == register);
    let (mine, others): (Vec<u8>, Vec<u8>) = (0..Register::ZERO.0).partition(|r| named(*r));
    let zero = [Register::ZERO.0];
    for register in mine.iter().chain(&zero).chain(&others) {
        let name = Register(*register).name();
        let what = match () {
            () if Register(*register).is_zero() => "reads 0",
            () if named(*register) => "used in this program",
            () => "a 32-bit register of each lane",
        };
        let bracketed = format!("[{name}]");
        let label = match addresses && !open {
            true if offer.try_word(&bracketed, what, TokenClass::Variable, &rests) => continue,
            _ => &name,
        };
        offer.try_word(label, what, TokenClass::Variable, &rests);
    }
}

/// The fields behind the operands, in Lanewise's notation.
fn scheduling(place: &Place<'_>, fields: bool, offer: &mut Offer<'_, '_>) {
    let sign = place.back(1);
    if sign == "&" || sign == "?" {
        for (word, what) in FIELDS {
            if let Some(word) = word.strip_prefix(sign) {
                offer.try_word(word, what, TokenClass::Keyword, &[]);
            }
        }
        return;
    }
    if place.glued() && !fields {
        offer.try_word(
            ";",
            "the end of the instruction",
            TokenClass::Punctuation,
            &[],
        );
        return;
    }
    for (word, what) in FIELDS {
        offer.try_word(word, what, TokenClass::Keyword, &[]);
    }
}

/// Scheduling fields with plain values.
const FIELDS: [(&str, &str); 4] = [
    ("&req={0}", "waits for barriers"),
    ("&rd=0", "sets a barrier until the sources are read"),
    ("&wr=0", "sets a barrier until the result is written"),
    ("?stall1", "cycles before the next instruction"),
];

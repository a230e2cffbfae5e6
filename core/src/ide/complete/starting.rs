//! Completion of `.init`.

use super::CompletionContext;
use super::offer::Offer;
use super::words::{counted, shape, types};
use crate::isa::Family;
use crate::isa::sass::register::{PredicateRegister, Register};
use crate::isa::visa::declarations::Symbol;
use crate::text::TokenClass;
use alloc::format;
use alloc::string::String;

/// Offers locations and values.
pub(super) fn starting(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let lexemes = &context.before.lexemes;
    let equals = lexemes.iter().position(|l| l.span.of(context.text) == "=");
    if let Some(equals) = equals {
        values(context, equals, offer);
        return;
    }
    if context.back(1) == ":" {
        let register = context.nth(lexemes.len().saturating_sub(2));
        if let Some(Register(register)) = Register::named(register) {
            let next = Register(register.saturating_add(1)).name();
            let what = "64-bit values in a register pair";
            offer.try_word(&next, what, TokenClass::Variable, &[" = 0"]);
        }
        types(offer, &[" = 0"], |_| true);
        return;
    }
    let behind_eu = context.back(1) == "." && context.glued();
    if lexemes.len() > 2 && !behind_eu {
        let rests = [" 0", " &%r0"];
        offer.try_word("=", "followed by values", TokenClass::Punctuation, &rests);
        return;
    }
    match context.symbols().target.family() {
        Family::Visa => visa_places(context, behind_eu, offer),
        Family::Sass => sass_places(context, offer),
    }
}

fn visa_places(context: &CompletionContext<'_>, behind_eu: bool, offer: &mut Offer<'_, '_>) {
    let symbols = &context.symbols().visa;
    let rests = [" = 0"];
    for (id, variable) in symbols.generals() {
        if context.knows(variable.span) {
            let what = symbols.general(id).map_or_else(String::new, |v| shape(&v));
            offer.try_word(&variable.name, &what, TokenClass::Variable, &rests);
        }
    }
    for (_, predicate) in symbols.predicates() {
        if context.knows(predicate.span) {
            let what = counted(u64::from(predicate.elements), "lane");
            offer.try_word(&predicate.name, &what, TokenClass::Predicate, &rests);
        }
    }
    for (_, address) in symbols.addresses() {
        if context.knows(address.span) {
            let what = counted(u64::from(address.elements), "address");
            offer.try_word(&address.name, &what, TokenClass::Variable, &[" = &%r0"]);
        }
    }
    let what = "the initial execution mask";
    offer.try_word("em", what, TokenClass::Predicate, &rests);
    if behind_eu {
        return;
    }
    let memory = |name: &str, at: &str, what: &str, offer: &mut Offer<'_, '_>| {
        let insert = match context.after.starts_with('[') {
            true => String::from(name),
            false => format!("{name}[{at}] : ud = "),
        };
        offer.try_insert(name, &insert, what, TokenClass::Surface, &["0"]);
    };
    memory("slm", "0", "shared local memory", offer);
    memory("svm", "0x10000", "virtual memory", offer);
    for (_, surface) in symbols.surfaces() {
        if context.knows(surface.span) {
            memory(&surface.name, "0", "a declared buffer", offer);
        }
    }
    if context.program.threads > 1 {
        for eu in ["EU0.", "EU1."] {
            offer.try_word(eu, "values of one EU", TokenClass::Keyword, &["em = 0"]);
        }
    }
}

fn sass_places(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let insert = match context.after.starts_with('[') {
        true => "global",
        false => "global[0x10000] : ud = ",
    };
    offer.try_insert(
        "global",
        insert,
        "global memory",
        TokenClass::Surface,
        &["0"],
    );
    for number in 0..PredicateRegister::TRUE.0 {
        let name = PredicateRegister(number).name();
        let what = "one bit per lane";
        offer.try_word(&name, what, TokenClass::Predicate, &[" = 0"]);
    }
    for number in 0..Register::ZERO.0 {
        let name = Register(number).name();
        let what = "one value per lane";
        offer.try_word(&name, what, TokenClass::Variable, &[" = 0"]);
    }
}

/// Offers values after `=`.
fn values(context: &CompletionContext<'_>, equals: usize, offer: &mut Offer<'_, '_>) {
    let symbols = &context.symbols().visa;
    let name = context.nth(equals.saturating_sub(1));
    let symbol = symbols.symbol(name);
    let visa = context.symbols().target.family() == Family::Visa;
    if visa && matches!(symbol, Some(Symbol::Address(_))) {
        if matches!(context.back(1), "=" | "," | "&") {
            let sign = if context.back(1) == "&" { "" } else { "&" };
            for (id, variable) in symbols.generals() {
                if context.knows(variable.span) {
                    let what = symbols.general(id).map_or_else(String::new, |v| shape(&v));
                    let label = format!("{sign}{}", variable.name);
                    offer.try_word(&label, &what, TokenClass::Variable, &[]);
                }
            }
        }
        return;
    }
    if context.back(1) != "=" {
        return;
    }
    let masks = if visa {
        matches!(symbol, Some(Symbol::Predicate(_))) || name.eq_ignore_ascii_case("em")
    } else {
        PredicateRegister::named(name).is_some()
    };
    if masks {
        for (mask, what) in [
            ("0xff", "8 lanes"),
            ("0xffff", "16 lanes"),
            ("0xffffffff", "32 lanes"),
        ] {
            offer.try_word(mask, what, TokenClass::Number, &[]);
        }
        return;
    }
    for (word, what, rest) in [
        ("iota(", "start, step: arithmetic sequence", "0, 1)"),
        ("splat(", "value: the same for all elements", "0)"),
        ("random(", "seed: repeatable random values", "1)"),
    ] {
        offer.try_word(word, what, TokenClass::Keyword, &[rest]);
    }
}

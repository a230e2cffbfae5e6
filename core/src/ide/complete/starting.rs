//! Completion of `.init`.

use super::CompletionContext;
use super::offer::Offer;
use super::words::{shape, types};
use crate::isa::NamedOperand;
use crate::isa::sass::register::Register;
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
    if lexemes.len() > 2 && !context.is_behind_dot() {
        let rests = [" 0", " &%r0"];
        offer.try_word("=", "followed by values", TokenClass::Punctuation, &rests);
        return;
    }
    let [_, places] = context.offerings();
    places(context, offer);
}

/// Offers values after `=`.
fn values(context: &CompletionContext<'_>, equals: usize, offer: &mut Offer<'_, '_>) {
    let symbols = &context.symbols().visa;
    let name = context.nth(equals.saturating_sub(1));
    let symbol = symbols.symbol(name);
    if matches!(symbol, Some(Symbol::Address(_))) {
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
    let is_predicate = matches!(
        context.symbols().named(name),
        Some(NamedOperand::Symbol(Symbol::Predicate(_)) | NamedOperand::Predicate(_))
    );
    let has_em = context.symbols().target.facts().has_declarations;
    if is_predicate || has_em && name.eq_ignore_ascii_case("em") {
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

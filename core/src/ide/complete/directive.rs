//! Completion of directives.

use super::CompletionContext;
use super::offer::Offer;
use super::starting::starting;
use super::words::{free_name, shape, types};
use crate::isa::sass::chip::Chip;
use crate::isa::visa::declaration_parser::{ALIGNMENTS, KEYS, KINDS};
use crate::isa::visa::platform::Platform;
use crate::isa::{CHANNELS, Family, FamilyFacts, Target};
use crate::program::{DIRECTIVES, ProgramInstruction, ThreadSchedule};
use crate::text::TokenClass;
use alloc::format;
use alloc::string::String;

pub(super) fn offer(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let words = context.before.lexemes.len();
    if words == 1 {
        offer_names(context, offer, false);
        return;
    }
    // The name itself, up to its end.
    if words == 2 && context.glued() {
        return;
    }
    let name = context.nth(1);
    let is = |word: &str| name.eq_ignore_ascii_case(word);
    match () {
        () if is("target") => targets(context, offer),
        () if is("title") || is("note") => {
            if words == 2 {
                offer.try_word("\"…\"", "a string", TokenClass::Text, &[]);
            }
        }
        () if is("order") => lanes(context, offer),
        () if is("decl") => declaration(context, offer),
        () if is("slm") && words == 2 => {
            sizes(offer, &["1024", "4096", "65536"], "bytes");
        }
        () if is("threads") && words == 2 => {
            offer.try_word("1", "EU0 only", TokenClass::Number, &[]);
            offer.try_word("2", "the fused pair EU0, EU1", TokenClass::Number, &[]);
        }
        () if is("schedule") && words == 2 => {
            let what = "order in which threads issue";
            for schedule in ThreadSchedule::ALL {
                offer.try_word(schedule.name(), what, TokenClass::Keyword, &[]);
            }
        }
        () if is("surface") => surfaces(context, offer),
        () if is("region") && words == 2 => {
            let name = context.symbols().target.facts().virtual_memory;
            let what = "the virtual address space";
            offer.try_word(name, what, TokenClass::Surface, &[" 0x10000 4096"]);
        }
        () if is("region") && words == 3 => {
            let what = "start address";
            offer.try_word("0x10000", what, TokenClass::Number, &[" 4096"]);
        }
        () if is("region") && words == 4 => sizes(offer, &["64", "4096", "65536"], "bytes"),
        () if is("window") && words == 2 => {
            for word in ["shared", "local"] {
                let rest = " 0x3000000";
                offer.try_word(word, "a 16 MB window", TokenClass::Surface, &[rest]);
            }
        }
        () if is("lanes") && context.back(1) != "=" => {
            for (word, what) in [
                ("helper=", "helper pixels"),
                ("killed=", "killed lanes"),
                ("uncovered=", "lanes without raster coverage"),
            ] {
                offer.try_word(word, what, TokenClass::Keyword, &["0x1"]);
            }
        }
        () if is("init") => starting(context, offer),
        () => {}
    }
}

/// Offers directive names, with a dot if `dot` is set.
pub(super) fn offer_names(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>, dot: bool) {
    for directive in DIRECTIVES {
        if directive
            .family
            .is_some_and(|other| other != context.family())
        {
            continue;
        }
        if directive.name == "target" && !context.is_first() {
            continue;
        }
        let label = format!("{}{}", if dot { "." } else { "" }, directive.name);
        let example = format!(" {}", directive.example);
        offer.try_word(&label, directive.form, TokenClass::Directive, &[&example]);
    }
}

fn sizes(offer: &mut Offer<'_, '_>, sizes: &[&str], what: &str) {
    for size in sizes {
        offer.try_word(size, what, TokenClass::Number, &[]);
    }
}

fn targets(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    if context.before.lexemes.len() == 2 {
        for family in Family::ALL {
            let FamilyFacts { name, about, .. } = family.facts();
            let rest = format!(" {}", Target::of(family).processor());
            offer.try_word(name, about, TokenClass::Keyword, &[&rest]);
        }
    }
    if context.before.lexemes.len() == 3 {
        for platform in Platform::ALL {
            let row = platform.features();
            let (bytes, simd) = (row.grf_bytes, row.narrowest_simd);
            let names = row.aliases.join(", ");
            let what = format!("{names}: {bytes}-byte registers, SIMD{simd} and wider");
            offer.try_word(platform.name(), &what, TokenClass::Keyword, &[]);
        }
        for chip in Chip::ALL {
            offer.try_word(chip.name(), "a chip", TokenClass::Keyword, &[]);
        }
    }
}

/// Offers the lanes of the next instruction that are not listed yet.
fn lanes(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let all = &context.program.instructions;
    let next = all.partition_point(|p| p.spans.whole().start < context.word.start);
    // Before the first instruction, an order applies to all of them.
    let placed = match next {
        0 => all.as_slice(),
        next if next < all.len() => &all[next..=next],
        _ => &[],
    };
    let most = |of: fn(&ProgramInstruction) -> u8| placed.iter().map(of).fold(0, u8::max);
    let lanes = most(|p| p.instruction.lanes());
    let channels = placed.iter().fold(0, |c, p| c | p.instruction.channels());
    let behind_eu =
        context.back(2).eq_ignore_ascii_case("EU0") || context.back(2).eq_ignore_ascii_case("EU1");
    if context.back(1) == "." && context.glued() && !behind_eu {
        for (bit, channel) in CHANNELS.iter().enumerate() {
            if channels >> bit & 1 == 1 {
                offer.try_word(channel, "a channel", TokenClass::Suffix, &[]);
            }
        }
        return;
    }
    for lane in 0..if placed.is_empty() { 32 } else { lanes } {
        offer.try_word(&format!("{lane}"), "a lane", TokenClass::Number, &[]);
    }
    if !behind_eu || context.back(1) != "." {
        for eu in 0..context.program.threads {
            if context.program.threads > 1 {
                let what = format!("lanes of EU{eu}");
                offer.try_word(
                    &format!("EU{eu}."),
                    &what,
                    TokenClass::Keyword,
                    &["31", "30"],
                );
            }
        }
    }
}

fn declaration(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    const GENERAL: &str = "v_type=G type=ud num_elts=16 align=GRF";
    if context.before.lexemes.len() == 2 {
        for (letter, first, what, attributes) in [
            ('V', 32, "a general variable", GENERAL),
            ('P', 1, "a predicate", "v_type=P num_elts=32"),
            ('T', 6, "a surface", "v_type=T"),
            ('A', 0, "an address variable", "v_type=A num_elts=1"),
        ] {
            let name = free_name(context, letter, first);
            let insert = format!("{name} {attributes}");
            offer.try_insert(&name, &insert, what, TokenClass::Variable, &[]);
        }
        return;
    }
    let key = match context.back(1) {
        "=" => context.back(2),
        "<" | "(" if context.back(2) == "=" => context.back(3),
        _ => {
            attributes(context, offer);
            return;
        }
    };
    let rests = [" num_elts=1", " type=ud num_elts=16", ""];
    let is = |word: &str| key.eq_ignore_ascii_case(word);
    match () {
        () if is("v_type") => {
            for (letter, kind) in KINDS {
                let what = format!("{kind:?}").to_ascii_lowercase();
                offer.try_word(letter, &what, TokenClass::Type, &rests);
            }
        }
        () if is("type") => types(offer, &[" num_elts=16", ""], |_| true),
        () if is("num_elts") => {
            sizes(offer, &["1", "2", "4", "8", "16", "32", "64"], "elements");
        }
        () if is("align") => {
            for (name, _) in ALIGNMENTS {
                offer.try_word(name, "alignment", TokenClass::Keyword, &rests);
            }
        }
        () if is("alias") => {
            let closed = context.back(1) != "=";
            let symbols = &context.symbols().visa;
            for (id, variable) in symbols.generals() {
                if !context.knows(variable.span) {
                    continue;
                }
                let what = symbols.general(id).map_or_else(String::new, |v| shape(&v));
                let insert = match closed {
                    true => format!("{}, 0>", variable.name),
                    false => format!("<{}, 0>", variable.name),
                };
                offer.try_insert(&variable.name, &insert, &what, TokenClass::Variable, &[]);
            }
        }
        () => {}
    }
}

/// Offers the attributes that are not present yet.
fn attributes(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    if context.glued() {
        return;
    }
    let there = |key: &str| {
        let mut words = context
            .before
            .lexemes
            .iter()
            .map(|l| l.span.of(context.text));
        words.any(|word| word.eq_ignore_ascii_case(key))
    };
    for key in KEYS {
        let (what, rest) = match key {
            "v_type" => ("G, P, A, T or S", "G type=ud num_elts=16"),
            "type" => ("type of the elements", "ud num_elts=16"),
            "num_elts" => ("number of elements", "16"),
            "align" => ("alignment", "GRF"),
            "alias" => ("share the bytes of another variable", "<%r0, 0>"),
            _ => continue,
        };
        // The type must precede the number of elements.
        let late = key == "type" && there("num_elts");
        if !there(key) && !late {
            let label = format!("{key}=");
            offer.try_word(&label, what, TokenClass::Keyword, &[rest]);
        }
    }
}

fn surfaces(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    match context.before.lexemes.len() {
        2 => {
            for surface in context.known(context.symbols().visa.surfaces()) {
                let what = "a declared buffer";
                offer.try_word(&surface.name, what, TokenClass::Surface, &[" 4096"]);
            }
        }
        3 => sizes(offer, &["64", "1024", "4096", "65536"], "bytes"),
        _ => {}
    }
}

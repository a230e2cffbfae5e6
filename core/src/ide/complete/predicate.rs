//! The predicate before an instruction of vISA.

use super::Place;
use super::offer::Offer;
use super::words::{Template, counted};
use crate::isa::{Family, Instruction, Style};
use crate::text::TokenClass;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The plainest instructions that take a predicate, behind `lead`.
pub(super) fn predicated(place: &Place<'_>, lead: &str) -> Vec<String> {
    let specs = Instruction::specs(Family::Visa).filter(|spec| spec.syntax.predicate);
    let template =
        specs.filter_map(|spec| Template::of(spec, 0, place.symbols(), Style::Assembler));
    template
        .map(|t| format!("{lead}{} {}{}", t.lead, t.size, t.operands_from(0, " ")))
        .collect()
}

/// `(P1`, `(!P1.any`.
pub(super) fn predicates(place: &Place<'_>, offer: &mut Offer<'_, '_>) {
    let rests = predicated(place, ") ");
    let rests: Vec<&str> = rests.iter().map(|r| &**r).collect();
    if place.back(1) == "." {
        for (word, what) in [
            ("any", "all lanes if one bit is set"),
            ("all", "all lanes if every bit is set"),
        ] {
            offer.try_word(word, what, TokenClass::Keyword, &rests);
        }
        return;
    }
    for (_, predicate) in place.symbols().visa.predicates() {
        if place.knows(predicate.span) {
            let what = counted(u64::from(predicate.elements), "lane");
            offer.try_word(&predicate.name, &what, TokenClass::Predicate, &rests);
        }
    }
}

//! The `.target` directive.

use super::Reader;
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::{Family, FamilyFacts, SymbolTable, Target};
use crate::rules;
use crate::text::{Cursor, nearest};
use alloc::format;
use alloc::string::String;

/// Says which targets there are.
fn help() -> String {
    let of_family = |family: Family| {
        let (name, usual) = (family.name(), Target::of(family).processor());
        let mut others = Target::processors(family);
        others.retain(|other| *other != usual);
        format!(".target {name} {usual} (or {})", others.join(", "))
    };
    format!("write {}", Family::ALL.map(of_family).join(", or "))
}

impl Reader<'_> {
    pub(super) fn read_target(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        if self.committed || self.target_seen {
            let what = "`.target` must come first";
            let help = "move it to the first line and use it only once";
            self.out.advise(&rules::LATE_TARGET, whole, what, help);
            return;
        }
        self.target_seen = true;
        let Some((word, span)) = cursor.name() else {
            let here = cursor.here();
            self.out.push(if cursor.at_end() {
                Diagnostic::new(&rules::TARGET, here, "expected a target").fix(
                    help(),
                    here,
                    format!(" {}", Target::default().name()),
                )
            } else {
                let what = format!("unknown target family `{}`", cursor.word());
                Diagnostic::new(&rules::TARGET, here, what).help(help())
            });
            return;
        };
        let mut families = Family::ALL.into_iter();
        let Some(family) = families.find(|f| word.eq_ignore_ascii_case(f.name())) else {
            let diagnostic = unknown_family(word, span, cursor);
            self.out.push(diagnostic);
            return;
        };
        // The following lines are for the family even if the rest of this one is wrong.
        self.set_target(Target::of(family));
        if cursor.at_end() {
            return;
        }
        let own_span = cursor.here();
        let own = cursor.word();
        cursor.advance();
        match Target::named(own).filter(|target| target.family() == family) {
            Some(target) => self.set_target(target),
            None => {
                let FamilyFacts {
                    title, processor, ..
                } = family.facts();
                let what = format!("unknown {title} {processor} `{own}`");
                let diagnostic = Diagnostic::new(&rules::TARGET, own_span, what);
                let near = nearest(own, Target::processors(family));
                self.out.push(match (Target::named(own), near) {
                    (Some(other), _) => diagnostic.fix(help(), span, other.family().name()),
                    (None, Some(near)) => diagnostic.fix(help(), own_span, near),
                    (None, None) => diagnostic.help(help()),
                });
            }
        }
        self.end_of_line(cursor);
    }

    fn set_target(&mut self, target: Target) {
        let before = core::mem::replace(&mut self.symbols, SymbolTable::new(target));
        // Labels are numbered before lines are read.
        self.symbols.visa.adopt_names(before.visa);
    }
}

/// Diagnostic for an unknown word where a family is expected.
fn unknown_family(word: &str, span: Span, cursor: &Cursor<'_>) -> Diagnostic {
    let own = Target::named(word);
    let what = match own {
        Some(own) => {
            let processor = own.facts().processor;
            format!("expected a target family before {processor} `{word}`")
        }
        None => format!("unknown target family `{word}`"),
    };
    let diagnostic = Diagnostic::new(&rules::TARGET, span, what);
    let before = Span::new(span.start, span.start);
    if let Some(own) = own {
        return diagnostic.fix(help(), before, format!("{} ", own.family().name()));
    }
    if let Some(next) = Target::named(cursor.word()) {
        return diagnostic.fix(help(), span, next.family().name());
    }
    if !cursor.at_end() {
        return diagnostic.help(help());
    }
    let processors = Family::ALL.into_iter().flat_map(Target::processors);
    if let Some(near) = nearest(word, processors).and_then(Target::named) {
        return diagnostic.fix(help(), span, near.name());
    }
    let near = nearest(word, Family::ALL.map(Family::name));
    match Family::ALL.into_iter().find(|f| near == Some(f.name())) {
        Some(near) => diagnostic.fix(help(), span, Target::of(near).name()),
        None => diagnostic.help(help()),
    }
}

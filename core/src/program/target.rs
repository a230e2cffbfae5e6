//! The `.target` directive.

use super::Reader;
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::sass::chip::Chip;
use crate::isa::visa::platform::Platform;
use crate::isa::{Family, SymbolTable, Target};
use crate::rules;
use crate::text::{Cursor, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Says which targets there are.
fn help() -> String {
    let others = |family, first: &str| {
        let names: Vec<&str> = target_names(Some(family)).filter(|n| *n != first).collect();
        names.join(", ")
    };
    let (visa, sass) = (Platform::default().name(), Chip::default().name());
    format!(
        "write .target visa {visa} (or {}), or .target sass {sass} (or {})",
        others(Family::Visa, visa),
        others(Family::Sass, sass),
    )
}

/// Finds a target of any family by its name.
fn named(word: &str) -> Option<Target> {
    let visa = Platform::named(word).map(Target::Visa);
    visa.or_else(|| Chip::named(word).map(Target::Sass))
}

/// Names of all targets, or of those of one family.
fn target_names(family: Option<Family>) -> impl Iterator<Item = &'static str> {
    let visa = Platform::ALL.iter().map(|p| (Family::Visa, p.name()));
    let sass = Chip::ALL.iter().map(|c| (Family::Sass, c.name()));
    let all = visa.chain(sass);
    all.filter(move |(of, _)| family.is_none_or(|f| f == *of))
        .map(|(_, name)| name)
}

impl Reader<'_> {
    pub(super) fn read_target(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        if self.committed || self.target_seen {
            let what = "`.target` must come first";
            self.out.push(
                Diagnostic::new(&rules::LATE_TARGET, whole, what)
                    .help("move it to the first line and use it only once"),
            );
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
        let families = [Family::Visa, Family::Sass];
        let Some(family) = families
            .into_iter()
            .find(|f| word.eq_ignore_ascii_case(f.name()))
        else {
            let diagnostic = unknown_family(word, span, cursor);
            self.out.push(diagnostic);
            return;
        };
        if cursor.at_end() {
            if family == Family::Sass {
                self.symbols = SymbolTable::new(Target::Sass(Chip::default()));
            }
            return;
        }
        let own_span = cursor.here();
        let own = cursor.word();
        cursor.advance();
        match named(own).filter(|target| target.family() == family) {
            Some(target) => {
                let before = core::mem::replace(&mut self.symbols, SymbolTable::new(target));
                // Labels are numbered before lines are read.
                self.symbols.visa.adopt_names(before.visa);
            }
            None => {
                let what = match family {
                    Family::Visa => format!("unknown vISA platform `{own}`"),
                    Family::Sass => format!("unknown SASS chip `{own}`"),
                };
                let diagnostic = Diagnostic::new(&rules::TARGET, own_span, what);
                self.out.push(
                    match (named(own), nearest(own, target_names(Some(family)))) {
                        (Some(other), _) => diagnostic.fix(help(), span, other.family().name()),
                        (None, Some(near)) => diagnostic.fix(help(), own_span, near),
                        (None, None) => diagnostic.help(help()),
                    },
                );
                // Parse the following lines for the intended family.
                if family == Family::Sass {
                    self.symbols = SymbolTable::new(Target::Sass(Chip::default()));
                }
            }
        }
        self.end_of_line(cursor);
    }
}

/// Diagnostic for an unknown word where a family is expected.
fn unknown_family(word: &str, span: Span, cursor: &Cursor<'_>) -> Diagnostic {
    let own = named(word);
    let what = match own {
        Some(Target::Visa(_)) => format!("expected a target family before platform `{word}`"),
        Some(Target::Sass(_)) => format!("expected a target family before chip `{word}`"),
        None => format!("unknown target family `{word}`"),
    };
    let diagnostic = Diagnostic::new(&rules::TARGET, span, what);
    let before = Span::new(span.start, span.start);
    if let Some(own) = own {
        return diagnostic.fix(help(), before, format!("{} ", own.family().name()));
    }
    if let Some(next) = named(cursor.word()) {
        return diagnostic.fix(help(), span, next.family().name());
    }
    if !cursor.at_end() {
        return diagnostic.help(help());
    }
    if let Some(near) = nearest(word, target_names(None)).and_then(named) {
        return diagnostic.fix(help(), span, near.name());
    }
    match nearest(word, ["visa", "sass"]) {
        Some("visa") => diagnostic.fix(help(), span, Target::default().name()),
        Some(_) => diagnostic.fix(help(), span, "sass SM50"),
        None => diagnostic.help(help()),
    }
}

//! Tries candidates in their line and keeps those that parse.

use super::{Candidate, Completion, CompletionContext};
use crate::diagnostic::{Diagnostic, Edit, Severity, Span, to_u32};
use crate::program::Probe;
use crate::text::TokenClass;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::Write;

/// Maximum number of candidates.
const MOST: usize = 1000;

/// Result of trying a candidate in its line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Clean,
    Warns,
    Rejected,
}

/// A candidate tried with one rest of the line.
struct Try<'r> {
    /// Whether the whole line could be parsed, so that all rules were checked.
    whole: bool,
    fit: Fit,
    rest: &'r str,
    /// The text of a warning.
    why: String,
}

impl Try<'_> {
    /// Whether this try takes precedence over another: a whole line first, then the
    /// better fit.
    fn says_more(&self, other: &Self) -> bool {
        (self.whole, Reverse(self.fit)) > (other.whole, Reverse(other.fit))
    }
}

/// Collects candidates.
pub(super) struct Offer<'p, 'a> {
    context: &'p CompletionContext<'a>,
    probe: Probe<'a>,
    /// Buffer for the line being tried.
    line: String,
    /// Number of bytes before the candidate in which diagnostics count against it.
    with: u32,
    /// Number of declarations tried.
    tries: u32,
    /// Span that a candidate replaces.
    span: Span,
    well: Vec<Candidate>,
    doubtful: Vec<Candidate>,
}

impl<'p, 'a> Offer<'p, 'a> {
    pub(super) fn new(context: &'p CompletionContext<'a>) -> Self {
        Self {
            context,
            probe: Probe::new(
                context.symbols(),
                context.is_first(),
                context.program.launch.is_some(),
            ),
            line: String::new(),
            with: 0,
            tries: 0,
            span: context.word,
            well: Vec::new(),
            doubtful: Vec::new(),
        }
    }

    /// Sets the span that candidates replace instead of the word.
    pub(super) fn replace(&mut self, span: Span) {
        self.span = span;
    }

    /// Counts diagnostics from this byte against the candidates.
    pub(super) fn together_with(&mut self, from: u32) {
        self.with = self.span.start.saturating_sub(from);
    }

    /// Offers a word if it parses when followed by the rest of the text, by nothing, or
    /// by one of `rests`. Returns whether it does.
    pub(super) fn try_word(
        &mut self,
        label: &str,
        detail: &str,
        kind: TokenClass,
        rests: &[&str],
    ) -> bool {
        self.try_insert(label, label, detail, kind, rests)
    }

    /// Like [`Self::try_word`], with a separate label.
    pub(super) fn try_insert(
        &mut self,
        label: &str,
        insert: &str,
        detail: &str,
        kind: TokenClass,
        rests: &[&str],
    ) -> bool {
        if self.well.len() + self.doubtful.len() >= MOST {
            return false;
        }
        let after = self.context.after;
        let own = [after, ""];
        let tried = rests.iter().copied().chain(own);
        let mut best: Option<Try<'_>> = None;
        for rest in tried {
            let (fit, whole, why) = self.evaluate(insert, rest);
            let tried = Try {
                whole,
                fit,
                rest,
                why,
            };
            if best.as_ref().is_none_or(|best| tried.says_more(best)) {
                best = Some(tried);
            }
            if whole && fit == Fit::Clean {
                break;
            }
        }
        let best = best.filter(|best| best.fit != Fit::Rejected);
        let Some(Try { fit, rest, why, .. }) = best else {
            return false;
        };
        let detail = match (detail.is_empty(), why.is_empty()) {
            (_, true) => String::from(detail),
            (true, false) => why,
            (false, false) => format!("{detail}; {why}"),
        };
        let candidate = Candidate {
            label: String::from(label),
            insert: String::from(insert),
            detail,
            kind,
            rest: String::from(rest),
            doubtful: fit == Fit::Warns,
            also: None,
        };
        match fit {
            Fit::Clean => self.well.push(candidate),
            _ => self.doubtful.push(candidate),
        }
        true
    }

    /// Offers a predicate before an instruction, such as `(P1)` or `@P0`, and a blank.
    pub(super) fn try_guard(&mut self, label: &str, detail: &str, rests: &[&str]) {
        let insert = format!("{label} ");
        self.try_insert(label, &insert, detail, TokenClass::Predicate, rests);
    }

    /// Offers an undeclared name together with its declaration, if the operand can be
    /// declared. `place` follows it in the operand, `rest` in the line.
    pub(super) fn try_declaration(&mut self, name: &str, place: &str, rest: &str) {
        // Try another name, since the real one could be taken for a typo.
        const TRIED: &str = "tried_operand";
        const LEAD: &str = ".decl tried_operand ";
        self.lead();
        self.line.push_str(TRIED);
        self.line.push_str(place);
        self.line.push_str(rest);
        let (found, _) = self.probe.line(&self.line);
        let declarations = found.iter().filter_map(|d| d.edit.as_ref());
        let attributes = declarations
            .filter_map(|edit| edit.replacement.strip_prefix(LEAD))
            .next();
        let Some(attributes) = attributes else {
            return;
        };
        let start = self.context.before.span.start;
        self.doubtful.push(Candidate {
            label: format!("{name}{place}"),
            insert: format!("{name}{place}"),
            detail: format!("declare it: {}", attributes.trim_end()),
            kind: TokenClass::Variable,
            rest: String::from(rest),
            doubtful: true,
            also: Some(Edit {
                span: Span::new(start, start),
                replacement: format!(".decl {name} {attributes}"),
            }),
        });
    }

    /// Tries a word in its line; also returns the text of a warning about it.
    fn evaluate(&mut self, insert: &str, rest: &str) -> (Fit, bool, String) {
        self.lead();
        let start = to_u32(self.line.len());
        let (word, blanks) = insert.split_at(insert.trim_end().len());
        self.line.push_str(word);
        let end = to_u32(self.line.len());
        self.line.push_str(blanks);
        self.line.push_str(rest);
        let place = Span::new(start.saturating_sub(self.with), end);
        let (found, whole) = self.probe.line(&self.line);
        let mut fit = (Fit::Clean, whole, String::new());
        for diagnostic in found {
            if !concerns(diagnostic, place) {
                continue;
            }
            match diagnostic.severity() {
                Severity::Error => return (Fit::Rejected, whole, String::new()),
                Severity::Warning if fit.0 == Fit::Clean => {
                    fit = (Fit::Warns, whole, diagnostic.what.clone());
                }
                _ => {}
            }
        }
        fit
    }

    /// Resets the line to the text before the candidate.
    fn lead(&mut self) {
        let (text, from) = (self.context.text, self.context.before.span.start);
        self.line.clear();
        let declared = match self.context.before.lexemes.as_slice() {
            [dot, word, name, ..] if dot.span.of(text) == "." => word
                .span
                .of(text)
                .eq_ignore_ascii_case("decl")
                .then_some(name.span),
            _ => None,
        };
        let Some(name) = declared.filter(|name| name.end <= self.span.start) else {
            let lead = Span::new(from, self.span.start);
            self.line.push_str(lead.of(text));
            return;
        };
        // A declaration line declares a name, so each try uses another name.
        self.tries += 1;
        self.line.push_str(Span::new(from, name.start).of(text));
        let _ = write!(self.line, "tried_{}", self.tries);
        self.line
            .push_str(Span::new(name.end, self.span.start).of(text));
    }

    pub(super) fn finish(mut self) -> Completion {
        self.well.append(&mut self.doubtful);
        Completion {
            span: self.span,
            candidates: self.well,
        }
    }
}

/// Whether a diagnostic overlaps a word.
fn concerns(diagnostic: &Diagnostic, place: Span) -> bool {
    let span = diagnostic.span;
    let inside = span.start < place.end && place.start < span.end;
    inside || (span.start == span.end && (place.start..place.end).contains(&span.start))
}

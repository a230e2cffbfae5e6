//! Where rules are checked and broken ones are reported.

use super::names::Names;
use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::rules;
use crate::text::Part;
use alloc::string::String;
use alloc::vec::Vec;

/// Where the parts of an instruction stand in its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    whole: Span,
    parts: Vec<(Part, Span)>,
}

impl Places {
    /// Places of an instruction whose line is `whole`.
    #[must_use]
    pub const fn new(whole: Span) -> Self {
        Self {
            whole,
            parts: Vec::new(),
        }
    }

    /// The instruction's line, comment left out.
    #[must_use]
    pub const fn whole(&self) -> Span {
        self.whole
    }

    /// Sets the whole span.
    pub fn set_whole(&mut self, whole: Span) {
        self.whole = whole;
    }

    /// Notes where a part stands.
    pub fn set(&mut self, part: Part, span: Span) {
        self.parts.push((part, span));
    }

    /// Where a part stands; the whole instruction for one that is not there.
    #[must_use]
    pub fn of(&self, part: Part) -> Span {
        self.parts
            .iter()
            .find(|(p, _)| *p == part)
            .map_or(self.whole, |(_, span)| *span)
    }

    /// Forgets all places, keeping the storage.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.whole = Span::default();
    }
}

/// What a check sees and where it reports.
pub struct Check<'c> {
    /// What the program's names stand for.
    pub names: &'c Names,
    /// Where the parts stand.
    pub places: &'c Places,
    /// Where findings go.
    pub out: &'c mut Findings,
}

impl Check<'_> {
    /// Reports a broken rule at a part.
    pub fn report(&mut self, rule: &'static rules::Rule, part: Part, what: impl Into<String>) {
        let span = self.places.of(part);
        self.out.report(rule, span, what);
    }

    /// Reports with advice.
    pub fn advise(
        &mut self,
        rule: &'static rules::Rule,
        part: Part,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        let span = self.places.of(part);
        self.out.push(Diagnostic::new(rule, span, what).help(help));
    }

    /// Reports with the edit that replaces the part.
    pub fn mend(
        &mut self,
        rule: &'static rules::Rule,
        part: Part,
        what: impl Into<String>,
        help: impl Into<String>,
        replacement: &str,
    ) {
        let span = self.places.of(part);
        self.out
            .push(Diagnostic::new(rule, span, what).mend(help, span, replacement));
    }
}

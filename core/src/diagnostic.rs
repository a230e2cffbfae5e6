//! What is wrong, where, why, and how to fix it: plain data, no rendering.

pub use crate::rules::Severity;
use crate::rules::{self, Rule};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// A half-open range of bytes in the text that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The text below this span; empty when the span does not fit `text`.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(to_usize(self.start)..to_usize(self.end))
            .unwrap_or("")
    }
}

/// Widens without loss: every supported target has pointers of 32 bits or more.
#[must_use]
pub fn to_usize(value: u32) -> usize {
    usize::try_from(value).expect("pointers have 32 bits or more")
}

/// Narrows a length; those of texts and tables fit.
///
/// # Panics
/// From 4 GiB on.
#[must_use]
pub fn to_u32(value: usize) -> u32 {
    u32::try_from(value).expect("texts and tables are shorter than 4 GiB")
}

/// A replacement that fixes what a diagnostic names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    /// What to put there.
    pub replacement: String,
}

/// The longest account of what is wrong, in bytes.
const MAX_WHAT: usize = 240;

/// One diagnostic about a text or an encoding. Its [`Details`] are in a box:
/// they are put together in many places and looked at in few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic(Box<Details>);

/// The content of a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// The rule that is broken or met: code, severity, reason, source.
    pub rule: &'static Rule,
    /// Where.
    pub span: Span,
    /// What is wrong, without the reason.
    pub what: String,
    /// How to fix it; empty when nothing better than the message is known.
    pub help: String,
    /// The fix itself, where one is known.
    pub edit: Option<Edit>,
}

impl Diagnostic {
    /// A diagnostic for `rule` at `span`.
    #[must_use]
    pub fn new(rule: &'static Rule, span: Span, what: impl Into<String>) -> Self {
        let mut what = what.into();
        // A message may quote a word of the text, and words have any length.
        if what.len() > MAX_WHAT {
            let end = what.floor_char_boundary(MAX_WHAT);
            what.truncate(end);
            what.push('…');
        }
        Self(Box::new(Details {
            rule,
            span,
            what,
            help: String::new(),
            edit: None,
        }))
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = help.into();
        self
    }

    /// Adds advice together with the edit that follows it.
    #[must_use]
    pub fn fix(self, help: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        let mut fixed = self.help(help);
        fixed.0.edit = Some(Edit {
            span,
            replacement: replacement.into(),
        });
        fixed
    }

    /// The severity of its rule.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// What is wrong and why, as one text.
    #[must_use]
    pub fn message(&self) -> String {
        let mut text = self.what.clone();
        if !self.rule.why.is_empty() {
            text.push_str(": ");
            text.push_str(self.rule.why);
        }
        text
    }
}

impl Deref for Diagnostic {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl DerefMut for Diagnostic {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.0
    }
}

/// The most diagnostics that are kept; those beyond it are counted.
pub const MAX_DIAGNOSTICS: usize = 1000;

/// Diagnostics in the order in which they were found: at most
/// [`MAX_DIAGNOSTICS`], where errors push out warnings and notes, so that a text
/// with an error always has one in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    /// How many of those kept are errors.
    errors: usize,
    /// How many were found beyond those kept.
    dropped: usize,
    /// How many were found up to and with the last error.
    upto_error: usize,
}

impl Diagnostics {
    /// No diagnostics.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            kept: Vec::new(),
            errors: 0,
            dropped: 0,
            upto_error: 0,
        }
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity() == Severity::Error;
        if is_error {
            self.upto_error = self.len() + 1;
        }
        if self.kept.len() >= MAX_DIAGNOSTICS {
            self.dropped += 1;
            if !is_error || self.errors >= MAX_DIAGNOSTICS {
                return;
            }
            let other = |d: &Diagnostic| d.severity() != Severity::Error;
            if let Some(last) = self.kept.iter().rposition(other) {
                self.kept.remove(last);
            }
        }
        self.errors += usize::from(is_error);
        self.kept.push(diagnostic);
    }

    /// Adds one made of a rule, a place and a sentence.
    pub fn report(&mut self, rule: &'static Rule, span: Span, what: impl Into<String>) {
        self.push(Diagnostic::new(rule, span, what));
    }

    /// Keeps only the first few of those of one rule that were found when there
    /// were `from` already, or later.
    pub fn keep_first_since(&mut self, from: usize, rule: &'static Rule, count: usize) {
        debug_assert!(rule.severity != Severity::Error, "errors are all reported");
        if self.dropped > 0 || self.kept.len() <= from + count {
            return;
        }
        let mut index = 0;
        let mut found = 0;
        self.kept.retain(|diagnostic| {
            let later = index >= from && diagnostic.rule.code == rule.code;
            index += 1;
            found += usize::from(later);
            !later || found <= count
        });
        // What is left out stood before the last error, or after it.
        if self.upto_error > from {
            let last = self
                .kept
                .iter()
                .rposition(|d| d.severity() == Severity::Error);
            self.upto_error = last.map_or(0, |last| last + 1);
        }
    }

    /// Those that are kept.
    #[must_use]
    pub fn all(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// Those of the kept that were found when there were `from` already, or
    /// later, to be completed.
    pub fn since_mut(&mut self, from: usize) -> impl Iterator<Item = &mut Diagnostic> {
        self.kept.iter_mut().skip(from)
    }

    /// How many were found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len() + self.dropped
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether one of those found when there were `from` already, or later,
    /// is an error.
    #[must_use]
    pub fn has_errors_since(&self, from: usize) -> bool {
        self.upto_error > from
    }

    /// Whether one of them is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_errors_since(0)
    }

    /// Gives up the list. Where some were not kept, the last one is a
    /// note with their number.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.dropped > 0 {
            let last = self.kept.last().map_or(0, |d| d.span.end);
            let what = format!("{} more diagnostics are left out", self.dropped);
            let note = Diagnostic::new(&rules::MORE_DIAGNOSTICS, Span::new(last, last), what);
            self.kept
                .push(note.help("fix the first ones, then look again"));
        }
        self.kept
    }

    /// Forgets all of them, keeping the storage.
    pub fn clear(&mut self) {
        self.kept.clear();
        (self.errors, self.dropped, self.upto_error) = (0, 0, 0);
    }

    /// Orders them by place, errors first at the same place.
    pub fn sort(&mut self) {
        self.kept
            .sort_by_key(|d| (d.span.start, d.rule.severity, d.span.end));
    }
}

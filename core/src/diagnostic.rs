//! Diagnostics as plain data: location, message, reason and fix.

pub use crate::rules::Severity;
use crate::rules::{self, Rule};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// A half-open byte range of the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Returns the text of this span, or an empty string if it is out of bounds.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(to_usize(self.start)..to_usize(self.end))
            .unwrap_or("")
    }
}

/// Converts without loss: every supported target has at least 32-bit pointers.
#[must_use]
pub fn to_usize(value: u32) -> usize {
    usize::try_from(value).expect("pointers have 32 bits or more")
}

/// Narrows the length of a text or table.
///
/// # Panics
/// If `value` does not fit 32 bits.
#[must_use]
pub fn to_u32(value: usize) -> u32 {
    u32::try_from(value).expect("texts and tables are shorter than 4 GiB")
}

/// A text edit that fixes a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    pub replacement: String,
}

/// Maximum length of a message, in bytes.
const MAX_WHAT: usize = 240;

/// One diagnostic about a text or an encoding. The [`Details`] are boxed to keep
/// `Diagnostic` small: it is moved far more often than it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic(Box<Details>);

/// The content of a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// The rule that applies: code, severity, reason and source.
    pub rule: &'static Rule,
    pub span: Span,
    /// The problem, without the reason.
    pub what: String,
    /// How to fix it; empty if the message says enough.
    pub help: String,
    /// An automatic fix, if there is one.
    pub edit: Option<Edit>,
}

impl Diagnostic {
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

    /// Sets the help text.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = help.into();
        self
    }

    /// Sets the help text and the edit that applies it.
    #[must_use]
    pub fn fix(self, help: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        let mut fixed = self.help(help);
        fixed.0.edit = Some(Edit {
            span,
            replacement: replacement.into(),
        });
        fixed
    }

    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// Whether its severity is [`Severity::Error`].
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// Returns the problem and its reason as one sentence.
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

/// Maximum number of diagnostics kept; the others are only counted.
pub const MAX_DIAGNOSTICS: usize = 1000;

/// Diagnostics in the order in which they were found, at most
/// [`MAX_DIAGNOSTICS`]. Errors evict warnings and notes, so a text with an error
/// always has one in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    /// Number of errors in `kept`.
    errors: usize,
    /// Number of diagnostics found but not kept.
    dropped: usize,
    /// Number of diagnostics found up to and including the last error.
    upto_error: usize,
}

impl Diagnostics {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            kept: Vec::new(),
            errors: 0,
            dropped: 0,
            upto_error: 0,
        }
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.is_error();
        if is_error {
            self.upto_error = self.len() + 1;
        }
        if self.kept.len() >= MAX_DIAGNOSTICS {
            self.dropped += 1;
            if !is_error || self.errors >= MAX_DIAGNOSTICS {
                return;
            }
            if let Some(last) = self.kept.iter().rposition(|d| !d.is_error()) {
                self.kept.remove(last);
            }
        }
        self.errors += usize::from(is_error);
        self.kept.push(diagnostic);
    }

    /// Reports without a help text.
    pub fn report(&mut self, rule: &'static Rule, span: Span, what: impl Into<String>) {
        self.push(Diagnostic::new(rule, span, what));
    }

    /// Reports with a help text.
    pub fn advise(
        &mut self,
        rule: &'static Rule,
        span: Span,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::new(rule, span, what).help(help));
    }

    /// Reports with a help text and the edit that applies it.
    pub fn fix(
        &mut self,
        rule: &'static Rule,
        span: Span,
        what: impl Into<String>,
        help: impl Into<String>,
        edit_span: Span,
        replacement: impl Into<String>,
    ) {
        self.push(Diagnostic::new(rule, span, what).fix(help, edit_span, replacement));
    }

    /// Keeps only the first `count` diagnostics of `rule` among those found at
    /// index `from` or later.
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
        // The removed diagnostics may precede the last error.
        if self.upto_error > from {
            let last = self.kept.iter().rposition(Diagnostic::is_error);
            self.upto_error = last.map_or(0, |last| last + 1);
        }
    }

    /// Returns the kept diagnostics.
    #[must_use]
    pub fn all(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// Returns the kept diagnostics at index `from` and later, so that callers
    /// can complete them.
    pub fn since_mut(&mut self, from: usize) -> impl Iterator<Item = &mut Diagnostic> {
        self.kept.iter_mut().skip(from)
    }

    /// Returns the number of diagnostics found, including those not kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len() + self.dropped
    }

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

    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_errors_since(0)
    }

    /// Returns the list. If some diagnostics were not kept, it ends with a note
    /// that gives their number.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.dropped > 0 {
            let last = self.kept.last().map_or(0, |d| d.span.end);
            let what = format!("further diagnostics omitted: {}", self.dropped);
            let note = Diagnostic::new(&rules::MORE_DIAGNOSTICS, Span::new(last, last), what);
            self.kept
                .push(note.help("fix the first diagnostics and check again"));
        }
        self.kept
    }

    /// Removes all diagnostics but keeps the allocation.
    pub fn clear(&mut self) {
        self.kept.clear();
        (self.errors, self.dropped, self.upto_error) = (0, 0, 0);
    }

    /// Sorts by position; at the same position, errors come first.
    pub fn sort(&mut self) {
        self.kept
            .sort_by_key(|d| (d.span.start, d.rule.severity, d.span.end));
    }
}

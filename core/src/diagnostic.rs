//! What is wrong, where, why, and how to mend it: plain data, no rendering.

use crate::rules::Rule;
use alloc::string::String;
use alloc::vec::Vec;

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
pub(crate) fn to_usize(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Narrows a length; texts and tables here never reach 4 GB.
pub(crate) fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text cannot be encoded or run.
    Error,
    /// It encodes, and breaks a documented rule.
    Warning,
    /// Worth knowing; nothing is wrong.
    Note,
}

impl Severity {
    /// The word used in JSON answers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A replacement that mends what a diagnostic names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    /// What to put there.
    pub replacement: String,
}

/// One finding about a text or an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that is broken or met: code, severity, reason, source.
    pub rule: &'static Rule,
    /// Where.
    pub span: Span,
    /// What is wrong, without the reason.
    pub what: String,
    /// How to mend it; empty when nothing better than the message is known.
    pub help: String,
    /// The mend itself, where one is known.
    pub edit: Option<Edit>,
}

impl Diagnostic {
    /// A diagnostic for `rule` at `span`.
    #[must_use]
    pub fn new(rule: &'static Rule, span: Span, what: impl Into<String>) -> Self {
        Self {
            rule,
            span,
            what: what.into(),
            help: String::new(),
            edit: None,
        }
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Adds advice together with the edit that follows it.
    #[must_use]
    pub fn mend(
        mut self,
        help: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        self.help = help.into();
        self.edit = Some(Edit {
            span,
            replacement: replacement.into(),
        });
        self
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

/// Diagnostics in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings(Vec<Diagnostic>);

impl Findings {
    /// No findings.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Adds one made of a rule, a place and a sentence.
    pub fn report(&mut self, rule: &'static Rule, span: Span, what: impl Into<String>) {
        self.push(Diagnostic::new(rule, span, what));
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Diagnostic] {
        &self.0
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of those from index `from` on is an error.
    #[must_use]
    pub fn has_errors_since(&self, from: usize) -> bool {
        self.0
            .iter()
            .skip(from)
            .any(|d| d.severity() == Severity::Error)
    }

    /// Whether one of them is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_errors_since(0)
    }

    /// Gives up the list.
    #[must_use]
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }

    /// Forgets all of them, keeping the storage.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Orders them by place, errors first at the same place.
    pub fn sort(&mut self) {
        self.0
            .sort_by_key(|d| (d.span.start, d.rule.severity, d.span.end));
    }
}

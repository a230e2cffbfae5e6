//! Rule checking and reporting.

use super::symbols::SymbolTable;
use crate::bits::Undeclared;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The spans of the parts of an instruction in its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperandSpans {
    whole: Span,
    parts: Vec<(SyntaxPart, Span)>,
}

impl OperandSpans {
    /// Creates an empty set of spans for the line `whole`.
    #[must_use]
    pub const fn new(whole: Span) -> Self {
        Self {
            whole,
            parts: Vec::new(),
        }
    }

    /// The span of the line without its comment.
    #[must_use]
    pub const fn whole(&self) -> Span {
        self.whole
    }

    /// Sets the span of the line.
    pub fn set_whole(&mut self, whole: Span) {
        self.whole = whole;
    }

    /// Records the span of a part.
    pub fn set(&mut self, part: SyntaxPart, span: Span) {
        self.parts.push((part, span));
    }

    /// The span of a part as in [`Self::find`]; if it is absent, the position where it
    /// belongs, or the whole instruction for a part without a position.
    #[must_use]
    pub fn of(&self, part: SyntaxPart) -> Span {
        let place = || self.parts.iter().find(|(p, _)| *p == part);
        let place = || place().map(|(_, span)| *span);
        self.find(part).or_else(place).unwrap_or(self.whole)
    }

    /// The span of a part, if it has one. The last recorded span counts: a SASS
    /// address has a span for its suffix `.E` and one for its operand.
    #[must_use]
    pub fn find(&self, part: SyntaxPart) -> Option<Span> {
        let spans = self.parts.iter().rev();
        let mut of_part = spans.filter(|(p, span)| *p == part && span.start < span.end);
        of_part.next().map(|(_, span)| *span)
    }

    /// The part at a byte of the line: the one with the shortest span around it. The
    /// end of a span belongs to the span, since the caret is after the last character.
    #[must_use]
    pub fn at(&self, byte: u32) -> Option<SyntaxPart> {
        let around = |span: &Span| span.start <= byte && byte <= span.end;
        let parts = self.parts.iter();
        let near = parts.filter(|(_, span)| span.start < span.end && around(span));
        let found = near.min_by_key(|(_, span)| (byte == span.end, span.end - span.start));
        found.map(|(part, _)| *part)
    }

    /// All parts with their spans, in the order in which they were parsed.
    pub fn all(&self) -> impl Iterator<Item = (SyntaxPart, Span)> + '_ {
        self.parts.iter().copied()
    }

    /// Removes all spans but keeps the allocation.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.whole = Span::default();
    }
}

/// Inputs and output of a check.
pub struct Check<'c> {
    pub symbols: &'c SymbolTable,
    pub spans: &'c OperandSpans,
    /// Receives the diagnostics.
    pub out: &'c mut Diagnostics,
    /// IDs of the general variables used by the instruction; empty if the caller does
    /// not need them.
    pub variables: Vec<u32>,
    /// Whether the declarations are in the same text as the instruction, so that
    /// edits can change them.
    pub declared_in_text: bool,
}

impl<'c> Check<'c> {
    /// Creates a check of a single instruction.
    #[must_use]
    pub const fn new(
        symbols: &'c SymbolTable,
        spans: &'c OperandSpans,
        out: &'c mut Diagnostics,
    ) -> Self {
        Self {
            symbols,
            spans,
            out,
            variables: Vec::new(),
            declared_in_text: false,
        }
    }

    /// Creates a check of an instruction in a text that includes the declarations.
    #[must_use]
    pub const fn in_program(mut self) -> Self {
        self.declared_in_text = true;
        self
    }
}

impl Check<'_> {
    /// Reports an undeclared ID in an encoding.
    pub fn report_undeclared(&mut self, undeclared: Undeclared) {
        let Undeclared {
            field,
            byte,
            number,
        } = undeclared;
        let field = field.strip_suffix(" id").unwrap_or(field);
        let what = format!("byte {byte}: {field} {number} is not declared");
        let help = "provide the declarations: IDs start at 32 for general variables, 1 for predicates and 6 for surfaces";
        self.out
            .advise(&rules::UNKNOWN_ID, Span::new(byte, byte + 1), what, help);
    }

    /// Reports that a part breaks a rule.
    pub fn report(
        &mut self,
        rule: &'static rules::Rule,
        part: SyntaxPart,
        what: impl Into<String>,
    ) {
        let diagnostic = self.diagnostic(rule, part, what);
        self.push(diagnostic);
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        let is_compiled = self.symbols.visa.is_compiled();
        if !(is_compiled && diagnostic.rule.is_broken_by_compiler()) {
            self.out.push(diagnostic);
        }
    }

    fn diagnostic(
        &self,
        rule: &'static rules::Rule,
        part: SyntaxPart,
        what: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, self.spans.of(part), what)
    }

    /// Reports with a help text.
    pub fn advise(
        &mut self,
        rule: &'static rules::Rule,
        part: SyntaxPart,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        let diagnostic = self.diagnostic(rule, part, what).help(help);
        self.push(diagnostic);
    }

    /// Reports that general variable `id` has the wrong type, with an edit that changes
    /// its declaration.
    pub fn retype(
        &mut self,
        rule: &'static rules::Rule,
        part: SyntaxPart,
        what: impl Into<String>,
        variable: u32,
        ty: ElementType,
    ) {
        let diagnostic = self.diagnostic(rule, part, what);
        let help = format!("declare it with type={}", ty.name());
        let declared = self.symbols.visa.variable(variable).map(|v| v.type_span);
        let is_written = |span: &Span| self.declared_in_text && span.start < span.end;
        self.push(match declared.filter(is_written) {
            Some(span) => diagnostic.fix(help, span, ty.name()),
            None => diagnostic.help(help),
        });
    }

    /// Reports with an edit that replaces the part.
    pub fn fix(
        &mut self,
        rule: &'static rules::Rule,
        part: SyntaxPart,
        what: impl Into<String>,
        help: impl Into<String>,
        replacement: &str,
    ) {
        let diagnostic = self.diagnostic(rule, part, what);
        let span = diagnostic.span;
        self.push(diagnostic.fix(help, span, replacement));
    }
}

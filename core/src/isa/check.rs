//! Where rules are checked and broken ones are reported.

use super::symbols::SymbolTable;
use crate::bits::Undeclared;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::number::ElementType;
use crate::rules;
use crate::text::OperandKind;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The spans of the parts of an instruction in its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperandSpans {
    whole: Span,
    parts: Vec<(OperandKind, Span)>,
}

impl OperandSpans {
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

    /// Notes the span of a part.
    pub fn set(&mut self, part: OperandKind, span: Span) {
        self.parts.push((part, span));
    }

    /// The span of a part as [`Self::find`] has it, or else where it would be;
    /// the whole instruction for one that has no place.
    #[must_use]
    pub fn of(&self, part: OperandKind) -> Span {
        let place = || self.parts.iter().find(|(p, _)| *p == part);
        let place = || place().map(|(_, span)| *span);
        self.find(part).or_else(place).unwrap_or(self.whole)
    }

    /// The span of a part, if it has one. What was noted last counts: the
    /// address of SASS has a span at its suffix `.E` and one at its operand.
    #[must_use]
    pub fn find(&self, part: OperandKind) -> Option<Span> {
        let spans = self.parts.iter().rev();
        let mut of_part = spans.filter(|(p, span)| *p == part && span.start < span.end);
        of_part.next().map(|(_, span)| *span)
    }

    /// The part that a byte of the line belongs to: the one with the shortest
    /// place around it. The end of a place belongs to it too, as a caret
    /// is behind what it was moved over.
    #[must_use]
    pub fn at(&self, byte: u32) -> Option<OperandKind> {
        let around = |span: &Span| span.start <= byte && byte <= span.end;
        let parts = self.parts.iter();
        let near = parts.filter(|(_, span)| span.start < span.end && around(span));
        let found = near.min_by_key(|(_, span)| (byte == span.end, span.end - span.start));
        found.map(|(part, _)| *part)
    }

    /// All parts with their places, in the order in which they were read.
    pub fn all(&self) -> impl Iterator<Item = (OperandKind, Span)> + '_ {
        self.parts.iter().copied()
    }

    /// Forgets all places, keeping the storage.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.whole = Span::default();
    }
}

/// What a check sees and where it reports.
pub struct Check<'c> {
    /// The symbols of the program.
    pub symbols: &'c SymbolTable,
    /// The spans of the parts.
    pub spans: &'c OperandSpans,
    /// Where diagnostics go.
    pub out: &'c mut Diagnostics,
    /// The general variables that the instruction names, by number; empty
    /// where the caller does not need them.
    pub variables: Vec<u32>,
    /// Whether the declarations stand in the text that the instruction is
    /// from, so that an edit may change them.
    pub declared_in_text: bool,
}

impl<'c> Check<'c> {
    /// A check of an instruction.
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

    /// The same in a text that has the declarations too.
    #[must_use]
    pub const fn in_program(mut self) -> Self {
        self.declared_in_text = true;
        self
    }
}

impl Check<'_> {
    /// Reports a number in an encoding that nothing declares.
    pub fn report_undeclared(&mut self, undeclared: Undeclared) {
        let Undeclared {
            field,
            byte,
            number,
        } = undeclared;
        let field = field.strip_suffix(" id").unwrap_or(field);
        let what = format!("byte {byte}: {field} {number} is not declared");
        let diagnostic = Diagnostic::new(&rules::UNKNOWN_ID, Span::new(byte, byte + 1), what);
        self.out.push(diagnostic.help("give the declarations: the first general variable is 32, the first predicate 1, the first surface 6"));
    }

    /// Reports a broken rule at a part.
    pub fn report(
        &mut self,
        rule: &'static rules::Rule,
        part: OperandKind,
        what: impl Into<String>,
    ) {
        let diagnostic = self.diagnostic(rule, part, what);
        self.out.push(diagnostic);
    }

    fn diagnostic(
        &self,
        rule: &'static rules::Rule,
        part: OperandKind,
        what: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, self.spans.of(part), what)
    }

    /// Reports with advice.
    pub fn advise(
        &mut self,
        rule: &'static rules::Rule,
        part: OperandKind,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        let diagnostic = self.diagnostic(rule, part, what).help(help);
        self.out.push(diagnostic);
    }

    /// Reports that a general variable, by its number, has the wrong type, with
    /// the edit that declares it with another one.
    pub fn retype(
        &mut self,
        rule: &'static rules::Rule,
        part: OperandKind,
        what: impl Into<String>,
        variable: u32,
        ty: ElementType,
    ) {
        let diagnostic = self.diagnostic(rule, part, what);
        let help = format!("declare it with type={}", ty.name());
        let declared = self.symbols.visa.type_span(variable);
        self.out
            .push(match declared.filter(|_| self.declared_in_text) {
                Some(span) => diagnostic.fix(help, span, ty.name()),
                None => diagnostic.help(help),
            });
    }

    /// Reports with the edit that replaces the part.
    pub fn fix(
        &mut self,
        rule: &'static rules::Rule,
        part: OperandKind,
        what: impl Into<String>,
        help: impl Into<String>,
        replacement: &str,
    ) {
        let diagnostic = self.diagnostic(rule, part, what);
        let span = diagnostic.span;
        self.out.push(diagnostic.fix(help, span, replacement));
    }
}

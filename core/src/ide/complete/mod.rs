//! Completion.
//!
//! Candidates come from the tables of instructions, types and names. Each is
//! inserted into the line and parsed there: a candidate that causes an error is
//! dropped, and one that causes a warning is offered last.

mod directive;
mod offer;
mod sass;
mod starting;
mod visa;
mod words;

use super::line::Line;
use crate::diagnostic::{Edit, Span, to_u32};
use crate::isa::visa::declarations::NonGeneralVar;
use crate::isa::{Family, SymbolTable};
use crate::program::Program;
use crate::text::TokenClass;
use alloc::string::String;
use alloc::vec::Vec;
use offer::Offer;
pub(super) use words::{counted, shape};

/// A completion candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Text shown in the list.
    pub label: String,
    /// Replacement of [`Completion::span`].
    pub insert: String,
    /// Description; empty if the label is enough.
    pub detail: String,
    /// Token class.
    pub kind: TokenClass,
    /// Text that can follow it to make the line valid.
    pub rest: String,
    /// Whether it causes a warning or is undeclared.
    pub doubtful: bool,
    /// An additional edit that declares it.
    pub also: Option<Edit>,
}

/// Completion at a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Span of the word to replace; empty between words.
    pub span: Span,
    /// The candidates in display order.
    pub candidates: Vec<Candidate>,
}

/// Returns the completions at byte `offset`; `program` is the parsed text. The
/// candidates are not filtered by the word at the caret.
#[must_use]
pub fn complete(program: &Program, text: &str, offset: usize) -> Completion {
    let offset = text.floor_char_boundary(offset);
    let line = Line::at(text, offset);
    let at = to_u32(offset);
    if line.comment_at(text, at).is_some() {
        return Completion {
            span: Span::new(at, at),
            candidates: Vec::new(),
        };
    }
    let context = CompletionContext::new(program, text, &line, at);
    let mut offer = Offer::new(&context);
    let first = context.before.lexemes.first();
    let dotted = first.is_some_and(|l| l.span.of(text) == ".");
    if dotted {
        directive::offer(&context, &mut offer);
    } else {
        let [instruction, _] = context.offerings();
        instruction(&context, &mut offer);
        if context.before.lexemes.is_empty() {
            directive::offer_names(&context, &mut offer, true);
        }
    }
    offer.finish()
}

/// Offers what fits a position.
type Offering = fn(&CompletionContext<'_>, &mut Offer<'_, '_>);

/// The position to complete.
pub(super) struct CompletionContext<'a> {
    pub(super) program: &'a Program,
    pub(super) text: &'a str,
    pub(super) before: Line,
    /// Span of the word at the caret, possibly empty.
    pub(super) word: Span,
    /// The line after it.
    pub(super) after: &'a str,
}

impl<'a> CompletionContext<'a> {
    fn new(program: &'a Program, text: &'a str, line: &Line, at: u32) -> Self {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%' | b'$');
        let bytes = |span: Span| span.of(text).bytes();
        let left = bytes(Span::new(line.span.start, at))
            .rev()
            .take_while(|b| is_word(*b));
        let right = bytes(Span::new(at, line.span.end)).take_while(|b| is_word(*b));
        let word = Span::new(at - to_u32(left.count()), at + to_u32(right.count()));
        let lexemes = line.lexemes.iter().filter(|l| l.span.end <= word.start);
        let before = Line {
            lexemes: lexemes.copied().collect(),
            comments: Vec::new(),
            span: Span::new(line.span.start, word.start),
        };
        // Ignore the text of comments.
        let comment = line.comments.iter().find(|l| l.span.start >= word.end);
        let end = comment.map_or(line.span.end, |l| l.span.start);
        Self {
            program,
            text,
            before,
            word,
            after: Span::new(word.end, end.max(word.end)).of(text),
        }
    }

    pub(super) fn symbols(&self) -> &'a SymbolTable {
        &self.program.symbols
    }

    pub(super) fn family(&self) -> Family {
        self.symbols().target.family()
    }

    /// Completion of instructions, and of the places that `.init` sets.
    fn offerings(&self) -> [Offering; 2] {
        match self.family() {
            Family::Visa => [visa::offer, visa::places],
            Family::Sass => [sass::offer, sass::places],
        }
    }

    /// Whether the word directly follows the previous lexeme.
    pub(super) fn glued(&self) -> bool {
        let last = self.before.lexemes.last();
        last.is_some_and(|l| l.span.end == self.word.start)
    }

    /// Whether the word directly follows a dot.
    pub(super) fn is_behind_dot(&self) -> bool {
        self.back(1) == "." && self.glued()
    }

    /// Whether a name declared at `span` is in scope.
    pub(super) fn knows(&self, span: Span) -> bool {
        span.end <= self.before.span.start
    }

    /// The variables whose names are in scope.
    pub(super) fn known<'v, N>(
        &self,
        variables: impl Iterator<Item = (N, &'v NonGeneralVar)>,
    ) -> impl Iterator<Item = &'v NonGeneralVar> {
        let variables = variables.map(|(_, variable)| variable);
        variables.filter(|variable| self.knows(variable.span))
    }

    /// Text of the lexeme at `index`.
    pub(super) fn nth(&self, index: usize) -> &'a str {
        let lexeme = self.before.lexemes.get(index);
        lexeme.map_or("", |l| l.span.of(self.text))
    }

    /// Text of the lexeme `count` positions before the word.
    pub(super) fn back(&self, count: usize) -> &'a str {
        let index = self.before.lexemes.len().checked_sub(count);
        index.map_or("", |index| self.nth(index))
    }

    /// Whether to use the document's spelling, as in the line itself or else in the
    /// first instruction of the program.
    pub(super) fn documents(&self) -> bool {
        let first = self.program.instructions.first();
        let written = first.map_or("", |p| {
            p.spans.of(crate::text::SyntaxPart::Opcode).of(self.text)
        });
        !written.is_empty() && !written.bytes().any(|b| b.is_ascii_lowercase())
    }

    /// Whether only comments, titles and notes precede the line.
    pub(super) fn is_first(&self) -> bool {
        let before = Span::new(0, self.before.span.start).of(self.text);
        before.lines().all(|line| {
            let line = line.trim_start();
            let free = ["//", ".title", ".note"];
            line.is_empty() || free.iter().any(|start| line.starts_with(start))
        }) && !before.contains("/*")
    }
}

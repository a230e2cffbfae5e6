//! The line of a text that a place lies in.

use crate::diagnostic::{Span, to_u32, to_usize};
use crate::text::{Cursor, Lexeme, LexemeKind, lex};
use alloc::vec::Vec;

/// The lexemes of some lines, comments included, with places in the whole
/// text, and where they begin: only a block comment ties a line to those before
/// it, and then all lexemes are given.
pub(super) fn lexemes_of(text: &str, from: usize, to: usize) -> (Vec<Lexeme>, u32) {
    let mut lexemes = Vec::new();
    let (from, to) = (from.min(text.len()), to.min(text.len()));
    if text.get(..to).unwrap_or(text).contains("/*") {
        lex(text, &mut lexemes);
        return (lexemes, 0);
    }
    lex(text.get(from..to).unwrap_or(""), &mut lexemes);
    let start = to_u32(from);
    for lexeme in &mut lexemes {
        lexeme.span = Span::new(lexeme.span.start + start, lexeme.span.end + start);
    }
    (lexemes, start)
}

/// A line as it is read: block comments join lines.
pub(super) struct Line {
    /// Its lexemes, comments left out.
    pub(super) lexemes: Vec<Lexeme>,
    /// Its comments.
    pub(super) comments: Vec<Lexeme>,
    /// Where it starts and ends.
    pub(super) span: Span,
}

impl Line {
    /// The line that byte `offset` lies in.
    pub(super) fn at(text: &str, offset: usize) -> Self {
        let offset = to_u32(offset.min(text.len()));
        let physical = Cursor::line_of(text, offset);
        let (start, end) = (to_usize(physical.start), to_usize(physical.end));
        let (all, first) = lexemes_of(text, start, end);
        let is_end = |l: &&Lexeme| l.kind == LexemeKind::LineEnd;
        let before = all.iter().filter(is_end);
        let start = before.take_while(|l| l.span.end <= offset).last();
        let start = start.map_or(first, |end| end.span.end);
        let after = all.iter().filter(is_end).find(|l| l.span.start >= offset);
        let end = after.map_or_else(
            || physical.end.max(all.last().map_or(0, |l| l.span.end)),
            |l| l.span.start,
        );
        let span = Span::new(start, end.max(start));
        let inside = all
            .into_iter()
            .filter(|l| l.span.start >= span.start && l.span.end <= span.end)
            .filter(|l| l.kind != LexemeKind::LineEnd);
        Self::of(inside, span)
    }

    /// All lines of a text. Who asks for many of them is faster so: a text is
    /// read once.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let mut lexemes = Vec::new();
        lex(text, &mut lexemes);
        let mut lines = Vec::new();
        let (mut start, mut first) = (0, 0);
        for (index, lexeme) in lexemes.iter().enumerate() {
            if lexeme.kind == LexemeKind::LineEnd {
                let span = Span::new(start, lexeme.span.start);
                lines.push(Self::of(lexemes[first..index].iter().copied(), span));
                (start, first) = (lexeme.span.end, index + 1);
            }
        }
        let span = Span::new(start, to_u32(text.len()));
        lines.push(Self::of(lexemes[first..].iter().copied(), span));
        lines
    }

    fn of(lexemes: impl Iterator<Item = Lexeme>, span: Span) -> Self {
        let (comments, lexemes) =
            lexemes.partition(|l| matches!(l.kind, LexemeKind::Comment { .. }));
        Self {
            lexemes,
            comments,
            span,
        }
    }

    /// A cursor over it.
    pub(super) fn cursor<'a>(&'a self, text: &'a str) -> Cursor<'a> {
        Cursor::new(text, &self.lexemes, self.span.end)
    }

    /// The comment that a byte lies in; behind the last sign of one that a
    /// line ends, or nobody ends, it is still inside.
    pub(super) fn comment_at(&self, text: &str, offset: u32) -> Option<Lexeme> {
        let found = self.comments.iter().find(|l| {
            let line_comment = l.span.of(text).starts_with("//");
            let open = line_comment || l.kind == LexemeKind::Comment { closed: false };
            l.span.start < offset && (offset < l.span.end || open && offset == l.span.end)
        });
        found.copied()
    }
}

/// How many operands of vISA start in the lexemes behind an execution size,
/// and how many brackets are open at their end. An operand starts behind a
/// blank, outside of brackets.
pub(super) fn count_operands(lexemes: &[Lexeme]) -> (usize, u32) {
    let (mut started, mut depth, mut end) = (0, 0_u32, 0);
    for lexeme in lexemes {
        if depth == 0 && lexeme.span.start != end {
            started += 1;
        }
        depth = match lexeme.kind {
            LexemeKind::Punct('(' | '[' | '<') => depth + 1,
            LexemeKind::Punct(')' | ']' | '>') => depth.saturating_sub(1),
            _ => depth,
        };
        end = lexeme.span.end;
    }
    (started, depth)
}

/// The lexeme that a byte lies in, or ends at.
pub(super) fn lexeme_at(lexemes: &[Lexeme], offset: u32) -> Option<Lexeme> {
    let inside = |l: &&Lexeme| l.span.start <= offset && offset < l.span.end;
    let ends = |l: &&Lexeme| l.span.end == offset && !matches!(l.kind, LexemeKind::Punct(_));
    let found = lexemes.iter().find(inside);
    let behind = || lexemes.iter().find(ends);
    match found {
        Some(sign) if matches!(sign.kind, LexemeKind::Punct(_)) => behind().or(Some(sign)).copied(),
        Some(other) => Some(*other),
        None => behind().copied(),
    }
}

//! The line at a position of a text.

use crate::diagnostic::{Span, to_u32, to_usize};
use crate::text::{Cursor, Lexeme, LexemeKind, lex};
use alloc::vec::Vec;

/// Lexes some lines, including comments, with spans in the whole text; also returns
/// where the lexemes start. If there is a block comment, the whole text is lexed.
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

/// A logical line: block comments join lines.
pub(super) struct Line {
    /// The lexemes without comments.
    pub(super) lexemes: Vec<Lexeme>,
    pub(super) comments: Vec<Lexeme>,
    /// The span of the line.
    pub(super) span: Span,
}

impl Line {
    /// The line that contains byte `offset`.
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

    /// All lines of a text; faster than repeated calls of [`Self::at`].
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

    /// Returns a cursor over the line.
    pub(super) fn cursor<'a>(&'a self, text: &'a str) -> Cursor<'a> {
        Cursor::new(text, &self.lexemes, self.span.end)
    }

    /// The comment that contains a byte. The position after a line comment, or after
    /// an unterminated block comment, is still inside.
    pub(super) fn comment_at(&self, text: &str, offset: u32) -> Option<Lexeme> {
        let found = self.comments.iter().find(|l| {
            let line_comment = l.span.of(text).starts_with("//");
            let open = line_comment || l.kind == LexemeKind::Comment { closed: false };
            l.span.start < offset && (offset < l.span.end || open && offset == l.span.end)
        });
        found.copied()
    }
}

/// Counts the vISA operands that start in the lexemes after an execution size, and
/// the brackets left open. An operand starts after a blank outside brackets.
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

/// The lexeme that contains a byte or ends at it.
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

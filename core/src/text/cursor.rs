//! A cursor over the lexemes of a line.

use super::lex::{Lexeme, LexemeKind};
use crate::diagnostic::{Span, to_u32, to_usize};

/// A cursor over the lexemes of a line.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    text: &'t str,
    lexemes: &'t [Lexeme],
    at: usize,
    end: u32,
}

impl<'t> Cursor<'t> {
    /// Creates a cursor over `lexemes`, which must not contain comments or line ends.
    /// `end` is the end of the line in `text`.
    #[must_use]
    pub const fn new(text: &'t str, lexemes: &'t [Lexeme], end: u32) -> Self {
        Self {
            text,
            lexemes,
            at: 0,
            end,
        }
    }

    /// The whole text.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// The next lexeme.
    #[must_use]
    pub fn peek(&self) -> Option<Lexeme> {
        self.lexemes.get(self.at).copied()
    }

    /// Returns the lexeme `ahead` positions after the next.
    #[must_use]
    pub fn peek_at(&self, ahead: usize) -> Option<Lexeme> {
        self.lexemes.get(self.at + ahead).copied()
    }

    /// Skips the next lexeme.
    pub fn advance(&mut self) {
        self.at += 1;
    }

    /// Takes and returns the next lexeme.
    pub fn take(&mut self) -> Option<Lexeme> {
        let lexeme = self.peek();
        self.at += usize::from(lexeme.is_some());
        lexeme
    }

    /// The text of the next lexeme; empty at the end.
    #[must_use]
    pub fn word(&self) -> &'t str {
        self.peek().map_or("", |l| l.span.of(self.text))
    }

    /// The span of the next lexeme; an empty span at the end of the line.
    #[must_use]
    pub fn here(&self) -> Span {
        self.peek().map_or_else(
            || {
                let end = self.lexemes.last().map_or(self.end, |l| l.span.end);
                Span::new(end, end)
            },
            |l| l.span,
        )
    }

    /// The end of the previous lexeme.
    #[must_use]
    pub fn before(&self) -> u32 {
        self.at
            .checked_sub(1)
            .and_then(|i| self.lexemes.get(i))
            .map_or_else(|| self.here().start, |l| l.span.end)
    }

    /// The span from `start` to the end of the previous lexeme.
    #[must_use]
    pub fn since(&self, start: u32) -> Span {
        Span::new(start, self.before().max(start))
    }

    /// The span from here to the end of the line.
    #[must_use]
    pub fn rest(&self) -> Span {
        let here = self.here();
        Span::new(
            here.start,
            self.lexemes.last().map_or(here.end, |l| l.span.end),
        )
    }

    /// Whether all lexemes have been taken.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Takes a punctuation character if it is next.
    pub fn eat_punct(&mut self, sign: char) -> Option<Span> {
        let next = self.peek()?;
        (next.kind == LexemeKind::Punct(sign)).then(|| {
            self.advance();
            next.span
        })
    }

    /// Whether a punctuation character is next.
    #[must_use]
    pub fn is_punct(&self, sign: char) -> bool {
        self.peek()
            .is_some_and(|l| l.kind == LexemeKind::Punct(sign))
    }

    /// Takes a name if it is next.
    pub fn name(&mut self) -> Option<(&'t str, Span)> {
        let next = self.peek()?;
        (next.kind == LexemeKind::Name).then(|| {
            self.advance();
            (next.span.of(self.text), next.span)
        })
    }

    /// Takes a keyword if it is next, ignoring case.
    pub fn keyword(&mut self, keyword: &str) -> Option<Span> {
        let next = self.peek()?;
        (next.kind == LexemeKind::Name && next.span.of(self.text).eq_ignore_ascii_case(keyword))
            .then(|| {
                self.advance();
                next.span
            })
    }

    /// Takes the text up to, but not including, one of `stops`, without surrounding
    /// blanks.
    pub fn until(&mut self, stops: &[char]) -> (&'t str, Span) {
        let start = self.here().start;
        while let Some(next) = self.peek() {
            if matches!(next.kind, LexemeKind::Punct(sign) if stops.contains(&sign)) {
                break;
            }
            self.advance();
        }
        let span = self.since(start);
        (span.of(self.text), span)
    }

    /// Whether the next lexeme directly follows the previous one.
    #[must_use]
    pub fn adjacent(&self) -> bool {
        self.peek().is_some_and(|l| l.span.start == self.before())
    }

    /// The span of the line that contains byte `at`.
    #[must_use]
    pub fn line_of(text: &str, at: u32) -> Span {
        let at = to_usize(at).min(text.len());
        let start = text
            .get(..at)
            .and_then(|t| t.rfind('\n'))
            .map_or(0, |i| i + 1);
        let end = text
            .get(at..)
            .and_then(|t| t.find('\n'))
            .map_or(text.len(), |i| at + i);
        Span::new(to_u32(start), to_u32(end))
    }
}

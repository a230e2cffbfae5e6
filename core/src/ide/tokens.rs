//! Token classes of a text, for highlighting.

#[cfg(test)]
mod tests;

use super::line::lexemes_of;
use crate::diagnostic::{Span, to_u32};
use crate::isa::visa::declarations::Symbol;
use crate::isa::visa::execution::MaskControl;
use crate::isa::{Instruction, NamedOperand, SymbolTable, find_mnemonic};
use crate::number::{ElementType, parse_integer};
use crate::program::{Program, is_directive, is_label};
use crate::text::{Cursor, Lexeme, LexemeKind, TokenClass};
use alloc::vec::Vec;

/// Returns the tokens of a text in order, without blanks. `program` is the parsed
/// text, which determines the classes of names.
#[must_use]
pub fn tokens(program: &Program, text: &str) -> Vec<(Span, TokenClass)> {
    of_bytes(program, text, 0, text.len())
}

/// Returns the tokens of lines `from..to`, counted from 0. A block comment that
/// extends beyond them is included as a whole.
#[must_use]
pub fn tokens_of_lines(
    program: &Program,
    text: &str,
    from: usize,
    to: usize,
) -> Vec<(Span, TokenClass)> {
    let mut starts = core::iter::once(0).chain(
        (1..)
            .zip(text.bytes())
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| at),
    );
    let Some(start) = starts.nth(from) else {
        return Vec::new();
    };
    let lines = to.saturating_sub(from);
    let end = match lines.checked_sub(1) {
        Some(more) => starts.nth(more).unwrap_or(text.len()),
        None => start,
    };
    of_bytes(program, text, start, end)
}

fn of_bytes(program: &Program, text: &str, from: usize, to: usize) -> Vec<(Span, TokenClass)> {
    let (lexemes, _) = lexemes_of(text, from, to);
    let mut painter = Painter {
        text,
        symbols: &program.symbols,
        out: Vec::with_capacity(lexemes.len()),
    };
    let mut line = Vec::new();
    let mut comments = Vec::new();
    let (from, to) = (to_u32(from), to_u32(to));
    for lines in lexemes.split(|l| l.kind == LexemeKind::LineEnd) {
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
            continue;
        };
        if last.span.end <= from || first.span.start >= to {
            continue;
        }
        line.clear();
        comments.clear();
        for lexeme in lines {
            match lexeme.kind {
                LexemeKind::Comment { .. } => comments.push(*lexeme),
                _ => line.push(*lexeme),
            }
        }
        let before = painter.out.len();
        painter.line(&line);
        for comment in &comments {
            let closed = comment.kind == LexemeKind::Comment { closed: true };
            let class = if closed {
                TokenClass::Comment
            } else {
                TokenClass::Broken
            };
            painter.out.push((comment.span, class));
        }
        if !comments.is_empty()
            && let Some(new) = painter.out.get_mut(before..)
        {
            new.sort_unstable_by_key(|(span, _)| span.start);
        }
    }
    painter
        .out
        .retain(|(span, _)| span.end > from && span.start < to);
    painter.out
}

/// Assigns classes to the lexemes of a line.
struct Painter<'a> {
    text: &'a str,
    symbols: &'a SymbolTable,
    out: Vec<(Span, TokenClass)>,
}

impl Painter<'_> {
    fn put(&mut self, span: Span, class: TokenClass) {
        self.out.push((span, class));
    }

    fn line(&mut self, line: &[Lexeme]) {
        let end = line.last().map_or(0, |l| l.span.end);
        let mut cursor = Cursor::new(self.text, line, end);
        if cursor.is_punct('.') {
            self.directive(&mut cursor);
        } else if is_label(line) {
            self.put(cursor.rest(), TokenClass::Keyword);
        } else {
            self.instruction(&mut cursor);
        }
    }

    fn directive(&mut self, cursor: &mut Cursor<'_>) {
        let dot = cursor.here();
        cursor.advance();
        let name = cursor.name();
        let known = name.is_some_and(|(name, _)| is_directive(name));
        let span = name.map_or(dot, |(_, span)| dot.to(span));
        let class = if known {
            TokenClass::Directive
        } else {
            TokenClass::Broken
        };
        self.put(span, class);
        let declares = name.is_some_and(|(name, _)| name.eq_ignore_ascii_case("decl"));
        // The declared name, even if it looks like something else.
        if declares && let Some((name, span)) = cursor.name() {
            let class = self.named(name).unwrap_or(TokenClass::Variable);
            self.put(span, class);
        }
        let mut before = dot;
        let mut last = span;
        while let Some(lexeme) = cursor.take() {
            let value = last.of(self.text) == "=" && declares;
            let class = match lexeme.kind {
                LexemeKind::Name | LexemeKind::Number
                    if value && !before.of(self.text).eq_ignore_ascii_case("num_elts") =>
                {
                    TokenClass::Type
                }
                LexemeKind::Name if cursor.is_punct('=') && declares => TokenClass::Keyword,
                LexemeKind::Name if !declares => self.word_of_directive(lexeme, cursor, last),
                _ => self.plain(lexeme, last),
            };
            self.put(lexeme.span, class);
            (before, last) = (last, lexeme.span);
        }
    }

    /// Class of a name after a directive.
    fn word_of_directive(&self, lexeme: Lexeme, cursor: &Cursor<'_>, last: Span) -> TokenClass {
        let word = lexeme.span.of(self.text);
        if last.of(self.text) == ":" {
            // `: ud`, or the second register of a pair.
            return match ElementType::named(word) {
                Some(_) => TokenClass::Type,
                None => TokenClass::Variable,
            };
        }
        let memory = ["slm", "svm", "global"];
        if memory.iter().any(|known| word.eq_ignore_ascii_case(known)) {
            return TokenClass::Surface;
        }
        if let Some(class) = self.named(word) {
            return class;
        }
        if word.eq_ignore_ascii_case("em") {
            return TokenClass::Predicate;
        }
        if last.of(self.text) == "." && !cursor.is_punct('=') {
            // A channel in an order.
            return TokenClass::Suffix;
        }
        TokenClass::Keyword
    }

    fn instruction(&mut self, cursor: &mut Cursor<'_>) {
        let target = self.symbols.target;
        let mnemonic = find_mnemonic(cursor, target.family()).unwrap_or_default();
        let word = mnemonic.of(self.text);
        let known = Instruction::named(target.family(), word).is_some();
        let mut last = Span::default();
        let mut suffix = false;
        while let Some(lexeme) = cursor.take() {
            let glued = lexeme.span.start == last.end;
            let sign = matches!(lexeme.kind, LexemeKind::Punct(_));
            suffix &= glued && (!sign || lexeme.kind == LexemeKind::Punct('.'));
            let class = if lexeme.span == mnemonic {
                suffix = true;
                match known || target.has_mnemonic(word) {
                    true => TokenClass::Mnemonic,
                    false => TokenClass::Broken,
                }
            } else if suffix && !sign {
                TokenClass::Suffix
            } else if lexeme.span.start < mnemonic.start && !sign {
                match last.of(self.text) {
                    "." => TokenClass::Keyword,
                    _ => TokenClass::Predicate,
                }
            } else {
                self.plain(lexeme, last)
            };
            self.put(lexeme.span, class);
            last = lexeme.span;
        }
    }

    /// Class of a lexeme without context, except for a preceding colon.
    fn plain(&self, lexeme: Lexeme, last: Span) -> TokenClass {
        let word = lexeme.span.of(self.text);
        match lexeme.kind {
            LexemeKind::Name if last.of(self.text) == ":" => TokenClass::Type,
            LexemeKind::Name => self.named(word).unwrap_or_else(|| {
                let is_declared = self.symbols.target.facts().has_declarations;
                match is_declared && MaskControl::named(word).is_none() {
                    true => TokenClass::Variable,
                    false => TokenClass::Keyword,
                }
            }),
            LexemeKind::Number => {
                let bits = ["0x", "0b"].iter().any(|lead| {
                    let start = word.get(..2);
                    start.is_some_and(|start| start.eq_ignore_ascii_case(lead))
                });
                match bits && parse_integer(word).is_err() {
                    true => TokenClass::Broken,
                    false => TokenClass::Number,
                }
            }
            LexemeKind::Quoted { closed: true } => TokenClass::Text,
            LexemeKind::Punct(sign) if sign.is_ascii_graphic() => TokenClass::Punctuation,
            LexemeKind::Comment { .. } => TokenClass::Comment,
            LexemeKind::Quoted { closed: false } | LexemeKind::Punct(_) | LexemeKind::LineEnd => {
                TokenClass::Broken
            }
        }
    }

    /// The token class of a name.
    fn named(&self, word: &str) -> Option<TokenClass> {
        Some(match self.symbols.named(word)? {
            NamedOperand::Symbol(Symbol::General(_) | Symbol::Address(_))
            | NamedOperand::Register(_) => TokenClass::Variable,
            NamedOperand::Symbol(Symbol::Predicate(_)) | NamedOperand::Predicate(_) => {
                TokenClass::Predicate
            }
            NamedOperand::Symbol(Symbol::Surface(_) | Symbol::Sampler(_)) => TokenClass::Surface,
            NamedOperand::Uniform => return None,
        })
    }
}

//! Lexer of the scenario text.

use crate::diagnostic::{Span, to_u32};
use alloc::vec::Vec;
use winnow::Parser;
use winnow::ascii::till_line_ending;
use winnow::combinator::{alt, dispatch, opt, peek, preceded};
use winnow::token::{any, take_until, take_while};

/// Kind of a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// A name: letters, digits, `_`, `%` and `$`, not starting with a digit.
    Name,
    /// A word that starts with a digit.
    Number,
    /// A string including its quotes.
    Quoted {
        /// Whether the closing quote is present.
        closed: bool,
    },
    /// Any other single character.
    Punct(char),
    /// A comment: `//`, `/* */` or, in SASS, `#`. Kept for highlighting and removed
    /// before parsing.
    Comment {
        /// Whether a block comment is terminated.
        closed: bool,
    },
    /// The end of a line.
    LineEnd,
}

/// A lexeme with its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    pub kind: LexemeKind,
    pub span: Span,
}

const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'%' | b'$')
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%' | b'$')
}

/// Parses one lexeme, dispatching on the first byte. Only [`LexemeKind::Punct`] can be
/// outside ASCII, and the caller looks up its character.
fn kind(input: &mut &[u8]) -> winnow::Result<LexemeKind> {
    dispatch! { peek(any);
        byte if is_name_start(byte) => take_while(1.., is_name).value(LexemeKind::Name),
        b'0'..=b'9' => take_while(1.., is_name).value(LexemeKind::Number),
        b'\r' | b'\n' => alt((
            (opt(b'\r'), b'\n').value(LexemeKind::LineEnd),
            any.value(LexemeKind::Punct('\r')),
        )),
        b'/' => alt((
            (&b"//"[..], till_line_ending).value(LexemeKind::Comment { closed: true }),
            preceded(&b"/*"[..], opt((take_until(0.., &b"*/"[..]), &b"*/"[..]))).map(
                |end| LexemeKind::Comment { closed: end.is_some() },
            ),
            any.value(LexemeKind::Punct('/')),
        )),
        b'#' => till_line_ending.value(LexemeKind::Comment { closed: true }),
        b'"' => (
            any,
            take_while(0.., |c: u8| !matches!(c, b'"' | b'\n' | b'\r')),
            opt(b'"'),
        )
            .map(|(_, _, end)| LexemeKind::Quoted { closed: end.is_some() }),
        byte => any.value(LexemeKind::Punct(char::from(byte))),
    }
    .parse_next(input)
}

/// Splits a text into lexemes, including comments but not blanks. Never fails: any
/// other character is a [`LexemeKind::Punct`].
pub fn lex(text: &str, out: &mut Vec<Lexeme>) {
    out.clear();
    let mut rest = text.as_bytes();
    let at = |rest: &[u8]| to_u32(text.len() - rest.len());
    loop {
        while let [b' ' | b'\t' | b'\x0b' | b'\x0c', after @ ..] = rest {
            rest = after;
        }
        let start = at(rest);
        let Ok(mut kind) = kind(&mut rest) else { break };
        if kind == (LexemeKind::Comment { closed: false }) {
            // An unterminated block comment extends to the end of the text.
            rest = &[];
        }
        if let LexemeKind::Punct(first) = kind
            && !first.is_ascii()
        {
            let from = text.len() - rest.len() - 1;
            let whole = text.get(from..).and_then(|t| t.chars().next());
            let character = whole.expect("a lexeme starts at a character");
            rest = &rest[character.len_utf8() - 1..];
            if character == '\u{feff}' {
                continue;
            }
            kind = LexemeKind::Punct(character);
        }
        out.push(Lexeme {
            kind,
            span: Span::new(start, at(rest)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn kinds(text: &str) -> Vec<(LexemeKind, &str)> {
        let mut out = Vec::new();
        lex(text, &mut out);
        out.iter().map(|l| (l.kind, l.span.of(text))).collect()
    }

    #[test]
    fn words_and_signs() {
        assert_eq!(
            kinds("a.16 %slm // x\r\n0x1_f \"q"),
            vec![
                (LexemeKind::Name, "a"),
                (LexemeKind::Punct('.'), "."),
                (LexemeKind::Number, "16"),
                (LexemeKind::Name, "%slm"),
                (LexemeKind::Comment { closed: true }, "// x"),
                (LexemeKind::LineEnd, "\r\n"),
                (LexemeKind::Number, "0x1_f"),
                (LexemeKind::Quoted { closed: false }, "\"q"),
            ]
        );
    }

    #[test]
    fn unterminated_comments_and_any_punctuation_lex() {
        assert_eq!(
            kinds("/* a\nb */é/* c"),
            vec![
                (LexemeKind::Comment { closed: true }, "/* a\nb */"),
                (LexemeKind::Punct('é'), "é"),
                (LexemeKind::Comment { closed: false }, "/* c"),
            ]
        );
    }
}

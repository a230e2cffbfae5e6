//! Splits a text into words and signs.

use crate::diagnostic::{Span, to_u32};
use alloc::vec::Vec;
use winnow::Parser;
use winnow::ascii::till_line_ending;
use winnow::combinator::{alt, opt, preceded};
use winnow::stream::{AsChar, Stream};
use winnow::token::{any, one_of, take_until, take_while};

/// What a lexeme of the scenario text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name: letters, digits, `_`, `%` and `$`, not starting with a digit.
    Name,
    /// Something that starts with a digit.
    Number,
    /// A quoted text, quotes included; `closed` tells whether it ends.
    Quoted {
        /// Whether the closing quote is there.
        closed: bool,
    },
    /// Any other single character.
    Sign(char),
    /// A comment. Kept for colouring; the parser never sees it.
    Comment {
        /// Whether a block comment ends.
        closed: bool,
    },
    /// The end of a line.
    LineEnd,
}

/// One lexeme with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

fn is_name_start(c: char) -> bool {
    c.is_alpha() || matches!(c, '_' | '%' | '$')
}

fn is_name(c: char) -> bool {
    c.is_alphanum() || matches!(c, '_' | '%' | '$')
}

fn kind(input: &mut &str) -> winnow::Result<Kind> {
    alt((
        (one_of(is_name_start), take_while(0.., is_name)).value(Kind::Name),
        (one_of(AsChar::is_dec_digit), take_while(0.., is_name)).value(Kind::Number),
        (opt('\r'), '\n').value(Kind::LineEnd),
        ("//", till_line_ending).value(Kind::Comment { closed: true }),
        preceded("/*", opt((take_until(0.., "*/"), "*/"))).map(|end| Kind::Comment {
            closed: end.is_some(),
        }),
        (
            '"',
            take_while(0.., |c| !matches!(c, '"' | '\n' | '\r')),
            opt('"'),
        )
            .map(|(_, _, end)| Kind::Quoted {
                closed: end.is_some(),
            }),
        any.map(Kind::Sign),
    ))
    .parse_next(input)
}

/// Splits a text into lexemes, comments included, blanks left out. Every text
/// has a splitting: what fits nothing is a [`Kind::Sign`].
pub fn lex(text: &str, out: &mut Vec<Lexeme>) {
    out.clear();
    let mut rest = text;
    let at = |rest: &str| to_u32(text.len() - rest.len());
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\u{b}', '\u{c}', '\u{feff}']);
        let start = at(rest);
        let Ok(kind) = kind(&mut rest) else { break };
        if kind == (Kind::Comment { closed: false }) {
            // An unclosed block comment swallows the rest of the text.
            rest.finish();
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

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        let mut out = Vec::new();
        lex(text, &mut out);
        out.iter().map(|l| (l.kind, l.span.of(text))).collect()
    }

    #[test]
    fn words_and_signs() {
        assert_eq!(
            kinds("a.16 %slm // x\r\n0x1_f \"q"),
            vec![
                (Kind::Name, "a"),
                (Kind::Sign('.'), "."),
                (Kind::Number, "16"),
                (Kind::Name, "%slm"),
                (Kind::Comment { closed: true }, "// x"),
                (Kind::LineEnd, "\r\n"),
                (Kind::Number, "0x1_f"),
                (Kind::Quoted { closed: false }, "\"q"),
            ]
        );
    }

    #[test]
    fn comments_may_stay_open_and_signs_may_be_anything() {
        assert_eq!(
            kinds("/* a\nb */é/* c"),
            vec![
                (Kind::Comment { closed: true }, "/* a\nb */"),
                (Kind::Sign('é'), "é"),
                (Kind::Comment { closed: false }, "/* c"),
            ]
        );
    }
}

//! Words and signs of the scenario text, and the sink that printers write to.
//!
//! The grammar is line by line, so the lexer keeps line ends as tokens; a
//! [`Cursor`] walks the tokens of one line and never leaves it.

use crate::diagnostic::{Span, to_u32, to_usize};
use alloc::string::String;
use alloc::vec::Vec;
use winnow::Parser;
use winnow::ascii::till_line_ending;
use winnow::combinator::{alt, opt, preceded};
use winnow::stream::{AsChar, Stream};
use winnow::token::{any, one_of, take_until, take_while};

/// What a printed token is, for colouring; never a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// The instruction's name.
    Mnemonic,
    /// An operation, width, channel or precision that follows the name.
    Suffix,
    /// Mask control, predicate signs and other keywords.
    Keyword,
    /// A variable or register.
    Variable,
    /// A surface.
    Surface,
    /// A number.
    Number,
    /// A directive such as `.decl`.
    Directive,
    /// A quoted text.
    Text,
    /// A comment.
    Comment,
    /// Brackets, dots, commas.
    Punctuation,
    /// Blank space.
    Space,
}

/// The part of an instruction that a token or a bit field belongs to. A text
/// token and a field with the same part light up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The opcode and mnemonic.
    Opcode,
    /// The operation suffix.
    Operation,
    /// The data width suffix.
    Width,
    /// The execution size.
    ExecSize,
    /// The mask control.
    Mask,
    /// The predicate or guard.
    Predicate,
    /// The surface.
    Surface,
    /// Offsets, addresses.
    Address,
    /// The first source.
    Src0,
    /// The second source.
    Src1,
    /// The third source.
    Src2,
    /// The destination.
    Dst,
    /// Enabled channels.
    Channels,
    /// Precisions of the matrix operands.
    Precision,
    /// Systolic depth.
    Depth,
    /// Repeat count.
    Repeat,
    /// Bits that readers ignore.
    Ignored,
    /// Blanks and punctuation that belong to nothing.
    None,
}

/// Where a printer puts its tokens.
pub trait Sink {
    /// Adds one token.
    fn token(&mut self, class: TokenClass, part: Part, text: &str);

    /// Adds a decimal number.
    fn number(&mut self, part: Part, value: u64) {
        let mut digits = [0; 20];
        self.token(TokenClass::Number, part, decimal(value, &mut digits));
    }

    /// Adds one blank.
    fn space(&mut self) {
        self.token(TokenClass::Space, Part::None, " ");
    }

    /// Adds punctuation.
    fn sign(&mut self, part: Part, text: &str) {
        self.token(TokenClass::Punctuation, part, text);
    }
}

impl Sink for String {
    fn token(&mut self, _: TokenClass, _: Part, text: &str) {
        self.push_str(text);
    }
}

/// One printed token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub class: TokenClass,
    /// What it belongs to.
    pub part: Part,
    /// Its text.
    pub text: String,
}

impl Sink for Vec<Token> {
    fn token(&mut self, class: TokenClass, part: Part, text: &str) {
        self.push(Token {
            class,
            part,
            text: String::from(text),
        });
    }
}

/// Writes `value` in decimal into `digits`. Printing is measured in millions
/// of instructions a second, which `core::fmt` does not reach.
pub fn decimal(mut value: u64, digits: &mut [u8; 20]) -> &str {
    let mut first = digits.len();
    loop {
        first -= 1;
        if let Some(digit) = digits.get_mut(first) {
            *digit = b'0' + (value % 10).to_le_bytes()[0];
        }
        value /= 10;
        if value == 0 || first == 0 {
            break;
        }
    }
    digits
        .get(first..)
        .and_then(|digits| core::str::from_utf8(digits).ok())
        .unwrap_or("")
}

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

/// Compares a word of the text with a keyword, whatever the case of its letters.
#[must_use]
pub fn same_word(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// The keyword nearest to a misspelt word, if one is near enough to suggest.
#[must_use]
pub fn nearest<'k>(word: &str, keywords: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let limit = 1 + word.len() / 4;
    keywords
        .into_iter()
        .map(|keyword| (distance(word, keyword), keyword))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, keyword)| keyword)
}

/// Edit distance without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let substituted = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = *cell;
            *cell = substituted.min(left + 1).min(*cell + 1);
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// Walks the lexemes of one line.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    text: &'t str,
    lexemes: &'t [Lexeme],
    at: usize,
    end: u32,
}

impl<'t> Cursor<'t> {
    /// A cursor over `lexemes`, which hold neither comments nor line ends;
    /// `end` is where the line ends in `text`.
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

    /// The lexeme `ahead` places further on.
    #[must_use]
    pub fn peek_at(&self, ahead: usize) -> Option<Lexeme> {
        self.lexemes.get(self.at + ahead).copied()
    }

    /// Moves on by one.
    pub fn advance(&mut self) {
        self.at += 1;
    }

    /// Takes the next lexeme.
    pub fn take(&mut self) -> Option<Lexeme> {
        let lexeme = self.peek();
        self.at += usize::from(lexeme.is_some());
        lexeme
    }

    /// The text of the next lexeme, or an empty one.
    #[must_use]
    pub fn word(&self) -> &'t str {
        self.peek().map_or("", |l| l.span.of(self.text))
    }

    /// Where the next lexeme stands; an empty span at the end of the line
    /// when there is none.
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

    /// Where the lexeme before this one ended.
    #[must_use]
    pub fn before(&self) -> u32 {
        self.at
            .checked_sub(1)
            .and_then(|i| self.lexemes.get(i))
            .map_or_else(|| self.here().start, |l| l.span.end)
    }

    /// From `start` to the end of the last lexeme taken.
    #[must_use]
    pub fn since(&self, start: u32) -> Span {
        Span::new(start, self.before().max(start))
    }

    /// Everything from here to the end of the line.
    #[must_use]
    pub fn rest(&self) -> Span {
        let here = self.here();
        Span::new(
            here.start,
            self.lexemes.last().map_or(here.end, |l| l.span.end),
        )
    }

    /// Whether the line is used up.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Takes a sign if it is next.
    pub fn sign(&mut self, sign: char) -> Option<Span> {
        let next = self.peek()?;
        (next.kind == Kind::Sign(sign)).then(|| {
            self.advance();
            next.span
        })
    }

    /// Whether a sign is next.
    #[must_use]
    pub fn is_sign(&self, sign: char) -> bool {
        self.peek().is_some_and(|l| l.kind == Kind::Sign(sign))
    }

    /// Takes a name if one is next.
    pub fn name(&mut self) -> Option<(&'t str, Span)> {
        let next = self.peek()?;
        (next.kind == Kind::Name).then(|| {
            self.advance();
            (next.span.of(self.text), next.span)
        })
    }

    /// Takes a keyword if it is next, whatever its case.
    pub fn keyword(&mut self, keyword: &str) -> Option<Span> {
        let next = self.peek()?;
        (next.kind == Kind::Name && same_word(next.span.of(self.text), keyword)).then(|| {
            self.advance();
            next.span
        })
    }

    /// Takes the text up to one of `stops`, blanks trimmed, without the stop.
    pub fn until(&mut self, stops: &[char]) -> (&'t str, Span) {
        let start = self.here().start;
        while let Some(next) = self.peek() {
            if matches!(next.kind, Kind::Sign(sign) if stops.contains(&sign)) {
                break;
            }
            self.advance();
        }
        let span = self.since(start);
        (span.of(self.text), span)
    }

    /// Whether no blank stands between the last lexeme and the next one.
    #[must_use]
    pub fn adjacent(&self) -> bool {
        self.peek().is_some_and(|l| l.span.start == self.before())
    }

    /// The text of the whole line that byte `at` lies on.
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

    #[test]
    fn decimals_and_suggestions() {
        let mut digits = [0; 20];
        assert_eq!(decimal(0, &mut digits), "0");
        assert_eq!(decimal(u64::MAX, &mut digits), "18446744073709551615");
        assert_eq!(nearest("fmaxx", ["add", "fmax"]), Some("fmax"));
        assert_eq!(nearest("zzz", ["add", "fmax"]), None);
    }
}

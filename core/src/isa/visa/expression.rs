//! Integer expressions: `4*4`, `(1<<4)`, `%sizeof(GRF)`, wherever the real
//! assembler reads a number.
//!
//! Source: visa/CISA.y. Of its operators `|` binds tightest, then `^`, then `&`.

use super::declarations::{Declarations, Symbol};
use crate::diagnostic::to_u32;
use crate::number::parse_integer;
use crate::text::Cursor;

/// How deep parentheses and signs may nest.
const MAX_DEPTH: u32 = 32;

/// Binary operators by level, loosest first; longer signs precede their prefixes.
const LEVELS: [&[&str]; 7] = [
    &["&"],
    &["^"],
    &["|"],
    &["==", "!=", "<=", ">=", "<", ">"],
    &[">>>", "<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const SHIFTS: usize = 4;
const SUMS: usize = 5;
const PRODUCTS: usize = 6;
const UNARY: usize = LEVELS.len();

/// Reads an expression. Takes nothing where there is none, or where it has no
/// value: a division by zero, a shift by 64 or more, an unknown variable.
pub fn parse(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<i64> {
    read(cursor, symbols, |parser| parser.condition())
}

/// Reads an expression without comparisons outside parentheses, before a `>`.
pub fn uncompared(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<i64> {
    read(cursor, symbols, |parser| parser.level(SHIFTS))
}

/// Reads an expression without binary operators outside parentheses.
pub fn unary(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<i64> {
    read(cursor, symbols, |parser| parser.level(UNARY))
}

/// Reads `+ sum` or `- product` behind an address.
pub fn offset(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<i64> {
    read(cursor, symbols, |parser| {
        if parser.sign("+") {
            parser.level(SUMS)
        } else {
            parser.sign("-").then_some(())?;
            parser.level(PRODUCTS)?.checked_neg()
        }
    })
}

fn read(
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    rule: impl FnOnce(&mut Parser<'_, '_>) -> Option<i64>,
) -> Option<i64> {
    let rest = cursor.rest();
    let mut parser = Parser {
        text: rest.of(cursor.text()),
        symbols,
        depth: 0,
    };
    let value = rule(&mut parser)?;
    let end = rest.end - to_u32(parser.text.len());
    let mut ahead = cursor.clone();
    while ahead.here().start < end && !ahead.at_end() {
        ahead.advance();
    }
    let is_whole = ahead.before() == end;
    is_whole.then(|| {
        *cursor = ahead;
        value
    })
}

/// Reads text rather than lexemes, which join `7%2`.
struct Parser<'t, 's> {
    /// Unread rest of the text.
    text: &'t str,
    symbols: &'s Declarations,
    depth: u32,
}

impl Parser<'_, '_> {
    fn sign(&mut self, operator: &str) -> bool {
        let rest = self.text.trim_start().strip_prefix(operator);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    /// Takes a name or a number.
    fn word(&mut self) -> &str {
        let text = self.text.trim_start();
        let is_inside =
            |(i, c): (usize, char)| c.is_ascii_alphanumeric() || c == '_' || c == '%' && i == 0;
        let end = text.char_indices().find(|at| !is_inside(*at));
        let (word, rest) = text.split_at(end.map_or(text.len(), |(i, _)| i));
        self.text = rest;
        word
    }

    fn condition(&mut self) -> Option<i64> {
        let value = self.level(0)?;
        if !self.sign("?") {
            return Some(value);
        }
        self.nested(|parser| {
            let then = parser.level(0)?;
            parser.sign(":").then_some(())?;
            let otherwise = parser.condition()?;
            Some(if value != 0 { then } else { otherwise })
        })
    }

    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let value = (self.depth <= MAX_DEPTH).then(|| rule(self)).flatten();
        self.depth -= 1;
        value
    }

    fn level(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else {
            return self.nested(Self::operand);
        };
        let mut left = self.level(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.sign(operator)) {
            left = apply(operator, left, self.level(level + 1)?)?;
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<i64> {
        if self.sign("-") {
            return self.nested(Self::operand).map(i64::wrapping_neg);
        }
        if self.sign("~") {
            return self.nested(Self::operand).map(|value| !value);
        }
        if self.sign("!") {
            return self.nested(Self::operand).map(|v| i64::from(v == 0));
        }
        if self.sign("(") {
            let value = self.condition()?;
            return self.sign(")").then_some(value);
        }
        match self.word() {
            word if word.eq_ignore_ascii_case("%sizeof") => self.size(),
            "%DispatchSimd" => self.symbols.compiled_simd.map(i64::from),
            word => parse_integer(word).ok().map(u64::cast_signed),
        }
    }

    /// `(GRF)`, `(V32)`, `V32`: a number of bytes.
    fn size(&mut self) -> Option<i64> {
        let parenthesis = self.sign("(");
        let symbols = self.symbols;
        let bytes = match self.word() {
            "GRF" => symbols.grf_bytes(),
            name => match symbols.symbol(name)? {
                Symbol::General(id) => symbols.general(id)?.bytes(),
                _ => return None,
            },
        };
        (!parenthesis || self.sign(")")).then_some(i64::from(bytes))
    }
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    let shift = || u32::try_from(right).ok().filter(|count| *count < 64);
    Some(match operator {
        "&" => left & right,
        "^" => left ^ right,
        "|" => left | right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<<" => left << shift()?,
        ">>" => left >> shift()?,
        ">>>" => (left.cast_unsigned() >> shift()?).cast_signed(),
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        _ => left.checked_rem(right)?,
    })
}

//! The values of an `.init` line: a list, `iota`, `splat` or `random`.

use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::number::{ElementType, Random, iota, parse_integer, parse_literal};
use crate::rules;
use crate::text::Cursor;
use alloc::format;
use alloc::vec::Vec;

/// Element values for a variable or a range of memory, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// The listed values, then zeros.
    List(Vec<u64>),
    /// start, start + step, …
    Iota(u64, u64),
    /// The same value for every element.
    Splat(u64),
    /// A repeatable pseudorandom sequence with this seed.
    Random(u64),
}

impl Values {
    /// The length of a list; `None` for values without an end.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match self {
            Self::List(values) => Some(values.len()),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Returns the elements as an endless iterator; zeros follow those of a list.
    pub fn elements(&self, ty: ElementType) -> impl Iterator<Item = u64> + '_ {
        let mut index = 0;
        let mut random = match self {
            Self::Random(seed) => Random::new(*seed),
            _ => Random::new(0),
        };
        let mut list = match self {
            Self::List(values) => values.as_slice(),
            _ => &[],
        }
        .iter();
        core::iter::from_fn(move || {
            Some(match self {
                Self::List(_) => list.next().copied().unwrap_or(0),
                Self::Iota(start, step) => {
                    let value = iota(*start, *step, index, ty);
                    index = index.wrapping_add(1);
                    value
                }
                Self::Splat(value) => *value,
                Self::Random(_) => random.element(ty),
            })
        })
    }

    /// Parses the values up to the end of the line.
    pub(super) fn parse(
        cursor: &mut Cursor<'_>,
        ty: ElementType,
        out: &mut Diagnostics,
    ) -> Option<Self> {
        if let Some((word, span)) = cursor.clone().name()
            && cursor
                .peek_at(1)
                .is_some_and(|l| l.span.of(cursor.text()) == "(")
        {
            cursor.advance();
            cursor.advance();
            return parse_function(word, span, cursor, ty, out);
        }
        let mut values = Vec::new();
        let mut good = true;
        loop {
            // Report consecutive commas once.
            let empty = cursor.is_punct(',');
            match read_literal(cursor, &[','], ty) {
                Ok(value) => values.push(value),
                Err((text, error)) => {
                    good = false;
                    // Values without commas, or a function without its arguments.
                    let is_list = text.contains(char::is_whitespace)
                        || text.starts_with(|c: char| c.is_ascii_alphabetic());
                    out.push(match is_list {
                        true => error.help(
                            "write values with commas, such as 1, 2, 3, or iota(start, step), \
                             splat(value) or random(seed)",
                        ),
                        false => error,
                    });
                }
            }
            while empty && cursor.eat_punct(',').is_some() {}
            if empty && !cursor.at_end() {
                continue;
            }
            if cursor.eat_punct(',').is_none() {
                break;
            }
        }
        good.then_some(Self::List(values))
    }
}

fn parse_function(
    word: &str,
    span: Span,
    cursor: &mut Cursor<'_>,
    ty: ElementType,
    out: &mut Diagnostics,
) -> Option<Values> {
    let stops = [',', ')'];
    let values = match word {
        _ if word.eq_ignore_ascii_case("iota") => {
            let start = literal(cursor, &stops, ty, out)?;
            let step = match cursor.eat_punct(',') {
                // A negative step wraps for unsigned types.
                Some(_) => step(cursor, &stops, ty, out)?,
                None => crate::number::parse_literal("1", ty).ok()?,
            };
            Values::Iota(start, step)
        }
        _ if word.eq_ignore_ascii_case("splat") => Values::Splat(literal(cursor, &stops, ty, out)?),
        _ if word.eq_ignore_ascii_case("random") => {
            let (text, span) = cursor.until(&stops);
            match parse_integer(text) {
                Ok(seed) => Values::Random(seed),
                Err(_) => {
                    let what = format!("expected a seed, found `{text}`");
                    let help = "write a whole number: random(1)";
                    out.advise(&rules::INIT_VALUE, span, what, help);
                    return None;
                }
            }
        }
        _ => {
            let what = format!("unknown function `{word}`");
            let help = "use a list, iota(start, step), splat(value) or random(seed)";
            out.advise(&rules::INIT_SYNTAX, span, what, help);
            return None;
        }
    };
    if cursor.eat_punct(')').is_none() || !cursor.at_end() {
        let rest = cursor.rest();
        let what = format!("unexpected text after `{word}(…)`");
        let help = "write only iota(start, step), splat(value) or random(seed)";
        out.advise(&rules::INIT_SYNTAX, rest, what, help);
        return None;
    }
    Some(values)
}

fn step(
    cursor: &mut Cursor<'_>,
    stops: &[char],
    ty: ElementType,
    out: &mut Diagnostics,
) -> Option<u64> {
    let mut ahead = cursor.clone();
    let (text, _) = ahead.until(stops);
    let magnitude = text.strip_prefix('-').map(str::trim_start);
    match magnitude.map(|m| parse_literal(m, ty)) {
        Some(Ok(value)) if !ty.is_float() => {
            *cursor = ahead;
            Some(value.wrapping_neg() & crate::number::low_mask(ty.bits()))
        }
        _ => literal(cursor, stops, ty, out),
    }
}

/// Parses one literal up to one of `stops`.
pub(super) fn literal(
    cursor: &mut Cursor<'_>,
    stops: &[char],
    ty: ElementType,
    out: &mut Diagnostics,
) -> Option<u64> {
    let read = read_literal(cursor, stops, ty);
    read.map_err(|(_, error)| out.push(error)).ok()
}

/// Parses one literal up to one of `stops`. The error has the text.
fn read_literal<'t>(
    cursor: &mut Cursor<'t>,
    stops: &[char],
    ty: ElementType,
) -> Result<u64, (&'t str, Diagnostic)> {
    let (text, span) = cursor.until(stops);
    let error = match parse_literal(text, ty) {
        Ok(bits) => return Ok(bits),
        Err(error) => error,
    };
    let name = ty.name();
    let what = match (text, error) {
        ("", _) => format!("expected a value of type {name}"),
        (_, error) => format!("invalid value `{text}` of type {name}: {error}"),
    };
    let error = Diagnostic::new(&rules::INIT_VALUE, span, what).help(error.help(ty));
    Err((text, error))
}

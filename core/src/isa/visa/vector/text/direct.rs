//! Reading general operands: variable, row and column, region, modifier.

use super::{Regions, Wanted};
use crate::diagnostic::{Diagnostics, Span};
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::operand::{VariableId, assembler_name, declare, skip_glued, undeclared};
use crate::isa::visa::spelling;
use crate::isa::visa::vector::{DirectOperand, Modifier, Region, Stride};
use crate::number::parse_integer;
use crate::text::{Cursor, Kind, eq_ignore_ascii_case};
use alloc::format;
use alloc::string::String;

impl DirectOperand {
    /// Reads `V38(0,0)<0;1,0>`, `V44(0,0)`, or a name alone.
    pub fn parse(
        wanted: Wanted<'_>,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<(Self, Span)> {
        let start = cursor.here().start;
        let modifier = parse_modifier(wanted, cursor, out);
        let named = cursor.name().filter(|_| !cursor.is_sign('['));
        let Some((name, span)) = named else {
            cursor.advance();
            skip_glued(cursor);
            let span = cursor.since(start);
            let what = format!("`{}` cannot be {}", span.of(cursor.text()), wanted.role);
            wanted.report(span, what, out);
            return None;
        };
        let id = match symbols.symbol(name) {
            Some(Symbol::General(id)) => Some(VariableId(id)),
            Some(_) => {
                skip_glued(cursor);
                let what = format!("`{name}` cannot be {}", wanted.role);
                wanted.report(span, what, out);
                return None;
            }
            None => {
                let diagnostic = undeclared(name, span, symbols, out.len());
                out.push(match diagnostic.edit {
                    Some(_) => diagnostic,
                    None => declare(diagnostic, name, wanted.attributes, cursor),
                });
                None
            }
        };
        let place = parse_place(wanted, id, cursor, symbols, out);
        let (row, column, region) = place?;
        let operand = Self {
            modifier: modifier?,
            id: id?,
            row,
            column,
            region,
        };
        let own = assembler_name(name);
        if cursor.before() == span.end || own != name {
            let own = format!("{own}({row},{column}){}", wanted.regions.text());
            spelling::document(span, &own, cursor, out);
        }
        Some((operand, cursor.since(start)))
    }
}

/// What stands behind the name: row, column and region. None when it is wrong.
fn parse_place(
    wanted: Wanted<'_>,
    id: Option<VariableId>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<(u8, u8, Region)> {
    if cursor.is_sign('.') && cursor.adjacent() {
        raw_offset(wanted, id, cursor, symbols, out);
        return None;
    }
    let end = Span::new(cursor.before(), cursor.before());
    let placed = cursor.is_sign('(');
    let place = if placed {
        parse_row_and_column(wanted, cursor, out)
    } else {
        Some((0, 0))
    };
    let Some((row, column)) = place else {
        // What follows belongs to what has been reported.
        if cursor.is_sign('<') {
            parse_region(false, cursor, out);
        }
        return None;
    };
    let region = parse_written(wanted, placed, end, cursor, out)?;
    Some((row, column, region))
}

/// The region behind row and column, if it is written: `placed` tells whether
/// they are there, `end` where the name ends.
fn parse_written(
    wanted: Wanted<'_>,
    placed: bool,
    end: Span,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<Region> {
    let role = wanted.role;
    let written = wanted.regions == Regions::Written;
    let start = cursor.here().start;
    let here = Span::new(cursor.before(), cursor.before());
    let (what, at, instead) = if cursor.is_sign('<') {
        let region = parse_region(false, cursor, out);
        let span = cursor.since(start);
        if !written {
            (format!("{role} takes no region"), span, "")
        } else if region.is_none() {
            let what = format!("`{}` is not a region", span.of(cursor.text()));
            (what, span, "<0;1,0>")
        } else if !placed {
            let what = format!("{role}: row and column belong before a region");
            (what, end, "(0,0)")
        } else {
            return region;
        }
    } else if placed && written {
        let what = format!("{role}: a region belongs behind row and column");
        (what, here, "<0;1,0>")
    } else {
        return Some(wanted.regions.implied());
    };
    out.push(wanted.diagnostic(at, what).fix(wanted.help, at, instead));
    None
}

/// `.32`, the byte offset of raw operands: the row and column that it means.
fn raw_offset(
    wanted: Wanted<'_>,
    id: Option<VariableId>,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) {
    let start = cursor.here().start;
    cursor.advance();
    let bytes = parse_integer(cursor.word()).ok();
    skip_glued(cursor);
    let span = cursor.since(start);
    let what = format!("{} takes no byte offset", wanted.role);
    let diagnostic = wanted.diagnostic(span, what);
    let place = || {
        let element = u64::from(symbols.general(id?.0)?.ty.bytes());
        let grf = u64::from(symbols.grf_bytes());
        let (row, within) = (bytes? / grf, bytes? % grf);
        (row < 256 && within % element == 0)
            .then(|| format!("({row},{}){}", within / element, wanted.regions.text()))
    };
    out.push(match place() {
        Some(place) => diagnostic.fix(wanted.help, span, place),
        None => diagnostic.help(wanted.help),
    });
}

/// `(0,0)`.
fn parse_row_and_column(
    wanted: Wanted<'_>,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<(u8, u8)> {
    let start = cursor.here().start;
    cursor.advance();
    let mut ahead = cursor.clone();
    let mut number = |end| {
        let value = parse_integer(ahead.word());
        ahead.advance();
        ahead.sign(end)?;
        value.ok()
    };
    let found = number(',').and_then(|row| Some((row, number(')')?)));
    let Some((row, column)) = found else {
        let mut ahead = cursor.clone();
        ahead.until(&[')', '<']);
        if ahead.sign(')').is_some() || ahead.is_sign('<') {
            *cursor = ahead;
        } else {
            skip_glued(cursor);
        }
        let span = cursor.since(start);
        let what = format!("`{}` is no row and column", span.of(cursor.text()));
        wanted.report(span, what, out);
        return None;
    };
    *cursor = ahead;
    let place = u8::try_from(row).ok().zip(u8::try_from(column).ok());
    if place.is_none() {
        let span = cursor.since(start);
        let what = format!("`{}`: row and column have 8 bits", span.of(cursor.text()));
        wanted.report(span, what, out);
    }
    place
}

/// `<0;1,0>`, whose parts are ones the document lists. Indirect operands may
/// have no vertical stride: `<1,0>`, or `<;1,0>` as the document writes it.
pub(super) fn parse_region(
    indirect: bool,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<Region> {
    let open = cursor.sign('<')?;
    let mut ahead = cursor.clone();
    ahead.until(&['>']);
    if ahead.sign('>').is_none() {
        skip_glued(cursor);
        return None;
    }
    let mut inside = cursor.clone();
    *cursor = ahead;
    let stride = |inside: &mut Cursor<'_>| {
        let value = parse_integer(inside.word()).ok()?;
        inside.advance();
        Stride::of(value)
    };
    let missing = indirect && inside.sign(';').is_some();
    let first = stride(&mut inside)?;
    let (vertical, width) = if !missing && inside.sign(';').is_some() {
        (Some(first), stride(&mut inside)?)
    } else {
        (None, first)
    };
    inside.sign(',')?;
    let horizontal = stride(&mut inside)?;
    inside.sign('>')?;
    let vertical = match vertical {
        None if indirect => Stride::NULL,
        vertical => vertical?,
    };
    let region = Region {
        vertical,
        width,
        horizontal,
    };
    let checked = Region {
        // A stride that is not there may be any.
        vertical: if vertical.is_null() {
            horizontal
        } else {
            vertical
        },
        ..region
    };
    if missing {
        spelling::document(cursor.since(open.start), "<1,0>", cursor, out);
    }
    checked.is_legal().then_some(region)
}

/// `(-)` and the like before a variable; none of them where none stands.
pub(super) fn parse_modifier(
    wanted: Wanted<'_>,
    cursor: &mut Cursor<'_>,
    out: &mut Diagnostics,
) -> Option<Modifier> {
    let Some(open) = cursor.sign('(') else {
        return Some(Modifier::NONE);
    };
    let mut inside = cursor.clone();
    let mut sign = String::new();
    while let Some(next) = inside.take().filter(|l| l.kind != Kind::Punct(')')) {
        sign.push_str(next.span.of(cursor.text()));
    }
    cursor.until(&[')', '<']);
    cursor.sign(')');
    let span = cursor.since(open.start);
    let mut signs = Modifier::SIGNS.iter();
    let found = signs.find(|(known, _)| eq_ignore_ascii_case(known, &sign));
    let Some((own, modifier)) = found else {
        let what = format!("`{}` is no source modifier", span.of(cursor.text()));
        out.push(wanted.diagnostic(span, what).fix(wanted.help, span, ""));
        return None;
    };
    let own = format!("({own})");
    let written = span.of(cursor.text());
    if written != own {
        let letters = eq_ignore_ascii_case(written, &own);
        let note = if letters {
            spelling::document
        } else {
            spelling::lenient
        };
        note(span, &own, cursor, out);
    }
    Some(*modifier)
}

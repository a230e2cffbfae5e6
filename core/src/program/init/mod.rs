//! The `.init` directive. This module parses the lines; [`apply`] writes their
//! values once all memory is mapped.

mod apply;
mod warp;

use super::place::InitTarget;
use super::values::{Values, literal};
use crate::diagnostic::{Diagnostics, Span, to_usize};
use crate::isa::SymbolTable;
pub use crate::isa::visa::declarations::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES};
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::raw_operand::undeclared;
use crate::number::{ElementType, parse_integer};
use crate::rules;
use crate::text::Cursor;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// An `.init` line, applied once all memory is mapped.
#[derive(Clone, Debug)]
pub(super) struct Init {
    pub(super) place: InitTarget,
    /// The EU that is initialized; `None` for both.
    pub(super) eu: Option<(u8, Span)>,
    pub(super) ty: ElementType,
    pub(super) values: Values,
    /// Span of the text before `=`.
    pub(super) target: Span,
    pub(super) name: Box<str>,
}

/// Parses the arguments of `.init`.
pub(super) fn parse(
    cursor: &mut Cursor<'_>,
    symbols: &mut SymbolTable,
    out: &mut Diagnostics,
) -> Option<Init> {
    let start = cursor.here();
    let facts = symbols.target.facts();
    let Some((first, first_span)) = cursor.name() else {
        let what = "expected a variable or memory location";
        out.report(&rules::INIT_SYNTAX, start, what);
        return None;
    };
    let eu = match first {
        _ if facts.has_lane_registers => None,
        _ if first.eq_ignore_ascii_case("EU0") => Some((0, first_span)),
        _ if first.eq_ignore_ascii_case("EU1") => Some((1, first_span)),
        _ => None,
    };
    let dotted = eu.is_some() && cursor.eat_punct('.').is_some();
    let (name, span) = if dotted {
        match cursor.name() {
            Some(name) => name,
            None => {
                let what = "expected a variable after `EU0.` or `EU1.`";
                out.report(&rules::INIT_SYNTAX, cursor.here(), what);
                return None;
            }
        }
    } else {
        (first, first_span)
    };
    let eu = eu.filter(|_| dotted);
    let memory = cursor.is_punct('[');
    if memory && eu.is_some() {
        let what = format!("`{name}` is shared by both EUs");
        out.advise(&rules::INIT_SYNTAX, first_span, what, "remove the EU");
        return None;
    }
    let (place, ty) = match facts.has_lane_registers {
        _ if memory => parse_memory(name, span, cursor, symbols, out)?,
        true => warp::parse(name, span, cursor, &mut symbols.sass, out)?,
        false => find_variable(name, span, cursor, &symbols.visa, out)?,
    };
    let target = cursor.since(start.start);
    if cursor.eat_punct('=').is_none() {
        let here = cursor.here();
        let what = "expected `=` and values";
        out.advise(&rules::INIT_SYNTAX, here, what, "write .init V32 = 1, 2, 3");
        return None;
    }
    let values = match place {
        InitTarget::Address(_) => parse_pointers(cursor, &symbols.visa, out)?,
        InitTarget::Flags(_) => parse_mask(name, cursor, out)?,
        _ => Values::parse(cursor, ty, out)?,
    };
    Some(Init {
        place,
        eu,
        ty,
        values,
        target,
        name: name.into(),
    })
}

fn find_variable(
    name: &str,
    span: Span,
    cursor: &Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<(InitTarget, ElementType)> {
    if let Some(found) = InitTarget::of_variable(symbols, name) {
        return Some(found);
    }
    match symbols.symbol(name) {
        Some(_) => {
            let what = format!("`{name}` has no elements to initialize");
            let help =
                "write .init slm[0] : ud = …, .init T6[0] : ud = … or .init svm[0x10000] : ud = …";
            out.advise(&rules::INIT_SYNTAX, span, what, help);
        }
        None => {
            let (attributes, found) = (|| declared_by(cursor), out.len());
            out.push(undeclared(name, span, attributes, symbols, cursor, found));
        }
    }
    None
}

/// Attributes that declare a variable for the values that follow: float if one has
/// a decimal point, with an element for each value and at least a full register.
fn declared_by(cursor: &Cursor<'_>) -> String {
    let values = cursor.rest().of(cursor.text());
    let ty = if values.contains('.') { "f" } else { "ud" };
    let count = values.matches(',').count() + 1;
    let elements = count.next_multiple_of(16);
    format!("v_type=G type={ty} num_elts={elements} align=GRF")
}

/// `[0x40] : ud`.
fn parse_memory(
    name: &str,
    span: Span,
    cursor: &mut Cursor<'_>,
    symbols: &SymbolTable,
    out: &mut Diagnostics,
) -> Option<(InitTarget, ElementType)> {
    let help = symbols.target.facts().memory_help;
    let space = symbols.memory_named(name);
    let Some(space) = space else {
        let what = format!("`{name}` is not an address space");
        out.advise(&rules::INIT_SYNTAX, span, what, help);
        return None;
    };
    cursor.eat_punct('[');
    let (text, at) = cursor.until(&[']']);
    let Ok(address) = parse_integer(text) else {
        let what = format!("expected an address, found `{text}`");
        out.advise(&rules::INIT_SYNTAX, at, what, help);
        return None;
    };
    cursor.eat_punct(']');
    let colon = cursor.eat_punct(':');
    let (word, at) = (cursor.word(), cursor.here());
    let Some(ty) = colon.and_then(|_| ElementType::named(word)) else {
        let what = "expected an element type after the address";
        out.advise(&rules::INIT_SYNTAX, at, what, help);
        return None;
    };
    cursor.advance();
    Some((InitTarget::Memory(space, address), ty))
}

/// `0xff`.
fn parse_mask(name: &str, cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<Values> {
    let mask = literal(cursor, &[','], ElementType::Ud, out)?;
    if !cursor.at_end() {
        let what = format!("expected a single mask for `{name}`");
        let help = "write the bits of all elements as one number, the first element lowest: 0b101";
        out.advise(&rules::INIT_SYNTAX, cursor.rest(), what, help);
        return None;
    }
    Some(Values::List(vec![mask]))
}

/// `&V33 + 32, &V34`.
fn parse_pointers(
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<Values> {
    let mut pointers = Vec::new();
    loop {
        let start = cursor.here().start;
        let pointer = parse_pointer(cursor, symbols);
        match pointer {
            Some(pointer) => pointers.push(pointer),
            None => {
                cursor.until(&[',']);
                let span = cursor.since(start);
                let what = format!(
                    "expected a register address, found `{}`",
                    span.of(cursor.text())
                );
                let help = "write &V33, or &V33 + 32 for byte 32 of V33";
                out.advise(&rules::INIT_SYNTAX, span, what, help);
                return None;
            }
        }
        if cursor.eat_punct(',').is_none() {
            break;
        }
    }
    if !cursor.at_end() {
        let what = "unexpected text after the register addresses";
        out.report(&rules::INIT_SYNTAX, cursor.rest(), what);
        return None;
    }
    Some(Values::List(pointers))
}

pub(super) fn parse_pointer(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<u64> {
    cursor.eat_punct('&')?;
    let (name, _) = cursor.name()?;
    let Some(Symbol::General(id)) = symbols.symbol(name) else {
        return None;
    };
    let base = symbols.general(id)?.offset;
    let mut offset = 0;
    if cursor.eat_punct('+').is_some() {
        offset = cursor.integer()?;
    }
    u64::from(base)
        .checked_add(offset)
        .filter(|p| *p <= u64::from(u32::MAX))
}

/// Formats an element of an address variable: `&V33 + 32`.
#[must_use]
pub fn pointer_text(symbols: &Declarations, offset: u32) -> alloc::string::String {
    let found = symbols.at_register_byte(offset).next();
    match found {
        Some((_, variable)) if variable.offset == offset => format!("&{}", variable.name),
        Some((_, variable)) => format!("&{} + {}", variable.name, offset - variable.offset),
        None => format!("{:#x}", to_usize(offset)),
    }
}

//! Reads `.decl` lines as the real assembler takes them.
//!
//! Source: visa_4_visa_header.md; limits and spellings as seen in the tool.

mod attributes;

use super::declarations::{Declarations, Kind, Placement, Symbol};
use super::predefined::{is_free_mnemonic, is_mnemonic, is_reserved, surface_number};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::number::ElementType;
use crate::rules;
use crate::text::Cursor;
use alloc::format;
use alloc::string::String;
pub use attributes::{ALIGNMENTS, KEYS, KINDS};
use attributes::{Attributes, GRF_ALIGN};

const SHAPE: &str = "write .decl NAME v_type=G type=ud num_elts=16 align=GRF, with P, A, T or S for \
                     predicates, address variables, surfaces and samplers";

/// The most bytes of registers that declared variables may take.
pub const MAX_REGISTER_BYTES: u32 = 1 << 20;

/// Reads what follows `.decl` and adds the variable.
pub fn parse(cursor: &mut Cursor<'_>, symbols: &mut Declarations, out: &mut Diagnostics) {
    let before = out.len();
    let Some((name, span)) = cursor.name() else {
        let here = cursor.here();
        out.push(Diagnostic::new(&rules::DECL_SYNTAX, here, "the name is missing").help(SHAPE));
        return;
    };
    let free = check_name(name, span, symbols, out);
    let attributes = attributes::parse(cursor, out);
    // One note tells of the spelling of a line, none of one that is wrong.
    let notes = usize::from(!out.has_errors_since(before));
    for rule in [&rules::DOCUMENT_SPELLING, &rules::LENIENT_SPELLING] {
        out.keep_first_since(before, rule, notes);
    }
    if out.has_errors_since(before) {
        recover(name, span, free, &attributes, symbols);
        return;
    }
    let Some(kind) = attributes.kind else {
        let here = cursor.here();
        out.push(Diagnostic::new(&rules::DECL_SYNTAX, here, "v_type is missing").help(SHAPE));
        return;
    };
    add(name, span, kind, &attributes, symbols, out);
    if symbols.declared(name).is_none() {
        recover(name, span, free, &attributes, symbols);
    }
}

/// A declaration that is wrong still names a variable: its uses are not
/// undeclared as well.
fn recover(
    name: &str,
    span: Span,
    free: bool,
    attributes: &Attributes<'_>,
    symbols: &mut Declarations,
) {
    let kind = attributes.kind.unwrap_or(Kind::General);
    let full = symbols.count(kind) >= limit(kind);
    if !free || full || symbols.declared_bytes() > MAX_REGISTER_BYTES {
        return;
    }
    match kind {
        Kind::General => {
            let ty = attributes.ty.unwrap_or(ElementType::Ud);
            let align = symbols.grf_bytes();
            symbols.add_general(name, ty, 32, Placement::Own { align }, span);
        }
        Kind::Predicate => symbols.add_predicate(name, 32, span),
        Kind::Address => symbols.add_address(name, 16, span),
        Kind::Surface => symbols.add_surface(name, 1, span),
        Kind::Sampler => symbols.add_sampler(name, 1, span),
    }
}

/// Reports what is wrong with a name; whether it can be declared.
fn check_name(name: &str, span: Span, symbols: &Declarations, out: &mut Diagnostics) -> bool {
    let before = out.len();
    let taken = match symbols.declared(name) {
        Some(_) => Some("is declared already"),
        None if is_reserved(name) => Some("is predefined"),
        None => None,
    };
    if let Some(how) = taken {
        out.push(
            Diagnostic::new(&rules::REDECLARED, span, format!("`{name}` {how}"))
                .help("choose a name that is free: letters, digits and _, V32 and up for example"),
        );
    } else if is_free_mnemonic(name) {
        out.report(
            &rules::NAME_IN_APPENDIX,
            span,
            format!("`{name}` is declared"),
        );
    } else if is_mnemonic(name) {
        out.push(
            Diagnostic::new(
                &rules::NAME_IS_MNEMONIC,
                span,
                format!("`{name}` is an instruction"),
            )
            .fix("choose another name", span, format!("{name}_")),
        );
    } else if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        out.push(
            Diagnostic::new(
                &rules::DECL_SYNTAX,
                span,
                format!("`{name}` is not a variable name"),
            )
            .help("names are letters, digits and _, and start with a letter or _"),
        );
    } else if name == "P0" || surface_number(name).is_some() || reserved_number(name) {
        out.report(&rules::RESERVED_NAME, span, format!("`{name}` is declared"));
    } else if OWN_NAMES.contains(&name) {
        out.report(&rules::SCENARIO_NAME, span, format!("`{name}` is declared"));
    }
    !out.has_errors_since(before)
}

/// Names that a scenario uses itself, in `.init` lines and in answers.
const OWN_NAMES: [&str; 5] = ["em", "slm", "svm", "EU0", "EU1"];

/// V20 to V31 and T0 to T5 are kept by the document.
fn reserved_number(name: &str) -> bool {
    let number = |prefix| {
        name.strip_prefix(prefix)
            .and_then(|digits: &str| digits.parse::<u8>().ok())
    };
    number('V').is_some_and(|n| n < 32) || number('T').is_some_and(|n| n < 6)
}

/// How many variables of a kind a program may declare.
const fn limit(kind: Kind) -> usize {
    match kind {
        Kind::General => 65_536 - 32,
        Kind::Predicate | Kind::Address => 4095,
        Kind::Surface => 250,
        Kind::Sampler => 31,
    }
}

fn add(
    name: &str,
    span: Span,
    kind: Kind,
    attributes: &Attributes<'_>,
    symbols: &mut Declarations,
    out: &mut Diagnostics,
) {
    if symbols.count(kind) >= limit(kind) {
        out.report(&rules::TOO_MANY, span, format!("`{name}` is one too many"));
        return;
    }
    let before = out.len();
    let Some(elements) = count(kind, attributes.elements, span, symbols.grf_bytes(), out) else {
        return;
    };
    match kind {
        Kind::General => {
            let Some(ty) = attributes.ty else {
                let what = format!("`{name}` has no type");
                out.push(Diagnostic::new(&rules::DECL_SYNTAX, span, what).help(SHAPE));
                return;
            };
            let placement = placement(ty, elements, attributes, symbols, out);
            if let Some(placement) = placement
                && !out.has_errors_since(before)
            {
                let full = symbols.declared_bytes() > MAX_REGISTER_BYTES;
                symbols.add_general(name, ty, elements, placement, span);
                if !full && symbols.declared_bytes() > MAX_REGISTER_BYTES {
                    let what = format!("`{name}` does not fit");
                    out.report(&rules::REGISTERS_FULL, span, what);
                }
            }
        }
        Kind::Predicate => symbols.add_predicate(name, elements, span),
        Kind::Address => symbols.add_address(name, elements, span),
        Kind::Surface => symbols.add_surface(name, elements, span),
        Kind::Sampler => symbols.add_sampler(name, elements, span),
    }
}

fn count(
    kind: Kind,
    elements: Option<(u64, Span)>,
    name: Span,
    grf_bytes: u32,
    out: &mut Diagnostics,
) -> Option<u32> {
    let Some((elements, span)) = elements else {
        // The documents declare surfaces and samplers without a count.
        if matches!(kind, Kind::Surface | Kind::Sampler) {
            return Some(1);
        }
        out.push(Diagnostic::new(&rules::DECL_SYNTAX, name, "num_elts is missing").help(SHAPE));
        return None;
    };
    // What the documents list, and what the real assembler takes: of general
    // variables 256 for each byte of a register.
    let (documented, taken) = match kind {
        Kind::General => (1..=4096, 1..=256 * u64::from(grf_bytes)),
        Kind::Predicate => (1..=32, 1..=32),
        Kind::Address => (1..=16, 0..=16),
        Kind::Surface => (0..=256, 0..=65_535),
        Kind::Sampler => (0..=256, 0..=256),
    };
    let power = kind != Kind::Predicate || elements.is_power_of_two();
    let what = format!("num_elts={elements}");
    if !power || !taken.contains(&elements) {
        out.report(&rules::ELEMENTS, span, what);
        return None;
    }
    if !documented.contains(&elements) {
        out.report(&rules::ELEMENTS_TAKEN, span, what);
    }
    u32::try_from(elements).ok()
}

fn placement(
    ty: ElementType,
    elements: u32,
    attributes: &Attributes<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<Placement> {
    let bytes = elements * u32::from(ty.bytes());
    let span = attributes
        .elements
        .map_or(Span::default(), |(_, span)| span);
    if bytes > 4096 {
        out.report(&rules::VARIABLE_SIZE, span, format!("{bytes} bytes"));
    }
    let Some((base, base_span, offset, offset_span)) = attributes.alias else {
        let align = match attributes.align.unwrap_or(GRF_ALIGN) {
            GRF_ALIGN => symbols.grf_bytes(),
            align if align == 2 * GRF_ALIGN => 2 * symbols.grf_bytes(),
            align => align,
        };
        return Some(Placement::Own { align });
    };
    let found = match symbols.symbol(base) {
        Some(Symbol::General(id)) => symbols.general(id).map(|v| (id, v)),
        _ => None,
    };
    let Some((of, variable)) = found else {
        let what = format!("`{base}` is not a general variable declared before");
        out.report(&rules::ALIAS, base_span, what);
        return None;
    };
    if of == 0 {
        // An alias of the null variable is no alias.
        return Some(Placement::Own {
            align: symbols.grf_bytes(),
        });
    }
    // An alias of an alias may reach as far as the storage that both share.
    let root = symbols.root(variable);
    let room = root.bytes().saturating_sub(variable.offset - root.offset);
    // The real assembler takes any offset in a predefined variable.
    let room = if root.predefined { 1 << 16 } else { room };
    let Some(offset) = u32::try_from(offset).ok().filter(|o| *o < room) else {
        let what = format!("offset {offset} is past the {room} bytes that `{base}` shares");
        out.report(&rules::ALIAS, offset_span, what);
        return None;
    };
    if offset + bytes > variable.bytes() {
        let what = format!(
            "{bytes} bytes from byte {offset} do not fit the {} bytes of `{base}`",
            variable.bytes()
        );
        out.report(&rules::ALIAS_END, offset_span, what);
    }
    if !offset.is_multiple_of(u32::from(ty.bytes())) {
        let what = String::from("the alias is not aligned to its elements");
        out.report(&rules::ALIAS_ALIGN, offset_span, what);
    }
    Some(Placement::Alias { of, offset })
}

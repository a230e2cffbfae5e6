//! Reads `.decl` lines as the real assembler takes them.
//!
//! Source: visa_4_visa_header.md; limits and spellings as seen in the tool.

use super::declarations::{Declarations, Kind, Placement, Symbol};
use super::predefined::{is_mnemonic, is_reserved, surface_number};
use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::number::{ElementType, parse_integer};
use crate::rules;
use crate::text::{Cursor, nearest, same_word};
use alloc::format;
use alloc::string::String;

const SHAPE: &str = "write .decl NAME v_type=G type=ud num_elts=16 align=GRF, with P, A, T or S for \
                     predicates, address variables, surfaces and samplers";

/// The most bytes of registers that declared variables may take.
pub const MAX_REGISTER_BYTES: u32 = 1 << 20;

/// What a line says, before it is checked.
#[derive(Default)]
struct Attributes<'t> {
    kind: Option<Kind>,
    ty: Option<ElementType>,
    elements: Option<(u64, Span)>,
    align: Option<u32>,
    alias: Option<(&'t str, Span, u64, Span)>,
}

/// Reads what follows `.decl` and adds the variable.
pub fn parse(cursor: &mut Cursor<'_>, names: &mut Declarations, out: &mut Findings) {
    let before = out.len();
    let Some((name, span)) = cursor.name() else {
        let here = cursor.here();
        out.push(Diagnostic::new(&rules::DECL_SYNTAX, here, "the name is missing").help(SHAPE));
        return;
    };
    let free = check_name(name, span, names, out);
    let attributes = parse_attributes(cursor, out);
    if out.has_errors_since(before) {
        recover(name, span, free, &attributes, names);
        return;
    }
    let Some(kind) = attributes.kind else {
        let here = cursor.here();
        out.push(Diagnostic::new(&rules::DECL_SYNTAX, here, "v_type is missing").help(SHAPE));
        return;
    };
    add(name, span, kind, &attributes, names, out);
    if names.declared(name).is_none() {
        recover(name, span, free, &attributes, names);
    }
}

/// A declaration that is wrong still names a variable: its uses are not
/// undeclared as well.
fn recover(
    name: &str,
    span: Span,
    free: bool,
    attributes: &Attributes<'_>,
    names: &mut Declarations,
) {
    if !free || names.declared_bytes() > MAX_REGISTER_BYTES {
        return;
    }
    match attributes.kind.unwrap_or(Kind::General) {
        Kind::General => {
            let ty = attributes.ty.unwrap_or(ElementType::Ud);
            let align = names.grf_bytes();
            names.add_general(name, ty, 32, Placement::Own { align }, span);
        }
        Kind::Predicate => names.add_predicate(name, 32, span),
        Kind::Address => names.add_address(name, 16, span),
        Kind::Surface => names.add_surface(name, 1, span),
        Kind::Sampler => names.add_sampler(name, 1, span),
    }
}

/// Reports what is wrong with a name; whether it can be declared.
fn check_name(name: &str, span: Span, names: &Declarations, out: &mut Findings) -> bool {
    let before = out.len();
    let taken = match names.declared(name) {
        Some(_) => Some("is declared already"),
        None if is_reserved(name) => Some("is predefined"),
        None => None,
    };
    if let Some(how) = taken {
        out.push(
            Diagnostic::new(&rules::REDECLARED, span, format!("`{name}` {how}"))
                .help("choose another name, V32 or up for example"),
        );
    } else if is_mnemonic(name) {
        out.push(
            Diagnostic::new(
                &rules::NAME_IS_MNEMONIC,
                span,
                format!("`{name}` is an instruction"),
            )
            .mend("choose another name", span, format!("{name}_")),
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

fn parse_attributes<'t>(cursor: &mut Cursor<'t>, out: &mut Findings) -> Attributes<'t> {
    let mut found = Attributes::default();
    while let Some(lexeme) = cursor.take() {
        let key = lexeme.span.of(cursor.text());
        if cursor.sign('=').is_none() {
            let what = format!("`{key}` is not an attribute of a declaration");
            out.push(Diagnostic::new(&rules::DECL_SYNTAX, lexeme.span, what).help(SHAPE));
            return found;
        }
        let good = match key {
            _ if same_word(key, "v_type") => parse_kind(cursor, &mut found),
            _ if same_word(key, "type") => {
                if let Some((_, elements)) = found.elements {
                    out.push(
                        Diagnostic::new(
                            &rules::DECL_ORDER,
                            lexeme.span,
                            "type stands after num_elts",
                        )
                        .help(format!(
                            "move it before `num_elts={}`",
                            elements.of(cursor.text())
                        )),
                    );
                }
                found.ty = ElementType::named(cursor.word());
                cursor.advance();
                found.ty.is_some()
            }
            _ if same_word(key, "num_elts") => {
                found.elements = parse_product(cursor);
                found.elements.is_some()
            }
            _ if same_word(key, "align") => {
                found.align = parse_align(cursor);
                found.align.is_some()
            }
            _ if same_word(key, "alias") => {
                found.alias = parse_alias(cursor);
                found.alias.is_some()
            }
            _ if same_word(key, "attrs") => {
                cursor.until(&['}']);
                cursor.sign('}').is_some()
            }
            // Printed by the real disassembler for surfaces and samplers.
            _ if same_word(key, "v_name") => cursor.take().is_some(),
            _ => false,
        };
        if !good {
            // The value belongs to what is not understood.
            if cursor.adjacent() {
                cursor.advance();
            }
            report_attribute(key, lexeme.span, cursor, out);
            return found;
        }
    }
    found
}

fn report_attribute(key: &str, span: Span, cursor: &Cursor<'_>, out: &mut Findings) {
    const KEYS: [&str; 6] = ["v_type", "type", "num_elts", "align", "alias", "attrs"];
    let rule = if same_word(key, "alias") {
        &rules::ALIAS
    } else {
        &rules::DECL_SYNTAX
    };
    let whole = cursor.since(span.start);
    let what = format!("`{}` is not understood", whole.of(cursor.text()));
    let help = match key {
        _ if same_word(key, "v_type") => "v_type is G, P, A, T or S",
        _ if same_word(key, "type") => "types are ub, b, uw, w, ud, d, uq, q, hf, f, df and bf",
        _ if same_word(key, "num_elts") => "num_elts is a number, or a product such as 4*4",
        _ if same_word(key, "align") => {
            "align is byte, word, dword, qword, oword, hword, GRF, 2GRF, 32word or 64word"
        }
        _ if same_word(key, "alias") => "write alias=<V32, 0>",
        _ => SHAPE,
    };
    let diagnostic = Diagnostic::new(rule, whole, what);
    out.push(
        match nearest(key, KEYS).filter(|near| !same_word(near, key)) {
            Some(near) => diagnostic.mend(format!("did you mean `{near}`?"), span, near),
            None => diagnostic.help(help),
        },
    );
}

fn parse_kind(cursor: &mut Cursor<'_>, found: &mut Attributes<'_>) -> bool {
    let word = cursor.word();
    cursor.advance();
    found.kind = [
        ("G", Kind::General),
        ("P", Kind::Predicate),
        ("A", Kind::Address),
        ("T", Kind::Surface),
        ("S", Kind::Sampler),
    ]
    .into_iter()
    .find(|(name, _)| same_word(name, word))
    .map(|(_, kind)| kind);
    found.kind.is_some()
}

/// `16`, `0x10`, `4*4`.
fn parse_product(cursor: &mut Cursor<'_>) -> Option<(u64, Span)> {
    let start = cursor.here();
    let mut product = 1_u64;
    loop {
        let factor = parse_integer(cursor.word()).ok()?;
        cursor.advance();
        product = product.saturating_mul(factor);
        if cursor.sign('*').is_none() {
            return Some((product, cursor.since(start.start)));
        }
    }
}

fn parse_align(cursor: &mut Cursor<'_>) -> Option<u32> {
    /// Registers are asked for as numbers above 64 KB until the platform is
    /// known.
    const NAMES: [(&str, u32); 14] = [
        ("byte", 1),
        ("word", 2),
        ("dword", 4),
        ("qword", 8),
        ("oword", 16),
        ("hword", 32),
        ("GRF", GRF_ALIGN),
        ("2GRF", 2 * GRF_ALIGN),
        ("GRFx2", 2 * GRF_ALIGN),
        ("2_GRF", 2 * GRF_ALIGN),
        ("32word", 64),
        ("64word", 128),
        ("wordx32", 64),
        ("wordx64", 128),
    ];
    let word = cursor.word();
    cursor.advance();
    let number = || {
        let value = u32::try_from(parse_integer(word).ok()?).ok()?;
        (value.is_power_of_two() && value <= 128).then_some(value)
    };
    NAMES
        .iter()
        .find(|(name, _)| same_word(name, word))
        .map(|(_, align)| *align)
        .or_else(number)
}

const GRF_ALIGN: u32 = 1 << 16;

fn parse_alias<'t>(cursor: &mut Cursor<'t>) -> Option<(&'t str, Span, u64, Span)> {
    // The document writes parentheses, the real assembler angle brackets.
    let close = if cursor.sign('<').is_some() {
        '>'
    } else {
        cursor.sign('(')?;
        ')'
    };
    let (name, span) = cursor.name()?;
    cursor.sign(',')?;
    let (offset, offset_span) = parse_product(cursor)?;
    cursor.sign(close)?;
    Some((name, span, offset, offset_span))
}

fn add(
    name: &str,
    span: Span,
    kind: Kind,
    attributes: &Attributes<'_>,
    names: &mut Declarations,
    out: &mut Findings,
) {
    let limit = match kind {
        Kind::General => 65_536 - 32,
        Kind::Predicate | Kind::Address => 4095,
        Kind::Surface => 250,
        Kind::Sampler => 31,
    };
    if names.count(kind) >= limit {
        out.report(&rules::TOO_MANY, span, format!("`{name}` is one too many"));
        return;
    }
    let before = out.len();
    let Some(elements) = count(kind, attributes.elements, span, out) else {
        return;
    };
    match kind {
        Kind::General => {
            let Some(ty) = attributes.ty else {
                let what = format!("`{name}` has no type");
                out.push(Diagnostic::new(&rules::DECL_SYNTAX, span, what).help(SHAPE));
                return;
            };
            let placement = placement(ty, elements, attributes, names, out);
            if let Some(placement) = placement
                && !out.has_errors_since(before)
            {
                let full = names.declared_bytes() > MAX_REGISTER_BYTES;
                names.add_general(name, ty, elements, placement, span);
                if !full && names.declared_bytes() > MAX_REGISTER_BYTES {
                    let what = format!("`{name}` does not fit");
                    out.report(&rules::REGISTERS_FULL, span, what);
                }
            }
        }
        Kind::Predicate => names.add_predicate(name, elements, span),
        Kind::Address => names.add_address(name, elements, span),
        Kind::Surface => names.add_surface(name, elements, span),
        Kind::Sampler => names.add_sampler(name, elements, span),
    }
}

fn count(kind: Kind, elements: Option<(u64, Span)>, name: Span, out: &mut Findings) -> Option<u32> {
    let Some((elements, span)) = elements else {
        // The documents declare surfaces and samplers without a count.
        if matches!(kind, Kind::Surface | Kind::Sampler) {
            return Some(1);
        }
        out.push(Diagnostic::new(&rules::DECL_SYNTAX, name, "num_elts is missing").help(SHAPE));
        return None;
    };
    let legal = match kind {
        Kind::General => (1..=4096).contains(&elements),
        Kind::Predicate => elements.is_power_of_two() && elements <= 32,
        Kind::Address => (1..=16).contains(&elements),
        Kind::Surface | Kind::Sampler => elements <= 256,
    };
    if !legal {
        out.report(&rules::ELEMENTS, span, format!("num_elts={elements}"));
        return None;
    }
    u32::try_from(elements).ok()
}

fn placement(
    ty: ElementType,
    elements: u32,
    attributes: &Attributes<'_>,
    names: &Declarations,
    out: &mut Findings,
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
            GRF_ALIGN => names.grf_bytes(),
            align if align == 2 * GRF_ALIGN => 2 * names.grf_bytes(),
            align => align,
        };
        return Some(Placement::Own { align });
    };
    let found = match names.symbol(base) {
        Some(Symbol::General(id)) => names.general(id).map(|v| (id, v)),
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
            align: names.grf_bytes(),
        });
    }
    // An alias of an alias may reach as far as the storage that both share.
    let root = names.root(variable);
    let room = root.bytes().saturating_sub(variable.offset - root.offset);
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

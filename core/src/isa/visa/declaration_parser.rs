//! Parses `.decl` lines as the real assembler does.
//!
//! Source: visa_4_visa_header.md; limits and spellings as observed in the tool.

use super::declarations::{Declarations, Placement, Symbol, VariableKind};
use super::platform::Features;
use super::predefined::{self, is_free_mnemonic, is_reserved, is_reserved_word, surface_number};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::visa::{expression, spelling};
use crate::number::ElementType;
use crate::rules;
use crate::text::{Cursor, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const SHAPE: &str = "write .decl NAME v_type=G type=ud num_elts=16 align=GRF, with P, A, T or S for \
                     predicates, address variables, surfaces and samplers";

/// Maximum number of register bytes that declared variables can occupy.
pub const MAX_REGISTER_BYTES: u32 = 16 << 20;

/// Parses the arguments of `.decl` and adds the variable.
pub fn parse(cursor: &mut Cursor<'_>, symbols: &mut Declarations, out: &mut Diagnostics) {
    let before = out.len();
    let Some((name, span)) = cursor.name() else {
        let here = cursor.here();
        out.advise(&rules::DECL_SYNTAX, here, "expected a name", SHAPE);
        return;
    };
    let free = check_name(name, span, symbols, out);
    let attributes = parse_attributes(cursor, symbols, out);
    // At most one note on the spelling of a line, and only if the line is valid.
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
        let what = "missing attribute `v_type`";
        out.advise(&rules::DECL_SYNTAX, here, what, SHAPE);
        return;
    };
    add(name, span, kind, &attributes, symbols, out);
    if symbols.declared(name).is_none() {
        recover(name, span, free, &attributes, symbols);
    }
}

/// Declares the name of an invalid declaration, so that its uses are not reported
/// as undeclared.
fn recover(
    name: &str,
    span: Span,
    free: bool,
    attributes: &Attributes<'_>,
    symbols: &mut Declarations,
) {
    let kind = attributes.kind.unwrap_or(VariableKind::General);
    let full = symbols.count(kind) >= limit(kind);
    if !free || full || symbols.declared_bytes() > MAX_REGISTER_BYTES {
        return;
    }
    match kind {
        VariableKind::General => {
            let ty = attributes.ty.unwrap_or(ElementType::Ud);
            let align = symbols.grf_bytes();
            symbols.add_general(name, ty, 32, Placement::Own { align }, span);
        }
        VariableKind::Predicate => symbols.add_predicate(name, 32, span),
        VariableKind::Address => {
            let elements = symbols.features().address_elements.into();
            symbols.add_address(name, elements, span);
        }
        VariableKind::Surface => symbols.add_surface(name, 1, span),
        VariableKind::Sampler => symbols.add_sampler(name, 1, span),
    }
}

/// Checks a name; returns whether it can be declared.
fn check_name(name: &str, span: Span, symbols: &Declarations, out: &mut Diagnostics) -> bool {
    let before = out.len();
    let taken = match symbols.declared(name) {
        Some(_) => Some("is already declared"),
        None if is_reserved(name) => Some("is predefined"),
        None => None,
    };
    if let Some(how) = taken {
        let help = "choose another name, such as V32 or higher";
        out.advise(&rules::REDECLARED, span, format!("`{name}` {how}"), help);
    } else if is_free_mnemonic(name) {
        let what = format!("`{name}` is declared as a variable");
        out.report(&rules::NAME_IN_APPENDIX, span, what);
    } else if is_reserved_word(name) {
        out.fix(
            &rules::NAME_IS_MNEMONIC,
            span,
            format!("`{name}` is a mnemonic"),
            "choose another name",
            span,
            format!("{name}_"),
        );
    } else if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        let what = format!("invalid variable name `{name}`");
        let help = "use letters, digits and `_`, starting with a letter or `_`";
        out.advise(&rules::DECL_SYNTAX, span, what, help);
    } else if name == "P0" || surface_number(name).is_some() || reserved_number(name) {
        let what = format!("`{name}` is a reserved name");
        out.report(&rules::RESERVED_NAME, span, what);
    } else if OWN_NAMES.contains(&name) {
        let what = format!("`{name}` has a special meaning");
        out.report(&rules::SCENARIO_NAME, span, what);
    }
    !out.has_errors_since(before)
}

/// Names with a special meaning in `.init` lines and results.
const OWN_NAMES: [&str; 5] = ["em", "slm", "svm", "EU0", "EU1"];

/// Whether a name is among V20 to V31 or T0 to T5, which the document reserves.
fn reserved_number(name: &str) -> bool {
    let number = |prefix| {
        name.strip_prefix(prefix)
            .and_then(|digits: &str| digits.parse::<u8>().ok())
    };
    number('V').is_some_and(|n| n < 32) || number('T').is_some_and(|n| n < 6)
}

/// Maximum number of variables of a kind.
const fn limit(kind: VariableKind) -> usize {
    match kind {
        VariableKind::General => 1 << 20,
        // Their words precede those of the address variables.
        VariableKind::Predicate => 16_382,
        VariableKind::Address => 4095,
        VariableKind::Surface => 250,
        VariableKind::Sampler => 31,
    }
}

fn add(
    name: &str,
    span: Span,
    kind: VariableKind,
    attributes: &Attributes<'_>,
    symbols: &mut Declarations,
    out: &mut Diagnostics,
) {
    if symbols.count(kind) >= limit(kind) {
        let what = format!("too many variables: no room for `{name}`");
        out.report(&rules::TOO_MANY, span, what);
        return;
    }
    let before = out.len();
    let Some(elements) = count(kind, attributes.elements, span, symbols.features(), out) else {
        return;
    };
    match kind {
        VariableKind::General => {
            let Some(ty) = attributes.ty else {
                let what = format!("missing attribute `type` of `{name}`");
                out.advise(&rules::DECL_SYNTAX, span, what, SHAPE);
                return;
            };
            let placement = placement(ty, elements, attributes, symbols, out);
            if let Some(placement) = placement
                && !out.has_errors_since(before)
            {
                let full = symbols.declared_bytes() > MAX_REGISTER_BYTES;
                symbols.add_general(name, ty, elements, placement, span);
                let elements_span = attributes.elements.map(|(_, span)| span);
                symbols
                    .set_attribute_spans(attributes.type_span, elements_span.unwrap_or_default());
                if !full && symbols.declared_bytes() > MAX_REGISTER_BYTES {
                    let what = format!("`{name}` does not fit into the registers");
                    out.report(&rules::REGISTERS_FULL, span, what);
                }
            }
        }
        VariableKind::Predicate => symbols.add_predicate(name, elements, span),
        VariableKind::Address => symbols.add_address(name, elements, span),
        VariableKind::Surface => symbols.add_surface(name, elements, span),
        VariableKind::Sampler => symbols.add_sampler(name, elements, span),
    }
}

fn count(
    kind: VariableKind,
    elements: Option<(u64, Span)>,
    name: Span,
    features: &Features,
    out: &mut Diagnostics,
) -> Option<u32> {
    let Some((elements, span)) = elements else {
        // The documents declare surfaces and samplers without `num_elts`.
        if matches!(kind, VariableKind::Surface | VariableKind::Sampler) {
            return Some(1);
        }
        let what = "missing attribute `num_elts`";
        out.advise(&rules::DECL_SYNTAX, name, what, SHAPE);
        return None;
    };
    // The documented maximum and the real assembler's: for general variables,
    // 256 elements per register byte.
    let (documented, taken) = match kind {
        VariableKind::General => (1..=4096, 1..=256 * u64::from(features.grf_bytes)),
        VariableKind::Predicate => (1..=32, 1..=32),
        VariableKind::Address => {
            let most = u64::from(features.address_elements);
            (1..=most, 0..=most)
        }
        VariableKind::Surface => (0..=256, 0..=65_535),
        VariableKind::Sampler => (0..=256, 0..=256),
    };
    let power = kind != VariableKind::Predicate || elements.is_power_of_two();
    let what = format!("invalid number of elements {elements}");
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
        let what = format!("the variable has {bytes} bytes");
        out.report(&rules::VARIABLE_SIZE, span, what);
    }
    let Some((base, base_span, offset, offset_span)) = attributes.alias else {
        // visa_4_visa_header.md: without align=, a variable starts at a register.
        let align = attributes.align.unwrap_or(Alignment::Registers(1));
        let align = align.bytes(symbols.grf_bytes());
        return Some(Placement::Own { align });
    };
    let found = match symbols.symbol(base) {
        Some(Symbol::General(id)) => symbols.general(id).map(|v| (id, v)),
        _ => None,
    };
    let Some((of, variable)) = found else {
        let what = format!("`{base}` is not an earlier general variable");
        out.report(&rules::ALIAS, base_span, what);
        return None;
    };
    if predefined::unplaced(of).is_some() {
        let what = format!("`{base}` has no place in the register file");
        out.report(&rules::ALIAS, base_span, what);
        return None;
    }
    if of == 0 {
        // An alias of the null variable has its own storage.
        return Some(Placement::Own {
            align: symbols.grf_bytes(),
        });
    }
    // An alias of an alias can extend to the end of the shared storage.
    let root = symbols.root(variable);
    let room = root.bytes().saturating_sub(variable.offset - root.offset);
    // The real assembler accepts any offset in a predefined variable.
    let room = if root.predefined { 1 << 16 } else { room };
    let Some(offset) = u32::try_from(offset).ok().filter(|o| *o < room) else {
        let what = format!("offset {offset} exceeds the {room} bytes of `{base}`");
        out.report(&rules::ALIAS, offset_span, what);
        return None;
    };
    // Predefined variables occupy whole registers.
    let room = match variable.predefined {
        true => variable.bytes().next_multiple_of(symbols.grf_bytes()),
        false => variable.bytes(),
    };
    if offset + bytes > room {
        let what = format!("{bytes} bytes at offset {offset} exceed the {room} bytes of `{base}`");
        out.report(&rules::ALIAS_END, offset_span, what);
    }
    if !offset.is_multiple_of(u32::from(ty.bytes())) {
        let what = String::from("misaligned alias offset");
        out.report(&rules::ALIAS_ALIGN, offset_span, what);
    }
    Some(Placement::Alias { of, offset })
}

// Attributes.

/// The attributes of a declaration, not yet checked.
#[derive(Default)]
struct Attributes<'t> {
    kind: Option<VariableKind>,
    ty: Option<ElementType>,
    type_span: Span,
    elements: Option<(u64, Span)>,
    align: Option<Alignment>,
    alias: Option<(&'t str, Span, u64, Span)>,
}

/// Parses the attributes in any order; the caller checks their combination.
fn parse_attributes<'t>(
    cursor: &mut Cursor<'t>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Attributes<'t> {
    let mut found = Attributes::default();
    let mut seen: Vec<(&str, Span)> = Vec::new();
    while let Some(lexeme) = cursor.take() {
        let word = lexeme.span.of(cursor.text());
        let mut known = KEYS.into_iter().chain(["v_name"]);
        let known = known.find(|key| key.eq_ignore_ascii_case(word));
        let key = known.unwrap_or(word);
        if cursor.eat_punct('=').is_none() {
            let what = format!("unknown attribute `{word}`");
            out.advise(&rules::DECL_SYNTAX, lexeme.span, what, SHAPE);
            return found;
        }
        let value = cursor.here();
        let good = match key {
            "v_type" => parse_kind(cursor, &mut found),
            "type" => {
                if let Some((_, elements)) = found.elements {
                    let what = "`type` must come before `num_elts`";
                    let help = format!("move it before `num_elts={}`", elements.of(cursor.text()));
                    out.advise(&rules::DECL_ORDER, lexeme.span, what, help);
                }
                found.ty = ElementType::named(cursor.word());
                found.type_span = value;
                cursor.advance();
                found.ty.is_some()
            }
            "num_elts" => {
                found.elements = parse_count(cursor, symbols);
                found.elements.is_some()
            }
            "align" => {
                found.align = parse_align(cursor, symbols);
                found.align.is_some()
            }
            "alias" => {
                found.alias = parse_alias(cursor, symbols, out);
                found.alias.is_some()
            }
            "attrs" => {
                cursor.until(&['}']);
                cursor.eat_punct('}').is_some()
            }
            // The real disassembler prints it for surfaces and samplers.
            "v_name" => cursor.take().is_some(),
            _ => false,
        };
        if !good {
            // Skip the value of the unknown attribute.
            if cursor.adjacent() {
                cursor.advance();
            }
            report_attribute(word, lexeme.span, cursor, out);
            return found;
        }
        let whole = cursor.since(lexeme.span.start);
        if seen.iter().any(|(before, _)| *before == key) {
            let what = format!("repeated attribute `{key}`");
            out.advise(&rules::DECL_SYNTAX, whole, what, "remove one of the two");
            return found;
        }
        seen.push((key, whole));
        note_letters(word, key, (lexeme.span, value), cursor, out);
    }
    found.note_shape(&seen, cursor, out);
    found
}

/// Notes an attribute or a listed value whose letter case the real assembler
/// rejects. Types are case-insensitive there.
fn note_letters(
    word: &str,
    key: &str,
    (name, value): (Span, Span),
    cursor: &Cursor<'_>,
    out: &mut Diagnostics,
) {
    if word != key {
        spelling::document(name, key, cursor, out);
    }
    let written = value.of(cursor.text());
    let same = |known: &&str| known.eq_ignore_ascii_case(written);
    let own = match key {
        "v_type" => KINDS.map(|(letter, _)| letter).into_iter().find(same),
        "align" => ALIGNMENTS.map(|(known, _)| known).into_iter().find(same),
        _ => None,
    };
    if let Some(own) = own.filter(|own| *own != written) {
        spelling::document(value, own, cursor, out);
    } else if key == "align" && written == "2_GRF" {
        spelling::lenient(value, "2GRF", cursor, out);
    }
}

impl Attributes<'_> {
    /// Notes attributes that the real assembler rejects: for each kind of variable
    /// it accepts a fixed set in a fixed order. It also requires num_elts=1 for
    /// surfaces, which the documents leave out; that is not noted.
    fn note_shape(&self, seen: &[(&str, Span)], cursor: &Cursor<'_>, out: &mut Diagnostics) {
        let Some(kind) = self.kind else {
            return;
        };
        let order: &[&str] = match kind {
            VariableKind::General => &["v_type", "type", "num_elts", "align", "alias", "attrs"],
            VariableKind::Predicate | VariableKind::Address => &["v_type", "num_elts", "attrs"],
            VariableKind::Surface | VariableKind::Sampler => {
                &["v_type", "num_elts", "v_name", "attrs"]
            }
        };
        let own = || {
            let names: Vec<String> = order.iter().map(|key| format!("{key}=…")).collect();
            names.join(" ")
        };
        let mut rest = order.iter();
        if let Some((_, span)) = seen.iter().find(|(key, _)| !rest.any(|k| k == key)) {
            spelling::lenient(*span, &own(), cursor, out);
        }
        let empty = |(key, span): &&(&str, Span)| {
            let text = span.of(cursor.text());
            *key == "attrs" && text.split('{').nth(1).is_none_or(|t| t.trim() == "}")
        };
        if let Some((_, span)) = seen.iter().find(empty) {
            spelling::lenient(*span, "no attrs", cursor, out);
        }
    }
}

/// Names of the attributes.
pub const KEYS: [&str; 6] = ["v_type", "type", "num_elts", "align", "alias", "attrs"];

/// Alignment of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Aligned to n bytes.
    Bytes(u32),
    /// Aligned to n registers.
    Registers(u32),
}

impl Alignment {
    const fn bytes(self, grf_bytes: u32) -> u32 {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Registers(registers) => registers * grf_bytes,
        }
    }
}

/// Alignments by name.
pub const ALIGNMENTS: [(&str, Alignment); 14] = [
    ("byte", Alignment::Bytes(1)),
    ("word", Alignment::Bytes(2)),
    ("dword", Alignment::Bytes(4)),
    ("qword", Alignment::Bytes(8)),
    ("oword", Alignment::Bytes(16)),
    ("hword", Alignment::Bytes(32)),
    ("GRF", Alignment::Registers(1)),
    ("2GRF", Alignment::Registers(2)),
    ("GRFx2", Alignment::Registers(2)),
    ("2_GRF", Alignment::Registers(2)),
    ("32word", Alignment::Bytes(64)),
    ("64word", Alignment::Bytes(128)),
    ("wordx32", Alignment::Bytes(64)),
    ("wordx64", Alignment::Bytes(128)),
];

/// The kinds of variables by the letter of `v_type`.
pub const KINDS: [(&str, VariableKind); 5] = [
    ("G", VariableKind::General),
    ("P", VariableKind::Predicate),
    ("A", VariableKind::Address),
    ("T", VariableKind::Surface),
    ("S", VariableKind::Sampler),
];

fn report_attribute(key: &str, span: Span, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    let rule = if key.eq_ignore_ascii_case("alias") {
        &rules::ALIAS
    } else {
        &rules::DECL_SYNTAX
    };
    let whole = cursor.since(span.start);
    let what = format!("invalid attribute `{}`", whole.of(cursor.text()));
    let help = match key {
        _ if key.eq_ignore_ascii_case("v_type") => "v_type must be G, P, A, T or S",
        _ if key.eq_ignore_ascii_case("type") => {
            "the types are ub, b, uw, w, ud, d, uq, q, hf, f, df and bf"
        }
        _ if key.eq_ignore_ascii_case("num_elts") => {
            "num_elts must be a number or an expression such as 4*4"
        }
        _ if key.eq_ignore_ascii_case("align") => {
            "align must be byte, word, dword, qword, oword, hword, GRF, 2GRF, 32word or 64word"
        }
        _ if key.eq_ignore_ascii_case("alias") => "write alias=<V32, 0>",
        _ => SHAPE,
    };
    let diagnostic = Diagnostic::new(rule, whole, what);
    out.push(
        match nearest(key, KEYS).filter(|near| !near.eq_ignore_ascii_case(key)) {
            Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), span, near),
            None => diagnostic.help(help),
        },
    );
}

fn parse_kind(cursor: &mut Cursor<'_>, found: &mut Attributes<'_>) -> bool {
    let word = cursor.word();
    cursor.advance();
    found.kind = KINDS
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word))
        .map(|(_, kind)| kind);
    found.kind.is_some()
}

/// `16`, `0x10`, `4*4`, `%sizeof(V32)/4`.
fn parse_count(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<(u64, Span)> {
    let start = cursor.here().start;
    let count = expression::parse(cursor, symbols)?;
    Some((count.cast_unsigned(), cursor.since(start)))
}

/// `GRF`, or a number of bytes.
fn parse_align(cursor: &mut Cursor<'_>, symbols: &Declarations) -> Option<Alignment> {
    let word = cursor.word();
    let named = ALIGNMENTS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word));
    if let Some((_, align)) = named {
        cursor.advance();
        return Some(*align);
    }
    let bytes = expression::parse(cursor, symbols);
    if bytes.is_none() {
        cursor.advance();
    }
    let bytes = u32::try_from(bytes?).ok()?;
    (bytes.is_power_of_two() && bytes <= 128).then_some(Alignment::Bytes(bytes))
}

fn parse_alias<'t>(
    cursor: &mut Cursor<'t>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<(&'t str, Span, u64, Span)> {
    // The document uses parentheses, the real assembler angle brackets.
    let close = if cursor.eat_punct('<').is_some() {
        '>'
    } else {
        let open = cursor.eat_punct('(')?;
        spelling::document(open, "<", cursor, out);
        ')'
    };
    let (name, span) = cursor.name()?;
    cursor.eat_punct(',')?;
    let start = cursor.here().start;
    let offset = expression::uncompared(cursor, symbols)?.cast_unsigned();
    let offset_span = cursor.since(start);
    cursor.eat_punct(close)?;
    Some((name, span, offset, offset_span))
}

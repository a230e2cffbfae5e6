//! The `key=value` attributes of a declaration.

use super::SHAPE;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::visa::declarations::Kind;
use crate::isa::visa::spelling;
use crate::number::{ElementType, parse_integer};
use crate::rules;
use crate::text::{Cursor, eq_ignore_ascii_case, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What a line says, before it is checked.
#[derive(Default)]
pub(super) struct Attributes<'t> {
    pub(super) kind: Option<Kind>,
    pub(super) ty: Option<ElementType>,
    pub(super) elements: Option<(u64, Span)>,
    pub(super) align: Option<u32>,
    pub(super) alias: Option<(&'t str, Span, u64, Span)>,
}

/// Reads the attributes in any order; the caller checks that they fit.
pub(super) fn parse<'t>(cursor: &mut Cursor<'t>, out: &mut Diagnostics) -> Attributes<'t> {
    let mut found = Attributes::default();
    let mut seen: Vec<(&str, Span)> = Vec::new();
    while let Some(lexeme) = cursor.take() {
        let word = lexeme.span.of(cursor.text());
        let mut known = KEYS.into_iter().chain(["v_name"]);
        let known = known.find(|key| eq_ignore_ascii_case(key, word));
        let key = known.unwrap_or(word);
        if cursor.sign('=').is_none() {
            let what = format!("`{word}` is not an attribute of a declaration");
            out.push(Diagnostic::new(&rules::DECL_SYNTAX, lexeme.span, what).help(SHAPE));
            return found;
        }
        let value = cursor.here();
        let good = match key {
            "v_type" => parse_kind(cursor, &mut found),
            "type" => {
                if let Some((_, elements)) = found.elements {
                    out.push(
                        Diagnostic::new(
                            &rules::DECL_ORDER,
                            lexeme.span,
                            "type is written after num_elts",
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
            "num_elts" => {
                found.elements = parse_product(cursor);
                found.elements.is_some()
            }
            "align" => {
                found.align = parse_align(cursor);
                found.align.is_some()
            }
            "alias" => {
                found.alias = parse_alias(cursor, out);
                found.alias.is_some()
            }
            "attrs" => {
                cursor.until(&['}']);
                cursor.sign('}').is_some()
            }
            // Printed by the real disassembler for surfaces and samplers.
            "v_name" => cursor.take().is_some(),
            _ => false,
        };
        if !good {
            // The value belongs to what is not understood.
            if cursor.adjacent() {
                cursor.advance();
            }
            report_attribute(word, lexeme.span, cursor, out);
            return found;
        }
        let whole = cursor.since(lexeme.span.start);
        if seen.iter().any(|(before, _)| *before == key) {
            let what = format!("`{key}` is given twice");
            let diagnostic = Diagnostic::new(&rules::DECL_SYNTAX, whole, what);
            out.push(diagnostic.help("one of the two is meant: remove the other"));
            return found;
        }
        seen.push((key, whole));
        note_letters(word, key, (lexeme.span, value), cursor, out);
    }
    found.note_shape(&seen, cursor, out);
    found
}

/// Notes an attribute, or a value that is one of a list, in other letters than
/// the real assembler's; types it reads in any.
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
    let same = |known: &&str| eq_ignore_ascii_case(known, written);
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
    /// Notes what the real assembler refuses: it reads the attributes of each
    /// kind of variable in one order, and no others. That it wants num_elts=1
    /// of a surface, which the documents leave out, is not noted.
    fn note_shape(&self, seen: &[(&str, Span)], cursor: &Cursor<'_>, out: &mut Diagnostics) {
        let Some(kind) = self.kind else {
            return;
        };
        let order: &[&str] = match kind {
            Kind::General => &["v_type", "type", "num_elts", "align", "alias", "attrs"],
            Kind::Predicate | Kind::Address => &["v_type", "num_elts", "attrs"],
            Kind::Surface | Kind::Sampler => &["v_type", "num_elts", "v_name", "attrs"],
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

/// The attributes of a declaration.
pub const KEYS: [&str; 6] = ["v_type", "type", "num_elts", "align", "alias", "attrs"];

/// Alignments by name. Registers are asked for as numbers above 64 KB until
/// the platform is known.
pub const ALIGNMENTS: [(&str, u32); 14] = [
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

/// The kinds of variables by the letter of `v_type`.
pub const KINDS: [(&str, Kind); 5] = [
    ("G", Kind::General),
    ("P", Kind::Predicate),
    ("A", Kind::Address),
    ("T", Kind::Surface),
    ("S", Kind::Sampler),
];

fn report_attribute(key: &str, span: Span, cursor: &Cursor<'_>, out: &mut Diagnostics) {
    let rule = if eq_ignore_ascii_case(key, "alias") {
        &rules::ALIAS
    } else {
        &rules::DECL_SYNTAX
    };
    let whole = cursor.since(span.start);
    let what = format!("`{}` is not understood", whole.of(cursor.text()));
    let help = match key {
        _ if eq_ignore_ascii_case(key, "v_type") => "v_type is G, P, A, T or S",
        _ if eq_ignore_ascii_case(key, "type") => {
            "types are ub, b, uw, w, ud, d, uq, q, hf, f, df and bf"
        }
        _ if eq_ignore_ascii_case(key, "num_elts") => {
            "num_elts is a number, or a product such as 4*4"
        }
        _ if eq_ignore_ascii_case(key, "align") => {
            "align is byte, word, dword, qword, oword, hword, GRF, 2GRF, 32word or 64word"
        }
        _ if eq_ignore_ascii_case(key, "alias") => "write alias=<V32, 0>",
        _ => SHAPE,
    };
    let diagnostic = Diagnostic::new(rule, whole, what);
    out.push(
        match nearest(key, KEYS).filter(|near| !eq_ignore_ascii_case(near, key)) {
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
        .find(|(name, _)| eq_ignore_ascii_case(name, word))
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
    let word = cursor.word();
    cursor.advance();
    let number = || {
        let value = u32::try_from(parse_integer(word).ok()?).ok()?;
        (value.is_power_of_two() && value <= 128).then_some(value)
    };
    ALIGNMENTS
        .iter()
        .find(|(name, _)| eq_ignore_ascii_case(name, word))
        .map(|(_, align)| *align)
        .or_else(number)
}

pub(super) const GRF_ALIGN: u32 = 1 << 16;

fn parse_alias<'t>(
    cursor: &mut Cursor<'t>,
    out: &mut Diagnostics,
) -> Option<(&'t str, Span, u64, Span)> {
    // The document writes parentheses, the real assembler angle brackets.
    let close = if cursor.sign('<').is_some() {
        '>'
    } else {
        let open = cursor.sign('(')?;
        spelling::document(open, "<", cursor, out);
        ')'
    };
    let (name, span) = cursor.name()?;
    cursor.sign(',')?;
    let (offset, offset_span) = parse_product(cursor)?;
    cursor.sign(close)?;
    Some((name, span, offset, offset_span))
}

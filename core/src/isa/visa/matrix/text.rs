//! The suffix of a matrix instruction: `.s8.s4.8.4`, precisions W and A, depth
//! and repeat count.

use super::{Precision, Variant};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::OperandSpans;
use crate::isa::schema::{self, Words};
use crate::rules;
use crate::text::{Cursor, Sink, SyntaxPart, TokenClass, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Precisions, depth and repeat count: the suffix of the mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixSuffix {
    /// The precision of Src1.
    pub w: Precision,
    /// The precision of Src2.
    pub a: Precision,
    /// The systolic depth.
    pub sd: u8,
    /// The repeat count.
    pub rc: u8,
}

/// A precision that DPAS.md mentions and that has no code.
const WITHOUT_CODE: &str = "df";

/// Help on the syntax of the suffix.
fn help(variant: &Variant) -> String {
    let name = variant.spec.name;
    format!("write {name}.W.A.SD.RC, such as {name}.s8.s8.8.8")
}

/// Spellings of precisions with their meanings.
#[must_use]
pub fn words(precisions: &[Precision]) -> Vec<(&'static str, String)> {
    let all = precisions.iter();
    all.map(|p| (p.name(), format!("{} bits", p.bits())))
        .collect()
}

impl MatrixSuffix {
    /// Schema of the suffix; `precisions` are those of the instruction.
    #[must_use]
    pub const fn schema(precisions: fn() -> Vec<(&'static str, String)>) -> [schema::Suffix; 4] {
        [
            schema::Suffix {
                part: SyntaxPart::Precision,
                name: "W",
                optional: false,
                what: "precision of src1 (W)",
                words: Words::Computed(precisions),
            },
            schema::Suffix {
                part: SyntaxPart::Precision,
                name: "A",
                optional: false,
                what: "precision of src2 (A)",
                words: Words::Computed(precisions),
            },
            schema::Suffix {
                part: SyntaxPart::Depth,
                name: "SD",
                optional: false,
                what: "systolic depth",
                words: Words::Listed(&[("8", ""), ("1", ""), ("2", ""), ("4", "")]),
            },
            schema::Suffix {
                part: SyntaxPart::Repeat,
                name: "RC",
                optional: false,
                what: "repeat count",
                words: Words::Listed(&[
                    ("1", ""),
                    ("2", ""),
                    ("3", ""),
                    ("4", ""),
                    ("5", ""),
                    ("6", ""),
                    ("7", ""),
                    ("8", ""),
                ]),
            },
        ]
    }

    /// Parses the suffix after the mnemonic.
    pub fn parse(
        variant: &Variant,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Option<Self> {
        let here = cursor.here();
        let blank = Span::new(cursor.before(), here.start);
        if cursor.is_punct('.') && !cursor.adjacent() {
            // The real lexer reads mnemonic and suffix as one word.
            let what = "unexpected blank before the suffix";
            out.fix(&rules::MATRIX_SUFFIX, blank, what, "remove it", blank, "");
        }
        if cursor.eat_punct('.').is_none() {
            let what = format!(
                "expected precisions, depth and repeat count after `{}`",
                variant.spec.name
            );
            out.advise(&rules::MATRIX_SUFFIX, here, what, help(variant));
            return None;
        }
        while cursor.adjacent() && !cursor.is_punct('(') {
            cursor.advance();
        }
        let whole = cursor.since(here.end);
        let text = whole.of(cursor.text());
        let mut at = whole.start;
        let mut parts = text.split('.').map(|part| {
            let end = at + crate::diagnostic::to_u32(part.len());
            let span = Span::new(at, end);
            at = end + 1;
            (part, span)
        });
        let (Some(w), Some(a), Some(sd), Some(rc), None) = (
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
        ) else {
            let what =
                format!("expected two precisions, a depth and a repeat count, found `.{text}`");
            out.advise(&rules::MATRIX_SUFFIX, whole, what, help(variant));
            return None;
        };
        for (part, span) in [
            (SyntaxPart::Precision, w.1.to(a.1)),
            (SyntaxPart::Depth, sd.1),
            (SyntaxPart::Repeat, rc.1),
        ] {
            spans.set(part, span);
        }
        let w = precision(variant, w, out);
        let a = precision(variant, a, out);
        let sd = digit(sd, "a depth", &["1", "2", "4", "8"], out);
        let rc = digit(
            rc,
            "a repeat count",
            &["1", "2", "3", "4", "5", "6", "7", "8"],
            out,
        );
        Some(Self {
            w: w?,
            a: a?,
            sd: sd?,
            rc: rc?,
        })
    }

    /// Prints the suffix, each part after a dot.
    pub fn print(&self, sink: &mut impl Sink) {
        for precision in [self.w, self.a] {
            sink.punct(SyntaxPart::None, ".");
            sink.token(TokenClass::Suffix, SyntaxPart::Precision, precision.name());
        }
        for (part, number) in [(SyntaxPart::Depth, self.sd), (SyntaxPart::Repeat, self.rc)] {
            sink.punct(SyntaxPart::None, ".");
            sink.number(part, u64::from(number));
        }
    }
}

fn precision(
    variant: &Variant,
    (name, span): (&str, Span),
    out: &mut Diagnostics,
) -> Option<Precision> {
    // A precision that the instruction does not support breaks its own rule.
    let found = Precision::named(name);
    if found.is_some() {
        return found;
    }
    let known = || variant.precisions.iter().map(|p| p.name());
    let mut help = String::from("write ");
    for (i, name) in known().enumerate() {
        let before = match i {
            0 => "",
            _ if i + 1 == variant.precisions.len() => " or ",
            _ => ", ",
        };
        help.push_str(before);
        help.push_str(name);
    }
    let what = format!("{} does not support precision `{name}`", variant.spec.name);
    if WITHOUT_CODE.eq_ignore_ascii_case(name) {
        out.advise(variant.later_rule, span, what, help);
        return None;
    }
    let diagnostic = Diagnostic::new(variant.precision_rule, span, what);
    out.push(match nearest(name, known()) {
        Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), span, near),
        None => diagnostic.help(help),
    });
    None
}

/// Parses a digit with a fixed set of values.
fn digit(
    (text, span): (&str, Span),
    role: &str,
    known: &[&str],
    out: &mut Diagnostics,
) -> Option<u8> {
    if known.contains(&text) {
        return text.parse().ok();
    }
    let what = format!("expected {role}, found `{text}`");
    let help = format!("use one of {}", known.join(", "));
    out.fix(&rules::MATRIX_SUFFIX, span, what, help, span, "8");
    None
}

//! The suffix of a DPASW: `.s8.s4.8.4`, precisions W and A, depth and repeat
//! count.

use super::Precision;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::OperandSpans;
use crate::isa::schema::{self, Words};
use crate::rules;
use crate::text::{Cursor, OperandKind, Sink, TokenClass, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What the suffix says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffix {
    /// The precision of Src1.
    pub w: Precision,
    /// The precision of Src2.
    pub a: Precision,
    /// The systolic depth.
    pub sd: u8,
    /// The repeat count.
    pub rc: u8,
}

/// How to write it.
const HELP: &str = "write DPASW.W.A.SD.RC, such as DPASW.s8.s8.8.8";

/// The precisions.
const PRECISIONS: &str = "write u2, s2, u4, s4, u8, s8, bf or hf";

/// Precisions of DPAS that DPASW never has.
const LATER: [&str; 3] = ["bf8", "hf8", "df"];

/// A precision as it is written, and what it means.
fn precisions() -> Vec<(&'static str, String)> {
    let all = Precision::RUNNABLE.iter();
    all.map(|p| (p.name(), format!("{} bits", p.bits())))
        .collect()
}

impl Suffix {
    /// Its parts in the order of the text.
    pub const SCHEMA: [schema::Suffix; 4] = [
        schema::Suffix {
            part: OperandKind::Precision,
            name: "W",
            optional: false,
            what: "precision of src1 (W)",
            words: Words::Computed(precisions),
        },
        schema::Suffix {
            part: OperandKind::Precision,
            name: "A",
            optional: false,
            what: "precision of src2 (A)",
            words: Words::Computed(precisions),
        },
        schema::Suffix {
            part: OperandKind::Depth,
            name: "SD",
            optional: false,
            what: "systolic depth",
            words: Words::Listed(&[("8", ""), ("1", ""), ("2", ""), ("4", "")]),
        },
        schema::Suffix {
            part: OperandKind::Repeat,
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
    ];

    /// Reads what stands behind the mnemonic.
    pub fn parse(
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Option<Self> {
        let here = cursor.here();
        if cursor.sign('.').is_none() {
            let what = "a DPASW needs its precisions, depth and repeat count";
            out.push(Diagnostic::new(&rules::MATRIX_SUFFIX, here, what).help(HELP));
            return None;
        }
        while cursor.adjacent() && !cursor.is_sign('(') {
            cursor.advance();
        }
        let whole = cursor.since(here.end);
        spans.set(OperandKind::Repeat, whole);
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
            let what = format!("`.{text}` is not two precisions, a depth and a repeat count");
            out.push(Diagnostic::new(&rules::MATRIX_SUFFIX, whole, what).help(HELP));
            return None;
        };
        for (part, span) in [
            (OperandKind::Precision, w.1.to(a.1)),
            (OperandKind::Depth, sd.1),
            (OperandKind::Repeat, rc.1),
        ] {
            spans.set(part, span);
        }
        let w = precision(w, out);
        let a = precision(a, out);
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

    /// Prints it, each part behind a dot.
    pub fn print(&self, sink: &mut impl Sink) {
        for precision in [self.w, self.a] {
            sink.sign(OperandKind::None, ".");
            sink.token(TokenClass::Suffix, OperandKind::Precision, precision.name());
        }
        for (part, number) in [
            (OperandKind::Depth, self.sd),
            (OperandKind::Repeat, self.rc),
        ] {
            sink.sign(OperandKind::None, ".");
            sink.number(part, u64::from(number));
        }
    }
}

fn precision((name, span): (&str, Span), out: &mut Diagnostics) -> Option<Precision> {
    let found = Precision::named(name);
    if found.is_some() {
        return found;
    }
    let what = format!("`{name}` is not a precision of DPASW");
    if LATER.iter().any(|later| later.eq_ignore_ascii_case(name)) {
        out.push(Diagnostic::new(&rules::LATER_PRECISION, span, what).help(PRECISIONS));
        return None;
    }
    let said = Diagnostic::new(&rules::PRECISION, span, what);
    out.push(
        match nearest(name, Precision::RUNNABLE.iter().map(|p| p.name())) {
            Some(near) => said.fix(format!("did you mean `{near}`?"), span, near),
            None => said.help(PRECISIONS),
        },
    );
    None
}

/// One of the digits that a place may have.
fn digit(
    (text, span): (&str, Span),
    role: &str,
    known: &[&str],
    out: &mut Diagnostics,
) -> Option<u8> {
    if known.contains(&text) {
        return text.parse().ok();
    }
    let what = format!("`{text}` is not {role}");
    let said = Diagnostic::new(&rules::MATRIX_SUFFIX, span, what);
    out.push(said.fix(format!("{role} is {}", known.join(", ")), span, "8"));
    None
}

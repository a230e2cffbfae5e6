//! The requests and answers of `batch`, and the diagnostics of a bad request.

use crate::hex::to_span;
use lanewise_answer::DiagnosticJson;
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::rules;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A request, its fields not yet read: a field is read when it is wanted, and
/// its place in the line is known when it is wrong. Other fields are allowed
/// and mean nothing.
#[derive(Deserialize)]
pub(crate) struct Request<'l> {
    /// What to do.
    #[serde(borrow, rename = "do")]
    pub(crate) task: Option<&'l RawValue>,
    /// `visa XEHP`.
    #[serde(borrow)]
    pub(crate) target: Option<&'l RawValue>,
    /// Declarations.
    #[serde(borrow)]
    pub(crate) decls: Option<&'l RawValue>,
    /// An instruction.
    #[serde(borrow)]
    pub(crate) text: Option<&'l RawValue>,
    /// The instructions of a group.
    #[serde(borrow)]
    pub(crate) group: Option<&'l RawValue>,
    /// An encoding.
    #[serde(borrow)]
    pub(crate) bytes: Option<&'l RawValue>,
    /// An encoding of 64 bits.
    #[serde(borrow)]
    pub(crate) word: Option<&'l RawValue>,
    /// How to print it.
    #[serde(borrow)]
    pub(crate) style: Option<&'l RawValue>,
    /// A whole scenario.
    #[serde(borrow)]
    pub(crate) scenario: Option<&'l RawValue>,
    /// How many results are listed.
    #[serde(borrow)]
    pub(crate) limit: Option<&'l RawValue>,
    /// Whether what is the same in all results is listed once.
    #[serde(borrow)]
    pub(crate) compact: Option<&'l RawValue>,
}

/// A string, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

impl<'l> Request<'l> {
    /// Reads a line.
    pub(crate) fn read(line: &'l str) -> Result<Self, Diagnostic> {
        // Serde would take an array for a struct.
        let start = line.len() - line.trim_ascii_start().len();
        if line.get(start..).is_none_or(|l| !l.starts_with('{')) {
            let what = match line.get(start..).unwrap_or("") {
                "" => "the line is empty",
                _ => "the line is not a JSON object",
            };
            return Err(
                Diagnostic::new(&rules::REQUEST_JSON, to_span(start, line.len()), what)
                    .help(r#"write {"do":"check","scenario":"…"}"#),
            );
        }
        serde_json::from_str(line).map_err(|error| {
            // Columns count bytes from 1, and the line is one line.
            let at = error.column().saturating_sub(1).min(line.len());
            let mut what = error.to_string();
            // The place is in the span already.
            if let Some(place) = what.rfind(" at line ") {
                what.truncate(place);
            }
            let end = line.ceil_char_boundary(line.len().min(at + 1));
            let span = to_span(line.floor_char_boundary(at), end);
            Diagnostic::new(&rules::REQUEST_JSON, span, what)
        })
    }
}

/// A field of a request, with what its span is computed from.
#[derive(Clone, Copy)]
pub(crate) struct RequestField<'l> {
    line: &'l str,
    name: &'static str,
    value: Option<&'l RawValue>,
}

impl<'l> RequestField<'l> {
    /// The field `name` of a request, which is in `line`.
    pub(crate) fn new(line: &'l str, name: &'static str, value: Option<&'l RawValue>) -> Self {
        Self { line, name, value }
    }

    /// The span of its value in the line; the whole line when it is missing.
    pub(crate) fn span(self) -> Span {
        let Some(value) = self.value.map(RawValue::get) else {
            return to_span(0, self.line.len());
        };
        // The value is a piece of the line: serde_json borrows it.
        let start = value.as_ptr().addr();
        let start = start.saturating_sub(self.line.as_ptr().addr());
        to_span(start, start + value.len())
    }

    /// Whether it is there.
    pub(crate) fn is_there(self) -> bool {
        self.value.is_some()
    }

    /// The value as it is written; empty when it is missing.
    pub(crate) fn raw(self) -> &'l str {
        self.value.map_or("", RawValue::get)
    }

    /// Its string, which must be there.
    pub(crate) fn string(self) -> Result<Cow<'l, str>, Diagnostic> {
        let string = self.optional_string()?;
        string.ok_or_else(|| self.refuse(format!("`{}` is missing", self.name)))
    }

    /// Its string, if it is there.
    pub(crate) fn optional_string(self) -> Result<Option<Cow<'l, str>>, Diagnostic> {
        let text = self.read("a string")?;
        Ok(text.map(|Text(text)| text))
    }

    /// Its number, if it is there.
    pub(crate) fn optional_number(self) -> Result<Option<usize>, Diagnostic> {
        self.read("a number, 0 or more")
    }

    /// Its truth value, if it is there.
    pub(crate) fn optional_bool(self) -> Result<Option<bool>, Diagnostic> {
        self.read("true or false")
    }

    /// Its strings; none when it is missing.
    pub(crate) fn strings(self) -> Result<Vec<Cow<'l, str>>, Diagnostic> {
        let list: Option<Vec<Text<'l>>> = self.read("a list of strings")?;
        Ok(list.into_iter().flatten().map(|Text(text)| text).collect())
    }

    fn read<T: Deserialize<'l>>(self, what: &str) -> Result<Option<T>, Diagnostic> {
        self.value
            .map(|value| serde_json::from_str(value.get()))
            .transpose()
            .map_err(|_| self.refuse(format!("`{}` is not {what}", self.name)))
    }

    /// A diagnostic about the field.
    pub(crate) fn refuse(self, what: String) -> Diagnostic {
        Diagnostic::new(&rules::REQUEST_FIELD, self.span(), what)
    }
}

/// The answer to `assemble`: bytes, or the word of an instruction that is one.
#[derive(Serialize)]
pub(crate) struct AssembleAnswer<'d> {
    pub(crate) ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<&'d str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<DiagnosticJson<'d>>,
}

/// The answer to `disassemble`: a text, or those of a group.
#[derive(Serialize)]
pub(crate) struct DisassembleAnswer<'d> {
    pub(crate) ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<Vec<String>>,
    pub(crate) warnings: Vec<DiagnosticJson<'d>>,
}

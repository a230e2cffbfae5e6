//! Requests and answers of `batch`, and diagnostics of invalid requests.

use crate::hex::to_span;
use lanewise_answer::DiagnosticJson;
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::rules;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Request with unparsed fields. A field is parsed when it is used, so that
/// diagnostics can point at it. Unknown fields are ignored.
#[derive(Deserialize)]
pub(crate) struct Request<'l> {
    #[serde(borrow, rename = "do")]
    pub(crate) task: Option<&'l RawValue>,
    /// For example `visa XEHP`.
    #[serde(borrow)]
    pub(crate) target: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(crate) decls: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(crate) text: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(crate) group: Option<&'l RawValue>,
    /// Hexadecimal encoding.
    #[serde(borrow)]
    pub(crate) bytes: Option<&'l RawValue>,
    /// Hexadecimal 64-bit encoding.
    #[serde(borrow)]
    pub(crate) word: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(crate) style: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(crate) scenario: Option<&'l RawValue>,
    /// Maximum number of outcomes to list.
    #[serde(borrow)]
    pub(crate) limit: Option<&'l RawValue>,
    /// Whether to list state that is equal in all outcomes only once.
    #[serde(borrow)]
    pub(crate) compact: Option<&'l RawValue>,
}

/// String that is borrowed unless it has escapes.
#[derive(Deserialize)]
struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

impl<'l> Request<'l> {
    pub(crate) fn read(line: &'l str) -> Result<Self, Diagnostic> {
        // Serde would accept an array as a struct.
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
            // serde_json columns count bytes from 1.
            let at = error.column().saturating_sub(1).min(line.len());
            let mut what = error.to_string();
            // The span already has the position.
            if let Some(place) = what.rfind(" at line ") {
                what.truncate(place);
            }
            let end = line.ceil_char_boundary(line.len().min(at + 1));
            let span = to_span(line.floor_char_boundary(at), end);
            Diagnostic::new(&rules::REQUEST_JSON, span, what)
        })
    }
}

/// Field of a request, with the line that its span refers to.
#[derive(Clone, Copy)]
pub(crate) struct RequestField<'l> {
    line: &'l str,
    name: &'static str,
    value: Option<&'l RawValue>,
}

impl<'l> RequestField<'l> {
    pub(crate) fn new(line: &'l str, name: &'static str, value: Option<&'l RawValue>) -> Self {
        Self { line, name, value }
    }

    /// Span of the value, or of the whole line if the field is missing.
    pub(crate) fn span(self) -> Span {
        let Some(value) = self.value.map(RawValue::get) else {
            return to_span(0, self.line.len());
        };
        // serde_json borrows the value from the line.
        let start = value.as_ptr().addr();
        let start = start.saturating_sub(self.line.as_ptr().addr());
        to_span(start, start + value.len())
    }

    pub(crate) fn is_present(self) -> bool {
        self.value.is_some()
    }

    /// Raw JSON of the value; empty if the field is missing.
    pub(crate) fn raw(self) -> &'l str {
        self.value.map_or("", RawValue::get)
    }

    /// Value of a required string field.
    pub(crate) fn string(self) -> Result<Cow<'l, str>, Diagnostic> {
        let string = self.optional_string()?;
        string.ok_or_else(|| self.refuse(format!("`{}` is missing", self.name)))
    }

    pub(crate) fn optional_string(self) -> Result<Option<Cow<'l, str>>, Diagnostic> {
        let text = self.read("a string")?;
        Ok(text.map(|Text(text)| text))
    }

    pub(crate) fn optional_number(self) -> Result<Option<usize>, Diagnostic> {
        self.read("a non-negative integer")
    }

    pub(crate) fn optional_bool(self) -> Result<Option<bool>, Diagnostic> {
        self.read("true or false")
    }

    /// Value of a list of strings; empty if the field is missing.
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

    /// Diagnostic that points at the field.
    pub(crate) fn refuse(self, what: String) -> Diagnostic {
        Diagnostic::new(&rules::REQUEST_FIELD, self.span(), what)
    }
}

/// Answer to `assemble`: `bytes` for vISA, `word` for SASS.
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

/// Answer to `disassemble`: a text, or the texts of a group.
#[derive(Serialize)]
pub(crate) struct DisassembleAnswer<'d> {
    pub(crate) ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<Vec<String>>,
    pub(crate) warnings: Vec<DiagnosticJson<'d>>,
}

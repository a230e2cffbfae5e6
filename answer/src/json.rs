//! JSON types of the answers.

use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::rules;
use serde::Serialize;
use serde::ser::Serializer;

/// The most bytes of an answer, apart from its diagnostics.
pub const MAX_ANSWER: usize = 64 << 20;

/// An answer would have more than [`MAX_ANSWER`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl TooLong {
    /// Says so at a place of the request.
    #[must_use]
    pub fn diagnostic(self, span: Span) -> Diagnostic {
        let what = "the answer has more than 64 MB";
        Diagnostic::new(&rules::ANSWER_TOO_LONG, span, what).help(
            "ask for a compact answer (`\"compact\":true`), \
             declare a smaller `.slm` or smaller regions, or list fewer results (`\"limit\":1`)",
        )
    }
}

/// Remaining size of an answer, in bytes; charged before its parts are built.
#[derive(Debug)]
pub(crate) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MAX_ANSWER)
    }
}

impl Room {
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), TooLong> {
        self.0 = self.0.checked_sub(bytes).ok_or(TooLong)?;
        Ok(())
    }

    /// Takes what an entry of an object has: `"key":"value",`.
    pub(crate) fn take_entry(&mut self, key: usize, value: usize) -> Result<(), TooLong> {
        self.take(key.saturating_add(value).saturating_add(6))
    }

    /// Takes what a list of strings has.
    pub(crate) fn take_list(&mut self, list: &[String]) -> Result<(), TooLong> {
        let bytes = list.iter().map(|text| text.len() + 3);
        self.take(bytes.sum::<usize>() + 2)
    }
}

/// A diagnostic.
#[derive(Serialize)]
pub struct DiagnosticJson<'d> {
    code: &'static str,
    severity: &'static str,
    message: String,
    span: [u32; 2],
    help: &'d str,
}

impl<'d> From<&'d Diagnostic> for DiagnosticJson<'d> {
    fn from(diagnostic: &'d Diagnostic) -> Self {
        Self {
            code: diagnostic.rule.code,
            severity: diagnostic.severity().word(),
            message: diagnostic.message(),
            span: [diagnostic.span.start, diagnostic.span.end],
            help: &diagnostic.help,
        }
    }
}

/// Converts diagnostics to JSON.
pub fn to_json<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
) -> Vec<DiagnosticJson<'d>> {
    diagnostics.into_iter().map(DiagnosticJson::from).collect()
}

/// The answer to `check`, and to any rejected request with `ok` false.
#[derive(Serialize)]
pub struct CheckAnswer<'d> {
    pub(crate) ok: bool,
    pub(crate) diagnostics: Vec<DiagnosticJson<'d>>,
}

/// The answer to `run`.
#[derive(Serialize)]
pub struct RunAnswer<'d> {
    pub(crate) ok: bool,
    pub(crate) instructions: u32,
    pub(crate) steps: u64,
    pub(crate) warnings: Vec<DiagnosticJson<'d>>,
    pub(crate) fault: Option<Faulted<'d>>,
    pub(crate) registers: Entries<Register>,
    pub(crate) memory: Entries<Entries<String>>,
}

/// A fault that ended a run.
#[derive(Serialize)]
pub struct Faulted<'d> {
    pub(crate) kind: &'static str,
    pub(crate) instruction: u32,
    pub(crate) eu: u8,
    pub(crate) lane: u8,
    /// Null if no access faulted.
    pub(crate) address: Option<String>,
    pub(crate) message: &'d str,
    /// File and line of the source, if the program names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
}

/// Value of a register.
#[derive(PartialEq, Serialize)]
#[serde(untagged)]
pub enum Register {
    /// Bytes, or a mask.
    Text(String),
    /// The targets of an address variable, or one value per lane.
    List(Vec<String>),
}

impl Register {
    /// Takes what an entry of this name has.
    pub(crate) fn take_room(&self, name: &str, room: &mut Room) -> Result<(), TooLong> {
        match self {
            Self::Text(text) => room.take_entry(name.len(), text.len()),
            Self::List(list) => {
                room.take_entry(name.len(), 0)?;
                room.take_list(list)
            }
        }
    }
}

/// A JSON object with ordered entries.
pub struct Entries<V>(pub(crate) Vec<(String, V)>);

impl<V: Serialize> Serialize for Entries<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

//! JSON types of the answers.

use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::Diagnostic;
use serde::Serialize;
use serde::ser::Serializer;

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

/// A JSON object with ordered entries.
pub struct Entries<V>(pub(crate) Vec<(String, V)>);

impl<V: Serialize> Serialize for Entries<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

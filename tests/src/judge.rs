//! Diagnostics and encoding of one line with its declarations.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::Instruction;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::{Assembler, Program};
use std::collections::BTreeSet;

#[derive(Debug)]
pub struct Judged {
    /// Diagnostics of the declarations and the line, except those about running.
    pub diagnostics: Vec<Diagnostic>,
    /// Encoding; `None` if there is an error.
    pub bytes: Option<String>,
}

impl Judged {
    #[must_use]
    pub fn codes(&self, severity: Severity) -> Vec<&'static str> {
        self.diagnostics
            .iter()
            .filter(|d| d.severity() == severity)
            .map(|d| d.rule.code)
            .collect()
    }

    /// Codes of all diagnostics, sorted, without duplicates.
    #[must_use]
    pub fn all_codes(&self) -> Vec<&'static str> {
        let codes: BTreeSet<_> = self.diagnostics.iter().map(|d| d.rule.code).collect();
        codes.into_iter().collect()
    }

    #[must_use]
    pub fn has_error(&self) -> bool {
        !self.codes(Severity::Error).is_empty()
    }

    #[must_use]
    pub fn has_warning(&self) -> bool {
        !self.codes(Severity::Warning).is_empty()
    }

    #[must_use]
    pub fn has_note(&self) -> bool {
        !self.codes(Severity::Note).is_empty()
    }

    /// One-line summary for a report.
    #[must_use]
    pub fn summary(&self) -> String {
        let all: Vec<String> = self
            .diagnostics
            .iter()
            .map(|d| format!("{} {}", d.rule.code, d.what))
            .collect();
        match &self.bytes {
            Some(bytes) => format!("{bytes} [{}]", all.join("; ")),
            None => format!("refused [{}]", all.join("; ")),
        }
    }
}

#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Parses hexadecimal digits.
///
/// # Panics
/// If the text is invalid.
#[must_use]
pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        .collect()
}

/// Whether a diagnostic is about running or memory, not about encoding.
fn is_about_running(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.code[1..].starts_with("07") || diagnostic.rule.code == "W0808"
}

/// Judges a line both as a scenario and with the assembler.
///
/// # Panics
/// If the two disagree on whether it can be encoded.
#[must_use]
pub fn judge(platform_name: &str, decls: &[String], text: &str) -> Judged {
    let at = Platform::named(platform_name);
    let target: &str = match at {
        Some(at) => at.name(),
        None => platform_name,
    };
    let scenario = format!(".target visa {target}\n{}\n{text}", decls.join("\n"));
    let program = Program::parse(&scenario);
    let diagnostics: Vec<Diagnostic> = program
        .diagnostics
        .into_iter()
        .filter(|d| !is_about_running(d))
        .collect();
    let refused = diagnostics.iter().any(|d| d.severity() == Severity::Error);
    let bytes = at.and_then(|at| assemble(at, decls, text));
    // The assembler does not accept labels or instructions without a known encoding.
    let is_one = match &program.instructions[..] {
        [one] => match &one.instruction {
            Instruction::Visa(visa) => visa.has_encoding(),
            _ => true,
        },
        _ => false,
    };
    assert!(
        bytes.is_none() == refused || !is_one,
        "assembler and scenario disagree on {scenario}\n{diagnostics:?}\n{bytes:?}"
    );
    Judged {
        diagnostics,
        bytes: bytes.filter(|_| !refused),
    }
}

/// Encodes a line with the assembler only.
#[must_use]
pub fn assemble(platform: Platform, decls: &[String], text: &str) -> Option<String> {
    let mut assembler = Assembler::new(platform, decls.iter().map(String::as_str)).ok()?;
    let assembled = assembler.assemble(text).ok()?;
    Some(hex(assembled.encoded.bytes()))
}

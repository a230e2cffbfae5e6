//! What Lanewise says to one line with its declarations.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::{Assembler, Program};
use std::collections::BTreeSet;

/// The verdict on a line.
#[derive(Debug)]
pub struct Judged {
    /// Diagnostics of declarations and line, reasons not to run left out.
    pub diagnostics: Vec<Diagnostic>,
    /// The encoding; none when one of the diagnostics is an error.
    pub bytes: Option<String>,
}

impl Judged {
    /// The codes of the diagnostics of one severity.
    #[must_use]
    pub fn codes(&self, severity: Severity) -> Vec<&'static str> {
        self.diagnostics
            .iter()
            .filter(|d| d.severity() == severity)
            .map(|d| d.rule.code)
            .collect()
    }

    /// The codes of all diagnostics, sorted, each once.
    #[must_use]
    pub fn all_codes(&self) -> Vec<&'static str> {
        let codes: BTreeSet<_> = self.diagnostics.iter().map(|d| d.rule.code).collect();
        codes.into_iter().collect()
    }

    /// Whether it has an error.
    #[must_use]
    pub fn errs(&self) -> bool {
        !self.codes(Severity::Error).is_empty()
    }

    /// Whether it warns.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.codes(Severity::Warning).is_empty()
    }

    /// Whether it has a note.
    #[must_use]
    pub fn notes(&self) -> bool {
        !self.codes(Severity::Note).is_empty()
    }

    /// One line for a report.
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

/// The platform of one of the real assembler's names; BDW to BXT count as
/// SKL here, DG1 as TGLLP.
#[must_use]
pub fn platform(name: &str) -> Option<Platform> {
    Platform::named(name).or(match name {
        "BDW" | "CHV" | "BXT" => Some(Platform::Skl),
        "DG1" => Some(Platform::Tgllp),
        "PVCXT" => Some(Platform::Pvc),
        _ => None,
    })
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Hexadecimal digits as bytes.
///
/// # Panics
/// When they are none.
#[must_use]
pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        .collect()
}

/// Reasons not to run, and what concerns memory, are kept apart from encoding.
fn is_about_running(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.code[1..].starts_with("07") || diagnostic.rule.code == "W0808"
}

/// Judges a line both ways: as a scenario and by the assembler.
///
/// # Panics
/// When the two ways disagree on whether it can be encoded.
#[must_use]
pub fn judge(platform_name: &str, decls: &[String], text: &str) -> Judged {
    let at = platform(platform_name);
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
    // The assembler takes no foreign instructions and no labels.
    let is_one = program.instructions.len() == 1;
    assert!(
        bytes.is_none() == refused || !is_one,
        "assembler and scenario disagree on {scenario}\n{diagnostics:?}\n{bytes:?}"
    );
    Judged {
        diagnostics,
        bytes: bytes.filter(|_| !refused),
    }
}

/// The encoding by the assembler alone.
#[must_use]
pub fn assemble(platform: Platform, decls: &[String], text: &str) -> Option<String> {
    let mut assembler = Assembler::new(platform, decls.iter().map(String::as_str)).ok()?;
    let assembled = assembler.assemble(text).ok()?;
    Some(hex(assembled.encoded.bytes()))
}

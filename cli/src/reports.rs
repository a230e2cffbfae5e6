//! Reports of `run` and `check` for CI servers: `--sarif` and `--junit`.

use crate::input::Source;
use crate::junit::{self, Case};
use crate::{CliError, render, sarif};
use lanewise_api::FindingJson;
use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::program::Program;
use lanewise_core::rules::{Provenance, Rule, Subject};
use lanewise_core::session::Fault;
use std::path::{Path, PathBuf};

/// Where reports are written.
#[derive(clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Reports")]
pub(crate) struct Reports {
    /// Write errors, warnings and faults to a SARIF 2.1.0 log
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// The results of a file, or of a launch on a device.
pub(crate) struct FileReport {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Findings of the checks of a launch.
    pub(crate) findings: Vec<FindingJson>,
    /// Severity from which on findings are failures.
    pub(crate) fails_at: Option<Severity>,
}

impl FileReport {
    /// A report without findings.
    pub(crate) const fn new(name: String, source: Source, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            name,
            source,
            diagnostics,
            findings: Vec::new(),
            fails_at: None,
        }
    }
}

/// Rule of a fault in a report.
static FAULT: Rule = Rule {
    code: "fault",
    severity: Severity::Error,
    mark: Provenance::Assumed,
    why: "a run stops at what cannot be executed",
    subject: Subject::Running,
};

/// Rule of a launch that differs between devices.
static DIFFERENCE: Rule = Rule {
    code: "difference",
    severity: Severity::Error,
    mark: Provenance::Assumed,
    why: "the buffers differ between devices",
    subject: Subject::Running,
};

/// A fault at its line of a source.
pub(crate) fn fault(program: &Program, fault: &Fault, source: &Source) -> Diagnostic {
    let span = line_of(program, fault.instruction, source);
    Diagnostic::new(&FAULT, span, fault.message.as_str())
}

/// A warning of a run at its line of a source.
pub(crate) fn warning(
    program: &Program,
    instruction: u32,
    warning: &Diagnostic,
    source: &Source,
) -> Diagnostic {
    let span = line_of(program, instruction, source);
    Diagnostic::new(warning.rule, span, warning.what.as_str())
}

/// A launch that cannot be compared, or that differs from others.
pub(crate) fn difference(message: &str) -> Diagnostic {
    Diagnostic::new(&DIFFERENCE, Span::default(), message)
}

/// The line of the source that an instruction comes from; the start without line information.
fn line_of(program: &Program, instruction: u32, source: &Source) -> Span {
    let line = match program.source_file() {
        Some(_) => program.source_line(instruction).map(|(_, line)| line),
        None => None,
    };
    line.map_or(Span::default(), |line| span_of_line(line, source))
}

/// A line of a source, from 1; its start if the line does not exist.
fn span_of_line(line: u64, source: &Source) -> Span {
    let line = usize::try_from(line).ok();
    let Some(line) = line.and_then(|line| line.checked_sub(1)) else {
        return Span::default();
    };
    let mut start = 0;
    for (index, text) in source.text.split_inclusive('\n').enumerate() {
        let end = start + text.trim_end().len();
        if let (true, Ok(from), Ok(to)) = (index == line, u32::try_from(start), u32::try_from(end))
        {
            return Span::new(from, to);
        }
        start += text.len();
    }
    Span::default()
}

impl Reports {
    /// Writes the requested reports of a command.
    pub(crate) fn write(&self, command: &str, entries: &[FileReport]) -> Result<(), CliError> {
        if let Some(path) = &self.sarif {
            write_sarif(path, entries)?;
        }
        if let Some(path) = &self.junit {
            write_junit(path, command, entries, false)?;
        }
        Ok(())
    }
}

fn write_sarif(path: &Path, entries: &[FileReport]) -> Result<(), CliError> {
    let files = entries
        .iter()
        .map(|entry| (&entry.source, &*entry.diagnostics, &*entry.findings));
    let log = sarif::log(&files.collect::<Vec<_>>(), &[]);
    std::fs::write(path, format!("{log:#}\n"))
        .map_err(|error| CliError(format!("cannot write {}: {error}", path.display())))
}

/// Writes a case for each entry. It fails at errors and, if requested, at warnings.
pub(crate) fn write_junit(
    path: &Path,
    command: &str,
    entries: &[FileReport],
    deny_warnings: bool,
) -> Result<(), CliError> {
    let cases = entries.iter().map(|entry| {
        let from = match deny_warnings {
            true => Severity::Warning,
            false => Severity::Error,
        };
        let problems = entry.diagnostics.iter();
        let problems = problems.filter(|found| found.severity() <= from);
        let failures = problems.map(|found| {
            let (line, column) = entry.source.position(found.span.start);
            let (name, code) = (&entry.source.name, found.rule.code);
            let message = render::plain(&found.what);
            format!(
                "{name}:{line}:{column}: {}[{code}]: {message}",
                found.severity().word()
            )
        });
        let findings = entry.findings.iter().filter(|f| f.reaches(entry.fails_at));
        let findings = findings.map(|finding| {
            let place = finding.accesses.iter().find_map(|access| {
                let line = access.place.line?;
                let named = access
                    .place
                    .file
                    .as_ref()
                    .filter(|_| entry.source.text.is_empty());
                Some(format!("{}:{line}", named.unwrap_or(&entry.source.name)))
            });
            let place = place.unwrap_or_else(|| entry.source.name.clone());
            let (severity, code) = (finding.severity, finding.code);
            let message = render::plain(&finding.message);
            format!("{place}: {severity}[{code}]: {message}")
        });
        Case {
            name: entry.name.clone(),
            failures: failures.chain(findings).collect(),
        }
    });
    junit::write(
        path,
        &format!("lanewise {command}"),
        &cases.collect::<Vec<_>>(),
    )
}

//! `lanewise check`: checks scenario files and scenarios in Markdown files.

use crate::input::Source;
use crate::{CliError, Status, markdown, render, sarif};
use lanewise_answer::{DiagnosticJson, to_json};
use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::program::Program;
use lanewise_core::rules;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise check histogram.lanewise
  lanewise check --deny-warnings docs/*.md
  lanewise check --allow W0410 --json kernel.lanewise
  lanewise check --sarif docs/*.md > lanewise.sarif")]
pub(crate) struct Args {
    /// Scenarios or Markdown files (.md, .markdown, .mdx); - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat every FILE as Markdown
    #[arg(long)]
    markdown: bool,
    /// Print one line of JSON per file
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Print a SARIF 2.1.0 log
    #[arg(long)]
    sarif: bool,
    /// Exit with 1 if there are warnings
    #[arg(long)]
    deny_warnings: bool,
    /// Ignore warnings and notes with this code; repeatable
    #[arg(long, value_name = "CODE", value_parser = parse_allowed)]
    allow: Vec<&'static rules::Rule>,
    /// Print errors only
    #[arg(short, long, conflicts_with_all = ["json", "sarif"])]
    quiet: bool,
}

/// Parses the argument of `--allow`: the code of a warning or note.
fn parse_allowed(code: &str) -> Result<&'static rules::Rule, String> {
    let rule = rules::find(code).ok_or("unknown diagnostic code")?;
    match rule.severity {
        Severity::Error => Err(String::from(
            "errors cannot be allowed; only warnings and notes can",
        )),
        Severity::Warning | Severity::Note => Ok(rule),
    }
}

struct Report {
    source: Source,
    /// Sorted by position; spans are byte offsets in the file.
    diagnostics: Vec<Diagnostic>,
    /// 1, or the number of blocks in a Markdown file.
    scenarios: usize,
}

/// Output of `check --json` for one file.
#[derive(Serialize)]
struct FileAnswer<'d> {
    file: &'d str,
    ok: bool,
    scenarios: usize,
    diagnostics: Vec<Located<'d>>,
}

/// Diagnostic with line and column.
#[derive(Serialize)]
struct Located<'d> {
    #[serde(flatten)]
    diagnostic: DiagnosticJson<'d>,
    /// 1-based.
    line: usize,
    /// In characters, 1-based.
    column: usize,
}

/// Runs the command. Continues after an unreadable file.
pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let mut reports = Vec::new();
    let mut unreadable = None;
    for path in &args.files {
        match Source::read(path) {
            Ok(source) => {
                let report = check(source, args.markdown || is_markdown(path), args);
                if !args.json && !args.sarif {
                    render::print(&report.source, &report.diagnostics);
                }
                reports.push(report);
            }
            Err(CliError(message)) => {
                if let Some(before) = unreadable.replace(message) {
                    render::say(&format!("lanewise: {before}"));
                }
            }
        }
    }
    let count = |severity| -> usize {
        let counts = reports.iter().map(|r| render::of(severity, &r.diagnostics));
        counts.sum()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut out = std::io::stdout().lock();
    if args.json {
        for report in &reports {
            serde_json::to_writer(&mut out, &answer(report)).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
    } else if args.sarif {
        let files = reports.iter().map(|r| (&r.source, &*r.diagnostics));
        let log = sarif::log(&files.collect::<Vec<_>>());
        serde_json::to_writer_pretty(&mut out, &log).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else if !args.quiet && (!reports.is_empty() || unreadable.is_none()) {
        let scenarios: usize = reports.iter().map(|r| r.scenarios).sum();
        let plural = if scenarios == 1 { "" } else { "s" };
        let count = render::count(errors, warnings);
        writeln!(out, "{scenarios} scenario{plural} checked: {count}")?;
    }
    match unreadable {
        Some(message) => Err(CliError(message)),
        None => Ok(Status::when(
            errors == 0 && (warnings == 0 || !args.deny_warnings),
        )),
    }
}

fn is_markdown(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|extension| {
        ["md", "markdown", "mdx"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

fn check(source: Source, markdown: bool, args: &Args) -> Report {
    let (scenarios, mut diagnostics) = if markdown {
        check_blocks(&source.text)
    } else {
        (1, Program::parse(&source.text).diagnostics)
    };
    if scenarios == 0 {
        // Probably a misspelled fence.
        render::say(&format!(
            "lanewise: {} has no ```lanewise block",
            source.name
        ));
    }
    diagnostics.retain(|d| {
        let allowed = args.allow.iter().any(|rule| rule.code == d.rule.code);
        !allowed && (!args.quiet || d.severity() == Severity::Error)
    });
    Report {
        source,
        diagnostics,
        scenarios,
    }
}

/// Number of scenarios in a page, and their diagnostics with byte offsets in the
/// page.
fn check_blocks(page: &str) -> (usize, Vec<Diagnostic>) {
    let blocks = markdown::blocks(page);
    let mut found = Vec::new();
    for block in &blocks {
        let start = u32::try_from(block.start).expect("files are read up to 128 MB");
        let shift = |span: Span| Span::new(span.start + start, span.end + start);
        for mut diagnostic in Program::parse(&block.text).diagnostics {
            diagnostic.span = shift(diagnostic.span);
            if let Some(edit) = &mut diagnostic.edit {
                edit.span = shift(edit.span);
            }
            found.push(diagnostic);
        }
    }
    (blocks.len(), found)
}

fn answer(report: &Report) -> FileAnswer<'_> {
    let located = to_json(&report.diagnostics)
        .into_iter()
        .zip(&report.diagnostics)
        .map(|(diagnostic, read)| {
            let (line, column) = report.source.position(read.span.start);
            Located {
                diagnostic,
                line,
                column,
            }
        });
    FileAnswer {
        file: &report.source.name,
        ok: render::of(Severity::Error, &report.diagnostics) == 0,
        scenarios: report.scenarios,
        diagnostics: located.collect(),
    }
}

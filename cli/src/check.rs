//! `lanewise check`: checks scenario files and scenarios in Markdown files.

use crate::compiler::{self, Failure};
use crate::declaration_args::parse_target;
use crate::input::{Source, read_bytes};
use crate::launch::{kernel_of_function, refuse_target, undecoded};
use crate::reports::{FileReport, write_junit};
use crate::{CliError, Status, markdown, render, sarif, scenario_checks};
use lanewise_answer::{DiagnosticJson, to_json};
use lanewise_api::FindingJson;
use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::isa::Target;
use lanewise_core::program::Program;
use lanewise_core::rules;
use lanewise_files::zebin::{self, Kernel, LaunchError};
use lanewise_files::{WarpProgram, is_scenario};
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
    /// Scenarios, compiled programs, listings, sources (.cl, .cu, .ptx), or Markdown files (.md, .markdown, .mdx); - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat every FILE as Markdown
    #[arg(long)]
    markdown: bool,
    /// Print one line of JSON per file
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Print a SARIF 2.1.0 log, or write it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    sarif: Option<Option<PathBuf>>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Exit with 1 if there are warnings
    #[arg(long)]
    deny_warnings: bool,
    /// Ignore warnings and notes with this code, or findings as with `run --allow`; repeatable
    #[arg(long, value_name = "CODE|KIND[:FILE[:LINE]]", value_parser = parse_allowed)]
    allow: Vec<String>,
    /// Print errors only
    #[arg(short, long, conflicts_with_all = ["json", "sarif"])]
    quiet: bool,
    /// Read a listing that does not name its target for this one, such as `visa BMG`
    #[arg(long, value_name = "TARGET", value_parser = parse_target)]
    target: Option<Target>,
    #[command(flatten)]
    compiler: compiler::Options,
}

/// Parses the argument of `--allow`: findings, or the code of a warning or a note.
fn parse_allowed(text: &str) -> Result<String, String> {
    if let Ok(findings) = lanewise_api::parse_allowed(text) {
        return Ok(findings);
    }
    let rule = rules::find(text).ok_or("unknown diagnostic code or kind of finding")?;
    match rule.severity {
        Severity::Error => Err(String::from(
            "errors cannot be allowed; only warnings and notes can",
        )),
        Severity::Warning | Severity::Note => Ok(rule.code.to_owned()),
    }
}

struct Report {
    source: Source,
    /// Sorted by position; spans are byte offsets in the file.
    diagnostics: Vec<Diagnostic>,
    /// 1, or the number of blocks in a Markdown file.
    scenarios: usize,
    /// Findings of the checks of a scenario that has run, and their text, or a note.
    findings: Vec<FindingJson>,
    text: String,
}

impl Report {
    /// A report without findings.
    const fn new(source: Source, diagnostics: Vec<Diagnostic>, scenarios: usize) -> Self {
        Self {
            source,
            diagnostics,
            scenarios,
            findings: Vec::new(),
            text: String::new(),
        }
    }

    /// A report on kernels, of which only the text is checked.
    fn of_kernels(
        name: String,
        source: Source,
        diagnostics: Vec<Diagnostic>,
        kernels: usize,
    ) -> Self {
        let mut report = Self::new(source, diagnostics, kernels);
        if kernels > 0 {
            report.text = format!(
                "{name}: note: the text of the kernels is checked; `lanewise run {name} … --check` \
                 looks for races and other defects in a launch"
            );
        }
        report
    }
}

/// Output of `check --json` for one file.
#[derive(Serialize)]
struct FileAnswer<'d> {
    file: &'d str,
    ok: bool,
    scenarios: usize,
    diagnostics: Vec<Located<'d>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    findings: &'d [FindingJson],
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
    let mut unreadable: Vec<String> = Vec::new();
    let prints_log = matches!(args.sarif, Some(None));
    for path in &args.files {
        match report(path, args) {
            Ok(report) => {
                if !args.json && !prints_log {
                    render::print(&report.source, &report.diagnostics);
                    if !report.text.is_empty() {
                        render::say(report.text.trim_end());
                    }
                }
                reports.push(report);
            }
            Err(CliError(message)) => {
                if let Some(before) = unreadable.last() {
                    render::say(&format!("lanewise: {before}"));
                }
                unreadable.push(message);
            }
        }
    }
    let count = |severity: Severity| -> usize {
        let counts = reports.iter().map(|report| {
            let is_severe = |finding: &&FindingJson| finding.severity == severity.word();
            let findings = report.findings.iter().filter(is_severe).count();
            findings + render::of(severity, &report.diagnostics)
        });
        counts.sum()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut out = std::io::stdout().lock();
    if args.json {
        for report in &reports {
            serde_json::to_writer(&mut out, &answer(report)).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
    } else if prints_log {
        serde_json::to_writer_pretty(&mut out, &log(&reports, &unreadable))
            .map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else if !args.quiet && (!reports.is_empty() || unreadable.is_empty()) {
        let scenarios: usize = reports.iter().map(|r| r.scenarios).sum();
        let plural = if scenarios == 1 { "" } else { "s" };
        let count = render::count(errors, warnings);
        writeln!(out, "{scenarios} scenario{plural} checked: {count}")?;
    }
    if let Some(Some(path)) = &args.sarif {
        let text = format!("{:#}\n", log(&reports, &unreadable));
        std::fs::write(path, text)
            .map_err(|error| CliError(format!("cannot write {}: {error}", path.display())))?;
    }
    if let Some(path) = &args.junit {
        let entries = reports.into_iter().map(|report| {
            let name = report.source.name.clone();
            let mut entry = FileReport::new(name, report.source, report.diagnostics);
            entry.findings = report.findings;
            entry.fails_at = Some(match args.deny_warnings {
                true => Severity::Warning,
                false => Severity::Error,
            });
            entry
        });
        let entries: Vec<FileReport> = entries.collect();
        write_junit(path, "check", &entries, args.deny_warnings)?;
    }
    match unreadable.pop() {
        Some(message) => Err(CliError(message)),
        None => Ok(Status::when(
            errors == 0 && (warnings == 0 || !args.deny_warnings),
        )),
    }
}

fn log(reports: &[Report], unread: &[String]) -> serde_json::Value {
    let files = reports
        .iter()
        .map(|r| (&r.source, &*r.diagnostics, &*r.findings));
    sarif::log(&files.collect::<Vec<_>>(), unread)
}

fn report(path: &Path, args: &Args) -> Result<Report, CliError> {
    let mut report = match compiler::is_source(path) {
        true => compile(path, args)?,
        false => check(path, args)?,
    };
    report.diagnostics.retain(|d| {
        let allowed = args.allow.iter().any(|code| code == d.rule.code);
        !allowed && (!args.quiet || d.is_error())
    });
    let before = report.findings.len();
    report
        .findings
        .retain(|f| !f.suppressed && (!args.quiet || f.severity == Severity::Error.word()));
    if args.quiet && report.findings.is_empty() {
        report.text.clear();
    }
    if report.findings.len() != before {
        report.text = lanewise_api::text_of(&report.findings);
    }
    Ok(report)
}

/// Compiles a source, and checks whether its kernels can be launched.
fn compile(path: &Path, args: &Args) -> Result<Report, CliError> {
    let file = match compiler::load(path, &args.compiler) {
        Ok(file) => file,
        Err(Failure::Unusable(message)) => return Err(CliError(message)),
        Err(Failure::Rejected(source, diagnostics)) => {
            return Ok(Report::new(source, diagnostics, 0));
        }
    };
    let compiled = file.compiled.expect("sources are compiled");
    let mut diagnostics = compiled.warnings;
    let code = (&*file.name, &*file.bytes);
    let scenarios = check_compiled(code, file.cubin.as_deref(), args.target, &mut diagnostics);
    let source = compiled.source;
    Ok(Report::of_kernels(
        file.name,
        source,
        diagnostics,
        scenarios,
    ))
}

/// A reason why a file or a kernel does not run.
fn obstacle(message: String) -> Diagnostic {
    Diagnostic::new(&rules::KERNEL_OBSTACLE, Span::default(), message)
}

/// Checks the kernels of a file that a compiler wrote; returns their number.
fn check_compiled(
    file: (&str, &[u8]),
    cubin: Option<&[u8]>,
    target: Option<Target>,
    out: &mut Vec<Diagnostic>,
) -> usize {
    match WarpProgram::recognises(file.1) {
        true => check_warps(file, cubin, target, out),
        false => check_program(file, target, out),
    }
}

/// Whether a file holds kernels as a compiler wrote them: a program, or a listing.
fn is_compiled(bytes: &[u8]) -> bool {
    lanewise_files::is_elf(bytes)
        || lanewise_files::is_fat_binary(bytes)
        || WarpProgram::recognises(bytes)
        || lanewise_files::decode_text(bytes).is_some_and(|text| {
            let mut lines = text.lines();
            !is_scenario(&text)
                && lines.any(|line| line.trim_start().starts_with(".kernel_attr SimdSize="))
        })
}

/// Checks the kernels of a compiled program or of a listing; returns their number.
/// Diagnostics name the kernel, because a program has no lines.
fn check_program(file: (&str, &[u8]), target: Option<Target>, out: &mut Vec<Diagnostic>) -> usize {
    let kernels = match kernels_of(file, target) {
        Ok(kernels) => kernels,
        Err(error) => {
            out.push(obstacle(error));
            return 0;
        }
    };
    for kernel in &kernels {
        let text = kernel.as_ref().map_err(ToString::to_string);
        let text = text.and_then(|kernel| {
            let text = kernel.sample_scenario();
            text.map(|text| (&kernel.name, text))
                .map_err(|error| error.to_string())
        });
        let (name, text) = match text {
            Ok(found) => found,
            Err(error) => {
                out.push(obstacle(error));
                continue;
            }
        };
        let program = Program::parse_to_run(&text);
        if let Some(error) = find(&program, Severity::Error) {
            out.push(obstacle(format!(
                "`{name}` cannot run: {}",
                error.message()
            )));
        } else if let Some(what) = lanewise_files::not_modelled(&program) {
            out.push(obstacle(format!("`{name}`: {what}")));
        }
        if let Some(warning) = find(&program, Severity::Warning) {
            let what = format!("`{name}`: {}", warning.what);
            out.push(Diagnostic::new(warning.rule, Span::default(), what));
        }
    }
    kernels.len()
}

/// The kernels of a compiled program or of a vISA listing, each with the reason if it
/// cannot be launched. Prints what is assumed about a listing.
fn kernels_of(
    (name, bytes): (&str, &[u8]),
    target: Option<Target>,
) -> Result<Vec<Result<Kernel, LaunchError>>, String> {
    if zebin::recognises(bytes) {
        let program = zebin::open(bytes).map_err(|error| error.message)?;
        refuse_target(name, program.platform.into(), target).map_err(|error| error.to_string())?;
        return Ok(program.kernels.into_iter().map(Ok).collect());
    }
    let file = lanewise_files::open_for(name, bytes, target).map_err(|error| error.message)?;
    if let Some(why) = undecoded(&file) {
        return Err(String::from(why));
    }
    let kernel = |function| {
        let kernel = kernel_of_function(function, target)?;
        for note in kernel.notes() {
            render::say(&format!("{name}: note: {note}"));
        }
        Ok(kernel)
    };
    Ok(file.functions.iter().map(kernel).collect())
}

/// Checks the kernels of a SASS listing or a cubin, in a proposed launch; returns their number.
fn check_warps(
    (name, bytes): (&str, &[u8]),
    cubin: Option<&[u8]>,
    target: Option<Target>,
    out: &mut Vec<Diagnostic>,
) -> usize {
    let program = WarpProgram::open(bytes, cubin).map_err(|error| error.message);
    let program = program.and_then(|program| {
        let refused = refuse_target(name, program.chip.into(), target);
        refused.map_err(|error| error.to_string())?;
        Ok(program)
    });
    let program = match program {
        Ok(program) => program,
        Err(message) => {
            out.push(obstacle(message));
            return 0;
        }
    };
    for kernel in &program.kernels {
        let error = program.propose(kernel).map_or_else(Some, |text| {
            let launch = Program::parse_to_run(&text);
            find(&launch, Severity::Error).map(Diagnostic::message)
        });
        let problem = error.or_else(|| program.not_executed(kernel));
        out.extend(problem.map(|why| obstacle(format!("`{}`: {why}", kernel.name))));
    }
    program.kernels.len()
}

/// The first diagnostic of a severity.
fn find(program: &Program, severity: Severity) -> Option<&Diagnostic> {
    let mut diagnostics = program.diagnostics.iter();
    diagnostics.find(|diagnostic| diagnostic.severity() == severity)
}

fn is_markdown(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|extension| {
        ["md", "markdown", "mdx"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

fn check(path: &Path, args: &Args) -> Result<Report, CliError> {
    let markdown = args.markdown || is_markdown(path);
    if path.as_os_str() != "-"
        && !markdown
        && let Ok((name, bytes)) = read_bytes(path)
        && is_compiled(&bytes)
    {
        let mut diagnostics = Vec::new();
        let scenarios = check_compiled((&name, &bytes), None, args.target, &mut diagnostics);
        return Ok(Report::of_kernels(
            name.clone(),
            Source::named(name),
            diagnostics,
            scenarios,
        ));
    }
    let source = Source::read_scenario(path)?;
    if !markdown {
        let program = Program::parse_to_run(&source.text);
        let found = scenario_checks::findings(&program, &args.allow);
        let found = found.filter(|found| !found.found.is_empty());
        let text = found.as_ref().map_or(String::new(), |f| f.text(&program));
        return Ok(Report {
            source,
            diagnostics: program.diagnostics,
            scenarios: 1,
            findings: found.map_or_else(Vec::new, |found| found.found),
            text,
        });
    }
    let (scenarios, diagnostics) = check_blocks(&source.text);
    if scenarios == 0 {
        // Probably a misspelled fence.
        render::say(&format!(
            "lanewise: {} has no ```lanewise block",
            source.name
        ));
    }
    Ok(Report::new(source, diagnostics, scenarios))
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
        ok: render::of(Severity::Error, &report.diagnostics) == 0
            && report.findings.iter().all(|f| f.severity != "error"),
        scenarios: report.scenarios,
        diagnostics: located.collect(),
        findings: &report.findings,
    }
}

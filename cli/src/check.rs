//! `lanewise check`: scenarios, and the scenarios in Markdown files.

use crate::input::Source;
use crate::{End, Trouble, markdown, render};
use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::program::Program;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `check` is told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenarios, or Markdown files (.md, .markdown, .mdx); - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read every FILE as Markdown, whatever its name
    #[arg(long)]
    markdown: bool,
}

/// What was found in all files.
#[derive(Default)]
struct Total {
    scenarios: usize,
    errors: usize,
    warnings: usize,
}

/// Runs the command. A file that cannot be read does not keep the others from
/// being checked.
pub(crate) fn main(args: &Args) -> Result<End, Trouble> {
    let mut total = Total::default();
    let mut unreadable = None;
    for path in &args.files {
        match Source::read(path) {
            Ok(source) => {
                let markdown = args.markdown || is_markdown(path);
                let (scenarios, found) = check(&source.text, markdown);
                if scenarios == 0 {
                    // A misspelt fence would pass unseen.
                    let name = path.display();
                    render::say(&format!("lanewise: {name} has no ```lanewise block"));
                }
                total.scenarios += scenarios;
                total.errors += render::of(Severity::Error, &found);
                total.warnings += render::of(Severity::Warning, &found);
                render::print(&source, &found);
            }
            Err(Trouble(message)) => {
                if let Some(before) = unreadable.replace(message) {
                    render::say(&format!("lanewise: {before}"));
                }
            }
        }
    }
    let count = render::count(total.errors, total.warnings);
    let plural = if total.scenarios == 1 { "" } else { "s" };
    if total.scenarios > 0 || unreadable.is_none() {
        let mut out = std::io::stdout();
        writeln!(out, "{} scenario{plural} checked: {count}", total.scenarios)?;
    }
    match unreadable {
        Some(message) => Err(Trouble(message)),
        None => Ok(End::when(total.errors == 0)),
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

/// How many scenarios a file holds, and what is to say of them.
fn check(text: &str, markdown: bool) -> (usize, Vec<Diagnostic>) {
    if !markdown {
        return (1, Program::parse(text).diagnostics);
    }
    let blocks = markdown::blocks(text);
    let mut found = Vec::new();
    for block in &blocks {
        let start = u32::try_from(block.start).unwrap_or(u32::MAX);
        let shift = |span: Span| {
            Span::new(
                span.start.saturating_add(start),
                span.end.saturating_add(start),
            )
        };
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

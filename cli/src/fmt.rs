//! `lanewise fmt`: formats scenarios.

use crate::input::Source;
use crate::{CliError, Status, StyleName, compiler, render};
use lanewise_core::ide;
use lanewise_core::program::Program;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise fmt kernel.lanewise
  lanewise fmt --style document --write kernel.lanewise
  lanewise fmt --check *.lanewise")]
pub(crate) struct Args {
    /// Scenarios; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Syntax of the instructions
    #[arg(long, value_name = "STYLE", default_value = "assembler")]
    style: StyleName,
    /// Rewrite each FILE in place
    #[arg(long)]
    write: bool,
    /// List the files that would change; exit with 1 if there are any
    #[arg(long, conflicts_with = "write")]
    check: bool,
}

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    if args.files.len() > 1 && !args.write && !args.check {
        return Err(CliError(String::from(
            "fmt: multiple files require --write or --check",
        )));
    }
    let mut fine = true;
    for file in &args.files {
        fine &= format(args, file)?;
    }
    Ok(Status::when(fine))
}

/// Formats one file. Returns false if it has errors, or if `--check` is given and
/// it would change.
fn format(args: &Args, file: &Path) -> Result<bool, CliError> {
    compiler::refuse_source(file)?;
    let source = Source::read(file)?;
    let name = &source.name;
    if args.write && name.starts_with('<') {
        return Err(CliError(format!("--write: {name} is not a file")));
    }
    let program = Program::parse(&source.text);
    let formatted = ide::format(&program, &source.text, args.style.into());
    for kept in &formatted.kept {
        let (line, _) = source.position(kept.span.start);
        let why = render::plain(&kept.why);
        render::say(&format!("{name}:{line}: not changed: {why}"));
    }
    let changes = !formatted.edits.is_empty();
    if args.check {
        if changes {
            writeln!(std::io::stdout(), "{name}")?;
        }
    } else if !args.write {
        write!(std::io::stdout(), "{}", formatted.text)?;
    } else if changes {
        let cannot = |error| CliError(format!("cannot write {name}: {error}"));
        std::fs::write(file, &formatted.text).map_err(cannot)?;
    }
    Ok(program.can_run() && !(args.check && changes))
}

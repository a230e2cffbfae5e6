//! `lanewise fmt`: a scenario in one spelling.

use crate::input::Source;
use crate::{End, StyleName, Trouble, render};
use lanewise_core::ide;
use lanewise_core::program::Program;
use std::io::Write;
use std::path::PathBuf;

/// What `fmt` is told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A scenario; - is the standard input
    file: PathBuf,
    /// The spelling
    #[arg(long, value_name = "STYLE", default_value = "assembler")]
    style: StyleName,
    /// Rewrite FILE instead of printing
    #[arg(long)]
    write: bool,
}

/// Runs the command.
pub(crate) fn main(args: &Args) -> Result<End, Trouble> {
    let source = Source::read(&args.file)?;
    if args.write && source.name.starts_with('<') {
        return Err(Trouble(format!("--write: {} is no file", source.name)));
    }
    let program = Program::parse(&source.text);
    let done = ide::format(&program, &source.text, args.style.into());
    for kept in &done.kept {
        let start = usize::try_from(kept.span.start).unwrap_or(usize::MAX);
        let before = source.text.get(..start).unwrap_or("");
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let why = render::plain(&kept.why);
        render::say(&format!("{}:{line}: left as it is: {why}", source.name));
    }
    if !args.write {
        write!(std::io::stdout(), "{}", done.text)?;
    } else if !done.edits.is_empty() {
        let name = &source.name;
        let cannot = |error| Trouble(format!("cannot write {name}: {error}"));
        std::fs::write(&args.file, &done.text).map_err(cannot)?;
    }
    Ok(End::when(program.can_run()))
}

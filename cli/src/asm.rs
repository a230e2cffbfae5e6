//! `lanewise asm`: the bytes of instructions.

use crate::input::Source;
use crate::{End, StyleName, Trouble, hex, known, render};
use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::program::Program;
use std::io::Write;
use std::path::PathBuf;

/// What `asm` is told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A scenario; - is the standard input
    #[arg(required_unless_present = "text", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// Assemble this one instruction instead
    #[arg(long, value_name = "INSTRUCTION")]
    text: Option<String>,
    /// Print the instruction in this spelling instead of its own
    #[arg(long, value_name = "STYLE")]
    style: Option<StyleName>,
    #[command(flatten)]
    known: known::Args,
}

/// Runs the command.
pub(crate) fn main(args: &Args) -> Result<End, Trouble> {
    match (&args.text, &args.file) {
        (Some(text), _) => one(args, text),
        (None, Some(file)) => {
            if args.known.given() {
                let why = "--target, --decl and --decls go with --text; a scenario has its own";
                return Err(Trouble(String::from(why)));
            }
            all(args, &Source::read(file)?)
        }
        // Unreachable by the attributes of the arguments.
        (None, None) => Err(Trouble(String::from("nothing to assemble"))),
    }
}

fn one(args: &Args, text: &str) -> Result<End, Trouble> {
    let Some(mut assembler) = args.known.assembler()? else {
        return Ok(End::Bad);
    };
    let target = assembler.symbols().target;
    let source = Source {
        name: String::from("<--text>"),
        text: String::from(text),
    };
    let (bytes, instruction, found) = match assembler.assemble(text) {
        Ok(done) => {
            let bytes = hex::encoding(done.encoded.bytes(), target);
            (bytes, done.instruction, done.diagnostics.to_vec())
        }
        Err(found) => {
            render::print(&source, found);
            return Ok(End::Bad);
        }
    };
    render::print(&source, &found);
    let shown = args.style.map_or_else(
        || String::from(text.trim()),
        |style| instruction.text(assembler.symbols(), style.into()),
    );
    write_line(&bytes, &shown)?;
    Ok(End::Fine)
}

fn all(args: &Args, source: &Source) -> Result<End, Trouble> {
    let program = Program::parse(&source.text);
    let found: Vec<Diagnostic> = program
        .diagnostics
        .iter()
        .filter(|d| !concerns_running(d))
        .cloned()
        .collect();
    render::print(source, &found);
    let errors = render::of(Severity::Error, &found);
    if errors > 0 {
        render::say(&format!("{}: {}", source.name, render::count(errors, 0)));
        return Ok(End::Bad);
    }
    for placed in &program.instructions {
        let instruction = &placed.instruction;
        let bytes = hex::encoding(instruction.encode().bytes(), program.symbols.target);
        match args.style {
            Some(style) => write_line(&bytes, &instruction.text(&program.symbols, style.into()))?,
            None => write_line(&bytes, placed.spans.whole().of(&source.text))?,
        }
    }
    Ok(End::Fine)
}

/// Rules of running and of the starting state: they do not keep an
/// instruction from having bytes.
fn concerns_running(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.rule.code.get(1..3), Some("07" | "08"))
}

/// The text stands in a comment, so that `disasm` reads the line again.
fn write_line(bytes: &str, text: &str) -> std::io::Result<()> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = render::plain(&words.join(" "));
    writeln!(std::io::stdout(), "{bytes}  // {text}")
}

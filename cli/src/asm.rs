//! `lanewise asm`: assembles instructions.

use crate::input::Source;
use crate::{CliError, Status, StyleName, compiler, declaration_args, hex, render};
use lanewise_answer::{self as answer, DiagnosticJson, to_json};
use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::{EncodingUnit, Target};
use lanewise_core::program::Program;
use lanewise_core::text::SyntaxPart;
use lanewise_files::{isa_object, sass_code};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise asm histogram.lanewise
  lanewise asm histogram.lanewise -o histogram.bin
  lanewise asm histogram.lanewise --object -o histogram.isa
  lanewise asm --target 'sass SM60' --text 'ATOM.E.ADD R0, [R2], R4' --json")]
pub(crate) struct Args {
    /// Scenario; - for standard input
    #[arg(required_unless_present = "text", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// Assemble a single instruction instead of a file
    #[arg(long, value_name = "INSTRUCTION")]
    text: Option<String>,
    /// Print instructions in this syntax [default: as written]
    #[arg(long, value_name = "STYLE")]
    style: Option<StyleName>,
    /// Write the raw bytes of all instructions to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a file for the real tools to --output: a vISA object, or SASS code in groups
    #[arg(long, requires = "output", conflicts_with = "text")]
    object: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "output")]
    json: bool,
    #[command(flatten)]
    declarations: declaration_args::Args,
}

/// Output of `asm --json`.
#[derive(Serialize)]
struct AsmAnswer<'d> {
    ok: bool,
    instructions: Vec<InstructionAnswer>,
    warnings: Vec<DiagnosticJson<'d>>,
}

/// One instruction: `bytes` in memory order for vISA, the 64-bit `word` for SASS.
#[derive(Serialize)]
struct InstructionAnswer {
    /// 1-based.
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<String>,
    text: String,
}

struct Encoded {
    /// 1-based.
    line: usize,
    bytes: Vec<u8>,
    text: String,
}

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    match (&args.text, &args.file) {
        (Some(text), _) => one(args, text),
        (None, Some(file)) => {
            if args.declarations.given() {
                let why =
                    "--target, --decl and --decls require --text; a scenario declares its own";
                return Err(CliError(String::from(why)));
            }
            compiler::refuse_source(file)?;
            all(args, &Source::read(file)?)
        }
        // Unreachable: clap requires one of the two.
        (None, None) => Err(CliError(String::from("nothing to assemble"))),
    }
}

fn one(args: &Args, text: &str) -> Result<Status, CliError> {
    let Some(mut assembler) = args.declarations.assembler()? else {
        return Ok(Status::Bad);
    };
    let source = Source {
        name: String::from("<--text>"),
        text: String::from(text),
    };
    let (bytes, instruction, diagnostics) = match assembler.assemble(text) {
        Ok(done) => (
            done.encoded.bytes().to_vec(),
            done.instruction,
            done.diagnostics.to_vec(),
        ),
        Err(refused) => return refuse(args, &source, refused),
    };
    let text = args.style.map_or_else(
        || one_line(text),
        |style| instruction.text(assembler.symbols(), style.into()),
    );
    let encoded = Encoded {
        line: 1,
        bytes,
        text,
    };
    write(
        args,
        &source,
        assembler.symbols().target,
        &[encoded],
        &diagnostics,
    )
}

fn all(args: &Args, source: &Source) -> Result<Status, CliError> {
    let program = Program::parse(&source.text);
    let mut diagnostics: Vec<Diagnostic> = program
        .diagnostics
        .iter()
        .filter(|d| !d.rule.concerns_running())
        .cloned()
        .collect();
    let mut unknown: Vec<Diagnostic> = (program.instructions.iter())
        .filter_map(|placed| {
            let span = placed.spans.of(SyntaxPart::Opcode);
            let target = program.symbols.target;
            placed.instruction.encoding_error(target, span)
        })
        .collect();
    // One error for a target, rather than one for each instruction.
    unknown.dedup_by(|error, before| error.what == before.what);
    diagnostics.append(&mut unknown);
    if render::of(Severity::Error, &diagnostics) > 0 {
        return refuse(args, source, &diagnostics);
    }
    if let (true, Some(path)) = (args.object, &args.output) {
        render::print(source, &diagnostics);
        return write_object(&program, path);
    }
    let encoded: Vec<Encoded> = program
        .instructions
        .iter()
        .map(|placed| Encoded {
            line: 1 + usize::try_from(placed.line).expect("a line number fits usize"),
            bytes: placed.instruction.encode().bytes().to_vec(),
            text: args.style.map_or_else(
                || one_line(placed.spans.whole().of(&source.text)),
                |style| placed.instruction.text(&program.symbols, style.into()),
            ),
        })
        .collect();
    write(args, source, program.symbols.target, &encoded, &diagnostics)
}

/// Writes the program as a vISA object or as SASS code in groups.
fn write_object(program: &Program, path: &Path) -> Result<Status, CliError> {
    let file = match program.symbols.target.chip() {
        None => isa_object(program),
        Some(_) => sass_code(program),
    };
    let file = file.map_err(|error| CliError(error.to_string()))?;
    let cannot = |error| CliError(format!("cannot write {}: {error}", path.display()));
    std::fs::write(path, file).map_err(cannot)?;
    Ok(Status::Fine)
}

fn refuse(args: &Args, source: &Source, diagnostics: &[Diagnostic]) -> Result<Status, CliError> {
    if args.json {
        write_json(&answer::checked(false, diagnostics))?;
    } else {
        render::print(source, diagnostics);
        let errors = render::of(Severity::Error, diagnostics);
        render::say(&format!("{}: {}", source.name, render::count(errors, 0)));
    }
    Ok(Status::Bad)
}

/// Writes raw bytes to a file, JSON, or one line per instruction.
fn write(
    args: &Args,
    source: &Source,
    target: Target,
    encoded: &[Encoded],
    diagnostics: &[Diagnostic],
) -> Result<Status, CliError> {
    if args.json {
        let is_word = target.facts().encoding_unit == EncodingUnit::Word;
        let instructions = encoded.iter().map(|e| {
            let digits = hex::encoding(&e.bytes, target);
            let (bytes, word) = if is_word {
                (None, Some(digits))
            } else {
                (Some(digits), None)
            };
            InstructionAnswer {
                line: e.line,
                bytes,
                word,
                text: e.text.clone(),
            }
        });
        write_json(&AsmAnswer {
            ok: true,
            instructions: instructions.collect(),
            warnings: to_json(diagnostics),
        })?;
        return Ok(Status::Fine);
    }
    render::print(source, diagnostics);
    if let Some(path) = &args.output {
        let bytes: Vec<u8> = encoded.iter().flat_map(|e| e.bytes.clone()).collect();
        let cannot = |error| CliError(format!("cannot write {}: {error}", path.display()));
        std::fs::write(path, bytes).map_err(cannot)?;
        return Ok(Status::Fine);
    }
    let mut out = std::io::stdout().lock();
    for e in encoded {
        // The text is a comment, so that `disasm` reads the line again.
        let bytes = hex::encoding(&e.bytes, target);
        writeln!(out, "{bytes}  // {}", render::plain(&e.text))?;
    }
    Ok(Status::Fine)
}

fn write_json(answer: &impl Serialize) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, answer)?;
    writeln!(out)
}

/// Collapses runs of white space to single spaces.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

//! `lanewise disasm`: the instructions that bytes stand for.

use crate::hex::Bytes;
use crate::input::Source;
use crate::{End, StyleName, Trouble, known, render};
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::isa::Family;
use lanewise_core::program::Assembler;
use std::io::Write;
use std::path::PathBuf;

/// What `disasm` is told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Bytes in hexadecimal, or words of SASS, one or more instructions; - reads
    /// the standard input
    #[arg(
        value_name = "HEX",
        required_unless_present = "file",
        conflicts_with = "file"
    )]
    hex: Vec<String>,
    /// Read the bytes from this file; // and # start comments
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The spelling
    #[arg(long, value_name = "STYLE", default_value = "assembler")]
    style: StyleName,
    #[command(flatten)]
    known: known::Args,
}

/// Runs the command. A line that has no reading does not keep the others from
/// being read.
pub(crate) fn main(args: &Args) -> Result<End, Trouble> {
    let source = match (&args.file, args.hex.as_slice()) {
        (Some(path), _) => Source::read(path)?,
        (None, [only]) if only == "-" => Source::read(&PathBuf::from("-"))?,
        (None, words) => Source {
            name: String::from("<hex>"),
            text: words.join(" "),
        },
    };
    let Some(mut assembler) = args.known.assembler()? else {
        return Ok(End::Bad);
    };
    let mut fine = true;
    let mut bytes = Bytes::default();
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        let reading = line.split('\n').next().unwrap_or("");
        let read = match assembler.symbols().target.family() {
            Family::Visa => read_line,
            Family::Sass => read_words,
        };
        let (texts, found) = read(&mut assembler, &mut bytes, reading, args.style);
        let mut out = std::io::stdout().lock();
        for text in texts {
            writeln!(out, "{text}")?;
        }
        fine &= found
            .iter()
            .all(|d| d.severity() != lanewise_core::diagnostic::Severity::Error);
        let found: Vec<Diagnostic> = found.into_iter().map(|d| shift(d, at)).collect();
        render::print(&source, &found);
        at += line.len();
    }
    Ok(End::when(fine))
}

/// The instructions of a line, up to the first that has no reading.
fn read_line(
    assembler: &mut Assembler,
    bytes: &mut Bytes,
    line: &str,
    style: StyleName,
) -> (Vec<String>, Vec<Diagnostic>) {
    let mut texts = Vec::new();
    let mut found = Vec::new();
    if let Err(refused) = bytes.read(without_comment(line)) {
        found.push(refused);
        return (texts, found);
    }
    let mut from = 0;
    while let Some(rest) = bytes.bytes.get(from..).filter(|rest| !rest.is_empty()) {
        let (length, diagnostics) = match assembler.disassemble(rest, style.into()) {
            Ok(read) => {
                texts.push(String::from(read.text));
                (read.length, read.diagnostics)
            }
            Err(diagnostics) => (0, diagnostics),
        };
        let moved = diagnostics.iter().cloned().map(|d| shift(d, from));
        found.extend(moved.map(|d| bytes.place(&d)));
        if length == 0 {
            break;
        }
        from += length;
    }
    (texts, found)
}

/// The instructions of a line of words, which end at blanks.
fn read_words(
    assembler: &mut Assembler,
    bytes: &mut Bytes,
    line: &str,
    style: StyleName,
) -> (Vec<String>, Vec<Diagnostic>) {
    let mut texts = Vec::new();
    let mut found = Vec::new();
    let line = without_comment(line);
    for word in line.split_whitespace() {
        // A word is a piece of the line.
        let at = word.as_ptr().addr().saturating_sub(line.as_ptr().addr());
        if let Err(refused) = bytes.read_word(word) {
            found.push(shift(refused, at));
            continue;
        }
        let diagnostics = match assembler.disassemble(&bytes.bytes, style.into()) {
            Ok(read) => {
                texts.push(String::from(read.text));
                read.diagnostics
            }
            Err(diagnostics) => diagnostics,
        };
        found.extend(diagnostics.iter().map(|d| shift(bytes.place(d), at)));
    }
    (texts, found)
}

fn without_comment(line: &str) -> &str {
    let line = line.split("//").next().unwrap_or("");
    line.split('#').next().unwrap_or("")
}

/// The diagnostic, `by` further on.
fn shift(mut finding: Diagnostic, by: usize) -> Diagnostic {
    let by = u32::try_from(by).unwrap_or(u32::MAX);
    finding.span = Span::new(
        finding.span.start.saturating_add(by),
        finding.span.end.saturating_add(by),
    );
    finding
}

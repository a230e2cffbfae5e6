//! `lanewise disasm`: disassembles bytes and compiler output.

use crate::hex::Bytes;
use crate::input::{self, Source};
use crate::{CliError, Status, StyleName, declaration_args, render};
use data_encoding::HEXLOWER;
use lanewise_core::diagnostic::{Diagnostic, Severity, Span, to_u32};
use lanewise_core::isa::EncodingUnit;
use lanewise_core::isa::sass::schedule::GROUP_BYTES;
use lanewise_core::program::Assembler;
use lanewise_files::{Content, OpenedFile, outline};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise disasm 7d0003000000210000000000220000000000000000000000200000000000 --decls add.lanewise
  lanewise disasm --target 'sass SM60' 0xed0000000047020c
  lanewise disasm --decls add.lanewise add.bin
  lanewise disasm kernel.cubin
  lanewise asm add.lanewise | lanewise disasm --decls add.lanewise

A FILE that contains only printable characters is read as hexadecimal text, with
comments after // and #; any other file as raw bytes. Raw SASS consists of 8-byte
words, or of 32-byte groups of a control word and three instructions.")]
pub(crate) struct Args {
    /// Hexadecimal bytes, 64-bit SASS words, or a file [default: standard input]
    #[arg(value_name = "HEX|FILE", conflicts_with = "file")]
    input: Vec<String>,
    /// Read this file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Treat the file as raw bytes
    #[arg(long)]
    binary: bool,
    /// Output syntax
    #[arg(long, value_name = "STYLE", default_value = "assembler")]
    style: StyleName,
    #[command(flatten)]
    declarations: declaration_args::Args,
}

/// Runs the command. Continues after a line that cannot be decoded.
pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let (name, bytes) = match file(args) {
        Some(path) => input::read_bytes(&path)?,
        None => {
            if let Some(name) = args.input.iter().find(|word| names_a_file(word)) {
                return Err(CliError(format!(
                    "`{name}` is neither a file nor hexadecimal bytes"
                )));
            }
            (String::from("<hex>"), args.input.join(" ").into_bytes())
        }
    };
    if !args.binary
        && !args.declarations.given()
        && let Ok(mut opened) = lanewise_files::open(&name, &bytes)
    {
        outline::launchable(&mut opened, &bytes, None).map_err(CliError)?;
        return listing(&name, &opened);
    }
    if !args.binary
        && lanewise_files::is_elf(&bytes)
        && let Some(advice) = input::advice(&name, &bytes)
    {
        return Err(CliError(format!(
            "{advice}; `--binary` reads it as raw bytes"
        )));
    }
    let Some(mut assembler) = args.declarations.assembler()? else {
        return Ok(Status::Bad);
    };
    let text = match String::from_utf8(bytes) {
        Ok(text) if !args.binary && is_text(&text) => text,
        Ok(text) => return raw(&mut assembler, &name, text.as_bytes(), args.style),
        Err(error) => return raw(&mut assembler, &name, error.as_bytes(), args.style),
    };
    let source = Source { name, text };
    let (mut fine, mut is_empty) = (true, true);
    let mut bytes = Bytes::default();
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        let reading = line.trim_end_matches('\n');
        let read = match assembler.symbols().target.facts().encoding_unit {
            EncodingUnit::Byte => read_line,
            EncodingUnit::Word => read_words,
        };
        let (texts, found) = read(&mut assembler, &mut bytes, reading, args.style);
        is_empty &= texts.is_empty() && found.is_empty();
        let mut out = std::io::stdout().lock();
        for text in texts {
            writeln!(out, "{text}")?;
        }
        fine &= render::of(Severity::Error, &found) == 0;
        let found: Vec<Diagnostic> = found.into_iter().map(|d| shift(d, at)).collect();
        render::print(&source, &found);
        at += line.len();
    }
    if is_empty {
        let name = source.name;
        return Err(CliError(format!(
            "{name}: no bytes; write each byte as two digits: 7d0003"
        )));
    }
    Ok(Status::when(fine))
}

/// Prints all instructions of a compiler's file; unsupported ones by name and
/// bytes.
fn listing(name: &str, file: &OpenedFile) -> Result<Status, CliError> {
    let mut out = std::io::stdout().lock();
    for note in &file.notes {
        render::say(&format!("{name}: note: {note}"));
    }
    for function in &file.functions {
        writeln!(out, "{}:", render::plain(&function.name))?;
        for note in &function.notes {
            render::say(&format!("{name}: {}: note: {note}", function.name));
        }
        for item in &function.items {
            let text = match &item.content {
                Content::Instruction { text, .. }
                | Content::Other(text)
                | Content::Directive(text) => text.clone(),
                Content::Incomplete { text, reason } => format!("{text}  // {reason}"),
                Content::Label(label) => format!("{label}:"),
                Content::Unreadable(why) => format!("// {why}"),
            };
            let bytes = HEXLOWER.encode(&item.bytes);
            let text = render::plain(&text);
            writeln!(out, "  {:#06x}  {text}  // {bytes}", item.offset)?;
        }
    }
    Ok(Status::Fine)
}

/// File to read; `None` if the arguments are the bytes.
fn file(args: &Args) -> Option<PathBuf> {
    if args.file.is_some() {
        return args.file.clone();
    }
    match args.input.as_slice() {
        [] => Some(PathBuf::from("-")),
        [only] if only == "-" || Path::new(only).is_file() => Some(PathBuf::from(only)),
        _ => None,
    }
}

/// Whether an argument is a file name: it has a dot or a slash, unlike
/// hexadecimal digits.
fn names_a_file(word: &str) -> bool {
    word.contains(['.', '/', '\\']) && !word.starts_with("//")
}

fn is_text(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

/// Prints the instructions of raw bytes. SASS words and groups have a fixed
/// length; vISA instructions do not, so vISA decoding stops at the first error.
fn raw(
    assembler: &mut Assembler,
    name: &str,
    bytes: &[u8],
    style: StyleName,
) -> Result<Status, CliError> {
    let mut out = std::io::stdout().lock();
    let mut fine = true;
    let mut at = 0;
    let unit = assembler.symbols().target.facts().encoding_unit;
    let groups = is_groups(unit, bytes);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let (texts, length, found) = if groups {
            let group = rest
                .first_chunk()
                .expect("the length is a multiple of a group's");
            match assembler.disassemble_group(group, style.into()) {
                Ok(read) => (read.texts, GROUP_BYTES, read.diagnostics),
                Err(found) => (Vec::new(), GROUP_BYTES, found),
            }
        } else {
            let rest = match unit {
                EncodingUnit::Byte => rest,
                EncodingUnit::Word => rest.get(..8).unwrap_or(rest),
            };
            match assembler.disassemble(rest, style.into()) {
                Ok(read) => (
                    vec![String::from(read.text)],
                    read.length,
                    read.diagnostics.to_vec(),
                ),
                Err(found) => {
                    // vISA: all remaining bytes.
                    (Vec::new(), rest.len(), found.to_vec())
                }
            }
        };
        for text in texts {
            writeln!(out, "{text}")?;
        }
        fine &= render::of(Severity::Error, &found) == 0;
        render::print_offsets(name, at, &found);
        at += length;
    }
    Ok(Status::when(fine))
}

/// Whether raw SASS consists of groups, judging by the first word of each group:
/// bit 63 is 0 in a control word and 1 in all supported instructions.
fn is_groups(unit: EncodingUnit, bytes: &[u8]) -> bool {
    let starts = bytes.chunks_exact(GROUP_BYTES);
    unit == EncodingUnit::Word
        && !bytes.is_empty()
        && starts.remainder().is_empty()
        && starts.into_iter().all(|group| group[7] & 0x80 == 0)
}

/// Decodes the instructions of a line, up to the first error.
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

/// Decodes a line of words separated by white space.
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
        // `word` is a subslice of `line`.
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

/// Shifts the span of a diagnostic by `by` bytes.
fn shift(mut diagnostic: Diagnostic, by: usize) -> Diagnostic {
    let by = to_u32(by);
    diagnostic.span = Span::new(
        diagnostic.span.start.saturating_add(by),
        diagnostic.span.end.saturating_add(by),
    );
    diagnostic
}

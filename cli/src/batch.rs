//! `lanewise batch`: JSON requests, one a line, answered in order.

use crate::answer::{self, Standing};
use crate::hex;
use crate::json::{Assembled, Disassembled, Field, Request, findings};
use crate::{End, Trouble, known};
use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::Style;
use lanewise_core::rules;
use lanewise_core::run;
use lanewise_core::scenario::{Assembler, Program};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, Write};

/// The longest line that is read: a scenario of the longest kind, every
/// character of it escaped, and as much again.
const MAX_LINE: usize = 48 << 20;

/// Bytes of input read at a time.
const BUFFER: usize = 1 << 18;

/// Runs the command.
pub(crate) fn main() -> Result<End, Trouble> {
    let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut output = io::BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let mut batch = Batch::default();
    let mut line = Vec::new();
    loop {
        // Whoever waits for an answer before the next request gets it.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        match read_line(&mut input, &mut line) {
            Ok(None) => break,
            Ok(Some(whole)) => {
                batch.answer(&line, whole, &mut output)?;
                output.write_all(b"\n")?;
            }
            Err(error) => {
                output.flush()?;
                return Err(Trouble(format!("cannot read the requests: {error}")));
            }
        }
    }
    output.flush()?;
    Ok(End::Fine)
}

/// Reads a line without its end: whether all of it fits; `None` at the end of
/// the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let limit = u64::try_from(MAX_LINE).unwrap_or(u64::MAX);
    if input.take(limit).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(true));
    }
    if line.len() < MAX_LINE {
        return Ok(Some(true));
    }
    input.skip_until(b'\n')?;
    Ok(Some(false))
}

/// What is kept from request to request.
#[derive(Default)]
struct Batch {
    assembler: Option<Kept>,
    bytes: hex::Bytes,
    hex: String,
}

/// An assembler and the fields it was made from, as they were written.
struct Kept {
    target: String,
    decls: String,
    assembler: Assembler,
    /// What the declarations deserve to be told; every answer says so.
    warnings: Vec<Diagnostic>,
}

/// Why a request is refused.
enum Refusal {
    One(Box<Diagnostic>),
    Many(Vec<Diagnostic>),
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::One(Box::new(diagnostic))
    }
}

type Answered = Result<io::Result<()>, Refusal>;

fn write(answer: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(out, answer).map_err(io::Error::from)
}

impl Batch {
    /// Answers a line; `whole` when it is not too long.
    fn answer(&mut self, line: &[u8], whole: bool, out: &mut impl Write) -> io::Result<()> {
        let refused = match self.try_answer(line, whole, out) {
            Ok(written) => return written,
            Err(Refusal::One(diagnostic)) => vec![*diagnostic],
            Err(Refusal::Many(diagnostics)) => diagnostics,
        };
        write(&answer::checked(false, &refused), out)
    }

    fn try_answer(&mut self, line: &[u8], whole: bool, out: &mut impl Write) -> Answered {
        if !whole {
            let what = format!("the line has {MAX_LINE} bytes or more");
            let span = hex::to_span(0, line.len());
            return Err(Diagnostic::new(&rules::REQUEST_TOO_LONG, span, what).into());
        }
        let line = std::str::from_utf8(line).map_err(|error| {
            let at = error.valid_up_to();
            let what = "the line is not UTF-8 text";
            Diagnostic::new(&rules::REQUEST_JSON, hex::to_span(at, at + 1), what)
        })?;
        let request = Request::read(line)?;
        let task = Field::new(line, "do", request.task);
        match &*task.string()? {
            "assemble" => self.assemble(line, &request, out),
            "disassemble" => self.disassemble(line, &request, out),
            "check" => {
                let scenario = Field::new(line, "scenario", request.scenario).string()?;
                let program = Program::parse(&scenario);
                let answer = answer::checked(program.can_run(), &program.diagnostics);
                Ok(write(&answer, out))
            }
            "run" => {
                let scenario = Field::new(line, "scenario", request.scenario).string()?;
                Ok(run_answer(&scenario, out))
            }
            other => {
                let what = format!("`{other}` is no request");
                let diagnostic = Diagnostic::new(&rules::REQUEST_DO, task.span(), what);
                let help = "write assemble, disassemble, check or run";
                Err(diagnostic.help(help).into())
            }
        }
    }

    fn assemble(&mut self, line: &str, request: &Request<'_>, out: &mut impl Write) -> Answered {
        let (assembler, declared) = assembler(&mut self.assembler, line, request)?;
        let text = Field::new(line, "text", request.text).string()?;
        let assembled = assembler
            .assemble(&text)
            .map_err(|found| Refusal::Many(found.to_vec()))?;
        self.hex.clear();
        hex::push(assembled.encoded.bytes(), &mut self.hex);
        let answer = Assembled {
            ok: true,
            bytes: &self.hex,
            warnings: findings(declared.iter().chain(assembled.findings)),
        };
        Ok(write(&answer, out))
    }

    fn disassemble(&mut self, line: &str, request: &Request<'_>, out: &mut impl Write) -> Answered {
        let (assembler, declared) = assembler(&mut self.assembler, line, request)?;
        let style = style(Field::new(line, "style", request.style))?;
        let text = Field::new(line, "bytes", request.bytes).string()?;
        self.bytes.read(&text)?;
        let bytes = &self.bytes;
        let all =
            |found: &[Diagnostic]| -> Vec<_> { found.iter().map(|f| bytes.place(f)).collect() };
        let read = assembler
            .disassemble(&bytes.bytes, style)
            .map_err(|found| Refusal::Many(all(found)))?;
        if read.length < bytes.bytes.len() {
            let extra = hex::to_span(read.length, bytes.bytes.len());
            let what = format!(
                "the instruction has {} bytes and {} were given",
                read.length,
                bytes.bytes.len()
            );
            return Err(Diagnostic::new(&rules::EXTRA_BYTES, bytes.span(extra), what).into());
        }
        let placed = all(read.findings);
        let answer = Disassembled {
            ok: true,
            text: read.text,
            warnings: findings(declared.iter().chain(&placed)),
        };
        Ok(write(&answer, out))
    }
}

fn style(field: Field<'_>) -> Result<Style, Diagnostic> {
    match field.optional_string()?.as_deref() {
        None | Some("assembler") => Ok(Style::Assembler),
        Some("document") => Ok(Style::Document),
        Some(other) => {
            let refused = field.refuse(format!("`{other}` is no style"));
            Err(refused.help("write document or assembler"))
        }
    }
}

/// The assembler of a request: that of the line before where target and
/// declarations are written the same.
fn assembler<'k>(
    kept: &'k mut Option<Kept>,
    line: &str,
    request: &Request<'_>,
) -> Result<(&'k mut Assembler, &'k [Diagnostic]), Refusal> {
    let target = Field::new(line, "target", request.target);
    let decls = Field::new(line, "decls", request.decls);
    let made = match kept.take() {
        Some(kept) if kept.target == target.raw() && kept.decls == decls.raw() => kept,
        _ => make(target, decls)?,
    };
    let Kept {
        assembler,
        warnings,
        ..
    } = kept.insert(made);
    Ok((assembler, warnings))
}

fn make(target: Field<'_>, decls: Field<'_>) -> Result<Kept, Refusal> {
    // No target means the default, as in a scenario.
    let known = known::target(target.optional_string()?.as_deref().unwrap_or("visa"));
    let known = known.map_err(|mut error| {
        error.span = target.span();
        error
    })?;
    let lines = decls.strings()?;
    let assembler = known::assembler(known, lines.iter().map(AsRef::as_ref))
        .map_err(|found| Refusal::Many(name_lines(known, &lines, found)))?;
    let told = assembler.declaration_findings().iter();
    let warnings = told.map(|(index, diagnostic)| {
        let what = format!("decls[{index}]: {}", diagnostic.what);
        Diagnostic {
            what,
            ..diagnostic.clone()
        }
    });
    Ok(Kept {
        target: String::from(target.raw()),
        decls: String::from(decls.raw()),
        warnings: warnings.collect(),
        assembler,
    })
}

/// Says of which declaration each finding is: its span is in that one alone.
fn name_lines(
    target: lanewise_core::scenario::Target,
    decls: &[Cow<'_, str>],
    found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    // Read as one text, the same findings have places that tell them apart.
    let joined = decls.join("\n");
    let Err(placed) = known::assembler(target, [joined.as_str()]) else {
        return found;
    };
    let mut starts = Vec::with_capacity(decls.len());
    let mut at = 0;
    for decl in decls {
        starts.push(at);
        at += decl.len() + 1;
    }
    let name = |mut diagnostic: Diagnostic| {
        let at = usize::try_from(diagnostic.span.start).unwrap_or(usize::MAX);
        let index = starts.partition_point(|start| *start <= at);
        let index = index.saturating_sub(1);
        let start = starts.get(index).copied().unwrap_or(0);
        let start = u32::try_from(start).unwrap_or(0);
        diagnostic.span.start = diagnostic.span.start.saturating_sub(start);
        diagnostic.span.end = diagnostic.span.end.saturating_sub(start);
        diagnostic.what = format!("decls[{index}]: {}", diagnostic.what);
        diagnostic
    };
    placed.into_iter().map(name).collect()
}

/// Runs a scenario and writes the answer.
pub(crate) fn run_answer(scenario: &str, out: &mut impl Write) -> io::Result<()> {
    let program = Program::parse(scenario);
    if !program.can_run() {
        return write(&answer::checked(false, &program.diagnostics), out);
    }
    let outcome = run::run(&program);
    let standing = Standing {
        machine: &outcome.machine,
        instructions: outcome.instructions,
        steps: outcome.steps,
        fault: outcome.fault.as_ref(),
    };
    write(&answer::ran(&program, &standing), out)
}

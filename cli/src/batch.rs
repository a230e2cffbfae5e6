//! `lanewise batch`: answers JSON requests, one per line, in order.

use crate::hex;
use crate::json::{AssembleAnswer, DisassembleAnswer, Request, RequestField};
use crate::{CliError, Status, declaration_args, launch, outcomes};
use data_encoding::HEXLOWER;
use lanewise_answer::{self as answer, RunStatus, TooLong, to_json};
use lanewise_core::diagnostic::{Diagnostic, to_usize};
use lanewise_core::isa::sass::schedule::{GROUP_BYTES, SLOTS};
use lanewise_core::isa::{EncodingUnit, Style};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::rules;
use lanewise_core::session;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Maximum length of a request, in bytes: twice that of the longest scenario
/// with every character escaped.
const MAX_LINE: usize = 48 << 20;

/// Size of the input buffer, in bytes.
const BUFFER: usize = 1 << 18;

pub(crate) fn main() -> Result<Status, CliError> {
    let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut output = io::BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let mut batch = Batch::default();
    let mut line = Vec::new();
    loop {
        // Flush before blocking, for clients that wait for each answer.
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
                return Err(CliError(format!("cannot read the requests: {error}")));
            }
        }
    }
    output.flush()?;
    Ok(Status::Fine)
}

/// Reads a line without its terminator. Returns whether it fit in [`MAX_LINE`],
/// or `None` at the end of input.
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

/// State that is kept between requests.
#[derive(Default)]
struct Batch {
    assembler: Option<CachedAssembler>,
    bytes: hex::Bytes,
    hex: String,
}

/// Assembler cache: an assembler and the raw request fields it was made from.
struct CachedAssembler {
    target: String,
    decls: String,
    assembler: Assembler,
    /// Warnings and notes about the declarations; part of every answer.
    warnings: Vec<Diagnostic>,
}

enum RequestError {
    One(Box<Diagnostic>),
    Many(Vec<Diagnostic>),
}

impl From<Diagnostic> for RequestError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::One(Box::new(diagnostic))
    }
}

type Answered = Result<io::Result<()>, RequestError>;

fn write(answer: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(out, answer).map_err(io::Error::from)
}

impl Batch {
    /// Answers a line; `whole` is false if it was too long and is truncated.
    fn answer(&mut self, line: &[u8], whole: bool, out: &mut impl Write) -> io::Result<()> {
        let refused = match self.try_answer(line, whole, out) {
            Ok(written) => return written,
            Err(RequestError::One(diagnostic)) => vec![*diagnostic],
            Err(RequestError::Many(diagnostics)) => diagnostics,
        };
        write(&answer::checked(false, &refused), out)
    }

    fn try_answer(&mut self, line: &[u8], whole: bool, out: &mut impl Write) -> Answered {
        if !whole {
            let what = format!("the line is longer than {MAX_LINE} bytes");
            let span = hex::to_span(0, line.len());
            return Err(Diagnostic::new(&rules::REQUEST_TOO_LONG, span, what).into());
        }
        let line = std::str::from_utf8(line).map_err(|error| {
            let at = error.valid_up_to();
            let what = "the line is not UTF-8 text";
            Diagnostic::new(&rules::REQUEST_JSON, hex::to_span(at, at + 1), what)
        })?;
        let request = Request::read(line)?;
        let task = RequestField::new(line, "do", request.task);
        match &*task.string()? {
            "assemble" => self.assemble(line, &request, out),
            "disassemble" => self.disassemble(line, &request, out),
            "check" => {
                let scenario = RequestField::new(line, "scenario", request.scenario).string()?;
                let program = Program::parse(&scenario);
                let answer = answer::checked(program.can_run(), &program.diagnostics);
                Ok(write(&answer, out))
            }
            "run" => {
                let field = RequestField::new(line, "scenario", request.scenario);
                let scenario = field.string()?;
                let compact =
                    RequestField::new(line, "compact", request.compact).optional_bool()?;
                let answered = run_answer(&scenario, compact.unwrap_or(false), out);
                answered.map_err(|refusal| refusal.diagnostic(field.span()).into())
            }
            "outcomes" => {
                let field = RequestField::new(line, "scenario", request.scenario);
                let scenario = field.string()?;
                let limit = RequestField::new(line, "limit", request.limit).optional_number()?;
                let compact =
                    RequestField::new(line, "compact", request.compact).optional_bool()?;
                let options = outcomes::AnswerOptions {
                    limit: limit.unwrap_or(outcomes::LIMIT),
                    compact: compact.unwrap_or(false),
                    budget: None,
                };
                let answered = outcomes::answer(&scenario, options, out);
                answered.map_err(|refusal| refusal.diagnostic(field.span()).into())
            }
            "launch" => match launch::answer(line) {
                Ok(answer) => Ok(write(&answer, out)),
                Err(refused) => Err(RequestError::Many(refused)),
            },
            other => {
                let what = format!("unknown request `{other}`");
                let diagnostic = Diagnostic::new(&rules::REQUEST_DO, task.span(), what);
                let help =
                    "expected `assemble`, `disassemble`, `check`, `run`, `launch` or `outcomes`";
                Err(diagnostic.help(help).into())
            }
        }
    }

    fn assemble(&mut self, line: &str, request: &Request<'_>, out: &mut impl Write) -> Answered {
        let (assembler, declared) = assembler(&mut self.assembler, line, request)?;
        let is_word = assembler.symbols().target.facts().encoding_unit == EncodingUnit::Word;
        let group = RequestField::new(line, "group", request.group);
        if is_word && group.is_present() {
            let answer = assemble_group(assembler, group)?;
            return Ok(write(&answer.as_json(declared), out));
        }
        let text = RequestField::new(line, "text", request.text).string()?;
        let assembled = assembler
            .assemble(&text)
            .map_err(|found| RequestError::Many(found.to_vec()))?;
        self.hex.clear();
        let bytes = assembled.encoded.bytes();
        if is_word {
            hex::push_word(bytes, &mut self.hex);
        } else {
            HEXLOWER.encode_append(bytes, &mut self.hex);
        }
        let answer = AssembleAnswer {
            ok: true,
            bytes: (!is_word).then_some(&*self.hex),
            word: is_word.then_some(&*self.hex),
            warnings: to_json(declared.iter().chain(assembled.diagnostics)),
        };
        Ok(write(&answer, out))
    }

    fn disassemble(&mut self, line: &str, request: &Request<'_>, out: &mut impl Write) -> Answered {
        let (assembler, declared) = assembler(&mut self.assembler, line, request)?;
        let style = style(RequestField::new(line, "style", request.style))?;
        let is_word = assembler.symbols().target.facts().encoding_unit == EncodingUnit::Word;
        let word = RequestField::new(line, "word", request.word);
        let bytes = RequestField::new(line, "bytes", request.bytes);
        if is_word && (word.is_present() || !bytes.is_present()) {
            self.bytes.read_word(&word.string()?)?;
        } else {
            self.bytes.read(&bytes.string()?)?;
        }
        let bytes = &self.bytes;
        let all =
            |found: &[Diagnostic]| -> Vec<_> { found.iter().map(|f| bytes.place(f)).collect() };
        if let Ok(group) = <&[u8; GROUP_BYTES]>::try_from(bytes.bytes.as_slice())
            && is_word
        {
            let read = assembler.disassemble_group(group, style);
            let read = read.map_err(|found| RequestError::Many(all(&found)))?;
            let placed = all(&read.diagnostics);
            let answer = DisassembleAnswer {
                ok: true,
                text: None,
                group: Some(read.texts),
                warnings: to_json(declared.iter().chain(&placed)),
            };
            return Ok(write(&answer, out));
        }
        let read = assembler
            .disassemble(&bytes.bytes, style)
            .map_err(|found| RequestError::Many(all(found)))?;
        if read.length < bytes.bytes.len() {
            let extra = hex::to_span(read.length, bytes.bytes.len());
            let what = format!(
                "the instruction has {} bytes, found {}",
                read.length,
                bytes.bytes.len()
            );
            return Err(Diagnostic::new(&rules::EXTRA_BYTES, bytes.span(extra), what).into());
        }
        let placed = all(read.diagnostics);
        let answer = DisassembleAnswer {
            ok: true,
            text: Some(read.text),
            group: None,
            warnings: to_json(declared.iter().chain(&placed)),
        };
        Ok(write(&answer, out))
    }
}

/// Bytes of a group, and the diagnostics of its lines.
struct Grouped {
    hex: String,
    diagnostics: Vec<Diagnostic>,
}

impl Grouped {
    fn as_json<'g>(&'g self, declared: &'g [Diagnostic]) -> AssembleAnswer<'g> {
        AssembleAnswer {
            ok: true,
            bytes: Some(&self.hex),
            word: None,
            warnings: to_json(declared.iter().chain(&self.diagnostics)),
        }
    }
}

fn assemble_group(
    assembler: &mut Assembler,
    field: RequestField<'_>,
) -> Result<Grouped, RequestError> {
    let lines = field.strings()?;
    let [first, second, third] = lines.as_slice() else {
        let what = format!("a group has {SLOTS} instructions, found {}", lines.len());
        return Err(field.refuse(what).into());
    };
    let name = |found: Vec<(usize, Diagnostic)>| -> Vec<Diagnostic> {
        let name = |(line, mut diagnostic): (usize, Diagnostic)| {
            diagnostic.what = format!("group[{line}]: {}", diagnostic.what);
            diagnostic
        };
        found.into_iter().map(name).collect()
    };
    match assembler.assemble_group([first, second, third]) {
        Ok(group) => Ok(Grouped {
            hex: HEXLOWER.encode(&group.bytes),
            diagnostics: name(group.diagnostics),
        }),
        Err(found) => Err(RequestError::Many(name(found))),
    }
}

fn style(field: RequestField<'_>) -> Result<Style, Diagnostic> {
    match field.optional_string()?.as_deref() {
        None | Some("assembler") => Ok(Style::Assembler),
        Some("document") => Ok(Style::Document),
        Some(other) => {
            let refused = field.refuse(format!("unknown style `{other}`"));
            Err(refused.help("expected `document` or `assembler`"))
        }
    }
}

/// Returns the assembler for a request. Reuses the previous one if the raw
/// target and declarations are equal.
fn assembler<'k>(
    cached: &'k mut Option<CachedAssembler>,
    line: &str,
    request: &Request<'_>,
) -> Result<(&'k mut Assembler, &'k [Diagnostic]), RequestError> {
    let target = RequestField::new(line, "target", request.target);
    let decls = RequestField::new(line, "decls", request.decls);
    let made = match cached.take() {
        Some(cached) if cached.target == target.raw() && cached.decls == decls.raw() => cached,
        _ => make(target, decls)?,
    };
    let CachedAssembler {
        assembler,
        warnings,
        ..
    } = cached.insert(made);
    Ok((assembler, warnings))
}

fn make(
    target: RequestField<'_>,
    decls: RequestField<'_>,
) -> Result<CachedAssembler, RequestError> {
    // Without a target use the default, as in a scenario.
    let parsed = declaration_args::target(target.optional_string()?.as_deref().unwrap_or("visa"));
    let parsed = parsed.map_err(|mut error| {
        error.span = target.span();
        error
    })?;
    let lines = decls.strings()?;
    let assembler = declaration_args::assembler(parsed, lines.iter().map(AsRef::as_ref))
        .map_err(|found| RequestError::Many(name_lines(parsed, &lines, found)))?;
    let found = assembler.declaration_diagnostics().iter();
    let warnings = found.map(|(index, diagnostic)| {
        let mut named = diagnostic.clone();
        named.what = format!("decls[{index}]: {}", diagnostic.what);
        named
    });
    Ok(CachedAssembler {
        target: String::from(target.raw()),
        decls: String::from(decls.raw()),
        warnings: warnings.collect(),
        assembler,
    })
}

/// Prefixes each diagnostic with the index of its declaration, and makes its
/// span relative to that declaration.
fn name_lines(
    target: lanewise_core::program::Target,
    decls: &[Cow<'_, str>],
    found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    // Spans of the concatenated text identify the declaration.
    let joined = decls.join("\n");
    let Err(placed) = declaration_args::assembler(target, [joined.as_str()]) else {
        return found;
    };
    let mut starts = Vec::with_capacity(decls.len());
    let mut at = 0;
    for decl in decls {
        starts.push(at);
        at += decl.len() + 1;
    }
    let name = |mut diagnostic: Diagnostic| {
        let at = to_usize(diagnostic.span.start);
        let index = starts.partition_point(|start| *start <= at);
        // There is at least one declaration, and the first starts at 0.
        let index = index - 1;
        let start = hex::to_span(starts[index], starts[index]).start;
        diagnostic.span.start -= start;
        diagnostic.span.end -= start;
        diagnostic.what = format!("decls[{index}]: {}", diagnostic.what);
        diagnostic
    };
    placed.into_iter().map(name).collect()
}

fn run_answer(
    scenario: &str,
    compact: bool,
    out: &mut impl Write,
) -> Result<io::Result<()>, TooLong> {
    let program = Program::parse(scenario);
    if !program.can_run() {
        return Ok(write(&answer::checked(false, &program.diagnostics), out));
    }
    let outcome = match session::after_earlier_groups(&program) {
        Ok(program) => session::run(&program),
        Err(faulted) => *faulted,
    };
    let status = RunStatus {
        machine: &outcome.machine,
        instructions: outcome.instructions,
        steps: outcome.steps,
        fault: outcome.fault.as_ref(),
        warnings: outcome.warnings.into_values().collect(),
    };
    let answer = match compact {
        true => answer::ran_compact(&program, &status),
        false => answer::ran(&program, &status),
    };
    Ok(write(&answer?, out))
}

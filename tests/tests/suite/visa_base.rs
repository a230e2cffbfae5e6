//! The base set of vISA: the real assembler's answers, line by line, and what
//! it and the documents refuse.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::Style;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::{Assembler, Program};
use lanewise_tests::judge::{hex, unhex};
use lanewise_tests::vectors;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One line, or one for each line of a program.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Lines {
    One(String),
    Many(Vec<String>),
}

impl Lines {
    fn all(&self) -> &[String] {
        match self {
            Self::One(line) => core::slice::from_ref(line),
            Self::Many(lines) => lines,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Encoding {
    family: String,
    platform: String,
    decls: Vec<String>,
    text: String,
    program: Option<Vec<String>>,
    bytes: Lines,
    disasm: Lines,
}

#[derive(Debug, Deserialize)]
struct Reject {
    platform: String,
    decls: Vec<String>,
    text: String,
    program: Option<Vec<String>>,
    why: String,
    documents: String,
    verdict: String,
}

/// Why our answer differs from the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// The real print leaves out the predicate, which the bytes have.
    Predicate,
    /// The real print leaves out the byte offsets of coordinates.
    Coordinates,
    /// Decimals have 64 bits here, and signalling NaNs stay as they are
    /// (decided; there is a warning).
    Constant,
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<String> {
    let codes = diagnostics.iter();
    codes
        .map(|d| format!("{} {}", d.rule.code, d.what))
        .collect()
}

/// What the real tool prints of a call to a subroutine: its name and number.
fn without_number(text: &str) -> String {
    let (head, last) = text.rsplit_once(' ').unwrap_or(("", text));
    let name = last.rsplit_once('_').map_or(last, |(name, _)| name);
    format!("{head} {name}")
}

fn check_line(
    assembler: &mut Assembler,
    text: &str,
    bytes: &str,
    disasm: &str,
) -> Result<Option<Reason>, String> {
    let raw = unhex(bytes);
    let encoded = match assembler.assemble(text) {
        Ok(line) => hex(line.encoded.bytes()),
        Err(d) => return Err(format!("{text}: refused {:?}", codes(d))),
    };
    if encoded != bytes {
        return match text.contains("2147483648:uq") || text.contains("0x7f800001:f") {
            true => Ok(Some(Reason::Constant)),
            false => Err(format!(
                "{text}\n  assembles to {encoded}\n  not          {bytes}"
            )),
        };
    }
    let mut prints = Vec::new();
    for style in [Style::Assembler, Style::Document] {
        match assembler.disassemble(&raw, style) {
            Ok(line) if line.length == raw.len() => prints.push(line.text.to_owned()),
            Ok(line) => return Err(format!("{text}: {} bytes read", line.length)),
            Err(d) => return Err(format!("{text}: not decoded {:?}", codes(d))),
        }
    }
    for print in &prints {
        match assembler.assemble(print) {
            Ok(again) if again.encoded.bytes() == raw => {}
            Ok(again) => {
                let again = hex(again.encoded.bytes());
                return Err(format!(
                    "{print}\n  assembles to {again}\n  not          {bytes}"
                ));
            }
            Err(d) => return Err(format!("{print}: refused {:?}", codes(d))),
        }
    }
    let print = &prints[0];
    if print == disasm || disasm.is_empty() {
        return Ok(None);
    }
    if print.contains("call ") && *print == without_number(disasm) {
        return Ok(None);
    }
    if print.ends_with(disasm) && print.contains("_typed") {
        return Ok(Some(Reason::Predicate));
    }
    // `lsc_ccs_update` prints without operands there.
    if print.contains(".tgm") || print.starts_with(disasm) {
        return Ok(Some(Reason::Coordinates));
    }
    Err(format!("prints {print}\nnot    {disasm}"))
}

fn assembler(at: &str, decls: &[String]) -> Result<Assembler, String> {
    let at = Platform::named(at).ok_or_else(|| format!("platform {at}"))?;
    let assembler = Assembler::new(at, decls.iter().map(String::as_str));
    assembler.map_err(|d| format!("declarations {:?}", codes(&d)))
}

#[test]
fn every_recorded_line_has_the_recorded_bytes_and_print() {
    let lines: Vec<Encoding> = vectors::read("visa/base_encodings.jsonl");
    assert_eq!(lines.len(), 4727);
    let mut reasons: BTreeMap<Reason, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in &lines {
        let texts = match &line.program {
            Some(program) => program.clone(),
            None => vec![line.text.clone()],
        };
        let answers = line.bytes.all().iter().zip(line.disasm.all());
        let result = assembler(&line.platform, &line.decls).and_then(|mut assembler| {
            assert_eq!(texts.len(), line.bytes.all().len(), "{}", line.text);
            let mut reason = None;
            for (text, (bytes, disasm)) in texts.iter().zip(answers) {
                reason = check_line(&mut assembler, text, bytes, disasm)?.or(reason);
            }
            Ok(reason)
        });
        match result {
            Ok(Some(reason)) => *reasons.entry(reason).or_default() += 1,
            Ok(None) => {}
            Err(error) => wrong.push(format!("[{}] {error}", line.family)),
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    let expected = [
        (Reason::Predicate, 27),
        (Reason::Coordinates, 36),
        (Reason::Constant, 2),
    ];
    assert_eq!(reasons, BTreeMap::from(expected));
}

fn worst(line: &Reject) -> (Option<Severity>, Vec<String>) {
    let mut severities = Vec::new();
    let mut found = Vec::new();
    let mut note = |diagnostics: &[Diagnostic]| {
        severities.extend(diagnostics.iter().map(Diagnostic::severity));
        found.extend(codes(diagnostics));
    };
    match (&line.program, assembler(&line.platform, &line.decls)) {
        (_, Err(error)) => panic!("{error}"),
        (Some(program), _) => {
            let at = Platform::named(&line.platform).map_or("", Platform::name);
            let decls = line.decls.join("\n");
            let lines = program.join("\n");
            let text =
                format!(".target visa {at}\n{decls}\n.function \"k_0\"\n{lines}\nret (M1, 1)\n");
            note(&Program::parse(&text).diagnostics);
        }
        (None, Ok(mut assembler)) => match assembler.assemble(&line.text) {
            Ok(assembled) => note(assembled.diagnostics),
            Err(diagnostics) => note(diagnostics),
        },
    }
    (severities.into_iter().min(), found)
}

/// Lines on which our answer is another one, by what they are about, with the
/// reason. Spellings that are read with a note are not listed.
const OTHERWISE: &[(&str, &str)] = &[
    (
        "fence letter R alone",
        "read: the lexer takes it for a channel",
    ),
    ("hexadecimal line", "read as the number it is"),
    ("hexadecimal size", "read as the number it is"),
    ("quoted function name", "read as the name it quotes"),
    ("blank before the colon", "read as the label it is"),
    (
        "width 3",
        "an address operand has 1, 2, 4, 8, 16 or 32 elements",
    ),
    (
        "ret of another size than the call",
        "not checked: calls meet returns at run time",
    ),
    (
        "subroutine named like the kernel's own",
        "the kernel's own name is not a label here",
    ),
    (
        "label never defined",
        "a branch without a target has no meaning",
    ),
    (
        ".uniform, in the newer documents",
        "ifcall.uniform: the compilers of 2026 have it",
    ),
    (
        "the documents do not give this to PVC",
        "srnd: PVC and PVCXT are one platform here",
    ),
];

/// Whether the line is read with a note that the real tool spells it otherwise.
fn is_spelling(found: &[String]) -> bool {
    let notes = ["N0506", "N0509"];
    found
        .iter()
        .any(|d| notes.iter().any(|note| d.starts_with(note)))
}

#[test]
fn every_broken_rule_is_reported() {
    let lines: Vec<Reject> = vectors::read("visa/base_rejects.jsonl");
    assert_eq!(lines.len(), 833);
    let mut wrong = Vec::new();
    let mut spellings = 0;
    let mut unused: Vec<&str> = OTHERWISE.iter().map(|(why, _)| *why).collect();
    for line in &lines {
        let (worst, found) = worst(line);
        let fits = match (line.documents.as_str(), line.verdict.as_str()) {
            (_, "refused") => worst == Some(Severity::Error),
            ("forbid", _) => worst == Some(Severity::Warning),
            _ => worst != Some(Severity::Error),
        };
        if fits {
            continue;
        }
        if worst == Some(Severity::Note) && is_spelling(&found) {
            spellings += 1;
            continue;
        }
        match OTHERWISE.iter().find(|(why, _)| *why == line.why) {
            Some((why, _)) => unused.retain(|left| left != why),
            None => wrong.push(format!("{} ({}): {found:?}", line.text, line.why)),
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(unused.is_empty(), "no longer needed: {unused:?}");
    assert_eq!(spellings, 24);
}

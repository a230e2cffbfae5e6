//! Compares ATOM and RED with recorded output of NVIDIA's tools and worked examples.

use lanewise_core::diagnostic::Diagnostics;
use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::operation::SassOperation;
use lanewise_core::isa::sass::schedule::ControlWord;
use lanewise_core::isa::sass::schedule::Schedule;
use lanewise_core::isa::sass::size::{SPELLINGS, Size, SizeSpelling};
use lanewise_core::isa::{Style, Target};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::text::{Cursor, lex};
use lanewise_tests::report::{self, Report};
use lanewise_tests::vectors::{
    self, SassAlias, SassControl, SassEncoding, SassReject, SassSemantics, SassSlot,
};
use std::collections::BTreeSet;

fn number(text: &str) -> u64 {
    let digits = text.strip_prefix("0x").unwrap_or_else(|| panic!("{text}"));
    u64::from_str_radix(digits, 16).unwrap()
}

// Words and texts.

fn assembler(chip: &str) -> Assembler {
    let chip = Chip::named(chip).unwrap();
    Assembler::new(Target::Sass(chip), []).unwrap()
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    let errors = diagnostics.iter();
    let errors = errors.filter(|d| d.severity() == Severity::Error);
    errors.map(|d| d.rule.code).collect()
}

fn messages(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<String> = diagnostics
        .iter()
        .map(|d| format!("{} {}", d.rule.code, d.what))
        .collect();
    messages.join("; ")
}

/// Assembles a text to a word.
fn word(chip: &str, text: &str) -> Result<u64, String> {
    let mut assembler = assembler(chip);
    let assembled = assembler.assemble(text).map_err(messages)?;
    let bytes = assembled.encoded.bytes().first_chunk().unwrap();
    // A scenario accepts it as well.
    let scenario = format!(".target sass {chip}\n{text}\n");
    let program = Program::parse(&scenario);
    // Operations with unknown arithmetic can be encoded, but not run.
    let is_about_running = |code: &&&str| code.starts_with("E07");
    let refused = errors(&program.diagnostics)
        .iter()
        .any(|code| !is_about_running(&code));
    if program.instructions.len() != 1 || refused {
        return Err(format!("in a scenario: {}", messages(&program.diagnostics)));
    }
    Ok(u64::from_le_bytes(*bytes))
}

fn check_encoding(chip: &str, line: &SassEncoding) -> Result<(), String> {
    let given = number(&line.word);
    let wanted = line.canonical_word.as_deref().map_or(given, number);
    let got = word(chip, &line.text)?;
    if got != wanted {
        return Err(format!("assembles to {got:#018x}"));
    }
    let mut assembler = assembler(chip);
    let bytes = given.to_le_bytes();
    let read = assembler.disassemble(&bytes, Style::Assembler);
    let read = read.map_err(messages)?;
    if read.text != line.text || read.length != 8 {
        return Err(format!("prints `{}`", read.text));
    }
    let codes: BTreeSet<&str> = read.diagnostics.iter().map(|d| d.rule.code).collect();
    let mut expected: BTreeSet<&str> = line.atom_faults.iter().map(|f| warning(f)).collect();
    let warnings = expected.clone();
    if wanted != given {
        expected.insert("W0601");
    }
    if codes != expected {
        return Err(messages(read.diagnostics));
    }
    let read = assembler
        .disassemble(&bytes, Style::Document)
        .map_err(messages)?;
    let document = read.text.to_owned();
    if word(chip, &document)? != wanted {
        return Err(format!("`{document}` assembles to a different word"));
    }
    let assembled = assembler.assemble(&line.text).map_err(messages)?;
    let codes: BTreeSet<&str> = assembled.diagnostics.iter().map(|d| d.rule.code).collect();
    if codes != warnings {
        return Err(messages(assembled.diagnostics));
    }
    Ok(())
}

/// Warning of RED for a rule in the document of ATOM.
fn warning(fault: &str) -> &'static str {
    match fault {
        ".U128 is named but illegal" => "W0451",
        "64-bit Rb must be even" => "W0452",
        ".E needs an even Ra" | "Ra pair runs past R254" => "W0453",
        other if other.contains(" does not take .") => "W0450",
        other => panic!("{other}"),
    }
}

#[test]
fn encodings() {
    let mut report = Report::new(&report::NVDISASM, "ATOM: words and texts");
    for line in vectors::read::<SassEncoding>("sass/encodings.jsonl") {
        for chip in &line.archs {
            let class = format!("{} by {}", line.form, line.source);
            let result = check_encoding(chip, &line);
            report.count(&class, result.map_err(|e| format!("{chip} {line:?}\n{e}")));
        }
    }
    report.finish(25222, &ENCODINGS);
}

const ENCODINGS: [(&str, usize); 13] = [
    ("abs by nvdisasm", 1403),
    ("abs by ptxas", 537),
    ("cas by nvdisasm", 1878),
    ("cas by ptxas", 948),
    ("cas-abs by nvdisasm", 264),
    ("cas-abs by ptxas", 30),
    ("cas-abs-rz by nvdisasm", 78),
    ("cas-rz by nvdisasm", 750),
    ("reg by nvdisasm", 7215),
    ("reg by ptxas", 10419),
    ("sparse by nvdisasm", 970),
    ("sparse-cas by nvdisasm", 530),
    ("sparse-cas-rz by nvdisasm", 200),
];

#[test]
fn red_encodings() {
    let mut report = Report::new(&report::NVDISASM, "RED: words and texts");
    for line in vectors::read::<SassEncoding>("sass/red_encodings.jsonl") {
        for chip in &line.archs {
            let ignored = line.canonical_word.iter().map(|_| ", ignored bits");
            let faults = line.atom_faults.first().map(|_| ", rules of ATOM broken");
            let more: String = ignored.chain(faults).collect();
            let class = format!("{} by {}{more}", line.form, line.source);
            let result = check_encoding(chip, &line);
            report.count(&class, result.map_err(|e| format!("{chip} {line:?}\n{e}")));
        }
    }
    report.finish(14370, &RED_ENCODINGS);
}

const RED_ENCODINGS: [(&str, usize); 10] = [
    ("abs by nvdisasm", 951),
    ("abs by nvdisasm, ignored bits", 29),
    ("abs by nvdisasm, ignored bits, rules of ATOM broken", 1),
    ("abs by nvdisasm, rules of ATOM broken", 336),
    ("abs by ptxas", 504),
    ("reg by nvdisasm", 5500),
    ("reg by nvdisasm, ignored bits", 329),
    ("reg by nvdisasm, ignored bits, rules of ATOM broken", 7),
    ("reg by nvdisasm, rules of ATOM broken", 1568),
    ("reg by ptxas", 5145),
];

#[test]
fn aliases() {
    let mut report = Report::new(&report::NVDISASM, "ATOM: alternative spellings");
    for line in vectors::read::<SassAlias>("sass/aliases.jsonl") {
        let result = word(&line.arch, &line.text).and_then(|got| {
            let mut assembler = assembler(&line.arch);
            let read = assembler.disassemble(&got.to_le_bytes(), Style::Assembler);
            match read.map_err(messages)?.text == line.canonical && got == number(&line.word) {
                true => Ok(()),
                false => Err(format!("{got:#018x}")),
            }
        });
        report.count("texts", result.map_err(|e| format!("{line:?}\n{e}")));
    }
    report.finish(37, &[("texts", 37)]);
}

/// Error codes of a rejected text.
fn rejected_text(line: &SassReject) -> Result<String, String> {
    let text = line.text.as_ref().unwrap();
    let mut assembler = assembler(&line.arch);
    let Err(diagnostics) = assembler.assemble(text) else {
        return Err(format!("taken: {text}"));
    };
    let codes = errors(diagnostics);
    let scenario = Program::parse(&format!(".target sass {}\n{text}\n", line.arch));
    if errors(&scenario.diagnostics) != codes {
        return Err(format!(
            "the scenario says {}",
            messages(&scenario.diagnostics)
        ));
    }
    Ok(codes.join(" "))
}

/// Result for a word: rejected, or printed with a warning.
fn rejected_word(line: &SassReject) -> Result<String, String> {
    let bytes = number(line.word.as_ref().unwrap()).to_le_bytes();
    let mut assembler = assembler(&line.arch);
    match assembler.disassemble(&bytes, Style::Assembler) {
        Err(diagnostics) => Ok(format!("rejected, {}", errors(diagnostics).join(" "))),
        Ok(read) => {
            let tool = line.tool_text.as_deref().unwrap_or("nothing");
            let warned = read.diagnostics.iter().any(|d| d.rule.code == "W0612");
            if read.text == tool && warned {
                Ok(String::from("printed as the tool does, with a warning"))
            } else {
                Err(format!(
                    "{}, tool {tool}: {}",
                    read.text,
                    messages(read.diagnostics)
                ))
            }
        }
    }
}

#[test]
fn rejects() {
    let mut report = Report::new(&report::NVDISASM, "ATOM: rejected words and texts");
    count_rejects("sass/rejects.jsonl", &mut report);
    report.finish(350, &REJECTS);
}

#[test]
fn red_rejects() {
    let mut report = Report::new(&report::NVDISASM, "RED: rejected words and texts");
    count_rejects("sass/red_rejects.jsonl", &mut report);
    report.finish(208, &RED_REJECTS);
}

const RED_REJECTS: [(&str, usize); 16] = [
    ("RED has eight operations only (three bits): E0350", 5),
    ("SM50 prints no such size: E0367", 2),
    ("SM52 prints no such size: E0367", 1),
    ("SM60 prints no such size: E0351", 1),
    ("SM60 prints no such size: E0367", 1),
    (
        "no such register or predicate (R0..R254, RZ; P0..P6, PT): E0356",
        3,
    ),
    ("no such suffix, or suffixes in another order: E0351", 3),
    (
        "offset does not fit 20 bits (signed with a register, unsigned without): E0359",
        5,
    ),
    (
        "one bit of the RED prefix (63:51) flipped: no instruction: rejected, E0608",
        70,
    ),
    (
        "one bit of the RED prefix (63:51) flipped: not a RED any more: rejected, E0608",
        34,
    ),
    ("operands are an address and one source register: E0356", 1),
    ("operands are an address and one source register: E0358", 2),
    ("operands are an address and one source register: E0364", 4),
    (
        "operands are an address and one source register: E0364 E0364",
        1,
    ),
    (
        "size code 6 has no name on this target: rejected, E0606",
        27,
    ),
    (
        "size code 7 has no name on this target: rejected, E0606",
        48,
    ),
];

fn count_rejects(file: &str, report: &mut Report) {
    for line in vectors::read::<SassReject>(file) {
        let answer = match line.kind.as_str() {
            "text" => rejected_text(&line),
            _ => rejected_word(&line),
        };
        let contested = if line.contested { ", contested" } else { "" };
        match answer {
            Ok(answer) => {
                let why = match line.why.as_str() {
                    why if why.contains(" does not take .") => "operation does not take this size",
                    why => why,
                };
                report.agree(&format!("{why}: {answer}{contested}"));
            }
            Err(e) => report.wrong(format!("{line:?}\n{e}")),
        }
    }
}

const REJECTS: [(&str, usize); 51] = [
    (".128/.U128 is illegal: E0353", 8),
    (
        ".E needs an even Ra: printed as the tool does, with a warning",
        9,
    ),
    (".E: Ra must be an even register: E0362", 3),
    (
        ".U128/.128 is named but illegal: printed as the tool does, with a warning",
        12,
    ),
    ("64-bit Rb must be an even register: E0361", 11),
    (
        "64-bit Rb must be even: printed as the tool does, with a warning",
        17,
    ),
    ("64-bit Rd must be an even register: E0361", 16),
    (
        "64-bit Rd must be even: printed as the tool does, with a warning",
        14,
    ),
    (
        "CAS Rb cannot be RZ (layout 2: RZ, Rc): printed as the tool does, with a warning",
        5,
    ),
    (
        "CAS Rb cannot be RZ: printed as the tool does, with a warning",
        1,
    ),
    (
        "CAS layout code 3 (bits 51:50) does not exist: rejected, E0606",
        7,
    ),
    ("CAS needs Rb and Rc: E0364", 2),
    (
        "CAS pair runs past the last register; the tool shows ???255: rejected, E0606",
        7,
    ),
    (
        "CAS.32 Rb must be R2n+0: printed as the tool does, with a warning",
        15,
    ),
    ("CAS.32: Rb must be an even register: E0363", 7),
    ("CAS.32: Rc must be Rb+1 or RZ: E0363", 7),
    (
        "CAS.64 Rb must be R4n+0: printed as the tool does, with a warning",
        12,
    ),
    ("CAS.64: Rb must be R4n+0: E0363", 7),
    ("CAS.64: Rc must be Rb+2 or RZ: E0363", 4),
    ("CAS: Rb cannot be RZ: E0363", 4),
    ("Ps is a destination predicate P0..P6 or PT: E0356", 2),
    ("Ps is a destination predicate P0..P6 or PT: E0364", 1),
    (
        "Ra pair runs past R254: printed as the tool does, with a warning",
        1,
    ),
    (
        "SM50 has no encoding for this size (F16x2 from SM52, F64 from SM60), although the document lists it: E0354, contested",
        5,
    ),
    ("SM52 has no F64 size: E0354, contested", 2),
    (
        "a sparse form has no absolute-address variant: Ra must be a register: rejected, E0366",
        3,
    ),
    (
        "absolute address does not fit ImmU20 (0..0xfffff): E0359",
        1,
    ),
    ("no sparse form on SM50: E0355, contested", 2),
    ("no such operation, size or order of suffixes: E0350", 3),
    (
        "no such operation, size or order of suffixes: E0350 E0351",
        1,
    ),
    ("no such operation, size or order of suffixes: E0351", 2),
    (
        "no such register or predicate (R0..R254, RZ; P0..P6, PT): E0357",
        1,
    ),
    (
        "no such register or predicate (R0..R254, RZ; P0..P6, PT): E0356",
        4,
    ),
    (
        "no such register or predicate (R0..R254, RZ; P0..P6, PT): E0364",
        1,
    ),
    ("offset does not fit ImmS20 (-524288..524287): E0359", 5),
    (
        "only 20 offset bits are encoded, with .E too: E0360, contested",
        4,
    ),
    (
        "only CAS takes a register Rc; the others assemble it as RZ: E0365",
        3,
    ),
    ("operand syntax: E0356", 1),
    ("operand syntax: E0358", 3),
    ("operand syntax: E0364", 3),
    ("operation code has no name: rejected, E0606", 24),
    ("operation does not take this size: E0352", 34),
    (
        "operation does not take this size: printed as the tool does, with a warning",
        35,
    ),
    ("register pair runs past R254: E0361", 1),
    ("size code has no name on SM50: rejected, E0606", 15),
    ("size code has no name on SM52: rejected, E0606", 7),
    ("size code has no name on SM60: rejected, E0606", 3),
    ("sparse forms need Ra (the tool refuses Ra = RZ): E0366", 2),
    ("sparse forms take no immediate offset: E0366", 4),
    (
        "the sparse forms do not exist on SM50 (they do from SM52 on): rejected, E0355, contested",
        6,
    ),
    (
        "there are six barriers, 0..5 (7 in the word means none): E0368",
        3,
    ),
];

// ControlWord words.

fn schedule(text: &str) -> Option<Schedule> {
    let (mut lexemes, mut out) = (Vec::new(), Diagnostics::new());
    lex(text, &mut lexemes);
    let end = u32::try_from(text.len()).unwrap();
    let mut cursor = Cursor::new(text, &lexemes, end);
    let schedule = Schedule::parse(&mut cursor, &mut out);
    schedule.filter(|_| cursor.at_end() && out.is_empty())
}

fn check_slot(slot: &Schedule, wanted: &SassSlot) -> Result<(), String> {
    let waits: Vec<u8> = (0..6).filter(|b| slot.wait >> b & 1 == 1).collect();
    let same = slot.stall == wanted.stall
        && slot.yields == (wanted.r#yield == 1)
        && slot.write.0 == wanted.wr
        && slot.read.0 == wanted.rd
        && waits == wanted.req
        && slot.reuse == wanted.reuse;
    let mut text = String::new();
    slot.print(&mut text);
    // The notation in the file omits reuse flags; ATOM does not have any.
    let sched = match wanted.reuse {
        0 => wanted.sched.clone(),
        reuse => format!("{}.reuse{reuse}", wanted.sched),
    };
    if !same {
        Err(format!("{slot:?}, expected {wanted:?}"))
    } else if text.trim_start() != sched {
        Err(format!("prints `{text}`, expected `{sched}`"))
    } else if schedule(&sched) != Some(*slot) {
        Err(format!("`{sched}` parses to a different schedule"))
    } else {
        Ok(())
    }
}

#[test]
fn control() {
    let mut report = Report::new(&report::NVDISASM, "ATOM: scheduling words");
    for line in vectors::read::<SassControl>("sass/control.jsonl") {
        let word = number(&line.control);
        let mut out = Diagnostics::new();
        let control = ControlWord::decode(&word.to_le_bytes(), &mut out).unwrap();
        assert!(out.is_empty() && line.slots.len() == 3);
        let encoded = u64::from_le_bytes(control.encode());
        let result = (encoded == word).then_some(()).ok_or("encodes otherwise");
        report.count("words", result.map_err(str::to_owned));
        for (i, (slot, wanted)) in control.slots.iter().zip(&line.slots).enumerate() {
            assert_eq!(word >> (21 * i) & 0x1f_ffff, number(&wanted.bits));
            let class = if wanted.reuse == 0 {
                "slots"
            } else {
                "slots with reuse"
            };
            report.count(class, check_slot(slot, wanted));
        }
    }
    report.finish(
        800,
        &[("words", 200), ("slots", 589), ("slots with reuse", 11)],
    );
}

// Arithmetic.

fn size(name: &str) -> Size {
    match SPELLINGS.iter().find(|(s, _)| *s == name).unwrap().1 {
        SizeSpelling::Size(size) => size,
        SizeSpelling::U128 => panic!("{name}"),
    }
}

fn check_semantics(line: &SassSemantics) -> Result<(), String> {
    let operation = SassOperation::named(&line.op).unwrap();
    let size = size(&line.sz);
    assert!(operation.sizes().contains(&size));
    let chip = match line.sz.as_str() {
        ".F16x2.FTZ.RN" => Chip::Sm52,
        _ => Chip::Sm60,
    };
    let (m, rb) = (number(&line.before), number(&line.rb));
    let (a, b) = match &line.rc {
        Some(rc) => (number(rc), rb),
        None => (rb, 0),
    };
    let got = operation.rmw(size, chip).apply(size.width(), m, a, b);
    // The NaN of a double addition is not documented.
    let nan = size == Size::F64 && line.after == "any NaN";
    if line.rd != line.before {
        Err(format!("{line:?}: must return the old value"))
    } else if nan && f64::from_bits(got).is_nan() || !nan && got == number(&line.after) {
        Ok(())
    } else {
        Err(format!("{got:#x}: {line:?}"))
    }
}

#[test]
fn semantics() {
    let mut report = Report::new(&report::DOCUMENTS, "ATOM: arithmetic");
    for line in vectors::read::<SassSemantics>("sass/semantics.jsonl") {
        let class = format!("{}{}", line.op, line.sz);
        report.count(&class, check_semantics(&line));
    }
    report.finish(714, &SEMANTICS);
}

const SEMANTICS: [(&str, usize); 30] = [
    ("ADD.F16x2.FTZ.RN", 20),
    ("ADD.F16x2.RN", 60),
    ("ADD.F32.FTZ.RN", 232),
    ("ADD.F64.RN", 40),
    ("ADD.S32", 7),
    ("ADD.U32", 7),
    ("ADD.U64", 7),
    ("AND.U32", 3),
    ("AND.U64", 3),
    ("CAS.U32", 6),
    ("CAS.U64", 4),
    ("DEC.U32", 45),
    ("EXCH.U32", 3),
    ("EXCH.U64", 3),
    ("INC.U32", 45),
    ("MAX.F16x2.RN", 25),
    ("MAX.S32", 20),
    ("MAX.S64", 20),
    ("MAX.U32", 20),
    ("MAX.U64", 20),
    ("MIN.F16x2.RN", 25),
    ("MIN.S32", 20),
    ("MIN.S64", 20),
    ("MIN.U32", 20),
    ("MIN.U64", 20),
    ("OR.U32", 3),
    ("OR.U64", 3),
    ("SAFEADD.U64", 7),
    ("XOR.U32", 3),
    ("XOR.U64", 3),
];

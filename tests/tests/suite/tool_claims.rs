//! Claims about real tools in diagnostics are backed by recorded answers.

use lanewise_core::isa::Style;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::Assembler;
use lanewise_core::rules;
use lanewise_tests::judge::{judge, unhex};
use lanewise_tests::oracle::claims::{Claim, claim, expected, mentions_tool};
use lanewise_tests::vectors::{self, Decoding, SassEncoding};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Common fields of the recorded answers.
#[derive(Deserialize)]
struct Answer {
    platform: String,
    decls: Vec<String>,
    text: String,
    /// Absent if all lines of the file were accepted.
    verdict: Option<String>,
    /// In `tool_answers.jsonl`: the code that the line is evidence for.
    code: Option<String>,
    /// Present if the text is a line of a program with labels.
    program: Option<Vec<String>>,
    /// Disassembly, if accepted; programs have a list of lines.
    disasm: Option<serde_json::Value>,
}

const FILES: [&str; 10] = [
    "visa/encodings.jsonl",
    "visa/rejects.jsonl",
    "visa/observed.jsonl",
    "visa/gather4_encodings.jsonl",
    "visa/gather4_rejects.jsonl",
    "visa/dpas_encodings.jsonl",
    "visa/dpas_rejects.jsonl",
    "visa/tool_answers.jsonl",
    "visa/base_encodings.jsonl",
    "visa/base_rejects.jsonl",
];

fn fits(claim: Claim, verdict: &str) -> bool {
    match claim {
        Claim::Takes => verdict == "accepted",
        Claim::Refuses => verdict == "rejected",
        Claim::Fails => matches!(verdict, "crash" | "hang"),
    }
}

/// Codes of vISA bytes, with the verdict of the tool.
fn codes_of_bytes() -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    for line in vectors::read::<Decoding>("visa/decodings.jsonl") {
        let decls = line.decls.iter().map(String::as_str);
        let mut assembler = Assembler::new(Platform::Xehp, decls).unwrap();
        let read = assembler.disassemble(&unhex(&line.bytes), Style::Assembler);
        let all = read.map_or_else(|all| all.to_vec(), |read| read.diagnostics.to_vec());
        let verdict = match line.verdict.as_str() {
            "decoded" => "accepted",
            "crash" | "hang" => "crash",
            _ => "rejected",
        };
        found.extend(all.iter().map(|d| (d.rule.code, verdict)));
    }
    found
}

/// Codes of SASS words on the chips for which the tool prints them, and of their texts
/// on the other chips.
fn codes_of_words() -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    for file in ["sass/encodings.jsonl", "sass/red_encodings.jsonl"] {
        for line in vectors::read::<SassEncoding>(file) {
            let word = line.word.trim_start_matches("0x");
            let word = u64::from_str_radix(word, 16).unwrap().to_le_bytes();
            for chip in Chip::ALL {
                let mut assembler = Assembler::new(chip, []).unwrap();
                if line.archs.iter().any(|arch| arch == chip.name()) {
                    let read = assembler.disassemble(&word, Style::Assembler).unwrap();
                    found.extend(read.diagnostics.iter().map(|d| (d.rule.code, "accepted")));
                } else if let Err(all) = assembler.assemble(&line.text) {
                    found.extend(all.iter().map(|d| (d.rule.code, "rejected")));
                }
            }
        }
    }
    found
}

#[test]
fn claims_about_tools_have_recorded_answers() {
    let claims: BTreeMap<&str, Claim> = rules::ALL
        .iter()
        .filter_map(|rule| Some((rule.code, claim(rule)?)))
        .collect();
    let mut wrong = Vec::new();
    for rule in rules::ALL.iter().filter(|rule| mentions_tool(rule)) {
        if claim(rule).is_none() {
            wrong.push(format!(
                "{} mentions a tool without a known verb: {}",
                rule.code, rule.why
            ));
        }
    }
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    for file in FILES {
        let answers_of_lines = vectors::read::<Answer>(file).into_iter();
        for line in answers_of_lines.filter(|line| line.program.is_none()) {
            let verdict = line.verdict.as_deref().unwrap_or("accepted");
            let judged = judge(&line.platform, &line.decls, &line.text);
            let expected = expected(&judged.diagnostics);
            let codes = judged.all_codes();
            for code in &codes {
                let Some(claim) = claims.get(code) else {
                    continue;
                };
                // The answer is evidence for a rule unless another rule on the line
                // takes precedence.
                let others = codes.iter().filter(|other| *other != code);
                let alone = others.clone().all(|other| {
                    claims.get(other).is_none_or(|claim| *claim == Claim::Takes)
                        && !other.starts_with('E')
                });
                let speaks = match claim {
                    Claim::Takes => true,
                    Claim::Refuses | Claim::Fails => alone,
                };
                if speaks && fits(*claim, verdict) {
                    *answers.entry(code).or_default() += 1;
                }
            }
            if let Some(code) = &line.code {
                let is_reported = codes.contains(&code.as_str());
                let claim = claims.get(code.as_str());
                if !is_reported || claim.is_none_or(|claim| !fits(*claim, verdict)) {
                    wrong.push(format!("{code}: {verdict}, {codes:?}: {}", line.text));
                }
                if expected == Claim::Takes && verdict != "accepted" {
                    wrong.push(format!("{}: {verdict}, but found {codes:?}", line.text));
                }
            }
        }
    }
    for (code, verdict) in codes_of_bytes().into_iter().chain(codes_of_words()) {
        if claims.get(code).is_some_and(|claim| fits(*claim, verdict)) {
            *answers.entry(code).or_default() += 1;
        }
    }
    for (code, claim) in &claims {
        if !answers.contains_key(code) {
            wrong.push(format!("{code}: no recorded answer for {claim:?}"));
        }
    }
    println!("{} statements, {answers:?}", claims.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bits of the address, if it is a constant.
fn constant(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once(") 0x")?;
    let (bits, _) = rest.split_once(':')?;
    u64::from_str_radix(bits, 16).ok()
}

#[test]
fn printed_text_matches_the_tool_or_has_a_note() {
    let mut compared = 0;
    for line in vectors::read::<Answer>("visa/tool_answers.jsonl") {
        let disasm = line.disasm.as_ref().and_then(serde_json::Value::as_str);
        let Some(disasm) = disasm else { continue };
        let platform = Platform::named(&line.platform).unwrap();
        let decls = line.decls.iter().map(String::as_str);
        let mut assembler = Assembler::new(platform, decls).unwrap();
        let symbols = assembler.symbols().clone();
        // Skip lines that only the tool accepts.
        let Ok(read) = assembler.assemble(&line.text) else {
            continue;
        };
        let mut notes = read.diagnostics.iter();
        let note = notes.find(|d| ["N0511", "N0513"].contains(&d.rule.code));
        let text = read.instruction.text(&symbols, Style::Assembler);
        let expected = match (note, constant(disasm), constant(&text)) {
            (Some(note), Some(tool), Some(own)) => {
                let named = format!(" as {tool:#x}");
                assert!(note.what.ends_with(&named), "{}: {}", line.text, note.what);
                text.replacen(&format!("{own:#x}"), &format!("{tool:#x}"), 1)
            }
            _ => text,
        };
        assert_eq!(disasm, expected, "{}", line.text);
        compared += 1;
    }
    println!("{compared} lines are printed identically");
    assert!(compared > 80, "{compared}");
}

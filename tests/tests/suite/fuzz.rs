//! Mutated lines and bytes of the recorded vectors must not cause a panic when they
//! are read, printed, checked or run.
//!
//! `FUZZ_SECONDS=600 FUZZ=RED cargo test --release -p lanewise-tests --test suite fuzz:: --
//! --nocapture` runs for 600 seconds on the lines of one instruction. By default the
//! test runs briefly on all lines.

use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Style, Target};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::session::{Session, run};
use lanewise_tests::fuzz::Random;
use lanewise_tests::judge::unhex;
use lanewise_tests::vectors::{self, Encoding, SassEncoding};
use std::env;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Input of mutations.
struct Seed {
    target: Target,
    decls: Vec<String>,
    text: String,
    bytes: Vec<u8>,
}

/// Lines of the vectors whose mnemonic contains `word`, ignoring case.
fn seeds(word: &str) -> Vec<Seed> {
    let visa = ["encodings", "gather4_encodings", "dpas_encodings"];
    let visa = visa.iter().flat_map(|file| {
        vectors::read::<Encoding>(&format!("visa/{file}.jsonl"))
            .into_iter()
            .map(|line| Seed {
                target: Target::Visa(Platform::named(&line.platform).unwrap_or(Platform::Xehp)),
                decls: line.decls,
                bytes: unhex(&line.bytes),
                text: line.text,
            })
    });
    let sass = ["encodings", "red_encodings"].iter().flat_map(|file| {
        vectors::read::<SassEncoding>(&format!("sass/{file}.jsonl"))
            .into_iter()
            .map(|line| {
                let word = u64::from_str_radix(&line.word[2..], 16).unwrap();
                Seed {
                    target: Target::Sass(Chip::named(&line.archs[0]).unwrap()),
                    decls: Vec::new(),
                    bytes: word.to_le_bytes().to_vec(),
                    text: line.text,
                }
            })
    });
    let word = word.to_ascii_lowercase();
    let all = visa.chain(sass);
    all.filter(|seed| seed.text.to_ascii_lowercase().contains(&word))
        .collect()
}

/// Fragments inserted into texts.
const PIECES: [&str; 26] = [
    " ",
    ".",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ":",
    "@",
    "!",
    "-",
    "+0x7ffff",
    "0x",
    "99999999999",
    "%null.0",
    "RZ",
    "R254",
    "PT",
    ".E",
    ".U128",
    "\n",
    "é",
    "RGBA",
];

fn change_text(text: &mut String, other: &str, random: &mut Random) {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(chars.len() + 1);
        match random.below(5) {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 => {
                let piece = PIECES[random.below(PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
            2 => {
                let other: Vec<char> = other.chars().collect();
                let from = random.below(other.len());
                let to = from + random.below(other.len() - from + 1);
                let end = (at + random.below(6)).min(chars.len());
                chars.splice(at..end, other[from..to].iter().copied());
            }
            3 if at < chars.len() => {
                chars[at] = char::from(32 + u8::try_from(random.below(95)).unwrap());
            }
            _ => chars.truncate(at),
        }
    }
    *text = chars.into_iter().collect();
}

fn change_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.push(u8::try_from(random.below(256)).unwrap()),
            2 => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            _ => bytes[at] ^= 1 << random.below(8),
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Parses a text and, if possible, runs it, steps through it and steps back.
fn try_text(seed: &Seed, text: &str) {
    let decls = seed.decls.iter().map(String::as_str);
    let mut assembler = Assembler::new(seed.target, decls).expect("valid recorded declarations");
    if let Ok(assembled) = assembler.assemble(text) {
        let instruction = assembled.instruction;
        let encoded = assembled.encoded;
        let length = encoded.bytes().len();
        let read = assembler.disassemble(encoded.bytes(), Style::Document);
        let read = read.expect("assembled bytes can be disassembled");
        assert_eq!(
            (read.instruction.encode().bytes().len(), read.length),
            (length, length)
        );
        assert_eq!(instruction.encode().bytes(), encoded.bytes());
    }
    let head = match seed.target {
        Target::Visa(platform) => format!(
            ".target visa {}\n{}\n.region svm 0 4096\n",
            platform.name(),
            seed.decls.join("\n")
        ),
        Target::Sass(chip) => format!(".target sass {}\n.region global 0 4096\n", chip.name()),
    };
    let program = Rc::new(Program::parse(&format!("{head}{text}\n")));
    if program.can_run() {
        let end = run(&program);
        let mut session = Session::new(program);
        while session.step() {
            let _ = session.summary();
        }
        assert_eq!(session.fault(), end.fault.as_ref());
        while session.step_back() {}
    }
}

/// Disassembles bytes in both styles and assembles the text again.
fn try_bytes(seed: &Seed, bytes: &[u8]) {
    let decls = seed.decls.iter().map(String::as_str);
    let mut assembler = Assembler::new(seed.target, decls).expect("valid recorded declarations");
    for style in [Style::Assembler, Style::Document] {
        let Ok(read) = assembler.disassemble(bytes, style) else {
            continue;
        };
        let (text, encoded) = (read.text.to_owned(), read.instruction.encode());
        let again = assembler.disassemble(encoded.bytes(), style);
        assert_eq!(again.expect("can be disassembled again").text, text);
        let _ = assembler.assemble(&text);
        try_text(seed, &text);
    }
}

#[test]
fn mutated_vectors_do_not_panic() {
    let seconds = env::var("FUZZ_SECONDS").ok().and_then(|s| s.parse().ok());
    let word = env::var("FUZZ").unwrap_or_default();
    let seeds = seeds(&word);
    assert!(!seeds.is_empty(), "no line contains {word}");
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(0));
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15 ^ u64::try_from(seeds.len()).unwrap());
    let mut executions = 0_u64;
    while executions < 2000 || Instant::now() < end {
        let seed = &seeds[random.below(seeds.len())];
        let mut text = seed.text.clone();
        change_text(
            &mut text,
            &seeds[random.below(seeds.len())].text,
            &mut random,
        );
        try_text(seed, &text);
        let mut bytes = seed.bytes.clone();
        change_bytes(&mut bytes, &mut random);
        try_bytes(seed, &bytes);
        executions += 2;
    }
    println!("{executions} executions on {} lines {word}", seeds.len());
}

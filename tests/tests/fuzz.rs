//! Changed lines and changed bytes of the recorded vectors: nothing panics,
//! whatever is read, printed, checked or run.
//!
//! `FUZZ_SECONDS=600 FUZZ=RED cargo test --release -p lanewise-tests --test
//! fuzz -- --nocapture` runs as long as that on the lines of one instruction;
//! without, a moment on all of them.

use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Style, Target};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::session::{Session, run};
use lanewise_tests::fuzz::Random;
use lanewise_tests::judge::{platform, unhex};
use lanewise_tests::vectors::{self, Encoding, SassEncoding};
use std::env;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What changes start from.
struct Seed {
    target: Target,
    decls: Vec<String>,
    text: String,
    bytes: Vec<u8>,
}

/// The lines of the vectors whose mnemonic contains `word`, whatever its case.
fn seeds(word: &str) -> Vec<Seed> {
    let visa = ["encodings", "gather4_encodings", "dpas_encodings"];
    let visa = visa.iter().flat_map(|file| {
        vectors::read::<Encoding>(&format!("visa/{file}.jsonl"))
            .into_iter()
            .map(|line| Seed {
                target: Target::Visa(platform(&line.platform).unwrap_or(Platform::Xehp)),
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

/// Pieces that are put into texts.
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

/// A text is read, and run if it can be: forward, in one go and back.
fn try_text(seed: &Seed, text: &str) {
    let decls = seed.decls.iter().map(String::as_str);
    let mut assembler = Assembler::new(seed.target, decls).expect("the declarations are recorded");
    if let Ok(assembled) = assembler.assemble(text) {
        let instruction = assembled.instruction;
        let encoded = assembled.encoded;
        let length = encoded.bytes().len();
        let read = assembler.disassemble(encoded.bytes(), Style::Document);
        let read = read.expect("what was assembled is disassembled");
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

/// Bytes are read, printed in both styles, and what is printed is read again.
fn try_bytes(seed: &Seed, bytes: &[u8]) {
    let decls = seed.decls.iter().map(String::as_str);
    let mut assembler = Assembler::new(seed.target, decls).expect("the declarations are recorded");
    for style in [Style::Assembler, Style::Document] {
        let Ok(read) = assembler.disassemble(bytes, style) else {
            continue;
        };
        let (text, encoded) = (read.text.to_owned(), read.instruction.encode());
        let again = assembler.disassemble(encoded.bytes(), style);
        assert_eq!(again.expect("it was read before").text, text);
        let _ = assembler.assemble(&text);
        try_text(seed, &text);
    }
}

#[test]
fn changed_vectors_are_read_or_refused() {
    let seconds = env::var("FUZZ_SECONDS").ok().and_then(|s| s.parse().ok());
    let word = env::var("FUZZ").unwrap_or_default();
    let seeds = seeds(&word);
    assert!(!seeds.is_empty(), "no line has {word}");
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

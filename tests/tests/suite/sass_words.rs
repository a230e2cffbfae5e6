//! Compares words of SM50 to SM62 with the recorded output of nvdisasm.

use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::op::encoding::{decode, forms};
use lanewise_core::isa::sass::op::{OPS, named};
use lanewise_core::program::Program;
use lanewise_tests::vectors;
use serde::Deserialize;

#[derive(Deserialize)]
struct WordLine {
    chip: String,
    /// Address in the function.
    at: u32,
    word: String,
    /// Bits of the operand cache.
    #[serde(default)]
    reuse: u8,
    /// The text that nvdisasm prints.
    text: Option<String>,
}

fn lines(file: &str) -> impl Iterator<Item = (Chip, u32, u8, u64, Option<String>)> {
    let lines: Vec<WordLine> = vectors::read(file);
    lines.into_iter().map(|line| {
        let word = u64::from_str_radix(&line.word, 16).expect("a word");
        let chip = Chip::named(&line.chip).expect("a chip");
        (chip, line.at, line.reuse, word, line.text)
    })
}

/// Whether nvdisasm prints a name for bits without a meaning.
fn is_refused(text: &str) -> bool {
    text.contains("INVALID") || text.contains("???")
}

#[test]
fn compiled_words_are_those_of_nvdisasm() {
    let (mut same, mut without_row) = (0, 0);
    for (chip, address, reuse, word, text) in lines("sass/compiled_words.jsonl") {
        let text = text.expect("compilers write known words");
        let Some(decoded) = decode(word, address, reuse, chip) else {
            let mut names = text
                .split([' ', '.'])
                .filter(|name| !name.starts_with(['@', '!']));
            let name = names.next().expect("an opcode");
            assert!(named(name, chip).is_none(), "{word:#018x}: {text}");
            without_row += 1;
            continue;
        };
        assert_eq!(
            (decoded.text.trim(), decoded.ignored),
            (text.as_str(), 0),
            "{word:#018x}"
        );
        same += 1;
    }
    assert_eq!((same, without_row), (6000, 0));
}

#[test]
fn generated_words_are_those_of_nvdisasm() {
    let (mut same, mut refused, mut glued) = (0, 0, 0);
    for (chip, address, reuse, word, text) in lines("sass/generated_words.jsonl") {
        let decoded = decode(word, address, reuse, chip);
        let Some(text) = text.filter(|text| !is_refused(text)) else {
            // What ignores bits does not run.
            let runs = decoded.is_some_and(|decoded| decoded.ignored == 0);
            assert!(!runs, "{word:#018x}");
            refused += 1;
            continue;
        };
        // Printed without a space between opcode and operand.
        if text.contains("QRY1[") {
            assert_eq!(decoded, None);
            glued += 1;
            continue;
        }
        let decoded = decoded.unwrap_or_else(|| panic!("{word:#018x}: {text}"));
        assert_eq!(decoded.text.trim(), text, "{word:#018x}");
        same += 1;
    }
    assert_eq!((same, refused, glued), (3141, 578, 2));
}

#[test]
fn every_row_of_the_old_chips_has_words() {
    let mut count = 0;
    for op in OPS.iter().filter(|op| op.era.has(Chip::Sm62)) {
        let name = op.spec.name;
        let own = ["ATOM", "RED"].contains(&name);
        assert!(own || !forms(name, Chip::Sm62).is_empty(), "{name}");
        count += usize::from(!own);
    }
    assert_eq!(count, 111);
}

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn what_a_word_prints_is_an_instruction() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut decoded = 0;
    // Registers that cannot start a pair; for the two atomics with rules of their own, also what
    // their document forbids.
    let is_illegal = |text: &str, code: &str| {
        let is_atomic = ["ATOM.", "RED."].iter().any(|name| text.contains(name));
        code == "E0369"
            || is_atomic && ["E0352", "E0353", "E0361", "E0362", "E0363"].contains(&code)
    };
    let mut check = |word: u64, chip: Chip| {
        let Some(found) = decode(word, 0x28, 0, chip) else {
            return;
        };
        let text = format!(".target sass {}\n{}\n", chip.name(), found.text);
        let program = Program::parse(&text);
        decoded += 1;
        let mut errors = program.diagnostics.iter();
        let unread =
            errors.find(|d| d.severity() == Severity::Error && !is_illegal(&text, d.rule.code));
        assert_eq!(unread, None, "{text}");
    };
    for chip in [Chip::Sm50, Chip::Sm61] {
        for _ in 0..5_000 {
            check(random.next(), chip);
        }
        for op in OPS.iter().filter(|op| op.era.has(Chip::Sm62)) {
            for (fixed, vary) in forms(op.spec.name, chip) {
                for _ in 0..20 {
                    let bits = random.next() & random.next();
                    check(fixed | bits & vary, chip);
                }
            }
        }
    }
    assert!(decoded > 5_000, "{decoded}");
}

//! Compares words of SM50 to SM62 with the recorded output of nvdisasm, in both directions.

use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::op::encoding::{decode, encode, forms};
use lanewise_core::isa::sass::op::{Era, OPS, named};
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
    let (mut same, mut without_row, mut other_nan) = (0, 0, 0);
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
        let again = encode(&text, address, chip).unwrap_or_else(|| panic!("{text}"));
        // The text does not have the bits of a NaN.
        if text.contains("NAN") && again != word {
            other_nan += 1;
        } else {
            assert_eq!(again, word, "{text}");
        }
        same += 1;
    }
    assert_eq!((same, without_row, other_nan), (5991, 9, 2));
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
        let again = encode(&text, address, chip).unwrap_or_else(|| panic!("{text}"));
        let printed = decode(again, address, 0, chip).expect("it is encoded");
        assert_eq!((printed.text.trim(), printed.ignored), (text.as_str(), 0));
        same += 1;
    }
    assert_eq!((same, refused, glued), (2745, 511, 2));
}

#[test]
fn every_row_of_the_old_chips_has_words() {
    let mut count = 0;
    for op in OPS.iter().filter(|op| op.era != Era::New) {
        let name = op.spec.name;
        let own = ["ATOM", "RED"].contains(&name);
        assert!(own || !forms(name, Chip::Sm62).is_empty(), "{name}");
        count += usize::from(!own);
    }
    assert_eq!(count, 94);
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
fn what_a_word_prints_is_encoded_again() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let check = |word: u64, chip: Chip| {
        let Some(decoded) = decode(word, 0x28, 0, chip) else {
            return 0;
        };
        let Some(again) = encode(&decoded.text, 0x28, chip) else {
            // The document of these two forbids what nvdisasm prints.
            let is_atomic = ["ATOM.", "RED."]
                .iter()
                .any(|name| decoded.text.contains(name));
            assert!(is_atomic, "{word:#018x}: {}", decoded.text);
            return 0;
        };
        let printed = decode(again, 0x28, 0, chip).expect("it is encoded");
        assert_eq!(
            (&printed.text, printed.ignored),
            (&decoded.text, 0),
            "{word:#018x}"
        );
        1
    };
    let mut decoded = 0;
    for chip in [Chip::Sm50, Chip::Sm61] {
        for _ in 0..5_000 {
            decoded += check(random.next(), chip);
        }
        for op in OPS.iter().filter(|op| op.era != Era::New) {
            for (fixed, vary) in forms(op.spec.name, chip) {
                for _ in 0..20 {
                    let bits = random.next() & random.next();
                    decoded += check(fixed | bits & vary, chip);
                }
            }
        }
    }
    assert!(decoded > 5_000, "{decoded}");
}

#[test]
fn texts_that_no_word_has_are_refused() {
    for text in [
        "",
        "IADD",
        "IADD R0, R1",
        "IADD R0, R1, R2, R3",
        "IADD R0, R1, 0x80000",
        "IADD.HI R0, R1, R2",
        "IADD R255, R1, R2",
        "@P8 IADD R0, R1, R2",
        "@P0 SSY 0x40",
        "FADD R0, R1, 1.0000001",
        "MOV R0, c[0x0][0x6]",
        "MOV R0, c[0x20][0x4]",
        "BRA 0x10000000",
        "LDG.E R0, [R2+0x1000000]",
        "ATOMS.CAS R0, [R1], R2, R4",
        "HADD2 R0, R1, R2",
    ] {
        assert_eq!(encode(text, 8, Chip::Sm50), None, "{text}");
    }
}

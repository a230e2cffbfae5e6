//! SASS: compares words generated from layouts, and mutations of them, with nvdisasm;
//! and checks that groups with any control word show the same instructions.

use super::{Options, Tally, in_threads};
use crate::generate::{self, Choices};
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::GROUP_BYTES;
use lanewise_core::isa::{Family, Instruction, Spec, Style};
use lanewise_core::program::Assembler;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;

/// A control word that the tool accepts. It rejects most random ones, and then does not
/// list anything.
const CONTROL: u64 = 0x001f_8000_fc00_07e0;

/// Number of words per run of the tool.
const BATCH: usize = 300;

/// NOP for SM50 to SM62; replaces words that the tool rejects.
const NOP: u64 = 0x50b0_0000_0007_0f00;

pub(super) fn compare(tool: &Path, options: &Options) -> io::Result<Tally> {
    let batches = options.words.div_ceil(BATCH);
    in_threads(options.threads, batches, |index| {
        let count = BATCH.min(options.words - index * BATCH);
        let seed =
            options.seed.rotate_left(17) ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        batch(tool, count, &mut Choices::new(vec![seed]))
    })
}

fn batch(tool: &Path, count: usize, choices: &mut Choices) -> io::Result<Tally> {
    let chip = choices.pick(&Chip::ALL);
    let mut assembler = Assembler::new(chip, []).expect("there are no declarations");
    let specs: Vec<&'static Spec> = Instruction::specs(Family::Sass).collect();
    let words: Vec<u64> = (0..count)
        .map(|_| {
            let spec = choices.pick(&specs);
            let form = choices.below(spec.opcodes.len());
            let symbols = assembler.symbols().clone();
            let mut word = match choices.below(3) {
                0 => spec.opcodes[form].set(choices.bits()),
                _ => {
                    let filled = generate::filled(spec, form, &symbols, choices);
                    let bytes = filled.encode();
                    u64::from_le_bytes(*bytes.bytes().first_chunk().expect("8 bytes"))
                }
            };
            if choices.one_in(4) {
                word ^= 1 << choices.below(64);
            }
            word
        })
        .collect();
    let controls: Vec<u64> = words.chunks(3).map(|_| choices.bits() >> 1).collect();
    let known: Vec<bool> = words
        .iter()
        .map(|word| {
            let read = assembler.disassemble(&word.to_le_bytes(), Style::Assembler);
            read.is_ok()
        })
        .collect();
    let theirs = disassemble(tool, chip, &words, &known)?;
    let mut tally = Tally::default();
    for (index, word) in words.iter().enumerate() {
        check_word(&mut assembler, chip, *word, theirs.get(&index), &mut tally);
    }
    for (group, control) in words.chunks_exact(3).zip(&controls) {
        check_group(&mut assembler, chip, group, *control, &mut tally);
    }
    Ok(tally)
}

/// Output of the tool by word index, without rejected words.
fn disassemble(
    tool: &Path,
    chip: Chip,
    words: &[u64],
    known: &[bool],
) -> io::Result<BTreeMap<usize, String>> {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("lanewise-oracle-{}-{number}.bin", std::process::id());
    let file = std::env::temp_dir().join(name);
    let mut words: Vec<Option<u64>> = words.iter().copied().map(Some).collect();
    let mut alone = false;
    let found = loop {
        let mut code = Vec::new();
        for group in words.chunks(3) {
            code.extend(CONTROL.to_le_bytes());
            for slot in 0..3 {
                let word = group.get(slot).copied().flatten().unwrap_or(NOP);
                code.extend(word.to_le_bytes());
            }
        }
        std::fs::write(&file, &code)?;
        let output = Command::new(tool)
            .args(["-b", chip.name()])
            .arg(&file)
            .output()?;
        if output.status.success() {
            break parse(&String::from_utf8_lossy(&output.stdout), &words);
        }
        // If there are unknown words, the tool only reports their addresses.
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut refused = 0;
        for line in message.lines() {
            let digits = line.rsplit_once("0x").map(|(_, digits)| digits.trim());
            let address = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok());
            let word = address
                .and_then(word_at)
                .and_then(|index| words.get_mut(index));
            if let Some(word) = word {
                refused += usize::from(word.take().is_some());
            }
        }
        if refused == 0 && !alone {
            // The tool does not report an address: one of the unsupported words stops it,
            // such as a branch with an invalid target.
            alone = true;
            for (word, known) in words.iter_mut().zip(known) {
                *word = word.filter(|_| *known);
            }
        } else if refused == 0 {
            return Err(io::Error::other(format!("nvdisasm: {message}")));
        }
    };
    // A leftover file is harmless.
    let _ = std::fs::remove_file(&file);
    Ok(found)
}

/// Index of the word at an address, not counting control words.
const fn word_at(address: usize) -> Option<usize> {
    match (address % GROUP_BYTES / 8).checked_sub(1) {
        Some(slot) => Some(address / GROUP_BYTES * 3 + slot),
        None => None,
    }
}

/// Parses lines such as `/*0008*/  ATOM.ADD R7, [R2], R0;`.
fn parse(listing: &str, words: &[Option<u64>]) -> BTreeMap<usize, String> {
    let lines = listing.lines().filter_map(|line| {
        let (address, text) = line.trim().strip_prefix("/*")?.split_once("*/")?;
        let address = usize::from_str_radix(address, 16).ok()?;
        let index = word_at(address)?;
        words.get(index).copied().flatten()?;
        let text = text.split("/*").next()?.trim().trim_end_matches(';').trim();
        Some((index, text.to_owned()))
    });
    lines.collect()
}

fn check_word(
    assembler: &mut Assembler,
    chip: Chip,
    word: u64,
    theirs: Option<&String>,
    tally: &mut Tally,
) {
    let ours = assembler.disassemble(&word.to_le_bytes(), Style::Assembler);
    let ours = ours.map(|read| read.text.to_owned()).ok();
    let specs = || Instruction::specs(Family::Sass);
    let named = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || c == '.');
        let mut words = words.filter(|w| !w.is_empty() && !w.starts_with('@'));
        let first = words.next().unwrap_or("");
        specs().any(|spec| spec.mnemonics.contains(&first))
    };
    match (&ours, theirs) {
        (Some(a), Some(b)) if a == b => match assembler.assemble(a) {
            Ok(again) => {
                let again =
                    u64::from_le_bytes(*again.encoded.bytes().first_chunk().expect("8 bytes"));
                let same = assembler
                    .disassemble(&again.to_le_bytes(), Style::Assembler)
                    .is_ok_and(|read| read.text == b);
                tally.count(match (again == word, same) {
                    (true, _) => "SASS: same text, which assembles to the word",
                    (false, true) => "SASS: same text; the word has ignored bits",
                    (false, false) => "SASS: NOT explained",
                });
                if !same {
                    tally.unexplained.push(format!(
                        "SASS {}: {word:#018x} `{b}` assembles to {again:#018x}",
                        chip.name()
                    ));
                }
            }
            Err(_) => tally.count("SASS: same text, which violates a rule of the document"),
        },
        (None, None) => tally.count("SASS: both reject the word"),
        (None, Some(text)) if !named(text) => tally.count("SASS: unsupported instruction"),
        (None, Some(text)) if text.contains("INVALID") => {
            tally.count("SASS, explained: unnamed operation or size; the tool prints INVALID…");
        }
        _ => {
            tally.count("SASS: NOT explained");
            tally.unexplained.push(format!(
                "SASS {}: {word:#018x}\n  nvdisasm: {theirs:?}\n  Lanewise: {ours:?}",
                chip.name()
            ));
        }
    }
}

/// Checks that a group shows the same instructions as its words, with any control word.
fn check_group(
    assembler: &mut Assembler,
    chip: Chip,
    words: &[u64],
    control: u64,
    tally: &mut Tally,
) {
    let mut texts = Vec::new();
    for word in words {
        match assembler.disassemble(&word.to_le_bytes(), Style::Assembler) {
            Ok(read) => texts.push(read.text.to_owned()),
            Err(_) => {
                tally.count("SASS groups: with an invalid word");
                return;
            }
        }
    }
    let mut bytes = [0; GROUP_BYTES];
    let all = std::iter::once(&control).chain(words);
    for (to, word) in bytes.chunks_exact_mut(8).zip(all) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    let shown = assembler.disassemble_group(&bytes, Style::Assembler);
    let same = shown.is_ok_and(|group| {
        let plain = group
            .texts
            .iter()
            .map(|text| text.split([' ']).collect::<Vec<_>>());
        let mut pairs = plain.zip(&texts);
        pairs.all(|(words, alone)| words.join(" ").starts_with(alone.as_str()))
    });
    if same {
        tally.count("SASS groups: same instructions as the words");
    } else {
        tally.count("SASS groups: NOT explained");
        tally.unexplained.push(format!(
            "SASS group {}: {control:#018x} {words:#x?}",
            chip.name()
        ));
    }
}

//! Benchmarks of decoding ATOM words and of running the lanes of a warp.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanewise_core::diagnostic::Diagnostics;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::{Instruction, Style, SymbolTable, Target};
use lanewise_core::machine::Journal;
use lanewise_core::program::{Assembler, Program};
use lanewise_core::session::{run, run_recorded};
use lanewise_tests::vectors::{self, SassEncoding};
use std::hint::black_box;

fn words(c: &mut Criterion) {
    let target = Target::Sass(Chip::Sm50);
    let lines = vectors::read::<SassEncoding>("sass/encodings.jsonl");
    let lines: Vec<(u64, String)> = lines
        .into_iter()
        .filter(|line| line.archs.iter().any(|a| a == "SM50"))
        .map(|line| (u64::from_str_radix(&line.word[2..], 16).unwrap(), line.text))
        .collect();
    println!("{} words of SM50", lines.len());
    let mut group = c.benchmark_group("ATOM");
    group.throughput(Throughput::Elements(lines.len() as u64));
    let symbols = SymbolTable::new(target);
    for style in [Style::Assembler, Style::Document] {
        group.bench_function(format!("decode and print, {style:?}"), |b| {
            let (mut text, mut out) = (String::new(), Diagnostics::new());
            b.iter(|| {
                for (word, _) in &lines {
                    text.clear();
                    let bytes = black_box(*word).to_le_bytes();
                    let (read, _) = Instruction::decode(&bytes, &symbols, &mut out).unwrap();
                    read.print(&symbols, style, &mut text);
                    black_box(text.len());
                }
            });
        });
    }
    let mut assembler = Assembler::new(target, []).unwrap();
    group.bench_function("disassemble, rules checked", |b| {
        b.iter(|| {
            for (word, _) in &lines {
                let bytes = black_box(*word).to_le_bytes();
                let read = assembler.disassemble(&bytes, Style::Assembler);
                black_box(read.is_ok());
            }
        });
    });
    group.bench_function("assemble", |b| {
        b.iter(|| {
            for (_, text) in &lines {
                black_box(assembler.assemble(black_box(text)).is_ok());
            }
        });
    });
    group.finish();
}

const COUNT: usize = 1000;

/// Program of `COUNT` instructions with 32 lanes, on distinct cells or on one.
fn program(line: &str, conflict: bool) -> Program {
    let step = if conflict { 0 } else { 8 };
    let text = format!(
        ".target sass SM50\n.region global 0x10000 4096\n\
         .init R2:R3 = iota(0x10000, {step})\n.init R4:R5 = iota(1, 1)\n{}",
        line.repeat(COUNT)
    );
    let program = Program::parse(&text);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    assert_eq!(program.instructions.len(), COUNT);
    program
}

fn lanes(c: &mut Criterion) {
    let mut group = c.benchmark_group("warp lane");
    group.throughput(Throughput::Elements((COUNT * 32) as u64));
    for (name, line, conflict) in [
        ("ADD, distinct cells", "ATOM.ADD R6, [R2], R4\n", false),
        ("ADD, all conflict", "ATOM.ADD R6, [R2], R4\n", true),
        ("ADD, RZ", "ATOM.ADD RZ, [R2], R4\n", false),
        (
            "E.MAX.U64, distinct cells",
            "ATOM.E.MAX.U64 R6, [R2], R4\n",
            false,
        ),
        (
            "ADD.F32, distinct cells",
            "ATOM.ADD.F32.FTZ.RN R6, [R2], R4\n",
            false,
        ),
    ] {
        let program = program(line, conflict);
        group.bench_function(format!("{name}, no journal"), |b| {
            b.iter(|| black_box(run(black_box(&program)).steps));
        });
        group.bench_function(format!("{name}, journal"), |b| {
            b.iter(|| {
                let mut journal = Journal::default();
                let steps = run_recorded(black_box(&program), &mut journal).steps;
                black_box((steps, journal.len()))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, words, lanes);
criterion_main!(benches);

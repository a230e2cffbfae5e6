//! Benchmarks of assembling, disassembling and checking a scenario.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::Style;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::{Assembler, Program};
use lanewise_tests::judge::unhex;
use lanewise_tests::vectors::{self, Encoding};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hint::black_box;

/// Lines of `visa/encodings.jsonl`. Lines with the same declarations share an assembler.
struct Corpus {
    assemblers: Vec<Assembler>,
    lines: Vec<(usize, String, Vec<u8>)>,
}

fn corpus(tagged: bool) -> Corpus {
    let mut known = HashMap::new();
    let mut assemblers = Vec::new();
    let mut lines = Vec::new();
    for line in vectors::read::<Encoding>("visa/encodings.jsonl") {
        if !tagged && !line.tags.is_empty() {
            continue;
        }
        let key = (line.platform.clone(), line.decls.clone());
        let index = *known.entry(key).or_insert_with(|| {
            let at = Platform::named(&line.platform).unwrap();
            assemblers.push(Assembler::new(at, line.decls.iter().map(String::as_str)).unwrap());
            assemblers.len() - 1
        });
        lines.push((index, line.text, unhex(&line.bytes)));
    }
    // Lines with the same declarations are adjacent.
    lines.sort_by_key(|(index, _, _)| *index);
    Corpus { assemblers, lines }
}

fn lines_and_instructions(c: &mut Criterion) {
    for (name, tagged) in [
        ("legal lines", false),
        ("all lines, a third with warnings", true),
    ] {
        let Corpus {
            mut assemblers,
            lines,
        } = corpus(tagged);
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(lines.len() as u64));
        group.bench_function("assemble", |b| {
            b.iter(|| {
                for (index, text, _) in &lines {
                    black_box(assemblers[*index].assemble(black_box(text)).is_ok());
                }
            });
        });
        for style in [Style::Assembler, Style::Document] {
            group.bench_function(format!("disassemble, {style:?}"), |b| {
                b.iter(|| {
                    for (index, _, bytes) in &lines {
                        let read = assemblers[*index].disassemble(black_box(bytes), style);
                        black_box(read.is_ok());
                    }
                });
            });
        }
        group.finish();
    }
}

/// Scenario with a thousand lines, one in ten of which is invalid.
fn long_scenario() -> String {
    let mut text = String::new();
    for i in 32..132 {
        writeln!(text, ".decl V{i} v_type=G type=ud num_elts=16 align=GRF").unwrap();
        writeln!(text, ".init V{i} = iota({i}, 4)").unwrap();
    }
    for i in 0..800 {
        let v = |k: usize| 32 + (i * 7 + k) % 100;
        let line = match i % 20 {
            0 => format!(
                "dword_atomic.ad (M1, 16) %slm V{}.0 V{}.0 %null.0 V{}.0",
                v(0),
                v(1),
                v(2)
            ),
            10 => format!(
                "dword_atomic.add (M1, 16) %slm V{}.0 W{}.0 %null.0 V{}.0",
                v(0),
                v(1),
                v(2)
            ),
            k if k % 2 == 0 => format!(
                "DWORD_ATOMIC.XOR (16) T0 V{} V{} V0 V{} // line {i}",
                v(0),
                v(1),
                v(2)
            ),
            _ => format!(
                "dword_atomic.add (M1, 16) %slm V{}.0 V{}.0 %null.0 V{}.0",
                v(0),
                v(1),
                v(2)
            ),
        };
        writeln!(text, "{line}").unwrap();
    }
    text
}

fn check(c: &mut Criterion) {
    let text = long_scenario();
    let lines = text.lines().count();
    let program = Program::parse(&text);
    let errors = program
        .diagnostics
        .iter()
        .filter(|d| d.severity() == Severity::Error);
    println!("scenario: {lines} lines, {} errors", errors.count());
    let mut group = c.benchmark_group("scenario");
    group.throughput(Throughput::Elements(lines as u64));
    group.bench_function("1000 lines with errors", |b| {
        b.iter(|| black_box(Program::parse(black_box(&text))));
    });
    group.finish();
}

criterion_group!(benches, lines_and_instructions, check);
criterion_main!(benches);

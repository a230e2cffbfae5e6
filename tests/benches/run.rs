//! Benchmarks of lanes, and of moving through the history of a session.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use lanewise_core::machine::Journal;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run, run_recorded};
use std::fmt::Write as _;
use std::hint::black_box;
use std::rc::Rc;

const LANES: usize = 32;

/// Program of `count` instructions with 32 lanes, on distinct cells or on one.
fn program(count: usize, conflict: bool, svm: bool) -> Rc<Program> {
    let step = if conflict { 0 } else { 8 };
    let mut text = format!(
        ".decl V32 v_type=G type=ud num_elts=32 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=32 align=GRF\n\
         .decl V34 v_type=G type=ud num_elts=32 align=GRF\n\
         .decl V35 v_type=G type=uq num_elts=8 align=GRF\n\
         .decl V36 v_type=G type=uq num_elts=8 align=GRF\n\
         .decl V37 v_type=G type=uq num_elts=8 align=GRF\n\
         .slm 4096\n.region svm 0x10000 4096\n\
         .init V32 = iota(0, {step})\n.init V33 = iota(1, 1)\n\
         .init V35 = iota(0x10000, {step})\n.init V36 = iota(1, 1)\n"
    );
    let line = if svm {
        "svm_atomic.add.64 (M1, 8) V35.0 V37.0 V36.0 %null.0"
    } else {
        "dword_atomic.add (M1, 32) %slm V32.0 V33.0 %null.0 V34.0"
    };
    for _ in 0..count {
        writeln!(text, "{line}").unwrap();
    }
    let program = Program::parse(&text);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    assert_eq!(program.instructions.len(), count);
    Rc::new(program)
}

fn lanes(c: &mut Criterion) {
    const COUNT: usize = 1000;
    let mut group = c.benchmark_group("lane");
    for (name, conflict, svm) in [
        ("dword, distinct cells", false, false),
        ("dword, all conflict", true, false),
        ("svm.64, distinct cells", false, true),
        ("svm.64, all conflict", true, true),
    ] {
        let program = program(COUNT, conflict, svm);
        let per = if svm { 8 } else { LANES };
        group.throughput(Throughput::Elements((COUNT * per) as u64));
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
        group.bench_function(format!("{name}, session"), |b| {
            b.iter_batched(
                || Session::new(Rc::clone(&program)),
                |mut session| {
                    session.run_to_end();
                    session
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

fn history(c: &mut Criterion) {
    const EFFECTS: usize = 100_000;
    let mut session = Session::new(program(EFFECTS / LANES, false, false));
    session.run_to_end();
    assert_eq!(session.known(), EFFECTS);
    let mut group = c.benchmark_group("history of 100000 effects");
    group.throughput(Throughput::Elements(1));
    group.bench_function("step and step back", |b| {
        session.seek(EFFECTS / 2);
        b.iter(|| {
            black_box(session.step());
            black_box(session.step_back())
        });
    });
    group.bench_function("step over known effects", |b| {
        session.seek(0);
        b.iter(|| {
            if !session.step() {
                session.seek(0);
            }
        });
    });
    group.bench_function("step back", |b| {
        session.seek(EFFECTS);
        b.iter(|| {
            if !session.step_back() {
                session.seek(EFFECTS);
            }
        });
    });
    let mut random = 1_u64;
    group.bench_function("seek anywhere", |b| {
        b.iter(|| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let to = usize::try_from(random >> 33).unwrap() % (EFFECTS + 1);
            session.seek(black_box(to));
        });
    });
    group.finish();
}

criterion_group!(benches, lanes, history);
criterion_main!(benches);

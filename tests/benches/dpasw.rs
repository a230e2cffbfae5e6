//! Benchmarks of DPASW: arithmetic of one EU without a trace, runs of both EUs without and
//! with history, and the trace of one element.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use lanewise_core::isa::ThreadSet;
use lanewise_core::isa::visa::matrix::operands::{EuOperands, Registers, Types};
use lanewise_core::isa::visa::matrix::{MatrixOperands, Precision, Shape, dot};
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use std::hint::black_box;
use std::rc::Rc;

/// Random bits for integers; floats near 1, because subnormal arithmetic is slow on the
/// CPU.
fn registers(state: &mut u32, float: bool) -> Registers {
    let mut out = [[0; 8]; 8];
    for dword in out.as_flattened_mut() {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *dword = match float {
            true => *state & 0x83ff_83ff | 0x3c00_3c00,
            false => *state,
        };
    }
    out
}

fn one_eu(c: &mut Criterion) {
    let mut group = c.benchmark_group("one EU");
    for (w, a) in [
        ("s8", "s8"),
        ("bf", "bf"),
        ("hf", "hf"),
        ("s4", "s4"),
        ("u2", "s8"),
        ("s8", "u4"),
    ] {
        let [w, a] = [w, a].map(|name| Precision::named(name).unwrap());
        let shape = Shape::new(8, w, a, 8, 8).unwrap();
        let mut state = 1;
        let [src0, src1, src2] = [(); 3].map(|()| registers(&mut state, w.is_float()));
        group.bench_function(format!("dpasw.{}.{}.8.8", w.name(), a.name()), |b| {
            b.iter(|| {
                black_box(dot::multiply(
                    black_box(shape),
                    black_box(&src0),
                    black_box(&src1),
                    black_box(&src2),
                ))
            });
        });
    }
    group.finish();
}

const LINES: usize = 1000;

fn both_eus(c: &mut Criterion) {
    let mut text = String::from(
        ".decl D v_type=G type=d num_elts=64 align=GRF\n\
         .decl B v_type=G type=d num_elts=64 align=GRF\n\
         .decl A v_type=G type=d num_elts=32 align=GRF\n\
         .init D = random(1)\n.init B = random(2)\n.init EU0.A = random(3)\n.init EU1.A = random(4)\n",
    );
    text += &"dpasw.s8.s8.8.8 (M1, 8) D.0 D.0 B.0 A(0,0)\n".repeat(LINES);
    let program = Rc::new(Program::parse(&text));
    assert!(program.can_run(), "{:?}", program.diagnostics);
    assert_eq!(program.instructions.len(), LINES);
    let mut group = c.benchmark_group("both EUs, dpasw.s8.s8.8.8");
    group.throughput(Throughput::Elements(LINES as u64));
    group.bench_function("1000 instructions, no journal", |b| {
        b.iter(|| black_box(run(black_box(&program)).steps));
    });
    group.bench_function("1000 instructions, session", |b| {
        b.iter_batched(
            || Session::new(Rc::clone(&program)),
            |mut session| {
                session.run_to_end();
                session
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn trace(c: &mut Criterion) {
    let s8 = Precision::S8;
    let mut state = 1;
    let [src0, src1, src2] = [(); 3].map(|()| registers(&mut state, false));
    let operands = MatrixOperands {
        threads: ThreadSet::all(2),
        shape: Shape::new(8, s8, s8, 8, 8).unwrap(),
        types: Types::all(ElementType::D),
        supply: None,
        eus: vec![
            EuOperands {
                src0: [src0; 2],
                src1: [src1; 2],
                src2,
            };
            2
        ],
    };
    c.bench_function("trace of one element", |b| {
        b.iter(|| black_box(black_box(&operands).trace(1, 7, 3)));
    });
}

criterion_group!(benches, one_eu, both_eus, trace);
criterion_main!(benches);

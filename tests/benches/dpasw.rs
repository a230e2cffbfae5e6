//! How fast the arithmetic of DPASW is: one EU, no trace.

use criterion::{Criterion, criterion_group, criterion_main};
use lanewise_core::isa::visa::dpas::{Precision, Shape, dot};
use std::hint::black_box;

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
        let shape = Shape::new(w, a, 8, 8).unwrap();
        // Any bits for integers; for floats numbers near 1, for subnormal ones
        // are slow on the machine itself.
        let mut state = 1_u32;
        let mut registers = || {
            let mut out = [[0; 8]; 8];
            for dword in out.as_flattened_mut() {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *dword = match w.is_float() {
                    true => state & 0x83ff_83ff | 0x3c00_3c00,
                    false => state,
                };
            }
            out
        };
        let (src0, src1, src2) = (registers(), registers(), registers());
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

criterion_group!(benches, one_eu);
criterion_main!(benches);

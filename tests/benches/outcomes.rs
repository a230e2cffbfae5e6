//! Benchmarks of the search for outcomes of lanes on one cell.

use criterion::{Criterion, criterion_group, criterion_main};
use lanewise_core::program::Program;
use lanewise_explore::Search;
use std::hint::black_box;
use std::rc::Rc;

fn program(operation: &str, lanes: u32, equal: bool) -> Rc<Program> {
    let ty = if operation.starts_with('f') {
        "f"
    } else {
        "ud"
    };
    let values = if equal { "splat(3)" } else { "iota(1, 1)" };
    let (src1, comparand) = match operation {
        "cmpxchg" => ("V34.0", ".init V34 = iota(0, 1)\n"),
        _ => ("%null.0", ""),
    };
    let mask = u32::MAX >> (32 - lanes);
    let text = format!(
        ".decl V32 v_type=G type=ud num_elts=32 align=GRF\n\
         .decl V33 v_type=G type={ty} num_elts=32 align=GRF\n\
         .decl V34 v_type=G type={ty} num_elts=32 align=GRF\n\
         .decl V35 v_type=G type={ty} num_elts=32 align=GRF\n\
         .slm 64\n.init V33 = {values}\n{comparand}.init slm[0] : {ty} = {}\n\
         .init em = {mask:#x}\n\
         dword_atomic.{operation} (M1, 32) %slm V32.0 V33.0 {src1} V35.0\n",
        if operation == "cmpxchg" { 0 } else { 99 },
    );
    let program = Program::parse(&text);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    Rc::new(program)
}

fn outcomes(c: &mut Criterion) {
    for (lanes, equal) in [(10, false), (16, false), (32, true)] {
        let kind = if equal { "equal" } else { "distinct" };
        let mut group = c.benchmark_group(format!("outcomes of {lanes} {kind} lanes"));
        group.sample_size(10);
        for operation in ["add", "xchg", "cmpxchg", "fmin"] {
            let program = program(operation, lanes, equal);
            group.bench_function(operation, |b| {
                b.iter(|| {
                    let mut search = Search::new(Rc::clone(black_box(&program)), 1000);
                    search.finish();
                    let answer = search.result();
                    assert!(answer.complete);
                    answer.count
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, outcomes);
criterion_main!(benches);

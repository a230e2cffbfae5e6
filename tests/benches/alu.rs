//! How fast instructions that compute are executed.

use criterion::{Criterion, criterion_group, criterion_main};
use lanewise_core::isa::visa::alu::AluOp;
use lanewise_core::isa::visa::compute::{
    Computation, ComputeOperands, ComputePlan, Results, compute,
};
use lanewise_core::isa::visa::declarations::Symbol;
use lanewise_core::isa::visa::execution::{ExecSize, Execution, Predicate, PredicateId};
use lanewise_core::isa::visa::operand::VisaThread;
use lanewise_core::isa::visa::raw_operand::VariableId;
use lanewise_core::isa::visa::vector::{DirectOperand, Region, Stride, VectorOperand};
use lanewise_core::machine::{Journal, NoJournal};
use lanewise_core::program::Program;
use std::hint::black_box;

const DECLARATIONS: &str = ".target visa XEHP\n\
    .decl F0 v_type=G type=f num_elts=16 align=GRF\n\
    .decl F1 v_type=G type=f num_elts=16 align=GRF\n\
    .decl D0 v_type=G type=d num_elts=16 align=GRF\n\
    .decl D1 v_type=G type=d num_elts=16 align=GRF\n\
    .decl H0 v_type=G type=hf num_elts=16 align=GRF\n\
    .decl P1 v_type=P num_elts=16\n\
    .init F0 = iota(1.5, 0.25)\n.init F1 = iota(2.0, 1.5)\n\
    .init D0 = iota(1, 3)\n.init D1 = iota(7, 5)\n.init H0 = iota(1.0, 0.5)\n";

fn instructions(c: &mut Criterion) {
    let program = Program::parse(DECLARATIONS);
    let symbols = &program.symbols.visa;
    let thread = VisaThread { symbols, number: 0 };
    let operand = |name: &str| match symbols.symbol(name) {
        Some(Symbol::General(id)) => {
            let region = Region {
                vertical: Stride::of(8).unwrap(),
                width: Stride::of(8).unwrap(),
                horizontal: Stride::of(1).unwrap(),
            };
            VectorOperand::Direct(DirectOperand::start_of(VariableId(id), region))
        }
        Some(Symbol::Predicate(id)) => VectorOperand::Predicate(Predicate {
            id: PredicateId(id),
            ..Predicate::NONE
        }),
        symbol => panic!("{symbol:?}"),
    };
    let mut group = c.benchmark_group("16 lanes");
    for (name, computation, operands) in [
        ("mad f", Computation::Alu(AluOp::Mad), "F0 F0 F1 F1"),
        ("mad d", Computation::Alu(AluOp::Mad), "D0 D0 D1 D1"),
        ("mad hf", Computation::Alu(AluOp::Mad), "H0 H0 H0 H0"),
        ("add d", Computation::Alu(AluOp::Add), "D0 D0 D1"),
        ("mov d", Computation::Alu(AluOp::Mov), "D0 D1"),
        ("mov f from d", Computation::Alu(AluOp::Mov), "F0 D1"),
        ("cmp.lt d", Computation::Compare, "P1 D0 D1"),
        ("cmp.lt f", Computation::Compare, "P1 F0 F1"),
    ] {
        let operands: Vec<VectorOperand> = operands.split(' ').map(operand).collect();
        let operands = ComputeOperands {
            execution: Execution {
                size: ExecSize::of_lanes(16).unwrap(),
                ..Execution::default()
            },
            saturate: false,
            destination: operands[0],
            second: None,
            sources: operands[1..].to_vec(),
            // Less, for `cmp`.
            suffix: 4,
            named_address: None,
        };
        let plan = ComputePlan::new(computation, &operands, &program.symbols.visa);
        let mut machine = program.start.clone();
        let mut results = Results::default();
        group.bench_function(name, |b| {
            b.iter(|| {
                compute(black_box(&plan), &machine, thread, &mut results).unwrap();
                results.write(&mut machine, thread.number, &mut NoJournal);
            });
        });
        let mut journal = Journal::new();
        group.bench_function(format!("{name}, journal"), |b| {
            b.iter(|| {
                journal.clear();
                compute(black_box(&plan), &machine, thread, &mut results).unwrap();
                results.write(&mut machine, thread.number, &mut journal);
            });
        });
    }
}

criterion_group!(benches, instructions);
criterion_main!(benches);

//! Properties of matrix instructions: all run modes agree, step back restores every
//! state, and the description of each stage matches the machine.

use lanewise_core::isa::ThreadSet;
use lanewise_core::isa::visa::matrix::MatrixOperands;
use lanewise_core::machine::{Journal, Machine, SpaceId, StepGranularity};
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, Session, run, run_recorded};
use lanewise_tests::generate::config;
use lanewise_tests::models::products::{Products, products};
use lanewise_tests::parse::runnable;
use lanewise_tests::place::snapshot;
use proptest::prelude::*;
use proptest::sample::Index;
use std::rc::Rc;

fn program(products: &Products) -> Rc<Program> {
    Rc::new(runnable(&products.text()))
}

fn sum(session: &Session, eu: u8, channel: u8) -> u32 {
    let space = SpaceId::accumulators(eu);
    let sum = session.machine().load(space, u64::from(channel) * 4, 4);
    u32::try_from(sum.unwrap()).unwrap()
}

/// States at each position of a session.
fn states(session: &mut Session) -> Vec<Vec<(u16, u64, Vec<u8>)>> {
    let mut states = vec![snapshot(session.machine())];
    while session.step() {
        states.push(snapshot(session.machine()));
    }
    states
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn all_run_modes_end_in_the_same_state(products in products(3)) {
        let program = program(&products);
        let outcome = run(&program);
        let end = snapshot(&outcome.machine);
        let mut journal = Journal::default();
        let recorded = run_recorded(&program, &mut journal);
        prop_assert!(snapshot(&recorded.machine) == end);
        let mut machine = recorded.machine;
        for change in journal.changes().iter().rev() {
            machine.undo(change);
        }
        prop_assert!(snapshot(&machine) == snapshot(&program.start), "undone to the initial state");
        for granularity in [StepGranularity::Unit, StepGranularity::Fine] {
            let mut session = Session::with_granularity(Rc::clone(&program), granularity);
            session.run_to_end();
            prop_assert!(snapshot(session.machine()) == end);
            let channels = u64::from(products.lines[0].shape.channels());
            let each = match granularity {
                StepGranularity::Fine => channels * u64::from(program.threads),
                StepGranularity::Unit => 1,
            };
            prop_assert_eq!(session.known() as u64, outcome.steps * each);
        }
    }

    #[test]
    fn step_back_restores_every_state(products in products(2), seeks in proptest::collection::vec(any::<Index>(), 6)) {
        for granularity in [StepGranularity::Unit, StepGranularity::Fine] {
            let mut session = Session::with_granularity(program(&products), granularity);
            let states = states(&mut session);
            for index in &seeks {
                let to = index.index(states.len());
                session.seek(to);
                prop_assert!(snapshot(session.machine()) == states[to], "seek to {to}");
                if session.step_back() {
                    prop_assert!(snapshot(session.machine()) == states[to - 1], "back from {to}");
                }
            }
        }
    }

    #[test]
    fn stage_descriptions_match_the_machine(products in products(2)) {
        let program = program(&products);
        // State at the start of each instruction.
        let mut before: Vec<MatrixOperands> = Vec::new();
        let mut session = Session::new(Rc::clone(&program));
        for (index, placed) in program.instructions.iter().enumerate() {
            let Some(dpasw) = placed.instruction.matrix() else {
                unreachable!("only products");
            };
            before.push(dpasw.latched(ThreadSet::all(program.threads), &program.symbols, session.machine()).unwrap());
            while session.next_instruction() == Some(index) && session.step() {}
        }
        let mut session = Session::new(Rc::clone(&program));
        let mut done = 0;
        let mut last = 0;
        while session.step() {
            let index = session.last_instruction().unwrap();
            done = if index == last { done + 1 } else { 1 };
            last = index;
            let matrix = session.matrix(IssueIndex(index.try_into().unwrap()), false).unwrap();
            prop_assert_eq!(&matrix.operands, &before[index], "latched");
            prop_assert_eq!(matrix.done, done);
            let at = matrix.at.unwrap();
            prop_assert_eq!(u32::from(at.row) * u32::from(matrix.operands.shape.sd()) + u32::from(at.d) + 1, done);
            prop_assert_eq!(matrix.done_in(at.row), at.d + 1);
            let last = matrix.operands.shape.channels() - 1;
            for (eu, channel) in [(0, 0), (program.threads - 1, 3), (program.threads - 1, last)] {
                let trace = matrix.operands.trace(eu, at.row, channel);
                let wanted = trace.sums[usize::from(at.d)];
                prop_assert_eq!(sum(&session, eu, channel), wanted);
                // The products of a stage give its sum.
                for pair in trace.products.chunk_by(|a, b| a.stage == b.stage) {
                    let (first, last) = (pair[0], pair[pair.len() - 1]);
                    prop_assert_eq!(usize::from(first.k), usize::from(first.stage) * pair.len());
                    prop_assert_eq!(last.sum, trace.sums[usize::from(last.stage)]);
                }
            }
            let summary = session.summary();
            let lead = format!("Row {}, stage {}: ", at.row, at.d);
            prop_assert!(summary.starts_with(&lead) && summary.contains(" → "), "{}", summary);
            let state = session.pseudocode_state().unwrap();
            prop_assert_eq!(&state.variables[0], &("r", at.row.to_string()));
        }
    }
}

#[test]
fn stage_sentences() {
    let text = "\
.decl D v_type=G type=d num_elts=16 align=GRF
.decl B v_type=G type=d num_elts=64 align=GRF
.decl A v_type=G type=d num_elts=8 align=GRF
.init D = splat(40)
.init B = splat(0x01010101)
.init A = splat(0x03030303)
dpasw.s8.s8.8.2 (M1, 8) D.0 D.0 B.0 A(0,0)
";
    let program = Rc::new(Program::parse(text));
    let mut session = Session::new(Rc::clone(&program));
    session.run_to_end();
    assert_eq!(
        session.summary(),
        "Row 1, stage 7: both EUs add k 28–31 from EU1.r10; EU0 sum[1][0] 124 + 12 → 136; row 1 of Dst is written"
    );
    let mut session = Session::with_granularity(program, StepGranularity::Fine);
    session.run_to_end();
    session.seek(14);
    assert_eq!(
        session.summary(),
        "Row 0, stage 0: EU1 channel 5 adds k 0–3 from EU0.r10; EU1 sum[0][5] 40 + 12 → 52"
    );
}

/// A product is the sum of the stages within its depth, including the sign of zero.
#[test]
fn only_stages_within_the_depth_are_added() {
    for depth in [1, 2, 4, 8] {
        let program = runnable(&format!(
            ".decl D v_type=G type=f num_elts=8 align=GRF\n\
             .decl C v_type=G type=f num_elts=8 align=GRF\n.init C = splat(-0.0)\n\
             .decl B v_type=G type=ud num_elts=64 align=GRF\n.init B = splat(0x80008000)\n\
             .decl A v_type=G type=ud num_elts=8 align=GRF\n.init A = splat(0x3f803f80)\n\
             dpas.bf.bf.{depth}.1 (M1, 8) D.0 C.0 B.0 A(0,0)\n"
        ));
        let at = program.symbols.visa.general(32).expect("D").offset.into();
        let dst = |machine: &Machine| machine.load(SpaceId::registers(0), at, 4);
        let straight = run(&program).machine;
        let mut session = Session::new(Rc::new(program));
        session.run_to_end();
        let wanted = Some(0x8000_0000);
        assert_eq!(
            [dst(&straight), dst(session.machine())],
            [wanted; 2],
            "{depth}"
        );
    }
}

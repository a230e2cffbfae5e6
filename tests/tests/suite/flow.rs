//! Control flow: the programs of `visa/flow.jsonl`, run and stepped; fuel,
//! faults, labels, barriers.

use lanewise_core::isa::FaultKind;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::number::parse_literal;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use lanewise_tests::parse::runnable;
use lanewise_tests::place::{self, whole_snapshot};
use lanewise_tests::vectors;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A line of `visa/flow.jsonl`.
#[derive(Deserialize)]
struct FlowProgram {
    name: String,
    text: String,
    /// Elements of variables, bits of predicates.
    expect: BTreeMap<String, String>,
}

fn programs() -> Vec<FlowProgram> {
    vectors::read("visa/flow.jsonl")
}

fn parse(text: &str) -> Rc<Program> {
    Rc::new(runnable(text))
}

/// The codes of the errors of a text.
fn errors(text: &str) -> Vec<&'static str> {
    let program = Program::parse(text);
    let errors = program.diagnostics.iter();
    let errors = errors.filter(|d| d.rule.code.starts_with('E'));
    errors.map(|d| d.rule.code).collect()
}

#[test]
fn recorded_programs_leave_the_recorded_registers() {
    let programs = programs();
    assert_eq!(programs.len(), 12);
    for case in &programs {
        let program = parse(&case.text);
        let result = run(&program);
        assert_eq!(result.fault, None, "{}", case.name);
        for (name, expected) in &case.expect {
            let expected: Vec<&str> = expected.split(", ").collect();
            let (found, ty) = place::load(&program, &result.machine, name, expected.len())
                .unwrap_or_else(|why| panic!("{}: {name}: {why}", case.name));
            let expected = expected.iter().map(|e| parse_literal(e, ty).unwrap());
            assert_eq!(
                found,
                expected.collect::<Vec<u64>>(),
                "{}: {name}",
                case.name
            );
        }
    }
}

#[test]
fn stepping_back_through_branches_undoes_them() {
    for case in programs() {
        let mut session = Session::new(parse(&case.text));
        let mut states = vec![(
            whole_snapshot(session.machine()),
            session.next_instruction(),
        )];
        while session.step() {
            states.push((
                whole_snapshot(session.machine()),
                session.next_instruction(),
            ));
        }
        assert!(
            session.at_end() && session.fault().is_none(),
            "{}",
            case.name
        );
        for (position, state) in states.iter().enumerate().rev() {
            session.seek(position);
            let found = (
                whole_snapshot(session.machine()),
                session.next_instruction(),
            );
            assert!(found == *state, "{}: position {position}", case.name);
        }
    }
}

#[test]
fn instructions_of_a_loop_count_their_hits() {
    let case = &programs()[2];
    let mut session = Session::new(parse(&case.text));
    session.run_to_end();
    // Nine rounds of five instructions, then `ret`.
    assert_eq!(session.hit_counts(), [9, 9, 9, 9, 9, 1]);
    assert_eq!(session.issue_starts().count(), 46);
}

#[test]
fn an_endless_loop_ends_at_its_fuel() {
    let text = ".fuel 1000\nLOOP:\ngoto (M1, 16) LOOP\nret (M1, 1)\n";
    let program = parse(text);
    let result = run(&program);
    let fault = result.fault.expect("the fuel is spent");
    assert_eq!(fault.kind, FaultKind::OutOfFuel);
    assert_eq!(result.instructions, 1000);
    assert!(fault.message.contains("line 3"), "{}", fault.message);
    let mut session = Session::new(program);
    session.run_to_end();
    assert_eq!(session.fault(), Some(&fault));
    assert!(session.step_back() && session.fault().is_none());
}

#[test]
fn recursion_is_bounded() {
    let text =
        "call (M1, 16) SUB\nret (M1, 1)\n.function SUB\nSUB:\ncall (M1, 16) SUB\nret (M1, 16)\n";
    let result = run(&parse(text));
    assert_eq!(result.fault.map(|f| f.kind), Some(FaultKind::CallTooDeep));
}

#[test]
fn an_instruction_that_is_not_modelled_stops_the_run() {
    let text = ".target visa SKL\n\
                .decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
                .decl V33 v_type=G type=f num_elts=16 align=GRF\n\
                add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 1:ud\n\
                dp4 (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0> V33(0,0)<1;1,0>\n\
                add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 1:ud\n";
    let program = parse(text);
    let result = run(&program);
    let fault = result.fault.expect("dp4 is not modeled");
    assert_eq!((fault.kind, fault.instruction), (FaultKind::NotModelled, 1));
    assert!(fault.message.contains("`dp4`"), "{}", fault.message);
    let (values, _) = place::load(&program, &result.machine, "V32", 1).unwrap();
    assert_eq!(values, [1]);
}

#[test]
fn labels_are_defined_once_and_branches_name_them() {
    assert_eq!(errors("goto (M1, 1) NOWHERE\n"), ["E0377"]);
    let twice = "A:\ngoto (M1, 1) A\nA:\nret (M1, 1)\n";
    assert_eq!(errors(twice), ["E0376"]);
    assert_eq!(errors("goto (M1, 1)\n"), ["E0309"]);
    assert_eq!(errors("switchjmp (M1, 1) 0:ud ()\n"), ["E0374"]);
}

#[test]
fn only_functions_may_have_the_name_of_an_instruction() {
    let text = "call (M1, 16) mul\nret (M1, 1)\n.function \"mul\"\nmul:\nret (M1, 16)\n";
    assert_eq!(run(&parse(text)).fault, None);
    assert_eq!(errors("goto (M1, 1) mul\nmul:\nret (M1, 1)\n"), ["E0374"]);
}

#[test]
fn a_target_line_keeps_labels_that_are_defined_later() {
    let text = ".target visa XEHP\ngoto (M1, 1) LATER\nLATER:\nret (M1, 1)\n";
    assert_eq!(run(&parse(text)).fault, None);
}

#[test]
fn a_switch_beyond_its_labels_has_no_target() {
    let text = |index: u32| {
        format!(
            ".target visa SKL\n.decl V32 v_type=G type=d num_elts=1 align=GRF\n\
             switchjmp (M1, 1) {index}:ud (A, B)\nA:\nmov (M1_NM, 1) V32(0,0)<1> 1:d\n\
             ret (M1, 1)\nB:\nmov (M1_NM, 1) V32(0,0)<1> 2:d\nret (M1, 1)\n"
        )
    };
    for (index, expected) in [(0, 1), (1, 2)] {
        let program = parse(&text(index));
        let result = run(&program);
        assert_eq!(result.fault, None);
        let (values, _) = place::load(&program, &result.machine, "V32", 1).unwrap();
        assert_eq!(values, [expected]);
    }
    let fault = run(&parse(&text(2))).fault;
    assert_eq!(fault.map(|f| f.kind), Some(FaultKind::BadTarget));
}

#[test]
fn the_eus_of_a_pair_may_diverge_and_meet_at_a_barrier() {
    let text = ".threads 2\n\
                .decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
                .decl P1 v_type=P num_elts=8\n\
                .init em = 0xff\n\
                .init EU0.P1 = 0xff\n\
                (P1) goto (M1, 8) LATER\n\
                dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 %null.0\n\
                LATER:\n\
                barrier\n\
                dword_atomic.add (M1, 8) %slm V32.0 V32.0 %null.0 V33.0\n\
                ret (M1, 1)\n";
    let program = parse(text);
    let mut session = Session::new(Rc::clone(&program));
    session.run_to_end();
    assert_eq!(session.fault(), None);
    let states = [0, 1].map(|thread| Control::new(session.machine(), thread).state());
    assert_eq!(states, [ThreadState::Ended; 2]);
    // EU1 alone has incremented, before either reads.
    for eu in ["EU0.V33", "EU1.V33"] {
        let (values, _) = place::load(&program, session.machine(), eu, 8).unwrap();
        assert_eq!(values, [8; 8], "{eu}");
    }
}

#[test]
fn an_edit_behind_a_branch_keeps_the_history_before_it() {
    let text = |last: u32| {
        format!(
            ".decl V32 v_type=G type=ud num_elts=16 align=GRF\n.decl P1 v_type=P num_elts=16\n\
             .init em = 0xffff\nLOOP:\n\
             add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 1:ud\n\
             cmp.lt (M1, 16) P1 V32(0,0)<1;1,0> 5:ud\n(P1) goto (M1, 16) LOOP\n\
             add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> {last}:ud\nret (M1, 1)\n"
        )
    };
    let mut session = Session::new(parse(&text(1)));
    session.run_to_end();
    let whole = session.known();
    assert!(session.replace_program(parse(&text(2))));
    assert_eq!(session.known(), whole - 2);
    session.run_to_end();
    let mut fresh = Session::new(parse(&text(2)));
    fresh.run_to_end();
    assert_eq!(
        whole_snapshot(session.machine()),
        whole_snapshot(fresh.machine())
    );
}

#[test]
fn a_scatter_whose_address_register_is_computed_faults_where_it_points_nowhere() {
    let text = |bytes: u32| {
        format!(
            ".decl A0 v_type=A num_elts=1\n\
             .decl V32 v_type=G type=uq num_elts=8 align=GRF\n\
             .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
             .region svm 0x1000 4096\n.init V32 = 0, 0x1000, 0, 0, 0, 0, 0, 0\n\
             addr_add (M1_NM, 1) A0(0)<1> &V32[0] {bytes}:uw\n\
             svm_scatter4scaled.R (M1, 8) r[A0(0),0]<0;1,0>:uq V32.0 V33.0\n"
        )
    };
    assert_eq!(
        run(&parse(&text(8))).fault.map(|f| f.kind),
        Some(FaultKind::Unmapped)
    );
    let fault = run(&parse(&text(0xfff0))).fault.expect("it points nowhere");
    assert_eq!((fault.kind, fault.place), (FaultKind::OutOfRange, None));
}

#[test]
fn a_scatter_whose_address_register_is_negative_faults() {
    let fault = run(&parse(
        ".decl A0 v_type=A num_elts=1\n\
         .decl V32 v_type=G type=uq num_elts=8 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
         addr_add (M1_NM, 1) A0(0)<1> &V32[0] -8:w\n\
         svm_scatter4scaled.R (M1, 8) r[A0(0),0]<0;1,0>:uq V32.0 V33.0\n",
    ))
    .fault
    .expect("no register lies in the last eight bytes below 4 GB");
    assert_eq!((fault.kind, fault.place), (FaultKind::OutOfRange, None));
}

/// The codes of the warnings of a run, which a session reports, too.
fn warnings(text: &str) -> Vec<&'static str> {
    let program = parse(text);
    let result = run(&program);
    let mut session = Session::new(program);
    assert_eq!(session.warnings().count(), 0);
    session.run_to_end();
    assert!(
        session
            .warnings()
            .eq(result.warnings.iter().map(|(at, found)| (*at, found))),
        "{text}"
    );
    result
        .warnings
        .values()
        .map(|found| found.rule.code)
        .collect()
}

#[test]
fn undefined_uses_of_waiting_channels_are_reported() {
    let divergent = |last: &str| {
        format!(
            ".decl P1 v_type=P num_elts=16\n.init P1 = 0xff\n.init em = 0xffff\n\
             (P1) goto (M1, 16) L\n{last}\nL:\nyield\nEND:\nret (M1, 1)\n"
        )
    };
    assert!(warnings(&divergent("goto (M1, 16) L")).is_empty());
    assert_eq!(warnings(&divergent("barrier")), ["W0710"]);
    assert_eq!(warnings(&divergent("jmp (M1, 1) END")), ["W0711"]);
    assert_eq!(warnings(&divergent("ret (M1, 1)")), ["W0712"]);
    assert!(warnings(&divergent("jmp (M1, 1) L")).is_empty());
}

#[test]
fn a_function_is_called_by_its_address() {
    let text = ".decl V32 v_type=G type=uq num_elts=1 align=qword\n\
        .decl V33 v_type=G type=ud num_elts=16 align=GRF\n\
        faddr SUB V32(0,0)<1>\nifcall (M1, 16) V32(0,0)<0;1,0> 0 0\nret (M1, 1)\n\
        .function SUB\nSUB:\nmov (M1, 16) V33(0,0)<1> 7:ud\nfret (M1, 16)\n";
    let program = parse(text);
    let result = run(&program);
    assert_eq!(result.fault, None);
    let (found, _) = place::load(&program, &result.machine, "V33", 16).unwrap();
    assert_eq!(found, [7; 16]);
    let result = run(&parse(&text.replace("faddr SUB", "faddr \".str\"")));
    assert_eq!(result.fault.map(|f| f.kind), Some(FaultKind::NotModelled));
}

#[test]
fn branches_stay_in_their_subroutine() {
    let sub = ".function SUB\nSUB:\nIN:\nret (M1, 16)\n";
    let codes = |text: &str| {
        let program = parse(&format!("{text}\n{sub}"));
        let codes = program.diagnostics.iter().map(|d| d.rule.code);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(codes("goto (M1, 16) IN"), ["W0478"]);
    assert_eq!(codes("call (M1, 16) SUB"), ["W0477"]);
    assert_eq!(codes("call (M1, 16) SUB\nret (M1, 16)"), [""; 0]);
    assert_eq!(errors("A:\nA:\nret (M1, 16)\n"), ["E0376"]);
}

/// Two threads that add to a cell each, in a loop, and meet at a barrier.
const THREADS: &str = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
    .decl V33 v_type=G type=ud num_elts=8 align=GRF\n.decl P1 v_type=P num_elts=8\n\
    .launch global=16 local=16\n.simd 8\n.init V33 = splat(3)\n\
    LOOP:\nadd (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 1:ud\n\
    cmp.lt (M1, 8) P1 V32(0,0)<1;1,0> V33(0,0)<1;1,0>\n(P1) goto (M1, 8) LOOP\n\
    barrier\nret (M1, 1)\n";

#[test]
fn threads_take_turns_in_a_round_robin_schedule() {
    let issues = |text: &str| {
        let mut session = Session::new(parse(text));
        session.run_to_end();
        let threads = session.issues().map(|issue| issue.threads.first());
        (
            threads.collect::<Vec<u8>>(),
            whole_snapshot(session.machine()),
        )
    };
    let (sequential, _) = issues(THREADS);
    let (turns, _) = issues(&format!(".schedule round-robin\n{THREADS}"));
    assert!(sequential.starts_with(&[0; 10]), "{sequential:?}");
    assert!(turns.starts_with(&[0, 1, 0, 1, 0, 1]), "{turns:?}");
    assert_eq!(sequential.len(), turns.len());
}

/// Two threads of eight lanes: thread 0 stores to local memory and signals; `own` runs on
/// thread 1, which loads what thread 0 has stored.
fn named_barrier(producer: &str, consumer: &str) -> String {
    format!(
        ".target visa PVC\n.decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=16 align=GRF\n.decl P1 v_type=P num_elts=8\n\
         .decl V34 v_type=G type=ud num_elts=1 align=dword alias=<%r0, 8>\n\
         .decl V35 v_type=G type=uw num_elts=8 align=GRF\n\
         .launch global=16 local=16\n.simd 8\n.slm 64\n.bind V35 = local_id.x\n\
         cmp.ge (M1, 8) P1 V35(0,0)<1;1,0> 8:uw\n(P1) goto (M1, 8) CONSUMER\n\
         mov (M1, 8) V32(0,0)<1> 7:ud\nmov (M1, 8) V33(0,0)<1> 0:ud\n\
         {producer}ret (M1, 1)\n\
         CONSUMER:\n{consumer}ret (M1, 1)\n"
    )
}

const STORE: &str = "lsc_store.slm (M1, 1) flat[V33]:a32 V32:d32\n";
const LOAD: &str = "lsc_load.slm (M1, 1) V32:d32 flat[V33]:a32\n";
const MEET: &str = "nbarrier.signal 3:ub 2:ub\nnbarrier.wait 3:ub\n";

#[test]
fn threads_meet_at_a_named_barrier() {
    // Thread 0 loads what thread 1 stores afterwards in a sequential schedule, twice.
    let producer = format!("{MEET}{LOAD}{MEET}");
    let consumer = format!("mov (M1, 8) V32(0,0)<1> 9:ud\n{STORE}{MEET}{MEET}");
    for schedule in ["", ".schedule round-robin\n"] {
        let text = named_barrier(&producer, &consumer);
        let program = parse(&text.replace("PVC\n", &format!("PVC\n{schedule}")));
        let mut session = Session::new(Rc::clone(&program));
        session.run_to_end();
        assert_eq!(session.fault(), None, "{schedule}");
        let found = place::load(&program, session.machine(), "V32", 1);
        assert_eq!(found.unwrap().0, [9], "{schedule}");
        let end = whole_snapshot(session.machine());
        assert!(end == whole_snapshot(&run(&program).machine));
        while session.step_back() {}
        assert!(whole_snapshot(&program.start) == whole_snapshot(session.machine()));
    }
}

#[test]
fn a_named_barrier_that_never_completes_is_a_fault() {
    let fault = |producer: &str, consumer: &str| {
        let fault = run(&parse(&named_barrier(producer, consumer))).fault;
        let fault = fault.expect("a fault");
        assert_eq!(fault.kind, FaultKind::Undefined);
        fault.message
    };
    let message = fault(MEET, "");
    assert!(message.contains("waits forever"), "{message}");
    let message = fault("nbarrier.wait 3:ub\n", MEET);
    assert!(message.contains("not signalled"), "{message}");
    let message = fault(MEET, "nbarrier.signal 3:ub 1:ub\n");
    assert!(message.contains("different numbers"), "{message}");
    let message = fault("nbarrier.signal 3:ub 2:ub\nnbarrier.signal 3:ub 2:ub\n", "");
    assert!(message.contains("has not waited"), "{message}");
    let message = fault("nbarrier.signal 3:ub 3:ub\n", "");
    assert!(message.contains("1 to 2 threads"), "{message}");
    let message = fault("nbarrier.signal 32:ub 2:ub\n", "");
    assert!(message.contains("0 to 31"), "{message}");
}

#[test]
fn threads_that_signal_in_one_issue_must_agree() {
    let text = ".target visa PVC\n.threads 2\n\
        .decl V33 v_type=G type=ub num_elts=1 align=dword\n\
        .init EU0.V33 = 2\n.init EU1.V33 = 1\nnbarrier.signal 3:ub V33(0,0)<0;1,0>\n";
    let fault = run(&parse(text)).fault.expect("a fault");
    assert_eq!(fault.kind, FaultKind::Undefined);
    let message = fault.message;
    assert!(message.contains("different numbers"), "{message}");
}

#[test]
fn last_work_group_has_the_remaining_items() {
    use lanewise_core::session::run_launch;
    let text = "\
.target visa XEHP
.launch global=40 local=32 group=1
.simd 16
.decl V40 v_type=G type=ud num_elts=3 align=GRF
.decl V41 v_type=G type=ud num_elts=3 align=GRF
.bind V40 = local_size
.bind V41 = enqueued_local_size
barrier
ret (M1, 16)
";
    let program = runnable(text);
    let launch = program.launch.as_ref().expect("a launch");
    assert_eq!(launch.groups(), [2, 1, 1]);
    let mut machine = program.start.clone();
    launch.enter_group(&program.symbols.visa, 1, &mut machine);
    let first = Control::new(&machine, 0);
    assert_eq!(
        (first.state(), first.active()),
        (ThreadState::Running, 0xff)
    );
    assert_eq!(Control::new(&machine, 1).state(), ThreadState::Ended);
    for (name, size) in [("V40", 8), ("V41", 32)] {
        let (_, variable) = program
            .symbols
            .visa
            .generals()
            .find(|(_, variable)| &*variable.name == name)
            .expect("it is declared");
        let space = lanewise_core::machine::SpaceId::registers(0);
        let found = machine.load(space, variable.offset.into(), 4);
        assert_eq!(found, Some(size), "{name}");
    }
    assert_eq!(run_launch(&program).fault, None);
}

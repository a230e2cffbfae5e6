//! Arithmetic, conflicts and bounds of atomics, compared with `exec/atomics.jsonl`. Each
//! case is run as a scenario.

use lanewise_core::machine::Machine;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use lanewise_explore::{Outcome, Search};
use lanewise_tests::judge::{hex, unhex};
use lanewise_tests::place::{self, snapshot};
use lanewise_tests::report::{self, Report};
use lanewise_tests::vectors::{self, Atomic, Bytes};
use std::fmt::Write as _;
use std::rc::Rc;

/// Scenario of a case, with the lane order `order`.
fn scenario(case: &Atomic, order: &[usize]) -> String {
    let wide = case.width == 64;
    let ty = match case.op.as_str() {
        "imin" | "imax" | "predec" if wide => "q",
        "imin" | "imax" | "predec" => "d",
        "fmin" | "fmax" | "fcmpwr" => "f",
        _ if wide => "uq",
        _ => "ud",
    };
    let count = case.exec_size;
    // Use a small SLM for small snapshots.
    let mut text = String::from(".slm 64\n");
    let mut variable = |name: &str, ty: &str, values: Option<&Vec<String>>| {
        let Some(values) = values else {
            return "V0".to_owned();
        };
        let declared = format!(".decl {name} v_type=G type={ty} num_elts={count} align=GRF");
        writeln!(text, "{declared}\n.init {name} = {}", values.join(", ")).unwrap();
        name.to_owned()
    };
    let is_surface = case.instr == "DWORD_ATOMIC";
    let address_type = if is_surface { "ud" } else { "uq" };
    let addresses = case.offsets.as_ref().or(case.addresses.as_ref());
    let address = variable("address", address_type, addresses);
    let src0 = variable("src0", ty, case.src0.as_ref());
    let src1 = variable("src1", ty, case.src1.as_ref());
    let dst = variable("dst", ty, case.dst_before.as_ref());
    if is_surface {
        let bytes = case.surface_size.unwrap();
        writeln!(text, ".decl T6 v_type=T\n.surface T6 {bytes}").unwrap();
    }
    for (start, bytes) in &case.memory_before {
        let place = if is_surface { "T6" } else { "svm" };
        if !is_surface {
            writeln!(text, ".region svm {start} {}", bytes.len() / 2).unwrap();
        }
        let values: Vec<String> = unhex(bytes).iter().map(u8::to_string).collect();
        writeln!(text, ".init {place}[{start}] : ub = {}", values.join(", ")).unwrap();
    }
    let mask = case
        .chen
        .iter()
        .rev()
        .fold(0_u32, |m, bit| m * 2 + u32::from(*bit));
    writeln!(text, ".init em = {mask:#x}").unwrap();
    if !order.is_empty() {
        let lanes: Vec<String> = order.iter().map(usize::to_string).collect();
        writeln!(text, ".order {}", lanes.join(" ")).unwrap();
    }
    let suffix = match case.width {
        32 => String::new(),
        width => format!(".{width}"),
    };
    let lead = format!("{}.{}{suffix} (M1, {count})", case.instr, case.op);
    if is_surface {
        writeln!(text, "{lead} T6 {address} {src0} {src1} {dst}").unwrap();
    } else {
        writeln!(text, "{lead} {address} {dst} {src0} {src1}").unwrap();
    }
    text
}

/// Final memory and lanes of dst.
#[derive(Debug, PartialEq)]
struct Left {
    memory: Bytes,
    dst: Option<Vec<u64>>,
}

/// Runs a case and steps through it; both must end in the same state.
fn final_state(case: &Atomic, order: &[usize]) -> Result<Left, String> {
    let text = scenario(case, order);
    let program = Program::parse(&text);
    let bad: Vec<String> = program
        .diagnostics
        .iter()
        .filter(|d| !d.rule.code.starts_with('N'))
        .map(|d| format!("{} {}", d.rule.code, d.what))
        .collect();
    if !bad.is_empty() {
        return Err(format!("{}\n{text}", bad.join("\n")));
    }
    let program = Rc::new(program);
    let outcome = run(&program);
    if let Some(fault) = outcome.fault {
        return Err(fault.message);
    }
    let mut session = Session::new(Rc::clone(&program));
    while session.step() {}
    if snapshot(session.machine()) != snapshot(&outcome.machine) {
        return Err("a session and a run end in different states".into());
    }
    left(case, &program, &outcome.machine)
}

/// Memory and dst of a machine.
fn left(case: &Atomic, program: &Program, machine: &Machine) -> Result<Left, String> {
    let place = if case.instr == "DWORD_ATOMIC" {
        "T6"
    } else {
        "svm"
    };
    let mut memory = Bytes::new();
    for (start, bytes) in &case.memory_before {
        let from = format!("{place}[{start}] : ub");
        let (values, _) = place::load(program, machine, &from, bytes.len() / 2)?;
        let bytes: Vec<u8> = values.iter().map(|v| u8::try_from(*v).unwrap()).collect();
        memory.insert(start.clone(), hex(&bytes));
    }
    let dst = match case.dst_before {
        None => None,
        Some(_) => Some(place::load(program, machine, "dst", case.exec_size)?.0),
    };
    Ok(Left { memory, dst })
}

fn number(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

fn defined(case: &Atomic) -> u64 {
    case.dst_defined_mask.as_deref().map_or(u64::MAX, number)
}

fn same_dst(case: &Atomic, got: Option<&Vec<u64>>, wanted: Option<&Vec<String>>) -> bool {
    let mask = defined(case);
    match (got, wanted) {
        (None, None) => true,
        (Some(got), Some(wanted)) => {
            got.len() == wanted.len()
                && got
                    .iter()
                    .zip(wanted)
                    .all(|(g, w)| g & mask == number(w) & mask)
        }
        _ => false,
    }
}

/// Lane orders to try if lanes conflict.
fn orders(case: &Atomic) -> Vec<Vec<usize>> {
    let lanes: Vec<usize> = (0..case.exec_size).collect();
    let mut rotated = lanes.clone();
    rotated.rotate_left(case.exec_size / 2);
    vec![Vec::new(), lanes.iter().rev().copied().collect(), rotated]
}

fn check(case: &Atomic) -> Result<(), String> {
    let mut runs = Vec::new();
    for order in orders(case) {
        runs.push(final_state(case, &order)?);
    }
    let disagree = |what: &str, left: &Left| Err(format!("{what}: {left:x?}"));
    for left in &runs {
        if let Some(outcomes) = &case.outcomes {
            let found = outcomes.iter().any(|end| {
                end.memory_after == left.memory
                    && same_dst(case, left.dst.as_ref(), end.dst_after.as_ref())
            });
            if !found {
                return disagree("none of the outcomes", left);
            }
            continue;
        }
        if let Some(memory) = &case.memory_after
            && *memory != left.memory
        {
            return disagree("memory", left);
        }
        if case.one_serial_order.is_none()
            && !same_dst(case, left.dst.as_ref(), case.dst_after.as_ref())
        {
            return disagree("dst", left);
        }
        check_multisets(case, left)?;
    }
    if let Some(serial) = &case.one_serial_order {
        let left = final_state(case, &serial.order)?;
        if serial.memory_after != left.memory
            || !same_dst(case, left.dst.as_ref(), serial.dst_after.as_ref())
        {
            return disagree("the given order", &left);
        }
    }
    Ok(())
}

/// Checks the values returned to each group, in any order.
fn check_multisets(case: &Atomic, left: &Left) -> Result<(), String> {
    let (Some(groups), Some(dst)) = (&case.dst_multisets, &left.dst) else {
        return Ok(());
    };
    let mask = defined(case);
    for group in groups {
        let mut got: Vec<u64> = group.lanes.iter().map(|l| dst[*l] & mask).collect();
        let mut wanted: Vec<u64> = group.values.iter().map(|v| number(v) & mask).collect();
        got.sort_unstable();
        wanted.sort_unstable();
        if got != wanted {
            return Err(format!(
                "lanes {:?} return {got:x?}, expected {wanted:x?}",
                group.lanes
            ));
        }
    }
    Ok(())
}

/// Checks that a search finds exactly the outcomes in the vectors.
fn check_outcomes(case: &Atomic) -> Result<(), String> {
    let program = Rc::new(Program::parse(&scenario(case, &[])));
    let mut search = Search::new(Rc::clone(&program), 65_536);
    search.finish();
    let answer = search.result();
    let left = |end: &Outcome| left(case, &program, &end.machine(&program));
    let found: Vec<Left> = answer.outcomes.iter().map(left).collect::<Result<_, _>>()?;
    if let Some(outcomes) = &case.outcomes {
        if !answer.complete || answer.count.to_usize() != Some(outcomes.len()) {
            let count = outcomes.len();
            return Err(format!("{} outcomes, expected {count}", answer.count));
        }
        for end in outcomes {
            let same = |left: &&Left| {
                end.memory_after == left.memory
                    && same_dst(case, left.dst.as_ref(), end.dst_after.as_ref())
            };
            if found.iter().filter(same).count() != 1 {
                return Err(format!("not exactly once among the outcomes: {end:?}"));
            }
        }
        return Ok(());
    }
    if found.is_empty() {
        return Err("no outcomes".into());
    }
    for left in &found {
        if case
            .memory_after
            .as_ref()
            .is_some_and(|m| *m != left.memory)
        {
            return Err(format!("memory of an outcome: {left:x?}"));
        }
        if case.one_serial_order.is_none()
            && !same_dst(case, left.dst.as_ref(), case.dst_after.as_ref())
        {
            return Err(format!("dst of an outcome: {left:x?}"));
        }
        check_multisets(case, left)?;
    }
    Ok(())
}

#[test]
fn outcomes() {
    let mut report = Report::new(
        &report::DOCUMENTS,
        "DWORD_ATOMIC and SVM_ATOMIC: every outcome",
    );
    for case in vectors::read::<Atomic>("exec/atomics.jsonl") {
        let class = match (&case.outcomes, &case.dst_multisets, &case.one_serial_order) {
            (Some(_), _, _) => "few lanes conflict: exactly the outcomes",
            (_, Some(_), _) => "equal lanes conflict: memory and multisets of every outcome",
            (_, _, Some(_)) => "many lanes conflict: memory of every outcome",
            _ => "no conflict: one outcome",
        };
        let result = check_outcomes(&case).map_err(|e| format!("{} {}\n{e}", case.id, case.op));
        report.count(class, result);
    }
    report.finish(
        572,
        &[
            ("few lanes conflict: exactly the outcomes", 175),
            (
                "equal lanes conflict: memory and multisets of every outcome",
                60,
            ),
            ("many lanes conflict: memory of every outcome", 38),
            ("no conflict: one outcome", 299),
        ],
    );
}

#[test]
fn atomics() {
    let mut report = Report::new(&report::EMULATION, "DWORD_ATOMIC and SVM_ATOMIC: execution");
    let mut emulated = 0;
    for case in vectors::read::<Atomic>("exec/atomics.jsonl") {
        let class = match (&case.outcomes, &case.one_serial_order) {
            (Some(_), _) => "few lanes conflict: one of the outcomes",
            (_, Some(_)) => "many lanes conflict: memory, multisets and one order",
            _ if case.flags.iter().any(|f| f == "oob") => "out of bounds",
            _ => "no conflict: memory and dst",
        };
        let class = format!("{}.{}: {class}", case.instr, case.width);
        emulated += usize::from(case.observed.as_deref() == Some("match"));
        let result =
            check(&case).map_err(|e| format!("{} {} ({})\n{e}", case.id, case.op, case.kind));
        report.count(&class, result);
    }
    println!("  {emulated} of these match Intel's CPU emulation");
    assert_eq!(emulated, 147, "cases that match the emulation");
    report.finish(572, &ATOMICS);
}

const ATOMICS: [(&str, usize); 17] = [
    (
        "DWORD_ATOMIC.16: few lanes conflict: one of the outcomes",
        33,
    ),
    (
        "DWORD_ATOMIC.16: many lanes conflict: memory, multisets and one order",
        21,
    ),
    ("DWORD_ATOMIC.16: no conflict: memory and dst", 63),
    ("DWORD_ATOMIC.16: out of bounds", 12),
    (
        "DWORD_ATOMIC.32: few lanes conflict: one of the outcomes",
        40,
    ),
    (
        "DWORD_ATOMIC.32: many lanes conflict: memory, multisets and one order",
        23,
    ),
    ("DWORD_ATOMIC.32: no conflict: memory and dst", 53),
    ("DWORD_ATOMIC.32: out of bounds", 10),
    ("SVM_ATOMIC.16: few lanes conflict: one of the outcomes", 39),
    (
        "SVM_ATOMIC.16: many lanes conflict: memory, multisets and one order",
        19,
    ),
    ("SVM_ATOMIC.16: no conflict: memory and dst", 59),
    ("SVM_ATOMIC.32: few lanes conflict: one of the outcomes", 32),
    (
        "SVM_ATOMIC.32: many lanes conflict: memory, multisets and one order",
        20,
    ),
    ("SVM_ATOMIC.32: no conflict: memory and dst", 62),
    ("SVM_ATOMIC.64: few lanes conflict: one of the outcomes", 31),
    (
        "SVM_ATOMIC.64: many lanes conflict: memory, multisets and one order",
        15,
    ),
    ("SVM_ATOMIC.64: no conflict: memory and dst", 40),
];

/// A run without history ends in the same state as stepping, for any destination and any
/// faulting lanes.
#[test]
fn run_without_history_matches_stepping() {
    // Number of registers before Dst, so that it crosses the 4,096-byte boundary or ends
    // there.
    let starts = (3968..=4160).step_by(32);
    let addresses = [
        0_u64,
        1,
        2,
        3,
        4,
        6,
        7,
        8,
        60,
        64,
        4092,
        4093,
        4096,
        1 << 20,
    ];
    for (instruction, address_type, space) in [
        ("dword_atomic.inc", "ud", "%slm "),
        ("dword_atomic.inc.16", "ud", "%slm "),
        ("svm_atomic.inc", "uq", ""),
        ("svm_atomic.inc.64", "uq", ""),
    ] {
        for (before, address) in starts.clone().flat_map(|b| addresses.map(|a| (b, a))) {
            let ty = if instruction.ends_with("64") {
                "uq"
            } else {
                "ud"
            };
            let lanes = if space.is_empty() { 8 } else { 16 };
            let operands = match space.is_empty() {
                true => "A D V0 V0",
                false => "A V0 V0 D",
            };
            // One address for all lanes; then a different one for the last lane.
            for last in [address, 0] {
                let values = vec![address.to_string(); lanes - 1].join(", ");
                let text = format!(
                    ".slm 4200\n.region svm 0 4200\n\
                     .decl BEFORE v_type=G type=ub num_elts={before} align=GRF\n\
                     .decl D v_type=G type={ty} num_elts=16 align=GRF\n\
                     .decl A v_type=G type={address_type} num_elts=16 align=GRF\n\
                     .init A = {values}, {last}\n{instruction} ({lanes}) {space}{operands}\n"
                );
                let program = Rc::new(Program::parse(&text));
                assert!(program.can_run(), "{text}{:#?}", program.diagnostics);
                let mut session = Session::new(Rc::clone(&program));
                while session.step() {}
                let straight = run(&program);
                let faults = [session.fault().is_some(), straight.fault.is_some()];
                assert_eq!(faults[0], faults[1], "{text}");
                let aligned = match instruction.rsplit_once('.') {
                    Some((_, "64")) => 8,
                    Some((_, "16")) => 2,
                    _ => 4,
                };
                let is_misaligned = [address, last].iter().any(|a| a % aligned != 0);
                assert!(!is_misaligned || faults[0], "{text}");
                let machines = [session.machine(), &straight.machine];
                let [steps, straight] = machines.map(snapshot);
                assert_eq!(steps, straight, "{text}");
            }
        }
    }
}

//! Instructions that compute against the vectors of `exec/alu.jsonl`.

use lanewise_core::isa::FaultKind;
use lanewise_core::isa::visa::declarations::{SURFACE_IS_SET, Symbol, surface_element};
use lanewise_core::isa::visa::predefined::CONTROL;
use lanewise_core::machine::{Change, Journal, Machine, SpaceId, SpaceKind, flag_address};
use lanewise_core::number::{ElementType, to_f64};
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run, run_recorded};
use lanewise_tests::judge::{hex, unhex};
use lanewise_tests::parse::runnable;
use lanewise_tests::report::{self, Report};
use lanewise_tests::vectors::{self, AluCase};
use std::collections::BTreeMap;
use std::rc::Rc;

fn bits(text: &str) -> u32 {
    let digits = text.strip_prefix("0x").expect("bits are hexadecimal");
    u32::from_str_radix(digits, 16).unwrap()
}

/// The program of a case in its initial state.
fn program(case: &AluCase) -> Result<Program, String> {
    let text = format!(
        ".target visa {}\n{}\n{}\n",
        case.target,
        case.decls.join("\n"),
        case.text
    );
    let mut program = Program::parse(&text);
    if !program.can_run() || program.instructions.len() != case.text.lines().count() {
        let found = program.diagnostics.iter();
        let found: Vec<String> = found
            .map(|d| format!("{} {}", d.rule.code, d.what))
            .collect();
        return Err(format!("{}\n{text}", found.join(", ")));
    }
    let symbols = &program.symbols.visa;
    let (registers, flags) = (SpaceId::registers(0), SpaceId::flags(0));
    let control = symbols.general(CONTROL).unwrap().offset;
    let mut start = vec![
        (flags, 0, bits(&case.em).to_le_bytes().to_vec()),
        // Denormals are kept.
        (
            registers,
            u64::from(control),
            0x4c0_u32.to_le_bytes().to_vec(),
        ),
    ];
    for (name, value) in &case.inits {
        start.push(match symbols.symbol(name).unwrap() {
            Symbol::General(id) => {
                let offset = symbols.general(id).unwrap().offset;
                (registers, u64::from(offset), unhex(value))
            }
            Symbol::Predicate(id) => (flags, flag_address(id), bits(value).to_le_bytes().to_vec()),
            symbol => panic!("{symbol:?}"),
        });
    }
    for (space, address, bytes) in start {
        program
            .start
            .space_mut(space)
            .unwrap()
            .write(address, &bytes);
    }
    Ok(program)
}

/// The variables that a case looks at, after its program.
fn execute(case: &AluCase) -> Result<BTreeMap<String, String>, String> {
    let program = program(case)?;
    let mut journal = Journal::new();
    let recorded = run_recorded(&program, &mut journal);
    if let Some(fault) = recorded.fault {
        return Err(fault.message);
    }
    undo(&program.start, &recorded.machine, &journal);
    let machine = run(&program).machine;
    for space in [SpaceId::registers(0), SpaceId::flags(0)] {
        same_bytes(&machine, &recorded.machine, space);
    }
    let symbols = &program.symbols.visa;
    let names = case.after.keys().map(|name| {
        let value = match symbols.symbol(name).unwrap() {
            Symbol::General(id) => {
                let variable = symbols.general(id).unwrap();
                let mut bytes = vec![0; variable.bytes() as usize];
                let registers = machine.space(SpaceId::registers(0));
                registers.read(variable.offset.into(), &mut bytes);
                hex(&bytes)
            }
            Symbol::Predicate(id) => {
                let bits = machine.load(SpaceId::flags(0), flag_address(id), 4);
                format!("{:#x}", bits.unwrap())
            }
            symbol => panic!("{symbol:?}"),
        };
        (name.clone(), value)
    });
    Ok(names.collect())
}

fn same_bytes(a: &Machine, b: &Machine, space: SpaceId) {
    for (start, _) in a.space(space).regions() {
        let bytes = |machine: &Machine| machine.space(space).region_bytes(start);
        assert_eq!(bytes(a), bytes(b));
    }
}

/// Taking the changes back gives the state before.
fn undo(before: &Machine, after: &Machine, journal: &Journal) {
    let mut machine = after.clone();
    for change in journal.changes().iter().rev() {
        machine.undo(change);
    }
    for space in [SpaceId::registers(0), SpaceId::flags(0)] {
        same_bytes(&machine, before, space);
    }
}

/// Whether a value of a variable is as expected, as far as it is defined.
fn agrees(case: &AluCase, name: &str, found: &str, expected: &str) -> bool {
    if expected.starts_with("0x") {
        return bits(found) == bits(expected);
    }
    let (mut found, mut expected) = (unhex(found), unhex(expected));
    for (offset, ty) in case.nan.get(name).into_iter().flatten() {
        let ty = ElementType::named(ty).unwrap();
        let range = *offset..offset + usize::from(ty.bytes());
        let mut bits = [0; 8];
        bits[..range.len()].copy_from_slice(&found[range.clone()]);
        if !to_f64(u64::from_le_bytes(bits), ty).is_nan() {
            return false;
        }
        found[range.clone()].fill(0);
        expected[range].fill(0);
    }
    if case.tolerance_ulp.is_none() && case.tolerance_abs.is_none() {
        return found == expected;
    }
    let floats = |bytes: &[u8]| {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect::<Vec<_>>()
    };
    let pairs = floats(&found)
        .into_iter()
        .zip(floats(&expected))
        .collect::<Vec<_>>();
    pairs.into_iter().all(|(a, b)| {
        a.to_bits().abs_diff(b.to_bits()) <= case.tolerance_ulp.unwrap_or(0)
            || (a - b).abs() <= case.tolerance_abs.unwrap_or(0.0)
    })
}

/// Which of the legal readings a result follows.
fn check(case: &AluCase) -> Result<String, String> {
    let found = execute(case).map_err(|why| format!("{}: {why}", case.id))?;
    let same = |after: &BTreeMap<String, String>| {
        let mut after = after.iter();
        after.all(|(name, expected)| agrees(case, name, &found[name], expected))
    };
    if same(&case.after) {
        return Ok("main answer".to_owned());
    }
    let alternative = case
        .alts
        .iter()
        .find(|alternative| same(&alternative.after));
    alternative.map(|a| a.rule.join(", ")).ok_or_else(|| {
        format!(
            "{}\n  {}\n  {:?}\n  found    {found:?}\n  expected {:?}",
            case.id, case.text, case.inits, case.after
        )
    })
}

#[test]
fn computations_agree_with_the_recorded_answers() {
    let cases: Vec<AluCase> = vectors::read("exec/alu.jsonl");
    let mut report = Report::new(&report::DOCUMENTS, "instructions that compute");
    for case in &cases {
        match check(case) {
            Ok(reading) => report.agree(&reading),
            Err(what) => report.wrong(what),
        }
    }
    let readings = [
        ("main answer", 3414),
        // The vectors assume exact negation; compiled kernels rely on this alternative
        // (`negations` of kernels/more_launches.jsonl).
        ("modifier_wraps_at_source_width", 8),
    ];
    report.finish(3422, &readings);
}

/// What the page shows of every lane is what is recorded when it executes.
#[test]
fn computations_of_lanes_agree_with_what_is_recorded() {
    let cases: Vec<AluCase> = vectors::read("exec/alu.jsonl");
    let mut lanes = 0;
    for case in &cases {
        let mut session = Session::new(Rc::new(program(case).unwrap()));
        while let Some(index) = session.next_issue() {
            let issue = session.issue(index).unwrap();
            let before = session.state_before(index);
            let program = session.shared_program();
            let context = program.context(issue, &before);
            let instruction = &program.instruction(issue).instruction;
            let computed = instruction.computation(&context, 0);
            assert!(session.step(), "{}", case.id);
            assert!(session.fault().is_none(), "{}", case.id);
            let Some(computed) = computed else {
                continue;
            };
            let changes = session.last_changes().iter();
            let is_result = |c: &&Change| match c.space.kind() {
                SpaceKind::Control(_) => false,
                SpaceKind::Flags(_) => c.address != 0,
                _ => true,
            };
            let mut recorded: Vec<_> = changes.filter(is_result).copied().collect();
            for result in &computed.results {
                if result.ty.is_none() {
                    let change = recorded.pop().unwrap();
                    for lane in (0..32).filter(|lane| computed.enabled >> lane & 1 == 1) {
                        let bit = |bits: u64| bits >> result.places[lane] & 1;
                        let shown = (result.old[lane], result.new[lane]);
                        assert_eq!(shown, (bit(change.old), bit(change.new)), "{}", case.id);
                        lanes += 1;
                    }
                    continue;
                }
                for lane in (0..32).filter(|lane| computed.enabled >> lane & 1 == 1) {
                    let change = recorded.remove(0);
                    let place = (result.space, result.places[lane]);
                    assert_eq!(place, (change.space, change.address), "{}", case.id);
                    let shown = (result.old[lane], result.new[lane]);
                    assert_eq!(shown, (change.old, change.new), "{} {lane}", case.id);
                    assert!(!result.names[lane].is_empty());
                    lanes += 1;
                }
            }
            assert!(recorded.is_empty(), "{}: {recorded:?}", case.id);
        }
    }
    assert!(lanes > 3422);
}

const DECLARATIONS: &str = ".target visa TGLLP\n\
    .decl V32 v_type=G type=d num_elts=16 align=GRF\n\
    .decl V33 v_type=G type=d num_elts=16 align=GRF\n\
    .decl V34 v_type=G type=ud num_elts=1 align=GRF\n\
    .decl A0 v_type=A num_elts=1\n\
    .decl T6 v_type=T num_elts=1\n\
    .init em = 0xff0f\n.init V32 = iota(1, 1)\n";

/// A program of one instruction that starts with these variables.
fn one(line: &str) -> Program {
    runnable(&format!("{DECLARATIONS}{line}\n"))
}

#[test]
fn movs_binds_a_surface_variable() {
    let program = one("movs (M1_NM, 1) T6(0) 3:ud");
    let result = run(&program);
    assert_eq!(result.fault, None);
    let flags = result.machine.space(SpaceId::flags(0));
    let state = flags.load(surface_element(6, 0), 4).unwrap();
    assert_eq!(state, u64::from(SURFACE_IS_SET | 3));
    let mut session = Session::new(Rc::new(program));
    let before = session.machine().clone();
    session.step();
    let index = session.current_issue().unwrap();
    let [(_, computed)] = &*session.computation(index, &before) else {
        panic!("one thread computes");
    };
    let written = &computed.results[0];
    assert_eq!((&*written.names[0], written.new[0]), ("T6[0]", 3));
    assert_eq!(session.summary(), "movs: T6[0] 0 → 3");
}

#[test]
fn channel_enable_reads_as_the_execution_mask() {
    let program = one("mov (M1_NM, 1) V34(0,0)<1> %ce0(0,0)<0;1,0>");
    let result = run(&program);
    assert_eq!(result.fault, None);
    let offset = program.symbols.visa.general(34).unwrap().offset;
    let registers = result.machine.space(SpaceId::registers(0));
    assert_eq!(registers.load(offset.into(), 4), Some(0xff0f));
}

#[test]
fn instructions_without_a_result_fault() {
    for (line, kind) in [
        // By 2; then by zeros.
        (
            "div (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> V32(0,1)<0;1,0>",
            None,
        ),
        (
            "div (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> V33(0,0)<1;1,0>",
            Some(FaultKind::DivisionByZero),
        ),
        (
            "mov (M1, 16) r[A0(0),-4]<1>:d V32(0,0)<1;1,0>",
            Some(FaultKind::OutOfRange),
        ),
        (
            "mov (M1, 16) V33(0,0)<1> r[A0(0),2]<1;1,0>:d",
            Some(FaultKind::Misaligned),
        ),
    ] {
        let program = one(line);
        for result in [run(&program), run_recorded(&program, &mut Journal::new())] {
            let fault = result.fault.map(|fault| fault.kind);
            assert_eq!(fault, kind, "{line}");
            if kind.is_some() {
                same_bytes(&result.machine, &program.start, SpaceId::registers(0));
            }
        }
    }
}

//! Compares ATOM and RED with an independent model.

use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::operation::SassOperation;
use lanewise_core::isa::sass::size::Size;
use lanewise_core::isa::sass::warp::{predicate_address, register_address};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_tests::generate::config;
use lanewise_tests::models::atoms::{self, Run};
use lanewise_tests::place::snapshot;
use proptest::prelude::*;
use std::rc::Rc;

fn program(run: &Run) -> Rc<Program> {
    let text = run.text();
    let program = Program::parse(&text);
    let severities = program.diagnostics.iter().map(|d| d.severity());
    let errors = severities.filter(|s| *s == Severity::Error).count();
    assert_eq!(errors, 0, "{text}\n{:#?}", program.diagnostics);
    assert_eq!(program.instructions.len(), run.lines.len());
    Rc::new(program)
}

proptest! {
    #![proptest_config(config(600))]

    /// RED equals ATOM without a destination.
    #[test]
    fn red_is_atom_with_rz(reductions in atoms::runs(4)) {
        let mut atoms = reductions.clone();
        for line in &mut atoms.lines {
            line.is_red = false;
        }
        let changed = reductions.lines.iter().any(|line| line.is_red);
        prop_assert_eq!(reductions.text() != atoms.text(), changed);
        let [reduced, returned] = [&reductions, &atoms].map(|of| run(&program(of)));
        prop_assert!(snapshot(&reduced.machine) == snapshot(&returned.machine));
        let kind = |outcome: &lanewise_core::session::RunResult| outcome.fault.as_ref().map(|f| f.kind);
        prop_assert_eq!(kind(&reduced), kind(&returned));
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn one_instruction_matches_the_model(run_of in atoms::runs(1)) {
        let program = program(&run_of);
        let line = &run_of.lines[0];
        let outcome = run(&program);
        let enabled = run_of.enabled(line);
        let hit = |lane: u32| enabled >> lane & 1 == 1;
        let faults = line.fault.is_some_and(|(lane, _)| hit(lane));
        prop_assert_eq!(outcome.fault.is_some(), faults);
        if let Some(fault) = &outcome.fault {
            let word = fault.kind.word();
            let wanted = match line.fault.unwrap().1 {
                atoms::Wrong::Misaligned => "misaligned",
                atoms::Wrong::Range => "out-of-range",
                atoms::Wrong::Window => "address-space",
            };
            prop_assert_eq!(word, wanted);
            prop_assert!(snapshot(&outcome.machine) == snapshot(&program.start));
            return Ok(());
        }
        // Apply lane after lane to the previous state, with recomputed addresses.
        let mut machine = program.start.clone();
        let bytes = u8::try_from(line.bytes()).unwrap();
        let start = &program.start;
        let registers = SpaceId::registers(0);
        let value = |lane: u8, register: u8| {
            start.load(registers, register_address(lane, register), bytes).unwrap()
        };
        let mut lanes: Vec<u32> = line.order.clone();
        lanes.extend((0..32).filter(|l| !line.order.contains(l)));
        let is_cas = line.operation == SassOperation::Cas;
        let mut store = |space, address, bytes, value| {
            machine.store(&mut lanewise_core::machine::NoJournal, space, address, bytes, value);
            machine.clone()
        };
        let mut now = program.start.clone();
        for lane in lanes.into_iter().filter(|l| hit(*l)) {
            let address = line.addresses()[lane as usize];
            let number = u8::try_from(lane).unwrap();
            let rb = if line.zero && !is_cas { 0 } else { value(number, 4) };
            let rc = match (line.zero, bytes) {
                (true, _) => 0,
                (false, 8) => value(number, 6),
                (false, _) => value(number, 5),
            };
            let missing = line.sparse.is_some() && line.cells[lane as usize] == 4;
            let old = if missing {
                0
            } else {
                let old = now.load(SpaceId::VIRTUAL, address, bytes).unwrap();
                let new = model(line.operation, line.size, run_of.chip, old, rb, rc);
                now = store(SpaceId::VIRTUAL, address, bytes, new);
                old
            };
            let rd = match line.dst {
                0 => None,
                2 if is_cas || !line.zero => Some(4),
                _ => Some(8),
            };
            if let Some(rd) = rd {
                now = store(registers, register_address(number, rd), bytes, old);
            }
            if let Some(ps) = line.sparse.filter(|ps| *ps < 7) {
                let place = predicate_address(ps);
                let set = now.load(SpaceId::flags(0), place, 4).unwrap();
                let bit = 1 << lane;
                let set = if missing { set | bit } else { set & !bit };
                now = store(SpaceId::flags(0), place, 4, set);
            }
        }
        prop_assert!(snapshot(&now) == snapshot(&outcome.machine), "{}", run_of.text());
    }
}

/// New value of a cell: independent implementation for integers; for floats the
/// arithmetic tested with `semantics.jsonl`.
fn model(operation: SassOperation, size: Size, chip: Chip, m: u64, rb: u64, rc: u64) -> u64 {
    let wide = size.width().bytes() == 8;
    let cut = |value: u64| if wide { value } else { value & 0xffff_ffff };
    let signed = |value: u64| {
        if wide {
            value.cast_signed()
        } else {
            i64::from(u32::try_from(value).unwrap().cast_signed())
        }
    };
    if matches!(size, Size::F32 | Size::F64 | Size::F16x2) {
        return operation.rmw(size, chip).apply(size.width(), m, rb, 0);
    }
    let is_signed = matches!(size, Size::S32 | Size::S64);
    let less = if is_signed {
        signed(m) < signed(rb)
    } else {
        m < rb
    };
    cut(match operation {
        SassOperation::Add => m.wrapping_add(rb),
        SassOperation::Min => {
            if less {
                m
            } else {
                rb
            }
        }
        SassOperation::Max => {
            if less {
                rb
            } else {
                m
            }
        }
        SassOperation::Inc | SassOperation::SafeAdd => {
            if m >= rb {
                0
            } else {
                m + 1
            }
        }
        SassOperation::Dec => {
            if m == 0 || m > rb {
                rb
            } else {
                m - 1
            }
        }
        SassOperation::And => m & rb,
        SassOperation::Or => m | rb,
        SassOperation::Xor => m ^ rb,
        SassOperation::Exch => rb,
        SassOperation::Cas => {
            if m == rb {
                rc
            } else {
                m
            }
        }
    })
}

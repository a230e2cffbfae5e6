//! Compares vISA atomics, scatters and gathers with independent models.

use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::visa::operation::VisaOperation;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::program::{ElementRange, Program};
use lanewise_core::session::{Session, run};
use lanewise_tests::generate::config;
use lanewise_tests::models::atomics::{self, Memory, Run, SVM_START};
use lanewise_tests::models::planes::scatters;
use lanewise_tests::place::{self, snapshot};
use proptest::prelude::*;
use std::rc::Rc;

fn program(run: &Run) -> Rc<Program> {
    let text = run.text();
    let program = Program::parse(&text);
    let bad: Vec<&Diagnostic> = program
        .diagnostics
        .iter()
        .filter(|d| d.rule.code.starts_with('E'))
        .collect();
    assert!(bad.is_empty(), "{text}\n{bad:#?}");
    Rc::new(program)
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn only_active_lanes_have_effects(run_of in atomics::runs(1)) {
        let program = program(&run_of);
        let line = &run_of.lines[0];
        let outcome = run(&program);
        let before = snapshot(&program.start);
        let after = snapshot(&outcome.machine);
        let addresses = line.addresses();
        let faults = (0..usize::from(run_of.threads)).any(|eu| {
            let enabled = run_of.enabled(line, eu);
            let hit = |l: u32| enabled.get(l as usize) == Some(&true);
            line.fault.is_some_and(hit)
        });
        prop_assert_eq!(outcome.fault.is_some(), faults);
        let element = u64::from((line.width / 8).max(4));
        let name = match line.dst {
            0 => None,
            2 if program.symbols.visa.symbol("src0_0").is_some() => Some("src0_0"),
            _ => Some("dst_0"),
        };
        // Bytes that may change: cells and dst elements of active lanes.
        let mut may = Vec::new();
        for eu in 0..run_of.threads {
            let base = name.and_then(|n| ElementRange::named(&program, &format!("EU{eu}.{n}")));
            let used = (u64::from(line.lanes) * element)
                .next_multiple_of(u64::from(run_of.platform.grf_bytes()));
            let skipped = if line.at_end { 256 - used } else { 0 };
            for (lane, on) in run_of.enabled(line, eu.into()).into_iter().enumerate() {
                if !on || faults {
                    continue;
                }
                let space = match line.memory {
                    Memory::Slm => SpaceId::SLM,
                    Memory::Buffer => SpaceId::surface(6),
                    Memory::Stateless | Memory::Svm => SpaceId::VIRTUAL,
                };
                may.push((space.0, addresses[lane], line.bytes()));
                if let Some(ElementRange { space, address: start, .. }) = base {
                    may.push((space.0, start + skipped + lane as u64 * element, line.bytes()));
                }
            }
        }
        for ((space, start, old), (_, _, new)) in before.iter().zip(&after) {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                let at = start + i as u64;
                let allowed = || {
                    may.iter().any(|(s, a, bytes)| s == space && (*a..a + bytes).contains(&at))
                };
                prop_assert!(old == new || allowed(), "space {space} byte {at:#x} changed");
            }
        }
    }

    #[test]
    fn scatter_and_gather_follow_the_document_loop(
        scatter in scatters(),
        platform in atomics::platforms(),
        threads in 1..3_u8,
        masks in [any::<u32>(), any::<u32>()],
    ) {
        let (head, line) = scatter.text(7);
        let text = format!(
            ".target visa {}\n.threads {threads}\n.slm 64\n.region svm {SVM_START:#x} 64\n\
             .init svm[{SVM_START:#x}] : ub = random(1)\n.init EU0.em = {:#x}\n{}{head}{line}",
            platform.name(),
            masks[0],
            match threads {
                2 => format!(".init EU1.em = {:#x}\n", masks[1]),
                _ => String::new(),
            },
        );
        let program = Rc::new(Program::parse(&text));
        prop_assert!(program.can_run(), "{text}\n{:?}", program.diagnostics);
        let grf = u32::from(platform.grf_bytes());
        let cells = scatter.cells(&masks[..usize::from(threads)], grf);
        let bad = cells.iter().any(|w| w.address % 4 != 0);
        let outcome = run(&program);
        let mut session = Session::new(Rc::clone(&program));
        session.run_to_end();
        prop_assert!(snapshot(session.machine()) == snapshot(&outcome.machine));
        prop_assert_eq!(outcome.fault.is_some(), bad);
        if let Some(fault) = &outcome.fault {
            // The first fault in order; the state is unchanged.
            let first = cells.iter().find(|w| w.address % 4 != 0).unwrap();
            let unit = (fault.unit.thread, u32::from(fault.unit.lane), fault.unit.channel.map(u32::from));
            prop_assert_eq!(unit, (first.eu, first.lane, Some(first.channel)));
            prop_assert_eq!(fault.place.map(|(_, address)| address), Some(first.address));
            prop_assert!(snapshot(&outcome.machine) == snapshot(&program.start));
            return Ok(());
        }
        prop_assert_eq!(outcome.steps as usize, cells.len().max(1));
        // Each effect changes only memory or dst.
        let mut machine = program.start.clone();
        session.seek(0);
        for cell in &cells {
            let name = format!("EU{}.src_7", cell.eu);
            let planes = ElementRange::named(&program, &name).unwrap();
            let element = planes.address + 4 * cell.element as u64;
            let (from, to) = match scatter.gathers {
                true => ((SpaceId::VIRTUAL, cell.address), (planes.space, element)),
                false => ((planes.space, element), (SpaceId::VIRTUAL, cell.address)),
            };
            let value = match scatter.gathers {
                true => machine.load(from.0, from.1, 4),
                // src is read when the instruction issues.
                false => program.start.load(from.0, from.1, 4),
            };
            prop_assert!(machine.space_mut(to.0).unwrap().store(to.1, 4, value.unwrap()));
            prop_assert!(session.step());
            prop_assert!(snapshot(session.machine()) == snapshot(&machine), "{cell:?}\n{text}");
        }
        prop_assert!(snapshot(&outcome.machine) == snapshot(&machine));
    }

    /// A gather with the operands of a scatter without overlapping cells reads back the
    /// written values, for every lane, channel, mask, stride and address.
    #[test]
    fn gather_inverts_scatter(
        mut scatter in scatters(),
        apart in Just((0..32_u64).collect::<Vec<_>>()).prop_shuffle(),
        platform in atomics::platforms(),
        mask in any::<u32>(),
    ) {
        (scatter.gathers, scatter.fault) = (false, None);
        scatter.starts = apart.iter().map(|record| record * 4).collect();
        let (head, line) = scatter.text(7);
        let gather = line.lines().last().unwrap();
        let gather = gather.replace("scatter", "gather").replace("src_7", "back");
        let text = format!(
            ".target visa {}\n.slm 64\n.region svm {SVM_START:#x} 512\n\
             .init em = {mask:#x}\n{head}.decl back v_type=G type=ud num_elts=128 align=GRF\n\
             .init back = random(2)\n{line}{gather}\n",
            platform.name(),
        );
        let program = Program::parse(&text);
        prop_assert!(program.can_run(), "{text}\n{:?}", program.diagnostics);
        let outcome = run(&program);
        prop_assert_eq!(&outcome.fault, &None);
        let elements = |machine: &Machine, name: &str| {
            place::load(&program, machine, name, 128).unwrap().0
        };
        let src = elements(&program.start, "src_7");
        let mut wanted = elements(&program.start, "back");
        for cell in scatter.cells(&[mask], u32::from(platform.grf_bytes())) {
            wanted[cell.element] = src[cell.element];
        }
        prop_assert_eq!(elements(&outcome.machine, "back"), wanted, "{}", text);
    }
}

/// Operations whose final cell does not depend on the lane order.
fn commutes(operation: VisaOperation) -> bool {
    use VisaOperation::{Add, And, Dec, Imax, Imin, Inc, Max, Min, Or, Predec, Sub, Xor};
    matches!(
        operation,
        Add | Sub | Inc | Dec | Predec | Min | Max | Imin | Imax | And | Or | Xor
    )
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn conflict_invariants_hold_for_any_order(
        mut run_of in atomics::runs(1),
        orders in [
            Just((0..32).collect::<Vec<u32>>()).prop_shuffle(),
            Just((0..32).collect::<Vec<u32>>()).prop_shuffle(),
        ],
    ) {
        run_of.threads = 1;
        run_of.lines[0].fault = None;
        run_of.lines[0].dst = 1;
        let ends: Vec<_> = orders
            .into_iter()
            .map(|order| {
                run_of.lines[0].order = order;
                let program = program(&run_of);
                let machine = run(&program).machine;
                (program, machine)
            })
            .collect();
        let line = &run_of.lines[0];
        let memory = |machine: &Machine| -> Vec<_> {
            let all = snapshot(machine).into_iter();
            all.filter(|(space, _, _)| *space >= SpaceId::SLM.0).collect()
        };
        let commutes = commutes(line.operation);
        if commutes {
            prop_assert!(memory(&ends[0].1) == memory(&ends[1].1), "{:?}", line.operation);
        }
        // Multiset of returned values and final value per cell: independent of the order
        // for XCHG, and for operations with equal operands.
        let same_operand = matches!(line.operation, VisaOperation::Inc | VisaOperation::Dec | VisaOperation::Predec);
        if line.operation != VisaOperation::Xchg && !same_operand {
            return Ok(());
        }
        let tally = |(program, machine): &(Rc<Program>, Machine)| {
            let element = (line.width / 8).max(4) as usize;
            let count = 256 / element;
            let (dst, _) = place::load(program, machine, "dst_0", count).unwrap();
            let used = (line.lanes as usize * element)
                .next_multiple_of(run_of.platform.grf_bytes().into());
            let skipped = if line.at_end { count - used / element } else { 0 };
            let low = if line.width == 64 { u64::MAX } else { (1 << line.width) - 1 };
            let mut tally = Vec::new();
            for (lane, on) in run_of.enabled(line, 0).into_iter().enumerate() {
                if on {
                    tally.push((line.addresses()[lane], dst[skipped + lane] & low));
                }
            }
            let space = match line.memory {
                Memory::Slm => SpaceId::SLM,
                Memory::Buffer => SpaceId::surface(6),
                Memory::Stateless | Memory::Svm => SpaceId::VIRTUAL,
            };
            let mut cells: Vec<u64> = tally.iter().map(|(address, _)| *address).collect();
            cells.sort_unstable();
            cells.dedup();
            for cell in cells {
                let left = machine.load(space, cell, u8::try_from(line.bytes()).unwrap());
                if let Some(left) = left {
                    tally.push((cell, left));
                }
            }
            tally.sort_unstable();
            tally
        };
        prop_assert_eq!(tally(&ends[0]), tally(&ends[1]));
    }
}

//! Laws that hold for every instruction, program, text and byte string.

use lanewise_core::diagnostic::{Diagnostic, Diagnostics, Span};

use lanewise_core::isa::visa::operation::Operation;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Instruction, Style, SymbolTable};
use lanewise_core::machine::{Journal, Machine, SpaceId};
use lanewise_core::program::{Assembler, Place, Program};
use lanewise_core::session::{Session, run, run_recorded};
use lanewise_tests::generate::{self, DECLS, Memory, Run, SVM_START};
use lanewise_tests::parse::parse;
use lanewise_tests::place::{self, snapshot};
use lanewise_tests::scatter::scatters;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::Config;
use std::rc::Rc;

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

fn symbols(platform: Platform) -> SymbolTable {
    Assembler::new(platform, DECLS).unwrap().symbols().clone()
}

proptest! {
    #![proptest_config(config(6000))]

    #[test]
    fn decoding_undoes_encoding(instruction in generate::any_instruction(), at in generate::platforms()) {
        let encoded = instruction.encode();
        let mut out = Diagnostics::new();
        let decoded = Instruction::decode(encoded.bytes(), &symbols(at), &mut out);
        prop_assert_eq!(decoded, Ok((instruction, encoded.bytes().len())), "{:?}", out);
    }

    #[test]
    fn fields_tile_the_encoding(instruction in generate::any_instruction(), at in generate::platforms()) {
        let bytes = instruction.encode().bytes().to_vec();
        let mut next = 0;
        for field in instruction.fields(&symbols(at)) {
            prop_assert_eq!(field.first_bit, next);
            let mut bits = 0_u64;
            for i in (0..field.width).rev() {
                let bit = field.first_bit + i;
                let byte = bytes[(bit / 8) as usize];
                bits = bits << 1 | u64::from(byte >> (bit % 8) & 1);
            }
            prop_assert_eq!(bits, field.bits, "{}", field.name);
            next += field.width;
        }
        prop_assert_eq!(next as usize, bytes.len() * 8);
    }

    #[test]
    fn parsing_undoes_printing(instruction in generate::printable_instruction(), at in generate::platforms()) {
        let symbols = symbols(at);
        for style in [Style::Document, Style::Assembler] {
            let text = instruction.text(&symbols, style);
            prop_assert_eq!(parse(&text, &symbols), Ok(instruction), "{}", &text);
            let tokens = instruction.tokens(&symbols, style);
            let joined: String = tokens.iter().map(|t| t.text.as_str()).collect();
            prop_assert_eq!(joined, text, "the tokens are the text");
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused_with_a_reason(bytes in generate::byte_strings()) {
        let mut assembler = Assembler::new(Platform::Xehp, DECLS).unwrap();
        let read = match assembler.disassemble(&bytes, Style::Assembler) {
            Ok(read) => {
                prop_assert!(read.length <= bytes.len() && !read.text.is_empty());
                check_spans(read.diagnostics, bytes.len())?;
                read.instruction
            }
            Err(diagnostics) => {
                prop_assert!(!diagnostics.is_empty());
                check_spans(diagnostics, bytes.len() + 1)?;
                return Ok(());
            }
        };
        // What was read is what is written, ignored bits aside.
        let again = read.encode();
        let mut out = Diagnostics::new();
        let decoded = Instruction::decode(again.bytes(), assembler.symbols(), &mut out);
        prop_assert_eq!(decoded.map(|(i, _)| i), Ok(read));
    }
}

fn check_spans(diagnostics: &[Diagnostic], length: usize) -> Result<(), TestCaseError> {
    for d in diagnostics {
        let (start, end) = (d.span.start as usize, d.span.end as usize);
        prop_assert!(start <= end && end <= length.max(1), "{d:?}");
    }
    Ok(())
}

fn fits(span: Span, text: &str) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_text_is_read_and_its_findings_lie_in_it(text in generate::texts()) {
        let program = Program::parse(&text);
        for d in &program.diagnostics {
            prop_assert!(fits(d.span, &text), "{d:?} in {text:?}");
            prop_assert!(!d.what.is_empty());
            if let Some(edit) = &d.edit {
                prop_assert!(fits(edit.span, &text), "{d:?} in {text:?}");
            }
        }
        let starts: Vec<u32> = program.diagnostics.iter().map(|d| d.span.start).collect();
        prop_assert!(starts.is_sorted());
        if program.can_run() {
            let mut session = Session::new(Rc::new(program));
            session.run_to_end();
            let _ = session.summary();
        }
    }

    #[test]
    fn any_line_is_assembled_or_refused_with_a_reason(text in generate::texts()) {
        let mut assembler = Assembler::new(Platform::Pvc, DECLS).unwrap();
        let diagnostics = match assembler.assemble(&text) {
            Ok(assembled) => assembled.diagnostics,
            Err(diagnostics) => {
                prop_assert!(!diagnostics.is_empty());
                diagnostics
            }
        };
        for d in diagnostics {
            prop_assert!(fits(d.span, &text), "{d:?} in {text:?}");
            prop_assert!(d.edit.as_ref().is_none_or(|e| fits(e.span, &text)), "{d:?} in {text:?}");
        }
    }
}

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
    fn stepping_back_undoes_stepping_from_anywhere(
        run in generate::runs(4),
        seeks in proptest::collection::vec(any::<Index>(), 12),
        serialization in proptest::collection::vec(any::<Index>(), 3),
    ) {
        let mut session = Session::new(program(&run));
        let mut states = vec![snapshot(session.machine())];
        while session.step() {
            states.push(snapshot(session.machine()));
            prop_assert_eq!(session.position(), states.len() - 1);
        }
        prop_assert!(session.at_end() && session.is_explored());
        let summary = session.summary();
        for state in states.iter().rev().skip(1) {
            prop_assert!(session.step_back());
            prop_assert!(snapshot(session.machine()) == *state, "step back to {}", session.position());
        }
        prop_assert!(!session.step_back());
        for index in seeks {
            let to = index.index(states.len());
            session.seek(to);
            prop_assert_eq!(session.position(), to);
            prop_assert!(snapshot(session.machine()) == states[to], "seek to {to}");
            let stepped = session.step();
            prop_assert_eq!(stepped, to + 1 < states.len());
            if stepped {
                prop_assert!(snapshot(session.machine()) == states[to + 1]);
                prop_assert!(session.step_back());
            }
        }
        // A session that turns back while its history is not yet known.
        let mut session = Session::new(program(&run));
        for index in serialization {
            let forward = index.index(states.len());
            while session.position() < forward && session.step() {}
            let back = session.position() / 2;
            while session.position() > back {
                session.step_back();
            }
            prop_assert!(snapshot(session.machine()) == states[back]);
        }
        session.run_to_end();
        prop_assert!(snapshot(session.machine()) == states[states.len() - 1]);
        prop_assert_eq!(session.summary(), summary);
    }

    #[test]
    fn a_session_a_run_and_a_recorded_run_agree(run_of in generate::runs(4)) {
        let program = program(&run_of);
        let outcome = run(&program);
        let mut session = Session::new(Rc::clone(&program));
        session.run_to_end();
        let end = snapshot(&outcome.machine);
        prop_assert!(snapshot(session.machine()) == end);
        prop_assert_eq!(session.fault(), outcome.fault.as_ref());
        let fault = u64::from(outcome.fault.is_some());
        prop_assert_eq!(session.known() as u64, outcome.steps + fault);

        let mut journal = Journal::default();
        let recorded = run_recorded(&program, &mut journal);
        prop_assert!(snapshot(&recorded.machine) == end);
        prop_assert_eq!(recorded.fault, outcome.fault);
        let mut machine: Machine = recorded.machine;
        for change in journal.changes().iter().rev() {
            machine.undo(change);
        }
        prop_assert!(snapshot(&machine) == snapshot(&program.start), "undone to the start");
    }

    #[test]
    fn only_enabled_lanes_touch_anything(run_of in generate::runs(1)) {
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
        // The bytes that may change: cells and dst elements of enabled lanes.
        let mut may = Vec::new();
        for eu in 0..run_of.threads {
            let base = name.and_then(|n| Place::named(&program, &format!("EU{eu}.{n}")));
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
                if let Some(Place { space, address: start, .. }) = base {
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
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn a_scatter_or_gather_is_the_loop_of_its_document(
        scatter in scatters(),
        platform in generate::platforms(),
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
            // The first one in turn, and nothing has changed.
            let first = cells.iter().find(|w| w.address % 4 != 0).unwrap();
            let unit = (fault.unit.eu, u32::from(fault.unit.lane), fault.unit.channel.map(u32::from));
            prop_assert_eq!(unit, (first.eu, first.lane, Some(first.channel)));
            prop_assert_eq!(fault.address, first.address);
            prop_assert!(snapshot(&outcome.machine) == snapshot(&program.start));
            return Ok(());
        }
        prop_assert_eq!(outcome.steps as usize, cells.len().max(1));
        // Memory, or dst, and nothing else, one effect after another.
        let mut machine = program.start.clone();
        session.seek(0);
        for cell in &cells {
            let name = format!("EU{}.src_7", cell.eu);
            let planes = Place::named(&program, &name).unwrap();
            let element = planes.address + 4 * cell.element as u64;
            let (from, to) = match scatter.gathers {
                true => ((SpaceId::VIRTUAL, cell.address), (planes.space, element)),
                false => ((planes.space, element), (SpaceId::VIRTUAL, cell.address)),
            };
            let value = match scatter.gathers {
                true => machine.load(from.0, from.1, 4),
                // src is read at issue.
                false => program.start.load(from.0, from.1, 4),
            };
            prop_assert!(machine.space_mut(to.0).unwrap().store(to.1, 4, value.unwrap()));
            prop_assert!(session.step());
            prop_assert!(snapshot(session.machine()) == snapshot(&machine), "{cell:?}\n{text}");
        }
        prop_assert!(snapshot(&outcome.machine) == snapshot(&machine));
    }

    /// A gather with the operands of a scatter, cells apart, brings back what
    /// the scatter wrote: for every lane, channel, mask, stride and address.
    #[test]
    fn a_gather_undoes_a_scatter(
        mut scatter in scatters(),
        apart in Just((0..32_u64).collect::<Vec<_>>()).prop_shuffle(),
        platform in generate::platforms(),
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

/// Operations whose final cell does not depend on the order of the lanes.
fn commutes(operation: Operation) -> bool {
    use Operation::{Add, And, Dec, Imax, Imin, Inc, Max, Min, Or, Predec, Sub, Xor};
    matches!(
        operation,
        Add | Sub | Inc | Dec | Predec | Min | Max | Imin | Imax | And | Or | Xor
    )
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_order_of_the_lanes_keeps_the_laws_of_conflicts(
        mut run_of in generate::runs(1),
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
        // Per cell, the values returned and the value left: for XCHG, and for
        // operations with the same operand in every lane, always the same.
        let same_operand = matches!(line.operation, Operation::Inc | Operation::Dec | Operation::Predec);
        if line.operation != Operation::Xchg && !same_operand {
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

/// Long enough for several copies of the state along the way.
#[test]
fn seeking_goes_right_across_copies_of_the_state() {
    let mut text = String::from(
        ".decl V32 v_type=G type=ud num_elts=32 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=32 align=GRF\n\
         .slm 64\n.init V32 = random(1)\n.decl V34 v_type=G type=ud num_elts=32 align=GRF\n",
    );
    text.push_str(&"dword_atomic.xor (M1, 32) T0 V34 V32 V0 V33\n".repeat(50));
    text.push_str(&"(P1) dword_atomic.inc (M1, 16) T0 V34 V0 V0 V33\n".repeat(100));
    text.push_str(&"dword_atomic.sub (M1, 16) T0 V34 V32 V0 V33\n".repeat(150));
    let program = Program::parse(&format!(
        ".decl P1 v_type=P num_elts=16\n.init P1 = 0x1248\n{text}"
    ));
    assert!(program.can_run(), "{:?}", program.diagnostics);
    let mut session = Session::new(Rc::new(program));
    let mut states = vec![snapshot(session.machine())];
    while session.step() {
        states.push(snapshot(session.machine()));
    }
    let last = states.len() - 1;
    assert_eq!(last, 50 * 32 + 100 * 4 + 150 * 16);
    let near = (0..=last / 1024 + 1).flat_map(|k| (k * 1024).saturating_sub(34)..k * 1024 + 34);
    let far = (0..400).map(|k| k * 2654 % (last + 1));
    let mut spans: Vec<usize> = near.chain(far).filter(|p| *p <= last).collect();
    // There and back: between neighbours, and right across.
    let across: Vec<usize> = spans.iter().map(|p| last - p).collect();
    spans = spans
        .iter()
        .zip(across)
        .flat_map(|(a, b)| [*a, b])
        .chain(spans.clone())
        .collect();
    for to in spans {
        session.seek(to);
        assert_eq!(session.position(), to);
        assert!(snapshot(session.machine()) == states[to], "seek to {to}");
    }
    session.seek(usize::MAX);
    assert_eq!(session.position(), last);
}

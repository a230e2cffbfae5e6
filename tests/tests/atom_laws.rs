//! Laws that hold for every ATOM and RED, warp, word and group.

use lanewise_core::diagnostic::{Diagnostic, Diagnostics, Severity};
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::operation::Operation;
use lanewise_core::isa::sass::schedule::Schedule;
use lanewise_core::isa::sass::size::Size;
use lanewise_core::isa::sass::warp::{predicate_address, register_address};
use lanewise_core::isa::{Instruction, Style, SymbolTable, Target};
use lanewise_core::machine::{Journal, Machine, SpaceId};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::session::{Session, run, run_recorded};
use lanewise_tests::atoms::{self, Run, is_readable};
use lanewise_tests::parse::parse;
use lanewise_tests::place::snapshot;
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

fn assembler(chip: Chip) -> Assembler {
    Assembler::new(Target::Sass(chip), []).unwrap()
}

fn check_spans(diagnostics: &[Diagnostic], length: usize) -> Result<(), TestCaseError> {
    for d in diagnostics {
        let (start, end) = (d.span.start as usize, d.span.end as usize);
        prop_assert!(start <= end && end <= length, "{d:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn decoding_undoes_encoding(atom in atoms::any_atom(), chip in atoms::chips()) {
        let instruction = Instruction::Atom(atom);
        let encoded = instruction.encode();
        let mut out = Diagnostics::new();
        let symbols = SymbolTable::new(Target::Sass(chip));
        let decoded = Instruction::decode(encoded.bytes(), &symbols, &mut out);
        if is_readable(&atom, chip) {
            prop_assert_eq!(decoded, Ok((instruction, 8)), "{:?}", out);
        } else {
            prop_assert!(decoded.is_err() && out.has_errors());
        }
    }

    #[test]
    fn parsing_undoes_printing(
        mut atom in atoms::any_atom(),
        schedule in proptest::option::of(atoms::schedules()),
        chip in atoms::chips(),
    ) {
        // On SM50 code 4 is .U128, which has a name and may not be written.
        prop_assume!(is_readable(&atom, chip) && (chip > Chip::Sm50 || atom.atomic.size != Size::F16x2));
        atom.atomic.schedule = schedule;
        let instruction = Instruction::Atom(atom);
        let symbols = SymbolTable::new(Target::Sass(chip));
        for style in [Style::Document, Style::Assembler] {
            let text = instruction.text(&symbols, style);
            prop_assert_eq!(parse(&text, &symbols), Ok(instruction), "{}", &text);
            let tokens = instruction.tokens(&symbols, style);
            let joined: String = tokens.iter().map(|t| t.text.as_str()).collect();
            prop_assert_eq!(joined, text, "the tokens are the text");
        }
    }

    #[test]
    fn fields_tile_the_word(atom in atoms::any_atom(), chip in atoms::chips()) {
        let instruction = Instruction::Atom(atom);
        let word = u64::from_le_bytes(*instruction.encode().bytes().first_chunk().unwrap());
        let mut next = 0;
        for field in instruction.fields(&SymbolTable::new(Target::Sass(chip))) {
            prop_assert_eq!(field.first_bit, next);
            let bits = word >> next & ((1 << field.width) - 1);
            prop_assert_eq!(bits, field.bits, "{}", field.name);
            next += field.width;
        }
        prop_assert_eq!(next, 64);
    }

    #[test]
    fn any_word_is_read_or_refused_with_a_reason(word in atoms::words(), chip in atoms::chips()) {
        let mut assembler = assembler(chip);
        let (read, text, warned) = match assembler.disassemble(&word.to_le_bytes(), Style::Assembler) {
            Ok(read) => {
                check_spans(read.diagnostics, 8)?;
                let warned = read.diagnostics.iter().any(|d| d.rule.code == "W0612");
                (read.instruction, read.text.to_owned(), warned)
            }
            Err(diagnostics) => {
                prop_assert!(diagnostics.iter().any(|d| d.severity() == Severity::Error));
                check_spans(diagnostics, 8)?;
                return Ok(());
            }
        };
        // What was read is what is written, ignored bits aside; and what breaks
        // no rule is read back from its text.
        let again = read.encode();
        let symbols = SymbolTable::new(Target::Sass(chip));
        let decoded = Instruction::decode(again.bytes(), &symbols, &mut Diagnostics::new());
        prop_assert_eq!(decoded.map(|(i, _)| i), Ok(read));
        let assembled = assembler.assemble(&text);
        prop_assert_eq!(assembled.is_err(), warned, "{}", &text);
        if let Ok(assembled) = assembled {
            prop_assert_eq!(assembled.encoded.bytes(), again.bytes(), "{}", &text);
        }
    }

    #[test]
    fn groups_come_back(
        slots in proptest::collection::vec((atoms::words(), atoms::schedules()), 3),
        chip in atoms::chips(),
        noise in any::<[u8; 32]>(),
    ) {
        let mut assembler = assembler(chip);
        if let Err(diagnostics) = assembler.disassemble_group(&noise, Style::Assembler) {
            check_spans(&diagnostics, 32)?;
            prop_assert!(!diagnostics.is_empty());
        }
        let mut lines = Vec::new();
        for (word, schedule) in slots {
            let Ok(read) = assembler.disassemble(&word.to_le_bytes(), Style::Assembler) else {
                continue;
            };
            let mut line = read.text.to_owned();
            schedule.print(&mut line);
            if assembler.assemble(&line).is_ok() {
                lines.push((line, schedule));
            }
        }
        while lines.len() < 3 {
            lines.push((String::from("ATOM.ADD R0, [R2], R4 ?stall0"), Schedule::default()));
        }
        let [first, second, third] = &lines[..] else { unreachable!() };
        let group = assembler.assemble_group([&first.0, &second.0, &third.0]).unwrap();
        for style in [Style::Document, Style::Assembler] {
            let read = assembler.disassemble_group(&group.bytes, style).unwrap();
            let texts = [&*read.texts[0], &read.texts[1], &read.texts[2]];
            if style == Style::Assembler {
                prop_assert_eq!(texts, [&*first.0, &second.0, &third.0]);
            }
            prop_assert_eq!(assembler.assemble_group(texts).unwrap().bytes, group.bytes);
        }
    }

    #[test]
    fn damaged_lines_are_refused_with_a_reason(
        atom in atoms::any_atom(),
        chip in atoms::chips(),
        at in any::<Index>(),
        length in 0..6_usize,
        piece in proptest::sample::select(vec![
            "", " ", ",", "[", "]", "@", "!", ".", "R255", "P7", "&req={", "?", ";", "-", "0x", "é", "999999999999999999999",
        ]),
    ) {
        let symbols = SymbolTable::new(Target::Sass(chip));
        let text = Instruction::Atom(atom).text(&symbols, Style::Document);
        let start = at.index(text.len());
        let end = (start + length).min(text.len());
        let text = format!("{}{piece}{}", &text[..start], &text[end..]);
        let mut assembler = assembler(chip);
        let diagnostics = match assembler.assemble(&text) {
            Ok(assembled) => assembled.diagnostics,
            Err(diagnostics) => {
                prop_assert!(!diagnostics.is_empty());
                diagnostics
            }
        };
        check_spans(diagnostics, text.len())?;
        for edit in diagnostics.iter().filter_map(|d| d.edit.as_ref()) {
            prop_assert!(text.get(edit.span.start as usize..edit.span.end as usize).is_some());
        }
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn red_is_read_as_it_is_written(
        mut red in atoms::any_red(),
        schedule in proptest::option::of(atoms::schedules()),
        chip in atoms::chips(),
    ) {
        let symbols = SymbolTable::new(Target::Sass(chip));
        let mut out = Diagnostics::new();
        let encoded = Instruction::from(red).encode();
        let decoded = Instruction::decode(encoded.bytes(), &symbols, &mut out);
        if red.atomic.size == Size::F64 && chip < Chip::Sm60 {
            prop_assert!(decoded.is_err() && out.has_errors());
            return Ok(());
        }
        prop_assert_eq!(decoded, Ok((red.into(), 8)), "{:?}", out);
        red.atomic.schedule = schedule;
        for style in [Style::Document, Style::Assembler] {
            let text = Instruction::from(red).text(&symbols, style);
            prop_assert_eq!(parse(&text, &symbols), Ok(red.into()), "{}", &text);
        }
    }
}

proptest! {
    #![proptest_config(config(600))]

    /// RED does what ATOM does that returns nothing.
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
        let kind = |outcome: &lanewise_core::session::Outcome| outcome.fault.as_ref().map(|f| f.kind);
        prop_assert_eq!(kind(&reduced), kind(&returned));
    }
}

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

    #[test]
    fn stepping_back_undoes_stepping_from_anywhere(
        run in atoms::runs(4),
        seeks in proptest::collection::vec(any::<Index>(), 12),
    ) {
        let mut session = Session::new(program(&run));
        let mut states = vec![snapshot(session.machine())];
        while session.step() {
            states.push(snapshot(session.machine()));
            prop_assert!(!session.summary().is_empty());
        }
        for state in states.iter().rev().skip(1) {
            prop_assert!(session.step_back());
            prop_assert!(snapshot(session.machine()) == *state);
        }
        for index in seeks {
            let to = index.index(states.len());
            session.seek(to);
            prop_assert!(snapshot(session.machine()) == states[to], "seek to {to}");
        }
    }

    #[test]
    fn a_session_a_run_and_a_recorded_run_agree(run_of in atoms::runs(4)) {
        let program = program(&run_of);
        let outcome = run(&program);
        let mut session = Session::new(Rc::clone(&program));
        session.run_to_end();
        let end = snapshot(&outcome.machine);
        prop_assert!(snapshot(session.machine()) == end);
        prop_assert_eq!(session.fault(), outcome.fault.as_ref());
        let mut journal = Journal::default();
        let recorded = run_recorded(&program, &mut journal);
        prop_assert!(snapshot(&recorded.machine) == end);
        let mut machine: Machine = recorded.machine;
        for change in journal.changes().iter().rev() {
            machine.undo(change);
        }
        prop_assert!(snapshot(&machine) == snapshot(&program.start), "undone to the start");
    }

    #[test]
    fn one_instruction_does_what_a_plain_account_of_it_says(run_of in atoms::runs(1)) {
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
        // Lane after lane on the state before, by addresses worked out again.
        let mut machine = program.start.clone();
        let bytes = u8::try_from(line.bytes()).unwrap();
        let start = &program.start;
        let registers = SpaceId::registers(0);
        let value = |lane: u8, register: u8| {
            start.load(registers, register_address(lane, register), bytes).unwrap()
        };
        let mut lanes: Vec<u32> = line.order.clone();
        lanes.extend((0..32).filter(|l| !line.order.contains(l)));
        let is_cas = line.operation == Operation::Cas;
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
                let new = account(line.operation, line.size, run_of.chip, old, rb, rc);
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

/// The new value of a cell, written out again for whole numbers; for floats
/// the arithmetic that the examples of `semantics.jsonl` have tested.
fn account(operation: Operation, size: Size, chip: Chip, m: u64, rb: u64, rc: u64) -> u64 {
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
        Operation::Add => m.wrapping_add(rb),
        Operation::Min => {
            if less {
                m
            } else {
                rb
            }
        }
        Operation::Max => {
            if less {
                rb
            } else {
                m
            }
        }
        Operation::Inc | Operation::SafeAdd => {
            if m >= rb {
                0
            } else {
                m + 1
            }
        }
        Operation::Dec => {
            if m == 0 || m > rb {
                rb
            } else {
                m - 1
            }
        }
        Operation::And => m & rb,
        Operation::Or => m | rb,
        Operation::Xor => m ^ rb,
        Operation::Exch => rb,
        Operation::Cas => {
            if m == rb {
                rc
            } else {
                m
            }
        }
    })
}

//! Properties of all registered instructions, programs, texts and byte strings. The
//! tests do not name instructions.

use lanewise_core::bits::{Decoder, Field};
use lanewise_core::diagnostic::{Diagnostic, Diagnostics, Severity, Span};
use lanewise_core::isa::schema::Form;
use lanewise_core::isa::{
    Access, Family, Instruction, IssueContext, SPECS, Style, SymbolTable, Target, ThreadSet, Unit,
};
use lanewise_core::machine::{Journal, Machine, SpaceId, StepGranularity};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::rules;
use lanewise_core::session::{IssueIndex, Session, accesses_of, run, run_recorded};
use lanewise_core::text::SyntaxPart;
use lanewise_tests::generate::{self, Choices, Filled, Run, config};
use lanewise_tests::parse::{parse, runnable};
use lanewise_tests::place::{snapshot, whole_snapshot};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeMap;
use std::rc::Rc;

const STYLES: [Style; 2] = [Style::Document, Style::Assembler];

fn symbols(target: Target) -> SymbolTable {
    generate::assembler(target).symbols().clone()
}

/// Whether the text of an instruction expresses a field. Exceptions: bits of an absent
/// predicate or variable, regions of matrix operands, bits of a constant beyond its
/// type, the size and mask of an instruction without lanes, and reserved values, which
/// are printed as they are read.
fn has_text(field: &Field, fields: &[Field], instruction: &Instruction) -> bool {
    let mut own = fields.iter().filter(|f| f.part == field.part);
    let is_null = own.any(|f| f.name.ends_with("id") && f.bits == 0);
    let mut operands = instruction.spec().syntax.operands.iter();
    let operand = operands.find(|o| o.part == field.part);
    let is_constant = field.name.ends_with(" low") || field.name.ends_with(" high");
    let has_text = match operand.map(|o| o.form) {
        Some(Form::Rows) => false,
        Some(Form::Scalar) => !is_constant,
        _ => true,
    };
    let reserved = ["reserved", "undocumented", "not defined"];
    let is_reserved = reserved.iter().any(|word| field.meaning.contains(word));
    let is_size = matches!(field.part, SyntaxPart::ExecSize | SyntaxPart::Mask);
    let is_lost = is_size && instruction.spec().syntax.lanes.is_empty();
    has_text && !is_null && !is_reserved && !is_lost
}

/// Checks that an instruction and the one parsed from its text agree in all fields
/// that the text expresses.
fn check_read_back(
    first: &Instruction,
    second: &Instruction,
    symbols: &SymbolTable,
) -> Result<(), TestCaseError> {
    let (own, other) = (first.fields(symbols), second.fields(symbols));
    prop_assert_eq!(own.len(), other.len(), "{:?}", first);
    for (a, b) in own.iter().zip(&other) {
        prop_assert!(
            a.bits == b.bits || !has_text(a, &own, first),
            "{a:?} {b:?}\n{first:?}"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(8000))]

    /// The layout decodes its own encodings; a decoder may reject combinations of
    /// fields.
    #[test]
    fn decoding_inverts_encoding(filled in generate::instructions()) {
        let Filled { target, form, instruction } = filled;
        let encoded = instruction.encode();
        let mut read = generate::plain(instruction.spec(), form);
        let mut decoder = Decoder::new(encoded.bytes());
        prop_assert_eq!(read.layout(&mut decoder), Ok(()));
        prop_assert_eq!(&read, &instruction);
        prop_assert_eq!(decoder.consumed(), encoded.bytes().len());
        let mut out = Diagnostics::new();
        match Instruction::decode(encoded.bytes(), &symbols(target), &mut out) {
            Ok(decoded) => prop_assert_eq!(decoded, (instruction, encoded.bytes().len())),
            Err(_) => prop_assert!(out.has_errors()),
        }
    }

    #[test]
    fn fields_tile_the_encoding(filled in generate::instructions()) {
        let bytes = filled.instruction.encode().bytes().to_vec();
        let mut next = 0;
        for field in filled.instruction.fields(&symbols(filled.target)) {
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
    fn parsing_inverts_printing(
        filled in generate::instructions(),
        schedule in proptest::option::of(generate::schedules()),
    ) {
        let symbols = symbols(filled.target);
        let mut instruction = filled.instruction;
        instruction.set_schedule(schedule);
        let encoded = instruction.encode();
        let decoded = Instruction::decode(encoded.bytes(), &symbols, &mut Diagnostics::new());
        for style in STYLES {
            let text = instruction.text(&symbols, style);
            let tokens = instruction.tokens(&symbols, style);
            let joined: String = tokens.iter().map(|t| t.text.as_str()).collect();
            prop_assert_eq!(&joined, &text, "the tokens make up the text");
            if let (Ok(_), Ok(read)) = (&decoded, parse(&text, &symbols)) {
                check_read_back(&instruction, &read, &symbols)?;
                prop_assert_eq!(read.schedule(), instruction.schedule(), "{}", &text);
                prop_assert_eq!(read.text(&symbols, style), text);
            }
        }
    }

    /// A line generated from the schema and its printed form are the same instruction
    /// in both styles, and the printed form has all operands.
    #[test]
    fn schema_lines_round_trip(
        (target, spec, _, line) in generate::lines(),
    ) {
        let symbols = generate::line_symbols(target);
        if let Ok(instruction) = parse(&line, &symbols) {
            prop_assert!(std::ptr::eq(instruction.spec(), spec));
            // All parts of a valid line are encoded.
            if let Ok(assembled) = Assembler::with_names(symbols.clone()).assemble(&line) {
                let bytes = assembled.encoded.bytes();
                let decoded = Instruction::decode(bytes, &symbols, &mut Diagnostics::new());
                prop_assert_eq!(decoded, Ok((instruction.clone(), bytes.len())), "{}", line);
            }
            for style in STYLES {
                let text = instruction.text(&symbols, style);
                let Ok(read) = parse(&text, &symbols) else {
                    return Err(TestCaseError::fail(format!("{text} of {line}")));
                };
                check_read_back(&instruction, &read, &symbols)?;
                prop_assert_eq!(read.text(&symbols, style), text);
            }
            let tokens = instruction.tokens(&symbols, Style::Assembler);
            for operand in spec.syntax.operands.iter().filter(|o| !o.optional) {
                prop_assert!(tokens.iter().any(|token| token.part == operand.part), "{line}");
            }
        }
    }

    #[test]
    fn any_bytes_decode_or_give_a_diagnostic((target, bytes) in generate::byte_strings()) {
        check_bytes(&mut generate::assembler(target), &bytes)?;
    }

    #[test]
    fn damaged_lines_parse_or_give_a_diagnostic(
        (target, _, _, line) in generate::lines(),
        at in any::<Index>(),
        length in 0..6_usize,
        piece in select(vec![
            "", " ", ",", "[", "]", "@", "!", ".", "(", "<", ":", "R255", "P7", "V0", "&req={", "?",
            ";", "-", "0x", "é", "999999999999999999999",
        ]),
    ) {
        let start = at.index(line.len());
        let end = (start + length).min(line.len());
        let text = format!("{}{piece}{}", &line[..start], &line[end..]);
        check_line(&mut Assembler::with_names(generate::line_symbols(target)), &text)?;
    }
}

/// Checks that bytes are an instruction whose text is read back, or have a diagnostic.
fn check_bytes(assembler: &mut Assembler, bytes: &[u8]) -> Result<(), TestCaseError> {
    let (read, text) = match assembler.disassemble(bytes, Style::Assembler) {
        Ok(read) => {
            prop_assert!(read.length <= bytes.len() && !read.text.is_empty());
            check_spans(read.diagnostics, bytes.len())?;
            (read.instruction, read.text.to_owned())
        }
        Err(diagnostics) => {
            prop_assert!(diagnostics.iter().any(|d| d.severity() == Severity::Error));
            return check_spans(diagnostics, bytes.len() + 1);
        }
    };
    // Encoding gives the same bytes, except for ignored bits.
    let again = read.encode();
    let symbols = assembler.symbols().clone();
    let decoded = Instruction::decode(again.bytes(), &symbols, &mut Diagnostics::new());
    prop_assert_eq!(decoded.map(|(i, _)| i), Ok(read.clone()));
    if let Ok(assembled) = assembler.assemble(&text) {
        // The real assembler drops the mask of some instructions; the bytes may still
        // have one.
        let drops_mask = |d: &Diagnostic| std::ptr::eq(d.rule, &rules::MASK_LOST);
        if assembled.diagnostics.iter().any(drops_mask) {
            return Ok(());
        }
        check_read_back(&read, &assembled.instruction, &symbols)?;
    }
    Ok(())
}

/// All values of every byte of some valid encodings of every form.
#[test]
fn any_field_byte_decodes_or_gives_a_diagnostic() {
    for (n, spec) in (1..).zip(SPECS) {
        let mut choices = Choices::new(vec![n * 0x9e37_79b9]);
        let targets = generate::targets(spec.family);
        for form in 0..spec.opcodes.len() {
            let mut valid = 0;
            for target in targets.iter().cycle().take(40 * targets.len()) {
                let mut assembler = generate::assembler(*target);
                let symbols = assembler.symbols().clone();
                let filled = generate::filled(spec, form, &symbols, &mut choices);
                let encoded = filled.encode();
                if valid == 3
                    || assembler
                        .disassemble(encoded.bytes(), Style::Assembler)
                        .is_err()
                {
                    continue;
                }
                valid += 1;
                for at in 0..encoded.bytes().len() {
                    for value in 0..=u8::MAX {
                        let mut bytes = encoded.bytes().to_vec();
                        bytes[at] = value;
                        check_bytes(&mut assembler, &bytes)
                            .unwrap_or_else(|error| panic!("{target:?} {bytes:02x?}: {error}"));
                    }
                }
            }
            assert!(valid > 0, "{} {form}", spec.name);
        }
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

/// Checks that a line assembles or has a diagnostic within its bounds.
fn check_line(assembler: &mut Assembler, text: &str) -> Result<(), TestCaseError> {
    let diagnostics = match assembler.assemble(text) {
        Ok(assembled) => assembled.diagnostics,
        Err(diagnostics) => {
            prop_assert!(!diagnostics.is_empty());
            diagnostics
        }
    };
    for d in diagnostics {
        prop_assert!(fits(d.span, text), "{d:?} in {text:?}");
        prop_assert!(
            d.edit.as_ref().is_none_or(|e| fits(e.span, text)),
            "{d:?} in {text:?}"
        );
    }
    Ok(())
}

/// The properties above are not vacuous: enough encodings and lines of every form are
/// valid.
#[test]
fn generators_reach_every_instruction() {
    let mut counts: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for (n, spec) in (1..).zip(SPECS) {
        let mut choices = Choices::new(vec![n * 0x9e37_79b9]);
        for target in generate::targets(spec.family)
            .into_iter()
            .cycle()
            .take(1400)
        {
            let mut count =
                |what, is: bool| *counts.entry((spec.name, what)).or_default() += u32::from(is);
            let own = symbols(target);
            let form = choices.below(spec.opcodes.len());
            let instruction = generate::filled(spec, form, &own, &mut choices);
            let decoded =
                Instruction::decode(instruction.encode().bytes(), &own, &mut Diagnostics::new());
            count("decoded", decoded.is_ok());
            let text = instruction.text(&own, Style::Assembler);
            count("read back", parse(&text, &own).is_ok());
            let line = generate::line(spec, Style::Document, &mut choices);
            count(
                "lines",
                parse(&line, &generate::line_symbols(target)).is_ok(),
            );
        }
    }
    println!("{counts:#?}");
    for (what, count) in counts {
        assert!(count >= 20, "{what:?}: only {count} of 1400");
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_text_parses_with_diagnostics_in_bounds(text in generate::texts()) {
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
    fn any_line_assembles_or_gives_a_diagnostic(
        text in generate::texts(),
        target in generate::any_target(),
    ) {
        check_line(&mut generate::assembler(target), &text)?;
    }
}

/// Parses a generated program, which must not have errors.
fn program(run: &Run) -> Rc<Program> {
    let program = runnable(&run.text);
    let instructions = program.instructions.iter();
    let specs: Vec<&str> = instructions.map(|p| p.instruction.spec().name).collect();
    let wanted: Vec<&str> = run.specs.iter().map(|spec| spec.name).collect();
    assert_eq!(specs, wanted, "{}", run.text);
    Rc::new(program)
}

/// Whether an instruction of the program has steps within a unit.
fn has_fine_steps(program: &Program) -> bool {
    let mut all = program.instructions.iter();
    all.any(|placed| placed.instruction.matrix().is_some())
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn step_back_inverts_step(
        run in generate::runs(4),
        seeks in proptest::collection::vec(any::<Index>(), 12),
        turns in proptest::collection::vec(any::<Index>(), 3),
        granularity in select(vec![StepGranularity::Unit, StepGranularity::Fine]),
    ) {
        let start = || Session::with_granularity(program(&run), granularity);
        let mut session = start();
        let mut states = vec![whole_snapshot(session.machine())];
        while session.step() {
            states.push(whole_snapshot(session.machine()));
            prop_assert_eq!(session.position(), states.len() - 1);
            prop_assert!(!session.summary().is_empty());
        }
        prop_assert!(session.at_end() && session.is_explored());
        let summary = session.summary();
        for state in states.iter().rev().skip(1) {
            prop_assert!(session.step_back());
            prop_assert!(whole_snapshot(session.machine()) == *state, "step back to {}", session.position());
        }
        prop_assert!(!session.step_back());
        for index in seeks {
            let to = index.index(states.len());
            session.seek(to);
            prop_assert_eq!(session.position(), to);
            prop_assert!(whole_snapshot(session.machine()) == states[to], "seek to {to}");
            let stepped = session.step();
            prop_assert_eq!(stepped, to + 1 < states.len());
            if stepped {
                prop_assert!(whole_snapshot(session.machine()) == states[to + 1]);
                prop_assert!(session.step_back());
            }
        }
        // A session that steps back before the end of the history is known.
        let mut session = start();
        for index in turns {
            let forward = index.index(states.len());
            while session.position() < forward && session.step() {}
            let back = session.position() / 2;
            while session.position() > back {
                session.step_back();
            }
            prop_assert!(whole_snapshot(session.machine()) == states[back]);
        }
        session.run_to_end();
        prop_assert!(whole_snapshot(session.machine()) == states[states.len() - 1]);
        prop_assert_eq!(session.summary(), summary);
    }

    #[test]
    fn session_run_and_recorded_run_agree(run_of in generate::runs(4)) {
        let program = program(&run_of);
        let outcome = run(&program);
        let end = snapshot(&outcome.machine);
        for granularity in [StepGranularity::Unit, StepGranularity::Fine] {
            let mut session = Session::with_granularity(Rc::clone(&program), granularity);
            session.run_to_end();
            prop_assert!(snapshot(session.machine()) == end);
            prop_assert_eq!(session.fault(), outcome.fault.as_ref());
            if granularity == StepGranularity::Unit || !has_fine_steps(&program) {
                let fault = u64::from(outcome.fault.is_some());
                prop_assert_eq!(session.known() as u64, outcome.steps + fault);
            }
        }
        let mut journal = Journal::default();
        let recorded = run_recorded(&program, &mut journal);
        prop_assert!(snapshot(&recorded.machine) == end);
        prop_assert_eq!(recorded.fault, outcome.fault);
        let mut machine: Machine = recorded.machine;
        for change in journal.changes().iter().rev() {
            machine.undo(change);
        }
        prop_assert!(snapshot(&machine) == snapshot(&program.start), "undone to the initial state");
    }

    /// Exactly the active lanes of a lane queue make an access. An instruction changes
    /// only the cells and destinations of its accesses, and nothing if it faults.
    #[test]
    fn only_active_lanes_have_effects(run_of in generate::queued_runs()) {
        let program = program(&run_of);
        let Some(placed) = program.instructions.first() else { return Ok(()) };
        let instruction = &placed.instruction;
        let context = context(&program);
        let accesses = accesses_of(&program, program.issue_by_all(0), &program.start);
        let mut busy: Vec<Unit> = accesses.iter().map(|access| access.unit).collect();
        busy.sort();
        let awake = units(instruction, program.threads).into_iter();
        let awake: Vec<Unit> =
            awake.filter(|unit| instruction.inactive_reason(&context, *unit).is_none()).collect();
        prop_assert_eq!(busy, awake, "{}", run_of.text);

        let outcome = run(&program);
        prop_assert_eq!(outcome.fault.is_some(), accesses.iter().any(|a| a.fault.is_some()));
        let mut journal = Journal::default();
        run_recorded(&program, &mut journal);
        for change in journal.changes().iter().filter(|change| !change.space.is_control()) {
            let is_own = |access: &Access| {
                let is_cell = change.space == access.space
                    && change.touches(access.space, access.address, access.bytes.into())
                    && access.writes && access.in_bounds;
                let is_register = change.space == SpaceId::registers(access.unit.thread)
                    && access.dst.map(u64::from) == Some(change.address);
                // Status of each lane, if available.
                let is_status = change.space == SpaceId::flags(access.unit.thread)
                    && placed.spans.find(SyntaxPart::Status).is_some();
                is_cell || is_register || is_status
            };
            prop_assert!(outcome.fault.is_none());
            prop_assert!(accesses.iter().any(is_own), "{change:?}\n{}", run_of.text);
        }
    }

    /// The order of lanes that only add does not affect memory.
    #[test]
    fn additions_commute(
        run_of in generate::queued_runs(),
        lanes in Just((0..32_u8).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let own = program(&run_of);
        let Some(placed) = own.instructions.first() else { return Ok(()) };
        let instruction = &placed.instruction;
        let accesses = accesses_of(&own, own.issue_by_all(0), &own.start);
        if !accesses.iter().all(|a| instruction.adds(a, &own.symbols).is_some()) {
            return Ok(());
        }
        let lanes = lanes.iter().filter(|lane| **lane < instruction.lanes());
        let names: Vec<String> = lanes.map(u8::to_string).collect();
        let (before, line) = run_of.text.trim_end().rsplit_once('\n').unwrap();
        let before = before.lines().filter(|line| !line.starts_with(".order"));
        let before: Vec<&str> = before.collect();
        let text = format!("{}\n.order {}\n{line}\n", before.join("\n"), names.join(" "));
        let shuffled = Program::parse(&text);
        prop_assert!(shuffled.can_run(), "{:?}", shuffled.diagnostics);
        let memory = |program: &Program| -> Vec<_> {
            let all = snapshot(&run(program).machine).into_iter();
            all.filter(|(space, _, _)| *space >= SpaceId::SLM.0).collect()
        };
        prop_assert!(memory(&own) == memory(&shuffled), "{}", text);
    }
}

/// Context of an instruction that issues at the start of a program.
fn context(program: &Program) -> IssueContext<'_> {
    IssueContext {
        symbols: &program.symbols,
        machine: &program.start,
        threads: ThreadSet::all(program.threads),
    }
}

/// All lanes of an instruction on all EUs, with each channel.
fn units(instruction: &Instruction, threads: u8) -> Vec<Unit> {
    let mut units = Vec::new();
    let channels = instruction.channels();
    for thread in 0..threads {
        for lane in 0..instruction.lanes() {
            if channels == 0 {
                units.push(Unit::lane(thread, lane));
            }
            let enabled = (0..4_u8).filter(|channel| channels >> channel & 1 == 1);
            units.extend(enabled.map(|channel| Unit {
                thread,
                lane,
                channel: Some(channel),
            }));
        }
    }
    units
}

/// Generated programs cover every instruction on every target, with conflicts.
#[test]
fn generated_programs_run_every_instruction() {
    let mut choices = Choices::new(vec![7]);
    for spec in SPECS {
        let (mut made, mut met, mut writes) = (0, 0, false);
        for target in generate::targets(spec.family) {
            let run = generate::program(&[spec, spec], target, &mut choices);
            made += run.specs.len();
            let program = program(&run);
            let mut session = Session::new(Rc::clone(&program));
            session.run_to_end();
            for index in 0..program.instructions.len() {
                let lanes = session.lanes(IssueIndex(index.try_into().unwrap()));
                met += usize::from(lanes.iter().any(|row| row.conflict.is_some()));
                writes |= lanes.iter().any(|row| row.access.is_some_and(|a| a.writes));
            }
        }
        println!("{}: {made} made, {met} with conflicts", spec.name);
        assert!(made > 0, "{}", spec.name);
        assert!(met > 0 || !writes, "{}", spec.name);
    }
}

proptest! {
    #![proptest_config(config(800))]

    /// Groups of three lines and a control word round-trip.
    #[test]
    fn groups_round_trip(
        slots in proptest::collection::vec((0..100_u64, generate::schedules()), 3),
        target in select(generate::targets(Family::Sass)),
        noise in any::<[u8; 32]>(),
    ) {
        let mut assembler = Assembler::with_names(generate::line_symbols(target));
        if let Err(diagnostics) = assembler.disassemble_group(&noise, Style::Assembler) {
            check_spans(&diagnostics, 32)?;
            prop_assert!(!diagnostics.is_empty());
        }
        let specs: Vec<_> = Instruction::specs(target.family()).collect();
        let mut lines = Vec::new();
        for (seed, schedule) in &slots {
            let mut choices = Choices::new(vec![*seed]);
            let spec = choices.pick(&specs);
            let head = format!(".target {}\n.region global 0 64\n", target.name());
            let line = generate::running_line(spec, &mut assembler, &head, &mut choices);
            let mut instruction = parse(&line.expect("every chip has instructions"), assembler.symbols()).unwrap();
            instruction.set_schedule(Some(*schedule));
            lines.push(instruction.text(assembler.symbols(), Style::Assembler));
        }
        let [first, second, third] = &lines[..] else { unreachable!() };
        let group = assembler.assemble_group([first, second, third]).unwrap();
        for style in STYLES {
            let read = assembler.disassemble_group(&group.bytes, style).unwrap();
            let texts = [&*read.texts[0], &read.texts[1], &read.texts[2]];
            if style == Style::Assembler {
                prop_assert_eq!(texts, [&**first, second, third]);
            }
            prop_assert_eq!(assembler.assemble_group(texts).unwrap().bytes, group.bytes);
        }
    }
}

/// Uses programs long enough for several checkpoints.
#[test]
fn seek_works_across_checkpoints() {
    const COPY: usize = 1024;
    let mut choices = Choices::new(vec![11]);
    for spec in SPECS {
        let targets = generate::targets(spec.family);
        let mut programs = std::iter::repeat_with(|| {
            let run = generate::program(&[spec], choices.pick(&targets), &mut choices);
            let (_, line) = run.text.trim_end().rsplit_once('\n').unwrap();
            Program::parse(&format!("{}{}", run.text, format!("{line}\n").repeat(99)))
        });
        let is_long = |program: &Program| run(program).steps > 2 * COPY as u64 + 100;
        let long = programs.by_ref().take(60).find(is_long);
        let program = long.unwrap_or_else(|| panic!("{}", spec.name));
        let mut session = Session::new(Rc::new(program));
        let mut states = vec![snapshot(session.machine())];
        while session.step() {
            states.push(snapshot(session.machine()));
        }
        let last = states.len() - 1;
        let near = (0..=last / COPY + 1).flat_map(|k| (k * COPY).saturating_sub(34)..k * COPY + 34);
        let far = (0..100).map(|k| k * 2654 % (last + 1));
        let there: Vec<usize> = near.chain(far).filter(|p| *p <= last).collect();
        // Seek far, and to adjacent positions, in both directions.
        let across = there.iter().flat_map(|p| [*p, last - p]);
        for to in across.chain(there.iter().copied()) {
            session.seek(to);
            assert_eq!(session.position(), to);
            assert!(
                snapshot(session.machine()) == states[to],
                "{}: seek to {to}",
                spec.name
            );
        }
        session.seek(usize::MAX);
        assert_eq!(session.position(), last);
    }
}

//! Everything that is registered: specs, their examples and bundled scenarios.

use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::schema::{Elements, Form};
use lanewise_core::isa::{Family, Instruction, SPECS, Style, SymbolTable};
use lanewise_core::library::{BUNDLED, KERNELS, PROGRAMS};
use lanewise_core::number::parse_literal;
use lanewise_core::program::{Assembler, Program, Target};
use lanewise_core::session::{Session, run};
use lanewise_core::text::SyntaxPart;
use lanewise_tests::judge::{hex, unhex};
use lanewise_tests::parse::{parse, runnable};
use lanewise_tests::place;
use std::collections::BTreeSet;
use std::rc::Rc;

fn declarations(scenario: &str) -> impl Iterator<Item = &str> {
    scenario.lines().filter(|l| l.starts_with(".decl"))
}

fn parse_clean(what: &str, text: &str) -> Program {
    let program = Program::parse(text);
    assert!(
        !program
            .diagnostics
            .iter()
            .any(|d| d.severity() == Severity::Error),
        "{what}: {:#?}",
        program.diagnostics
    );
    program
}

#[test]
fn specs_are_complete() {
    let mut symbols = BTreeSet::new();
    for spec in SPECS {
        let at = spec.name;
        assert!(symbols.insert(at), "{at} is a duplicate");
        let words = [spec.name, spec.summary, spec.source];
        assert!(words.iter().all(|w| !w.trim().is_empty()), "{at}");
        let lists = [spec.mnemonics, spec.pseudo_code];
        for list in lists {
            assert!(
                !list.is_empty() && list.iter().all(|w| !w.trim().is_empty()),
                "{at}"
            );
        }
        assert!(!spec.opcodes.is_empty() && !spec.facts.is_empty() && !spec.examples.is_empty());
        assert!(spec.facts.iter().all(|f| !f.text.is_empty()), "{at}");
        for contradiction in spec.contradictions {
            let parts = [
                contradiction.title,
                contradiction.one,
                contradiction.other,
                contradiction.resolution,
            ];
            assert!(
                parts.iter().all(|p| !p.is_empty()),
                "{at}: {}",
                contradiction.title
            );
        }
        for mnemonic in spec.mnemonics {
            for word in [
                mnemonic.to_lowercase(),
                mnemonic.to_uppercase(),
                at.to_owned(),
            ] {
                let found = Instruction::named(spec.family, &word);
                assert!(found.is_some_and(|f| f.name == at), "{word}");
            }
        }
        let mut codes = BTreeSet::new();
        for row in (spec.operations)() {
            assert!(codes.insert(row.code), "{at}: duplicate code {}", row.code);
            let cells = [row.name, row.assembler, row.formula, row.types, row.returns];
            assert!(cells.iter().all(|c| !c.is_empty()), "{at} {}", row.name);
        }
    }
}

/// Operands of an instruction have distinct parts, names and descriptions.
#[test]
fn operands_of_an_instruction_are_distinct() {
    let mut alike = Vec::new();
    for spec in SPECS {
        let operands = spec.syntax.operands;
        for (at, a) in operands.iter().enumerate() {
            for b in &operands[at + 1..] {
                let mut check = |what: &str, is_same: bool| {
                    if is_same {
                        alike.push(format!("{}: the {what} of {a:?} and {b:?}", spec.name));
                    }
                };
                check("part", a.part == b.part);
                check("name", a.name == b.name);
                check("role", a.role == b.role);
                check("description", a.what == b.what);
            }
        }
    }
    assert!(alike.is_empty(), "{}", alike.join("\n"));
}

#[test]
fn predicates_and_surfaces_have_no_elements() {
    for spec in SPECS {
        for operand in spec.syntax.operands {
            let is_none = matches!(operand.elements, Elements::None);
            let is_whole = matches!(operand.form, Form::Predicate | Form::Surface);
            assert!(is_none || !is_whole, "{}: {operand:?}", spec.name);
        }
    }
}

/// Default instruction of a form, with the given operation.
fn with_operation(plain: &Instruction, symbols: &SymbolTable, style: Style, name: &str) -> String {
    let tokens = plain.tokens(symbols, style).into_iter();
    let texts = tokens.map(|token| match token.part {
        SyntaxPart::Operation => name.to_owned(),
        _ => token.text,
    });
    texts.collect()
}

#[test]
fn every_operation_parses_in_both_styles() {
    for spec in SPECS {
        let symbols = SymbolTable::new(match spec.family {
            Family::Visa => Target::default(),
            Family::Sass => Target::Sass(Chip::default()),
        });
        for row in (spec.operations)() {
            for (style, name) in [
                (Style::Document, row.name.to_owned()),
                (Style::Assembler, row.assembler.to_owned()),
                (Style::Document, row.name.to_lowercase()),
            ] {
                // An operation may have a separate form.
                let mut forms = 0..spec.opcodes.len();
                let is_read = forms.any(|form| {
                    let plain = Instruction::default_for_opcode(spec, form).unwrap();
                    let line = with_operation(&plain, &symbols, style, &name);
                    let read = parse(&line, &symbols);
                    read.is_ok_and(|read| read.operation() == Some(row.code))
                });
                assert!(is_read, "{} {name}", spec.name);
            }
        }
    }
}

#[test]
fn examples_print_encode_and_run() {
    let mut count = 0;
    for spec in SPECS {
        for example in spec.examples {
            let what = example.title;
            let program = parse_clean(what, example.scenario);
            assert_eq!(program.instructions.len(), 1, "{what}");
            let mut assembler =
                Assembler::new(program.symbols.target, declarations(example.scenario)).unwrap();
            let bytes = unhex(example.bytes);
            for (style, text) in [
                (Style::Document, example.document),
                (Style::Assembler, example.assembler),
            ] {
                let assembled = assembler.assemble(text).unwrap();
                assert_eq!(
                    hex(assembled.encoded.bytes()),
                    example.bytes,
                    "{what}: {text}"
                );
                assert_eq!(assembled.instruction.spec().name, spec.name, "{what}");
                let read = assembler.disassemble(&bytes, style).unwrap();
                assert_eq!(read.text, text, "{what}");
            }
            let placed = &program.instructions[0].instruction;
            assert_eq!(
                hex(placed.encode().bytes()),
                example.bytes,
                "{what}: the scenario's line"
            );
            let outcome = run(&program);
            assert_eq!(outcome.fault, None, "{what}");
            assert!(!example.end.is_empty(), "{what} has no expected values");
            for (from, values) in example.end {
                let wanted: Vec<&str> = values.split(',').map(str::trim).collect();
                let (got, ty) =
                    place::load(&program, &outcome.machine, from, wanted.len()).unwrap();
                let wanted: Vec<u64> = wanted
                    .iter()
                    .map(|v| parse_literal(v, ty).unwrap())
                    .collect();
                assert_eq!(got, wanted, "{what}: {from}");
            }
            count += 1;
        }
    }
    println!("{count} examples");
}

#[test]
fn bundled_scenarios_are_clean_and_run() {
    let mut ids = BTreeSet::new();
    for bundled in BUNDLED {
        assert!(ids.insert(bundled.id), "duplicate id {}", bundled.id);
        // Compilers write what documents forbid and the real tool accepts.
        let program = match bundled.topic {
            KERNELS => Program::parse(bundled.text),
            _ => parse_clean(bundled.id, bundled.text),
        };
        assert!(program.can_run(), "{}", bundled.id);
        assert!(!program.instructions.is_empty(), "{}", bundled.id);
        let is_instruction = SPECS.iter().any(|s| s.name == bundled.topic);
        assert!(
            is_instruction || [KERNELS, PROGRAMS].contains(&bundled.topic),
            "{}",
            bundled.id
        );
        let outcome = run(&program);
        let faults = ["fault", "endless"]
            .iter()
            .any(|word| bundled.id.contains(word));
        assert_eq!(outcome.fault.is_some(), faults, "{}", bundled.id);
    }
}

/// The ids of the contradictions that concern the instructions of a text.
fn contradiction_ids(text: &str) -> Vec<&'static str> {
    let program = runnable(text);
    let placed = program.instructions.iter();
    let mut ids: Vec<_> = placed
        .flat_map(|p| p.instruction.contradiction_ids(&program.symbols))
        .collect();
    ids.sort_unstable();
    ids
}

#[test]
fn instructions_have_their_documents_contradictions() {
    for spec in SPECS {
        let own: BTreeSet<&str> = spec.contradictions.iter().map(|c| c.id).collect();
        assert_eq!(own.len(), spec.contradictions.len(), "{}", spec.name);
        for example in spec.examples {
            for id in contradiction_ids(example.scenario) {
                assert!(own.contains(id), "{}: {id}", spec.name);
            }
        }
    }
    let visa = |ty: &str, line: &str| {
        format!(
            ".decl V32 v_type=G type={ty} num_elts=64 align=GRF\n\
             .decl V33 v_type=G type=ud num_elts=16 align=GRF\n.decl P1 v_type=P num_elts=16\n{line}"
        )
    };
    let atomic = |line: &str| contradiction_ids(&visa("ud", line));
    assert!(atomic("dword_atomic.inc (M1, 8) %slm V33.0 %null.0 %null.0 V32.0").is_empty());
    assert_eq!(
        atomic("(P1.any) dword_atomic.cmpxchg (M1, 8) %slm V33.0 V32.0 V32.0 V32.0"),
        ["any-all", "swapped-roles"]
    );
    assert_eq!(
        contradiction_ids(&visa(
            "d",
            "dword_atomic.add (M1, 8) %slm V33.0 V32.0 %null.0 V32.0"
        )),
        ["signed-add"]
    );
    assert_eq!(
        contradiction_ids(&visa(
            "d",
            "dword_atomic.predec (M1, 8) %slm V33.0 %null.0 %null.0 V32.0"
        )),
        ["predec-return", "predec-type", "pseudo-code-return"]
    );
    // An undocumented size or number of lanes.
    let svm = |line: &str| contradiction_ids(&visa("uq", line));
    assert!(svm("svm_atomic.inc.64 (M1, 8) V32.0 V32.0 %null.0 %null.0").is_empty());
    for line in [
        "svm_atomic.inc.64 (M1, 16) V32.0 V32.0 %null.0 %null.0",
        "svm_atomic.inc.16 (M1, 8) V32.0 V33.0 %null.0 %null.0",
    ] {
        assert!(svm(line).contains(&"svm-sizes"), "{line}: {:?}", svm(line));
    }
    let scatter = |constant: &str| {
        let line = format!("svm_scatter4scaled.R (M1, 16) {constant} V32.0 V33.0");
        contradiction_ids(&visa("uq", &line))
    };
    assert_eq!(scatter("0x12c:ub"), ["scaling-pitch", "wide-constant"]);
    assert_eq!(scatter("0x2c:ub"), ["scaling-pitch"]);
    let dpasw = |suffix: &str| {
        contradiction_ids(&visa(
            "d",
            &format!("dpasw.{suffix} (M1, 8) V32.0 %null.0 V32.0 V32(0,0)"),
        ))
    };
    assert_eq!(dpasw("s8.s4.8.4"), ["supply-table"]);
    assert!(dpasw("s8.s8.8.4").is_empty());
    let atom = |line: &str| contradiction_ids(&format!(".target sass SM60\n{line}"));
    assert!(atom("ATOM.CAS R0, [R2], R4, R5").is_empty());
    assert_eq!(
        atom("ATOM.E.ADD.F16x2.RN R0, [R2], R4"),
        ["flushed-halves", "later-forms", "omitted-rc", "wide-offset"]
    );
    assert!(atom("RED.ADD.F64.RN [R2], R4").is_empty());
    assert_eq!(atom("RED.E.MIN.U64 [R2], R4"), ["reduction-sizes"]);
}

/// Steps through a program and calls `see` with each sentence, and with the name of the
/// cell if there is one: an address, or an element of a buffer.
fn each_sentence(text: &str, mut see: impl FnMut(&str, Option<String>)) {
    let program = Rc::new(Program::parse(text));
    let mut session = Session::new(Rc::clone(&program));
    while session.step() {
        let cell = session
            .last_access()
            .filter(|access| access.fault.is_none());
        let buffer = |address| program.launch.as_ref()?.buffer_at(address);
        let cell = cell.map(|access| match buffer(access.address) {
            Some(buffer) => format!("{}[", buffer.name),
            None => format!("{:#x}", access.address),
        });
        see(&session.summary(), cell);
    }
}

#[test]
fn step_sentences_name_the_cell() {
    let mut cells = 0;
    for bundled in BUNDLED {
        each_sentence(bundled.text, |sentence, cell| {
            if let Some(cell) = cell {
                cells += 1;
                assert!(sentence.contains(&cell), "{}: {sentence}", bundled.id);
            }
        });
    }
    println!("{cells} cells named");
    assert!(cells > 0);
}

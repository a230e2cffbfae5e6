//! Everything that is registered: specs, their examples, bundled scenarios,
//! and one text for every rule.

use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::schema::{Elements, Form};
use lanewise_core::isa::{Family, Instruction, SPECS, Style, SymbolTable};
use lanewise_core::library::{BUNDLED, PROGRAMS};
use lanewise_core::number::parse_literal;
use lanewise_core::program::{Assembler, Program, Target};
use lanewise_core::rules;
use lanewise_core::session::{Session, run};
use lanewise_core::text::OperandKind;
use lanewise_tests::judge::{hex, unhex};
use lanewise_tests::parse::parse;
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
                contradiction.taken,
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
        OperandKind::Operation => name.to_owned(),
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
        let program = parse_clean(bundled.id, bundled.text);
        assert!(!program.instructions.is_empty(), "{}", bundled.id);
        let is_instruction = SPECS.iter().any(|s| s.name == bundled.topic);
        assert!(
            is_instruction || bundled.topic == PROGRAMS,
            "{}",
            bundled.id
        );
        let outcome = run(&program);
        let faults = bundled.id.contains("fault");
        assert_eq!(outcome.fault.is_some(), faults, "{}", bundled.id);
    }
}

/// How to break a rule.
enum Break {
    /// With a whole scenario.
    Text(&'static str),
    /// With a scenario that is made.
    Made(fn() -> String),
    /// With a line after [`DECLS`].
    Line(&'static str),
    /// With bytes after [`DECLS`].
    Bytes(&'static str),
    /// With a line of an SM52 program.
    Sass(&'static str),
    /// Not by text or bytes: why.
    Not(&'static str),
}

const DECLS: &str = "\
.decl O v_type=G type=ud num_elts=8 align=GRF
.decl A v_type=G type=ud num_elts=8 align=GRF
.decl C v_type=G type=ud num_elts=8 align=GRF
.decl I v_type=G type=d num_elts=8 align=GRF
.decl F v_type=G type=f num_elts=8 align=GRF
.decl Q v_type=G type=uq num_elts=8 align=GRF
.decl B v_type=G type=uq num_elts=32 align=GRF
.decl L v_type=G type=ud num_elts=32 align=GRF
.decl X v_type=G type=ud num_elts=1 align=GRF
.decl P1 v_type=P num_elts=8
.decl P2 v_type=P num_elts=32
.decl T6 v_type=T
.decl S0 v_type=S
.decl A0 v_type=A num_elts=4
";

/// One way to break each rule, by code.
const BREAKS: &[(&str, Break)] = &[
    ("E0101", Break::Text(".title \"no end\n")),
    ("E0102", Break::Text(".slmm 4")),
    (
        "E0103",
        Break::Text("dword_atomik.add (8) T0 V32 V33 V0 V34"),
    ),
    ("N0104", Break::Line("mov (M1, 8) C(0,0)<1> A(0,0)<8;8,1>")),
    ("E0105", Break::Line("dword_atomic.add (8) T0 O A V0 C C")),
    ("E0106", Break::Text(".target visa FOO")),
    ("E0107", Break::Text(".slm many")),
    ("E0108", Break::Text(".slm 64\n.target visa PVC")),
    ("W0109", Break::Text(".slm 64\n.slm 64")),
    ("E0110", Break::Made(|| "\n".repeat((4 << 20) + 1))),
    ("E0114", Break::Text(".slm 64 # bytes")),
    ("N0113", Break::Made(|| "\"\n".repeat(1001))),
    ("E0201", Break::Text(".decl V32 v_type=X")),
    (
        "E0202",
        Break::Text(".decl V32 v_type=G num_elts=8 type=ud"),
    ),
    ("E0203", Break::Text(".decl V5 v_type=G type=ud num_elts=8")),
    (
        "E0204",
        Break::Text(".decl ADD v_type=G type=ud num_elts=8"),
    ),
    ("E0205", Break::Text(".decl P1 v_type=P num_elts=3")),
    (
        "E0206",
        Break::Text(".decl V32 v_type=G type=ud num_elts=8 alias=<V33, 0>"),
    ),
    (
        "E0207",
        Break::Made(|| {
            let decl = |i| format!(".decl B{i} v_type=G type=df num_elts=4096\n");
            (0..33).map(decl).collect()
        }),
    ),
    (
        "W0208",
        Break::Text(".decl V25 v_type=G type=ud num_elts=8"),
    ),
    (
        "W0209",
        Break::Text(".decl V32 v_type=G type=ud num_elts=4096"),
    ),
    (
        "W0210",
        Break::Line(".decl Z v_type=G type=ud num_elts=8 alias=<A, 4>"),
    ),
    (
        "E0211",
        Break::Made(|| (0..33).map(|i| format!(".decl S_{i} v_type=S\n")).collect()),
    ),
    ("W0213", Break::Text(".decl em v_type=G type=ud num_elts=8")),
    (
        "W0214",
        Break::Text(".decl fence v_type=G type=ud num_elts=8"),
    ),
    (
        "W0215",
        Break::Text(".decl V32 v_type=G type=ud num_elts=4097"),
    ),
    ("E0334", Break::Line("svm_scatter4scaled.R (8) 0x0:bf B L")),
    (
        "E0335",
        Break::Line("svm_scatter4scaled.R (8) r[A0(16),0]<0;1,0>:uq B L"),
    ),
    ("W0425", Break::Line("svm_scatter4scaled.R (8) 1:f B L")),
    (
        "W0212",
        Break::Line(".decl Z v_type=G type=ud num_elts=1 alias=<A, 2>"),
    ),
    ("E0301", Break::Line("dword_atomic.add T0 O A V0 C")),
    ("E0302", Break::Line("dword_atomic.add (M1, 3) T0 O A V0 C")),
    ("E0303", Break::Line("dword_atomic.add (M9, 8) T0 O A V0 C")),
    (
        "E0304",
        Break::Line("(P1.some) dword_atomic.add (8) T0 O A V0 C"),
    ),
    (
        "E0305",
        Break::Line("dword_atomic.add (8) T0 O A V0 nobody"),
    ),
    ("E0306", Break::Line("dword_atomic.add (8) T0 O A V0 P1")),
    (
        "E0307",
        Break::Line("dword_atomic.add (8) T0 O A.70000 V0 C"),
    ),
    (
        "E0308",
        Break::Line("dword_atomic.add (8) T0 O A %null.4 C"),
    ),
    ("E0309", Break::Line("dword_atomic.add (8) T0 O A V0")),
    ("E0310", Break::Line("dword_atomic.add (8) A O A V0 C")),
    ("E0311", Break::Line("dword_atomic.mul (8) T0 O A V0 C")),
    ("E0312", Break::Line("dword_atomic.add.64 (8) T0 O A V0 C")),
    ("E0313", Break::Line("dword_atomic.add (4) T0 O A.16 V0 C")),
    ("E0314", Break::Line("dword_atomic.add (8) T0 O F V0 F")),
    ("E0315", Break::Line("dword_atomic.add (M8, 8) T0 O A V0 C")),
    ("E0316", Break::Line("dword_atomic.inc (8) T0 O A V0 C")),
    ("E0317", Break::Line("dword_atomic.add (8) T0 O A A C")),
    (
        "E0318",
        Break::Line("dword_atomic.add (8) T0 O A.8192 V0 C"),
    ),
    ("E0319", Break::Line("dword_atomic.add (8) T0 I A V0 C")),
    ("E0330", Break::Line("svm_scatter4scaled.GR (8) Q B L")),
    ("E0331", Break::Line("svm_scatter4scaled.R (8) Q(0,0) B L")),
    ("E0332", Break::Line("svm_scatter4scaled.R (8) V0 B L")),
    (
        "E0333",
        Break::Line("svm_scatter4scaled.R (8) (~)Q(0,0)<0;1,0> B L"),
    ),
    (
        "E0340",
        Break::Made(|| format!(".target visa PVC\n{DECLS}DPASW.s8.s8.8.1 (8) I I L A\n")),
    ),
    ("E0341", Break::Line("dpasw.s8.s8.3.1 (8) I I L A")),
    ("E0342", Break::Line("dpasw.s8.s9.8.1 (8) I I L A")),
    ("E0343", Break::Line("dpasw.bf8.bf8.8.1 (8) I I L A")),
    ("E0344", Break::Line("dpasw.s8.s8.8.1 (16) I I L A")),
    ("E0345", Break::Line("(P1) dpasw.s8.s8.8.1 (8) I I L A")),
    ("E0346", Break::Line("dpasw.s8.s8.8.1 (8) V0 I L A")),
    ("E0347", Break::Line("dpasw.s8.s8.8.1 (8) Q I L A")),
    (
        "E0348",
        Break::Line("dpasw.s8.s8.8.1 (8) I I L A(0,0)<1;1,0>"),
    ),
    ("E0349", Break::Line("dpasw.s8.s8.8.1 (8) I I L (-)A(0,0)")),
    ("E0350", Break::Sass("ATOM.MUL R0, [R2], R4")),
    ("E0351", Break::Sass("ATOM.ADD.U16 R0, [R2], R4")),
    ("E0352", Break::Sass("ATOM.INC.S32 R0, [R2], R4")),
    ("E0353", Break::Sass("ATOM.ADD.128 R0, [R2], R4")),
    ("E0354", Break::Sass("ATOM.ADD.F64.RN R0, [R2], R4")),
    (
        "E0355",
        Break::Text(".target sass SM50\nATOM.ADD P0, R0, [R2], R4"),
    ),
    ("E0356", Break::Sass("ATOM.ADD R0, [R255], R4")),
    ("E0357", Break::Sass("@!!P0 ATOM.ADD R0, [R2], R4")),
    ("E0358", Break::Sass("ATOM.ADD R0, R2, R4")),
    ("E0359", Break::Sass("ATOM.ADD R0, [R2 + 524288], R4")),
    ("E0360", Break::Sass("ATOM.E.ADD R0, [R2 + 524288], R4")),
    ("E0361", Break::Sass("ATOM.ADD.U64 R1, [R2], R4")),
    ("E0362", Break::Sass("ATOM.E.ADD R0, [R3], R4")),
    ("E0363", Break::Sass("ATOM.CAS R0, [R2], R4, R6")),
    ("E0364", Break::Sass("ATOM.ADD R0, [R2]")),
    ("E0365", Break::Sass("ATOM.ADD R0, [R2], R4, R5")),
    ("E0366", Break::Sass("ATOM.ADD P0, R0, [R2 + 4], R4")),
    ("E0367", Break::Sass("RED.ADD.F16x2.RN [R2], R4")),
    ("E0368", Break::Sass("ATOM.ADD R0, [R2], R4 &rd=6")),
    (
        "E0390",
        Break::Made(|| format!(".target visa TGLLP\n{DECLS}DPAS.s8.s8.8.1 (8) I I L A\n")),
    ),
    ("E0391", Break::Line("dpas.s8.s8.8.1 (16) I I L A")),
    ("E0392", Break::Line("dpas.s8.s9.8.1 (8) I I L A")),
    ("E0393", Break::Line("dpas.hf8.hf8.8.1 (8) F F L A")),
    ("E0394", Break::Line("dpas.tf32.bf.8.1 (8) F F L A")),
    ("E0395", Break::Line("dpas.s8.s8.8.1 (8) Q I L A")),
    ("W0401", Break::Line("dword_atomic.fadd (8) T0 O F V0 F")),
    ("W0402", Break::Line("svm_atomic.add.32 (8) Q C A V0")),
    ("W0403", Break::Line("svm_atomic.add (16) B L L V0")),
    ("W0404", Break::Line("dword_atomic.add (8) T1 O A V0 C")),
    ("W0405", Break::Line("dword_atomic.add (8) S0 O A V0 C")),
    ("W0406", Break::Line("dword_atomic.add (M2, 8) T0 O A V0 C")),
    ("W0407", Break::Line("svm_atomic.add (M8, 8) Q C A V0")),
    ("W0408", Break::Line("svm_atomic.add (8) Q F F V0")),
    ("W0409", Break::Line("svm_atomic.add (8) Q I A V0")),
    ("W0410", Break::Line("svm_atomic.add (8) O C A V0")),
    ("W0412", Break::Line("svm_atomic.inc (8) Q C A V0")),
    ("W0413", Break::Line("svm_atomic.add (8) Q C A A")),
    ("W0414", Break::Line("dword_atomic.add (8) T0 O V0 V0 C")),
    ("W0415", Break::Line("dword_atomic.add (8) T0 V0 A V0 C")),
    ("W0416", Break::Line("dword_atomic.add (8) T0 O A V0.4 C")),
    ("W0417", Break::Line("dword_atomic.add (1) T0 O X.2 V0 C")),
    ("W0418", Break::Line("dword_atomic.add (16) T0 O A V0 C")),
    ("W0419", Break::Line("dword_atomic.add (8) T0 O A V0 %r0")),
    (
        "W0420",
        Break::Line("(P1) dword_atomic.add (16) T0 L L V0 L"),
    ),
    ("W0421", Break::Line("dword_atomic.add (8) T0 O A0 V0 C")),
    ("W0422", Break::Line("dword_atomic.add (8) T0 O %arg V0 C")),
    (
        "W0423",
        Break::Text(
            ".target visa SKL\n.decl O v_type=G type=ud num_elts=8\ndword_atomic.inc.16 (8) T0 O V0 V0 O",
        ),
    ),
    ("W0424", Break::Line("svm_atomic.fmax.64 (8) Q F F V0")),
    ("W0430", Break::Line("svm_scatter4scaled.R (4) Q B L")),
    (
        "W0431",
        Break::Bytes("4e07030000000000002500000000002101250000000000200000000000"),
    ),
    ("W0432", Break::Line("svm_scatter4scaled.R (8) Q B Q")),
    (
        "W0433",
        Break::Bytes("4e070300000100000100000003250000000000200000000000"),
    ),
    (
        "W0434",
        Break::Line("svm_scatter4scaled.R (8) (abs)Q(0,0)<0;1,0> B L"),
    ),
    (
        "W0435",
        Break::Line("svm_scatter4scaled.R (8) Q(0,4)<0;1,0> B L"),
    ),
    (
        "W0436",
        Break::Line("svm_scatter4scaled.R (8) r[A0(0),512]<0;1,0>:uq B L"),
    ),
    (
        "W0437",
        Break::Line("svm_scatter4scaled.R (8) r[A0(0),4]<0;1,0>:uq B L"),
    ),
    (
        "W0438",
        Break::Line("svm_scatter4scaled.R (8) r[A0(4),0]<0;1,0>:uq B L"),
    ),
    (
        "W0439",
        Break::Line("svm_scatter4scaled.R (8) 0xfffff:uw B L"),
    ),
    ("W0440", Break::Line("dpasw.s8.s8.4.1 (8) I I L A")),
    ("W0441", Break::Line("dpasw.bf.hf.8.1 (8) F F L A")),
    ("W0442", Break::Line("dpasw.u1.u1.8.1 (8) I I L A")),
    ("W0443", Break::Line("dpasw.s8.s8.8.1 (8) I I L A")),
    ("W0444", Break::Line("dpasw.s8.s8.8.1 (8) F I L A")),
    ("W0445", Break::Line("dpasw.s8.s8.8.1 (8) I C L A")),
    ("W0446", Break::Line("dpasw.s8.s8.8.1 (8) I I L A(0,4)")),
    ("W0447", Break::Line("dpas.tf32.tf32.8.1 (8) F F L A")),
    ("W0448", Break::Line("dpas.s8.s8.8.1 (8) F I L A")),
    ("W0450", Break::Sass("RED.INC.S32 [R2], R4")),
    (
        "W0451",
        Break::Text(".target sass SM50\nRED.ADD.U128 [R2], R4"),
    ),
    ("W0452", Break::Sass("RED.ADD.U64 [R2], R5")),
    ("W0453", Break::Sass("RED.E.ADD [R3], R5")),
    ("N0501", Break::Line("dword_atomic.fmax.16 (8) T0 O F V0 F")),
    (
        "N0502",
        Break::Line("dword_atomic.cmpxchg.16 (8) T0 O A A C"),
    ),
    ("N0503", Break::Line("dword_atomic.predec (8) T0 O V0 V0 I")),
    ("N0504", Break::Line("dword_atomic.add (8) T0 O I V0 I")),
    ("N0505", Break::Line("dword_atomic.predec (8) T0 O V0 V0 I")),
    ("N0506", Break::Line("DWORD_ATOMIC.ADD (8) T0 O A V0 C")),
    ("N0509", Break::Line("dword_atomic. add (8) T0 O A V0 C")),
    (
        "N0512",
        Break::Line("svm_scatter4scaled.R (1) Q(0,0)<4;4,1> B L"),
    ),
    (
        "N0511",
        Break::Line("svm_scatter4scaled.R (8) 2147483648:uq B L"),
    ),
    (
        "N0513",
        Break::Line("svm_scatter4scaled.R (8) 0x7f800001:f B L"),
    ),
    ("N0507", Break::Sass("ATOM.ADD.F16x2.RN R0, [R2], R4")),
    (
        "N0508",
        Break::Not("reported when one word is assembled, not of a scenario"),
    ),
    (
        "N0510",
        Break::Line("svm_scatter4scaled.R (8) Q(0,0)<4;4,1> B L"),
    ),
    (
        "N0521",
        Break::Line(".decl H v_type=G type=hf num_elts=16 align=GRF\ndpas.hf.hf.8.1 (8) H F L A"),
    ),
    ("N0520", Break::Line("dpasw.s8.s8.8.1 (8) L I L A")),
    (
        "W0601",
        Break::Bytes("7d4003000000200000000000210000000000000000000000220000000000"),
    ),
    (
        "W0602",
        Break::Bytes("7d0006000000200000000000210000000000000000000000220000000000"),
    ),
    (
        "W0603",
        Break::Bytes("7d0003016000200000000000210000000000000000000000220000000000"),
    ),
    (
        "W0604",
        Break::Bytes("4e0503000060250000000000210000000000000000000000220000000000"),
    ),
    (
        "W0605",
        Break::Bytes("7d0003008000200000000000210000000000000000000000220000000000"),
    ),
    (
        "E0606",
        Break::Bytes("7d0e03000000200000000000210000000000000000000000220000000000"),
    ),
    ("E0607", Break::Bytes("7d0003")),
    ("E0608", Break::Bytes("ff")),
    (
        "E0609",
        Break::Bytes("7d0003000000ff0000000000210000000000000000000000220000000000"),
    ),
    (
        "E0610",
        Break::Not("reported by the command line, which decodes a whole input"),
    ),
    (
        "E0611",
        Break::Not("reported by the command line, which reads the digits"),
    ),
    (
        "W0613",
        Break::Not("told of the control word of a group: text_and_bytes.rs"),
    ),
    (
        "W0612",
        Break::Bytes("7d0003000000240000000000210000000000000000000000220000000000"),
    ),
    (
        "W0630",
        Break::Bytes("4e07030000010000202500000000002101250000000000200000000000"),
    ),
    ("E0701", Break::Line("dword_atomic.add (8) T0 O V0 V0 C")),
    ("E0702", Break::Line("svm_atomic.add.64 (8) Q C A V0")),
    ("E0703", Break::Line("svm_atomic.add (8) Q F F V0")),
    ("E0704", Break::Line("dword_atomic.add (8) T1 O A V0 C")),
    ("E0705", Break::Line("dword_atomic.add (16) T0 O A V0 C")),
    ("E0706", Break::Line("svm_atomic.add (M8, 8) Q C A V0")),
    ("E0707", Break::Sass("RED.ADD.U64 [R2], R5")),
    ("E0708", Break::Line("svm_atomic.fmax.64 (8) Q F F V0")),
    (
        "E0730",
        Break::Line("svm_scatter4scaled.R (8) F(0,0)<0;1,0> B L"),
    ),
    ("N0709", Break::Sass("ATOM.SAFEADD.U64 R0, [R2], R4")),
    (
        "E0740",
        Break::Line(".threads 1\ndpasw.s8.s8.8.1 (8) I I L A"),
    ),
    ("E0741", Break::Line("dpasw.u1.u1.8.1 (8) I I L A")),
    ("E0801", Break::Line(".init A 1, 2")),
    ("E0802", Break::Line(".init A = 1, 2, 3, 4, 5, 6, 7, 8, 9")),
    ("E0803", Break::Line(".init A = -1")),
    ("E0804", Break::Text(".init svm[0x1000] : ud = 1")),
    ("W0805", Break::Line(".init A = 1\n.init A = 2")),
    ("E0806", Break::Text(".region svm 0 0x10000000")),
    ("E0807", Break::Text(".region svm 0 64\n.region svm 32 64")),
    ("W0808", Break::Line("dword_atomic.add (8) T6 O A V0 C")),
    ("E0809", Break::Text(".threads 3")),
    ("E0810", Break::Text(".order 1 1")),
    (
        "W0811",
        Break::Line(
            "dword_atomic.inc (8) T0 O V0 V0 C\n.order 9\ndword_atomic.inc (8) T0 O V0 V0 C",
        ),
    ),
    (
        "W0812",
        Break::Line("dword_atomic.inc (8) T0 O V0 V0 C\n.order 1"),
    ),
    ("E0813", Break::Line(".init EU1.A = 1")),
    ("E0815", Break::Text(".target sass\n.window shared 0x1234")),
    (
        "E0814",
        Break::Text(
            ".slm 60000000\n.init slm[0] : ub = splat(1)\n.init slm[0] : ub = splat(1)\n\
             .init slm[0] : ub = splat(1)",
        ),
    ),
    (
        "W0816",
        Break::Line(".order 1 0\ndpasw.s8.s8.8.1 (8) I I L A"),
    ),
    ("E0901", Break::Not("reported by the command line's batch")),
    ("E0902", Break::Not("reported by the command line's batch")),
    ("E0903", Break::Not("reported by the command line's batch")),
    ("E0904", Break::Not("reported by the command line's batch")),
    ("E0905", Break::Not("reported by the command line's batch")),
];

fn codes_of(what: &Break) -> BTreeSet<&'static str> {
    let text = match what {
        Break::Text(text) => (*text).to_owned(),
        Break::Made(make) => make(),
        Break::Line(line) => format!("{DECLS}{line}"),
        Break::Sass(line) => format!(".target sass SM52\n{line}"),
        Break::Not(_) => return BTreeSet::new(),
        Break::Bytes(bytes) => {
            let mut assembler = Assembler::new(Target::default(), DECLS.lines()).unwrap();
            let diagnostics = match assembler.disassemble(&unhex(bytes), Style::Assembler) {
                Ok(read) => read.diagnostics.to_vec(),
                Err(diagnostics) => diagnostics.to_vec(),
            };
            return diagnostics.iter().map(|d| d.rule.code).collect();
        }
    };
    let program = Program::parse(&text);
    program.diagnostics.iter().map(|d| d.rule.code).collect()
}

#[test]
fn every_rule_can_be_broken() {
    let listed: BTreeSet<&str> = BREAKS.iter().map(|(code, _)| *code).collect();
    let mut wrong = Vec::new();
    let (mut broken, mut not) = (0, 0);
    for rule in rules::ALL {
        if !listed.contains(rule.code) {
            wrong.push(format!("{}: add a text that breaks it", rule.code));
        }
    }
    for (code, how) in BREAKS {
        if let Break::Not(why) = how {
            println!("{code} not by text: {why}");
            not += 1;
            continue;
        }
        let codes = codes_of(how);
        if codes.contains(code) {
            broken += 1;
        } else {
            wrong.push(format!("{code} is not reported, but {codes:?}"));
        }
    }
    println!("{broken} rules broken, {not} not reached by text");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The ids of the contradictions that concern the instructions of a text.
fn contradiction_ids(text: &str) -> Vec<&'static str> {
    let program = Program::parse(text);
    assert!(program.can_run(), "{text}: {:?}", program.diagnostics);
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

/// Steps through a program and calls `see` with each sentence, and with the address of
/// the cell if there is one.
fn each_sentence(text: &str, mut see: impl FnMut(&str, Option<u64>)) {
    let mut session = Session::new(Rc::new(Program::parse(text)));
    while session.step() {
        let cell = session
            .last_access()
            .filter(|access| access.fault.is_none());
        see(&session.summary(), cell.map(|access| access.address));
    }
}

#[test]
fn step_sentences_name_the_cell() {
    let mut cells = 0;
    for bundled in BUNDLED {
        each_sentence(bundled.text, |sentence, address| {
            if let Some(address) = address {
                cells += 1;
                let cell = format!("{address:#x}");
                assert!(sentence.contains(&cell), "{}: {sentence}", bundled.id);
            }
        });
    }
    println!("{cells} cells named");
    assert!(cells > 0);
}

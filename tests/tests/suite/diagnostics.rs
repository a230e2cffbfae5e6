//! Errors: reporting, positions and fixes. All directive forms. Faults.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::{Family, FaultKind, Unit};
use lanewise_core::library::BUNDLED;
use lanewise_core::program::Program;
use lanewise_core::session::{EffectKind, Session, run};
use lanewise_tests::place::{self, snapshot};
use std::rc::Rc;

const DECLS: &str = "\
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
.decl V34 v_type=G type=ud num_elts=16 align=GRF
.decl V35 v_type=G type=uq num_elts=8 align=GRF
.decl V36 v_type=G type=f num_elts=16 align=GRF
.decl V37 v_type=G type=hf num_elts=16
.decl P1 v_type=P num_elts=16
.decl T6 v_type=T
.decl A0 v_type=A num_elts=2
";

fn errors(program: &Program) -> Vec<&Diagnostic> {
    let all = program.diagnostics.iter();
    all.filter(|d| d.severity() == Severity::Error).collect()
}

fn messages(program: &Program) -> Vec<String> {
    let all = program.diagnostics.iter();
    all.map(|d| format!("{} {}", d.rule.code, d.what)).collect()
}

#[test]
fn all_errors_are_reported_with_positions() {
    let text = "\
.slm lots
.decl V32 v_type=G type=ud num_elts=8
.decl V33 v_type=Q type=ud num_elts=8
.init V32 = 1, two, 3
dword_atomic.ad (8) T0 V32 V32 V0 V32
dword_atomic.add (7) T0 V32 V32 V0 V32
dword_atomic.add (8) T0 V32 V99 V0 V32
";
    let program = Program::parse(text);
    let got: Vec<(&str, &str)> = errors(&program)
        .iter()
        .map(|d| (d.rule.code, d.span.of(text)))
        .collect();
    assert_eq!(
        got,
        [
            ("E0107", "lots"),
            ("E0201", "v_type=Q"),
            ("E0803", "two"),
            ("E0311", "ad"),
            ("E0302", "7"),
            ("E0305", "V99"),
        ]
    );
    let starts: Vec<u32> = program.diagnostics.iter().map(|d| d.span.start).collect();
    assert!(starts.is_sorted(), "by place");
    for d in errors(&program) {
        assert!(!d.what.is_empty() && !d.rule.why.is_empty(), "{d:?}");
        assert!(
            !d.help.is_empty(),
            "{} has no help: {}",
            d.rule.code,
            d.what
        );
    }
}

#[test]
fn a_line_may_have_several_errors() {
    let text = format!("{DECLS}(P9) dword_atomic.add (M9, 8) T0 V99 V32.70000 V0 V98\n");
    let program = Program::parse(&text);
    let got: Vec<&str> = errors(&program).iter().map(|d| d.span.of(&text)).collect();
    assert_eq!(got, ["P9", "M9", "V99", "70000", "V98"]);
}

/// Applies the first edit repeatedly until there is none.
fn fix(text: &str) -> (String, Vec<&'static str>) {
    let mut text = text.to_owned();
    let mut codes = Vec::new();
    for _ in 0..20 {
        let program = Program::parse(&text);
        let Some(d) = program.diagnostics.iter().find(|d| d.edit.is_some()) else {
            break;
        };
        let edit = d.edit.as_ref().unwrap();
        codes.push(d.rule.code);
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        text.replace_range(start..end, &edit.replacement);
    }
    (text, codes)
}

#[test]
fn edits_fix_their_errors() {
    let cases = [
        (
            "dword_atomic.ad (8) T0 V32 V33 V0 V34",
            "dword_atomic.add (8) T0 V32 V33 V0 V34",
        ),
        (
            "dword_atomik.add (8) T0 V32 V33 V0 V34",
            "dword_atomic.add (8) T0 V32 V33 V0 V34",
        ),
        (
            "dword_atomic.add (8) T0 V32 V33 V0 V34 V34",
            "dword_atomic.add (8) T0 V32 V33 V0 V34 ",
        ),
        (
            "dword_atomic.add.64 (8) T0 V32 V33 V0 V34",
            "dword_atomic.add (8) T0 V32 V33 V0 V34",
        ),
        (
            "dword_atomic.inc (8) T0 V32 V33 V0 V34",
            "dword_atomic.inc (8) T0 V32 V0 V0 V34",
        ),
        (
            "dword_atomic.add (8) T0 V32 V33 V33 V34",
            "dword_atomic.add (8) T0 V32 V33 V0 V34",
        ),
        (
            "dword_atomic.add (8) V32 V33 V0 V34",
            "dword_atomic.add (8) T0 V32 V33 V0 V34",
        ),
        (
            "dword_atomic.add (8) T0 V32 V33 %null.4 V34",
            "dword_atomic.add (8) T0 V32 V33 %null.0 V34",
        ),
        (".slmm 64", ".slm 64"),
        (".threads 4", ".threads 2"),
        (
            ".decl V40 v_typ=G type=ud num_elts=8",
            ".decl V40 v_type=G type=ud num_elts=8",
        ),
        (".title \"no end", ".title \"no end\""),
        (
            "// fine /* not open\n/* open",
            "// fine /* not open\n/* open */",
        ),
    ];
    let mut wrong = Vec::new();
    for (bad, good) in cases {
        let (fixed, codes) = fix(&format!("{DECLS}{bad}"));
        let line = fixed.strip_prefix(DECLS).unwrap_or(&fixed);
        if line != good || codes.is_empty() {
            wrong.push(format!("{bad}\n  → {line} {codes:?}\n  not {good}"));
        } else if !errors(&Program::parse(&fixed)).is_empty() {
            wrong.push(format!("{line}: {:?}", messages(&Program::parse(&fixed))));
        }
    }
    let (fixed, _) = fix(".target visa XEHPP\n.slm 64");
    assert_eq!(fixed, ".target visa XEHP\n.slm 64");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_directive_form_is_parsed() {
    let before = format!("{DECLS}.slm 1024\n.surface T6 4096\n.region svm 0x10000 4096\n");
    let forms = [
        ".title \"a title\"",
        ".note \"one\"\n.note \"two\"",
        ".order 3 1 0 2\ndword_atomic.inc (4) T0 V32 V0 V0 V33",
        ".threads 2\n.order EU1.3 0 EU0.1\ndword_atomic.inc (4) T0 V32 V0 V0 V33",
        ".order 3, 1, 0, 2\ndword_atomic.inc (4) T0 V32 V0 V0 V33",
        ".decl V40 v_type=G type=bf num_elts=16 alias=<V32, 0>",
        ".decl T7 v_type=T num_elts=1",
        ".decl S1 v_type=S num_elts=1",
        ".kernel_attr SLMSize=1\n.kernel \"k\"\n.version 4.1\n.function \"k_0\"",
        ".input V32 offset=32 size=64",
        "ret (M1, 1)\nlabel:",
        "mov (M1, 8) V32(0,0)<1> V33(0,0)<8;8,1>",
        ".threads 1",
        ".threads 2",
        ".region svm 0x20000 64\n.region svm 0xffff_ffff_ffff_f000 4096",
        ".init V32 = 1, 2, 3",
        ".init V32 = iota(0, 4)",
        ".init V32 = iota(0x10)",
        ".init V32 = splat(0xffff_ffff)",
        ".init V32 = random(7)",
        ".init V36 = 1.5, -2e-3, inf, -inf, nan, 0f3f800000, 0x3f800000, 7",
        ".init V37 = 1.5, 0f3c00",
        ".init V35 = 18446744073709551615, 0b101",
        ".threads 2\n.init EU1.V32 = 1\n.init EU0.V32 = 2",
        ".init P1 = 0xff",
        ".init em = 0xffff_ffff",
        ".threads 2\n.init EU0.em = 1\n.init EU1.em = 2\n.init EU1.P1 = 3",
        ".init A0 = &V33 + 32",
        ".init A0 = &V33, &V34",
        ".init slm[0x40] : ud = 1, 2",
        ".init slm[0] : hf = iota(0, 0.5)",
        ".init T6[0] : ud = splat(1)",
        ".init svm[0x10000] : uq = 1",
        ".INIT V32 = 1 // a comment",
        "/* a comment\n over lines */ .init V32 = 1",
        "(P1) dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V33.32",
        "(!P1.all) DWORD_ATOMIC.INC (8) T0 V32 V0 V0 V33",
        "( ! P1 . any ) dword_atomic . inc ( NoMask , 8 ) T255 V32 V0 V0 V33",
        "Dword_Atomic.Inc (m1_nm, 0x8) T6 V32 V0 V0 V33",
        "svm_atomic.add.64 (M1, 8) V35.0 V35.0 V35.0 %null.0",
    ];
    for form in forms {
        let text = format!("{before}{form}\n");
        let program = Program::parse(&text);
        let bad: Vec<&Diagnostic> = program
            .diagnostics
            .iter()
            .filter(|d| d.severity() != Severity::Note)
            .collect();
        assert!(bad.is_empty(), "{form}\n{bad:#?}");
    }
    for name in [
        "SKL", "ICLLP", "TGLLP", "XEHP", "XeHP_SDV", "DG2", "MTL", "PVC", "pvc",
    ] {
        let program = Program::parse(&format!(".target visa {name}"));
        assert!(
            program.diagnostics.is_empty(),
            "{name}: {:?}",
            messages(&program)
        );
    }
}

#[test]
fn init_sets_the_stated_bytes() {
    let cases: [(&str, &str, &[u64]); 14] = [
        (".init V32 = 1, 2, 3", "V32", &[1, 2, 3, 0, 0]),
        (
            ".init V32 = iota(10, -3)",
            "V32",
            &[10, 7, 4, 1, 0xffff_fffe],
        ),
        (".init V32 = splat(0xffffffff)", "V32", &[0xffff_ffff; 16]),
        (
            ".init V36 = iota(1, 0.5)",
            "V36",
            &[0x3f80_0000, 0x3fc0_0000, 0x4000_0000],
        ),
        (
            ".init V36 = -0.0, 0f7fc00001, 0x1",
            "V36",
            &[0x8000_0000, 0x7fc0_0001, 1],
        ),
        (
            ".init V37 = 1, -2, 0f7e01",
            "V37",
            &[0x3c00, 0xc000, 0x7e01],
        ),
        (".init P1 = 0xabcd", "P1", &[0xabcd]),
        (".init em = 5", "em", &[5]),
        (".slm 64", "em", &[0xffff_ffff]),
        (".threads 2\n.init V32 = 7", "EU1.V32", &[7]),
        (".threads 2\n.init EU0.V32 = 7", "EU1.V32", &[0]),
        (".threads 2\n.init EU1.em = 3", "EU1.em", &[3]),
        (
            ".init slm[0x40] : uw = 1, 2",
            "slm[0x40] : ud",
            &[0x0002_0001],
        ),
        (
            ".region svm 0x1003 8\n.init svm[0x1003] : ud = 1, 2",
            "svm[0x1003] : uq",
            &[0x2_0000_0001],
        ),
    ];
    for (line, from, wanted) in cases {
        let program = Program::parse(&format!("{DECLS}{line}\n"));
        assert!(
            errors(&program).is_empty(),
            "{line}: {:?}",
            messages(&program)
        );
        let (got, _) = place::load(&program, &program.start, from, wanted.len()).unwrap();
        assert_eq!(got, wanted, "{line}");
    }
    let random = |seed: u32| {
        let program = Program::parse(&format!("{DECLS}.init V32 = random({seed})\n"));
        place::load(&program, &program.start, "V32", 16).unwrap().0
    };
    assert_eq!(random(1), random(1), "repeatable");
    assert_ne!(random(1), random(2));
}

#[test]
fn later_init_of_the_same_bytes_wins_with_a_warning() {
    for (first, second, from, wins) in [
        (".init V32 = 1", ".init V32 = 2", "V32", 2),
        (
            ".init slm[0] : ud = 1, 1",
            ".init slm[4] : ub = 9",
            "slm[4] : ud",
            9,
        ),
        (".init P1 = 1", ".init P1 = 2", "P1", 2),
        (".init em = 1", ".init EU0.em = 2", "em", 2),
    ] {
        let text = format!("{DECLS}{first}\n{second}\n");
        let program = Program::parse(&text);
        let codes: Vec<(&str, &str)> = program
            .diagnostics
            .iter()
            .map(|d| {
                (
                    d.rule.code,
                    text[d.span.start as usize..].lines().next().unwrap(),
                )
            })
            .collect();
        let rest = second.trim_start_matches(".init ");
        assert_eq!(codes, [("W0805", rest)], "{second}");
        let (got, _) = place::load(&program, &program.start, from, 1).unwrap();
        assert_eq!(got, [wins], "{second}");
    }
    let apart = ".init slm[0] : ud = 1\n.init slm[4] : ud = 1\n.init EU0.V32 = 1\n";
    assert!(
        Program::parse(&format!("{DECLS}{apart}"))
            .diagnostics
            .is_empty()
    );
}

/// Program whose second instruction faults.
struct Faulty {
    lines: &'static str,
    kind: FaultKind,
    unit: (u8, u8),
    address: u64,
}

const FAULTS: [Faulty; 7] = [
    Faulty {
        lines: ".init V32 = 0, 4, 9, 3\ndword_atomic.inc (4) T0 V33 V0 V0 V34\ndword_atomic.inc (4) T0 V32 V0 V0 V34",
        kind: FaultKind::Misaligned,
        unit: (0, 2),
        address: 9,
    },
    Faulty {
        lines: ".init V32 = 0, 2, 3\ndword_atomic.inc (4) T0 V33 V0 V0 V34\ndword_atomic.inc.16 (4) T0 V32 V0 V0 V34",
        kind: FaultKind::Misaligned,
        unit: (0, 2),
        address: 3,
    },
    Faulty {
        // Also out of bounds; misalignment takes precedence.
        lines: ".slm 8\n.init V32 = 0, 101\ndword_atomic.inc (4) T0 V33 V0 V0 V34\ndword_atomic.inc (4) T0 V32 V0 V0 V34",
        kind: FaultKind::Misaligned,
        unit: (0, 1),
        address: 101,
    },
    Faulty {
        lines: ".region svm 0x1000 64\n.init V35 = 0x1000, 0x1040\ndword_atomic.inc (4) T0 V33 V0 V0 V34\nsvm_atomic.inc (2) V35 V34 V0 V0",
        kind: FaultKind::Unmapped,
        unit: (0, 1),
        address: 0x1040,
    },
    Faulty {
        lines: ".region svm 0x1000 64\n.init V35 = 0x1000, 0x1002\ndword_atomic.inc (4) T0 V33 V0 V0 V34\nsvm_atomic.inc (2) V35 V34 V0 V0",
        kind: FaultKind::Misaligned,
        unit: (0, 1),
        address: 0x1002,
    },
    Faulty {
        lines: ".region svm 0x1000 64\n.init V35 = 0x1000, 0x1004\n.decl V50 v_type=G type=uq num_elts=8\ndword_atomic.inc (4) T0 V33 V0 V0 V34\nsvm_atomic.inc.64 (2) V35 V50 V0 V0",
        kind: FaultKind::Misaligned,
        unit: (0, 1),
        address: 0x1004,
    },
    Faulty {
        lines: ".threads 2\n.region svm 0x1000 64\n.init EU0.V35 = 0x1000\n.init EU1.V35 = 0xffff_ffff_ffff_fffc\ndword_atomic.inc (4) T0 V33 V0 V0 V34\nsvm_atomic.inc (1) V35 V34 V0 V0",
        kind: FaultKind::Unmapped,
        unit: (1, 0),
        address: 0xffff_ffff_ffff_fffc,
    },
];

#[test]
fn fault_reports_lane_has_no_effect_and_can_be_undone() {
    for faulty in &FAULTS {
        let what = faulty.lines;
        let program = Rc::new(Program::parse(&format!("{DECLS}{what}\n")));
        assert!(
            errors(&program).is_empty(),
            "{what}\n{:?}",
            messages(&program)
        );
        let (eu, lane) = faulty.unit;
        let outcome = run(&program);
        let fault = outcome.fault.as_ref().unwrap();
        assert_eq!(fault.kind, faulty.kind, "{what}");
        assert_eq!(fault.unit, Unit::lane(eu, lane), "{what}");
        assert_eq!(
            (fault.place.map(|(_, address)| address), fault.instruction),
            (Some(faulty.address), 1),
            "{what}"
        );
        let address = format!("{:#x}", faulty.address);
        let name = if program.threads == 2 {
            format!("Lane EU{eu}.{lane}:")
        } else {
            format!("Lane {lane}:")
        };
        let says = [address, name];
        assert!(
            says.iter().all(|s| fault.message.contains(s)),
            "{}",
            fault.message
        );
        assert_eq!(outcome.instructions, 1);

        let mut session = Session::new(Rc::clone(&program));
        let start = snapshot(session.machine());
        while session.next_instruction() == Some(0) {
            session.step();
        }
        let before = snapshot(session.machine());
        assert_ne!(start, before, "the first instruction has an effect");
        assert!(session.fault().is_none(), "not yet");
        assert!(session.step());
        assert_eq!(session.last_effect(), Some(EffectKind::Fault));
        assert_eq!(session.fault(), Some(fault), "{what}");
        assert_eq!(snapshot(session.machine()), before, "memory as before");
        assert_eq!(
            snapshot(&outcome.machine),
            before,
            "a run has the same state"
        );
        assert!(!session.step() && session.at_end(), "no step after a fault");
        assert!(session.step_back());
        assert!(session.fault().is_none() && snapshot(session.machine()) == before);
        while session.step_back() {}
        assert_eq!(snapshot(session.machine()), start);
        session.run_to_end();
        assert_eq!(session.fault(), Some(fault));
    }
}

#[test]
fn unrunnable_instructions_are_errors_before_the_run() {
    for (line, code) in [
        ("dword_atomic.add (8) T0 V32 V0 V0 V34", "E0701"),
        ("dword_atomic.cmpxchg (8) T0 V32 V33 V0 V34", "E0701"),
        ("dword_atomic.add (8) T0 V0 V33 V0 V34", "E0701"),
        ("svm_atomic.add.64 (8) V35 V34 V33 V0", "E0702"),
        ("svm_atomic.add (8) V32 V34 V33 V0", "E0702"),
        ("svm_atomic.add (8) V35 V36 V36 V0", "E0703"),
        ("svm_atomic.fmax (8) V35 V34 V34 V0", "E0703"),
        ("dword_atomic.add (8) T1 V32 V33 V0 V34", "E0704"),
        ("dword_atomic.add (8) TSS V32 V33 V0 V34", "E0704"),
        ("dword_atomic.add (8) %bss V32 V33 V0 V34", "E0704"),
        ("dword_atomic.add (32) T0 V32 V33 V0 V34", "E0705"),
        ("svm_atomic.add (M8, 8) V35 V34 V33 V0", "E0706"),
        ("svm_atomic.fmax.64 (8) V35 V36 V36 V0", "E0708"),
    ] {
        let program = Program::parse(&format!("{DECLS}.region svm 0 64\n{line}\n"));
        let codes: Vec<&str> = errors(&program).iter().map(|d| d.rule.code).collect();
        assert!(codes.contains(&code), "{line}: {codes:?}");
        assert!(!program.can_run(), "{line}");
        assert_eq!(program.instructions.len(), 1, "{line}: must still encode");
    }
}

/// Exchanges on one cell reveal the order: each lane returns the previous lane's
/// value.
#[test]
fn lanes_follow_the_order_directive() {
    let exchange = "dword_atomic.xchg (4) T0 V32 V33 V0 V34\n";
    let inits = ".slm 64\n.init EU0.V33 = 10, 11, 12, 13\n";
    let both = ".threads 2\n.init EU1.V33 = 20, 21, 22, 23\n";
    let cases = [
        (String::new(), vec![10, 11, 12, 13]),
        (".order 3 1\n".to_owned(), vec![13, 11, 10, 12]),
        (".order 3 2 1 0\n".to_owned(), vec![13, 12, 11, 10]),
        (both.to_owned(), vec![10, 11, 12, 13, 20, 21, 22, 23]),
        (
            format!("{both}.order EU1.1 0 EU1.0 2\n"),
            vec![21, 10, 20, 12, 11, 13, 22, 23],
        ),
    ];
    for (lines, stored) in cases {
        let program = Program::parse(&format!("{DECLS}{inits}{lines}{exchange}"));
        assert!(
            errors(&program).is_empty(),
            "{lines}: {:?}",
            messages(&program)
        );
        let machine = run(&program).machine;
        let mut before = 0;
        for value in &stored {
            let from = if *value < 20 { "EU0.V34" } else { "EU1.V34" };
            let (lanes, _) = place::load(&program, &machine, from, 4).unwrap();
            assert_eq!(lanes[value % 10], before, "{lines}: {value} returns");
            before = *value as u64;
        }
        let (left, _) = place::load(&program, &machine, "slm[0] : ud", 1).unwrap();
        assert_eq!(left, [before], "{lines}");
    }
}

#[test]
fn order_applies_to_the_next_instruction_or_to_all() {
    let line = "dword_atomic.xchg (2) T0 V32 V33 V0 V34\n";
    let inits = ".slm 64\n.init V33 = 10, 11\n";
    // The value written by the last lane, after each instruction.
    for (text, left) in [
        (format!("{line}{line}{line}"), [11, 11, 11]),
        (format!(".order 1\n{line}{line}{line}"), [10, 10, 10]),
        (format!("{line}.order 1\n{line}{line}"), [11, 10, 11]),
        (
            format!(".order 1\n{line}.order 0\n{line}{line}"),
            [10, 11, 10],
        ),
    ] {
        let program = Rc::new(Program::parse(&format!("{DECLS}{inits}{text}")));
        assert!(errors(&program).is_empty(), "{:?}", messages(&program));
        let mut session = Session::new(Rc::clone(&program));
        for wanted in left {
            session.step();
            session.step();
            let (got, _) = place::load(&program, session.machine(), "slm[0] : ud", 1).unwrap();
            assert_eq!(got, [wanted], "{text}");
        }
    }
}

/// An invalid instruction does not cause errors in directives that depend on it.
#[test]
fn invalid_fused_instruction_does_not_invalidate_inits() {
    let good = BUNDLED.iter().map(|scenario| scenario.text);
    let good: Vec<&str> = good.filter(|text| text.contains("dpasw.")).collect();
    assert!(!good.is_empty());
    for text in good {
        let wrong = text.replace("dpasw.", "dpasw.x");
        let program = Program::parse(&wrong);
        let errors = program.diagnostics.iter();
        let errors: Vec<_> = errors
            .filter(|d| d.severity() == Severity::Error)
            .map(|d| d.rule.code)
            .collect();
        assert!(
            !errors.is_empty() && !errors.contains(&"E0813"),
            "{errors:?}"
        );
    }
}

/// Impossible, repeated and contradictory lines of a launch, and the first rule that names them.
#[test]
fn no_line_of_a_launch_is_dropped_or_wraps_silently() {
    let visa = ".target visa DG2\n.launch global=64 local=32\n.simd 8\n";
    let sass = ".target sass SM80\n.launch grid=2 block=32\n";
    let u64_max = u64::MAX;
    for (head, line, code) in [
        (visa, ".buffer y : f[64] at=foo = iota(1, 0.5)", "E0107"),
        (visa, ".buffer y : f[64] at=", "E0107"),
        (visa, ".buffer y : f[64] at 0x10000", "E0107"),
        ("", ".launch grid=3000000000 block=1024", "E0819"),
        (visa, &format!(".slm {u64_max}"), "E0824"),
        (sass, &format!(".slm {u64_max}"), "E0824"),
        (
            visa,
            &format!(".local_arg {u64_max}\n.local_arg 16"),
            "E0824",
        ),
        (sass, &format!(".local_arg {u64_max}"), "E0824"),
        (sass, ".slm 166912\n.local_arg 16", "E0824"),
        (
            ".target sass SM80\n",
            ".launch grid=1,65536 block=1",
            "E0819",
        ),
        (
            ".target sass SM80\n",
            ".launch grid=1 block=1,1,65",
            "E0819",
        ),
        (visa, ".kernel_attr SimdSize=64", "E0820"),
        (visa, ".simd 16", "W0109"),
        (
            visa,
            ".buffer y : f[1]\n.bind bti 0 = y\n.bind bti 0 = y",
            "W0109",
        ),
        (
            visa,
            ".decl V32 v_type=G type=d num_elts=1\n.bind V32 = 1:d\n.bind V32 = 2:d",
            "W0109",
        ),
        (sass, ".param 0x160 = 7:ud\n.param 0x160 = 8:ud", "W0109"),
        ("", ".launch global=64 global=32 local=32", "W0109"),
        ("", ".launch global=64 grid=7 local=32", "E0818"),
        (
            "",
            ".launch global=4194304,2097152,2097152 local=1",
            "E0819",
        ),
        // The product is 4 modulo 2^64.
        ("", ".launch global=1 local=769546,494770,48448661", "E0819"),
    ] {
        let program = Program::parse(&format!("{head}{line}\n"));
        let mut found = program.diagnostics.iter();
        assert!(
            found.any(|d| d.rule.code == code),
            "{line}: {:?}",
            messages(&program)
        );
    }
}

#[test]
fn an_instruction_of_another_family_names_its_target() {
    for line in [
        "IADD3 R0, R1, R2, RZ;",
        "XMAD R0, R1, R2, R3;",
        "ATOM.ADD R0, [R2], R4",
    ] {
        let program = Program::parse(line);
        let [error] = errors(&program)[..] else {
            panic!("{line}: {:?}", messages(&program));
        };
        let fix = error.edit.as_ref().expect("a line .target");
        let mut text = String::from(line);
        let (start, end) = (fix.span.start as usize, fix.span.end as usize);
        text.replace_range(start..end, &fix.replacement);
        let fixed = Program::parse(&text);
        assert_eq!(fixed.symbols.target.family(), Family::Sass);
        assert!(errors(&fixed).is_empty(), "{text}: {:?}", messages(&fixed));
    }
    let program = Program::parse(".target visa DG2\nIADD3 R0, R1, R2, RZ;");
    assert!(errors(&program)[0].edit.is_none());
}

//! Limits for very large texts: diagnostics, memory and time.

use lanewise_core::diagnostic::MAX_DIAGNOSTICS;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_tests::parse::runnable;
use std::fmt::Write;

/// Codes of the diagnostics of a text, by position.
fn codes(text: &str) -> Vec<&'static str> {
    let program = Program::parse(text);
    program.diagnostics.iter().map(|d| d.rule.code).collect()
}

/// Declarations for one atomic of four lanes.
const DECLS: &str = "\
.decl O v_type=G type=ud num_elts=8
.decl R v_type=G type=ud num_elts=8
";
const INC: &str = "dword_atomic.inc (4) %slm O.0 %null.0 %null.0 R.0\n";

/// Values returned when all four lanes increment the same cell.
fn expected_returns(text: &str) -> Vec<u64> {
    let program = runnable(&format!("{DECLS}{text}"));
    let end = run(&program).machine;
    (0..4)
        .map(|lane| end.load(SpaceId::registers(0), 32 + lane * 4, 4).unwrap())
        .collect()
}

#[test]
fn diagnostics_are_limited_with_a_count_of_the_rest() {
    let program = Program::parse(&"\"\n".repeat(1_000_000));
    assert_eq!(program.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    let last = program.diagnostics.last().unwrap();
    assert_eq!(last.rule.code, "N0113");
    assert_eq!(last.what, "further diagnostics omitted: 999000");
    assert!(!program.can_run());
    assert_eq!(codes(&"\"\n".repeat(1000)).len(), 1000, "none omitted");
}

#[test]
fn errors_take_precedence_over_warnings() {
    let warned = "and.sat (M1, 8) P1 P1 P1\n".repeat(3000);
    let warned = format!(".decl P1 v_type=P num_elts=8\n{warned}");
    let program = Program::parse(&warned);
    assert!(program.can_run() && program.diagnostics.len() == MAX_DIAGNOSTICS + 1);
    let program = Program::parse(&format!("{warned}.foo\n"));
    assert!(!program.can_run());
    let errors = program
        .diagnostics
        .iter()
        .filter(|d| d.rule.code == "E0102");
    assert_eq!(errors.count(), 1);
    assert_eq!(program.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    // Lines beyond the limit are still invalid.
    let float = ".decl F v_type=G type=f num_elts=8\n";
    let lines = format!("{INC}dword_atomic.inc (4) %slm F.0 %null.0 %null.0 R.0\n");
    let wrong = format!("{DECLS}{float}{}{lines}", ".foo\n".repeat(2000));
    assert_eq!(Program::parse(&wrong).instructions.len(), 1);
}

#[test]
fn one_mistake_gives_one_diagnostic() {
    assert_eq!(codes("\"abc"), ["E0101"]);
    assert_eq!(codes("\"abc 1 2 3\n.slm 64"), ["E0101"]);
    for (values, found) in [
        (",,,", 1),
        ("1,,,2", 1),
        ("1,", 1),
        (",1,,2", 2),
        ("1,2", 0),
    ] {
        let text = format!(".init slm[0] : ud = {values}");
        assert_eq!(codes(&text), vec!["E0803"; found], "{values}");
    }
}

#[test]
fn suggestions_are_limited() {
    let line = "dword_atomik.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n";
    let declaration = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n";
    let program = Program::parse(&(String::from(declaration) + &line.repeat(200)));
    let fixed = program.diagnostics.iter().filter(|d| d.edit.is_some());
    assert_eq!(fixed.count(), 100);
}

#[test]
fn fills_stop_at_the_end_and_at_the_budget() {
    let program = runnable(
        ".slm 10001\n.init slm[1] : uw = iota(1, 1)\n.region svm 0xffe 6\n\
         .init svm[0xffe] : uw = splat(0x102)",
    );
    let at = |address| program.start.load(SpaceId::SLM, address, 2);
    assert_eq!(
        (at(1), at(4095), at(9999)),
        (Some(1), Some(2048), Some(5000))
    );
    assert_eq!(program.start.load(SpaceId::SLM, 0, 1), Some(0));
    let svm = program.start.space(SpaceId::VIRTUAL).region_bytes(0xffe);
    assert_eq!(svm, [2, 1, 2, 1, 2, 1]);

    let fill = ".init slm[0] : ub = splat(1)\n";
    let text = format!(".slm 60000000\n{}", fill.repeat(20));
    let found = codes(&text);
    assert_eq!(found, ["W0805", "E0814"]);
}

#[test]
fn memory_limit_counts_pages() {
    let mut text = String::from(".slm 0\n");
    for i in 0..16_384 {
        writeln!(text, ".region svm {} 1", 4096 * (20_000 - i)).unwrap();
    }
    assert_eq!(codes(&text), [""; 0]);
    assert_eq!(codes(&format!("{text}.region svm 0 1\n")), ["E0806"]);
    assert_eq!(
        codes(&format!("{text}.region svm 0 1\n").repeat(3)).len(),
        3
    );
    // An unmapped region does not cause further errors.
    let text = ".region svm 0 100000000\n.init svm[0] : ud = 1\n.init svm[64] : ud = 1, 2";
    assert_eq!(codes(text), ["E0806"]);
    let text = ".region svm 0xffffffffffffffff 2\n.init svm[0] : ud = 1";
    assert_eq!(codes(text), ["E0806"]);
    let text = ".decl T6 v_type=T\n.surface T6 100000000\n.init T6[0] : ud = 1\n\
                dword_atomic.inc (4) T6 O.0 %null.0 %null.0 R.0";
    assert_eq!(codes(&format!("{DECLS}{text}")), ["E0806"]);
}

#[test]
fn adjacent_regions_act_as_one() {
    let text = ".decl A v_type=G type=uq num_elts=1\n.decl N v_type=G type=ud num_elts=1\n\
                .region svm 0x1000 2\n.region svm 0x1002 6\n.init svm[0x1000] : ub = 1, 2, 3, 4\n\
                .init A = 0x1000\nsvm_atomic.inc (1) A.0 N.0 %null.0 %null.0\n";
    let program = runnable(text);
    let outcome = run(&program);
    assert_eq!(outcome.fault, None);
    let after = outcome.machine.load(SpaceId::VIRTUAL, 0x1000, 4);
    assert_eq!(after, Some(0x0403_0202));
    assert_eq!(codes(&text.replace("0x1002 6", "0x1003 6")), ["E0802"]);
}

#[test]
fn repeated_inits_are_found() {
    let line = |i: u32| format!(".init slm[{}] : ud = 1\n", i * 4);
    let text: String = (0..10_000).rev().map(line).collect();
    assert_eq!(codes(&text), [""; 0]);
    assert_eq!(codes(&format!("{text}{}", line(5000))), ["W0805"]);
    assert_eq!(codes(&format!("{text}.init slm[7] : ub = 1, 2")), ["W0805"]);
    let two = format!("{text}.init slm[0] : ub = splat(1)\n.init slm[65535] : ub = 1");
    assert_eq!(codes(&two), ["W0805", "W0805"]);
    // An overlapping range is merged with the ranges that it overlaps.
    for (first, second) in [("[0]", "[2]"), ("[2]", "[0]")] {
        let of = |at: &str, values| format!(".init slm{at} : ub = {values}\n");
        let two = of(first, "1, 2, 3, 4") + &of(second, "1, 2, 3");
        for at in ["[1]", "[4]"] {
            assert_eq!(codes(&(two.clone() + &of(at, "1"))).len(), 2, "{two}{at}");
        }
    }
    let both = ".threads 2\n.decl P1 v_type=P num_elts=8\n.init EU0.P1 = 1\n.init EU1.P1 = 2\n";
    assert_eq!(codes(both), [""; 0]);
}

#[test]
fn long_alias_chains_are_allowed() {
    let mut text = String::from(".decl B v_type=G type=ud num_elts=8\n");
    let mut base = String::from("B");
    for i in 0..20_000 {
        let name = format!("X{i}");
        writeln!(
            text,
            ".decl {name} v_type=G type=ud num_elts=8 alias=<{base},0>"
        )
        .unwrap();
        base = name;
    }
    let program = Program::parse(&text);
    assert!(program.diagnostics.is_empty());
    let (_, last) = program.symbols.visa.generals().last().unwrap();
    assert_eq!((last.storage, last.offset), (Some(32), 0));
}

/// An invalid declaration also declares its name, within the same limit.
#[test]
fn invalid_declarations_count_towards_the_limit() {
    for (kind, most) in [("P", 16_382), ("A", 4095), ("T", 250), ("S", 31)] {
        let mut text = String::new();
        for i in 0..70_000 {
            writeln!(text, ".decl X{i} v_type={kind} num_elts=9999").unwrap();
        }
        let program = Program::parse(&text);
        let symbols = &program.symbols.visa;
        let declared = [
            symbols.predicates().count(),
            symbols.addresses().count(),
            symbols.surfaces().count(),
            symbols.samplers().count(),
        ];
        assert_eq!(declared.iter().sum::<usize>(), most, "{kind}");
    }
}

#[test]
fn register_overflow_is_reported_once() {
    let mut text = String::new();
    for i in 0..600 {
        writeln!(text, ".decl X{i} v_type=G type=uq num_elts=4096").unwrap();
    }
    let found = codes(&text);
    assert_eq!(found.iter().filter(|c| **c == "E0207").count(), 1);
}

#[test]
fn orders_name_existing_lanes() {
    assert_eq!(
        expected_returns(&format!(".order 3 1\n{INC}")),
        [2, 1, 3, 0]
    );
    assert_eq!(
        expected_returns(&format!(".order 3.R 1\n{INC}")),
        [1, 0, 2, 3]
    );
    let of = |text: &str| codes(&format!("{DECLS}{text}"));
    assert_eq!(of(&format!(".order 32\n{INC}")), ["E0810"]);
    assert_eq!(
        of(&format!(".order 9 3 EU1.0\n{INC}{INC}")),
        ["W0811", "W0811"]
    );
    let wide = INC.replace("(4)", "(8)");
    assert_eq!(of(&format!(".order 7\n{INC}{wide}")), [""; 0]);
    assert_eq!(of(&format!(".order 2.R\n{INC}{INC}")), ["W0811"]);
    assert_eq!(of(&format!(".order 1\n.order 2\n{INC}")), ["W0109"]);
    assert_eq!(of(&format!("{INC}.order 1\n.order 2\n{INC}")), ["W0109"]);
    assert_eq!(of(".order 1"), ["W0812"]);
    // After an invalid line an order applies to one instruction.
    let broken = "dword_atomic.inc (4) T0\n";
    let after = of(&format!("{broken}.order 9\n{INC}{INC}"));
    assert_eq!(after.iter().filter(|c| **c == "W0811").count(), 1);
    let last = of(&format!("{INC}{broken}.order 9\n"));
    assert!(last.contains(&"W0812"));
    let many = format!(".order {}\n{INC}", "1 ".repeat(100_000));
    assert_eq!(
        Program::parse(&format!("{DECLS}{many}")).diagnostics.len(),
        1001
    );
}

#[test]
fn invalid_initial_values_are_diagnosed() {
    let what = |text: &str| {
        let program = Program::parse(text);
        assert_eq!(
            program.diagnostics.len(),
            1,
            "{text}: {:#?}",
            program.diagnostics
        );
        let found = &program.diagnostics[0];
        format!("{} {}", found.rule.code, found.what)
    };
    assert_eq!(
        what(".threads 2\n.init EU1.slm[0] : ud = 1"),
        "E0801 `slm` is shared by both EUs"
    );
    assert_eq!(
        what(".decl P1 v_type=P num_elts=8\n.init P1 = 1, 0, 1"),
        "E0801 expected a single mask for `P1`"
    );
    assert_eq!(
        what(".slm 8\n.init slm[4] : ud = 1, 2, 3"),
        "E0802 expected at most 4 bytes at `slm[0x4]`, found 12"
    );
    assert_eq!(
        what(".decl T6 v_type=T\n.surface T6 64\n.surface T6 32\n"),
        "W0109 repeated `.surface`"
    );
    let program = Program::parse(".decl T6 v_type=T\n.surface T6 64\n.surface T6 32\n");
    let size = program.start.space(SpaceId::surface(6)).mapped_bytes();
    assert_eq!(size, 32, "the last one takes effect");
    let sized = format!(
        "{DECLS}.decl T6 v_type=T\n.surface T6 0\ndword_atomic.inc (4) T6 O.0 %null.0 %null.0 R.0\n"
    );
    assert_eq!(codes(&sized), [""; 0]);
}

#[test]
fn variable_may_be_named_like_an_eu() {
    let text = ".threads 2\n.decl EU1 v_type=G type=ud num_elts=1\n.init EU1.EU1 = 7\n";
    let program = Program::parse(text);
    let at = |eu| program.start.load(SpaceId::registers(eu), 0, 4);
    assert_eq!((at(0), at(1)), (Some(0), Some(7)));
    let program = Program::parse(&text.replace("EU1.EU1", "EU1"));
    let at = |eu| program.start.load(SpaceId::registers(eu), 0, 4);
    assert_eq!((at(0), at(1)), (Some(7), Some(7)));
}

/// For every directive, texts with a size, given as `#`. Empty for directives
/// without a size.
const SIZES: &[(&str, &[&str])] = &[
    (".target", &[]),
    (".title", &[]),
    (".note", &[]),
    (".threads", &[".threads #"]),
    (
        ".decl",
        &[
            ".decl V40 v_type=G type=ud num_elts=#",
            ".decl A9 v_type=A num_elts=#",
            ".decl P9 v_type=P num_elts=#",
            ".decl S9 v_type=S num_elts=#",
            ".decl T9 v_type=T num_elts=#",
            ".decl V40 v_type=G type=ud num_elts=1 alias=<O,#>",
        ],
    ),
    (".slm", &[".slm #"]),
    (".fuel", &[".fuel #"]),
    (".function", &[]),
    (".launch", &[".launch global=#", ".launch global=8 local=#"]),
    (".simd", &[".simd #"]),
    (".buffer", &[".buffer y : f[#]"]),
    (".data", &[".data \"y\" : f[#]"]),
    (".private", &[".launch global=8\n.private #"]),
    (".schedule", &[]),
    (".local_arg", &[".launch global=8\n.local_arg #"]),
    (".bind", &[".launch global=8\n.bind bti # = y"]),
    (
        ".param",
        &[".target sass SM80\n.launch grid=1 block=32\n.param # = 1:ud\nEXIT ;"],
    ),
    (
        ".constant",
        &[
            ".target sass SM80\n.launch grid=1 block=32\n.constant # : ud[1] = 1\nEXIT ;",
            ".target sass SM80\n.launch grid=1 block=32\n.constant 3 : ud[#] = 1\nEXIT ;",
        ],
    ),
    (
        ".region",
        &[
            ".region svm 0x1000 #",
            ".target sass SM60\n.region global 0x1000 #\nRED.E.ADD [R2], R4;",
        ],
    ),
    (".surface", &[".decl T6 v_type=T num_elts=1\n.surface T6 #"]),
    (
        ".init",
        &[
            ".init O[#] = 1",
            ".init slm[#] : ud = 1",
            ".region svm 0x1000 64\n.init svm[#] : ud = 1",
        ],
    ),
    (
        ".order",
        &[".order # 0\ndword_atomic.inc (4) %slm O.0 %null.0 %null.0 R.0"],
    ),
    // Ranges and masks that do not allocate memory.
    (".sparse", &[]),
    (".window", &[]),
    (".lanes", &[]),
    (".kernel_attr", &[]),
    (".kernel", &[]),
];

#[test]
fn every_size_is_limited() {
    // Sizes that exceed the limits, with 32 bits, 64 bits and more.
    let numbers = [
        "0x7fffffff",
        "0xffffffff",
        "0x100000000",
        "0xfffffffffffffff0",
    ]
    .into_iter()
    .map(String::from)
    .chain([u64::MAX.to_string(), "9".repeat(40)]);
    for number in numbers {
        for (directive, lines) in SIZES {
            for line in *lines {
                let line = line.replace('#', &number);
                let text = match line.starts_with(".target") {
                    true => line,
                    false => format!("{DECLS}{line}\n{INC}"),
                };
                let program = Program::parse(&text);
                assert!(!program.can_run(), "{directive}: no error for `{text}`");
            }
        }
    }
    for directive in lanewise_core::program::DIRECTIVES {
        let name = format!(".{}", directive.name.trim_start_matches('.'));
        assert!(
            SIZES.iter().any(|(known, _)| *known == name),
            "{name} is not covered"
        );
    }
}

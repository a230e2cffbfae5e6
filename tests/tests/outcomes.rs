//! Outcomes against every order of the lanes, one run each, and against the
//! vectors.

use lanewise_core::isa::visa::operation::{Numbers, Operands, Operation};
use lanewise_core::machine::SpaceId;
use lanewise_core::outcomes::Search;
use lanewise_core::run::run;
use lanewise_core::scenario::Program;
use lanewise_tests::orders::{self, key};
use lanewise_tests::outcomes::{self, parse, search};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::Config;
use std::fmt::Write as _;
use std::rc::Rc;

/// Everything that an answer says must be so.
fn compare(text: &str, budget: usize) -> Result<usize, TestCaseError> {
    outcomes::compare(text, budget).map_err(TestCaseError::fail)
}

/// One instruction of a case.
#[derive(Clone, Debug)]
struct Line {
    operation: Operation,
    svm: bool,
    width: u32,
    /// One of few cells for each lane.
    cells: Vec<u64>,
    /// One of few values for each lane, twice.
    values: Vec<u64>,
    /// 0: none, 1: its own, 2: src0's.
    dst: u8,
}

/// Values that collide, cancel and compare equal without being so.
fn values() -> impl Strategy<Value = u64> {
    let few = vec![
        0,
        1,
        2,
        3,
        u64::MAX,
        u64::MAX - 1,
        0x8000_0000_8000_8000, // -0
        0x7fc0_0000_7fc0_7e00, // NaN
        0x3f80_0000_3f80_3c00, // 1
        0x4b80_0000_4b80_6800, // absorbs 1
    ];
    prop_oneof![6 => select(few), 1 => any::<u64>()]
}

fn lines() -> impl Strategy<Value = Line> {
    (
        select(Operation::ALL),
        any::<bool>(),
        0..3_usize,
        proptest::collection::vec(
            prop_oneof![6 => Just(0_u64), 2 => Just(1), 1 => Just(9)],
            16,
        ),
        proptest::collection::vec(values(), 32),
        0..3_u8,
    )
        .prop_map(|(operation, svm, width, cells, values, dst)| {
            let float = operation.numbers() == Numbers::Float;
            let width = match width {
                0 => 16,
                1 if svm && !float => 64,
                _ => 32,
            };
            Line {
                operation,
                svm,
                width,
                cells,
                values,
                dst,
            }
        })
}

/// The scenario: `lanes` of EU0, and the rest of EU1's where there are two.
fn text(lines: &[Line], lanes: [u32; 2], start: &[u64]) -> String {
    let threads = if lanes[1] > 0 { 2 } else { 1 };
    let mut head = format!(
        ".threads {threads}\n.slm 16\n.region svm 0 16\n.init EU0.em = {:#x}\n",
        (1 << lanes[0]) - 1
    );
    if threads == 2 {
        writeln!(head, ".init EU1.em = {:#x}", (1 << lanes[1]) - 1).unwrap();
    }
    for place in ["slm", "svm"] {
        writeln!(
            head,
            ".init {place}[0] : uq = {:#x}, {:#x}",
            start[0], start[1]
        )
        .unwrap();
    }
    let mut body = String::new();
    for (n, line) in lines.iter().enumerate() {
        let wide = line.width == 64;
        let ty = match (line.operation.numbers(), wide) {
            (Numbers::Float, _) => "f",
            (Numbers::Signed, true) => "q",
            (Numbers::Signed, false) => "d",
            (_, true) => "uq",
            _ => "ud",
        };
        let mask = if wide { u64::MAX } else { u64::from(u32::MAX) };
        let mut declare = |name: &str, ty: &str, values: &[u64], mask: u64| {
            writeln!(
                head,
                ".decl {name}{n} v_type=G type={ty} num_elts=8 align=GRF"
            )
            .unwrap();
            for eu in 0..threads {
                let own = &values[eu * 8..eu * 8 + 8];
                let own: Vec<String> = own.iter().map(|v| format!("{:#x}", v & mask)).collect();
                writeln!(head, ".init EU{eu}.{name}{n} = {}", own.join(", ")).unwrap();
            }
            format!("{name}{n}.0")
        };
        let bytes = u64::from(line.width / 8);
        // Unmapped virtual memory would fault.
        let cells: Vec<u64> = line
            .cells
            .iter()
            .map(|c| if line.svm { c % 2 } else { *c } * bytes)
            .collect();
        let address = declare("addr", if line.svm { "uq" } else { "ud" }, &cells, u64::MAX);
        let null = || String::from("V0");
        let operands = line.operation.operands();
        let src0 = match operands {
            Operands::None => null(),
            _ => declare("src", ty, &line.values[..16], mask),
        };
        let src1 = match operands {
            Operands::Two => declare("cmp", ty, &line.values[16..], mask),
            _ => null(),
        };
        let dst = match line.dst {
            0 => null(),
            2 if operands != Operands::None => src0.clone(),
            _ => declare("dst", ty, &[0; 16], mask),
        };
        let name = line.operation.assembler_name();
        let width = match line.width {
            32 => String::new(),
            width => format!(".{width}"),
        };
        if line.svm {
            writeln!(
                body,
                "svm_atomic.{name}{width} (M1, 8) {address} {dst} {src0} {src1}"
            )
        } else {
            writeln!(
                body,
                "dword_atomic.{name}{width} (M1, 8) %slm {address} {src0} {src1} {dst}"
            )
        }
        .unwrap();
    }
    head + &body
}

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn one_instruction_has_the_outcomes_of_all_its_orders(
        line in lines(),
        first in 1..6_u32,
        second in 0..3_u32,
        start in [values(), values()],
        budget in 1..2000_usize,
    ) {
        compare(&text(&[line], [first, second.min(6 - first)], &start), budget)?;
    }

    #[test]
    fn programs_have_the_outcomes_of_all_their_orders(
        lines in proptest::collection::vec(lines(), 2..4),
        first in 1..4_u32,
        second in 0..2_u32,
        start in [values(), values()],
    ) {
        let most = if lines.len() == 3 { 3 } else { 4 };
        compare(&text(&lines, [first.min(most), second.min(most - first.min(most))], &start), 50)?;
    }
}

proptest! {
    #![proptest_config(config(25))]

    #[test]
    fn seven_lanes_have_the_outcomes_of_all_their_orders(
        mut line in lines(),
        second in 0..3_u32,
        start in [values(), values()],
    ) {
        line.cells.fill(0);
        compare(&text(&[line], [7 - second, second], &start), 1000)?;
    }
}

/// `lanes` lanes of one cell, which holds `start`.
fn one_cell(operation: &str, lanes: u32, start: &str, src0: &str, src1: &str, dst: &str) -> String {
    let ty = if operation.starts_with('f') {
        "f"
    } else {
        "ud"
    };
    let (threads, size) = if lanes > 32 {
        (2, 32)
    } else {
        (1, lanes.next_power_of_two())
    };
    let mask = u32::MAX >> (32 - lanes / threads);
    let mut text = format!(
        ".threads {threads}\n.slm 16\n.init slm[0] : {ty} = {start}\n.init em = {mask:#x}\n\
         .decl addr v_type=G type=ud num_elts=32 align=GRF\n"
    );
    for (name, values) in [("src0", src0), ("src1", src1), ("dst", dst)] {
        if values != "V0" {
            writeln!(
                text,
                ".decl {name} v_type=G type={ty} num_elts=32 align=GRF"
            )
            .unwrap();
            for eu in 0..threads {
                // The second EU goes on where the first ends.
                let values = values.replace("FROM", &(1 + eu * 32).to_string());
                writeln!(text, ".init EU{eu}.{name} = {values}").unwrap();
            }
        }
    }
    let name = |name, values: &str| if values == "V0" { "V0" } else { name };
    writeln!(
        text,
        "dword_atomic.{operation} (M1, {size}) %slm addr.0 {} {} {}",
        name("src0", src0),
        name("src1", src1),
        name("dst", dst)
    )
    .unwrap();
    text
}

fn factorial(n: u32) -> String {
    let product = (1..=n).fold(vec![1_u32], |digits, factor| {
        let mut carry = 0;
        let mut next: Vec<u32> = digits
            .iter()
            .map(|digit| {
                carry += digit * factor;
                let low = carry % 10;
                carry /= 10;
                low
            })
            .collect();
        while carry > 0 {
            next.push(carry % 10);
            carry /= 10;
        }
        next
    });
    product.iter().rev().map(u32::to_string).collect()
}

const BELL_16: &str = "10480142147";
const BELL_32: &str = "128064670049908713818925644";

/// Counts that are known without listing results.
#[test]
fn many_lanes_are_counted() {
    let iota = "iota(FROM, 1)";
    let zero = "splat(0)";
    let no = "V0";
    let cases = [
        // Sums of positive numbers only rise: each order returns others.
        ("add", 16, "0", iota, no, zero, factorial(16), "1"),
        ("add", 16, "7", iota, no, no, "1".into(), &factorial(16)),
        ("sub", 16, "5", iota, no, zero, factorial(16), "1"),
        ("xchg", 16, "99", iota, no, zero, factorial(16), "1"),
        // The first lane writes what is there; it may go anywhere.
        ("xchg", 16, "1", iota, no, zero, factorial(16), "1"),
        ("xchg", 32, "99", iota, no, zero, factorial(32), "1"),
        ("xchg", 64, "5", iota, no, zero, factorial(64), "1"),
        ("xchg", 16, "99", iota, no, no, "16".into(), &factorial(15)),
        ("xchg", 32, "99", iota, no, no, "32".into(), &factorial(31)),
        // One wins, the others find what it left.
        (
            "cmpxchg",
            16,
            "0",
            iota,
            zero,
            zero,
            "16".into(),
            &factorial(15),
        ),
        (
            "cmpxchg",
            32,
            "0",
            iota,
            zero,
            zero,
            "32".into(),
            &factorial(31),
        ),
        (
            "cmpxchg",
            64,
            "0",
            iota,
            zero,
            zero,
            "64".into(),
            &factorial(63),
        ),
        (
            "cmpxchg",
            32,
            "0",
            iota,
            zero,
            no,
            "32".into(),
            &factorial(31),
        ),
        // Each lane is in the block of the lane that it found: partitions.
        ("fmin", 16, "99", iota, no, zero, BELL_16.into(), ""),
        ("min", 16, "99", iota, no, zero, BELL_16.into(), ""),
        ("fmax", 16, "0", iota, no, zero, BELL_16.into(), ""),
        ("fmin", 32, "99", iota, no, zero, BELL_32.into(), ""),
        ("fmin", 32, "99", iota, no, no, "1".into(), &factorial(32)),
        // Equal lanes.
        ("inc", 32, "0", no, no, zero, factorial(32), "1"),
        ("predec", 32, "0", no, no, zero, factorial(32), "1"),
        ("inc", 64, "0", no, no, zero, factorial(64), "1"),
        ("inc", 64, "0", no, no, no, "1".into(), &factorial(64)),
        ("add", 32, "0", "splat(3)", no, zero, factorial(32), "1"),
        (
            "xchg",
            32,
            "3",
            "splat(4)",
            no,
            zero,
            "32".into(),
            &factorial(31),
        ),
        (
            "or",
            16,
            "0",
            "1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768",
            no,
            zero,
            factorial(16),
            "1",
        ),
    ];
    for (operation, lanes, start, src0, src1, dst, count, each) in cases {
        let operation = if operation == "predec" {
            "predec"
        } else {
            operation
        };
        let text = one_cell(operation, lanes, start, src0, src1, dst);
        let text = if operation == "predec" {
            text.replace(
                "type=ud num_elts=32 align=GRF\n.init EU0.dst",
                "type=d num_elts=32 align=GRF\n.init EU0.dst",
            )
        } else {
            text
        };
        let program = parse(&text);
        let answer = search(&program, 100, 100_000);
        let what = format!("{operation} of {lanes} lanes");
        assert!(answer.complete, "{what}");
        assert_eq!(answer.count.to_string(), count, "{what}");
        assert_eq!(
            answer.orders.unwrap().to_string(),
            factorial(lanes),
            "{what}"
        );
        assert_eq!(answer.outcomes.len(), count.parse().unwrap_or(100).min(100));
        for outcome in &answer.outcomes {
            let orders = outcome.orders.as_ref().unwrap().to_string();
            assert!(each.is_empty() || orders == *each, "{what}: {orders}");
            let mut replayed = Program::clone(&program);
            replayed.instructions[0].order = orders::order(&outcome.turns[0].units);
            let end = outcome.machine(&program);
            assert_eq!(key(&run(&replayed).machine), key(&end), "{what}");
        }
    }
}

/// Two groups of a warp's lanes, and what is their own.
#[test]
fn warps_and_scatters_have_the_outcomes_of_all_their_orders() {
    let operations = [
        "ADD",
        "MIN.S32",
        "INC",
        "DEC",
        "EXCH",
        "XOR",
        "ADD.F32.FTZ.RN",
        "OR",
    ];
    let mut found = 0;
    for operation in operations {
        for values in ["1, 2, 3, 1", "0, 0, 5, -1", "iota(7, 0)"] {
            let text = format!(
                ".target sass SM60\n.region global 0x10000 64\n\
                 .init global[0x10000] : d = 2\n.init R2 = 0x10000, 0x10000, 0x10004, 0x10000, 0x10004, 0x10000\n\
                 .init R4 = {values}\n.init P0 = 0x3f\n@P0 ATOM.{operation} R0, [R2], R4;\n"
            );
            found += compare(&text, 7).unwrap();
        }
    }
    let cas = ".target sass SM50\n.region global 0x10000 64\n.init R2 = splat(0x10000)\n\
               .init R4 = 0, 5, 0, 1, 2, 5\n.init R5 = 5, 1, 2, 5, 0, 0\n.init P0 = 0x3f\n";
    found += compare(&format!("{cas}@P0 ATOM.CAS R0, [R2], R4, R5;\n"), 100).unwrap();
    for step in [0, 4, 8, 12] {
        for channels in ["R", "RG", "RA", "GBA"] {
            let lanes = 6 / channels.len();
            let text = format!(
                ".slm 16\n.region svm 0x1000 128\n.init em = {:#x}\n\
                 .decl offs v_type=G type=uq num_elts=8 align=GRF\n.init offs = iota(0, {step})\n\
                 .decl src v_type=G type=d num_elts=32 align=GRF\n.init src = 1, 2, 1, 4, 5, 1, 7, 8, 9, 1, 2\n\
                 svm_scatter4scaled.{channels} (M1, 8) 0x1000:uq offs.0 src.0\n",
                (1 << lanes) - 1
            );
            found += compare(&text, 100).unwrap();
        }
    }
    println!("  {found} results");
    assert_eq!(found, FOUND);
}

const FOUND: usize = 693;

/// What is too much is never called complete, and what is known is exact.
#[test]
fn what_is_not_complete_says_so() {
    let text = one_cell("xor", 32, "0", "iota(FROM, 1)", "V0", "splat(0)");
    let program = parse(&text);
    let answer = search(&program, 10, 100_000);
    assert!(!answer.complete);
    assert_eq!(answer.outcomes.len(), 10);
    assert!(answer.outcomes.iter().all(|o| o.orders.is_none()));
    assert_eq!(answer.orders.unwrap().to_string(), factorial(32));
    // The last lane brings bit 5; before it the others make anything below.
    let returns = &answer.conflicts[0].returns;
    assert_eq!(returns.len(), 32);
    assert_eq!(returns[31], Some((0..32).collect::<Vec<u64>>()));
    assert_eq!(returns[0], Some((0..64).collect::<Vec<u64>>()));
    // A chain of compares: lane i makes i + 1 of i.
    let text = one_cell(
        "cmpxchg",
        32,
        "0",
        "iota(FROM, 1)",
        "iota(0, 1)",
        "splat(0)",
    );
    let answer = search(&parse(&text), 10, 100_000);
    assert!(!answer.complete);
    let conflict = &answer.conflicts[0];
    let contents = conflict.contents.as_ref().unwrap();
    assert_eq!(*contents, (1..=32).collect::<Vec<u64>>());
    // Without lane 7 nobody makes more than 7.
    assert_eq!(conflict.returns[7], Some((0..=7).collect::<Vec<u64>>()));
}

/// Lanes that only add are counted whatever their number, as long as the sum
/// does not come round.
#[test]
fn sums_are_counted_without_a_search() {
    let sum = |lanes, start: &str, src0: &str, dst: &str| {
        let program = parse(&one_cell("add", lanes, start, src0, "V0", dst));
        let mut search = Search::new(Rc::clone(&program), 10);
        search.finish();
        search.answer()
    };
    for lanes in [2, 16, 32, 64] {
        let answer = sum(lanes, "7", "iota(FROM, 1)", "splat(0)");
        assert!(answer.complete, "{lanes}");
        assert_eq!(answer.count.to_string(), factorial(lanes));
        assert_eq!(answer.orders.unwrap().to_string(), factorial(lanes));
        let conflict = &answer.conflicts[0];
        let all = u64::from(lanes * (lanes + 1) / 2);
        assert_eq!(conflict.contents, Some(vec![7 + all]));
        // The first adds 1: it gets back any sum of the others, 2, 3, …
        let first = conflict.returns[0].as_ref();
        match lanes {
            2 => assert_eq!(*first.unwrap(), [7, 9]),
            64 => assert!(first.is_none(), "these are many"),
            _ => {
                let missing = [7 + 1, 7 + all - 2];
                let sums = (7..7 + all).filter(|sum| !missing.contains(sum));
                assert_eq!(*first.unwrap(), sums.collect::<Vec<_>>());
            }
        }
    }
    // Lanes that add nothing may be anywhere.
    let answer = sum(4, "0", "0, 5, 0, 9", "splat(0)");
    assert_eq!(answer.count.to_string(), "18");
    let orders = answer.outcomes.iter().filter_map(|o| o.orders.as_ref());
    let orders: usize = orders.filter_map(|orders| orders.to_usize()).sum();
    assert_eq!((answer.outcomes.len(), orders <= 24), (10, true));
    // Sums that come round are searched.
    let answer = sum(4, "0", "0x80000000, 0x80000000, 1, 2", "splat(0)");
    assert!(answer.complete);
    assert!(sum(32, "1", "iota(FROM, 1)", "V0").complete);
}

/// A search can be left at any time.
#[test]
fn a_search_stops_anywhere() {
    let program = parse(&one_cell("xor", 12, "0", "iota(FROM, 1)", "V0", "splat(0)"));
    for slices in [0, 1, 2, 10] {
        let mut search = Search::new(Rc::clone(&program), 5);
        let mut before = 0;
        for _ in 0..slices {
            let progress = search.work(100);
            assert!(!progress.done && progress.thousandths >= before);
            before = progress.thousandths;
        }
        let answer = search.answer();
        assert!(!answer.complete && answer.outcomes.is_empty());
    }
}

/// What the notes of bundled scenarios say of their outcomes.
#[test]
fn the_notes_of_scenarios_tell_the_truth() {
    for (id, count, all, start, ends) in [
        ("one-of-eight", 8, "40320", 0, 101..=108),
        ("exchange-chain", 120, "120", 0, 1..=5),
        ("compare-may-fail", 14, "24", 0, 1..=4),
        ("mixed-orders", 36, "36", 0, 16..=36),
        ("atom-float-order", 22, "24", 0x10000, 0..=0x4000_0000),
    ] {
        let bundled = lanewise_core::library::named(id).unwrap();
        if id != "one-of-eight" {
            compare(bundled.text, 1000).unwrap();
        }
        let program = parse(bundled.text);
        let answer = search(&program, 1000, 1000);
        assert!(answer.complete, "{id}");
        assert_eq!(answer.count.to_usize(), Some(count), "{id}");
        assert_eq!(answer.orders.unwrap().to_string(), all, "{id}");
        let mut found: Vec<u64> = Vec::new();
        for outcome in &answer.outcomes {
            let space = if start == 0 {
                SpaceId::SLM
            } else {
                SpaceId::VIRTUAL
            };
            let end = outcome.machine(&program).load(space, start, 4).unwrap();
            assert!(ends.contains(&end), "{id}: {end}");
            let orders = outcome.orders.as_ref().unwrap().to_usize();
            match id {
                "one-of-eight" => assert_eq!(orders, Some(5040)),
                "compare-may-fail" if end == 4 => assert_eq!(orders, Some(1)),
                _ => {}
            }
            if !found.contains(&end) {
                found.push(end);
            }
        }
        found.sort_unstable();
        match id {
            "mixed-orders" => assert_eq!(found, [16, 26, 36]),
            "atom-float-order" => assert_eq!(found, [0, 0x3f80_0000, 0x4000_0000]),
            "compare-may-fail" => assert_eq!(found, [1, 2, 3, 4]),
            _ => {}
        }
    }
}

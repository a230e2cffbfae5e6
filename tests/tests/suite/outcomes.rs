//! Compares outcomes with runs of every lane order.

use lanewise_core::isa::visa::operation::{Numbers, SourceCount, VisaOperation};
use lanewise_tests::generate::config;
use lanewise_tests::outcomes;
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Write as _;

/// Checks everything in a search result.
fn compare(text: &str, budget: u64) -> Result<usize, TestCaseError> {
    outcomes::compare(text, budget).map_err(TestCaseError::fail)
}

/// Instruction of a case.
#[derive(Clone, Debug)]
struct Line {
    operation: VisaOperation,
    svm: bool,
    width: u32,
    /// Cell of each lane, from a small set.
    cells: Vec<u64>,
    /// Two values for each lane, from a small set.
    values: Vec<u64>,
    /// 0: none, 1: a separate variable, 2: the variable of src0.
    dst: u8,
}

/// Values that collide, cancel, or compare equal but differ.
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
        select(VisaOperation::ALL),
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

/// Scenario with `lanes` on EU0, and the remaining lanes on EU1 if it is used.
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
        // Map virtual memory to prevent faults.
        let cells: Vec<u64> = line
            .cells
            .iter()
            .map(|c| if line.svm { c % 2 } else { *c } * bytes)
            .collect();
        let address = declare("addr", if line.svm { "uq" } else { "ud" }, &cells, u64::MAX);
        let null = || String::from("V0");
        let operands = line.operation.operands();
        let src0 = match operands {
            SourceCount::None => null(),
            _ => declare("src", ty, &line.values[..16], mask),
        };
        let src1 = match operands {
            SourceCount::Two => declare("cmp", ty, &line.values[16..], mask),
            _ => null(),
        };
        let dst = match line.dst {
            0 => null(),
            2 if operands != SourceCount::None => src0.clone(),
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

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn outcomes_of_one_instruction_match_all_orders(
        line in lines(),
        first in 1..6_u32,
        second in 0..3_u32,
        start in [values(), values()],
        budget in 1..2000_u64,
    ) {
        compare(&text(&[line], [first, second.min(6 - first)], &start), budget)?;
    }

    #[test]
    fn outcomes_of_programs_match_all_orders(
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
    #![proptest_config(config(12))]

    #[test]
    fn outcomes_of_seven_lanes_match_all_orders(
        mut line in lines(),
        second in 0..3_u32,
        start in [values(), values()],
    ) {
        line.cells.fill(0);
        compare(&text(&[line], [7 - second, second], &start), 1000)?;
    }
}

/// Equal values in different registers are distinct outcomes, also between two
/// instructions.
#[test]
fn equal_values_in_different_registers_are_distinct_outcomes() {
    let text = "\
.slm 16
.init em = 7
.decl cell v_type=G type=ud num_elts=8 align=GRF
.decl first v_type=G type=ud num_elts=8 align=GRF
.decl second v_type=G type=ud num_elts=8 align=GRF
dword_atomic.inc (M1, 8) %slm cell.0 V0 V0 first.0
dword_atomic.inc (M1, 8) %slm cell.0 V0 V0 second.0
";
    assert_eq!(outcomes::compare(text, 1000), Ok(36));
}

//! Partially overlapping cells: channels of a scatter, and cells of 2, 4 and 8 bytes in
//! consecutive instructions.

use lanewise_tests::generate::config;
use lanewise_tests::outcomes::compare;
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Write as _;

/// Formats numbers for `.init`.
fn list(values: &[u64]) -> String {
    let values: Vec<String> = values.iter().map(|v| format!("{v:#x}")).collect();
    values.join(", ")
}

/// Scatter followed by other instructions.
fn scatter(number: usize, channels: &str, lanes: usize, cells: &[u64], src: &[u64]) -> [String; 2] {
    let cells: Vec<u64> = cells.iter().map(|cell| cell * 4).collect();
    let head = format!(
        ".decl offs{number} v_type=G type=uq num_elts=8 align=GRF\n\
         .decl src{number} v_type=G type=ud num_elts=32 align=GRF\n\
         .init offs{number} = {}\n.init src{number} = {}\n.init P{number} = {:#x}\n\
         .decl P{number} v_type=P num_elts=8\n",
        list(&cells),
        list(src),
        (1 << lanes) - 1,
    );
    let (decls, inits): (Vec<&str>, Vec<&str>) =
        head.lines().partition(|line| line.starts_with(".decl"));
    let body = format!(
        "(P{number}) svm_scatter4scaled.{channels} (M1, 8) 0x1000:uq offs{number}.0 src{number}.0\n"
    );
    [
        format!("{}\n{}\n", decls.join("\n"), inits.join("\n")),
        body,
    ]
}

/// Atomic on parts of the same bytes.
fn atomic(
    number: usize,
    operation: &str,
    width: u64,
    lanes: usize,
    cells: &[u64],
    src: &[u64],
    returns: bool,
) -> [String; 2] {
    let (ty, mask) = match width {
        64 => ("uq", u64::MAX),
        _ => ("ud", 0xffff_ffff),
    };
    let step = width / 8;
    let cells: Vec<u64> = cells
        .iter()
        .map(|c| 0x1000 + c % (16 / step) * step)
        .collect();
    let src: Vec<u64> = src.iter().take(8).map(|value| value & mask).collect();
    let head = format!(
        ".decl addr{number} v_type=G type=uq num_elts=8 align=GRF\n\
         .decl with{number} v_type=G type={ty} num_elts=8 align=GRF\n\
         .decl dst{number} v_type=G type={ty} num_elts=8 align=GRF\n\
         .decl P{number} v_type=P num_elts=8\n\
         .init addr{number} = {}\n.init with{number} = {}\n.init P{number} = {:#x}\n",
        list(&cells),
        list(&src),
        (1 << lanes) - 1,
    );
    let dst = if returns {
        format!("dst{number}.0")
    } else {
        String::from("V0")
    };
    let width = if width == 32 {
        String::new()
    } else {
        format!(".{width}")
    };
    let body = format!(
        "(P{number}) svm_atomic.{operation}{width} (M1, 8) addr{number}.0 {dst} with{number}.0 V0\n"
    );
    [head, body]
}

fn program(parts: &[[String; 2]], start: &[u64]) -> String {
    let mut text = format!(
        ".region svm 0x1000 64\n.init svm[0x1000] : uq = {}\n",
        list(start)
    );
    for which in 0..2 {
        for part in parts {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{}", part[which]);
        }
    }
    text
}

/// Values that share halves and cancel.
fn values(count: usize) -> impl Strategy<Value = Vec<u64>> {
    let few = vec![
        0,
        1,
        2,
        0xffff,
        0x1_0000,
        0xffff_ffff,
        0x1_0000_0000,
        u64::MAX,
    ];
    proptest::collection::vec(prop_oneof![6 => select(few), 1 => any::<u64>()], count)
}

fn cells() -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::vec(0..4_u64, 8)
}

fn channels() -> impl Strategy<Value = &'static str> {
    select(vec![
        "R", "G", "RG", "RB", "RA", "GB", "BA", "RGB", "RGA", "GBA", "RGBA",
    ])
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn outcomes_of_scatters_match_all_orders(
        channels in channels(),
        most in 2..8_usize,
        cells in cells(),
        src in values(32),
        budget in 1..500_u64,
    ) {
        let lanes = (most / channels.len()).max(1);
        let src: Vec<u64> = src.iter().map(|value| value & 0xffff_ffff).collect();
        let text = program(&[scatter(40, channels, lanes, &cells, &src)], &[1, 2]);
        compare(&text, budget).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn cells_of_different_sizes_overlap(
        operations in proptest::array::uniform2(select(vec!["add", "xchg", "xor", "min", "or", "sub"])),
        widths in proptest::array::uniform2(select(vec![16_u64, 32, 64])),
        lanes in proptest::array::uniform2(1..4_usize),
        cells in proptest::array::uniform2(cells()),
        src in proptest::array::uniform2(values(8)),
        returns in any::<[bool; 2]>(),
        start in values(2),
        scattered in any::<bool>(),
    ) {
        let one = |n: usize| {
            let lanes = lanes[n];
            atomic(40 + n, operations[n], widths[n], lanes, &cells[n], &src[n], returns[n])
        };
        let scattered = scattered.then(|| {
            let src: Vec<u64> = src[0].iter().map(|value| value & 0xffff_ffff).collect();
            scatter(50, "RG", 1 + lanes[0] % 2, &cells[1], &src)
        });
        let first = scattered.unwrap_or_else(|| one(0));
        compare(&program(&[first, one(1)], &start), 50).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn outcomes_of_seven_channels_match_all_orders(
        cells in cells(),
        src in values(32),
    ) {
        let src: Vec<u64> = src.iter().map(|value| value & 0xffff_ffff).collect();
        let text = program(&[scatter(40, "R", 7, &cells, &src)], &[0, 0]);
        compare(&text, 1000).map_err(TestCaseError::fail)?;
    }
}

//! DPASW: the supply of Src2 against the document's table, the arithmetic
//! against the vectors of `exec/dpas.jsonl` and `exec/dpasw.jsonl`.

use lanewise_core::isa::visa::dpas::operands::Registers;
use lanewise_core::isa::visa::dpas::precision::Column;
use lanewise_core::isa::visa::dpas::{Operands, Precision, Shape, Source, Supply};
use lanewise_core::machine::StepGranularity;
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use lanewise_tests::judge::unhex;
use lanewise_tests::place::{self, snapshot};
use lanewise_tests::report::Report;
use lanewise_tests::vectors::{self, Dpas, Dpasw, TableCell};
use std::fmt::Write as _;
use std::rc::Rc;

fn precision(name: &str) -> Precision {
    Precision::named(name).unwrap()
}

fn registers(hex: &str) -> Registers {
    let mut out = [[0; 8]; 8];
    let bytes = unhex(hex);
    assert!(bytes.len() <= 256 && bytes.len().is_multiple_of(4));
    for (dword, bytes) in out.as_flattened_mut().iter_mut().zip(bytes.chunks(4)) {
        *dword = u32::from_le_bytes(bytes.try_into().unwrap());
    }
    out
}

fn dwords(hex: &str) -> Vec<u32> {
    let count = hex.len() / 8;
    registers(hex).as_flattened()[..count].to_vec()
}

/// Whether lanes are as they should be: the same bits, or NaN where NaN is.
fn same(got: &[u32], wanted: &[u32], nans: &[usize]) -> Result<(), String> {
    let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
    if got.len() != wanted.len() {
        return Err(format!("{} lanes, not {}", got.len(), wanted.len()));
    }
    for (lane, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        let good = match nans.contains(&lane) {
            true => is_nan(*got) && is_nan(*wanted),
            false => got == wanted,
        };
        if !good {
            return Err(format!("lane {lane}: {got:#010x}, not {wanted:#010x}"));
        }
    }
    Ok(())
}

/// The definition of DPAS.md's pseudo-code, element by element and in wider
/// arithmetic, written out again: `f64` holds a product exactly, so that one
/// rounding to f32 is that of the product.
fn by_definition(operands: &Operands, eu: usize) -> Registers {
    let shape = operands.shape;
    let (w, a) = (shape.pair().w(), shape.pair().a());
    let ops = usize::from(shape.pair().ops());
    let element = |registers: &Registers, bit: usize, p: Precision| -> f64 {
        let bits = u32::from(p.bits());
        let dword = registers.as_flattened()[bit / 32];
        let raw = dword >> (bit % 32) & (u32::MAX >> (32 - bits));
        match p.name() {
            "bf" => f64::from(f32::from_bits(raw << 16)),
            "hf" => {
                let (sign, exponent, fraction) = (raw >> 15, raw >> 10 & 31, raw & 1023);
                let magnitude = match exponent {
                    0 => f64::from(fraction) * 2_f64.powi(-24),
                    31 if fraction == 0 => f64::INFINITY,
                    31 => f64::NAN,
                    e => (1.0 + f64::from(fraction) / 1024.0) * 2_f64.powi(e as i32 - 15),
                };
                if sign == 1 { -magnitude } else { magnitude }
            }
            name if name.starts_with('s') && raw >> (bits - 1) == 1 => {
                f64::from(raw) - f64::from(1_u32 << bits)
            }
            _ => f64::from(raw),
        }
    };
    let per_dword = 32 / (ops * usize::from(w.bits()));
    let mut dst = [[0; 8]; 8];
    let mut k = 0;
    let rows = dst.iter_mut().zip(&operands.src0[eu]);
    for (dst, src0) in rows.take(usize::from(shape.rc())) {
        let mut temp = *src0;
        for d in 0..usize::from(shape.sd()) {
            let (m, n) = (d / per_dword, d % per_dword * ops);
            for (i, sum) in temp.iter_mut().enumerate() {
                for j in 0..ops {
                    let at = (m * 8 + i) * 32 + (n + j) * usize::from(w.bits());
                    let x = element(&operands.src1[eu], at, w);
                    let y = element(&operands.src2, (k + j) * usize::from(a.bits()), a);
                    *sum = if shape.pair().is_float() {
                        (f32::from_bits(*sum) + (x * y) as f32).to_bits()
                    } else {
                        sum.wrapping_add((x * y) as i64 as u32)
                    };
                }
            }
            k += ops;
        }
        *dst = temp;
    }
    dst
}

/// Dst of one EU: by the fast way, by traces, and by definition; all alike.
fn dst(operands: &Operands, eu: u8) -> Result<Vec<u32>, String> {
    let rows = usize::from(operands.shape.rc());
    let fast = operands.dst(eu);
    let fast = &fast.as_flattened()[..rows * 8];
    let defined = by_definition(operands, usize::from(eu));
    let canonical = |bits: &u32| match f32::from_bits(*bits).is_nan() {
        true if operands.shape.pair().is_float() => 0x7fc0_0000,
        _ => *bits,
    };
    let defined: Vec<u32> = defined.as_flattened()[..rows * 8]
        .iter()
        .map(canonical)
        .collect();
    same(fast, &defined, &[]).map_err(|e| format!("by definition: {e}"))?;
    for row in 0..operands.shape.rc() {
        for channel in 0..8 {
            let trace = operands.trace(eu, row, channel);
            let bits = fast[usize::from(row) * 8 + usize::from(channel)];
            if trace.dst != bits || trace.sums.len() != usize::from(operands.shape.sd()) {
                return Err(format!("traced: {:#010x}, not {bits:#010x}", trace.dst));
            }
        }
    }
    Ok(fast.to_vec())
}

#[test]
fn dpas() {
    let mut report = Report::new("exec dpas");
    for case in vectors::read::<Dpas>("exec/dpas.jsonl") {
        let float = precision(&case.w).is_float();
        let class = match (case.sd, &case.row_stride_8_stages) {
            (8, _) if float => "depth 8, floats",
            (8, _) => "depth 8, integers",
            (_, None) => "smaller depth, both strides alike",
            // decisions.md: rows are SD × OPS_PER_CHAN elements.
            _ => "smaller depth, SD × OPS_PER_CHAN elements a row",
        };
        report.count(
            class,
            check_dpas(&case).map_err(|e| format!("{}: {e}", case.id)),
        );
    }
    report.finish(310, &DPAS);
}

fn check_dpas(case: &Dpas) -> Result<(), String> {
    let shape = Shape::new(precision(&case.w), precision(&case.a), case.sd, case.rc);
    let shape = shape.ok_or("no such shape")?;
    let src0 = case.src0.as_deref().map_or([[0; 8]; 8], registers);
    let src1 = registers(&case.src1);
    let operands = Operands {
        shape,
        ty: ElementType::D,
        src0: [src0; 2],
        src1: [src1; 2],
        src2: registers(&case.src2),
    };
    let got = dst(&operands, 0)?;
    same(&got, &dwords(&case.dst), &case.nan_lanes)?;
    let other = case.row_stride_8_stages.as_deref();
    if other.is_some_and(|other| dwords(other) == got) {
        return Err("the other stride gives the same".into());
    }
    Ok(())
}

const DPAS: [(&str, usize); 4] = [
    ("depth 8, floats", 48),
    ("depth 8, integers", 226),
    ("smaller depth, SD × OPS_PER_CHAN elements a row", 17),
    ("smaller depth, both strides alike", 19),
];

/// The scenario of a case.
fn scenario(case: &Dpasw) -> String {
    let mut text = String::from(".slm 64\n");
    let mut variable = |name: &str, ty: &str, values: [Option<&String>; 2]| {
        let [Some(first), second] = values else {
            return String::from("V0");
        };
        let second = second.unwrap_or(first);
        let count = first.len().max(second.len()) / 8;
        writeln!(
            text,
            ".decl {name} v_type=G type={ty} num_elts={count} align=GRF"
        )
        .unwrap();
        for (eu, hex) in [first, second].into_iter().enumerate() {
            if hex.is_empty() {
                continue;
            }
            let values: Vec<String> = dwords(hex).iter().map(|v| format!("{v:#010x}")).collect();
            writeln!(text, ".init EU{eu}.{name} = {}", values.join(", ")).unwrap();
        }
        String::from(name)
    };
    let (eu0, eu1) = (&case.eu0, &case.eu1);
    let dst = variable("dst", &case.dst_type, [Some(&case.eu0_dst), None]);
    let ty = case.src0_type.as_deref().unwrap_or("d");
    let src0 = variable("src0", ty, [eu0.src0.as_ref(), eu1.src0.as_ref()]);
    let src1 = variable("src1", "ud", [Some(&eu0.src1), Some(&eu1.src1)]);
    let src2 = variable("src2", "ud", [Some(&eu0.src2), Some(&eu1.src2)]);
    let (w, a, sd, rc) = (&case.w, &case.a, case.sd, case.rc);
    // What dst holds before must not matter.
    text + &format!(
        ".init dst = splat(0xaaaaaaaa)\nDPASW.{w}.{a}.{sd}.{rc} (8) {dst} {src0} {src1} {src2}\n"
    )
}

fn flagged(case: &Dpasw, flag: &str) -> bool {
    case.flags.iter().any(|f| f == flag)
}

fn check_dpasw(case: &Dpasw) -> Result<(), String> {
    let text = scenario(case);
    let program = Program::parse(&text);
    let codes: Vec<&str> = program
        .diagnostics
        .iter()
        .map(|d| d.rule.code)
        .filter(|code| !code.starts_with('N'))
        // The last `.init dst` overwrites.
        .filter(|code| *code != "W0805")
        .collect();
    let wanted: &[&str] = if flagged(case, "no_share") {
        &["W0443"]
    } else {
        &[]
    };
    if codes != wanted {
        return Err(format!("diagnostics {codes:?}, not {wanted:?}\n{text}"));
    }
    let program = Rc::new(program);
    let count = case.eu0_dst.len() / 8;
    let outcome = run(&program);
    // With a history, coarse and fine, it ends the same way.
    for (granularity, steps) in [(StepGranularity::Unit, 1), (StepGranularity::Fine, 16)] {
        let mut session = Session::with_granularity(Rc::clone(&program), granularity);
        while session.step() {}
        if session.position() != usize::from(case.sd) * usize::from(case.rc) * steps {
            return Err(format!("{} steps", session.position()));
        }
        if snapshot(session.machine()) != snapshot(&outcome.machine) {
            return Err("a session leaves something else than a run".into());
        }
    }
    let lanes = |place| -> Result<Vec<u32>, String> {
        let (values, _) = place::load(&program, &outcome.machine, place, count)?;
        Ok(values.iter().map(|v| *v as u32).collect())
    };
    same(
        &lanes("EU0.dst")?,
        &dwords(&case.eu0_dst),
        &case.nan_lanes.eu0,
    )?;
    same(
        &lanes("EU1.dst")?,
        &dwords(&case.eu1_dst),
        &case.nan_lanes.eu1,
    )?;
    // And so do traces, and the definition.
    let Some(dpasw) = program.instructions[0].instruction.matrix() else {
        return Err("another instruction".into());
    };
    let operands = dpasw
        .latched(&program.symbols, &program.start)
        .ok_or("cannot run")?;
    for (eu, wanted, nans) in [
        (0, &case.eu0_dst, &case.nan_lanes.eu0),
        (1, &case.eu1_dst, &case.nan_lanes.eu1),
    ] {
        same(&dst(&operands, eu)?, &dwords(wanted), nans)?;
    }
    check_supply(case, &operands)
}

fn named(source: Source) -> (String, u8) {
    (format!("EU{}", source.eu), source.register)
}

/// NGrf, the map, and what the flags say of the supply.
fn check_supply(case: &Dpasw, operands: &Operands) -> Result<(), String> {
    let supply = Supply::new(operands.shape);
    let [first, second] = supply.counts();
    if case.ngrf != [supply.ngrf(), first, second] {
        return Err(format!("NGrf {:?}", case.ngrf));
    }
    let map: Vec<_> = (0..8).map_while(|i| supply.source(i)).map(named).collect();
    if map != case.src2_map {
        return Err(format!("map {map:?}"));
    }
    for (flag, contains) in [
        ("no_share", !supply.shares()),
        ("table_contradiction", supply.differs()),
        ("footprint_mismatch", supply.finalizer_differs()),
        (
            "nan",
            !case.nan_lanes.eu0.is_empty() || !case.nan_lanes.eu1.is_empty(),
        ),
    ] {
        if flagged(case, flag) != contains {
            return Err(format!("flag {flag}"));
        }
    }
    if flagged(case, "table_contradiction") != case.table_alt.is_some() {
        return Err("no other result for the table".into());
    }
    let Some(table) = &case.table_alt else {
        return Ok(());
    };
    let map: Vec<_> = (0..8)
        .map_while(|i| supply.table_source(i))
        .map(named)
        .collect();
    if map != table.src2_map {
        return Err(format!("the table's map {map:?}"));
    }
    // Src2 as the table composes it: EU0 supplies the second register, too.
    let mut other = operands.clone();
    other.src2[1] = registers(&table.eu0_src2_extra)[0];
    for (eu, wanted) in [(0, &table.eu0_dst), (1, &table.eu1_dst)] {
        same(&dst(&other, eu)?, &dwords(wanted), &[]).map_err(|e| format!("by the table: {e}"))?;
    }
    Ok(())
}

#[test]
fn dpasw() {
    let mut report = Report::new("exec dpasw");
    for case in vectors::read::<Dpasw>("exec/dpasw.jsonl") {
        let mut class = match precision(&case.w).is_float() {
            true => String::from("floats"),
            false => String::from("integers"),
        };
        for (flag, what) in [
            ("order_sensitive", "in the order of k"),
            ("denorm", "subnormals kept"),
            ("nan", "with NaN"),
            (
                "table_contradiction",
                "by the formula, the table's result by the table",
            ),
            ("no_share", "sharing nothing"),
        ] {
            if flagged(&case, flag) {
                write!(class, ", {what}").unwrap();
            }
        }
        let result = check_dpasw(&case).map_err(|e| format!("{} ({}): {e}", case.id, case.kind));
        report.count(&class, result);
    }
    report.finish(337, &DPASW);
}

const DPASW: [(&str, usize); 14] = [
    ("floats", 24),
    ("floats, in the order of k", 12),
    ("floats, in the order of k, sharing nothing", 1),
    ("floats, in the order of k, subnormals kept", 1),
    (
        "floats, in the order of k, subnormals kept, sharing nothing",
        1,
    ),
    ("floats, in the order of k, with NaN", 2),
    ("floats, in the order of k, with NaN, sharing nothing", 1),
    ("floats, sharing nothing", 9),
    ("floats, subnormals kept", 1),
    ("floats, with NaN", 5),
    ("floats, with NaN, sharing nothing", 2),
    ("integers", 198),
    (
        "integers, by the formula, the table's result by the table",
        27,
    ),
    ("integers, sharing nothing", 53),
];

/// Precision pairs of each column.
fn pairs(column: Column) -> Vec<(Precision, Precision)> {
    let all = Precision::RUNNABLE;
    let pairs = all.into_iter().flat_map(|w| all.map(|a| (w, a)));
    pairs
        .filter(|(w, a)| {
            Supply::of(*w, *a, 8, 1).is_some_and(|s| s.shape().pair().column() == column)
        })
        .collect()
}

#[test]
fn the_table_differs_from_the_formula_in_two_cells() {
    let headings = [
        ("16-bit; 8-bit & OPS 4; 4-bit & OPS 8", Column::Whole, 22),
        ("4-bit & OPS 4; 2-bit & OPS 8", Column::Half, 12),
        ("2-bit & OPS 4", Column::Quarter, 4),
    ];
    let mut report = Report::new("DPASW table, each cell with each pair of its column");
    let mut differ = Vec::new();
    let cells = vectors::read::<TableCell>("visa/dpasw_table.jsonl");
    assert_eq!(cells.len(), 24);
    for cell in cells {
        let found = headings.iter().find(|(name, ..)| *name == cell.column);
        let (_, column, count) = *found.unwrap();
        let pairs = pairs(column);
        assert_eq!(pairs.len(), count, "{}", cell.column);
        for (w, a) in pairs {
            let supply = Supply::of(w, a, 8, cell.rc).unwrap();
            let list = |source: &dyn Fn(u8) -> Option<Source>| -> Vec<[u8; 3]> {
                (0..8)
                    .map_while(|i| source(i).map(|s| [i, s.eu, s.register]))
                    .collect()
            };
            let formula = list(&|i| supply.source(i));
            let table = list(&|i| supply.table_source(i));
            let good = formula == cell.formula
                && table == cell.table
                && supply.bytes() == cell.bytes
                && supply.differs() != cell.agree
                && (formula == table) == cell.agree;
            let result = if good {
                Ok(())
            } else {
                Err(format!("RC {} {}", cell.rc, supply.summary()))
            };
            report.count(if cell.agree { "agree" } else { "differ" }, result);
        }
        if !cell.agree {
            differ.push((cell.rc, column));
        }
    }
    assert_eq!(differ, [(4, Column::Half), (3, Column::Half)]);
    report.finish(304, &[("agree", 280), ("differ", 24)]);
}

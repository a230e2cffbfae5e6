//! Matrix instructions: compares DPAS with `exec/dpas.jsonl`, DPASW with
//! `exec/dpasw.jsonl`, and the supply of Src2 with the document's table.

use lanewise_core::isa::visa::matrix::operands::{EuOperands, narrow};
use lanewise_core::isa::visa::matrix::precision::Column;
use lanewise_core::isa::visa::matrix::{MatrixOperands, Precision, Source, Supply, dot};
use lanewise_core::isa::{FaultKind, ThreadSet};
use lanewise_core::machine::StepGranularity;
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, run};
use lanewise_tests::judge::unhex;
use lanewise_tests::parse::runnable;
use lanewise_tests::place::{self, snapshot};
use lanewise_tests::report::{self, Report};
use lanewise_tests::vectors::{self, Dpas, Dpasw, TableCell};
use std::fmt::Write as _;
use std::rc::Rc;

fn precision(name: &str) -> Precision {
    Precision::named(name).unwrap()
}

/// Little-endian elements of `size` bytes.
fn elements(hex: &str, size: usize) -> Vec<u32> {
    let bytes = unhex(hex);
    assert!(bytes.len().is_multiple_of(size));
    let element = |bytes: &[u8]| {
        let mut dword = [0; 4];
        dword[..size].copy_from_slice(bytes);
        u32::from_le_bytes(dword)
    };
    bytes.chunks(size).map(element).collect()
}

fn dwords(hex: &str) -> Vec<u32> {
    elements(hex, 4)
}

/// Whether a lane is a NaN of the type.
fn is_nan(bits: u32, ty: ElementType) -> bool {
    match ty {
        ElementType::Bf => f32::from_bits(bits << 16).is_nan(),
        ElementType::Hf => bits & 0x7fff > 0x7c00,
        _ => f32::from_bits(bits).is_nan(),
    }
}

/// Checks that lanes have the same bits, or are both NaN.
fn same(got: &[u32], wanted: &[u32], nans: &[usize], ty: ElementType) -> Result<(), String> {
    if got.len() != wanted.len() {
        return Err(format!("{} lanes, expected {}", got.len(), wanted.len()));
    }
    for (lane, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        let good = match nans.contains(&lane) {
            true => is_nan(*got, ty) && is_nan(*wanted, ty),
            false => got == wanted,
        };
        if !good {
            return Err(format!("lane {lane}: {got:#010x}, expected {wanted:#010x}"));
        }
    }
    Ok(())
}

/// Value of an element; all are exact in `f64`.
fn value(raw: u32, precision: Precision) -> f64 {
    let bits = u32::from(precision.bits());
    match precision.name() {
        "tf32" => f64::from(f32::from_bits(raw & 0xffff_e000)),
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
}

type Rows = [[u32; 16]; 8];

/// Joins the halves of rows.
fn rows(halves: &[[[u32; 8]; 8]; 2]) -> Rows {
    std::array::from_fn(|r| std::array::from_fn(|c| halves[c / 8][r][c % 8]))
}

/// Independent implementation of DPAS.md's pseudo-code, per element and with wider
/// arithmetic. Products are exact in `f64`, so rounding to f32 once gives the rounded
/// product.
fn by_definition(operands: &MatrixOperands, eu: usize) -> Rows {
    let shape = operands.shape;
    let own: &EuOperands = &operands.eus[eu];
    let (w, a) = (shape.pair().w(), shape.pair().a());
    let ops = usize::from(shape.pair().ops());
    let element = |dword: u32, bit: usize, p: Precision| {
        let raw = dword >> (bit % 32) & (u32::MAX >> (32 - u32::from(p.bits())));
        value(raw, p)
    };
    let (src0, src1) = (rows(&own.src0), rows(&own.src1));
    let src2 = own.src2.as_flattened();
    let per_dword = 32 / (ops * usize::from(w.bits()));
    let mut dst = [[0; 16]; 8];
    let mut k = 0;
    for (dst, src0) in dst.iter_mut().zip(&src0).take(usize::from(shape.rc())) {
        let mut temp = *src0;
        for d in 0..usize::from(shape.sd()) {
            let (m, n) = (d / per_dword, d % per_dword * ops);
            for (i, sum) in temp
                .iter_mut()
                .enumerate()
                .take(usize::from(shape.channels()))
            {
                for j in 0..ops {
                    let x = element(src1[m][i], (n + j) * usize::from(w.bits()), w);
                    let bit = (k + j) * usize::from(a.bits());
                    let y = element(src2[bit / 32], bit, a);
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

/// Dst of one EU, computed with the fast path, with traces, and by definition, which must
/// agree.
fn dst(operands: &MatrixOperands, eu: u8) -> Result<Vec<u32>, String> {
    let (shape, ty) = (operands.shape, operands.types.dst);
    let flat = |all: &Rows| -> Vec<u32> {
        let rows = all.iter().take(usize::from(shape.rc()));
        rows.flat_map(|row| row[..usize::from(shape.channels())].to_vec())
            .collect()
    };
    let fast = flat(&rows(&operands.dst(eu)));
    let canonical = |bits: u32| match f32::from_bits(bits).is_nan() {
        true if shape.pair().is_float() => 0x7fc0_0000,
        _ => bits,
    };
    let defined = flat(&by_definition(operands, usize::from(eu)));
    let defined: Vec<u32> = defined
        .into_iter()
        .map(|sum| narrow(canonical(sum), ty))
        .collect();
    same(&fast, &defined, &[], ty).map_err(|e| format!("by definition: {e}"))?;
    for row in 0..shape.rc() {
        for channel in 0..shape.channels() {
            let trace = operands.trace(eu, row, channel);
            let bits =
                fast[usize::from(row) * usize::from(shape.channels()) + usize::from(channel)];
            if trace.dst != bits || trace.sums.len() != usize::from(shape.sd()) {
                return Err(format!("trace: {:#010x}, expected {bits:#010x}", trace.dst));
            }
        }
    }
    Ok(fast)
}

/// Independent rounding to a narrow type: from `f64`, in which the sum is exact.
fn rounded(sum: f32, ty: ElementType) -> u32 {
    let (bits, fraction, bias) = match ty {
        ElementType::Bf => (16, 7, 127),
        _ => (16, 10, 15),
    };
    let sign = sum.to_bits() >> 31 << (bits - 1);
    let value = f64::from(sum.abs());
    let largest = (1 << (bits - 1 - fraction)) - 1;
    if value == 0.0 || value.is_infinite() {
        return sign | if value == 0.0 { 0 } else { largest << fraction };
    }
    // In ulps; for subnormals, in ulps of the smallest normal number.
    let exponent = (value.log2().floor() as i32).max(1 - bias);
    let units = (value / 2_f64.powi(exponent - fraction)).round_ties_even() as u32;
    let number = (((exponent + bias) as u32 - 1) << fraction) + units;
    sign | number.min(largest << fraction)
}

#[test]
fn bf_and_hf_results_round_to_nearest_even() {
    let mut state = 1_u32;
    for i in 0..2_000_000_u32 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Random bits, then values around ties within the range of hf.
        let bits = match i % 3 {
            0 => state,
            1 => state & 0xffff_8000 | (i / 3 % 3 + 0x7fff),
            _ => (state & 0x8fff_f000 | 0x3000_0000)
                .wrapping_add(i / 3 % 3)
                .wrapping_sub(1),
        };
        let sum = f32::from_bits(bits);
        for ty in [ElementType::Bf, ElementType::Hf] {
            let got = narrow(bits, ty);
            if sum.is_nan() {
                assert!(is_nan(got, ty), "{bits:#x}");
            } else {
                assert_eq!(got, rounded(sum, ty), "{bits:#010x} as {ty:?}");
            }
        }
    }
}

/// Scenario of a case.
fn dpas_scenario(case: &Dpas) -> String {
    let target = if case.exec_size == 16 { "PVC" } else { "XEHP" };
    let mut text = format!(".target visa {target}\n.slm 64\n");
    let mut variable = |name: &str, ty: &str, hex: &str| {
        let size = usize::from(ElementType::named(ty).unwrap().bytes());
        let values = elements(hex, size);
        let count = values.len();
        writeln!(
            text,
            ".decl {name} v_type=G type={ty} num_elts={count} align=GRF"
        )
        .unwrap();
        let values: Vec<String> = values.iter().map(|v| format!("{v:#x}")).collect();
        writeln!(text, ".init {name} = {}", values.join(", ")).unwrap();
    };
    // The initial dst must not matter.
    variable("dst", &case.dst_type, &"a5".repeat(case.dst.len() / 2));
    let mut src0 = "V0";
    if let (Some(hex), Some(ty)) = (&case.src0, &case.src0_type) {
        variable("src0", ty, hex);
        src0 = "src0";
    }
    variable("src1", "ud", &case.src1);
    variable("src2", "ud", &case.src2);
    let Dpas {
        w,
        a,
        sd,
        rc,
        exec_size,
        ..
    } = case;
    text + &format!("DPAS.{w}.{a}.{sd}.{rc} ({exec_size}) dst {src0} src1 src2\n")
}

fn check_dpas(case: &Dpas) -> Result<(), String> {
    let text = dpas_scenario(case);
    let ty = ElementType::named(&case.dst_type).ok_or("unknown type")?;
    let wanted = elements(&case.dst, usize::from(ty.bytes()));
    // On one EU, and on both EUs with separate Src2.
    for threads in [1, 2] {
        let program = Rc::new(Program::parse(&format!("{text}.threads {threads}\n")));
        let codes: Vec<&str> = program.diagnostics.iter().map(|d| d.rule.code).collect();
        let expected: &[&str] = if case.sd == 8 {
            &["N0506"]
        } else {
            &["N0506", "W0440"]
        };
        if codes != expected {
            return Err(format!(
                "diagnostics {codes:?}, expected {expected:?}\n{text}"
            ));
        }
        let outcome = run(&program);
        let each = u16::from(threads) * u16::from(case.exec_size);
        for (granularity, steps) in [(StepGranularity::Unit, 1), (StepGranularity::Fine, each)] {
            let mut session = Session::with_granularity(Rc::clone(&program), granularity);
            while session.step() {}
            let stages = usize::from(case.sd) * usize::from(case.rc);
            if session.position() != stages * usize::from(steps) {
                return Err(format!("{} steps", session.position()));
            }
            if snapshot(session.machine()) != snapshot(&outcome.machine) {
                return Err("a session and a run end in different states".into());
            }
        }
        let multiply = program.instructions[0].instruction.matrix();
        let multiply = multiply.ok_or("another instruction")?;
        let operands = multiply.latched(
            ThreadSet::all(program.threads),
            &program.symbols,
            &program.start,
        );
        let operands = operands.ok_or("cannot run")?;
        let stride = case.row_stride_8_stages.as_deref();
        for eu in 0..threads {
            let at = format!("EU{eu}.dst");
            let (values, _) = place::load(&program, &outcome.machine, &at, wanted.len())?;
            let got: Vec<u32> = values.iter().map(|v| *v as u32).collect();
            same(&got, &wanted, &case.nan_lanes, ty)?;
            same(&dst(&operands, eu)?, &wanted, &case.nan_lanes, ty)?;
            if stride.is_some_and(|other| dwords(other) == got) {
                return Err("the other stride gives the same result".into());
            }
        }
    }
    Ok(())
}

#[test]
fn dpas() {
    let mut report = Report::new(&report::EMULATION, "DPAS: execution");
    for case in vectors::read::<Dpas>("exec/dpas.jsonl") {
        let precision = precision(&case.w);
        let mut class = match precision.is_float() {
            true => format!("{} channels, {}", case.exec_size, precision.name()),
            false => format!("{} channels, integers", case.exec_size),
        };
        for (flag, what) in [
            // decisions.md: rows are SD × OPS_PER_CHAN elements.
            ("sd_row_stride", "SD × OPS_PER_CHAN elements per row"),
            ("sd_not_8", "smaller depth"),
            ("order_sensitive", "in the order of k"),
            ("denorm", "subnormals kept"),
            ("nan", "with NaN"),
            ("tf32_low_bits", "low bits dropped"),
            ("dst16_rounding", "rounded to nearest even"),
        ] {
            if case.flags.iter().any(|f| f == flag) {
                write!(class, ", {what}").unwrap();
            }
        }
        let narrow = |ty: &str| matches!(ty, "bf" | "hf");
        if narrow(&case.dst_type) || case.src0_type.as_deref().is_some_and(narrow) {
            class.push_str(", 16-bit sums");
        }
        let result = check_dpas(&case).map_err(|e| format!("{} ({}): {e}", case.id, case.kind));
        report.count(&class, result);
    }
    report.finish(628, &DPAS);
}

const DPAS: [(&str, usize); 31] = [
    ("16 channels, bf", 13),
    ("16 channels, bf, 16-bit sums", 6),
    ("16 channels, bf, in the order of k", 5),
    ("16 channels, bf, in the order of k, subnormals kept", 1),
    ("16 channels, bf, in the order of k, with NaN", 2),
    ("16 channels, bf, rounded to nearest even, 16-bit sums", 4),
    ("16 channels, bf, with NaN", 3),
    ("16 channels, hf", 13),
    ("16 channels, hf, 16-bit sums", 6),
    ("16 channels, hf, in the order of k", 8),
    ("16 channels, hf, in the order of k, subnormals kept", 1),
    ("16 channels, hf, rounded to nearest even, 16-bit sums", 3),
    ("16 channels, hf, with NaN", 2),
    ("16 channels, integers", 226),
    ("16 channels, tf32", 14),
    ("16 channels, tf32, in the order of k", 6),
    ("16 channels, tf32, in the order of k, low bits dropped", 1),
    ("16 channels, tf32, in the order of k, subnormals kept", 1),
    ("16 channels, tf32, in the order of k, with NaN", 1),
    ("16 channels, tf32, with NaN", 2),
    ("8 channels, bf", 14),
    ("8 channels, bf, in the order of k", 7),
    ("8 channels, bf, in the order of k, with NaN", 1),
    ("8 channels, bf, with NaN", 2),
    ("8 channels, hf", 14),
    ("8 channels, hf, in the order of k", 7),
    ("8 channels, hf, in the order of k, subnormals kept", 1),
    ("8 channels, hf, with NaN", 2),
    ("8 channels, integers", 226),
    (
        "8 channels, integers, SD × OPS_PER_CHAN elements per row, smaller depth",
        17,
    ),
    ("8 channels, integers, smaller depth", 19),
];

/// Scenario of a case.
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
    // The initial dst must not matter.
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
        // The last `.init dst` wins.
        .filter(|code| *code != "W0805")
        .collect();
    let wanted: &[&str] = if flagged(case, "no_share") {
        &["W0443"]
    } else {
        &[]
    };
    if codes != wanted {
        return Err(format!(
            "diagnostics {codes:?}, expected {wanted:?}\n{text}"
        ));
    }
    let program = Rc::new(program);
    let count = case.eu0_dst.len() / 8;
    let outcome = run(&program);
    // Sessions with coarse and fine steps end in the same state.
    for (granularity, steps) in [(StepGranularity::Unit, 1), (StepGranularity::Fine, 16)] {
        let mut session = Session::with_granularity(Rc::clone(&program), granularity);
        while session.step() {}
        if session.position() != usize::from(case.sd) * usize::from(case.rc) * steps {
            return Err(format!("{} steps", session.position()));
        }
        if snapshot(session.machine()) != snapshot(&outcome.machine) {
            return Err("a session and a run end in different states".into());
        }
    }
    let lanes = |place| -> Result<Vec<u32>, String> {
        let (values, _) = place::load(&program, &outcome.machine, place, count)?;
        Ok(values.iter().map(|v| *v as u32).collect())
    };
    for (place, wanted, nans) in [
        ("EU0.dst", &case.eu0_dst, &case.nan_lanes.eu0),
        ("EU1.dst", &case.eu1_dst, &case.nan_lanes.eu1),
    ] {
        same(&lanes(place)?, &dwords(wanted), nans, ElementType::F)?;
    }
    // Traces and the definition give the same result.
    let Some(dpasw) = program.instructions[0].instruction.matrix() else {
        return Err("another instruction".into());
    };
    let operands = dpasw
        .latched(
            ThreadSet::all(program.threads),
            &program.symbols,
            &program.start,
        )
        .ok_or("cannot run")?;
    for (eu, wanted, nans) in [
        (0, &case.eu0_dst, &case.nan_lanes.eu0),
        (1, &case.eu1_dst, &case.nan_lanes.eu1),
    ] {
        same(&dst(&operands, eu)?, &dwords(wanted), nans, ElementType::F)?;
    }
    check_supply(case, &operands)
}

fn named(source: Source) -> (String, u8) {
    (format!("EU{}", source.eu), source.register)
}

/// Checks NGrf, the register map and the flags about the supply.
fn check_supply(case: &Dpasw, operands: &MatrixOperands) -> Result<(), String> {
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
        return Err("missing result for the table".into());
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
    // Src2 as composed by the table: EU0 also supplies the second register.
    let mut other = operands.clone();
    for own in &mut other.eus {
        let extra = dwords(&table.eu0_src2_extra);
        own.src2[1].copy_from_slice(&extra[..8]);
    }
    for (eu, wanted) in [(0, &table.eu0_dst), (1, &table.eu1_dst)] {
        let got = dst(&other, eu)?;
        same(&got, &dwords(wanted), &[], ElementType::F)
            .map_err(|e| format!("by the table: {e}"))?;
    }
    Ok(())
}

#[test]
fn dpasw() {
    let mut report = Report::new(&report::EMULATION, "DPASW: execution");
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

fn pairs(column: Column) -> Vec<(Precision, Precision)> {
    let all = Precision::BEFORE_TF32;
    let pairs = all.into_iter().flat_map(|w| all.map(|a| (w, a)));
    pairs
        .filter(|(w, a)| {
            Supply::of(*w, *a, 8, 1).is_some_and(|s| s.shape().pair().column() == column)
        })
        .collect()
}

#[test]
fn table_differs_from_formula_in_two_cells() {
    let headings = [
        ("16-bit; 8-bit & OPS 4; 4-bit & OPS 8", Column::Whole, 22),
        ("4-bit & OPS 4; 2-bit & OPS 8", Column::Half, 12),
        ("2-bit & OPS 4", Column::Quarter, 4),
    ];
    let mut report = Report::new(
        &report::DOCUMENTS,
        "DPASW: table of Src2, each cell with each precision pair of its column",
    );
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

/// The values of the formats, computed from sign, exponent and fraction.
#[test]
fn narrow_floats_have_the_values_of_their_formats() {
    for (name, exponent_bits, fraction_bits) in [("bf8", 5, 2), ("hf8", 4, 3), ("e2m1", 2, 1)] {
        let bias = (1 << (exponent_bits - 1)) - 1;
        for code in 0..1_u32 << (1 + exponent_bits + fraction_bits) {
            let exponent = code >> fraction_bits & ((1 << exponent_bits) - 1);
            let fraction = code & ((1 << fraction_bits) - 1);
            let steps = f64::from(fraction) / f64::from(1 << fraction_bits);
            let power = |e: i32| 2_f64.powi(e - bias);
            let size = match (name, exponent, fraction) {
                ("bf8", 31, 0) => f64::INFINITY,
                ("bf8", 31, _) | ("hf8", 15, 7) => f64::NAN,
                (_, 0, _) => steps * power(1),
                _ => (1.0 + steps) * power(exponent.cast_signed()),
            };
            let sign = if code >> (exponent_bits + fraction_bits) == 1 {
                -1.0
            } else {
                1.0
            };
            let value = f64::from(dot::value(precision(name), code));
            let same = value.to_bits() == (sign * size).to_bits();
            assert!(
                same || value.is_nan() && size.is_nan(),
                "{name} {code:#x}: {value}"
            );
        }
    }
}

#[test]
fn platforms_without_narrow_floats_are_told_of_those_that_have_them() {
    let diagnostic = |platform: &str, line: &str| {
        let text = format!(
            ".target visa {platform}\n.decl F v_type=G type=f num_elts=128 align=GRF\n\
             .decl V v_type=G type=ud num_elts=128 align=GRF\n{line}\n"
        );
        let program = Program::parse(&text);
        program
            .diagnostics
            .first()
            .map(|d| (d.rule.code, d.help.to_string()))
    };
    let line = "dpas.hf8.bf8.8.8 (M1, 16) F.0 %null.0 V.0 V(0,0)";
    assert_eq!(diagnostic("NVL", line), None);
    assert_eq!(
        diagnostic("CRI", &line.replace("hf8.bf8", "e2m1.e2m1")),
        None
    );
    let (code, help) = diagnostic("BMG", line).expect("an error");
    assert_eq!(
        (code, help.as_str()),
        ("E0393", "use .target visa NVL or CRI")
    );
    let mixed = diagnostic("NVL", &line.replace("hf8.bf8", "e2m1.bf8"));
    assert_eq!(mixed.map(|(code, _)| code), Some("E0394"));
    let (code, help) = diagnostic("TGLLP", line).expect("an error");
    assert_eq!(code, "E0390");
    assert!(
        help.contains("XEHP") && help.contains("CRI") && !help.contains("TGLLP"),
        "{help}"
    );
}

/// Both EUs of a pair supply registers of Src2: an instruction that one of them jumps over has
/// no result.
#[test]
fn products_that_one_eu_executes_stop_the_run() {
    for active in ["EU0", "EU1"] {
        let program = runnable(&format!(
            "\
.target visa XEHP
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=d num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.init EU0.P1 = 0xff
.init EU1.P1 = 0xff
.init {active}.P1 = 0
(P1) goto (M1, 8) SKIP
dpasw.s8.s8.8.2 (M1, 8) V32.0 %null.0 V34.0 V35(0,0)
SKIP:
ret (M1, 1)
"
        ));
        let result = run(&program);
        let fault = result.fault.expect("a fault");
        assert_eq!(
            (fault.kind, fault.instruction),
            (FaultKind::Undefined, 1),
            "{active}"
        );
        assert!(fault.message.contains(active), "{}", fault.message);
    }
}

/// A third thread has no partner.
#[test]
fn products_need_an_even_number_of_threads() {
    for (items, codes) in [(8, &["E0740"][..]), (16, &[]), (24, &["E0740"])] {
        let program = Program::parse(&format!(
            "\
.target visa XEHP
.launch global={items} local={items}
.simd 8
.decl V32 v_type=G type=d num_elts=8 align=GRF
.decl V33 v_type=G type=d num_elts=64 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
dpasw.s8.s8.8.1 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)
"
        ));
        let errors = program.diagnostics.iter().filter(|d| d.is_error());
        let found: Vec<&str> = errors.map(|d| d.rule.code).collect();
        assert_eq!(found, codes, "{items}");
    }
}

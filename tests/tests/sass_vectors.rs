//! ATOM against recorded answers of NVIDIA's tools and worked examples.

use lanewise_core::diagnostic::Findings;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::control::{Control, Schedule};
use lanewise_core::isa::sass::operation::{Operation, SPELLINGS, Size, Written};
use lanewise_core::text::{Cursor, lex};
use lanewise_tests::report::Report;
use lanewise_tests::vectors::{self, SassControl, SassSemantics, SassSlot};

fn number(text: &str) -> u64 {
    let digits = text.strip_prefix("0x").unwrap_or_else(|| panic!("{text}"));
    u64::from_str_radix(digits, 16).unwrap()
}

// Control words.

fn schedule(text: &str) -> Option<Schedule> {
    let (mut lexemes, mut out) = (Vec::new(), Findings::new());
    lex(text, &mut lexemes);
    let end = u32::try_from(text.len()).unwrap();
    let mut cursor = Cursor::new(text, &lexemes, end);
    let schedule = Schedule::parse(&mut cursor, &mut out);
    schedule.filter(|_| cursor.at_end() && out.is_empty())
}

fn check_slot(slot: &Schedule, wanted: &SassSlot) -> Result<(), String> {
    let waits: Vec<u8> = (0..6).filter(|b| slot.wait >> b & 1 == 1).collect();
    let same = slot.stall == wanted.stall
        && slot.yields == (wanted.r#yield == 1)
        && slot.write.0 == wanted.wr
        && slot.read.0 == wanted.rd
        && waits == wanted.req
        && slot.reuse == wanted.reuse;
    let mut text = String::new();
    slot.print(&mut text);
    // The file leaves the reuse out of its notation; no ATOM has any.
    let sched = match wanted.reuse {
        0 => wanted.sched.clone(),
        reuse => format!("{}.reuse{reuse}", wanted.sched),
    };
    if !same {
        Err(format!("{slot:?}, not {wanted:?}"))
    } else if text.trim_start() != sched {
        Err(format!("prints `{text}`, not `{sched}`"))
    } else if schedule(&sched) != Some(*slot) {
        Err(format!("`{sched}` is read otherwise"))
    } else {
        Ok(())
    }
}

#[test]
fn control() {
    let mut report = Report::new("sass control");
    for line in vectors::read::<SassControl>("sass/control.jsonl") {
        let word = number(&line.control);
        let mut out = Findings::new();
        let control = Control::decode(&word.to_le_bytes(), &mut out).unwrap();
        assert!(out.is_empty() && line.slots.len() == 3);
        let encoded = u64::from_le_bytes(control.encode());
        let result = (encoded == word).then_some(()).ok_or("encodes otherwise");
        report.count("words", result.map_err(str::to_owned));
        for (i, (slot, wanted)) in control.slots.iter().zip(&line.slots).enumerate() {
            assert_eq!(word >> (21 * i) & 0x1f_ffff, number(&wanted.bits));
            let class = if wanted.reuse == 0 {
                "slots"
            } else {
                "slots with reuse"
            };
            report.count(class, check_slot(slot, wanted));
        }
    }
    report.finish(
        800,
        &[("words", 200), ("slots", 589), ("slots with reuse", 11)],
    );
}

// Arithmetic.

fn size(name: &str) -> Size {
    match SPELLINGS.iter().find(|(s, _)| *s == name).unwrap().1 {
        Written::Size(size) => size,
        Written::U128 => panic!("{name}"),
    }
}

fn check_semantics(line: &SassSemantics) -> Result<(), String> {
    let operation = Operation::named(&line.op).unwrap();
    let size = size(&line.sz);
    assert!(operation.sizes().contains(&size));
    let chip = match line.sz.as_str() {
        ".F16x2.FTZ.RN" => Chip::Sm52,
        _ => Chip::Sm60,
    };
    let (m, rb) = (number(&line.before), number(&line.rb));
    let (a, b) = match &line.rc {
        Some(rc) => (number(rc), rb),
        None => (rb, 0),
    };
    let got = operation.rmw(size, chip).apply(size.width(), m, a, b);
    // Which NaN a double addition gives is not said.
    let nan = size == Size::F64 && line.after == "any NaN";
    if line.rd != line.before {
        Err(format!("{line:?}: the old value is returned"))
    } else if nan && f64::from_bits(got).is_nan() || !nan && got == number(&line.after) {
        Ok(())
    } else {
        Err(format!("{got:#x}: {line:?}"))
    }
}

#[test]
fn semantics() {
    let mut report = Report::new("sass semantics");
    for line in vectors::read::<SassSemantics>("sass/semantics.jsonl") {
        let class = format!("{}{}", line.op, line.sz);
        report.count(&class, check_semantics(&line));
    }
    report.finish(714, &SEMANTICS);
}

const SEMANTICS: [(&str, usize); 30] = [
    ("ADD.F16x2.FTZ.RN", 20),
    ("ADD.F16x2.RN", 60),
    ("ADD.F32.FTZ.RN", 232),
    ("ADD.F64.RN", 40),
    ("ADD.S32", 7),
    ("ADD.U32", 7),
    ("ADD.U64", 7),
    ("AND.U32", 3),
    ("AND.U64", 3),
    ("CAS.U32", 6),
    ("CAS.U64", 4),
    ("DEC.U32", 45),
    ("EXCH.U32", 3),
    ("EXCH.U64", 3),
    ("INC.U32", 45),
    ("MAX.F16x2.RN", 25),
    ("MAX.S32", 20),
    ("MAX.S64", 20),
    ("MAX.U32", 20),
    ("MAX.U64", 20),
    ("MIN.F16x2.RN", 25),
    ("MIN.S32", 20),
    ("MIN.S64", 20),
    ("MIN.U32", 20),
    ("MIN.U64", 20),
    ("OR.U32", 3),
    ("OR.U64", 3),
    ("SAFEADD.U64", 7),
    ("XOR.U32", 3),
    ("XOR.U64", 3),
];

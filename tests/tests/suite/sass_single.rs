//! Single instructions of the SASS opcode table: registers, predicates and the condition
//! code before and after.

use lanewise_core::isa::FaultKind;
use lanewise_core::isa::sass::op::operand::{CONDITION_CODE, LanePredicate, LaneRegister};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_tests::parse::runnable;
use lanewise_tests::vectors;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Single {
    arch: String,
    text: String,
    before: BTreeMap<String, Value>,
    after: BTreeMap<String, Value>,
}

/// The number of a value: `"0x10"` or 1.
fn number(value: &Value) -> u64 {
    match value {
        Value::String(text) => {
            let digits = text.strip_prefix("0x").unwrap_or_else(|| panic!("{text}"));
            u64::from_str_radix(digits, 16).unwrap()
        }
        other => other.as_u64().unwrap_or_else(|| panic!("{other}")),
    }
}

/// The values of the lanes that a line lists; a value that is not a list is that of lane 0.
fn lanes(value: &Value) -> Vec<u64> {
    match value {
        Value::Array(values) => values.iter().map(number).collect(),
        value => vec![number(value)],
    }
}

#[test]
fn single_instructions_compute_as_recorded() {
    let all: Vec<Single> = vectors::read("sass/single.jsonl");
    assert_eq!(all.len(), 585);
    let mut wrong = Vec::new();
    for single in &all {
        let chip = single.arch.replace("sm_", "SM");
        let text = format!(".target sass {chip}\n{}\n", single.text);
        let mut program = runnable(&text);
        assert_eq!(program.instructions.len(), 1, "{text}");
        let [registers, flags] = [SpaceId::registers(0), SpaceId::flags(0)];
        // Lanes without values do not take part.
        let wide = single.before.values().any(Value::is_array);
        let mask = if wide { u32::MAX } else { 1 };
        let start = &mut program.start;
        start.space_mut(flags).unwrap().store(0, 4, mask.into());
        let code = |values: &Value| {
            let bit = |name: &str| values.get(name).map_or(0, number);
            [bit("C") & 1, bit("C") >> 1, bit("Z"), bit("S"), bit("O")]
        };
        for (name, value) in &single.before {
            if name == "lanes" {
                continue;
            }
            if name == "CC" {
                for (address, bit) in CONDITION_CODE.into_iter().zip(code(value)) {
                    start.space_mut(flags).unwrap().store(address, 4, bit);
                }
            } else if let Some(register) = LaneRegister::named(name) {
                for (lane, value) in (0..).zip(lanes(value)) {
                    let address = register.unwrap().address(lane);
                    start.space_mut(registers).unwrap().store(address, 4, value);
                }
            } else {
                let predicate = LanePredicate::named(name).unwrap();
                let lanes = lanes(value).into_iter().enumerate();
                let bits = lanes.fold(0, |bits, (lane, bit)| bits | bit << lane);
                let address = predicate.address().unwrap();
                start.space_mut(flags).unwrap().store(address, 4, bits);
            }
        }
        let result = run(&program);
        if let Some(fault) = &result.fault {
            wrong.push(format!("{}: {}", single.text, fault.message));
            continue;
        }
        for (name, wanted) in &single.after {
            let part = ["C", "Z", "S", "O"].iter().position(|part| part == name);
            let found: Vec<u64> = if let Some(part) = part {
                let bits = CONDITION_CODE.map(|at| result.machine.load(flags, at, 4).unwrap() & 1);
                vec![[bits[0] | bits[1] << 1, bits[2], bits[3], bits[4]][part]]
            } else if let Some(register) = LaneRegister::named(name) {
                let count = u8::try_from(lanes(wanted).len()).unwrap();
                let at = |lane| register.unwrap().address(lane);
                (0..count)
                    .map(|lane| result.machine.load(registers, at(lane), 4).unwrap())
                    .collect()
            } else {
                let address = LanePredicate::named(name).unwrap().address().unwrap();
                let bits = result.machine.load(flags, address, 4).unwrap();
                (0..lanes(wanted).len())
                    .map(|lane| bits >> lane & 1)
                    .collect()
            };
            if found != lanes(wanted) {
                wrong.push(format!(
                    "{} {} {:?}: {name} is {found:x?}, not {wanted}",
                    single.arch, single.text, single.before
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn sums_saturate_with_a_negated_smallest_number() {
    for (text, expected) in [
        ("IADD.SAT R0, R1, -R2", 0x7fff_ffff),
        ("IADD.SAT R0, R2, R2", 0x8000_0000),
        ("IADD.SAT R0, -R1, R2", 0x8000_0000),
        ("IADD R0, R1, -R2", 0x8000_0000_u32),
    ] {
        let start = ".target sass SM50\n.init R1 = splat(0)\n.init R2 = splat(0x80000000)\n";
        let program = runnable(&format!("{start}{text}\n"));
        let machine = run(&program).machine;
        let register = LaneRegister::named("R0").flatten().expect("a register");
        let found = machine.load(SpaceId::registers(0), register.address(0), 4);
        assert_eq!(found, Some(expected.into()), "{text}");
    }
}

/// Value of R0 in lane 0 after lines in which R1 is 0 and R2 0x80000000.
fn result_of(chip: &str, lines: &str) -> Result<u64, FaultKind> {
    let start = format!(
        ".target sass {chip}\n.init R1 = splat(0)\n.init R2 = splat(0x80000000)\n.init R3 = splat(0xbc003c00)\n"
    );
    let result = run(&runnable(&format!("{start}{lines}\n")));
    let register = LaneRegister::named("R0").flatten().expect("a register");
    match result.fault {
        Some(fault) => Err(fault.kind),
        None => Ok(result
            .machine
            .load(SpaceId::registers(0), register.address(0), 4)
            .expect("it is mapped")),
    }
}

#[test]
fn a_saved_condition_code_is_restored() {
    let save = "P2R R4, CC, RZ, 0xf\nIADD RZ.CC, R1, 0x1\n";
    for (set, restore, use_code, expected) in [
        (
            "IADD RZ.CC, R2, R2",
            "R2P CC, R4, 0xf",
            "IADD.X R0, RZ, RZ",
            1,
        ),
        (
            "IADD RZ.CC, R1, R1",
            "R2P CC, R4, 0xf",
            "IADD.X R0, RZ, RZ",
            0,
        ),
        (
            "IADD RZ.CC, R2, R2",
            "R2P CC, R4, 0xb",
            "IADD.X R0, RZ, RZ",
            0,
        ),
        (
            "IADD RZ.CC, R2, R1",
            "R2P CC, R4, 0xf",
            "CSETP.LT.AND P0, PT, CC, PT\nSEL R0, R2, R1, P0",
            0x8000_0000,
        ),
        (
            "IADD RZ.CC, R2, R1",
            "NOP",
            "CSETP.LT.AND P0, PT, CC, PT\nSEL R0, R2, R1, P0",
            0,
        ),
        ("IADD RZ.CC, R2, R2", "MOV R0, R4", "NOP", 0b1101),
    ] {
        let lines = format!("{set}\n{save}{restore}\n{use_code}");
        assert_eq!(result_of("SM50", &lines), Ok(expected), "{lines}");
    }
    // A sum of three numbers may have a carry of 2.
    let lines = format!("MOV32I R5, 0xffffffff\nIADD3 RZ.CC, R5, R5, R5\n{save}");
    assert_eq!(result_of("SM50", &lines), Err(FaultKind::NotModelled));
}

#[test]
fn short_numbers_have_the_sign_of_their_type() {
    for (line, expected) in [
        ("VADD R0, R1, 0xc279, RZ", Ok(0xffff_c279)),
        ("VADD.S32.S16 R0, R1, -0xc279, RZ", Ok(0x3d87)),
        ("VADD.S32.U16 R0, R1, 0xc279, RZ", Ok(0xc279)),
        (
            "VADD.S32.U16 R0, R1, -0xc279, RZ",
            Err(FaultKind::NotModelled),
        ),
        ("VABSDIFF4.U8.S8 R0, R1, -0xa, RZ", Ok(0xa)),
        ("VABSDIFF4.U8.U8 R0, R1, 0xf6, RZ", Ok(0xf6)),
        ("VABSDIFF4 R0, R3, R1, RZ", Ok(0x4400_3c00)),
    ] {
        assert_eq!(result_of("SM50", line), expected, "{line}");
    }
}

#[test]
fn all_lanes_multiply_matrices_together() {
    // Sums of products of ones.
    for (ones, line, sum) in [
        ("0x3c003c00", "HMMA.16816.F32 R4, R4, R8, R12", 0x4180_0000),
        ("0x1010101", "IMMA.8816.S8.S8 R4, R4.ROW, R8.COL, R12", 16),
        ("0x3c003c00", "MOVM.16.MT88 R4, R4", 0x3c00_3c00),
    ] {
        let ones: String = [4, 5, 6, 7, 8, 9]
            .map(|n| format!("MOV R{n}, {ones}\n"))
            .concat();
        let all = format!("{ones}{line}\nMOV R0, R4");
        assert_eq!(result_of("SM80", &all), Ok(sum), "{line}");
        let some = format!("S2R R5, SR_LANEID\nISETP.NE.AND P0, PT, R5, RZ, PT\n@P0 {line}");
        assert_eq!(
            result_of("SM80", &some),
            Err(FaultKind::NotModelled),
            "{line}"
        );
    }
}

#[test]
fn shifted_words_are_clamped_as_exact_numbers() {
    for (line, expected) in [
        ("VSHL.UD.U32.U32.SAT R0, R1, R2, RZ", 0xffff_ffff),
        ("VSHL.U32.U32.SAT R0, R1, R2, RZ", 0x7fff_ffff),
    ] {
        for count in ["0x1f", "0x20"] {
            let lines = format!("MOV R1, 0x80000000\nMOV R2, {count}\n{line}");
            assert_eq!(result_of("SM61", &lines), Ok(expected), "{lines}");
        }
    }
}

#[test]
fn shapes_and_types_that_do_not_exist_are_not_executed() {
    for line in [
        "HMMA.1684.F32 R4, R4, R8, R12",
        "HMMA.1688.F16.TF32 R4, R4, R8, R12",
        "HMMA.16816.F16.BF16 R4, R4, R8, R12",
        "IMMA.8816.S4.S4 R4, R4.ROW, R8.COL, R12",
        "IMMA.16832.S8.S4 R4, R4.ROW, R8.COL, R12",
    ] {
        let found = result_of("SM80", &format!("{line}\nMOV R0, R4"));
        assert_eq!(found, Err(FaultKind::NotModelled), "{line}");
    }
}

/// The rule is that of Mesa's NAK.
#[test]
fn one_predicate_tells_whether_both_halves_compare() {
    for (words, predicate, expected) in [
        ("GT.H_AND.AND", "P0", 0),
        ("GT.H_AND.AND", "P1", 0x8000_0000),
        ("NE.H_AND.AND", "P0", 0x8000_0000),
        ("NE.H_AND.AND", "P1", 0),
        ("GT.AND", "P0", 0x8000_0000),
        ("GT.AND", "P1", 0),
    ] {
        let lines = format!("HSETP2.{words} P0, P1, R3, R1, PT\nSEL R0, R2, R1, {predicate}");
        for chip in ["SM61", "SM80"] {
            assert_eq!(result_of(chip, &lines), Ok(expected), "{lines}");
        }
    }
}

#[test]
fn named_registers_of_another_kind_are_not_executed() {
    for text in [
        "S2R R0, CC",
        "S2R R0, PR",
        "P2R R0, SRZ, RZ, 0xf",
        "R2P B0, R0, 0xf",
        "CSETP.LT.AND P0, PT, PR, PT",
    ] {
        let result = run(&Program::parse(&format!(".target sass SM50\n{text}\n")));
        let kind = result.fault.map(|fault| fault.kind);
        assert_eq!(kind, Some(FaultKind::NotModelled), "{text}");
    }
}

//! Instructions that compute against the vectors of `exec/alu.jsonl`.

use lanewise_core::bits::BitField;
use lanewise_core::isa::visa::alu::{AluOp, Relation};
use lanewise_core::isa::visa::compute::{Computation, ComputeOperands, compute};
use lanewise_core::isa::visa::declarations::{Declarations, Symbol};
use lanewise_core::isa::visa::execution::{
    Combine, ExecSize, Execution, MaskControl, Predicate, PredicateId,
};
use lanewise_core::isa::visa::operand::VisaThread;
use lanewise_core::isa::visa::predefined::CONTROL;
use lanewise_core::isa::visa::raw_operand::VariableId;
use lanewise_core::isa::visa::vector::{
    AddressId, ByteOffset, DirectOperand, ImmediateOperand, IndirectOperand, Modifier, OperandType,
    Region, Stride, VectorOperand,
};
use lanewise_core::machine::{Journal, Machine, SpaceId, flag_address};
use lanewise_core::number::{ElementType, to_f64};
use lanewise_core::program::Program;
use lanewise_tests::judge::{hex, unhex};
use lanewise_tests::report::{self, Report};
use lanewise_tests::vectors::{self, AluCase};
use std::collections::BTreeMap;

/// The parts of an instruction that is written as the vectors write it.
struct Line {
    computation: Computation,
    execution: Execution,
    saturate: bool,
    operands: Vec<VectorOperand>,
}

fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

/// Text before, between and after two marks.
fn between<'t>(text: &'t str, open: char, close: char) -> (&'t str, &'t str, &'t str) {
    let (before, rest) = text.split_once(open).unwrap();
    let (inside, after) = rest.split_once(close).unwrap();
    (before, inside, after)
}

fn region(text: &str) -> Region {
    let stride = |text: &str| match text {
        "" => Stride::NULL,
        _ => Stride::of(number(text)).unwrap(),
    };
    let (vertical, row) = text.split_once(';').unwrap_or(("", text));
    let (width, horizontal) = row.split_once(',').unwrap_or(("", row));
    Region {
        vertical: stride(vertical),
        width: stride(width),
        horizontal: stride(horizontal),
    }
}

fn modified(text: &str) -> (Modifier, &str) {
    let modifiers = [("(-abs)", 3), ("(abs)", 1), ("(-)", 2), ("(~)", 5)];
    for (sign, code) in modifiers {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Modifier::from_bits(code).unwrap(), rest);
        }
    }
    (Modifier::NONE, text)
}

fn operand(text: &str, symbols: &Declarations) -> VectorOperand {
    let (modifier, text) = modified(text);
    if let Some(name) = text.strip_prefix('&') {
        let Some(Symbol::General(id)) = symbols.symbol(name) else {
            panic!("{text}");
        };
        let start = DirectOperand::start_of(VariableId(id), Region::SCALAR);
        return VectorOperand::Direct(start);
    }
    if text.starts_with("r[") {
        let (_, inside, rest) = between(text, '[', ']');
        let (address, offset) = inside.split_once(',').unwrap();
        let (name, element, _) = between(address, '(', ')');
        let (_, strides, ty) = between(rest, '<', '>');
        let Some(Symbol::Address(id)) = symbols.symbol(name) else {
            panic!("{text}");
        };
        return VectorOperand::Indirect(IndirectOperand {
            modifier,
            id: AddressId(id),
            element: element.parse().unwrap(),
            offset: ByteOffset(offset.parse().unwrap()),
            ty: OperandType::named(&ty[1..]).unwrap(),
            region: region(strides),
        });
    }
    if let Some((value, ty)) = text.split_once(':') {
        return VectorOperand::Immediate(ImmediateOperand {
            ty: OperandType::named(ty).unwrap(),
            bits: number(value),
        });
    }
    let name = text.split('(').next().unwrap();
    match symbols.symbol(name).unwrap() {
        Symbol::General(id) => {
            let (_, place, rest) = between(text, '(', ')');
            let (row, column) = place.split_once(',').unwrap();
            let (_, strides, _) = between(rest, '<', '>');
            VectorOperand::Direct(DirectOperand {
                modifier,
                id: VariableId(id),
                row: row.parse().unwrap(),
                column: column.parse().unwrap(),
                region: region(strides),
            })
        }
        Symbol::Predicate(id) => VectorOperand::Predicate(Predicate {
            id: PredicateId(id),
            ..Predicate::NONE
        }),
        Symbol::Address(id) => {
            let (_, element, _) = between(text, '(', ')');
            VectorOperand::Address {
                id: AddressId(id),
                element: element.parse().unwrap(),
                width: ExecSize::ONE,
            }
        }
        symbol => panic!("{symbol:?}"),
    }
}

fn predicate(text: &str, symbols: &Declarations) -> Predicate {
    let (inverse, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (name, combine) = text.split_once('.').unwrap_or((text, ""));
    let Some(Symbol::Predicate(id)) = symbols.symbol(name) else {
        panic!("{text}");
    };
    Predicate {
        id: PredicateId(id),
        combine: match combine {
            "" => Combine::None,
            "any" => Combine::Any,
            "all" => Combine::All,
            _ => panic!("{combine}"),
        },
        inverse,
    }
}

fn line(text: &str, symbols: &Declarations) -> Line {
    let (control, text) = match text.starts_with('(') {
        true => {
            let (_, inside, rest) = between(text, '(', ')');
            (predicate(inside, symbols), rest)
        }
        false => (Predicate::NONE, text),
    };
    let (mnemonic, execution, rest) = between(text, '(', ')');
    let (name, suffix) = mnemonic
        .trim()
        .split_once('.')
        .unwrap_or((mnemonic.trim(), ""));
    let (mask, lanes) = execution.split_once(',').unwrap();
    let mut operands: Vec<VectorOperand> = rest
        .split_whitespace()
        .map(|text| operand(text, symbols))
        .collect();
    let computation = match name {
        "sel" => Computation::Select,
        "cmp" => {
            let relation = Relation::ALL.into_iter().find(|r| r.name() == suffix);
            Computation::Compare(relation.unwrap())
        }
        "setp" => Computation::SetPredicate,
        "addr_add" => Computation::AddAddress,
        _ => Computation::Alu(*AluOp::ALL.iter().find(|op| op.name() == name).unwrap()),
    };
    if name == "bfn" {
        operands.push(VectorOperand::Immediate(ImmediateOperand {
            ty: OperandType::named("ub").unwrap(),
            bits: number(&suffix.replace('x', "0x")),
        }));
    }
    Line {
        computation,
        execution: Execution {
            size: ExecSize::of_lanes(number(lanes.trim())).unwrap(),
            mask: MaskControl::named(mask).unwrap(),
            predicate: control,
        },
        saturate: suffix == "sat",
        operands,
    }
}

/// The variables of `names` after all lines of a case.
fn run(case: &AluCase) -> Result<BTreeMap<String, String>, String> {
    let text = format!(".target visa {}\n{}\n", case.target, case.decls.join("\n"));
    let program = Program::parse(&text);
    if let Some(d) = program
        .diagnostics
        .iter()
        .find(|d| d.rule.code.starts_with('E'))
    {
        return Err(format!("{} {}\n{text}", d.rule.code, d.what));
    }
    let symbols = &program.symbols.visa;
    let mut machine = program.start.clone();
    let (registers, flags) = (SpaceId::registers(0), SpaceId::flags(0));
    let mut put = |space, address: u64, bytes: &[u8]| {
        machine.space_mut(space).unwrap().write(address, bytes);
    };
    put(
        flags,
        0,
        &u32::try_from(number(&case.em)).unwrap().to_le_bytes(),
    );
    // Denormals kept, as the vectors say.
    put(
        registers,
        symbols.general(CONTROL).unwrap().offset.into(),
        &0x4c0_u32.to_le_bytes(),
    );
    for (name, value) in &case.inits {
        match symbols.symbol(name).unwrap() {
            Symbol::General(id) => put(
                registers,
                symbols.general(id).unwrap().offset.into(),
                &unhex(value),
            ),
            Symbol::Predicate(id) => put(
                flags,
                flag_address(id),
                &u32::try_from(number(value)).unwrap().to_le_bytes(),
            ),
            symbol => panic!("{symbol:?}"),
        }
    }
    let thread = VisaThread { symbols, number: 0 };
    for text in case.text.lines() {
        let line = line(text, symbols);
        let two = matches!(
            line.computation,
            Computation::Alu(AluOp::Addc | AluOp::Subb)
        );
        let operands = ComputeOperands {
            execution: line.execution,
            saturate: line.saturate,
            destination: line.operands[0],
            second: two.then(|| line.operands[1]),
            sources: &line.operands[1 + usize::from(two)..],
        };
        let before = machine.clone();
        let mut journal = Journal::new();
        compute(
            line.computation,
            &operands,
            &mut machine,
            thread,
            &mut journal,
        )
        .map_err(|fault| format!("{text}: {fault}"))?;
        undo(&before, &machine, &journal);
    }
    let names = case.after.keys().map(|name| {
        let value = match symbols.symbol(name).unwrap() {
            Symbol::General(id) => {
                let variable = symbols.general(id).unwrap();
                let mut bytes = vec![0; variable.bytes() as usize];
                machine
                    .space(registers)
                    .read(variable.offset.into(), &mut bytes);
                hex(&bytes)
            }
            Symbol::Predicate(id) => {
                format!("{:#x}", machine.load(flags, flag_address(id), 4).unwrap())
            }
            symbol => panic!("{symbol:?}"),
        };
        (name.clone(), value)
    });
    Ok(names.collect())
}

/// Taking the changes back gives the state before.
fn undo(before: &Machine, after: &Machine, journal: &Journal) {
    let mut machine = after.clone();
    for change in journal.changes().iter().rev() {
        machine.undo(change);
    }
    for space in [SpaceId::registers(0), SpaceId::flags(0)] {
        for (start, _) in before.space(space).regions() {
            assert_eq!(
                machine.space(space).region_bytes(start),
                before.space(space).region_bytes(start)
            );
        }
    }
}

/// Whether a value of a variable is as expected, as far as it is defined.
fn agrees(case: &AluCase, name: &str, found: &str, expected: &str) -> bool {
    if expected.starts_with("0x") {
        return number(found) == number(expected);
    }
    let (mut found, mut expected) = (unhex(found), unhex(expected));
    for (offset, ty) in case.nan.get(name).into_iter().flatten() {
        let ty = ElementType::named(ty).unwrap();
        let range = *offset..offset + usize::from(ty.bytes());
        let mut bits = [0; 8];
        bits[..range.len()].copy_from_slice(&found[range.clone()]);
        if !to_f64(u64::from_le_bytes(bits), ty).is_nan() {
            return false;
        }
        found[range.clone()].fill(0);
        expected[range].fill(0);
    }
    if case.tolerance_ulp.is_none() && case.tolerance_abs.is_none() {
        return found == expected;
    }
    let floats = |bytes: &[u8]| {
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect::<Vec<_>>()
    };
    let pairs = floats(&found)
        .into_iter()
        .zip(floats(&expected))
        .collect::<Vec<_>>();
    pairs.into_iter().all(|(a, b)| {
        a.to_bits().abs_diff(b.to_bits()) <= case.tolerance_ulp.unwrap_or(0)
            || (a - b).abs() <= case.tolerance_abs.unwrap_or(0.0)
    })
}

/// Which of the legal readings a result follows.
fn check(case: &AluCase) -> Result<String, String> {
    let found = run(case).map_err(|why| format!("{}: {why}", case.id))?;
    let same = |after: &BTreeMap<String, String>| {
        let mut after = after.iter();
        after.all(|(name, expected)| agrees(case, name, &found[name], expected))
    };
    if same(&case.after) {
        return Ok("main answer".to_owned());
    }
    let alternative = case
        .alts
        .iter()
        .find(|alternative| same(&alternative.after));
    alternative.map(|a| a.rule.join(", ")).ok_or_else(|| {
        format!(
            "{}\n  {}\n  {:?}\n  found    {found:?}\n  expected {:?}",
            case.id, case.text, case.inits, case.after
        )
    })
}

#[test]
fn computations_agree_with_the_recorded_answers() {
    let cases: Vec<AluCase> = vectors::read("exec/alu.jsonl");
    let mut report = Report::new(&report::DOCUMENTS, "instructions that compute");
    for case in &cases {
        match check(case) {
            Ok(reading) => report.agree(&reading),
            Err(what) => report.wrong(what),
        }
    }
    report.finish(3422, &[("main answer", 3422)]);
}

//! Descriptions of instructions match their behavior: updates, operands, pseudo-code,
//! meanings of fields. Programs are generated from all registered instructions.

use lanewise_core::bits::{BitField, FieldDomain};
use lanewise_core::diagnostic::Diagnostics;
use lanewise_core::isa::rmw::{Rmw, Subnormals, Width};
use lanewise_core::isa::sass::schedule::ControlWord;
use lanewise_core::isa::visa::atomic::WidthCode;
use lanewise_core::isa::{Access, Family, Instruction, SPECS, Style, SymbolTable, ThreadSet};
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::low_mask;
use lanewise_core::program::{ElementRange, Program};
use lanewise_core::session::{ScratchExecutor, Session, accesses_of};
use lanewise_tests::generate::{self, Choices, config};
use lanewise_tests::parse::runnable;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Parses a generated program, which must not have errors.
fn program(run: &generate::Run) -> Rc<Program> {
    Rc::new(runnable(&run.text))
}

fn width(bytes: u8) -> Width {
    match bytes {
        2 => Width::W16,
        4 => Width::W32,
        8 => Width::W64,
        _ => panic!("a cell of {bytes} bytes"),
    }
}

/// Change of the cell of an access.
fn cell(access: &Access, changes: &[Change]) -> Option<Change> {
    let own = |c: &&Change| (c.space, c.address) == (access.space, access.address);
    changes.iter().find(own).copied()
}

/// Whether a word occurs in a line.
fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|other| other == word)
}

proptest! {
    #![proptest_config(config(600))]

    /// The update of an instruction matches its accesses.
    #[test]
    fn updates_match_accesses(run in generate::runs(3)) {
        let program = program(&run);
        let symbols = &program.symbols;
        let mut session = Session::new(Rc::clone(&program));
        while session.step() {
            let (Some(index), Some(access)) = (session.last_instruction(), session.last_access())
            else {
                continue;
            };
            let instruction = &program.instructions[index].instruction;
            let changes = session.last_changes();
            let Some(cell) = cell(access, changes) else { continue };
            let Some(update) = instruction.update(symbols) else {
                prop_assert!(instruction.adds(access, symbols).is_none());
                continue;
            };
            let width = width(access.bytes);
            let updated = update.apply(width, cell.old, access);
            prop_assert_eq!(updated.new, cell.new, "{}", run.text);
            let registers = SpaceId::registers(access.unit.thread);
            let dst = access.dst.map(|dst| (registers, u64::from(dst)));
            let returned = changes.iter().find(|c| Some((c.space, c.address)) == dst);
            if let Some(returned) = returned {
                let mask = low_mask(width.bits());
                prop_assert_eq!(returned.new & mask, updated.returned & mask, "{}", run.text);
            }
            // The addend does not depend on the cell.
            let is_sum = matches!(
                update.rmw,
                Rmw::Add | Rmw::Sub | Rmw::Increment | Rmw::Decrement
            );
            let addend = instruction.adds(access, symbols);
            prop_assert_eq!(addend.is_some(), is_sum, "{}", run.text);
            for old in [cell.old, 0, 1, u64::MAX, 0x8000_0000_8000_8000] {
                let old = old & low_mask(width.bits());
                if let Some(addend) = addend {
                    let sum = old.wrapping_add(addend) & low_mask(width.bits());
                    prop_assert_eq!(update.apply(width, old, access).new, sum);
                }
            }
        }
    }

    /// The pseudo-code line of an effect contains its variables, with the values of the
    /// effect.
    #[test]
    fn effects_map_to_pseudo_code_lines(run in generate::runs(3)) {
        let program = program(&run);
        let mut session = Session::new(Rc::clone(&program));
        let (mut steps, mut last) = (0, usize::MAX);
        while session.step() {
            let (Some(state), Some(index)) = (session.pseudocode_state(), session.last_instruction())
            else {
                continue;
            };
            steps = if index == last { steps + 1 } else { 0 };
            last = index;
            let instruction = &program.instructions[index].instruction;
            let code = instruction.spec().pseudo_code;
            let line = code.get(state.line).copied().unwrap_or("").trim();
            prop_assert!(!line.is_empty() && !state.variables.is_empty(), "{state:?}");
            for (name, _) in &state.variables {
                prop_assert!(code.iter().any(|line| has_word(line, name)), "{name} in {code:?}");
            }
            let value = |name: &str| {
                let found = state.variables.iter().find(|(other, _)| *other == name);
                found.map(|(_, value)| value.clone())
            };
            let Some(access) = session.last_access() else {
                // A stage of a matrix: k continues from row to row.
                let matrix = instruction.matrix().and_then(|matrix| matrix.shape());
                let ops = matrix.expect("other instructions make accesses").pair().ops();
                prop_assert_eq!(value("k"), Some((steps * usize::from(ops)).to_string()));
                continue;
            };
            let lane = value("i").or(value("lane"));
            prop_assert_eq!(lane, Some(access.unit.lane.to_string()));
            let cell = cell(access, session.last_changes());
            let hex = |value: u64| Some(format!("{value:#x}"));
            match access.unit.channel {
                Some(channel) => {
                    prop_assert_eq!(value("c"), Some(channel.to_string()));
                    // Enabled channels before this one.
                    let before = instruction.channels() & ((1 << channel) - 1);
                    let position = before.count_ones();
                    prop_assert_eq!(value("ch_pos"), Some(position.to_string()));
                    let stride = u32::from(instruction.lanes()).max(8);
                    let start = value("ch_start").and_then(|start| start.parse::<u32>().ok());
                    prop_assert!(start.is_some_and(|s| s % 8 == 0 && s >= position * stride));
                    prop_assert_eq!(start == Some(0), position == 0);
                }
                None => {
                    prop_assert_eq!(value("address").or(value("offset")), hex(access.address));
                    let old = value("old").or(value("M"));
                    prop_assert!(cell.is_none() || old == hex(cell.unwrap().old), "{state:?}");
                    prop_assert!(value("Rb").is_none_or(|rb| Some(rb) == hex(access.src0)));
                    prop_assert!(value("Rc").is_none_or(|rc| Some(rc) == hex(access.src1)));
                }
            }
            let stores = line.starts_with("memory[") || line.starts_with("surface[");
            if access.writes {
                prop_assert!(stores || cell.is_none(), "{line}");
                // Non-resident cells are not written.
                let is_sass = instruction.spec().family == Family::Sass;
                prop_assert!(!is_sass || cell.is_some() || !stores, "{line}");
            } else {
                prop_assert!(line.contains("= memory["), "{line}");
            }
        }
    }
}

/// Accesses of the first instruction.
fn accesses(program: &Program) -> Vec<Access> {
    let mut accesses = accesses_of(program, program.issue_by_all(0), &program.start);
    accesses.retain(|access| access.fault.is_none() && access.in_bounds);
    accesses
}

/// Observations about the data operands of an operation.
struct Operands {
    /// Declared number of data operands.
    says: u8,
    samples: u32,
    /// Whether src0 and src1 affected the result.
    matters: [bool; 2],
}

/// The result depends on exactly the declared data operands.
#[test]
fn data_operands_affect_the_result() {
    // Keyed by instruction and operation.
    let mut seen: BTreeMap<(&str, Option<u64>), Operands> = BTreeMap::new();
    let mut choices = Choices::new(vec![5]);
    let mut scratch = ScratchExecutor::default();
    for spec in SPECS.iter().filter(|spec| spec.lane_queue) {
        let targets = generate::targets(spec.family);
        for _ in 0..250 {
            let target = choices.pick(&targets);
            let program = program(&generate::program(&[spec], target, &mut choices));
            if program.instructions.is_empty() {
                continue;
            }
            let instruction = program.instructions[0].instruction.clone();
            let key = (spec.name, instruction.operation());
            for access in accesses(&program).into_iter().take(3) {
                let says = instruction.operands();
                let new = Operands {
                    says,
                    samples: 0,
                    matters: [false; 2],
                };
                let known = seen.entry(key).or_insert(new);
                assert_eq!(known.says, says, "{key:?}");
                known.samples += 1;
                let mut perform = |access: Access| {
                    let mut machine = program.start.clone();
                    let symbols = &program.symbols;
                    scratch
                        .perform_accesses(&instruction, &[access], &mut machine, symbols)
                        .to_vec()
                };
                let found = program
                    .start
                    .load(access.space, access.address, access.bytes)
                    .unwrap();
                // A comparison has an effect only if it succeeds.
                let starts = [
                    access,
                    Access {
                        src0: found,
                        ..access
                    },
                    Access {
                        src1: found,
                        ..access
                    },
                ];
                for start in starts {
                    let before = perform(start);
                    for noise in [1, !0, choices.bits()] {
                        let noise = noise & low_mask(u32::from(access.bytes) * 8);
                        let src0 = Access {
                            src0: start.src0 ^ noise,
                            ..start
                        };
                        let src1 = Access {
                            src1: start.src1 ^ noise,
                            ..start
                        };
                        known.matters[0] |= perform(src0) != before;
                        known.matters[1] |= perform(src1) != before;
                    }
                }
            }
        }
    }
    for (key, known) in seen {
        println!("{key:?}: {} of {}", known.says, known.samples);
        for (at, matters) in (0..).zip(known.matters) {
            let has = at < known.says;
            assert!(has || !matters, "operand {at} of {key:?}");
            assert!(
                matters || !has || known.samples < 20,
                "operand {at} of {key:?}"
            );
        }
    }
}

/// The suffixes determine the kind of arithmetic.
#[test]
fn suffixes_determine_the_arithmetic() {
    let mut choices = Choices::new(vec![3]);
    let mut seen: BTreeMap<(bool, &str), u32> = BTreeMap::new();
    for spec in SPECS {
        let targets = generate::targets(spec.family);
        for target in targets.into_iter().cycle().take(400) {
            let mut assembler = generate::assembler(target);
            let symbols = assembler.symbols().clone();
            let form = choices.below(spec.opcodes.len());
            let instruction = generate::filled(spec, form, &symbols, &mut choices);
            let text = instruction.text(&symbols, Style::Document);
            let Some(update) = instruction.update(&symbols) else {
                continue;
            };
            if assembler.assemble(&text).is_err() {
                continue;
            }
            let text = text.to_lowercase();
            let has = |suffixes: &[&str]| suffixes.iter().any(|suffix| text.contains(suffix));
            let pair = has(&[".f16x2"]);
            let float = has(&[".fmin", ".fmax", ".fadd", ".fsub", ".fcmp"]);
            // Bitwise operations ignore the type.
            let bitwise = has(&[".and", ".or", ".xor"]);
            let moves = has(&[".exch", ".cas", ".inc", ".dec", ".safeadd"]);
            // Encodable but undefined: other operations on floats, and the size that means
            // F16x2 on later chips.
            if has(&[".u128"]) || has(&[".f32", ".f64"]) && !has(&[".add"]) {
                continue;
            }
            let sized = has(&[".f32", ".f64"]) || pair;
            let kinds = [
                ("bitwise", update.rmw.is_bitwise(), bitwise),
                ("pair", update.rmw.is_pair(), pair && !bitwise && !moves),
                (
                    "float",
                    update.rmw.is_float(),
                    float || (sized && !bitwise && !moves),
                ),
            ];
            for (kind, is, wanted) in kinds {
                assert_eq!(is, wanted, "{kind}: {text}");
                *seen.entry((spec.family == Family::Sass, kind)).or_default() += u32::from(is);
            }
        }
    }
    for (kind, times) in seen {
        assert!(times > 0 || kind == (false, "pair"), "{kind:?}");
    }
}

/// The NaN of a sum is that of the cell or else that of the operand, made quiet.
#[test]
fn sums_propagate_nan() {
    for (width, one, quiet, signaling, bit) in [
        (Width::W16, 0x3c00, 0xfe01, 0x7c01, 0x0200),
        (
            Width::W32,
            0x3f80_0000,
            0xffc0_0001,
            0x7f80_0001,
            0x0040_0000,
        ),
        (
            Width::W64,
            0x3ff0 << 48,
            0xfff8 << 48 | 1,
            0x7ff0 << 48 | 1,
            1 << 51,
        ),
    ] {
        for rmw in [Rmw::FloatAdd, Rmw::FloatSub] {
            for nan in [quiet, signaling] {
                assert_eq!(rmw.apply(width, one, nan, 0), nan | bit);
                assert_eq!(rmw.apply(width, nan, one, 0), nan | bit);
                assert_eq!(rmw.apply(width, nan, quiet, 0), nan | bit);
            }
        }
    }
    for subnormals in [Subnormals::Kept, Subnormals::Flushed] {
        for [was, a] in [[0x7c01, 0x3c00], [0x3c00, 0xfe01], [0x7c00, 0xfc00]] {
            let sum = Rmw::PairAdd(subnormals).apply(Width::W32, was, a, 0);
            assert_eq!(sum, 0x7fff);
        }
    }
}

/// All values of all fields of instructions.
fn domains() -> Vec<(&'static str, FieldDomain)> {
    let mut all = Vec::new();
    for spec in SPECS {
        for target in generate::targets(spec.family) {
            let symbols: SymbolTable = generate::assembler(target).symbols().clone();
            for opcode in 0..spec.opcodes.len() {
                let fields = Instruction::allowed(spec, opcode, &symbols).into_iter();
                all.extend(fields.map(|field| (spec.name, field)));
            }
        }
    }
    all
}

/// Each value of a field has a distinct meaning, or is a number.
#[test]
fn field_values_have_distinct_meanings() {
    for (spec, field) in domains() {
        let unused = ["reserved", "not ", "undocumented"];
        let is_used = |meaning: &&str| !unused.iter().any(|word| meaning.contains(word));
        let meanings = field.values.iter().map(|(_, meaning)| meaning.as_str());
        let mut meanings: Vec<&str> = meanings.filter(is_used).collect();
        meanings.sort_unstable();
        if meanings.iter().all(|meaning| meaning.is_empty()) {
            continue;
        }
        let all = meanings.len();
        meanings.dedup();
        assert_eq!(
            meanings.len(),
            all,
            "{spec} {}: {:?}",
            field.name,
            field.values
        );
    }
}

/// Values of a cell width beyond three bits do not occur.
#[test]
fn cell_width_field_has_three_bits() {
    let widths = (0..1000).filter(|bits| WidthCode::from_bits(*bits).is_some());
    assert_eq!(widths.collect::<Vec<u64>>(), Vec::from_iter(0..8));
}

/// Values of a field of the instructions whose name starts with a prefix.
fn values(spec: &str, field: &str) -> BTreeMap<u64, String> {
    let all = domains().into_iter();
    let own = all.filter(|(name, of)| name.starts_with(spec) && of.name == field);
    own.flat_map(|(_, of)| of.values).collect()
}

/// "The following table lists all operand precisions", DPAS.md; for tf32 the code of the
/// real tool, which differs.
const PRECISIONS: [(u64, &str, &str, u32); 11] = [
    (0x01, "u1", "unsigned", 1),
    (0x02, "s1", "signed", 1),
    (0x03, "u2", "unsigned", 2),
    (0x04, "s2", "signed", 2),
    (0x05, "u4", "unsigned", 4),
    (0x06, "s4", "signed", 4),
    (0x07, "u8", "unsigned", 8),
    (0x08, "s8", "signed", 8),
    (0x09, "bf", "float", 16),
    (0x0a, "hf", "float", 16),
    (0x0c, "tf32", "float", 19),
];

#[test]
fn precision_codes_match_the_document() {
    for field in ["W", "A"] {
        let values = values("DPAS", field);
        for (code, name, kind, bits) in PRECISIONS {
            let meaning = &values[&code];
            assert!(
                has_word(meaning, name) && has_word(meaning, kind),
                "{meaning}"
            );
            // A tf32 has 19 bits in a 32-bit cell.
            let stored = if name == "tf32" { 32 } else { bits };
            let number = meaning.split(' ').find_map(|word| word.parse::<u32>().ok());
            assert!(number == Some(bits) || number == Some(stored), "{meaning}");
        }
    }
}

/// Bits 51:49 of ATOM; RED has the same sizes.
const SIZES: [(u64, &str); 7] = [
    (0, "U32"),
    (1, "S32"),
    (2, "U64"),
    (3, "F32"),
    (4, "F16x2"),
    (5, "S64"),
    (6, "F64"),
];

#[test]
fn size_and_operation_codes_match_the_text() {
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Sass) {
        let sizes = values(spec.name, "size");
        for (code, name) in SIZES {
            assert!(sizes[&code].starts_with(name), "{code}: {}", sizes[&code]);
        }
    }
    for spec in SPECS.iter().filter(|spec| !(spec.operations)().is_empty()) {
        let fields = ["op", "Op"];
        let values: Vec<_> = fields.iter().map(|name| values(spec.name, name)).collect();
        for row in (spec.operations)() {
            let meanings = values.iter().filter_map(|values| values.get(&row.code));
            let mut meanings = meanings.peekable();
            // SASS CAS has a separate opcode.
            let is_own = meanings.peek().is_none();
            assert!(
                is_own == (row.code >= 16 && spec.family == Family::Sass),
                "{row:?}"
            );
            assert!(
                meanings.all(|meaning| meaning.contains(row.name)),
                "{row:?}"
            );
        }
    }
}

/// The fields of a control word match its notation, such as `&req={0,2} &wr=5`.
#[test]
fn control_word_fields_match_the_notation() {
    let bits = 2 | 5 << 5 | 7 << 8 | 0b101 << 11 | 3 << 17_u64;
    let bytes = u64::to_le_bytes(bits);
    let control = ControlWord::decode(&bytes, &mut Diagnostics::new()).unwrap();
    let target = generate::targets(Family::Sass)[0];
    let symbols = generate::assembler(target).symbols().clone();
    let fields = control.fields(&symbols.visa);
    let meaning = |name: &str| {
        let field = fields.iter().find(|field| field.name == name);
        field.unwrap().meaning.as_str()
    };
    assert_eq!(meaning("yield"), "yield");
    assert_eq!(meaning("wr"), "barrier 5");
    assert_eq!(meaning("rd"), "none");
    assert_eq!(meaning("req"), "barriers 0, 2");
    let idle = ControlWord::decode(&(1_u64 << 4).to_le_bytes(), &mut Diagnostics::new());
    let fields = idle.unwrap().fields(&symbols.visa);
    let of = |name: &str| {
        &fields
            .iter()
            .find(|field| field.name == name)
            .unwrap()
            .meaning
    };
    assert_eq!(
        (of("yield").as_str(), of("req").as_str()),
        ("no hint", "none")
    );
    // All barriers of a slot, and waiting for all of them.
    for barrier in 0..6_u64 {
        let word = (barrier << 5 | barrier << 8 | 1 << barrier << 11).to_le_bytes();
        let control = ControlWord::decode(&word, &mut Diagnostics::new()).unwrap();
        let slot = control.slots[0];
        assert_eq!(
            (slot.write.0, slot.read.0),
            (Some(barrier as u8), Some(barrier as u8))
        );
        assert_eq!(slot.wait, 1 << barrier);
    }
}

proptest! {
    #![proptest_config(config(400))]

    /// Addresses of lanes differ by the same amounts as the elements of their register; an
    /// operand may start within the register.
    #[test]
    fn addresses_follow_their_registers(run in generate::runs(1)) {
        let program = program(&run);
        let Some(placed) = program.instructions.first() else { return Ok(()) };
        let registers = placed.instruction.address_registers(&program.symbols);
        let mut own = None;
        for register in &registers {
            let range = ElementRange::named(&program, &register.place);
            let range = range.filter(|range| range.ty.bytes() == register.bytes);
            prop_assert!(range.is_some(), "{register:?}");
            prop_assert!(own.is_none() || !register.is_per_lane, "{registers:?}");
            own = own.or(range.filter(|_| register.is_per_lane));
        }
        let accesses = accesses(&program);
        let of_eu0: Vec<_> = accesses.iter().filter(|access| access.unit.thread == 0).collect();
        // The remainder of the address is the same for all lanes of a channel.
        let begins_at = |first: u64| {
            let mut rests: BTreeMap<Option<u8>, u64> = BTreeMap::new();
            of_eu0.iter().all(|access| {
                let index = first + u64::from(access.unit.lane);
                let element = own.as_ref().map_or(Some(0), |own| own.load(&program.start, index));
                let rest = element.map(|element| access.address.wrapping_sub(element) & low_mask(32));
                rest.is_some_and(|rest| *rests.entry(access.unit.channel).or_insert(rest) == rest)
            })
        };
        prop_assert!((0..64).any(begins_at), "{registers:?}\n{}", run.text);
    }

    #[test]
    fn product_texts_match_the_values(run in generate::runs(1)) {
        let program = program(&run);
        let matrix = program.instructions.first().and_then(|p| p.instruction.matrix());
        let latched = matrix.and_then(|m| m.latched(ThreadSet::all(program.threads), &program.symbols, &program.start));
        let Some(operands) = latched else { return Ok(()) };
        let is_float = operands.shape.pair().is_float();
        // Texts have the precision of their type: half an ulp of a bf16, and of the smallest
        // half.
        let is_near = |text: &str, value: f32| {
            let read: f32 = text.parse().unwrap();
            let is_close = (read - value).abs() <= (value.abs() * 0.005).max(3e-8);
            is_close || read == value || (read.is_nan() && value.is_nan())
        };
        for channel in 0..operands.shape.channels() {
            let trace = operands.trace(0, 0, channel);
            for product in &trace.products {
                let (a, b) = (product.src1, product.src2);
                let text = product.text();
                for element in [a, b] {
                    prop_assert!(is_near(&element.text(), element.value()), "{element:?}");
                }
                if is_float {
                    prop_assert!(is_near(&text, a.value() * b.value()), "{product:?}: {text}");
                } else {
                    let number = |text: String| text.parse::<i64>().unwrap();
                    prop_assert_eq!(number(text), number(a.text()) * number(b.text()));
                }
            }
            let last = trace.sums.last().copied().unwrap();
            for sum in [trace.src0, last] {
                let text = trace.text(sum);
                if is_float {
                    prop_assert!(is_near(&text, f32::from_bits(sum)), "{sum:#x}: {text}");
                } else {
                    prop_assert_eq!(text.parse::<i64>().unwrap() as u32, sum);
                }
            }
            if !is_float {
                prop_assert_eq!(trace.dst_text(trace.dst), trace.text(last));
                // The order of integer sums does not matter.
                prop_assert!(!trace.order_matters());
            }
            prop_assert_eq!(trace.order_matters(), trace.dst != trace.backwards);
        }
    }
}

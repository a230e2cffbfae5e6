//! Compares lists in the documents with those of the instructions: types and sizes of
//! operations, declarations written by fixes, sentences of steps. Programs are
//! generated from all registered instructions.

use lanewise_core::bits::BitField;
use lanewise_core::contradictions::id;
use lanewise_core::diagnostic::{Diagnostic, Diagnostics, Severity};
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::{Barrier, ControlWord};
use lanewise_core::isa::schema::{Elements, Form, Null};
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Family, SPECS, Spec, Style, Target};
use lanewise_core::machine::StepGranularity;
use lanewise_core::number::low_mask;
use lanewise_core::program::{ElementRange, Program};
use lanewise_core::rules;
use lanewise_core::session::Session;
use lanewise_core::text::SyntaxPart;
use lanewise_tests::generate::{self, Choices, config};
use lanewise_tests::parse::runnable;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;
use std::rc::Rc;

// Sizes of SASS.

/// Sizes by operation, from the document of ATOM.
const DOCUMENTED: [(&[&str], &[&str]); 4] = [
    (&["ADD"], &["U32", "S32", "U64", "F32", "F16x2", "F64"]),
    (&["MIN", "MAX"], &["U32", "S32", "U64", "S64", "F16x2"]),
    (&["INC", "DEC"], &["U32"]),
    (&["AND", "OR", "XOR", "EXCH", "CAS"], &["U32", "S32", "U64"]),
];

fn documented(operation: &str) -> Option<&'static [&'static str]> {
    let mut rows = DOCUMENTED.iter();
    let row = rows.find(|(operations, _)| operations.contains(&operation))?;
    Some(row.1)
}

/// First chip with a size, from "F16x2 needs SM52+, F64 needs SM60+".
fn first_chip(size: &str) -> Chip {
    let name = match size {
        "F16x2" => "SM52",
        "F64" => "SM60",
        _ => "SM50",
    };
    Chip::named(name).expect("the name of a chip")
}

#[test]
fn operations_have_the_documented_sizes() {
    let specs = SPECS.iter().filter(|spec| spec.family == Family::Sass);
    let mut seen = 0;
    for row in specs.flat_map(|spec| (spec.operations)()) {
        let Some(sizes) = documented(row.name) else {
            // Not in the document; the pseudo-code has one size.
            assert_eq!((row.name, row.types), ("SAFEADD", "U64"));
            continue;
        };
        let names = row.types.split(' ').filter(|word| !word.starts_with('('));
        let names: Vec<&str> = names.map(|word| word.split('.').next().unwrap()).collect();
        assert_eq!(names, sizes, "{}", row.name);
        seen += 1;
    }
    assert!(seen > 0);
}

/// RED operations run with the sizes in the document of ATOM, and with S64 if the sign
/// does not matter.
#[test]
fn red_runs_with_known_sizes() {
    let is_reduction = |spec: &&&Spec| {
        let operands = spec.syntax.operands.iter();
        spec.family == Family::Sass && !operands.clone().any(|o| o.part == SyntaxPart::Dst)
    };
    let reductions: Vec<_> = SPECS.iter().filter(is_reduction).collect();
    assert!(!reductions.is_empty());
    let mut run = [0; 2];
    for spec in reductions {
        for row in (spec.operations)() {
            for size in ["U32", "S32", "U64", "F32", "F16x2", "S64", "F64"] {
                for chip in Chip::ALL {
                    let suffix = match size {
                        "F32" => "F32.FTZ.RN",
                        "F64" => "F64.RN",
                        "F16x2" if chip < Chip::named("SM60").unwrap() => "F16x2.FTZ.RN",
                        "F16x2" => "F16x2.RN",
                        size => size,
                    };
                    let target = Target::Sass(chip).name();
                    let name = spec.mnemonic(Style::Document);
                    let text = format!(
                        ".target {target}\n.region global 0x1000 64\n{name}.{}.{suffix} [0x1000], R4;\n",
                        row.name
                    );
                    let program = Program::parse(&text);
                    let errors = program.diagnostics.iter();
                    let errors = errors.filter(|d| d.severity() == Severity::Error);
                    let codes: Vec<&str> = errors.map(|d| d.rule.code).collect();
                    let is_unknown = codes.contains(&rules::RUN_TYPE.code);
                    // Skip text that cannot be parsed.
                    if codes.iter().any(|code| *code != rules::RUN_TYPE.code) && !is_unknown {
                        continue;
                    }
                    let is_signless = ["ADD", "AND", "OR", "XOR"].contains(&row.name);
                    let is_listed = documented(row.name).is_none_or(|sizes| sizes.contains(&size));
                    let is_known =
                        (is_listed || is_signless && size == "S64") && chip >= first_chip(size);
                    assert_eq!(is_unknown, !is_known, "{text}{codes:?}");
                    run[usize::from(is_known)] += 1;
                }
            }
        }
    }
    assert!(run.iter().all(|runs| *runs > 5), "{run:?}");
}

/// The state shows the registers that a line uses.
#[test]
fn registers_of_a_line_are_known() {
    let mut choices = Choices::new(vec![11]);
    let mut seen = 0;
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Sass) {
        for target in generate::targets(spec.family).into_iter().cycle().take(60) {
            let line = generate::line(spec, Style::Assembler, &mut choices);
            let program = Program::parse(&format!(".target {}\n{line};\n", target.name()));
            if program.instructions.is_empty() {
                continue;
            }
            let known: Vec<u8> = program.symbols.sass.registers().collect();
            let numbers = |text: &str| -> Vec<u8> {
                let words = text.split(|c: char| !c.is_ascii_alphanumeric());
                let numbers = words.filter_map(|word| word.strip_prefix('R')?.parse().ok());
                numbers.collect()
            };
            let wide = [".64", ".U64", ".S64", ".F64"];
            let is_wide = wide.iter().any(|size| line.contains(size));
            let (before, rest) = line.split_once('[').expect("an address");
            let (address, after) = rest.split_once(']').expect("an address");
            for number in [before, address, after].map(numbers).concat() {
                assert!(known.contains(&number), "{line}: {known:?}");
                seen += 1;
            }
            for number in [before, after].map(numbers).concat() {
                assert!(
                    !is_wide || known.contains(&(number + 1)),
                    "{line}: {known:?}"
                );
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

// Scheduling.

/// A slot of a control word has barriers 0 to 5, and 7 for none.
#[test]
fn barrier_6_is_rejected() {
    for place in [5, 8] {
        for barrier in 0..8_u64 {
            let word = (barrier << place) | 7 << (13 - place);
            let mut out = Diagnostics::new();
            let control = ControlWord::decode(&word.to_le_bytes(), &mut out).expect("other slots");
            let slot = control.slots[0];
            let read = if place == 5 { slot.write } else { slot.read };
            let wanted = u8::try_from(barrier).ok().filter(|barrier| *barrier < 6);
            assert_eq!(read.0, wanted, "{barrier}");
            assert_eq!(
                out.all().iter().count(),
                usize::from(barrier == 6),
                "{barrier}"
            );
        }
    }
    let bits = (0..8).filter(|bits| Barrier::from_bits(*bits).is_some());
    assert_eq!(bits.collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 7]);
    for length in 0..8 {
        let mut out = Diagnostics::new();
        assert!(ControlWord::decode(&[0; 8][..length], &mut out).is_none());
        let spans: Vec<_> = out
            .all()
            .iter()
            .map(|d| (d.span.start, d.span.end))
            .collect();
        let end = length as u32;
        assert_eq!(spans, [(end, end + 1)]);
    }
}

#[test]
fn duplicate_barriers_are_rejected() {
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Sass) {
        let target = generate::targets(spec.family)[0];
        let mut choices = Choices::new(vec![2]);
        let mut assembler = generate::assembler(target);
        let line = generate::running_line(
            spec,
            &mut assembler,
            &format!(".target {}\n.region global 0x1000 64\n", target.name()),
            &mut choices,
        );
        let line = line.expect("a line that runs");
        for first in 0..6 {
            for second in 0..6 {
                let text = format!("{line} &req={{{first},{second}}}");
                let read = assembler.assemble(&text);
                assert_eq!(read.is_err(), first == second, "{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn scheduling_round_trips(schedule in generate::schedules(), spec in select(SPECS.to_vec())) {
        let mut instruction = generate::plain(spec, 0);
        instruction.set_schedule(Some(schedule));
        let kept = instruction.schedule();
        prop_assert_eq!(kept, (spec.family == Family::Sass).then_some(schedule));
    }
}

// Declarations.

/// Candidate types for declarations.
const TYPES: [&str; 5] = ["ud", "d", "f", "uq", "q"];

/// Declares variables of each type, `ud_1` and so on.
fn declarations() -> String {
    let declaration = |ty| format!(".decl {ty}_1 v_type=G type={ty} num_elts=512 align=GRF\n");
    TYPES.map(declaration).concat()
}

/// Generates a line with variables named by `name`; the operands in `nulls` are the null
/// variable. Returns `None` if the schema does not allow it.
fn line_of(
    spec: &Spec,
    suffixes: &str,
    lanes: &str,
    nulls: usize,
    name: impl Fn(usize) -> String,
) -> Option<String> {
    let mut line = format!(
        "{}{suffixes} (M1, {lanes})",
        spec.mnemonic(Style::Assembler)
    );
    let mut nullable = 0;
    for (at, operand) in spec.syntax.operands.iter().enumerate() {
        let mut is_null = false;
        if operand.form == Form::Raw && operand.null != Null::Never {
            is_null = nulls >> nullable & 1 == 1;
            nullable += 1;
        }
        let text = match operand.form {
            Form::Surface => String::from("T0"),
            Form::Raw if is_null => String::from("V0"),
            Form::Raw => format!("{}.0", name(at)),
            Form::Scalar => format!("{}(0,0)<0;1,0>", name(at)),
            Form::Rows => format!("{}(0,0)", name(at)),
            _ => return None,
        };
        line = format!("{line} {text}");
    }
    (nulls >> nullable == 0).then_some(line)
}

/// Diagnostics of a text, by code.
fn found(text: &str) -> Vec<&'static str> {
    let program = Program::parse(text);
    let all = program.diagnostics.iter();
    let all = all.filter(|d| d.severity() != Severity::Note);
    all.map(|d| d.rule.code).collect()
}

/// Applies the edits that declare undeclared names.
fn declared(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..8 {
        let all = Program::parse(&text).diagnostics;
        let mut undeclared = all.iter().filter(|d| d.rule.code == "E0305");
        let Some(edit) = undeclared.find_map(|d| d.edit.clone()) else {
            break;
        };
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        text.replace_range(start..end, &edit.replacement);
    }
    text
}

/// If some declarations make a line valid, those written by fixes do.
#[test]
fn declarations_written_by_fixes_are_valid() {
    let mut choices = Choices::new(vec![21]);
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Visa) {
        let targets = generate::targets(spec.family);
        let (mut right, mut made) = (0, 0);
        let words_of = |part| {
            let mut suffixes = spec.syntax.suffixes.iter();
            let suffix = suffixes.find(|suffix| suffix.part == part);
            suffix.map_or_else(Vec::new, |suffix| suffix.words(spec, Style::Assembler))
        };
        let operations = words_of(SyntaxPart::Operation).len().max(1);
        let widths = words_of(SyntaxPart::Width).len() + 1;
        for round in 0..(operations * widths).max(36) {
            let target = choices.pick(&targets).name();
            let mut suffixes = String::new();
            let mut precision = None;
            for suffix in spec.syntax.suffixes {
                let words = suffix.words(spec, Style::Assembler);
                let (word, _) = choices.pick(&words);
                let word = match suffix.part {
                    // Each operation with each width and without; products with one precision and
                    // the supported depth.
                    SyntaxPart::Operation => words[round % words.len()].0,
                    SyntaxPart::Width => match words.get(round / operations % widths) {
                        Some((word, _)) => word,
                        None => continue,
                    },
                    SyntaxPart::Depth => "8",
                    SyntaxPart::Precision => *precision.get_or_insert(word),
                    _ if suffix.optional && choices.one_in(3) => continue,
                    _ => word,
                };
                suffixes = format!("{suffixes}.{word}");
            }
            let lanes: &[&str] = match spec.syntax.lanes {
                "n" => &["8", "16", "32"],
                lanes => &[lanes],
            };
            let forms = lanes
                .iter()
                .flat_map(|lanes| (0..8).map(move |nulls| (*lanes, nulls)));
            for (lanes, nulls) in forms {
                let undeclared = |at| format!("operand_{at}");
                let Some(line) = line_of(spec, &suffixes, lanes, nulls, undeclared) else {
                    continue;
                };
                let text = declared(&format!(".target {target}\n{line}\n"));
                let written = found(&text);
                if written.is_empty() {
                    let all = Program::parse(&text).diagnostics;
                    let is_of_type = |d: &Diagnostic| d.rule.code == rules::SIGNED_PREDEC.code;
                    assert!(!all.iter().any(is_of_type), "{text}{all:?}");
                    right += 1;
                    continue;
                }
                // Check whether any declaration makes the line valid.
                made += 1;
                let head = format!(".target {target}\n{}", declarations());
                let pairs = TYPES.into_iter().flat_map(|a| TYPES.map(|b| (a, b)));
                for (data, other) in pairs {
                    let name = |at: usize| {
                        let operand = &spec.syntax.operands[at];
                        let ty = match (operand.elements, operand.form, operand.part) {
                            (Elements::PerLane(ty, _), ..) => ty.name(),
                            (_, Form::Scalar, _) => "uq",
                            (_, _, SyntaxPart::Src1 | SyntaxPart::Src2) => other,
                            _ => data,
                        };
                        format!("{ty}_1")
                    };
                    let line = line_of(spec, &suffixes, lanes, nulls, name).unwrap();
                    assert!(
                        !found(&format!("{head}{line}\n")).is_empty(),
                        "{text}\n{written:?}"
                    );
                }
            }
        }
        println!("{}: {right} of {made}", spec.name);
        assert!(right > 10, "{}: {right} of {made}", spec.name);
    }
}

// Sentences.

/// Parses an integer of any width.
fn integer(word: &str, bits: u32) -> Option<u64> {
    let number = match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => word.parse::<i128>().ok()? as u64,
    };
    Some(number & low_mask(bits))
}

proptest! {
    #![proptest_config(config(500))]

    /// Sentences match the effects of steps: the arithmetic is correct, bits are shown as
    /// bits, and failed comparisons found a different value.
    #[test]
    fn step_sentences_match_the_effects(run in generate::runs(2)) {
        let program = Rc::new(Program::parse(&run.text));
        let mut session = Session::new(Rc::clone(&program));
        while session.step() {
            let sentence = session.summary();
            let Some(index) = session.last_instruction() else { continue };
            let instruction = &program.instructions[index].instruction;
            let words: Vec<&str> = sentence.split([' ', ',', ':']).filter(|w| !w.is_empty()).collect();
            let access = session.last_access();
            let bits = access.map_or(32, |access| u32::from(access.bytes) * 8);
            let is_float = instruction.update(&program.symbols).is_some_and(|u| u.rmw.is_float())
                || instruction.matrix().and_then(|m| m.shape()).is_some_and(|s| s.pair().is_float());
            for window in words.windows(5) {
                let [a, sign, b, "→", c] = *window else { continue };
                let bitwise = ["&", "|", "^"].contains(&sign);
                prop_assert!(!bitwise || [a, b, c].iter().all(|w| w.starts_with("0x")), "{sentence}");
                let numbers = (integer(a, bits), integer(b, bits), integer(c, bits));
                let (Some(a), Some(b), Some(c)) = numbers else { continue };
                let result = match sign {
                    "+" if !is_float => a.wrapping_add(b),
                    "−" if !is_float => a.wrapping_sub(b),
                    "&" => a & b,
                    "|" => a | b,
                    "^" => a ^ b,
                    _ => continue,
                };
                prop_assert_eq!(result & low_mask(bits), c, "{}", sentence);
            }
            let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
            if let (Some(found), Some(expected)) = (after("found"), after("expected")) {
                let is_same = integer(found, bits) == integer(expected, bits);
                prop_assert!(is_float || is_same != words.contains(&"swapped"), "{sentence}");
            }
        }
    }

    /// A read by channels names the element that it writes.
    #[test]
    fn read_sentences_name_the_destination_element(run in generate::runs(2)) {
        let program = Rc::new(Program::parse(&run.text));
        let mut session = Session::new(Rc::clone(&program));
        // Start of Dst, by instruction and EU.
        let mut start = None;
        while session.step() {
            let sentence = session.summary();
            let element = sentence.split_once("→ dst[").and_then(|(_, rest)| rest.split(']').next());
            let Some(element) = element else { continue };
            let ([change, ..], Some(access)) = (session.last_changes(), session.last_access()) else {
                panic!("{sentence}");
            };
            let own = (session.last_instruction(), access.unit.thread);
            let byte = change.address - 4 * element.parse::<u64>().unwrap();
            match start {
                Some((of, known)) if of == own => prop_assert_eq!(known, byte, "{}", sentence),
                _ => start = Some((own, byte)),
            }
        }
    }

    /// The sentence of a stage names the EUs, the products and their source.
    #[test]
    fn stage_sentences_name_the_eus_and_sources(
        spec in select(SPECS.iter().copied().filter(|spec| !spec.lane_queue).collect::<Vec<_>>()),
        mut choices in generate::choices(30),
        granularity in select(vec![StepGranularity::Unit, StepGranularity::Fine]),
    ) {
        let target = choices.pick(&generate::targets(spec.family));
        let run = generate::program(&[spec], target, &mut choices);
        let program = Rc::new(Program::parse(&run.text));
        let mut session = Session::with_granularity(Rc::clone(&program), granularity);
        while session.step() {
            let Some(index) = session.last_instruction() else { continue };
            let matrix = program.instructions[index].instruction.matrix();
            let shape = matrix.and_then(|matrix| matrix.shape());
            let Some(shape) = shape else { continue };
            let sentence = session.summary();
            let ops = u64::from(shape.pair().ops());
            let is_fine = granularity == StepGranularity::Fine;
            let is_shared = spec.fused;
            let who = match (is_fine, program.threads, is_shared) {
                (true, ..) => "channel",
                (_, 1, _) => "EU0 adds",
                (.., true) => "both EUs add",
                _ => "each EU adds",
            };
            prop_assert!(sentence.contains(who), "{who}: {sentence}");
            let its_own = !is_fine && program.threads > 1 && !is_shared;
            prop_assert_eq!(sentence.contains("its own r"), its_own, "{}", sentence);
            let (_, rest) = sentence.split_once(" k ").expect("which products");
            let range = rest.split(' ').next().unwrap();
            let (first, last) = range.split_once('–').unwrap_or((range, range));
            let [first, last] = [first, last].map(|k| k.parse::<u64>().unwrap());
            prop_assert_eq!(last + 1 - first, ops, "{}", sentence);
            prop_assert_eq!(range.contains('–'), ops > 1, "{}", sentence);
        }
    }
}

/// An unaligned Src2 is read at its position, which the sentence names.
#[test]
fn stage_sentences_name_registers_of_unaligned_src2() {
    let text = |column: u32| {
        format!(
            ".target visa XEHP\n.decl D v_type=G type=d num_elts=8 align=GRF\n\
             .decl B v_type=G type=ud num_elts=64 align=GRF\n\
             .decl A v_type=G type=ud num_elts=24 align=GRF\n\
             dpas.s8.s8.8.1 (M1, 8) D.0 D.0 B.0 A(0,{column})\n"
        )
    };
    // D is r0, B is r1 to r8, A starts at r9: eight stages read one dword each.
    for (column, registers) in [(0, [9; 8]), (4, [9, 9, 9, 9, 10, 10, 10, 10])] {
        let program = runnable(&text(column));
        let mut session = Session::new(Rc::new(program));
        for register in registers {
            assert!(session.step());
            let sentence = session.summary();
            let place = format!("from EU0.r{register};");
            assert!(sentence.contains(&place), "{place} {sentence}");
        }
    }
    // If Src2 starts at an odd byte (possible only with an alias), a stage may read two
    // registers, with one or three bytes in the second.
    for start in [13, 14, 15] {
        let text = text(0).replace(
            ".decl A v_type=G type=ud num_elts=24 align=GRF",
            &format!(
                ".decl Bytes v_type=G type=ub num_elts=96 align=GRF\n\
                 .decl A v_type=G type=ud num_elts=16 alias=<Bytes, {start}>"
            ),
        );
        let mut session = Session::new(Rc::new(Program::parse(&text)));
        for registers in ["r9", "r9", "r9", "r9", "r9 and r10", "r10", "r10", "r10"] {
            assert!(session.step());
            let sentence = session.summary();
            let place = format!("from EU0.{registers};");
            assert!(sentence.contains(&place), "{start}: {place} {sentence}");
        }
    }
}

// Products.

/// Runnable line of a matrix instruction, with the types of Dst and Src0.
fn product(target: &str, line: &str, [dst, src0]: [&str; 2], values: &str) -> Program {
    let decl = |name: &str, ty| format!(".decl {name} v_type=G type={ty} num_elts=128 align=GRF\n");
    let declared = [("D", dst), ("C", src0), ("B", "ud"), ("A", "ud")].map(|(n, ty)| decl(n, ty));
    let declared = declared.concat();
    Program::parse(&format!(
        ".target visa {target}\n{declared}{values}{line} D.0 C.0 B.0 A(0,0)\n"
    ))
}

#[test]
fn contradictions_depend_on_depth_and_types() {
    let mut seen = [0; 3];
    for (target, lanes) in [("XEHP", 8), ("PVC", 16)] {
        for depth in [1, 2, 4, 8] {
            for types in ["f", "bf"]
                .iter()
                .flat_map(|a| ["f", "bf"].map(|b| [*a, b]))
            {
                for name in ["dpas", "dpasw"] {
                    let line = format!("{name}.bf.bf.{depth}.4 (M1, {lanes})");
                    let program = product(target, &line, types, "");
                    let Some(placed) = program.instructions.first() else {
                        continue;
                    };
                    let ids = placed.instruction.contradiction_ids(&program.symbols);
                    let has = |id: &str| ids.contains(&id);
                    assert_eq!(has(id::SRC2_STRIDE), depth < 8, "{line} {ids:?}");
                    // Only DPAS has "Dst and Src0 of bf".
                    let is_narrow = name == "dpas" && types.contains(&"bf");
                    assert_eq!(has(id::NARROW_ROWS), is_narrow, "{line} {types:?} {ids:?}");
                    let is_first = is_narrow && lanes == 8;
                    assert_eq!(
                        has(id::NARROW_SUMS),
                        is_first,
                        "{target} {line} {types:?} {ids:?}"
                    );
                    seen = [depth < 8, is_narrow, is_first]
                        .iter()
                        .zip(seen)
                        .map(|(is, seen)| seen + u32::from(*is))
                        .collect::<Vec<_>>()
                        .try_into()
                        .unwrap();
                }
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
}

/// 32-bit elements have one product per stage: "k 3", not a range.
#[test]
fn single_product_stages_name_one_k() {
    let program = product("PVC", "dpas.tf32.tf32.8.1 (M1, 16)", ["f", "f"], "");
    let mut session = Session::new(Rc::new(program));
    for k in 0..8 {
        assert!(session.step());
        let sentence = session.summary();
        assert!(sentence.contains(&format!(" k {k} from")), "{sentence}");
    }
}

/// Dst must not overlap a source that is read after a row is written.
#[test]
fn overlapping_dst_is_noted() {
    let overlaps = |program: &Program| {
        let mut all = program.diagnostics.iter();
        all.any(|d| d.rule.code == "N0520")
    };
    // Src1 has eight 32-byte registers, Dst one.
    for register in 0..32 {
        let text = format!(
            ".target visa XEHP\n.decl R v_type=G type=d num_elts=512 align=GRF\n\
             .decl B v_type=G type=ud num_elts=512 alias=<R, 0>\n\
             .decl A v_type=G type=ud num_elts=64 align=GRF\n\
             dpas.s8.s8.8.1 (M1, 8) R.{} V0 B.256 A(0,0)\n",
            register * 32
        );
        let program = Program::parse(&text);
        let overlapping = (8..16).contains(&register);
        assert_eq!(
            overlaps(&program),
            overlapping,
            "{text}{:?}",
            program.diagnostics
        );
    }
    for (src0, overlapping) in [("f", false), ("bf", true)] {
        let text = format!(
            ".target visa PVC\n.decl D v_type=G type=f num_elts=512 align=GRF\n\
             .decl C v_type=G type={src0} num_elts=512 alias=<D, 0>\n\
             .decl B v_type=G type=ud num_elts=512 align=GRF\n\
             .decl A v_type=G type=ud num_elts=64 align=GRF\n\
             dpas.bf.bf.8.4 (M1, 16) D.0 C.0 B.0 A(0,0)\n"
        );
        let program = Program::parse(&text);
        assert_eq!(
            overlaps(&program),
            overlapping,
            "{text}{:?}",
            program.diagnostics
        );
    }
}

/// Sums are signed unless Dst is declared unsigned.
#[test]
fn sums_use_the_type_of_dst() {
    for ty in ["d", "ud"] {
        let line = "dpas.s8.s8.8.1 (M1, 8)";
        let program = product("XEHP", line, [ty, ty], ".init C = 0x80000000\n");
        let mut session = Session::new(Rc::new(program));
        assert!(session.step());
        let sentence = session.summary();
        let (signed, unsigned) = (" -2147483648 + 0", " 2147483648 + 0");
        assert_eq!(sentence.contains(signed), ty == "d", "{sentence}");
        assert_eq!(sentence.contains(unsigned), ty == "ud", "{sentence}");
    }
}

/// NaN results of narrow types have the same bits (assumed).
#[test]
fn narrow_nan_results_are_canonical() {
    for (ty, wanted, values) in [
        ("bf", 0x7fc0, "0x7f81, 0xff81, 0x7fc0, 0xffff"),
        ("hf", 0x7e00, "0x7c01, 0xfc01, 0x7e00, 0xffff"),
    ] {
        let line = format!("dpas.{ty}.{ty}.8.1 (M1, 16)");
        let bits = ".decl BITS v_type=G type=uw num_elts=128 alias=<C, 0>";
        let values = format!("{bits}\n.init BITS = {values}\n");
        let program = product("PVC", &line, [ty, ty], &values);
        assert!(program.can_run(), "{:#?}", program.diagnostics);
        let dst = ElementRange::named(&program, "D").expect("the variable D");
        let machine = lanewise_core::session::run(&program).machine;
        let found: Vec<_> = (0..4).map(|at| dst.load(&machine, at)).collect();
        assert_eq!(found, [Some(wanted); 4], "{ty}");
    }
}

/// The help for an invalid suffix lists the valid ones; for a missing suffix it gives a
/// valid example.
#[test]
fn help_of_matrix_suffixes_lists_valid_words() {
    for spec in SPECS.iter().filter(|spec| !spec.lane_queue) {
        let suffixes = spec.syntax.suffixes.iter();
        let mut precisions = suffixes.filter(|suffix| suffix.part == SyntaxPart::Precision);
        let words = precisions
            .next()
            .expect("two precisions")
            .words(spec, Style::Assembler);
        let words: Vec<&str> = words.into_iter().map(|(word, _)| word).collect();
        let (last, before) = words.split_last().expect("precisions");
        let listed = format!("write {} or {last}", before.join(", "));
        let name = spec.mnemonic(Style::Assembler);
        let help = |line: &str| {
            let program = Program::parse(&format!(
                ".target visa XEHP\n{line} (M1, 8) V1.0 V1.0 V1.0 V1(0,0)\n"
            ));
            let helps = program.diagnostics.iter().map(|d| d.help.clone());
            helps.collect::<Vec<_>>()
        };
        let helps = help(&format!("{name}.qqqqqqqq.s8.8.8"));
        assert!(helps.contains(&listed), "{listed}: {helps:?}");
        let helps = help(name);
        let examples = helps.iter().filter_map(|help| help.split_once("such as "));
        let examples: Vec<&str> = examples.map(|(_, example)| example).collect();
        let is_right = |example: &&&str| {
            let program = product("XEHP", &format!("{example} (M1, 8)"), ["d", "d"], "");
            program.instructions.len() == 1 && program.can_run()
        };
        assert!(
            examples.iter().any(|example| is_right(&example)),
            "{helps:?}"
        );
    }
}

proptest! {
    #![proptest_config(config(256))]

    /// The instruction has the number of lanes in `(M1, n)`.
    #[test]
    fn lane_count_matches_the_text(filled in generate::instructions()) {
        let assembler = generate::assembler(filled.target);
        let text = filled.instruction.text(assembler.symbols(), Style::Assembler);
        if filled.target.family() == Family::Visa {
            let (_, rest) = text.split_once('(').expect("the execution size");
            let rest = if text.starts_with('(') { rest.split_once('(').unwrap().1 } else { rest };
            let (lanes, _) = rest.split_once(')').expect("the execution size");
            let lanes = lanes.rsplit(' ').next().unwrap();
            prop_assert_eq!(lanes, filled.instruction.lanes().to_string(), "{}", text);
        }
    }
}

/// Operands with a fixed region encode it; other regions are reported.
#[test]
fn regions_of_matrices_and_planes_are_contiguous() {
    let mut choices = Choices::new(vec![8]);
    for spec in SPECS.iter().filter(|spec| !spec.lane_queue) {
        let target = Target::Visa(Platform::Xehp);
        let mut assembler = generate::assembler(target);
        let instruction = generate::filled(spec, 0, &assembler.symbols().clone(), &mut choices);
        let mut plain = instruction.encode().bytes().to_vec();
        // The two bytes of "Src2: 0x0122".
        plain[27..29].copy_from_slice(&[0x22, 0x01]);
        let reserved = |d: &Diagnostic| d.what.contains("is not 0x0122");
        let mut is_reported = |bytes: &[u8]| match assembler.disassemble(bytes, Style::Assembler) {
            Ok(read) => read.diagnostics.iter().any(reserved),
            Err(diagnostics) => diagnostics.iter().any(reserved),
        };
        assert!(!is_reported(&plain), "{}", spec.name);
        let mut other = plain.clone();
        other[27] = 0x21;
        assert!(is_reported(&other), "{}", spec.name);
    }
}

// Atomics.

/// Contradictions of DWORD_ATOMIC: notes require UD, and the tool reads .16 forms as
/// other operations if the document has a type other than UD, or a src1.
#[test]
fn contradictions_depend_on_signedness_and_width() {
    let spec = SPECS
        .iter()
        .find(|spec| spec.name == "DWORD_ATOMIC")
        .expect("it");
    for row in (spec.operations)() {
        let op = row.name.to_lowercase();
        let op = op.as_str();
        let ids = |suffix: &str, src0: &str, dst: &str| {
            let has_src1 = ["cmpxchg", "fcmpwr"].contains(&op);
            let src0 = if ["inc", "dec", "predec"].contains(&op) {
                "V0"
            } else {
                src0
            };
            let text = format!(
                ".decl S v_type=G type=d num_elts=16 align=GRF\n\
                 .decl U v_type=G type=ud num_elts=16 align=GRF\n\
                 dword_atomic.{op}{suffix} (M1, 8) T0 U.0 {src0} {} {dst}\n",
                if has_src1 { "U.0" } else { "V0" }
            );
            let program = Program::parse(&text);
            let placed = program.instructions.first();
            placed.map(|placed| placed.instruction.contradiction_ids(&program.symbols))
        };
        for (src0, dst) in [
            ("U.0", "U.0"),
            ("S.0", "U.0"),
            ("U.0", "S.0"),
            ("S.0", "V0"),
        ] {
            let Some(found) = ids("", src0, dst) else {
                continue;
            };
            let is_signed = [src0, dst].contains(&"S.0") && ["add", "sub"].contains(&op);
            assert_eq!(
                found.contains(&id::SIGNED_ADD),
                is_signed,
                "{op} {src0} {dst}"
            );
            assert!(!found.contains(&id::NARROW_TYPES), "{op}");
        }
        let Some(found) = ids(".16", "U.0", "U.0") else {
            continue;
        };
        let is_other = op.starts_with('f') || ["imin", "imax", "predec", "cmpxchg"].contains(&op);
        assert_eq!(found.contains(&id::NARROW_TYPES), is_other, "{op}");
    }
}

/// A message about an operand's type lists the types in the table of operations; all
/// other types have such a message.
#[test]
fn type_messages_list_the_types_of_the_operation() {
    let mut seen = 0;
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Visa) {
        for row in (spec.operations)() {
            let mut suffixes = spec.syntax.suffixes.iter();
            let suffix = suffixes.find(|suffix| suffix.part == SyntaxPart::Width);
            let words = suffix.map_or_else(Vec::new, |s| s.words(spec, Style::Assembler));
            let widths = words.iter().map(|(word, _)| format!(".{word}"));
            for width in widths.chain([String::new()]) {
                let (mut silent, mut listed) = (Vec::new(), BTreeSet::new());
                for ty in TYPES {
                    let name = |at: usize| match spec.syntax.operands[at].elements {
                        Elements::PerLane(ty, _) => format!("{}_1", ty.name()),
                        _ => format!("{ty}_1"),
                    };
                    let suffixes = format!(".{}{width}", row.name.to_lowercase());
                    let line = line_of(spec, &suffixes, "8", 0, name).expect("a line");
                    let program = Program::parse(&format!("{}{line}\n", declarations()));
                    let said = program.diagnostics.iter().filter_map(|d| {
                        let (_, rest) = d.what.split_once("expected type ")?;
                        Some(rest.split_once(" for ").expect("a list and a type").0)
                    });
                    let said: Vec<String> = said.map(String::from).collect();
                    if said.is_empty() {
                        silent.push(ty.to_uppercase());
                    }
                    listed.extend(said);
                }
                let listed: Vec<&str> = listed.iter().flat_map(|list| list.split(" or ")).collect();
                let words = row.types.split([',', ' ']);
                // The document's notes have an unsigned PREDEC.
                let unsigned = ["UD", "UQ"].into_iter().filter(|_| row.name == "PREDEC");
                let known: Vec<&str> = words.chain(unsigned).collect();
                for ty in &listed {
                    assert!(known.contains(ty), "{}{width}: {ty} of {known:?}", row.name);
                    seen += 1;
                }
                for ty in silent {
                    assert!(listed.contains(&ty.as_str()), "{}{width}: {ty}", row.name);
                }
            }
        }
    }
    assert!(seen > 60, "{seen}");
}

/// For an invalid width the help lists the valid ones, and the fix writes the nearest
/// and removes duplicates.
#[test]
fn help_of_widths_lists_valid_widths() {
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Visa) {
        let mut suffixes = spec.syntax.suffixes.iter();
        let Some(width) = suffixes.find(|suffix| suffix.part == SyntaxPart::Width) else {
            continue;
        };
        let widths: Vec<&str> = width.listed().filter(|width| *width != "32").collect();
        let help = format!(
            "use .{} or no suffix, which means 32 bits",
            widths.join(", .")
        );
        let name = spec.mnemonic(Style::Assembler);
        for (suffix, replacement) in [(".166", ".16"), (".16.166", ""), (".q", "")] {
            let text = format!("{name}.inc{suffix} (8) V1.0\n");
            let program = Program::parse(&text);
            let mut all = program.diagnostics.iter();
            let found = all.find(|d| d.help == help).expect(&help);
            let edit = found.edit.as_ref().expect("an edit");
            assert_eq!(edit.replacement, replacement, "{text}");
        }
    }
}

/// If Rb of a CAS must be aligned, the help names the nearest lower aligned register.
#[test]
fn help_of_a_pair_names_an_aligned_register() {
    for (suffix, step) in [("", 2), (".64", 4)] {
        for rb in 4..20 {
            let rc = rb + step / 2;
            let text = format!(".target sass SM50\nATOM.CAS{suffix} R0, [R2], R{rb}, R{rc};\n");
            let program = Program::parse(&text);
            let mut helps = program.diagnostics.iter().map(|d| &d.help);
            let named = helps.find_map(|help| help.strip_prefix("use R"));
            let wanted = (rb % step != 0).then(|| (rb / step * step).to_string());
            assert_eq!(named, wanted.as_deref(), "{text}{:?}", program.diagnostics);
        }
    }
}

/// Destination of a SASS line, if the instruction has one.
fn dst_text(spec: &Spec) -> &'static str {
    let mut operands = spec.syntax.operands.iter();
    match operands.any(|operand| operand.part == SyntaxPart::Dst) {
        true => "R0, ",
        false => "",
    }
}

/// With .E the address is in a register pair, otherwise in one register.
#[test]
fn extended_address_is_a_register_pair() {
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Sass) {
        let name = spec.mnemonic(Style::Document);
        for (suffix, place, bytes) in [("", "R2", 4), (".E", "R2:R3", 8)] {
            let dst = dst_text(spec);
            let text = format!(".target sass SM50\n{name}{suffix}.ADD {dst}[R2], R4;\n");
            let program = Program::parse(&text);
            let placed = program.instructions.first().expect("a line");
            let registers = placed.instruction.address_registers(&program.symbols);
            let places: Vec<_> = registers
                .iter()
                .map(|r| (r.place.as_str(), r.bytes))
                .collect();
            assert_eq!(places, [(place, bytes)], "{text}");
        }
    }
}

/// Sentences use the kind of memory, not its name in the line.
#[test]
fn step_sentences_name_the_memory() {
    for (surface, name) in [
        ("T0", "slm"),
        ("%slm", "slm"),
        ("T255", "stateless"),
        ("%scratch", "stateless"),
        ("buffer", "buffer"),
    ] {
        let program = Program::parse(&format!(
            ".decl buffer v_type=T\n.slm 64\n.surface buffer 64\n.region svm 0 64\n\
             .decl O v_type=G type=ud num_elts=8 align=GRF\n.init O = 8\n.init em = 1\n\
             dword_atomic.inc (M1, 8) {surface} O.0 V0 V0 V0\n"
        ));
        let mut session = Session::new(Rc::new(program));
        assert!(session.step(), "{surface}");
        let sentence = session.summary();
        assert!(sentence.contains(&format!("{name}[0x8]")), "{sentence}");
    }
}

#[test]
fn cell_before_a_sparse_range_is_resident() {
    for (address, is_resident) in [(0x1018, true), (0x101c, true), (0x1020, false)] {
        let text = format!(
            ".target sass SM52\n.region global 0x1000 32\n.sparse 0x1020 32\n\
             .init R2 = splat({address:#x})\n.init R4 = splat(1)\n\
             ATOM.ADD P0, R0, [R2], R4;\n"
        );
        let program = runnable(&text);
        let mut session = Session::new(Rc::new(program));
        assert!(session.step(), "{text}");
        let access = session.last_access().expect("an access");
        let cell = |c: &&lanewise_core::machine::Change| c.address == access.address;
        let is_changed = session
            .last_changes()
            .iter()
            .any(|c| c.space == access.space && cell(&c));
        assert_eq!(is_changed, is_resident, "{text}");
    }
}

/// The error for an unsupported size spans the byte with the size.
#[test]
fn unsupported_size_error_spans_one_byte() {
    for spec in SPECS.iter().filter(|spec| spec.family == Family::Sass) {
        let name = spec.mnemonic(Style::Document);
        let dst = dst_text(spec);
        let text = format!("{name}.ADD.F64.RN {dst}[R2], R4");
        let chip = |name| Target::Sass(Chip::named(name).expect("a chip"));
        let mut later = generate::assembler(chip("SM60"));
        let bytes = later
            .assemble(&text)
            .expect("SM60 supports it")
            .encoded
            .bytes()
            .to_vec();
        let mut first = generate::assembler(chip("SM50"));
        let refused = first
            .disassemble(&bytes, Style::Document)
            .expect_err("SM50 does not support it");
        let spans: Vec<u32> = refused.iter().map(|d| d.span.end - d.span.start).collect();
        assert_eq!(spans, [1], "{refused:?}");
    }
}

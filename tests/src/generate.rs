//! Generators for all registered instructions: encodings derived from the layout,
//! lines derived from the operand schema, programs of such lines, and almost valid
//! texts and bytes. The generators do not name instructions, so they include new ones.

use lanewise_core::bits::{BitField, DecodeError, Visitor};
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::{Barrier, Schedule};
use lanewise_core::isa::schema::{Elements, Form, Null, Operand};
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Family, Instruction, SPECS, Spec, Style, SymbolTable, Target};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::text::SyntaxPart;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::Config;
use std::fmt::Write as _;

/// The configuration of a property test, which does not save its failures.
#[must_use]
pub fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

/// All instructions with a suffix of this part.
pub fn specs_with_suffix(part: SyntaxPart) -> impl Iterator<Item = &'static Spec> {
    let has_part = move |spec: &&Spec| spec.syntax.suffixes.iter().any(|own| own.part == part);
    SPECS.iter().copied().filter(has_part)
}

/// Corner cases of arithmetic, for every width.
pub(crate) const CORNERS: [u64; 18] = [
    0,
    1,
    u64::MAX,
    0x7fff_ffff_7fff_ffff,
    0x8000_0000_8000_0000,
    0x8000_8000_8000_8000,
    0x3f80_0000_3f80_3c00,
    0xbf80_0000_bf80_bc00,
    0x7fc0_0000_7fc0_7e00, // quiet NaN
    0x7f80_0001_7f80_7c01, // signaling NaN
    0xffc0_0000_ffc0_fe00, // negative NaN
    0x7f80_0000_7f80_7c00, // infinity
    0xff80_0000_ff80_fc00,
    0x0000_0001_0000_8001, // subnormal
    0x007f_ffff_007f_03ff,
    0x807f_ffff_807f_83ff,
    0x4b80_cb80_4b80_cb80,
    0x0080_0001_8080_0000,
];

/// Sequence of random numbers. The first ones are given, so that failures shrink; the
/// rest is generated with xorshift64*.
#[derive(Clone, Debug)]
pub struct Choices {
    words: std::vec::IntoIter<u64>,
    state: u64,
}

impl Choices {
    /// Creates a sequence that starts with `words`.
    #[must_use]
    pub fn new(words: Vec<u64>) -> Self {
        let seed = words
            .iter()
            .fold(0, |seed: u64, word| seed.rotate_left(7) ^ word);
        Self {
            words: words.into_iter(),
            state: seed | 1,
        }
    }

    fn word(&mut self) -> u64 {
        self.words.next().unwrap_or_else(|| {
            self.state ^= self.state >> 12;
            self.state ^= self.state << 25;
            self.state ^= self.state >> 27;
            self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
        })
    }

    /// Returns a number in `0..end`.
    pub fn below(&mut self, end: usize) -> usize {
        // The high bits of xorshift64* are more random.
        let end = u64::try_from(end).expect("64 bits");
        usize::try_from((self.word() >> 20) % end).expect("it is below `end`")
    }

    /// Returns true with probability 1 / `among`.
    pub fn one_in(&mut self, among: usize) -> bool {
        self.below(among) == among - 1
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Returns 64 bits, often corner cases of arithmetic at some width.
    pub fn bits(&mut self) -> u64 {
        match self.below(5) {
            0 | 1 => self.word(),
            _ => self.pick(&CORNERS),
        }
    }

    /// Returns a list of hexadecimal numbers, `a, b, c`.
    fn list(&mut self, count: usize, mut value: impl FnMut(&mut Self) -> u64) -> String {
        let values: Vec<String> = (0..count).map(|_| format!("{:#x}", value(self))).collect();
        values.join(", ")
    }
}

/// Strategy for [`Choices`] with `count` shrinkable numbers.
pub fn choices(count: usize) -> impl Strategy<Value = Choices> {
    let words = proptest::collection::vec(any::<u64>(), count);
    words.prop_map(Choices::new)
}

#[must_use]
pub fn targets(family: Family) -> Vec<Target> {
    match family {
        Family::Visa => Platform::ALL.map(Target::Visa).to_vec(),
        Family::Sass => Chip::ALL.map(Target::Sass).to_vec(),
    }
}

pub fn any_target() -> impl Strategy<Value = Target> {
    select([targets(Family::Visa), targets(Family::Sass)].concat())
}

/// Declarations for generated instructions: general variables 32 to 37, predicates 1
/// and 2, surface 6, address variable 0.
pub const DECLS: [&str; 10] = [
    ".decl V32 v_type=G type=ud num_elts=64 align=GRF",
    ".decl V33 v_type=G type=ud num_elts=64 align=GRF",
    ".decl V34 v_type=G type=d num_elts=64 align=GRF",
    ".decl V35 v_type=G type=f num_elts=64 align=GRF",
    ".decl V36 v_type=G type=uq num_elts=32 align=GRF",
    ".decl V37 v_type=G type=q num_elts=32 align=GRF",
    ".decl P1 v_type=P num_elts=16",
    ".decl P2 v_type=P num_elts=32",
    ".decl T6 v_type=T num_elts=1",
    ".decl A0 v_type=A num_elts=8",
];

/// Creates an assembler with [`DECLS`].
#[must_use]
pub fn assembler(target: Target) -> Assembler {
    let decls = match target.family() {
        Family::Visa => &DECLS[..],
        Family::Sass => &[],
    };
    Assembler::new(target, decls.iter().copied()).expect("valid declarations")
}

// Encodings.

/// Fills each field with a valid value, independently of other fields.
struct Filler<'f> {
    choices: &'f mut Choices,
    symbols: &'f SymbolTable,
}

impl Visitor for Filler<'_> {
    fn field<C: BitField>(
        &mut self,
        _: SyntaxPart,
        _: &'static str,
        width: u32,
        value: &mut C,
    ) -> Result<(), DecodeError> {
        let legal = |bits| C::from_bits(bits).filter(|v| v.is_declared(&self.symbols.visa));
        if width <= 8 {
            let all: Vec<C> = (0..1 << width).filter_map(legal).collect();
            // Counts, depths and names are small.
            let end = if self.choices.one_in(2) {
                10
            } else {
                all.len()
            };
            *value = all[self.choices.below(end.min(all.len()))];
            return Ok(());
        }
        // Any number, or the number of a variable.
        let any = self.choices.bits() & (u64::MAX >> (64 - width));
        let small = self.choices.below(40) as u64;
        let numbers = [any].into_iter().chain((0..40).map(|i| (small + i) % 40));
        *value = numbers.clone().find_map(legal).expect("a variable");
        Ok(())
    }

    fn fixed(&mut self, _: SyntaxPart, _: &'static str, _: u32, _: u64) -> Result<(), DecodeError> {
        Ok(())
    }

    fn ignored(&mut self, _: &'static str, _: u32) -> Result<(), DecodeError> {
        Ok(())
    }
}

/// Returns the default instruction for an index of [`Spec::opcodes`].
///
/// # Panics
/// If the index is out of range.
#[must_use]
pub fn plain(spec: &'static Spec, form: usize) -> Instruction {
    let plain = Instruction::default_for_opcode(spec, form);
    plain.expect("every form has a default instruction")
}

/// Returns an instruction with random fields, each of which is valid by itself.
///
/// # Panics
/// If the layout rejects such a value.
#[must_use]
pub fn filled(
    spec: &'static Spec,
    form: usize,
    symbols: &SymbolTable,
    choices: &mut Choices,
) -> Instruction {
    let mut instruction = plain(spec, form);
    let mut filler = Filler { choices, symbols };
    let filled = instruction.layout(&mut filler);
    filled.expect("every value is valid");
    instruction
}

/// Generated instruction with its target and form.
#[derive(Clone, Debug)]
pub struct Filled {
    pub target: Target,
    /// Index in [`Spec::opcodes`].
    pub form: usize,
    pub instruction: Instruction,
}

/// Strategy for instructions with random fields; see [`filled`].
pub fn instructions() -> impl Strategy<Value = Filled> {
    let spec = select(SPECS.to_vec());
    let specs = spec.prop_flat_map(|spec| (Just(spec), select(targets(spec.family))));
    (specs, choices(60)).prop_map(|((spec, target), mut choices)| {
        let symbols = assembler(target).symbols().clone();
        let form = choices.below(spec.opcodes.len());
        let instruction = filled(spec, form, &symbols, &mut choices);
        Filled {
            target,
            form,
            instruction,
        }
    })
}

pub fn schedules() -> impl Strategy<Value = Schedule> {
    let barriers = || proptest::option::of(0..6_u8).prop_map(Barrier);
    (
        (0..16_u8, any::<bool>(), 0..64_u8, 0..16_u8),
        (barriers(), barriers()),
    )
        .prop_map(|((stall, yields, wait, reuse), (write, read))| Schedule {
            stall,
            yields,
            write,
            read,
            wait,
            reuse,
        })
}

/// Strategy for a target and bytes: random, random after an opcode, or an instruction
/// with one changed byte.
pub fn byte_strings() -> impl Strategy<Value = (Target, Vec<u8>)> {
    let noise = proptest::collection::vec(any::<u8>(), 0..40);
    let any_bytes = (any_target(), noise.clone());
    let opcoded = (select(SPECS.to_vec()), noise).prop_flat_map(|(spec, mut bytes)| {
        bytes.resize(bytes.len().max(8), 0);
        let opcodes = select(spec.opcodes.to_vec());
        (select(targets(spec.family)), opcodes).prop_map(move |(target, opcode)| {
            let (first, rest) = bytes.split_first_chunk().expect("8 bytes");
            let first = opcode.set(u64::from_le_bytes(*first)).to_le_bytes();
            (target, [&first, rest].concat())
        })
    });
    let changed = (instructions(), any::<prop::sample::Index>(), any::<u8>());
    let near = changed.prop_map(|(filled, at, byte)| {
        let mut bytes = filled.instruction.encode().bytes().to_vec();
        *at.get_mut(&mut bytes) = byte;
        (filled.target, bytes)
    });
    prop_oneof![1 => any_bytes, 2 => opcoded, 4 => near]
}

// Lines.

/// Register bytes that programs and lines refer to.
const REGISTER_BYTES: u32 = 4096;

/// Element types of the `DATA_…` variables, which overlap.
const TYPES: [&str; 9] = ["ud", "d", "f", "uq", "q", "uw", "w", "hf", "bf"];

/// Declarations for generated lines.
fn declarations(target: Target) -> String {
    let mut text = format!(".target {}\n", target.name());
    if target.family() == Family::Sass {
        return text;
    }
    text.push_str(
        ".decl T6 v_type=T\n.decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=32\n\
         .decl DATA v_type=G type=ub num_elts=4096 align=GRF\n\
         .decl ADDRESSES v_type=G type=uq num_elts=64 align=GRF\n\
         .decl OFFSETS v_type=G type=ud num_elts=64 align=GRF\n\
         .decl BASES v_type=G type=uq num_elts=4 align=GRF\n\
         .decl POINTERS v_type=A num_elts=2\n",
    );
    for ty in TYPES {
        let bytes = if ty.ends_with('q') {
            8
        } else if ["ud", "d", "f"].contains(&ty) {
            4
        } else {
            2
        };
        let count = REGISTER_BYTES / bytes;
        writeln!(
            text,
            ".decl DATA_{ty} v_type=G type={ty} num_elts={count} alias=<DATA, 0>"
        )
        .expect("writing to a `String` cannot fail");
    }
    text
}

/// Generates a line from the operand schema: a word for each suffix, and an operand of
/// the right form for each operand. The combination may break rules.
#[must_use]
pub fn line(spec: &Spec, style: Style, choices: &mut Choices) -> String {
    let syntax = &spec.syntax;
    let is_visa = spec.family == Family::Visa;
    let mut line = String::new();
    if syntax.predicate && choices.one_in(3) {
        let predicates: &[&str] = match is_visa {
            true => &["(P1) ", "(!P2) ", "(P1.any) ", "(!P2.all) "],
            false => &["@P0 ", "@!P1 ", "@PT ", "@!PT "],
        };
        line.push_str(choices.pick(predicates));
    }
    line.push_str(spec.mnemonic(style));
    for suffix in syntax.suffixes {
        if !(suffix.optional && choices.one_in(2)) {
            let (word, _) = choices.pick(&suffix.words(spec, style));
            line.push('.');
            line.push_str(word);
        }
    }
    if is_visa {
        let lanes = match syntax.lanes.parse::<usize>() {
            Ok(lanes) => lanes,
            Err(_) => 1 << choices.below(6),
        };
        let step = (lanes / 4).max(1);
        let mask = 1 + choices.below(8) / step * step;
        let mask = match choices.below(4) {
            0 => format!("M{mask}, "),
            1 => format!("M{mask}_NM, "),
            _ => String::new(),
        };
        write!(line, " ({mask}{lanes})").expect("writing to a `String` cannot fail");
    }
    // Operands of an instruction often have the same type.
    let ty = choices.pick(&TYPES);
    let mut separator = " ";
    for operand in syntax.operands {
        if operand.optional && choices.one_in(2) {
            continue;
        }
        line.push_str(separator);
        line.push_str(&operand_text(operand, ty, choices));
        separator = if is_visa { " " } else { ", " };
    }
    line
}

/// Generates an operand from the variables and registers in [`declarations`].
fn operand_text(operand: &Operand, ty: &str, choices: &mut Choices) -> String {
    let ty = if choices.one_in(4) {
        choices.pick(&TYPES)
    } else {
        ty
    };
    let start = |choices: &mut Choices, bytes: usize| 64 * choices.below(bytes / 64);
    match operand.form {
        Form::Surface => choices
            .pick(&["%slm", "T6", "%scratch", "T0", "T255"])
            .to_owned(),
        Form::Raw if operand.null != Null::Never && choices.one_in(3) => {
            choices.pick(&["%null.0", "V0"]).to_owned()
        }
        Form::Raw => match operand.elements {
            // Few cells, so that lanes conflict.
            Elements::PerLane(ty, _) if ty.bytes() == 8 => {
                format!("ADDRESSES.{}", start(choices, 256))
            }
            Elements::PerLane(..) if operand.part == SyntaxPart::Address => {
                format!("OFFSETS.{}", start(choices, 128))
            }
            _ => format!("DATA_{ty}.{}", start(choices, 2048)),
        },
        Form::Scalar if !choices.one_in(4) => {
            let element = choices.below(4);
            match choices.below(3) {
                0 => format!("BASES(0,{element})<0;1,0>"),
                1 => format!("{}:uq", choices.pick(&["0x0", "0x1000", "0x10"])),
                _ => format!("r[POINTERS({}),{}]<0;1,0>:uq", element % 2, element / 2 * 8),
            }
        }
        Form::Scalar => any_scalar(choices),
        Form::Rows => format!("DATA_{ty}({},0)", choices.below(24)),
        Form::Register if operand.null != Null::Never && choices.one_in(4) => String::from("RZ"),
        // Mostly even numbers, as required for pairs.
        Form::Register if choices.one_in(8) => format!("R{}", 5 + choices.below(12)),
        Form::Register => format!("R{}", 4 + 2 * choices.below(6)),
        Form::Address => match choices.below(4) {
            0 => String::from("[0x1000]"),
            1 => format!("[R0 + {:#x}]", 8 * choices.below(4)),
            2 => format!("[R2 - {:#x}]", 8 * choices.below(2)),
            _ => format!("[R{}]", 2 * choices.below(2)),
        },
        Form::Predicate => choices.pick(&["P0", "P1", "PT"]).to_owned(),
        form => unreachable!("{form:?} is of the opcode table"),
    }
}

/// Generates a vector operand with any modifier, region and type; most are invalid.
fn any_scalar(choices: &mut Choices) -> String {
    let modifier = choices.pick(&["", "(-)", "(abs)", "(-abs)", "(~)"]);
    let ty = choices.pick(&TYPES);
    let stride = |choices: &mut Choices| choices.pick(&[0, 1, 2, 4, 8, 16, 32]);
    let region = format!(
        "<{};{},{}>",
        stride(choices),
        stride(choices).max(1),
        stride(choices)
    );
    match choices.below(4) {
        0 => format!(
            "{modifier}DATA_{ty}({},{}){region}",
            choices.below(60),
            choices.below(40)
        ),
        1 => {
            let offset = choices.below(1024) as i64 - 512;
            format!(
                "{modifier}r[POINTERS({}),{offset}]{region}:{ty}",
                choices.below(2)
            )
        }
        2 => format!("{:#x}:{ty}", choices.bits() & 0xffff),
        _ => format!("{:#x}:uq", choices.bits()),
    }
}

/// Strategy for a target, an instruction, a style and a line; see [`line_symbols`].
pub fn lines() -> impl Strategy<Value = (Target, &'static Spec, Style, String)> {
    let styles = select(vec![Style::Assembler, Style::Document]);
    let spec = select(SPECS.to_vec());
    let specs = spec.prop_flat_map(|spec| (Just(spec), select(targets(spec.family))));
    (specs, styles, choices(40)).prop_map(|((spec, target), style, mut choices)| {
        let line = line(spec, style, &mut choices);
        (target, spec, style, line)
    })
}

/// Symbols used by the lines of a target.
#[must_use]
pub fn line_symbols(target: Target) -> SymbolTable {
    Program::parse(&declarations(target)).symbols
}

// Programs.

/// Runnable program.
#[derive(Clone, Debug)]
pub struct Run {
    pub text: String,
    pub specs: Vec<&'static Spec>,
}

/// Maximum number of attempts to generate a runnable line.
const TRIES: usize = 400;

/// Generates a runnable line of an instruction, by trial and with the fixes of
/// diagnostics. Returns `None` after too many attempts.
#[must_use]
pub fn running_line(
    spec: &'static Spec,
    assembler: &mut Assembler,
    head: &str,
    choices: &mut Choices,
) -> Option<String> {
    for _ in 0..TRIES {
        let mut line = line(spec, Style::Assembler, choices);
        for _ in 0..3 {
            let refused = match assembler.assemble(&line) {
                Ok(_) => break,
                Err(diagnostics) => diagnostics,
            };
            let errors = refused.iter().filter(|d| d.severity() == Severity::Error);
            let edit = errors.clone().find_map(|d| d.edit.clone());
            let Some(edit) = edit else { break };
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            line.replace_range(start..end, &edit.replacement);
        }
        if assembler.assemble(&line).is_ok() && Program::parse(&format!("{head}{line}\n")).can_run()
        {
            return Some(line);
        }
    }
    None
}

/// Generates an `.order` for some lanes, if the instruction has a lane queue.
fn order(line: &str, assembler: &mut Assembler, choices: &mut Choices) -> String {
    let Ok(assembled) = assembler.assemble(line) else {
        unreachable!("a runnable line can be assembled");
    };
    let instruction = assembled.instruction;
    if !instruction.spec().lane_queue || choices.one_in(2) {
        return String::new();
    }
    let mut lanes: Vec<usize> = (0..instruction.lanes().into()).collect();
    let mut names = Vec::new();
    for _ in 0..1 + choices.below(lanes.len()) {
        let lane = lanes.swap_remove(choices.below(lanes.len()));
        let letters = "RGBA".chars().zip(0..);
        let enabled = letters.filter(|(_, c)| instruction.channels() >> c & 1 == 1);
        let enabled: Vec<char> = enabled.map(|(letter, _)| letter).collect();
        names.push(match enabled.is_empty() || choices.one_in(2) {
            true => lane.to_string(),
            false => format!("{lane}.{}", choices.pick(&enabled)),
        });
    }
    format!(".order {}\n", names.join(" "))
}

/// Generates memory, masks and register values, for both EUs of a fused pair.
fn starting_values(target: Target, is_paired: bool, choices: &mut Choices) -> String {
    // Occasionally a lane is misaligned or unmapped.
    let cell = |choices: &mut Choices, start: u64| match choices.below(200) {
        0 => start + 1,
        1 => 0x8000_0000,
        n => start + 8 * (n as u64 % 4),
    };
    let mask = |choices: &mut Choices| match choices.below(3) {
        0 => u64::from(u32::MAX),
        _ => choices.word() & u64::from(u32::MAX),
    };
    let mut lines = Vec::new();
    match target {
        Target::Visa(_) => {
            let threads = if is_paired { 2 } else { 1 + choices.below(2) };
            lines.push(format!(".threads {threads}"));
            lines.push(String::from(".slm 128\n.surface T6 48"));
            for start in ["0", "0x1000", "0x2000"] {
                lines.push(format!(".region svm {start} 192"));
                lines.push(format!(
                    ".init svm[{start}] : uq = {}",
                    choices.list(9, Choices::bits)
                ));
            }
            for place in ["slm", "T6"] {
                lines.push(format!(
                    ".init {place}[0] : uq = {}",
                    choices.list(5, Choices::bits)
                ));
            }
            for eu in 0..threads {
                let at = |name: &str, values| format!(".init EU{eu}.{name} = {values}");
                lines.push(at("em", format!("{:#x}", mask(choices))));
                lines.push(at("P1", format!("{:#x}", mask(choices) & 0xffff)));
                lines.push(at("P2", format!("{:#x}", mask(choices))));
                lines.push(at("BASES", String::from("0, 0x1000, 0x10, 0x1000")));
                lines.push(at("POINTERS", String::from("&BASES, &BASES + 8")));
                let far = choices.pick(&[0, 0x1000]);
                lines.push(at("ADDRESSES", choices.list(64, |c| cell(c, far))));
                lines.push(at("OFFSETS", choices.list(64, |c| cell(c, 0))));
                lines.push(at("DATA_uq", choices.list(320, Choices::bits)));
            }
        }
        Target::Sass(_) => {
            let idle = |choices: &mut Choices| match choices.one_in(3) {
                true => mask(choices) & mask(choices),
                false => 0,
            };
            let [helper, killed, uncovered] = [(); 3].map(|()| idle(choices));
            lines.push(format!(
                ".lanes helper={helper:#x} killed={killed:#x} uncovered={uncovered:#x}"
            ));
            for start in [0x1000_u64, 0x1_0000_1000] {
                let sparse = start + 0x1000;
                lines.push(format!(
                    ".region global {start:#x} 192\n.sparse {sparse:#x} 64"
                ));
                let values = choices.list(9, Choices::bits);
                lines.push(format!(".init global[{start:#x}] : uq = {values}"));
            }
            for predicate in 0..2 {
                lines.push(format!(".init P{predicate} = {:#x}", mask(choices)));
            }
            for (pair, far) in [(0, 0x1000), (2, choices.pick(&[0x1010, 0x1_0000_1010]))] {
                let sparse = choices.one_in(3);
                let values = choices.list(32, |c| match sparse && c.one_in(4) {
                    true => cell(c, far) + 0x1000,
                    false => cell(c, far),
                });
                lines.push(format!(".init R{pair}:R{} = {values}", pair + 1));
            }
            for pair in (4..18).step_by(2) {
                let values = choices.list(32, Choices::bits);
                lines.push(format!(".init R{pair}:R{} = {values}", pair + 1));
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Generates a program of these instructions, except those that the target lacks.
pub fn program(specs: &[&'static Spec], target: Target, choices: &mut Choices) -> Run {
    let declared = declarations(target);
    let is_paired = specs.iter().any(|spec| spec.fused);
    let values = starting_values(target, is_paired, choices);
    let head = format!("{declared}{values}");
    let mut assembler = Assembler::with_names(Program::parse(&declared).symbols);
    let mut made = Run {
        text: head.clone(),
        specs: Vec::new(),
    };
    for spec in specs {
        if let Some(line) = running_line(spec, &mut assembler, &head, choices) {
            made.text.push_str(&order(&line, &mut assembler, choices));
            made.text.push_str(&line);
            made.text.push_str(if spec.family == Family::Sass {
                ";\n"
            } else {
                "\n"
            });
            made.specs.push(spec);
        }
    }
    made
}

/// Strategy for programs of one to `most` instructions of one family.
pub fn runs(most: usize) -> impl Strategy<Value = Run> {
    runs_of(SPECS.to_vec(), most)
}

/// Strategy for programs of one instruction with a lane queue.
pub fn queued_runs() -> impl Strategy<Value = Run> {
    let specs = SPECS.iter().copied();
    runs_of(specs.filter(|spec| spec.lane_queue).collect(), 1)
}

fn runs_of(all: Vec<&'static Spec>, most: usize) -> impl Strategy<Value = Run> {
    let family = select(all.clone()).prop_map(|spec| spec.family);
    family.prop_flat_map(move |family| {
        let specs = all.iter().copied();
        let specs: Vec<_> = specs.filter(|spec| spec.family == family).collect();
        let specs = proptest::collection::vec(select(specs), 1..=most);
        (specs, select(targets(family)), choices(40))
            .prop_map(|(specs, target, mut choices)| program(&specs, target, &mut choices))
    })
}

// Texts.

/// Fragments of random texts.
const PIECES: [&str; 69] = [
    ".decl ",
    "V32",
    "V33",
    " v_type=G",
    " type=ud",
    " type=hf",
    " num_elts=16",
    " align=GRF",
    " alias=<V32, 0>",
    ".init ",
    ".slm ",
    ".surface ",
    ".region svm ",
    ".threads ",
    ".order ",
    ".target visa ",
    "XEHP",
    "PVC",
    "sass SM50",
    ".title ",
    "\"",
    "/*",
    "*/",
    "//",
    "\n",
    "\r\n",
    " = ",
    ", ",
    "iota(",
    "splat(",
    "random(",
    ")",
    "(",
    "[",
    "] : ",
    "ud",
    "0x10",
    "-1",
    "1.5e3",
    "0f3f800000",
    "99999999999999999999",
    ".add",
    ".16",
    ".64",
    " (M1, 8) ",
    "(8)",
    "T0 ",
    "%slm ",
    "%null.0 ",
    "V0 ",
    "P1",
    "(!P1.any) ",
    "EU1.",
    "é",
    "\u{2028}",
    "💥",
    "&V32 + ",
    ".RGBA",
    ".RA",
    "(0,0)<0;1,0> ",
    "0x1000:uq ",
    "r[A0(0),0]",
    "<;1,0>:uq ",
    "A0",
    "\\",
    "R255",
    "[R2 + ",
    "&req={",
    "?stall",
];

/// Strategy for texts: noise, random fragments, and programs with a few changed
/// characters.
pub fn texts() -> impl Strategy<Value = String> {
    let mnemonics = SPECS.iter().flat_map(|spec| spec.mnemonics.iter().copied());
    let words: Vec<&str> = PIECES.into_iter().chain(mnemonics).collect();
    let pieces = proptest::collection::vec(select(words), 0..60).prop_map(|pieces| pieces.concat());
    let edits = proptest::collection::vec(
        (
            any::<prop::sample::Index>(),
            0..3_u8,
            select(PIECES.to_vec()),
        ),
        1..6,
    );
    let damaged = (runs(2), edits).prop_map(|(run, edits)| {
        let mut text: Vec<char> = run.text.chars().collect();
        for (at, kind, piece) in edits {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            let end = match kind {
                0 => at,
                1 => at + 1,
                _ => (at + 7).min(text.len()),
            };
            text.splice(at..end, piece.chars());
        }
        text.into_iter().collect()
    });
    prop_oneof![1 => any::<String>(), 2 => pieces, 2 => damaged]
}

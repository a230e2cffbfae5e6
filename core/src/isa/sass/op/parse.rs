//! Reading of a line of a listing.

use super::memory::AddressOperand;
use super::name::Name;
use super::operand::{
    CodeCondition, Kind, LanePredicate, LaneRegister, PredicateSource, SassSource, SourceContext,
    SourcePlace, integer, signed_integer, split_operands, without_reuse,
};
use super::words::{SassModifiers, Word};
use super::{FlowTarget, OPS, OperandSlot, SassInstruction, SassOp, UNKNOWN, named};
use crate::isa::sass::chip::Chip;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// A line of a listing, without its address, encoding and comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SassLine<'t> {
    /// `@!P0`, if there is a guard.
    pub guard: Option<&'t str>,
    /// Opcode and words.
    pub mnemonic: &'t str,
    pub operands: &'t str,
}

impl<'t> SassLine<'t> {
    /// Splits a line.
    #[must_use]
    pub fn split(text: &'t str) -> Self {
        // Braces enclose two instructions that issue together.
        let blank = |letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | ';');
        let mut rest = text.trim_matches(blank);
        let mut guard = None;
        if rest.starts_with('@') {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (found, after) = rest.split_at(end);
            guard = Some(found);
            rest = after.trim_start_matches(blank);
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (mnemonic, operands) = rest.split_at(end);
        let operands = operands.split("(*").next().unwrap_or("");
        Self {
            guard,
            mnemonic,
            operands: operands.trim_matches(blank),
        }
    }
}

/// Operands that are read so far.
struct OperandReader<'o> {
    instruction: SassInstruction,
    operands: Vec<&'o str>,
    at: usize,
    sources: usize,
    predicates: usize,
    conditions: usize,
    names: usize,
}

/// Why a call of an external function stops the run.
fn missing_function(name: &str) -> String {
    let known = RUNTIME.iter().find(|(known, _)| *known == name);
    match known {
        Some((_, what)) => format!("{what} (`{name}`)"),
        None => format!("`{name}` is not part of the program"),
    }
}

/// Functions of CUDA's device runtime, which are not executed.
const RUNTIME: [(&str, &str); 4] = [
    (
        "__assertfail",
        "a failed `assert` is not executed in CUDA kernels",
    ),
    ("vprintf", "`printf` is not executed in CUDA kernels"),
    ("malloc", "`malloc` is not executed in CUDA kernels"),
    ("free", "`free` is not executed in CUDA kernels"),
];

impl SassInstruction {
    /// Reads a line. An opcode, word or operand that Lanewise does not execute is an
    /// obstacle to running it.
    ///
    /// # Errors
    /// Names the part that is missing or superfluous.
    pub fn parse(text: &str, chip: Chip) -> Result<Self, String> {
        let line = SassLine::split(text);
        if line.mnemonic.is_empty() {
            return Err(String::from("expected an opcode"));
        }
        let mut parts = line.mnemonic.split('.');
        let opcode = parts.next().unwrap_or("");
        let mut instruction = Self::empty(&UNKNOWN, text, line.mnemonic, chip);
        if let Some(guard) = line.guard {
            let guard = guard.trim_start_matches('@');
            let read = PredicateSource::parse(guard);
            instruction.guard = read.ok_or_else(|| {
                format!("expected `P0` to `P6` or `PT` as a guard, found `{guard}`")
            })?;
        }
        let Some((op, _)) = named(opcode, chip) else {
            let whole = text.trim_end().trim_end_matches(';');
            // What opened files have in place of code that they lack.
            let why = match (whole.strip_prefix("UNKNOWN function "), opcode) {
                (Some(name), _) => missing_function(name),
                (None, "UNKNOWN") => format!("`{whole}` is not executed"),
                _ => {
                    let rows = OPS.iter().filter(|op| op.spec.name == opcode);
                    let chips: Vec<_> = rows.map(|op| op.era.chips()).collect();
                    match chips.is_empty() {
                        false => missing_on(chip, opcode, &chips.join(", ")),
                        true => format!("`{opcode}` is not executed"),
                    }
                }
            };
            instruction.obstacle = Some(why.into());
            return Ok(instruction);
        };
        instruction.op = op;
        let mut words = Vec::new();
        for part in parts {
            // `.32` in ATOMS.POPC.INC.32 belongs to the operation; it is not a size.
            match Word::named(part) {
                Some(word) if word == Word::Hint || op.words.has(word) => {
                    let mut restricted = op.restricted.iter();
                    let missing = restricted.find(|(era, words)| words.has(word) && !era.has(chip));
                    if let Some((era, _)) = missing {
                        let name = format!("{opcode}.{part}");
                        let what = missing_on(chip, &name, &era.chips());
                        instruction.obstacle.get_or_insert(what.into());
                    }
                    words.push(word);
                }
                _ => {
                    let what = format!("`.{part}` of `{}` is not executed", op.spec.name);
                    instruction.obstacle.get_or_insert(what.into());
                }
            }
        }
        for choice in op.choices {
            let chosen = words.iter().filter(|word| choice.has(**word)).count();
            let needed = op.choices.iter().filter(|other| *other == choice).count();
            if chosen != needed && instruction.obstacle.is_none() {
                let known = Word::all().filter(|(_, word)| choice.has(*word));
                let known: Vec<String> = known.map(|(text, _)| format!("`.{text}`")).collect();
                let known = known.join(", ");
                return Err(format!("`{}` needs {needed} of {known}", line.mnemonic));
            }
        }
        instruction.modifiers = SassModifiers::new(&words);
        let kind = instruction.memory_kind();
        if kind.is_some_and(|kind| kind.action.is_atomic()) && instruction.rmw().is_none() {
            let what = format!("`{}` is not executed with these words", line.mnemonic);
            instruction.obstacle.get_or_insert(what.into());
        }
        let cleaned = without_reuse(line.operands);
        let mut reader = OperandReader {
            operands: split_operands(&cleaned),
            instruction,
            at: 0,
            sources: 0,
            predicates: 0,
            conditions: 0,
            names: 0,
        };
        let read = reader.read(op);
        let instruction = reader.instruction;
        // Words that are not executed may need other operands.
        match read {
            Err(problem) if instruction.obstacle.is_none() => Err(problem),
            _ => Ok(instruction),
        }
    }

    fn empty(op: &'static SassOp, text: &str, mnemonic: &str, chip: Chip) -> Self {
        Self {
            op,
            text: text.trim().into(),
            mnemonic: mnemonic.into(),
            obstacle: None,
            is_old: chip.is_old(),
            guard: PredicateSource::default(),
            modifiers: SassModifiers::default(),
            destination: None,
            registers: 0,
            upper: None,
            words: u8::MAX,
            written: Vec::new(),
            sets_code: false,
            predicates: [LanePredicate::default(); 2],
            sources: [SassSource::ZERO; 4],
            conditions: [PredicateSource {
                negated: true,
                ..PredicateSource::default()
            }; 3],
            address: AddressOperand::default(),
            source_address: AddressOperand::default(),
            names: [None; 2],
            code: None,
            target: None,
            goes_to: None,
            label_source: None,
            functions: Rc::default(),
        }
    }
}

impl OperandReader<'_> {
    fn read(&mut self, op: &'static SassOp) -> Result<(), String> {
        let slots = (op.operands)(&self.instruction.modifiers);
        for slot in slots {
            if *slot == OperandSlot::Any {
                return Ok(());
            }
            let Some(text) = self.operands.get(self.at).copied() else {
                match slot {
                    OperandSlot::MaybeR => self.set_source(SassSource::ZERO.inverted()),
                    OperandSlot::Maybe(_) => self.set_source(SassSource::ZERO),
                    OperandSlot::MaybeTrue => {
                        self.take(*slot, "PT");
                    }
                    _ if slot.is_optional() => {}
                    _ => {
                        return Err(format!("too few operands: write {}", self.syntax(op)));
                    }
                }
                continue;
            };
            let (part, first) = (self.part(*slot), self.at);
            if self.take(*slot, text) {
                let texts = self.operands.get(first..=self.at).unwrap_or_default();
                let written = (part, texts.join(", ").into());
                self.instruction.written.push(written);
                self.at += 1;
            } else if !slot.is_optional() {
                if let Some(problem) = register_problem(*slot, text) {
                    return Err(problem);
                }
                break;
            }
        }
        if let Some(text) = self.operands.get(self.at) {
            let what = format!("operand `{text}` of `{}` is not executed", op.spec.name);
            self.instruction.obstacle.get_or_insert(what.into());
        }
        Ok(())
    }

    /// The mnemonic with the names of all operands.
    fn syntax(&self, op: &SassOp) -> String {
        let slots = op.slots(&self.instruction.modifiers);
        let names = slots.iter().filter(|slot| !slot.is_optional);
        let names: Vec<&str> = names.map(|slot| slot.name).collect();
        format!("`{} {}`", self.instruction.mnemonic, names.join(", "))
    }

    /// The part of the next operand of a slot.
    fn part(&self, slot: OperandSlot) -> SyntaxPart {
        slot.part(match slot.parts() {
            [SyntaxPart::Carry, ..] => self.predicates,
            [SyntaxPart::Src0, ..] => self.sources,
            [SyntaxPart::Condition(0), ..] => self.conditions,
            _ => 0,
        })
    }

    fn set_source(&mut self, source: SassSource) {
        if let Some(place) = self.instruction.sources.get_mut(self.sources) {
            *place = source;
        }
        self.sources += 1;
    }

    /// Reads an operand; returns whether it is one of the slot.
    fn take(&mut self, slot: OperandSlot, text: &str) -> bool {
        match slot {
            OperandSlot::D(kind) | OperandSlot::MaybeD(kind) => {
                self.destination(text, kind.registers())
            }
            OperandSlot::Four => self.destination(text, 4),
            OperandSlot::LowerWords => self.destination(text, self.word_counts()[0]),
            OperandSlot::UpperWords => {
                let is_read = self.destination(text, self.word_counts()[1]);
                self.instruction.upper = self.instruction.destination;
                is_read
            }
            OperandSlot::WordMask => {
                let mask = integer(text).and_then(|mask| u8::try_from(mask).ok());
                self.instruction.words = mask.unwrap_or(u8::MAX);
                mask.is_some()
            }
            OperandSlot::P | OperandSlot::MaybeP => {
                // `URZ` may stand for a predicate that is not written.
                let found = LanePredicate::named(text);
                let place = self.instruction.predicates.get_mut(self.predicates);
                let (Some(found), Some(place)) = (found, place) else {
                    return false;
                };
                *place = found;
                self.predicates += 1;
                true
            }
            OperandSlot::S(kind) => self.source(text, kind),
            OperandSlot::Maybe(kind) => {
                let is_read = self.source(text, kind);
                if !is_read {
                    self.set_source(SassSource::ZERO);
                }
                is_read
            }
            OperandSlot::Quad => {
                let Some(register) = LaneRegister::named(text) else {
                    return false;
                };
                if register.is_some_and(|first| !(first.is_even() && first.exists(4))) {
                    return false;
                }
                let pairs = register.map(|first| [first, first.next(2)]);
                for pair in pairs.map_or([None; 2], |pairs| pairs.map(Some)) {
                    self.set_source(pair.map_or(SassSource::ZERO, SassSource::pair));
                }
                true
            }
            OperandSlot::Constant => {
                let is_read = self.source(text, Kind::Int);
                if is_read
                    && let Some(ty) = self.instruction.modifiers.types[0]
                    && let Ok(bytes @ ..4) = u8::try_from(ty.bits / 8)
                {
                    let source = &mut self.instruction.sources[self.sources - 1];
                    *source = source.narrowed(bytes);
                }
                is_read
            }
            OperandSlot::ConstantQuad => {
                let is_read = text.starts_with("c[") && self.source(text, Kind::Wide);
                if is_read {
                    let first = self.instruction.sources[self.sources - 1];
                    self.set_source(first.behind(8));
                }
                is_read
            }
            OperandSlot::Q | OperandSlot::MaybeQ | OperandSlot::MaybeTrue => {
                let found = PredicateSource::parse_sign(text);
                let place = self.instruction.conditions.get_mut(self.conditions);
                let (Some(found), Some(place)) = (found, place) else {
                    return false;
                };
                *place = found;
                self.conditions += 1;
                true
            }
            OperandSlot::MaybeR => {
                let name = text.trim_start_matches('~');
                if LaneRegister::named(name).is_none() {
                    self.set_source(SassSource::ZERO.inverted());
                    return false;
                }
                self.source(text, Kind::Int)
            }
            OperandSlot::Address => {
                // The address of a copy is in shared memory. That of a bulk copy is two registers,
                // for a barrier, too.
                let is_copy = self.instruction.op.class.copies();
                let is_bulk = self.instruction.is_bulk();
                let is_wide = self.instruction.modifiers.has(Word::E) && !is_copy || is_bulk;
                match AddressOperand::parse(text, is_wide) {
                    Some(address) => {
                        self.instruction.address = address;
                        true
                    }
                    None => false,
                }
            }
            OperandSlot::From => {
                let instruction = &self.instruction;
                let is_wide = !instruction.is_bulk() || instruction.copies_to_shared();
                let address = AddressOperand::parse(text, is_wide);
                self.instruction.source_address = address.unwrap_or_default();
                address.is_some()
            }
            OperandSlot::Label | OperandSlot::MaybeLabel => self.label(text),
            OperandSlot::Callee => self.callee(text),
            OperandSlot::Indexed => self.indexed(text),
            OperandSlot::MaybeCode => {
                // The guard of a uniform branch may be printed as an operand.
                self.instruction.code = CodeCondition::named(text);
                if self.instruction.code.is_some() {
                    return true;
                }
                let Some(condition) = PredicateSource::parse(text) else {
                    return false;
                };
                if let Some(place) = self.instruction.conditions.get_mut(2) {
                    *place = condition;
                }
                true
            }
            OperandSlot::Name => {
                let class = self.instruction.op.class;
                let found = Name::parse(text).filter(|name| class.reads(*name));
                if let (0, Some(Name::Register(register))) = (self.names, found) {
                    self.instruction.destination = register;
                    self.instruction.registers = 1;
                }
                if let Some(place) = self.instruction.names.get_mut(self.names) {
                    *place = found;
                }
                self.names += 1;
                found.is_some()
            }
            OperandSlot::Unused(written) => text.replace('U', "") == written,
            OperandSlot::Ignored => true,
            OperandSlot::Any => true,
        }
    }

    /// Numbers of the lower and of the upper four of eight words that a load has registers for,
    /// by the mask behind its address.
    fn word_counts(&self) -> [u8; 2] {
        let mask = self.operands.get(3).and_then(|text| integer(text));
        let mask = mask.unwrap_or(u8::MAX.into());
        [mask & 15, mask >> 4 & 15]
            .map(|words| u8::try_from(words.count_ones()).expect("at most 4"))
    }

    fn destination(&mut self, text: &str, registers: u8) -> bool {
        let (name, suffix) = text.split_once('.').unwrap_or((text, ""));
        let Some(register) = LaneRegister::named(name) else {
            return false;
        };
        if !matches!(suffix, "" | "CC") {
            return false;
        }
        let is_aligned = |register: &LaneRegister| {
            registers < 2 || register.is_even() && register.exists(u16::from(registers))
        };
        if register
            .as_ref()
            .is_some_and(|register| !is_aligned(register))
        {
            return false;
        }
        self.instruction.sets_code = suffix == "CC";
        self.instruction.destination = register;
        self.instruction.registers = registers;
        true
    }

    fn source(&mut self, text: &str, kind: Kind) -> bool {
        let instruction = &self.instruction;
        let name = instruction.op.spec.name;
        let context = SourceContext {
            modifiers: &instruction.modifiers,
            is_old: instruction.is_old,
            short_immediates: instruction.is_old && !name.ends_with("32I"),
        };
        if let Some(label) = label_address(text) {
            self.instruction.label_source = label.map(|label| (self.sources, label));
            self.set_source(SassSource::ZERO);
            return true;
        }
        // The order of the elements of a matrix.
        let text = match (kind, self.sources) {
            (Kind::Matrix(_), 0) => text.strip_suffix(".ROW").unwrap_or(text),
            (Kind::Matrix(_), 1) => text.strip_suffix(".COL").unwrap_or(text),
            _ => text,
        };
        let Some(mut source) = SassSource::parse(text, kind, &context) else {
            return false;
        };
        if let Kind::Matrix(count) = kind {
            let is_zero = source.place == SourcePlace::Number(0);
            let is_there = match source.place {
                SourcePlace::Register(first) => {
                    let is_aligned = count < 2 || first.is_even();
                    is_aligned && first.exists(u16::from(count))
                }
                _ => is_zero && text == "RZ",
            };
            if !is_there || !source.is_plain() {
                return false;
            }
        }
        // Two numbers are the upper and the lower half.
        let is_number = |text: &str| {
            let name = text.trim_start_matches('-').split('.').next();
            name.and_then(LaneRegister::named).is_none()
        };
        if kind == Kind::Halves
            && is_number(text)
            && let SourcePlace::Number(upper) = source.place
            && let Some(lower) = self.operands.get(self.at + 1)
            && let Some(lower) = SassSource::parse(lower, kind, &context)
            && let SourcePlace::Number(lower) = lower.place
        {
            source.place = SourcePlace::Number(upper << 16 | lower);
            self.at += 1;
        }
        self.set_source(source);
        true
    }

    fn label(&mut self, text: &str) -> bool {
        let inside = text
            .strip_prefix("`(")
            .and_then(|rest| rest.strip_suffix(')'));
        self.instruction.target = match inside {
            Some(label) => Some(FlowTarget::Label(label.trim().into())),
            None => integer(text).map(FlowTarget::Address),
        };
        self.instruction.target.is_some()
    }

    /// `` `(f) ``, `` R2 `(f) ``, `R2 0x80` or `R2`.
    fn callee(&mut self, text: &str) -> bool {
        let (name, base) = text.split_once(' ').unwrap_or((text, "0x0"));
        let Some(register) = LaneRegister::named(name) else {
            return self.label(text);
        };
        let label = base
            .strip_prefix("`(")
            .and_then(|rest| rest.strip_suffix(')'));
        let Some(number) = label.map_or_else(|| integer(base), |_| Some(0)) else {
            return false;
        };
        self.set_source(register.map_or(SassSource::ZERO, SassSource::register));
        self.instruction.label_source = label.map(|label| (self.sources, label.trim().into()));
        self.set_source(SassSource::number(number.into()));
        true
    }

    /// `R2 -0x180`.
    fn indexed(&mut self, text: &str) -> bool {
        let mut words = text.split_whitespace();
        let register = words.next().and_then(LaneRegister::named);
        let offset = words.next().map_or(Some(0), signed_integer);
        let (Some(register), Some(offset)) = (register, offset) else {
            return false;
        };
        self.set_source(register.map_or(SassSource::ZERO, SassSource::register));
        let bits = offset.cast_unsigned() & 0xffff_ffff;
        self.set_source(SassSource::number(bits));
        true
    }
}

/// The label whose address a text such as `32@lo((kernel + .L_x_5@srel))` is; `Some(None)`
/// for the upper half, which is 0.
fn label_address(text: &str) -> Option<Option<Rc<str>>> {
    let (is_low, inside) = match text.strip_prefix("32@lo(") {
        Some(inside) => (true, inside),
        None => (false, text.strip_prefix("32@hi(")?),
    };
    let label = inside
        .split([' ', '(', ')', '+'])
        .find_map(|word| word.strip_suffix("@srel"))?;
    Some(is_low.then(|| label.into()))
}

/// Why a chip does not execute what others have.
fn missing_on(chip: Chip, name: &str, others: &str) -> String {
    format!(
        "`{name}` is an instruction of {others}, not of {}",
        chip.name()
    )
}

/// Why a register does not fit a slot, if an operand is one.
fn register_problem(slot: OperandSlot, name: &str) -> Option<String> {
    let digits = name.strip_prefix("UR").or(name.strip_prefix('R'))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return None;
    }
    let Some(Some(register)) = LaneRegister::named(name) else {
        return Some(format!(
            "`{name}` does not exist: registers are R0 to R254, and UR0 to UR126"
        ));
    };
    let is_pair = matches!(slot, OperandSlot::D(kind) if kind.bytes() == 8);
    let is_odd = is_pair && !register.is_even();
    is_odd.then(|| format!("`{name}` cannot start a pair of registers: its number is odd"))
}

impl OperandSlot {
    /// The parts of the first, second, … operand of slots of this kind.
    pub(super) const fn parts(self) -> &'static [SyntaxPart] {
        match self {
            Self::D(_) | Self::MaybeD(_) | Self::Four | Self::LowerWords | Self::UpperWords => {
                &[SyntaxPart::Dst]
            }
            Self::P | Self::MaybeP => &[SyntaxPart::Carry, SyntaxPart::Status],
            Self::S(_)
            | Self::Maybe(_)
            | Self::MaybeR
            | Self::Quad
            | Self::Constant
            | Self::ConstantQuad
            | Self::Indexed
            | Self::Callee => &[
                SyntaxPart::Src0,
                SyntaxPart::Src1,
                SyntaxPart::Src2,
                SyntaxPart::Src3,
            ],
            Self::Q | Self::MaybeQ | Self::MaybeTrue => &[
                SyntaxPart::Condition(0),
                SyntaxPart::Condition(1),
                SyntaxPart::Condition(2),
            ],
            Self::MaybeCode => &[SyntaxPart::Condition(2)],
            Self::Address => &[SyntaxPart::Address],
            Self::From => &[SyntaxPart::Offsets],
            Self::Label | Self::MaybeLabel => &[SyntaxPart::Label],
            Self::Name => &[SyntaxPart::Name],
            Self::Unused(_) | Self::Ignored | Self::WordMask | Self::Any => &[SyntaxPart::Ignored],
        }
    }

    /// The part of an operand after a number of others of this kind.
    pub(super) fn part(self, before: usize) -> SyntaxPart {
        let parts = self.parts();
        parts[before.min(parts.len() - 1)]
    }

    pub(super) const fn is_optional(self) -> bool {
        matches!(
            self,
            Self::MaybeD(_)
                | Self::MaybeP
                | Self::Maybe(_)
                | Self::MaybeLabel
                | Self::MaybeQ
                | Self::MaybeTrue
                | Self::MaybeR
                | Self::MaybeCode
                | Self::Unused(_)
                | Self::Ignored
                | Self::WordMask
        )
    }
}

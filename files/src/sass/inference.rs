//! Types of the parameters of a kernel, and of the elements behind its pointers, inferred from
//! the instructions that use their values. Neither listings nor cubins have them.
//!
//! Values are followed through copies, sums, loads and stores, from the first line to the last
//! and once more for loops; at a label, the values from all branches to it are merged.

use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::op::flow::WarpFlow;
use lanewise_core::isa::sass::op::memory::{Action, Window};
use lanewise_core::isa::sass::op::operand::{Kind, LaneRegister, SassSource, SourcePlace};
use lanewise_core::isa::sass::op::uses::Dependence;
use lanewise_core::isa::sass::op::{Class, SassInstruction};
use lanewise_core::number::ElementType;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Largest number of origins that are copied from register to register, which bounds time and
/// memory. Nothing is inferred from code that needs more.
const MAX_COPIES: usize = 1 << 21;

/// An inferred type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// A type of floats.
    pub ty: ElementType,
    /// The first opcode that reads or computes such a value.
    pub opcode: &'static str,
}

/// Uses of the parameters of a kernel in its code, by their offsets in constant bank 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Inference {
    uses: BTreeMap<Subject, BTreeMap<Use, &'static str>>,
    /// Addresses of memory instructions.
    pointers: BTreeSet<u32>,
    /// Pairs of words that are not halves of one value.
    pairs: BTreeSet<u32>,
}

/// A value whose type is inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// The word of the parameters at an offset.
    Parameter(u32),
    /// A word that an instruction loads or stores.
    Element(Element),
}

/// A word of memory that the parameter at an offset points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    pointer: u32,
    /// Index of the instruction that loads or stores it.
    instruction: u32,
    /// Number of the register.
    word: u32,
}

/// How an instruction uses a value, or what it computes, ordered by how specific it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Halves: which of two is used, and of which format, is not followed.
    Halves,
    Integer,
    Float,
    Double,
}

impl Use {
    /// The use as a source, or the result, of a kind; `None` if it says nothing.
    const fn of(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Int | Kind::Short | Kind::Wide | Kind::Typed | Kind::TypedPair => Self::Integer,
            Kind::WithHalf | Kind::Half | Kind::Halves => Self::Halves,
            Kind::Float | Kind::FloatPair => Self::Float,
            Kind::Double | Kind::Upper => Self::Double,
            Kind::Bits | Kind::Bytes | Kind::Matrix(_) => return None,
        })
    }

    const fn inferred(self, opcode: &'static str) -> Option<Inferred> {
        let ty = match self {
            Self::Halves | Self::Integer => return None,
            Self::Float => ElementType::F,
            Self::Double => ElementType::Df,
        };
        Some(Inferred { ty, opcode })
    }
}

/// Origin of a value in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// The word of the parameters at an offset.
    Word(u32),
    /// A sum with that word.
    Sum(u32),
    /// A word of memory.
    Element(Element),
    /// A result of an opcode.
    Result(Use, &'static str),
}

type Origins = BTreeSet<Origin>;

/// Origins of the values in registers.
type Registers = BTreeMap<LaneRegister, Origins>;

impl Inference {
    /// Follows the values of parameters, from the offset of the first, through the instructions
    /// of a kernel.
    pub(super) fn of<'l>(lines: impl Iterator<Item = &'l str>, chip: Chip, first: u32) -> Self {
        let mut labels = BTreeMap::new();
        let mut instructions = Vec::new();
        for line in lines {
            match line.strip_suffix(':') {
                Some(label) => {
                    labels.insert(label, instructions.len());
                }
                None => {
                    let instruction = SassInstruction::parse(line, chip).ok();
                    instructions.push(instruction.filter(SassInstruction::is_executed));
                }
            }
        }
        let count = to_u32(instructions.len());
        let position = |label: &str| Some(to_u32(*labels.get(label)?));
        for instruction in instructions.iter_mut().flatten() {
            instruction.resolve(position, &Rc::default(), count);
        }
        let mut found = Self::default();
        let mut copies = 0;
        let mut meeting: BTreeMap<u32, Registers> = BTreeMap::new();
        for _ in 0..2 {
            let mut registers = Registers::new();
            for (index, instruction) in (0..).zip(&instructions) {
                if let Some(others) = meeting.get(&index) {
                    copies += join(&mut registers, others);
                }
                let Some(instruction) = instruction else {
                    // It may write any register.
                    registers.clear();
                    continue;
                };
                let flow = instruction.flow_kind();
                if flow == Some(WarpFlow::Branch)
                    && let Some(target) = instruction.target()
                {
                    copies += join(meeting.entry(target).or_default(), &registers);
                }
                // A called function may write any register.
                let is_lost = match flow {
                    Some(WarpFlow::Call) => true,
                    Some(flow) => flow.splits() && !instruction.is_conditional(),
                    None => false,
                };
                match is_lost {
                    true => registers.clear(),
                    false => copies += found.follow(index, instruction, first, &mut registers),
                }
                if copies > MAX_COPIES {
                    return Self::default();
                }
            }
        }
        found
    }

    /// Type of the numbers of a parameter, if all uses agree.
    pub(super) fn numbers(&self, offset: u32, size: u32) -> Option<Inferred> {
        let found = self.parameter(offset)?;
        let step = u32::from(found.ty.bytes()).max(4);
        let mut others = (offset..offset + size.min(8)).step_by(to_usize(step));
        let is_same = |other| {
            let other = self.parameter(other);
            other.is_some_and(|other| other.ty == found.ty)
        };
        (size <= 8 && size.is_multiple_of(found.ty.bytes().into()) && others.all(is_same))
            .then_some(found)
    }

    /// The first opcode that reads a parameter of at most eight bytes as an integer, if it has
    /// no other use.
    pub(super) fn integer(&self, offset: u32, size: u32) -> Option<&'static str> {
        let words = (offset..offset + size.min(8)).step_by(4);
        let uses = words.filter_map(|word| self.uses.get(&Subject::Parameter(word)));
        let mut uses = uses.flatten();
        let (_, opcode) = uses.clone().next().filter(|_| size <= 8)?;
        uses.all(|(of, _)| *of == Use::Integer).then_some(*opcode)
    }

    /// Type of the elements that the parameter at an offset points to, if all accesses agree.
    /// Arithmetic with the bits of a float does not make it an integer.
    pub(super) fn elements(&self, offset: u32) -> Option<Inferred> {
        let mut uses = self
            .uses
            .iter()
            .filter_map(|(subject, uses)| match subject {
                Subject::Element(element) if element.pointer == offset => uses.last_key_value(),
                _ => None,
            });
        let (of, opcode) = uses.next()?;
        uses.all(|(other, _)| other == of)
            .then(|| of.inferred(opcode))?
    }

    /// Whether the parameter at an offset is an address or number of 64 bits.
    pub(super) fn is_wide(&self, offset: u32) -> bool {
        let number = self.parameter(offset);
        self.pointers.contains(&offset) || number.is_some_and(|number| number.ty.bytes() == 8)
    }

    /// Whether the words at an offset of eight bytes are two parameters.
    pub(super) fn is_pair(&self, offset: u32) -> bool {
        self.pairs.contains(&offset)
    }

    fn parameter(&self, offset: u32) -> Option<Inferred> {
        let uses = self.uses.get(&Subject::Parameter(offset))?;
        let (of, opcode) = uses.first_key_value().filter(|_| uses.len() == 1)?;
        of.inferred(opcode)
    }

    fn note(&mut self, subject: Subject, of: Use, opcode: &'static str) {
        let uses = self.uses.entry(subject).or_default();
        uses.entry(of).or_insert(opcode);
    }

    /// Adds the uses of an instruction, and updates the registers that it writes. Returns the
    /// number of origins that it copies.
    fn follow(
        &mut self,
        index: u32,
        instruction: &SassInstruction,
        first: u32,
        registers: &mut Registers,
    ) -> usize {
        let written: Vec<LaneRegister> = instruction.written_registers().collect();
        let mut results = vec![Origins::new(); written.len()];
        match instruction.op.class {
            Class::Memory(kind) if matches!(kind.window, Window::Global | Window::Generic) => {
                if let Some(pointer) = pointer(instruction, registers) {
                    self.pointers.insert(pointer);
                    let words = (0..).map(|word| Element {
                        pointer,
                        instruction: index,
                        word,
                    });
                    match kind.action {
                        Action::Load => {
                            for (result, element) in results.iter_mut().zip(words) {
                                result.insert(Origin::Element(element));
                            }
                        }
                        _ => self.write(instruction, words, registers),
                    }
                }
            }
            Class::Alu(_) => self.compute(instruction, first, registers, &mut results),
            _ => {}
        }
        let copies = results.iter().map(Origins::len).sum();
        for (register, origins) in written.into_iter().zip(results) {
            let known = registers.entry(register).or_default();
            if !instruction.is_guarded() {
                known.clear();
            }
            known.extend(origins);
        }
        copies
    }

    /// Notes the types of the words that a store or atomic writes.
    fn write(
        &mut self,
        instruction: &SassInstruction,
        words: impl Iterator<Item = Element>,
        registers: &Registers,
    ) {
        let moved = instruction.moved_type();
        let values = instruction.sources().iter().flat_map(SassSource::registers);
        for (value, element) in values.zip(words) {
            let subject = Subject::Element(element);
            for of in [Use::Float, Use::Double] {
                let opcode = instruction.op.spec.name;
                if of
                    .inferred(opcode)
                    .is_some_and(|inferred| inferred.ty == moved)
                {
                    self.note(subject, of, opcode);
                }
            }
            for origin in registers.get(&value).into_iter().flatten() {
                if let Origin::Result(of, opcode) = origin {
                    self.note(subject, *of, opcode);
                }
            }
        }
    }

    /// Notes the uses of the sources of an expression. Adds what is known about its results,
    /// one for each register.
    fn compute(
        &mut self,
        instruction: &SassInstruction,
        first: u32,
        registers: &Registers,
        results: &mut [Origins],
    ) {
        let Some(dependences) = instruction.dependences() else {
            return;
        };
        if results.len() == 4 {
            // They are copies of two sources.
            let sources = instruction.sources().iter();
            let copied = sources.flat_map(|source| words(source, first, registers));
            for (result, origins) in results.iter_mut().zip(copied) {
                result.extend(origins);
            }
            return;
        }
        let opcode = instruction.op.spec.name;
        for (source, dependence) in instruction.sources().iter().zip(dependences) {
            let words = words(source, first, registers);
            if let Some(is_signed) = instruction.signed_comparison()
                && source.kind() == Kind::Int
            {
                // Of 64 bits, the lower half is compared without a sign, the upper one with it.
                let of_pair = words.iter().flatten().filter_map(|origin| match origin {
                    Origin::Word(offset) if is_signed == offset.is_multiple_of(8) => {
                        Some(offset & !7)
                    }
                    _ => None,
                });
                self.pairs.extend(of_pair);
            }
            if dependence != Dependence::Copy
                && let Some(of) = Use::of(source.kind())
            {
                for origin in words.iter().flatten() {
                    match origin {
                        Origin::Word(offset) => {
                            self.note(Subject::Parameter(*offset), of, opcode);
                        }
                        Origin::Element(element) => {
                            self.note(Subject::Element(*element), of, opcode);
                        }
                        Origin::Sum(_) | Origin::Result(..) => {}
                    }
                }
            }
            for (result, origins) in results.iter_mut().zip(words) {
                match dependence {
                    Dependence::Copy => result.extend(origins),
                    Dependence::Addend => {
                        result.extend(origins.into_iter().filter_map(term).map(Origin::Sum));
                    }
                    Dependence::Other => {}
                }
            }
        }
        // Compilers load constants with any opcode.
        let is_number = |source: &SassSource| matches!(source.place, SourcePlace::Number(_));
        let is_constant = instruction.sources().iter().all(is_number);
        if !(is_constant || dependences.contains(&Dependence::Copy)) {
            let of = instruction.result_kind().and_then(Use::of);
            for result in results {
                result.extend(of.map(|of| Origin::Result(of, opcode)));
            }
        }
    }
}

/// Origins of the words of a source.
fn words(source: &SassSource, first: u32, registers: &Registers) -> Vec<Origins> {
    match source.place {
        SourcePlace::Constant(0, offset, None) if offset >= first => {
            let offsets = (offset & !3..).step_by(4);
            let words = offsets.take(usize::from(source.kind().bytes() / 4));
            words
                .map(|word| Origins::from([Origin::Word(word)]))
                .collect()
        }
        _ => {
            let words = source.registers();
            words
                .map(|word| registers.get(&word).cloned().unwrap_or_default())
                .collect()
        }
    }
}

/// The word of the parameters that is a term of a value.
fn term(origin: Origin) -> Option<u32> {
    match origin {
        Origin::Word(offset) | Origin::Sum(offset) => Some(offset),
        Origin::Element(_) | Origin::Result(..) => None,
    }
}

/// The parameter whose two words are part of the address of a memory instruction, if it is the
/// only one.
fn pointer(instruction: &SassInstruction, registers: &Registers) -> Option<u32> {
    let address = instruction.address_registers();
    let origins = address
        .filter_map(|register| registers.get(&register))
        .flatten();
    let words: BTreeSet<u32> = origins.copied().filter_map(term).collect();
    let is_low = |offset: &&u32| offset.is_multiple_of(8) && words.contains(&(**offset + 4));
    let mut pointers = words.iter().filter(is_low);
    pointers
        .next()
        .copied()
        .filter(|_| pointers.next().is_none())
}

/// Merges the state of another path. Returns the number of its origins.
fn join(registers: &mut Registers, others: &Registers) -> usize {
    for (register, origins) in others {
        registers.entry(*register).or_default().extend(origins);
    }
    others.values().map(Origins::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType::{Df, F};

    const FIRST: u32 = 0x160;

    fn inference(code: &str) -> Inference {
        let lines = code
            .split(';')
            .map(str::trim)
            .filter(|line| !line.is_empty());
        Inference::of(lines, Chip::Sm80, FIRST)
    }

    /// Type of the parameter at 0x170 with a size.
    #[track_caller]
    fn check_number(code: &str, size: u32, ty: Option<ElementType>) {
        let found = inference(code).numbers(0x170, size);
        assert_eq!(found.map(|inferred| inferred.ty), ty, "{code}");
    }

    /// Type of the elements that the parameter at 0x160 points to.
    #[track_caller]
    fn check_elements(code: &str, ty: Option<ElementType>) {
        let found = inference(code).elements(FIRST);
        assert_eq!(found.map(|inferred| inferred.ty), ty, "{code}");
    }

    #[test]
    fn code_with_too_many_ways_has_no_inferred_types() {
        let way = "@P0 LDG.E R4, [R2.64]; @P0 MOV R5, R4; @P0 BRA `(.L_1);";
        let code = format!(
            "MOV R2, c[0x0][0x160]; MOV R3, c[0x0][0x164]; .L_1:; {} FADD R6, R5, R5",
            way.repeat(1_000)
        );
        check_elements(&code.replace("@P0 BRA `(.L_1);", ""), Some(F));
        check_elements(&code, None);
    }

    #[test]
    fn the_opcode_that_reads_a_parameter_gives_its_type() {
        for (code, size, ty) in [
            ("FFMA R0, R1, c[0x0][0x170], R2", 4, Some(F)),
            ("FADD R0, R1, -|c[0x0][0x170]|", 4, Some(F)),
            ("FSETP.GT.AND P0, PT, R1, c[0x0][0x170], PT", 4, Some(F)),
            ("DFMA R0, R2, c[0x0][0x170], R4", 8, Some(Df)),
            ("DADD R0, R2, c[0x0][0x170]", 4, None),
            ("HFMA2 R0, R1, c[0x0][0x170], R2", 4, None),
            ("HADD2.F32 R0, -RZ, c[0x0][0x170].H0_H0", 4, None),
            ("F2F.F64.F32 R2, c[0x0][0x170]", 4, Some(F)),
            ("I2F R0, c[0x0][0x170]", 4, None),
            ("IADD3 R0, R1, c[0x0][0x170], RZ", 4, None),
            ("LOP3.LUT R0, R1, c[0x0][0x170], RZ, 0xc0, !PT", 4, None),
            // Both words of a structure, and one of them.
            (
                "FADD R0, R1, c[0x0][0x170]; FADD R0, R1, c[0x0][0x174]",
                8,
                Some(F),
            ),
            ("FADD R0, R1, c[0x0][0x170]", 8, None),
            // Other banks, and addresses with a register.
            ("FADD R0, R1, c[0x3][0x170]", 4, None),
            ("FADD R0, R1, c[0x0][R2+0x170]", 4, None),
            // Uses that contradict each other.
            (
                "FADD R0, R1, c[0x0][0x170]; IADD3 R0, R1, c[0x0][0x170], RZ",
                4,
                None,
            ),
        ] {
            check_number(code, size, ty);
        }
        let found = inference("FADD R0, R1, R2; FMUL R0, R1, c[0x0][0x170]").numbers(0x170, 4);
        assert_eq!(found.map(|inferred| inferred.opcode), Some("FMUL"));
    }

    #[test]
    fn words_compared_as_32_bits_are_two_parameters() {
        const LOAD: &str = "ULDC.64 UR4, c[0x0][0x170]; ";
        for (code, is_pair) in [
            ("ISETP.GE.AND P0, PT, R0, UR4, PT", true),
            ("ISETP.GE.U32.AND P0, PT, R0, UR5, PT", true),
            ("MOV R3, UR4; @P1 ISETP.LT.OR P0, PT, R3, 0x1, !P0", true),
            // Of a comparison of 64 bits, and of a sign.
            (
                "ISETP.GE.U32.AND P0, PT, R0, UR4, PT; ISETP.GE.AND.EX P0, PT, R1, UR5, PT, P0",
                false,
            ),
            ("ISETP.GE.U32.AND.EX P0, PT, R1, UR5, PT, P0", false),
            ("ISETP.GE.AND P0, PT, RZ, UR5, PT", false),
            ("FSETP.GE.AND P0, PT, R0, UR4, PT", false),
            ("IADD3 R0, R1, UR4, RZ", false),
        ] {
            let found = inference(&format!("{LOAD}{code}"));
            assert_eq!(found.is_pair(0x170), is_pair, "{code}");
            assert!(!found.is_pair(0x168), "{code}");
        }
    }

    #[test]
    fn integers_have_no_other_use() {
        for (code, size, opcode) in [
            (
                "ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT",
                4,
                Some("ISETP"),
            ),
            (
                "MOV R5, c[0x0][0x170]; IMAD R0, R1, R5, R2",
                4,
                Some("IMAD"),
            ),
            ("IADD3 R0, R1, c[0x0][0x174], RZ", 8, Some("IADD3")),
            ("FADD R0, R1, c[0x0][0x170]", 4, None),
            ("HADD2 R0, R1, c[0x0][0x170]", 4, None),
            ("MOV R0, c[0x0][0x170]", 4, None),
            // The bits of a float.
            ("LOP3.LUT R0, R1, c[0x0][0x170], RZ, 0xc0, !PT", 4, None),
            (
                "IADD3 R0, R1, c[0x0][0x170], RZ; FADD R0, R1, c[0x0][0x170]",
                4,
                None,
            ),
        ] {
            let found = inference(code).integer(0x170, size);
            assert_eq!(found, opcode, "{code}");
        }
    }

    #[test]
    fn copies_of_a_parameter_are_followed() {
        for (code, size, ty) in [
            ("MOV R5, c[0x0][0x170]; FADD R0, R1, R5", 4, Some(F)),
            (
                "IMAD.MOV.U32 R5, RZ, RZ, c[0x0][0x170]; FADD R0, R1, R5",
                4,
                Some(F),
            ),
            ("ULDC UR5, c[0x0][0x170]; FADD R0, R1, UR5", 4, Some(F)),
            (
                "LDC R5, c[0x0][0x170]; MOV R6, R5; FADD R0, R1, R6",
                4,
                Some(F),
            ),
            ("ULDC.64 UR4, c[0x0][0x170]; DADD R0, R2, UR4", 8, Some(Df)),
            ("ULDC.64 UR4, c[0x0][0x170]; FADD R0, R2, UR4", 4, Some(F)),
            (
                "MOV R5, c[0x0][0x170]; SEL R6, R5, RZ, P0; FADD R0, R1, R6",
                4,
                Some(F),
            ),
            (
                "MOV R5, c[0x0][0x170]; FADD R0, R1, R5; IADD3 R2, R5, R5, RZ",
                4,
                None,
            ),
            // Neither the register nor the sum is the parameter any longer.
            (
                "MOV R5, c[0x0][0x170]; MOV R5, R4; FADD R0, R1, R5",
                4,
                None,
            ),
            ("IADD3 R5, R5, c[0x0][0x170], RZ; FADD R0, R1, R5", 4, None),
            ("IMNMX R5, R4, c[0x0][0x170], PT; FADD R0, R1, R5", 4, None),
            // Only some lanes have another value.
            (
                "MOV R5, c[0x0][0x170]; @P0 MOV R5, R4; FADD R0, R1, R5",
                4,
                Some(F),
            ),
            (
                "MOV R5, c[0x0][0x170]; @P0 BRA `(L); MOV R5, R4; L:; FADD R0, R1, R5",
                4,
                Some(F),
            ),
            (
                "BRA `(L); M:; FADD R0, R1, R5; EXIT; L:; MOV R5, c[0x0][0x170]; BRA `(M)",
                4,
                Some(F),
            ),
            (
                "MOV R5, c[0x0][0x170]; BRA `(L); FADD R0, R1, R5; L:; EXIT",
                4,
                None,
            ),
            // What is not reached, or may have been overwritten.
            (
                "MOV R5, c[0x0][0x170]; BRX R2 -0x10; FADD R0, R1, R5",
                4,
                None,
            ),
            (
                "MOV R5, c[0x0][0x170]; UNKNOWN R5, R1; FADD R0, R1, R5",
                4,
                None,
            ),
            (
                "MOV R5, c[0x0][0x170]; CALL.REL.NOINC `(L); FADD R0, R1, R5; L:; EXIT",
                4,
                None,
            ),
        ] {
            check_number(code, size, ty);
        }
    }

    #[test]
    fn values_are_lost_where_old_chips_leave_or_call() {
        for code in [
            "SSY `(L); MOV R5, c[0x0][0x148]; SYNC; L:; FADD R0, R1, R5",
            "MOV R5, c[0x0][0x148]; CAL `(L); FADD R0, R1, R5; EXIT; L:; MOV R5, R4; RET",
            // Selected by a float.
            "FCMP.LT R5, c[0x0][0x148], R4, R6; STG.E [R2], R5",
        ] {
            let lines = code.split(';').map(str::trim);
            let found = Inference::of(lines, Chip::Sm50, 0x140);
            assert_eq!(found.numbers(0x148, 4), None, "{code}");
        }
    }

    #[test]
    fn accesses_give_the_type_of_elements() {
        let address = "IMAD.WIDE R2, R0, R1, c[0x0][0x160]";
        for (code, ty) in [
            ("LDG.E R4, [R2.64]; FADD R5, R4, R6", Some(F)),
            ("LDG.E R4, [R2.64]; MOV R7, R4; FADD R5, R7, R6", Some(F)),
            ("LDG.E.64 R4, [R2.64]; DADD R6, R4, R8", Some(Df)),
            ("LDG.E.64 R4, [R2.64]; FADD R6, R4, R5", Some(F)),
            ("LDG.E R4, [R2.64]; HADD2 R5, R4, R6", None),
            ("LDG.E R4, [R2.64]; I2F R5, R4", None),
            ("FADD R4, R5, R6; STG.E [R2.64], R4", Some(F)),
            ("DADD R4, R6, R8; STG.E.64 [R2.64], R4", Some(Df)),
            ("RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R2.64], R4", Some(F)),
            ("RED.E.ADD.STRONG.GPU [R2.64], R4", None),
            ("MOV R4, 0x3f800000; STG.E [R2.64], R4", None),
            // A constant that another opcode loads.
            ("HFMA2.MMA R4, -RZ, RZ, 0, 1; STG.E [R2.64], R4", None),
            // The bits of a float in a root, but a structure with an integer.
            (
                "LDG.E R4, [R2.64]; IADD3 R5, R4, 0x1, RZ; FADD R5, R4, R6",
                Some(F),
            ),
            (
                "LDG.E.64 R4, [R2.64]; FADD R6, R4, R6; IADD3 R5, R5, 0x1, RZ",
                None,
            ),
            // The address is that of a sum, and of one parameter only.
            (
                "IADD3 R2, P0, R2, 0x4, RZ; LDG.E R4, [R2.64]; FADD R5, R4, R6",
                Some(F),
            ),
            (
                "ULDC.64 UR4, c[0x0][0x168]; LDG.E R4, [R2.64+UR4]; FADD R5, R4, R6",
                None,
            ),
            ("LDS R4, [R2]; FADD R5, R4, R6", None),
        ] {
            check_elements(&format!("{address}; {code}"), ty);
        }
        let halves =
            "IADD3 R2, P0, R0, c[0x0][0x160], RZ; IADD3.X R3, R1, c[0x0][0x164], RZ, P0, !PT";
        check_elements(
            &format!("{halves}; LDG.E R4, [R2.64]; FADD R5, R4, R6"),
            Some(F),
        );
    }
}

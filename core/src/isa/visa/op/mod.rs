//! The opcode table and the instruction type for all of its opcodes.
//!
//! A row of [`OPS`] defines the format and behavior of an opcode. The format drives
//! parsing, printing, layout, completion and the splitting of vISA objects. An
//! instruction consists of a row and its arguments.

mod block2d;
mod constraints;
mod dataflow;
mod facts;
pub mod format;
mod lint;
mod lsc;
mod lsc_text;
mod memory;
pub mod message;
mod operands;
mod plan;
mod semantics;
mod table;
mod text;

pub use constraints::Constraints;
pub use format::{Format, Slot};
pub use table::OPS;

use super::compute::Computation;
use super::declarations::Declarations;
pub use super::declarations::LabelId;
use super::execution::{ExecSize, Execution};
use super::predefined::is_text_only;
use super::raw_operand::{RawOperand, VariableId};
use super::surface::Surface;
use super::vector::{DirectOperand, Region, VectorOperand};
use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor};
use crate::diagnostic::to_u32;
use crate::isa::schema::Words;
use crate::isa::{Fact, Spec};
use crate::number::parse_integer;
use crate::text::SyntaxPart;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use constraints::Requirement;
use core::cell::OnceCell;
use message::Message;
use plan::Plan;

/// The largest ID of a predicate that the encoding can hold.
const MAX_ENCODED_PREDICATE: u16 = 0xfff;

/// A row of the opcode table.
#[derive(Debug)]
pub struct VisaOp {
    /// Names, opcode, syntax and documentation.
    pub spec: Spec,
    /// Encoding and syntax.
    pub format: &'static Format,
    /// Whether `.sat` may follow the mnemonic.
    pub saturates: bool,
    /// How it executes.
    pub behavior: Behavior,
    /// What is documented and accepted.
    pub constraints: Constraints,
}

/// Finds the row of a spec; `None` if the spec is not in the table.
#[must_use]
pub fn of_spec(spec: &'static Spec) -> Option<&'static VisaOp> {
    OPS.iter().find(|op| core::ptr::eq(&op.spec, spec))
}

/// The rows whose opcode starts with a byte; the table is sorted by it.
#[must_use]
pub fn of_first_byte(byte: u8) -> &'static [VisaOp] {
    let first = |op: &VisaOp| op.spec.opcodes[0].first_byte();
    let start = OPS.partition_point(|op| first(op) < byte);
    let rest = &OPS[start..];
    &rest[..rest.partition_point(|op| first(op) == byte)]
}

/// Finds a row by mnemonic, such as `lsc_load` or `lsc_load.tgm`.
#[must_use]
pub fn named(mnemonic: &str) -> Option<&'static VisaOp> {
    OPS.iter().find(|op| {
        let mut mnemonics = op.spec.mnemonics.iter();
        mnemonics.any(|known| known.eq_ignore_ascii_case(mnemonic))
    })
}

/// How an instruction executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// Computes elements, predicates, addresses or surface variables.
    Compute(Computation),
    /// Performs loads, stores or atomics per lane.
    Message(Message),
    /// Changes the control flow.
    Flow(FlowKind),
    /// Has no effect in Lanewise, for the given reason.
    NoEffect(&'static Fact),
    /// Orders accesses, which are in order in Lanewise, for the given reason.
    Fence(FenceSpaces, &'static Fact),
    /// Relates the following instructions to the source text.
    SourceMark(SourceMark),
    /// Parsed, printed and encoded, but faults when executed.
    NotModelled,
}

/// The memory that a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceSpaces {
    /// Global memory, for all threads of the device.
    Global,
    /// Shared local memory.
    Local,
    /// That of the message, with its scope.
    OfMessage,
    /// None: it only keeps the compiler from moving accesses.
    Compiler,
}

/// Part of a position in the source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceMark {
    /// `FILE`.
    File,
    /// `LOC`.
    Line,
}

/// Kind of control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowKind {
    /// `jmp`: like `goto`, but legal only if no channel waits before the target.
    Jump,
    /// `goto`.
    Goto,
    /// `call`, `fcall`.
    Call,
    /// `ifcall`: a call by address.
    IndirectCall,
    /// `ret`, `fret`.
    Return,
    /// `switchjmp`.
    Switch,
    /// `barrier`, `sbarrier.wait`: waits for the other threads of the work-group.
    Barrier,
    /// `nbarrier.signal`.
    NamedSignal,
    /// `nbarrier.wait`.
    NamedWait,
}

impl FlowKind {
    /// Whether threads synchronize, and the channels of each stay together.
    #[must_use]
    pub const fn synchronizes(self) -> bool {
        matches!(self, Self::Barrier | Self::NamedSignal | Self::NamedWait)
    }
}

/// Base of the function addresses used by `faddr` and `ifcall`: function n has this
/// address + n. The range is not mapped.
pub const FUNCTION_ADDRESSES: u64 = 0xffff_f000_0000;

/// Maximum number of labels of a `switchjmp`, limited to 32 by the document.
pub const MAX_LABELS: usize = 32;

/// Number of labels in a list.
#[derive(Clone, Copy)]
struct LabelCount(u8);

impl BitField for LabelCount {
    fn to_bits(self) -> u64 {
        u64::from(self.0)
    }
    fn from_bits(bits: u64) -> Option<Self> {
        let count = u8::try_from(bits).ok()?;
        (usize::from(count) <= MAX_LABELS).then_some(Self(count))
    }
}

/// A text in the string pool of an object.
#[derive(Clone, Copy, Debug, Default)]
pub struct PooledText {
    /// Index in the pool.
    pub index: u32,
    /// The label of this name; 0 if none or unknown.
    pub label: LabelId,
}

impl PooledText {
    /// Address of the data or function with this name.
    fn address(self, symbols: &Declarations) -> Option<u64> {
        let data = symbols
            .text_at(self.index)
            .and_then(|name| symbols.data_address(name));
        let function = || {
            let is_defined = symbols.label_name(self.label).is_some();
            is_defined.then(|| FUNCTION_ADDRESSES + u64::from(self.label.0))
        };
        data.or_else(function)
    }
}

impl PartialEq for PooledText {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for PooledText {}

/// The variable of a `lifetime`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnyVariable {
    /// 0 for general, 1 for address, 2 for predicate.
    pub kind: u8,
    pub id: u32,
}

/// Value of one field of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// For a field that has no separate value: execution, predicate, fixed bits.
    None,
    /// A vector operand.
    Vector(VectorOperand),
    /// A raw operand.
    Raw(RawOperand),
    Surface(Surface),
    /// A number, or the code of a suffix.
    Code(u64),
    /// A label or function.
    Label(LabelId),
    /// The labels of a `switchjmp`.
    Labels(Vec<LabelId>),
    /// The name of a function or file.
    Text(PooledText),
    /// The variable of a `lifetime`.
    Variable(AnyVariable),
    /// Verbatim operands.
    Rest(String),
}

/// An instruction of the opcode table.
#[derive(Debug)]
pub struct VisaInstruction {
    pub op: &'static VisaOp,
    /// Execution size, mask and predicate.
    pub execution: Execution,
    /// The value of each field of the format.
    arguments: Vec<Argument>,
    /// Data shared by all issues, made by the first one.
    plan: OnceCell<Box<Plan>>,
}

impl Clone for VisaInstruction {
    /// The copy makes its own plan: it may become part of another program.
    fn clone(&self) -> Self {
        Self {
            op: self.op,
            execution: self.execution,
            arguments: self.arguments.clone(),
            plan: OnceCell::new(),
        }
    }
}

impl PartialEq for VisaInstruction {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.op, other.op)
            && self.execution == other.execution
            && self.arguments == other.arguments
    }
}

impl Eq for VisaInstruction {}

impl Slot {
    const fn part(&self) -> Option<SyntaxPart> {
        match self {
            Self::Code { part, .. }
            | Self::Raw(part, _)
            | Self::Text(part, _)
            | Self::TextVector(part)
            | Self::TextCode(part, _)
            | Self::Label(part) => Some(*part),
            Self::Vector(names) => Some(names.part),
            Self::Surface => Some(SyntaxPart::Surface),
            Self::Labels => Some(SyntaxPart::Label),
            Self::Variable | Self::Rest => Some(SyntaxPart::Src0),
            Self::Execution
            | Self::Predicate
            | Self::Blocks
            | Self::GatherLanes
            | Self::Ignored { .. }
            | Self::Fixed { .. }
            | Self::LabelCount => None,
        }
    }

    fn default(&self) -> Argument {
        match self {
            Self::Execution
            | Self::Predicate
            | Self::Blocks
            | Self::GatherLanes
            | Self::Ignored { .. }
            | Self::Fixed { .. }
            | Self::LabelCount => Argument::None,
            Self::Code { words, .. } => Argument::Code(words.first()),
            Self::Vector(names) if matches!(names.part, SyntaxPart::Dst | SyntaxPart::Carry) => {
                let null = DirectOperand::start_of(VariableId(0), Region::DESTINATION);
                Argument::Vector(VectorOperand::Direct(null))
            }
            Self::Vector(..) | Self::TextVector(_) => Argument::Vector(VectorOperand::NULL),
            Self::TextCode(..) => Argument::Code(0),
            Self::Raw(..) => Argument::Raw(RawOperand::NULL),
            Self::Surface => Argument::Surface(Surface(0)),
            Self::Label(_) => Argument::Label(LabelId(0)),
            Self::Labels => Argument::Labels(Vec::new()),
            Self::Text(..) => Argument::Text(PooledText::default()),
            Self::Variable => Argument::Variable(AnyVariable::default()),
            Self::Rest => Argument::Rest(String::new()),
        }
    }
}

impl Words {
    /// The code of the first word.
    fn first(self) -> u64 {
        match self {
            Self::Codes([(_, first), ..]) => u64::from(*first),
            Self::Flags { base, .. } => u64::from(base),
            _ => 0,
        }
    }

    /// The word of a code, if any.
    fn text(self, code: u64) -> Option<String> {
        match self {
            Self::Codes(words) => {
                let mut found = words.iter().filter(|(_, known)| u64::from(*known) == code);
                found.next().map(|(word, _)| String::from(*word))
            }
            Self::Flags { base, letters } => {
                let mut left = code.checked_sub(u64::from(base))?;
                let mut text = String::new();
                for (letter, flag) in letters {
                    if left & u64::from(*flag) != 0 {
                        left -= u64::from(*flag);
                        text.push_str(letter);
                    }
                }
                (left == 0).then_some(text)
            }
            Self::Hexadecimal => Some(format!("x{code:x}")),
            Self::Decimal => Some(format!("{code}")),
            Self::Operations | Self::Listed(_) | Self::Computed(_) | Self::Dropped(_) => None,
        }
    }

    /// The code of a word.
    fn code(self, word: &str) -> Option<u64> {
        match self {
            Self::Codes(words) => {
                let mut found = words.iter().filter(|(w, _)| w.eq_ignore_ascii_case(word));
                found.next().map(|(_, code)| u64::from(*code))
            }
            Self::Flags { base, letters } => {
                let (mut left, mut code) = (word, u64::from(base));
                for (letter, flag) in letters {
                    let head = left.get(..letter.len()).unwrap_or("");
                    if head.eq_ignore_ascii_case(letter) {
                        left = left.get(letter.len()..).unwrap_or_default();
                        code += u64::from(*flag);
                    }
                }
                (left.is_empty() && !word.is_empty()).then_some(code)
            }
            Self::Hexadecimal => {
                let digits = word.strip_prefix(['x', 'X'])?;
                // The real assembler keeps the low eight bits.
                u64::from_str_radix(digits, 16).ok().map(|code| code & 0xff)
            }
            Self::Decimal => parse_integer(word).ok().filter(|code| *code <= 0xff),
            Self::Operations | Self::Listed(_) | Self::Computed(_) | Self::Dropped(_) => None,
        }
    }
}

/// Execution size and mask of `gather` and `scatter`: 8, 16 or 1 lanes.
#[derive(Clone, Copy)]
struct GatherSize(ExecSize);

impl GatherSize {
    const LANES: [u8; 3] = [8, 16, 1];
}

impl BitField for GatherSize {
    fn to_bits(self) -> u64 {
        let lanes = Self::LANES.iter().position(|n| *n == self.0.lanes());
        // Other sizes are written as 16 lanes, as in the real assembler.
        lanes.map_or(1, |code| u64::from(to_u32(code)))
    }
    fn from_bits(bits: u64) -> Option<Self> {
        let lanes = Self::LANES.get(usize::try_from(bits).ok()?)?;
        ExecSize::of_lanes(u64::from(*lanes)).map(Self)
    }
    fn meaning(self, symbols: &dyn SymbolResolver) -> String {
        self.0.meaning(symbols)
    }
}

impl VisaInstruction {
    /// The instruction of a row with null operands.
    #[must_use]
    pub fn new(op: &'static VisaOp) -> Self {
        let mut this = Self {
            op,
            execution: Execution::default(),
            arguments: op.format.fields.iter().map(Slot::default).collect(),
            plan: OnceCell::new(),
        };
        if let Some(size) = op.constraints.atomic_size() {
            this.set_field(lsc::name::SIZE, size);
        }
        this
    }

    /// The value of an operand or suffix, if the format has it.
    #[must_use]
    pub fn argument(&self, part: SyntaxPart) -> Option<&Argument> {
        let mut fields = self.op.format.fields.iter();
        let index = fields.position(|slot| slot.part() == Some(part))?;
        self.arguments.get(index)
    }

    fn argument_mut(&mut self, part: SyntaxPart) -> Option<&mut Argument> {
        self.plan.take();
        let mut fields = self.op.format.fields.iter();
        let index = fields.position(|slot| slot.part() == Some(part))?;
        self.arguments.get_mut(index)
    }

    fn field_index(&self, field: &str) -> Option<usize> {
        let mut fields = self.op.format.fields.iter();
        fields.position(|slot| match slot {
            Slot::Code { name, .. } | Slot::TextCode(_, name) => *name == field,
            _ => false,
        })
    }

    /// The number in a field, by name; `None` if the format lacks the field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<u64> {
        match self.arguments.get(self.field_index(name)?)? {
            Argument::Code(code) => Some(*code),
            _ => None,
        }
    }

    /// The number in a field that the format has.
    fn expect_field(&self, name: &str) -> u64 {
        self.field(name).expect("the format has the field")
    }

    /// Sets the number in a field; returns whether the format has the field.
    fn set_field(&mut self, name: &str, code: u64) -> bool {
        self.plan.take();
        let index = self.field_index(name);
        let argument = index.and_then(|index| self.arguments.get_mut(index));
        argument
            .map(|argument| *argument = Argument::Code(code))
            .is_some()
    }

    /// Sets an operand.
    fn set(&mut self, part: SyntaxPart, argument: Argument) {
        let place = self.argument_mut(part);
        *place.expect("a format lists its operands") = argument;
    }

    /// The raw operand of a part.
    #[must_use]
    pub fn raw(&self, part: SyntaxPart) -> Option<RawOperand> {
        match self.argument(part)? {
            Argument::Raw(raw) => Some(*raw),
            _ => None,
        }
    }

    /// The general variables of the operands, with the parts that name them.
    fn variables(&self) -> impl Iterator<Item = (SyntaxPart, VariableId)> {
        let fields = self.op.format.fields.iter().zip(&self.arguments);
        fields.filter_map(|(slot, argument)| {
            let id = match argument {
                Argument::Raw(raw) => raw.id,
                Argument::Vector(VectorOperand::Direct(direct)) => direct.id,
                _ => return None,
            };
            Some((slot.part()?, id))
        })
    }

    fn requires(&self, requirement: Requirement) -> bool {
        self.op.constraints.requirements.contains(&requirement)
    }

    /// Whether the encoding is known.
    #[must_use]
    pub fn has_encoding(&self) -> bool {
        let has_number = |(_, id): (_, VariableId)| !is_text_only(id.0);
        if self.execution.predicate.id.0 > MAX_ENCODED_PREDICATE
            || !self.variables().all(has_number)
        {
            return false;
        }
        let mut fields = self.op.format.fields.iter().zip(&self.arguments);
        fields.all(|(slot, argument)| match slot {
            Slot::Rest => false,
            Slot::TextVector(_) | Slot::TextCode(..) => *argument == slot.default(),
            _ => match argument {
                Argument::Vector(VectorOperand::Predicate(predicate)) => {
                    predicate.id.0 <= MAX_ENCODED_PREDICATE
                }
                _ => true,
            },
        })
    }

    /// The vector operand of a part.
    #[must_use]
    pub fn vector(&self, part: SyntaxPart) -> Option<VectorOperand> {
        match self.argument(part)? {
            Argument::Vector(vector) => Some(*vector),
            _ => None,
        }
    }

    /// The number or suffix code of a part.
    #[must_use]
    pub fn code(&self, part: SyntaxPart) -> Option<u64> {
        match self.argument(part)? {
            Argument::Code(code) => Some(*code),
            _ => None,
        }
    }

    /// The number or suffix code of a part that the format has.
    fn expect_code(&self, part: SyntaxPart) -> u64 {
        self.code(part).expect("the format has the part")
    }

    /// The possible branch targets.
    #[must_use]
    pub fn targets(&self) -> &[LabelId] {
        let mut targets = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Label(label) => Some(core::slice::from_ref(label)),
            Argument::Labels(labels) => Some(labels.as_slice()),
            Argument::Text(text) => Some(core::slice::from_ref(&text.label)),
            _ => None,
        });
        targets.next().unwrap_or(&[])
    }

    /// Whether the result is clamped to the range of the destination.
    #[must_use]
    pub fn saturates(&self) -> bool {
        self.vector(SyntaxPart::Dst)
            .is_some_and(|dst| dst.modifier().saturates())
    }

    /// Visits the fields.
    ///
    /// # Errors
    /// If a decoder finds undefined bits.
    pub fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        self.op.spec.opcodes[0].layout_leading(v)?;
        let mut labels = self.targets().len();
        let op = self.op;
        for (slot, argument) in op.format.fields.iter().zip(&mut self.arguments) {
            match (slot, argument) {
                (Slot::Execution, _) => self.execution.size_layout(v)?,
                (Slot::Predicate, _) => {
                    self.execution.predicate.layout(SyntaxPart::Predicate, v)?;
                }
                (Slot::Fixed { name, width, value }, _) => {
                    v.fixed(SyntaxPart::Opcode, name, *width, *value)?;
                }
                (
                    Slot::Code {
                        part,
                        name,
                        width,
                        words,
                    },
                    Argument::Code(code),
                ) => {
                    let words = *words;
                    v.listed(*part, name, *width, code, &|code| words.text(code))?;
                }
                (Slot::Blocks, _) => {
                    v.field(SyntaxPart::ExecSize, "Blocks", 8, &mut self.execution.size)?;
                }
                (Slot::GatherLanes, _) => {
                    let mut size = GatherSize(self.execution.size);
                    v.field(SyntaxPart::ExecSize, "Lanes", 4, &mut size)?;
                    self.execution.size = size.0;
                    v.field(SyntaxPart::Mask, "Exec mask", 4, &mut self.execution.mask)?;
                }
                (Slot::Ignored { name, width }, _) => v.ignored(name, *width)?,
                (Slot::Rest | Slot::TextVector(_) | Slot::TextCode(..), _) => {}
                (Slot::Text(part, width), Argument::Text(text)) => {
                    v.field(*part, "String index", *width, &mut text.index)?;
                }
                (Slot::Variable, Argument::Variable(variable)) => {
                    v.field(SyntaxPart::Src0, "Kind", 4, &mut variable.kind)?;
                    v.field(SyntaxPart::Src0, "Variable", 32, &mut variable.id)?;
                }
                (Slot::Vector(names), Argument::Vector(vector)) => vector.layout(names, v)?,
                (Slot::Raw(part, names), Argument::Raw(raw)) => raw.layout(*part, *names, v)?,
                (Slot::Surface, Argument::Surface(surface)) => {
                    v.field(SyntaxPart::Surface, "Surface", 8, surface)?;
                }
                (Slot::Label(part), Argument::Label(label)) => {
                    v.field(*part, "Label", 16, label)?
                }
                (Slot::LabelCount, _) => {
                    let count = u8::try_from(labels).expect("a list has at most 32 labels");
                    let mut count = LabelCount(count);
                    v.field(SyntaxPart::Label, "Number of labels", 8, &mut count)?;
                    labels = usize::from(count.0);
                }
                (Slot::Labels, Argument::Labels(list)) => {
                    list.resize(labels, LabelId(0));
                    for label in list {
                        v.field(SyntaxPart::Label, "Label", 16, label)?;
                    }
                }
                (slot, argument) => {
                    unreachable!("{argument:?} is not a value of {slot:?}")
                }
            }
        }
        Ok(())
    }
}

//! The opcode table and the instruction type for all of its opcodes.
//!
//! A row of [`OPS`] defines the format and behavior of an opcode. The format drives
//! parsing, printing, layout, completion and the splitting of vISA objects. An
//! instruction consists of a row and its arguments.

pub mod format;
mod lint;
mod lsc;
mod lsc_text;
mod memory;
pub mod message;
mod operands;
mod table;
mod text;

pub use format::{Format, Slot};
pub use table::OPS;

use super::compute::{
    Computation, ComputeFault, ComputeOperands, Results, SourceLanes, compute, sources_by_lane,
    unfitted_by_lane,
};
use super::declarations::Declarations;
pub use super::declarations::LabelId;
use super::execution::{ExecSize, Execution};
use super::operand::VisaThread;
use super::raw_operand::{RawOperand, VariableId};
use super::surface::Surface;
use super::vector::{DirectOperand, Region, VectorOperand};
use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor};
use crate::diagnostic::to_u32;
use crate::isa::rmw_exec::Update;
use crate::isa::schema::Words;
use crate::isa::{
    Access, Branch, Check, Effect, FaultKind, IssueContext, LaneComputation, LaneSource,
    PseudocodeState, Semantics, Spec, SymbolTable, ThreadSet, Unit,
};
use crate::machine::{Change, Machine, NoJournal, Recorder, SpaceKind};
use crate::number::{ElementType, parse_integer, show};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use message::{Message, MessageFault, MessageInstruction, MessageKind};

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
    pub behaviour: Behaviour,
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
    let rest = OPS.get(start..).unwrap_or_default();
    let count = rest.partition_point(|op| first(op) == byte);
    rest.get(..count).unwrap_or_default()
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
pub enum Behaviour {
    /// Computes elements, predicates, addresses or surface variables.
    Compute(Computation),
    /// Performs loads, stores or atomics per lane.
    Message(Message),
    /// Changes the control flow.
    Flow(FlowKind),
    /// Has no effect in Lanewise, for the given reason.
    NoEffect(&'static str),
    /// Relates the following instructions to the source text.
    SourceMark(SourceMark),
    /// Parsed, printed and encoded, but faults when executed.
    NotModelled,
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
}

/// Base of the function addresses used by `faddr` and `ifcall`: function n has this
/// address + n. The range is not mapped.
pub const FUNCTION_ADDRESSES: u64 = 0xffff_0000_0000;

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
    /// A surface.
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
#[derive(Clone, Debug)]
pub struct VisaInstruction {
    pub op: &'static VisaOp,
    /// Execution size, mask and predicate.
    pub execution: Execution,
    /// The value of each field of the format.
    arguments: Vec<Argument>,
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
            | Self::Vector(part, _)
            | Self::Raw(part, _)
            | Self::Text(part, _)
            | Self::Label(part) => Some(*part),
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
            Self::Vector(SyntaxPart::Dst | SyntaxPart::Carry, _) => {
                let null = DirectOperand::start_of(VariableId(0), Region::DESTINATION);
                Argument::Vector(VectorOperand::Direct(null))
            }
            Self::Vector(..) => Argument::Vector(VectorOperand::NULL),
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
        Self {
            op,
            execution: Execution::default(),
            arguments: op.format.fields.iter().map(Slot::default).collect(),
        }
    }

    /// The value of an operand or suffix, if the format has it.
    #[must_use]
    pub fn argument(&self, part: SyntaxPart) -> Option<&Argument> {
        let mut fields = self.op.format.fields.iter();
        let index = fields.position(|slot| slot.part() == Some(part))?;
        self.arguments.get(index)
    }

    fn argument_mut(&mut self, part: SyntaxPart) -> Option<&mut Argument> {
        let mut fields = self.op.format.fields.iter();
        let index = fields.position(|slot| slot.part() == Some(part))?;
        self.arguments.get_mut(index)
    }

    fn field_index(&self, field: &str) -> Option<usize> {
        let mut fields = self.op.format.fields.iter();
        fields.position(|slot| matches!(slot, Slot::Code { name, .. } if *name == field))
    }

    /// The number in a field, by name; `None` if the format lacks the field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<u64> {
        match self.arguments.get(self.field_index(name)?)? {
            Argument::Code(code) => Some(*code),
            _ => None,
        }
    }

    /// Sets the number in a field; returns whether the format has the field.
    fn set_field(&mut self, name: &str, code: u64) -> bool {
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

    /// Whether the encoding is known.
    #[must_use]
    pub fn has_encoding(&self) -> bool {
        !matches!(self.op.format.fields, [Slot::Rest])
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
                (Slot::Rest, _) => {}
                (Slot::Text(part, width), Argument::Text(text)) => {
                    v.field(*part, "String index", *width, &mut text.index)?;
                }
                (Slot::Variable, Argument::Variable(variable)) => {
                    v.field(SyntaxPart::Src0, "Kind", 4, &mut variable.kind)?;
                    v.field(SyntaxPart::Src0, "Variable", 32, &mut variable.id)?;
                }
                (Slot::Vector(part, names), Argument::Vector(vector)) => {
                    vector.layout(*part, names, v)?;
                }
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

    /// Computes the results on a thread; `None` if the instruction computes nothing.
    fn results(
        &self,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Option<Result<Results, ComputeFault>> {
        let Behaviour::Compute(computation) = self.op.behaviour else {
            return None;
        };
        let mut sources = [VectorOperand::NULL; 4];
        let operands = self.compute_operands(thread.symbols, &mut sources);
        Some(compute(computation, &operands, machine, thread))
    }

    /// Its operands; `sources` holds the sources.
    fn compute_operands<'o>(
        &self,
        symbols: &Declarations,
        sources: &'o mut [VectorOperand; 4],
    ) -> ComputeOperands<'o> {
        let mut operands = ComputeOperands {
            execution: self.execution,
            saturate: false,
            destination: VectorOperand::NULL,
            second: None,
            sources: &[],
            suffix: 0,
            named_address: None,
        };
        let mut count = 0;
        for (slot, argument) in self.op.format.fields.iter().zip(&self.arguments) {
            match (slot, argument) {
                (Slot::Vector(SyntaxPart::Dst, _), Argument::Vector(vector)) => {
                    operands.destination = *vector;
                    operands.saturate = vector.modifier().saturates();
                }
                (Slot::Vector(SyntaxPart::Carry, _), Argument::Vector(vector)) => {
                    operands.second = Some(*vector);
                }
                (Slot::Vector(..), Argument::Vector(vector)) => {
                    let place = sources.get_mut(count);
                    *place.expect("no format has more than four sources") = *vector;
                    count += 1;
                }
                (Slot::Code { .. }, Argument::Code(code)) => operands.suffix = *code,
                (Slot::Text(..), Argument::Text(text)) => {
                    operands.named_address = text.address(symbols);
                }
                _ => {}
            }
        }
        operands.sources = sources.get(..count).expect("they have been counted");
        operands
    }

    /// Describes an access of a message: `svm[0x40] 4 → 9, returned 4`.
    fn describe_access(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let Some(access) = effect.access else {
            return String::from(self.op.spec.summary);
        };
        let ty = self.display_type(symbols);
        let memory = symbols.memory_name(access.space).unwrap_or("memory");
        let mut text = format!("{memory}[{:#x}]", access.address);
        let mut changes = effect.changes.iter();
        match changes.clone().find(|change| change.space == access.space) {
            Some(change) => {
                text.push_str(&format!(
                    " {} → {}",
                    show(change.old, ty),
                    show(change.new, ty)
                ));
            }
            None if access.in_bounds => text.push_str(" is read"),
            None => text.push_str(" is out of bounds"),
        }
        let is_returned = |change: &&Change| matches!(change.space.kind(), SpaceKind::Registers(_));
        if let Some(change) = changes.find(is_returned) {
            text.push_str(&format!(", returned {}", show(change.new, ty)));
        }
        text
    }

    /// Describes the values written by an effect: `V33[0] 4 → 9, and 15 more elements`.
    fn describe_written(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let dst = self.vector(SyntaxPart::Dst);
        let is_result = |change: &&Change| match change.space.kind() {
            SpaceKind::Registers(_) | SpaceKind::Accumulators(_) => true,
            // The execution mask belongs to control flow.
            SpaceKind::Flags(_) => change.address != 0,
            _ => false,
        };
        let mut written = effect.changes.iter().filter(is_result);
        let Some(first) = written.next() else {
            return String::from("nothing is written");
        };
        let (name, value): (String, fn(u64, ElementType) -> String) = match dst {
            Some(VectorOperand::Predicate(predicate)) => {
                let variable = symbols.visa.predicate_variable(predicate.id.0);
                let name = variable.map_or("", |variable| &variable.name);
                (String::from(name), |bits, _| format!("{bits:#x}"))
            }
            Some(dst) => (dst.element_name(first.address, &symbols.visa), show),
            None => return String::from("nothing is written"),
        };
        let ty = self.display_type(symbols);
        let (old, new) = (value(first.old, ty), value(first.new, ty));
        let more = match written.count() {
            0 => String::new(),
            1 => String::from(", and 1 more element"),
            count => format!(", and {count} more elements"),
        };
        format!("{name} {old} → {new}{more}")
    }

    /// Executes the computation on the issuing threads and calls `recorder` at the start
    /// of each effect. The session handles control flow.
    pub fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        threads: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let symbols = &symbols.visa;
        if let Some(message) = self.message() {
            message.perform(accesses, machine, symbols, recorder);
            return;
        }
        for number in threads.iter() {
            recorder.begin();
            let thread = VisaThread { symbols, number };
            if let Some(results) = self.results(machine, thread) {
                let results = results.expect("a faulting instruction is not executed");
                results.write(machine, thread, recorder);
            }
        }
    }

    /// The instruction as a memory message.
    fn message(&self) -> Option<MessageInstruction<'_>> {
        match self.op.behaviour {
            Behaviour::Message(message) => Some(MessageInstruction {
                message,
                instruction: self,
            }),
            _ => None,
        }
    }

    fn message_fault(&self, context: &IssueContext<'_>) -> Option<MessageFault> {
        self.message()?.issue(context, &mut Vec::new()).err()
    }

    /// The first fault of the computation on the issuing threads.
    fn compute_fault(&self, context: &IssueContext<'_>) -> Option<ComputeFault> {
        let symbols = &context.symbols.visa;
        context.threads.iter().find_map(|number| {
            let thread = VisaThread { symbols, number };
            self.results(context.machine, thread)?.err()
        })
    }
}

impl Semantics for VisaInstruction {
    fn check(&self, check: &mut Check<'_>) {
        self.lint(check);
    }

    fn check_run(&self, _: &IssueContext<'_>, check: &mut Check<'_>) {
        if self.op.format.has_size {
            self.execution.check_run(check);
        }
    }

    fn note(&self, symbols: &mut SymbolTable) {
        if let Some(VectorOperand::Address { .. }) = self.vector(SyntaxPart::Dst) {
            symbols.visa.note_computed_address();
        }
    }

    fn issue(&self, context: &IssueContext<'_>, out: &mut Vec<Access>) {
        if let Some(message) = self.message() {
            let first = out.len();
            if message.issue(context, out).is_err() {
                // Reported by `fault`.
                out.truncate(first);
            }
        }
    }

    fn fault(&self, context: &IssueContext<'_>) -> Option<FaultKind> {
        match self.op.behaviour {
            Behaviour::NotModelled => Some(FaultKind::NotModelled),
            Behaviour::Compute(_) => self.compute_fault(context).map(ComputeFault::kind),
            Behaviour::Message(_) => self.message_fault(context).map(MessageFault::kind),
            Behaviour::Flow(_) | Behaviour::NoEffect(_) | Behaviour::SourceMark(_) => None,
        }
    }

    fn fault_reason(&self, context: &IssueContext<'_>) -> Option<String> {
        if let Some(fault) = self.message_fault(context) {
            return Some(format!("{fault}"));
        }
        let fault = self.compute_fault(context)?;
        Some(format!("{fault}"))
    }

    fn run_unrecorded(&self, machine: &mut Machine, symbols: &SymbolTable) -> Option<u32> {
        let thread = VisaThread {
            symbols: &symbols.visa,
            number: 0,
        };
        let results = self.results(machine, thread)?.ok()?;
        results.write(machine, thread, &mut NoJournal);
        Some(1)
    }

    fn is_computation(&self) -> bool {
        matches!(self.op.behaviour, Behaviour::Compute(_))
    }

    fn computation(&self, context: &IssueContext<'_>, number: u8) -> Option<LaneComputation> {
        let Behaviour::Compute(computation) = self.op.behaviour else {
            return None;
        };
        let symbols = &context.symbols.visa;
        let thread = VisaThread { symbols, number };
        let results = self.results(context.machine, thread)?.ok()?;
        let mut sources = [VectorOperand::NULL; 4];
        let operands = self.compute_operands(symbols, &mut sources);
        let read = sources_by_lane(computation, &operands, context.machine, thread);
        let (enabled, read) = read.ok()?;
        let unfitted = unfitted_by_lane(computation, &operands, context.machine, thread);
        let kinds = self.op.format.fields.iter().filter_map(|slot| match slot {
            Slot::Vector(SyntaxPart::Dst | SyntaxPart::Carry, _) => None,
            Slot::Vector(kind, _) => Some(*kind),
            _ => None,
        });
        let kinds = kinds.chain([SyntaxPart::Predicate]);
        let mut results = results.by_lane(context.machine, thread);
        if let Some(first) = results.first_mut() {
            first.unfitted = unfitted.ok()?;
        }
        for result in &mut results {
            if self.argument(result.operand).is_none() && result.operand == SyntaxPart::Carry {
                // The high halves of `madw` lie behind the low ones.
                result.operand = SyntaxPart::Dst;
            }
            let operand = match result.operand {
                SyntaxPart::Predicate => Some(VectorOperand::Predicate(self.execution.predicate)),
                kind => self.vector(kind),
            };
            let operand = operand.expect("an operand that is written exists");
            let places = result.places.iter().zip(0..);
            let name = |(place, lane): (&u64, u32)| match enabled >> lane & 1 {
                1 => operand.element_name(*place, symbols),
                _ => String::new(),
            };
            result.names = places.map(name).collect();
        }
        let source = |(operand, source): (SyntaxPart, SourceLanes)| LaneSource {
            operand,
            ty: source.ty,
            read: source.read,
            bits: source.bits,
            modifier: source.modifier,
            places: source.places,
        };
        Some(LaneComputation {
            first_channel: self.execution.mask.offset(),
            enabled,
            sources: kinds.zip(read).map(source).collect(),
            results,
        })
    }

    fn units(&self, accesses: &[Access]) -> u32 {
        match self.op.behaviour {
            Behaviour::Message(_) => to_u32(accesses.len()),
            _ => 1,
        }
    }

    fn update(&self, _: &SymbolTable) -> Option<Update> {
        match self.message()?.message.kind {
            MessageKind::Atomic(update) => Some(update),
            MessageKind::Load | MessageKind::Store => None,
        }
    }

    fn channels(&self) -> u8 {
        self.message().map_or(0, |message| message.channels())
    }

    fn branch(&self) -> Option<Branch<'_>> {
        let Behaviour::Flow(kind) = self.op.behaviour else {
            return None;
        };
        Some(Branch {
            kind,
            execution: self.execution,
            targets: self.targets(),
            index: self.vector(SyntaxPart::Src0),
        })
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let name = self.op.spec.mnemonics[0];
        match self.op.behaviour {
            Behaviour::Compute(_) => {
                let written = self.describe_written(effect, symbols);
                format!("{name}: {written}")
            }
            Behaviour::Message(_) => self.describe_access(effect, symbols),
            Behaviour::NoEffect(reason) => format!("{name} changes nothing: {reason}"),
            Behaviour::SourceMark(_) => {
                format!("{name} changes nothing: it is about the source text")
            }
            Behaviour::Flow(_) | Behaviour::NotModelled => String::from(self.op.spec.summary),
        }
    }

    fn pseudocode_state(&self, _: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        PseudocodeState::default()
    }

    fn lanes(&self) -> u8 {
        if let Some(message) = self.message() {
            return message.lanes();
        }
        if self.op.format.has_size {
            self.execution.size.lanes()
        } else {
            1
        }
    }

    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        self.execution.inactive_reason(context, unit)
    }

    fn contradiction_ids(&self, _: &SymbolTable) -> Vec<&'static str> {
        self.execution.contradiction_ids()
    }

    fn display_type(&self, symbols: &SymbolTable) -> ElementType {
        let dst = self.vector(SyntaxPart::Dst);
        let ty = dst.and_then(|dst| dst.element_type(&symbols.visa));
        ty.unwrap_or(ElementType::Ud)
    }
}

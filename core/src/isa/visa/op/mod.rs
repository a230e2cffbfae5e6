//! The opcode table and the one instruction type that it describes.
//!
//! A row of [`OPS`] gives an opcode, its format and its behaviour. The format
//! drives parsing, printing, layout, completion and the splitter of vISA
//! objects; an instruction is data: a row and its arguments.

pub mod format;
mod table;
mod text;

pub use format::{Format, Slot};
pub use table::OPS;

use super::compute::{Computation, ComputeFault, ComputeOperands, Results, compute};
pub use super::declarations::LabelId;
use super::declarations::VariableId;
use super::execution::Execution;
use super::operand::VisaThread;
use super::raw_operand::RawOperand;
use super::surface::Surface;
use super::vector::{DirectOperand, Region, VectorOperand};
use crate::bits::{BitField, DecodeError, Visitor};
use crate::isa::{
    Access, Branch, Check, Effect, FaultKind, IssueContext, PseudocodeState, Semantics, Spec,
    SymbolTable, ThreadSet, Unit,
};
use crate::machine::{Machine, NoJournal, Recorder};
use crate::number::ElementType;
use crate::text::OperandKind;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A row of the opcode table.
#[derive(Debug)]
pub struct VisaOp {
    /// Names, opcode, line and prose.
    pub spec: Spec,
    /// Encoding and line.
    pub format: &'static Format,
    /// Whether `.sat` may follow the mnemonic.
    pub saturates: bool,
    /// What running it does.
    pub behaviour: Behaviour,
}

/// The row of a spec that belongs to the table.
#[must_use]
pub fn of_spec(spec: &'static Spec) -> Option<&'static VisaOp> {
    OPS.iter().find(|op| core::ptr::eq(&op.spec, spec))
}

/// What running an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Computes elements, predicates, addresses or surface variables.
    Compute(Computation),
    /// Changes where channels continue.
    Flow(FlowKind),
    /// Nothing on our machine, for this reason.
    NoEffect(&'static str),
    /// It is read, printed, encoded and listed; running it is a fault.
    NotModelled,
}

/// How a control-flow instruction continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowKind {
    /// `jmp`: like `goto`, legal only where no channel waits in between.
    Jump,
    /// `goto`.
    Goto,
    /// `call`, `fcall`.
    Call,
    /// `ifcall`: the function is found by its address.
    IndirectCall,
    /// `ret`, `fret`.
    Return,
    /// `switchjmp`.
    Switch,
    /// `barrier`, `sbarrier.wait`: waits for the other threads of the group.
    Barrier,
}

/// Where functions lie, for `faddr` and `ifcall`: number n at this address + n.
/// Nothing is mapped there.
pub const FUNCTION_ADDRESSES: u64 = 0xffff_0000_0000;

/// The most labels of a `switchjmp`, which the document limits to 32.
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

/// The value of one field of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Of a field without a value of its own: execution, predicate, fixed bits.
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
}

/// An instruction of the opcode table.
#[derive(Clone, Debug)]
pub struct VisaInstruction {
    /// Its row.
    pub op: &'static VisaOp,
    /// Execution size, mask and predicate.
    pub execution: Execution,
    /// A value for each field of the format.
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
    const fn part(&self) -> Option<OperandKind> {
        match self {
            Self::Code { part, .. }
            | Self::Vector(part, _)
            | Self::Raw(part, _)
            | Self::Label(part) => Some(*part),
            Self::Surface => Some(OperandKind::Surface),
            Self::Labels => Some(OperandKind::Label),
            Self::Execution | Self::Predicate | Self::Fixed { .. } | Self::LabelCount => None,
        }
    }

    const fn default(&self) -> Argument {
        match self {
            Self::Execution | Self::Predicate | Self::Fixed { .. } | Self::LabelCount => {
                Argument::None
            }
            Self::Code { .. } => Argument::Code(0),
            Self::Vector(OperandKind::Dst | OperandKind::Carry, _) => {
                let null = DirectOperand::start_of(VariableId(0), Region::DESTINATION);
                Argument::Vector(VectorOperand::Direct(null))
            }
            Self::Vector(..) => Argument::Vector(VectorOperand::NULL),
            Self::Raw(..) => Argument::Raw(RawOperand::NULL),
            Self::Surface => Argument::Surface(Surface(0)),
            Self::Label(_) => Argument::Label(LabelId(0)),
            Self::Labels => Argument::Labels(Vec::new()),
        }
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
    pub fn argument(&self, part: OperandKind) -> Option<&Argument> {
        let fields = self.op.format.fields.iter();
        let mut found = fields
            .zip(&self.arguments)
            .filter(|(slot, _)| slot.part() == Some(part));
        found.next().map(|(_, argument)| argument)
    }

    fn argument_mut(&mut self, part: OperandKind) -> Option<&mut Argument> {
        let fields = self.op.format.fields.iter();
        let mut found = fields
            .zip(&mut self.arguments)
            .filter(|(slot, _)| slot.part() == Some(part));
        found.next().map(|(_, argument)| argument)
    }

    /// The vector operand of a part.
    #[must_use]
    pub fn vector(&self, part: OperandKind) -> Option<VectorOperand> {
        match self.argument(part)? {
            Argument::Vector(vector) => Some(*vector),
            _ => None,
        }
    }

    /// The number or suffix code of a part.
    #[must_use]
    pub fn code(&self, part: OperandKind) -> Option<u64> {
        match self.argument(part)? {
            Argument::Code(code) => Some(*code),
            _ => None,
        }
    }

    /// The labels that it may continue at.
    #[must_use]
    pub fn targets(&self) -> &[LabelId] {
        let mut targets = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Label(label) => Some(core::slice::from_ref(label)),
            Argument::Labels(labels) => Some(labels.as_slice()),
            _ => None,
        });
        targets.next().unwrap_or(&[])
    }

    /// Whether the result is clamped to the range of the destination.
    #[must_use]
    pub fn saturates(&self) -> bool {
        self.vector(OperandKind::Dst)
            .is_some_and(|dst| dst.modifier().saturates())
    }

    /// Visits its bits.
    ///
    /// # Errors
    /// When a decoder finds bits that have no meaning.
    pub fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        self.op.spec.opcodes[0].layout_first_byte(v)?;
        let mut labels = self.targets().len();
        let op = self.op;
        for (slot, argument) in op.format.fields.iter().zip(&mut self.arguments) {
            match (slot, argument) {
                (Slot::Execution, _) => self.execution.size_layout(v)?,
                (Slot::Predicate, _) => {
                    self.execution.predicate.layout(OperandKind::Predicate, v)?;
                }
                (Slot::Fixed { name, width, value }, _) => {
                    v.fixed(OperandKind::Opcode, name, *width, *value)?;
                }
                (Slot::Code { part, name, width }, Argument::Code(code)) => {
                    v.field(*part, name, *width, code)?;
                }
                (Slot::Vector(part, names), Argument::Vector(vector)) => {
                    vector.layout(*part, names, v)?;
                }
                (Slot::Raw(part, names), Argument::Raw(raw)) => raw.layout(*part, *names, v)?,
                (Slot::Surface, Argument::Surface(surface)) => {
                    v.field(OperandKind::Surface, "Surface", 8, surface)?;
                }
                (Slot::Label(part), Argument::Label(label)) => {
                    v.field(*part, "Label", 16, label)?
                }
                (Slot::LabelCount, _) => {
                    let count = u8::try_from(labels).expect("a list has at most 32 labels");
                    let mut count = LabelCount(count);
                    v.field(OperandKind::Label, "Number of labels", 8, &mut count)?;
                    labels = usize::from(count.0);
                }
                (Slot::Labels, Argument::Labels(list)) => {
                    list.resize(labels, LabelId(0));
                    for label in list {
                        v.field(OperandKind::Label, "Label", 16, label)?;
                    }
                }
                (slot, argument) => {
                    unreachable!("{slot:?} has a value of its own kind, not {argument:?}")
                }
            }
        }
        Ok(())
    }

    /// What it writes on a thread; none where it computes nothing.
    fn results(
        &self,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Option<Result<Results, ComputeFault>> {
        let Behaviour::Compute(computation) = self.op.behaviour else {
            return None;
        };
        let mut operands = ComputeOperands {
            execution: self.execution,
            saturate: false,
            destination: VectorOperand::NULL,
            second: None,
            sources: &[],
            suffix: 0,
        };
        let mut sources = [VectorOperand::NULL; 4];
        let mut count = 0;
        for (slot, argument) in self.op.format.fields.iter().zip(&self.arguments) {
            match (slot, argument) {
                (Slot::Vector(OperandKind::Dst, _), Argument::Vector(vector)) => {
                    operands.destination = *vector;
                    operands.saturate = vector.modifier().saturates();
                }
                (Slot::Vector(OperandKind::Carry, _), Argument::Vector(vector)) => {
                    operands.second = Some(*vector);
                }
                (Slot::Vector(..), Argument::Vector(vector)) => {
                    let place = sources.get_mut(count);
                    *place.expect("no format has more than four sources") = *vector;
                    count += 1;
                }
                (Slot::Code { .. }, Argument::Code(code)) => operands.suffix = *code,
                _ => {}
            }
        }
        operands.sources = sources.get(..count).expect("they have been counted");
        Some(compute(computation, &operands, machine, thread))
    }

    /// Executes it on the threads that issue it, calling `recorder` where the
    /// effect on each begins. Where channels continue is the session's part.
    pub fn perform<R: Recorder>(
        &self,
        threads: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let symbols = &symbols.visa;
        for number in threads.iter() {
            recorder.begin();
            let thread = VisaThread { symbols, number };
            if let Some(results) = self.results(machine, thread) {
                let results = results.expect("an instruction with a fault is not executed");
                results.write(machine, thread, recorder);
            }
        }
    }

    /// Why it cannot compute on one of the threads that issue it.
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
        let _ = check;
    }

    fn check_run(&self, _: &IssueContext<'_>, check: &mut Check<'_>) {
        if self.op.format.has_size {
            self.execution.check_run(check);
        }
    }

    fn note(&self, symbols: &mut SymbolTable) {
        if let Some(VectorOperand::Address { .. }) = self.vector(OperandKind::Dst) {
            symbols.visa.note_computed_address();
        }
    }

    fn issue(&self, _: &IssueContext<'_>, _: &mut Vec<Access>) {}

    fn fault(&self, context: &IssueContext<'_>) -> Option<FaultKind> {
        match self.op.behaviour {
            Behaviour::NotModelled => Some(FaultKind::NotModelled),
            Behaviour::Compute(_) => self.compute_fault(context).map(ComputeFault::kind),
            Behaviour::Flow(_) | Behaviour::NoEffect(_) => None,
        }
    }

    fn fault_reason(&self, context: &IssueContext<'_>) -> Option<String> {
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

    fn units(&self, _: &[Access]) -> u32 {
        1
    }

    fn branch(&self) -> Option<Branch<'_>> {
        let Behaviour::Flow(kind) = self.op.behaviour else {
            return None;
        };
        Some(Branch {
            kind,
            execution: self.execution,
            targets: self.targets(),
            index: self.vector(OperandKind::Src0),
        })
    }

    fn describe_effect(&self, _: &Effect<'_>, _: &SymbolTable) -> String {
        String::from(self.op.spec.summary)
    }

    fn pseudocode_state(&self, _: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        PseudocodeState::default()
    }

    fn lanes(&self) -> u8 {
        if self.op.format.has_size {
            self.execution.size.lanes()
        } else {
            1
        }
    }

    fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str {
        self.execution.why_idle(context, unit)
    }

    fn contradiction_ids(&self, _: &SymbolTable) -> Vec<&'static str> {
        self.execution.contradiction_ids()
    }

    fn shown_as(&self, symbols: &SymbolTable) -> ElementType {
        let dst = self.vector(OperandKind::Dst);
        let ty = dst.and_then(|dst| dst.element_type(&symbols.visa));
        ty.unwrap_or(ElementType::Ud)
    }
}

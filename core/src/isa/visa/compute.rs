//! Execution of computing instructions: arithmetic, logic, moves and comparisons,
//! independent of their syntax.

use super::alu::{
    AluError, AluOp, AluSource, Evaluator, FloatMode, LaneBits, Operation, Relation, Unfitted,
    low_dword,
};
use super::declarations::{Declarations, SURFACE_IS_SET};
use super::execution::{Execution, Predicate};
use super::operand::{
    LaneDestination, LaneRange, OperandFault, PlacedOperand, PredicateLanes, VisaThread,
    load_flags, predicate_bits, read_lanes, source_places, write_predicate,
};
use super::predefined::CONTROL;
use super::vector::{Modifier, OperandClass, Region, VectorOperand};
use crate::diagnostic::to_u32;
use crate::isa::schema::Direction;
use crate::isa::{ElementPlaces, FaultKind, IssueFault, LaneResult, Shown};
use crate::machine::{Machine, Recorder, SpaceId, flag_address};
use crate::number::{ElementType, low_mask, low_qword, set_bits};
use crate::text::SyntaxPart;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

/// Kind of computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Computation {
    /// An operation on elements. `mov` also moves predicates to registers; `and`, `or`,
    /// `xor` and `not` also operate on predicates.
    Alu(AluOp),
    /// `sel`: the predicate selects a source per lane.
    Select,
    /// `cmp`, to a predicate or a register.
    Compare,
    /// `setp`.
    SetPredicate,
    /// `addr_add`: the address of a variable plus an offset.
    AddAddress,
    /// `movs`, to or from a surface variable.
    MoveState,
    /// `faddr`: the address of a function or of data.
    AddressOfName,
}

/// Execution control and operands of a computing instruction.
#[derive(Clone, Debug)]
pub struct ComputeOperands {
    /// Execution size, mask control and predicate.
    pub execution: Execution,
    /// Whether the result saturates.
    pub saturate: bool,
    pub destination: VectorOperand,
    /// Destination of the carry or borrow of `addc` and `subb`.
    pub second: Option<VectorOperand>,
    pub sources: Vec<VectorOperand>,
    /// Code of the suffix: the relation of `cmp`, the truth table of `bfn`.
    pub suffix: u64,
    /// Address of the function or data that `faddr` names, if known.
    pub named_address: Option<u64>,
}

/// A computing instruction, resolved for the symbols of its program.
#[derive(Clone, Debug)]
pub struct ComputePlan {
    pub computation: Computation,
    execution: Execution,
    saturate: bool,
    pub destination: PlacedOperand,
    second: Option<PlacedOperand>,
    pub sources: Vec<PlacedOperand>,
    suffix: u64,
    named_address: Option<u64>,
    /// Address of `%cr0`, the floating-point mode, in the register file.
    mode_place: u64,
    /// The operation for the result and for the second one, if any; of `sel`, a move of each
    /// source.
    operations: Vec<Result<Operation, ComputeFault>>,
}

impl ComputePlan {
    /// Resolves the operands.
    #[must_use]
    pub fn new(
        computation: Computation,
        operands: &ComputeOperands,
        symbols: &Declarations,
    ) -> Self {
        let destination = |operand| PlacedOperand::of(operand, Direction::Out, symbols);
        let source = |operand: &_| PlacedOperand::of(*operand, Direction::In, symbols);
        let mut plan = Self {
            computation,
            execution: operands.execution,
            saturate: operands.saturate,
            destination: destination(operands.destination),
            second: operands.second.map(destination),
            sources: operands.sources.iter().map(source).collect(),
            suffix: operands.suffix,
            named_address: operands.named_address,
            mode_place: {
                let control = symbols.general(CONTROL);
                control.expect("%cr0 is predefined").offset.into()
            },
            operations: Vec::new(),
        };
        plan.operations = match computation {
            Computation::Alu(op) => {
                let first = plan.operation(op, &plan.sources, &plan.destination, symbols);
                let second = op.second().map(|op| {
                    let destination = plan.second.as_ref().unwrap_or(&plan.destination);
                    plan.operation(op, &plan.sources, destination, symbols)
                });
                [first].into_iter().chain(second).collect()
            }
            Computation::Select => {
                let sources = plan.sources.chunks(1);
                let moved = |source| plan.operation(AluOp::Mov, source, &plan.destination, symbols);
                sources.map(moved).collect()
            }
            _ => Vec::new(),
        };
        plan
    }

    /// Resolves an operation.
    fn operation(
        &self,
        op: AluOp,
        sources: &[PlacedOperand],
        destination: &PlacedOperand,
        symbols: &Declarations,
    ) -> Result<Operation, ComputeFault> {
        let mut types = Vec::new();
        for source in sources {
            types.push(alu_source(source)?);
        }
        if op == AluOp::Bfn {
            // Its truth table.
            types.push(AluSource::plain(ElementType::Ud));
        }
        let ty = destination.ty()?;
        let operation = Operation::new(op, &types, ty, self.saturate)?;
        // A kernel gets an unspecified value (OpenCL C, 6.3); all ones is assumed.
        Ok(match symbols.is_launch {
            true => operation.with_division_by_zero(low_mask(ty.bits())),
            false => operation,
        })
    }
}

/// Type and modifier of a source.
fn alu_source(placed: &PlacedOperand) -> Result<AluSource, OperandFault> {
    Ok(AluSource {
        ty: placed.ty()?,
        modifier: placed.operand.modifier(),
    })
}

/// The reason that an instruction faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComputeFault {
    /// An operand cannot be accessed.
    #[error(transparent)]
    Operand(#[from] OperandFault),
    /// The operation fails.
    #[error(transparent)]
    Alu(#[from] AluError),
    /// The instruction requires a predicate, which is an operand.
    #[error("the instruction requires a predicate")]
    NoPredicate,
    /// The number of operands is wrong.
    #[error("wrong number of operands")]
    OperandCount,
    /// `faddr` names neither a function nor data of the program.
    #[error("the program has neither a function nor `.data` with this name")]
    UnknownName,
    /// A combination of operands that is not modeled.
    #[error("`{0}` is not modeled")]
    NotModelled(&'static str),
}

impl ComputeFault {
    /// The kind of fault.
    #[must_use]
    pub const fn kind(self) -> FaultKind {
        match self {
            Self::Operand(OperandFault::OutOfRegisters { .. }) => FaultKind::OutOfRange,
            Self::Operand(OperandFault::Misaligned { .. }) => FaultKind::Misaligned,
            Self::Alu(AluError::DivisionByZero { .. }) => FaultKind::DivisionByZero,
            Self::NotModelled(_)
            | Self::UnknownName
            | Self::Alu(AluError::AlternateMode | AluError::Saturation(_)) => {
                FaultKind::NotModelled
            }
            Self::Operand(_) | Self::Alu(_) | Self::NoPredicate | Self::OperandCount => {
                FaultKind::Undefined
            }
        }
    }
}

impl From<ComputeFault> for IssueFault {
    fn from(fault: ComputeFault) -> Self {
        Self {
            kind: fault.kind(),
            reason: Some(fault.to_string()),
        }
    }
}

/// Results to be written; all sources have been read.
#[derive(Clone, Debug, Default)]
pub struct Results {
    first: Option<LaneDestination>,
    /// The elements for it.
    values: LaneBits,
    /// The source elements that they were computed from.
    inputs: AluInputs,
    /// The second result, which few instructions have.
    second: Option<Box<(LaneDestination, LaneBits)>>,
    channels: Option<(Predicate, PredicateLanes)>,
}

impl Results {
    fn clear(&mut self) {
        self.first = None;
        self.second = None;
        self.channels = None;
    }

    fn set(&mut self, destination: LaneDestination, value: impl FnMut(usize) -> u64) {
        self.first = Some(destination);
        self.values = core::array::from_fn(value);
    }

    /// The elements to write.
    fn elements(&self) -> impl Iterator<Item = (&LaneDestination, &LaneBits)> {
        let first = self
            .first
            .iter()
            .map(|destination| (destination, &self.values));
        let second = self.second.as_deref();
        first.chain(second.map(|(destination, values)| (destination, values)))
    }

    /// The elements that are written, with what they hold in `machine`.
    #[must_use]
    pub fn by_lane(&self, machine: &Machine, thread: VisaThread<'_>) -> Vec<LaneResult> {
        let mut results = Vec::new();
        let operands = [SyntaxPart::Dst, SyntaxPart::Carry];
        for (operand, (destination, values)) in operands.into_iter().zip(self.elements()) {
            results.push(destination.result(operand, values, machine));
        }
        if let Some((predicate, channels)) = self.channels {
            let bits = load_flags(machine, thread.number, flag_address(predicate.id.0));
            let held = bits.expect("the flags hold all predicates that are declared");
            let bit = |bits: u32, lane: usize| u64::from(bits >> lane & 1);
            let offset = channels.offset;
            let held = held.unbounded_shr(offset.into());
            let channel = |lane| u64::from(offset) + u64::from(to_u32(lane));
            results.push(LaneResult {
                operand: match results.is_empty() {
                    true => SyntaxPart::Dst,
                    // The overflow of `add3.o`.
                    false => SyntaxPart::Predicate,
                },
                ty: None,
                shown: Shown::Number,
                names: Vec::new(),
                space: SpaceId::flags(thread.number),
                places: core::array::from_fn(channel),
                old: core::array::from_fn(|lane| bit(held, lane)),
                new: core::array::from_fn(|lane| bit(channels.bits, lane)),
                unfitted: Vec::new(),
            });
        }
        results
    }

    /// Writes the enabled lanes with one recorded change per lane, or one for a predicate.
    pub fn write<R: Recorder>(&self, machine: &mut Machine, thread: u8, recorder: &mut R) {
        for (destination, values) in self.elements() {
            destination.write(values, machine, recorder);
        }
        if let Some((predicate, channels)) = self.channels {
            write_predicate(predicate, channels, machine, thread, recorder);
        }
    }
}

/// Computes the results of an instruction on a thread. They replace those in `out`.
///
/// # Errors
/// If the instruction faults.
pub fn compute(
    plan: &ComputePlan,
    machine: &Machine,
    thread: VisaThread<'_>,
    out: &mut Results,
) -> Result<(), ComputeFault> {
    out.clear();
    let mut issue = ComputeIssue::new(plan, machine, thread)?;
    match plan.computation {
        Computation::Alu(AluOp::Mov) if plan.sources.iter().any(is_predicate) => {
            issue.move_predicate(out)
        }
        Computation::Alu(op) if is_predicate(&plan.destination) => issue.predicate_logic(op, out),
        Computation::Alu(op) => issue.alu(op, out),
        Computation::Select => issue.select(out),
        Computation::Compare => issue.compare(out),
        Computation::SetPredicate => issue.set_predicate(out),
        Computation::AddAddress => issue.add_address(out),
        Computation::MoveState => issue.move_state(out),
        Computation::AddressOfName => issue.address_of_name(out),
    }
}

fn is_predicate(placed: &PlacedOperand) -> bool {
    placed.operand.class() == OperandClass::Predicate
}

/// The lanes that an instruction enables, and for each source which lanes read
/// which elements of which type; the predicate of `sel` is the last.
///
/// # Errors
/// When the instruction cannot be executed.
pub fn sources_by_lane(
    plan: &ComputePlan,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<(u32, Vec<SourceLanes>), ComputeFault> {
    let mut issue = ComputeIssue::new(plan, machine, thread)?;
    let is_select = plan.computation == Computation::Select;
    let chosen = plan.execution.chosen(issue.predicate);
    if is_select || plan.computation == Computation::Alu(AluOp::Add3O) {
        issue.ignore_predicate()?;
    }
    let enabled = issue.lanes.enabled;
    let mut sources = Vec::new();
    for (index, operand) in plan.sources.iter().enumerate() {
        let read = match index {
            0 if is_select => enabled & chosen,
            1 if is_select => enabled & !chosen,
            _ => enabled,
        };
        sources.push(issue.source(operand, read)?);
    }
    if is_select {
        sources.push(SourceLanes::of_bits(enabled, chosen));
    }
    Ok((enabled, sources))
}

/// By lane, the result of an operation before it is fitted to the type of the
/// destination; empty for computations whose results always fit.
///
/// # Errors
/// When the instruction cannot be executed.
pub fn unfitted_by_lane(
    plan: &ComputePlan,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<Vec<Option<Unfitted>>, ComputeFault> {
    let op = match plan.computation {
        Computation::Alu(op) if op.second().is_none() => op,
        _ => return Ok(Vec::new()),
    };
    if is_predicate(&plan.destination) || plan.sources.iter().any(is_predicate) {
        return Ok(Vec::new());
    }
    let issue = ComputeIssue::new(plan, machine, thread)?;
    if issue.resolve(&plan.destination)?.is_none() {
        return Ok(Vec::new());
    }
    let mut inputs = AluInputs::default();
    issue.read_inputs(op, &mut inputs)?;
    let evaluator = issue.evaluator(0)?;
    let bits = inputs.bits();
    let lane = |lane| match issue.lanes.enabled >> lane & 1 {
        1 => evaluator.unfitted(bits, lane),
        _ => None,
    };
    Ok((0..usize::from(issue.lanes.count)).map(lane).collect())
}

/// Elements of a source that lanes read.
#[derive(Clone, Debug)]
pub struct SourceLanes {
    /// Bit n is set if lane n reads an element.
    pub read: u32,
    /// Type of the elements; `None` for bits of a predicate.
    pub ty: Option<ElementType>,
    /// The elements.
    pub bits: LaneBits,
    pub modifier: Modifier,
    /// Location of the elements in registers.
    pub places: Option<ElementPlaces>,
}

impl SourceLanes {
    fn of_bits(read: u32, bits: u32) -> Self {
        Self {
            read,
            ty: None,
            bits: core::array::from_fn(|lane| u64::from(bits >> lane & 1)),
            modifier: Modifier::NONE,
            places: None,
        }
    }
}

/// An instruction during execution.
struct ComputeIssue<'i> {
    plan: &'i ComputePlan,
    lanes: LaneRange,
    execution_mask: u32,
    /// Bits of the predicate of the instruction.
    predicate: u32,
    machine: &'i Machine,
    thread: VisaThread<'i>,
}

impl<'i> ComputeIssue<'i> {
    #[inline]
    fn new(
        plan: &'i ComputePlan,
        machine: &'i Machine,
        thread: VisaThread<'i>,
    ) -> Result<Self, ComputeFault> {
        let execution = plan.execution;
        let flags = machine.space(SpaceId::flags(thread.number));
        let load = |id| {
            let bits = flags.load(flag_address(id), 4).map(low_dword);
            bits.ok_or(OperandFault::Undeclared)
        };
        let execution_mask = load(0)?;
        let predicate = match execution.predicate.id.0 {
            0 => 0,
            id => load(id)?,
        };
        let lanes = LaneRange {
            count: execution.size.lanes(),
            enabled: execution.enabled(execution_mask, predicate),
        };
        Ok(Self {
            plan,
            lanes,
            execution_mask,
            predicate,
            machine,
            thread,
        })
    }

    /// Enables the lanes of the execution mask regardless of the predicate, which is an
    /// operand.
    fn ignore_predicate(&mut self) -> Result<(), ComputeFault> {
        let execution = self.plan.execution;
        if execution.predicate.id.0 == 0 {
            return Err(ComputeFault::NoPredicate);
        }
        let predicate = Predicate::NONE;
        let plain = Execution {
            predicate,
            ..execution
        };
        self.lanes.enabled = plain.enabled(self.execution_mask, 0);
        Ok(())
    }

    fn sources<const N: usize>(&self) -> Result<&'i [PlacedOperand; N], ComputeFault> {
        let sources = <&[PlacedOperand; N]>::try_from(&*self.plan.sources);
        sources.map_err(|_| ComputeFault::OperandCount)
    }

    fn read(&self, operand: &PlacedOperand, bits: &mut LaneBits) -> Result<(), OperandFault> {
        read_lanes(operand, self.lanes, self.machine, self.thread, bits)
    }

    /// Reads integers, with their modifiers.
    fn read_integers(
        &self,
        operand: &PlacedOperand,
        name: &'static str,
    ) -> Result<[i128; 32], ComputeFault> {
        let mut bits = [0; 32];
        self.read(operand, &mut bits)?;
        let source = alu_source(operand)?;
        if source.ty.is_float() {
            return Err(AluError::Types(name).into());
        }
        Ok(bits.map(|bits| source.integer(bits)))
    }

    /// Elements of a source that lanes read.
    fn source(&self, placed: &PlacedOperand, read: u32) -> Result<SourceLanes, ComputeFault> {
        let operand = placed.operand;
        let elements = |ty, bits| SourceLanes {
            read,
            ty: Some(ty),
            bits,
            modifier: operand.modifier(),
            places: None,
        };
        Ok(match operand {
            VectorOperand::Predicate(_) => {
                let bits = self.channels(operand)?;
                match self.plan.destination.operand.class() {
                    OperandClass::Predicate => SourceLanes::of_bits(read, bits),
                    _ => elements(ElementType::Ud, [bits.into(); 32]),
                }
            }
            VectorOperand::AddressOf(direct) => {
                let byte = direct.register_byte(self.thread.symbols);
                let byte = byte.ok_or(OperandFault::Undeclared)?;
                elements(ElementType::Ud, [byte; 32])
            }
            VectorOperand::State { .. } => SourceLanes::of_bits(0, 0),
            _ => {
                let lanes = LaneRange {
                    enabled: read,
                    ..self.lanes
                };
                let mut bits = [0; 32];
                read_lanes(placed, lanes, self.machine, self.thread, &mut bits)?;
                SourceLanes {
                    places: source_places(placed, lanes, self.machine, self.thread)?,
                    ..elements(placed.ty()?, bits)
                }
            }
        })
    }

    #[inline]
    fn resolve(&self, operand: &PlacedOperand) -> Result<Option<LaneDestination>, OperandFault> {
        LaneDestination::resolve(operand, self.lanes, self.machine, self.thread)
    }

    /// Sets results that are bits of a predicate.
    fn to_channels(
        &self,
        operand: Predicate,
        bits: u32,
        out: &mut Results,
    ) -> Result<(), ComputeFault> {
        predicate_bits(operand, self.machine, self.thread)?;
        let channels = PredicateLanes {
            offset: self.plan.execution.mask.offset(),
            enabled: self.lanes.enabled,
            bits,
        };
        out.channels = Some((operand, channels));
        Ok(())
    }

    /// Reads the bits of a predicate operand for the lanes.
    fn channels(&self, operand: VectorOperand) -> Result<u32, ComputeFault> {
        let VectorOperand::Predicate(predicate) = operand else {
            return Err(OperandFault::Class(operand.class().name()).into());
        };
        let bits = predicate_bits(predicate, self.machine, self.thread)?;
        Ok(bits >> self.plan.execution.mask.offset())
    }

    fn wrong_destination(&self) -> ComputeFault {
        OperandFault::Class(self.plan.destination.operand.class().name()).into()
    }

    fn float_mode(&self) -> FloatMode {
        let registers = self.machine.space(SpaceId::registers(self.thread.number));
        let bits = registers.load(self.plan.mode_place, 4).map(low_dword);
        FloatMode(bits.expect("the register file holds all predefined variables"))
    }

    fn alu(&mut self, op: AluOp, out: &mut Results) -> Result<(), ComputeFault> {
        if op == AluOp::Add3O {
            // The predicate receives the overflow.
            self.ignore_predicate()?;
        }
        self.read_inputs(op, &mut out.inputs)?;
        out.first = self.resolve(&self.plan.destination)?;
        if out.first.is_some() {
            self.evaluate(0, out.inputs.bits(), &mut out.values)?;
        }
        if op.second().is_none() {
            return Ok(());
        }
        let second = match (op, &out.first) {
            (AluOp::Addc | AluOp::Subb, _) => {
                let second = self.plan.second.as_ref();
                self.resolve(second.ok_or(ComputeFault::OperandCount)?)?
            }
            (AluOp::Madw, Some(low)) => Some(low.moved(self.half_bytes(), self.machine)?),
            (AluOp::Add3O, None) => {
                return Err(ComputeFault::NotModelled("add3.o to the null variable"));
            }
            (_, destination) => *destination,
        };
        let Some(second) = second else {
            return Ok(());
        };
        let mut values = [0; 32];
        self.evaluate(1, out.inputs.bits(), &mut values)?;
        if op == AluOp::Add3O {
            let bits = lane_mask(|lane| values[lane] != 0);
            return self.to_channels(self.plan.execution.predicate, bits, out);
        }
        out.second = Some(Box::new((second, values)));
        Ok(())
    }

    fn read_inputs(&self, op: AluOp, inputs: &mut AluInputs) -> Result<(), ComputeFault> {
        let AluInputs { bits, count } = inputs;
        *count = self.plan.sources.len();
        if *count > bits.len() {
            return Err(ComputeFault::OperandCount);
        }
        for (operand, bits) in self.plan.sources.iter().zip(bits.iter_mut()) {
            self.read(operand, bits)?;
        }
        if op == AluOp::Bfn {
            let [.., control] = bits;
            *control = [self.plan.suffix & 0xff; 32];
            *count += 1;
        }
        Ok(())
    }

    /// Computes an operation of the plan on the enabled lanes.
    fn evaluate(
        &self,
        index: usize,
        bits: &[LaneBits],
        values: &mut LaneBits,
    ) -> Result<(), ComputeFault> {
        let evaluator = self.evaluator(index)?;
        Ok(evaluator.apply(bits, self.lanes.enabled, values)?)
    }

    /// An operation of the plan in the floating-point mode of the thread.
    #[inline]
    fn evaluator(&self, index: usize) -> Result<Evaluator, ComputeFault> {
        let operation = self.plan.operations.get(index);
        let operation = operation.ok_or(ComputeFault::OperandCount)?.as_ref();
        let operation = operation.map_err(|fault| *fault)?;
        Ok(operation.in_mode(|| self.float_mode())?)
    }

    /// Size of the low halves of the results of `madw`, rounded up to whole registers.
    fn half_bytes(&self) -> u32 {
        (4 * u32::from(self.lanes.count)).next_multiple_of(self.thread.symbols.grf_bytes())
    }

    fn move_predicate(&self, out: &mut Results) -> Result<(), ComputeFault> {
        let [source] = self.sources()?;
        let bits = self.channels(source.operand)?;
        out.first = self.resolve(&self.plan.destination)?;
        match out.first {
            Some(_) => self.evaluate(0, &[[bits.into(); 32]], &mut out.values),
            None => Ok(()),
        }
    }

    fn predicate_logic(&self, op: AluOp, out: &mut Results) -> Result<(), ComputeFault> {
        let VectorOperand::Predicate(destination) = self.plan.destination.operand else {
            return Err(self.wrong_destination());
        };
        let bits = if op == AluOp::Not {
            let [source] = self.sources()?;
            !self.channels(source.operand)?
        } else {
            let [a, b] = self.sources()?;
            let (a, b) = (self.channels(a.operand)?, self.channels(b.operand)?);
            match op {
                AluOp::And => a & b,
                AluOp::Or => a | b,
                AluOp::Xor => a ^ b,
                _ => return Err(AluError::Types(op.name()).into()),
            }
        };
        self.to_channels(destination, bits, out)
    }

    fn select(&mut self, out: &mut Results) -> Result<(), ComputeFault> {
        let chosen = self.plan.execution.chosen(self.predicate);
        self.ignore_predicate()?;
        let sources: &[_; 2] = self.sources()?;
        out.first = self.resolve(&self.plan.destination)?;
        if out.first.is_none() {
            return Ok(());
        }
        let enabled = self.lanes.enabled;
        let lanes = [enabled & chosen, enabled & !chosen];
        for (index, (operand, enabled)) in sources.iter().zip(lanes).enumerate() {
            let lanes = LaneRange {
                enabled,
                ..self.lanes
            };
            let mut bits = [0; 32];
            read_lanes(operand, lanes, self.machine, self.thread, &mut bits)?;
            let mut moved = [0; 32];
            self.evaluator(index)?.apply(&[bits], enabled, &mut moved)?;
            for lane in set_bits(enabled) {
                out.values[lane] = moved[lane];
            }
        }
        Ok(())
    }

    fn compare(&self, out: &mut Results) -> Result<(), ComputeFault> {
        let relation = usize::try_from(self.plan.suffix);
        let relation = relation.ok().and_then(|code| Relation::ALL.get(code));
        let relation = relation.ok_or(ComputeFault::NotModelled("cmp without a relation"))?;
        let [a, b] = self.sources()?;
        let (mut a_bits, mut b_bits) = ([0; 32], [0; 32]);
        self.read(a, &mut a_bits)?;
        self.read(b, &mut b_bits)?;
        let sources = [(alu_source(a)?, &a_bits), (alu_source(b)?, &b_bits)];
        let bits = relation.compare(sources, self.float_mode(), self.lanes.enabled)?;
        if let VectorOperand::Predicate(destination) = self.plan.destination.operand {
            return self.to_channels(destination, bits, out);
        }
        if let Some(destination) = self.resolve(&self.plan.destination)? {
            let ones = low_mask(destination.ty().bits());
            out.set(
                destination,
                |lane| {
                    if bits >> lane & 1 == 1 { ones } else { 0 }
                },
            );
        }
        Ok(())
    }

    fn set_predicate(&self, out: &mut Results) -> Result<(), ComputeFault> {
        let VectorOperand::Predicate(destination) = self.plan.destination.operand else {
            return Err(self.wrong_destination());
        };
        let [operand] = self.sources()?;
        let values = self.read_integers(operand, "setp")?;
        // A scalar has one bit per lane, a vector one element.
        let is_scalar = match operand.operand {
            VectorOperand::Direct(direct) => direct.region == Region::SCALAR,
            VectorOperand::Indirect(indirect) => indirect.region == Region::SCALAR,
            VectorOperand::Immediate(immediate) => immediate.ty.packed().is_none(),
            _ => false,
        };
        let bits = lane_mask(|lane| values[lane] >> if is_scalar { lane } else { 0 } & 1 == 1);
        self.to_channels(destination, bits, out)
    }

    fn add_address(&self, out: &mut Results) -> Result<(), ComputeFault> {
        let [base, offset] = self.sources()?;
        let base = match base.operand {
            // The encoding does not distinguish the two.
            VectorOperand::AddressOf(direct) | VectorOperand::Direct(direct) => {
                let byte = direct.register_byte(self.thread.symbols);
                [byte.ok_or(OperandFault::Undeclared)?; 32]
            }
            VectorOperand::Address { .. } => {
                let mut bits = [0; 32];
                self.read(base, &mut bits)?;
                bits
            }
            _ => return Err(ComputeFault::NotModelled("addr_add of this operand")),
        };
        let offsets = self.read_integers(offset, "addr_add")?;
        let VectorOperand::Address { .. } = self.plan.destination.operand else {
            return Err(self.wrong_destination());
        };
        let destination = self.resolve(&self.plan.destination)?;
        let destination = destination.expect("an address variable is not the null variable");
        out.set(destination, |lane| {
            low_qword(i128::from(base[lane]) + offsets[lane])
        });
        Ok(())
    }

    fn address_of_name(&mut self, out: &mut Results) -> Result<(), ComputeFault> {
        let address = self.plan.named_address;
        let address = address.ok_or(ComputeFault::UnknownName)?;
        // The instruction has neither an execution size nor a mask.
        self.lanes = LaneRange {
            count: 1,
            enabled: 1,
        };
        if let Some(destination) = self.resolve(&self.plan.destination)? {
            out.set(destination, |_| address);
        }
        Ok(())
    }

    fn move_state(&self, out: &mut Results) -> Result<(), ComputeFault> {
        let [operand] = self.sources()?;
        let VectorOperand::State { class, .. } = self.plan.destination.operand else {
            return Err(ComputeFault::NotModelled("movs from a state variable"));
        };
        if !class.is_surface() || operand.operand.class() == OperandClass::State {
            return Err(ComputeFault::NotModelled(
                "movs of samplers or between state variables",
            ));
        }
        let indices = self.read_integers(operand, "movs")?;
        let destination = self.resolve(&self.plan.destination)?;
        let destination = destination.expect("a surface variable is not the null variable");
        out.set(destination, |lane| {
            low_qword(indices[lane]) | u64::from(SURFACE_IS_SET)
        });
        Ok(())
    }
}

/// Source elements of an operation.
#[derive(Clone, Debug, Default)]
struct AluInputs {
    bits: [LaneBits; 4],
    count: usize,
}

impl AluInputs {
    fn bits(&self) -> &[LaneBits] {
        &self.bits[..self.count]
    }
}

/// Mask of the lanes for which a condition holds.
fn lane_mask(holds: impl Fn(usize) -> bool) -> u32 {
    (0..32).fold(0, |bits, lane| bits | u32::from(holds(lane)) << lane)
}

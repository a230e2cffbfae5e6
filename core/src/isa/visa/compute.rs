//! Execution of the instructions that compute: arithmetic, logic, moves,
//! comparisons. How they are written is known elsewhere.

use super::alu::{AluError, AluOp, AluSource, Evaluator, FloatMode, LaneBits, Relation, low_qword};
use super::declarations::SURFACE_IS_SET;
use super::execution::{Execution, Predicate};
use super::operand::{
    Channels, LaneDestination, LaneRange, LaneValues, OperandFault, VisaThread, predicate_bits,
    read_lanes, write_predicate,
};
use super::predefined::CONTROL;
use super::vector::{OperandClass, Region, VectorOperand};
use crate::machine::{Machine, Recorder, SpaceId, flag_address};
use crate::number::{ElementType, low_mask, set_bits};

/// What an instruction does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Computation {
    /// An operation on elements. `mov` also moves a predicate to a register;
    /// `and`, `or`, `xor` and `not` also work on predicates.
    Alu(AluOp),
    /// `sel`: the predicate chooses a source for each lane.
    Select,
    /// `cmp`, to a predicate or a register.
    Compare(Relation),
    /// `setp`.
    SetPredicate,
    /// `addr_add`: the address of a variable plus an offset.
    AddAddress,
    /// `movs`, to or from a surface variable.
    MoveState,
}

/// Execution control and operands of an instruction that computes.
#[derive(Clone, Copy, Debug)]
pub struct ComputeOperands<'o> {
    /// Execution size, mask control and predicate.
    pub execution: Execution,
    /// Whether the result saturates.
    pub saturate: bool,
    /// The destination.
    pub destination: VectorOperand,
    /// Destination of the carry or borrow of `addc` and `subb`.
    pub second: Option<VectorOperand>,
    /// The sources; the control of `bfn` is its fourth, an immediate.
    pub sources: &'o [VectorOperand],
}

/// Why an instruction cannot be executed. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComputeFault {
    /// An operand cannot be read or written.
    #[error(transparent)]
    Operand(#[from] OperandFault),
    /// The operation does not compute.
    #[error(transparent)]
    Alu(#[from] AluError),
    /// An instruction whose predicate is an operand has none.
    #[error("the instruction needs a predicate")]
    NoPredicate,
    /// Another number of operands than the instruction has.
    #[error("the instruction has another number of operands")]
    OperandCount,
    /// A kind of operand whose meaning is not modelled.
    #[error("`{0}` is not modelled")]
    NotModelled(&'static str),
}

/// Executes an instruction on a thread: reads all sources, then writes the
/// enabled lanes, one recorded change for each, or one for a predicate.
///
/// # Errors
/// When the instruction cannot be executed; nothing is changed then.
pub fn compute<R: Recorder>(
    computation: Computation,
    operands: &ComputeOperands<'_>,
    machine: &mut Machine,
    thread: VisaThread<'_>,
    recorder: &mut R,
) -> Result<(), ComputeFault> {
    let mut issue = Issue::new(operands, machine, thread, recorder)?;
    let is_predicate = |operand: VectorOperand| operand.class() == OperandClass::Predicate;
    match computation {
        Computation::Alu(AluOp::Mov) if operands.sources.iter().any(|s| is_predicate(*s)) => {
            issue.move_predicate()
        }
        Computation::Alu(op) if is_predicate(operands.destination) => issue.predicate_logic(op),
        Computation::Alu(op) => issue.alu(op),
        Computation::Select => issue.select(),
        Computation::Compare(relation) => issue.compare(relation),
        Computation::SetPredicate => issue.set_predicate(),
        Computation::AddAddress => issue.add_address(),
        Computation::MoveState => issue.move_state(),
    }
}

/// An instruction that is being executed.
struct Issue<'i, R> {
    operands: &'i ComputeOperands<'i>,
    lanes: LaneRange,
    execution_mask: u32,
    /// Bits of the predicate of the instruction.
    predicate: u32,
    machine: &'i mut Machine,
    thread: VisaThread<'i>,
    recorder: &'i mut R,
}

impl<'i, R: Recorder> Issue<'i, R> {
    fn new(
        operands: &'i ComputeOperands<'i>,
        machine: &'i mut Machine,
        thread: VisaThread<'i>,
        recorder: &'i mut R,
    ) -> Result<Self, ComputeFault> {
        let execution = operands.execution;
        let flags = machine.space(SpaceId::flags(thread.number));
        let load = |id| {
            let bits = flags.load(flag_address(id), 4);
            let bits = bits.ok_or(OperandFault::Undeclared)?;
            Ok::<_, OperandFault>(u32::try_from(bits).expect("four bytes were read"))
        };
        let (execution_mask, predicate) = (load(0)?, load(execution.predicate.id.0)?);
        let lanes = LaneRange {
            count: execution.size.lanes(),
            enabled: execution.enabled(execution_mask, predicate),
        };
        Ok(Self {
            operands,
            lanes,
            execution_mask,
            predicate,
            machine,
            thread,
            recorder,
        })
    }

    /// Enables the lanes of the execution mask, whatever the predicate, which
    /// is an operand of the instruction.
    fn ignore_predicate(&mut self) -> Result<(), ComputeFault> {
        let execution = self.operands.execution;
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

    fn sources<const N: usize>(&self) -> Result<[VectorOperand; N], ComputeFault> {
        let sources = <[VectorOperand; N]>::try_from(self.operands.sources);
        sources.map_err(|_| ComputeFault::OperandCount)
    }

    fn read(&self, operand: VectorOperand) -> Result<LaneValues, OperandFault> {
        read_lanes(operand, self.lanes, self.machine, self.thread)
    }

    fn resolve(&self, operand: VectorOperand) -> Result<Option<LaneDestination>, OperandFault> {
        LaneDestination::resolve(operand, self.lanes, self.machine, self.thread)
    }

    fn write(&mut self, destination: &LaneDestination, values: &LaneBits) {
        destination.write(values, self.machine, self.recorder);
    }

    fn write_channels(&mut self, operand: Predicate, bits: u32) -> Result<(), ComputeFault> {
        let channels = Channels {
            offset: self.operands.execution.mask.offset(),
            enabled: self.lanes.enabled,
            bits,
        };
        write_predicate(operand, channels, self.machine, self.thread, self.recorder)?;
        Ok(())
    }

    /// The bits of a predicate operand for the lanes.
    fn channels(&self, operand: VectorOperand) -> Result<u32, ComputeFault> {
        let VectorOperand::Predicate(predicate) = operand else {
            return Err(OperandFault::Class(operand.class().name()).into());
        };
        let bits = predicate_bits(predicate, self.machine, self.thread)?;
        Ok(bits >> self.operands.execution.mask.offset())
    }

    fn float_mode(&self) -> FloatMode {
        let control = self.thread.symbols.general(CONTROL);
        let control = control.expect("it is predefined");
        let registers = SpaceId::registers(self.thread.number);
        let bits = self.machine.load(registers, control.offset.into(), 4);
        let bits = bits.and_then(|bits| u32::try_from(bits).ok());
        FloatMode(bits.expect("the register file holds all predefined variables"))
    }

    fn alu(&mut self, op: AluOp) -> Result<(), ComputeFault> {
        if op == AluOp::Add3O {
            // The predicate is the destination of the overflow.
            predicate_bits(self.operands.execution.predicate, self.machine, self.thread)?;
            self.ignore_predicate()?;
        }
        let inputs = self.inputs()?;
        let destination = self.resolve(self.operands.destination)?;
        let second = match (op, &destination) {
            (AluOp::Addc | AluOp::Subb, _) => {
                let second = self.operands.second.ok_or(ComputeFault::OperandCount)?;
                self.resolve(second)?
            }
            (AluOp::Madw, Some(low)) => Some(low.moved(self.half_bytes(), self.machine)?),
            (AluOp::Add3O, None) => {
                return Err(ComputeFault::NotModelled("add3.o to the null variable"));
            }
            (AluOp::Add3O, destination) => destination.clone(),
            _ => None,
        };
        let result = self.evaluate(op, &inputs, destination)?;
        let second = match op.second() {
            Some(op) => self.evaluate(op, &inputs, second)?,
            None => None,
        };
        if let Some((destination, values)) = result {
            self.write(&destination, &values);
        }
        match second {
            Some((_, overflows)) if op == AluOp::Add3O => {
                let bits = lane_mask(|lane| overflows[lane] != 0);
                self.write_channels(self.operands.execution.predicate, bits)?;
            }
            Some((destination, values)) => self.write(&destination, &values),
            None => {}
        }
        Ok(())
    }

    fn inputs(&self) -> Result<AluInputs, ComputeFault> {
        let mut inputs = AluInputs {
            sources: [AluSource::plain(ElementType::Ud); 4],
            bits: [[0; 32]; 4],
            count: self.operands.sources.len(),
        };
        if inputs.count > inputs.sources.len() {
            return Err(ComputeFault::OperandCount);
        }
        let places = inputs.sources.iter_mut().zip(&mut inputs.bits);
        for (operand, (source, bits)) in self.operands.sources.iter().zip(places) {
            LaneValues {
                source: *source,
                bits: *bits,
            } = self.read(*operand)?;
        }
        Ok(inputs)
    }

    /// The results of an operation, with their destination if there is one.
    fn evaluate(
        &self,
        op: AluOp,
        inputs: &AluInputs,
        destination: Option<LaneDestination>,
    ) -> Result<Option<(LaneDestination, LaneBits)>, ComputeFault> {
        let Some(destination) = destination else {
            return Ok(None);
        };
        let sources = inputs.sources.get(..inputs.count);
        let sources = sources.expect("inputs are counted when they are read");
        let bits = inputs.bits.get(..inputs.count);
        let bits = bits.expect("inputs are counted when they are read");
        let (ty, saturate) = (destination.ty(), self.operands.saturate);
        let evaluator = Evaluator::new(op, sources, ty, saturate, self.float_mode())?;
        let values = evaluator.apply(bits, self.lanes.enabled)?;
        Ok(Some((destination, values)))
    }

    /// Whole registers that the low halves of the results of `madw` take.
    fn half_bytes(&self) -> u32 {
        (4 * u32::from(self.lanes.count)).next_multiple_of(self.thread.symbols.grf_bytes())
    }

    fn move_predicate(&mut self) -> Result<(), ComputeFault> {
        let [source] = self.sources()?;
        let bits = self.channels(source)?;
        let Some(destination) = self.resolve(self.operands.destination)? else {
            return Ok(());
        };
        let mode = self.float_mode();
        let source = AluSource::plain(ElementType::Ud);
        let ty = destination.ty();
        let evaluator = Evaluator::new(AluOp::Mov, &[source], ty, self.operands.saturate, mode)?;
        let values = evaluator.apply(&[[bits.into(); 32]], self.lanes.enabled)?;
        self.write(&destination, &values);
        Ok(())
    }

    fn predicate_logic(&mut self, op: AluOp) -> Result<(), ComputeFault> {
        let VectorOperand::Predicate(destination) = self.operands.destination else {
            return Err(OperandFault::Class(self.operands.destination.class().name()).into());
        };
        let bits = if op == AluOp::Not {
            let [source] = self.sources()?;
            !self.channels(source)?
        } else {
            let [a, b] = self.sources()?;
            let (a, b) = (self.channels(a)?, self.channels(b)?);
            match op {
                AluOp::And => a & b,
                AluOp::Or => a | b,
                AluOp::Xor => a ^ b,
                _ => return Err(AluError::Types(op.name()).into()),
            }
        };
        self.write_channels(destination, bits)
    }

    fn select(&mut self) -> Result<(), ComputeFault> {
        let chosen = self.operands.execution.chosen(self.predicate);
        self.ignore_predicate()?;
        let sources: [_; 2] = self.sources()?;
        let Some(destination) = self.resolve(self.operands.destination)? else {
            return Ok(());
        };
        let mode = self.float_mode();
        let enabled = self.lanes.enabled;
        let mut values = [0; 32];
        for (operand, enabled) in sources
            .into_iter()
            .zip([enabled & chosen, enabled & !chosen])
        {
            let lanes = LaneRange {
                enabled,
                ..self.lanes
            };
            let read = read_lanes(operand, lanes, self.machine, self.thread)?;
            let (ty, saturate) = (destination.ty(), self.operands.saturate);
            let evaluator = Evaluator::new(AluOp::Mov, &[read.source], ty, saturate, mode)?;
            let moved = evaluator.apply(&[read.bits], enabled)?;
            for lane in set_bits(enabled) {
                values[lane] = moved[lane];
            }
        }
        self.write(&destination, &values);
        Ok(())
    }

    fn compare(&mut self, relation: Relation) -> Result<(), ComputeFault> {
        let [a, b] = self.sources()?;
        let (a, b) = (self.read(a)?, self.read(b)?);
        let sources = [(a.source, &a.bits), (b.source, &b.bits)];
        let bits = relation.compare(sources, self.float_mode(), self.lanes.enabled)?;
        if let VectorOperand::Predicate(destination) = self.operands.destination {
            return self.write_channels(destination, bits);
        }
        if let Some(destination) = self.resolve(self.operands.destination)? {
            let ones = low_mask(destination.ty().bits());
            let value = |lane| if bits >> lane & 1 == 1 { ones } else { 0 };
            self.write(&destination, &core::array::from_fn(value));
        }
        Ok(())
    }

    fn set_predicate(&mut self) -> Result<(), ComputeFault> {
        let VectorOperand::Predicate(destination) = self.operands.destination else {
            return Err(OperandFault::Class(self.operands.destination.class().name()).into());
        };
        let [operand] = self.sources()?;
        let source = self.read(operand)?;
        // A scalar has a bit for each lane, a vector an element.
        let is_scalar = match operand {
            VectorOperand::Direct(direct) => direct.region == Region::SCALAR,
            VectorOperand::Indirect(indirect) => indirect.region == Region::SCALAR,
            VectorOperand::Immediate(immediate) => immediate.ty.packed().is_none(),
            _ => false,
        };
        if source.source.ty.is_float() {
            return Err(AluError::Types("setp").into());
        }
        let bits = lane_mask(|lane| {
            let value = source.integer(lane);
            value.is_some_and(|value| value >> if is_scalar { lane } else { 0 } & 1 == 1)
        });
        self.write_channels(destination, bits)
    }

    fn add_address(&mut self) -> Result<(), ComputeFault> {
        let [base, offset] = self.sources()?;
        let base = match base {
            VectorOperand::Direct(direct) => {
                let byte = direct.register_byte(self.thread.symbols);
                [byte.ok_or(OperandFault::Undeclared)?; 32]
            }
            VectorOperand::Address { .. } => self.read(base)?.bits,
            _ => return Err(ComputeFault::NotModelled("addr_add of this operand")),
        };
        let offset = self.read(offset)?;
        if offset.source.ty.is_float() {
            return Err(AluError::Types("addr_add").into());
        }
        let VectorOperand::Address { .. } = self.operands.destination else {
            return Err(OperandFault::Class(self.operands.destination.class().name()).into());
        };
        let destination = self.resolve(self.operands.destination)?;
        let destination = destination.expect("an address variable is not the null variable");
        let sum = |lane: usize| {
            let offset = offset.integer(lane).expect("the offset is an integer");
            low_qword(i128::from(base[lane]) + offset)
        };
        self.write(&destination, &core::array::from_fn(sum));
        Ok(())
    }

    fn move_state(&mut self) -> Result<(), ComputeFault> {
        let [operand] = self.sources()?;
        let VectorOperand::State { class, .. } = self.operands.destination else {
            return Err(ComputeFault::NotModelled("movs from a state variable"));
        };
        if !class.is_surface() || operand.class() == OperandClass::State {
            return Err(ComputeFault::NotModelled(
                "movs of samplers or between state variables",
            ));
        }
        let index = self.read(operand)?;
        if index.source.ty.is_float() {
            return Err(AluError::Types("movs").into());
        }
        let destination = self.resolve(self.operands.destination)?;
        let destination = destination.expect("a surface variable is not the null variable");
        let state = |lane| {
            let index = index.integer(lane).expect("the index is an integer");
            low_qword(index) & !u64::from(SURFACE_IS_SET) | u64::from(SURFACE_IS_SET)
        };
        self.write(&destination, &core::array::from_fn(state));
        Ok(())
    }
}

/// Sources of an operation as they were read.
struct AluInputs {
    sources: [AluSource; 4],
    bits: [LaneBits; 4],
    count: usize,
}

/// Bit n is set if a condition holds for lane n.
fn lane_mask(holds: impl Fn(usize) -> bool) -> u32 {
    (0..32).fold(0, |bits, lane| bits | u32::from(holds(lane)) << lane)
}

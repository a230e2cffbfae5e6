//! Execution of a message.

use super::super::VisaInstruction;
use super::super::block2d::{BlockLocation, BlockShape};
use super::shape::{MessageElement, MessageShape};
use super::target::{MessageTarget, SurfaceMemory};
use super::{Message, MessageFault, MessageFormat, MessageInstruction, MessageKind, PITCH, name};
use crate::isa::rmw_exec;
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::execution::Execution;
use crate::isa::visa::operand::read_row;
use crate::isa::visa::raw_operand::RawOperand;
use crate::isa::visa::vector::VectorOperand;
use crate::isa::{Access, FaultKind, IssueContext, Unit};
use crate::machine::{Change, Machine, Memory, Recorder, SpaceId};
use crate::number::sign_extend;
use crate::text::SyntaxPart;
use alloc::vec;
use alloc::vec::Vec;

/// A message, resolved for the symbols of its program.
#[derive(Clone, Debug)]
pub(in crate::isa::visa::op) struct MessagePlan {
    message: Message,
    execution: Execution,
    shape: MessageShape,
    /// Of a message for 2D blocks.
    block: Option<BlockShape>,
    target: Result<MessageTarget, MessageFault>,
    /// Constant and operand added to the address of every lane.
    offset: u64,
    base: Option<VectorOperand>,
    /// The distance between the lanes of a strided message, in bytes.
    pitch: Option<VectorOperand>,
    addresses: OperandRegisters,
    data: OperandRegisters,
    /// Address of the first byte that is returned to registers, if any is.
    destination: Option<u32>,
    /// Alignment of the accesses in memory, a power of two.
    alignment: u64,
    /// Operands of an atomic.
    sources: [OperandRegisters; 2],
    is_prefetch: bool,
    /// Register-file address from which no instruction reads what is loaded.
    excess: Option<u32>,
}

impl MessagePlan {
    /// # Errors
    /// If the form is not modeled.
    pub(in crate::isa::visa::op) fn of(
        message: Message,
        instruction: &VisaInstruction,
        symbols: &Declarations,
    ) -> Result<Self, MessageFault> {
        let form = MessageInstruction {
            message,
            instruction,
        };
        let registers = |operand| OperandRegisters::of(operand, symbols);
        let is_lsc = message.format == MessageFormat::Lsc;
        let is_block = message.format == MessageFormat::Block2d;
        let block = || BlockShape::of(instruction, symbols.grf_bytes());
        let shape = MessageShape::of(message, instruction, symbols)?;
        let data = registers(form.data());
        let is_load = message.kind == MessageKind::Load;
        let is_scalar = shape.lanes == 1 || form.is_block() || instruction.execution.mask.no_mask();
        let excess = (is_load && is_scalar && symbols.is_launch && symbols.is_compiled())
            .then(|| shape.unread_from(data.at(0)?, symbols))
            .flatten();
        Ok(Self {
            excess,
            message,
            execution: instruction.execution,
            destination: match message.kind {
                MessageKind::Store => None,
                MessageKind::Load | MessageKind::Atomic(_) => data.at(0).filter(|_| !data.is_null),
            },
            alignment: match message.kind {
                MessageKind::Atomic(_) => shape.bytes.into(),
                MessageKind::Load | MessageKind::Store => shape.alignment.into(),
            },
            shape,
            block: match is_block {
                true => Some(block().map_err(MessageFault::NotModelled)?),
                false => None,
            },
            target: MessageTarget::of(message, instruction),
            offset: match is_lsc {
                // A signed field of 32 bits.
                true => sign_extend(instruction.expect_field(name::OFFSET), 32),
                false => 0,
            }
            .cast_unsigned(),
            base: match is_lsc {
                true => instruction.flat_base(),
                false => instruction.vector(SyntaxPart::Address).filter(
                    |base| !matches!(base, VectorOperand::Direct(direct) if direct.is_null()),
                ),
            },
            pitch: instruction.vector(PITCH),
            addresses: registers(match message.format {
                MessageFormat::Blocks | MessageFormat::Lsc => form.raw(SyntaxPart::Address),
                _ => form.raw(SyntaxPart::Offsets),
            }),
            data,
            sources: [SyntaxPart::Src1, SyntaxPart::Src2].map(|part| registers(form.raw(part))),
            is_prefetch: form.is_prefetch(),
        })
    }

    /// Register-file address from which no instruction reads what is loaded.
    pub(in crate::isa::visa::op) const fn excess(&self) -> Option<u32> {
        self.excess
    }

    /// Register-file address of each element of a block that is stored.
    pub(in crate::isa::visa::op) fn stored_elements(&self) -> Vec<u32> {
        let stored = self
            .block
            .filter(|_| self.message.kind == MessageKind::Store);
        let registers = stored.iter().flat_map(|block| block.elements());
        registers
            .filter_map(|(_, register)| self.data.at(register))
            .collect()
    }

    /// The memory that the message accesses.
    ///
    /// # Errors
    /// If the surface is not bound.
    pub(in crate::isa::visa::op) fn memory(
        &self,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Result<SurfaceMemory, MessageFault> {
        self.target?.memory(context, thread)
    }

    /// Appends the accesses of all enabled lanes.
    ///
    /// # Errors
    /// If the message faults in this state.
    pub(in crate::isa::visa::op) fn issue(
        &self,
        instruction: &VisaInstruction,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) -> Result<(), MessageFault> {
        for thread in context.threads.iter() {
            let execution = u64::from(self.execution.enabled_on(context, thread));
            let enabled = match (self.shape.masked, self.shape.step) {
                (true, None) => execution,
                (true, Some(_)) if execution & 1 == 0 => 0,
                // Messages without an execution mask access all their blocks.
                _ => u64::MAX,
            };
            if enabled == 0 {
                continue;
            }
            let memory = self.memory(context, thread)?;
            let issue = ThreadIssue {
                plan: self,
                memory,
                cells: context.machine.space(memory.space),
                registers: context.machine.space(SpaceId::registers(thread)),
                machine: context.machine,
                thread,
            };
            match self.block {
                Some(block) => issue.block(block, instruction, context, out)?,
                None => issue.lanes(enabled, context, out)?,
            }
        }
        Ok(())
    }

    /// Performs accesses in order and calls `recorder` at the start of each.
    pub(in crate::isa::visa::op) fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        let shape = &self.shape;
        if let MessageKind::Atomic(update) = self.message.kind {
            if shape.width == shape.bytes {
                rmw_exec::perform(update, accesses, machine, recorder);
                return;
            }
            // Returned values are zero-extended like loaded ones.
            for access in accesses {
                rmw_exec::perform(update, &[*access], machine, recorder);
                if let Some(dst) = access.dst {
                    let registers = SpaceId::registers(access.unit.thread);
                    let upper = u64::from(dst) + u64::from(shape.bytes);
                    machine.store(recorder, registers, upper, shape.width - shape.bytes, 0);
                }
            }
            return;
        }
        for turn in accesses.chunk_by(|a, b| a.unit.thread == b.unit.thread && a.space == b.space) {
            self.transfer(turn, machine, recorder);
        }
        if let Some(block) = self.block {
            clear_padding(block, accesses, machine, recorder);
        }
    }

    /// Performs loads or stores of one thread in one space.
    fn transfer<R: Recorder>(&self, accesses: &[Access], machine: &mut Machine, recorder: &mut R) {
        let Some(first) = accesses.first() else {
            return;
        };
        let shape = &self.shape;
        let registers = SpaceId::registers(first.unit.thread);
        let (space, bytes) = match self.message.kind {
            MessageKind::Store => (first.space, shape.bytes),
            MessageKind::Load | MessageKind::Atomic(_) => (registers, shape.width),
        };
        let written = |change| {
            recorder.begin();
            if let Some((address, old, new)) = change {
                recorder.record(Change {
                    space,
                    bytes,
                    address,
                    old,
                    new,
                });
            }
        };
        let spaces = machine.two_spaces(first.space, registers);
        let [memory, file] = spaces.expect("memory and registers are separate spaces");
        let accesses = accesses.iter();
        if self.message.kind == MessageKind::Store {
            let cell = |access: &Access| Some((access.address, access.src0));
            let cells = accesses.map(|access| cell(access).filter(|_| access.in_bounds));
            memory.scatter(bytes, cells, written);
            return;
        }
        let cells = accesses.map(|access| {
            let value = match access.in_bounds {
                true => memory.load(access.address, shape.bytes)?,
                false => 0,
            };
            Some((access.dst?.into(), value << shape.shift))
        });
        file.scatter(bytes, cells, written);
    }
}

/// Clears the registers between the rows and blocks that a message has loaded.
fn clear_padding<R: Recorder>(
    block: BlockShape,
    accesses: &[Access],
    machine: &mut Machine,
    recorder: &mut R,
) {
    let per_thread = block.elements().count();
    // The first element is the first in registers, too.
    for first in accesses.iter().step_by(per_thread) {
        let Some(start) = first.dst else { continue };
        let registers = SpaceId::registers(first.unit.thread);
        for byte in block.padding() {
            machine.store(recorder, registers, (start + byte).into(), block.bytes, 0);
        }
    }
}

/// The issue of a message on one thread.
struct ThreadIssue<'i> {
    plan: &'i MessagePlan,
    memory: SurfaceMemory,
    /// The space of `memory`.
    cells: &'i Memory,
    registers: &'i Memory,
    machine: &'i Machine,
    thread: u8,
}

impl ThreadIssue<'_> {
    /// Appends the accesses of the enabled lanes. The registers of all lanes up to the last
    /// enabled one are checked: addresses first, then sources and destination of each element.
    fn lanes(
        &self,
        enabled: u64,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) -> Result<(), MessageFault> {
        let (plan, shape) = (self.plan, &self.plan.shape);
        let scalar = |operand: Option<VectorOperand>, what| {
            let value = |operand: VectorOperand| {
                let value = operand.scalar(&context.symbols.visa, self.machine, self.thread);
                value.ok_or(MessageFault::NoValue(what))
            };
            operand.map(value).transpose()
        };
        let what = match plan.message.format {
            MessageFormat::Lsc => "the base of the address",
            _ => "the offset",
        };
        let base = scalar(plan.base, what)?.unwrap_or(0);
        let base = base.wrapping_add(plan.offset);
        let step = scalar(plan.pitch, "the pitch")?.or(shape.step);
        let lanes = (0..shape.lanes).filter(|lane| enabled >> (lane & 63) & 1 == 1);
        let count = lanes.clone().next_back().map_or(0, |last| last + 1);
        let bytes = shape.address_bytes;
        let addresses = match step {
            // Lanes at one distance share the first address.
            Some(_) => self.read(plan.addresses, 0, bytes.into(), bytes, 1),
            None => self.read(plan.addresses, 0, bytes.into(), bytes, count),
        };
        let addresses = addresses.ok_or(MessageFault::PastEnd("the addresses"))?;
        for element in &shape.elements {
            let sources = self.sources(element, count)?;
            self.check_destination(element, count)?;
            out.reserve(usize::from(count));
            out.extend(lanes.clone().map(|lane| {
                let at = usize::from(lane);
                let (address, distance) = match step {
                    Some(step) => (addresses[0], step.wrapping_mul(lane.into())),
                    None => (addresses[at], 0),
                };
                let address = match shape.is_signed {
                    true => sign_extend(address, 8 * u32::from(bytes)).cast_unsigned(),
                    false => address,
                };
                let offset = base
                    .wrapping_add(address.wrapping_mul(shape.scale))
                    .wrapping_mul(shape.unit)
                    .wrapping_add(element.offset)
                    .wrapping_add(distance);
                let source = |source: &Vec<u64>| source.get(at).copied().unwrap_or(0);
                self.access(element, lane, offset, sources.each_ref().map(source))
            }));
        }
        Ok(())
    }

    /// Elements of lanes from 0 on; zeros from the null variable. `None` if one does not exist.
    fn read(
        &self,
        operand: OperandRegisters,
        offset: u32,
        stride: u64,
        bytes: u8,
        count: u8,
    ) -> Option<Vec<u64>> {
        let mut elements = vec![0; usize::from(count)];
        if !operand.is_null {
            let first = operand.at(offset)?.into();
            read_row(self.registers, first, stride, bytes, &mut elements).ok()?;
        }
        Some(elements)
    }

    /// Source values of the first lanes; empty for a load.
    fn sources(&self, element: &MessageElement, count: u8) -> Result<[Vec<u64>; 2], MessageFault> {
        let (plan, shape) = (self.plan, &self.plan.shape);
        let read = |operand| {
            let elements = self.read(
                operand,
                element.register,
                shape.stride.into(),
                shape.bytes,
                count,
            );
            elements.ok_or(MessageFault::PastEnd("a source"))
        };
        Ok(match plan.message.kind {
            MessageKind::Load => [Vec::new(), Vec::new()],
            MessageKind::Store => [read(plan.data)?, Vec::new()],
            MessageKind::Atomic(_) => [read(plan.sources[0])?, read(plan.sources[1])?],
        })
    }

    /// Checks that the registers exist that the first lanes write.
    fn check_destination(&self, element: &MessageElement, count: u8) -> Result<(), MessageFault> {
        let (plan, shape) = (self.plan, &self.plan.shape);
        if plan.data.is_null || plan.message.kind == MessageKind::Store {
            return Ok(());
        }
        let last = element.register + shape.stride * u32::from(count.saturating_sub(1));
        let last = plan.data.at(last);
        match last.is_some_and(|last| self.registers.is_mapped(last.into(), shape.width)) {
            true => Ok(()),
            false => Err(MessageFault::PastEnd("the destination")),
        }
    }

    fn block(
        &self,
        block: BlockShape,
        instruction: &VisaInstruction,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) -> Result<(), MessageFault> {
        let location = BlockLocation::of(instruction, context, self.thread);
        let location = location.ok_or(MessageFault::NoValue("the surface"))?;
        if location.has_overlapping_rows() {
            return Err(MessageFault::NarrowPitch);
        }
        let data = self.plan.data;
        let last = data.at(block.register_bytes() - 1);
        if !data.is_null && !last.is_some_and(|last| self.registers.is_mapped(last.into(), 1)) {
            return Err(MessageFault::PastEnd("the block"));
        }
        for (place, register) in block.elements() {
            let (offset, is_inside) = location.element(place, block.bytes);
            let element = MessageElement {
                register,
                ..MessageElement::default()
            };
            let sources = self.sources(&element, 1)?;
            let source = |source: &Vec<u64>| source.first().copied().unwrap_or(0);
            let mut access = self.access(&element, 0, offset, sources.each_ref().map(source));
            if !is_inside {
                (access.in_bounds, access.fault) = (false, None);
            }
            out.push(access);
        }
        Ok(())
    }

    /// The access of a lane, whose registers exist.
    #[inline(always)]
    fn access(
        &self,
        element: &MessageElement,
        lane: u8,
        offset: u64,
        [src0, src1]: [u64; 2],
    ) -> Access {
        let (plan, shape) = (self.plan, &self.plan.shape);
        let place = element.register + shape.stride * u32::from(lane);
        let dst = (plan.destination).and_then(|first| first.checked_add(place));
        let (address, in_bounds, mut fault) = self.memory.cell(offset, shape.bytes, self.cells);
        // The lanes of a block are at one distance from its start.
        let start = address.wrapping_sub(shape.step.unwrap_or(0).wrapping_mul(lane.into()));
        if start & (plan.alignment - 1) != 0 {
            fault = Some(FaultKind::Misaligned);
        }
        let is_excess = dst.zip(plan.excess).is_some_and(|(dst, end)| dst >= end);
        if plan.is_prefetch || is_excess {
            fault = None;
        }
        let unit = Unit::part(self.thread, lane, element.channel);
        Access {
            in_bounds,
            fault,
            src0,
            src1,
            writes: plan.message.kind != MessageKind::Load,
            dst,
            ..Access::new(unit, self.memory.space, address, shape.bytes)
        }
    }
}

/// The registers of an operand.
#[derive(Clone, Copy, Debug)]
struct OperandRegisters {
    is_null: bool,
    /// Address of the first byte.
    start: Option<u32>,
}

impl OperandRegisters {
    fn of(operand: RawOperand, symbols: &Declarations) -> Self {
        Self {
            is_null: operand.is_null(),
            start: register_of(operand, 0, symbols),
        }
    }

    /// Register-file address of a byte.
    #[inline]
    fn at(self, offset: u32) -> Option<u32> {
        self.start?.checked_add(offset)
    }
}

/// Register-file address of a byte of an operand.
pub(super) fn register_of(operand: RawOperand, offset: u32, symbols: &Declarations) -> Option<u32> {
    let variable = symbols.general(operand.id.0)?;
    variable
        .offset
        .checked_add(u32::from(operand.offset))?
        .checked_add(offset)
}

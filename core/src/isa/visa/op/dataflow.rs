//! Data flow of the instructions of the opcode table.

use super::message::MessageKind;
use super::plan::Plan;
use super::{Argument, Behavior, VisaInstruction};
use crate::isa::dataflow::{DataResult, DataSource, Dataflow, Reads, Transfer};
use crate::isa::schema::Direction;
use crate::isa::visa::alu::AluOp;
use crate::isa::visa::compute::{Computation, Results, SourceLanes, compute, sources_by_lane};
use crate::isa::visa::declarations::{Declarations, FIRST_GENERAL, address_element};
use crate::isa::visa::execution::Predicate;
use crate::isa::visa::operand::{VisaThread, span_of};
use crate::isa::visa::predefined::{ARGUMENTS, RETURNED};
use crate::isa::visa::vector::{AddressId, DirectOperand, Modifier, VectorOperand};
use crate::isa::{IssueContext, LaneResult};
use crate::machine::{SpaceId, flag_address};
use crate::text::SyntaxPart;
use alloc::vec::Vec;
use core::ops::Range;

fn flag_range(address: u64, bytes: u64) -> Range<u32> {
    let end = u32::try_from(address + bytes).expect("the flags are small");
    let start = u32::try_from(address).expect("the flags are small");
    start..end
}

/// At most `count` elements of an address variable from one on.
fn address_range(id: AddressId, element: u8, count: u8, symbols: &Declarations) -> Range<u32> {
    let elements = symbols
        .address_variable(id.0)
        .map_or(1, |variable| variable.elements);
    let rest = elements.saturating_sub(element.into());
    let count = rest.min(count.into()).max(1);
    flag_range(address_element(id.0, element), u64::from(count) * 4)
}

/// Register-file bytes of a computation.
pub(super) struct ComputedRegisters {
    pub(super) operands: Vec<Range<u32>>,
    pub(super) result: Option<Range<u32>>,
}

impl VisaInstruction {
    pub(super) fn read_operands(&self, symbols: &Declarations) -> Reads {
        let mut reads = Reads::default();
        if let id @ 1.. = self.execution.predicate.id.0 {
            reads.flags.push(flag_range(flag_address(id), 4));
        }
        for (slot, argument) in self.op.format.fields.iter().zip(&self.arguments) {
            let is_destination = matches!(slot.part(), Some(SyntaxPart::Dst | SyntaxPart::Carry));
            match argument {
                Argument::Vector(VectorOperand::Indirect(indirect)) => {
                    let addresses = address_range(indirect.id, indirect.element, u8::MAX, symbols);
                    reads.flags.push(addresses);
                    reads.has_others |= !is_destination;
                }
                _ if is_destination => {}
                Argument::Vector(VectorOperand::Direct(direct)) => {
                    let lanes = self.execution.size.lanes();
                    let elements = span_of(*direct, Direction::In, lanes, symbols);
                    let elements = elements.map(|(bytes, _)| bytes);
                    let elements = elements.or_else(|| symbols.bytes_of(direct.id.0));
                    reads.registers.extend(elements);
                }
                Argument::Vector(VectorOperand::Address { id, element, width }) => {
                    let addresses = address_range(*id, *element, width.lanes(), symbols);
                    reads.flags.push(addresses);
                }
                Argument::Vector(VectorOperand::Predicate(predicate)) => {
                    let address = flag_address(predicate.id.0);
                    reads.flags.push(flag_range(address, 4));
                }
                Argument::Raw(raw) if !raw.is_null() => {
                    reads.registers.extend(symbols.bytes_of(raw.id.0));
                }
                _ => {}
            }
        }
        reads
    }

    /// Register-file bytes that a `mov` copies, where to, and whether these are all that it
    /// reads: if the distances or sizes of the elements change, only those of the first element
    /// count.
    pub(super) fn copied_registers(
        &self,
        symbols: &Declarations,
    ) -> Option<(Range<u32>, u32, bool)> {
        if self.op.behavior != Behavior::Compute(Computation::Alu(AluOp::Mov)) {
            return None;
        }
        let (Some(VectorOperand::Direct(dst)), Some(VectorOperand::Direct(src))) =
            (self.vector(SyntaxPart::Dst), self.vector(SyntaxPart::Src0))
        else {
            return None;
        };
        let lanes = self.execution.size.lanes();
        let ty = |direct: DirectOperand| Some(symbols.general(direct.id.0)?.ty);
        let (from, to) = (ty(src)?, ty(dst)?);
        let is_copy = from == to || !from.is_float() && !to.is_float();
        let (source, stride) = span_of(src, Direction::In, lanes, symbols)?;
        let (place, own_stride) = span_of(dst, Direction::Out, lanes, symbols)?;
        let is_whole = from.bytes() == to.bytes() && stride.is_some() && stride == own_stride;
        let end = match is_whole {
            true => source.end,
            false => source.start + u32::from(from.bytes().min(to.bytes())),
        };
        // What special registers do with a value is not followed.
        let is_kept = dst.id.0 >= FIRST_GENERAL || [ARGUMENTS, RETURNED].contains(&dst.id.0);
        let is_copy = is_copy && is_kept && src.modifier == Modifier::NONE && !self.saturates();
        is_copy.then_some((source.start..end, place.start, is_whole))
    }

    /// Register-file bytes of the operands and the result of a computation; `None` for loads,
    /// stores, and moves that keep the size and the bits of their elements.
    pub(super) fn computed_registers(&self, symbols: &Declarations) -> Option<ComputedRegisters> {
        match self.op.behavior {
            Behavior::Message(message) if !matches!(message.kind, MessageKind::Atomic(_)) => {
                return None;
            }
            Behavior::Compute(Computation::Alu(AluOp::Mov)) => {
                let element = |part| match self.vector(part)? {
                    VectorOperand::Direct(direct) => symbols.general(direct.id.0),
                    _ => None,
                };
                let source = element(SyntaxPart::Src0)?.ty;
                let is_resized = element(SyntaxPart::Dst)?.ty.bytes() != source.bytes();
                if !is_resized && self.copied_registers(symbols).is_some() {
                    return None;
                }
            }
            _ => {}
        }
        let result = match self.argument(SyntaxPart::Dst) {
            Some(Argument::Vector(VectorOperand::Direct(direct))) => {
                let lanes = self.execution.size.lanes();
                let elements = span_of(*direct, Direction::Out, lanes, symbols);
                let elements = elements.map(|(bytes, _)| bytes);
                elements.or_else(|| symbols.bytes_of(direct.id.0))
            }
            Some(Argument::Raw(raw)) if !raw.is_null() => symbols.bytes_of(raw.id.0),
            _ => None,
        };
        Some(ComputedRegisters {
            operands: self.read_operands(symbols).registers,
            result,
        })
    }

    /// Element of the flags and variable of an `addr_add` of the address of a variable.
    pub(super) fn address_of_variable(&self, symbols: &Declarations) -> Option<(u32, Range<u32>)> {
        if self.op.behavior != Behavior::Compute(Computation::AddAddress) {
            return None;
        }
        let (
            Some(VectorOperand::Address { id, element, .. }),
            Some(VectorOperand::AddressOf(base) | VectorOperand::Direct(base)),
        ) = (self.vector(SyntaxPart::Dst), self.vector(SyntaxPart::Src0))
        else {
            return None;
        };
        let variable = symbols.storage(symbols.general(base.id.0)?);
        let object = variable.offset..variable.offset.saturating_add(variable.bytes());
        Some((address_range(id, element, 1, symbols).start, object))
    }

    pub(super) fn data_flow(&self, context: &IssueContext<'_>, number: u8) -> Option<Dataflow> {
        let symbols = &context.symbols.visa;
        let Plan::Compute(plan) = self.plan(symbols) else {
            return None;
        };
        let computation = plan.computation;
        let operands: Vec<_> = plan.sources.iter().map(|source| source.operand).collect();
        let thread = VisaThread { symbols, number };
        let mut results = Results::default();
        compute(plan, context.machine, thread, &mut results).ok()?;
        let (enabled, read) = sources_by_lane(plan, context.machine, thread).ok()?;
        let results = results.by_lane(context.machine, thread);
        let offset = self.execution.mask.offset();
        let kinds = operands.iter().copied();
        let kinds = kinds.chain([VectorOperand::Predicate(self.execution.predicate)]);
        let mut flow = Dataflow {
            ignores_mask: self.execution.mask.no_mask(),
            transfer: self.transfer(computation, &operands, &read, &results),
            sources: Vec::new(),
            results: Vec::new(),
        };
        for result in &results {
            let predicate = match (result.ty, result.operand) {
                (Some(_), _) => None,
                (None, SyntaxPart::Predicate) => Some(self.execution.predicate),
                (None, _) => match plan.destination.operand {
                    VectorOperand::Predicate(predicate) => Some(predicate),
                    _ => None,
                },
            };
            let first = predicate.map_or(0, first_bit);
            flow.results.push(DataResult {
                written: enabled,
                width: result.ty.map_or(1, |ty| ty.bytes() * 8),
                space: result.space,
                places: result.places.map(|place| first + place),
                addressed_by: match result.operand {
                    SyntaxPart::Dst => addresses(plan.destination.operand, Direction::Out),
                    _ => None,
                },
            });
        }
        for (index, (operand, source)) in kinds.zip(read).enumerate() {
            // The address of a variable is none of its values, and a whole predicate has
            // channels that nothing has written.
            let is_address = computation == Computation::AddAddress && index == 0;
            let is_address = is_address && !matches!(operand, VectorOperand::Address { .. });
            let is_whole = matches!(operand, VectorOperand::Predicate(_)) && source.ty.is_some();
            if !is_address && !is_whole {
                flow.sources
                    .push(data_source(operand, source, offset, number));
            }
        }
        Some(flow)
    }

    fn transfer(
        &self,
        computation: Computation,
        operands: &[VectorOperand],
        sources: &[SourceLanes],
        results: &[LaneResult],
    ) -> Transfer {
        let is_plain = |operand: &VectorOperand| operand.modifier() == Modifier::NONE;
        if self.saturates() || !operands.iter().all(is_plain) {
            return Transfer::All;
        }
        let result = results.first().and_then(|result| result.ty);
        // Of elements of the same kind and size, or of integers.
        let is_kept = |source: &SourceLanes| match (source.ty, result) {
            (Some(source), Some(result)) => {
                source.bytes() == result.bytes() && source.is_float() == result.is_float()
            }
            (source, result) => source.is_none() && result.is_none(),
        };
        let widens = |source: &SourceLanes| match (source.ty, result) {
            (Some(source), Some(result)) => !source.is_float() && !result.is_float(),
            (source, result) => source.is_none() && result.is_none(),
        };
        let Computation::Alu(op) = computation else {
            let copies = computation == Computation::Select && sources.iter().take(2).all(is_kept);
            return if copies {
                Transfer::Copy
            } else {
                Transfer::All
            };
        };
        if !sources.iter().all(widens) {
            let is_copy = op == AluOp::Mov && sources.iter().all(is_kept);
            return if is_copy {
                Transfer::Copy
            } else {
                Transfer::All
            };
        }
        match op {
            AluOp::Mov => Transfer::Copy,
            AluOp::And => Transfer::And,
            AluOp::Or => Transfer::Or,
            AluOp::Xor => Transfer::Xor,
            AluOp::Shl => Transfer::ShiftLeft,
            AluOp::Shr => Transfer::ShiftRight(false),
            AluOp::Asr => Transfer::ShiftRight(true),
            AluOp::Mul => Transfer::Multiply,
            AluOp::Bfn => {
                let table = self.expect_code(SyntaxPart::Operation) & 0xff;
                Transfer::Boolean(u8::try_from(table).expect("it has eight bits"))
            }
            _ => Transfer::All,
        }
    }
}

/// Number of the first bit of a predicate in the flags.
fn first_bit(predicate: Predicate) -> u64 {
    flag_address(predicate.id.0) * 8
}

/// By lane, the first byte of the address of an indirect operand in the flags.
fn addresses(operand: VectorOperand, direction: Direction) -> Option<[u64; 32]> {
    let VectorOperand::Indirect(indirect) = operand else {
        return None;
    };
    // Without a vertical stride, each row of a source has an address of its own.
    let region = indirect.region;
    let width = match direction {
        Direction::In if region.vertical.is_null() => region.width.elements().unwrap_or(1).max(1),
        _ => 32,
    };
    Some(core::array::from_fn(|lane| {
        let row = u8::try_from(lane).expect("there are 32 lanes") / width;
        address_element(indirect.id.0, indirect.element.saturating_add(row))
    }))
}

fn data_source(operand: VectorOperand, source: SourceLanes, offset: u8, thread: u8) -> DataSource {
    let flags = SpaceId::flags(thread);
    let lanes = |first: u64, step: u64| core::array::from_fn(|lane| first + lane as u64 * step);
    let places = match operand {
        VectorOperand::Predicate(predicate) if predicate.id.0 != 0 => {
            let first = first_bit(predicate) + u64::from(offset);
            Some((flags, lanes(first, 1)))
        }
        VectorOperand::Address { id, element, width } => {
            let count = usize::from(width.lanes().max(1));
            let first = address_element(id.0, element);
            let place = |lane: usize| first + (lane % count) as u64 * 4;
            Some((flags, core::array::from_fn(place)))
        }
        _ => source.places.map(|places| (places.space, places.addresses)),
    };
    DataSource {
        read: source.read,
        bits: source.bits,
        width: source.ty.map_or(1, |ty| ty.bytes() * 8),
        places,
        addressed_by: addresses(operand, Direction::In),
    }
}

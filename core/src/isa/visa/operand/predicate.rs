//! Predicate variables as operands.

use super::{OperandFault, VisaThread, load_flags};
use crate::isa::visa::execution::{Combine, Predicate, low_lanes};
use crate::machine::{Machine, Recorder, SpaceId, flag_address};

/// Lanes to write to a predicate: bit n of `bits` belongs to channel `offset` + n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredicateLanes {
    /// Channel of lane 0.
    pub offset: u8,
    /// Mask of the lanes to write.
    pub enabled: u32,
    /// The new values.
    pub bits: u32,
}

/// Reads the bits of a predicate operand, channel 0 first.
///
/// # Errors
/// If the operand is undeclared, combined or inverted.
pub fn predicate_bits(
    operand: Predicate,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<u32, OperandFault> {
    let elements = elements(operand, thread)?;
    let bits = load_flags(machine, thread.number, flag_address(operand.id.0));
    let declared = low_lanes(u8::try_from(elements).unwrap_or(u8::MAX));
    Ok(bits.ok_or(OperandFault::Undeclared)? & declared)
}

/// Writes channels of a predicate as one recorded change and keeps the others. The
/// operand must have passed [`predicate_bits`].
pub fn write_predicate<R: Recorder>(
    operand: Predicate,
    channels: PredicateLanes,
    machine: &mut Machine,
    thread: u8,
    recorder: &mut R,
) {
    let shifted = |bits: u32| u64::from(bits.unbounded_shl(channels.offset.into()));
    let (mask, bits) = (shifted(channels.enabled), shifted(channels.bits));
    let flags = SpaceId::flags(thread);
    let address = flag_address(operand.id.0);
    let old = machine.update(recorder, flags, address, 4, |old| old & !mask | bits & mask);
    old.expect("the flags hold all declared predicates");
}

fn elements(operand: Predicate, thread: VisaThread<'_>) -> Result<u32, OperandFault> {
    if operand.inverse || operand.combine != Combine::None {
        return Err(OperandFault::PredicateControl);
    }
    let variable = thread.symbols.predicate_variable(operand.id.0);
    Ok(variable.ok_or(OperandFault::Undeclared)?.elements)
}

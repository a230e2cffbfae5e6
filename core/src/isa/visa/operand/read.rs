//! Reading the elements of a source.

use super::place::{Direction, Place, load_address, out_of_registers};
use super::{LaneRange, OperandFault, VisaThread};
use crate::isa::visa::alu::{AluSource, LaneBits};
use crate::isa::visa::vector::{ImmediateOperand, VectorOperand};
use crate::machine::Machine;
use crate::number::{ElementType, set_bits};

/// Elements of a source, one for each lane; those of disabled lanes are 0 or
/// what an enabled lane would have.
#[derive(Clone, Debug)]
pub struct LaneValues {
    /// Their type, and the modifier, which is not applied yet.
    pub source: AluSource,
    /// Their bits.
    pub bits: LaneBits,
}

impl LaneValues {
    /// Elements without a modifier.
    #[must_use]
    pub const fn plain(ty: ElementType, bits: LaneBits) -> Self {
        Self {
            source: AluSource::plain(ty),
            bits,
        }
    }

    /// The value of an integer element, with the modifier.
    #[must_use]
    pub fn integer(&self, lane: usize) -> Option<i128> {
        let bits = self.bits.get(lane)?;
        (!self.source.ty.is_float()).then(|| self.source.integer(*bits))
    }
}

/// Reads a source for the enabled lanes.
///
/// # Errors
/// When an enabled lane has no element, or the operand names no elements.
pub fn read_lanes(
    operand: VectorOperand,
    lanes: LaneRange,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<LaneValues, OperandFault> {
    match operand {
        VectorOperand::Immediate(immediate) => of_immediate(immediate),
        VectorOperand::Address { id, element, width } => {
            let mut bits = [0; 32];
            for lane in set_bits(lanes.enabled) {
                let index = lane % usize::from(width.lanes().max(1));
                let index = u8::try_from(index).expect("there are 32 lanes");
                bits[lane] = load_address(id, element, index, machine, thread)?.into();
            }
            Ok(LaneValues::plain(ElementType::Ud, bits))
        }
        VectorOperand::AddressOf(_) => Err(OperandFault::Class("address of a variable")),
        VectorOperand::Direct(direct) if direct.is_null() => Err(OperandFault::NullSource),
        _ => {
            let place = Place::of(operand, Direction::Source, lanes, machine, thread)?;
            let source = AluSource {
                ty: place.ty,
                modifier: operand.modifier(),
            };
            let bits = load(&place, lanes, machine)?;
            Ok(LaneValues { source, bits })
        }
    }
}

fn of_immediate(immediate: ImmediateOperand) -> Result<LaneValues, OperandFault> {
    let (ty, bits) = match (immediate.ty.element(), immediate.ty.packed()) {
        (Some(ty), _) => (ty, [immediate.value(); 32]),
        (None, Some(packed)) => {
            let bits = u32::try_from(immediate.value()).expect("it is a doubleword");
            (packed.element(), packed.lanes(bits))
        }
        (None, None) => return Err(OperandFault::Type(immediate.ty.name())),
    };
    Ok(LaneValues::plain(ty, bits))
}

fn load(place: &Place, lanes: LaneRange, machine: &Machine) -> Result<LaneBits, OperandFault> {
    let memory = machine.space(place.space);
    let bytes = place.ty.bytes();
    // Usually one page holds all elements.
    let addresses = || set_bits(lanes.enabled).map(|lane| place.addresses[lane]);
    let (Some(first), Some(last)) = (addresses().min(), addresses().max()) else {
        return Ok([0; 32]);
    };
    let span = usize::try_from(last - first).map(|span| span + usize::from(bytes));
    if let Ok(span) = span
        && let Some(slice) = memory.slice(first, span)
    {
        let offsets = |lane: usize| place.addresses[lane] - first;
        return Ok(match bytes {
            1 => gather::<1>(slice, lanes.enabled, offsets),
            2 => gather::<2>(slice, lanes.enabled, offsets),
            4 => gather::<4>(slice, lanes.enabled, offsets),
            _ => gather::<8>(slice, lanes.enabled, offsets),
        });
    }
    let mut bits = [0; 32];
    for lane in set_bits(lanes.enabled) {
        let address = place.addresses[lane];
        let element = memory.load(address, bytes);
        bits[lane] = element.ok_or_else(|| out_of_registers(lane, address))?;
    }
    Ok(bits)
}

/// Elements of `BYTES` bytes at offsets in a slice that holds them all.
#[inline]
fn gather<const BYTES: usize>(
    slice: &[u8],
    enabled: u32,
    offset: impl Fn(usize) -> u64,
) -> LaneBits {
    let mut bits = [0; 32];
    for lane in set_bits(enabled) {
        let at = usize::try_from(offset(lane)).ok();
        let element = at.and_then(|at| slice.get(at..)?.first_chunk::<BYTES>());
        let element = element.expect("the slice reaches from the first element to the last");
        let mut wide = [0; 8];
        wide[..BYTES].copy_from_slice(element);
        bits[lane] = u64::from_le_bytes(wide);
    }
    bits
}

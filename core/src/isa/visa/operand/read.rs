//! Reading of sources.

use super::place::{LanePlace, PlacedOperand, load_address, out_of_registers, scattered};
use super::{LaneRange, OperandFault, VisaThread, load_flags};
use crate::isa::schema::Direction;
use crate::isa::visa::alu::LaneBits;
use crate::isa::visa::vector::{ImmediateOperand, VectorOperand};
use crate::machine::{Machine, Memory, SpaceId};
use crate::number::{ElementType, set_bits};

/// Reads a source for the enabled lanes into `bits`, without its modifier. The values of
/// disabled lanes are unspecified.
///
/// # Errors
/// If an element of an enabled lane does not exist, or the operand has no elements.
#[inline]
pub fn read_lanes(
    placed: &PlacedOperand,
    lanes: LaneRange,
    machine: &Machine,
    thread: VisaThread<'_>,
    bits: &mut LaneBits,
) -> Result<(), OperandFault> {
    match &placed.place {
        Some(place) => {
            let registers = machine.space(SpaceId::registers(thread.number));
            load(place, lanes, registers, bits)
        }
        None => read_unplaced(placed, lanes, machine, thread, bits),
    }
}

/// As [`read_lanes`], for a source whose elements each issue locates.
fn read_unplaced(
    placed: &PlacedOperand,
    lanes: LaneRange,
    machine: &Machine,
    thread: VisaThread<'_>,
    bits: &mut LaneBits,
) -> Result<(), OperandFault> {
    let operand = placed.operand;
    match operand {
        VectorOperand::Immediate(immediate) => of_immediate(immediate, bits)?,
        VectorOperand::Address { id, element, width } => {
            for lane in set_bits(lanes.enabled) {
                let index = lane % usize::from(width.lanes().max(1));
                let index = u8::try_from(index).expect("there are 32 lanes");
                bits[lane] = load_address(id, element, index, machine, thread)?.into();
            }
        }
        VectorOperand::AddressOf(_) => {
            return Err(OperandFault::Class("address of a variable"));
        }
        VectorOperand::Direct(direct) if direct.is_null() => return Err(OperandFault::NullSource),
        VectorOperand::Indirect(indirect) if indirect.region.vertical.is_null() => {
            let (place, addresses) = scattered(indirect, lanes, machine, thread)?;
            let memory = machine.space(place.space);
            load_each(
                memory,
                place.ty,
                lanes.enabled,
                |lane| addresses[lane],
                bits,
            )?;
        }
        _ => {
            let place = LanePlace::of(placed, Direction::In, lanes, machine, thread)?;
            let is_indirect = matches!(operand, VectorOperand::Indirect(_));
            match load(&place, lanes, machine.space(place.space), bits) {
                // For half of a thread without channels, the compiler's loops over the values
                // of a variable read that of channel -1, which nothing uses.
                Err(OperandFault::OutOfRegisters { .. })
                    if is_indirect
                        && lanes.enabled.count_ones() == 1
                        && has_idle_half(machine, thread) =>
                {
                    for lane in set_bits(lanes.enabled) {
                        bits[lane] = 0;
                    }
                }
                loaded => loaded?,
            }
        }
    }
    Ok(())
}

/// Whether the program is compiled, and a half of the thread, or all of a thread of at most
/// 16 channels, has no enabled channel.
fn has_idle_half(machine: &Machine, thread: VisaThread<'_>) -> bool {
    let active = load_flags(machine, thread.number, 0).unwrap_or(u32::MAX);
    let halves: &[u32] = match thread.symbols.compiled_simd {
        Some(32) => &[0xffff, 0xffff_0000],
        Some(_) => &[u32::MAX],
        None => &[],
    };
    halves.iter().any(|half| active & half == 0)
}

fn of_immediate(immediate: ImmediateOperand, bits: &mut LaneBits) -> Result<(), OperandFault> {
    if let Some(packed) = immediate.ty.packed() {
        let packed_bits = u32::try_from(immediate.value()).expect("it is a doubleword");
        *bits = packed.lanes(packed_bits);
        return Ok(());
    }
    *bits = [immediate.value(); 32];
    match immediate.ty.element() {
        Some(_) => Ok(()),
        None => Err(OperandFault::Type(immediate.ty.name())),
    }
}

#[inline]
fn load(
    place: &LanePlace,
    lanes: LaneRange,
    memory: &Memory,
    bits: &mut LaneBits,
) -> Result<(), OperandFault> {
    let row = &mut bits[..usize::from(lanes.count)];
    if let Some(stride) = place.stride()
        && read_row(memory, place.address(0), stride, place.ty.bytes(), row).is_ok()
    {
        return Ok(());
    }
    // Elements of disabled lanes need not exist.
    let address = |lane| place.address(lane);
    load_each(memory, place.ty, lanes.enabled, address, bits)
}

/// Reads elements of `bytes` bytes, `stride` bytes apart, of lanes from 0 on.
///
/// # Errors
/// If an element does not exist.
pub(in crate::isa::visa) fn read_row(
    memory: &Memory,
    first: u64,
    stride: u64,
    bytes: u8,
    bits: &mut [u64],
) -> Result<(), OperandFault> {
    let offset = |lane: usize| stride * u64::try_from(lane).expect("lanes are few");
    let last = usize::try_from(offset(bits.len().saturating_sub(1)));
    let span = last.expect("rows are bounded") + usize::from(bytes);
    if let Some(slice) = memory.slice(first, span) {
        let stride = usize::try_from(stride).expect("rows are bounded");
        match bytes {
            1 => gather::<1>(slice, stride, bits),
            2 => gather::<2>(slice, stride, bits),
            4 => gather::<4>(slice, stride, bits),
            _ => gather::<8>(slice, stride, bits),
        }
        return Ok(());
    }
    for (lane, bits) in bits.iter_mut().enumerate() {
        let at = first + offset(lane);
        let element = memory.load(at, bytes);
        *bits = element.ok_or_else(|| out_of_registers(lane, at))?;
    }
    Ok(())
}

/// Reads elements of `BYTES` bytes from a slice that holds them all.
fn gather<const BYTES: usize>(slice: &[u8], stride: usize, bits: &mut [u64]) {
    let widen = |element: &[u8; BYTES]| {
        let mut wide = [0; 8];
        wide[..BYTES].copy_from_slice(element);
        u64::from_le_bytes(wide)
    };
    if stride == BYTES {
        let (elements, _) = slice.as_chunks();
        for (element, to) in elements.iter().zip(bits) {
            *to = widen(element);
        }
        return;
    }
    let element = |at: usize| {
        let element = slice.get(at..).and_then(<[u8]>::first_chunk);
        widen(element.expect("the slice reaches from the first element to the last"))
    };
    if stride == 0 && !bits.is_empty() {
        bits.fill(element(0));
        return;
    }
    for (lane, to) in bits.iter_mut().enumerate() {
        *to = element(lane * stride);
    }
}

fn load_each(
    memory: &Memory,
    ty: ElementType,
    enabled: u32,
    address: impl Fn(usize) -> u64,
    bits: &mut LaneBits,
) -> Result<(), OperandFault> {
    for lane in set_bits(enabled) {
        let address = address(lane);
        let element = memory.load(address, ty.bytes());
        bits[lane] = element.ok_or_else(|| out_of_registers(lane, address))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_across_pages_and_strides() {
        let mut registers = Memory::new();
        registers.map(0, 8192).unwrap();
        registers.fill(0, 2, 0..4096);
        let row = |first, stride, bytes| {
            let mut bits = [0; 4];
            read_row(&registers, first, stride, bytes, &mut bits).map(|()| bits)
        };
        assert_eq!(row(8, 2, 2), Ok([4, 5, 6, 7]));
        assert_eq!(row(8, 0, 2), Ok([4; 4]));
        assert_eq!(row(8, 8, 2), Ok([4, 8, 12, 16]));
        assert_eq!(row(4092, 2, 2), Ok([2046, 2047, 2048, 2049]));
        assert_eq!(row(8, 4, 4), Ok([0x5_0004, 0x7_0006, 0x9_0008, 0xb_000a]));
        let (lane, byte) = (2, 8192);
        let fault = Err(OperandFault::OutOfRegisters { lane, byte });
        assert_eq!(row(8188, 2, 2), fault);
    }
}

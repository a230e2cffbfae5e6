//! The lanes of an atomic: operands latched at issue, then one access each.

use super::Atomic;
use crate::isa::rmw::Width;
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::operation::Operation;
use crate::isa::{Access, FaultKind, Stage, Unit};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::low_mask;
use alloc::vec::Vec;

/// The most bytes that one operand's lanes take: 32 lanes of 8 bytes.
const OPERAND_BYTES: usize = 256;

/// The lanes of an operand, read in one go when the instruction issues.
struct Lanes {
    bytes: [u8; OPERAND_BYTES],
    element: usize,
}

impl Lanes {
    fn read(operand: RawOperand, element: u8, lanes: u8, eu: u8, stage: &Stage<'_>) -> Self {
        let mut bytes = [0; OPERAND_BYTES];
        if !operand.is_null()
            && let Some(start) = operand.lane_offset(stage.names, 0, element)
            && let Some(out) = bytes.get_mut(..usize::from(lanes) * usize::from(element))
        {
            stage.machine.space(SpaceId::registers(eu)).read(start, out);
        }
        Self {
            bytes,
            element: usize::from(element),
        }
    }

    fn get(&self, lane: u8) -> u64 {
        let start = usize::from(lane) * self.element;
        match self.bytes.get(start..start + self.element) {
            Some([a, b, c, d]) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
            Some([a, b, c, d, e, f, g, h]) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            _ => 0,
        }
    }
}

/// Latches the lanes of an atomic. `cell` tells, for an address, what is
/// there.
pub fn issue(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, u8),
    space: SpaceId,
    stage: &Stage<'_>,
    cell: impl Fn(u64) -> Cell,
    out: &mut Vec<Access>,
) {
    let (operand, address_bytes) = address;
    let lanes = atomic.execution.size.lanes();
    let element = width.bytes().max(4);
    let dst = (!atomic.dst.is_null())
        .then(|| atomic.dst.lane_offset(stage.names, 0, element))
        .flatten()
        .and_then(|offset| u32::try_from(offset).ok());
    let mask = low_mask(width.bits());
    for eu in 0..stage.threads {
        let flags = stage.machine.space(SpaceId::flags(eu));
        let word = |id: u16| {
            let bits = flags.load(u64::from(id) * 4, 4).unwrap_or(0);
            u32::try_from(bits).unwrap_or(0)
        };
        let mut enabled = atomic
            .execution
            .enabled(word(0), word(atomic.execution.predicate.id.0));
        if enabled == 0 {
            continue;
        }
        let addresses = Lanes::read(operand, address_bytes, lanes, eu, stage);
        let src0 = Lanes::read(atomic.src0, element, lanes, eu, stage);
        let src1 = Lanes::read(atomic.src1, element, lanes, eu, stage);
        while enabled != 0 {
            let lane = u8::try_from(enabled.trailing_zeros()).unwrap_or(0);
            enabled &= enabled - 1;
            let address = addresses.get(lane);
            let (in_bounds, fault) = match cell(address) {
                Cell::There => (true, None),
                Cell::OutOfBounds => (false, None),
                Cell::Fault(kind) => (false, Some(kind)),
            };
            out.push(Access {
                unit: Unit { eu, lane },
                space,
                bytes: width.bytes(),
                in_bounds,
                fault,
                address,
                src0: src0.get(lane) & mask,
                src1: src1.get(lane) & mask,
                dst: dst.map(|dst| dst + u32::from(lane) * u32::from(element)),
            });
        }
    }
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A cell.
    There,
    /// Nothing: reads are zero, writes are dropped.
    OutOfBounds,
    /// Nothing that may be touched.
    Fault(FaultKind),
}

/// Makes one access: memory first, then the returned value. Only the width's
/// bytes of dst are written: in the 16-bit forms its upper half stays
/// (assumed).
#[inline]
pub fn perform<R: Recorder>(
    operation: Operation,
    width: Width,
    access: &Access,
    machine: &mut Machine,
    recorder: &mut R,
) {
    let (a, b) = operation.roles(access.src0, access.src1);
    let rmw = operation.rmw();
    let old = if access.in_bounds {
        machine.update(
            recorder,
            access.space,
            access.address,
            width.bytes(),
            |old| rmw.apply(width, old, a, b),
        )
    } else {
        None
    };
    if let Some(dst) = access.dst {
        let returned = match old {
            None => 0,
            Some(old) if operation.returns_new() => rmw.apply(width, old, a, b),
            Some(old) => old,
        };
        let registers = SpaceId::registers(access.unit.eu);
        machine.store(recorder, registers, u64::from(dst), width.bytes(), returned);
    }
}

//! The lanes of an atomic: operands latched at issue, then one access each.

use super::Atomic;
use crate::isa::rmw::Width;
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::raw::{LANES, lanes_of};
use crate::isa::{Access, FaultKind, IssueContext, Unit};
use crate::machine::SpaceId;
use crate::number::low_mask;
use alloc::vec::Vec;

/// Latches the lanes of an atomic. `cell` tells, for an address, what is
/// there.
pub fn issue(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, u8),
    space: SpaceId,
    context: &IssueContext<'_>,
    cell: impl Fn(u64) -> Cell,
    out: &mut Vec<Access>,
) {
    let (operand, address_bytes) = address;
    let lanes = atomic.execution.size.lanes();
    let element = width.bytes().max(4);
    let dst = (!atomic.dst.is_null())
        .then(|| atomic.dst.element_offset(&context.symbols.visa, 0, element))
        .flatten()
        .and_then(|offset| u32::try_from(offset).ok());
    let mask = low_mask(width.bits());
    let bytes = width.bytes();
    for eu in 0..context.threads {
        let enabled = atomic.execution.enabled_on(context, eu);
        if enabled == 0 {
            continue;
        }
        let addresses = lanes_of(operand, 0, address_bytes, lanes, eu, context);
        let src0 = lanes_of(atomic.src0, 0, element, lanes, eu, context);
        let src1 = lanes_of(atomic.src1, 0, element, lanes, eu, context);
        out.reserve(LANES);
        let mut dst = dst;
        let operands = addresses.iter().zip(&src0).zip(&src1);
        for (lane, ((address, src0), src1)) in (0..lanes).zip(operands) {
            let returned_to = dst;
            dst = dst.map(|dst| dst + u32::from(element));
            if enabled & (1 << lane) == 0 {
                continue;
            }
            let (in_bounds, fault) = match cell(*address) {
                Cell::There => (true, None),
                Cell::OutOfBounds => (false, None),
                Cell::Fault(kind) => (false, Some(kind)),
            };
            out.push(Access {
                unit: Unit::lane(eu, lane),
                space,
                bytes,
                in_bounds,
                fault,
                address: *address,
                src0: src0 & mask,
                src1: src1 & mask,
                writes: true,
                dst: returned_to,
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

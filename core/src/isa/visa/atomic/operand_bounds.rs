//! Where the operands of an atomic may lie in their variables.

use super::Atomic;
use crate::isa::Check;
use crate::isa::rmw::Width;
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::raw::{self, Use};
use crate::text::OperandKind;

/// Rules about where the operands of an atomic lie; `element` is the size of
/// one address.
pub fn check_places(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, &'static str, u8),
    check: &mut Check<'_>,
) {
    let lanes = u32::from(atomic.execution.size.lanes());
    let (operand, role, element) = address;
    let usage = |part, role, element| Use {
        part,
        role,
        bytes: lanes * u32::from(element),
    };
    raw::check(operand, usage(OperandKind::Address, role, element), check);
    for (part, role, operand) in atomic.data() {
        raw::check(operand, usage(part, role, width.bytes().max(4)), check);
    }
}

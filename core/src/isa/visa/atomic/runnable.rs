//! Why an atomic cannot run although it encodes.

use super::Atomic;
use crate::isa::Check;
use crate::isa::rmw::Width;
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::operation::Numbers;
use crate::rules;
use crate::text::Part;
use alloc::format;

/// Why an atomic cannot run, if it cannot.
pub fn check_run(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, &'static str, u8),
    check: &mut Check<'_>,
) {
    let (operand, role, element) = address;
    let lanes = atomic.execution.size.lanes();
    if u32::from(atomic.execution.mask.offset()) + u32::from(lanes) > 32 {
        check.report(&rules::RUN_MASK_OVERFLOW, Part::Mask, "it cannot run");
    }
    if operand.is_null() {
        let what = format!("it cannot run without {role}");
        check.report(&rules::RUN_MISSING_OPERAND, Part::Address, what);
    } else {
        run_element(operand, Part::Address, role, element, lanes, check);
    }
    let (needs0, needs1) = atomic.operation.operands().needs();
    let float = atomic.operation.numbers() == Numbers::Float;
    if float && width == Width::W64 {
        check.report(&rules::RUN_FLOAT_64, Part::Width, "it cannot run");
    }
    for (part, role, operand) in atomic.data() {
        let used = match part {
            Part::Src0 => needs0,
            Part::Src1 => needs1,
            _ => !operand.is_null(),
        };
        if !used {
            continue;
        }
        if operand.is_null() {
            let what = format!("it cannot run without {role}");
            check.report(&rules::RUN_MISSING_OPERAND, part, what);
            continue;
        }
        if run_element(operand, part, role, width.bytes().max(4), lanes, check)
            && let Some(variable) = check.names.visa.general(operand.id.0)
            // In the 16-bit forms the dword only carries the half.
            && width != Width::W16
            && !variable.predefined
            && variable.ty.is_float() != float
        {
            let what = format!(
                "it cannot run: {role} is {}",
                variable.ty.name().to_ascii_uppercase()
            );
            check.report(&rules::RUN_TYPE, part, what);
        }
    }
}

/// Whether lanes of `element` bytes can be taken from the operand.
fn run_element(
    operand: RawOperand,
    part: Part,
    role: &str,
    element: u8,
    lanes: u8,
    check: &mut Check<'_>,
) -> bool {
    let Some(variable) = check.names.visa.general(operand.id.0) else {
        return false;
    };
    if variable.ty.bytes() != element {
        let what = format!(
            "it cannot run: {role} `{}` has {}-byte elements where {element} are used",
            variable.name,
            variable.ty.bytes()
        );
        check.report(&rules::RUN_WIDTH, part, what);
        return false;
    }
    // An alias may stick out of the storage that it shares; what follows there
    // belongs to another variable.
    let root = check.names.visa.root(variable);
    let shared = (root.offset + root.bytes()).saturating_sub(variable.offset);
    let room = variable.bytes().min(shared);
    let end = u32::from(operand.offset) + u32::from(lanes) * u32::from(element);
    if end > room {
        let what = format!(
            "it cannot run: {role} `{}` ends after {room} bytes, {end} are used",
            variable.name
        );
        check.report(&rules::RUN_PAST_END, part, what);
        return false;
    }
    true
}

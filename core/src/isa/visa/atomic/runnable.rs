//! Why an atomic cannot run although it encodes.

use super::Atomic;
use crate::isa::Check;
use crate::isa::rmw::Width;
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::operation::Numbers;
use crate::isa::visa::raw::{self, Use};
use crate::rules;
use crate::text::OperandKind;
use alloc::format;

/// Why an atomic cannot run, if it cannot.
pub fn check_run(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, &'static str, u8),
    check: &mut Check<'_>,
) {
    let (operand, role, element) = address;
    let lanes = u32::from(atomic.execution.size.lanes());
    let usage = |part, role, element| Use {
        part,
        role,
        bytes: lanes * u32::from(element),
    };
    atomic.execution.check_run(check);
    if operand.is_null() {
        let what = format!("it cannot run without {role}");
        check.report(&rules::RUN_MISSING_OPERAND, OperandKind::Address, what);
    } else {
        raw::check_run(
            operand,
            usage(OperandKind::Address, role, element),
            element,
            check,
        );
    }
    let (needs0, needs1) = atomic.operation.operands().needs();
    let float = atomic.operation.numbers() == Numbers::Float;
    if float && width == Width::W64 {
        check.report(&rules::RUN_FLOAT_64, OperandKind::Width, "it cannot run");
    }
    for (part, role, operand) in atomic.data() {
        let used = match part {
            OperandKind::Src0 => needs0,
            OperandKind::Src1 => needs1,
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
        let element = width.bytes().max(4);
        if raw::check_run(operand, usage(part, role, element), element, check)
            && let Some(variable) = check.symbols.visa.general(operand.id.0)
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

//! Rules about execution size, mask control and predicate.

use super::{Combine, Execution};
use crate::isa::Check;
use crate::rules;
use crate::text::OperandKind;
use alloc::format;

/// How the real assembler's verifier treats an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verifier {
    /// DWORD_ATOMIC: checks types and null operands, but reads a `.16`
    /// operation with its flag in it, so that it falls to the UD rules.
    Strict,
    /// SVM instructions: checks the alignment of raw operands only.
    Lax,
}

impl Execution {
    /// Rules about lanes, mask and predicate.
    pub fn check(&self, verifier: Verifier, check: &mut Check<'_>) {
        let lanes = self.size.lanes();
        let (offset, mask) = (self.mask.offset(), self.mask.name());
        if lanes == 0 {
            check.report(
                &rules::RESERVED_SIZE,
                OperandKind::ExecSize,
                "reserved execution size",
            );
        } else if offset + lanes > 32 {
            let rule = match verifier {
                Verifier::Strict => &rules::MASK_OVERFLOW,
                Verifier::Lax => &rules::MASK_OVERFLOW_TAKEN,
            };
            check.fix(
                rule,
                OperandKind::Mask,
                format!("{lanes} lanes from channel {offset} ({mask}) run past channel 31"),
                "M1 starts at channel 0, M2 at 4, … M8 at 28",
                "M1",
            );
        } else if offset % lanes != 0 {
            check.advise(
                &rules::MASK_ALIGN,
                OperandKind::Mask,
                format!("{mask} starts at channel {offset}, not a multiple of {lanes}"),
                "M1 starts at channel 0, M2 at 4, … M8 at 28",
            );
        }
        let predicate = self.predicate;
        if predicate.combine == Combine::Reserved {
            check.report(
                &rules::RESERVED_COMBINE,
                OperandKind::Predicate,
                "both any and all are set",
            );
        }
        if predicate.id.0 == 0 {
            if predicate.inverse || predicate.combine != Combine::None {
                check.report(
                    &rules::NO_PREDICATE_BITS,
                    OperandKind::Predicate,
                    "predicate bits without a predicate",
                );
            }
        } else if let Some(variable) = check.symbols.visa.predicate_variable(predicate.id.0)
            && u32::from(offset + lanes) > variable.elements
        {
            let what = format!(
                "`{}` has {} elements, the lanes use {offset} to {}",
                variable.name,
                variable.elements,
                u32::from(offset + lanes).saturating_sub(1)
            );
            check.report(&rules::SHORT_PREDICATE, OperandKind::Predicate, what);
        }
    }

    /// Why lanes cannot be taken, if they cannot.
    pub fn check_run(&self, check: &mut Check<'_>) {
        if u32::from(self.mask.offset()) + u32::from(self.size.lanes()) > 32 {
            check.report(
                &rules::RUN_MASK_OVERFLOW,
                OperandKind::Mask,
                "it cannot run",
            );
        }
    }
}

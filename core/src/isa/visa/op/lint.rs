//! Semantic rules of the documents and the real tool's verifier: types, modifiers,
//! saturation, regions, execution sizes and platforms.
//!
//! Documented rules that the real tool enforces are errors, other documented rules are
//! warnings.

mod computation;
mod lsc;
mod message;
mod place;
mod requirement;

use super::{Slot, VisaInstruction};
use crate::diagnostic::Severity;
use crate::isa::Check;
use crate::isa::visa::execution::{Combine, Execution, Verifier};
use crate::isa::visa::platform::Platform;
use crate::isa::visa::raw_operand::{self, Use};
use crate::isa::visa::vector::VectorOperand;
use crate::rules::{self, Rule};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;

/// Message about a form of an instruction. What the real tool accepts is only a warning.
fn unsupported(rule: &Rule, mnemonic: &str, form: &str) -> String {
    match rule.severity {
        Severity::Error => format!("`{mnemonic}` does not support {form}"),
        _ => format!("{form} is undocumented for `{mnemonic}`"),
    }
}

impl VisaInstruction {
    /// Checks that it has the first `wanted` of its data operands.
    fn check_presence(
        &self,
        parts: [SyntaxPart; 2],
        wanted: u8,
        rule: &'static Rule,
        check: &mut Check<'_>,
    ) {
        for (number, part) in (1..).zip(parts) {
            let is_there = self.raw(part).is_some_and(|raw| !raw.is_null());
            if is_there != (wanted >= number) {
                let what = match is_there {
                    true => "unexpected operand for this operation",
                    false => "missing operand of this operation",
                };
                check.report(rule, part, what);
            }
        }
    }

    fn mnemonic(&self) -> &'static str {
        self.op.spec.mnemonics[0]
    }

    /// Reports violations of the rules.
    pub(super) fn lint(&self, check: &mut Check<'_>) {
        self.check_platform(check);
        self.check_execution(check);
        for (slot, argument) in self.op.format.fields.iter().zip(&self.arguments) {
            if let (Slot::Raw(part, _), super::Argument::Raw(raw)) = (slot, argument) {
                raw_operand::check(*raw, Use::of(*part, "the operand", 0), check);
            }
        }
        self.check_computation(check);
        if let Some(message) = &self.op.constraints.message {
            self.check_message(message, check);
        }
        if let Some(lsc) = &self.op.constraints.lsc {
            self.check_lsc(lsc, check);
        }
        for requirement in self.op.constraints.requirements {
            self.check_requirement(*requirement, check);
        }
    }

    fn check_platform(&self, check: &mut Check<'_>) {
        let mnemonic = self.mnemonic();
        let platform = check.symbols.visa.platform();
        let availability = &self.op.constraints.availability;
        let documented = availability.documented.contains(platform);
        let accepted = availability.accepted.contains(platform);
        let rule = match (documented, accepted) {
            (_, false) => &rules::PLATFORM,
            (false, true) => &rules::PLATFORM_TAKEN,
            (true, true) => return,
        };
        let verb = match rule.severity {
            Severity::Error => "supported on",
            _ => "documented for",
        };
        let what = format!("`{mnemonic}` is not {verb} {}", platform.name());
        let help = Platform::advice(|p| {
            availability.documented.contains(p) && availability.accepted.contains(p)
        });
        check.advise(rule, SyntaxPart::Opcode, what, help);
    }

    fn check_execution(&self, check: &mut Check<'_>) {
        let format = self.op.format;
        let has_byte = |slot: &Slot| matches!(slot, Slot::Execution | Slot::GatherLanes);
        let has_byte = format.fields.iter().any(has_byte);
        if has_byte && format.has_size {
            self.execution.check(Verifier::Strict, check);
            return;
        }
        if self.execution.predicate.combine == Combine::Reserved {
            let what = "both `any` and `all` are set";
            check.report(&rules::RESERVED_COMBINE, SyntaxPart::Predicate, what);
        }
        let single = Execution {
            predicate: self.execution.predicate,
            ..Execution::SINGLE
        };
        if has_byte && self.execution != single {
            let what = "the execution size and mask are not those of an instruction without lanes";
            check.report(&rules::MASK_UNPRINTED, SyntaxPart::ExecSize, what);
        }
    }

    /// Reports a vector operand with an undocumented element type.
    fn expect_type(
        &self,
        part: SyntaxPart,
        documented: &[&str],
        rule: &'static Rule,
        check: &mut Check<'_>,
    ) {
        let ty = match self.argument(part) {
            Some(super::Argument::Vector(vector)) => vector.type_name(&check.symbols.visa),
            Some(super::Argument::Raw(raw)) if !raw.is_null() => {
                let variable = check.symbols.visa.general(raw.id.0);
                variable.map(|variable| variable.ty.name())
            }
            _ => None,
        };
        if let Some(ty) = ty.filter(|ty| !documented.contains(ty)) {
            let what = format!("unsupported type {}", ty.to_ascii_uppercase());
            check.advise(rule, part, what, format!("use {}", documented.join(", ")));
        }
    }

    /// Reports a scalar operand with a region of several elements.
    fn expect_scalar(&self, part: SyntaxPart, check: &mut Check<'_>) {
        let region = match self.vector(part) {
            Some(VectorOperand::Direct(direct)) => direct.region,
            Some(VectorOperand::Indirect(indirect)) => indirect.region,
            _ => return,
        };
        if region != crate::isa::visa::vector::Region::SCALAR {
            check.report(&rules::SCALAR_REGION, part, "expected the region <0;1,0>");
        }
    }
}

//! Rules of arithmetic, logic and moves.

use super::unsupported;
use crate::isa::Check;
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::op::VisaInstruction;
use crate::isa::visa::op::constraints::{
    Classes, ComputationRules, FLOATS_AND_BF, Mixing, Modifiers, QWORDS, Requirement, Saturation,
};
use crate::isa::visa::platform::Quadwords;
use crate::isa::visa::predefined::VARIABLES;
use crate::isa::visa::vector::{Modifier, OperandClass, VectorOperand};
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Carry, Dst, Src0, Src1, Src2, Src3};
use alloc::format;

pub(super) const SOURCES: [SyntaxPart; 4] = [Src0, Src1, Src2, Src3];

/// Whether a known type is a float type.
pub(super) fn is_float(ty: &str) -> bool {
    FLOATS_AND_BF.has(ty)
}

impl VisaInstruction {
    pub(super) fn check_computation(&self, check: &mut Check<'_>) {
        let constraints = &self.op.constraints;
        if let Some(row) = &constraints.computation {
            self.check_types(row, check);
            self.check_modifiers(row, check);
            self.check_saturation(row, check);
            self.check_mixed_types(row, check);
        }
        if constraints.placed {
            for part in SOURCES.into_iter().chain([Dst, Carry]) {
                if let Some(vector) = self.vector(part) {
                    self.check_place(vector, part, check);
                }
            }
        }
        self.check_classes(constraints.classes, check);
    }

    fn check_classes(&self, classes: Classes, check: &mut Check<'_>) {
        let class = |part| self.vector(part).map(VectorOperand::class);
        let all = [Dst, Src0, Src1].into_iter().filter_map(class);
        let predicates = all
            .clone()
            .filter(|c| *c == OperandClass::Predicate)
            .count();
        let dst = class(Dst);
        let is_wrong = match classes {
            Classes::Any => false,
            Classes::Alike => predicates != 0 && predicates != all.count(),
            // The source may be the address of a surface.
            Classes::VectorOrAddressDst => {
                matches!(dst, Some(OperandClass::Predicate | OperandClass::State))
            }
            Classes::VectorOrPredicateDst => {
                matches!(dst, Some(OperandClass::Address | OperandClass::State))
            }
            Classes::PredicateDst => dst != Some(OperandClass::Predicate),
            Classes::Direct => predicates != 0 || dst == Some(OperandClass::Indirect),
        };
        if is_wrong {
            let message = "unsupported combination of operand classes";
            check.report(&rules::CLASSES, Dst, message);
        }
    }

    pub(super) fn type_of(&self, part: SyntaxPart, symbols: &Declarations) -> Option<&'static str> {
        self.vector(part)?.type_name(symbols)
    }

    /// Whether an operand is one of the variables V0 to V20, whose types the
    /// real tool does not check as sources.
    fn is_predefined(&self, part: SyntaxPart) -> bool {
        match self.vector(part) {
            Some(VectorOperand::Direct(direct)) => {
                usize::try_from(direct.id.0).is_ok_and(|id| id < VARIABLES.len())
            }
            _ => false,
        }
    }

    fn check_types(&self, row: &ComputationRules, check: &mut Check<'_>) {
        for part in SOURCES.into_iter().chain([Dst, Carry]) {
            let Some(ty) = self.type_of(part, &check.symbols.visa) else {
                continue;
            };
            if part != Dst && self.is_predefined(part) {
                continue;
            }
            let types = match part {
                Dst | Src0 => row.types,
                _ => row.others,
            };
            let rule = match (types.documented.has(ty), types.accepted.has(ty)) {
                (_, false) => &rules::TYPE,
                (false, true) => &rules::TYPE_TAKEN,
                (true, true) => continue,
            };
            let ty = ty.to_ascii_uppercase();
            let what = unsupported(rule, self.mnemonic(), &format!("type {ty}"));
            let help = format!("use {}", types.documented.names());
            check.advise(rule, part, what, help);
        }
    }

    fn check_modifiers(&self, row: &ComputationRules, check: &mut Check<'_>) {
        for part in SOURCES {
            let Some(modifier) = self.vector(part).map(VectorOperand::modifier) else {
                continue;
            };
            if modifier == Modifier::NONE {
                continue;
            }
            let Some(sign) = modifier.spelling() else {
                let what = "undefined modifier";
                check.report(&rules::RESERVED_MODIFIER, part, what);
                continue;
            };
            let is_not = modifier.is_logical();
            let rule = match (row.modifiers, is_not) {
                (Modifiers::Arithmetic | Modifiers::Shift, false) | (Modifiers::Logic, true) => {
                    continue;
                }
                (Modifiers::Shift | Modifiers::AcceptsNot, true)
                | (Modifiers::AcceptsSign, false)
                | (Modifiers::AcceptsAll, _) => &rules::SOURCE_MODIFIER_TAKEN,
                _ => &rules::SOURCE_MODIFIER,
            };
            let modifier = format!("the modifier `({sign})`");
            let what = unsupported(rule, self.mnemonic(), &modifier);
            check.report(rule, part, what);
        }
    }

    fn check_saturation(&self, row: &ComputationRules, check: &mut Check<'_>) {
        if !self.saturates() {
            return;
        }
        let ty = self.type_of(Dst, &check.symbols.visa);
        let rule = match row.saturation {
            Saturation::Conversions if check.symbols.visa.features().hf8 => return,
            Saturation::Refused | Saturation::Conversions => &rules::SATURATION,
            Saturation::Floats if ty.is_some_and(|ty| !is_float(ty)) => &rules::SATURATION_TAKEN,
            Saturation::Accepted => &rules::SATURATION_TAKEN,
            Saturation::Floats | Saturation::Documented => return,
        };
        let what = unsupported(rule, self.mnemonic(), "`.sat` with this type");
        check.report(rule, Dst, what);
    }

    /// Reports illegal combinations of types.
    fn check_mixed_types(&self, row: &ComputationRules, check: &mut Check<'_>) {
        let names = &check.symbols.visa;
        let (platform, features) = (names.platform(), names.features());
        let sources = SOURCES.map(|part| self.type_of(part, names));
        let mut known = sources.iter().flatten().copied();
        let first = known.clone().next();
        let dst = self.type_of(Dst, names);
        let mut all = known.clone().chain(dst);
        if !features.bf && all.clone().any(|ty| ty == "bf") {
            let what = format!("type BF is not supported on {}", platform.name());
            check.report(&rules::PLATFORM, Dst, what);
        }
        let kinds = |ty: &str| (is_float(ty), ty == "df");
        let differ = first.is_some_and(|f| known.any(|ty| kinds(ty) != kinds(f)));
        let from_float = first.is_some_and(is_float) && dst.is_some_and(|ty| !is_float(ty));
        match row.mixing {
            Mixing::Refused if differ || from_float => {
                let what = "floats cannot be combined with other types";
                check.report(&rules::MIXED_TYPES, Src0, what);
            }
            Mixing::Accepted if differ => {
                let what = "floats are combined with integers";
                check.report(&rules::MIXED_TYPES_TAKEN, Src0, what);
            }
            _ => {}
        }
        // Reported by their own requirements otherwise.
        let reported = self.requires(Requirement::NarrowFactors)
            && sources.iter().flatten().any(|ty| QWORDS.has(ty))
            || self.requires(Requirement::RareQuadwords);
        if !reported && features.quadwords == Quadwords::Emulated && all.any(|ty| QWORDS.has(ty)) {
            let what = format!("type Q is not documented for {}", platform.name());
            check.report(&rules::PLATFORM_TAKEN, Dst, what);
        }
    }
}

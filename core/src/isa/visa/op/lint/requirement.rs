//! Rules that concern few instructions.

use super::computation::{SOURCES, is_float};
use crate::isa::Check;
use crate::isa::visa::execution::MaskControl;
use crate::isa::visa::op::VisaInstruction;
use crate::isa::visa::op::constraints::{
    ALL_INTEGERS, BYTES, DWORDS, MESSAGE_DWORDS, QWORDS, Requirement, SIGNED,
};
use crate::isa::visa::platform::{Platform, Quadwords};
use crate::isa::visa::predefined::SURFACES;
use crate::isa::visa::raw_operand::{self, Use};
use crate::isa::visa::vector::VectorOperand;
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Dst, Src0, Src1};
use alloc::format;

impl VisaInstruction {
    pub(super) fn check_requirement(&self, requirement: Requirement, check: &mut Check<'_>) {
        let symbols = check.symbols;
        let names = &symbols.visa;
        let (platform, features) = (names.platform().name(), names.features());
        let mnemonic = self.mnemonic();
        let lanes = self.execution.size.lanes();
        let mask = self.execution.mask;
        let ty = |part| self.type_of(part, names);
        let bytes = |ty: &str| ElementType::named(ty).map_or(4, ElementType::bytes);
        let is_constant = |part| matches!(self.vector(part), Some(VectorOperand::Immediate(_)));
        let sources = SOURCES.map(ty);
        let (dst, src0, src1) = (ty(Dst), ty(Src0), ty(Src1));
        let state = |part| match self.vector(part) {
            Some(VectorOperand::State { class, id, element }) => Some((class, id, element)),
            _ => None,
        };
        let narrow = ["uw", "w", "ub", "b"];
        let mut report_if = |is_broken, rule, part, what: &'static str| {
            if is_broken {
                check.report(rule, part, what);
            }
        };
        match requirement {
            Requirement::FourLanes => report_if(
                lanes < 4,
                &rules::UNDOCUMENTED,
                SyntaxPart::ExecSize,
                "execution size is less than 4",
            ),
            Requirement::PredicateBits => {
                report_if(
                    is_constant(Src0) && mask != MaskControl::M1 && !mask.no_mask(),
                    &rules::UNDOCUMENTED,
                    SyntaxPart::Mask,
                    "a constant requires the mask M1",
                );
                report_if(
                    lanes == 32 && !mask.no_mask(),
                    &rules::UNDOCUMENTED,
                    SyntaxPart::Mask,
                    "execution size 32 requires NoMask",
                );
                report_if(
                    src0.is_some_and(is_float),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "src0 is a float",
                );
            }
            Requirement::Predicate => report_if(
                self.execution.predicate.id.0 == 0,
                &rules::UNDOCUMENTED,
                SyntaxPart::Opcode,
                "`sel` requires a predicate",
            ),
            Requirement::ComparableTypes => {
                report_if(
                    src0.zip(src1)
                        .is_some_and(|(a, b)| is_float(a) != is_float(b) || is_float(a) && a != b),
                    &rules::MIXED_TYPES_TAKEN,
                    Src1,
                    "the sources have different types",
                );
                report_if(
                    dst.zip(src0).is_some_and(|(d, s)| bytes(d) < bytes(s)),
                    &rules::MIXED_TYPES_TAKEN,
                    Dst,
                    "dst is narrower than the sources",
                );
            }
            Requirement::NoDwordConstant => report_if(
                SOURCES
                    .iter()
                    .any(|part| is_constant(*part) && ty(*part).is_some_and(|ty| DWORDS.has(ty))),
                &rules::UNDOCUMENTED,
                SyntaxPart::Opcode,
                "32-bit constants are not supported",
            ),
            Requirement::VariableSrc0 => report_if(
                is_constant(Src0),
                &rules::UNDOCUMENTED,
                Src0,
                "src0 must not be a constant",
            ),
            Requirement::AddressSum => {
                report_if(
                    !matches!(self.vector(Dst), Some(VectorOperand::Address { .. })),
                    &rules::ADDRESS_OF,
                    Dst,
                    "dst must be an address variable",
                );
                report_if(
                    src1.is_some_and(|ty| !narrow.contains(&ty)),
                    &rules::TYPE,
                    Src1,
                    "src1 must be a word or a byte",
                );
                report_if(
                    is_constant(Src0)
                        || state(Src0).is_some_and(|(class, id, _)| {
                            class.is_surface() && usize::from(id) < SURFACES.len()
                        }),
                    &rules::ADDRESS_OF,
                    Src0,
                    "src0 does not have an address",
                );
            }
            Requirement::State => {
                report_if(
                    state(Dst).is_none() && state(Src0).is_none(),
                    &rules::ADDRESS_OF,
                    Dst,
                    "dst or src0 must be a surface or sampler",
                );
                report_if(
                    state(Dst).is_some_and(|(class, id, element)| {
                        let predefined = class.is_surface() && usize::from(id) < SURFACES.len();
                        let other = state(Src0).is_some_and(|(source, ..)| source != class);
                        predefined || element > 0 || other
                    }),
                    &rules::UNDOCUMENTED,
                    Dst,
                    "undocumented destination variable or element",
                );
                report_if(
                    [dst, src0].into_iter().flatten().any(|ty| ty != "ud"),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "surfaces and samplers have type UD",
                );
            }
            Requirement::FloatConversion => {
                let (pairs, what): (&[_], _) = match features.hf8 {
                    true => (
                        &[("ub", "hf"), ("ud", "f"), ("b", "hf")],
                        "expected a conversion between UB or B and HF, or UD and F",
                    ),
                    false => (
                        &[("ub", "hf"), ("ud", "f")],
                        "expected a conversion between UB and HF, or UD and F",
                    ),
                };
                let converts = |(a, b)| pairs.contains(&(a, b)) || pairs.contains(&(b, a));
                report_if(
                    !dst.zip(src0).is_none_or(converts),
                    &rules::TYPE,
                    Src0,
                    what,
                );
                report_if(
                    !matches!(self.vector(Src0), Some(VectorOperand::Direct(_))),
                    &rules::CONSTANT_TYPE,
                    Src0,
                    "src0 must be a general operand",
                );
            }
            Requirement::Index => {
                report_if(
                    src0.is_some_and(|ty| ty != "ud") || is_constant(Src0),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "the index must be a variable of type UD",
                );
                report_if(
                    lanes != 1,
                    &rules::UNDOCUMENTED,
                    SyntaxPart::ExecSize,
                    "execution size is not 1",
                );
            }
            Requirement::FunctionAddress => report_if(
                src0.is_some_and(|ty| !["ud", "uq"].contains(&ty)),
                &rules::TYPE_TAKEN,
                Src0,
                "the address must have type UD or UQ",
            ),
            Requirement::TakesFunctionAddress => report_if(
                dst.is_some_and(|ty| !["ud", "uq"].contains(&ty)),
                &rules::TYPE_TAKEN,
                Dst,
                "the address must have type UD or UQ",
            ),
            Requirement::BfToF => report_if(
                src0 == Some("bf") && !matches!(dst, None | Some("bf" | "f")),
                &rules::MIXED_TYPES,
                Dst,
                "BF can be converted to F only",
            ),
            Requirement::SameSignedness => report_if(
                dst.zip(src0)
                    .is_some_and(|(d, s)| SIGNED.has(d) != SIGNED.has(s)),
                &rules::MIXED_TYPES_TAKEN,
                Src0,
                "dst and src0 differ in signedness",
            ),
            Requirement::FourBlocks => report_if(
                self.code(SyntaxPart::Repeat) == Some(3),
                &rules::UNDOCUMENTED,
                SyntaxPart::Repeat,
                "undocumented block count 8",
            ),
            Requirement::BarrierNumbers => {
                // The role of a thread is a UW.
                let second = self.barrier_roles().map_or("ub", |_| "uw");
                let documented = [(src0, "ub"), (src1, second)];
                let differs =
                    |(ty, documented): (Option<&str>, &str)| ty.is_some_and(|ty| ty != documented);
                report_if(
                    documented.into_iter().any(differs)
                        && [Src0, Src1].into_iter().any(is_constant),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "barriers and counts must have type UB",
                );
                self.expect_scalar(Src0, check);
                self.expect_scalar(Src1, check);
            }
            Requirement::NarrowFactors => {
                if sources.iter().flatten().any(|ty| QWORDS.has(ty)) {
                    let what = format!("`{mnemonic}` does not support Q and UQ");
                    check.report(&rules::TYPE, Src0, what);
                }
                if dst.is_some_and(|ty| BYTES.has(ty)) && !features.byte_products {
                    let what = format!("`{mnemonic}` with bytes is not documented for {platform}");
                    check.report(&rules::PLATFORM_TAKEN, Dst, what);
                }
            }
            Requirement::RareQuadwords => {
                let mut all = sources.into_iter().flatten().chain(dst);
                if all.any(|ty| QWORDS.has(ty)) && features.quadwords != Quadwords::Rotated {
                    let what = format!("type Q is not supported on {platform}");
                    check.report(&rules::PLATFORM, Dst, what);
                }
            }
            Requirement::RareIntegers => {
                if dst.is_some_and(|ty| ALL_INTEGERS.has(ty)) && !features.integer_division {
                    let what = format!("integer `{mnemonic}` is not supported on {platform}");
                    let advice = Platform::advice(|p| p.features().integer_division);
                    let help = format!(
                        "divide floats and convert the result, as compilers do, or {advice}"
                    );
                    check.advise(&rules::PLATFORM, SyntaxPart::Opcode, what, help);
                }
            }
            Requirement::Owords => {
                for part in [Dst, Src0] {
                    if let Some(raw) = self.raw(part) {
                        let usage = Use::of(part, "the operand", 16 * u32::from(lanes));
                        raw_operand::check(raw, usage, check);
                    }
                }
            }
            Requirement::MediaBlock => self.check_media_block(check),
            Requirement::DwordElements => {
                for part in [Dst, Src0] {
                    self.expect_type(part, MESSAGE_DWORDS, &rules::TYPE, check);
                }
                if ![1, 8, 16].contains(&lanes) {
                    let what = format!("unsupported execution size {lanes}");
                    check.report(&rules::MESSAGE_LANES, SyntaxPart::ExecSize, what);
                }
            }
            Requirement::OperandsOfOperation => self.check_operands_of_operation(check),
            // The parser refuses others.
            Requirement::ListedCounts => {}
        }
    }
}

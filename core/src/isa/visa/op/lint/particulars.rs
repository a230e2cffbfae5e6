//! Rules of individual instructions.

use super::computation::{DWORDS, SOURCES, is_float};
use crate::isa::Check;
use crate::isa::visa::execution::MaskControl;
use crate::isa::visa::op::VisaInstruction;
use crate::isa::visa::predefined::SURFACES;
use crate::isa::visa::vector::VectorOperand;
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Dst, Src0, Src1};

impl VisaInstruction {
    /// Checks rules of individual instructions.
    pub(super) fn check_particulars(&self, check: &mut Check<'_>) {
        let symbols = check.symbols;
        let names = &symbols.visa;
        let mnemonic = self.mnemonic();
        let lanes = self.execution.size.lanes();
        let mask = self.execution.mask;
        let ty = |part| self.type_of(part, names);
        let bytes = |ty: &str| ElementType::named(ty).map_or(4, ElementType::bytes);
        let is_constant = |part| matches!(self.vector(part), Some(VectorOperand::Immediate(_)));
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
        match mnemonic {
            "dp2" | "dp3" | "dp4" | "dph" => report_if(
                lanes < 4,
                &rules::UNDOCUMENTED,
                SyntaxPart::ExecSize,
                "execution size is less than 4",
            ),
            "setp" => {
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
            "sel" => report_if(
                self.execution.predicate.id.0 == 0,
                &rules::UNDOCUMENTED,
                SyntaxPart::Opcode,
                "`sel` requires a predicate",
            ),
            "cmp" => {
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
            "mad" | "add3" => report_if(
                SOURCES
                    .iter()
                    .any(|part| is_constant(*part) && ty(*part).is_some_and(|ty| DWORDS.has(ty))),
                &rules::UNDOCUMENTED,
                SyntaxPart::Opcode,
                "32-bit constants are not supported",
            ),
            "dp4a" => report_if(
                is_constant(Src0),
                &rules::UNDOCUMENTED,
                Src0,
                "src0 must not be a constant",
            ),
            "addr_add" => {
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
            "movs" => {
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
            "fcvt" => {
                report_if(
                    !matches!(
                        (dst, src0),
                        (None, _)
                            | (_, None)
                            | (Some("ub"), Some("hf"))
                            | (Some("hf"), Some("ub"))
                            | (Some("ud"), Some("f"))
                            | (Some("f"), Some("ud"))
                    ),
                    &rules::TYPE,
                    Src0,
                    "expected a conversion between UB and HF, or UD and F",
                );
                report_if(
                    !matches!(self.vector(Src0), Some(VectorOperand::Direct(_))),
                    &rules::CONSTANT_TYPE,
                    Src0,
                    "src0 must be a general operand",
                );
            }
            "switchjmp" => {
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
            "ifcall" => report_if(
                src0.is_some_and(|ty| !["ud", "uq"].contains(&ty)),
                &rules::TYPE_TAKEN,
                Src0,
                "the address must have type UD or UQ",
            ),
            "faddr" => report_if(
                dst.is_some_and(|ty| !["ud", "uq"].contains(&ty)),
                &rules::TYPE_TAKEN,
                Dst,
                "the address must have type UD or UQ",
            ),
            "nbarrier.wait" | "nbarrier.signal" => report_if(
                [src0, src1].into_iter().flatten().any(|ty| ty != "ub")
                    && [Src0, Src1].into_iter().any(is_constant),
                &rules::TYPE_TAKEN,
                Src0,
                "barriers and counts must have type UB",
            ),
            _ => {}
        }
        if mnemonic.starts_with("nbarrier") {
            self.expect_scalar(Src0, check);
            self.expect_scalar(Src1, check);
        }
    }
}

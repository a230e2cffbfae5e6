//! Rules of single operands: placement, regions and constants.

use crate::isa::Check;
use crate::isa::visa::op::VisaInstruction;
use crate::isa::visa::predefined::VARIABLES;
use crate::isa::visa::vector::{Region, VectorOperand};
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Carry, Dst};
use alloc::format;

impl VisaInstruction {
    /// Checks placement and constants.
    pub(super) fn check_place(
        &self,
        vector: VectorOperand,
        part: SyntaxPart,
        check: &mut Check<'_>,
    ) {
        let lanes = self.execution.size.lanes();
        match vector {
            VectorOperand::Direct(direct) => {
                self.check_region(direct.region, part, check);
                let is_read_only = usize::try_from(direct.id.0).ok();
                let is_read_only = is_read_only.and_then(|id| VARIABLES.get(id));
                if matches!(part, Dst | Carry)
                    && let Some(variable) = is_read_only
                    && (!variable.writable || variable.name == "%sr0")
                {
                    let what = format!("cannot write to `{}`", variable.name);
                    check.report(&rules::WRITES_READ_ONLY, part, what);
                }
                let symbols = &check.symbols.visa;
                let variable = symbols.general(direct.id.0);
                let (Some(variable), Some(start)) = (variable, direct.byte(symbols)) else {
                    return;
                };
                let element = u32::from(variable.ty.bytes());
                let grf = symbols.grf_bytes();
                let within = u32::from(direct.column) * element;
                if direct.is_null() || variable.predefined {
                    return;
                }
                // Undefined strides are reported as such.
                let Some(last) = last_element(direct.region, lanes) else {
                    return;
                };
                let last = last * element + element;
                let name = variable.name;
                if within >= grf || start + element > variable.bytes() {
                    let what = format!(
                        "byte {start} is outside `{name}`, which has {} bytes",
                        variable.bytes()
                    );
                    check.report(&rules::PLACE, part, what);
                } else if start + last > variable.bytes() {
                    let what = format!(
                        "the operand reaches byte {} of `{name}`, which has {} bytes",
                        start + last - 1,
                        variable.bytes()
                    );
                    check.report(&rules::PLACE, part, what);
                } else if start % grf + last > 2 * grf {
                    let what =
                        format!("the operand spans {last} bytes from byte {start} of `{name}`");
                    check.report(&rules::REGION_SPAN, part, what);
                }
            }
            VectorOperand::Indirect(indirect) => {
                self.check_region(indirect.region, part, check);
                if indirect.ty.element().is_none() {
                    let what = format!(
                        "unsupported indirect operand of type {}",
                        indirect.ty.name()
                    );
                    check.report(&rules::TYPE, part, what);
                }
                if !indirect.offset.is_documented() {
                    let what = format!("offset {}", indirect.offset.0);
                    check.report(&rules::INDIRECT_OFFSET, part, what);
                } else if indirect.offset.0 % i16::from(indirect.ty.bytes()) != 0 {
                    let what = format!("offset {}", indirect.offset.0);
                    check.report(&rules::INDIRECT_ALIGN, part, what);
                }
            }
            VectorOperand::Immediate(immediate) => {
                if immediate.ty.element() == Some(ElementType::Bf) {
                    let what = "unsupported constant of type BF";
                    check.report(&rules::CONSTANT_TYPE, part, what);
                } else if immediate.ty.element() == Some(ElementType::Hf) && immediate.bits > 0xffff
                {
                    let what = format!("constant {:#x} exceeds 16 bits", immediate.bits);
                    check.report(&rules::CONSTANT_TYPE, part, what);
                } else if !immediate.fits() {
                    let what = format!("{:#x}", immediate.bits);
                    check.report(&rules::WIDE_CONSTANT, part, what);
                }
            }
            VectorOperand::Address { id, element, .. } => {
                let variable = check.symbols.visa.address_variable(id.0);
                if variable.is_some_and(|v| u32::from(element) >= v.elements) {
                    check.report(&rules::ADDRESS_ELEMENT, part, format!("element {element}"));
                }
                if part == Dst && self.saturates() {
                    let what = "address variables cannot saturate";
                    check.report(&rules::SATURATION, part, what);
                }
            }
            VectorOperand::Predicate(predicate) => {
                let variable = check.symbols.visa.predicate_variable(predicate.id.0);
                let end = u32::from(lanes) + u32::from(self.execution.mask.offset());
                if part == Dst && variable.is_some_and(|v| end > v.elements) {
                    let what = format!("the instruction writes {end} elements");
                    check.report(&rules::SHORT_PREDICATE, part, what);
                }
            }
            VectorOperand::AddressOf(direct) => {
                if usize::try_from(direct.id.0).is_ok_and(|id| id < VARIABLES.len()) {
                    let what = "cannot take the address of a predefined variable";
                    check.report(&rules::ADDRESS_OF, part, what);
                }
            }
            VectorOperand::State { .. } => {}
        }
    }

    fn check_region(&self, region: Region, part: SyntaxPart, check: &mut Check<'_>) {
        let lanes = self.execution.size.lanes();
        if let Some(width) = region.width.elements().filter(|width| *width > lanes) {
            let what = format!("region width {width} exceeds the execution size {lanes}");
            check.report(&rules::REGION_WIDTH, part, what);
        }
    }
}

/// Distance of the last lane's element from the first lane's, in elements; `None` for
/// undefined strides.
fn last_element(region: Region, lanes: u8) -> Option<u32> {
    let lanes = u32::from(lanes.max(1));
    let horizontal = u32::from(region.horizontal.elements()?);
    let Some(width) = region.width.elements() else {
        return Some((lanes - 1) * horizontal);
    };
    let width = u32::from(width).clamp(1, lanes);
    let vertical = u32::from(region.vertical.elements()?);
    Some((lanes / width - 1) * vertical + (width - 1) * horizontal)
}

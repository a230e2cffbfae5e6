//! Rules about scalar operands, including those that prevent a run.

use super::{DirectOperand, IndirectOperand, Modifier, Region, Stride, VectorOperand};
use crate::bits::Undeclared;
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::raw_operand;
use crate::isa::{Check, IssueContext};
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;

/// A scalar operand with its context.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    pub operand: VectorOperand,
    /// The syntax part of the operand.
    pub part: SyntaxPart,
    /// Name in messages.
    pub role: &'static str,
    pub lanes: u8,
}

impl VectorOperand {
    /// Checks what the fields alone do not show: a predicate with number 0 and
    /// undeclared surfaces or samplers. `byte` is the position of the tag.
    pub fn check_encoding(self, byte: u32, field: &'static str, check: &mut Check<'_>) {
        let (byte, id) = match self {
            Self::Predicate(predicate) if predicate.id.0 == 0 => (byte + 1, 0),
            Self::State { class, id, .. }
                if !check.symbols.visa.has_state(class.is_surface(), id) =>
            {
                (byte + 2, id)
            }
            _ => return,
        };
        check.report_undeclared(Undeclared {
            field,
            byte,
            number: u64::from(id),
        });
    }
}

impl Scalar {
    /// Checks the rules for a scalar of type UQ.
    pub fn check(self, check: &mut Check<'_>) {
        match self.operand {
            VectorOperand::Direct(direct) => self.check_direct(direct, check),
            VectorOperand::Indirect(indirect) => self.check_indirect(indirect, check),
            VectorOperand::Immediate(immediate) if immediate.ty.is_bool() => {
                let what = format!("{} must not be an immediate of type BOOL", self.role);
                check.report(&rules::SCALAR_OPERAND, self.part, what);
            }
            VectorOperand::Immediate(immediate)
                if immediate.ty.element() == Some(ElementType::Bf) =>
            {
                let what = format!("{} is a constant of type BF", self.role);
                check.report(&rules::BF_SCALAR, self.part, what);
            }
            VectorOperand::Immediate(immediate) => {
                if !immediate.fits() {
                    let what = format!("{}: {:#x} exceeds its type", self.role, immediate.bits);
                    check.report(&rules::WIDE_CONSTANT, self.part, what);
                }
                self.check_type(immediate.ty.name(), String::from("the constant"), check);
            }
            VectorOperand::AddressOf(_)
            | VectorOperand::Address { .. }
            | VectorOperand::Predicate(_)
            | VectorOperand::State { .. } => {
                let what = format!(
                    "{} has operand class {}",
                    self.role,
                    self.operand.class().name()
                );
                check.report(&rules::OPERAND_CLASS, self.part, what);
            }
        }
    }

    fn check_type(self, name: &str, what: String, check: &mut Check<'_>) {
        if name != ElementType::Uq.name() {
            let what = format!(
                "{}: {what} has type {}",
                self.role,
                name.to_ascii_uppercase()
            );
            check.report(&rules::ADDRESS_TYPE, self.part, what);
        }
    }

    fn check_region(self, region: Region, modifier: Modifier, check: &mut Check<'_>) {
        if !region.is_legal() {
            let what = format!("{} has an illegal region", self.role);
            check.report(&rules::SCALAR_OPERAND, self.part, what);
        } else if region != Region::SCALAR {
            let what = format!("{} has a region other than <0;1,0>", self.role);
            let rule = match self.tool_refuses(region, check) {
                true => &rules::REGION_REFUSED,
                false => &rules::REGION_IGNORED,
            };
            check.report(rule, self.part, what);
        }
        if modifier == Modifier::NONE {
            return;
        }
        let Some(sign) = modifier.spelling() else {
            let what = format!("{} has an undefined modifier", self.role);
            check.report(&rules::RESERVED_MODIFIER, self.part, what);
            return;
        };
        let rule = if modifier.is_logical() {
            &rules::LOGICAL_MODIFIER
        } else {
            &rules::MODIFIER
        };
        let what = format!("{} has modifier ({sign})", self.role);
        check.report(rule, self.part, what);
    }

    /// Whether the real tool rejects a region: it checks a scalar's region as if
    /// every lane used one of its elements (observed).
    fn tool_refuses(self, region: Region, check: &Check<'_>) -> bool {
        let elements = |stride: Stride| stride.elements().map_or(0, u32::from);
        let (lanes, width) = (u32::from(self.lanes), elements(region.width).max(1));
        if width > lanes {
            return true;
        }
        let symbols = &check.symbols.visa;
        let VectorOperand::Direct(direct) = self.operand else {
            return false;
        };
        let Some((variable, start)) = symbols.general(direct.id.0).zip(direct.byte(symbols)) else {
            return false;
        };
        let rows = lanes / width;
        let last =
            (rows - 1) * elements(region.vertical) + (width - 1) * elements(region.horizontal);
        let end = start + (last + 1) * u32::from(variable.ty.bytes()) - 1;
        let grf = symbols.grf_bytes();
        end / grf - start / grf > 1
    }

    fn check_direct(self, direct: DirectOperand, check: &mut Check<'_>) {
        let role = self.role;
        if direct.is_null() {
            let what = format!("{role} must not be the null variable");
            check.report(&rules::NULL_SCALAR, self.part, what);
            return;
        }
        let symbols = &check.symbols.visa;
        let Some((variable, byte)) = symbols.general(direct.id.0).zip(direct.byte(symbols)) else {
            return;
        };
        let (name, element) = (variable.name, u32::from(variable.ty.bytes()));
        let usage = raw_operand::Use::of(self.part, role, element);
        let far = raw_operand::crashes_tool(check, variable, byte, usage);
        let crosses = u32::from(direct.column) * element >= symbols.grf_bytes();
        if !variable.predefined {
            let ty = variable.ty;
            if ty != ElementType::Uq {
                let what = format!(
                    "{role}: `{name}` has type {}",
                    ty.name().to_ascii_uppercase()
                );
                let rule = &rules::ADDRESS_TYPE;
                check.retype(rule, self.part, what, direct.id.0, ElementType::Uq);
            }
        }
        self.check_region(direct.region, direct.modifier, check);
        if far {
            let what = format!("{role}: byte {byte} of `{name}` is far past its end");
            check.report(&rules::FAR_OFFSET, self.part, what);
        } else if byte + element > variable.bytes() {
            let what = format!(
                "{role}: byte {byte} of `{name}` is past its {} bytes",
                variable.bytes()
            );
            check.report(&rules::PAST_END, self.part, what);
        }
        if crosses {
            let what = format!(
                "{role}: column {} of `{name}` crosses a register boundary",
                direct.column
            );
            check.report(&rules::COLUMN, self.part, what);
        }
    }

    fn check_indirect(self, indirect: IndirectOperand, check: &mut Check<'_>) {
        let role = self.role;
        let (ty, offset) = (indirect.ty, indirect.offset);
        if ty.element() == Some(ElementType::Bf) {
            let what = format!("{role} is an indirect operand of type BF");
            check.report(&rules::BF_SCALAR, self.part, what);
        }
        self.check_type(ty.name(), String::from("the operand"), check);
        let addressed = Region {
            // With a null vertical stride, every row has its own address.
            vertical: if indirect.region.vertical.is_null() {
                Region::SCALAR.vertical
            } else {
                indirect.region.vertical
            },
            ..indirect.region
        };
        self.check_region(addressed, indirect.modifier, check);
        if !offset.is_documented() {
            let what = format!("{role}: offset {} is out of range", offset.0);
            check.report(&rules::INDIRECT_OFFSET, self.part, what);
        } else if offset.0 % i16::from(ty.bytes()) != 0 {
            let what = format!(
                "{role}: offset {} is misaligned for type {}",
                offset.0,
                ty.name()
            );
            check.report(&rules::INDIRECT_ALIGN, self.part, what);
        }
        let count = self.addresses(indirect);
        let last = u32::from(indirect.element) + count - 1;
        let most = check.symbols.visa.features().address_elements;
        if count > most.into() {
            let what = format!("{role} uses {count} addresses");
            check.report(&rules::REGION_REFUSED, self.part, what);
        } else if let Some(variable) = check.symbols.visa.address_variable(indirect.id.0)
            && last >= variable.elements
        {
            let rule = match indirect.element < most {
                true => &rules::ADDRESS_ELEMENT,
                false => &rules::ADDRESS_ELEMENT_PAST,
            };
            let what = format!(
                "{role}: element {last} is beyond the {} elements of `{}`",
                variable.elements, variable.name
            );
            check.report(rule, self.part, what);
        }
        self.check_packed(indirect, check);
        let read = u32::from(indirect.element) + addresses_in_tool(indirect.region, check);
        let most = u32::from(most);
        if u32::from(indirect.element) < most && count <= most && read > most {
            let what = format!(
                "{role}: element {} without a vertical stride uses addresses up to element {}",
                indirect.element,
                read - 1
            );
            check.report(&rules::TOOL_FAILS, self.part, what);
        }
    }

    /// The real tool crashes on a packed vector type (V, UV, VF) in rows of two or
    /// four elements that each have an address (observed on every platform).
    fn check_packed(self, indirect: IndirectOperand, check: &mut Check<'_>) {
        let packed = indirect.ty.element().is_none() && !indirect.ty.is_bool();
        let region = indirect.region;
        let rows = region.vertical.is_null() && region.horizontal.elements() != Some(0);
        if packed && rows && matches!(region.width.elements(), Some(2 | 4)) {
            let what = format!(
                "{}: type {} with several elements per row and no vertical stride",
                self.role,
                indirect.ty.name().to_ascii_uppercase(),
            );
            check.report(&rules::TOOL_FAILS, self.part, what);
        }
    }

    /// How many elements of the address variable the operand has: one, or one
    /// for each row without a vertical stride.
    fn addresses(self, indirect: IndirectOperand) -> u32 {
        let width = indirect.region.width.elements().map_or(1, u32::from);
        match indirect.region.vertical.is_null() {
            true => (u32::from(self.lanes) / width.max(1)).max(1),
            false => 1,
        }
    }

    /// Reports an operand without a value on one of the threads. If instructions write
    /// address variables, indirect operands are checked at run time instead; see
    /// [`Self::is_readable`].
    pub fn check_run(self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        let is_computed = context.symbols.visa.computes_addresses;
        if is_computed && matches!(self.operand, VectorOperand::Indirect(_)) {
            return;
        }
        for eu in context.threads.iter() {
            if let Err(why) = self.runs(context, eu) {
                let what = format!("cannot run: {} {why}", self.role);
                check.report(&rules::RUN_SCALAR, self.part, what);
                return;
            }
        }
    }

    /// Whether the operand has a value in this state.
    #[must_use]
    pub fn is_readable(self, context: &IssueContext<'_>, thread: u8) -> bool {
        self.runs(context, thread).is_ok()
    }

    fn runs(self, context: &IssueContext<'_>, eu: u8) -> Result<(), &'static str> {
        let symbols = &context.symbols.visa;
        let ty = self.operand.element_type(symbols);
        let Some(ty) = ty.filter(|ty| !ty.is_float()) else {
            return Err("is not an integer");
        };
        if self.operand.modifier().spelling().is_some() {
            return Err("has a modifier");
        }
        if let VectorOperand::Indirect(indirect) = self.operand {
            let variable = symbols.address_variable(indirect.id.0);
            if variable.is_none_or(|v| u32::from(indirect.element) >= v.elements) {
                return Err("uses an address element that does not exist");
            }
        }
        if let VectorOperand::Immediate(_) = self.operand {
            return Ok(());
        }
        let at = self.operand.register_byte(symbols, context.machine, eu);
        let at = at.and_then(|at| u32::try_from(at).ok());
        let bytes = u32::from(ty.bytes());
        match at {
            Some(at) if !at.is_multiple_of(bytes) => Err("is not aligned to its type"),
            Some(at) if within_one(symbols, at, bytes) => Ok(()),
            _ => Err("is not inside a variable"),
        }
    }
}

/// Number of address elements that the real tool's native code reads for an
/// operand, regardless of its execution size (observed): one with a vertical
/// stride; without, one per row of eight lanes, or one per lane on ICLLP and
/// TGLLP.
fn addresses_in_tool(region: Region, check: &Check<'_>) -> u32 {
    const LANES: u32 = 8;
    if !region.vertical.is_null() {
        return 1;
    }
    match check.symbols.visa.features().address_per_lane {
        true => LANES,
        false => LANES / region.width.elements().map_or(1, u32::from).clamp(1, LANES),
    }
}

/// Whether a single variable contains all of these register-file bytes.
fn within_one(symbols: &Declarations, at: u32, bytes: u32) -> bool {
    let Some(end) = at.checked_add(bytes) else {
        return false;
    };
    let ends = |offset: u32, size: u32| offset <= at && end <= offset + size;
    let declared = symbols
        .generals()
        .any(|(_, v)| ends(v.offset, v.elements * u32::from(v.ty.bytes())));
    declared || {
        let mut predefined = (1..).map_while(|id| symbols.general(id).filter(|v| v.predefined));
        predefined.any(|v| ends(v.offset, v.bytes()))
    }
}

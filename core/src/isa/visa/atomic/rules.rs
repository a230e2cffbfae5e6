//! Which operands an atomic takes and of what type: the documents' rules
//! beside what the real assembler's verifier does.

use super::Atomic;
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::Check;
use crate::isa::rmw::Width;
use crate::isa::visa::execution::{Combine, Execution};
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::operation::{Numbers, Operation};
use crate::number::ElementType;
use crate::rules;
use crate::text::Part;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How the real assembler's verifier treats an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verifier {
    /// DWORD_ATOMIC: checks types and null operands, but reads a `.16`
    /// operation with its flag in it, so that it falls to the UD rules.
    Strict,
    /// SVM_ATOMIC: checks the alignment of raw operands only.
    Lax,
}

/// Types the document gives the operands of an operation.
fn documented_types(operation: Operation, width: Width) -> &'static [ElementType] {
    use ElementType::{D, F, Q, Ud, Uq};
    match (operation.numbers(), width) {
        (Numbers::Float, _) => &[F],
        (Numbers::Signed, Width::W64) if operation == Operation::Predec => &[Q, Uq],
        (Numbers::Signed, _) if operation == Operation::Predec => &[D, Ud],
        (Numbers::Signed, Width::W64) => &[Q],
        (Numbers::Signed, _) => &[D],
        (Numbers::Unsigned, Width::W64) => &[Uq],
        (Numbers::Unsigned, _) => &[Ud],
    }
}

/// Types the real tool's verifier takes, seen by trying all of them.
fn taken_types(verifier: Verifier, operation: Operation, width: Width) -> &'static [ElementType] {
    use ElementType::{D, F, Ud};
    match (verifier, operation, width) {
        (Verifier::Lax, ..) => &ElementType::ALL,
        (_, _, Width::W16) => &[Ud],
        (_, Operation::Add | Operation::Sub, _) => &[Ud, D],
        (_, Operation::Imin | Operation::Imax, _) => &[D],
        _ if operation.numbers() == Numbers::Float => &[F],
        _ => &[Ud],
    }
}

fn list(types: &[ElementType]) -> String {
    let names: Vec<String> = types
        .iter()
        .map(|t| t.name().to_ascii_uppercase())
        .collect();
    names.join(" or ")
}

/// Rules about lanes, mask and predicate.
pub fn check_execution(execution: &Execution, verifier: Verifier, check: &mut Check<'_>) {
    let lanes = execution.size.lanes();
    let (offset, mask) = (execution.mask.offset(), execution.mask.name());
    if lanes == 0 {
        check.report(
            &rules::RESERVED_SIZE,
            Part::ExecSize,
            "reserved execution size",
        );
    } else if offset + lanes > 32 {
        let rule = match verifier {
            Verifier::Strict => &rules::MASK_OVERFLOW,
            Verifier::Lax => &rules::MASK_OVERFLOW_TAKEN,
        };
        check.mend(
            rule,
            Part::Mask,
            format!("{lanes} lanes from channel {offset} ({mask}) run past channel 31"),
            "M1 starts at channel 0, M2 at 4, … M8 at 28",
            "M1",
        );
    } else if offset % lanes != 0 {
        check.advise(
            &rules::MASK_ALIGN,
            Part::Mask,
            format!("{mask} starts at channel {offset}, not a multiple of {lanes}"),
            "M1 starts at channel 0, M2 at 4, … M8 at 28",
        );
    }
    let predicate = execution.predicate;
    if predicate.combine == Combine::Reserved {
        check.report(
            &rules::RESERVED_COMBINE,
            Part::Predicate,
            "both any and all are set",
        );
    }
    if predicate.id.0 == 0 {
        if predicate.inverse || predicate.combine != Combine::None {
            check.report(
                &rules::NO_PREDICATE_BITS,
                Part::Predicate,
                "predicate bits without a predicate",
            );
        }
    } else if let Some(variable) = check.names.visa.predicate_variable(predicate.id.0)
        && u32::from(offset + lanes) > variable.elements
    {
        let what = format!(
            "`{}` has {} elements, the lanes use {offset} to {}",
            variable.name,
            variable.elements,
            u32::from(offset + lanes).saturating_sub(1)
        );
        check.report(&rules::SHORT_PREDICATE, Part::Predicate, what);
    }
}

/// Rules about which data operands there are and of what type.
pub fn check_operands(atomic: &Atomic, width: Width, verifier: Verifier, check: &mut Check<'_>) {
    let operation = atomic.operation;
    let narrow_strict = verifier == Verifier::Strict && width == Width::W16;
    let name = operation.document_name();
    if !operation.is_documented() {
        check.report(
            &rules::UNDOCUMENTED_OPERATION,
            Part::Operation,
            format!("operation {}", operation.assembler_name()),
        );
    }
    if operation == Operation::Predec {
        check.report(
            &rules::TOOL_HAS_NO_NAME,
            Part::Operation,
            "operation predec",
        );
    }
    if width != Width::W32 && !check.names.visa.platform().has_wide_and_narrow_atomics() {
        let what = format!(
            ".{} on {}",
            width.bits(),
            check.names.visa.platform().name()
        );
        check.report(&rules::PLATFORM_WIDTH, Part::Width, what);
    }
    if operation.numbers() == Numbers::Float && width == Width::W64 {
        check.report(&rules::FLOAT_64, Part::Width, format!("{name}.64"));
    }
    let (needs0, needs1) = operation.operands().needs();
    for (part, role, operand, needed) in [
        (Part::Src0, "src0", atomic.src0, needs0),
        (Part::Src1, "src1", atomic.src1, needs1),
    ] {
        if needed && operand.is_null() {
            let what = format!("{name} without {role}");
            check.advise(
                &rules::NEEDED_OPERAND,
                part,
                what,
                "name a general variable",
            );
        }
    }
    if !needs0 && !atomic.src0.is_null() {
        let refused = verifier == Verifier::Strict && width == Width::W32;
        let rule = if refused {
            &rules::UNUSED_SRC0
        } else {
            &rules::UNUSED_SRC0_TAKEN
        };
        check.mend(
            rule,
            Part::Src0,
            format!("{name} with a src0"),
            "write V0",
            "V0",
        );
    }
    if !needs1 && !atomic.src1.is_null() {
        let rule = match verifier {
            Verifier::Strict => &rules::UNUSED_SRC1,
            Verifier::Lax => &rules::UNUSED_SRC1_TAKEN,
        };
        check.mend(
            rule,
            Part::Src1,
            format!("{name} with a src1"),
            "write V0",
            "V0",
        );
    }
    if needs1 && !atomic.src1.is_null() && narrow_strict {
        let what = format!("{name}.16 with a src1");
        check.report(&rules::TOOL_REFUSES_SRC1, Part::Src1, what);
    }
    check_types(atomic, width, verifier, check);
}

fn check_types(atomic: &Atomic, width: Width, verifier: Verifier, check: &mut Check<'_>) {
    let operation = atomic.operation;
    let name = operation.document_name();
    let documented = documented_types(operation, width);
    let taken = taken_types(verifier, operation, width);
    let mut first: Option<ElementType> = None;
    let mut differ = false;
    for (part, role, operand) in atomic.data() {
        if operand.is_null() {
            continue;
        }
        // The real tool's verifier passes predefined variables unchecked.
        let variable = check.names.visa.general(operand.id.0);
        let Some(variable) = variable.filter(|v| !v.predefined) else {
            continue;
        };
        let ty = variable.ty;
        differ |= first.is_some_and(|t| t != ty);
        first = first.or(Some(ty));
        let what = || {
            format!(
                "{role}: {name}{} works on {}, and `{}` is {}",
                match width {
                    Width::W16 => ".16",
                    Width::W32 => "",
                    Width::W64 => ".64",
                },
                list(documented),
                variable.name,
                ty.name().to_ascii_uppercase()
            )
        };
        let advice = || {
            format!(
                "declare it with type={}",
                documented.first().map_or("ud", |t| t.name())
            )
        };
        match (documented.contains(&ty), taken.contains(&ty)) {
            (true, true) => {}
            (true, false) if operation == Operation::Predec => {
                check.report(&rules::SIGNED_PREDEC, part, what());
            }
            (true, false) => check.report(&rules::TOOL_REFUSES_TYPE, part, what()),
            (false, true)
                if ty == ElementType::D && matches!(operation, Operation::Add | Operation::Sub) =>
            {
                check.report(&rules::SIGNED_ADD, part, what());
            }
            (false, true) => check.advise(&rules::OPERAND_TYPE_TAKEN, part, what(), advice()),
            (false, false) => check.advise(&rules::OPERAND_TYPE, part, what(), advice()),
        }
    }
    if differ {
        check.report(
            &rules::TYPES_DIFFER,
            Part::Operation,
            "the operands have different types",
        );
    }
}

/// Reports a number in an encoding that nothing declares.
pub fn unknown(check: &mut Check<'_>, byte: u32, field: &str, number: u64) {
    check.out.push(
        Diagnostic::new(
            &rules::UNKNOWN_ID,
            Span::new(byte, byte + 1),
            format!("byte {byte}: {field} {number} is not declared"),
        )
        .help("give the declarations: the first general variable is 32, the first predicate 1, the first surface 6"),
    );
}

/// Reports undeclared variables and predicates of an encoding: each operand
/// with the byte its number starts at, and the byte of the predicate.
pub fn check_ids(
    execution: &Execution,
    operands: &[(&'static str, u32, RawOperand)],
    predicate_byte: u32,
    check: &mut Check<'_>,
) {
    for (field, byte, operand) in operands {
        if check.names.visa.general(operand.id.0).is_none() {
            unknown(check, *byte, field, u64::from(operand.id.0));
        }
    }
    let id = execution.predicate.id.0;
    if id != 0 && check.names.visa.predicate_variable(id).is_none() {
        unknown(check, predicate_byte, "predicate", u64::from(id));
    }
}

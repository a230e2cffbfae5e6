//! Which operands an atomic takes and of what type: the documents' rules
//! beside what the real assembler's verifier does.

use super::Atomic;
use crate::isa::Check;
use crate::isa::rmw::Width;
use crate::isa::visa::execution::Verifier;
use crate::isa::visa::operation::{Numbers, Operation};
use crate::number::ElementType;
use crate::rules;
use crate::text::OperandKind;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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
    let symbols: Vec<String> = types
        .iter()
        .map(|t| t.name().to_ascii_uppercase())
        .collect();
    symbols.join(" or ")
}

/// Rules about which data operands there are and of what type.
pub fn check_operands(atomic: &Atomic, width: Width, verifier: Verifier, check: &mut Check<'_>) {
    let operation = atomic.operation;
    let narrow_strict = verifier == Verifier::Strict && width == Width::W16;
    let name = operation.document_name();
    if !operation.is_documented() {
        check.report(
            &rules::UNDOCUMENTED_OPERATION,
            OperandKind::Operation,
            format!("operation {}", operation.assembler_name()),
        );
    }
    if operation == Operation::Predec {
        check.report(
            &rules::TOOL_HAS_NO_NAME,
            OperandKind::Operation,
            "operation predec",
        );
    }
    if width != Width::W32 && !check.symbols.visa.platform().has_wide_and_narrow_atomics() {
        let what = format!(
            ".{} on {}",
            width.bits(),
            check.symbols.visa.platform().name()
        );
        check.report(&rules::PLATFORM_WIDTH, OperandKind::Width, what);
    }
    if operation.numbers() == Numbers::Float && width == Width::W64 {
        check.report(&rules::FLOAT_64, OperandKind::Width, format!("{name}.64"));
    }
    let (needs0, needs1) = operation.operands().needs();
    for (part, role, operand, needed) in [
        (OperandKind::Src0, "src0", atomic.src0, needs0),
        (OperandKind::Src1, "src1", atomic.src1, needs1),
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
        check.fix(
            rule,
            OperandKind::Src0,
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
        check.fix(
            rule,
            OperandKind::Src1,
            format!("{name} with a src1"),
            "write V0",
            "V0",
        );
    }
    if needs1 && !atomic.src1.is_null() && narrow_strict {
        let what = format!("{name}.16 with a src1");
        check.report(&rules::TOOL_REFUSES_SRC1, OperandKind::Src1, what);
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
        let variable = check.symbols.visa.general(operand.id.0);
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
            OperandKind::Operation,
            "the operands have different types",
        );
    }
}

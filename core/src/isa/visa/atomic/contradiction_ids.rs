//! Which contradictions concern an atomic.

use super::Atomic;
use crate::contradictions::id;
use crate::isa::SymbolTable;
use crate::isa::visa::execution::Execution;
use crate::isa::visa::operation::{Numbers, Operation};
use crate::number::ElementType;
use alloc::vec::Vec;

/// Those about predicates.
#[must_use]
pub fn of_execution(execution: &Execution) -> Vec<&'static str> {
    match execution.predicate.combines() {
        true => Vec::from([id::ANY_ALL]),
        false => Vec::new(),
    }
}

/// Those about operations.
#[must_use]
pub fn of_atomic(atomic: &Atomic) -> Vec<&'static str> {
    let mut found = of_execution(&atomic.execution);
    match atomic.operation {
        Operation::Cmpxchg | Operation::Fcmpwr => found.push(id::SWAPPED_ROLES),
        Operation::Predec => {
            found.extend([id::PSEUDO_CODE_RETURN, id::PREDEC_TYPE, id::PREDEC_RETURN])
        }
        _ => {}
    }
    found
}

/// Whether the `.16` form of an operation is one that the real tool takes for
/// another.
#[must_use]
pub const fn is_narrow_trouble(operation: Operation) -> bool {
    !matches!(operation.numbers(), Numbers::Unsigned) || operation.operands().count() == 2
}

/// Whether it adds or subtracts signed elements.
#[must_use]
pub fn adds_signed(atomic: &Atomic, symbols: &SymbolTable) -> bool {
    let is_signed = |id: u32| {
        let variable = symbols.visa.general(id);
        id != 0 && variable.is_some_and(|v| v.ty == ElementType::D)
    };
    matches!(atomic.operation, Operation::Add | Operation::Sub)
        && (is_signed(atomic.src0.id.0) || is_signed(atomic.dst.id.0))
}

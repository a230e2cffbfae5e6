//! One sentence on what a lane of an atomic did.

use super::super::operation::SassOperation;
use super::super::size::Size;
use super::SassAtomic;
use crate::isa::{Effect, PseudocodeState, SymbolTable};
use crate::machine::SpaceId;
use crate::number::{ElementType, show};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// `global[0x10000] 4 + 5 → 9, returned 4`; without the end for an
/// instruction that returns nothing.
pub(super) fn describe_effect(
    atomic: &SassAtomic,
    effect: &Effect<'_>,
    symbols: &SymbolTable,
) -> String {
    let Some(access) = effect.access else {
        return String::new();
    };
    let operation = atomic.operation;
    let value = |bits: u64| match (operation, atomic.size) {
        (SassOperation::And | SassOperation::Or | SassOperation::Xor, _) => format!("{bits:#x}"),
        (_, Size::F16x2) => {
            let half = |bits| show(bits, ElementType::Hf);
            format!("({}, {})", half(bits & 0xffff), half(bits >> 16))
        }
        _ => show(bits, atomic.size.display_type()),
    };
    let address = access.address;
    let status = match atomic.sparse {
        Some(ps) if !ps.is_true() => {
            let what = if access.in_bounds { "false" } else { "true" };
            format!(", {} {what}", ps.name())
        }
        _ => String::new(),
    };
    let changes = effect.changes;
    let Some(change) = changes.iter().find(|c| c.space == access.space) else {
        let returned = match atomic.dst.is_zero() {
            false => format!(", {} 0", atomic.dst.name()),
            true => String::new(),
        };
        return format!("{address:#x} is not resident: memory unchanged{returned}{status}");
    };
    let returned = changes.iter().find(|c| c.space == SpaceId::registers(0));
    let returned = match returned {
        Some(change) => format!(", returned {}", value(change.new)),
        None if atomic.row.returns => String::from(", nothing returned"),
        None => String::new(),
    };
    let update = atomic.update_on(symbols.sass.chip);
    let done = update.describe(atomic.width(), change, access, value);
    let guess = match operation {
        SassOperation::SafeAdd => " (SAFEADD run as INC: assumed)",
        _ => "",
    };
    format!("global[{address:#x}] {done}{returned}{status}{guess}")
}

/// The pseudo-code line of a lane.
pub(super) fn pseudocode_state(atomic: &SassAtomic, effect: &Effect<'_>) -> PseudocodeState {
    let mut pseudocode_state = PseudocodeState {
        line: atomic.row.not_resident,
        variables: Vec::new(),
    };
    let Some(access) = effect.access else {
        return pseudocode_state;
    };
    let mut push = |name, value| pseudocode_state.variables.push((name, value));
    push("lane", format!("{}", access.unit.lane));
    push("address", format!("{:#x}", access.address));
    push("Rb", format!("{:#x}", access.src0));
    if atomic.operation == SassOperation::Cas {
        push("Rc", format!("{:#x}", access.src1));
    }
    let cell = effect.changes.iter().find(|c| c.space == access.space);
    if let Some(cell) = cell {
        push("M", format!("{:#x}", cell.old));
        pseudocode_state.line = atomic.row.stores;
    }
    pseudocode_state
}

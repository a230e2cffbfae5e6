//! One sentence on what a lane of an atomic did.

use super::shown_as;
use crate::isa::rmw::Width;
use crate::isa::visa::operation::Operation;
use crate::isa::{Effect, PseudocodeState};
use crate::machine::SpaceId;
use crate::number::show;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One sentence on what an access did.
#[must_use]
pub fn describe_effect(
    operation: Operation,
    width: Width,
    place: &str,
    effect: &Effect<'_>,
) -> String {
    let changes = effect.changes;
    let Some(access) = effect.access else {
        return String::new();
    };
    let ty = shown_as(operation, width);
    let value = |bits| match operation {
        Operation::And | Operation::Or | Operation::Xor => format!("{bits:#x}"),
        _ => show(bits, ty),
    };
    let returned = match access.dst {
        None => String::from(", nothing returned"),
        Some(dst) => changes
            .iter()
            .find(|c| c.space == SpaceId::registers(access.unit.eu) && c.address == u64::from(dst))
            .map_or_else(String::new, |c| format!(", returned {}", value(c.new))),
    };
    let cell = format!("{place}[{:#x}]", access.address);
    let Some(change) = changes.iter().find(|c| c.space == access.space) else {
        return format!("{cell} is out of bounds: it reads 0 and nothing is written{returned}");
    };
    let (old, new) = (value(change.old), value(change.new));
    let (a, b) = operation.update().roles(access);
    let (operand, comparand) = (value(a), value(b));
    let trace_text = match operation {
        Operation::Add | Operation::Fadd => format!("{old} + {operand} → {new}"),
        Operation::Sub | Operation::Fsub => format!("{old} − {operand} → {new}"),
        Operation::Inc => format!("{old} + 1 → {new}"),
        Operation::Dec | Operation::Predec => format!("{old} − 1 → {new}"),
        Operation::Min | Operation::Imin | Operation::Fmin => {
            format!("min({old}, {operand}) → {new}")
        }
        Operation::Max | Operation::Imax | Operation::Fmax => {
            format!("max({old}, {operand}) → {new}")
        }
        Operation::Xchg => format!("{old} → {new}"),
        Operation::And => format!("{old} & {operand} → {new}"),
        Operation::Or => format!("{old} | {operand} → {new}"),
        Operation::Xor => format!("{old} ^ {operand} → {new}"),
        Operation::Cmpxchg | Operation::Fcmpwr => {
            if operation.rmw().compares_equal(width, change.old, b) == Some(false) {
                format!("found {old}, expected {comparand}: unchanged")
            } else {
                format!("found {old}, expected {comparand}: {old} → {new}")
            }
        }
    };
    format!("{cell} {trace_text}{returned}")
}

/// The line of the pseudo-code that stores the new value.
const STORES: usize = 4;

/// Where a lane stands in the pseudo-code, which calls its address `address`.
#[must_use]
pub fn pseudocode_state(address: &'static str, effect: &Effect<'_>) -> PseudocodeState {
    let mut variables = Vec::new();
    if let Some(access) = effect.access {
        variables.push(("i", format!("{}", access.unit.lane)));
        variables.push((address, format!("{:#x}", access.address)));
        let cell = effect.changes.iter().find(|c| c.space == access.space);
        variables.push(("old", format!("{:#x}", cell.map_or(0, |c| c.old))));
    }
    PseudocodeState {
        line: STORES,
        variables,
    }
}

//! What is known of a column beyond the results that are listed.

use super::found::Column;
use lanewise_core::isa::Unit;
use lanewise_core::program::Program;
use lanewise_explore::SearchResult;

/// Whether there is one state before an instruction, so that the lanes that
/// meet there do so in every order.
pub(super) fn meets_always(answer: &SearchResult, instruction: u32) -> bool {
    let mut conflicts = answer.conflicts.iter();
    conflicts.all(|conflict| conflict.instruction >= instruction)
}

/// Every content that a cell may have at the end, where the last
/// instruction alone decides that.
pub(super) fn contents(
    program: &Program,
    answer: &SearchResult,
    cell: &Column,
) -> Option<Vec<u64>> {
    let touches = |place: u64, bytes: u8| {
        place < cell.address + u64::from(cell.ty.bytes()) && cell.address < place + u64::from(bytes)
    };
    let of_cell = answer.conflicts.iter();
    let mut of_cell = of_cell.filter(|c| c.space == cell.space && touches(c.address, c.bytes));
    let only = of_cell.next().filter(|_| of_cell.next().is_none())?;
    let whole = (only.address, only.bytes) == (cell.address, cell.ty.bytes());
    let last = program.instructions.len() == only.instruction as usize + 1;
    // After one that has several results the lanes may not meet there: nothing
    // is told of that.
    if !meets_always(answer, only.instruction) {
        return None;
    }
    only.contents.clone().filter(|_| whole && last)
}

/// Every value that a lane may get back from an instruction.
pub(super) fn possible(answer: &SearchResult, instruction: u32, unit: Unit) -> Option<Vec<u64>> {
    // After one that has several results, it may find other lanes' conflicts.
    if !meets_always(answer, instruction) {
        return None;
    }
    let mut all: Option<Vec<u64>> = None;
    let own = answer.conflicts.iter();
    for conflict in own.filter(|c| c.instruction == instruction) {
        let Some(at) = conflict.units.iter().position(|u| *u == unit) else {
            continue;
        };
        let values = conflict.returns.get(at)?.as_ref()?;
        for value in values {
            insert(all.get_or_insert_default(), *value);
        }
    }
    all
}

/// Puts a value into an ascending list, unless it is there.
pub(super) fn insert(list: &mut Vec<u64>, value: u64) {
    if let Err(at) = list.binary_search(&value) {
        list.insert(at, value);
    }
}

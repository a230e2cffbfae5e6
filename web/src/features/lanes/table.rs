//! The table of the lanes of the instruction at hand.

use super::model::{Lane, LanesTable, Operands, current_unit, groups};
use lanewise_core::isa::{IssueContext, Update};
use lanewise_core::session::{LaneRow, Session};

impl LanesTable {
    /// The lanes of the current instruction of a run.
    pub(crate) fn of(session: &Session) -> Self {
        let program = session.program();
        let index = session.current_instruction();
        let placed = index.and_then(|i| program.instructions.get(i));
        let (Some(index), Some(placed)) = (index, placed) else {
            return Self {
                heading: None,
                operands: Operands::Numbered(0),
                threads: program.threads,
                lanes: Vec::new(),
                is_matrix: false,
                channels: 0,
            };
        };
        let rows = if placed.instruction.spec().lane_queue {
            session.lanes(index)
        } else {
            Vec::new()
        };
        let issue = IssueContext {
            symbols: &program.symbols,
            machine: session.machine(),
            threads: program.threads,
        };
        let groups = groups(&rows);
        let current = current_unit(session);
        let update = placed.instruction.update(&program.symbols);
        let is_compare = |update: &Update| {
            let accesses = rows.iter().filter_map(|row| row.access.as_ref());
            accesses
                .map(|access| update.comparison(access, 0))
                .next()
                .flatten()
                .is_some()
        };
        let operands = match update.filter(is_compare) {
            // Not swapped, the second operand of the arithmetic is compared with.
            Some(update) => Operands::CompareAndNew {
                compare_is_src1: !update.swapped,
            },
            None => Operands::Numbered(placed.instruction.operands()),
        };
        let is_kept = |row: &LaneRow| {
            let compared = update.and_then(|u| u.comparison(row.access.as_ref()?, row.old?));
            compared.is_some_and(|compared| !compared.equal)
        };
        let is_faulted = session.fault().is_some();
        let lane = |row: LaneRow| Lane {
            is_faulted,
            disabled: match row.access {
                Some(_) => "",
                None => placed.instruction.why_idle(&issue, row.unit),
            },
            current: current == Some(row.unit),
            group: row.conflict.and_then(|g| groups.get(g as usize).cloned()),
            kept: is_kept(&row),
            ty: placed.instruction.shown_as(&program.symbols),
            operands,
            threads: program.threads,
            row,
        };
        let name = placed.instruction.spec().name;
        let operation = (placed.instruction.operation())
            .and_then(|code| {
                let rows = (placed.instruction.spec().operations)();
                rows.iter().find(|row| row.code == code).map(|row| row.name)
            })
            .map_or_else(String::new, |operation| format!(".{operation}"));
        Self {
            heading: Some((format!("{name}{operation}"), placed.line + 1)),
            operands,
            threads: program.threads,
            lanes: rows.into_iter().map(lane).collect(),
            is_matrix: placed.instruction.matrix().is_some(),
            channels: placed.instruction.channels().count_ones() as usize,
        }
    }
}

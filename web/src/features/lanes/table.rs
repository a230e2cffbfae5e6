//! The table of the lanes of the instruction at hand.

use super::model::{Lane, LanesTable, current_unit, groups};
use crate::store::State;
use lanewise_core::isa::IssueContext;
use lanewise_core::session::LaneRow;

impl State {
    /// The lanes of the current instruction.
    pub(crate) fn lanes_table(&self) -> LanesTable {
        let program = self.session.program();
        let index = self.session.current_instruction();
        let placed = index.and_then(|i| program.instructions.get(i));
        let (Some(index), Some(placed)) = (index, placed) else {
            return LanesTable {
                heading: None,
                operands: 0,
                threads: program.threads,
                lanes: Vec::new(),
                is_matrix: false,
                channels: 0,
            };
        };
        let rows = match placed.instruction.spec().lane_queue {
            true => self.session.lanes(index),
            false => Vec::new(),
        };
        let groups = groups(&rows);
        let current = current_unit(&self.session);
        let operands = placed.instruction.operands();
        let update = placed.instruction.update(&program.symbols);
        let is_kept = |row: &LaneRow| {
            let compared = update.and_then(|u| u.comparison(row.access.as_ref()?, row.old?));
            compared.is_some_and(|compared| !compared.equal)
        };
        let lane = |row: LaneRow| Lane {
            disabled: match row.access {
                Some(_) => "",
                None => placed.instruction.why_idle(&self.issue_context(), row.unit),
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
        LanesTable {
            heading: Some((format!("{name}{operation}"), placed.line + 1)),
            operands,
            threads: program.threads,
            lanes: rows.into_iter().map(lane).collect(),
            is_matrix: placed.instruction.matrix().is_some(),
            channels: placed.instruction.channels().count_ones() as usize,
        }
    }

    /// What the current instruction gets when it issues.
    fn issue_context(&self) -> IssueContext<'_> {
        let program = self.session.program();
        IssueContext {
            symbols: &program.symbols,
            machine: self.session.machine(),
            threads: program.threads,
        }
    }
}

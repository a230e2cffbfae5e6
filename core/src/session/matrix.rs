//! Progress of a matrix multiply-add.

use super::history::EffectKind;
use super::{IssueIndex, Session};
use crate::diagnostic::to_u32;
use crate::isa::visa::matrix::MatrixOperands;
use crate::isa::visa::matrix::trace::StageAt;
use crate::machine::{Machine, StepGranularity};

/// State of a matrix multiply-add in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixState {
    /// The latched operands, from which elements of Dst can be traced.
    pub operands: MatrixOperands,
    /// Number of completed stages, row by row.
    pub done: u32,
    /// The stage of the last effect, if it belongs to this instruction.
    pub at: Option<StageAt>,
}

impl MatrixState {
    /// Number of completed stages of a row.
    #[must_use]
    pub fn done_in(&self, row: u8) -> u8 {
        let depth = self.operands.shape.sd();
        let before = u32::from(row) * u32::from(depth);
        let done = self.done.saturating_sub(before).min(u32::from(depth));
        u8::try_from(done).expect("a row has as many stages as its depth")
    }
}

impl Session {
    /// The state of a matrix multiply-add; `None` for other instructions and for one that
    /// cannot run. With `by_table`, the operands are those that the document's table says; the
    /// instruction runs by the formula.
    #[must_use]
    pub fn matrix(&self, issue: IssueIndex, by_table: bool) -> Option<MatrixState> {
        let program = self.program();
        let issued = self.issue(issue)?;
        let multiply = program.instruction(issued).instruction.matrix()?;
        let first = self.issue_start(issue);
        let machine = self.state_before(issue);
        let (threads, symbols) = (issued.threads, &program.symbols);
        let operands = match by_table {
            true => multiply.latched_by_table(threads, symbols, &machine)?,
            false => multiply.latched(threads, symbols, &machine)?,
        };
        let fine = self.granularity() == StepGranularity::Fine;
        let (shape, eus) = (operands.shape, operands.eu_count());
        let each = StageAt::effects(shape, eus, fine);
        let all = multiply.stages() * each;
        let passed = first.map_or(0, |first| self.position.saturating_sub(first));
        let passed = to_u32(passed);
        let last = passed.checked_sub(1).filter(|last| *last < all);
        Some(MatrixState {
            operands,
            done: passed.min(all) / each,
            at: last.map(|last| StageAt::nth(shape, eus, last, fine)),
        })
    }

    /// The stage of the last effect, if it belongs to a runnable matrix instruction.
    #[must_use]
    pub fn matrix_stage(&self) -> Option<StageAt> {
        let EffectKind::Effect(index) = self.last_effect()? else {
            return None;
        };
        let program = self.program();
        let issued = self.issue(self.last_issue()?)?;
        let shape = program.instruction(issued).instruction.matrix()?.shape()?;
        let fine = self.granularity() == StepGranularity::Fine;
        Some(StageAt::nth(shape, issued.threads.count(), index, fine))
    }

    /// The state at a position of the known history.
    pub(super) fn machine_at(&self, position: usize) -> Machine {
        let segment = self.history.segment_of(position);
        let record = self.history.record(segment);
        let (start, state) = self.history.segment_start(segment);
        if (position..=record.end()).contains(&self.position) {
            let mut machine = self.machine.clone();
            let changes = record.changes(position..self.position);
            for change in changes.iter().rev() {
                machine.undo(change);
            }
            return machine;
        }
        let mut machine = state.clone();
        for change in record.changes(start..position) {
            machine.redo(change);
        }
        machine
    }
}

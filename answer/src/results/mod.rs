//! Results of a search, and the elements in which they differ.

mod columns;
mod format;
mod grids;
mod invariant;
mod lane_order;
mod order_lines;
mod own;
mod returned_value;
mod sentences;
mod summary;
mod table;

pub use columns::Column;
pub use format::tab_count;
pub use grids::{Field, GridColumn, GridRow, GridValue, OutcomeGrid};
pub use lane_order::{LaneMove, LaneOrder, OrderedLane, OrderedUnit, move_lane};
pub use order_lines::write_orders;
pub use own::{OwnResult, stage_text};
pub use returned_value::{Reply, ReplyState, ReturnForm, WantedReturn};
pub use summary::Summary;
pub use table::{ColumnHead, ResultRow, ResultsTable, RowValue};

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use columns::{conflicting_issues, elements, insert, is_last, other};
use lanewise_core::diagnostic::Span;
use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::{LaneName, Order, Program, ProgramInstruction};
use lanewise_core::session::Session;
use lanewise_explore::Query;
use lanewise_explore::{Count, LaneSchedule, Outcome, SearchResult, differing_bytes};

/// Maximum number of results replayed to find the lanes that write.
const MAX_REPLAYS: usize = 64;

/// Results of a search.
#[derive(Clone)]
pub struct Results {
    /// Program of the results. Its own orders and comments do not affect them,
    /// only line numbers.
    pub program: Rc<Program>,
    pub found: SearchResult,
    /// Memory cells in which lanes conflict.
    pub cells: Vec<Column>,
    /// Elements in which results differ.
    pub columns: Vec<Column>,
    /// Returned values, whether or not they differ or are overwritten.
    pub returns: Vec<Column>,
    /// If exactly one lane changes the only cell in every result: number of
    /// lanes that can be the one. `None` if that does not hold or is not known.
    pub single_writers: Option<usize>,
}

impl Results {
    pub fn new(mut found: SearchResult, session: &Session) -> Self {
        // Most likely first; orders are not counted in a sample.
        found.outcomes.sort_by(|a, b| b.orders.cmp(&a.orders));
        let (cells, returns) = elements(&found, session);
        let mut results = Self {
            program: session.shared_program(),
            found,
            cells,
            columns: Vec::new(),
            returns,
            single_writers: None,
        };
        results.single_writers = results.find_single_writers();
        results.find_columns();
        results
    }

    /// Finds the elements that differ, in the listed results or by other
    /// knowledge.
    fn find_columns(&mut self) {
        let differing = differing_bytes(&self.found.outcomes).into_iter();
        let mut differing: Vec<(SpaceId, u64)> = differing
            .map(|(space, address)| (SpaceId(space), address))
            .collect();
        let mut columns = Vec::new();
        for column in self.final_columns() {
            let holds = |byte: &(SpaceId, u64)| column.holds(*byte);
            if differing.iter().any(holds) || column.may_differ() {
                columns.push(column.clone());
            }
        }
        let named = |byte: &(SpaceId, u64)| {
            let mut all = self.final_columns();
            all.any(|column| column.holds(*byte))
        };
        differing.retain(|byte| !named(byte));
        while let Some(first) = differing.first() {
            let other = other(&self.program, *first);
            if let Some(column) = other.filter(|column| column.holds(*first)) {
                differing.retain(|byte| !column.holds(*byte));
                columns.push(column);
            } else {
                differing.remove(0);
            }
        }
        self.columns = columns;
    }

    /// Cells, and returned values that are not overwritten.
    pub fn final_columns(&self) -> impl Iterator<Item = &Column> {
        let returns = self.returns.iter().filter(|own| !own.is_overwritten);
        self.cells.iter().chain(returns)
    }

    /// Adds the result of a query to the list unless present. Returns its
    /// index.
    pub fn add(&mut self, outcome: Outcome) -> usize {
        let listed = &mut self.found.outcomes;
        if let Some(at) = listed
            .iter()
            .position(|other| other.is_same_result(&outcome))
        {
            return at;
        }
        listed.push(outcome);
        let at = listed.len() - 1;
        self.find_columns();
        at
    }

    /// Whether results differ in a column.
    pub fn differs(&self, column: &Column) -> bool {
        !column.is_overwritten && self.columns.iter().any(|other| other.is_at(column))
    }

    /// Whether all results agree in a column, proven rather than inferred from
    /// the listed results.
    pub fn is_same(&self, column: &Column) -> bool {
        let known = column.possible.as_ref().is_some_and(|all| all.len() == 1);
        !self.differs(column) && (known || self.lists_all())
    }

    /// All values of a column in ascending order: final contents of a cell, or
    /// returned values of a lane. `None` if not known.
    pub fn values(&self, column: &Column) -> Option<Vec<u64>> {
        if let Some(possible) = &column.possible {
            return Some(possible.clone());
        }
        if !self.lists_all() || column.is_overwritten {
            return None;
        }
        let values = self.found.outcomes.iter().map(|outcome| {
            if column.returned_by.is_some() {
                // A lane cancelled by a fault returned nothing.
                column.returned_value(outcome, &self.program)
            } else {
                column.final_value(outcome, &self.program)
            }
        });
        let mut all = Vec::new();
        for value in values.flatten() {
            insert(&mut all, value, column.ty);
        }
        Some(all)
    }

    /// Index of a listed result with a value, if any.
    pub fn example(&self, value: GridValue) -> Option<usize> {
        let program = &*self.program;
        let mut listed = self.found.outcomes.iter();
        match value {
            GridValue::Returned { issue, unit, value } => {
                let mut returns = self.returns.iter();
                let column = returns.find(|own| own.returned_by == Some((issue, unit)))?;
                listed.position(|outcome| column.returned_value(outcome, program) == Some(value))
            }
            GridValue::Content { conflict, content } => {
                let conflict = self.found.conflicts.get(conflict)?;
                let is_last = is_last(program, conflict);
                let (space, address, bytes) = (conflict.space, conflict.address, conflict.bytes);
                listed.position(|outcome| {
                    let end = outcome.load(&program.start, space, address, bytes);
                    is_last && outcome.fault.is_none() && end == Some(content)
                })
            }
        }
    }

    /// Query for an order that produces a value.
    pub fn query(&self, value: GridValue) -> Option<Query> {
        Some(match value {
            GridValue::Returned { issue, unit, value } => Query::Returns { issue, unit, value },
            GridValue::Content { conflict, content } => {
                let conflict = self.found.conflicts.get(conflict)?;
                Query::Leaves {
                    issue: conflict.issue,
                    space: conflict.space,
                    address: conflict.address,
                    content,
                }
            }
        })
    }

    /// Description: `memory`, or `returned in V32, line 18` if lanes of several
    /// instructions conflict.
    pub fn description(&self, column: &Column) -> String {
        let what = &column.what;
        let has_several = conflicting_issues(&self.found).len() > 1;
        match self.issued(column).filter(|_| has_several) {
            Some(placed) => format!("{what}, line {}", placed.line + 1),
            None => what.clone(),
        }
    }

    /// Instruction that returned the value of a column.
    pub fn issued(&self, column: &Column) -> Option<&ProgramInstruction> {
        let (issue, _) = column.returned_by?;
        let mut conflicts = self.found.conflicts.iter();
        let conflict = conflicts.find(|conflict| conflict.issue == issue)?;
        self.program.instructions.get(conflict.instruction as usize)
    }

    /// For a program of one instruction with one conflicting cell: number of
    /// lanes that can change the cell, if exactly one does in every result.
    /// Computed only if all results are listed and few.
    fn find_single_writers(&self) -> Option<usize> {
        let [conflict] = self.found.conflicts.as_slice() else {
            return None;
        };
        let is_short = self.found.outcomes.len() <= MAX_REPLAYS;
        if !is_short || !self.lists_all() || self.program.instructions.len() != 1 {
            return None;
        }
        let mut writers: Vec<Unit> = Vec::new();
        for outcome in &self.found.outcomes {
            let program = reordered(&self.program, &outcome.schedules);
            let mut session = Session::new(Rc::new(program));
            session.run_to_end();
            let rows = session.lanes(conflict.issue);
            let mut changing = rows
                .iter()
                .filter(|row| conflict.units.contains(&row.unit) && row.done && row.old != row.new);
            let writer = changing.next()?.unit;
            if changing.next().is_some() {
                return None;
            }
            if !writers.contains(&writer) {
                writers.push(writer);
            }
        }
        Some(writers.len())
    }

    /// Whether every result is listed.
    pub fn lists_all(&self) -> bool {
        self.found.complete && self.found.count == Count::from(self.found.outcomes.len())
    }
}

/// The program with other orders for some instructions.
pub fn reordered(program: &Program, schedules: &[LaneSchedule]) -> Program {
    let mut program = program.clone();
    for schedule in schedules {
        let span = Span::default();
        let units = schedule.units.iter();
        let names = units.map(|unit| LaneName { unit: *unit, span });
        let instruction = usize::try_from(schedule.instruction).expect("indices fit in u32");
        if let Some(placed) = program.instructions.get_mut(instruction) {
            placed.order = Rc::new(Order::of(names.collect()));
        }
    }
    program
}

//! What a search found, and in which elements its results differ.

use super::grids::GridValue;
use lanewise_core::diagnostic::Span;
use lanewise_core::isa::sass::warp::register_at;
use lanewise_core::isa::{Access, Family, Unit};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::program::{LaneName, Order, Program};
use lanewise_core::session::Session;
use lanewise_explore::{
    Count, LaneSchedule, Outcome, SearchResult, differing_bytes, written_after,
};
use lanewise_web::search_worker::Query;
use std::rc::Rc;

/// The most results that are replayed to see which lanes write.
const MAX_REPLAYS: usize = 64;

/// An element of memory or of a register: a column of the table where results
/// differ in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(super) space: SpaceId,
    pub(super) address: u64,
    pub(super) ty: ElementType,
    /// `slm[0x40]`, `Lane 3`.
    pub(crate) name: String,
    /// What it is: `memory`, `returned in V32`.
    pub(crate) description: String,
    /// Every value that it may have, where that is known beyond the results
    /// that are listed.
    pub(super) possible: Option<Vec<u64>>,
    /// The instruction and the lane that a returned value is of; none for memory
    /// and for what other instructions write to registers.
    pub(super) returned_by: Option<(u32, Unit)>,
    /// Whether a later instruction writes to it, so that its value at the end is
    /// not the returned one.
    pub(super) is_overwritten: bool,
}

/// What a search found.
#[derive(Clone)]
pub(super) struct Results {
    pub(super) found: SearchResult,
    /// The memory cells that lanes conflict in.
    pub(super) cells: Vec<Column>,
    /// Where results differ.
    pub(super) columns: Vec<Column>,
    /// What lanes return, whether it differs or not, overwritten or not.
    pub(super) returns: Vec<Column>,
    /// How many lanes can be the one that changes the only cell, if in every
    /// result exactly one does; `None` where that is not so or not known.
    pub(super) single_writers: Option<usize>,
}

impl Results {
    pub(super) fn new(mut found: SearchResult, session: &Session) -> Self {
        // The likeliest first; a sample knows no orders.
        found.outcomes.sort_by(|a, b| b.orders.cmp(&a.orders));
        let (cells, returns) = elements(&found, session);
        let single_writers = single_writers(&found, session.program());
        let mut results = Self {
            found,
            cells,
            columns: Vec::new(),
            returns,
            single_writers,
        };
        results.find_columns(session.program());
        results
    }

    /// Finds what differs: in the results listed, or by what is known of others.
    fn find_columns(&mut self, program: &Program) {
        let mut differing = differing_bytes(&self.found.outcomes);
        let mut columns = Vec::new();
        for column in self.final_columns() {
            let holds = |byte: &SpaceAndAddress| column.holds(*byte);
            if differing.iter().any(holds) || column.may_differ() {
                columns.push(column.clone());
            }
        }
        let named = |byte: &SpaceAndAddress| {
            let mut all = self.final_columns();
            all.any(|column| column.holds(*byte))
        };
        differing.retain(|byte| !named(byte));
        while let Some(first) = differing.first() {
            let other = other(program, *first);
            if let Some(column) = other.filter(|column| column.holds(*first)) {
                differing.retain(|byte| !column.holds(*byte));
                columns.push(column);
            } else {
                differing.remove(0);
            }
        }
        self.columns = columns;
    }

    /// The cells, and the returned values that are there at the end.
    pub(super) fn final_columns(&self) -> impl Iterator<Item = &Column> {
        let returns = self.returns.iter().filter(|own| !own.is_overwritten);
        self.cells.iter().chain(returns)
    }

    /// Adds the result of a query to the list, unless it is there: its index.
    pub(super) fn add(&mut self, outcome: Outcome, program: &Program) -> usize {
        let listed = &mut self.found.outcomes;
        if let Some(at) = listed
            .iter()
            .position(|other| other.is_same_result(&outcome))
        {
            return at;
        }
        listed.push(outcome);
        let at = listed.len() - 1;
        self.find_columns(program);
        at
    }

    /// Whether results differ in a column.
    pub(super) fn differs(&self, column: &Column) -> bool {
        !column.is_overwritten && self.columns.iter().any(|other| other.is_at(column))
    }

    /// Whether all results are the same in a column: known, not guessed from
    /// those that are listed.
    pub(super) fn is_same(&self, column: &Column) -> bool {
        let known = column.possible.as_ref().is_some_and(|all| all.len() == 1);
        !self.differs(column) && (known || self.lists_all())
    }

    /// Every value of a column, ascending: what a cell holds at the end, what a
    /// lane returned. `None` where that is not known.
    pub(super) fn values(&self, column: &Column, program: &Program) -> Option<Vec<u64>> {
        if let Some(possible) = &column.possible {
            return Some(possible.clone());
        }
        if !self.lists_all() || column.is_overwritten {
            return None;
        }
        let values = self.found.outcomes.iter().map(|outcome| {
            if column.returned_by.is_some() {
                // A lane behind a fault returned nothing.
                column.returned_value(outcome, program)
            } else {
                column.final_value(outcome, program)
            }
        });
        let mut values: Vec<u64> = values.flatten().collect();
        values.sort_unstable();
        values.dedup();
        Some(values)
    }

    /// The index of a listed result that shows a value, if there is one.
    pub(super) fn example(&self, value: GridValue, program: &Program) -> Option<usize> {
        let mut listed = self.found.outcomes.iter();
        match value {
            GridValue::Returned {
                instruction,
                unit,
                value,
            } => {
                let mut returns = self.returns.iter();
                let column = returns.find(|own| own.returned_by == Some((instruction, unit)))?;
                listed.position(|outcome| column.returned_value(outcome, program) == Some(value))
            }
            GridValue::Content { conflict, content } => {
                let conflict = self.found.conflicts.get(conflict)?;
                let is_last = program.instructions.len() == conflict.instruction as usize + 1;
                let (space, address, bytes) = (conflict.space, conflict.address, conflict.bytes);
                listed.position(|outcome| {
                    let end = outcome.load(&program.start, space, address, bytes);
                    is_last && outcome.fault.is_none() && end == Some(content)
                })
            }
        }
    }

    /// The query for an order that gives a value.
    pub(super) fn query(&self, value: GridValue) -> Option<Query> {
        Some(match value {
            GridValue::Returned {
                instruction,
                unit,
                value,
            } => Query::Returns {
                instruction,
                unit,
                value,
            },
            GridValue::Content { conflict, content } => {
                let conflict = self.found.conflicts.get(conflict)?;
                Query::Leaves {
                    instruction: conflict.instruction,
                    space: conflict.space,
                    address: conflict.address,
                    content,
                }
            }
        })
    }

    /// Whether every result is listed.
    pub(super) fn lists_all(&self) -> bool {
        self.found.complete && self.found.count == Count::from(self.found.outcomes.len())
    }
}

/// How many lanes can be the one that changes the only conflicting cell of a
/// program of one instruction, if in every result exactly one lane does. Known
/// where all results are listed and few.
fn single_writers(found: &SearchResult, program: &Program) -> Option<usize> {
    let [conflict] = found.conflicts.as_slice() else {
        return None;
    };
    let is_all = found.complete && found.count == Count::from(found.outcomes.len());
    if !is_all || found.outcomes.len() > MAX_REPLAYS || program.instructions.len() != 1 {
        return None;
    }
    let mut writers: Vec<Unit> = Vec::new();
    for outcome in &found.outcomes {
        let mut session = Session::new(Rc::new(reordered(program, &outcome.schedules)));
        session.run_to_end();
        let rows = session.lanes(usize::try_from(conflict.instruction).ok()?);
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

/// The program with other orders for some of its instructions.
pub(super) fn reordered(program: &Program, schedules: &[LaneSchedule]) -> Program {
    let mut program = program.clone();
    for schedule in schedules {
        let span = Span::default();
        let units = schedule.units.iter();
        let names = units.map(|unit| LaneName { unit: *unit, span });
        let instruction = usize::try_from(schedule.instruction).expect("indices fit");
        if let Some(placed) = program.instructions.get_mut(instruction) {
            placed.order = Rc::new(Order::of(names.collect()));
        }
    }
    program
}

type SpaceAndAddress = (u16, u64);

impl Column {
    /// Whether more than one value is possible, listed or not.
    fn may_differ(&self) -> bool {
        self.possible.as_ref().is_some_and(|all| all.len() > 1)
    }

    fn holds(&self, (space, address): SpaceAndAddress) -> bool {
        let place = address.wrapping_sub(self.address);
        self.space.0 == space && place < self.ty.bytes().into()
    }

    /// Its value at the end of a result.
    pub(super) fn final_value(&self, outcome: &Outcome, program: &Program) -> Option<u64> {
        outcome.load(&program.start, self.space, self.address, self.ty.bytes())
    }

    /// What the lane returned in a result; `None` where the result does not show
    /// it.
    pub(super) fn returned_value(&self, outcome: &Outcome, program: &Program) -> Option<u64> {
        let (instruction, _) = self.returned_by.filter(|_| !self.is_overwritten)?;
        let fault = outcome.fault.as_ref();
        if fault.is_some_and(|fault| fault.instruction <= instruction) {
            return None;
        }
        self.final_value(outcome, program)
    }
}

/// The memory cells that lanes conflict in, and the elements to which they return
/// values.
fn elements(found: &SearchResult, session: &Session) -> (Vec<Column>, Vec<Column>) {
    let program = session.program();
    let mut instructions: Vec<u32> = Vec::new();
    for conflict in &found.conflicts {
        if !instructions.contains(&conflict.instruction) {
            instructions.push(conflict.instruction);
        }
    }
    let (mut cells, mut returns): (Vec<Column>, Vec<Column>) = (Vec::new(), Vec::new());
    for instruction in instructions.iter().rev() {
        let index = *instruction as usize;
        let Some(placed) = program.instructions.get(index) else {
            continue;
        };
        let line = match instructions.len() {
            1 => String::new(),
            _ => format!(", line {}", placed.line + 1),
        };
        let written = written_after(program, *instruction);
        let (mut of_cells, mut of_returns) = (Vec::new(), Vec::new());
        for row in session.lanes(index) {
            let Some(access) = row.access.filter(|_| row.conflict.is_some()) else {
                continue;
            };
            let ty = fitting(placed.instruction.shown_as(&program.symbols), access.bytes);
            let mut cell = cell(program, &access, ty);
            cell.possible = contents(program, found, &cell);
            if !cells.iter().chain(&of_cells).any(|c| c.is_at(&cell)) {
                of_cells.push(cell);
            }
            if let Some(mut own) = returned(program, &access, ty, &line) {
                let overwrites = |(space, address, bytes): &(SpaceId, u64, u8)| {
                    *space == own.space
                        && *address < own.address + u64::from(own.ty.bytes())
                        && own.address < *address + u64::from(*bytes)
                };
                own.is_overwritten = written.iter().any(overwrites);
                own.possible = possible(found, *instruction, access.unit);
                own.returned_by = Some((*instruction, access.unit));
                of_returns.push(own);
            }
        }
        cells.splice(0..0, of_cells);
        returns.splice(0..0, of_returns);
    }
    (cells, returns)
}

impl Column {
    fn is_at(&self, other: &Self) -> bool {
        (self.space, self.address, self.ty.bytes())
            == (other.space, other.address, other.ty.bytes())
    }
}

/// The type, or unsigned integers where its size is another.
fn fitting(ty: ElementType, bytes: u8) -> ElementType {
    if ty.bytes() == bytes {
        return ty;
    }
    match bytes {
        1 => ElementType::Ub,
        2 => ElementType::Uw,
        4 => ElementType::Ud,
        _ => ElementType::Uq,
    }
}

fn cell(program: &Program, access: &Access, ty: ElementType) -> Column {
    Column {
        space: access.space,
        address: access.address,
        ty,
        name: memory_name(program, access.space, access.address)
            .expect("an instruction with a surface that is not declared cannot run"),
        description: String::from("memory"),
        possible: None,
        returned_by: None,
        is_overwritten: false,
    }
}

fn returned(program: &Program, access: &Access, ty: ElementType, line: &str) -> Option<Column> {
    let dst = u64::from(access.dst?);
    let space = SpaceId::registers(access.unit.eu);
    let register = match program.symbols.target.family() {
        Family::Sass => format!("R{}", register_at(dst).1),
        Family::Visa => variable(program, dst).map_or_else(String::new, |(name, ..)| name),
    };
    Some(Column {
        space,
        address: dst,
        ty,
        name: lane_name(access.unit, program.threads),
        description: format!("returned in {register}{line}"),
        possible: None,
        returned_by: None,
        is_overwritten: false,
    })
}

/// `Lane 3`, `Lane EU1.3`.
fn lane_name(unit: Unit, threads: u8) -> String {
    lanewise_core::session::lane_name(unit, threads)
}

/// The variable that holds a byte of the registers: its name, its type, and
/// where it starts.
fn variable(program: &Program, address: u64) -> Option<(String, ElementType, u64)> {
    let mut all = program.symbols.visa.generals();
    let (_, variable) = all.find(|(_, variable)| {
        let bytes = u64::from(variable.elements) * u64::from(variable.ty.bytes());
        let start = u64::from(variable.offset);
        variable.alias.is_none() && start <= address && address < start + bytes
    })?;
    let start = u64::from(variable.offset);
    Some((variable.name.to_string(), variable.ty, start))
}

/// `slm[0x40]`, `svm[0x10000]`, `T6[0]`; `None` for what is no memory.
fn memory_name(program: &Program, space: SpaceId, address: u64) -> Option<String> {
    let name = program.symbols.memory_name(space)?;
    Some(format!("{name}[{address:#x}]"))
}

/// The element that a byte belongs to, where no conflicting access names it:
/// what later instructions made of it.
fn other(program: &Program, (space, address): SpaceAndAddress) -> Option<Column> {
    let space = SpaceId(space);
    let word = address & !3;
    let threads = program.threads;
    for eu in 0..threads {
        let place = |name: String| match threads {
            2 => format!("EU{eu}.{name}"),
            _ => name,
        };
        let column = |address, ty, name: String| Column {
            space,
            address,
            ty,
            name: place(name),
            description: String::from("register"),
            possible: None,
            returned_by: None,
            is_overwritten: false,
        };
        if space == SpaceId::registers(eu) {
            if program.symbols.target.family() == Family::Sass {
                let (lane, register) = register_at(word);
                let name = format!("R{register}, lane {lane}");
                return Some(column(word, ElementType::Ud, name));
            }
            let (name, ty, start) = variable(program, address)?;
            let element = (address - start) / u64::from(ty.bytes());
            let name = format!("{name}[{element}]");
            return Some(column(start + element * u64::from(ty.bytes()), ty, name));
        }
        if space == SpaceId::flags(eu) {
            let id = u16::try_from(word / 4).ok()?;
            let name = match program.symbols.target.family() {
                Family::Sass => format!("P{}", id.checked_sub(1)?),
                Family::Visa => program.symbols.visa.predicate(id)?.to_string(),
            };
            return Some(column(word, ElementType::Ud, name));
        }
        if space == SpaceId::accumulators(eu) {
            return None;
        }
    }
    let whole = program.start.load(space, word, 4).is_some();
    let (address, ty) = if whole {
        (word, ElementType::Ud)
    } else {
        (address, ElementType::Ub)
    };
    Some(Column {
        space,
        address,
        ty,
        // The sums of a matrix instruction are no result.
        name: memory_name(program, space, address)?,
        description: String::from("memory"),
        possible: None,
        returned_by: None,
        is_overwritten: false,
    })
}

/// Whether there is one state before an instruction, so that its conflicts are
/// the same in every order.
fn meets_always(found: &SearchResult, instruction: u32) -> bool {
    let mut conflicts = found.conflicts.iter();
    conflicts.all(|conflict| conflict.instruction >= instruction)
}

/// Every content that a cell may have at the end, where the last
/// instruction alone decides that.
fn contents(program: &Program, found: &SearchResult, cell: &Column) -> Option<Vec<u64>> {
    let touches = |place: u64, bytes: u8| {
        place < cell.address + u64::from(cell.ty.bytes()) && cell.address < place + u64::from(bytes)
    };
    let of_cell = found.conflicts.iter();
    let mut of_cell = of_cell.filter(|c| c.space == cell.space && touches(c.address, c.bytes));
    let only = of_cell.next().filter(|_| of_cell.next().is_none())?;
    let whole = (only.address, only.bytes) == (cell.address, cell.ty.bytes());
    let last = program.instructions.len() == only.instruction as usize + 1;
    // After an instruction with several results the conflict may be another one.
    if !meets_always(found, only.instruction) {
        return None;
    }
    only.contents.clone().filter(|_| whole && last)
}

/// Every value that an instruction may return to a lane.
fn possible(found: &SearchResult, instruction: u32, unit: Unit) -> Option<Vec<u64>> {
    // After an instruction with several results the conflict may be another one.
    if !meets_always(found, instruction) {
        return None;
    }
    let mut all: Option<Vec<u64>> = None;
    let own = found.conflicts.iter();
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

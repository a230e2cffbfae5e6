//! Elements in which results may differ.

use crate::grids::format::unsigned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use lanewise_core::isa::{Access, Unit};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, low_mask};
use lanewise_core::program::Program;
use lanewise_core::session::{IssueIndex, Session, lane_name};
use lanewise_explore::{Conflict, Outcome, SearchResult, issues_once, written_after};

/// Element of memory or of a register: a table column if results differ in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub space: SpaceId,
    pub address: u64,
    pub ty: ElementType,
    /// Name, as in `slm[0x40]`, `Lane 3`.
    pub name: String,
    /// Description, as in `memory`, `returned in V32`.
    /// [`super::Results::description`] adds the line of the instruction.
    pub(super) what: String,
    /// All possible values, if known beyond the listed results.
    pub possible: Option<Vec<u64>>,
    /// Instruction and lane of a returned value; `None` for memory and other
    /// register writes.
    pub returned_by: Option<(IssueIndex, Unit)>,
    /// Whether a later instruction overwrites the returned value.
    pub is_overwritten: bool,
}

impl Column {
    /// An element that can have any value, as far as known.
    fn new((space, address): (SpaceId, u64), ty: ElementType, name: String, what: &str) -> Self {
        Self {
            space,
            address,
            ty,
            name,
            what: String::from(what),
            possible: None,
            returned_by: None,
            is_overwritten: false,
        }
    }

    pub(super) fn is_at(&self, other: &Self) -> bool {
        (self.space, self.address, self.ty.bytes())
            == (other.space, other.address, other.ty.bytes())
    }

    /// Whether several values are possible, listed or not.
    pub(super) fn may_differ(&self) -> bool {
        self.possible.as_ref().is_some_and(|all| all.len() > 1)
    }

    /// Whether a value is possible, as far as known.
    pub fn may_be(&self, value: u64) -> bool {
        let possible = self.possible.as_ref();
        possible.is_none_or(|all| all.contains(&value))
    }

    pub(super) fn holds(&self, (space, address): (SpaceId, u64)) -> bool {
        let place = address.wrapping_sub(self.address);
        self.space == space && place < self.ty.bytes().into()
    }

    /// Final value in a result.
    pub fn final_value(&self, outcome: &Outcome, program: &Program) -> Option<u64> {
        outcome.load(&program.start, self.space, self.address, self.ty.bytes())
    }

    /// Value returned by the lane in a result; `None` if the result does not
    /// show it.
    pub fn returned_value(&self, outcome: &Outcome, program: &Program) -> Option<u64> {
        // The value may be overwritten in other orders unless instructions are
        // issued once; then the number of an issue is its instruction.
        let (issue, _) = self.returned_by.filter(|_| !self.is_overwritten)?;
        let fault = outcome.fault.as_ref();
        if fault.is_some_and(|fault| fault.instruction <= issue.0) {
            return None;
        }
        self.final_value(outcome, program)
    }
}

/// Most issues whose lanes get columns.
const MAX_ISSUES: usize = 64;

/// Most effects of a run that is made to find the lanes of its issues.
const MAX_EFFECTS: usize = 1 << 16;

/// First issues whose lanes conflict, with their instructions.
pub(super) fn conflicting_issues(found: &SearchResult) -> Vec<(IssueIndex, u32)> {
    let issues = found.conflicts.iter();
    let mut issues: Vec<_> = issues.map(|c| (c.issue, c.instruction)).collect();
    issues.dedup();
    issues.truncate(MAX_ISSUES);
    issues
}

/// Whether nothing follows a conflict.
pub(super) fn is_last(program: &Program, conflict: &Conflict) -> bool {
    program.instructions.len() == conflict.instruction as usize + 1 && issues_once(program)
}

/// Memory cells in which lanes conflict, and elements that receive their
/// returned values.
pub(super) fn elements(found: &SearchResult, session: &Session) -> (Vec<Column>, Vec<Column>) {
    let program = session.program();
    let issues = conflicting_issues(found);
    let is_once = issues_once(program);
    // Its history is shared.
    let mut session = session.clone();
    if issues
        .last()
        .is_some_and(|(last, _)| session.issue(*last).is_none())
    {
        session.precompute(MAX_EFFECTS);
    }
    let (mut cells, mut returns): (Vec<Column>, Vec<Column>) = (Vec::new(), Vec::new());
    for (issue, instruction) in issues.into_iter().rev() {
        let Some(placed) = program.instructions.get(instruction as usize) else {
            continue;
        };
        // The program's own order may issue another instruction here.
        if session.issue(issue).map(|own| own.instruction) != Some(instruction) {
            continue;
        }
        let written = match is_once {
            true => written_after(program, issue),
            false => Vec::new(),
        };
        let (mut of_cells, mut of_returns) = (Vec::new(), Vec::new());
        for row in session.lanes(issue) {
            let Some(access) = row.access.filter(|_| row.conflict.is_some()) else {
                continue;
            };
            let ty = fitting(
                placed.instruction.display_type(&program.symbols),
                access.bytes,
            );
            let mut cell = cell(program, &access, ty);
            cell.possible = contents(program, found, &cell);
            if !cells.iter().chain(&of_cells).any(|c| c.is_at(&cell)) {
                of_cells.push(cell);
            }
            if let Some(mut own) = returned(program, &access, ty) {
                let overwrites = |(space, address, bytes): &(SpaceId, u64, u8)| {
                    *space == own.space
                        && *address < own.address + u64::from(own.ty.bytes())
                        && own.address < *address + u64::from(*bytes)
                };
                own.is_overwritten = !is_once || written.iter().any(overwrites);
                own.possible = possible(found, issue, access.unit, own.ty);
                own.returned_by = Some((issue, access.unit));
                of_returns.push(own);
            }
        }
        cells.splice(0..0, of_cells);
        returns.splice(0..0, of_returns);
    }
    (cells, returns)
}

/// Display type of a conflict's values.
pub(super) fn type_of(program: &Program, conflict: &Conflict) -> ElementType {
    let placed = program.instructions.get(conflict.instruction as usize);
    let ty = placed.map_or(ElementType::Uq, |placed| {
        placed.instruction.display_type(&program.symbols)
    });
    fitting(ty, conflict.bytes)
}

/// The type if its size matches, or else an unsigned integer type.
fn fitting(ty: ElementType, bytes: u8) -> ElementType {
    if ty.bytes() == bytes {
        ty
    } else {
        unsigned(bytes)
    }
}

fn cell(program: &Program, access: &Access, ty: ElementType) -> Column {
    let name = cell_name(program, access.space, access.address);
    Column::new((access.space, access.address), ty, name, "memory")
}

fn returned(program: &Program, access: &Access, ty: ElementType) -> Option<Column> {
    let dst = u64::from(access.dst?);
    let space = SpaceId::registers(access.unit.thread);
    let register = program.symbols.lane_register_name(dst);
    let register = register.or_else(|| variable(program, dst).map(|(name, ..)| name));
    let name = lane_name(access.unit, program.threads);
    let what = match register {
        Some(register) => format!("returned in {register}"),
        None => String::from("returned"),
    };
    Some(Column::new((space, dst), ty, name, &what))
}

/// Variable that contains a byte of the register file: name, type and start.
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

/// Name of a memory cell: [`memory_name`].
pub(super) fn cell_name(program: &Program, space: SpaceId, address: u64) -> String {
    memory_name(program, space, address)
        .expect("an instruction with an undeclared surface cannot run")
}

/// Name, as in `slm[0x40]`, `svm[0x10000]`, `T6[0]`; `None` for registers.
fn memory_name(program: &Program, space: SpaceId, address: u64) -> Option<String> {
    let name = program.symbols.memory_name(space)?;
    Some(format!("{name}[{address:#x}]"))
}

/// Element of a byte that no conflicting access covers, but which a later
/// instruction derived from one.
pub(super) fn other(program: &Program, (space, address): (SpaceId, u64)) -> Option<Column> {
    let word = address & !3;
    let threads = program.threads;
    for eu in 0..threads {
        let place = |name: String| match threads {
            2 => format!("EU{eu}.{name}"),
            _ => name,
        };
        let column = |address, ty, name| Column::new((space, address), ty, place(name), "register");
        if space == SpaceId::registers(eu) {
            if let Some((lane, register)) = program.symbols.lane_register_at(word) {
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
            let name = program.symbols.predicate_name(id)?;
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
    // Intermediate sums of a matrix instruction are not results.
    let name = memory_name(program, space, address)?;
    Some(Column::new((space, address), ty, name, "memory"))
}

/// Whether the state before an instruction is unique, so that its conflicts are
/// the same in every order.
fn has_fixed_conflicts(found: &SearchResult, issue: IssueIndex) -> bool {
    let mut conflicts = found.conflicts.iter();
    conflicts.all(|conflict| conflict.issue >= issue)
}

/// All possible final contents of a cell, if its last instruction alone
/// determines them.
fn contents(program: &Program, found: &SearchResult, cell: &Column) -> Option<Vec<u64>> {
    let touches = |place: u64, bytes: u8| {
        place < cell.address + u64::from(cell.ty.bytes()) && cell.address < place + u64::from(bytes)
    };
    let of_cell = found.conflicts.iter();
    let mut of_cell = of_cell.filter(|c| c.space == cell.space && touches(c.address, c.bytes));
    let only = of_cell.next().filter(|_| of_cell.next().is_none())?;
    let whole = (only.address, only.bytes) == (cell.address, cell.ty.bytes());
    let last = is_last(program, only);
    // After an instruction with several results, the conflict may differ.
    if !has_fixed_conflicts(found, only.issue) {
        return None;
    }
    let mut contents = only.contents.clone().filter(|_| whole && last)?;
    contents.sort_unstable_by_key(|content| rank(*content, cell.ty));
    Some(contents)
}

/// All values that an issue may return to a lane.
fn possible(
    found: &SearchResult,
    issue: IssueIndex,
    unit: Unit,
    ty: ElementType,
) -> Option<Vec<u64>> {
    // After an instruction with several results, the conflict may differ.
    if !has_fixed_conflicts(found, issue) {
        return None;
    }
    let mut all: Option<Vec<u64>> = None;
    let own = found.conflicts.iter();
    for conflict in own.filter(|c| c.issue == issue) {
        let Some(at) = conflict.units.iter().position(|u| *u == unit) else {
            continue;
        };
        let values = conflict.returns.get(at)?.as_ref()?;
        for value in values {
            insert(all.get_or_insert_default(), *value, ty);
        }
    }
    all
}

/// Key that sorts the bits of a type by their number.
pub(super) const fn rank(bits: u64, ty: ElementType) -> u64 {
    let sign = 1 << (ty.bits() - 1);
    if ty.is_float() && bits & sign != 0 {
        !bits & low_mask(ty.bits())
    } else if ty.is_float() || ty.is_signed() {
        bits ^ sign
    } else {
        bits
    }
}

/// Inserts a value into a list sorted by number unless present.
pub(super) fn insert(list: &mut Vec<u64>, value: u64, ty: ElementType) {
    let by_number = |value: &u64| rank(*value, ty);
    if let Err(at) = list.binary_search_by_key(&rank(value, ty), by_number) {
        list.insert(at, value);
    }
}

//! What a search found, and in which cells its results differ.

use super::known::{contents, possible};
use lanewise_core::isa::sass::warp::register_at;
use lanewise_core::isa::{Access, Family, Unit};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use lanewise_explore::{Count, Outcome, SearchResult, differing_bytes, written_after};

/// An element in which results may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(super) space: SpaceId,
    pub(super) address: u64,
    pub(super) ty: ElementType,
    /// `slm[0x40]`, `Lane 3`.
    pub(crate) name: String,
    /// What it is: `memory`, `returned in V32`.
    pub(crate) what: String,
    /// Every value that it may have, where that is known beyond the results
    /// that are listed.
    pub(super) possible: Option<Vec<u64>>,
    /// Whether it is what is returned to a lane, and of which instruction: what
    /// memory holds has none.
    pub(super) returned: bool,
    pub(super) of: Option<(u32, Unit)>,
    /// Whether a later instruction writes to it: what it holds at the end is
    /// not what the lane got back.
    pub(super) over: bool,
}

/// What a search found.
pub(super) struct Found {
    pub(super) answer: SearchResult,
    /// The cells that lanes fight for.
    pub(super) cells: Vec<Column>,
    /// Where results differ.
    pub(super) columns: Vec<Column>,
    /// What lanes return, whether it differs or not, and whether or not it is
    /// still there at the end.
    pub(super) slots: Vec<Column>,
}

impl Found {
    pub(super) fn new(mut answer: SearchResult, session: &Session) -> Self {
        // The likeliest first; a sample knows no orders.
        answer.outcomes.sort_by(|a, b| b.orders.cmp(&a.orders));
        let (cells, slots) = elements(&answer, session);
        let mut found = Self {
            answer,
            cells,
            columns: Vec::new(),
            slots,
        };
        found.find_columns(session.program());
        found
    }

    /// Finds what differs: in the results listed, or by what is known of others.
    fn find_columns(&mut self, program: &Program) {
        let mut differing = differing_bytes(&self.answer.outcomes);
        let mut columns = Vec::new();
        for column in self.kept() {
            let holds = |byte: &SpaceAndAddress| column.holds(*byte);
            if differing.iter().any(holds) || column.may_differ() {
                columns.push(column.clone());
            }
        }
        let named = |byte: &SpaceAndAddress| {
            let mut all = self.kept();
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
    pub(super) fn kept(&self) -> impl Iterator<Item = &Column> {
        let slots = self.slots.iter().filter(|slot| !slot.over);
        self.cells.iter().chain(slots)
    }

    /// Lists a result that was asked for, unless it is listed: its index.
    pub(super) fn note(&mut self, outcome: Outcome, program: &Program) -> usize {
        let listed = &mut self.answer.outcomes;
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
        !column.over && self.columns.iter().any(|other| other.is_at(column))
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
        if !self.lists_all() || column.over {
            return None;
        }
        let values = self.answer.outcomes.iter().map(|outcome| {
            match column.returned {
                // A lane that did not come to its turn returned nothing.
                true => column.got(outcome, program),
                false => column.of(outcome, program),
            }
        });
        let mut values: Vec<u64> = values.flatten().collect();
        values.sort_unstable();
        values.dedup();
        Some(values)
    }

    /// Whether every result is listed.
    pub(super) fn lists_all(&self) -> bool {
        self.answer.complete && self.answer.count == Count::from(self.answer.outcomes.len())
    }
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

    /// What it holds in a result.
    pub(super) fn of(&self, outcome: &Outcome, program: &Program) -> Option<u64> {
        outcome.load(&program.start, self.space, self.address, self.ty.bytes())
    }

    /// What the lane got back in a result, where that shows it.
    pub(super) fn got(&self, outcome: &Outcome, program: &Program) -> Option<u64> {
        let (instruction, _) = self.of.filter(|_| !self.over)?;
        let fault = outcome.fault.as_ref();
        if fault.is_some_and(|fault| fault.instruction <= instruction) {
            return None;
        }
        self.of(outcome, program)
    }
}

/// The cells that lanes fight for, and where they return values.
fn elements(answer: &SearchResult, session: &Session) -> (Vec<Column>, Vec<Column>) {
    let program = session.program();
    let mut instructions: Vec<u32> = Vec::new();
    for conflict in &answer.conflicts {
        if !instructions.contains(&conflict.instruction) {
            instructions.push(conflict.instruction);
        }
    }
    let (mut cells, mut slots): (Vec<Column>, Vec<Column>) = (Vec::new(), Vec::new());
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
        let (mut of_cells, mut of_slots) = (Vec::new(), Vec::new());
        for row in session.lanes(index) {
            let Some(access) = row.access.filter(|_| row.conflict.is_some()) else {
                continue;
            };
            let ty = fitting(placed.instruction.shown_as(&program.symbols), access.bytes);
            let mut cell = cell(program, &access, ty);
            cell.possible = contents(program, answer, &cell);
            if !cells.iter().chain(&of_cells).any(|c| c.is_at(&cell)) {
                of_cells.push(cell);
            }
            if let Some(mut slot) = slot(program, &access, ty, &line) {
                let over = |(space, address, bytes): &(SpaceId, u64, u8)| {
                    let bytes = u64::from(*bytes);
                    let own = u64::from(slot.ty.bytes());
                    *space == slot.space
                        && *address < slot.address + own
                        && slot.address < *address + bytes
                };
                slot.over = written.iter().any(over);
                slot.possible = possible(answer, *instruction, access.unit);
                slot.of = Some((*instruction, access.unit));
                of_slots.push(slot);
            }
        }
        cells.splice(0..0, of_cells);
        slots.splice(0..0, of_slots);
    }
    (cells, slots)
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
        name: memory_name(program, access.space, access.address),
        what: String::from("memory"),
        possible: None,
        returned: false,
        of: None,
        over: false,
    }
}

fn slot(program: &Program, access: &Access, ty: ElementType, line: &str) -> Option<Column> {
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
        what: format!("returned in {register}{line}"),
        possible: None,
        returned: true,
        of: None,
        over: false,
    })
}

/// `Lane 3`, `EU1 lane 3`.
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

/// `slm[0x40]`, `svm[0x10000]`, `T6[0]`.
fn memory_name(program: &Program, space: SpaceId, address: u64) -> String {
    let names = &program.symbols;
    let name = match (space, names.target.family()) {
        (SpaceId::SLM, _) => "slm",
        (SpaceId::VIRTUAL, Family::Visa) => "svm",
        (SpaceId::VIRTUAL, Family::Sass) => "global",
        (other, _) => {
            let index = other.surface_index();
            index.and_then(|i| names.visa.surface_name(i)).unwrap_or("")
        }
    };
    format!("{name}[{address:#x}]")
}

/// The element that a byte belongs to, of those that no access names: what
/// came of them later.
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
            what: String::from("register"),
            possible: None,
            returned: false,
            of: None,
            over: false,
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
    let (address, ty) = match whole {
        true => (word, ElementType::Ud),
        false => (address, ElementType::Ub),
    };
    Some(Column {
        space,
        address,
        ty,
        name: memory_name(program, space, address),
        what: String::from("memory"),
        possible: None,
        returned: false,
        of: None,
        over: false,
    })
}

//! What a search found, and in which cells its results differ.

use super::known::{contents, possible};
use lanewise_core::isa::sass::warp::register_at;
use lanewise_core::isa::{Access, Family, Unit};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::outcomes::{Answer, Count, Outcome};
use lanewise_core::run::Session;
use lanewise_core::scenario::Program;

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
    /// Whether it is what a lane gets back, and of which instruction: what
    /// memory holds has none.
    pub(super) returned: bool,
    pub(super) of: Option<(u32, Unit)>,
}

/// What a search found.
pub(super) struct Found {
    pub(super) answer: Answer,
    /// The cells that lanes fight for.
    pub(super) cells: Vec<Column>,
    /// Where results differ.
    pub(super) columns: Vec<Column>,
    /// What lanes return, whether it differs or not.
    pub(super) slots: Vec<Column>,
}

/// A byte of some result.
struct Byte {
    place: (u16, u64),
    value: u8,
    /// How many results change it, and whether to different values.
    seen: usize,
    differs: bool,
}

impl Found {
    pub(super) fn new(mut answer: Answer, session: &Session) -> Self {
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
        let mut differing = differing(&self.answer.outcomes);
        let mut columns = Vec::new();
        for column in self.cells.iter().chain(&self.slots) {
            let holds = |byte: &SpaceAndAddress| column.holds(*byte);
            if differing.iter().any(holds) || column.may_differ() {
                columns.push(column.clone());
            }
        }
        let named = |byte: &SpaceAndAddress| {
            let mut all = self.cells.iter().chain(&self.slots);
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

    /// Lists a result that was asked for, unless it is listed: its index.
    pub(super) fn note(&mut self, outcome: Outcome, program: &Program) -> usize {
        let listed = &mut self.answer.outcomes;
        if let Some(at) = listed.iter().position(|other| other.is_like(&outcome)) {
            return at;
        }
        listed.push(outcome);
        let at = listed.len() - 1;
        self.find_columns(program);
        at
    }

    /// Whether results differ in a column.
    pub(super) fn differs(&self, column: &Column) -> bool {
        self.columns.iter().any(|other| other.is_at(column))
    }

    /// Whether all results are the same in a column: known, not guessed from
    /// those that are listed.
    pub(super) fn is_same(&self, column: &Column) -> bool {
        let known = column.possible.as_ref().is_some_and(|all| all.len() == 1);
        !self.differs(column) && (known || self.lists_all())
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
}

/// The bytes that differ among results.
fn differing(outcomes: &[Outcome]) -> Vec<SpaceAndAddress> {
    let mut bytes: Vec<Byte> = Vec::new();
    for outcome in outcomes {
        let mut at = 0;
        for cell in &outcome.cells {
            let place = (cell.space.0, cell.address);
            // Both are in order.
            while bytes.get(at).is_some_and(|byte| byte.place < place) {
                at += 1;
            }
            match bytes.get_mut(at).filter(|byte| byte.place == place) {
                Some(byte) => {
                    byte.seen += 1;
                    byte.differs |= byte.value != cell.value;
                }
                None => bytes.insert(
                    at,
                    Byte {
                        place,
                        value: cell.value,
                        seen: 1,
                        differs: false,
                    },
                ),
            }
        }
    }
    let all = outcomes.len();
    bytes.retain(|byte| byte.differs || byte.seen < all);
    bytes.iter().map(|byte| byte.place).collect()
}

/// The cells that lanes fight for, and where they return values.
fn elements(answer: &Answer, session: &Session) -> (Vec<Column>, Vec<Column>) {
    let program = session.program();
    let mut instructions: Vec<u32> = Vec::new();
    for conflict in &answer.conflicts {
        if !instructions.contains(&conflict.instruction) {
            instructions.push(conflict.instruction);
        }
    }
    let (mut cells, mut slots): (Vec<Column>, Vec<Column>) = (Vec::new(), Vec::new());
    // What a later instruction returns takes the place of what was there.
    for instruction in instructions.iter().rev() {
        let index = *instruction as usize;
        let Some(placed) = program.instructions.get(index) else {
            continue;
        };
        let line = match instructions.len() {
            1 => String::new(),
            _ => format!(", line {}", placed.line + 1),
        };
        let (mut of_cells, mut of_slots) = (Vec::new(), Vec::new());
        for row in session.lanes(index) {
            let Some(access) = row.access.filter(|_| row.conflict.is_some()) else {
                continue;
            };
            let ty = fitting(placed.instruction.shown_as(&program.names), access.bytes);
            let mut cell = cell(program, &access, ty);
            cell.possible = contents(program, answer, &cell);
            if !cells.iter().chain(&of_cells).any(|c| c.is_at(&cell)) {
                of_cells.push(cell);
            }
            if let Some(mut slot) = slot(program, &access, ty, &line)
                && !slots.iter().any(|s: &Column| s.is_at(&slot))
            {
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
    }
}

fn slot(program: &Program, access: &Access, ty: ElementType, line: &str) -> Option<Column> {
    let dst = u64::from(access.dst?);
    let space = SpaceId::registers(access.unit.eu);
    let register = match program.names.target.family() {
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
    })
}

/// `Lane 3`, `EU1 lane 3`.
fn lane_name(unit: Unit, threads: u8) -> String {
    lanewise_core::run::lane_name(unit, threads)
}

/// The variable that holds a byte of the registers: its name, its type, and
/// where it starts.
fn variable(program: &Program, address: u64) -> Option<(String, ElementType, u64)> {
    let mut all = program.names.visa.generals();
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
    let names = &program.names;
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
        };
        if space == SpaceId::registers(eu) {
            if program.names.target.family() == Family::Sass {
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
            let name = match program.names.target.family() {
                Family::Sass => format!("P{}", id.checked_sub(1)?),
                Family::Visa => program.names.visa.predicate(id)?.to_string(),
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
    })
}

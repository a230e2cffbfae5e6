//! Model of an instruction that accesses memory: lanes in execution order, the memory cells they access, and the
//! progress so far.

use crate::byte_range::ByteRange;
use crate::lanes::{Group, Lane, LaneState, LanesTable, grouped, lanes_text};
use crate::operands::operand_text;
use crate::results::OrderedUnit;
use alloc::borrow::ToOwned;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::{
    Access, Comparison, Instruction, Style, ThreadSet, Unit, Update, index_of,
};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::{ElementType, low_mask, show};
use lanewise_core::program::{Buffer, Program};
use lanewise_core::session::{Session, item_name, lane_name, lane_phrase, lane_runs, unit_name};
use lanewise_core::text::SyntaxPart;

/// The last step's access to a cell, in words: `lane 3: expected 0, found 101;
/// not swapped`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellEvent {
    /// `lane 3: `, omitted where there is little room.
    pub who: String,
    /// `expected 0, found 101`.
    pub what: String,
    /// `; not swapped`, omitted where there is little room.
    pub more: &'static str,
}

/// Enabled lane or, for a scatter or gather, one of its channels.
#[derive(Clone, Debug, PartialEq)]
pub struct StageLane {
    pub unit: Unit,
    /// Place in the execution order, from 0.
    pub place: usize,
    /// `5`, `EU1.3`, `3.R`.
    pub label: String,
    /// Operation and operands: `add 5`, `cmpxchg if 0 set 101`; for a scatter,
    /// the value written.
    pub operation: String,
    /// Operands alone, if a heading names the operation: `5`; for a
    /// compare-and-swap, `0, 101`.
    pub operands: String,
    /// Returned value once executed; `done` if nothing is returned.
    pub result: Option<String>,
    /// Whether the access faulted, or a compare-and-swap found another value.
    pub failed: bool,
    pub state: LaneState,
    /// Conflict group, shown by letter and hue unless these stand for channels.
    pub group: Option<u32>,
    /// Index of the accessed cell.
    pub cell: usize,
    /// Whether the last step returns a value to the lane.
    pub returns_now: bool,
    /// Current value of the lane's Dst element, if any.
    pub dst: Option<String>,
    /// Value of that element before the last step, if the step wrote it.
    pub dst_before: Option<String>,
    pub words: String,
}

/// Memory cell accessed by some lane.
#[derive(Clone, Debug, PartialEq)]
pub struct StageCell {
    pub range: ByteRange,
    /// `slm[0x40]`.
    pub name: String,
    /// Current value, or the reason if the cell does not exist.
    pub value: String,
    /// Values during this instruction, oldest first, ending with the current
    /// one.
    pub trail: Vec<String>,
    /// Effect of the last step: `idle`; `current` if accessed; `failed` if a
    /// compare-and-swap found another value; `out-of-bounds` if reads return 0 and
    /// writes have no effect; `fault`.
    pub state: &'static str,
    pub group: Option<u32>,
    /// Number of lanes that access exactly these bytes.
    pub lanes: usize,
    /// Pending lanes in order: `6 10`, `1–7`.
    pub waiting: String,
    pub event: Option<CellEvent>,
    pub written_now: bool,
    pub words: String,
}

/// Maximum number of planes shown side by side.
pub const PLANES: u8 = 4;

/// Register planes of an instruction with channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Planes {
    /// Variable that holds the planes: `V34`.
    pub variable: String,
    /// Enabled channels or vector elements, as in [`Unit`], in plane order.
    pub channels: Vec<u8>,
    /// Elements from one plane to the next; those beyond the lanes are padding.
    pub stride: usize,
    pub lanes: usize,
    pub eus: Vec<u8>,
    pub bytes: u8,
    pub reads: bool,
}

impl Planes {
    /// The channel or element of the first column.
    pub fn first(&self) -> u8 {
        self.channels[0] - index_of(self.channels[0])
    }
}

/// Lanes of an instruction, and the memory cells that they access.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessModel {
    /// `dword_atomic.inc`.
    pub instruction: String,
    pub index: usize,
    /// Number of completed steps of the run.
    pub step: usize,
    /// By number: a stable document order preserves focus when the lane order changes.
    pub lanes: Vec<StageLane>,
    /// Disabled lanes by reason: `4–7 12 disabled: guard @!P0`.
    pub idle: Vec<String>,
    /// In address order.
    pub cells: Vec<StageCell>,
    /// Heading for lanes that show operands only: `add`, `cmpxchg if, set`; may
    /// be empty.
    pub operands_head: String,
    /// `lanes`, or for a block its `elements`.
    pub units: &'static str,
    /// Memory of all cells, as named in the program: `slm`; `memory` if there
    /// are several.
    pub memory: String,
    /// Heading of the results: their destination, `→ V33`, or `no result`.
    pub results_head: String,
    pub planes: Option<Planes>,
    /// Reason of a fault: `Fault at 6.B: 0x11000 unmapped`.
    pub fault: Option<String>,
    /// All lanes, also disabled ones.
    pub table: Rc<LanesTable>,
}

impl AccessModel {
    /// Model of the current instruction; `None` if there is none or it does not
    /// access memory.
    pub fn of(session: &Session) -> Option<Self> {
        let issue = session.issue(session.current_issue()?)?;
        let program = session.program();
        let instruction = &program.instruction(issue).instruction;
        let spec = instruction.spec();
        if !spec.lane_queue {
            return None;
        }
        let table = Rc::new(LanesTable::of(session));
        let row = instruction.operation_row();
        let update = instruction.update(&program.symbols);
        let sass = match instruction {
            Instruction::Sass(sass) => Some(sass),
            _ => None,
        };
        let operation = match (row, update) {
            (Some(row), _) => row.assembler,
            _ if sass.is_some() => "",
            // `lsc_atomic_iadd`
            (None, Some(_)) => spec.mnemonics[0].rsplit('_').next().unwrap_or(""),
            (None, None) => "",
        };
        let mut performed: Vec<(&Lane, &Access)> = table
            .lanes
            .iter()
            .filter_map(|lane| Some((lane, lane.row.access.as_ref()?)))
            .collect();
        performed.sort_by_key(|(lane, _)| lane.row.order);
        let accessed = first_accesses(&performed);
        let builder = StageBuilder {
            session,
            program,
            instruction,
            operation,
            update,
            ty: instruction.display_type(&program.symbols),
            threads: table.threads,
            faults: performed.iter().any(|(_, access)| access.fault.is_some()),
            performed,
        };
        let cells = accessed.iter().zip(builder.trails(&accessed));
        let cells = cells.map(|(first, trail)| builder.cell(first, &trail));
        let lanes = builder.performed.iter().map(|(lane, access)| {
            let cell = accessed.binary_search_by_key(&cell_key(access), |a| cell_key(a));
            let cell = cell.expect("the cell of each access is listed");
            builder.lane(lane, access, cell)
        });
        let mut lanes: Vec<StageLane> = lanes.collect();
        lanes.sort_by_key(|lane| lane.unit);
        let name = spec.mnemonics.first().unwrap_or(&spec.name);
        let dot = if operation.is_empty() { "" } else { "." };
        Some(Self {
            instruction: match sass {
                Some(sass) => sass.mnemonic().to_owned(),
                None => format!("{name}{dot}{operation}"),
            },
            index: to_usize(issue.instruction),
            step: session.position(),
            lanes,
            idle: idle(instruction, program, &table),
            cells: cells.collect(),
            operands_head: builder.operands_head(),
            units: match instruction.is_block() {
                true => "elements",
                false => "lanes",
            },
            memory: builder.memory(&accessed),
            results_head: builder.results_head(),
            planes: has_planes(instruction).then(|| builder.planes(issue.threads)),
            fault: builder.fault(),
            table,
        })
    }

    /// Indices of the lanes in execution order.
    pub fn order(&self) -> Vec<usize> {
        let mut lanes: Vec<usize> = (0..self.lanes.len()).collect();
        lanes.sort_by_key(|index| self.lanes[*index].place);
        lanes
    }

    pub fn in_order(&self) -> Rc<[OrderedUnit]> {
        let lanes = self.order().into_iter().map(|index| OrderedUnit {
            instruction: self.index,
            unit: self.lanes[index].unit,
        });
        lanes.collect()
    }
}

/// Identity of the accessed cell.
const fn cell_key(access: &Access) -> (SpaceId, u64, u8) {
    (access.space, access.address, access.bytes)
}

/// First accesses to the cells, in address order.
fn first_accesses<'a>(performed: &[(&Lane, &'a Access)]) -> Vec<&'a Access> {
    let mut cells: Vec<&Access> = performed.iter().map(|(_, access)| *access).collect();
    cells.sort_by_key(|access| cell_key(access));
    cells.dedup_by_key(|access| cell_key(access));
    cells
}

struct StageBuilder<'s> {
    session: &'s Session,
    program: &'s Program,
    instruction: &'s Instruction,
    operation: &'static str,
    update: Option<Update>,
    ty: ElementType,
    /// Lane names include the EU if above 1.
    threads: u8,
    /// Whether an access faults, so that no lane is executed.
    faults: bool,
    /// Enabled lanes and their accesses, in execution order.
    performed: Vec<(&'s Lane, &'s Access)>,
}

/// Maximum number of members listed by name.
const MAX_NAMED: usize = 4;

impl StageBuilder<'_> {
    fn planes(&self, threads: ThreadSet) -> Planes {
        let (instruction, symbols) = (self.instruction, &self.program.symbols);
        let lanes = usize::from(instruction.lanes());
        let channels = (0..16).filter(|channel| instruction.channels() >> channel & 1 == 1);
        let channels: Vec<u8> = channels.collect();
        let element = |lane: u8, nth: usize| {
            let channel = channels.get(nth).copied();
            instruction.channel_element(
                Unit {
                    thread: 0,
                    lane,
                    channel,
                },
                symbols,
            )
        };
        let distance = |to: Option<u32>| Some(to?.abs_diff(element(0, 0)?));
        let stride = match (distance(element(0, 1)), distance(element(1, 0))) {
            (Some(plane), Some(lane @ 1..)) => (plane / lane) as usize,
            _ => lanes,
        };
        let first = self.performed.first();
        let variable = first.and_then(|(lane, access)| {
            let at = instruction.channel_element(lane.row.unit, symbols);
            let at = at.or(access.dst)?;
            Some(self.element_range(at, at, lane.row.unit))
        });
        Planes {
            variable: variable.unwrap_or_default(),
            stride: stride.max(lanes),
            lanes,
            eus: threads.iter().collect(),
            bytes: first.map_or(4, |(_, access)| access.bytes),
            reads: self
                .performed
                .iter()
                .any(|(_, access)| access.dst.is_some()),
            channels,
        }
    }

    fn operands_head(&self) -> String {
        let is_store = self.update.is_none() && self.instruction.operands() == 1;
        let ends = self.performed.first().zip(self.performed.last());
        let stored = ends.filter(|_| is_store).and_then(|(first, last)| {
            let [from, to] = [first, last].map(|(lane, _)| {
                (self.instruction).channel_element(lane.row.unit, &self.program.symbols)
            });
            Some(self.element_range(from?, to?, first.0.row.unit))
        });
        let compares = ends.is_some_and(|((_, first), _)| self.comparison(first, 0).is_some());
        match stored {
            Some(stored) => stored,
            None if compares => format!("{} if, set", self.operation).trim().to_owned(),
            None if self.program.has_warps() => operand_text(
                self.instruction,
                self.program,
                SyntaxPart::Src0,
                Style::Document,
            ),
            None => String::from(self.operation),
        }
    }

    fn results_head(&self) -> String {
        let mut returned = self.performed.iter();
        let returned = returned.find_map(|(lane, access)| Some((lane.row.unit, access.dst?)));
        if let Some((unit, first)) = returned {
            let last = self
                .performed
                .iter()
                .rev()
                .find_map(|(_, access)| access.dst);
            return format!(
                "→ {}",
                self.element_range(first, last.unwrap_or(first), unit)
            );
        }
        // Perhaps one that discards values: `%null`, `RZ`.
        let (dst, style) = (SyntaxPart::Dst, Style::Assembler);
        let written = operand_text(self.instruction, self.program, dst, style);
        match written.split(['[', '<', '(', '.', ':']).next() {
            None | Some("") => String::from("no result"),
            Some(dst) => format!("→ {dst}"),
        }
    }

    fn memory(&self, cells: &[&Access]) -> String {
        let mut spaces: Vec<SpaceId> = cells.iter().map(|cell| cell.space).collect();
        spaces.dedup();
        let buffers = cells.iter().map(|cell| self.buffer(cell));
        let mut buffers: Vec<Option<&Buffer>> = buffers.collect();
        buffers.dedup_by_key(|buffer| buffer.map(core::ptr::from_ref));
        match (spaces.as_slice(), buffers.as_slice()) {
            (_, [Some(buffer)]) => {
                format!(
                    "{} : {}[{}]",
                    buffer.name,
                    buffer.ty.name(),
                    buffer.elements
                )
            }
            ([space], _) => memory_name(self.program, *space).to_owned(),
            _ => String::from("memory"),
        }
    }

    fn fault(&self) -> Option<String> {
        let unit = self.session.fault()?.unit;
        let (_, access) = (self.performed.iter()).find(|(lane, _)| lane.row.unit == unit)?;
        let (address, word) = (access.address, access.fault?.word());
        let unit = unit_name(unit, self.threads);
        Some(format!("Fault at {unit}: {address:#x} {word}"))
    }

    /// Variable of the elements of all lanes: `V33`, or if they do not start with the
    /// element of their lane, `V33[8–15]`.
    fn element_range(&self, first: u32, last: u32, unit: Unit) -> String {
        let symbols = &self.program.symbols;
        if let Some(register) = symbols.lane_register_name(first.into()) {
            return register;
        }
        let Some((variable, from)) = symbols.visa.element_at(first) else {
            return String::from("r");
        };
        let name = variable.name;
        match symbols.visa.element_at(last) {
            Some((_, to)) if from != u32::from(unit.lane) && unit.channel.is_none() => {
                match from == to {
                    true => format!("{name}[{from}]"),
                    false => format!("{name}[{}–{}]", from.min(to), from.max(to)),
                }
            }
            _ => name.to_owned(),
        }
    }

    /// Buffer of the launch that contains a cell.
    fn buffer(&self, access: &Access) -> Option<&Buffer> {
        let launch = self.program.launch.as_ref()?;
        let is_virtual = access.space == SpaceId::VIRTUAL;
        launch.buffer_at(access.address).filter(|_| is_virtual)
    }

    fn cell_name(&self, access: &Access) -> String {
        let launch = self.program.launch.as_ref();
        let launch = launch.filter(|_| access.space == SpaceId::VIRTUAL);
        let element = launch.and_then(|launch| launch.element_name(access.address, access.bytes));
        element.unwrap_or_else(|| {
            format!(
                "{}[{:#x}]",
                memory_name(self.program, access.space),
                access.address
            )
        })
    }

    /// Formats a value of a cell, or one that is copied to or from it: in the type of
    /// its buffer, several elements if it covers them. A register may hold more bits.
    fn copied(&self, access: &Access, bits: u64) -> String {
        let is_cell = bits.unbounded_shr(u32::from(access.bytes) * 8) == 0;
        let buffer = self.buffer(access);
        let buffer = buffer.filter(|_| is_cell && self.update.is_none());
        match buffer.map(|buffer| buffer.ty) {
            Some(ty) if ty.bytes() <= access.bytes => {
                let width = u32::from(ty.bytes()) * 8;
                let elements = (0..u32::from(access.bytes / ty.bytes()))
                    .map(|at| show(bits >> (at * width) & low_mask(width), ty));
                elements.collect::<Vec<_>>().join(" ")
            }
            _ => self.text(bits),
        }
    }

    /// Register element of a lane as named in the program: `V33[5]`, `EU1.V33[5]`,
    /// `R0`.
    fn register_name(&self, lane: &Lane, at: u32) -> String {
        let symbols = &self.program.symbols;
        if let Some(register) = symbols.lane_register_name(at.into()) {
            return register;
        }
        let name = symbols.visa.element_name(at.into());
        let name = name.unwrap_or_else(|| format!("r[{at}]"));
        match self.threads {
            2 => format!("EU{}.{name}", lane.unit.thread),
            _ => name,
        }
    }

    /// Formats an operand of an atomic, or a value of its cell.
    fn text(&self, bits: u64) -> String {
        match self.update.map(|update| update.rmw) {
            Some(rmw) if rmw.is_bitwise() => format!("{bits:#x}"),
            Some(rmw) if rmw.is_pair() => {
                let half = |bits| show(bits, ElementType::Hf);
                format!("({}, {})", half(bits & 0xffff), half(bits >> 16 & 0xffff))
            }
            _ => show(bits, self.ty),
        }
    }

    /// Name of a group, optionally from the viewpoint of a member.
    fn group_name(&self, group: Option<&Group>, own: Option<Unit>) -> Option<String> {
        let group = group?;
        if !has_planes(self.instruction) {
            return Some(format!("group {}", group.label()));
        }
        let others = group.members.iter().filter(|unit| Some(**unit) != own);
        let names: Vec<String> = others.map(|unit| unit_name(*unit, self.threads)).collect();
        let verb = if own.is_some() {
            "overlaps"
        } else {
            "accessed by"
        };
        Some(match names.len().checked_sub(MAX_NAMED) {
            None | Some(0) => format!("{verb} {}", names.join(", ")),
            Some(more) => format!("{verb} {} and {more} more", names[..MAX_NAMED].join(", ")),
        })
    }

    /// Comparison of an access that found this value, if it compares.
    fn comparison(&self, access: &Access, found: u64) -> Option<Comparison> {
        self.update?.comparison(access, found)
    }

    fn lane(&self, lane: &Lane, access: &Access, cell: usize) -> StageLane {
        let row = &lane.row;
        let (operands, does) = match self.comparison(access, 0) {
            Some(compared) => {
                let [expected, replacement] =
                    [compared.expected, compared.replacement].map(|bits| self.text(bits));
                // Not an arrow: nothing has changed yet, and perhaps never
                // will.
                let does = format!("if {expected} set {replacement}");
                (format!("{expected}, {replacement}"), does)
            }
            None => {
                let operands = match self.instruction.operands() {
                    0 => String::new(),
                    1 => self.copied(access, access.src0),
                    _ => format!("{} {}", self.text(access.src0), self.text(access.src1)),
                };
                (operands.clone(), operands)
            }
        };
        let operation = format!("{} {does}", self.operation).trim().to_owned();
        let compared = row.old.and_then(|found| self.comparison(access, found));
        let mismatch = compared.filter(|compared| !compared.equal);
        let result = match (access.fault, row.returned) {
            (Some(fault), _) => Some(format!("Fault: {}", fault.word())),
            (None, Some(bits)) => {
                let mark = compared.map_or("", |compared| match compared.equal {
                    true => "✓ ",
                    false => "✗ ",
                });
                Some(format!("{mark}{}", self.copied(access, bits)))
            }
            // A tick marks a successful compare.
            (None, None) => (row.done && access.dst.is_none()).then(|| String::from("done")),
        };
        let registers = SpaceId::registers(lane.unit.thread);
        let dst = access.dst.and_then(|at| {
            let machine = self.session.machine();
            machine.load(registers, u64::from(at), access.bytes)
        });
        let mut changes = self.session.last_changes().iter().filter(|change| {
            lane.current
                && change.space == registers
                && access.dst.map(u64::from) == Some(change.address)
                && change.bytes == access.bytes
        });
        let place = row.order.map_or(0, to_usize);
        let count = self.performed.len();
        let mut words = format!(
            "{}, number {} of {count}",
            item_name(self.program, lane.unit.thread, lane.unit.lane)
                .filter(|_| self.instruction.lanes() > 1)
                .unwrap_or_else(|| lane_name(lane.unit, self.threads)),
            place + 1
        );
        if !operation.is_empty() {
            words.push_str(&format!(", {operation}"));
        }
        words.push_str(&match self.buffer(access) {
            Some(_) => format!(" at {}, {:#x}", self.cell_name(access), access.address),
            None => format!(" at {:#x}", access.address),
        });
        let mut words = vec![words];
        words.extend(self.group_name(lane.group.as_deref(), Some(lane.unit)));
        words.push(match (access.fault, row.done) {
            (Some(fault), _) => format!("faults: {}", fault.word()),
            (None, false) if self.faults => String::from("not executed"),
            (None, false) => String::from("waiting"),
            (None, true) => String::from("done"),
        });
        if !access.in_bounds && access.fault.is_none() {
            words.push(String::from("out of bounds: reads 0, writes nothing"));
        }
        if let (Some(compared), Some(old)) = (mismatch, row.old) {
            let (expected, found) = (self.text(compared.expected), self.text(old));
            words.push(format!("failed: expected {expected}, found {found}"));
        }
        if let (Some(bits), Some(dst)) = (row.returned, access.dst) {
            let (value, name) = (self.copied(access, bits), self.register_name(lane, dst));
            words.push(format!("returned {value} to {name}"));
        }
        StageLane {
            unit: row.unit,
            place,
            label: unit_name(lane.unit, self.threads),
            operation,
            operands,
            result,
            failed: access.fault.is_some() || mismatch.is_some(),
            state: match access.fault {
                Some(_) => LaneState::Faulted,
                None => lane.state(),
            },
            group: row.conflict,
            cell,
            returns_now: lane.current && row.returned.is_some(),
            dst: dst.map(|bits| self.copied(access, bits)),
            dst_before: changes.next().map(|change| self.copied(access, change.old)),
            words: words.join(", "),
        }
    }

    /// Model of the cell of an access, with its values during the instruction.
    fn cell(&self, first: &Access, trail: &[u64]) -> StageCell {
        let own = self.performed.iter();
        let own = own.filter(|(_, access)| cell_key(access) == cell_key(first));
        let own: Vec<&Lane> = own.map(|(lane, _)| *lane).collect();
        let range = ByteRange::of(first);
        let name = self.cell_name(first);
        let waiting = own.iter().filter(|lane| !lane.row.done && !self.faults);
        let waiting: Vec<Unit> = waiting.map(|lane| lane.unit).collect();
        let waiting = lane_runs(&waiting, self.threads);
        let mut performed = self.performed.iter();
        let current = performed
            .find(|(lane, access)| lane.current && range.overlaps(ByteRange::of(access)))
            .copied();
        let compared = current.and_then(|(lane, access)| {
            let found = lane.row.old?;
            Some((found, self.comparison(access, found)?))
        });
        let is_equal = compared.is_none_or(|(_, compared)| compared.equal);
        let event = match current {
            _ if first.fault.is_some() => {
                let lanes: Vec<Unit> = own.iter().map(|lane| lane.unit).collect();
                let verb = if lanes.len() == 1 { "faults" } else { "fault" };
                // The value names the fault.
                Some(CellEvent {
                    who: String::new(),
                    what: format!("{} {verb}", lanes_text(&lanes, self.threads)),
                    more: "",
                })
            }
            Some((lane, access)) => self.event(lane, access, first, compared),
            None => None,
        };
        let state = match current {
            _ if first.fault.is_some() => "fault",
            _ if !first.in_bounds => "out-of-bounds",
            None => "idle",
            Some(_) if is_equal => "current",
            Some(_) => "failed",
        };
        let trail: Vec<String> = trail.iter().map(|bits| self.copied(first, *bits)).collect();
        let value = match (first.fault, &*trail) {
            (Some(fault), _) => fault.word().to_owned(),
            (None, _) if !first.in_bounds => String::from("out of bounds"),
            (None, trail) => trail.last().cloned().unwrap_or_default(),
        };
        let mut words = vec![match self.buffer(first) {
            Some(_) => format!("{name} at {:#x}: {value}", first.address),
            None => format!("{name}: {value}"),
        }];
        if let [earlier @ .., _] = &*trail
            && !earlier.is_empty()
        {
            words.push(format!("was {}", earlier.join(", ")));
        }
        let group = own.iter().find_map(|lane| lane.group.as_deref());
        words.extend(self.group_name(group, None));
        if !waiting.is_empty() {
            words.push(format!("waiting: {waiting}"));
        }
        if let Some(CellEvent { who, what, more }) = &event {
            words.push(format!("{who}{what}{more}"));
        }
        StageCell {
            range,
            name,
            value,
            trail,
            state,
            group: group.map(|group| group.number),
            lanes: own.len(),
            waiting,
            event,
            written_now: is_equal && current.is_some_and(|(lane, _)| lane.row.new.is_some()),
            words: words.join(", "),
        }
    }

    /// Effect of the last step's access on an overlapping cell.
    fn event(
        &self,
        lane: &Lane,
        access: &Access,
        cell: &Access,
        compared: Option<(u64, Comparison)>,
    ) -> Option<CellEvent> {
        let name = lane_phrase(lane.unit, self.threads);
        let is_own = cell_key(access) == cell_key(cell);
        let (who, what, more) = match (compared, lane.row.old, lane.row.new) {
            (Some((found, compared)), ..) => {
                let found = self.text(found);
                if compared.equal {
                    (format!("{name}: "), format!("found {found}, swapped"), "")
                } else {
                    // Nothing is written: the cell keeps its value.
                    let expected = self.text(compared.expected);
                    let what = format!("expected {expected}, found {found}");
                    (format!("{name}: "), what, "; not swapped")
                }
            }
            (None, Some(old), Some(new)) if is_own => {
                let (old, new) = (self.copied(cell, old), self.copied(cell, new));
                (format!("{name}: "), format!("{old} → {new}"), "")
            }
            (None, None, None) if is_own => {
                // The cell shows the value.
                let (what, more) = match access.in_bounds && lane.row.returned.is_some() {
                    true => ("read", ""),
                    false => ("reads 0", ", writes nothing"),
                };
                (format!("{name} "), String::from(what), more)
            }
            _ => return None,
        };
        Some(CellEvent { who, what, more })
    }

    /// Values of each cell during the instruction, oldest first, reconstructed by
    /// undoing writes from the current value. Includes writes of an unchanged
    /// value, but not failed compares.
    fn trails(&self, cells: &[&Access]) -> Vec<Vec<u64>> {
        let mut machine = self.session.machine().clone();
        let load = |machine: &Machine, cell: &Access| {
            machine
                .load(cell.space, cell.address, cell.bytes)
                .filter(|_| cell.in_bounds)
        };
        let now = cells.iter().map(|cell| load(&machine, cell));
        let mut trails: Vec<Vec<u64>> = now.map(Vec::from_iter).collect();
        let done = self.performed.iter().rev();
        for (lane, access) in done.filter(|(lane, _)| lane.row.done && !lane.is_unchanged) {
            let (Some(old), Some(memory)) = (lane.row.old, machine.space_mut(access.space)) else {
                continue;
            };
            memory.store(access.address, access.bytes, old);
            for (cell, trail) in cells.iter().zip(&mut trails) {
                if ByteRange::of(cell).overlaps(ByteRange::of(access)) {
                    trail.extend(load(&machine, cell));
                }
            }
        }
        for trail in &mut trails {
            trail.reverse();
        }
        trails
    }
}

/// Disabled lanes by reason, with the program's own words: `guard @!P0`.
fn idle(instruction: &Instruction, program: &Program, table: &LanesTable) -> Vec<String> {
    let disabled = table.lanes.iter().filter(|lane| lane.row.access.is_none());
    // Once for all channels of a lane.
    let idle = disabled.map(|lane| (lane.disabled, Unit::lane(lane.unit.thread, lane.unit.lane)));
    let predicate = operand_text(instruction, program, SyntaxPart::Predicate, Style::Document);
    let text = |(reason, units): (&str, Vec<Unit>)| {
        let units = lane_runs(&units, table.threads);
        match reason {
            "guard" | "predicate" => format!("{units} disabled: {reason} {predicate}"),
            "" => format!("{units} disabled"),
            _ => format!("{units} disabled: {reason}"),
        }
    };
    grouped(idle).into_iter().map(text).collect()
}

/// Memory of an access as named in the program: `slm`, `svm`, or a surface.
fn memory_name(program: &Program, space: SpaceId) -> &str {
    let name = program.symbols.accessed_memory_name(space);
    name.expect("an instruction with an undeclared surface cannot run")
}

/// Whether the lanes are shown as planes: two to four channels, or elements of a
/// vector.
fn has_planes(instruction: &Instruction) -> bool {
    (2..=PLANES.into()).contains(&instruction.channels().count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::library::named;

    fn start(scenario: &str) -> Session {
        Session::new(Rc::new(Program::parse(named(scenario).unwrap().text)))
    }

    #[test]
    fn the_event_of_a_cell_out_of_bounds_is_short() {
        let mut session = start("out-of-bounds");
        session.run_to_end();
        let model = AccessModel::of(&session).unwrap();
        let event = model.cells.last().unwrap().event.as_ref().unwrap();
        assert_eq!((&*event.what, event.more), ("reads 0", ", writes nothing"));
    }

    #[test]
    fn results_without_a_destination_have_a_plain_heading() {
        let mut session = start("kernel-histogram");
        let mut heads = (0..200).map(|_| {
            session.step();
            AccessModel::of(&session).map(|model| model.results_head)
        });
        assert!(heads.any(|head| head.as_deref() == Some("→ %null")));
    }
}

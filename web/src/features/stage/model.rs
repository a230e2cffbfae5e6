//! Model of the stage for instructions that access memory, independent of
//! layout: lanes in execution order, the memory cells they access, and the
//! progress so far.

use crate::components::reorder::OrderedUnit;
use crate::features::highlight::ByteRange;
use crate::features::lanes::table::{Lane, LaneState, LanesTable};
use crate::features::lanes::units::{Group, lanes_text, runs, unit_name};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::sass::warp::register_at;
use lanewise_core::isa::{Access, CHANNELS, Comparison, Family, Instruction, Style, Unit, Update};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, low_mask, show};
use lanewise_core::program::{Buffer, Program};
use lanewise_core::session::{Session, lane_name, lane_phrase};
use lanewise_core::text::SyntaxPart;
use std::rc::Rc;

/// The last step's access to a cell, in words: `lane 3: expected 0, found 101;
/// not swapped`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellEvent {
    /// `lane 3: `, omitted where there is little room.
    pub(crate) who: String,
    /// `expected 0, found 101`.
    pub(crate) what: String,
    /// `; not swapped`, omitted where there is little room.
    pub(crate) more: &'static str,
}

/// Enabled lane or, for a scatter or gather, one of its channels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StageLane {
    pub(crate) unit: Unit,
    /// Place in the execution order, from 0.
    pub(crate) place: usize,
    /// `5`, `EU1.3`, `3.R`.
    pub(crate) label: String,
    /// Operation and operands: `add 5`, `cmpxchg if 0 set 101`; for a scatter,
    /// the value written.
    pub(crate) operation: String,
    /// Operands alone, if a heading names the operation: `5`; for a
    /// compare-and-swap, `0, 101`.
    pub(crate) operands: String,
    /// Returned value once executed; `done` if nothing is returned.
    pub(crate) result: Option<String>,
    /// Whether the access faulted, or a compare-and-swap found another value.
    pub(crate) failed: bool,
    pub(crate) state: LaneState,
    /// Conflict group, shown by letter and hue unless these stand for channels.
    pub(crate) group: Option<u32>,
    /// Index of the accessed cell.
    pub(crate) cell: usize,
    /// Whether the last step returns a value to the lane.
    pub(crate) returns_now: bool,
    /// Register element transferred by an instruction with channels: `V34[18]`.
    pub(crate) element: Option<String>,
    /// Current value of the lane's Dst element, if any.
    pub(crate) dst: Option<String>,
    /// Value of that element before the last step, if the step wrote it.
    pub(crate) dst_before: Option<String>,
    pub(crate) words: String,
}

/// Memory cell accessed by some lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StageCell {
    pub(crate) range: ByteRange,
    /// `slm[0x40]`.
    pub(crate) name: String,
    /// Current value, or the reason if the cell does not exist.
    pub(crate) value: String,
    /// Values during this instruction, oldest first, ending with the current
    /// one.
    pub(crate) trail: Rc<[String]>,
    /// Effect of the last step: `idle`; `current` if accessed; `failed` if a
    /// compare-and-swap found another value; `out-of-bounds` if reads return 0 and
    /// writes have no effect; `fault`.
    pub(crate) state: &'static str,
    pub(crate) group: Option<u32>,
    /// Number of lanes that access exactly these bytes.
    pub(crate) lanes: usize,
    /// Pending lanes in order: `6 10`, `1–7`.
    pub(crate) waiting: String,
    pub(crate) waiting_lanes: usize,
    pub(crate) event: Option<CellEvent>,
    pub(crate) written_now: bool,
    pub(crate) words: String,
}

/// Register planes of an instruction with channels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Planes {
    /// Variable that holds the planes: `V34`.
    pub(crate) variable: String,
    /// Enabled channels or vector elements, as in [`Unit`], in plane order.
    pub(crate) channels: Vec<u8>,
    /// Elements from one plane to the next; those beyond the lanes are padding.
    pub(crate) stride: usize,
    pub(crate) lanes: usize,
    pub(crate) eus: Vec<u8>,
    pub(crate) bytes: u8,
    pub(crate) reads: bool,
}

/// Model of the stage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StageModel {
    /// `dword_atomic.inc`.
    pub(crate) instruction: String,
    pub(crate) index: usize,
    /// Line, from 1.
    pub(crate) line: u32,
    /// Number of completed steps of the run.
    pub(crate) step: usize,
    /// By number: a stable document order preserves focus when the lane order changes.
    pub(crate) lanes: Vec<StageLane>,
    /// Disabled lanes by reason: `4–7 12 disabled: guard @!P0`.
    pub(crate) idle: Vec<String>,
    /// In address order.
    pub(crate) cells: Vec<StageCell>,
    /// Heading for lanes that show operands only: `add`, `cmpxchg if, set`; may
    /// be empty.
    pub(crate) operands_head: String,
    /// `lanes`, or for a block its `elements`.
    pub(crate) units: &'static str,
    /// Memory of all cells, as named in the program: `slm`; `memory` if there
    /// are several.
    pub(crate) memory: String,
    /// Heading of the results: their destination, `→ V33`, or `no result`.
    pub(crate) results_head: String,
    pub(crate) planes: Option<Planes>,
    /// Reason of a fault: `Fault at 6.B: 0x11000 unmapped`.
    pub(crate) fault: Option<String>,
}

impl StageModel {
    /// Model of the current instruction; `None` if there is none or it does not
    /// access memory.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let index = session.current_issue()?;
        let program = session.program();
        let issue = session.issue(index)?;
        let placed = program.instruction(issue);
        let instruction = &placed.instruction;
        if !instruction.spec().lane_queue {
            return None;
        }
        let table = LanesTable::of(session);
        let (spec, threads) = (instruction.spec(), table.threads);
        let operation = instruction.operation().and_then(|code| {
            let rows = (spec.operations)();
            rows.into_iter().find(|row| row.code == code)
        });
        let update = instruction.update(&program.symbols);
        let operation = match (operation, update) {
            (Some(row), _) => row.assembler,
            // `lsc_atomic_iadd`
            (None, Some(_)) => spec.mnemonics[0].rsplit('_').next().unwrap_or(""),
            (None, None) => "",
        };
        let mut performed: Vec<(&Lane, &Access)> = table
            .lanes
            .iter()
            .filter_map(|lane| Some((&**lane, lane.row.access.as_ref()?)))
            .collect();
        performed.sort_by_key(|(lane, _)| lane.row.order);
        let builder = StageBuilder {
            session,
            program,
            instruction,
            operation,
            update,
            threads,
            ty: instruction.display_type(&program.symbols),
            faults: performed.iter().any(|(_, access)| access.fault.is_some()),
        };
        let accessed = first_accesses(&performed);
        let cells: Vec<StageCell> = accessed
            .iter()
            .map(|first| builder.cell(first, &performed))
            .collect();
        let mut lanes: Vec<StageLane> = performed
            .iter()
            .map(|(lane, access)| {
                let cell = accessed.binary_search_by_key(&cell_key(access), |a| cell_key(a));
                let cell = cell.expect("the cell of each access is listed");
                builder.lane(lane, access, cell, performed.len())
            })
            .collect();
        lanes.sort_by_key(|lane| lane.unit);
        let channels: Vec<u8> = (0..16)
            .filter(|channel| instruction.channels() >> channel & 1 == 1)
            .collect();
        let planes = has_planes(instruction).then(|| {
            let count = usize::from(instruction.lanes());
            let element = |lane: u8, channel: u8| {
                let channel = channels.get(usize::from(channel)).copied();
                let unit = Unit {
                    eu: 0,
                    lane,
                    channel,
                };
                instruction.channel_element(unit, &program.symbols)
            };
            let distance = |to: Option<u32>| Some(to?.abs_diff(element(0, 0)?));
            let stride = match (distance(element(0, 1)), distance(element(1, 0))) {
                (Some(plane), Some(lane @ 1..)) => (plane / lane) as usize,
                _ => count,
            };
            let variable = performed.first().and_then(|(lane, access)| {
                let unit = lane.row.unit;
                let at = instruction.channel_element(unit, &program.symbols);
                let at = at.or(access.dst)?;
                Some(element_range(program, at, at, unit))
            });
            Planes {
                eus: issue.threads.iter().collect(),
                bytes: performed.first().map_or(4, |(_, access)| access.bytes),
                variable: variable.unwrap_or_default(),
                stride: stride.max(count),
                lanes: count,
                reads: performed.iter().any(|(_, access)| access.dst.is_some()),
                channels,
            }
        });
        let dot = if operation.is_empty() { "" } else { "." };
        let returned_to = performed.iter().find_map(|(lane, access)| {
            let last = performed.iter().rev().find_map(|(_, access)| access.dst)?;
            Some(element_range(program, access.dst?, last, lane.row.unit))
        });
        // Perhaps one that discards values: `%null`, `RZ`.
        let written = operand_text(instruction, program, SyntaxPart::Dst, Style::Assembler);
        let results_head = match (returned_to, written.split(['[', '<', '(', '.']).next()) {
            (Some(name), _) => format!("→ {name}"),
            (None, None | Some("")) => String::from("no result"),
            (None, Some(dst)) => format!("→ {dst}"),
        };
        let mut spaces: Vec<SpaceId> = accessed.iter().map(|access| access.space).collect();
        spaces.dedup();
        let buffers = accessed.iter().map(|access| builder.buffer(access));
        let mut buffers: Vec<Option<&Buffer>> = buffers.collect();
        buffers.dedup_by_key(|buffer| buffer.map(std::ptr::from_ref));
        let memory = match (spaces.as_slice(), buffers.as_slice()) {
            (_, [Some(buffer)]) => {
                let (ty, elements) = (buffer.ty.name(), buffer.elements);
                format!("{} : {ty}[{elements}]", buffer.name)
            }
            ([space], _) => memory_name(program, *space).to_owned(),
            _ => String::from("memory"),
        };
        let fault = session.fault().and_then(|fault| {
            let own = |(lane, _): &&(&Lane, &Access)| lane.row.unit == fault.unit;
            let (_, access) = performed.iter().find(own)?;
            let unit = unit_name(fault.unit, threads);
            let (address, word) = (access.address, access.fault?.word());
            Some(format!("Fault at {unit}: {address:#x} {word}"))
        });
        let compares = performed
            .first()
            .is_some_and(|(_, access)| builder.comparison(access, 0).is_some());
        let element_of = |(lane, _): &(&Lane, &Access)| {
            instruction.channel_element(lane.row.unit, &program.symbols)
        };
        let stored = performed.first().zip(performed.last());
        let stored = stored.filter(|_| update.is_none() && instruction.operands() == 1);
        let stored = stored.and_then(|(first, last)| {
            let (from, to) = (element_of(first)?, element_of(last)?);
            Some(element_range(program, from, to, first.0.row.unit))
        });
        let operands_head = match stored {
            Some(stored) => stored,
            None if compares => format!("{operation} if, set"),
            None => String::from(operation),
        };
        Some(Self {
            fault,
            instruction: format!(
                "{}{dot}{operation}",
                spec.mnemonics.first().unwrap_or(&spec.name)
            ),
            index: to_usize(issue.instruction),
            line: placed.line + 1,
            step: session.position(),
            lanes,
            idle: idle(instruction, program, &table),
            cells,
            operands_head,
            units: match instruction.is_block() {
                true => "elements",
                false => "lanes",
            },
            memory,
            results_head,
            planes,
        })
    }
}

impl StageModel {
    /// Indices of the lanes in execution order.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut lanes: Vec<usize> = (0..self.lanes.len()).collect();
        lanes.sort_by_key(|index| self.lanes[*index].place);
        lanes
    }

    pub(crate) fn in_order(&self) -> Rc<[OrderedUnit]> {
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
}

/// Maximum number of members listed by name.
const MAX_NAMED: usize = 4;

impl StageBuilder<'_> {
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

    /// Register element at an address as named in the program: `V33[5]`,
    /// `EU1.V33[5]`, `R0`.
    fn register_name(&self, eu: u8, at: u32) -> String {
        let symbols = &self.program.symbols;
        if symbols.target.family() == Family::Sass {
            return format!("R{}", register_at(at.into()).1);
        }
        let prefix = match self.threads {
            2 => format!("EU{eu}."),
            _ => String::new(),
        };
        match symbols.visa.element_name(at.into()) {
            Some(name) => format!("{prefix}{name}"),
            None => format!("{prefix}r[{at}]"),
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
    fn group_name(&self, group: Option<&Group>, own: Option<Unit>) -> String {
        let Some(group) = group else {
            return String::new();
        };
        if !has_planes(self.instruction) {
            return format!("group {}", group.label());
        }
        let others = group.members.iter().filter(|unit| Some(**unit) != own);
        let names: Vec<String> = others.map(|unit| unit_name(*unit, self.threads)).collect();
        let verb = if own.is_some() {
            "overlaps"
        } else {
            "accessed by"
        };
        match names.len().checked_sub(MAX_NAMED) {
            None | Some(0) => format!("{verb} {}", names.join(", ")),
            Some(more) => format!("{verb} {} and {more} more", names[..MAX_NAMED].join(", ")),
        }
    }

    /// Comparison of an access that found this value, if it compares.
    fn comparison(&self, access: &Access, found: u64) -> Option<Comparison> {
        self.update?.comparison(access, found)
    }

    fn lane(&self, lane: &Lane, access: &Access, cell: usize, count: usize) -> StageLane {
        let row = &lane.row;
        let (unit, is_current) = (row.unit, lane.current);
        let comparison = |found| self.comparison(access, found);
        let (operands, does) = match comparison(0) {
            Some(compared) => {
                let (expected, replacement) = (
                    self.text(compared.expected),
                    self.text(compared.replacement),
                );
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
        let gap = if does.is_empty() || self.operation.is_empty() {
            ""
        } else {
            " "
        };
        let operation = format!("{}{gap}{does}", self.operation);
        let mismatch = row.old.and_then(comparison).filter(|c| !c.equal);
        let result = match access.fault {
            Some(fault) => Some(format!("Fault: {}", fault.word())),
            None => row.returned.map(|bits| {
                let mark = match row.old.and_then(comparison) {
                    Some(compared) if compared.equal => "✓ ",
                    Some(_) => "✗ ",
                    None => "",
                };
                format!("{mark}{}", self.copied(access, bits))
            }),
        };
        let state = match access.fault {
            Some(_) => LaneState::Faulted,
            None => lane.state(),
        };
        let element = unit.channel.and_then(|_| {
            let at = self
                .instruction
                .channel_element(unit, &self.program.symbols);
            Some(self.register_name(unit.eu, at.or(access.dst)?))
        });
        let registers = SpaceId::registers(unit.eu);
        let dst = access.dst.and_then(|at| {
            let machine = self.session.machine();
            machine.load(registers, u64::from(at), access.bytes)
        });
        let mut changes = self.session.last_changes().iter().filter(|change| {
            is_current
                && change.space == registers
                && access.dst.map(u64::from) == Some(change.address)
                && change.bytes == access.bytes
        });
        let dst_before = changes.next().map(|change| self.copied(access, change.old));
        let mut words = lane_name(lane.unit, self.threads);
        let place = row.order.map_or(0, to_usize);
        words.push_str(&format!(", number {} of {count}", place + 1));
        if !operation.is_empty() {
            words.push_str(&format!(", {operation}"));
        }
        words.push_str(&match self.buffer(access) {
            Some(_) => format!(" at {}, {:#x}", self.cell_name(access), access.address),
            None => format!(" at {:#x}", access.address),
        });
        if lane.group.is_some() {
            words.push_str(", ");
            words.push_str(&self.group_name(lane.group.as_deref(), Some(lane.unit)));
        }
        words.push_str(&match (access.fault, row.done) {
            (Some(fault), _) => format!(", faults: {}", fault.word()),
            (None, false) if self.faults => String::from(", not executed"),
            (None, false) => String::from(", waiting"),
            (None, true) => String::from(", done"),
        });
        if !access.in_bounds && access.fault.is_none() {
            words.push_str(", out of bounds: reads 0, writes nothing");
        }
        if let (Some(compared), Some(old)) = (mismatch, row.old) {
            words.push_str(&format!(
                ", failed: expected {}, found {}",
                self.text(compared.expected),
                self.text(old)
            ));
        }
        if let (Some(bits), Some(dst)) = (row.returned, access.dst) {
            let name = self.register_name(unit.eu, dst);
            words.push_str(&format!(
                ", returned {} to {name}",
                self.copied(access, bits)
            ));
        }
        StageLane {
            unit,
            place,
            label: unit_name(lane.unit, self.threads),
            operation,
            operands,
            // A tick marks a successful compare.
            result: result
                .or_else(|| (row.done && access.dst.is_none()).then(|| String::from("done"))),
            failed: access.fault.is_some() || mismatch.is_some(),
            state,
            group: row.conflict,
            cell,
            returns_now: is_current && row.returned.is_some(),
            element,
            dst: dst.map(|bits| self.copied(access, bits)),
            dst_before,
            words,
        }
    }

    fn cell(&self, first: &Access, performed: &[(&Lane, &Access)]) -> StageCell {
        let own = || {
            performed
                .iter()
                .filter(|(_, a)| cell_key(a) == cell_key(first))
        };
        let range = ByteRange::of(first);
        let name = self.cell_name(first);
        let waiting: Vec<Unit> = own()
            .filter(|(lane, _)| !lane.row.done && !self.faults)
            .map(|(lane, _)| lane.unit)
            .collect();
        let waiting_lanes = waiting.len();
        let waiting = runs(&waiting, self.threads);
        let fault = first.fault;
        let in_bounds = first.in_bounds;
        let current = performed
            .iter()
            .find(|(lane, a)| lane.current && range.overlaps(ByteRange::of(a)));
        let compared = current.and_then(|(lane, access)| {
            let found = lane.row.old?;
            let compared = self.update?.comparison(access, found)?;
            Some((lane, found, compared))
        });
        let own_access = current.filter(|(_, access)| cell_key(access) == cell_key(first));
        let event = match (compared, own_access) {
            _ if fault.is_some() => {
                let lanes: Vec<Unit> = own().map(|(lane, _)| lane.unit).collect();
                let verb = if lanes.len() == 1 { "faults" } else { "fault" };
                // The value names the fault.
                let lanes = lanes_text(&lanes, self.threads);
                Some((String::new(), format!("{lanes} {verb}"), ""))
            }
            (Some((lane, found, compared)), _) => {
                let who = format!("{}: ", lane_phrase(lane.unit, self.threads));
                let found = self.text(found);
                Some(if compared.equal {
                    (who, format!("found {found}, swapped"), "")
                } else {
                    // Nothing is written: the cell keeps its value.
                    let expected = self.text(compared.expected);
                    let what = format!("expected {expected}, found {found}");
                    (who, what, "; not swapped")
                })
            }
            (None, Some((lane, access))) => {
                let (row, lane) = (&lane.row, lane_phrase(lane.unit, self.threads));
                match (row.old, row.new, row.returned) {
                    (Some(old), Some(new), _) => {
                        let (old, new) = (self.copied(first, old), self.copied(first, new));
                        let change = format!("{old} → {new}");
                        Some((format!("{lane}: "), change, ""))
                    }
                    // The cell shows the value.
                    (None, None, Some(_)) if access.in_bounds => {
                        Some((format!("{lane} "), String::from("read"), ""))
                    }
                    (None, None, _) => {
                        let what = String::from("reads 0, writes nothing");
                        Some((format!("{lane} "), what, ""))
                    }
                    _ => None,
                }
            }
            (None, None) => None,
        };
        let event = event.map(|(who, what, more)| CellEvent { who, what, more });
        let state = match (fault, in_bounds, current) {
            (Some(_), ..) => "fault",
            (None, false, _) => "out-of-bounds",
            (None, true, None) => "idle",
            (None, true, Some(_)) => match compared {
                Some((_, _, compared)) if !compared.equal => "failed",
                _ => "current",
            },
        };
        let trail: Vec<String> = if in_bounds {
            self.trail(first, performed)
                .into_iter()
                .map(|bits| self.copied(first, bits))
                .collect()
        } else {
            Vec::new()
        };
        let value = match (fault, in_bounds) {
            (Some(fault), _) => fault.word().to_owned(),
            (None, false) => String::from("out of bounds"),
            (None, true) => self
                .session
                .machine()
                .load(first.space, first.address, first.bytes)
                .map_or_else(String::new, |bits| self.copied(first, bits)),
        };
        let lanes = own().count();
        let mut words = match self.buffer(first) {
            Some(_) => format!("{name} at {:#x}: {value}", first.address),
            None => format!("{name}: {value}"),
        };
        if trail.len() > 1 {
            words.push_str(&format!(", was {}", trail[..trail.len() - 1].join(", ")));
        }
        let group = own().find_map(|(lane, _)| lane.group.as_deref());
        let group_name = self.group_name(group, None);
        if !group_name.is_empty() {
            words.push_str(", ");
            words.push_str(&group_name);
        }
        if !waiting.is_empty() {
            words.push_str(&format!(", waiting: {waiting}"));
        }
        if let Some(CellEvent { who, what, more }) = &event {
            words.push_str(&format!(", {who}{what}{more}"));
        }
        let written_now = current.is_some_and(|(lane, _)| lane.row.new.is_some())
            && compared.is_none_or(|(_, _, compared)| compared.equal);
        StageCell {
            range,
            name,
            value,
            trail: trail.into(),
            state,
            group: group.map(|group| group.number),
            lanes,
            waiting,
            waiting_lanes,
            event,
            written_now,
            words,
        }
    }

    /// Values of a cell during the instruction, oldest first, reconstructed by
    /// undoing writes from the current value. Includes writes of an unchanged
    /// value, but not failed compares.
    fn trail(&self, first: &Access, performed: &[(&Lane, &Access)]) -> Vec<u64> {
        let load = self
            .session
            .machine()
            .load(first.space, first.address, first.bytes);
        let Some(mut value) = load else {
            return Vec::new();
        };
        let mut values = vec![value];
        for (lane, access) in performed.iter().rev().filter(|(lane, _)| lane.row.done) {
            let (Some(old), true) = (
                lane.row.old,
                ByteRange::of(first).overlaps(ByteRange::of(access)),
            ) else {
                continue;
            };
            if lane.is_unchanged {
                continue;
            }
            let mut bytes = value.to_le_bytes();
            for (offset, byte) in (0..u64::from(access.bytes)).zip(old.to_le_bytes()) {
                let at = access
                    .address
                    .wrapping_add(offset)
                    .wrapping_sub(first.address);
                if let Some(slot) = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at))
                    && at < u64::from(first.bytes)
                {
                    *slot = byte;
                }
            }
            value = u64::from_le_bytes(bytes);
            values.push(value);
        }
        values.reverse();
        values
    }
}

/// Disabled lanes by reason, with the program's own words: `guard @!P0`.
fn idle(instruction: &Instruction, program: &Program, table: &LanesTable) -> Vec<String> {
    let mut idle: Vec<(&str, Vec<Unit>)> = Vec::new();
    for lane in table.lanes.iter().filter(|lane| lane.row.access.is_none()) {
        let Unit {
            eu, lane: number, ..
        } = lane.unit;
        let unit = Unit::lane(eu, number);
        match idle.iter_mut().find(|(reason, _)| *reason == lane.disabled) {
            Some((_, units)) if units.contains(&unit) => {}
            Some((_, units)) => units.push(unit),
            None => idle.push((lane.disabled, vec![unit])),
        }
    }
    let predicate = operand_text(instruction, program, SyntaxPart::Predicate, Style::Document);
    let text = |(reason, units): (&str, Vec<Unit>)| {
        let units = runs(&units, table.threads);
        match reason {
            "guard" | "predicate" => format!("{units} disabled: {reason} {predicate}"),
            _ => format!("{units} disabled: {reason}"),
        }
    };
    idle.into_iter().map(text).collect()
}

/// Operand as printed in the instruction: `@!P0`, `RZ`, `%null.0`; empty if
/// absent. In assembler style, it has its region, which the program may omit.
pub(crate) fn operand_text(
    instruction: &Instruction,
    program: &Program,
    part: SyntaxPart,
    style: Style,
) -> String {
    let tokens = instruction.tokens(&program.symbols, style);
    let own = tokens.iter().filter(|token| token.part == part);
    // `.sat` belongs to the destination, but is written at the mnemonic.
    let own = own.filter(|token| part != SyntaxPart::Dst || !token.text.starts_with('.'));
    own.map(|token| &*token.text).collect()
}

/// Memory of an access as named in the program: `slm`, `svm`, or a surface.
fn memory_name(program: &Program, space: SpaceId) -> &str {
    let name = program.symbols.memory_name(space);
    name.expect("an instruction with an undeclared surface cannot run")
}

/// Variable of the elements of all lanes: `V33`, or if they do not start with the
/// element of their lane, `V33[8–15]`.
fn element_range(program: &Program, first: u32, last: u32, unit: Unit) -> String {
    let symbols = &program.symbols;
    if symbols.target.family() == Family::Sass {
        return format!("R{}", register_at(first.into()).1);
    }
    let Some((variable, from)) = symbols.visa.element_at(first) else {
        return String::from("r");
    };
    let name = &*variable.name;
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

/// Whether the lanes are shown as planes: two to four channels, or elements of a
/// vector.
fn has_planes(instruction: &Instruction) -> bool {
    (2..=4).contains(&instruction.channels().count_ones())
}

/// Letter of a channel, or number of a vector element.
pub(crate) fn channel_letter(channel: u8) -> &'static str {
    CHANNELS[usize::from(channel)]
}

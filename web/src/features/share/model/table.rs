//! Tables as texts. The lanes: a row for each lane, or for each channel of it.
//! The operations of the instruction. The state: the open tab in its format;
//! rows of memory that hold nothing are left out, wherever they lie.

use crate::features::lanes::model::{Lane, address_error, unit_name};
use crate::features::state::cells::{Notation, cut};
use crate::features::state::{Tab, flag_word};
use crate::store::State;
use lanewise_core::isa::sass::warp::{LANES, register_address};
use lanewise_core::isa::{Access, Family, OperationRow, Spec};
use lanewise_core::machine::SpaceId;
use serde::{Serialize, Serializer};

/// Bytes of a row of memory.
const ROW: u64 = 16;

/// The most rows of a table: 256 KB of memory.
const MOST_ROWS: usize = 16_384;

/// Bytes that are looked through at a time, and at most in a region.
const CHUNK: u64 = 4_096;
const MOST_BYTES: u64 = 64 << 20;

/// A table: heads, and rows of as many cells at most.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// What each lane of the current instruction does.
pub(crate) fn lanes_table(state: &State) -> Table {
    let table = state.lanes_table();
    Table {
        heads: table.heads().into_iter().map(str::to_owned).collect(),
        rows: table.lanes.iter().map(lane_row).collect(),
    }
}

fn lane_row(lane: &Lane) -> Vec<String> {
    let row = &lane.row;
    let access = row.access.as_ref();
    let notation = Notation {
        ty: lane.ty,
        hex: false,
    };
    let value = |bits: Option<u64>| bits.map_or_else(dash, |bits| notation.text(bits));
    let enabled = match access {
        Some(_) => "yes".to_owned(),
        None => format!("no: {}", lane.disabled),
    };
    let conflict = lane.group.as_ref().map_or_else(dash, |group| {
        let others = group.others(row.unit, lane.threads);
        format!("{} conflicts with {others}", group.label())
    });
    let operands = [access.map(|a| a.src0), access.map(|a| a.src1)];
    let operands = operands.into_iter().take(lane.operands.into());
    let mut cells = vec![
        unit_name(row.unit, lane.threads),
        row.turn.map_or_else(dash, |place| place.to_string()),
        enabled,
        access.map_or_else(dash, address),
    ];
    cells.extend(operands.map(value));
    cells.extend([row.old, row.new, row.returned].map(value));
    cells.extend([lane.state().name().to_owned(), conflict]);
    cells
}

fn dash() -> String {
    "–".to_owned()
}

fn address(access: &Access) -> String {
    let error = address_error(access).map(|error| format!(" {error}"));
    format!("{:#x}{}", access.address, error.unwrap_or_default())
}

/// The operations of an instruction; no rows where there is only one.
pub(crate) fn operations_table(spec: &Spec) -> Table {
    let operations = (spec.operations)();
    let has_messages = operations.iter().any(|row| !row.messages.is_empty());
    let heads = ["Operation", "New value", "Types", "Returns", "Code"].into_iter();
    let heads = heads.chain(has_messages.then_some("Message types"));
    let row = |row: &OperationRow| {
        let code = format!("{:#04x}", row.code);
        let cells = [row.name, row.formula, row.types, row.returns, &code].into_iter();
        let cells = cells.chain(has_messages.then_some(row.messages));
        cells.map(str::to_owned).collect()
    };
    Table {
        heads: heads.map(str::to_owned).collect(),
        rows: operations.iter().map(row).collect(),
    }
}

/// The open state tab.
pub(crate) fn state_table(state: &State) -> Table {
    match (state.tab(), state.family()) {
        (Tab::Registers, Family::Visa) => variables(state),
        (Tab::Registers, Family::Sass) => warp(state),
        (tab, _) => memory(state, tab),
    }
}

fn heads(first: &[&str], count: usize, step: usize) -> Vec<String> {
    let first = first.iter().map(|head| (*head).to_owned());
    let places = (0..count).map(|i| (i * step).to_string());
    first.chain(places).collect()
}

fn variables(state: &State) -> Table {
    let program = state.session.program();
    let machine = state.session.machine();
    let mut table = Table::default();
    let mut most = 0;
    for eu in 0..program.threads {
        for (id, predicate) in program.symbols.visa.predicates() {
            let flags = SpaceId::flags(eu);
            let bits = flag_word(machine, flags, 4 * u64::from(id));
            let name = format!("EU{eu}.{}", predicate.name);
            table
                .rows
                .push(vec![name, "p".into(), format!("{bits:#x}")]);
        }
        for (_, variable) in program.symbols.visa.generals() {
            let (ty, hex) = state.register_format().elements(variable.ty);
            let size = variable.elements * u32::from(variable.ty.bytes());
            let mut bytes = vec![0; size as usize];
            let file = machine.space(SpaceId::registers(eu));
            file.read(u64::from(variable.offset), &mut bytes);
            let cells = cut(&bytes, 0, Notation { ty, hex }, &[]);
            most = most.max(cells.len());
            let name = format!("EU{eu}.{}", variable.name);
            let row = [name, ty.name().to_owned()].into_iter();
            table
                .rows
                .push(row.chain(cells.into_iter().map(|c| c.now)).collect());
        }
    }
    table.heads = heads(&["Variable", "Type"], most.max(1), 1);
    table
}

fn warp(state: &State) -> Table {
    let machine = state.session.machine();
    let names = &state.session.program().symbols.sass;
    let (ty, hex) = state
        .register_format()
        .elements(lanewise_core::number::ElementType::Ud);
    let file = machine.space(SpaceId::registers(0));
    let mut table = Table {
        heads: heads(&["Register"], usize::from(LANES), 1),
        rows: Vec::new(),
    };
    for register in names.registers() {
        let values = (0..LANES).map(|lane| {
            let mut bytes = [0; 4];
            file.read(register_address(lane, register), &mut bytes);
            let cells = cut(&bytes, 0, Notation { ty, hex }, &[]);
            let cells: Vec<String> = cells.into_iter().map(|cell| cell.now).collect();
            cells.join(" ")
        });
        let name = std::iter::once(format!("R{register}"));
        table.rows.push(name.chain(values).collect());
    }
    for predicate in names.predicates() {
        let place = 4 * (u64::from(predicate) + 1);
        let bits = flag_word(machine, SpaceId::flags(0), place);
        let lanes = (0..u32::from(LANES)).map(|lane| (bits >> lane & 1).to_string());
        let name = std::iter::once(format!("P{predicate}"));
        table.rows.push(name.chain(lanes).collect());
    }
    table
}

fn memory(state: &State, tab: Tab) -> Table {
    let Some(pane) = state.memory(tab) else {
        return Table::default();
    };
    let notation = pane.view.notation();
    let size = usize::from(notation.ty.bytes());
    let mut table = Table {
        heads: heads(&["Memory", "Address"], ROW as usize / size, size),
        rows: Vec::new(),
    };
    for region in pane.regions.iter() {
        let name = region.name.split([' ', ',']).next().unwrap_or_default();
        let memory = state.session.machine().space(region.space);
        // Elements lie at multiples of their size.
        let mut at = region.start.next_multiple_of(size as u64);
        let mut looked = 0;
        while at <= region.last && looked < MOST_BYTES && table.rows.len() < MOST_ROWS {
            let next = (at / CHUNK + 1) * CHUNK;
            let end = next.min(region.last.saturating_add(1));
            let mut chunk = vec![0; (end - at) as usize];
            memory.read(at, &mut chunk);
            if chunk.iter().any(|byte| *byte != 0) {
                rows(name, at, &chunk, notation, &mut table);
            }
            looked += end - at;
            at = end;
        }
    }
    table
}

/// The rows of a piece of memory that hold something.
fn rows(name: &str, start: u64, bytes: &[u8], notation: Notation, table: &mut Table) {
    let size = usize::from(notation.ty.bytes());
    let (mut at, mut rest) = (start, bytes);
    while !rest.is_empty() {
        let place = (at % ROW) as usize;
        let (row, after) = rest.split_at(rest.len().min(ROW as usize - place));
        let whole = &row[..row.len() / size * size];
        if whole.iter().any(|byte| *byte != 0) {
            let gap = std::iter::repeat_n(String::new(), place / size);
            let cells = cut(whole, at, notation, &[])
                .into_iter()
                .map(|cell| cell.now);
            let head = [name.to_owned(), format!("{:#x}", at - at % ROW)];
            table
                .rows
                .push(head.into_iter().chain(gap).chain(cells).collect());
        }
        at += row.len() as u64;
        rest = after;
    }
}

/// A table of Markdown.
pub(crate) fn markdown(table: &Table) -> String {
    let line = |cells: &[String]| {
        let cells = (0..table.heads.len()).map(|i| cells.get(i).map_or("", |c| c));
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = vec![String::from("---"); table.heads.len()];
    let rows = table.rows.iter().map(|row| line(row));
    let head = [line(&table.heads), line(&rule)];
    head.into_iter().chain(rows).collect()
}

/// Values separated by commas, as RFC 4180 has them.
pub(crate) fn csv(table: &Table) -> String {
    let field = |text: &String| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let line = |cells: &Vec<String>| {
        let cells: Vec<String> = cells.iter().map(field).collect();
        cells.join(",") + "\r\n"
    };
    std::iter::once(&table.heads)
        .chain(&table.rows)
        .map(line)
        .collect()
}

/// A row as an object: a member for every cell that is not empty, named after
/// its column, in their order.
struct JsonRow<'t> {
    heads: &'t [String],
    cells: &'t [String],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = self.heads.iter().zip(self.cells);
        serializer.collect_map(members.filter(|(_, cell)| !cell.is_empty()))
    }
}

/// A list of the rows.
pub(crate) fn json(table: &Table) -> String {
    let heads = &table.heads;
    let rows = table.rows.iter().map(|cells| JsonRow { heads, cells });
    let rows: Vec<_> = rows.collect();
    serde_json::to_string_pretty(&rows).expect("a value of texts can be written") + "\n"
}

//! Exported tables. Lanes: one row per lane or channel. State: the open tab in
//! its format, omitting empty memory rows. Buffers: see [`buffer_table`].

use crate::features::lanes::table::{Lane, LanesTable, address_error};
use crate::features::lanes::units::unit_name;
use crate::features::state::cells::little_endian;
use crate::features::state::notation::Notation;
use crate::features::state::{StateInputs, Tab, flag_word};
use crate::features::threads::thread_prefix;
use crate::store::State;
use lanewise_answer::table::{ExportCell, ExportTable};
use lanewise_core::isa::Access;
use lanewise_core::isa::sass::warp::{LANES, register_address};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;

/// Bytes per memory row.
const ROW: u64 = 16;

/// Bytes of memory scanned at a time.
const CHUNK: u64 = 4_096;

/// An element as a number, if JSON readers represent all values of its type
/// exactly. Hexadecimal values, 64-bit integers, infinities and NaN are
/// exported as text.
fn number(text: String, notation: Notation) -> ExportCell {
    let is_wide = matches!(notation.ty, ElementType::Uq | ElementType::Q);
    let number = if notation.hex || is_wide {
        None
    } else {
        text.parse::<serde_json::Number>().ok()
    };
    match number {
        Some(number) => ExportCell::Number(number, text),
        None => ExportCell::Text(text),
    }
}

fn count(count: u64) -> ExportCell {
    ExportCell::Number(count.into(), count.to_string())
}

/// Lanes of the current instruction.
pub(crate) fn lanes_table(state: &State) -> ExportTable {
    let table = LanesTable::of(&state.session);
    ExportTable {
        heads: table.heads().into_iter().map(str::to_owned).collect(),
        rows: table.lanes.iter().map(|lane| lane_row(lane)).collect(),
    }
}

fn lane_row(lane: &Lane) -> Vec<ExportCell> {
    let row = &lane.row;
    let access = row.access.as_ref();
    let notation = Notation {
        ty: lane.ty,
        hex: false,
    };
    let value = |bits: Option<u64>| match bits {
        Some(bits) => number(notation.text(bits), notation),
        None => ExportCell::NoValue,
    };
    let enabled = match access {
        Some(_) => "yes".to_owned(),
        None => format!("disabled: {}", lane.disabled),
    };
    let conflict = lane.group.as_ref().map_or(ExportCell::NoValue, |group| {
        let others = group.others(lane.unit, lane.threads);
        ExportCell::Text(format!("{} conflicts with {others}", group.label()))
    });
    let mut cells = vec![
        ExportCell::Text(unit_name(lane.unit, lane.threads)),
        row.order
            .map_or(ExportCell::NoValue, |turn| count(turn.into())),
        ExportCell::Text(enabled),
        access.map_or(ExportCell::NoValue, address),
    ];
    cells.extend(lane.operands().map(value));
    cells.extend([row.old, row.new, row.returned].map(value));
    cells.extend([ExportCell::text(lane.state().label()), conflict]);
    cells
}

fn address(access: &Access) -> ExportCell {
    let error = address_error(access).map(|error| format!(" {error}"));
    ExportCell::Text(format!(
        "{:#x}{}",
        access.address,
        error.unwrap_or_default()
    ))
}

/// Open tab of the State pane.
pub(crate) fn state_table(state: &State) -> ExportTable {
    match state.state_view.tab {
        Tab::Registers => variables(state),
        Tab::Warp => warp(state),
        Tab::Buffers => buffers(&state.state_inputs()),
        tab => memory(state, tab),
    }
}

fn heads(first: &[&str], count: usize, step: usize) -> Vec<String> {
    let first = first.iter().map(|head| (*head).to_owned());
    let places = (0..count).map(|i| (i * step).to_string());
    first.chain(places).collect()
}

fn variables(state: &State) -> ExportTable {
    let program = state.session.program();
    let machine = state.session.machine();
    let mut table = ExportTable::default();
    let mut most = 0;
    for eu in 0..program.threads {
        let prefix = thread_prefix(eu, program);
        for (id, predicate) in program.symbols.visa.predicates() {
            let flags = SpaceId::flags(eu);
            let bits = flag_word(machine, flags, 4 * u64::from(id));
            let name = format!("{prefix}{}", predicate.name);
            table.rows.push(
                [name, "p".into(), format!("{bits:#x}")]
                    .map(ExportCell::Text)
                    .into(),
            );
        }
        for (_, variable) in program.symbols.visa.generals() {
            let notation = state.state_view.register_format.notation(variable.ty);
            let size = variable.elements * u32::from(variable.ty.bytes());
            let mut bytes = vec![0; size as usize];
            let file = machine.space(SpaceId::registers(eu));
            file.read(u64::from(variable.offset), &mut bytes);
            let cells = elements(&bytes, notation);
            most = most.max(cells.len());
            let name = format!("{prefix}{}", variable.name);
            let head = [ExportCell::Text(name), ExportCell::text(notation.ty.name())];
            table.rows.push(head.into_iter().chain(cells).collect());
        }
    }
    table.heads = heads(&["Variable", "Type"], most.max(1), 1);
    table
}

fn warp(state: &State) -> ExportTable {
    let machine = state.session.machine();
    let names = &state.session.program().symbols.sass;
    let notation = state.state_view.register_format.notation(ElementType::Ud);
    let file = machine.space(SpaceId::registers(0));
    let mut table = ExportTable {
        heads: heads(&["Register"], usize::from(LANES), 1),
        rows: Vec::new(),
    };
    for register in names.registers() {
        let values = (0..LANES).map(|lane| {
            let mut bytes = [0; 4];
            file.read(register_address(lane, register), &mut bytes);
            let mut cells = elements(&bytes, notation);
            // Types smaller than 32 bits split a register into several
            // elements.
            match cells.len() {
                1 => cells.remove(0),
                _ => {
                    let texts: Vec<&str> = cells.iter().map(ExportCell::as_str).collect();
                    ExportCell::Text(texts.join(" "))
                }
            }
        });
        let name = std::iter::once(ExportCell::Text(format!("R{register}")));
        table.rows.push(name.chain(values).collect());
    }
    for predicate in names.predicates() {
        let place = 4 * (u64::from(predicate) + 1);
        let bits = flag_word(machine, SpaceId::flags(0), place);
        let lanes = (0..u32::from(LANES)).map(|lane| count(u64::from(bits >> lane & 1)));
        let name = std::iter::once(ExportCell::Text(format!("P{predicate}")));
        table.rows.push(name.chain(lanes).collect());
    }
    table
}

/// All buffers of the launch, one row each.
fn buffers(inputs: &StateInputs) -> ExportTable {
    let mut table = ExportTable::default();
    let mut most = 0;
    for (index, buffer) in inputs.buffers().iter().enumerate() {
        let cells = buffer_elements(inputs, index);
        most = most.max(cells.len());
        let head = [&*buffer.name, buffer.ty.name()].map(ExportCell::text);
        table.rows.push(head.into_iter().chain(cells).collect());
    }
    table.heads = heads(&["Buffer", "Type"], most, 1);
    table
}

/// Maximum number of exported elements of a buffer.
const MAX_ELEMENTS: usize = 1 << 20;

pub(super) fn buffer_bytes(inputs: &StateInputs, index: usize) -> Vec<u8> {
    let buffer = &inputs.buffers()[index];
    let size = usize::from(buffer.ty.bytes());
    let count = usize::try_from(buffer.elements).unwrap_or(usize::MAX);
    let mut bytes = vec![0; count.min(MAX_ELEMENTS) * size];
    let memory = inputs.session.machine().space(SpaceId::VIRTUAL);
    memory.read(buffer.address, &mut bytes);
    bytes
}

pub(super) fn buffer_elements(inputs: &StateInputs, index: usize) -> Vec<ExportCell> {
    let ty = inputs.buffers()[index].ty;
    let bytes = buffer_bytes(inputs, index);
    elements(&bytes, Notation { ty, hex: false })
}

/// A buffer as a matrix with this many columns.
pub(super) fn buffer_table(inputs: &StateInputs, index: usize, columns: usize) -> ExportTable {
    let cells = buffer_elements(inputs, index);
    let rows = cells.chunks(columns).enumerate().map(|(row, cells)| {
        let first = count((row * columns) as u64);
        std::iter::once(first)
            .chain(cells.iter().cloned())
            .collect()
    });
    ExportTable {
        heads: heads(&["Element"], columns, 1),
        rows: rows.collect(),
    }
}

fn memory(state: &State, tab: Tab) -> ExportTable {
    let Some(kind) = tab.memory() else {
        return ExportTable::default();
    };
    let notation = state.state_view.memories[kind].notation();
    let size = usize::from(notation.ty.bytes());
    let mut table = ExportTable {
        heads: heads(&["Memory", "Address"], ROW as usize / size, size),
        rows: Vec::new(),
    };
    for region in state.state_inputs().regions(kind).iter() {
        let name = region.name.split([' ', ',']).next().unwrap_or_default();
        let memory = state.session.machine().space(region.space);
        // Elements are aligned to their size.
        let mut next = region.start.checked_next_multiple_of(size as u64);
        while let Some(at) = next.filter(|at| *at <= region.last) {
            let last = region.last.min(at | (CHUNK - 1));
            let mut chunk = vec![0; (last - at) as usize + 1];
            memory.read(at, &mut chunk);
            if chunk.iter().any(|byte| *byte != 0) {
                rows(name, at, &chunk, notation, &mut table);
            }
            if table.limit_rows() {
                return table;
            }
            // The address space ends after the last byte.
            next = last.checked_add(1);
        }
    }
    table
}

/// Bytes as numeric elements.
fn elements(bytes: &[u8], notation: Notation) -> Vec<ExportCell> {
    let elements = bytes.chunks(usize::from(notation.ty.bytes()));
    let texts = elements.map(|element| notation.text(little_endian(element)));
    texts.map(|text| number(text, notation)).collect()
}

/// Non-empty rows of a memory range.
fn rows(name: &str, start: u64, bytes: &[u8], notation: Notation, table: &mut ExportTable) {
    let size = usize::from(notation.ty.bytes());
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = start + (bytes.len() - rest.len()) as u64;
        let place = (at % ROW) as usize;
        let (row, after) = rest.split_at(rest.len().min(ROW as usize - place));
        let whole = &row[..row.len() / size * size];
        if whole.iter().any(|byte| *byte != 0) {
            let gap = std::iter::repeat_n(ExportCell::Absent, place / size);
            let cells = elements(whole, notation);
            let head = [name.to_owned(), format!("{:#x}", at - at % ROW)].map(ExportCell::Text);
            table
                .rows
                .push(head.into_iter().chain(gap).chain(cells).collect());
        }
        rest = after;
    }
}

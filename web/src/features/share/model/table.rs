//! Exported tables of the State pane: the open tab in its format, and buffers.

use crate::features::state::{StateInputs, Tab};
use crate::store::State;
use lanewise_answer::notation::Notation;
use lanewise_answer::state_table::{MemoryRange, count, elements, heads, memory, variables, warp};
use lanewise_answer::table::{ExportCell, ExportTable};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;

/// Open tab of the State pane.
pub(crate) fn state_table(state: &State) -> ExportTable {
    let (program, machine) = (state.session.program(), state.session.machine());
    let view = &state.state_view;
    let of_registers = |ty| view.register_format.notation(ty);
    let kind = match view.tab {
        Tab::Registers => return variables(program, machine, of_registers),
        Tab::Warp => return warp(program, machine, of_registers),
        Tab::Buffers => return buffers(&state.state_inputs()),
        tab => tab.memory().expect("the other tabs are memories"),
    };
    let inputs = state.state_inputs();
    let regions = inputs.regions(kind);
    let ranges = regions.iter().map(|region| MemoryRange {
        name: region
            .name
            .split([' ', ','])
            .next()
            .expect("a split has parts"),
        space: region.space,
        first: region.start,
        last: region.last,
    });
    memory(ranges, machine, view.memories[kind].notation())
}

/// All buffers of the launch, one row each.
fn buffers(inputs: &StateInputs) -> ExportTable {
    let mut table = ExportTable::default();
    let mut most = 0;
    for (index, buffer) in inputs.buffers().iter().enumerate() {
        let cells = buffer_elements(inputs, index);
        most = most.max(cells.len());
        let ty = element_type(inputs, index);
        let head = [&*buffer.name, ty.name()].map(ExportCell::text);
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

/// Type of the elements of a buffer as it is shown, or as the program has it if they have
/// fields.
fn element_type(inputs: &StateInputs, index: usize) -> ElementType {
    match inputs.view_of(index).map(|view| &*view.layout.fields) {
        Some([field]) => field.element,
        _ => inputs.buffers()[index].ty,
    }
}

pub(super) fn buffer_elements(inputs: &StateInputs, index: usize) -> Vec<ExportCell> {
    let ty = element_type(inputs, index);
    let bytes = buffer_bytes(inputs, index);
    elements(&bytes, Notation { ty, hex: false })
}

/// A buffer whose elements have fields: a row for each element, a column for each field.
pub(super) fn fields_table(inputs: &StateInputs, index: usize) -> Option<ExportTable> {
    let view = inputs.view_of(index).filter(|view| view.has_fields())?;
    Some(view.table(&buffer_bytes(inputs, index)))
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

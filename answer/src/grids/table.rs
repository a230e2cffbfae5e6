//! State of a run as exported tables: the open tab in its format, and buffers.

use super::{Grids, Tab};
use crate::notation::Notation;
use crate::state_table::{MemoryRange, count, elements, heads, memory, variables, warp};
use crate::table::{ExportCell, ExportTable};
use alloc::vec;
use alloc::vec::Vec;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;

/// Maximum number of exported elements of a buffer.
const MAX_ELEMENTS: usize = 1 << 20;

impl Grids<'_> {
    /// The open tab as a table.
    pub fn table(&self) -> ExportTable {
        let (program, machine) = (self.session.program(), self.session.machine());
        let of_registers = |ty| self.view.register_format.notation(ty);
        let kind = match self.view.tab {
            Tab::Registers => return variables(program, machine, of_registers),
            Tab::Warp => return warp(program, machine, of_registers),
            Tab::Buffers => return self.buffers_table(),
            tab => tab.memory().expect("the other tabs are memories"),
        };
        let regions = self.regions(kind);
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
        memory(ranges, machine, self.view.memories[kind].notation())
    }

    /// All buffers of the launch, one row each.
    fn buffers_table(&self) -> ExportTable {
        let mut table = ExportTable::default();
        let mut most = 0;
        for (index, buffer) in self.buffers().iter().enumerate() {
            let cells = self.buffer_elements(index);
            most = most.max(cells.len());
            let ty = self.element_type(index);
            let head = [&*buffer.name, ty.name()].map(ExportCell::text);
            table.rows.push(head.into_iter().chain(cells).collect());
        }
        table.heads = heads(&["Buffer", "Type"], most, 1);
        table
    }

    pub fn buffer_bytes(&self, index: usize) -> Vec<u8> {
        let buffer = &self.buffers()[index];
        let size = usize::from(buffer.ty.bytes());
        let count = usize::try_from(buffer.elements).unwrap_or(usize::MAX);
        let mut bytes = vec![0; count.min(MAX_ELEMENTS) * size];
        let memory = self.session.machine().space(SpaceId::VIRTUAL);
        memory.read(buffer.address, &mut bytes);
        bytes
    }

    /// Type of the elements of a buffer as it is shown, or as the program has it if they have
    /// fields.
    fn element_type(&self, index: usize) -> ElementType {
        match self.view_of(index).map(|view| &*view.layout.fields) {
            Some([field]) => field.element,
            _ => self.buffers()[index].ty,
        }
    }

    pub fn buffer_elements(&self, index: usize) -> Vec<ExportCell> {
        let ty = self.element_type(index);
        let bytes = self.buffer_bytes(index);
        elements(&bytes, Notation { ty, hex: false })
    }

    /// A buffer whose elements have fields: a row for each element, a column for each field.
    pub fn fields_table(&self, index: usize) -> Option<ExportTable> {
        let view = self.view_of(index).filter(|view| view.has_fields())?;
        Some(view.table(&self.buffer_bytes(index)))
    }

    /// A buffer as a table: with a column for each field of its elements, or with rows of the
    /// chosen length.
    pub fn buffer_table(&self, index: usize) -> ExportTable {
        if let Some(table) = self.fields_table(index) {
            return table;
        }
        let columns = self.row_length(&self.buffers()[index]).unwrap_or(1);
        let cells = self.buffer_elements(index);
        let rows = cells.chunks(columns).enumerate().map(|(row, cells)| {
            let first = count((row * columns) as u64);
            core::iter::once(first)
                .chain(cells.iter().cloned())
                .collect()
        });
        ExportTable {
            heads: heads(&["Element"], columns, 1),
            rows: rows.collect(),
        }
    }
}

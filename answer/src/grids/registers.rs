//! Rows of the registers of a vISA program: predicates, address variables and
//! variables, in one section for each thread.

use super::cells::Cell;
use super::place::{CellKind, Place};
use super::register_map::{ROW_BYTES, RegisterMap, RegisterRow, pointer_address};
use super::{GridRow, GridShape, Grids, Layout, RowKind, fitting_row_bytes};
use crate::byte_range::ByteRange;
use crate::notation::Notation;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use lanewise_core::machine::{SpaceId, flag_address};
use lanewise_core::number::ElementType;
use lanewise_core::program::pointer_text;

/// Width of the names of registers in characters.
const NAME_CHARACTERS: usize = 13;

/// Minimum width of a dword in characters.
const MIN_CHARACTERS: usize = 4;

/// Width of a dword in characters.
fn dword_characters(notation: Notation) -> usize {
    let size = usize::from(notation.ty.bytes());
    // Elements smaller than a dword are separated by gaps too.
    let gaps = (4 / size).saturating_sub(1);
    let characters = (notation.width() * 4).div_ceil(size) + gaps;
    characters.max(MIN_CHARACTERS)
}

impl<'s> Grids<'s> {
    /// Map of variables to registers, computed on first use.
    pub fn register_map(&self) -> &'s RegisterMap {
        let program = self.session.program();
        self.view
            .register_map
            .get_or_init(|| Rc::new(RegisterMap::of(program)))
    }

    /// Notation of the elements of a variable declared with this type.
    pub(super) fn register_notation(&self, declared: ElementType) -> Notation {
        self.view.register_format.notation(declared)
    }

    pub(super) fn registers_shape(&self, characters: usize) -> GridShape {
        let map = self.register_map();
        let widths = map
            .types()
            .map(|ty| dword_characters(self.register_notation(ty)));
        let width = widths.max().unwrap_or(MIN_CHARACTERS);
        let room = characters.saturating_sub(NAME_CHARACTERS);
        let row_bytes = fitting_row_bytes(room, 4, width);
        let rows = map.rows(row_bytes).len() as u64 + 1;
        GridShape {
            rows: rows * u64::from(map.threads),
            heads: Vec::new(),
            layout: Layout::Registers { row_bytes },
        }
    }

    /// A row of a thread's section; the first one is the heading.
    pub(super) fn register_row(&self, index: u64, row_bytes: usize) -> Option<GridRow> {
        let map = self.register_map();
        let rows = map.rows(row_bytes).len() as u64 + 1;
        let thread = u8::try_from(index / rows).ok()?;
        let section: Rc<str> = Rc::from(self.session.program().thread_name(thread));
        let Some(row) = (index % rows).checked_sub(1) else {
            return Some(GridRow {
                kind: RowKind::Heading,
                section: Rc::clone(&section),
                ..GridRow::new(index, section.to_string(), Vec::new())
            });
        };
        let row = usize::try_from(row).expect("a program has few registers");
        let row = *map.rows(row_bytes).get(row)?;
        let mut row = self.variable_row(index, thread, row, row_bytes);
        row.section = section;
        Some(row)
    }

    fn variable_row(&self, index: u64, thread: u8, row: RegisterRow, row_bytes: usize) -> GridRow {
        let machine = self.session.machine();
        let (file, flags) = (SpaceId::registers(thread), SpaceId::flags(thread));
        let word = |address| machine.flag_word(flags, address);
        let map = self.register_map();
        match row {
            RegisterRow::Mask(mask) => {
                let mask = &map.masks[mask];
                let address = flag_address(mask.id);
                let bits = word(address);
                let kind = CellKind::Mask(mask.width);
                let cell = Cell::new(Place::new(flags, address), kind, bits.into());
                GridRow {
                    name: Some(Rc::clone(&mask.name)),
                    kind: RowKind::Mask,
                    ..GridRow::new(index, format!("{bits:#x}"), vec![cell])
                }
            }
            RegisterRow::Pointers { id, first, count } => {
                let start = pointer_address(id, first);
                let visa = &self.session.program().symbols.visa;
                let cells = (0..u64::from(count)).map(|i| {
                    let address = start + 4 * i;
                    let bits = word(address);
                    Cell {
                        text: Some(Rc::from(pointer_text(visa, bits))),
                        ..Cell::new(Place::new(flags, address), CellKind::Pointer, bits.into())
                    }
                });
                let about = match first {
                    0 => String::from("address"),
                    first => format!("[{first}]"),
                };
                let mut row = GridRow::new(index, about, cells.collect());
                let variable = visa.address_variable(id).filter(|_| first == 0);
                row.name = variable.map(|variable| Rc::from(&*variable.name));
                row.slots = row.slots.max(row_bytes / 4);
                row
            }
            RegisterRow::Values {
                variable,
                offset,
                count,
            } => {
                let variable = &map.variables[variable];
                let notation = self.register_notation(variable.ty);
                let size = usize::from(notation.ty.bytes());
                let start = u64::from(variable.offset + offset);
                let grf = (variable.offset + offset) / map.grf_bytes;
                let own = ByteRange::new(file, start, count.into());
                let pending = self.pending_row(thread);
                let pending = pending.filter(|(_, range)| range.overlaps(own));
                let about = match offset as usize / size {
                    0 => format!("{} r{grf}", variable.ty.name()),
                    first => format!("[{first}] r{grf}"),
                };
                let cells = self.cells(file, start, count as usize / size, notation);
                GridRow {
                    name: (offset == 0).then(|| Rc::clone(&variable.name)),
                    title: variable.about.clone(),
                    slots: row_bytes / size,
                    kind: pending.map_or(RowKind::Values, |(row, _)| RowKind::Pending(row)),
                    ..GridRow::new(index, about, cells)
                }
            }
        }
    }

    /// Row of Dst that a matrix instruction is accumulating but has not
    /// written, with its bytes in an EU's register file.
    fn pending_row(&self, eu: u8) -> Option<(u8, ByteRange)> {
        let at = self.session.matrix_stage()?;
        let program = self.session.program();
        let placed = &program.instructions[self.session.last_instruction()?];
        let matrix = placed.instruction.matrix()?;
        let layout = matrix.element_layout(&program.symbols, false)?;
        if at.d + 1 == layout.sd() {
            return None;
        }
        let first = Index {
            row: at.row,
            column: 0,
        };
        let location = layout.location(MatrixRole::D, eu, first)?;
        let start = matrix.first_register(MatrixRole::D, &program.symbols)?;
        let register = (start + u64::from(location.register)) * u64::from(layout.register_bytes());
        let bytes = u64::from(layout.channels()) * u64::from(layout.bits(MatrixRole::D) / 8);
        let address = register + u64::from(location.byte());
        let file = SpaceId::registers(eu);
        Some((at.row, ByteRange::new(file, address, bytes)))
    }

    /// Row of the grid that shows a register.
    pub(super) fn register_row_of(&self, place: Place, row_bytes: usize) -> Option<u64> {
        let map = self.register_map();
        let thread = place.space.eu().filter(|thread| *thread < map.threads)?;
        let row = map.row_of(place, row_bytes)? as u64;
        let rows = map.rows(row_bytes).len() as u64 + 1;
        Some(u64::from(thread) * rows + 1 + row)
    }

    /// Whether the grid shows a mask or an element of an address variable.
    pub(super) fn has_flag_row(&self, place: Place) -> bool {
        self.register_row_of(place, ROW_BYTES[0]).is_some()
    }
}

//! Model of the visible registers of a vISA program.

use super::register_map::RowContent;
use super::{
    EuRegisters, MAX_ROW_BYTES, MIN_CHARACTERS, RegisterMap, RegisterRow, RegistersModel, RowData,
    dword_characters,
};
use crate::features::highlight::ByteRange;
use crate::features::state::cells::Notation;
use crate::features::state::flag_word;
use crate::features::state::inputs::StateInputs;
use crate::features::state::inspect::ChosenCell;
use crate::features::state::place::Place;
use crate::features::state::rows::rows_with_chosen;
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use lanewise_core::machine::{SpaceId, flag_address};
use lanewise_core::number::ElementType;
use lanewise_core::program::pointer_text;
use std::rc::Rc;

/// Overscan: rows computed above and below those in view.
const MARGIN: usize = 8;

impl StateInputs<'_> {
    /// Map of variables to registers, computed on first use.
    pub(crate) fn register_map(&self) -> &RegisterMap {
        let program = self.session.program();
        self.state_view
            .register_map
            .get_or_init(|| Rc::new(RegisterMap::of(program)))
    }

    /// Visible registers of every running EU.
    pub(crate) fn registers_model(&self) -> RegistersModel {
        let state = self.state_view.registers;
        let map = self.register_map();
        let total = map.count(state.rows.bytes);
        let chosen = self.chosen_cell();
        // Rounded to the margin, so that small scrolls need no new model.
        let start = (state.in_view.first / MARGIN * MARGIN).saturating_sub(MARGIN);
        let end = start + state.in_view.count + 4 * MARGIN;
        let eus = (0..map.threads).map(|eu| {
            let above = self.rows_above(eu);
            let near = start.saturating_sub(above)..end.saturating_sub(above);
            let own = chosen.as_ref().map(|chosen| chosen.place);
            let own = own.filter(|place| place.space.eu() == Some(eu));
            let own = own.and_then(|place| self.register_row_of(place)?.checked_sub(above));
            let rows = rows_with_chosen(near, own, total)
                .filter_map(|row| self.register_row(eu, row, chosen.as_ref()));
            EuRegisters {
                name: if eu == 0 { "EU0" } else { "EU1" },
                rows: rows.collect(),
            }
        });
        let eus: Vec<EuRegisters> = eus.collect();
        let rows = eus.iter().flat_map(|eu| &eu.rows);
        let characters = rows.map(RegisterRow::characters).max();
        let max_characters = map.types().map(|ty| {
            let notation = self.register_notation(ty);
            dword_characters(notation, notation.width())
        });
        RegistersModel {
            state,
            total,
            characters: characters.unwrap_or(MIN_CHARACTERS),
            max_characters: max_characters.max().unwrap_or(MIN_CHARACTERS),
            eus,
        }
    }

    /// Rows above the first row of an EU: its heading, and EU0's rows unless
    /// shown side by side.
    fn rows_above(&self, eu: u8) -> usize {
        let rows = self.state_view.registers.rows;
        match eu {
            1 if !rows.beside => self.register_map().count(rows.bytes) + 2,
            _ => 1,
        }
    }

    /// Notation of the elements of a variable declared with this type.
    pub(crate) fn register_notation(&self, declared: ElementType) -> Notation {
        let (ty, hex) = self.state_view.register_format.elements(declared);
        Notation { ty, hex }
    }

    fn register_row(
        &self,
        eu: u8,
        index: usize,
        chosen: Option<&ChosenCell>,
    ) -> Option<RegisterRow> {
        let machine = self.session.machine();
        let (file, flags) = (SpaceId::registers(eu), SpaceId::flags(eu));
        let word = |address| flag_word(machine, flags, address);
        let (row, bytes) = match self
            .register_map()
            .at(index, self.state_view.registers.rows.bytes)?
        {
            RowContent::Mask(mask) => {
                let address = flag_address(mask.id);
                let bits = word(address);
                let row = RegisterRow {
                    index,
                    name: Some(Rc::clone(&mask.name)),
                    about: format!("{bits:#x}"),
                    title: None,
                    pending_row: None,
                    place: Place::new(flags, address),
                    data: RowData::Mask {
                        bits,
                        width: mask.width,
                    },
                    chosen: None,
                };
                (row, 4)
            }
            RowContent::Pointers(pointers) => {
                let start = pointers.address();
                let visa = &self.session.program().symbols.visa;
                let count = u64::from(pointers.count);
                let texts = (0..count).map(|i| pointer_text(visa, word(start + 4 * i)));
                let row = RegisterRow {
                    index,
                    name: (pointers.first == 0).then(|| Rc::clone(&pointers.name)),
                    about: match pointers.first {
                        0 => String::from("address"),
                        first => format!("[{first}]"),
                    },
                    title: None,
                    pending_row: None,
                    place: Place::new(flags, start),
                    data: RowData::Pointers(texts.collect()),
                    chosen: None,
                };
                (row, 4 * count)
            }
            RowContent::Values {
                variable,
                offset,
                count,
            } => {
                let notation = self.register_notation(variable.ty);
                let start = u64::from(variable.offset + offset);
                let own = ByteRange::new(file, start, count as u64);
                let mut bytes = [0; MAX_ROW_BYTES];
                machine.space(file).read(start, &mut bytes[..count]);
                let grf = (variable.offset + offset) / self.register_map().grf_bytes;
                let first = offset as usize / usize::from(notation.ty.bytes());
                let pending = self.pending_row(eu);
                let row = RegisterRow {
                    index,
                    name: (offset == 0).then(|| Rc::clone(&variable.name)),
                    about: match offset {
                        0 => format!("{} r{grf}", variable.ty.name()),
                        _ => format!("[{first}] r{grf}"),
                    },
                    title: variable.about.clone(),
                    pending_row: pending
                        .and_then(|(row, range)| range.overlaps(own).then_some(row)),
                    place: Place::new(file, start),
                    data: RowData::Values {
                        bytes,
                        count,
                        notation,
                        changes: self.changes_in(file, start, count as u64),
                        first,
                    },
                    chosen: None,
                };
                (row, count as u64)
            }
        };
        let Place { space, address } = row.place;
        let own = |c: &&ChosenCell| {
            c.place.space == space && (address..address + bytes).contains(&c.place.address)
        };
        Some(RegisterRow {
            chosen: chosen.filter(own).cloned(),
            ..row
        })
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

    /// Row of the pane that shows a register.
    pub(crate) fn register_row_of(&self, place: Place) -> Option<usize> {
        let bytes = self.state_view.registers.rows.bytes;
        let row = self.register_map().row_of(place, bytes)?;
        Some(self.rows_above(place.space.eu()?) + row)
    }

    /// Cells of a row of the pane, EU0's first.
    pub(crate) fn register_row_places(&self, row: usize) -> Vec<Place> {
        let eus = 0..self.register_map().threads;
        let rows = eus.filter_map(|eu| {
            let row = row.checked_sub(self.rows_above(eu))?;
            self.register_row(eu, row, None)
        });
        rows.flat_map(|row| row.places().collect::<Vec<_>>())
            .collect()
    }
}

//! The pane of the registers of a vISA program.

use super::layout::LineContent;
use super::{
    DWORD_GAP, Data, Eu, LEAST_NAMES, LEAST_ROOM, LINE, Layout, Line, MARGIN, RegistersPane,
    RegistersView, dword_characters,
};
use crate::features::highlight::ByteRange;
use crate::features::machine::cells::{Notation, RowFit, ScrollTarget};
use crate::features::machine::flag_word;
use crate::features::machine::inspect::{ChosenCell, Place};
use crate::store::{Request, State};
use lanewise_core::isa::Family;
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, pointer_text};
use std::rc::Rc;

impl State {
    /// Which variable is where, worked out on first use.
    pub(crate) fn layout(&self) -> &Layout {
        let program = self.session.program();
        self.panes
            .layout
            .get_or_init(|| Rc::new(Layout::of(program)))
    }

    /// The registers of every EU that runs, those in view.
    pub(crate) fn registers(&self) -> RegistersPane {
        let view = self.panes.register_view;
        let total = self.layout().count(view.line);
        let chosen = self.chosen();
        let start = (view.first / MARGIN * MARGIN).saturating_sub(MARGIN);
        let end = start + view.count + 4 * MARGIN;
        let eus = (0..self.layout().threads).map(|eu| {
            // Each has a heading above its lines.
            let above = self.above(eu);
            let from = start.saturating_sub(above).min(total);
            let to = end.saturating_sub(above).min(total);
            // The line of the chosen cell stays: the focus may be in it.
            let own = chosen.as_ref().map(|chosen| chosen.place);
            let own = own.filter(|place| place.space.0 < 4 && place.space.0 & 1 == u16::from(eu));
            let kept = own
                .and_then(|place| self.line_of(place)?.checked_sub(above))
                .filter(|index| *index < total);
            let before = kept.filter(|index| *index < from);
            let after = kept.filter(|index| *index >= to);
            let indices = before.into_iter().chain(from..to).chain(after);
            let lines = indices.filter_map(|index| self.line(eu, index, chosen.as_ref()));
            Eu {
                name: if eu == 0 { "EU0" } else { "EU1" },
                lines: lines.collect(),
            }
        });
        let eus: Vec<Eu> = eus.collect();
        let lines = eus.iter().flat_map(|eu| &eu.lines);
        RegistersPane {
            view,
            total,
            characters: lines.map(Line::characters).max().unwrap_or(LEAST_ROOM),
            eus,
        }
    }

    /// Rows above the first line of an EU.
    pub(super) fn above(&self, eu: u8) -> usize {
        match eu {
            1 if !self.panes.register_view.beside => {
                self.layout().count(self.panes.register_view.line) + 2
            }
            _ => 1,
        }
    }

    /// How elements of a register are written whose variable has this type.
    pub(crate) fn register_notation(&self, declared: ElementType) -> Notation {
        let (ty, hex) = self.panes.register_format.elements(declared);
        Notation { ty, hex }
    }

    pub(super) fn line(&self, eu: u8, index: usize, chosen: Option<&ChosenCell>) -> Option<Line> {
        let machine = self.session.machine();
        let (file, flags) = (SpaceId::registers(eu), SpaceId::flags(eu));
        let word = |at| flag_word(machine, flags, at);
        let line = self.panes.register_view.line;
        let (place, bytes, name, about, title, data);
        let mut pending_row = None;
        match self.layout().at(index, line)? {
            LineContent::Mask(id, own, width) => {
                place = Place::new(flags, u64::from(id) * 4);
                let bits = word(place.address);
                (name, title, bytes) = (Some(Rc::clone(own)), None, 4);
                about = format!("{bits:#x}");
                data = Data::Mask(bits, width);
            }
            LineContent::Pointers(id, own, first, count) => {
                let start = ADDRESS_VARIABLES
                    + u64::from(id) * ADDRESS_VARIABLE_BYTES
                    + u64::from(first) * 4;
                place = Place::new(flags, start);
                let visa = &self.session.program().symbols.visa;
                let pointers = (0..u64::from(count))
                    .map(|i| pointer_text(visa, word(start + 4 * i)))
                    .collect();
                name = (first == 0).then(|| Rc::clone(own));
                (title, bytes) = (None, u64::from(count) * 4);
                about = match first {
                    0 => String::from("address"),
                    _ => format!("[{first}]"),
                };
                data = Data::Pointers(pointers);
            }
            LineContent::Values(variable, offset, count) => {
                let notation = self.register_notation(variable.ty);
                let start = u64::from(variable.offset + offset);
                place = Place::new(file, start);
                let mut values = [0; LINE];
                if let Some(values) = values.get_mut(..count) {
                    machine.space(file).read(start, values);
                }
                let grf = (variable.offset + offset) / self.layout().grf_bytes;
                let first = offset as usize / usize::from(notation.ty.bytes());
                name = (offset == 0).then(|| Rc::clone(&variable.name));
                (title, bytes) = (variable.about.clone(), count as u64);
                let own = ByteRange::new(file, start, count as u64);
                let pending = self.pending_row(eu);
                pending_row = pending.and_then(|(row, range)| range.overlaps(own).then_some(row));
                about = match offset {
                    0 => format!("{} r{grf}", variable.ty.name()),
                    _ => format!("[{first}] r{grf}"),
                };
                data = Data::Values {
                    bytes: values,
                    count,
                    notation,
                    changes: self.changes_in(file, start, count as u64),
                    first,
                };
            }
        }
        let own = |c: &&ChosenCell| {
            let at = c.place.address;
            c.place.space == place.space && place.address <= at && at < place.address + bytes
        };
        Some(Line {
            index,
            name,
            about,
            title,
            place,
            data,
            bytes: line,
            chosen: chosen.filter(own).cloned(),
            pending_row,
        })
    }

    /// The row of Dst whose sums a matrix instruction works on and has not
    /// written yet, with its bytes in an EU's register file.
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

    /// What the last step wrote in a range, in order.
    pub(crate) fn changes_in(&self, space: SpaceId, address: u64, bytes: u64) -> Vec<Change> {
        self.last_writes()
            .filter(|c| c.touches(space, address, bytes))
            .copied()
            .collect()
    }

    /// These rows are on the screen now, in a box `width` pixels wide.
    pub(crate) fn scrolled_registers(&mut self, first: usize, count: usize, width: u32) {
        let view = &mut self.panes.register_view;
        (view.first, view.count, view.width) = (first, count, width);
        self.fit_registers();
    }

    /// Makes lines as long as the width of their box and the format let them
    /// be. Where that gives other lines, the same registers stay in view.
    pub(crate) fn fit_registers(&mut self) {
        let RegistersView {
            first,
            count,
            width,
            ..
        } = self.panes.register_view;
        if width == 0 {
            return;
        }
        let beside = self.layout().threads == 2 && width >= 760;
        let each = if beside { width / 2 } else { width };
        let room = f64::from(each.saturating_sub(LEAST_NAMES));
        let characters = self.dword_room();
        let RowFit { bytes, type_size } = RowFit::of(room, 4, characters, characters, DWORD_GAP);
        let before = self.panes.register_view;
        self.panes.register_view.type_size = type_size;
        if (before.beside, before.line) == (beside, bytes) {
            return;
        }
        let top = (first..first + count).find_map(|row| self.line_places(row).first().copied());
        let view = &mut self.panes.register_view;
        (view.beside, view.line) = (beside, bytes);
        let row = top
            .filter(|_| first > 0)
            .and_then(|place| self.line_of(place));
        if let Some(row) = row {
            self.panes.register_view.first = row;
            self.jump_to_register_row(ScrollTarget::First(row));
        }
    }

    /// Characters that every dword needs in the format that is shown: what the
    /// types of the program's variables take, not the values of this step, so
    /// that lines stay as long while stepping.
    pub(super) fn dword_room(&self) -> usize {
        let types = self.layout().types();
        let characters = types.map(|ty| {
            let notation = self.register_notation(ty);
            dword_characters(notation, notation.width())
        });
        characters.max().unwrap_or(LEAST_ROOM)
    }

    pub(super) fn jump_to_register_row(&mut self, target: ScrollTarget) {
        let jump = &mut self.panes.register_view.jump;
        *jump = Request::after(jump.as_ref(), target);
    }

    /// Where it is scrolled to is where it opens again.
    pub(in crate::features::machine) fn keep_register_scroll(&mut self) {
        let view = &self.panes.register_view;
        let first = match self.family() {
            Family::Visa => view.first,
            Family::Sass => view.first_column,
        };
        self.jump_to_register_row(ScrollTarget::First(first));
    }

    /// Brings a register into view, unless it is there.
    pub(crate) fn show_register(&mut self, place: Place) {
        let (row, visible) = match self.family() {
            Family::Visa => {
                let view = &self.panes.register_view;
                (self.line_of(place), view.first..view.first + view.count)
            }
            Family::Sass => {
                let view = &self.panes.register_view;
                let columns = view.first_column..view.first_column + view.columns;
                (self.warp_column(place), columns)
            }
        };
        if let Some(row) = row.filter(|row| !visible.contains(row)) {
            self.jump_to_register_row(ScrollTarget::InView(row));
        }
    }

    pub(crate) fn first_register_row(&self) -> usize {
        match self.family() {
            Family::Sass => 0,
            Family::Visa => self.panes.register_view.first,
        }
    }

    /// The row of the pane that shows a register.
    pub(crate) fn line_of(&self, place: Place) -> Option<usize> {
        let eu = (place.space.0 & 1) as u8;
        let line = self
            .layout()
            .line_of(place, self.panes.register_view.line)?;
        (place.space.0 < 4).then(|| self.above(eu) + line)
    }

    /// The cells of a row, those of EU0 first.
    pub(crate) fn line_places(&self, row: usize) -> Vec<Place> {
        let total = self.layout().count(self.panes.register_view.line);
        let mut places = Vec::new();
        for eu in 0..self.layout().threads {
            let index = row.checked_sub(self.above(eu));
            let Some(line) = index
                .filter(|index| *index < total)
                .and_then(|index| self.line(eu, index, None))
            else {
                continue;
            };
            let (cells, size) = match line.data {
                Data::Mask(..) => (1, 4),
                Data::Pointers(pointers) => (pointers.len(), 4),
                Data::Values {
                    count, notation, ..
                } => {
                    let size = usize::from(notation.ty.bytes());
                    (count / size, size)
                }
            };
            let at =
                |i: usize| Place::new(line.place.space, line.place.address + (i * size) as u64);
            places.extend((0..cells).map(at));
        }
        places
    }
}

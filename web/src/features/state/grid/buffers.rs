//! Rows of the buffers of a kernel launch: one section for each buffer.

use super::{GridRow, GridShape, Layout, RowKind};
use crate::features::state::cells::Cell;
use crate::features::state::inputs::StateInputs;
use crate::features::state::place::Place;
use lanewise_answer::notation::{Notation, little_endian};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Buffer;
use std::rc::Rc;

/// Maximum number of elements per row that fit the pane.
const MAX_FITTED: usize = 32;

/// Size, in bytes, up to which the changed elements of a buffer are counted.
const MAX_COUNTED: u64 = 1 << 16;

/// Rows of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferRows {
    /// Row of the heading.
    first: u64,
    /// Elements per row.
    slots: usize,
    /// Number of rows, with the heading.
    rows: u64,
}

impl StateInputs {
    /// Buffers of the launch.
    pub(crate) fn buffers(&self) -> &[Buffer] {
        let launch = self.session.program().launch.as_ref();
        launch.map_or(&[], |launch| &launch.buffers)
    }

    /// The buffer that contains a place.
    pub(in crate::features::state) fn buffer_at(&self, place: Place) -> Option<usize> {
        let holds = |buffer: &Buffer| place.address.wrapping_sub(buffer.address) < buffer.bytes();
        let is_here = place.space == SpaceId::VIRTUAL;
        self.buffers().iter().position(|b| is_here && holds(b))
    }

    pub(super) fn buffers_shape(&self, characters: usize) -> GridShape {
        let mut rows = 0;
        let buffers = self.buffers().iter().map(|buffer| {
            let slots = match self.state_view.row_lengths.get(&*buffer.name) {
                Some(slots) => *slots,
                None => fitting_slots(buffer, characters),
            };
            let own = BufferRows {
                first: rows,
                slots,
                rows: 1 + buffer.elements.div_ceil(slots as u64),
            };
            rows += own.rows;
            own
        });
        let buffers = buffers.collect();
        GridShape {
            rows,
            heads: Vec::new(),
            layout: Layout::Buffers(buffers),
        }
    }

    pub(super) fn buffer_row(&self, shapes: &[BufferRows], index: u64) -> Option<GridRow> {
        let at = shapes
            .partition_point(|shape| shape.first <= index)
            .checked_sub(1)?;
        let (buffer, shape) = (self.buffers().get(at)?, shapes.get(at)?);
        let ty = buffer.ty.name();
        let title = format!("{} : {ty}[{}]", buffer.name, buffer.elements);
        let section: Rc<str> = Rc::from(&*title);
        let Some(row) = (index - shape.first).checked_sub(1) else {
            let about = match self.changed_elements(buffer) {
                Some(0) | None => String::new(),
                Some(count) => format!("{count} changed by this launch"),
            };
            return Some(GridRow {
                section: Rc::clone(&section),
                name: Some(section),
                kind: RowKind::Heading,
                ..GridRow::new(index, about, Vec::new())
            });
        };
        let first = row * shape.slots as u64;
        let count = (buffer.elements - first).min(shape.slots as u64);
        let notation = Notation {
            ty: buffer.ty,
            hex: false,
        };
        let address = buffer.address + first * u64::from(buffer.ty.bytes());
        let count = usize::try_from(count).expect("a row has few elements");
        let mut cells = self.cells(SpaceId::VIRTUAL, address, count, notation);
        self.compare_with_start(&mut cells, buffer);
        Some(GridRow {
            section,
            slots: shape.slots,
            ..GridRow::new(index, first.to_string(), cells)
        })
    }

    /// Replaces the values before the step by those before the launch.
    fn compare_with_start(&self, cells: &mut [Cell], buffer: &Buffer) {
        let start = self.session.program().before_launch();
        let start = start.space(SpaceId::VIRTUAL);
        for cell in cells {
            let before = start.load(cell.place.address, buffer.ty.bytes());
            let before = before.expect("buffers are mapped");
            cell.was = (before != cell.bits).then_some(before);
        }
    }

    /// Number of elements that differ from their initial values; `None` for a
    /// large buffer.
    fn changed_elements(&self, buffer: &Buffer) -> Option<usize> {
        let bytes = usize::try_from(buffer.bytes().min(MAX_COUNTED + 1)).ok()?;
        if bytes as u64 > MAX_COUNTED {
            return None;
        }
        let (mut now, mut before) = (vec![0; bytes], vec![0; bytes]);
        let (machine, start) = (
            self.session.machine(),
            self.session.program().before_launch(),
        );
        machine
            .space(SpaceId::VIRTUAL)
            .read(buffer.address, &mut now);
        start
            .space(SpaceId::VIRTUAL)
            .read(buffer.address, &mut before);
        let size = usize::from(buffer.ty.bytes());
        let pairs = now.chunks(size).zip(before.chunks(size));
        Some(
            pairs
                .filter(|(now, before)| little_endian(now) != little_endian(before))
                .count(),
        )
    }

    pub(super) fn buffer_row_of(&self, shapes: &[BufferRows], place: Place) -> Option<u64> {
        let index = self.buffer_at(place)?;
        let (buffer, shape) = (&self.buffers()[index], shapes.get(index)?);
        let element = (place.address - buffer.address) / u64::from(buffer.ty.bytes());
        Some(shape.first + 1 + element / shape.slots as u64)
    }
}

/// The largest power of two of elements that fit into a row.
fn fitting_slots(buffer: &Buffer, characters: usize) -> usize {
    let notation = Notation {
        ty: buffer.ty,
        hex: false,
    };
    let index = buffer.elements.saturating_sub(1).to_string().len();
    let width = notation.width().min(super::USUAL_CHARACTERS) + 1;
    let fitting = characters.saturating_sub(index + 2) / width;
    let slots = fitting.clamp(1, MAX_FITTED);
    1 << slots.ilog2()
}

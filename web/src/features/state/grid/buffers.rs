//! Rows of the buffers of a kernel launch: one section for each buffer.

use super::{GridRow, GridShape, Layout, RowKind};
use crate::features::state::cells::Cell;
use crate::features::state::inputs::StateInputs;
use crate::features::state::place::Place;
use lanewise_answer::buffer_view::BufferView;
use lanewise_answer::notation::Notation;
use lanewise_core::ide::StructField;
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
    elements: usize,
    /// Number of rows with headings of columns: 0 or 1.
    heads: u64,
    /// Number of rows, with the headings.
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
        let buffers = self.buffers().iter().zip(&*self.views);
        let buffers = buffers.map(|(buffer, view)| {
            let chosen = self.state_view.row_lengths.get(&*buffer.name);
            let has_heads = view.has_fields() || chosen.is_some();
            let elements = match chosen {
                Some(elements) => *elements,
                None if view.has_fields() => 1,
                None => fitting_elements(view, buffer.bytes(), characters),
            };
            let own = BufferRows {
                first: rows,
                elements,
                heads: u64::from(has_heads),
                rows: 1
                    + u64::from(has_heads)
                    + view.elements(buffer.bytes()).div_ceil(elements as u64),
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
        let view = self.views.get(at)?;
        let title = format!("{} : {}", buffer.name, view.title(buffer.bytes()));
        let section: Rc<str> = Rc::from(&*title);
        let Some(row) = (index - shape.first).checked_sub(1) else {
            let about = match self.changed_elements(buffer, view) {
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
        let slots = shape.elements * view.layout.fields.len();
        let Some(row) = row.checked_sub(shape.heads) else {
            let heads = (0..shape.elements).flat_map(|element| {
                let fields = view.layout.fields.iter();
                fields.map(move |field| match &*field.path {
                    "" => Rc::from(element.to_string()),
                    path => Rc::from(path),
                })
            });
            return Some(GridRow {
                section,
                slots,
                kind: RowKind::Columns,
                heads: heads.collect(),
                ..GridRow::new(index, String::new(), Vec::new())
            });
        };
        let first = row * shape.elements as u64;
        let last = view
            .elements(buffer.bytes())
            .min(first + shape.elements as u64);
        let mut cells = match view.has_fields() {
            false => {
                let notation = notation_of(view.layout.fields.first()?);
                let size = u64::from(view.layout.size);
                let count = (buffer.bytes() / size).min(last).saturating_sub(first);
                let count = usize::try_from(count).expect("a row has few elements");
                self.cells(
                    SpaceId::VIRTUAL,
                    buffer.address + first * size,
                    count,
                    notation,
                )
            }
            true => {
                let fields = (first..last).flat_map(|e| view.fields(e, buffer.bytes()));
                let cells = fields.flat_map(|(at, field)| {
                    let address = buffer.address + at;
                    self.cells(SpaceId::VIRTUAL, address, 1, notation_of(field))
                });
                cells.collect()
            }
        };
        self.compare_with_start(&mut cells);
        Some(GridRow {
            section,
            slots,
            ..GridRow::new(index, first.to_string(), cells)
        })
    }

    /// Replaces the values before the step by those before the launch.
    fn compare_with_start(&self, cells: &mut [Cell]) {
        let start = self.session.program().before_launch();
        for cell in cells {
            let before = cell.place.bits(cell.kind).load(start);
            let before = before.expect("buffers are mapped");
            cell.was = (before != cell.bits).then_some(before);
        }
    }

    /// Number of elements that differ from their initial values; `None` for a
    /// large buffer.
    fn changed_elements(&self, buffer: &Buffer, view: &BufferView) -> Option<usize> {
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
        let size = usize::try_from(view.layout.size).ok()?;
        let pairs = now.chunks(size).zip(before.chunks(size));
        Some(pairs.filter(|(now, before)| now != before).count())
    }

    pub(super) fn buffer_row_of(&self, shapes: &[BufferRows], place: Place) -> Option<u64> {
        let index = self.buffer_at(place)?;
        let (view, shape) = (self.views.get(index)?, shapes.get(index)?);
        let offset = place.address - self.buffers()[index].address;
        let element = offset / u64::from(view.layout.size);
        Some(shape.first + 1 + shape.heads + element / shape.elements as u64)
    }
}

const fn notation_of(field: &StructField) -> Notation {
    Notation {
        ty: field.element,
        hex: false,
    }
}

/// The largest power of two of scalars that fit into a row.
fn fitting_elements(view: &BufferView, bytes: u64, characters: usize) -> usize {
    let index = view.elements(bytes).saturating_sub(1).to_string().len();
    let notations = view.layout.fields.iter().map(notation_of);
    let width = notations.map(|notation| notation.width().min(super::USUAL_CHARACTERS) + 1);
    let fitting = characters.saturating_sub(index + 2) / width.sum::<usize>();
    let elements = fitting.clamp(1, MAX_FITTED);
    1 << elements.ilog2()
}

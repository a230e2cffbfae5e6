//! Rows of the buffers of a kernel launch: one section for each buffer.

use super::cells::Cell;
use super::place::Place;
use super::{GridRow, GridShape, Grids, Layout, RowKind, USUAL_CHARACTERS};
use crate::buffer_view::BufferView;
use crate::notation::Notation;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::ops::Range;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Buffer;
use lanewise_core::program::StructField;

/// Maximum number of elements in a row.
pub const MAX_ROW_LENGTH: usize = 1024;

/// Maximum number of elements per row that fit the pane.
const MAX_FITTED: usize = 32;

/// Padding and gaps beside the index of a row and beside a value, in characters.
const ROOM_BESIDE_INDEX: usize = 4;
const ROOM_BESIDE_VALUE: usize = 2;

/// Size, in bytes, up to which the longest value of a buffer is looked for; that of a larger one
/// is taken to be the longest of its type.
const MAX_MEASURED: u64 = 1 << 12;

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

impl<'s> Grids<'s> {
    /// Buffers of the launch.
    pub fn buffers(&self) -> &'s [Buffer] {
        let launch = self.session.program().launch.as_ref();
        launch.map_or(&[], |launch| &launch.buffers)
    }

    /// The row length that was chosen for a buffer, if it is valid.
    pub(super) fn row_length(&self, buffer: &Buffer) -> Option<usize> {
        let chosen = self.view.row_lengths.get(&*buffer.name).copied();
        chosen.filter(|length| (1..=MAX_ROW_LENGTH).contains(length))
    }

    /// The buffer that contains a place.
    pub fn buffer_at(&self, place: Place) -> Option<usize> {
        let holds = |buffer: &Buffer| place.address.wrapping_sub(buffer.address) < buffer.bytes();
        let is_here = place.space == SpaceId::VIRTUAL;
        self.buffers().iter().position(|b| is_here && holds(b))
    }

    /// The buffer that names these rows: `shown`, if one of its rows is among them, or else the
    /// first.
    pub fn buffer_in_view(
        &self,
        shape: &GridShape,
        rows: Range<u64>,
        shown: usize,
    ) -> Option<usize> {
        let Layout::Buffers(buffers) = &shape.layout else {
            return None;
        };
        let is_in_view =
            |own: &BufferRows| own.first < rows.end && rows.start < own.first + own.rows;
        let is_shown = buffers.get(shown).is_some_and(is_in_view);
        let first = || buffers.iter().position(is_in_view);
        is_shown.then_some(shown).or_else(first)
    }

    pub(super) fn buffers_shape(&self, characters: usize) -> GridShape {
        let mut rows = 0;
        let buffers = self.buffers().iter().zip(self.buffer_views);
        let buffers = buffers.map(|(buffer, view)| {
            let chosen = self.row_length(buffer);
            let has_heads = view.has_fields() || chosen.is_some();
            let most = (MAX_ROW_LENGTH / view.layout.fields.len()).max(1);
            let elements = match chosen {
                Some(elements) => elements.min(most),
                None if view.has_fields() => 1,
                None => {
                    let fitting = self.fitting_elements(buffer, view, characters);
                    1 << fitting.clamp(1, MAX_FITTED).ilog2()
                }
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

    /// How many elements with one field fit beside each other.
    fn fitting_elements(&self, buffer: &Buffer, view: &BufferView, characters: usize) -> usize {
        let Some(notation) = view.layout.fields.first().map(notation_of) else {
            return 1;
        };
        let (bytes, size) = (buffer.bytes(), u64::from(view.layout.size));
        let longest = match bytes {
            0..=MAX_MEASURED => {
                let count = usize::try_from(bytes / size).expect("the buffer is small");
                let cells = self.cells(SpaceId::VIRTUAL, buffer.address, count, notation);
                let lengths = cells.iter().map(|cell| cell.text_of(cell.bits).len());
                lengths.fold(USUAL_CHARACTERS, usize::max)
            }
            _ => notation.width(),
        };
        let bits = usize::from(self.view.shows_hex) * (2 * usize::from(notation.ty.bytes()) + 1);
        let index = view.elements(bytes).saturating_sub(1).to_string().len();
        let room = characters.saturating_sub(index + ROOM_BESIDE_INDEX);
        room / (longest.min(notation.width()) + ROOM_BESIDE_VALUE + bits)
    }

    pub(super) fn buffer_row(&self, shapes: &[BufferRows], index: u64) -> Option<GridRow> {
        let at = shapes
            .partition_point(|shape| shape.first <= index)
            .checked_sub(1)?;
        let (buffer, shape) = (self.buffers().get(at)?, shapes.get(at)?);
        let view = self.buffer_views.get(at)?;
        let title = match buffer.is_null {
            true => format!("{} : NULL", buffer.name),
            false => format!("{} : {}", buffer.name, view.title(buffer.bytes())),
        };
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
                    path if shape.elements > 1 => Rc::from(format!("{element}.{path}")),
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
            shows_hex: self.view.shows_hex,
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
        let (now, before) = self.now_and_before(buffer, MAX_COUNTED)?;
        let size = usize::try_from(view.layout.size).ok()?;
        let pairs = now.chunks(size).zip(before.chunks(size));
        let is_changed = |(now, before): &(&[u8], &[u8])| {
            view.layout.fields.iter().any(|field| {
                let first = field.offset as usize;
                let bytes = first..first + usize::from(field.element.bytes());
                now.get(bytes.clone()) != before.get(bytes)
            })
        };
        Some(pairs.filter(is_changed).count())
    }

    /// The bytes of a buffer, and those before the launch; `None` if there are more than `most`.
    fn now_and_before(&self, buffer: &Buffer, most: u64) -> Option<(Vec<u8>, Vec<u8>)> {
        let bytes = usize::try_from(buffer.bytes()).ok()?;
        if buffer.bytes() > most {
            return None;
        }
        let (machine, start) = (
            self.session.machine(),
            self.session.program().before_launch(),
        );
        let [now, before] = [machine, start].map(|machine| {
            let mut contents = vec![0; bytes];
            let memory = machine.space(SpaceId::VIRTUAL);
            memory.read(buffer.address, &mut contents);
            contents
        });
        Some((now, before))
    }

    /// The first changed field of a buffer after a cell, or else of the buffer.
    pub fn next_change(&self, index: usize, cell: Option<Place>) -> Option<Place> {
        let (buffer, view) = (self.buffers().get(index)?, self.buffer_views.get(index)?);
        let (now, before) = self.now_and_before(buffer, u64::MAX)?;
        let cell = cell.filter(|place| self.buffer_at(*place) == Some(index));
        let after = cell.map_or(0, |place| place.address - buffer.address + 1);
        let field = |offset: usize| {
            let (element, field) = view.layout.field_at(offset as u64)?;
            let start = element * u64::from(view.layout.size) + u64::from(field.offset);
            let is_whole = start + u64::from(field.element.bytes()) <= buffer.bytes();
            is_whole.then_some(start)
        };
        let pairs = now.iter().zip(&before).enumerate();
        let changed = pairs.filter(|(_, (now, before))| now != before);
        let mut changed = changed.filter_map(|(offset, _)| field(offset)).peekable();
        let first = *changed.peek()?;
        let next = changed.find(|start| *start >= after).unwrap_or(first);
        Some(Place::new(SpaceId::VIRTUAL, buffer.address + next))
    }

    pub(super) fn buffer_row_of(&self, shapes: &[BufferRows], place: Place) -> Option<u64> {
        let index = self.buffer_at(place)?;
        let (view, shape) = (self.buffer_views.get(index)?, shapes.get(index)?);
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

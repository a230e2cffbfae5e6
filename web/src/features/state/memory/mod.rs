//! Memory views: the region, the rows in view, and their bytes.

mod model;
mod reducer;

use super::cells::{Cell, Notation, cut, little_endian};
use super::format::MemoryFormat;
use super::inspect::ChosenCell;
use super::memories::{Memories, MemoryKind};
use super::rows::{ROW_BYTES, RowsInView};
use super::tab::Tab;
use crate::features::highlight::ByteRange;
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::session::Session;
use std::ops::Range;
use std::rc::Rc;

/// Maximum row length in bytes: eight dwords.
pub(crate) const MAX_ROW_BYTES: usize = ROW_BYTES[0];

/// Row length in bytes before the pane is measured: four dwords.
const USUAL_ROW_BYTES: usize = ROW_BYTES[1];

/// Visible rows before they are counted.
const USUAL_ROWS: usize = 24;

/// Maximum number of rows covered by the scroll bar; "Go to address" moves the
/// window.
const MAX_ROWS: u64 = 1 << 18;

/// Mapped region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) space: SpaceId,
    pub(crate) name: Rc<str>,
    pub(crate) start: u64,
    pub(crate) last: u64,
}

impl Region {
    /// Number of the first row, counted from address 0.
    const fn first_row(&self, row_bytes: u64) -> u64 {
        self.start / row_bytes
    }

    const fn rows(&self, row_bytes: u64) -> u64 {
        self.last / row_bytes - self.first_row(row_bytes) + 1
    }

    pub(crate) const fn holds(&self, address: u64) -> bool {
        self.start <= address && address <= self.last
    }
}

/// View state of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryState {
    /// Index of the region.
    pub(crate) region: usize,
    pub(crate) format: MemoryFormat,
    /// Type of the current instruction, or of the last one that accessed this
    /// memory.
    pub(crate) used_type: ElementType,
    /// Row length in bytes: one of [`ROW_BYTES`].
    pub(crate) row_bytes: usize,
    /// First row covered by the scroll bar, relative to the region. The scroll
    /// bar covers at most [`MAX_ROWS`].
    base: u64,
    /// Rows in view, relative to `base`.
    pub(crate) in_view: RowsInView,
}

impl MemoryState {
    pub(crate) const NEW: Self = Self {
        region: 0,
        format: MemoryFormat::AS_USED,
        used_type: ElementType::Ud,
        row_bytes: USUAL_ROW_BYTES,
        base: 0,
        in_view: RowsInView::new(USUAL_ROWS),
    };

    /// Rows in view, relative to the region.
    pub(crate) fn rows_in_view(&self) -> Range<u64> {
        let Range { start, end } = self.in_view.range();
        self.base + start as u64..self.base + end as u64
    }

    pub(crate) fn notation(&self) -> Notation {
        Notation {
            ty: self.format.ty.unwrap_or(self.used_type),
            hex: self.format.hex,
        }
    }

    const fn row_bytes(&self) -> u64 {
        self.row_bytes as u64
    }

    /// Changes the row length, keeping the address at the top.
    fn set_row_bytes(&mut self, bytes: usize) {
        if bytes == self.row_bytes || !ROW_BYTES.contains(&bytes) {
            return;
        }
        let top = self.rows_in_view().start * self.row_bytes();
        self.row_bytes = bytes;
        let row = top / self.row_bytes();
        self.base = row / MAX_ROWS * MAX_ROWS;
        let first = usize::try_from(row - self.base).expect("MAX_ROWS fits in usize");
        self.in_view.scroll_to(first);
    }

    /// Shows a region from its start.
    fn show_region(&mut self, index: usize) {
        (self.region, self.base) = (index, 0);
    }

    /// Row of an address, after moving the scroll-bar window to cover it.
    fn cover(&mut self, region: &Region, address: u64) -> usize {
        let bytes = self.row_bytes();
        let row = (address / bytes).saturating_sub(region.first_row(bytes));
        if row < self.base || row - self.base >= MAX_ROWS {
            self.base = row / MAX_ROWS * MAX_ROWS;
        }
        usize::try_from(row - self.base).expect("MAX_ROWS fits in usize")
    }

    /// Scrolls to an address unless it is in view.
    fn show(&mut self, region: &Region, address: u64) {
        let row = self.cover(region, address);
        self.in_view.show(row);
    }

    /// Scrolls to an address even if it is in view.
    fn go_to(&mut self, region: &Region, address: u64) {
        let row = self.cover(region, address);
        self.in_view.scroll_near(row);
    }
}

/// Row of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemoryRow {
    /// Index in the list.
    pub(crate) index: usize,
    pub(crate) address: u64,
    /// Only the bytes in [`Self::mapped`] are valid.
    pub(crate) bytes: [u8; MAX_ROW_BYTES],
    /// Range of mapped bytes.
    pub(crate) mapped: Range<usize>,
    /// Row length in bytes.
    pub(crate) row_bytes: usize,
    pub(crate) changes: Vec<Change>,
    /// Bytes that the last step read without writing.
    pub(crate) read: Option<ByteRange>,
    pub(crate) notation: Notation,
    pub(crate) space: SpaceId,
    /// The inspected cell, if it is in this row.
    pub(crate) chosen: Option<ChosenCell>,
}

impl MemoryRow {
    /// Byte range of the complete elements.
    pub(crate) fn elements(&self) -> Range<usize> {
        let size = usize::from(self.notation.ty.bytes());
        let from = self.mapped.start.next_multiple_of(size);
        from..(self.mapped.end / size * size).max(from)
    }

    /// Elements of the row, with changes of the last step.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let range = self.elements();
        let address = self.address + range.start as u64;
        let mut cells = cut(&self.bytes[range], address, self.notation, &self.changes);
        if let Some(read) = self.read {
            let size = u64::from(self.notation.ty.bytes());
            for (cell, start) in cells.iter_mut().zip((address..).step_by(size as usize)) {
                cell.read = read.overlaps(ByteRange::new(self.space, start, size));
            }
        }
        cells
    }

    /// Length of the longest value in characters.
    fn characters(&self) -> usize {
        let size = usize::from(self.notation.ty.bytes());
        let bytes = &self.bytes[self.elements()];
        let lengths = bytes
            .chunks(size)
            .map(|element| self.notation.characters(little_endian(element)));
        lengths.max().unwrap_or(0)
    }
}

/// Model of a memory tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemoryModel {
    pub(crate) kind: MemoryKind,
    pub(crate) tab: Tab,
    pub(crate) regions: Rc<[Region]>,
    pub(crate) state: MemoryState,
    /// Number of rows covered by the scroll bar.
    pub(crate) total: usize,
    /// Rows in view, plus a margin.
    pub(crate) rows: Vec<MemoryRow>,
    /// Length of the longest value in these rows, in characters.
    pub(crate) characters: usize,
    /// Number of bytes covered by the scroll bar, if the region has more.
    pub(crate) cut: Option<u64>,
}

/// Regions of every memory; fixed for a run.
fn regions_of(session: &Session) -> Memories<Rc<[Region]>> {
    let machine = session.machine();
    let symbols = &session.program().symbols;
    let of = |space: SpaceId| {
        let name = symbols.memory_name(space);
        let name = name.expect("the space is a memory of the target, or a surface");
        let regions = machine.space(space).regions();
        let alone = regions.len() == 1 && space != SpaceId::VIRTUAL;
        let region = |(start, bytes): (u64, u64)| Region {
            space,
            name: Rc::from(if alone {
                format!("{name}, {bytes} bytes")
            } else {
                format!("{name} {start:#x}, {bytes} bytes")
            }),
            start,
            last: start + (bytes - 1),
        };
        regions.map(region).collect::<Vec<_>>()
    };
    Memories::from_fn(|kind| match kind {
        MemoryKind::Local => of(SpaceId::SLM).into(),
        MemoryKind::Virtual => of(SpaceId::VIRTUAL).into(),
        // Ordered by surface number, then by start address.
        MemoryKind::Surfaces => (0..=u8::MAX)
            .filter(|index| symbols.visa.has_surface(*index))
            .flat_map(|index| of(SpaceId::surface(index)))
            .collect(),
    })
}

/// Index of the region that contains an address. `regions` are sorted by space
/// and start.
pub(crate) fn region_at(regions: &[Region], space: SpaceId, address: u64) -> Option<usize> {
    let after = regions.partition_point(|r| (r.space, r.start) <= (space, address));
    let index = after.checked_sub(1)?;
    let region = regions.get(index)?;
    (region.space == space && region.holds(address)).then_some(index)
}

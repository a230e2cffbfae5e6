//! Memories: which region, which rows, and the bytes of those rows.

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

/// The most bytes of a row: eight dwords.
pub(crate) const MAX_ROW_BYTES: usize = ROW_BYTES[0];

/// Bytes of a row as long as nobody has measured the pane: four dwords.
const USUAL_ROW_BYTES: usize = ROW_BYTES[1];

/// Rows in view as long as nobody has counted them.
const USUAL_ROWS: usize = 24;

/// The most rows of a region that one scroll bar covers; "go to" moves on.
const MAX_ROWS: u64 = 1 << 18;

/// A mapped piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) space: SpaceId,
    pub(crate) name: Rc<str>,
    pub(crate) start: u64,
    pub(crate) last: u64,
}

impl Region {
    /// The number of its first row, counted from address 0.
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

/// What is in view of a memory, and how its values are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryState {
    /// The region, by its index.
    pub(crate) region: usize,
    pub(crate) format: MemoryFormat,
    /// The type of the instruction at hand, or of the last that accessed it.
    pub(crate) used_type: ElementType,
    /// Bytes of a row: one of [`ROW_BYTES`].
    pub(crate) row_bytes: usize,
    /// The first row that the scroll bar covers, counted from the region's: it
    /// covers at most [`MAX_ROWS`].
    base: u64,
    /// The rows in view, counted from `base`.
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

    /// The rows in view, counted from the region's first.
    pub(crate) fn rows_in_view(&self) -> Range<u64> {
        let Range { start, end } = self.in_view.range();
        self.base + start as u64..self.base + end as u64
    }

    /// How its elements are written.
    pub(crate) fn notation(&self) -> Notation {
        Notation {
            ty: self.format.ty.unwrap_or(self.used_type),
            hex: self.format.hex,
        }
    }

    const fn row_bytes(&self) -> u64 {
        self.row_bytes as u64
    }

    /// Shows so many bytes a row, the same addresses at the top.
    fn set_row_bytes(&mut self, bytes: usize) {
        if bytes == self.row_bytes || !ROW_BYTES.contains(&bytes) {
            return;
        }
        let top = self.rows_in_view().start * self.row_bytes();
        self.row_bytes = bytes;
        let row = top / self.row_bytes();
        self.base = row / MAX_ROWS * MAX_ROWS;
        let first = usize::try_from(row - self.base).expect("MAX_ROWS fits a usize");
        self.in_view.scroll_to(first);
    }

    /// Shows a region, from its start.
    fn show_region(&mut self, index: usize) {
        (self.region, self.base) = (index, 0);
    }

    /// The row of an address, with the scroll bar moved to cover it.
    fn cover(&mut self, region: &Region, address: u64) -> usize {
        let bytes = self.row_bytes();
        let row = (address / bytes).saturating_sub(region.first_row(bytes));
        if row < self.base || row - self.base >= MAX_ROWS {
            self.base = row / MAX_ROWS * MAX_ROWS;
        }
        usize::try_from(row - self.base).expect("MAX_ROWS fits a usize")
    }

    /// Brings an address into view, unless it is there.
    fn show(&mut self, region: &Region, address: u64) {
        let row = self.cover(region, address);
        self.in_view.show(row);
    }

    /// Scrolls to an address, even if it is in view.
    fn go_to(&mut self, region: &Region, address: u64) {
        let row = self.cover(region, address);
        self.in_view.scroll_near(row);
    }
}

/// A row of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemoryRow {
    /// Its place in the list.
    pub(crate) index: usize,
    pub(crate) address: u64,
    /// Its bytes; only [`Self::mapped`] of them mean something.
    pub(crate) bytes: [u8; MAX_ROW_BYTES],
    /// Which of the bytes are mapped.
    pub(crate) mapped: Range<usize>,
    /// How many bytes a row has.
    pub(crate) row_bytes: usize,
    pub(crate) changes: Vec<Change>,
    /// What the last step read in it without writing it.
    pub(crate) read: Option<ByteRange>,
    pub(crate) notation: Notation,
    pub(crate) space: SpaceId,
    /// The chosen cell, if it is in this row.
    pub(crate) chosen: Option<ChosenCell>,
}

impl MemoryRow {
    /// Where in the row its whole elements are.
    pub(crate) fn elements(&self) -> Range<usize> {
        let size = usize::from(self.notation.ty.bytes());
        let from = self.mapped.start.next_multiple_of(size);
        from..(self.mapped.end / size * size).max(from)
    }

    /// Its elements, with what the last step did to them.
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

    /// The most characters of a value.
    fn characters(&self) -> usize {
        let size = usize::from(self.notation.ty.bytes());
        let bytes = &self.bytes[self.elements()];
        let lengths = bytes
            .chunks(size)
            .map(|element| self.notation.characters(little_endian(element)));
        lengths.max().unwrap_or(0)
    }
}

/// What the State pane shows of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemoryModel {
    pub(crate) kind: MemoryKind,
    pub(crate) tab: Tab,
    pub(crate) regions: Rc<[Region]>,
    pub(crate) state: MemoryState,
    /// All rows that the scroll bar covers.
    pub(crate) total: usize,
    /// The rows in view and a margin.
    pub(crate) rows: Vec<MemoryRow>,
    /// The most characters of a value in these rows.
    pub(crate) characters: usize,
    /// How many bytes the scroll bar covers, where the region has more.
    pub(crate) cut: Option<u64>,
}

/// The regions of every memory; a run maps none.
fn regions_of(session: &Session) -> Memories<Rc<[Region]>> {
    let machine = session.machine();
    let symbols = &session.program().symbols;
    let of = |space: SpaceId| {
        let name = symbols.memory_name(space);
        let name = name.expect("a memory of the target, or a surface");
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
        // By number, and each one's regions by start: in order already.
        MemoryKind::Surfaces => (0..=u8::MAX)
            .filter(|index| symbols.visa.has_surface(*index))
            .flat_map(|index| of(SpaceId::surface(index)))
            .collect(),
    })
}

/// Which of the regions, in the order of space and start, holds an address.
pub(crate) fn region_at(regions: &[Region], space: SpaceId, address: u64) -> Option<usize> {
    let after = regions.partition_point(|r| (r.space, r.start) <= (space, address));
    let index = after.checked_sub(1)?;
    let region = regions.get(index)?;
    (region.space == space && region.holds(address)).then_some(index)
}

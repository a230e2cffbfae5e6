//! Rows of a memory.

use super::memories::MemoryKind;
use super::regions::Region;
use super::{GridRow, GridShape, Grids, Layout, fitting_row_bytes};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl<'s> Grids<'s> {
    pub(super) fn memory_shape(&self, kind: MemoryKind, characters: usize) -> GridShape {
        let Some(region) = self.shown_region(kind) else {
            return GridShape {
                rows: 0,
                heads: Vec::new(),
                layout: Layout::Empty,
            };
        };
        let notation = self.view.memories[kind].notation();
        let size = usize::from(notation.ty.bytes());
        let address = format!("{:04x}", region.last).len();
        let room = characters.saturating_sub(address + 2);
        let row_bytes = fitting_row_bytes(room, size, notation.width());
        let columns = (0..row_bytes / size).map(|column| format!("+{:X}", column * size));
        GridShape {
            rows: region.rows(row_bytes as u64),
            heads: core::iter::once(String::from("Address"))
                .chain(columns)
                .collect(),
            layout: Layout::Memory {
                region: region.clone(),
                row_bytes: row_bytes as u64,
            },
        }
    }

    pub(super) fn memory_row(&self, region: &Region, row_bytes: u64, index: u64) -> GridRow {
        let kind = MemoryKind::of(region.space).expect("regions belong to a memory");
        let notation = self.view.memories[kind].notation();
        let size = u64::from(notation.ty.bytes());
        let address = (region.first_row(row_bytes) + index) * row_bytes;
        // Complete elements between the edges of the region.
        let from = (region.start.max(address) - address).next_multiple_of(size);
        let to = region.last.min(address + (row_bytes - 1)) - address + 1;
        let count = (to / size).saturating_sub(from / size);
        let start = address.wrapping_add(from);
        GridRow {
            slots: usize::try_from(row_bytes / size).expect("a row has at most 32 elements"),
            skipped: usize::try_from(from / size).expect("a row has at most 32 elements"),
            ..GridRow::new(
                index,
                format!("{address:04x}"),
                self.cells(
                    region.space,
                    start,
                    usize::try_from(count).expect("a row has at most 32 elements"),
                    notation,
                ),
            )
        }
    }
}

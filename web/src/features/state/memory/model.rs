//! Model of the rows in view of a memory.

use super::{MAX_ROW_BYTES, MAX_ROWS, MemoryModel, MemoryRow, MemoryState, Region, regions_of};
use crate::features::highlight::ByteRange;
use crate::features::state::inputs::StateInputs;
use crate::features::state::inspect::ChosenCell;
use crate::features::state::memories::MemoryKind;
use crate::features::state::place::Place;
use crate::features::state::rows::rows_with_chosen;
use crate::features::state::tab::Tab;
use lanewise_core::machine::{Change, SpaceId};
use std::rc::Rc;

/// Overscan: rows computed above and below those in view.
const MARGIN: usize = 4;

impl<'s> StateInputs<'s> {
    /// Regions of a memory. All memories are computed on first use.
    pub(crate) fn regions(&self, kind: MemoryKind) -> &'s Rc<[Region]> {
        let regions = &self.state_view.regions;
        &regions.get_or_init(|| regions_of(self.session))[kind]
    }
}

impl StateInputs<'_> {
    /// Model of a memory tab.
    pub(crate) fn memory_model(&self, kind: MemoryKind) -> MemoryModel {
        let state = self.state_view.memories[kind];
        let mut model = MemoryModel {
            kind,
            tab: Tab::of_memory(kind, self.family()),
            state,
            total: 0,
            rows: Vec::new(),
            characters: 0,
            cut: None,
            regions: Rc::clone(self.regions(kind)),
        };
        if let Some(region) = model.regions.get(state.region) {
            let rows = region.rows(state.row_bytes());
            let covered = rows.saturating_sub(state.base).min(MAX_ROWS);
            model.total = usize::try_from(covered).expect("MAX_ROWS fits in usize");
            model.cut = (rows > MAX_ROWS).then(|| MAX_ROWS * state.row_bytes());
            // Rounded to the margin, so that small scrolls need no new model.
            let start = (state.in_view.first / MARGIN * MARGIN).saturating_sub(MARGIN);
            let end = start + state.in_view.count + 3 * MARGIN;
            let chosen = self.chosen_cell();
            let here = chosen.as_ref().map(|chosen| chosen.place);
            let here =
                here.and_then(|place| self.memory_row_of(kind, place)?.checked_sub(state.base));
            let here = here.and_then(|row| usize::try_from(row).ok());
            let read = self.last_read();
            model.rows = rows_with_chosen(start..end, here, model.total)
                .map(|row| self.memory_row(region, &state, row, chosen.as_ref(), read))
                .collect();
            let characters = model.rows.iter().map(MemoryRow::characters);
            model.characters = characters.max().unwrap_or(0);
        }
        model
    }

    fn memory_row(
        &self,
        region: &Region,
        state: &MemoryState,
        index: usize,
        chosen: Option<&ChosenCell>,
        read: Option<ByteRange>,
    ) -> MemoryRow {
        let row_bytes = state.row_bytes();
        let address = (region.first_row(row_bytes) + state.base + index as u64) * row_bytes;
        let last = address + (row_bytes - 1);
        let from = region.start.max(address) - address;
        let to = region.last.min(last) - address + 1;
        let mapped = from as usize..to as usize;
        let mut bytes = [0; MAX_ROW_BYTES];
        let memory = self.session.machine().space(region.space);
        memory.read(address + from, &mut bytes[mapped.clone()]);
        let own = |c: &&ChosenCell| {
            c.place.space == region.space && (address..=last).contains(&c.place.address)
        };
        let own_bytes = ByteRange::new(region.space, address, row_bytes);
        MemoryRow {
            space: region.space,
            read: read.filter(|read| read.overlaps(own_bytes)),
            chosen: chosen.filter(own).cloned(),
            index,
            address,
            bytes,
            mapped,
            row_bytes: state.row_bytes,
            changes: self.changes_in(region.space, address, row_bytes),
            notation: state.notation(),
        }
    }

    /// Bytes that the last step read without changing: a gather, or a failed
    /// compare.
    pub(crate) fn last_read(&self) -> Option<ByteRange> {
        let access = self.session.last_read()?;
        let bytes = u64::from(access.bytes);
        Some(ByteRange::new(access.space, access.address, bytes))
    }

    /// Changes of the last step, in order, except those of a failed compare,
    /// which leave the value as it was.
    pub(crate) fn last_writes(&self) -> impl Iterator<Item = &Change> {
        let read = self.last_read();
        let changes = self.session.last_changes().iter();
        changes.filter(move |change| {
            let bytes = u64::from(change.bytes);
            let own = ByteRange::new(change.space, change.address, bytes);
            read.is_none_or(|read| !read.overlaps(own))
        })
    }

    /// Changes of the last step in a range, in order.
    pub(crate) fn changes_in(&self, space: SpaceId, address: u64, bytes: u64) -> Vec<Change> {
        self.last_writes()
            .filter(|c| c.touches(space, address, bytes))
            .copied()
            .collect()
    }

    /// Tabs of the memories that the last step wrote.
    pub(crate) fn changed_tabs(&self) -> Vec<Tab> {
        let writes = self.last_writes();
        let memories = writes.filter_map(|change| MemoryKind::of(change.space));
        let tabs = memories.map(|kind| Tab::of_memory(kind, self.family()));
        let mut tabs: Vec<Tab> = tabs.collect();
        tabs.dedup();
        tabs
    }

    /// Cells of a memory row, relative to the region.
    pub(crate) fn memory_row_places(&self, kind: MemoryKind, row: u64) -> Vec<Place> {
        let Some((state, region)) = self.shown_region(kind) else {
            return Vec::new();
        };
        let bytes = state.row_bytes();
        let row = region.first_row(bytes).checked_add(row);
        // The address space ends before this row.
        let Some(start) = row.and_then(|row| row.checked_mul(bytes)) else {
            return Vec::new();
        };
        let size = u64::from(state.notation().ty.bytes());
        let cells = (0..bytes / size).map(|i| start + i * size);
        let whole = cells.filter(|at| region.start <= *at && at + (size - 1) <= region.last);
        whole.map(|at| Place::new(region.space, at)).collect()
    }

    /// Row of a cell relative to its region, if the region is shown.
    pub(crate) fn memory_row_of(&self, kind: MemoryKind, place: Place) -> Option<u64> {
        let (state, region) = self.shown_region(kind)?;
        if region.space != place.space {
            return None;
        }
        let bytes = state.row_bytes();
        (place.address / bytes).checked_sub(region.first_row(bytes))
    }

    fn shown_region(&self, kind: MemoryKind) -> Option<(&MemoryState, &Region)> {
        let state = &self.state_view.memories[kind];
        Some((state, self.regions(kind).get(state.region)?))
    }
}

//! Cells of a memory pane: those of a row, and the row of one.

use super::find;
use crate::features::machine::Tab;
use crate::features::machine::inspect::Place;
use crate::store::State;

impl State {
    /// The cells of a row of a memory pane.
    pub(crate) fn memory_places(&self, tab: Tab, row: usize) -> Vec<Place> {
        let view = tab.memory().and_then(|i| self.panes.memories.get(i));
        let regions = self.regions(tab);
        let region = view.and_then(|view| Some((view, regions.get(view.region)?)));
        let Some((view, region)) = region else {
            return Vec::new();
        };
        let bytes = view.row_bytes();
        let start = (region.first_row(bytes) + view.base + row as u64).saturating_mul(bytes);
        let size = u64::from(view.notation().ty.bytes());
        let cells = (0..bytes / size).map(|i| start.saturating_add(i * size));
        let whole = cells.filter(|at| region.start <= *at && at + (size - 1) <= region.last);
        whole.map(|at| Place::new(region.space, at)).collect()
    }

    /// The row of a memory pane that shows a cell.
    pub(crate) fn memory_row_of(&self, tab: Tab, place: Place) -> Option<usize> {
        let view = self.panes.memories.get(tab.memory()?)?;
        let regions = self.regions(tab);
        let region = regions.get(view.region)?;
        let bytes = view.row_bytes();
        let row = (place.address / bytes).checked_sub(region.first_row(bytes) + view.base)?;
        usize::try_from(row).ok()
    }

    /// Brings a cell into view in its pane, unless it is there.
    pub(crate) fn show_place(&mut self, place: Place) {
        let Some(tab) = self.tab_of(place.space) else {
            self.show_register(place);
            return;
        };
        let regions = self.regions(tab);
        let found = find(&regions, place.space, place.address);
        let view = tab.memory().and_then(|i| self.panes.memories.get_mut(i));
        if let (Some(index), Some(view)) = (found, view) {
            if view.region != index {
                (view.region, view.base) = (index, 0);
            }
            if let Some(region) = regions.get(index) {
                view.show(region, place.address, false);
            }
        }
    }
}

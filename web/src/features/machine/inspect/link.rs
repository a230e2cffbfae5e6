//! Cells as a link names them.

use super::{Inspect, Place};
use crate::store::State;

impl State {
    /// The cell that is looked at, and those that are watched.
    pub(crate) fn looked_at(&self) -> (Option<Place>, Vec<Place>) {
        let watches = self.panes.inspect.watches.iter().map(|watch| watch.place);
        (self.panes.inspect.chosen, watches.collect())
    }

    /// Looks at a cell, and brings it into view; whether there is one. The
    /// focus stays where it is.
    pub(crate) fn look_at(&mut self, place: Place) -> bool {
        let is = self.kind_of(place).is_some();
        if is {
            self.panes.inspect.chosen = Some(place);
            self.show_place(place);
        }
        is
    }

    /// Looks at no cell, and watches none.
    pub(crate) fn look_at_none(&mut self) {
        self.panes.inspect = Inspect::default();
    }
}

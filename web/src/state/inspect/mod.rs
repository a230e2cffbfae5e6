//! One cell of the state, looked at closely: its start value edited, who wrote
//! it, when it is written next; and cells that are watched.

mod edit;
mod link;
mod place;
#[cfg(test)]
mod tests;
mod watch;

use super::State;
use super::cells::Notation;
pub(crate) use place::{Kind, Place};
use std::rc::Rc;

/// What a reader can do with a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InspectAction {
    /// Look at this cell, and edit its start value.
    Open(Place),
    /// Look at the first cell in view.
    First,
    /// Look at the neighbour: so many to the right, so many down.
    Move(i32, i32),
    /// Edit its start value.
    Edit,
    /// This is the start value.
    Commit(String),
    /// The start value stays as it is.
    Cancel,
    /// Look at none.
    Close,
    /// Watch it, or no longer.
    Watch,
    /// Watch this one no longer, by its index.
    Unwatch(usize),
    /// Go to the step that wrote it last.
    ToLastWrite,
    /// Go to the step that writes it next.
    ToNextWrite,
    /// Go to the step that writes a watched cell next.
    Continue,
}

/// A cell that is watched.
#[derive(Clone, Debug, PartialEq)]
struct Watched {
    place: Place,
    kind: Kind,
    notation: Notation,
    name: Rc<str>,
}

/// Which cell is looked at, and which are watched.
#[derive(Debug, Default)]
pub(crate) struct Inspect {
    chosen: Option<Place>,
    /// Whether its start value is being edited.
    open: bool,
    /// Why what was typed is no start value.
    wrong: Option<String>,
    /// Counts requests to move the focus to the cell.
    serial: u32,
    watches: Vec<Watched>,
    /// Where watched cells are written, as far as is known, at most
    /// [`MOST_WRITES`] of them.
    writes: Rc<[usize]>,
    /// For how many known steps and watches `writes` was found.
    found_for: (usize, usize),
    /// What the last request came to, where nothing else shows it.
    message: &'static str,
}

/// The most writes of watched cells that the timeline marks.
const MOST_WRITES: usize = 100;

/// How many steps a search for the next write computes.
const FAR: usize = 1_000_000;

/// The chosen cell as its pane draws it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) place: Place,
    pub(crate) editor: Option<Editor>,
}

/// The editor of a start value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Editor {
    pub(crate) label: String,
    pub(crate) start: String,
    pub(crate) wrong: bool,
}

/// What the page shows of the chosen cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellView {
    pub(crate) name: String,
    pub(crate) now: String,
    pub(crate) start: String,
    pub(crate) at_start: bool,
    pub(crate) open: bool,
    pub(crate) can_edit: bool,
    pub(crate) wrong: Option<String>,
    pub(crate) watched: bool,
    /// The step that wrote it last, from 1, and what that did.
    pub(crate) last: Option<(usize, String)>,
    /// Whether that is the step done last.
    pub(crate) is_last: bool,
    pub(crate) next: Option<usize>,
}

/// A watched cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WatchRow {
    pub(crate) name: Rc<str>,
    pub(crate) now: String,
    /// What it was, if the last step wrote it.
    pub(crate) was: Option<String>,
}

/// What the page shows of watched cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WatchList {
    pub(crate) rows: Vec<WatchRow>,
    pub(crate) message: &'static str,
}

impl State {
    pub(super) fn apply_inspect(&mut self, action: InspectAction) {
        self.inspect.message = "";
        match action {
            InspectAction::Open(place) => {
                self.choose_cell(place);
                self.open_editor();
            }
            InspectAction::First => {
                if let Some(place) = self.first_in_view() {
                    self.choose_cell(place);
                }
            }
            InspectAction::Move(right, down) => {
                let next = self
                    .inspect
                    .chosen
                    .and_then(|p| self.beside(p, right, down));
                if let Some(place) = next {
                    self.choose_cell(place);
                    self.show_place(place);
                }
            }
            InspectAction::Edit => self.open_editor(),
            InspectAction::Commit(text) => self.commit(&text),
            InspectAction::Cancel => self.close_editor(),
            InspectAction::Close => {
                self.close_editor();
                self.inspect.chosen = None;
            }
            InspectAction::Watch => self.watch(),
            InspectAction::Unwatch(index) => {
                if index < self.inspect.watches.len() {
                    self.inspect.watches.remove(index);
                    self.find_writes();
                }
            }
            InspectAction::ToLastWrite => {
                let (step, _) = self
                    .inspect
                    .chosen
                    .map_or((None, None), |p| self.writes_of(p));
                if let Some(step) = step {
                    self.seek_shown(step);
                }
            }
            InspectAction::ToNextWrite => self.go_to_next_write(),
            InspectAction::Continue => self.continue_to_watch(),
        }
    }

    fn choose_cell(&mut self, place: Place) {
        if self.kind_of(place).is_some() {
            self.inspect.chosen = Some(place);
            self.inspect.open = false;
            self.inspect.wrong = None;
            self.inspect.serial += 1;
        }
    }

    fn open_editor(&mut self) {
        if self.inspect.chosen.is_some() && self.can_run() {
            self.inspect.open = true;
            self.inspect.wrong = None;
            self.inspect.serial += 1;
        }
    }

    fn close_editor(&mut self) {
        if self.inspect.open {
            self.inspect.open = false;
            self.inspect.wrong = None;
            self.inspect.serial += 1;
        }
    }

    /// Goes to a step and brings the chosen cell into view there.
    fn seek_shown(&mut self, position: usize) {
        self.running = false;
        self.seek(position);
        if let Some(place) = self.inspect.chosen {
            self.show_place(place);
        }
    }

    /// After another text was read: cells that are no longer there are not
    /// looked at, and watched cells are found anew.
    pub(super) fn fit_inspect(&mut self, afresh: bool) {
        if self.is_inspecting() {
            self.fit_chosen(afresh);
        }
    }

    fn fit_chosen(&mut self, afresh: bool) {
        if afresh {
            self.look_at_none();
            return;
        }
        let gone = |state: &Self, place| state.kind_of(place).is_none();
        if self.inspect.chosen.is_some_and(|p| gone(self, p)) {
            self.inspect.chosen = None;
            self.inspect.open = false;
        }
        let watches = std::mem::take(&mut self.inspect.watches);
        let there = watches.into_iter().filter(|w| !gone(self, w.place));
        self.inspect.watches = there.collect();
        self.inspect_again();
    }

    /// A request to put the focus on the chosen cell; each has its own number.
    pub(crate) const fn cell_focus(&self) -> u32 {
        self.inspect.serial
    }

    /// The chosen cell, for the pane that holds it.
    pub(crate) fn chosen(&self) -> Option<Chosen> {
        self.inspect.chosen.and_then(|place| self.chosen_at(place))
    }

    fn chosen_at(&self, place: Place) -> Option<Chosen> {
        let kind = self.kind_of(place)?;
        let editor = self.inspect.open.then(|| Editor {
            label: format!("Start value of {}", self.name_of(place, kind)),
            start: self.value_in(&self.session.program().start, place, kind),
            wrong: self.inspect.wrong.is_some(),
        });
        Some(Chosen { place, editor })
    }

    /// What the page shows of the chosen cell.
    pub(crate) fn chosen_cell(&self) -> Option<CellView> {
        let place = self.inspect.chosen?;
        let kind = self.kind_of(place)?;
        let (last, next) = self.writes_of(place);
        let machine = self.session.machine();
        Some(CellView {
            name: self.name_of(place, kind),
            now: self.value_in(machine, place, kind),
            start: self.value_in(&self.session.program().start, place, kind),
            at_start: self.session.position() == 0,
            open: self.inspect.open,
            can_edit: self.can_run(),
            wrong: self.inspect.wrong.clone(),
            watched: self.inspect.watches.iter().any(|w| w.place == place),
            is_last: last == Some(self.session.position()),
            last: last.map(|step| (step, self.session.summary_at(step))),
            next,
        })
    }
}

//! What is done with the chosen cell, and what the page shows of it.

use super::{CellView, ChosenCell, InspectAction, Place, StartValueEdit, Watched};
use crate::features::machine::Tab;
use crate::store::State;

impl State {
    pub(crate) fn apply_inspect(&mut self, action: InspectAction) {
        // What the last request came to stays until the next.
        if action != InspectAction::Focused {
            self.panes.inspect.message = "";
        }
        match action {
            InspectAction::Focused => self.panes.inspect.leave_focus(),
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
                    .panes
                    .inspect
                    .chosen
                    .and_then(|p| self.beside(p, right, down));
                if let Some(place) = next {
                    self.choose_cell(place);
                    self.show_place(place);
                }
            }
            InspectAction::Edit => {
                if let Some(place) = self.panes.inspect.chosen {
                    self.panes.tab = self.tab_of(place.space).unwrap_or(Tab::Registers);
                    self.show_place(place);
                }
                self.open_editor();
            }
            InspectAction::Commit(text) => self.commit(&text),
            InspectAction::Leave(text) => {
                if self.panes.inspect.open {
                    self.commit(&text);
                    self.panes.inspect.leave_focus();
                }
            }
            InspectAction::Cancel => self.close_editor(),
            InspectAction::Close => {
                self.close_editor();
                self.panes.inspect.chosen = None;
            }
            InspectAction::Watch => self.watch(),
            InspectAction::Unwatch(index) => {
                if index < self.panes.inspect.watches.len() {
                    self.panes.inspect.watches.remove(index);
                    self.find_writes();
                }
            }
            InspectAction::ToLastWrite => {
                let (step, _) = self
                    .panes
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

    pub(super) fn choose_cell(&mut self, place: Place) {
        if self.kind_of(place).is_some() {
            self.panes.inspect.chosen = Some(place);
            self.panes.inspect.open = false;
            self.panes.inspect.wrong = None;
            self.panes.inspect.wants_focus = true;
        }
    }

    pub(super) fn open_editor(&mut self) {
        if self.panes.inspect.chosen.is_some() && self.can_run() {
            // A step would take the editor away.
            self.stepping.running = false;
            self.panes.inspect.open = true;
            self.panes.inspect.wrong = None;
            self.panes.inspect.wants_focus = true;
        }
    }

    pub(in crate::features::machine) fn close_editor(&mut self) {
        if self.panes.inspect.open {
            self.panes.inspect.open = false;
            self.panes.inspect.wrong = None;
            self.panes.inspect.wants_focus = true;
        }
    }

    /// After a step: the chosen cell shows its value, not the editor of its start
    /// value, and what the last request came to is past.
    pub(crate) fn leave_inspect(&mut self) {
        let inspect = &mut self.panes.inspect;
        (inspect.open, inspect.wrong, inspect.message) = (false, None, "");
    }

    /// Goes to a step and brings the chosen cell into view there.
    pub(super) fn seek_shown(&mut self, position: usize) {
        self.stepping.running = false;
        self.seek(position);
        if let Some(place) = self.panes.inspect.chosen {
            self.show_place(place);
        }
    }

    /// After another text was read: cells that are no longer there are not
    /// looked at, and watched cells are found anew.
    pub(crate) fn fit_inspect(&mut self, afresh: bool) {
        if self.is_inspecting() {
            self.fit_chosen(afresh);
        }
    }

    pub(super) fn fit_chosen(&mut self, afresh: bool) {
        if afresh {
            self.look_at_none();
            return;
        }
        let gone = |state: &Self, place| state.kind_of(place).is_none();
        if self.panes.inspect.chosen.is_some_and(|p| gone(self, p)) {
            self.panes.inspect.chosen = None;
            self.panes.inspect.open = false;
        }
        let watches = std::mem::take(&mut self.panes.inspect.watches);
        let there = watches.into_iter().filter_map(|watched| {
            let kind = self.kind_of(watched.place)?;
            Some(Watched { kind, ..watched })
        });
        self.panes.inspect.watches = there.collect();
        self.inspect_again();
    }

    /// Whether the chosen cell is to have the focus as soon as it is on the page.
    pub(crate) fn wants_cell_focus(&self) -> bool {
        self.panes.inspect.wants_focus
    }

    /// The chosen cell, for the pane that holds it.
    pub(crate) fn chosen(&self) -> Option<ChosenCell> {
        self.panes
            .inspect
            .chosen
            .and_then(|place| self.chosen_at(place))
    }

    pub(super) fn chosen_at(&self, place: Place) -> Option<ChosenCell> {
        let kind = self.kind_of(place)?;
        let editor = self.panes.inspect.open.then(|| StartValueEdit {
            label: format!("Start value of {}", self.name_of(place, kind)),
            start: self.value_in(&self.session.program().start, place, kind),
            wrong: self.panes.inspect.wrong.is_some(),
        });
        Some(ChosenCell { place, editor })
    }

    /// What the page shows of the chosen cell.
    pub(crate) fn chosen_cell(&self) -> Option<CellView> {
        let place = self.panes.inspect.chosen?;
        let kind = self.kind_of(place)?;
        let (last, next) = self.writes_of(place);
        let machine = self.session.machine();
        Some(CellView {
            name: self.name_of(place, kind),
            now: self.value_in(machine, place, kind),
            start: self.value_in(&self.session.program().start, place, kind),
            at_start: self.session.position() == 0,
            open: self.panes.inspect.open,
            can_edit: self.can_run(),
            wrong: self.panes.inspect.wrong.clone(),
            watched: self.panes.inspect.watches.iter().any(|w| w.place == place),
            is_last: last == Some(self.session.position()),
            last: last.map(|step| (step, self.session.summary_at(step))),
            next,
        })
    }
}

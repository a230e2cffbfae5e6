use super::{Editor, InspectAction, InspectState};
use crate::store::State;
use lanewise_answer::grids::{CellBits, MemoryKind, Place, Tab};

impl State {
    pub(crate) fn apply_inspect(&mut self, action: InspectAction) {
        // The message stays until the next action.
        self.inspect_mut().message = None;
        let cell = self.state_inputs().chosen();
        let chosen = cell.map(|(place, _)| place);
        match action {
            InspectAction::Open(place) => {
                self.move_to_cell(place, chosen);
                self.open_editor();
            }
            InspectAction::Select(place) => {
                self.move_to_cell(place, chosen);
                self.show_place(place);
            }
            InspectAction::Edit => {
                if let Some(place) = chosen {
                    let facts = self.facts();
                    let memory = MemoryKind::of(place.space);
                    let is_shown = self.state_view.grid.tab == Tab::Buffers
                        && self.grids().buffer_at(place).is_some();
                    if !is_shown {
                        let tab = memory.map(|kind| Tab::of_memory(kind, facts));
                        self.state_view.grid.tab = tab.unwrap_or(Tab::of_registers(facts));
                    }
                    self.show_place(place);
                    self.open_editor();
                }
            }
            InspectAction::Commit(text) => self.write_initial_value(&text),
            InspectAction::CommitAndEdit(text, next) => {
                self.write_initial_value(&text);
                if !self.state_view.inspect.is_editing() {
                    self.choose_cell(next);
                    self.show_place(next);
                    self.open_editor();
                }
            }
            InspectAction::Fill(places, values) => self.fill_cells(&places, &values),
            // The field of the previous cell also reports that it is removed.
            InspectAction::Leave(place, text) => {
                if self.state_view.inspect.is_editing() && chosen == Some(place) {
                    self.write_initial_value(&text);
                }
            }
            InspectAction::Cancel => self.inspect_mut().editor = Editor::Closed,
            InspectAction::Close => {
                self.inspect_mut().editor = Editor::Closed;
                self.inspect_mut().chosen = None;
            }
            InspectAction::Watch => {
                if let Some(place) = chosen {
                    self.toggle_watch(place);
                }
            }
            InspectAction::Unwatch(place) => self.unwatch(place),
            InspectAction::ToLastWrite => {
                let inputs = self.state_inputs();
                let grids = inputs.grids();
                if let Some((place, kind)) = cell {
                    match grids.last_write(place.bits(kind)) {
                        Some(position) => self.seek_and_show(position),
                        None if grids.is_written_earlier(place, kind) => {
                            self.trace_cell(place.bits(kind));
                        }
                        None => {}
                    }
                }
            }
            InspectAction::ToNextWrite => self.go_to_next_write(),
            InspectAction::Continue => self.go_to_next_watched_write(),
        }
    }

    pub(in crate::features::state) fn inspect_mut(&mut self) -> &mut InspectState {
        &mut self.state_view.inspect
    }

    /// Chooses a cell and closes the editor of another one.
    fn move_to_cell(&mut self, place: Place, chosen: Option<Place>) {
        if chosen != Some(place) {
            self.leave_cell_editor();
        }
        self.choose_cell(place);
    }

    fn choose_cell(&mut self, place: Place) {
        if self.grids().cell_at(place).is_some() {
            let inspect = self.inspect_mut();
            inspect.chosen = Some(place);
            inspect.editor = Editor::Closed;
        }
    }

    fn open_editor(&mut self) {
        if self.state_inputs().chosen().is_some() && self.can_run() && !self.is_read_only() {
            // A step would close the editor.
            self.pause();
            self.inspect_mut().editor = Editor::Open;
        }
    }

    /// Closes the editor because the user moved on. If the typed text is
    /// invalid, a message says so.
    pub(crate) fn leave_cell_editor(&mut self) {
        let message = match &self.state_view.inspect.editor {
            Editor::Wrong(why) => {
                let inputs = self.state_inputs();
                // The cell may have been removed with its declaration.
                let name = match inputs.chosen() {
                    Some((place, kind)) => inputs.grids().name_of(place, kind),
                    None => String::from("the cell"),
                };
                Some(format!("{name} keeps its initial value. {why}").into())
            }
            Editor::Closed | Editor::Open => None,
        };
        let inspect = &self.state_view.inspect;
        if inspect.is_editing() || inspect.message != message {
            self.inspect_mut().editor = Editor::Closed;
            self.inspect_mut().message = message;
        }
    }

    /// Seeks to the last write of a cell before the position, if there is one.
    pub(crate) fn seek_last_write(&mut self, cell: CellBits) {
        if let Some(position) = self.grids().last_write(cell) {
            self.seek_and_show(position);
        }
    }

    /// Seeks to a position and scrolls the inspected cell into view.
    pub(super) fn seek_and_show(&mut self, position: usize) {
        self.move_to(position);
        if let Some(place) = self.state_view.inspect.chosen {
            self.show_place(place);
        }
    }

    /// After an edit, drops cells that no longer exist.
    pub(crate) fn drop_removed_cells(&mut self) {
        let InspectState {
            chosen, watches, ..
        } = &self.state_view.inspect;
        let inputs = self.state_inputs();
        let exists = |place: &Place| inputs.grids().cell_at(*place).is_some();
        let chosen = chosen.filter(exists);
        let watches: Vec<Place> = watches.iter().copied().filter(exists).collect();
        if chosen != self.state_view.inspect.chosen {
            self.inspect_mut().chosen = None;
            self.inspect_mut().editor = Editor::Closed;
        }
        if watches != self.state_view.inspect.watches {
            self.inspect_mut().watches = watches;
        }
    }

    /// Inspects a cell and scrolls it into view without moving focus. Returns
    /// whether the cell exists.
    pub(crate) fn look_at(&mut self, place: Place) -> bool {
        let exists = self.grids().cell_at(place).is_some();
        if exists {
            self.inspect_mut().chosen = Some(place);
            self.show_place(place);
        }
        exists
    }
}

//! One cell of the state, looked at closely: its start value edited, who wrote
//! it, when it is written next; and cells that are watched.

mod place;
#[cfg(test)]
mod tests;

use super::State;
use super::cells::Notation;
use lanewise_core::machine::Machine;
use lanewise_core::number::{ElementType, parse_integer, parse_literal};
use lanewise_core::scenario::{self, parse_pointer_text};
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
    said: &'static str,
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

/// What is told of the chosen cell.
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

/// What is told of watched cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WatchList {
    pub(crate) rows: Vec<WatchRow>,
    pub(crate) said: &'static str,
}

impl State {
    #[inline(never)]
    pub(super) fn apply_inspect(&mut self, action: InspectAction) {
        self.inspect.said = "";
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
            InspectAction::ToNextWrite => self.continue_to_write(),
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

    /// Writes a start value into the text.
    fn commit(&mut self, typed: &str) {
        let Some((place, kind)) = self
            .inspect
            .chosen
            .and_then(|p| Some((p, self.kind_of(p)?)))
        else {
            return;
        };
        if !self.inspect.open {
            return;
        }
        let typed = typed.trim();
        if typed == self.value_in(&self.session.program().start, place, kind) {
            self.close_editor();
            return;
        }
        let read = self.read_value(typed, place, kind);
        let written = read.and_then(|(cell, bits, spelling)| {
            let program = self.session.program();
            let new = program.with_start(&self.text, cell, bits, &spelling);
            new.ok_or_else(|| String::from("No .init line can say this."))
        });
        match written {
            Ok(new) => {
                self.close_editor();
                self.rewrite(&new.text, new.caret, false);
            }
            Err(why) => self.inspect.wrong = Some(why),
        }
    }

    /// What was typed, as bits of a cell, and how it is best spelled.
    fn read_value(
        &self,
        typed: &str,
        place: Place,
        kind: Kind,
    ) -> Result<(scenario::Cell, u64, String), String> {
        let program = self.session.program();
        let cell = |address, ty| scenario::Cell {
            space: place.space,
            address,
            ty,
        };
        let spelled = |text: &str| String::from(text);
        match kind {
            Kind::Value(Notation { ty, hex }) => {
                // Bits are shown without a prefix, and may be typed so.
                let bare = hex && typed.bytes().all(|b| b.is_ascii_hexdigit());
                let text = match bare && !typed.is_empty() {
                    true => format!("0x{typed}"),
                    false => spelled(typed),
                };
                match parse_literal(&text, ty) {
                    Ok(bits) => Ok((cell(place.address, ty), bits, text)),
                    Err(why) => Err(format!("“{typed}” as {}: {why}.", ty.name())),
                }
            }
            Kind::Mask(width) => {
                let text: String = typed.split_ascii_whitespace().collect();
                let bits = parse_integer(&text).ok();
                let fits = bits.filter(|b| *b <= lanewise_core::number::low_mask(width));
                match fits {
                    Some(bits) => Ok((cell(place.address, ElementType::Ud), bits, text)),
                    None => Err(format!("Write {width} bits as one number: 0xff or 0b101.")),
                }
            }
            Kind::Bit => {
                let bit = match typed.to_ascii_lowercase().as_str() {
                    "true" | "1" => 1,
                    "false" | "0" => 0,
                    _ => return Err(spelled("Write true or false.")),
                };
                let (address, lane) = place.bit();
                let mask = program.start.load(place.space, address, 4).unwrap_or(0);
                let mask = mask & !(1 << lane) | bit << lane;
                Ok((cell(address, ElementType::Ud), mask, String::new()))
            }
            Kind::Pointer => match parse_pointer_text(&program.names.visa, typed) {
                Some(bits) => Ok((
                    cell(place.address, ElementType::Ud),
                    u64::from(bits),
                    String::new(),
                )),
                None => Err(spelled("Write a place in a register: &V33, or &V33 + 32.")),
            },
        }
    }

    fn watch(&mut self) {
        let Some(place) = self.inspect.chosen else {
            return;
        };
        let Some(kind) = self.kind_of(place) else {
            return;
        };
        let known = self.inspect.watches.iter().position(|w| w.place == place);
        match known {
            Some(index) => {
                self.inspect.watches.remove(index);
            }
            None => {
                let name = Rc::from(self.name_of(place, kind));
                let notation = kind.notation();
                self.inspect.watches.push(Watched {
                    place,
                    kind,
                    notation,
                    name,
                });
            }
        }
        self.find_writes();
    }

    /// The positions after the last write of a cell and after the next.
    fn writes_of(&self, place: Place) -> (Option<usize>, Option<usize>) {
        let Some(kind) = self.kind_of(place) else {
            return (None, None);
        };
        let (space, address, bytes) = place.range(kind);
        let session = &self.session;
        let mut next = session.writes_from(session.position(), space, address, bytes);
        (
            session.last_write(space, address, bytes).map(|e| e + 1),
            next.next().map(|e| e + 1),
        )
    }

    fn continue_to_write(&mut self) {
        let Some(place) = self.inspect.chosen else {
            return;
        };
        if self.writes_of(place).1.is_none() {
            self.look_ahead(self.session.position() + FAR);
        }
        match self.writes_of(place).1 {
            Some(position) => self.seek_shown(position),
            None => self.inspect.said = "This cell is not written again.",
        }
    }

    fn continue_to_watch(&mut self) {
        let next = |state: &Self| {
            let watched = state.inspect.watches.iter();
            watched.filter_map(|w| state.writes_of(w.place).1).min()
        };
        if next(self).is_none() {
            self.look_ahead(self.session.position() + FAR);
        }
        match next(self) {
            Some(position) => {
                self.running = false;
                self.seek(position);
            }
            None => self.inspect.said = "No watched cell is written again.",
        }
    }

    /// Whether the last step wrote a watched cell.
    pub(super) fn hit_watch(&self) -> bool {
        !self.inspect.watches.is_empty() && self.wrote_watched()
    }

    #[inline(never)]
    fn wrote_watched(&self) -> bool {
        let changes = self.session.last_changes();
        self.inspect.watches.iter().any(|watch| {
            let (space, address, bytes) = watch.place.range(watch.kind);
            changes.iter().any(|c| c.touches(space, address, bytes))
        })
    }

    /// Whether there is anything to tell of cells.
    pub(crate) const fn is_inspecting(&self) -> bool {
        self.inspect.chosen.is_some() || !self.inspect.watches.is_empty()
    }

    /// Finds where watched cells are written, if more is known by now.
    pub(super) fn find_writes(&mut self) {
        if !self.inspect.watches.is_empty() || !self.inspect.writes.is_empty() {
            self.find_all_writes();
        }
    }

    #[inline(never)]
    fn find_all_writes(&mut self) {
        let for_what = (self.session.known(), self.inspect.watches.len());
        if for_what.1 == 0 {
            self.inspect.writes = Rc::from([]);
        } else if self.inspect.found_for != for_what {
            let mut writes = Vec::new();
            for watch in &self.inspect.watches {
                let (space, address, bytes) = watch.place.range(watch.kind);
                let found = self.session.writes_from(0, space, address, bytes);
                for step in found.map(|e| e + 1).take(MOST_WRITES) {
                    if let Err(at) = writes.binary_search(&step) {
                        writes.insert(at, step);
                    }
                }
            }
            writes.truncate(MOST_WRITES);
            self.inspect.writes = writes.into();
        }
        self.inspect.found_for = for_what;
    }

    /// Finds them again: another history of the run has other steps.
    pub(super) fn inspect_again(&mut self) {
        self.inspect.found_for = (usize::MAX, 0);
        self.find_writes();
    }

    /// Where watched cells are written, for the timeline.
    pub(super) fn watched_writes(&self) -> Rc<[usize]> {
        Rc::clone(&self.inspect.writes)
    }

    /// After another text was read: cells that are no longer there are not
    /// looked at, and watched cells are found anew.
    pub(super) fn fit_inspect(&mut self, afresh: bool) {
        if self.is_inspecting() {
            self.fit_chosen(afresh);
        }
    }

    #[inline(never)]
    fn fit_chosen(&mut self, afresh: bool) {
        if afresh {
            self.inspect = Inspect {
                serial: self.inspect.serial,
                ..Inspect::default()
            };
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

    /// A request to put the focus on the chosen cell; tells one from the next.
    pub(crate) const fn cell_focus(&self) -> u32 {
        self.inspect.serial
    }

    /// The chosen cell, for the pane that holds it.
    pub(crate) fn chosen(&self) -> Option<Chosen> {
        self.inspect.chosen.and_then(|place| self.chosen_at(place))
    }

    #[inline(never)]
    fn chosen_at(&self, place: Place) -> Option<Chosen> {
        let kind = self.kind_of(place)?;
        let editor = self.inspect.open.then(|| Editor {
            label: format!("Start value of {}", self.name_of(place, kind)),
            start: self.value_in(&self.session.program().start, place, kind),
            wrong: self.inspect.wrong.is_some(),
        });
        Some(Chosen { place, editor })
    }

    /// What is told of the chosen cell.
    #[inline(never)]
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
            last: last.map(|step| (step, self.session.told(step))),
            next,
        })
    }

    /// What is told of watched cells.
    #[inline(never)]
    pub(crate) fn watch_list(&self) -> WatchList {
        let rows = self.inspect.watches.iter().map(|watch| {
            let (space, address, bytes) = watch.place.range(watch.kind);
            let machine = self.session.machine();
            let changes = self.changes_in(space, address, bytes);
            let now = self.value_in(machine, watch.place, watch.kind);
            let was = (!changes.is_empty()).then(|| {
                let mut before = Machine::clone(machine);
                for change in changes.iter().rev() {
                    before.undo(change);
                }
                self.value_in(&before, watch.place, watch.kind)
            });
            WatchRow {
                name: Rc::clone(&watch.name),
                now,
                was,
            }
        });
        WatchList {
            rows: rows.collect(),
            said: self.inspect.said,
        }
    }
}

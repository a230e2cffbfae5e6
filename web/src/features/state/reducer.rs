//! Keeps the State pane in step with the user and the run.

use super::inspect::InspectAction;
use super::{BufferAction, MemoryAction, StateAction};
use crate::store::State;
use lanewise_answer::grids::{MemoryKind, MemoryView, Place, Tab, region_at};
use lanewise_core::diagnostic::to_u32;
use lanewise_core::isa::Access;
use lanewise_core::machine::{Change, SpaceId, SpaceKind};
use lanewise_core::number::ElementType;
use lanewise_core::session::IssueIndex;
use std::rc::Rc;

/// Maximum number of issues searched for the first access of each memory.
const MAX_INSPECTED_ISSUES: u32 = 64;

impl State {
    pub(crate) fn apply_state_pane(&mut self, action: StateAction) {
        match action {
            StateAction::Tab(tab) => {
                self.state_view.grid.tab = tab;
                self.leave_cell_editor();
            }
            StateAction::RegisterFormat(format) => self.state_view.grid.register_format = format,
            StateAction::Inspect(action) => self.apply_inspect(action),
            StateAction::Memory(kind, action) => self.apply_memory(kind, action),
            StateAction::Buffer(index, action) => self.apply_buffer(index, action),
        }
    }

    pub(crate) fn apply_memory(&mut self, kind: MemoryKind, action: MemoryAction) {
        let regions = Rc::clone(self.grids().regions(kind));
        let memory = &mut self.state_view.grid.memories[kind];
        match action {
            MemoryAction::Region(index) if index < regions.len() => memory.region = index,
            MemoryAction::Region(_) => {}
            MemoryAction::Format(format) => memory.format = format.canonical(),
            MemoryAction::GoTo(address) => {
                let shown = Some(memory.region);
                let here = shown.filter(|i| regions.get(*i).is_some_and(|r| r.holds(address)));
                let index = here.or_else(|| regions.iter().position(|r| r.holds(address)));
                if let Some(index) = index {
                    memory.region = index;
                    let place = Place::new(regions[index].space, address);
                    let tab = Tab::of_memory(kind, self.facts());
                    self.state_view.ask_to_reveal(tab, place, true);
                }
            }
        }
    }

    fn apply_buffer(&mut self, index: usize, action: BufferAction) {
        let program = self.session.shared_program();
        let buffers = program.launch.as_ref().map(|launch| &launch.buffers);
        let Some(buffer) = buffers.and_then(|buffers| buffers.get(index)) else {
            return;
        };
        match action {
            BufferAction::Show => {
                self.state_view.buffer = index;
                self.state_view.is_buffer_chosen = true;
                let place = Place::new(SpaceId::VIRTUAL, buffer.address);
                self.state_view.ask_to_reveal(Tab::Buffers, place, true);
            }
            BufferAction::InView => self.state_view.buffer = index,
            BufferAction::RowLength(length) => {
                let lengths = &mut self.state_view.grid.row_lengths;
                match length {
                    Some(length) => lengths.insert(Rc::from(&*buffer.name), length),
                    None => lengths.remove(&*buffer.name),
                };
            }
            BufferAction::Hex => self.state_view.grid.shows_hex ^= true,
            BufferAction::NextChange => match self.next_change(index) {
                Some(place) => {
                    self.state_view.ask_to_reveal(Tab::Buffers, place, true);
                    self.apply_inspect(InspectAction::Select(place));
                }
                None => {
                    let message = format!("The launch has not changed {} so far.", buffer.name);
                    self.inspect_mut().message = Some(Rc::from(message));
                }
            },
            BufferAction::Type(ty) => {
                let types = &mut self.state_view.buffer_types;
                match ty.trim() {
                    "" => types.remove(&*buffer.name),
                    _ => types.insert(Rc::from(&*buffer.name), ty),
                };
                self.state_view.forget_types();
            }
            BufferAction::Load { file, bytes } => {
                let loaded = match self.can_run() {
                    true => bytes
                        .and_then(|bytes| buffer.with_bytes(&self.source.document.text, &bytes)),
                    false => Err(String::from("fix the errors in the program first")),
                };
                let message = match loaded {
                    Ok(new) => {
                        self.rewrite(&new.text, new.caret);
                        format!("{} starts with the values of {file}.", buffer.name)
                    }
                    Err(why) => format!("{file} was not loaded: {why}."),
                };
                self.inspect_mut().message = Some(Rc::from(message));
            }
        }
    }

    /// The first changed field of a buffer after the inspected cell, or else of the buffer.
    fn next_change(&self, buffer: usize) -> Option<Place> {
        let chosen = self.state_inputs().chosen_cell();
        self.grids()
            .next_change(buffer, chosen.map(|chosen| chosen.place))
    }

    /// Scrolls the grids that show a cell to it, unless it is in view.
    pub(crate) fn show_place(&mut self, place: Place) {
        let tab = match MemoryKind::of(place.space) {
            Some(kind) => {
                let regions = Rc::clone(self.grids().regions(kind));
                if let Some(index) = region_at(&regions, place.space, place.address) {
                    self.state_view.grid.memories[kind].region = index;
                }
                Tab::of_memory(kind, self.facts())
            }
            None => Tab::of_registers(self.facts()),
        };
        self.state_view.ask_to_reveal(tab, place, false);
        if let Some(buffer) = self.grids().buffer_at(place) {
            self.state_view.buffer = buffer;
            self.state_view.ask_to_reveal(Tab::Buffers, place, false);
        }
    }

    /// In every tab, scrolls to the access of the last step and adopts its
    /// type.
    pub(crate) fn scroll_to_step(&mut self) {
        self.take_type_of_instruction();
        self.show_changed_buffer();
        let changes = self.session.last_changes();
        let is_register = |c: &&Change| matches!(c.space.kind(), SpaceKind::Registers(_));
        let register = changes.iter().find(is_register);
        // In reverse, so that the first write takes precedence.
        let memory = changes.iter().rev();
        let memory = memory.filter(|c| MemoryKind::of(c.space).is_some());
        let written = register.into_iter().chain(memory);
        let written = written.map(|c| Place::new(c.space, c.address));
        let read = self.grids().last_read();
        let read = read.map(|range| Place::new(range.space, range.address));
        let places: Vec<Place> = written.chain(read).collect();
        for place in places {
            self.show_place(place);
        }
    }

    /// At the end of a launch, shows the first buffer that it has changed, unless the user has
    /// chosen one.
    fn show_changed_buffer(&mut self) {
        if self.state_view.is_buffer_chosen || !self.session.at_end() {
            return;
        }
        let grids = self.grids();
        let mut buffers = 0..grids.buffers().len();
        let changed = buffers.find_map(|index| Some((index, grids.next_change(index, None)?)));
        if let Some((index, place)) = changed {
            self.state_view.buffer = index;
            self.state_view.ask_to_reveal(Tab::Buffers, place, false);
        }
    }

    /// An access of an issue, and the display type of its cells.
    fn access_and_type(&self, index: IssueIndex) -> Option<(Access, ElementType)> {
        let program = self.session.program();
        let issue = self.session.issue(index)?;
        let instruction = &program.instruction(issue).instruction;
        let lanes = self.session.lanes(index);
        let access = lanes.iter().find_map(|lane| lane.access)?;
        Some((access, instruction.display_type(&program.symbols)))
    }

    /// Shows the memory accessed by the current instruction in the
    /// instruction's type.
    fn take_type_of_instruction(&mut self) {
        let index = self.session.current_issue();
        let Some((access, ty)) = index.and_then(|index| self.access_and_type(index)) else {
            return;
        };
        let kind = MemoryKind::of(access.space);
        if let Some(kind) = kind.filter(|kind| self.state_view.grid.memories[*kind].used_type != ty)
        {
            self.state_view.grid.memories[kind].used_type = ty;
        }
    }

    /// Resets the tab and the grids for another program: opens the buffers of a
    /// launch, or else the memory accessed by the first instruction, in that
    /// instruction's type. Chosen formats are kept.
    pub(crate) fn reset_grids(&mut self) {
        let registers = Tab::of_registers(self.facts());
        let view = &mut self.state_view;
        view.reveals.clear();
        view.buffer = 0;
        view.is_buffer_chosen = false;
        view.grid.row_lengths.clear();
        view.buffer_types.clear();
        view.forget_types();
        for memory in view.grid.memories.iter_mut() {
            *memory = MemoryView {
                format: memory.format,
                ..MemoryView::default()
            };
        }
        view.grid.tab = registers;
        let count = to_u32(self.session.issues().len());
        // In reverse, so that the first issue to access each memory takes
        // precedence.
        for index in (0..count.min(MAX_INSPECTED_ISSUES)).rev() {
            let Some((access, ty)) = self.access_and_type(IssueIndex(index)) else {
                continue;
            };
            let Some(kind) = MemoryKind::of(access.space) else {
                continue;
            };
            let regions = Rc::clone(self.grids().regions(kind));
            let first = regions
                .iter()
                .position(|region| region.space == access.space);
            self.state_view.grid.tab = Tab::of_memory(kind, self.facts());
            let memory = &mut self.state_view.grid.memories[kind];
            memory.used_type = ty;
            memory.region = first.unwrap_or(0);
        }
        if !self.grids().buffers().is_empty() {
            self.state_view.grid.tab = Tab::Buffers;
        }
    }

    /// After an edit, leaves tabs and regions that no longer exist.
    pub(crate) fn drop_removed_memories(&mut self) {
        let tabs = Tab::all(self.session.program());
        if !tabs.contains(&self.state_view.grid.tab) {
            self.state_view.grid.tab = Tab::of_registers(self.facts());
        }
        for kind in MemoryKind::ALL {
            if self.grids().shown_region(kind).is_none() {
                self.state_view.grid.memories[kind].region = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::transport::{StepSize, TransportAction};
    use crate::store::Saved;

    #[test]
    fn cells_have_the_type_of_the_current_instruction() {
        let mut state = State::of_scenario("red-float-sum");
        let ty = |state: &State| {
            state.state_view.grid.memories[MemoryKind::Virtual]
                .notation()
                .ty
        };
        assert_eq!(ty(&state), ElementType::F);
        // Four lanes of F32, then four of F64.
        for wanted in [
            ElementType::F,
            ElementType::F,
            ElementType::F,
            ElementType::F,
            ElementType::Df,
        ] {
            state.act(TransportAction::Step);
            assert_eq!(ty(&state), wanted);
        }
        state.act(TransportAction::StepBack);
        assert_eq!(ty(&state), ElementType::F);
        for back in [TransportAction::ToStart, TransportAction::Reset] {
            state.act(TransportAction::ToEnd);
            assert_eq!(ty(&state), ElementType::Df);
            state.act(back);
            assert_eq!(ty(&state), ElementType::F);
        }
    }

    #[test]
    fn the_end_of_a_launch_shows_a_changed_buffer() {
        let mut state = State::of_scenario("kernel-histogram");
        let buffer = |state: &State| {
            state.grids().buffers()[state.state_view.buffer]
                .name
                .clone()
        };
        let first = buffer(&state);
        state.run(TransportAction::ToEnd);
        assert_ne!(buffer(&state), first);
        let changed = state.state_view.buffer;
        assert!(state.grids().next_change(changed, None).is_some());
        // The user's choice is kept.
        state.act(StateAction::Buffer(0, BufferAction::Show));
        state.act(TransportAction::ToStart);
        state.run(TransportAction::ToEnd);
        assert_eq!(buffer(&state), first);
    }

    #[test]
    fn the_buffer_of_a_step_is_the_one_that_is_shown() {
        let mut state = State::of_scenario("kernel-tiles");
        let buffer = |state: &State| {
            let name = &state.grids().buffers()[state.state_view.buffer].name;
            name.clone()
        };
        assert_eq!(buffer(&state), "c");
        state.act(TransportAction::StepSize(StepSize::Access));
        while state.grids().last_read().is_none() {
            state.act(TransportAction::Step);
        }
        assert_ne!(buffer(&state), "c");

        // Rows in view keep the name of a buffer that is among them.
        let grids = state.grids();
        let shape = grids.shape(Tab::Buffers, 40);
        let second = &grids.buffers()[1];
        let second = grids.row_of(&shape, Place::new(SpaceId::VIRTUAL, second.address));
        let second = second.expect("a buffer with elements");
        let in_view = |rows, shown| grids.buffer_in_view(&shape, rows, shown);
        assert_eq!(in_view(0..second + 1, 1), Some(1));
        assert_eq!(in_view(0..second + 1, 2), Some(0));
        assert_eq!(in_view(second..second + 1, 0), Some(1));
    }

    #[test]
    fn unreadable_files_leave_buffers_unchanged() {
        let mut state = State::of_scenario("kernel-histogram");
        let text = state.text();
        for bytes in [Ok(Rc::from([])), Err(String::from("it is a folder"))] {
            let file = Rc::from("file");
            let load = StateAction::Buffer(0, BufferAction::Load { file, bytes });
            state.act(load);
            assert_eq!(state.text(), text);
        }
    }

    #[test]
    fn requests_after_a_reset_are_newer() {
        let mut state = State::new(Saved::default());
        let mut serial_of_step = || {
            state.act(TransportAction::Step);
            let serial = state.state_view.reveal(Tab::Local).unwrap().serial;
            state.reset_grids();
            serial
        };
        assert!(serial_of_step() < serial_of_step());
    }
}

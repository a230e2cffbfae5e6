//! How memories follow the reader and the run.

use super::{MemoryState, region_at};
use crate::features::machine::MemoryAction;
use crate::features::machine::memories::MemoryKind;
use crate::features::machine::place::Place;
use crate::features::machine::tab::Tab;
use crate::store::State;
use lanewise_core::isa::Access;
use lanewise_core::machine::{Change, SpaceKind};
use lanewise_core::number::ElementType;
use std::rc::Rc;

/// How many instructions are asked for the memory that they access first.
const MAX_ASKED: usize = 64;

impl State {
    pub(crate) fn apply_memory(&mut self, kind: MemoryKind, action: MemoryAction) {
        let regions = Rc::clone(self.machine_inputs().regions(kind));
        let memory = &mut self.machine.memories[kind];
        match action {
            MemoryAction::Region(index) if index < regions.len() => {
                memory.show_region(index);
                memory.in_view.scroll_to(0);
            }
            MemoryAction::Region(_) => {}
            MemoryAction::Scrolled { first, count } => {
                memory.in_view.scrolled(first, count);
            }
            MemoryAction::RowBytes(bytes) => memory.set_row_bytes(bytes),
            MemoryAction::Format(format) => memory.format = format.canonical(),
            MemoryAction::GoTo(address) => {
                let shown = Some(memory.region);
                let here = shown.filter(|i| regions.get(*i).is_some_and(|r| r.holds(address)));
                let index = here.or_else(|| regions.iter().position(|r| r.holds(address)));
                if let Some(index) = index {
                    memory.region = index;
                    memory.go_to(&regions[index], address);
                }
            }
        }
    }

    /// Brings a cell into view in its tab, unless it is there.
    pub(crate) fn show_place(&mut self, place: Place) {
        let Some(kind) = MemoryKind::of(place.space) else {
            self.show_register(place);
            return;
        };
        let regions = Rc::clone(self.machine_inputs().regions(kind));
        if let Some(index) = region_at(&regions, place.space, place.address) {
            let memory = &mut self.machine.memories[kind];
            if memory.region != index {
                memory.show_region(index);
            }
            memory.show(&regions[index], place.address);
        }
    }

    /// Brings what the last step accessed into view, in every tab, in the type
    /// of its instruction.
    pub(crate) fn scroll_to_step(&mut self) {
        self.take_type_of_instruction();
        let inputs = self.machine_inputs();
        let changes = self.session.last_changes();
        let is_register = |c: &&Change| matches!(c.space.kind(), SpaceKind::Registers(_));
        let register = changes.iter().find(is_register);
        let memory = changes.iter().filter(|c| MemoryKind::of(c.space).is_some());
        let written = register.into_iter().chain(memory);
        let written = written.map(|c| Place::new(c.space, c.address));
        let read = inputs.last_read();
        let read = read.map(|range| Place::new(range.space, range.address));
        let places: Vec<Place> = written.chain(read).collect();
        for place in places {
            self.show_place(place);
        }
    }

    /// An access of an instruction, and the type in which its cells are shown.
    fn access_and_type(&self, index: usize) -> Option<(Access, ElementType)> {
        let program = self.session.program();
        let lanes = self.session.lanes(index);
        let access = lanes.iter().find_map(|lane| lane.access)?;
        let instruction = &program.instructions.get(index)?.instruction;
        Some((access, instruction.display_type(&program.symbols)))
    }

    /// The memory that the instruction at hand accesses is shown in its type.
    fn take_type_of_instruction(&mut self) {
        let index = self.session.current_instruction();
        let Some((access, ty)) = index.and_then(|index| self.access_and_type(index)) else {
            return;
        };
        let kind = MemoryKind::of(access.space);
        if let Some(kind) = kind.filter(|kind| self.machine.memories[*kind].used_type != ty) {
            self.machine.memories[kind].used_type = ty;
        }
    }

    /// The tab and the memories as they suit another text: the memory that its
    /// first instruction accesses, in that instruction's type.
    pub(crate) fn reset_memories(&mut self) {
        for memory in self.machine.memories.iter_mut() {
            *memory = MemoryState {
                in_view: memory.in_view,
                row_bytes: memory.row_bytes,
                format: memory.format,
                ..MemoryState::NEW
            };
            memory.in_view.scroll_to(0);
        }
        self.machine.tab = Tab::Registers;
        let count = self.session.program().instructions.len();
        // Backwards, so that the first instruction of each memory has the say.
        for index in (0..count.min(MAX_ASKED)).rev() {
            let Some((access, ty)) = self.access_and_type(index) else {
                continue;
            };
            let Some(kind) = MemoryKind::of(access.space) else {
                continue;
            };
            let mut regions = self.machine_inputs().regions(kind).iter();
            let first = regions.position(|region| region.space == access.space);
            self.machine.tab = Tab::of_memory(kind, self.family());
            let memory = &mut self.machine.memories[kind];
            memory.used_type = ty;
            memory.region = first.unwrap_or(0);
        }
    }

    /// After an edit: a tab, a region and rows that are gone are not shown.
    pub(crate) fn leave_gone_memories(&mut self) {
        let tabs = Tab::all(self.family());
        if !tabs.contains(&self.machine.tab) {
            self.machine.tab = Tab::Registers;
        }
        for kind in MemoryKind::ALL {
            let memory = &self.machine.memories[kind];
            let region = self.machine_inputs().regions(kind).get(memory.region);
            let rows = region.map(|region| region.rows(memory.row_bytes()));
            if rows.is_none_or(|rows| rows <= memory.base) {
                self.machine.memories[kind].show_region(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use crate::features::transport::TransportAction;
    use crate::store::{Action, Saved};
    use lanewise_core::library::named;

    #[test]
    fn cells_have_the_type_of_the_instruction_at_hand() {
        let mut state = State::new(Saved::default());
        let choose = ProgramAction::Choose(named("red-float-sum").unwrap());
        state.act(Action::Program(choose));
        let ty = |state: &State| {
            state
                .machine_inputs()
                .memory_model(MemoryKind::Virtual)
                .state
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
            state.act(Action::Transport(TransportAction::Step));
            assert_eq!(ty(&state), wanted);
        }
        state.act(Action::Transport(TransportAction::StepBack));
        assert_eq!(ty(&state), ElementType::F);
        for back in [TransportAction::ToStart, TransportAction::Reset] {
            state.act(Action::Transport(TransportAction::ToEnd));
            assert_eq!(ty(&state), ElementType::Df);
            state.act(Action::Transport(back));
            assert_eq!(ty(&state), ElementType::F);
        }
    }
}

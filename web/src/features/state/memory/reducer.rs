//! Keeps memory views in step with the user and the run.

use super::{MemoryState, region_at};
use crate::features::state::MemoryAction;
use crate::features::state::memories::MemoryKind;
use crate::features::state::place::Place;
use crate::features::state::tab::Tab;
use crate::store::State;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::isa::Access;
use lanewise_core::machine::{Change, SpaceKind};
use lanewise_core::number::ElementType;
use lanewise_core::session::IssueIndex;
use std::rc::Rc;

/// Maximum number of issues searched for the first access of each memory.
const MAX_INSPECTED_ISSUES: u32 = 64;

impl State {
    pub(crate) fn apply_memory(&mut self, kind: MemoryKind, action: MemoryAction) {
        let regions = Rc::clone(self.state_inputs().regions(kind));
        let memory = &mut self.state_view.memories[kind];
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

    /// Opens the tab of a cell and scrolls the cell into view.
    pub(crate) fn show_place(&mut self, place: Place) {
        let Some(kind) = MemoryKind::of(place.space) else {
            self.show_register(place);
            return;
        };
        let regions = Rc::clone(self.state_inputs().regions(kind));
        if let Some(index) = region_at(&regions, place.space, place.address) {
            let memory = &mut self.state_view.memories[kind];
            if memory.region != index {
                memory.show_region(index);
            }
            memory.show(&regions[index], place.address);
        }
    }

    /// In every tab, scrolls to the access of the last step and adopts its
    /// type.
    pub(crate) fn scroll_to_step(&mut self) {
        self.take_type_of_instruction();
        let inputs = self.state_inputs();
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
        if let Some(kind) = kind.filter(|kind| self.state_view.memories[*kind].used_type != ty) {
            self.state_view.memories[kind].used_type = ty;
        }
    }

    /// Resets the tab and memory views for another program: opens the memory
    /// accessed by the first instruction, in that instruction's type.
    pub(crate) fn reset_memories(&mut self) {
        for memory in self.state_view.memories.iter_mut() {
            *memory = MemoryState {
                in_view: memory.in_view,
                row_bytes: memory.row_bytes,
                format: memory.format,
                ..MemoryState::NEW
            };
            memory.in_view.scroll_to(0);
        }
        self.state_view.tab = Tab::Registers;
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
            let mut regions = self.state_inputs().regions(kind).iter();
            let first = regions.position(|region| region.space == access.space);
            self.state_view.tab = Tab::of_memory(kind, self.family());
            let memory = &mut self.state_view.memories[kind];
            memory.used_type = ty;
            memory.region = first.unwrap_or(0);
        }
    }

    /// After an edit, leaves tabs, regions and rows that no longer exist.
    pub(crate) fn drop_removed_memories(&mut self) {
        let tabs = Tab::all(self.family());
        if !tabs.contains(&self.state_view.tab) {
            self.state_view.tab = Tab::Registers;
        }
        for kind in MemoryKind::ALL {
            let memory = &self.state_view.memories[kind];
            let region = self.state_inputs().regions(kind).get(memory.region);
            let rows = region.map(|region| region.rows(memory.row_bytes()));
            if rows.is_none_or(|rows| rows <= memory.base) {
                self.state_view.memories[kind].show_region(0);
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
    fn cells_have_the_type_of_the_current_instruction() {
        let mut state = State::new(Saved::default());
        let choose = ProgramAction::Choose(named("red-float-sum").unwrap());
        state.act(Action::Program(choose));
        let ty = |state: &State| {
            state
                .state_inputs()
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

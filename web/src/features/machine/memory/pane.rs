//! The memory panes of the state: what they show, and how they follow a run.

use super::{
    MARGIN, MAX_ROW_BYTES, MAX_ROWS, MemoryAction, MemoryPane, MemoryRow, MemoryView, Region, find,
};
use crate::features::highlight::ByteRange;
use crate::features::machine::Tab;
use crate::features::machine::cells::ScrollTarget;
use crate::features::machine::inspect::{ChosenCell, Place};
use crate::store::State;
use lanewise_core::isa::{Access, Family};
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::ElementType;
use std::rc::Rc;

impl State {
    /// The pane of a memory tab.
    pub(crate) fn memory(&self, tab: Tab) -> Option<MemoryPane> {
        let view = self.panes.memories[tab.memory()?];
        let regions = self.regions(tab);
        let mut pane = MemoryPane {
            tab,
            view,
            total: 0,
            rows: Vec::new(),
            characters: 0,
            cut: None,
            regions,
        };
        if let Some(region) = pane.regions.get(view.region) {
            let rows = region.rows(view.row_bytes());
            let left = rows.saturating_sub(view.base).min(MAX_ROWS);
            pane.total = usize::try_from(left).expect("MAX_ROWS fits a usize");
            pane.cut = (rows > MAX_ROWS).then(|| MAX_ROWS * view.row_bytes());
            // In steps of the margin, so that small scrolls find all rows there.
            let start = (view.first / MARGIN * MARGIN).saturating_sub(MARGIN);
            let end = pane.total.min(start + view.count + 3 * MARGIN);
            let chosen = self.chosen();
            let read = self.last_read();
            let row = |index| self.memory_row(region, &view, index, chosen.as_ref(), read);
            pane.rows = (start..end).map(row).collect();
            // The row of the chosen cell stays: the focus may be in it.
            let here = chosen.as_ref().filter(|c| c.place.space == region.space);
            let first = region.first_row(view.row_bytes()) + view.base;
            let index = here.and_then(|c| (c.place.address / view.row_bytes()).checked_sub(first));
            let index = index.and_then(|index| usize::try_from(index).ok());
            if let Some(index) = index.filter(|i| *i < pane.total) {
                if index < start {
                    pane.rows.insert(0, row(index));
                } else if index >= end {
                    pane.rows.push(row(index));
                }
            }
            let characters = pane.rows.iter().map(MemoryRow::characters);
            pane.characters = characters.max().unwrap_or(0);
        }
        Some(pane)
    }

    pub(super) fn memory_row(
        &self,
        region: &Region,
        view: &MemoryView,
        index: usize,
        chosen: Option<&ChosenCell>,
        read: Option<ByteRange>,
    ) -> MemoryRow {
        let row_bytes = view.row_bytes();
        let address = (region.first_row(row_bytes) + view.base + index as u64) * row_bytes;
        let last = address + (row_bytes - 1);
        let from = region.start.max(address) - address;
        let to = region.last.min(last) - address + 1;
        let mut bytes = [0; MAX_ROW_BYTES];
        let mapped = from as usize..to as usize;
        let memory = self.session.machine().space(region.space);
        if let Some(bytes) = bytes.get_mut(mapped.clone()) {
            memory.read(address + from, bytes);
        }
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
            row_bytes: view.row_bytes,
            changes: self.changes_in(region.space, address, row_bytes),
            notation: view.notation(),
        }
    }

    /// The tabs that the program has.
    pub(crate) fn tabs(&self) -> &'static [Tab] {
        Tab::all(self.family())
    }

    /// The tab that shows a space.
    pub(crate) fn tab_of(&self, space: SpaceId) -> Option<Tab> {
        match (space, self.family()) {
            (SpaceId::SLM, _) => Some(Tab::Local),
            (SpaceId::VIRTUAL, Family::Visa) => Some(Tab::Virtual),
            (SpaceId::VIRTUAL, Family::Sass) => Some(Tab::Global),
            (other, _) => other.surface_index().map(|_| Tab::Surfaces),
        }
    }

    /// The bytes that the last step read and left as they were: a gather's, or
    /// those of a compare that failed.
    fn last_read(&self) -> Option<ByteRange> {
        let access = self.session.last_read()?;
        let bytes = u64::from(access.bytes);
        Some(ByteRange::new(access.space, access.address, bytes))
    }

    /// What the last step wrote, in order; the change of a compare that failed
    /// to what was there already is none.
    pub(crate) fn last_writes(&self) -> impl Iterator<Item = &Change> {
        let read = self.last_read();
        let changes = self.session.last_changes().iter();
        changes.filter(move |change| {
            let bytes = u64::from(change.bytes);
            let own = ByteRange::new(change.space, change.address, bytes);
            read.is_none_or(|read| !read.overlaps(own))
        })
    }

    /// The tabs of the memories that the last step wrote to.
    pub(crate) fn changed_tabs(&self) -> Vec<Tab> {
        let mut tabs: Vec<Tab> = self
            .last_writes()
            .filter_map(|c| self.tab_of(c.space))
            .collect();
        tabs.dedup();
        tabs
    }

    /// The regions of a tab.
    pub(super) fn regions(&self, tab: Tab) -> Rc<[Region]> {
        let regions = tab.memory().and_then(|i| self.panes.regions.get(i));
        regions.map_or_else(|| Rc::from([]), Rc::clone)
    }

    pub(crate) fn apply_memory(&mut self, tab: Tab, action: MemoryAction) {
        let regions = self.regions(tab);
        let Some(view) = tab.memory().and_then(|i| self.panes.memories.get_mut(i)) else {
            return;
        };
        match action {
            MemoryAction::Region(index) if index < regions.len() => {
                view.region = index;
                view.base = 0;
                view.jump_to(ScrollTarget::First(0));
            }
            MemoryAction::Region(_) => {}
            MemoryAction::Scrolled { first, count } => (view.first, view.count) = (first, count),
            MemoryAction::RowBytes(bytes) => view.set_row_bytes(bytes),
            MemoryAction::Format(format) => view.format = format.canonical(),
            MemoryAction::GoTo(address) => {
                let holds = |r: &Region| r.start <= address && address <= r.last;
                let here = regions.get(view.region).is_some_and(holds);
                let index = if here {
                    Some(view.region)
                } else {
                    regions.iter().position(holds)
                };
                if let Some((index, region)) = index.and_then(|i| Some((i, regions.get(i)?))) {
                    view.region = index;
                    view.show(region, address, true);
                }
            }
        }
    }

    /// Brings what the last step accessed into view, in every pane, in the type
    /// of its instruction.
    pub(crate) fn follow(&mut self) {
        self.follow_type();
        let written: Vec<Change> = self.session.last_changes().to_vec();
        let file = written.iter().find(|c| c.space.0 < 2);
        if let Some(change) = file {
            self.show_register(Place::new(change.space, change.address));
        }
        let written = written.iter().map(|change| (change.space, change.address));
        let read = self.last_read().map(|read| (read.space, read.address));
        for (space, address) in written.chain(read) {
            let Some(tab) = self.tab_of(space) else {
                continue;
            };
            let regions = self.regions(tab);
            let found = find(&regions, space, address);
            let view = tab.memory().and_then(|i| self.panes.memories.get_mut(i));
            if let (Some(index), Some(view)) = (found, view) {
                if view.region != index {
                    view.region = index;
                    view.base = 0;
                }
                view.show(&regions[index], address, false);
            }
        }
    }

    /// An access of an instruction, and the type in which its cells are shown.
    fn access_and_type(&self, index: usize) -> Option<(Access, ElementType)> {
        let program = self.session.program();
        let lanes = self.session.lanes(index);
        let access = lanes.iter().find_map(|lane| lane.access)?;
        let instruction = &program.instructions.get(index)?.instruction;
        Some((access, instruction.shown_as(&program.symbols)))
    }

    /// Cells of the memory that the instruction at hand accesses have its type.
    fn follow_type(&mut self) {
        let index = self.session.current_instruction();
        let Some((access, ty)) = index.and_then(|index| self.access_and_type(index)) else {
            return;
        };
        let memory = self.tab_of(access.space).and_then(Tab::memory);
        if let Some(memory) = memory.filter(|i| self.panes.memories[*i].declared != ty) {
            self.panes.memories[memory].declared = ty;
        }
    }

    /// The panes as they suit a text at first: the memory that its first
    /// instruction touches, in that instruction's type.
    pub(crate) fn reset_views(&mut self) {
        for view in &mut self.panes.memories {
            *view = MemoryView {
                jump: view.jump,
                count: view.count,
                row_bytes: view.row_bytes,
                // What the reader chose stays.
                format: view.format,
                ..MemoryView::NEW
            };
            view.jump_to(ScrollTarget::First(0));
        }
        self.panes.tab = Tab::Registers;
        let count = self.session.program().instructions.len();
        for index in (0..count.min(64)).rev() {
            let Some((access, ty)) = self.access_and_type(index) else {
                continue;
            };
            if let Some(tab) = self.tab_of(access.space) {
                self.panes.tab = tab;
                let regions = self.regions(tab);
                if let Some(view) = tab.memory().and_then(|i| self.panes.memories.get_mut(i)) {
                    view.declared = ty;
                    let first = regions.partition_point(|r| r.space < access.space);
                    let found = regions.get(first).is_some_and(|r| r.space == access.space);
                    view.region = if found { first } else { 0 };
                }
            }
        }
    }

    /// After an edit: regions that are gone are not shown.
    pub(crate) fn fit_views(&mut self) {
        let tabs = self.tabs();
        if !tabs.contains(&self.panes.tab) {
            self.panes.tab = Tab::Registers;
        }
        for tab in tabs.iter().copied() {
            let regions = self.regions(tab);
            if let Some(view) = tab.memory().and_then(|i| self.panes.memories.get_mut(i)) {
                let bytes = view.row_bytes();
                let rows = regions.get(view.region).map(|region| region.rows(bytes));
                if rows.is_none_or(|rows| rows <= view.base) {
                    (view.region, view.base) = (0, 0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::machine::MachineAction;
    use crate::features::program::ProgramAction;
    use crate::features::transport::TransportAction;
    use crate::store::{Action, Saved};

    #[test]
    fn cells_have_the_type_of_the_instruction_at_hand() {
        let mut state = State::new(Saved::default());
        let choose = ProgramAction::Choose(String::from("red-float-sum"));
        state.act(Action::Program(choose));
        let ty = |state: &State| state.memory(Tab::Global).unwrap().view.notation().ty;
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

    #[test]
    fn a_tab_opens_again_where_it_was_scrolled_to() {
        let mut state = State::new(Saved::default());
        let text = String::from(".slm 65536\n");
        state.act(Action::Program(ProgramAction::Edit(text)));
        let machine = |action| Action::Machine(action);
        let scrolled = MemoryAction::Scrolled {
            first: 100,
            count: 20,
        };
        state.act(machine(MachineAction::Tab(Tab::Local)));
        state.act(machine(MachineAction::Memory(Tab::Local, scrolled)));
        state.act(machine(MachineAction::Tab(Tab::Registers)));
        state.act(machine(MachineAction::Tab(Tab::Local)));
        let jump = state.memory(Tab::Local).unwrap().view.jump.unwrap();
        assert_eq!(jump.value, ScrollTarget::First(100));
    }
}

//! Memory panes: which region, which rows, and the bytes of those rows.

mod places;

use super::cells::Notation;
use super::inspect::{Chosen, Place};
use super::{MemoryAction, State, Tab};
use lanewise_core::isa::Family;
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::session::Session;
use std::rc::Rc;

/// Bytes of a row.
pub(crate) const ROW: u64 = 16;

/// Rows above and below the screen that are kept ready.
const MARGIN: usize = 4;

/// The most rows of a region that one scroll bar covers; "go to" moves on.
const MOST_ROWS: u64 = 1 << 18;

/// A mapped piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) space: SpaceId,
    pub(crate) name: Rc<str>,
    pub(crate) start: u64,
    pub(crate) last: u64,
}

impl Region {
    fn first_row(&self) -> u64 {
        self.start / ROW
    }

    fn rows(&self) -> u64 {
        self.last / ROW - self.first_row() + 1
    }
}

/// A request to bring a row into view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jump {
    /// Tells one request from the next.
    pub(crate) serial: u32,
    pub(crate) row: usize,
}

/// How a memory pane looks at its memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MemoryView {
    pub(crate) region: usize,
    pub(crate) notation: Notation,
    /// The type of the instruction that uses it, and whether that is shown.
    pub(crate) used: ElementType,
    pub(crate) as_used: bool,
    pub(crate) jump: Option<Jump>,
    /// The first row that the scroll bar covers, counted from the region's.
    base: u64,
    /// The rows on the screen: the first, and how many; none until they have
    /// been counted.
    first: usize,
    count: usize,
}

impl MemoryView {
    pub(super) const NEW: Self = Self {
        region: 0,
        notation: Notation {
            ty: ElementType::Ud,
            hex: false,
        },
        used: ElementType::Ud,
        as_used: true,
        jump: None,
        base: 0,
        first: 0,
        // Not counted yet: the first paint does without them.
        count: 0,
    };

    /// The first row on the screen, and how many are there.
    pub(crate) const fn visible(&self) -> (usize, usize) {
        (self.first, self.count)
    }

    fn jump_to(&mut self, row: usize) {
        self.jump = Some(Jump {
            serial: self.jump.map_or(0, |j| j.serial.wrapping_add(1)),
            row,
        });
    }

    /// Brings an address into view, unless it is there.
    fn show(&mut self, region: &Region, address: u64, always: bool) {
        let row = (address / ROW).saturating_sub(region.first_row());
        if row < self.base || row - self.base >= MOST_ROWS {
            self.base = row / MOST_ROWS * MOST_ROWS;
        }
        let row = usize::try_from(row - self.base).unwrap_or(0);
        let visible = self.first <= row && row < self.first + self.count;
        if always || !visible {
            self.jump_to(row);
        }
    }
}

/// A row of a memory pane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MemoryRow {
    /// Its place in the list.
    pub(crate) index: usize,
    pub(crate) address: u64,
    pub(crate) bytes: [u8; ROW as usize],
    /// Which of the bytes are mapped.
    pub(crate) mapped: std::ops::Range<usize>,
    pub(crate) changes: Vec<Change>,
    pub(crate) notation: Notation,
    pub(crate) space: SpaceId,
    /// The chosen cell, if it is in this row.
    pub(crate) chosen: Option<Chosen>,
}

/// What a memory pane shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MemoryPane {
    pub(crate) tab: Tab,
    pub(crate) regions: Rc<[Region]>,
    pub(crate) view: MemoryView,
    /// All rows that the scroll bar covers.
    pub(crate) total: usize,
    /// The rows on the screen and a margin.
    pub(crate) rows: Vec<MemoryRow>,
    /// Whether the region has more rows than the scroll bar covers.
    pub(crate) cut: bool,
}

impl State {
    /// The pane of a memory tab.
    pub(crate) fn memory(&self, tab: Tab) -> Option<MemoryPane> {
        let view = self.memories[tab.memory()?];
        let regions = self.regions(tab);
        let mut pane = MemoryPane {
            tab,
            view,
            total: 0,
            rows: Vec::new(),
            cut: false,
            regions,
        };
        if let Some(region) = pane.regions.get(view.region) {
            let left = region.rows().saturating_sub(view.base).min(MOST_ROWS);
            pane.total = usize::try_from(left).unwrap_or(0);
            pane.cut = region.rows() > MOST_ROWS;
            // In steps of the margin, so that small scrolls find all rows there.
            let start = (view.first / MARGIN * MARGIN).saturating_sub(MARGIN);
            let end = match view.count {
                0 => start,
                count => pane.total.min(start + count + 3 * MARGIN),
            };
            let chosen = self.chosen();
            let row = |index| self.memory_row(region, &view, index, chosen.as_ref());
            pane.rows = (start..end).map(row).collect();
            // The row of the chosen cell stays: the focus may be in it.
            let here = chosen.as_ref().filter(|c| c.place.space == region.space);
            let first = region.first_row() + view.base;
            let index = here.and_then(|c| (c.place.address / ROW).checked_sub(first));
            let index = index.and_then(|index| usize::try_from(index).ok());
            if let Some(index) = index.filter(|i| *i < pane.total && view.count > 0) {
                if index < start {
                    pane.rows.insert(0, row(index));
                } else if index >= end {
                    pane.rows.push(row(index));
                }
            }
        }
        Some(pane)
    }

    fn memory_row(
        &self,
        region: &Region,
        view: &MemoryView,
        index: usize,
        chosen: Option<&Chosen>,
    ) -> MemoryRow {
        let address = (region.first_row() + view.base + index as u64) * ROW;
        let last = address + (ROW - 1);
        let from = region.start.max(address) - address;
        let to = region.last.min(last) - address + 1;
        let mut bytes = [0; ROW as usize];
        let mapped = from as usize..to as usize;
        let memory = self.session.machine().space(region.space);
        if let Some(bytes) = bytes.get_mut(mapped.clone()) {
            memory.read(address + from, bytes);
        }
        let own =
            |c: &&Chosen| c.place.space == region.space && c.place.address / ROW == address / ROW;
        MemoryRow {
            space: region.space,
            chosen: chosen.filter(own).cloned(),
            index,
            address,
            bytes,
            mapped,
            changes: self.changes_in(region.space, address, ROW),
            notation: view.notation,
        }
    }

    /// The tabs that the program has.
    pub(crate) fn tabs(&self) -> &'static [Tab] {
        Tab::all(self.family())
    }

    /// The tab that shows a space.
    pub(super) fn tab_of(&self, space: SpaceId) -> Option<Tab> {
        match (space, self.family()) {
            (SpaceId::SLM, _) => Some(Tab::Local),
            (SpaceId::VIRTUAL, Family::Visa) => Some(Tab::Virtual),
            (SpaceId::VIRTUAL, Family::Sass) => Some(Tab::Global),
            (other, _) => other.surface_index().map(|_| Tab::Surfaces),
        }
    }

    /// The regions of a tab.
    fn regions(&self, tab: Tab) -> Rc<[Region]> {
        let regions = tab.memory().and_then(|i| self.regions.get(i));
        regions.map_or_else(|| Rc::from([]), Rc::clone)
    }

    pub(super) fn change_memory(&mut self, tab: Tab, action: MemoryAction) {
        let regions = self.regions(tab);
        let Some(view) = tab.memory().and_then(|i| self.memories.get_mut(i)) else {
            return;
        };
        match action {
            MemoryAction::Region(index) if index < regions.len() => {
                view.region = index;
                view.base = 0;
                view.jump_to(0);
            }
            MemoryAction::Region(_) => {}
            MemoryAction::Scrolled(first, count) => (view.first, view.count) = (first, count),
            MemoryAction::Type(ty) => {
                view.as_used = ty.is_none();
                view.notation.ty = ty.unwrap_or(view.used);
            }
            MemoryAction::Hex(hex) => view.notation.hex = hex,
            MemoryAction::GoTo(address) => {
                let holds = |r: &Region| r.start <= address && address <= r.last;
                let here = regions.get(view.region).is_some_and(holds);
                let index = match here {
                    true => Some(view.region),
                    false => regions.iter().position(holds),
                };
                if let Some((index, region)) = index.and_then(|i| Some((i, regions.get(i)?))) {
                    view.region = index;
                    view.show(region, address, true);
                }
            }
        }
    }

    /// Brings what the last step wrote into view, in every pane.
    pub(super) fn follow(&mut self) {
        let written: Vec<Change> = self.session.last_changes().to_vec();
        let file = written.iter().find(|c| c.space.0 < 2);
        let shown = self.family() == Family::Visa;
        if let Some(change) = file.filter(|_| shown) {
            self.show_register(Place::new(change.space, change.address));
        }
        for change in written {
            let Some(tab) = self.tab_of(change.space) else {
                continue;
            };
            let regions = self.regions(tab);
            let found = find(&regions, change.space, change.address);
            let view = tab.memory().and_then(|i| self.memories.get_mut(i));
            if let (Some(index), Some(view)) = (found, view) {
                if view.region != index {
                    view.region = index;
                    view.base = 0;
                }
                view.show(&regions[index], change.address, false);
            }
        }
    }

    /// The panes as they suit a text at first: the memory that its first
    /// instruction touches, in that instruction's type.
    pub(super) fn reset_views(&mut self) {
        for view in &mut self.memories {
            *view = MemoryView {
                jump: view.jump,
                count: view.count,
                // What the reader chose stays.
                notation: view.notation,
                as_used: view.as_used,
                ..MemoryView::NEW
            };
            view.jump_to(0);
        }
        self.tab = Tab::Registers;
        let program = self.session.program();
        for (index, placed) in program.instructions.iter().enumerate().take(64).rev() {
            let lanes = self.session.lanes(index);
            let access = lanes.iter().find_map(|lane| lane.access);
            let tab = access.and_then(|access| self.tab_of(access.space));
            if let (Some(tab), Some(access)) = (tab, access) {
                self.tab = tab;
                let regions = self.regions(tab);
                if let Some(view) = tab.memory().and_then(|i| self.memories.get_mut(i)) {
                    view.used = placed.instruction.shown_as(&program.symbols);
                    let first = regions.partition_point(|r| r.space < access.space);
                    let found = regions.get(first).is_some_and(|r| r.space == access.space);
                    view.region = if found { first } else { 0 };
                }
            }
        }
        self.fit_types();
    }

    /// The views' types, once it is known what the program uses.
    pub(super) fn fit_types(&mut self) {
        for view in &mut self.memories {
            if view.as_used {
                view.notation.ty = view.used;
            }
        }
    }

    /// After an edit: regions that are gone are not shown.
    pub(super) fn fit_views(&mut self) {
        let tabs = self.tabs();
        if !tabs.contains(&self.tab) {
            self.tab = Tab::Registers;
        }
        for tab in tabs.iter().copied() {
            let regions = self.regions(tab);
            if let Some(view) = tab.memory().and_then(|i| self.memories.get_mut(i)) {
                let rows = regions.get(view.region).map(Region::rows);
                if rows.is_none_or(|rows| rows <= view.base) {
                    (view.region, view.base) = (0, 0);
                }
            }
        }
    }
}

/// The regions of every memory pane at the start of a run; a run maps none.
pub(super) fn regions_of(session: &Session) -> [Rc<[Region]>; 3] {
    let machine = session.machine();
    let of = |space: SpaceId, name: &str| {
        let regions = machine.space(space).regions();
        let alone = regions.len() == 1 && space != SpaceId::VIRTUAL;
        let region = |(start, bytes): (u64, u64)| Region {
            space,
            name: Rc::from(match alone {
                true => format!("{name}, {bytes} bytes"),
                false => format!("{name} {start:#x}, {bytes} bytes"),
            }),
            start,
            last: start + (bytes - 1),
        };
        regions.map(region).collect::<Vec<_>>()
    };
    let names = &session.program().symbols;
    let virtual_name = match names.target.family() {
        Family::Visa => "svm",
        Family::Sass => "global",
    };
    let surfaces = names.visa.surfaces();
    // By number, and each one's regions by start: in order already.
    let surfaces: Vec<Region> = surfaces
        .flat_map(|(index, surface)| of(SpaceId::surface(index), &surface.name))
        .collect();
    [
        of(SpaceId::SLM, "slm").into(),
        of(SpaceId::VIRTUAL, virtual_name).into(),
        surfaces.into(),
    ]
}

/// Which of the regions, by space and start, holds an address.
fn find(regions: &[Region], space: SpaceId, address: u64) -> Option<usize> {
    let after = regions.partition_point(|r| (r.space, r.start) <= (space, address));
    let index = after.checked_sub(1)?;
    let region = regions.get(index)?;
    (region.space == space && address <= region.last).then_some(index)
}

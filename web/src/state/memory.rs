//! Memory panes: which region, which rows, and the bytes of those rows.

mod places;

use super::cells::{Cell, Notation, ROW_BYTES, cut, little_endian};
use super::inspect::{Chosen, Place};
use super::{MemoryAction, State, Tab};
use lanewise_core::isa::Family;
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::session::Session;
use std::rc::Rc;

/// The most bytes of a row: eight dwords.
pub(crate) const MAX_ROW_BYTES: usize = ROW_BYTES[0];

/// Bytes of a row as long as nobody has measured the pane: four dwords.
const USUAL_ROW_BYTES: usize = ROW_BYTES[1];

/// Rows above and below the screen that are kept ready.
const MARGIN: usize = 4;

/// Rows on the screen as long as nobody has counted them.
const USUAL_ROWS: usize = 24;

/// The most rows of a region that one scroll bar covers; "go to" moves on.
const MAX_ROWS: u64 = 1 << 18;

/// A mapped piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) space: SpaceId,
    pub(crate) name: Rc<str>,
    pub(crate) start: u64,
    pub(crate) last: u64,
}

impl Region {
    /// The number of its first row, counted from address 0.
    const fn first_row(&self, row_bytes: u64) -> u64 {
        self.start / row_bytes
    }

    const fn rows(&self, row_bytes: u64) -> u64 {
        self.last / row_bytes - self.first_row(row_bytes) + 1
    }
}

/// How the values of a memory are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryFormat {
    /// The type of the elements; `None` for that of the instructions that
    /// access the memory.
    pub(crate) ty: Option<ElementType>,
    /// In hexadecimal rather than the type's own notation.
    pub(crate) hex: bool,
}

impl MemoryFormat {
    /// As the instructions that access the memory declare it.
    pub(crate) const DECLARED: Self = Self {
        ty: None,
        hex: false,
    };

    /// Everything the menu offers: as declared, types, hexadecimal sizes.
    pub(crate) fn all() -> Vec<Self> {
        let as_declared = [false, true].map(|hex| Self { ty: None, hex });
        let typed = ElementType::ALL.map(|ty| Self {
            ty: Some(ty),
            hex: false,
        });
        let sized = [
            ElementType::Ub,
            ElementType::Uw,
            ElementType::Ud,
            ElementType::Uq,
        ];
        let hexadecimal = sized.map(|ty| Self {
            ty: Some(ty),
            hex: true,
        });
        as_declared
            .into_iter()
            .chain(typed)
            .chain(hexadecimal)
            .collect()
    }

    /// What the menu calls it.
    pub(crate) fn name(self) -> String {
        match (self.ty, self.hex) {
            (None, false) => String::from("as declared"),
            (None, true) => String::from("as declared, in hexadecimal"),
            (Some(ty), true) => format!("{}-bit hexadecimal", ty.bits()),
            (Some(ty), false) => {
                use ElementType::{B, Bf, D, Df, F, Hf, Q, Ub, Ud, Uq, Uw, W};
                let kind = match ty {
                    Ub | Uw | Ud | Uq => "unsigned",
                    B | W | D | Q => "signed",
                    Hf | F | Df => "float",
                    Bf => "bfloat",
                };
                format!("{}: {}-bit {kind}", ty.name(), ty.bits())
            }
        }
    }

    /// The same among [`Self::all`]: all types of a size have the same
    /// hexadecimal digits.
    fn canonical(self) -> Self {
        let ty = self.ty.map(|ty| match (self.hex, ty.bytes()) {
            (false, _) => ty,
            (true, 1) => ElementType::Ub,
            (true, 2) => ElementType::Uw,
            (true, 4) => ElementType::Ud,
            (true, _) => ElementType::Uq,
        });
        Self { ty, ..self }
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
    pub(crate) format: MemoryFormat,
    /// The type of the instructions that access it.
    pub(crate) declared: ElementType,
    /// Bytes of a row: one of [`ROW_BYTES`].
    pub(crate) row_bytes: usize,
    pub(crate) jump: Option<Jump>,
    /// The first row that the scroll bar covers, counted from the region's.
    base: u64,
    /// The rows on the screen: the first, and how many.
    first: usize,
    count: usize,
}

impl MemoryView {
    pub(super) const NEW: Self = Self {
        region: 0,
        format: MemoryFormat::DECLARED,
        declared: ElementType::Ud,
        row_bytes: USUAL_ROW_BYTES,
        jump: None,
        base: 0,
        first: 0,
        count: USUAL_ROWS,
    };

    /// The first row on the screen, and how many are there.
    pub(crate) const fn visible(&self) -> (usize, usize) {
        (self.first, self.count)
    }

    /// How its elements are written.
    pub(crate) fn notation(&self) -> Notation {
        Notation {
            ty: self.format.ty.unwrap_or(self.declared),
            hex: self.format.hex,
        }
    }

    const fn row_bytes(&self) -> u64 {
        self.row_bytes as u64
    }

    fn jump_to(&mut self, row: usize) {
        self.jump = Some(Jump {
            serial: self.jump.map_or(0, |j| j.serial.wrapping_add(1)),
            row,
        });
    }

    /// Shows so many bytes a row, the same addresses at the top.
    fn set_row_bytes(&mut self, bytes: usize) {
        if bytes == self.row_bytes || !ROW_BYTES.contains(&bytes) {
            return;
        }
        let top = (self.base + self.first as u64) * self.row_bytes();
        self.row_bytes = bytes;
        let row = top / self.row_bytes();
        self.base = row / MAX_ROWS * MAX_ROWS;
        self.first = usize::try_from(row - self.base).expect("MAX_ROWS fits a usize");
        self.jump_to(self.first);
    }

    /// Brings an address into view, unless it is there.
    fn show(&mut self, region: &Region, address: u64, always: bool) {
        let bytes = self.row_bytes();
        let row = (address / bytes).saturating_sub(region.first_row(bytes));
        if row < self.base || row - self.base >= MAX_ROWS {
            self.base = row / MAX_ROWS * MAX_ROWS;
        }
        let row = usize::try_from(row - self.base).expect("MAX_ROWS fits a usize");
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
    /// Its bytes; only [`Self::mapped`] of them mean something.
    pub(crate) bytes: [u8; MAX_ROW_BYTES],
    /// Which of the bytes are mapped.
    pub(crate) mapped: std::ops::Range<usize>,
    /// How many bytes a row has.
    pub(crate) row_bytes: usize,
    pub(crate) changes: Vec<Change>,
    pub(crate) notation: Notation,
    pub(crate) space: SpaceId,
    /// The chosen cell, if it is in this row.
    pub(crate) chosen: Option<Chosen>,
}

impl MemoryRow {
    /// Where in the row its whole elements are.
    pub(crate) fn elements(&self) -> std::ops::Range<usize> {
        let size = usize::from(self.notation.ty.bytes());
        let from = self.mapped.start.next_multiple_of(size);
        from..(self.mapped.end / size * size).max(from)
    }

    /// Its elements, with what the last step did to them.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let range = self.elements();
        let address = self.address + range.start as u64;
        cut(&self.bytes[range], address, self.notation, &self.changes)
    }

    /// The most characters of a value.
    fn characters(&self) -> usize {
        let size = usize::from(self.notation.ty.bytes());
        let bytes = &self.bytes[self.elements()];
        let lengths = bytes
            .chunks(size)
            .map(|element| self.notation.characters(little_endian(element)));
        lengths.max().unwrap_or(0)
    }
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
    /// The most characters of a value in these rows.
    pub(crate) characters: usize,
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
            characters: 0,
            cut: false,
            regions,
        };
        if let Some(region) = pane.regions.get(view.region) {
            let rows = region.rows(view.row_bytes());
            let left = rows.saturating_sub(view.base).min(MAX_ROWS);
            pane.total = usize::try_from(left).expect("MAX_ROWS fits a usize");
            pane.cut = rows > MAX_ROWS;
            // In steps of the margin, so that small scrolls find all rows there.
            let start = (view.first / MARGIN * MARGIN).saturating_sub(MARGIN);
            let end = pane.total.min(start + view.count + 3 * MARGIN);
            let chosen = self.chosen();
            let row = |index| self.memory_row(region, &view, index, chosen.as_ref());
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

    fn memory_row(
        &self,
        region: &Region,
        view: &MemoryView,
        index: usize,
        chosen: Option<&Chosen>,
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
        let own = |c: &&Chosen| {
            c.place.space == region.space && (address..=last).contains(&c.place.address)
        };
        MemoryRow {
            space: region.space,
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
            MemoryAction::RowBytes(bytes) => view.set_row_bytes(bytes),
            MemoryAction::Format(format) => view.format = format.canonical(),
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
        if let Some(change) = file {
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
                row_bytes: view.row_bytes,
                // What the reader chose stays.
                format: view.format,
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
                    view.declared = placed.instruction.shown_as(&program.symbols);
                    let first = regions.partition_point(|r| r.space < access.space);
                    let found = regions.get(first).is_some_and(|r| r.space == access.space);
                    view.region = if found { first } else { 0 };
                }
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
                let bytes = view.row_bytes();
                let rows = regions.get(view.region).map(|region| region.rows(bytes));
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

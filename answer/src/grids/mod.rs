//! Rows and cells of the grids of registers, memories and buffers.
//!
//! A grid has rows of equal height. Its [`GridShape`] depends on the program,
//! the formats and the available width; a row is computed when it is needed.

mod buffers;
mod cell_names;
mod cells;
pub(crate) mod format;
mod memories;
mod memory;
mod place;
mod regions;
mod register_map;
mod registers;
mod tab;
mod table;
mod warp;
mod writes;

pub use buffers::MAX_ROW_LENGTH;
pub use cells::{Cell, LastAccess};
pub use format::{MemoryFormat, RegisterFormat};
pub use memories::{Memories, MemoryKind, MemoryView};
pub use place::{CellBits, CellKind, Place};
pub use regions::{Region, region_at};
pub use register_map::{RegisterMap, Variable};
pub use tab::Tab;
pub use writes::WatchRow;

use crate::buffer_view::BufferView;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use buffers::BufferRows;
use core::cell::OnceCell;
use lanewise_core::isa::FamilyFacts;
use lanewise_core::session::Session;
use regions::regions_of;
use register_map::ROW_BYTES;
use warp::WarpColumn;

/// Width, in characters, up to which values have room in rows of four dwords;
/// longer ones may scroll.
const USUAL_CHARACTERS: usize = 8;

/// State of a run, and how it is shown.
#[derive(Clone, Copy)]
pub struct Grids<'s> {
    pub session: &'s Session,
    pub view: &'s GridView,
    /// How the buffers of the launch are shown.
    pub buffer_views: &'s [BufferView],
}

/// How grids are shown.
#[derive(Clone, Debug, Default)]
pub struct GridView {
    /// The open tab. Cells of buffers have the types of the buffers in their tab only.
    pub tab: Tab,
    pub register_format: RegisterFormat,
    /// Layout of the program's variables, computed on first use.
    pub register_map: OnceCell<Rc<RegisterMap>>,
    /// Mapped regions, computed on first use.
    pub regions: OnceCell<Memories<Rc<[Region]>>>,
    pub memories: Memories<MemoryView>,
    /// Row lengths of buffers in elements, by name, as entered: perhaps out of range.
    pub row_lengths: BTreeMap<Rc<str>, usize>,
    /// Whether buffers show the bits beside the values.
    pub shows_hex: bool,
}

/// Extent of a grid.
#[derive(Clone, Debug)]
pub struct GridShape {
    /// Number of rows.
    pub rows: u64,
    /// Headings of the row headings and the columns; empty for none.
    pub heads: Vec<String>,
    layout: Layout,
}

#[derive(Clone, Debug)]
enum Layout {
    Registers { row_bytes: usize },
    Warp(Vec<WarpColumn>),
    Memory { region: Region, row_bytes: u64 },
    Buffers(Vec<BufferRows>),
    Empty,
}

/// Row of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridRow {
    /// Index in the grid.
    pub index: u64,
    /// Name of the section, such as `EU0`; empty if the grid has none.
    pub section: Rc<str>,
    /// Name of a variable, in its first row.
    pub name: Option<Rc<str>>,
    /// Type and register, element range, address, or lane.
    pub about: String,
    pub title: Option<Rc<str>>,
    /// Number of columns of a full row.
    pub slots: usize,
    /// Number of empty columns before the first cell.
    pub skipped: usize,
    pub cells: Vec<Cell>,
    pub kind: RowKind,
    /// Whether cells show their bits beside their values.
    pub shows_hex: bool,
    /// Headings of the columns, in a row without cells.
    pub heads: Vec<Rc<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Heading of a section, without cells.
    Heading,
    /// Headings of the columns of a section.
    Columns,
    Values,
    /// Predicate or execution mask.
    Mask,
    /// Row of Dst still being accumulated here: the displayed values are older.
    Pending(u8),
    /// The lane that executed the last step.
    CurrentLane,
    /// A lane that never executes, and why.
    InactiveLane(&'static str),
}

impl GridRow {
    fn new(index: u64, about: String, cells: Vec<Cell>) -> Self {
        Self {
            index,
            section: Rc::from(""),
            name: None,
            about,
            title: None,
            slots: cells.len(),
            skipped: 0,
            cells,
            kind: RowKind::Values,
            shows_hex: false,
            heads: Vec::new(),
        }
    }

    /// Whether a cell contains a place.
    pub fn holds(&self, place: Place) -> bool {
        self.cells.iter().any(|cell| cell.holds(place))
    }
}

/// Longest row, in bytes, that fits into `room` characters if every `unit`
/// bytes take `characters`.
fn fitting_row_bytes(room: usize, unit: usize, characters: usize) -> usize {
    let fits = |bytes: &usize| {
        let characters = match bytes {
            32 => characters,
            _ => characters.min(USUAL_CHARACTERS),
        };
        bytes / unit * (characters + 1) <= room
    };
    ROW_BYTES.into_iter().find(fits).unwrap_or(ROW_BYTES[2])
}

impl<'s> Grids<'s> {
    /// How a buffer of the launch is shown.
    pub fn view_of(&self, buffer: usize) -> Option<&'s BufferView> {
        self.buffer_views.get(buffer)
    }

    /// Facts of the instruction family of the program.
    fn facts(&self) -> &'static FamilyFacts {
        self.session.program().symbols.target.facts()
    }

    /// Regions of a memory. All memories are computed on first use.
    pub fn regions(&self, kind: MemoryKind) -> &'s Rc<[Region]> {
        let regions = &self.view.regions;
        &regions.get_or_init(|| regions_of(self.session))[kind]
    }

    /// The region of a memory that its tab shows.
    pub fn shown_region(&self, kind: MemoryKind) -> Option<&'s Region> {
        self.regions(kind).get(self.view.memories[kind].region)
    }

    /// Tabs of the memories that the last step wrote.
    pub fn changed_tabs(&self) -> Vec<Tab> {
        let mut tabs = Vec::new();
        for change in self.last_writes() {
            let Some(kind) = MemoryKind::of(change.space) else {
                continue;
            };
            let place = Place::new(change.space, change.address);
            let buffer = self.buffer_at(place).map(|_| Tab::Buffers);
            let tab = Tab::of_memory(kind, self.facts());
            for tab in buffer.into_iter().chain([tab]) {
                if !tabs.contains(&tab) {
                    tabs.push(tab);
                }
            }
        }
        tabs
    }

    /// Extent of a grid in a pane that has room for `characters` characters.
    pub fn shape(&self, tab: Tab, characters: usize) -> GridShape {
        match (tab, tab.memory()) {
            (_, Some(kind)) => self.memory_shape(kind, characters),
            (Tab::Buffers, _) => self.buffers_shape(characters),
            (Tab::Warp, _) => self.warp_shape(),
            _ => self.registers_shape(characters),
        }
    }

    /// A row of a grid; `None` beyond its end.
    pub fn row(&self, shape: &GridShape, index: u64) -> Option<GridRow> {
        if index >= shape.rows {
            return None;
        }
        match &shape.layout {
            Layout::Registers { row_bytes } => self.register_row(index, *row_bytes),
            Layout::Warp(columns) => self.warp_row(index, columns),
            Layout::Memory { region, row_bytes } => {
                Some(self.memory_row(region, *row_bytes, index))
            }
            Layout::Buffers(buffers) => self.buffer_row(buffers, index),
            Layout::Empty => None,
        }
    }

    /// Row of a grid that shows a place.
    pub fn row_of(&self, shape: &GridShape, place: Place) -> Option<u64> {
        match &shape.layout {
            Layout::Registers { row_bytes } => self.register_row_of(place, *row_bytes),
            Layout::Warp(columns) => self.warp_row_of(place, columns),
            Layout::Memory { region, row_bytes } => {
                let is_here = region.space == place.space && region.holds(place.address);
                is_here.then(|| place.address / row_bytes - region.first_row(*row_bytes))
            }
            Layout::Buffers(buffers) => self.buffer_row_of(buffers, place),
            Layout::Empty => None,
        }
    }

    /// The cell at an offset of columns and rows from a cell, clamped to the
    /// grid. At the end of a row, the first cell of the next one follows.
    pub fn neighbour(
        &self,
        shape: &GridShape,
        place: Place,
        right: i32,
        down: i32,
    ) -> Option<Place> {
        let row = self.row_of(shape, place)?;
        let here = self.row(shape, row)?.cells;
        let column = here.iter().position(|cell| cell.holds(place))?;
        let next = if down != 0 {
            let rows = self.rows_beyond(shape, row, down.into());
            let last = rows.take(down.unsigned_abs() as usize).last()?;
            last.get(column).or(last.last()).cloned()
        } else {
            match column.checked_add_signed(right as isize) {
                Some(to) if to < here.len() => here.get(to).cloned(),
                _ => {
                    let next = self.rows_beyond(shape, row, right.into()).next()?;
                    if right > 0 { next.first() } else { next.last() }.cloned()
                }
            }
        };
        next.map(|cell| cell.place)
    }

    /// Cells of the rows below a row, or above if `direction` is negative,
    /// except headings.
    fn rows_beyond(
        &self,
        shape: &GridShape,
        row: u64,
        direction: i64,
    ) -> impl Iterator<Item = Vec<Cell>> {
        let next = move |row: &u64| row.checked_add_signed(direction.signum());
        let rows = core::iter::successors(next(&row), next);
        let rows = rows.map_while(|row| self.row(shape, row));
        rows.map(|row| row.cells).filter(|cells| !cells.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use lanewise_core::library::named;
    use lanewise_core::machine::SpaceId;
    use lanewise_core::program::Program;

    #[test]
    fn rows_show_what_a_step_wrote() {
        let program = Program::parse(named("histogram").unwrap().text);
        let mut session = Session::new(Rc::new(program));
        session.step();
        let view = GridView {
            tab: Tab::Local,
            ..GridView::default()
        };
        let grids = Grids {
            session: &session,
            view: &view,
            buffer_views: &[],
        };
        let written = Place::new(SpaceId::SLM, session.last_changes()[0].address);
        let shape = grids.shape(Tab::Local, 60);
        let row = grids.row_of(&shape, written).unwrap();
        let row = grids.row(&shape, row).unwrap();
        let cell = row.cells.iter().find(|cell| cell.holds(written)).unwrap();
        assert_eq!((cell.was, cell.bits), (Some(0), 1));
        assert_eq!(cell.access, LastAccess::Changed);
        assert_eq!(grids.name_of(cell.place, cell.kind), "slm[0x0]");
        assert_eq!(grids.last_write(cell.place.bits(cell.kind)), Some(1));
        assert_eq!(grids.changed_tabs(), vec![Tab::Local]);
        let next = grids.neighbour(&shape, cell.place, 1, 0).unwrap();
        assert_eq!(next.address, cell.place.address + 4);
    }
}

//! Registers, predicates and address variables, as rows of equal height. Only
//! the rows in view are computed.

mod model;
mod reducer;
mod register_map;

use super::cells::{Notation, little_endian};
use super::inspect::ChosenCell;
use super::place::Place;
use super::rows::{ROW_BYTES, RowsInView};
use lanewise_core::machine::Change;
pub(crate) use register_map::RegisterMap;
use std::rc::Rc;

/// Maximum row length in bytes.
pub(crate) const MAX_ROW_BYTES: usize = ROW_BYTES[0];

/// Minimum width of a dword in characters.
const MIN_CHARACTERS: usize = 4;

/// Width of a dword in characters, if each value takes `characters`.
fn dword_characters(notation: Notation, characters: usize) -> usize {
    let size = usize::from(notation.ty.bytes());
    // Elements smaller than a dword are separated by gaps too.
    let gaps = (4 / size).saturating_sub(1);
    (characters * 4).div_ceil(size).saturating_add(gaps)
}

/// Row layout of the register grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegisterRows {
    /// Whether both EUs are shown side by side.
    pub(crate) beside: bool,
    /// Row length in bytes: one of [`ROW_BYTES`].
    pub(crate) bytes: usize,
}

/// View state of the registers of a vISA program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegistersState {
    /// Unless shown side by side, EU1's rows follow EU0's; each EU has a
    /// heading.
    pub(crate) in_view: RowsInView,
    pub(crate) rows: RegisterRows,
}

impl RegistersState {
    pub(crate) const NEW: Self = Self {
        in_view: RowsInView::new(24),
        rows: RegisterRows {
            beside: false,
            bytes: ROW_BYTES[1],
        },
    };
}

/// Contents of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowData {
    /// Predicate or execution mask.
    Mask { bits: u32, width: u32 },
    /// Elements of an address variable.
    Pointers(Vec<String>),
    /// Elements of a variable.
    Values {
        /// Only the first `count` elements are valid.
        bytes: [u8; MAX_ROW_BYTES],
        count: usize,
        notation: Notation,
        changes: Vec<Change>,
        /// Number of the first element.
        first: usize,
    },
}

/// Row of an EU's registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegisterRow {
    /// Index among the rows of the EU.
    pub(crate) index: usize,
    /// Variable name, in its first row only.
    pub(crate) name: Option<Rc<str>>,
    /// Type and register in the first row; element range in the others.
    pub(crate) about: String,
    pub(crate) title: Option<Rc<str>>,
    /// Row of Dst still being accumulated here: the displayed values are older.
    pub(crate) pending_row: Option<u8>,
    /// Place of the first cell.
    pub(crate) place: Place,
    pub(crate) data: RowData,
    pub(crate) chosen: Option<ChosenCell>,
}

/// Visible registers of an EU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EuRegisters {
    pub(crate) name: &'static str,
    pub(crate) rows: Vec<RegisterRow>,
}

/// Model of the registers of a vISA program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegistersModel {
    pub(crate) state: RegistersState,
    /// Number of rows per EU.
    pub(crate) total: usize,
    pub(crate) eus: Vec<EuRegisters>,
    /// Width of a dword in view, in characters.
    pub(crate) characters: usize,
    /// Width of a dword for any value of the program's variables, in
    /// characters; constant throughout a run.
    pub(crate) max_characters: usize,
}

impl RegisterRow {
    /// Places of the cells.
    fn places(&self) -> impl Iterator<Item = Place> {
        let (cells, size) = match &self.data {
            RowData::Mask { .. } => (1, 4),
            RowData::Pointers(pointers) => (pointers.len(), 4),
            RowData::Values {
                count, notation, ..
            } => {
                let size = usize::from(notation.ty.bytes());
                (count / size, size)
            }
        };
        let Place { space, address } = self.place;
        (0..cells).map(move |i| Place::new(space, address + (i * size) as u64))
    }

    /// Width of a dword for the longest value, in characters.
    fn characters(&self) -> usize {
        let RowData::Values {
            bytes,
            count,
            notation,
            ..
        } = &self.data
        else {
            return MIN_CHARACTERS;
        };
        let size = usize::from(notation.ty.bytes());
        let elements = bytes[..count / size * size].chunks(size);
        let lengths = elements.map(|element| notation.characters(little_endian(element)));
        dword_characters(*notation, lengths.max().unwrap_or(0)).max(MIN_CHARACTERS)
    }
}

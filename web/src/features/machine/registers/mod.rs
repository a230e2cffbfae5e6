//! Registers, predicates and address variables as rows of equal height, of
//! which only those in view are worked out.

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

/// The most bytes of a row.
pub(crate) const MAX_ROW_BYTES: usize = ROW_BYTES[0];

/// The fewest characters that a dword of a row has room for.
const MIN_CHARACTERS: usize = 4;

/// Characters that a dword needs if values have so many.
fn dword_characters(notation: Notation, characters: usize) -> usize {
    let size = usize::from(notation.ty.bytes());
    // Elements smaller than a dword have a gap between them too.
    let gaps = (4 / size).saturating_sub(1);
    (characters * 4).div_ceil(size).saturating_add(gaps)
}

/// The form of the rows of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegisterRows {
    /// Whether both EUs are side by side.
    pub(crate) beside: bool,
    /// Bytes of a row: one of [`ROW_BYTES`].
    pub(crate) bytes: usize,
}

/// What is in view of the registers of a vISA program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegistersState {
    /// EU1's rows follow EU0's, unless they are beside them; each EU has a
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

/// What a row holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowData {
    /// A predicate or the execution mask: so many bits.
    Mask { bits: u32, width: u32 },
    /// Elements of an address variable.
    Pointers(Vec<String>),
    /// Elements of a variable.
    Values {
        /// `count` of them are the row's.
        bytes: [u8; MAX_ROW_BYTES],
        count: usize,
        notation: Notation,
        changes: Vec<Change>,
        /// The number of its first element.
        first: usize,
    },
}

/// A row of an EU's registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegisterRow {
    /// Its number among the rows of its EU.
    pub(crate) index: usize,
    /// The variable, in its first row.
    pub(crate) name: Option<Rc<str>>,
    /// Its type and register, or which elements these are.
    pub(crate) about: String,
    pub(crate) title: Option<Rc<str>>,
    /// The row of Dst that is being summed up and will be written here: what
    /// stands here is older.
    pub(crate) pending_row: Option<u8>,
    /// Where its first cell lies.
    pub(crate) place: Place,
    pub(crate) data: RowData,
    pub(crate) chosen: Option<ChosenCell>,
}

/// The registers of an EU, those in view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EuRegisters {
    pub(crate) name: &'static str,
    pub(crate) rows: Vec<RegisterRow>,
}

/// What the State pane shows of the registers of a vISA program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegistersModel {
    pub(crate) state: RegistersState,
    /// Rows of each EU.
    pub(crate) total: usize,
    pub(crate) eus: Vec<EuRegisters>,
    /// Characters that a dword needs for what is in view.
    pub(crate) characters: usize,
    /// Characters that a dword needs for any value of the program's variables:
    /// no step changes it.
    pub(crate) max_characters: usize,
}

impl RegisterRow {
    /// Where its cells lie.
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

    /// Characters that a dword needs for the longest value.
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

//! Registers, predicates and address variables as lines of equal height, of
//! which only those in view are worked out.

mod layout;
mod pane;

use crate::features::machine::cells::{Notation, ROW_BYTES, ScrollTarget, TypeSize, little_endian};
use crate::features::machine::inspect::{ChosenCell, Place};
use crate::store::Request;
use lanewise_core::machine::Change;
pub(crate) use layout::Layout;
use std::rc::Rc;

/// The most bytes of a line.
pub(crate) const LINE: usize = ROW_BYTES[0];

/// Lines above and below the screen that are kept ready.
const MARGIN: usize = 8;

/// The fewest characters that a dword of a line has room for.
const LEAST_ROOM: usize = 4;

/// The least width of the names of registers, and what else of a line is no
/// value, in pixels; and what every dword needs besides its characters.
const LEAST_NAMES: u32 = 72;
const DWORD_GAP: f64 = 6.0;

/// Characters that a dword needs if values have so many.
fn dword_characters(notation: Notation, characters: usize) -> usize {
    let size = usize::from(notation.ty.bytes());
    // Elements smaller than a dword have a gap between them too.
    let gaps = (4 / size).saturating_sub(1);
    (characters * 4).div_ceil(size).saturating_add(gaps)
}

/// How the Registers pane is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RegistersView {
    /// The rows on the screen: the first, and how many.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Whether both EUs are side by side.
    pub(crate) beside: bool,
    /// Bytes of a line: one of [`ROW_BYTES`].
    pub(crate) line: usize,
    /// The type of the values, so small that a line fits.
    pub(crate) type_size: TypeSize,
    /// How wide its box is, in pixels.
    pub(crate) width: u32,
    /// The columns of a warp on the screen: the first, and how many.
    pub(crate) first_column: usize,
    pub(crate) columns: usize,
    pub(crate) jump: Option<Request<ScrollTarget>>,
}

impl RegistersView {
    pub(crate) const NEW: Self = Self {
        first: 0,
        count: 24,
        beside: false,
        line: ROW_BYTES[1],
        type_size: TypeSize::Px13,
        width: 0,
        first_column: 0,
        columns: 8,
        jump: None,
    };
}

/// What a line holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    Mask(u32, u32),
    Pointers(Vec<String>),
    Values {
        bytes: [u8; LINE],
        count: usize,
        notation: Notation,
        changes: Vec<Change>,
        /// The number of its first element.
        first: usize,
    },
}

/// A line of an EU.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) index: usize,
    /// What it belongs to; nothing where that goes on.
    pub(crate) name: Option<Rc<str>>,
    pub(crate) about: String,
    pub(crate) title: Option<Rc<str>>,
    /// The row of Dst that is being summed up and will be written here: what
    /// stands here is older.
    pub(crate) pending_row: Option<u8>,
    /// Its first cell.
    pub(crate) place: Place,
    pub(crate) data: Data,
    /// The most bytes of a line.
    pub(crate) bytes: usize,
    pub(crate) chosen: Option<ChosenCell>,
}

/// The lines of an EU that are in view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Eu {
    pub(crate) name: &'static str,
    pub(crate) lines: Vec<Line>,
}

/// What the Registers pane of a vISA program shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RegistersPane {
    pub(crate) view: RegistersView,
    /// Lines of each EU.
    pub(crate) total: usize,
    pub(crate) eus: Vec<Eu>,
    /// Characters that every dword of a line needs room for.
    pub(crate) characters: usize,
}

impl Line {
    /// Characters that a dword needs for the longest value, at least four.
    fn characters(&self) -> usize {
        let Data::Values {
            bytes,
            count,
            notation,
            ..
        } = &self.data
        else {
            return LEAST_ROOM;
        };
        let size = usize::from(notation.ty.bytes());
        let elements = bytes[..count / size * size].chunks(size);
        let lengths = elements.map(|element| notation.characters(little_endian(element)));
        dword_characters(*notation, lengths.max().unwrap_or(0)).max(LEAST_ROOM)
    }
}

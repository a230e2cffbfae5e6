//! The registers of a warp: lanes down, registers across.

mod model;

use super::cells::{Cell, Notation};
use super::inspect::ChosenCell;
use super::place::Place;
use super::rows::RowsInView;
use std::rc::Rc;

/// What is in view of the registers of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WarpState {
    /// The columns in view.
    pub(crate) in_view: RowsInView,
}

impl WarpState {
    pub(crate) const NEW: Self = Self {
        in_view: RowsInView::new(8),
    };
}

/// The registers of one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WarpLane {
    pub(crate) lane: u8,
    /// Why it takes no part in anything, if it does not.
    pub(crate) idle: Option<&'static str>,
    /// Whether the last step was its.
    pub(crate) current: bool,
    /// Its predicates and registers, in the columns of [`WarpModel::columns`].
    pub(crate) values: Vec<Value>,
    /// The chosen cell, if it is this lane's.
    pub(crate) chosen: Option<ChosenCell>,
}

/// What a lane has in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Predicate(Bit),
    Register(Register),
}

/// A lane's bit of a predicate: before the last step, and now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bit {
    pub(crate) place: Place,
    pub(crate) was: bool,
    pub(crate) now: bool,
}

/// A lane's register, or pair of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    pub(crate) place: Place,
    pub(crate) notation: Notation,
    pub(crate) cells: Vec<Cell>,
}

/// What the State pane shows of a warp: the registers that the program names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WarpModel {
    pub(crate) state: WarpState,
    /// `P0`, `R4`, in the order of the columns.
    pub(crate) names: Vec<String>,
    /// The columns that are worked out: those in view and a margin, and that of
    /// the chosen cell.
    pub(crate) columns: Rc<[usize]>,
    /// Characters that a column needs.
    pub(crate) characters: usize,
    pub(crate) lanes: Vec<WarpLane>,
}

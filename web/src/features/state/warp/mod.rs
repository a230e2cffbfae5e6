//! Registers of a warp: lanes down, registers across.

mod model;

use super::cells::{Cell, Notation};
use super::inspect::ChosenCell;
use super::place::Place;
use super::rows::RowsInView;
use std::rc::Rc;

/// View state of the registers of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WarpState {
    pub(crate) in_view: RowsInView,
}

impl WarpState {
    pub(crate) const NEW: Self = Self {
        in_view: RowsInView::new(8),
    };
}

/// Registers of one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WarpLane {
    pub(crate) lane: u8,
    /// Why the lane is inactive, if it is.
    pub(crate) idle: Option<&'static str>,
    /// Whether the lane executed the last step.
    pub(crate) current: bool,
    /// Predicates and registers, in the order of [`WarpModel::columns`].
    pub(crate) values: Vec<Value>,
    /// The inspected cell, if it belongs to this lane.
    pub(crate) chosen: Option<ChosenCell>,
}

/// Value of a lane in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Predicate(Bit),
    Register(Register),
}

/// A lane's predicate bit, before the last step and now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bit {
    pub(crate) place: Place,
    pub(crate) was: bool,
    pub(crate) now: bool,
}

/// A lane's register or register pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    pub(crate) place: Place,
    pub(crate) notation: Notation,
    pub(crate) cells: Vec<Cell>,
}

/// Model of a warp: the registers used by the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WarpModel {
    pub(crate) state: WarpState,
    /// `P0`, `R4`, in column order.
    pub(crate) names: Vec<String>,
    /// Computed columns: those in view, a margin, and that of the inspected
    /// cell.
    pub(crate) columns: Rc<[usize]>,
    /// Column width in characters.
    pub(crate) characters: usize,
    pub(crate) lanes: Vec<WarpLane>,
}

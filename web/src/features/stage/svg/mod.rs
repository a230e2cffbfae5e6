//! SVG building blocks of the stage.
//!
//! Each component draws at the origin; callers position it with a `<g>` and
//! [`translate`]. `web/style/stage.css` sets colours by `data-tone`,
//! `data-state` and class for both themes; `export` inlines them.

mod cell;
mod chip;
mod edge;
mod geometry;
mod group_mark;
mod palette;
mod text;

pub(crate) use cell::{CellCard, CellDensity, CellState};
pub(crate) use chip::{Chip, ChipState};
pub(crate) use edge::{Edge, EdgeState};
pub(crate) use geometry::{Point, Rect, Route, px, translate};
pub(crate) use group_mark::GroupMark;
pub(crate) use palette::Tone;
pub(crate) use text::{
    Face, LEAST_SIZE, Text, WholeText, fit, fit_cell_name, fit_end, fit_forms, fit_trail, shrink,
    text_width,
};

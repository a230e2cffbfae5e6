//! The parts that every stage is drawn with, as SVG.
//!
//! A part is a component that draws at the origin; who places it wraps it in a
//! `<g>` with [`translate`]. Colours come from `web/style/stage.css` by
//! `data-tone`, `data-state` and class, so that both themes work; `export`
//! writes them out.

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

//! The parts that every stage is drawn with, as SVG.
//!
//! A part is a component that draws at the origin; who places it wraps it in a
//! `<g>` with [`translate`]. Colours come from `web/style/stage.css` by
//! `data-tone`, `data-state` and class, so that both themes work; `export`
//! writes them out.

#![allow(
    dead_code,
    unused_imports,
    reason = "the stages are about to use all of it"
)]

mod cell;
mod chip;
mod edge;
mod geometry;
mod matrix;
mod palette;
mod register;
mod text;

pub(crate) use cell::{CellCard, CellDensity, CellState};
pub(crate) use chip::{Chip, ChipState};
pub(crate) use edge::{Edge, EdgeState};
pub(crate) use geometry::{Point, Rect, curve, px, translate};
pub(crate) use matrix::{GridCell, MatrixGrid};
pub(crate) use palette::{GroupMark, Tone, group_letter};
pub(crate) use register::{Register, Segment};
pub(crate) use text::{Face, Text, fit, fit_trail, text_width};

//! SVG building blocks of the stage.
//!
//! Each component draws at the origin; callers position it with a `<g>`. `web/style/stage.css` sets colours by `data-tone`,
//! `data-state` and class for both themes; `export` inlines them.

mod edge;
mod geometry;
mod palette;
mod text;

pub(crate) use edge::{Edge, EdgeState};
pub(crate) use geometry::{Point, Rect, Route, px};
pub(crate) use palette::Tone;
pub(crate) use text::{Face, Text, WholeText, fit, shrink, text_width};

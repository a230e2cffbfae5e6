//! Outlines for the element under the pointer or focus: the element in its
//! matrix and register, and the elements it is multiplied with or summed into.

use super::item::MatrixItem;
use super::model::{Grids, MatrixGrid, MatrixModel};
use super::plan::{GridPlan, Plan};
use super::supply::place_of_bits;
use crate::features::stage::svg::{Rect, px};
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Element of a matrix; for a shared A, that of EU0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointed {
    pub(super) role: MatrixRole,
    pub(super) eu: u8,
    pub(super) index: Index,
}

/// Relative position of the pointer in an element, in 0..1 to the right and
/// down.
fn within(element: &Element, pointer: Option<(i32, i32)>) -> (f64, f64) {
    let Some((x, y)) = pointer else {
        return (0.0, 0.0);
    };
    let rect = element.get_bounding_client_rect();
    let part = |at: i32, start: f64, size: f64| {
        ((f64::from(at) - start) / size.max(1.0)).clamp(0.0, 0.999)
    };
    (
        part(x, rect.left(), rect.width()),
        part(y, rect.top(), rect.height()),
    )
}

/// Element of a matrix under the pointer, or the first one of the focused cell.
pub(super) fn pointed_at(
    model: &MatrixModel,
    grids: &Grids,
    dst: &[Rc<MatrixGrid>],
    plan: &Plan,
    event: &Event,
    pointer: Option<(i32, i32)>,
) -> Option<Pointed> {
    let target: Element = event.target_dyn_into()?;
    let element = target
        .closest("[data-item]")
        .expect("the selector is valid")?;
    let at = within(&element, pointer);
    match MatrixItem::of_event(event)? {
        MatrixItem::Segment { eu, register, row } => {
            let parts = model.row_parts(eu, row);
            let part = parts
                .iter()
                .find(|part| (part.eu, part.register) == (eu, register))?;
            let bit = part.first_bit + (at.0 * f64::from(part.count)) as u16;
            Some(Pointed {
                role: MatrixRole::A,
                eu: if model.shared() { 0 } else { eu },
                index: model.layout.element(MatrixRole::A, eu, register, bit)?,
            })
        }
        MatrixItem::Cell {
            role,
            eu,
            row,
            column,
        } => {
            let grid = grids.of(role, dst).get(usize::from(eu))?;
            let cell = grid.rows.get(row)?.cells.get(column)?;
            let n = plan.grid(role, eu)?.element_at(at, cell.elements.len());
            Some(Pointed {
                role,
                eu,
                index: *cell.elements.get(n)?,
            })
        }
        MatrixItem::Register { .. } | MatrixItem::Configuration { .. } | MatrixItem::Fold => None,
    }
}

/// Outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outline {
    pub(super) rect: Rect,
    /// Whether the outline marks the element itself rather than a related one.
    pub(super) itself: bool,
}

/// Outlines for an element.
pub(super) fn outlines(
    model: &MatrixModel,
    plan: &Plan,
    grids: &Grids,
    dst: &[Rc<MatrixGrid>],
    pointed: Pointed,
) -> Vec<Outline> {
    let Pointed { role, eu, index } = pointed;
    let layout = model.layout;
    let mut all = Vec::new();
    let grid_of = |role: MatrixRole, eu: u8| {
        let grids = grids.of(role, dst);
        let eu = if role == MatrixRole::A && model.shared() {
            0
        } else {
            eu
        };
        grids.get(usize::from(eu)).zip(plan.grid(role, eu))
    };
    let element = |role, eu, index, itself| {
        let (grid, plan) = grid_of(role, eu)?;
        let (row, column, n, count) = grid.find(index)?;
        if !plan.shows(row) {
            return None;
        }
        let rect = plan.element(row, column, n, count);
        Some(Outline { rect, itself })
    };
    let line = |role, eu, from: Index, to: Index| -> Vec<Outline> {
        let ends = grid_of(role, eu).and_then(|(grid, plan)| {
            let (first, left, ..) = grid.find(from)?;
            let (last, right, ..) = grid.find(to)?;
            // Only the drawn part.
            let first = first.max(plan.first);
            let last = last.min((plan.first + plan.rows).checked_sub(1)?);
            Some((plan, (first, left), (last, right)))
        });
        let Some((plan, (first, left), (last, right))) = ends else {
            return Vec::new();
        };
        // In wrapped rows, the cells of a column are not adjacent.
        let rows_at_once = match plan.wrap {
            1 => (last + 1).saturating_sub(first).max(1),
            _ => 1,
        };
        (first..=last)
            .step_by(rows_at_once)
            .map(|row| Outline {
                rect: around(plan, (row, left), (row + rows_at_once - 1, right)),
                itself: false,
            })
            .collect()
    };
    all.extend(element(role, eu, index, true));
    // A's registers are drawn beside it.
    if role == MatrixRole::A {
        let places = model
            .element_parts(eu, index)
            .into_iter()
            .filter_map(|part| {
                let panel = plan.panels.iter().find(|panel| panel.eu == part.eu)?;
                let bar = panel.bars.get(usize::from(part.register))?;
                Some(Outline {
                    rect: place_of_bits(model, *bar, part),
                    itself: true,
                })
            });
        all.extend(places);
    }
    let (last_k, last_n, last_row) = (layout.k() - 1, layout.channels() - 1, layout.rc() - 1);
    let at = |row, column| Index { row, column };
    let readers = match (role, model.shared()) {
        (MatrixRole::A, true) => 0..model.eus,
        _ => eu..eu + 1,
    };
    for reader in readers {
        match role {
            MatrixRole::A => {
                let (i, k) = (index.row, index.column);
                all.extend(line(MatrixRole::B, reader, at(k, 0), at(k, last_n)));
                all.extend(line(MatrixRole::D, reader, at(i, 0), at(i, last_n)));
            }
            MatrixRole::B => {
                let (k, n) = (index.row, index.column);
                all.extend(line(MatrixRole::A, reader, at(0, k), at(last_row, k)));
                all.extend(line(MatrixRole::D, reader, at(0, n), at(last_row, n)));
            }
            MatrixRole::C | MatrixRole::D => {
                let (i, n) = (index.row, index.column);
                all.extend(line(MatrixRole::A, reader, at(i, 0), at(i, last_k)));
                all.extend(line(MatrixRole::B, reader, at(0, n), at(last_k, n)));
                let other = match role {
                    MatrixRole::C => MatrixRole::D,
                    _ => MatrixRole::C,
                };
                all.extend(element(other, reader, index, false));
            }
        }
    }
    all
}

fn around(plan: &GridPlan, first: (usize, usize), last: (usize, usize)) -> Rect {
    let (start, end) = (plan.rect(first.0, first.1), plan.rect(last.0, last.1));
    Rect::new(
        start.x,
        start.y,
        end.right() - start.x,
        end.bottom() - start.y,
    )
}

#[derive(Properties, PartialEq)]
pub(super) struct ProbeProps {
    pub(super) outlines: Vec<Outline>,
}

/// Outlines, drawn above everything else.
#[component]
pub(super) fn Probe(props: &ProbeProps) -> Html {
    let outlines = props.outlines.iter().enumerate().map(|(n, outline)| {
        let Rect {
            x,
            y,
            width,
            height,
        } = outline.rect;
        // Minimum width at which a few bits remain visible.
        let wide = width.max(3.0);
        let class = if outline.itself {
            "probe"
        } else {
            "probe related"
        };
        html! {
            <rect
                key={n}
                {class}
                x={px(x - 0.5 - (wide - width) / 2.0)}
                y={px(y - 0.5)}
                width={px(wide + 1.0)}
                height={px(height + 1.0)}
                rx="2"
            />
        }
    });
    let outlines: Html = outlines.collect();
    html! { <g class="probes">{ outlines }</g> }
}

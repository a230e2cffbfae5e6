//! Thumbnail of the matrices: a bar for each row, without text.

use super::model::{Grids, MatrixModel};
use super::plan::{GridPlan, Plan, Room};
use crate::features::stage::svg::{Rect, Tone, px};
use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct MatrixThumbnailProps {
    pub(crate) model: MatrixModel,
}

/// Registers of Src2 and rows of the matrices, in the colours of the EUs that
/// hold them.
#[component]
pub(crate) fn MatrixThumbnail(props: &MatrixThumbnailProps) -> Html {
    let model = &props.model;
    let grids = Grids::new(model);
    let plan = Plan::new(model, &grids, Room::USUAL, true);
    let bar = |rect: Rect, tone: Tone, highlighted: bool| {
        html! {
            <g class="segment" data-tone={tone.name()} data-lit={highlighted.then_some("")}>
                <rect x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="4" />
            </g>
        }
    };
    let at = model.at.map(|at| (usize::from(at.row), usize::from(at.d)));
    let panels = plan.panels.iter().flat_map(|panel| {
        let read = panel.bars.iter().take(panel.read);
        read.map(|rect| bar(*rect, Tone::Eu(panel.eu), false))
    });
    let rows = plan.grids.iter().flat_map(|grid: &GridPlan| {
        let bounds = grid.bounds();
        (0..grid.rows).map(move |row| {
            let rect = Rect {
                x: bounds.x,
                width: bounds.width,
                ..grid.rect(row, 0)
            };
            let number = u8::try_from(row).expect("a matrix has few rows");
            let eu = match grid.role {
                MatrixRole::A => model.row_parts(grid.eu, number).first().map(|part| part.eu),
                _ => Some(grid.eu),
            };
            // The current row of A and D, and the part of B it meets.
            let now = at.map(|(row, stage)| match grid.role {
                MatrixRole::B => stage,
                _ => row,
            });
            bar(rect, eu.map_or(Tone::Plain, Tone::Eu), now == Some(row))
        })
    });
    let parts: Html = panels.chain(rows).collect();
    let (width, _) = plan.size;
    html! {
        <svg
            class="stage-svg thumbnail"
            viewBox={format!("0 0 {} {}", px(width), px(plan.switch.y))}
            aria-hidden="true"
        >
            { parts }
        </svg>
    }
}

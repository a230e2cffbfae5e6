//! A matrix as a grid of cells.

use super::{Face, Text, Tone, fit, px};
use std::rc::Rc;
use yew::prelude::*;

/// A cell of a matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GridCell {
    /// Its value; empty where none is shown.
    pub(crate) text: AttrValue,
    pub(crate) tone: Tone,
    /// Whether the step at hand used or changed it.
    pub(crate) current: bool,
    pub(crate) lit: bool,
    /// Whether another cell is looked at.
    pub(crate) dimmed: bool,
}

#[derive(Properties, PartialEq)]
pub(crate) struct MatrixGridProps {
    /// What its cells are called: `data-cell` is `<name> <row> <column>`.
    pub(crate) name: AttrValue,
    /// Row after row.
    pub(crate) rows: Vec<Rc<[GridCell]>>,
    /// The width and height of a cell.
    pub(crate) cell_width: f64,
    pub(crate) cell_height: f64,
    /// Between cells.
    #[prop_or(3.0)]
    pub(crate) gap: f64,
    #[prop_or(12.0)]
    pub(crate) size: f64,
}

/// A grid; each row is drawn anew only when one of its cells changed.
#[component]
pub(crate) fn MatrixGrid(props: &MatrixGridProps) -> Html {
    let rows = props.rows.iter().enumerate().map(|(index, cells)| {
        html! {
            <GridRow
                key={index}
                name={props.name.clone()}
                {index}
                cells={Rc::clone(cells)}
                y={index as f64 * (props.cell_height + props.gap)}
                width={props.cell_width}
                height={props.cell_height}
                gap={props.gap}
                size={props.size}
            />
        }
    });
    let rows: Html = rows.collect();
    html! { <g class="grid">{ rows }</g> }
}

#[derive(Properties, PartialEq)]
struct GridRowProps {
    name: AttrValue,
    index: usize,
    cells: Rc<[GridCell]>,
    y: f64,
    width: f64,
    height: f64,
    gap: f64,
    size: f64,
}

#[component]
fn GridRow(props: &GridRowProps) -> Html {
    let GridRowProps {
        width,
        height,
        size,
        ..
    } = *props;
    let cells = props.cells.iter().enumerate().map(|(column, cell)| {
        let x = column as f64 * (width + props.gap);
        let text = fit(&cell.text, width - 2.0, size, Face::Mono);
        html! {
            <g
                class="grid-cell"
                data-cell={format!("{} {} {column}", props.name, props.index)}
                data-tone={cell.tone.name()}
                data-state={cell.current.then_some("current")}
                data-lit={cell.lit.then_some("")}
                data-dimmed={cell.dimmed.then_some("")}
            >
                <rect x={px(x)} y={px(props.y)} width={px(width)} height={px(height)} rx="3" />
                if !text.is_empty() {
                    <Text {text} x={x + width / 2.0} y={props.y + height / 2.0} {size} anchor="middle" />
                }
            </g>
        }
    });
    let cells: Html = cells.collect();
    html! { <>{ cells }</> }
}

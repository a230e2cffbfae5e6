//! The grid of values: lanes or cells across, values down, shaded by the share
//! of the orders, with the percentage as text. A press replays an order.

use crate::state::outcomes::{Field, Grid, OutcomesAction, percent};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(crate) struct SharesGridProps {
    pub(crate) grid: Rc<Grid>,
    pub(crate) on_action: Callback<OutcomesAction>,
}

/// A grid of values and their shares.
#[component]
pub(crate) fn SharesGrid(props: &SharesGridProps) -> Html {
    let grid = &props.grid;
    let field = |field: &Option<Field>, set: usize| match field {
        None => html! { <td></td> },
        Some(field) => {
            let action = field.action.clone();
            let onclick = props.on_action.reform(move |_: MouseEvent| action.clone());
            let shade = format!("--share: {:.0}%", field.share * 100.0);
            html! {
                <td>
                    <button {onclick} class="share" data-hue={(set % 6).to_string()}
                        style={shade} aria-label={field.label.clone()}>
                        { percent(field.share) }
                    </button>
                </td>
            }
        }
    };
    let heads = grid
        .columns
        .iter()
        .map(|(name, _)| html! { <th scope="col">{ name }</th> });
    let rows = grid.rows.iter().map(|(value, fields)| {
        let cells = fields.iter().zip(&grid.columns);
        html! {
            <tr>
                <th scope="row">{ value }</th>
                { for cells.map(|(own, (_, set))| field(own, *set)) }
            </tr>
        }
    });
    html! {
        <div class="scroller" role="group" tabindex="0" aria-label={grid.title.clone()}>
            <table class="shares">
                <caption>{ &grid.title }</caption>
                <thead><tr><th scope="col">{ grid.corner }</th>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
            if grid.more_values > 0 {
                <p class="muted">{ format!("{} more values.", grid.more_values) }</p>
            }
        </div>
    }
}

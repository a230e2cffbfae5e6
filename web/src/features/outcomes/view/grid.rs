use crate::features::outcomes::OutcomesAction;
use crate::features::outcomes::grids::{Field, OutcomeGrid};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct ValueGridProps {
    pub(super) grid: Rc<OutcomeGrid>,
    pub(super) on_action: Callback<OutcomesAction>,
}

/// Lanes or cells across, values down, each field shaded by its share of the
/// orders, with the percentage as text. A press replays an order that gives the
/// value; the pointer or the focus on a field previews one.
#[component]
pub(super) fn ValueGrid(props: &ValueGridProps) -> Html {
    let ValueGridProps { grid, on_action } = props;
    let field = |field: &Option<Field>, set: usize| match field {
        None => html! { <td></td> },
        Some(field) => {
            let value = field.value;
            let preview = on_action.reform(move |()| OutcomesAction::PreviewValue(value));
            html! {
                <td>
                    <button
                        class="share-of-orders"
                        data-hue={(set % 6).to_string()}
                        ~style={format!("--share: {}%", field.shade)}
                        aria-label={field.label.clone()}
                        onclick={on_action.reform(move |_| OutcomesAction::ReplayValue(value))}
                        onmouseenter={preview.reform(|_| ())}
                        onfocus={preview.reform(|_| ())}
                    >
                        { &field.percent }
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
        <div
            class="scroller"
            role="group"
            tabindex="0"
            aria-label={grid.title.clone()}
            onmouseleave={on_action.reform(|_| OutcomesAction::Preview(None))}
            onfocusout={on_action.reform(|_| OutcomesAction::Preview(None))}
        >
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

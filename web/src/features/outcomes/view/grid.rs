use crate::components::hue::hue;
use crate::features::outcomes::OutcomesAction;
use lanewise_answer::results::{Field, GridColumn, GridValue, OutcomeGrid};
use lanewise_core::text::counted;
use yew::prelude::*;

/// Grid with lanes or cells across and values down. Fields are shaded by share
/// of orders and show the percentage. Pressing a field replays an order that
/// produces the value; pointing at or focusing it previews one.
///
/// `refused_by` is the id of the explanation why replay is disabled, if it is;
/// `replaying` is the value for which an order is being looked for.
pub(super) fn value_grid(
    grid: &OutcomeGrid,
    refused_by: Option<&'static str>,
    replaying: Option<GridValue>,
    on_action: &Callback<OutcomesAction>,
) -> Html {
    let field = |field: &Option<Field>, group: u32| match field {
        None => html! { <td></td> },
        Some(field) => {
            let value = field.value;
            let preview = on_action.reform(move |()| OutcomesAction::PreviewValue(value));
            html! {
                <td>
                    <button
                        class="share-of-orders"
                        data-hue={hue(group)}
                        ~style={format!("--share: {}%", field.shade)}
                        aria-label={format!("{}, {}", field.label, field.percent)}
                        aria-busy={(replaying == Some(value)).then_some("true")}
                        aria-disabled={refused_by.map(|_| "true")}
                        aria-describedby={refused_by}
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
        .map(|GridColumn { name, .. }| html! { <th scope="col">{ name }</th> });
    let rows = grid.rows.iter().map(|row| {
        let cells = row.fields.iter().zip(&grid.columns);
        html! {
            <tr>
                <th scope="row">{ &row.value }</th>
                { for cells.map(|(own, column)| field(own, column.group)) }
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
                <p class="muted">{ format!("{}.", counted(grid.more_values, "more value")) }</p>
            }
        </div>
    }
}

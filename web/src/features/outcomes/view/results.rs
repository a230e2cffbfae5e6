use crate::features::outcomes::OutcomesAction;
use lanewise_answer::results::{ColumnHead, ResultRow, ResultsTable, RowValue};
use lanewise_core::text::counted;
use yew::prelude::*;

/// Results, one per row. Pointing at or focusing a row previews it in the
/// stage. `refused_by` is the id of the explanation why replay is disabled, if it
/// is.
pub(super) fn results_table(
    table: &ResultsTable,
    refused_by: Option<&'static str>,
    on_action: &Callback<OutcomesAction>,
) -> Html {
    let columns = table
        .columns
        .iter()
        .map(|ColumnHead { name, description }| {
            html! { <th scope="col">{ name }<span class="what">{ description }</span></th> }
        });
    let row = |row: &ResultRow| result_line(row, refused_by, on_action);
    html! {
        <div class="results-box">
            if !table.rows.is_empty() {
                <div
                    class="scroller"
                    role="group"
                    aria-label="Results table"
                    tabindex="0"
                    onmouseleave={on_action.reform(|_| OutcomesAction::Preview(None))}
                    onfocusout={on_action.reform(|_| OutcomesAction::Preview(None))}
                >
                    <table class="table results" aria-label="Results">
                        <thead>
                            <tr>
                                <th scope="col">{ "Result" }</th>
                                <th scope="col">{ "Orders" }</th>
                                <th scope="col">{ "Share" }</th>
                                { for columns }
                                <th scope="col">{ "Example order" }</th>
                            </tr>
                        </thead>
                        <tbody>{ for table.rows.iter().map(row) }</tbody>
                    </table>
                </div>
            }
            if table.more_rows > 0 {
                <button class="button" onclick={on_action.reform(|_| OutcomesAction::More)}>
                    { format!("Show more ({} left)", table.more_rows) }
                </button>
            }
            if table.more_columns > 0 {
                <p class="muted">{ format!("{}.", counted(table.more_columns, "more differing column")) }</p>
            }
        </div>
    }
}

fn result_line(
    row: &ResultRow,
    refused_by: Option<&'static str>,
    on_action: &Callback<OutcomesAction>,
) -> Html {
    let index = row.index;
    let number = index + 1;
    let (label, text) = if row.is_own {
        (format!("This run: result {number}"), "This run")
    } else {
        (format!("Replay result {number}"), "Replay")
    };
    let preview = on_action.reform(move |()| OutcomesAction::Preview(Some(index)));
    let value = |RowValue { text, differs }: &RowValue| {
        html! { <td data-differs={differs.then_some("")}>{ text }</td> }
    };
    html! {
        <tr
            key={row.index}
            aria-current={row.is_own.then_some("true")}
            onmouseenter={preview.reform(|_| ())}
            onfocusin={preview.reform(|_| ())}
        >
            <th scope="row">
                <span class="number">{ number }</span>
                <button
                    class="button replay"
                    aria-label={label}
                    aria-pressed={row.is_own.to_string()}
                    aria-disabled={refused_by.map(|_| "true")}
                    aria-describedby={refused_by}
                    onclick={on_action.reform(move |_| OutcomesAction::Replay(index))}
                >
                    { text }
                </button>
            </th>
            <td>{ &row.orders }</td>
            <td>{ &row.share }</td>
            { for row.values.iter().map(value) }
            <td class="one-order">
                if let Some(fault) = &row.fault {
                    <span class="remark">{ format!("Fault: {fault} ") }</span>
                }
                { &row.order }
            </td>
        </tr>
    }
}

use crate::features::outcomes::OutcomesAction;
use crate::features::outcomes::model::table::{Row, Table};
use std::rc::Rc;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct ResultsTableProps {
    pub(super) table: Rc<Table>,
    pub(super) on_action: Callback<OutcomesAction>,
}

/// The results, one a row. The pointer or the focus on a row previews it in the
/// stage.
#[component]
pub(super) fn ResultsTable(props: &ResultsTableProps) -> Html {
    let ResultsTableProps { table, on_action } = props;
    let columns = table.columns.iter().map(|(name, description)| {
        html! { <th scope="col">{ name }<span class="what">{ description }</span></th> }
    });
    let row = |row: &Row| html! { <ResultRow key={row.index} row={row.clone()} on_action={on_action.clone()} /> };
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
                                <th scope="col">{ "One order" }</th>
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
                <p class="muted">{ format!("{} more cells differ.", table.more_columns) }</p>
            }
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct ResultRowProps {
    row: Row,
    on_action: Callback<OutcomesAction>,
}

/// A result.
#[component]
fn ResultRow(props: &ResultRowProps) -> Html {
    let ResultRowProps { row, on_action } = props;
    let index = row.index;
    let number = index + 1;
    let (label, text) = if row.is_own {
        (format!("This run: result {number}"), "This run")
    } else {
        (format!("Replay result {number}"), "Replay")
    };
    let preview = on_action.reform(move |()| OutcomesAction::Preview(Some(index)));
    let value = |(text, differs): &(String, bool)| {
        html! { <td data-differs={differs.then_some("")}>{ text }</td> }
    };
    html! {
        <tr
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

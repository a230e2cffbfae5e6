//! A matrix as a grid of rows and cells.

use super::cells::{Cell, MatrixCells, Row};
use super::marks::RowMarks;
use lanewise_answer::matrix::BeforeStep;
use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use std::rc::Rc;
use yew::prelude::*;

/// Rows of a matrix, with bits instead of values if `digits` is set.
pub(super) fn rows(matrix: &MatrixCells, marks: &[RowMarks], digits: bool) -> Vec<Html> {
    // The row of the last step stays open if not all rows fit.
    let open = marks
        .iter()
        .position(|marks| marks.current != 0)
        .unwrap_or(0);
    let rows = matrix.rows.iter().zip(marks).enumerate();
    rows.map(|(at, (row, marks))| {
        html! {
            <RowView
                key={at}
                row={Rc::clone(row)}
                {at}
                marks={*marks}
                open={at == open}
                selectable={matrix.role == MatrixRole::D}
                {digits}
            />
        }
    })
    .collect()
}

#[derive(Properties, PartialEq)]
struct RowViewProps {
    row: Rc<Row>,
    at: usize,
    marks: RowMarks,
    open: bool,
    selectable: bool,
    digits: bool,
}

/// Row; re-renders only if its contents change.
#[component]
fn RowView(props: &RowViewProps) -> Html {
    let RowViewProps {
        row,
        at,
        marks,
        open,
        selectable,
        digits,
    } = props;
    let cells = row.cells.iter().enumerate().map(|(column, cell)| {
        let has = |bits: u32| bits & 1 << column != 0;
        let pointed = marks.pointed.filter(|(own, _)| *own == column);
        let probe = match pointed {
            Some(_) => Some("itself"),
            None => has(marks.related).then_some("related"),
        };
        html! {
            <span
                key={column}
                role="gridcell"
                tabindex={if *open && column == 0 { "0" } else { "-1" }}
                aria-label={cell.name.clone()}
                aria-current={has(marks.current).then_some("step")}
                aria-selected={selectable.then(|| if has(marks.chosen) { "true" } else { "false" })}
                data-at={format!("{at} {column}")}
                data-dimmed={has(marks.dimmed).then_some("")}
                data-probe={probe}
                data-waiting={cell.waiting.then_some("")}
            >
                { text(cell, pointed.map(|(_, n)| n), *digits) }
            </span>
        }
    });
    html! {
        <div
            role="row"
            class="matrix-row"
            aria-label={row.name.clone()}
            data-current={(marks.current != 0).then_some("")}
            data-open={open.then_some("")}
            data-eu={row.supplier.map(|eu| eu.to_string())}
            ~style={format!("--at:{at}")}
        >
            <span role="rowheader" aria-label={row.name.clone()}>{ &row.label }</span>
            { for cells }
        </div>
    }
}

/// Texts of the elements of a cell: one text, or an HTML element for each if
/// they are to be told apart.
fn text(cell: &Cell, pointed: Option<usize>, digits: bool) -> Html {
    match &cell.texts[..] {
        [text] => match text.split_at_checked(4).filter(|_| digits) {
            // Bits wrap after a word.
            Some((high, low)) => html! { <>{ high }<wbr />{ low }</> },
            None => html! { text },
        },
        texts if digits || pointed.is_some() => {
            let texts = texts.iter().enumerate().map(|(n, text)| {
                let probe = (pointed == Some(n)).then_some("itself");
                let space = if digits { "" } else { " " };
                html! { <><i data-n={n.to_string()} data-probe={probe}>{ text }</i>{ space }</> }
            });
            texts.collect()
        }
        texts => html! { texts.join(" ") },
    }
}

/// Sums before the last step and what it added, above the row that holds the
/// new ones. Without a name, only keeps its place.
pub(super) fn before_step(name: Option<String>, label: &str, sums: &[Option<BeforeStep>]) -> Html {
    let sums = sums.iter().enumerate().map(|(channel, before)| {
        html! {
            <span key={channel} role="gridcell">
                if let Some(BeforeStep { sum, added }) = before {
                    { sum }
                    if !added.is_empty() { <span class="added">{ added }</span> }
                }
            </span>
        }
    });
    html! {
        <div
            key="before"
            role="row"
            class="matrix-row before-step"
            aria-hidden={name.is_none().then_some("true")}
            aria-label={name}
        >
            <span role="rowheader">{ label }</span>
            { for sums }
        </div>
    }
}

//! Switch for all configurations: repeat counts × bytes per row of Src2.

use super::MatrixAction;
use super::model::MatrixModel;
use super::shapes::{Configuration, row_bytes};
use lanewise_core::isa::visa::matrix::precision::Column;
use yew::prelude::*;

/// Configuration table. Pressing a cell rewrites the program.
pub(super) fn switch(
    model: &MatrixModel,
    read_only: bool,
    on_action: &Callback<MatrixAction>,
) -> Html {
    let (written, shared) = (model.written, model.shared());
    let heads =
        (1..=8).map(|rc: u8| html! { <span><span class="wide">{ "RC " }</span>{ rc }</span> });
    let configurations = Column::ALL.map(|column| {
        let channels = model.layout.channels();
        let of_rc = |rc| Configuration::new(written, column, rc, shared, channels);
        (1..=8).map(of_rc).collect::<Vec<_>>()
    });
    let current = configurations.iter().flatten().find(|own| own.current);
    let tab_stop = current.unwrap_or(&configurations[0][0]);
    let rows = Column::ALL.iter().zip(&configurations).enumerate();
    let rows = rows.map(|(at, (&column, configurations))| {
        let cells = configurations.iter().map(|configuration| {
            let new = written.with_column(model.precisions, column, configuration.rc);
            let new = new.filter(|_| !read_only);
            let onclick = new.map(|new| on_action.reform(move |_: MouseEvent| MatrixAction::Reshape(new)));
            cell(at, configuration, configuration == tab_stop, onclick)
        });
        html! {
            <>
                <span aria-hidden="true">{ format!("{} B", row_bytes(column, 8)) }<span class="wide">{ " a row" }</span></span>
                { for cells }
            </>
        }
    });
    html! {
        <div
            class="matrix-switch"
            role="group"
            aria-label="Every configuration: registers of Src2 by RC and bytes per row"
            data-grid=""
        >
            // The names of the buttons contain all of this.
            <p class="legend" aria-hidden="true">
                if shared {
                    <span><i data-eu="0">{ "■" }</i>{ " a register from EU0" }</span>
                    <span><i data-eu="1">{ "□" }</i>{ " from EU1" }</span>
                    <span><i class="dashed" />{ " EU1 supplies nothing" }</span>
                    <span><b>{ "≠" }</b>{ " table and formula disagree" }</span>
                } else {
                    <span><i data-eu="0">{ "■" }</i>{ " a register of Src2; each EU reads its own" }</span>
                }
            </p>
            <div class="heads" aria-hidden="true"><span>{ "Src2" }</span>{ for heads }</div>
            { for rows }
        </div>
    }
}

/// Configuration with a mark for each register: solid if supplied by EU0, hollow
/// by EU1.
fn cell(
    row: usize,
    configuration: &Configuration,
    is_tab_stop: bool,
    onclick: Option<Callback<MouseEvent>>,
) -> Html {
    let rc = configuration.rc;
    let [first, second] = configuration.counts.map(usize::from);
    let (first, second) = ("■".repeat(first), "□".repeat(second));
    html! {
        <button
            key={rc}
            type="button"
            title={configuration.name()}
            aria-label={configuration.name()}
            aria-current={configuration.current.then_some("true")}
            aria-disabled={onclick.is_none().then_some("true")}
            tabindex={if is_tab_stop { "0" } else { "-1" }}
            data-at={format!("{row} {rc}")}
            data-shares-nothing={configuration.shares_nothing().then_some("")}
            {onclick}
        >
            <i data-eu="0">{ first }</i>
            <i data-eu="1">{ second }</i>
            if configuration.table.is_some() { <b>{ "≠" }</b> }
        </button>
    }
}

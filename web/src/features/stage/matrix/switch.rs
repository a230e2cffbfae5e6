//! Switch for all configurations: repeat counts × bytes per row of Src2.

use super::MatrixAction;
use lanewise_answer::matrix::MatrixModel;
use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use lanewise_core::isa::visa::matrix::precision::Column;
use lanewise_core::isa::visa::matrix::{
    Layout, MatrixSuffix, Precision, PrecisionPair, Shape, Supply,
};
use yew::prelude::*;

struct Configuration {
    name: String,
    /// Registers of Src2 supplied by EU0 and EU1; if each EU reads its own, the
    /// number that one of them reads, and 0.
    counts: [u8; 2],
    /// Whether the document's table contradicts the formula.
    differs: bool,
    /// Whether a pair that could share has nothing to share.
    shares_nothing: bool,
    current: bool,
}

impl Configuration {
    fn new(model: &MatrixModel, column: Column, rc: u8) -> Self {
        let MatrixSuffix { w, a, sd, rc: now } = model.written;
        // Invalid depth; treated as 8.
        let sd = if matches!(sd, 1 | 2 | 4) { sd } else { 8 };
        let src2 = src2_precision(column);
        let shape = Shape::new(model.layout.channels(), Precision::S8, src2, sd, rc);
        let shape = shape.expect("each column has valid precisions for these depths and counts");
        let supply = Supply::new(shape);
        let shared = model.shared();
        let counts = match shared {
            true => supply.counts(),
            false => [Layout::new(shape).registers(MatrixRole::A, 0), 0],
        };
        let [first, second] = counts;
        let differs = shared && supply.differs();
        let shares_nothing = shared && second == 0;
        let start = format!("RC {rc}, {} bytes per row", row_bytes(column));
        let name = match (shared, supply.table_counts()) {
            (false, _) => format!("{start}: NGrf {first}"),
            (true, table) => {
                let more = match table.filter(|_| differs) {
                    Some([table, rest]) => {
                        format!("; table and formula disagree: {table} and {rest} by the table")
                    }
                    None if shares_nothing => String::from("; shares nothing"),
                    None => String::new(),
                };
                format!("{start}: EU0 supplies {first}, EU1 supplies {second}{more}")
            }
        };
        let is_column = PrecisionPair::new(w, a).is_some_and(|pair| pair.column() == column);
        Self {
            name,
            counts,
            differs,
            shares_nothing,
            current: is_column && now == rc,
        }
    }
}

/// Precision of Src2 in a column if Src1 has 8 bits.
const fn src2_precision(column: Column) -> Precision {
    match column {
        Column::Whole => Precision::S8,
        Column::Half => Precision::S4,
        Column::Quarter => Precision::S2,
    }
}

/// Bytes of a row of Src2 at depth 8, with four elements per stage.
const fn row_bytes(column: Column) -> u8 {
    src2_precision(column).bits() * 4
}

/// Configuration table. Pressing a cell rewrites the program.
pub(super) fn switch(
    model: &MatrixModel,
    read_only: bool,
    on_action: &Callback<MatrixAction>,
) -> Html {
    let heads =
        (1..=8).map(|rc: u8| html! { <span><span class="wide">{ "RC " }</span>{ rc }</span> });
    let configurations = Column::ALL.map(|column| {
        let of_column = (1..=8).map(|rc| (rc, Configuration::new(model, column, rc)));
        (column, of_column.collect::<Vec<_>>())
    });
    let mut all = configurations.iter().flat_map(|(_, row)| row);
    let has_current = all.any(|(_, configuration)| configuration.current);
    let rows = configurations.iter().enumerate().map(|(at, (column, row))| {
        let cells = row.iter().map(|(rc, configuration)| {
            let is_tab_stop = match has_current {
                true => configuration.current,
                false => (at, *rc) == (0, 1),
            };
            let new = model.written.with_column(model.precisions, *column, *rc);
            let onclick = new.filter(|_| !read_only).map(|new| {
                on_action.reform(move |_: MouseEvent| MatrixAction::Reshape(new))
            });
            // A mark for each register: solid if supplied by EU0, hollow by EU1.
            let [first, second] = configuration.counts.map(usize::from);
            let (first, second) = ("■".repeat(first), "□".repeat(second));
            html! {
                <button
                    key={*rc}
                    type="button"
                    title={configuration.name.clone()}
                    aria-label={configuration.name.clone()}
                    aria-current={configuration.current.then_some("true")}
                    aria-disabled={onclick.is_none().then_some("true")}
                    tabindex={if is_tab_stop { "0" } else { "-1" }}
                    data-at={format!("{at} {rc}")}
                    data-shares-nothing={configuration.shares_nothing.then_some("")}
                    {onclick}
                >
                    <i data-eu="0">{ first }</i>
                    <i data-eu="1">{ second }</i>
                    if configuration.differs { <b>{ "≠" }</b> }
                </button>
            }
        });
        html! {
            <>
                <span aria-hidden="true">{ format!("{} B", row_bytes(*column)) }<span class="wide">{ " a row" }</span></span>
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
            <p class="wrapping legend" aria-hidden="true">
                if model.shared() {
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

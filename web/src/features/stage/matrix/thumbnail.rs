//! Thumbnail of the matrices: a bar for each row, without text.

use lanewise_answer::matrix::MatrixModel;
use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use yew::prelude::*;

/// Rows of the matrices, in the colours of the EUs that hold them.
pub(crate) fn matrix_thumbnail(model: &MatrixModel) -> Html {
    let stages = model.layout.sd();
    let bars = |role: MatrixRole, eu: u8, rows: u8| {
        let bars = (0..rows).map(|row| {
            let supplier = match role {
                MatrixRole::A => model.layout.row_parts(eu, row).next().map(|part| part.eu),
                _ => Some(eu),
            };
            // The current row of A and D, and the part of B that it meets.
            let is_current = model.at.is_some_and(|at| match role {
                MatrixRole::B => at.d == row,
                _ => at.row == row,
            });
            html! {
                <i data-eu={supplier.map(|eu| eu.to_string())} data-current={is_current.then_some("")} />
            }
        });
        html! { <div>{ for bars }</div> }
    };
    let rows = model.layout.rc();
    let eus = (0..model.eus).map(|eu| {
        html! {
            <div>
                if !model.shared() { { bars(MatrixRole::A, eu, rows) } }
                { bars(MatrixRole::B, eu, stages) }
                { bars(MatrixRole::D, eu, rows) }
            </div>
        }
    });
    html! {
        <div class="thumbnail matrix-thumbnail" aria-hidden="true">
            if model.shared() { { bars(MatrixRole::A, 0, rows) } }
            <div class="matrix-eus">{ for eus }</div>
        </div>
    }
}

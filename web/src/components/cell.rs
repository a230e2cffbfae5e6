use crate::state::cells::{Cell, digits};
use lanewise_core::number::ElementType;
use yew::prelude::*;

/// One element: its value, and above it what it was before the last step.
pub(crate) fn draw(cell: &Cell, ty: ElementType) -> Html {
    let title = format!("0x{}", digits(cell.bits, ty));
    match &cell.was {
        None => html! { <span class="cell" {title}>{ &cell.now }</span> },
        Some(was) => html! {
            <span class="cell changed" {title}>
                <span class="was">
                    <span class="unseen">{ "changed from " }</span>
                    { was }{ " → " }
                </span>
                <span class="now">{ &cell.now }</span>
            </span>
        },
    }
}

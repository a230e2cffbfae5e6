use crate::state::cells::{Cell, digits};
use lanewise_core::number::ElementType;
use yew::prelude::*;

/// One element: its value, and above it what it was before the last step.
/// `index`: its number in its variable, where it has one.
pub(crate) fn draw(cell: &Cell, ty: ElementType, index: Option<usize>) -> Html {
    let title = format!("0x{}", digits(cell.bits, ty));
    match &cell.was {
        None => html! {
            <span class="cell" {title}>
                if let Some(index) = index {
                    <span class="was index" aria-hidden="true">{ index }</span>
                }
                <span>{ &cell.now }</span>
            </span>
        },
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

use super::cell;
use crate::state::warp::{Warp, WarpLane};
use yew::prelude::*;

/// The registers of a warp: one row per lane, one column per register.
pub(crate) fn draw(warp: &Warp) -> Html {
    if warp.names.is_empty() {
        return html! {
            <p class="empty">{ "The program names no register. Set one with a line like: .init R4 = iota(0, 1)" }</p>
        };
    }
    html! {
        <div class="scroller" role="group" aria-label="Registers table" tabindex="0">
            <table class="table warp">
                <thead>
                    <tr>
                        <th scope="col">{ "Lane" }</th>
                        { for warp.names.iter().map(|name| html! { <th scope="col">{ name }</th> }) }
                        <td class="word" />
                    </tr>
                </thead>
                <tbody>
                    { for warp.lanes.iter().map(|lane| html! {
                        <Row key={lane.lane} lane={lane.clone()} />
                    }) }
                </tbody>
            </table>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    lane: WarpLane,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let lane = &props.lane;
    let off = !lane.idle.is_empty();
    html! {
        <tr data-is={off.then_some("off")} aria-current={lane.current.then_some("step")}>
            <th scope="row">{ lane.lane }</th>
            { for lane.predicates.iter().map(|bits| predicate(*bits)) }
            { for lane.registers.iter().map(|cells| html! {
                <td>{ for cells.iter().map(|cell| cell::draw(cell, lane.ty, None)) }</td>
            }) }
            <td class="word">{ lane.idle }</td>
        </tr>
    }
}

fn predicate((was, now): (bool, bool)) -> Html {
    let word = |bit| if bit { "true" } else { "false" };
    html! {
        <td>
            <span class={classes!("cell", (was != now).then_some("changed"))}>
                if was != now {
                    <span class="was">{ word(was) }{ " → " }</span>
                }
                <span class="now">{ word(now) }</span>
            </span>
        </td>
    }
}

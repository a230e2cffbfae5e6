mod planes;

use crate::components::hue::hue;
use crate::dom::{data_at, focus_element, show_current};
use crate::features::highlight::{Highlight, HighlightContext, use_highlight};
use crate::features::lanes::table::{Lane, LanesTable, address_error};
use crate::features::lanes::units::{UnitKey, unit_name};
use crate::features::state::notation::{Notation, digits};
use crate::store::StoreProps;
use planes::Planes;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct LanesProps {
    pub(crate) table: Rc<LanesTable>,
}

/// Lane table of the current instruction: one row per lane; for a scatter or
/// gather, one column per channel.
#[component]
pub(crate) fn Lanes(props: &LanesProps) -> Html {
    let table = &props.table;
    let highlight = use_highlight();
    let scroller = use_node_ref();
    {
        let scroller = scroller.clone();
        let current = table.lanes.iter().find(|lane| lane.current);
        use_effect_with(current.map(|lane| lane.row.unit), move |current| {
            if let Some(scroller) = scroller.cast::<Element>() {
                match current {
                    Some(_) => show_current(&scroller),
                    None => scroller.set_scroll_top(0),
                }
            }
        });
    }
    let Some((instruction, line)) = &table.heading else {
        return html! { <p class="empty">{ "Write an instruction to see its lanes." }</p> };
    };
    if table.lanes.is_empty() {
        let does = if table.is_matrix {
            "is a matrix instruction; it does not access memory lane by lane."
        } else {
            "does not access memory lane by lane."
        };
        return html! {
            <p class="empty"><span class="mono">{ instruction }</span>{ format!(" {does}") }</p>
        };
    }
    html! {
        <div class="lanes">
            <p class="muted lanes-of">
                <span class="mono">{ instruction }</span>{ format!(", line {line}") }
            </p>
            <div
                ref={scroller}
                class="scroller"
                role="group"
                aria-label="Lanes table"
                tabindex="0"
                onkeydown={Callback::from(move_focus)}
                onmouseover={highlight.set.reform(|event: MouseEvent| unit_at(&event))}
                onmouseleave={highlight.clear_on_leave()}
                onfocusin={highlight.set.reform(|event: FocusEvent| unit_at(&event))}
                onfocusout={highlight.clear_on_blur()}
            >
                if table.channels == 0 {
                    <table class="table">
                        <thead>{ heads(table) }</thead>
                        <tbody>{ for rows(table, &highlight) }</tbody>
                    </table>
                } else {
                    <Planes table={Rc::clone(table)} />
                }
            </div>
        </div>
    }
}

/// Lanes tab of the drawer, marked as stale if the edited text has errors.
#[component]
pub(crate) fn LanesPane(props: &StoreProps) -> Html {
    let state = &props.state;
    let table = use_memo(state.session.clone(), |session| LanesTable::of(session));
    let stale = !state.can_run() && table.heading.is_some();
    html! {
        <section class="pane" data-stale={stale.then_some("")} aria-labelledby="lanes-title">
            <h2 id="lanes-title" class="unseen">{ "Lanes" }</h2>
            <Lanes {table} />
        </section>
    }
}

fn heads(table: &LanesTable) -> Html {
    let heads = table.heads().into_iter();
    let heads = heads.map(|name| html! { <th scope="col">{ name }</th> });
    html! { <tr>{ for heads }</tr> }
}

fn rows(table: &LanesTable, highlight: &HighlightContext) -> impl Iterator<Item = Html> {
    let first = table.lanes.first().map(|lane| lane.row.unit);
    table.lanes.iter().map(move |lane| {
        let unit = lane.row.unit;
        let key = u32::from(unit.eu) * 32 + u32::from(unit.lane);
        html! {
            <LaneTableRow
                {key}
                lane={Rc::clone(lane)}
                highlighted={highlight.highlighted.has_lane(unit)}
                is_tab_stop={first == Some(unit)}
            />
        }
    })
}

/// The lane, or channel of a lane, that an event targets.
fn unit_at(event: &Event) -> Option<Highlight> {
    let UnitKey(unit) = data_at(&event.target_dyn_into()?, "data-unit")?;
    Some(Highlight::Lane(unit))
}

/// Moves focus between rows with the arrow keys.
fn move_focus(event: KeyboardEvent) {
    let target: Option<Element> = event.target_dyn_into();
    let row = target.and_then(|target| target.closest("tbody tr").ok().flatten());
    let next = match (row, event.key().as_str()) {
        (Some(row), "ArrowDown") => row.next_element_sibling(),
        (Some(row), "ArrowUp") => row.previous_element_sibling(),
        _ => None,
    };
    if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
        event.prevent_default();
        focus_element(&next);
    }
}

#[derive(Properties, PartialEq)]
struct LaneTableRowProps {
    lane: Rc<Lane>,
    highlighted: bool,
    /// Whether the row is the tab stop; arrow keys reach the others.
    is_tab_stop: bool,
}

/// Row of a lane.
#[component]
fn LaneTableRow(props: &LaneTableRowProps) -> Html {
    let LaneTableRowProps {
        lane,
        highlighted,
        is_tab_stop,
    } = props;
    let row = &lane.row;
    let access = row.access.as_ref();
    let operands = lane.operands.values(access).into_iter();
    let operands = operands.map(|bits| html! { <td>{ value(bits, lane) }</td> });
    let class = classes!(
        access.is_none().then_some("off"),
        highlighted.then_some("lit")
    );
    html! {
        <tr
            {class}
            aria-current={lane.current.then_some("step")}
            tabindex={if *is_tab_stop { "0" } else { "-1" }}
            data-unit={UnitKey(row.unit).to_string()}
        >
            <th scope="row">
                <span class="marker" aria-hidden="true">{ if lane.current { "▶" } else { "" } }</span>
                { unit_name(row.unit, lane.threads) }
            </th>
            <td>{ row.order.map_or_else(dash, |place| html! { place }) }</td>
            <td class="word">
                { if access.is_some() { "yes".to_owned() } else { format!("disabled: {}", lane.disabled) } }
            </td>
            <td>{ address(lane) }</td>
            { for operands }
            <td>{ value(row.old, lane) }</td>
            if lane.is_unchanged {
                <td class="dash">{ "unchanged" }</td>
            } else {
                <td>{ value(row.new, lane) }</td>
            }
            <td>{ value(row.returned, lane) }</td>
            <td class="word">{ lane.state().label() }</td>
            <td class="word">{ conflict(lane) }</td>
        </tr>
    }
}

pub(crate) fn dash() -> Html {
    html! { <span class="dash">{ "–" }</span> }
}

/// A value in the instruction's type, with its bits in a tooltip.
pub(crate) fn value(bits: Option<u64>, lane: &Lane) -> Html {
    let notation = Notation {
        ty: lane.ty,
        hex: false,
    };
    bits.map_or_else(dash, |bits| {
        let title = format!("0x{}", digits(bits, lane.ty));
        html! { <span {title}>{ notation.text(bits) }</span> }
    })
}

fn address(lane: &Lane) -> Html {
    let Some(access) = &lane.row.access else {
        return dash();
    };
    let address = format!("{:#x}", access.address);
    html! {
        <>
            if let Some(element) = &lane.element {
                <span title={address}>{ element }</span>
            } else {
                { address }
            }
            { for address_error(access).map(|error| html! { <span class="remark">{ " " }{ error }</span> }) }
        </>
    }
}

fn conflict(lane: &Lane) -> Html {
    let Some(group) = &lane.group else {
        return dash();
    };
    let others = format!(
        "conflicts with {}",
        group.others(lane.row.unit, lane.threads)
    );
    html! {
        <span class="conflict" data-hue={hue(group.number).to_string()} title={others.clone()}>
            <span class="group">{ group.label() }</span>
            <span class="others">{ others }</span>
        </span>
    }
}

//! Control flow: the blocks of a program, and where its lanes are. Blocks are HTML;
//! edges are SVG, drawn from the measured blocks.

use crate::components::resize::use_measured;
use crate::components::table::{table, words};
use crate::dom::find_all;
use crate::features::highlight::{Highlight, HighlightContext, use_highlight};
use crate::features::stage::follow::use_reveal;
use crate::features::transport::TransportAction;
use crate::store::{Action, on_click};
use lanewise_answer::flow::{Decision, FlowBlock, FlowEdge, FlowModel};
use lanewise_answer::lanes::lanes_text;
use lanewise_core::isa::Unit;
use lanewise_core::session::lane_runs;
use lanewise_core::text::counted;
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Distance of the nearest edge from the blocks, and between edges, in pixels.
const NEAREST: i32 = 26;
const STEP: i32 = 16;

/// Room beside the blocks for the labels of edges, in pixels.
const LABELS: i32 = 64;

/// Maximum number of steps between the blocks and an edge.
const MAX_DEPTH: usize = 8;

/// Box of a block, relative to the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BlockBox {
    top: i32,
    height: i32,
    right: i32,
}

fn decisions(model: &FlowModel, highlight: &HighlightContext) -> Html {
    let decision = |decision: &Decision| {
        let kind = if decision.is_taken { "runs" } else { "waits" };
        html! {
            <li class="wrapping">
                { dots(&decision.units, kind, highlight) }
                <span>
                    <span class="unseen">{ lanes_text(&decision.units, 1) }{ ": " }</span>
                    { &decision.text }
                </span>
            </li>
        }
    };
    html! {
        if !model.decisions.is_empty() {
            <ul
                class="decisions"
                aria-label="What the lanes do"
                onmouseleave={highlight.clear_on_leave()}
            >
                { for model.decisions.iter().map(decision) }
            </ul>
        }
    }
}

/// Continuation of each lane at a branch, for the Lanes tab.
pub(crate) fn decisions_table(model: &FlowModel) -> Html {
    let row = |decision: &Decision| {
        html! {
            <tr>
                <th scope="row" class="word">{ lane_runs(&decision.units, 1) }</th>
                <td class="word">{ &decision.text }</td>
            </tr>
        }
    };
    table(
        "",
        ["Lanes", "Next"].map(words),
        model.decisions.iter().map(row),
    )
}

fn dots(units: &[Unit], kind: &'static str, highlight: &HighlightContext) -> Html {
    let dot = |unit: &Unit| {
        html! {
            <span
                class="dot"
                data-kind={kind}
                data-lit={highlight.highlighted.has_lane(*unit).then_some("")}
                onmouseover={highlight.highlight_on_over(Highlight::Lane(*unit))}
            >{ unit.lane }</span>
        }
    };
    html! { <span class="wrapping dots" aria-hidden="true">{ for units.iter().map(dot) }</span> }
}

#[derive(Properties, PartialEq)]
pub(crate) struct FlowProps {
    pub(crate) model: Rc<FlowModel>,
    /// Whether this is the stage of a branch, which shows its decisions, or a tab of
    /// the drawer.
    pub(crate) is_stage: bool,
    pub(crate) stale: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// Blocks of the program in order, with edges.
#[component]
pub(crate) fn Flow(props: &FlowProps) -> Html {
    let FlowProps {
        model,
        is_stage,
        stale,
        dispatch,
    } = props;
    let highlight = use_highlight();
    let picture = use_node_ref();
    let boxes = use_measured(&picture, Rc::clone(model), measure).unwrap_or_default();
    let current = model.blocks.iter().position(|block| block.is_current);
    use_reveal(picture.clone(), Some(current), &["[aria-current]"]);
    let widest = model.edges.iter().map(distance).max();
    let room = widest.map_or(0, |distance| distance + LABELS);
    let block = |block: &FlowBlock| {
        let onclick = on_click(dispatch, TransportAction::RunToLine(block.line));
        let times = match block.count {
            0 => String::from("not run"),
            1 => String::from("run once"),
            count => format!("run {count} times"),
        };
        let waits = if block.at_barrier { "barrier" } else { "waits" };
        let mut label = format!("{}: {}, {times}", block.name, block.about);
        for (units, verbs) in [
            (&block.runs, ["runs", "run"]),
            (&block.waits, ["waits", "wait"]),
        ] {
            if !units.is_empty() {
                let verb = verbs[usize::from(units.len() > 1)];
                label.push_str(&format!(", {} {verb} here", lanes_text(units, 1)));
            }
        }
        html! {
            <li class="block-item">
                <button
                    class="block"
                    // A title rather than a label: it need not contain the visible text.
                    title={label}
                    aria-description="Runs to the next execution"
                    aria-current={block.is_current.then_some("step")}
                    data-count={block.count.to_string()}
                    {onclick}
                >
                    // The title says it in words.
                    <span class="block-face" aria-hidden="true">
                        <span class="block-name">{ &block.name }</span>
                        <span class="block-about">{ &block.about }{ ", " }{ times }</span>
                        if !block.runs.is_empty() {
                            { dots(&block.runs, "runs", &highlight) }
                        }
                        if !block.waits.is_empty() {
                            { dots(&block.waits, waits, &highlight) }
                            if block.at_barrier {
                                <span class="block-about">{ "waits at the barrier" }</span>
                            }
                        }
                    </span>
                </button>
                if block.falls_through {
                    <span class="falls" data-lit={block.fallthrough_lanes.map(|_| "")} aria-hidden="true">
                        if let Some(count) = block.fallthrough_lanes {
                            { counted(count, "lane") }{ if count == 1 { " continues" } else { " continue" } }
                        }
                    </span>
                } else {
                    <span class="falls-not" />
                }
            </li>
        }
    };
    let blocks = html! {
        <div class="flow-picture" ref={picture} ~style={format!("--room: {room}px")}>
            if let Some(thread) = &model.thread {
                <p class="muted">{ format!("Lanes of {thread}") }</p>
            }
            <ol class="blocks" onmouseleave={highlight.clear_on_leave()}>
                { for model.blocks.iter().map(block) }
            </ol>
            <svg class="flow-edges" aria-hidden="true">
                { for model.edges.iter().map(|edge| draw(edge, &boxes)) }
            </svg>
            if !model.ended.is_empty() {
                <p class="muted">{ format!("Ended: {}", lanes_text(&model.ended, 1)) }</p>
            }
        </div>
    };
    if !is_stage {
        return html! { <section class="flow" aria-label="Control flow">{ blocks }</section> };
    }
    html! {
        <section
            class="flow scroller"
            aria-label="Control flow"
            tabindex="0"
            data-stale={stale.then_some("")}
        >
            <div data-picture="">
                { decisions(model, &highlight) }
                if model.arrivals.len() > 1 {
                    <ul class="wrapping arrivals" aria-label="Threads at the barrier">
                        { for model.arrivals.iter().map(|arrival| html! {
                            <li data-waits={arrival.waits.then_some("")}>
                                <b>{ &arrival.name }</b>{ " " }{ &arrival.text }
                            </li>
                        }) }
                    </ul>
                }
                { blocks }
            </div>
        </section>
    }
}

fn measure(picture: &HtmlElement) -> Option<Vec<BlockBox>> {
    let blocks = find_all(picture, ".block").into_iter();
    let boxes = blocks.map(|block| BlockBox {
        top: block.offset_top(),
        height: block.offset_height(),
        right: block.offset_left() + block.offset_width(),
    });
    Some(boxes.collect())
}

/// Distance of an edge from the blocks, in pixels.
fn distance(edge: &FlowEdge) -> i32 {
    NEAREST + STEP * i32::try_from(edge.depth.min(MAX_DEPTH)).expect("it is small")
}

/// Edge from the lower end of a block to the upper end of another.
fn draw(edge: &FlowEdge, boxes: &[BlockBox]) -> Html {
    let (Some(from), Some(to)) = (boxes.get(edge.from), boxes.get(edge.to)) else {
        return Html::default();
    };
    let out = distance(edge);
    let (x, start, end) = (from.right, from.top + from.height - 9, to.top + 10);
    let turn = x + out;
    let path = format!("M{x} {start} C{turn} {start} {turn} {end} {} {end}", x + 6);
    let arrow = format!("M{x} {end} l8 -4 v8 z");
    let lit = edge.lanes.map(|_| "");
    // The middle of the curve.
    let (label_x, label_y) = (x + out * 3 / 4 + 6, (start + end) / 2 + 4);
    html! {
        <g class="flow-edge" data-lit={lit} data-call={edge.is_call.then_some("")}>
            <path class="line" d={path} />
            <path class="arrow" d={arrow} />
            if let Some(count) = edge.lanes {
                <text x={label_x.to_string()} y={label_y.to_string()}>{ counted(count, "lane") }</text>
            }
        </g>
    }
}

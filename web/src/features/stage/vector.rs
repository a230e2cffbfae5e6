//! Vector stage: the bytes that each lane reads, what it computes, and where the
//! result goes. HTML and CSS lay it out; see `vector.css`.

use crate::components::read_only::use_read_only;
use crate::components::table::{numbers, table};
use crate::dom::has_modifier;
use crate::features::encoding::pointed_part;
use crate::features::highlight::{
    EncodingHighlight, Highlight, HighlightContext, use_encoding_highlight, use_highlight,
};
use crate::features::program::{Document, ProgramAction};
use crate::store::{Action, Slice, on_click};
use lanewise_answer::vector::{
    ExchangeEdge, ExchangeModel, LaneHead, LaneRow, OperandModel, StripCell, Term, ThreadModel,
    ValueCell, VectorModel, part_name,
};
use lanewise_core::ide::RegionComponent;
use lanewise_core::isa::Unit;
use lanewise_core::session::Session;
use lanewise_core::text::SyntaxPart;
use std::ops::Range;
use std::rc::Rc;
use yew::prelude::*;

/// Lanes side by side in the grid, by the length of the longest value; more wrap like words.
const BLOCKS: [(usize, usize); 3] = [(5, 8), (12, 4), (usize::MAX, 2)];

/// Length from which on values are in small print.
const WIDE: usize = 11;

fn longest_value(thread: &ThreadModel) -> usize {
    let rows = thread.rows.iter();
    let cells = rows.flat_map(|row| row.cells.iter().flatten());
    let lengths = cells.map(|cell| cell.text.chars().count());
    lengths.max().unwrap_or(0)
}

#[derive(Properties, PartialEq)]
pub(crate) struct VectorStageProps {
    pub(crate) model: Rc<VectorModel>,
    pub(crate) session: Slice<Session>,
    pub(crate) document: Document,
    pub(crate) dispatch: Callback<Action>,
}

struct View<'v> {
    props: &'v VectorStageProps,
    highlight: HighlightContext,
    encoding: EncodingHighlight,
    /// Operand under the pointer, here or in the text.
    pointed: Option<SyntaxPart>,
    read_only: bool,
}

/// Picture of a computing instruction.
#[component]
pub(crate) fn VectorStage(props: &VectorStageProps) -> Html {
    let encoding = use_encoding_highlight();
    let document = &props.document;
    let view = View {
        props,
        highlight: use_highlight(),
        pointed: pointed_part(&props.session, document, encoding.pointed),
        encoding,
        read_only: use_read_only(),
    };
    let stale = !document.program.can_run();
    let clear = {
        let (set, set_part) = (view.highlight.set.clone(), view.encoding.set_part.clone());
        Callback::from(move |_: MouseEvent| {
            set.emit(None);
            set_part.emit(None);
        })
    };
    html! {
        <section
            class="vector scroller"
            aria-label="Vector stage"
            tabindex="0"
            data-stale={stale.then_some("")}
            onmouseleave={clear}
        >
            <div class="vector-picture" data-picture="">
                // The heading names the line.
                if let Some((_, execution)) = props.model.caption.split_once(", ") {
                    <p class="muted">{ execution.to_owned() }</p>
                }
                { for props.model.threads.iter().map(|thread| view.thread(thread)) }
            </div>
        </section>
    }
}

impl View<'_> {
    fn thread(&self, thread: &ThreadModel) -> Html {
        html! {
            <div class="vector-thread">
                if let Some(name) = &thread.name {
                    <h3>{ name }</h3>
                }
                if let Some(formula) = &thread.formula {
                    <p class="formula">{ formula }</p>
                }
                { for thread.operands.iter().map(|operand| self.operand(operand)) }
                if let Some(terms) = &thread.equation {
                    <p class="equation" role="math" aria-label="Equation">
                        { for terms.iter().map(|term| self.term(term)) }
                    </p>
                } else {
                    if let Some(exchange) = &thread.exchange {
                        { self.exchange(thread, exchange) }
                    }
                    { self.grid(thread) }
                }
                { for thread.disabled.iter().map(|text| html! { <p class="muted">{ text }</p> }) }
            </div>
        }
    }

    /// Handler that highlights an operand, also in the text.
    fn on_operand(&self, part: SyntaxPart) -> Callback<MouseEvent> {
        let set_part = self.encoding.set_part.clone();
        Callback::from(move |_| set_part.emit(Some(part)))
    }

    fn is_pointed(&self, part: SyntaxPart) -> bool {
        self.pointed == Some(part)
    }

    fn operand(&self, operand: &OperandModel) -> Html {
        let lit = self.is_pointed(operand.part).then_some("");
        let cells = operand.lines.iter().flat_map(|line| &line.cells);
        let longest = cells.map(|cell| cell.value.chars().count()).max();
        let name = operand.name;
        html! {
            <div
                class="operand"
                role="group"
                aria-label={format!("{name} {}", operand.text)}
                data-part={part_name(operand.part)}
                data-lit={lit}
                onmouseenter={self.on_operand(operand.part)}
            >
                <div class="wrapping operand-head">
                    <strong>{ name }</strong>
                    <code>{ &operand.text }</code>
                    if !operand.ty.is_empty() {
                        <span class="muted">{ operand.ty }</span>
                    }
                    if !self.read_only && !operand.region.is_empty() {
                        { self.steppers(operand) }
                    }
                    <span class="muted">{ &operand.about }</span>
                </div>
                if !operand.paths.is_empty() {
                    <ul class="wrapping paths" aria-label="Addresses">
                        { for operand.paths.iter().map(|path| html! { <li>{ path }</li> }) }
                    </ul>
                }
                if !operand.lines.is_empty() {
                    <div
                        class="strip"
                        ~style={format!("--characters: {}", longest.unwrap_or(0))}
                    >{ for operand.lines.iter().map(|line| html! {
                        <>
                            if line.after_gap {
                                <span class="gap" aria-hidden="true">{ "⋮" }</span>
                            }
                            <span class="strip-label">{ &line.label }</span>
                            <div
                                class="strip-cells"
                                ~style={format!("--count: {}", line.cells.len())}
                            >
                                { for line.cells.iter().map(|cell| self.cell(cell)) }
                            </div>
                        </>
                    }) }</div>
                }
                if operand.hidden_lines > 0 {
                    <p class="muted">{ format!("{} more registers are not shown.", operand.hidden_lines) }</p>
                }
            </div>
        }
    }

    fn cell(&self, cell: &StripCell) -> Html {
        let highlighted = &self.highlight.highlighted;
        let used = !cell.lanes.is_empty();
        let lit = used && highlighted.has_bytes(cell.range);
        let class = classes!(
            "strip-element",
            used.then_some("used"),
            (used && !cell.enabled).then_some("disabled"),
            cell.odd_row.then_some("odd"),
            cell.shared.then_some("shared"),
            cell.changed.then_some("changed"),
        );
        html! {
            <span
                {class}
                title={format!("{}: {}", cell.title, cell.value)}
                data-lit={lit.then_some("")}
                onmouseover={self.highlight.highlight_on_over(Highlight::Bytes(cell.range))}
            >
                if used {
                    <span class="strip-element-lanes">{ &cell.lanes }</span>
                }
                <span class="strip-element-value">{ &cell.value }</span>
            </span>
        }
    }

    fn steppers(&self, operand: &OperandModel) -> Html {
        let operand_name = part_name(operand.part);
        let component = |(index, component): (usize, &RegionComponent)| {
            let name = match component.letter {
                'v' => "vertical stride",
                'w' => "width",
                _ => "horizontal stride",
            };
            let button = |sign: &'static str, verb: &'static str, value: Option<u32>| {
                let onclick = value.map(|value| {
                    let set = ProgramAction::Region {
                        operand: operand.part,
                        component: index,
                        value,
                    };
                    on_click(&self.props.dispatch, set)
                });
                html! {
                    <button
                        aria-label={format!("{verb} the {name} of {operand_name}")}
                        title={format!("{verb} the {name}")}
                        disabled={onclick.is_none()}
                        {onclick}
                    >{ sign }</button>
                }
            };
            html! {
                <span class="stepper">
                    { button("−", "Decrease", component.less) }
                    <span>{ component.letter }{ " " }<b>{ component.value }</b></span>
                    { button("+", "Increase", component.more) }
                </span>
            }
        };
        html! {
            <span class="steppers" role="group" aria-label={format!("Region of {operand_name}")}>
                { for operand.region.iter().enumerate().map(component) }
            </span>
        }
    }

    fn term(&self, term: &Term) -> Html {
        match term {
            Term::Text(text) => html! { <>{ text }</> },
            Term::Value { part, text, about } => html! {
                <span
                    class="term"
                    data-part={part_name(*part)}
                    data-lit={self.is_pointed(*part).then_some("")}
                    title={about.clone()}
                    onmouseenter={self.on_operand(*part)}
                >
                    <b>{ text }</b>
                    <small>{ about }</small>
                </span>
            },
        }
    }

    /// Lanes as columns. The arrow keys move the highlight from lane to lane.
    fn grid(&self, thread: &ThreadModel) -> Html {
        let units: Vec<Unit> = thread.heads.iter().map(|head| head.unit).collect();
        let is_highlighted = |unit: &Unit| self.highlight.highlighted.has_lane(*unit);
        let here = units.iter().position(is_highlighted);
        let onkeydown = {
            let set = self.highlight.set.clone();
            Callback::from(move |event: KeyboardEvent| {
                let last = units.len() - 1;
                let next = match (event.key().as_str(), here) {
                    _ if has_modifier(&event) => return,
                    ("ArrowRight", at) => at.map_or(0, |at| (at + 1).min(last)),
                    ("ArrowLeft", at) => at.map_or(last, |at| at.saturating_sub(1)),
                    ("Home", _) => 0,
                    ("End", _) => last,
                    ("Escape", Some(_)) => {
                        set.emit(None);
                        return;
                    }
                    _ => return,
                };
                event.prevent_default();
                event.stop_propagation();
                set.emit(units.get(next).map(|unit| Highlight::Lane(*unit)));
            })
        };
        let spoken = here.map(|at| sentence(thread, at));
        let longest = longest_value(thread);
        let fits = |(length, _): &&(usize, usize)| longest <= *length;
        let block = BLOCKS.iter().find(fits).map_or(1, |(_, lanes)| *lanes);
        html! {
            <>
                <div
                    class="lane-grid"
                    data-wide={(longest >= WIDE).then_some("")}
                    role="group"
                    aria-label="Lanes by column; the arrow keys select a lane"
                    tabindex="0"
                    {onkeydown}
                    onfocusout={self.highlight.clear_on_blur()}
                >
                    { for (0..thread.heads.len()).step_by(block).map(|first| self.block(thread, first..first + block)) }
                </div>
                <p class="lane-sentence muted" role="status" aria-label="Selected lane">{ spoken }</p>
            </>
        }
    }

    /// The lanes in two rows, and an edge for each value that goes from one to another.
    fn exchange(&self, thread: &ThreadModel, exchange: &ExchangeModel) -> Html {
        let highlighted = &self.highlight.highlighted;
        let edge = |edge: &ExchangeEdge| {
            let lit = highlighted.has_lane(edge.from) || highlighted.has_lane(edge.to);
            // In units of half a lane.
            let [from, to] = [edge.from, edge.to].map(|unit| (2 * unit.lane + 1).to_string());
            html! {
                <line
                    x1={from}
                    x2={to}
                    y1="0"
                    y2="8"
                    vector-effect="non-scaling-stroke"
                    data-lit={lit.then_some("")}
                />
            }
        };
        let row = |name: &'static str, is_used: &dyn Fn(Unit) -> bool| {
            let lane = |head: &LaneHead| {
                let unit = head.unit;
                html! {
                    <span
                        data-used={is_used(unit).then_some("")}
                        data-lit={highlighted.has_lane(unit).then_some("")}
                        onmouseover={self.highlight.highlight_on_over(Highlight::Lane(unit))}
                    >{ unit.lane }</span>
                }
            };
            html! {
                <>
                    <span class="muted">{ name }</span>
                    <div class="exchange-lanes">{ for thread.heads.iter().map(lane) }</div>
                </>
            }
        };
        let width = 2 * thread.heads.len();
        let edges = || exchange.edges.iter();
        html! {
            <div class="exchange" role="img" aria-label={exchange.about}>
                { row("lane", &|unit| edges().any(|edge| edge.from == unit)) }
                <svg viewBox={format!("0 0 {width} 8")} preserveAspectRatio="none">
                    { for edges().map(edge) }
                </svg>
                { row(exchange.into, &|unit| edges().any(|edge| edge.to == unit)) }
            </div>
        }
    }

    /// Lanes side by side.
    fn block(&self, thread: &ThreadModel, lanes: Range<usize>) -> Html {
        let lanes = lanes.start..lanes.end.min(thread.heads.len());
        let heads = &thread.heads[lanes.clone()];
        let lit = |head: &LaneHead| self.highlight.highlighted.has_lane(head.unit).then_some("");
        let over = |head: &LaneHead| self.highlight.highlight_on_over(Highlight::Lane(head.unit));
        let off = |head: &LaneHead| head.disabled.is_some().then_some("off");
        let has_channels = heads.iter().any(|head| head.channel != head.number);
        let cell = |(head, value): (&LaneHead, &Option<ValueCell>)| {
            let emphasized = value.as_ref().is_some_and(|value| value.emphasized);
            let class = classes!(off(head), emphasized.then_some("emphasized"));
            let title = value.as_ref().map(|value| match &*value.place {
                "" => value.text.clone(),
                place => format!("{place}: {}", value.text),
            });
            html! {
                <td {class} {title} data-lit={lit(head)} onmouseover={over(head)}>
                    { value.as_ref().map_or("–", |value| &*value.text) }
                </td>
            }
        };
        let row = |row: &LaneRow| {
            html! {
                <tr data-kind={row.kind}>
                    <th
                        scope="row"
                        data-part={part_name(row.part)}
                        data-lit={self.is_pointed(row.part).then_some("")}
                        onmouseenter={self.on_operand(row.part)}
                    >{ &row.name }</th>
                    { for heads.iter().zip(&row.cells[lanes.clone()]).map(cell) }
                </tr>
            }
        };
        let head = |head: &LaneHead| {
            html! {
                <th
                    scope="col"
                    class={classes!(off(head))}
                    title={head.disabled.as_ref().map(|reason| format!("disabled: {reason}"))}
                    data-lit={lit(head)}
                    onmouseover={over(head)}
                >
                    { head.number }
                    if head.disabled.is_some() {
                        <span class="unseen">{ " disabled" }</span>
                    }
                </th>
            }
        };
        html! {
            <table>
                <thead>
                    <tr>
                        <th scope="row">{ "lane" }</th>
                        { for heads.iter().map(head) }
                    </tr>
                    if has_channels {
                        <tr>
                            <th scope="row">{ "channel" }</th>
                            { for heads.iter().map(|head| html! { <td>{ head.channel }</td> }) }
                        </tr>
                    }
                </thead>
                // The heads of the operands have the uniform values.
                <tbody>{ for thread.rows.iter().filter(|row| row.kind != "uniform").map(row) }</tbody>
            </table>
        }
    }
}

/// Lanes as rows, for the Lanes tab.
pub(crate) fn vector_table(model: &VectorModel) -> Html {
    let thread = |thread: &ThreadModel| {
        let columns = thread.rows.iter().map(|row| numbers(row.name.clone()));
        let columns = ["Lane", "Enabled"].map(numbers).into_iter().chain(columns);
        let lane = |(at, head): (usize, &LaneHead)| {
            let value = |row: &LaneRow| match &row.cells[at] {
                Some(ValueCell { text, place, .. }) => html! {
                    <td>
                        { text }
                        if !place.is_empty() {
                            <span class="muted">{ " " }{ place }</span>
                        }
                    </td>
                },
                None => html! { <td>{ "–" }</td> },
            };
            html! {
                <tr class={classes!(head.disabled.is_some().then_some("off"))}>
                    <th scope="row">{ head.number }</th>
                    <td class="word">{ head.enabled() }</td>
                    { for thread.rows.iter().map(value) }
                </tr>
            }
        };
        html! {
            <>
                if let Some(name) = &thread.name {
                    <h3 class="lanes-of">{ name }</h3>
                }
                { table("", columns, thread.heads.iter().enumerate().map(lane)) }
            </>
        }
    };
    model.threads.iter().map(thread).collect()
}

/// A lane in words: `Lane 5: src0 69, src1 64, result 133.`
fn sentence(thread: &ThreadModel, at: usize) -> String {
    let head = &thread.heads[at];
    if let Some(reason) = &head.disabled {
        return format!("Lane {} is disabled: {reason}.", head.number);
    }
    let values = thread.rows.iter().filter_map(|row| {
        let value = row.cells[at].as_ref()?;
        Some(match &*value.place {
            "" => format!("{} {}", row.name, value.text),
            place => format!("{} {} ({place})", row.name, value.text),
        })
    });
    let values: Vec<_> = values.collect();
    format!("Lane {}: {}.", head.number, values.join(", "))
}

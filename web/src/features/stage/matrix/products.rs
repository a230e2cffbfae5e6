//! Computation of an element of D, product by product.

use crate::components::resize::use_measured;
use crate::dom::find;
use lanewise_answer::matrix::{DstElement, MatrixModel};
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use lanewise_core::isa::visa::matrix::operands;
use lanewise_core::isa::visa::matrix::trace::Product;
use std::rc::Rc;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct ProductsPanelProps {
    pub(crate) model: Rc<MatrixModel>,
}

/// Products of an element of D: values, bits, source registers and EUs, and the
/// sums.
#[component]
pub(crate) fn ProductsPanel(props: &ProductsPanelProps) -> Html {
    let model = &props.model;
    let element = model.traced();
    let DstElement {
        eu,
        index: Index { row, column },
    } = element;
    let trace = model.operands.trace(eu, row, column);
    let name = format!("EU{eu} D[{row}][{column}]");
    let done = model.stages_done(element);
    let ops = usize::from(model.layout.ops());
    // Sum after a number of stages.
    let sum_after = |stages: u8| match stages.checked_sub(1) {
        None => trace.src0,
        Some(last) => trace.sums[usize::from(last)],
    };
    let title = match done {
        0 => format!("{name}: not computed yet"),
        _ if done == model.layout.sd() => format!("{name} = {}", trace.dst_text(trace.dst)),
        _ => format!(
            "{name} = {} after {done} of {} stages",
            trace.text(sum_after(done)),
            model.layout.sd()
        ),
    };
    let now = done.checked_sub(1);
    let formula = now.map(|stage| {
        let first = usize::from(stage) * ops;
        let products = trace.products.iter().skip(first).take(ops);
        let terms: Vec<String> = products
            .map(|p| format!("{}·{}", p.src2.text(), p.src1.text()))
            .collect();
        format!(
            "stage {stage}: {} + ({}) = {}",
            trace.text(sum_after(stage)),
            terms.join(" + "),
            trace.text(sum_after(stage + 1))
        )
    });
    let backwards = trace.order_matters().then(|| {
        format!(
            "The document does not specify the order of addition: from last to first, the sum is {}.",
            trace.dst_text(trace.backwards)
        )
    });
    let here = model.at.is_some_and(|at| at.row == row);
    // A step highlights columns rather than single cells.
    let state_of = |stage: u8| match (here && Some(stage) == now, stage < done) {
        (true, _) => "current",
        (false, true) => "done",
        (false, false) => "waiting",
    };
    let table_row = |head: String, is_result: bool, text: &dyn Fn(&Product) -> String| {
        let cells = trace.products.iter();
        let cells = cells.map(|p| {
            let state = is_result.then(|| state_of(p.stage));
            html! { <td key={p.k} data-state={state}>{ text(p) }</td> }
        });
        html! { <tr><th scope="row">{ head }</th>{ for cells }</tr> }
    };
    let columns = (0..model.layout.sd()).map(|stage| {
        html! { <colgroup key={stage} span={ops.to_string()} data-state={state_of(stage)} /> }
    });
    let stages = (0..model.layout.sd()).map(|stage| {
        html! {
            <th key={stage} scope="colgroup" colspan={ops.to_string()} data-state={state_of(stage)}>
                { format!("stage {stage}") }
                if stage >= done {
                    <span class="unseen">{ ", not computed yet" }</span>
                }
            </th>
        }
    });
    let ks = trace
        .products
        .iter()
        .map(|p| html! { <th key={p.k} scope="col" data-state={state_of(p.stage)}>{ p.k }</th> });
    let pair = model.operands.shape.pair();
    let a = format!("A[{row}][k] {} (bits)", pair.a().name());
    let b = format!("B[k][{column}] {} (bits)", pair.w().name());
    // Scroll the current stage into view.
    let scroller = use_node_ref();
    {
        let scroller = scroller.clone();
        use_effect_with((now, element), move |_| {
            let Some(scroller) = scroller.cast::<Element>() else {
                return;
            };
            match find(&scroller, "th[scope=colgroup][data-state=current]") {
                Some(stage) => show_stage(&scroller, &stage),
                None => scroller.set_scroll_left(0),
            }
        });
    }
    let scrolled = use_state_eq(|| 0);
    let inputs = (Rc::clone(model), *scrolled);
    let (has_more, bar) = use_measured(&scroller, inputs, overflow).unwrap_or_default();
    let onscroll = move |event: Event| {
        let scroller: Element = event.target_unchecked_into();
        scrolled.set(scroller.scroll_left());
    };
    html! {
        <div class="products">
            <div class="products-head">
                <h2>{ title }</h2>
                if let Some(formula) = formula { <p class="mono">{ formula }</p> }
                <p class="muted">{ format!("C = {}; {} products in the order of k, sums of type {}.", trace.text(trace.src0), trace.products.len(), model.sum_type().name()) }</p>
                if model.matrix_view.element.is_none() { <p class="muted">{ "Press an element of D to see its products." }</p> }
                if let Some(backwards) = backwards { <p class="muted">{ backwards }</p> }
            </div>
            <div
                ref={scroller}
                class="scroller"
                role="group"
                aria-label="Products"
                tabindex="0"
                data-more={has_more.then_some("")}
                ~style={format!("--bar:{bar}px")}
                {onscroll}
            >
                <table>
                    <caption class="unseen">{ format!("The products of {name}, stage by stage") }</caption>
                    <colgroup />
                    { for columns }
                    <thead>
                        <tr><td></td>{ for stages }</tr>
                        <tr><th scope="row">{"k"}</th>{ for ks }</tr>
                    </thead>
                    <tbody>
                        { table_row(a, false, &|p| value_and_bits(&p.src2)) }
                        { table_row(String::from(FROM), false, &|p| place(model, MatrixRole::A, eu, Index { row, column: p.k })) }
                        { table_row(b, false, &|p| value_and_bits(&p.src1)) }
                        { table_row(String::from(FROM), false, &|p| place(model, MatrixRole::B, eu, Index { row: p.k, column })) }
                        { table_row(String::from("product"), true, &Product::text) }
                        { table_row(String::from("sum"), true, &|p| trace.text(p.sum)) }
                    </tbody>
                </table>
            </div>
        </div>
    }
}

/// Whether columns extend beyond the right edge, and the height of the scroll bar,
/// above which whole rows are visible.
fn overflow(scroller: &HtmlElement) -> Option<(bool, i32)> {
    let end = scroller.scroll_left() + scroller.client_width();
    let bar = scroller.offset_height() - scroller.client_height();
    Some((end + 1 < scroller.scroll_width(), bar))
}

/// Scrolls a stage into view, beside the row headings.
fn show_stage(scroller: &Element, stage: &HtmlElement) {
    // The sticky corner is as wide as the row headings.
    let corner = stage
        .parent_element()
        .and_then(|row| row.first_element_child());
    let heads = corner.map_or(0, |corner| corner.client_width() + 1);
    let (start, end) = (
        stage.offset_left(),
        stage.offset_left() + stage.offset_width(),
    );
    let is_visible = start >= scroller.scroll_left() + heads
        && end <= scroller.scroll_left() + scroller.client_width();
    if !is_visible {
        scroller.set_scroll_left(start - heads);
    }
}

const FROM: &str = "register.byte";

/// EU, register and byte from which an element was read.
fn place(model: &MatrixModel, role: MatrixRole, eu: u8, index: Index) -> String {
    match model.layout.location(role, eu, index) {
        Some(at) => {
            let register = model.register_name(role, at.register);
            format!("EU{}.{register}.{}", at.eu, at.byte())
        }
        None => String::new(),
    }
}

/// Value, with the bits of a small element or the hexadecimal digits of a large
/// one in parentheses.
fn value_and_bits(element: &operands::Element) -> String {
    let (value, count) = (element.text(), element.precision.bits());
    let width = usize::from(count);
    match count {
        2 | 4 => format!("{value} ({:0width$b})", element.bits),
        _ => format!("{value} ({:0width$x})", element.bits, width = width / 4),
    }
}

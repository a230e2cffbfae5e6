//! Computation of an element of D, product by product.

use super::model::{DstElement, MatrixModel};
use crate::components::resize::ResizeListener;
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use lanewise_core::isa::visa::matrix::operands;
use lanewise_core::isa::visa::matrix::trace::Product;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
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
    let cell = |what: &dyn Fn(&Product) -> String| -> Html {
        let cells = trace.products.iter();
        cells
            .map(|p| html! { <td key={p.k}>{ what(p) }</td> })
            .collect()
    };
    // A step highlights columns rather than single cells.
    let state_of = |stage: u8| match (here && Some(stage) == now, stage < done) {
        (true, _) => "current",
        (false, true) => "done",
        (false, false) => "waiting",
    };
    let columns = (0..model.layout.sd()).map(|stage| {
        html! { <colgroup key={stage} span={ops.to_string()} data-state={state_of(stage)} /> }
    });
    let columns: Html = columns.collect();
    let table_row =
        |head: String, cells: Html| html! { <tr><th scope="row">{ head }</th>{ cells }</tr> };
    let stages = (0..model.layout.sd()).map(|stage| {
        html! { <th key={stage} scope="colgroup" colspan={ops.to_string()} data-state={state_of(stage)}>{ format!("stage {stage}") }</th> }
    });
    let stages: Html = stages.collect();
    let ks = trace
        .products
        .iter()
        .map(|p| html! { <th key={p.k} scope="col" data-state={state_of(p.stage)}>{ p.k }</th> });
    let ks: Html = ks.collect();
    let a = format!(
        "A[{row}][k] {} (bits)",
        precision_name(&trace.products, true)
    );
    let b = format!(
        "B[k][{column}] {} (bits)",
        precision_name(&trace.products, false)
    );
    // Scroll the current stage into view.
    let scroller = use_node_ref();
    {
        let scroller = scroller.clone();
        use_effect_with((now, element), move |_| {
            let Some(scroller) = scroller.cast::<Element>() else {
                return;
            };
            let current = scroller.query_selector("th[scope=colgroup][data-state=current]");
            match current.ok().flatten() {
                Some(stage) => show_stage(&scroller, &stage.unchecked_into()),
                None => scroller.set_scroll_left(0),
            }
        });
    }
    // Whether columns extend beyond the right edge.
    let has_more = use_state_eq(|| false);
    // Height of the scroll bar, so that whole rows are visible above it.
    let bar = use_state_eq(|| 0);
    let measure = {
        let scroller = scroller.clone();
        let (set_more, set_bar) = (has_more.setter(), bar.setter());
        move || {
            if let Some(scroller) = scroller.cast::<HtmlElement>() {
                let end = scroller.scroll_left() + scroller.client_width();
                set_more.set(end + 1 < scroller.scroll_width());
                set_bar.set(scroller.offset_height() - scroller.client_height());
            }
        }
    };
    let onscroll = {
        let measure = measure.clone();
        move |_: Event| measure()
    };
    {
        let measure = measure.clone();
        use_effect_with(Rc::clone(model), move |_| measure());
    }
    {
        let scroller = scroller.clone();
        use_effect_with((), move |()| {
            let listener = scroller.cast::<Element>();
            let listener = listener.map(|element| ResizeListener::new(&element, measure));
            move || drop(listener)
        });
    }
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
                ~style={format!("--bar:{}px", *bar)}
                {onscroll}
            >
                <table>
                    <caption class="unseen">{ format!("The products of {name}, stage by stage") }</caption>
                    <colgroup />
                    { columns }
                    <thead>
                        <tr><td></td>{ stages }</tr>
                        <tr><th scope="row">{"k"}</th>{ ks }</tr>
                    </thead>
                    <tbody>
                        { table_row(a, cell(&|p| value_and_bits(&p.src2))) }
                        { table_row(String::from(FROM), cell(&|p| place(model, MatrixRole::A, eu, Index { row, column: p.k }))) }
                        { table_row(b, cell(&|p| value_and_bits(&p.src1))) }
                        { table_row(String::from(FROM), cell(&|p| place(model, MatrixRole::B, eu, Index { row: p.k, column }))) }
                        { table_row(String::from("product"), cell(&Product::text)) }
                        { table_row(String::from("sum"), cell(&|p| trace.text(p.sum))) }
                    </tbody>
                </table>
            </div>
        </div>
    }
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

fn precision_name(products: &[Product], src2: bool) -> &'static str {
    let element = products.first().map(|p| if src2 { p.src2 } else { p.src1 });
    element.map_or("", |element| element.precision.name())
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

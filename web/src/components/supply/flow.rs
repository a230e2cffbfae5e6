use super::{column, digit, scroller, tag};
use crate::dom::{El, Part, el, list, part};
use crate::state::cells::digits;
use crate::state::supply::Element;
use lanewise_core::isa::visa::matrix::operands::{self, Operands};
use lanewise_core::isa::visa::matrix::trace::{Product, Trace};
use lanewise_core::number::ElementType;
use std::rc::Rc;
use yew::prelude::*;

/// How one element of Dst comes about: Src0, every product in its turn, the
/// sum after each stage.
#[derive(PartialEq)]
pub(super) struct Flow {
    pub(super) operands: Rc<Operands>,
    pub(super) chosen: Element,
    /// The stage of its sum that was added last.
    pub(super) now: Option<u8>,
}

impl Part for Flow {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let Element { eu, row, channel } = self.chosen;
        let trace = self.operands.trace(eu, row, channel);
        let mono = |text: String| el!("span", "class" = "mono").put(text);
        let title = el!("h4")
            .put(tag(eu))
            .put(format!(" Row {row}, channel {channel} of Dst comes to "))
            .put(mono(trace.dst_text(trace.dst)));
        let backwards = trace.order_matters().then(|| {
            let said = " The document fixes no order: added from the last to the first they give ";
            let sum = mono(trace.dst_text(trace.backwards));
            el!("span").put(said).put(sum).put(".")
        });
        let about = el!("p", "class" = "muted")
            .put("Src0 ")
            .put(mono(trace.text(trace.src0)))
            .put(format!(
                " and {} products, added in the order of k; the sum stands after each stage.",
                trace.products.len()
            ))
            .put(backwards);
        let tall = |text: &'static str| el!("th", "scope" = "col", "rowspan" = "2").put(text);
        let wide = |text: &'static str| el!("th", "scope" = "colgroup", "colspan" = "3").put(text);
        let head = el!("tr")
            .each(["Stage", "k"].map(tall))
            .each(["Src1, of B", "Src2, of A"].map(wide))
            .each(["Product", "Sum"].map(tall));
        let parts = ["From", "Bits", "Value", "From", "Bits", "Value"].map(column);
        let ops = self.operands.shape.pair().ops();
        let trace = Rc::new(trace);
        let stage = |stage| Stage {
            trace: trace.clone(),
            ops,
            stage,
            lit: self.now == Some(stage),
        };
        let stages = (0..self.operands.shape.sd()).map(|at| part(stage(at), None));
        let table = el!("table", "class" = "products")
            .put(el!("caption", "class" = "unseen").put("The products, stage by stage"))
            .put(el!("thead").put(head).put(el!("tr").each(parts)))
            .each(stages);
        el!("div", "class" = "flow")
            .put(title)
            .put(about)
            .put(scroller("Products", table))
            .html()
    }
}

/// What one stage adds: `ops` products.
#[derive(PartialEq)]
struct Stage {
    trace: Rc<Trace>,
    ops: u8,
    stage: u8,
    lit: bool,
}

impl Part for Stage {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let (trace, count) = (&*self.trace, digit(self.ops));
        let products = trace.products.iter().filter(|p| p.stage == self.stage);
        let sum = trace.sums.get(usize::from(self.stage));
        let row = |(at, product): (usize, &Product)| {
            // What stands once for the stage.
            let first = at == 0;
            let stage = first.then(|| {
                let name = digit(product.stage);
                el!("th", "scope" = "rowgroup", "rowspan" = count).put(name)
            });
            let sum = sum
                .filter(|_| first)
                .map(|sum| el!("td", "class" = "sum", "rowspan" = count).put(trace.text(*sum)));
            let mut all: Vec<Html> = stage.into_iter().map(El::html).collect();
            let k = el!("th", "scope" = "row").put(product.k.to_string());
            all.push(k.html());
            all.push(element(&product.src1, None));
            all.push(element(&product.src2, Some(product.combined)));
            all.push(el!("td").put(product.text()).html());
            all.extend(sum.map(El::html));
            el!("tr").each(all)
        };
        el!("tbody", "data-lit" = self.lit.then_some(""))
            .each(products.enumerate().map(row))
            .html()
    }
}

/// Where an element comes from, its bits, its value.
fn element(element: &operands::Element, combined: Option<u8>) -> Html {
    let source = element.source;
    let from = el!("td", "class" = "where");
    let from = match combined {
        Some(i) => from.put(format!("R{i} = ")).put(tag(source.eu)).put("."),
        None => from,
    };
    let place = format!("R{}.DW{}", source.register, element.first_bit / 32);
    list(vec![
        from.put(place).html(),
        el!("td", "class" = "bits").put(bits(element)).html(),
        el!("td").put(element.text()).html(),
    ])
}

/// All bits of small elements, hexadecimal digits of large ones.
fn bits(element: &operands::Element) -> String {
    match element.precision.bits() {
        16 => digits(u64::from(element.bits), ElementType::Uw),
        32 => digits(u64::from(element.bits), ElementType::Ud),
        count => (0..count)
            .rev()
            .map(|bit| {
                if element.bits >> bit & 1 == 1 {
                    '1'
                } else {
                    '0'
                }
            })
            .collect(),
    }
}

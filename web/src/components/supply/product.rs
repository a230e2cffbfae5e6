use super::factors::{Factors, caption};
use super::flow::Flow;
use super::{digit, remark};
use crate::components::focus;
use crate::dom::{El, On, Part, el, part};
use crate::state::Action;
use crate::state::supply::{Element, Look, Product};
use lanewise_core::number::{ElementType, show};
use web_sys::KeyboardEvent;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// D = C + A × B with its values on both EUs, and how one element of D comes
/// about.
pub(super) fn draw(product: &Product, look: Look, act: &Callback<Action>) -> El {
    let shape = product.operands.shape;
    let chosen = look.element(shape, product.operands.eu_count());
    let (repeat, stage) = product.at.unzip();
    let size = (product.operands.eu_count(), shape.rc(), shape.channels());
    let onkeydown = {
        let act = act.clone();
        Callback::from(move |event: Event| {
            let event: KeyboardEvent = event.unchecked_into();
            if let Some(next) = neighbour(chosen, size, &event.key()) {
                event.prevent_default();
                focus(&id(next));
                act.emit(Action::Element(next));
            }
        })
    };
    // One listener for all elements.
    let onclick = {
        let act = act.clone();
        Callback::from(move |event: Event| {
            let target: web_sys::Element = event.target_unchecked_into();
            if let Some(element) = named(&target.id()) {
                act.emit(Action::Element(element));
            }
        })
    };
    let elements = el!("div", "class" = "pair")
        .on(On::Click, onclick)
        .on(On::KeyDown, onkeydown)
        .each((0..product.operands.eu_count()).map(|eu| destination(eu, product, chosen)));
    let operands = product.operands.clone();
    let flow = Flow {
        operands: operands.clone(),
        chosen,
        // The stage of the chosen element's sum that was added last.
        now: stage.filter(|_| repeat == Some(chosen.row)),
    };
    let factors = Factors {
        operands,
        at: product.at,
        chosen,
    };
    el!("div", "class" = "part product")
    .put(el!("h3").put("D = C + A × B"))
    .put(remark(
        "Dst = Src0 + Src2 × Src1. Choose an element of D, with the arrow keys too, to see how it comes about.",
    ))
    .put(elements)
    .put(part(flow, None))
    .put(part(factors, None))
}

fn destination(eu: u8, product: &Product, chosen: Element) -> El {
    let operands = &product.operands;
    let repeat = product.at.map_or(-1, |(repeat, _)| i16::from(repeat));
    let row = |row: u8| {
        let (first, register) = operands.src2(eu, row, 0);
        let props = Row {
            eu,
            row,
            register,
            source: first.source.eu,
            ty: operands.types.sum,
            values: product.dst[usize::from(eu)][usize::from(row)].clone(),
            done: repeat - i16::from(row),
            chosen: (chosen.eu == eu && chosen.row == row).then_some(chosen.channel),
        };
        part(props, None)
    };
    let rows = operands.shape.rc();
    let about = format!(
        " Dst, {rows} × {}, {}",
        operands.shape.channels(),
        operands.types.dst.name()
    );
    let table = el!("table", "class" = "matrix by-row by-channel")
        .put(caption(Some(eu), "D", about))
        .put(channels(operands.shape.channels()))
        .put(el!("tbody").each((0..rows).map(row)));
    el!("div", "class" = "scroller", "data-eu" = digit(eu)).put(table)
}

/// The head of a table with a column a channel.
pub(super) fn channels(count: u8) -> El {
    let channel = |channel| el!("th", "scope" = "col").put(digit(channel));
    let heads = el!("tr").put(el!("td")).each((0..count).map(channel));
    el!("thead").put(heads)
}

#[derive(PartialEq)]
struct Row {
    eu: u8,
    row: u8,
    /// The register of the combined Src2 that its elements of A are in, and
    /// the EU that supplies it.
    register: u8,
    source: u8,
    ty: ElementType,
    values: Vec<u32>,
    /// 0 for the row that is worked on, more for those that are ready.
    done: i16,
    /// The channel of the element that was chosen, if it is in this row.
    chosen: Option<u8>,
}

impl Part for Row {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let cell = |(channel, bits): (u8, &u32)| {
            let element = Element {
                eu: self.eu,
                row: self.row,
                channel,
            };
            let chosen = self.chosen == Some(channel);
            let button = el!(
                "button",
                "id" = id(element),
                "aria-pressed" = if chosen { "true" } else { "false" },
                "tabindex" = if chosen { "0" } else { "-1" }
            );
            el!("td", "class" = "element").put(button.put(show(u64::from(*bits), self.ty)))
        };
        el!(
            "tr",
            "data-register" = digit(self.register),
            "data-eu" = digit(self.source),
            "data-is" = (self.done < 0).then_some("off"),
            "aria-current" = (self.done == 0).then_some("step")
        )
        .put(el!("th", "scope" = "row").put(digit(self.row)))
        .each((0..).zip(&self.values).map(cell))
        .html()
    }
}

/// `d12a`: on EU1, row 2, channel 10.
fn id(element: Element) -> String {
    format!("d{}{}{:x}", element.eu, element.row, element.channel)
}

/// The element of an id.
fn named(id: &str) -> Option<Element> {
    let digits = id.strip_prefix('d').filter(|digits| digits.len() == 3)?;
    let digit = |at| u8::from_str_radix(digits.get(at..=at)?, 16).ok();
    Some(Element {
        eu: digit(0)?,
        row: digit(1)?,
        channel: digit(2)?,
    })
}

/// The element that a key leads to.
fn neighbour(from: Element, (eus, rows, channels): (u8, u8, u8), key: &str) -> Option<Element> {
    let (right, down) = match key {
        "ArrowRight" => (1, 0),
        "ArrowLeft" => (eus * channels - 1, 0),
        "ArrowDown" => (0, 1),
        "ArrowUp" => (0, rows - 1),
        _ => return None,
    };
    let column = (from.eu * channels + from.channel + right) % (eus * channels);
    Some(Element {
        eu: column / channels,
        row: (from.row + down) % rows,
        channel: column % channels,
    })
}

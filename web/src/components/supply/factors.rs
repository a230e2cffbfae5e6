use super::product::channels;
use super::{digit, scroller, tag};
use crate::dom::{El, Part, el, list};
use lanewise_core::isa::visa::dpas::operands::{Element, Operands};
use lanewise_core::number::show;
use std::rc::Rc;
use yew::prelude::*;

/// C, A and B with their values. Elements that one stage multiplies stand
/// together.
#[derive(PartialEq)]
pub(super) struct Factors {
    pub(super) operands: Rc<Operands>,
}

impl Part for Factors {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let operands = &*self.operands;
        let (rc, pair) = (operands.shape.rc(), operands.shape.pair());
        let (ops, depth) = (pair.ops(), operands.shape.sd());
        let name = |d: u8, scope: &'static str| {
            let ks = format!(" k {}–{}", d * ops, d * ops + ops - 1);
            el!("th", "scope" = scope)
                .put(digit(d))
                .put(el!("span", "class" = "k").put(ks))
        };
        let c = |eu: u8| {
            let row = |row: u8| {
                let cell = |channel| {
                    let bits = operands.src0(eu, row, channel);
                    el!("td").put(show(u64::from(bits), operands.ty))
                };
                let name = el!("th", "scope" = "row").put(digit(row));
                row_of(operands, row).put(name).each((0..8).map(cell))
            };
            let about = format!(" Src0, {rc} × 8, {}", operands.ty.name());
            let table = el!("table", "class" = "matrix by-row by-channel")
                .put(caption(Some(eu), "C", about))
                .put(channels())
                .put(el!("tbody").each((0..rc).map(row)));
            el!("div", "data-eu" = digit(eu)).put(scroller("C", table))
        };
        let b = |eu: u8| {
            let row = |d: u8| {
                let cell = |channel| {
                    let elements = (0..ops).map(|i| operands.src1(eu, d * ops + i, channel));
                    values(elements.collect(), "\n")
                };
                el!("tr").put(name(d, "row")).each((0..8).map(cell))
            };
            let about = format!(" Src1, {} × 8, {}", operands.shape.k(), pair.w().name());
            let table = el!("table", "class" = "matrix by-stage by-channel")
                .put(caption(Some(eu), "B", about))
                .put(channels())
                .put(el!("tbody").each((0..depth).map(row)));
            el!("div", "data-eu" = digit(eu)).put(scroller("B", table))
        };
        let a = |row: u8| {
            let cell = |d: u8| {
                let elements = (0..ops).map(|i| operands.src2(row, d * ops + i).0);
                values(elements.collect(), " ")
            };
            let (first, register) = operands.src2(row, 0);
            let name = el!("th", "scope" = "row")
                .put(digit(row))
                .put(el!("span", "class" = "k").put(format!(" R{register} ")))
                .put(tag(first.source.eu));
            row_of(operands, row).put(name).each((0..depth).map(cell))
        };
        let about = format!(
            " the combined Src2, {rc} × {}, {}: the same for both EUs",
            operands.shape.k(),
            pair.a().name()
        );
        let stages = (0..depth).map(|d| name(d, "col"));
        let a = el!("table", "class" = "matrix by-row stages")
            .put(caption(None, "A", about))
            .put(el!("thead").put(el!("tr").put(el!("td")).each(stages)))
            .put(el!("tbody").each((0..rc).map(a)));
        list(vec![
            el!("div", "class" = "pair").each((0..2).map(c)).html(),
            scroller("A", a).html(),
            el!("div", "class" = "pair").each((0..2).map(b)).html(),
        ])
    }
}

/// The name of a matrix, and whose it is.
pub(super) fn caption(eu: Option<u8>, name: &'static str, about: String) -> El {
    el!("caption")
        .put(eu.map(tag))
        .put(el!("b").put(name))
        .put(about)
}

/// A row of a matrix that belongs to a row of A: it is known by the register
/// that this lies in, and by who supplies it.
fn row_of(operands: &Operands, row: u8) -> El {
    let (first, register) = operands.src2(row, 0);
    el!(
        "tr",
        "data-register" = digit(register),
        "data-eu" = digit(first.source.eu)
    )
}

/// The values of elements, all aligned.
fn values(elements: Vec<Element>, between: &'static str) -> El {
    let mut all = String::new();
    for element in elements {
        if !all.is_empty() {
            all.push_str(between);
        }
        let text = element.text();
        let width = match element.precision.bits() {
            2 | 4 => 2,
            8 => 4,
            _ => 6,
        };
        (text.len()..width).for_each(|_| all.push(' '));
        all.push_str(&text);
    }
    el!("td").put(all)
}

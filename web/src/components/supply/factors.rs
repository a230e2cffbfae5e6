use super::product::channels;
use super::{digit, scroller, tag};
use crate::dom::{El, Part, el, list, part};
use crate::state::supply::Element as ElementOfDst;
use lanewise_core::isa::visa::matrix::operands::{Element, Operands};
use lanewise_core::number::show;
use std::rc::Rc;
use yew::prelude::*;

/// C, A and B with their values. Elements that one stage multiplies stand
/// together.
#[derive(PartialEq)]
pub(super) struct Factors {
    pub(super) operands: Rc<Operands>,
    /// The repeat and the stage that were done last.
    pub(super) at: Option<(u8, u8)>,
    pub(super) chosen: ElementOfDst,
}

/// Whose row a [`Row`] is: each EU has its own, but for a shared A.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matrix {
    A(u8),
    B(u8),
    C(u8),
}

impl Part for Factors {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let shape = self.operands.shape;
        let (rc, pair, depth) = (shape.rc(), shape.pair(), shape.sd());
        let (eus, channels_count) = (self.operands.eu_count(), shape.channels());
        let body = |matrix, count| el!("tbody").each((0..count).map(|at| self.row(matrix, at)));
        let c = |eu: u8| {
            let about = format!(
                " Src0, {rc} × {channels_count}, {}",
                self.operands.types.src0.name()
            );
            let table = el!("table", "class" = "matrix by-row by-channel")
                .put(caption(Some(eu), "C", about))
                .put(channels(channels_count))
                .put(body(Matrix::C(eu), rc));
            el!("div", "data-eu" = digit(eu)).put(scroller("C", table))
        };
        let b = |eu: u8| {
            let about = format!(
                " Src1, {} × {channels_count}, {}",
                shape.k(),
                pair.w().name()
            );
            let table = el!("table", "class" = "matrix by-stage by-channel")
                .put(caption(Some(eu), "B", about))
                .put(channels(channels_count))
                .put(body(Matrix::B(eu), depth));
            el!("div", "data-eu" = digit(eu)).put(scroller("B", table))
        };
        let a = |eu: u8| {
            let about = format!(" Src2, {rc} × {}, {}", shape.k(), pair.a().name());
            let stages = (0..depth).map(|d| head_of_stage(&self.operands, d, "col"));
            // A column of A is lit by one element, not cell by cell.
            let lit = self.at.map(|(_, stage)| stage);
            let column = |d| el!("col", "data-lit" = (lit == Some(d)).then_some(""));
            let columns = el!("colgroup").put(el!("col")).each((0..depth).map(column));
            let own = self.operands.supply.is_none().then_some(eu);
            let table = el!("table", "class" = "matrix by-row stages")
                .put(caption(own, "A", about))
                .put(columns)
                .put(el!("thead").put(el!("tr").put(el!("td")).each(stages)))
                .put(body(Matrix::A(eu), rc));
            scroller("A", table).html()
        };
        // One for both EUs where they share it.
        let shared = if self.operands.supply.is_some() {
            1
        } else {
            eus
        };
        let mut all = vec![el!("div", "class" = "pair").each((0..eus).map(c)).html()];
        all.extend((0..shared).map(a));
        all.push(el!("div", "class" = "pair").each((0..eus).map(b)).html());
        list(all)
    }
}

impl Factors {
    fn row(&self, matrix: Matrix, at: u8) -> Html {
        let (repeat, stage) = self.at.unzip();
        let chosen = self.chosen;
        let (lit, column) = match matrix {
            Matrix::A(_) => (repeat, (chosen.row == at).then_some(0)),
            Matrix::B(eu) => (stage, (chosen.eu == eu).then_some(chosen.channel)),
            Matrix::C(eu) => {
                let here = chosen.eu == eu && chosen.row == at;
                (repeat, here.then_some(chosen.channel))
            }
        };
        let row = Row {
            operands: self.operands.clone(),
            matrix,
            at,
            lit: lit == Some(at),
            chosen: column,
        };
        part(row, None)
    }
}

/// One row. A step lights one row of each matrix, so that two are drawn anew.
#[derive(PartialEq)]
struct Row {
    operands: Rc<Operands>,
    matrix: Matrix,
    at: u8,
    lit: bool,
    /// What the chosen element of Dst comes from: a channel, of A the row.
    chosen: Option<u8>,
}

impl Part for Row {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let operands = &*self.operands;
        let (at, ops) = (self.at, operands.shape.pair().ops());
        let lit = self.lit.then_some("");
        let chosen = |channel| (self.chosen == Some(channel)).then_some("");
        let row = match self.matrix {
            Matrix::C(eu) => {
                let cell = |channel| {
                    let bits = operands.src0(eu, at, channel);
                    el!("td", "data-chosen" = chosen(channel))
                        .put(show(u64::from(bits), operands.types.sum))
                };
                let (first, register) = operands.src2(eu, at, 0);
                el!(
                    "tr",
                    "data-register" = digit(register),
                    "data-eu" = digit(first.source.eu),
                    "data-lit" = lit
                )
                .put(el!("th", "scope" = "row").put(digit(at)))
                .each((0..operands.shape.channels()).map(cell))
            }
            Matrix::B(eu) => {
                let cell = |channel| {
                    let elements = (0..ops).map(|i| operands.src1(eu, at * ops + i, channel));
                    el!("td", "data-chosen" = chosen(channel)).put(values(elements.collect(), "\n"))
                };
                el!("tr", "data-lit" = lit)
                    .put(head_of_stage(operands, at, "row"))
                    .each((0..operands.shape.channels()).map(cell))
            }
            Matrix::A(eu) => {
                let cell = |d: u8| {
                    let elements = (0..ops).map(|i| operands.src2(eu, at, d * ops + i).0);
                    el!("td").put(values(elements.collect(), " "))
                };
                let (first, register) = operands.src2(eu, at, 0);
                let name = el!("th", "scope" = "row")
                    .put(digit(at))
                    .put(el!("span", "class" = "k").put(format!(" R{register} ")))
                    .put(tag(first.source.eu));
                el!(
                    "tr",
                    "data-register" = digit(register),
                    "data-eu" = digit(first.source.eu),
                    "data-lit" = lit,
                    "data-chosen" = chosen(0)
                )
                .put(name)
                .each((0..operands.shape.sd()).map(cell))
            }
        };
        row.html()
    }
}

/// The head of a stage, with the elements that it multiplies.
fn head_of_stage(operands: &Operands, d: u8, scope: &'static str) -> El {
    let ops = operands.shape.pair().ops();
    let ks = format!(" k {}–{}", d * ops, d * ops + ops - 1);
    el!("th", "scope" = scope)
        .put(digit(d))
        .put(el!("span", "class" = "k").put(ks))
}

/// The name of a matrix, and whose it is.
pub(super) fn caption(eu: Option<u8>, name: &'static str, about: String) -> El {
    el!("caption")
        .put(eu.map(tag))
        .put(el!("b").put(name))
        .put(about)
}

/// The values of elements, all aligned.
fn values(elements: Vec<Element>, between: &'static str) -> String {
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
    all
}

use super::{column, digit, remark, scroller, tag};
use crate::components::send;
use crate::dom::{El, On, Part, el};
use crate::state::Action;
use lanewise_core::contradictions::{Contradiction, SUPPLY_TABLE};
use lanewise_core::isa::visa::matrix::precision::Column;
use lanewise_core::isa::visa::matrix::{Precision, Supply};
use std::ops::Range;
use yew::prelude::*;

/// Every repeat count × every class of precisions, and where formula and table
/// of the document contradict each other.
#[derive(PartialEq)]
pub(super) struct Map {
    /// That of the instruction at hand.
    pub(super) supply: Supply,
    /// Whether to show what the document's table says.
    pub(super) by_table: bool,
    pub(super) act: Callback<Action>,
}

impl Part for Map {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let by = |name: &'static str, table: bool| {
            let button = el!("input", "type" = "radio", "name" = "reading")
                .checked(self.by_table == table)
                .on(On::Change, send(&self.act, Action::ByTable(table)));
            el!("label", "class" = "check").put(button).put(name)
        };
        let reading = el!("fieldset", "class" = "readings")
            .put(el!("legend", "class" = "unseen").put("Which of the document’s two readings"))
            .put(by("by the formula", false))
            .put(by("by the document’s table", true));
        let head = el!("div", "class" = "part-head")
            .put(el!("h3").put("Every configuration"))
            .put(reading);
        let caption = "Which EU supplies which register of Src2, by repeat count and by the precision of its elements";
        let heads = el!("tr")
            .put(column("RC"))
            .each(Column::ALL.iter().map(heading));
        let table = el!("table", "class" = "map")
            .put(el!("caption", "class" = "unseen").put(caption))
            .put(el!("thead").put(heads))
            .put(el!("tbody").each((1..=8).rev().map(|rc| row(rc, self))));
        el!("div", "class" = "part")
            .put(head)
            .put(remark(
                "NGrf, the registers of Src2 = ⌈its bytes / 32⌉ = those of EU0 + those of EU1.",
            ))
            .put(scroller("Every configuration", table))
            .put(clash(&SUPPLY_TABLE))
            .html()
    }
}

fn heading(of: &Column) -> El {
    let fills = match of {
        Column::Whole => "A row fills a register",
        Column::Half => "Half a register",
        Column::Quarter => "A quarter",
    };
    let lines = of.heading().split("; ");
    el!("th", "scope" = "col")
        .put(el!("b").put(fills))
        .each(lines.map(|line| el!("span").put(line)))
}

fn row(rc: u8, map: &Map) -> El {
    let of_column = [Precision::S8, Precision::S4, Precision::S2];
    let cell = |a| {
        let supply = Supply::of(Precision::S8, a, 8, rc)?;
        let (here, shape) = (map.supply.shape(), supply.shape());
        let lit =
            here.sd() == 8 && here.rc() == rc && here.pair().column() == shape.pair().column();
        Some(cell(supply, lit, map.by_table))
    };
    el!("tr")
        .put(el!("th", "scope" = "row").put(digit(rc)))
        .each(of_column.into_iter().filter_map(cell))
}

fn cell(supply: Supply, lit: bool, by_table: bool) -> El {
    let formula = supply.counts();
    let table = supply.table_counts().unwrap_or(formula);
    let ([first, second], other, name) = match by_table {
        true => (table, formula, "formula"),
        false => (formula, table, "table"),
    };
    let (bytes, ngrf) = (supply.bytes(), supply.ngrf());
    let differs = supply.differs().then(|| {
        let [first, second] = other;
        el!("span", "class" = "say").put(format!("⚠ the {name}: EU0 {first}, EU1 {second}"))
    });
    let alone = (second == 0).then(|| el!("span", "class" = "say none").put("shares nothing"));
    let from = el!("span", "class" = "from")
        .put(registers(0, 0..first))
        .put(registers(1, first..first + second));
    el!("td", "aria-current" = lit.then_some("true"))
        .put(from)
        .put(
            el!("span", "class" = "counts")
                .put(format!("⌈{bytes} / 32⌉ = {ngrf} = {first} + {second}")),
        )
        .put(differs)
        .put(alone)
}

/// The registers that one EU supplies.
fn registers(eu: u8, registers: Range<u8>) -> Option<El> {
    let register = |i| el!("span", "class" = "reg").put("R").put(digit(i));
    let all = || {
        el!("span", "class" = "regs", "data-eu" = digit(eu))
            .put(tag(eu))
            .each(registers.clone().map(register))
    };
    (!registers.is_empty()).then(all)
}

/// Both readings, and what speaks for which.
fn clash(said: &'static Contradiction) -> El {
    el!("div", "class" = "clash")
        .put(el!("h4").put(said.title))
        .put(el!("ul").each([said.one, said.other].map(|one| el!("li").put(one))))
        .put(el!("p").put(said.taken))
}

//! The picture of a DPASW: which EU supplies which register of Src2, and what
//! becomes of it.

mod factors;
mod flow;
mod map;
mod product;

use super::{select, send};
use crate::dom::{El, On, el, part};
use crate::state::supply::SupplyView;
use crate::state::{Action, Reshape};
use lanewise_core::isa::visa::matrix::Supply;
use lanewise_core::isa::visa::matrix::trace::fed_by;
use map::Map;
use yew::prelude::*;

/// The picture. `stale`: the text has changed since into one that cannot run.
pub(crate) fn draw(view: &SupplyView, stale: bool, act: &Callback<Action>) -> El {
    let about = el!("p", "class" = "muted")
        .put(el!("span", "class" = "mono").put(view.name.clone()))
        .put(format!(", line {}", view.line));
    let head = el!("div", "class" = "pane-head")
        .put(el!("h2", "id" = "supply-title").put("Src2 supply"))
        .put(about);
    let summary = el!(
        "p",
        "class" = "summary",
        "role" = "status",
        "aria-label" = "Supply summary"
    );
    let shared = view.supply.map(|supply| {
        let map = Map {
            supply,
            by_table: view.look.by_table,
            act: act.clone(),
        };
        [
            summary.put(supply.summary()),
            combined(supply, view, act),
            el!("div").put(part(map, None)),
        ]
    });
    el!(
        "section",
        "class" = "pane supply",
        "data-is" = stale.then_some("stale"),
        "data-chosen" = view.look.register.map(digit),
        "aria-labelledby" = "supply-title"
    )
    .put(head)
    .put(controls(view, act))
    .each(shared.into_iter().flatten())
    .put((view.product.as_ref()).map(|product| product::draw(product, view.look, act)))
}

/// A number below 16.
fn digit(number: u8) -> &'static str {
    const NUMBERS: [&str; 16] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15",
    ];
    NUMBERS[usize::from(number)]
}

/// `EU0`, in its colour.
fn tag(eu: u8) -> El {
    el!("span", "class" = "eu-tag", "data-eu" = digit(eu))
        .put("EU")
        .put(digit(eu))
}

/// A box that scrolls, named for those who do not see it.
fn scroller(name: &'static str, inside: El) -> El {
    el!(
        "div",
        "class" = "scroller",
        "role" = "group",
        "aria-label" = name,
        "tabindex" = "0"
    )
    .put(inside)
}

/// The head of a column.
fn column(text: &'static str) -> El {
    el!("th", "scope" = "col").put(text)
}

/// What is said beside something.
fn remark(text: &'static str) -> El {
    el!("p", "class" = "muted").put(text)
}

/// W, A and RC, which rewrite the instruction.
fn controls(view: &SupplyView, act: &Callback<Action>) -> El {
    let (shape, known) = (view.shape, view.multiply.variant.precisions);
    let precisions: Vec<AttrValue> = known.iter().map(|p| AttrValue::Static(p.name())).collect();
    let place = |wanted| known.iter().position(|p| *p == wanted);
    let counts = [1, 2, 3, 4, 5, 6, 7, 8].map(|rc| AttrValue::Static(digit(rc)));
    let pick = |change: fn(usize) -> Reshape| act.reform(move |i| Action::Reshape(change(i)));
    let about = |text| el!("span", "class" = "muted").put(text);
    let (w, a) = (place(shape.pair().w()), place(shape.pair().a()));
    let rc = Some(usize::from(shape.rc()) - 1);
    el!("div", "class" = "shape")
        .put(select::draw("W", &precisions, w, pick(Reshape::W)))
        .put(about("precision of Src1"))
        .put(select::draw("A", &precisions, a, pick(Reshape::A)))
        .put(about("precision of Src2"))
        .put(select::draw("RC", &counts, rc, pick(Reshape::Rc)))
        .put(about("rows"))
}

/// The registers of the combined Src2, each with where it comes from and the
/// rows of Dst that it feeds; and how many there are.
fn combined(supply: Supply, view: &SupplyView, act: &Callback<Action>) -> El {
    let rows = |register| {
        let rows = fed_by(supply.shape(), register);
        match rows.len() {
            1 => format!("row {}", rows.start),
            _ => format!("rows {}–{}", rows.start, rows.end.saturating_sub(1)),
        }
    };
    let register = |i: u8| {
        let source = view.look.source(supply, i)?;
        let pressed = view.look.register == Some(i);
        let tile = el!(
            "button",
            "class" = "tile",
            "data-eu" = digit(source.eu),
            "aria-pressed" = if pressed { "true" } else { "false" }
        )
        .on(
            On::Click,
            send(act, Action::Register((!pressed).then_some(i))),
        )
        .put(tag(source.eu))
        .put(el!("b").put("R").put(digit(i)))
        .put(format!("EU{}.R{}", source.eu, source.register))
        .put(el!("span", "class" = "muted").put(rows(i)));
        Some(tile)
    };
    let chosen = view.look.register.filter(|i| *i < supply.ngrf());
    let feeds = el!("p", "class" = "muted").put(match chosen {
        Some(i) => format!("R{i} feeds {} of Dst, all channels, on both EUs. ", rows(i)),
        None => String::from("Choose a register to see which elements of Dst it feeds. "),
    });
    let either = (view.look.by_table && supply.differs())
        .then_some("This is what the table says. What runs, and D below, follows the formula.");
    let finalizer = supply.finalizer_differs().then(|| {
        let rows = supply.finalizer_rows();
        let bytes = supply.finalizer_bytes();
        el!("p", "class" = "muted").put(format!(
            "Intel’s finalizer counts rows, not registers: (RC + 1) / 2 = {rows}, {bytes} bytes of each EU. It touches the same registers."
        ))
    });
    let steps = supply.steps().map(|step| el!("li").put(step));
    el!("div", "class" = "part")
        .put(el!("h3").put("The combined Src2"))
        .put(remark(
            "Both EUs multiply with the same Src2. Its first registers are read from EU0, the rest from EU1, each from register 0 of its own operand.",
        ))
        .put(el!("div", "class" = "combined").each((0..8).filter_map(register)))
        .put(feeds.put(either))
        .put(el!("ul", "class" = "formula").each(steps))
        .put(finalizer)
}

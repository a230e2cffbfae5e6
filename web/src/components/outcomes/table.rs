use super::pressed;
use crate::dom::{El, On, Part, el};
use crate::state::outcomes::{OutcomesAction, Row, Table};
use std::rc::Rc;
use yew::prelude::*;

/// The results that are shown, one a row.
#[derive(PartialEq)]
pub(super) struct Results {
    pub(super) table: Rc<Table>,
    pub(super) act: Callback<OutcomesAction>,
}

impl Part for Results {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let table = &self.table;
        let head = |name: String, what: String| {
            el!("th", "scope" = "col")
                .put(name)
                .put(el!("span", "class" = "what").put(what))
        };
        let plain = |name: &'static str| head(String::from(name), String::new());
        let columns = table.columns.iter();
        let heads = el!("tr")
            .each(["Result", "Orders", "Share"].map(plain))
            .each(columns.map(|(name, what)| head(name.clone(), what.clone())))
            .put(plain("One order"));
        let rows = table.rows.iter().map(|row| self.row(row));
        let shown = el!("table", "class" = "table results", "aria-label" = "Results")
            .put(el!("thead").put(heads))
            .put(el!("tbody").each(rows));
        let more = (table.more_rows > 0).then(|| {
            el!("button", "class" = "button")
                .on(On::Click, pressed(&self.act, OutcomesAction::More))
                .put(format!("Show more ({} left)", table.more_rows))
        });
        let more_columns = (table.more_columns > 0).then(|| {
            let text = format!("{} more cells differ.", table.more_columns);
            el!("p", "class" = "muted").put(text)
        });
        let scroller = el!(
            "div",
            "class" = "scroller",
            "role" = "group",
            "aria-label" = "Results table",
            "tabindex" = "0"
        );
        let empty = table.rows.is_empty();
        el!("div", "class" = "results-box")
            .put((!empty).then(|| scroller.put(shown)))
            .put(more)
            .put(more_columns)
            .html()
    }
}

impl Results {
    fn row(&self, row: &Row) -> El {
        let number = row.index + 1;
        let (name, pressed_, text) = match row.own {
            true => (format!("This run: result {number}"), "true", "This run"),
            false => (format!("Replay result {number}"), "false", "Replay"),
        };
        let replay = el!(
            "button",
            "class" = "button replay",
            "aria-label" = name,
            "aria-pressed" = pressed_
        )
        .on(
            On::Click,
            pressed(&self.act, OutcomesAction::Replay(row.index)),
        )
        .put(text);
        let number = el!("span", "class" = "number").put(number.to_string());
        let value = |(text, differs): &(String, bool)| {
            el!("td", "data-is" = differs.then_some("other")).put(text.clone())
        };
        let fault = row.fault.as_ref().map(|fault| {
            el!("span", "class" = "remark")
                .put("Fault: ")
                .put(fault.clone())
                .put(" ")
        });
        el!("tr", "aria-current" = row.own.then_some("true"))
            .put(el!("th", "scope" = "row").put(number).put(replay))
            .put(el!("td").put(row.orders.clone()))
            .put(el!("td").put(row.share.clone()))
            .each(row.values.iter().map(value))
            .put(
                el!("td", "class" = "one-order")
                    .put(fault)
                    .put(row.order.clone()),
            )
    }
}

use crate::components::select;
use crate::dom::{On, Part, el};
use crate::state::outcomes::{FilterView, OutcomesAction};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// "Can lane 3 get 7 back?"
#[derive(PartialEq)]
pub(super) struct Filter {
    pub(super) filter: Rc<FilterView>,
    pub(super) act: Callback<OutcomesAction>,
}

impl Part for Filter {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let filter = &self.filter;
        let lane = self.act.reform(OutcomesAction::Lane);
        let oninput = self.act.reform(|event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            OutcomesAction::Value(input.value())
        });
        let offered = filter.offered.iter();
        let offered = offered.map(|value| el!("option", "value" = value.clone()));
        let input = el!(
            "input",
            "aria-label" = "Returned value",
            "size" = "10",
            "list" = "outcomes-values",
            "placeholder" = "any value",
            "autocomplete" = "off",
            "spellcheck" = "false",
            "aria-invalid" = filter.wrong.then_some("true")
        )
        .on(On::Input, oninput)
        .value(filter.value.clone());
        let label = el!("label", "class" = "field")
            .put(el!("span").put("gets back"))
            .put(input);
        let answer = el!(
            "p",
            "role" = "status",
            "aria-label" = "Returned value answer",
            "class" = "outcomes-answer"
        );
        el!("div", "class" = "outcomes-filter")
            .put(select::draw("Lane", &filter.lanes, Some(filter.lane), lane))
            .put(label)
            .put(el!("datalist", "id" = "outcomes-values").each(offered))
            .put(answer.put(filter.answer.clone()))
            .html()
    }
}

use crate::components::select::Select;
use crate::features::outcomes::OutcomesAction;
use crate::features::outcomes::model::query::QueryView;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub(super) struct QueryFormProps {
    pub(super) query: Rc<QueryView>,
    pub(super) on_action: Callback<OutcomesAction>,
}

/// "Can lane 3 return 7?", and the answer.
#[component]
pub(super) fn QueryForm(props: &QueryFormProps) -> Html {
    let QueryFormProps { query, on_action } = props;
    let oninput = on_action.reform(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        OutcomesAction::Value(input.value())
    });
    let offered = query.offered.iter();
    let offered = offered.map(|value| html! { <option value={value.clone()} /> });
    html! {
        <div class="outcomes-filter">
            <Select
                label="Lane"
                options={query.lanes.clone()}
                chosen={Some(query.lane)}
                onpick={on_action.reform(OutcomesAction::Lane)}
            />
            <label class="field">
                <span>{ "returns" }</span>
                <input
                    aria-label="Returned value"
                    size="10"
                    list="outcomes-values"
                    placeholder="any value"
                    autocomplete="off"
                    spellcheck="false"
                    aria-invalid={query.is_invalid.then_some("true")}
                    value={query.value.clone()}
                    {oninput}
                />
            </label>
            <datalist id="outcomes-values">{ for offered }</datalist>
            <p role="status" aria-label="Returned value answer" class="outcomes-answer">
                { &query.answer }
            </p>
        </div>
    }
}

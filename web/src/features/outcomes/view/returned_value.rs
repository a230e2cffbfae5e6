use crate::components::select::select;
use crate::dom::value_of;
use crate::features::outcomes::OutcomesAction;
use lanewise_answer::results::ReturnForm;
use yew::prelude::*;

/// Form for the query "Can lane 3 return 7?", and its answer.
pub(super) fn returned_value_form(form: &ReturnForm, on_action: &Callback<OutcomesAction>) -> Html {
    let oninput = on_action.reform(|event: InputEvent| OutcomesAction::Value(value_of(&event)));
    let lanes = form.lanes.iter().cloned().enumerate();
    let offered = form.offered.iter();
    let offered = offered.map(|value| html! { <option value={value.clone()} /> });
    html! {
        <div class="wrapping outcomes-filter">
            { select("Lane", lanes, Some(&form.wanted.lane), &on_action.reform(OutcomesAction::Lane)) }
            <label class="field">
                <span>{ "returns" }</span>
                <input
                    aria-label="Returned value"
                    size="10"
                    list="outcomes-values"
                    placeholder="any value"
                    autocomplete="off"
                    spellcheck="false"
                    aria-invalid={form.is_invalid.then_some("true")}
                    value={form.wanted.value.clone()}
                    {oninput}
                />
            </label>
            <datalist id="outcomes-values">{ for offered }</datalist>
            <p role="status" aria-label="Returned value answer" class="outcomes-answer">
                { &form.answer }
            </p>
        </div>
    }
}

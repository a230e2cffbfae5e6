use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Checkbox with a label.
pub(crate) fn check(label: &str, checked: bool, on_change: &Callback<bool>) -> Html {
    let onchange = on_change.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        input.checked()
    });
    html! {
        <label class="check">
            <input type="checkbox" {checked} {onchange} />
            { label }
        </label>
    }
}

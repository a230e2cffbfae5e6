use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// A small labelled choice. `onpick` hears the index of the option.
pub(crate) fn draw(
    label: &'static str,
    options: &[AttrValue],
    chosen: Option<usize>,
    onpick: Callback<usize>,
) -> Html {
    let onchange = move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        onpick.emit(usize::try_from(select.selected_index()).unwrap_or(0));
    };
    let options = options.iter().enumerate().map(|(index, name)| {
        html! { <option selected={Some(index) == chosen}>{ name }</option> }
    });
    html! {
        <label class="field">
            <span>{ label }</span>
            <select {onchange}>{ for options }</select>
        </label>
    }
}

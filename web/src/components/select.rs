use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) label: AttrValue,
    pub(crate) options: Vec<AttrValue>,
    /// Index of the chosen option.
    pub(crate) chosen: usize,
    /// Hears the index of the option that is picked.
    pub(crate) onpick: Callback<usize>,
}

/// A small labelled choice.
#[component]
pub(crate) fn Select(props: &Props) -> Html {
    let onchange = props.onpick.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        usize::try_from(select.selected_index()).unwrap_or(0)
    });
    let options = props.options.iter().enumerate().map(|(index, name)| {
        html! { <option selected={index == props.chosen}>{ name }</option> }
    });
    html! {
        <label class="field">
            <span>{ &props.label }</span>
            <select {onchange}>{ for options }</select>
        </label>
    }
}

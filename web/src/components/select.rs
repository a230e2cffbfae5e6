use crate::dom::{El, On, el};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// A small labelled choice. `onpick` hears the index of the option.
pub(crate) fn draw(
    label: &'static str,
    options: &[AttrValue],
    chosen: Option<usize>,
    onpick: Callback<usize>,
) -> El {
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        onpick.emit(usize::try_from(select.selected_index()).unwrap_or(0));
    });
    let options = options
        .iter()
        .enumerate()
        .map(|(index, name)| el!("option", "selected" = Some(index) == chosen).put(name.clone()));
    el!("label", "class" = "field")
        .put(el!("span").put(label))
        .put(
            el!("select", "aria-label" = label)
                .on(On::Change, onchange)
                .each(options),
        )
}

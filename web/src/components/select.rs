use web_sys::HtmlSelectElement;
use yew::prelude::*;
use yew::virtual_dom::VTag;

/// Labelled drop-down menu of values and their names. `chosen` is `None` if no
/// option applies; `on_pick` receives the picked value.
pub(crate) fn select<T: Clone + PartialEq + 'static>(
    label: impl Into<AttrValue>,
    options: impl IntoIterator<Item = (T, impl Into<AttrValue>)>,
    chosen: Option<&T>,
    on_pick: &Callback<T>,
) -> Html {
    let options = options
        .into_iter()
        .map(|(value, name)| (value, name.into()));
    let (values, names): (Vec<T>, Vec<AttrValue>) = options.unzip();
    let chosen = values.iter().position(|value| Some(value) == chosen);
    let on_pick = on_pick.reform(move |index: usize| {
        let value = values.get(index);
        value.expect("the menu lists this value").clone()
    });
    menu(label.into(), &names, chosen, on_pick)
}

fn menu(
    label: AttrValue,
    names: &[AttrValue],
    chosen: Option<usize>,
    on_pick: Callback<usize>,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        let picked = usize::try_from(select.selected_index());
        // Revert to the current choice until the pick is accepted; it may be
        // rejected.
        let shown = chosen.map_or(-1, |index| i32::try_from(index).unwrap_or(-1));
        select.set_selected_index(shown);
        on_pick.emit(picked.expect("picked options have an index"));
    });
    let options = names.iter().enumerate();
    let options = options.map(|(index, name)| option(name, chosen == Some(index)));
    html! {
        <label class="field">
            <span>{ format!("{label}:") }</span>
            <select aria-label={label} {onchange}>
                { for options }
                if chosen.is_none() {
                    <option hidden=true selected=true />
                }
            </select>
        </label>
    }
}

fn option(name: &AttrValue, is_selected: bool) -> Html {
    let mut option = VTag::new("option");
    // A property: the attribute sets only the initial selection.
    option.add_property("selected", is_selected);
    option.add_child(html! { { name } });
    option.into()
}

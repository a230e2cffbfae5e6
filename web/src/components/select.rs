use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct SelectProps {
    /// Accessible name, also shown as a label.
    pub(crate) label: AttrValue,
    pub(crate) options: Vec<AttrValue>,
    /// Index of the selected option, if any.
    #[prop_or_default]
    pub(crate) chosen: Option<usize>,
    /// Called with the index of the picked option.
    pub(crate) on_pick: Callback<usize>,
}

/// Labelled drop-down menu.
#[component]
pub(crate) fn Select(props: &SelectProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        let shown = (props.chosen, props.options.clone());
        // The `selected` attribute sets only the initial selection.
        use_effect_with(shown, move |(chosen, _)| {
            if let Some(select) = node.cast::<HtmlSelectElement>() {
                select.set_selected_index(index(*chosen));
            }
        });
    }
    let chosen = index(props.chosen);
    let on_pick = props.on_pick.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        let picked = usize::try_from(select.selected_index());
        // Revert to the current choice until the pick is accepted; it may be
        // rejected.
        select.set_selected_index(chosen);
        on_pick.emit(picked.expect("picked options have an index"));
    });
    let options = props.options.iter().enumerate().map(|(index, name)| {
        html! { <option selected={props.chosen == Some(index)}>{ name }</option> }
    });
    html! {
        <label class="field">
            <span>{ format!("{}:", props.label) }</span>
            <select ref={node} aria-label={props.label.clone()} {onchange}>{ for options }</select>
        </label>
    }
}

/// `selectedIndex` of an option; -1 for none.
fn index(chosen: Option<usize>) -> i32 {
    chosen.map_or(-1, |index| {
        i32::try_from(index).expect("menus have few options")
    })
}

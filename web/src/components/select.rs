use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct SelectProps {
    /// Its accessible name, and the word before it.
    pub(crate) label: AttrValue,
    pub(crate) options: Vec<AttrValue>,
    /// The index of the chosen option; none where it is not among them.
    #[prop_or_default]
    pub(crate) chosen: Option<usize>,
    /// Gets the index of the option that was picked.
    pub(crate) on_pick: Callback<usize>,
}

/// A labelled menu of options.
#[component]
pub(crate) fn Select(props: &SelectProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        let shown = (props.chosen, props.options.clone());
        // `selected` sets only what the menu starts with.
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
        // What was picked is shown once it is chosen; it may be refused.
        select.set_selected_index(chosen);
        on_pick.emit(picked.expect("a picked option has an index"));
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

/// The index of an option as the browser counts it; of none it is -1.
fn index(chosen: Option<usize>) -> i32 {
    chosen.map_or(-1, |index| {
        i32::try_from(index).expect("a menu has few options")
    })
}

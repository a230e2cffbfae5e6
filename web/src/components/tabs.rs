use crate::dom::{focus, has_modifier};
use yew::prelude::*;

/// Tab that opens `value`.
pub(crate) struct TabItem<T> {
    pub(crate) value: T,
    pub(crate) id: AttrValue,
    pub(crate) label: AttrValue,
    /// Label for narrow layouts.
    pub(crate) short: Option<&'static str>,
    /// Number beside the label; empty if not yet known.
    pub(crate) count: Option<AttrValue>,
    /// Whether the last step changed the contents of the tab; shown as a dot.
    pub(crate) is_changed: bool,
    /// Id of the controlled panel.
    pub(crate) panel: AttrValue,
}

/// Description of the dot on a tab.
const CHANGED: &str = "Changed by this step";

/// Tab list; arrow keys move between tabs. `on_pick` receives the value of the
/// picked tab.
pub(crate) fn tab_list<T: Copy + PartialEq + 'static>(
    label: &'static str,
    tabs: &[TabItem<T>],
    open: T,
    on_pick: &Callback<T>,
) -> Html {
    let onkeydown = {
        let tabs = tabs.iter().map(|tab| (tab.value, tab.id.clone()));
        let tabs: Vec<(T, AttrValue)> = tabs.collect();
        let on_pick = on_pick.clone();
        Callback::from(move |event: KeyboardEvent| {
            let here = tabs.iter().position(|(value, _)| *value == open);
            let here = here.expect("the open tab is one of these");
            let next = match event.key().as_str() {
                _ if has_modifier(&event) => return,
                "ArrowRight" => (here + 1) % tabs.len(),
                "ArrowLeft" => (here + tabs.len() - 1) % tabs.len(),
                "Home" => 0,
                "End" => tabs.len() - 1,
                _ => return,
            };
            let (value, id) = &tabs[next];
            event.prevent_default();
            focus(id);
            on_pick.emit(*value);
        })
    };
    let button = |tab: &TabItem<T>| {
        let value = tab.value;
        let onclick = on_pick.reform(move |_: MouseEvent| value);
        tab_button(tab, value == open, onclick)
    };
    html! {
        <div class="tabs" role="tablist" aria-label={label} {onkeydown}>
            { for tabs.iter().map(button) }
        </div>
    }
}

fn tab_button<T>(tab: &TabItem<T>, is_open: bool, onclick: Callback<MouseEvent>) -> Html {
    let count = tab.count.as_deref().filter(|count| !count.is_empty());
    let changed = tab.is_changed.then_some(CHANGED);
    let description: Vec<&str> = count.into_iter().chain(changed).collect();
    html! {
        <button
            id={tab.id.clone()}
            role="tab"
            aria-selected={if is_open { "true" } else { "false" }}
            aria-controls={is_open.then(|| tab.panel.clone())}
            tabindex={if is_open { "0" } else { "-1" }}
            aria-description={(!description.is_empty()).then(|| description.join(", "))}
            {onclick}
        >
            if let Some(short) = tab.short {
                <span class="long">{ &tab.label }</span>
                <span class="short" aria-hidden="true" title={tab.label.clone()}>{ short }</span>
            } else {
                { &tab.label }
            }
            if tab.is_changed {
                <span class="tab-changed" aria-hidden="true" title={CHANGED}></span>
            }
            // The count is part of the description, so that the accessible
            // name stays stable.
            if tab.count.is_some() {
                { " " }
                <span class="tab-count" aria-hidden="true">
                    { count.map(|count| format!("({count})")) }
                </span>
            }
        </button>
    }
}

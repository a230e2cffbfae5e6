use crate::dom::{focus, has_modifier};
use yew::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TabItem {
    pub(crate) id: &'static str,
    pub(crate) label: &'static str,
    /// Label for narrow layouts.
    pub(crate) short: Option<&'static str>,
    pub(crate) count: TabCount,
    /// Whether the last step changed the contents of the tab; shown as a dot.
    pub(crate) is_changed: bool,
    /// Id of the controlled panel.
    pub(crate) panel: &'static str,
}

impl TabItem {
    /// Accessible description of the count and the dot.
    fn description(&self) -> Option<String> {
        let count = match &self.count {
            TabCount::Known(count) => Some(count.to_string()),
            TabCount::None | TabCount::Unknown => None,
        };
        let changed = self.is_changed.then(|| String::from(CHANGED));
        let parts: Vec<String> = count.into_iter().chain(changed).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Description of the dot on a tab.
const CHANGED: &str = "Changed by this step";

/// Number beside the label of a tab.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TabCount {
    None,
    /// Not yet known.
    Unknown,
    Known(AttrValue),
}

#[derive(Properties, PartialEq)]
pub(crate) struct TabsProps {
    /// Accessible name of the tab list.
    pub(crate) label: &'static str,
    pub(crate) tabs: Vec<TabItem>,
    /// Index of the open tab.
    pub(crate) open: usize,
    /// Called with the index of the picked tab.
    pub(crate) on_pick: Callback<usize>,
}

/// Tab list; arrow keys move between tabs.
#[component]
pub(crate) fn Tabs(props: &TabsProps) -> Html {
    let TabsProps {
        label,
        tabs,
        open,
        on_pick,
    } = props;
    let onkeydown = {
        let (ids, open, on_pick) = (
            tabs.iter().map(|tab| tab.id).collect::<Vec<_>>(),
            *open,
            on_pick.clone(),
        );
        Callback::from(move |event: KeyboardEvent| {
            if has_modifier(&event) {
                return;
            }
            let next = neighbour(ids.len(), open, &event.key());
            if let Some((next, id)) = next.and_then(|next| Some((next, ids.get(next)?))) {
                event.prevent_default();
                focus(id);
                on_pick.emit(next);
            }
        })
    };
    let button = |(index, tab): (usize, &TabItem)| {
        let selected = index == *open;
        let count = match &tab.count {
            TabCount::None => None,
            TabCount::Unknown => Some(String::new()),
            TabCount::Known(count) => Some(format!("({count})")),
        };
        html! {
            <button
                id={tab.id}
                role="tab"
                aria-selected={if selected { "true" } else { "false" }}
                aria-controls={selected.then_some(tab.panel)}
                tabindex={if selected { "0" } else { "-1" }}
                aria-description={tab.description()}
                onclick={on_pick.reform(move |_: MouseEvent| index)}
            >
                if let Some(short) = tab.short {
                    <span class="long">{ tab.label }</span>
                    <span class="short" aria-hidden="true" title={tab.label}>{ short }</span>
                } else {
                    { tab.label }
                }
                if tab.is_changed {
                    <span class="tab-changed" aria-hidden="true" title={CHANGED}></span>
                }
                // The count is part of the description, so that the accessible
                // name stays stable.
                if let Some(count) = count {
                    { " " }
                    <span class="tab-count" aria-hidden="true">{ count }</span>
                }
            </button>
        }
    };
    html! {
        <div class="tabs" role="tablist" aria-label={*label} {onkeydown}>
            { for tabs.iter().enumerate().map(button) }
        </div>
    }
}

/// Index of the tab to which a key moves.
fn neighbour(count: usize, open: usize, key: &str) -> Option<usize> {
    match key {
        "ArrowRight" => Some((open + 1) % count.max(1)),
        "ArrowLeft" => Some((open + count.saturating_sub(1)) % count.max(1)),
        "Home" => Some(0),
        "End" => Some(count.saturating_sub(1)),
        _ => None,
    }
}

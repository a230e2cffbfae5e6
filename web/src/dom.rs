//! DOM helpers: data attributes, focus and scrolling.

use std::str::FromStr;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent};
use yew::TargetCast;

/// Whether a modifier key is held that reserves the key for the browser or the
/// system, as in `Alt+←`.
pub(crate) fn has_modifier(event: &KeyboardEvent) -> bool {
    event.ctrl_key() || event.alt_key() || event.meta_key()
}

/// Direction of an arrow key: right and down.
pub(crate) fn arrow(key: &str) -> Option<(i32, i32)> {
    match key {
        "ArrowLeft" => Some((-1, 0)),
        "ArrowRight" => Some((1, 0)),
        "ArrowUp" => Some((0, -1)),
        "ArrowDown" => Some((0, 1)),
        _ => None,
    }
}

/// Parses a data attribute of the nearest ancestor (or the element itself) that
/// has the attribute. Lets a grid use one delegated listener for all its cells.
pub(crate) fn data_at<T: FromStr>(element: &Element, attribute: &str) -> Option<T> {
    let around = element.closest(&format!("[{attribute}]"));
    let around = around.expect("the selector is valid")?;
    around.get_attribute(attribute)?.parse().ok()
}

/// Elements below `root` that match a selector, in document order.
pub(crate) fn find_all(root: &Element, selector: &str) -> Vec<HtmlElement> {
    let found = root.query_selector_all(selector);
    let found = found.expect("the selector is valid");
    let elements = (0..found.length()).filter_map(|index| found.item(index)?.dyn_into().ok());
    elements.collect()
}

/// First element below `root` that matches a selector.
pub(crate) fn find<T: JsCast>(root: &Element, selector: &str) -> Option<T> {
    let found = root.query_selector(selector);
    found.expect("the selector is valid")?.dyn_into().ok()
}

/// Element that an event targets, or its nearest ancestor that matches a selector.
pub(crate) fn target_in(event: &Event, selector: &str) -> Option<Element> {
    let target: Element = event.target_dyn_into()?;
    target.closest(selector).expect("the selector is valid")
}

/// Value of the text field or text area of an event.
pub(crate) fn value_of(event: &impl TargetCast) -> String {
    // Text areas have the same property.
    let field: HtmlInputElement = event.target_unchecked_into();
    field.value()
}

pub(crate) fn by_id(id: &str) -> Option<HtmlElement> {
    let element = gloo_utils::document().get_element_by_id(id);
    element?.dyn_into().ok()
}

/// Scrolls the parent of an element sideways, so that the element is in its middle.
pub(crate) fn scroll_to_middle(id: &str) {
    let pair = by_id(id).and_then(|element| Some((element.parent_element()?, element)));
    if let Some((parent, element)) = pair {
        let middle = |element: &Element| {
            let rect = element.get_bounding_client_rect();
            rect.left() + rect.width() / 2.0
        };
        let distance = middle(&element) - middle(&parent);
        parent.set_scroll_left(parent.scroll_left() + distance as i32);
    }
}

pub(crate) fn focus(id: &str) {
    if let Some(element) = by_id(id) {
        focus_element(&element);
    }
}

/// Whether no element has focus, as when the focused element was removed.
pub(crate) fn has_lost_focus() -> bool {
    let document = gloo_utils::document();
    let focused = document.active_element();
    focused.is_none_or(|element| Some(element) == document.body().map(Element::from))
}

/// Focuses an element; no effect if it cannot be focused.
pub(crate) fn focus_element(element: &HtmlElement) {
    element.focus().expect("every HTML element has focus()");
}

/// Scrolls a box, but not the page, until a row is in view, with a margin in CSS pixels; a
/// sticky header covers the rows `above`.
pub(crate) fn scroll_to(scroller: &Element, row: &Element, above: f64, below: f64) {
    let (view, row) = (
        scroller.get_bounding_client_rect(),
        row.get_bounding_client_rect(),
    );
    let above = view.top() + above - row.top();
    let below = row.bottom() + below - view.bottom();
    if above > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() - above.ceil() as i32);
    } else if below > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() + below.ceil() as i32);
    }
}

/// Scrolls a box to its row marked as current.
pub(crate) fn show_current(scroller: &Element) {
    if let Some(row) = find::<Element>(scroller, "[aria-current]") {
        // The table header is as high as a row.
        let above = row.get_bounding_client_rect().height();
        scroll_to(scroller, &row, above, 0.0);
    }
}

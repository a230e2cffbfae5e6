//! Elements: what they say of themselves, the focus, and scrolling.

use std::str::FromStr;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Whether a key was pressed together with one that makes it a key of the
/// browser or of the system: `Alt+←` goes back.
pub(crate) fn has_modifier(event: &KeyboardEvent) -> bool {
    event.ctrl_key() || event.alt_key() || event.meta_key()
}

/// What an attribute of an element says, or of the nearest around it that has
/// the attribute: which lane, which cell an event is on. So a grid listens once
/// for all its parts.
pub(crate) fn data_at<T: FromStr>(element: &Element, attribute: &str) -> Option<T> {
    let around = element.closest(&format!("[{attribute}]"));
    let around = around.expect("a valid selector")?;
    around.get_attribute(attribute)?.parse().ok()
}

/// Moves the focus to the element with an id.
pub(crate) fn focus(id: &str) {
    let element = gloo_utils::document().get_element_by_id(id);
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        focus_element(&element);
    }
}

/// Whether no element has the focus: the one that had it may have gone.
pub(crate) fn has_lost_focus() -> bool {
    let document = gloo_utils::document();
    let focused = document.active_element();
    focused.is_none_or(|element| Some(element) == document.body().map(Element::from))
}

/// Moves the focus to an element that takes it; nothing happens to others.
pub(crate) fn focus_element(element: &HtmlElement) {
    element.focus().expect("every element of HTML has focus()");
}

/// Room around a row that is scrolled to, in CSS pixels.
#[derive(Clone, Copy)]
pub(crate) struct ScrollMargin {
    /// What stays in place above the rows, and hides them.
    pub(crate) above: f64,
    pub(crate) below: f64,
}

/// Scrolls a box so far that a row in it is in view, and never the page.
pub(crate) fn scroll_to(scroller: &Element, row: &Element, margin: ScrollMargin) {
    let (view, row) = (
        scroller.get_bounding_client_rect(),
        row.get_bounding_client_rect(),
    );
    let above = view.top() + margin.above - row.top();
    let below = row.bottom() + margin.below - view.bottom();
    if above > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() - above.ceil() as i32);
    } else if below > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() + below.ceil() as i32);
    }
}

/// Scrolls to the row of a box that is marked as current.
pub(crate) fn show_current(scroller: &Element) {
    let row = scroller.query_selector("[aria-current]");
    if let Some(row) = row.expect("a valid selector") {
        // The head of a table is as high as its rows.
        let above = row.get_bounding_client_rect().height();
        scroll_to(scroller, &row, ScrollMargin { above, below: 0.0 });
    }
}

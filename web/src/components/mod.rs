//! Components that every feature uses.

pub(crate) mod dialog;
pub(crate) mod icon;
pub(crate) mod resize;
pub(crate) mod select;
pub(crate) mod tabs;

use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Moves the focus to the element with an id.
pub(crate) fn focus(id: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // Only elements that take it are asked to.
        let _ = element.focus();
    }
}

/// Scrolls the marked row into view inside its box, never the page.
pub(crate) fn show_current(scroller: &Element) {
    let Some(row) = scroller.query_selector("[aria-current]").ok().flatten() else {
        return;
    };
    let (view, row) = (
        scroller.get_bounding_client_rect(),
        row.get_bounding_client_rect(),
    );
    // The head of the table stays in place above the rows.
    let head = row.height();
    let above = view.top() + head - row.top();
    let below = row.bottom() - view.bottom();
    if above > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() - above as i32 - 1);
    } else if below > 0.0 {
        scroller.set_scroll_top(scroller.scroll_top() + below as i32 + 1);
    }
}

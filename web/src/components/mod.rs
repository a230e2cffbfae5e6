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

/// Scrolls an element into view, in every box around it that scrolls and in
/// the window, by as little as will do. Of what is too high the top is shown.
pub(crate) fn reveal(element: &Element) {
    let window = gloo_utils::window();
    let mut around = element.parent_element();
    while let Some(scroller) = around {
        around = scroller.parent_element();
        let style = window.get_computed_style(&scroller).ok().flatten();
        let value = |name: &str| {
            let style = style.as_ref()?;
            style.get_property_value(name).ok()
        };
        let length = |name: &str| {
            let value = value(name)?;
            value.strip_suffix("px")?.parse::<f64>().ok()
        };
        let is_window = around.is_none();
        let scrolls = matches!(value("overflow-y").as_deref(), Some("auto" | "scroll"));
        if !is_window && !scrolls {
            continue;
        }
        let view = scroller.get_bounding_client_rect();
        let (top, bottom) = match is_window {
            true => (0.0, f64::from(scroller.client_height())),
            false => (view.top(), view.top() + f64::from(scroller.client_height())),
        };
        let top = top + length("scroll-padding-top").unwrap_or(0.0);
        let bottom = bottom - length("scroll-padding-bottom").unwrap_or(0.0);
        let part = element.get_bounding_client_rect();
        let by = match () {
            () if part.top() < top => part.top() - top,
            () if part.bottom() > bottom => (part.bottom() - bottom).min(part.top() - top),
            () => continue,
        };
        // Away from zero: a part of a pixel is one.
        let by = by.signum() * by.abs().ceil();
        scroller.set_scroll_top(scroller.scroll_top() + by as i32);
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

//! What is on the page. Every component, and every function that draws a
//! part, knows what it is handed only. A component is what is skipped when its
//! props are the same: the header, the program, one lane, one register, one
//! row of memory.

mod cell;
mod choosing;
pub(crate) mod dialog;
pub(crate) mod encoding;
pub(crate) mod explain;
mod grid;
pub(crate) mod help;
pub(crate) mod icon;
mod inspect;
pub(crate) mod lanes;
mod memory;
mod memory_tools;
pub(crate) mod panes;
mod planes;
mod registers;
pub(crate) mod resize;
pub(crate) mod select;
pub(crate) mod tabs;
mod warp;

use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;

/// Moves the focus to the element with an id.
pub(crate) fn focus(id: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // Only elements that take it are asked to.
        let _ = element.focus();
    }
}

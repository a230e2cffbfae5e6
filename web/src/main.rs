//! The Lanewise page.
//!
//! Data flows one way: text → core → [`store::State`] → props → HTML → actions
//! → [`store::State::apply`], the only place that changes what is run and
//! shown. Panes receive the store and derive models from it; their children
//! receive models. Components keep only local UI state: text being typed, a
//! drag, the hovered element, an open menu.

mod app;
mod boot;
mod clipboard;
mod components;
mod dom;
mod features;
mod fetch;
mod interop;
mod js;
mod store;

fn main() {
    boot::show_panics();
    let root = gloo_utils::document().get_element_by_id("app");
    let root = root.expect("index.html contains the element");
    yew::Renderer::<app::App>::with_root(root).render();
}

//! The Lanewise page.
//!
//! One way round: text → core → [`store::State`] → props → HTML → actions →
//! [`store::State::apply`], which alone changes what is run and shown. Panes
//! get the store and make their models of it; what is in them gets models.
//! Components keep for themselves what only they show: a text being typed, a
//! drag, what the pointer is on, a menu that is open.

mod app;
mod clipboard;
mod components;
mod crash;
mod dom;
mod features;
mod fetch;
mod interop;
mod js;
mod store;

fn main() {
    crash::install();
    let root = gloo_utils::document().get_element_by_id("app");
    let root = root.expect("index.html has it");
    yew::Renderer::<app::App>::with_root(root).render();
}

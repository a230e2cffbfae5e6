//! The Lanewise page.
//!
//! One way round: text → core → [`store::State`] → props → HTML → actions →
//! [`store::State::apply`], which alone changes anything. Components know
//! their props only.

mod app;
mod clipboard;
mod components;
mod crash;
mod features;
mod interop;
mod store;

fn main() {
    crash::install();
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"));
    match root {
        Some(root) => yew::Renderer::<app::App>::with_root(root).render(),
        None => yew::Renderer::<app::App>::new().render(),
    };
}

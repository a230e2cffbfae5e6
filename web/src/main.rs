//! The Lanewise page.

use yew::prelude::*;

#[component]
fn App() -> Html {
    html! { <main><h1>{ "Lanewise" }</h1></main> }
}

fn main() {
    yew::Renderer::<App>::new().render();
}

//! A page with one button that counts: the least that Yew can do. `cargo xtask
//! bench web` compares the playground with it.

use yew::prelude::*;

#[component]
fn Counter() -> Html {
    let count = use_state(|| 0);
    let onclick = {
        let count = count.clone();
        move |_| count.set(*count + 1)
    };
    html! {
        <main>
            <button {onclick}>{ "Step" }</button>
            <p role="status">{ *count }</p>
        </main>
    }
}

fn main() {
    yew::Renderer::<Counter>::new().render();
}

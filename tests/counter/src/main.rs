//! Minimal Yew page with a counter button, the baseline for `cargo xtask bench
//! web`.

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

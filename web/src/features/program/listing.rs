use super::invisible::visible;
use yew::prelude::*;

/// Read-only program with the current line marked. `frame` is its scroll box.
pub(crate) fn listing(text: &str, current: Option<u32>, frame: NodeRef) -> Html {
    let line = |(at, line): (u32, &str)| {
        html! {
            <span class="code-line" aria-current={(current == Some(at)).then_some("step")}>
                { format!("{}\n", visible(line)) }
            </span>
        }
    };
    // Scrollable by keyboard, so it is focusable and named.
    html! {
        <div class="listing scroller" role="group" aria-label="Program text" tabindex="0" ref={frame}>
            <pre class="mono">{ for (0..).zip(text.trim_end().lines()).map(line) }</pre>
        </div>
    }
}

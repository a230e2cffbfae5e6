use crate::dom::show_current;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct ListingProps {
    pub(crate) text: Rc<str>,
    /// Line of the current instruction, from 0.
    pub(crate) current: Option<u32>,
}

/// Read-only program with the current line marked.
#[component]
pub(crate) fn Listing(props: &ListingProps) -> Html {
    let frame = use_node_ref();
    {
        let frame = frame.clone();
        use_effect_with(props.current, move |current| {
            if let (Some(_), Some(frame)) = (current, frame.cast::<Element>()) {
                show_current(&frame);
            }
        });
    }
    let line = |(at, line): (usize, &str)| {
        let current = props.current.is_some_and(|current| current as usize == at);
        html! {
            <span class="code-line" aria-current={current.then_some("step")}>
                { format!("{}\n", super::invisible::visible(line)) }
            </span>
        }
    };
    // Scrollable by keyboard, so it is focusable and named.
    html! {
        <div class="listing scroller" role="group" aria-label="Program text" tabindex="0" ref={frame}>
            <pre class="mono">{ for props.text.trim_end().lines().enumerate().map(line) }</pre>
        </div>
    }
}

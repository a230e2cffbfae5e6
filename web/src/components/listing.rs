use crate::dom::{Part, Seen, el};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// A text that is only read, the line of the instruction at hand marked.
#[derive(PartialEq)]
pub(crate) struct Listing {
    pub(crate) text: Rc<str>,
    /// From 0.
    pub(crate) current: Option<u32>,
}

/// What a listing keeps from one drawing to the next.
#[derive(Default)]
pub(crate) struct Kept {
    frame: NodeRef,
    line: Seen<Option<u32>>,
}

impl Part for Listing {
    type Kept = Kept;

    fn draw(&self, kept: &Kept) -> Html {
        let lines = self.text.trim_end().lines().enumerate().map(|(at, line)| {
            let current = self.current.is_some_and(|current| current as usize == at);
            el!(
                "span",
                "class" = "code-line",
                "aria-current" = current.then_some("step")
            )
            .put(format!("{line}\n"))
        });
        // A word for who listens, on a box that the keyboard scrolls.
        el!(
            "div",
            "class" = "listing scroller",
            "role" = "group",
            "aria-label" = "Program text",
            "tabindex" = "0"
        )
        .bind(kept.frame.clone())
        .put(el!("pre", "class" = "mono").each(lines))
        .html()
    }

    fn drawn(&self, kept: &mut Kept) {
        if kept.line.changes(self.current)
            && self.current.is_some()
            && let Some(frame) = kept.frame.cast::<Element>()
        {
            super::lanes::show_current(&frame);
        }
    }
}

//! A dialog over the page that follows the state.

use super::send;
use crate::dom::{El, el};
use crate::state::Action;
use crate::state::share::Notice;
use gloo_events::EventListener;
use web_sys::{Event, HtmlDialogElement};
use yew::{Callback, NodeRef};

/// A dialog, and what was heard and seen of it.
#[derive(Default)]
pub(super) struct Modal {
    pub(super) element: NodeRef,
    closed: Option<EventListener>,
    /// The press of a button that it was opened for.
    shown: Option<u32>,
}

impl Modal {
    /// After it was drawn: opens it once for every press of its button,
    /// counted by `serial`, and hears when it is closed. Whether it was opened
    /// now.
    pub(super) fn follow(
        &mut self,
        open: bool,
        serial: u32,
        close: Action,
        act: &Callback<Action>,
    ) -> bool {
        let Some(dialog) = self.element.cast::<HtmlDialogElement>() else {
            return false;
        };
        if self.closed.is_none() {
            let closed = send(act, close);
            let heard = move |event: &Event| closed.emit(event.clone());
            self.closed = Some(EventListener::new(&dialog, "close", heard));
        }
        let opens = open && self.shown != Some(serial);
        if opens {
            self.shown = Some(serial);
            if !dialog.open() {
                // It is on the page and not open: it opens.
                let _ = dialog.show_modal();
            }
        }
        opens
    }
}

/// How what was done in a dialog went.
pub(super) fn said(notice: Option<&Notice>) -> El {
    let wrong = notice.is_some_and(|notice| notice.wrong);
    el!(
        "p",
        "class" = "share-said",
        "role" = "status",
        "data-is" = wrong.then_some("wrong")
    )
    .put(notice.map(|notice| notice.text.to_string()))
}

/// The button that closes a dialog.
pub(super) fn close() -> El {
    el!("form", "method" = "dialog").put(el!("button", "class" = "button").put("Close"))
}

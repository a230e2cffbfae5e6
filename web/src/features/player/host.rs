//! Host page of a player: options in the player's address, the theme, and
//! height reports.
//!
//! Any page may be the host: it may set the theme, and receives only the
//! height.

use super::PlayerOptions;
use crate::components::guard::use_guard;
use crate::components::resize::ResizeListener;
use crate::features::screen::{Theme, show_theme};
use crate::features::share::address;
use crate::js::{from_js, to_js};
use gloo_events::EventListener;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::js_sys::Object;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{MessageEvent, UrlSearchParams, Window};
use yew::prelude::*;

/// Query string of the page's address.
fn options() -> UrlSearchParams {
    let search = gloo_utils::window().location().search();
    let search = search.expect("a page has an address");
    UrlSearchParams::new_with_str(&search).expect("any string can be parsed as options")
}

/// Player options in the page's address; `None` if the page is not an embedded
/// player.
pub(crate) fn player_options() -> Option<PlayerOptions> {
    let options = options();
    if !options.has("embed") {
        return None;
    }
    Some(PlayerOptions {
        link: address::link(),
        panes: options.get("panes"),
        readonly: options.has("readonly"),
        run: options.has("run"),
    })
}

/// Messages between a host and its player, as in `lanewise-embed.js`.
#[derive(Serialize, Deserialize)]
#[serde(tag = "lanewise", rename_all = "lowercase")]
enum Message {
    Player,
    /// The host is present and has this theme.
    Host {
        theme: Option<String>,
    },
    /// Height of the player in CSS pixels.
    Height {
        height: f64,
    },
}

/// Applies the theme of the host, and reports the player's height.
#[hook]
pub(super) fn use_host() {
    use_guard((), |()| host().map(connect));
}

/// Parent window.
fn host() -> Option<Window> {
    let window = gloo_utils::window();
    let parent = window.parent().ok().flatten()?;
    (!Object::is(&parent, &window)).then_some(parent)
}

/// Listens to the host and to changes of the player's height.
fn connect(host: Window) -> (EventListener, ResizeListener) {
    // Origin of the host, once it has sent a message.
    let origin: Rc<RefCell<Option<String>>> = Rc::default();
    let report = {
        let (host, origin) = (host.clone(), Rc::clone(&origin));
        move || {
            if let Some(origin) = &*origin.borrow() {
                let height = gloo_utils::body().get_bounding_client_rect().height();
                let height = height.ceil();
                send(&host, &Message::Height { height }, origin);
            }
        }
    };
    let listener = {
        let (host, report) = (host.clone(), report.clone());
        EventListener::new(&gloo_utils::window(), "message", move |event| {
            let event: &MessageEvent = event.unchecked_ref();
            let is_host = event.source().is_some_and(|it| Object::is(&it, &host));
            if !is_host {
                return;
            }
            if let Some(Message::Host { theme }) = from_js(&event.data()) {
                // A page opened from a file has an opaque origin, which cannot
                // be addressed.
                let from = event.origin();
                let from = if from == "null" { "*".into() } else { from };
                origin.replace(Some(from));
                let theme = theme.as_deref();
                show_theme(theme.and_then(Theme::of_key).unwrap_or_default());
                report();
            }
        })
    };
    let resizes = ResizeListener::new(&gloo_utils::body(), report);
    // To any origin: the message carries no data.
    send(&host, &Message::Player, "*");
    (listener, resizes)
}

fn send(host: &Window, message: &Message, origin: &str) {
    // Fails only if the host window is closed.
    let _ = host.post_message(&to_js(message), origin);
}

//! The page around a player: the options in the player's address, the theme,
//! and the height that the player reports.
//!
//! Any page may be the host: it may choose a theme, and receives heights only.

use super::PlayerOptions;
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

/// The options in the page's address: what follows `?`.
fn options() -> UrlSearchParams {
    let search = gloo_utils::window().location().search();
    let search = search.expect("a page has an address");
    UrlSearchParams::new_with_str(&search).expect("any text can be read as options")
}

/// What the page's address asks a player for; none where the page is not a
/// player inside another page.
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
        quiz: options.get("quiz"),
        answer_from: options.get("answer-from"),
    })
}

/// What a host and its player write to each other, as `lanewise-embed.js` does.
#[derive(Serialize, Deserialize)]
#[serde(tag = "lanewise", rename_all = "lowercase")]
enum Message {
    /// The player listens.
    Player,
    /// The host is there, and has this theme.
    Host { theme: Option<String> },
    /// The player is so many CSS pixels high.
    Height { height: f64 },
}

/// Takes the theme of the host, and sends it the height of the player.
#[hook]
pub(super) fn use_host() {
    use_effect_with((), |()| {
        let host = host().map(connect);
        move || drop(host)
    });
}

/// The window around this one.
fn host() -> Option<Window> {
    let window = gloo_utils::window();
    let parent = window.parent().ok().flatten()?;
    (!Object::is(&parent, &window)).then_some(parent)
}

/// Listens to the host and to changes of the player's height.
fn connect(host: Window) -> (EventListener, ResizeListener) {
    // The origin of the host, once it has sent a message.
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
                // A page from a file has no origin that could be addressed.
                let from = event.origin();
                let from = if from == "null" { "*".into() } else { from };
                origin.replace(Some(from));
                let theme = theme.as_deref();
                show_theme(theme.map_or(Theme::System, Theme::of_key));
                report();
            }
        })
    };
    let resizes = ResizeListener::new(&gloo_utils::body(), report);
    // To any origin: the message has no content.
    send(&host, &Message::Player, "*");
    (listener, resizes)
}

fn send(host: &Window, message: &Message, origin: &str) {
    // This fails only where the host's window is closed.
    let _ = host.post_message(&to_js(message), origin);
}

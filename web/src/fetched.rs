//! Bindings to `web/boot.js`: the address bar, the clipboard, exports, and the
//! box that is shown when the page fails.

use crate::features::embed::{EmbedAction, PlayerOptions};
use crate::features::stage;
use crate::state::Action;
use crate::state::share::{As, Content, Handed, Out, ShareAction};
use web_sys::wasm_bindgen;
use web_sys::wasm_bindgen::prelude::*;
use yew::Callback;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = lanewise, js_name = copy)]
    fn copy(text: &str, then: JsValue);

    /// What the page's address asks for under a name, if the page is a player
    /// inside another; `#` names the link.
    #[wasm_bindgen(js_namespace = lanewise)]
    pub(crate) fn option(name: &str) -> Option<String>;

    /// Shows that the page has stopped, what happened, and the text.
    #[wasm_bindgen(js_namespace = lanewise)]
    pub(crate) fn stopped(what: &str);

    #[wasm_bindgen(js_namespace = lanewise, js_name = listen)]
    fn fetch_listen(then: JsValue);

    /// The link in the page's address, if there is one.
    #[wasm_bindgen(js_namespace = lanewise)]
    pub(crate) fn link() -> Option<String>;

    /// Where the page is, without what follows `#`.
    #[wasm_bindgen(js_namespace = lanewise)]
    pub(crate) fn here() -> String;

    /// Puts a link into the address bar; an empty one takes it away.
    #[wasm_bindgen(js_namespace = lanewise)]
    pub(crate) fn address(fragment: &str);

    #[wasm_bindgen(js_namespace = lanewise, js_name = hand)]
    fn fetch_hand(copy: bool, name: &str, content: &JsValue);
}

/// Copies a text, and tells whether that could be done.
pub(crate) fn copied(text: &str, then: impl FnOnce(bool) + 'static) {
    copy(
        text,
        Closure::once_into_js(move |is: JsValue| then(is.is_truthy())),
    );
}

/// What a player is asked for.
pub(crate) fn embed_asked() -> Action {
    Action::Embed(EmbedAction::Begin(PlayerOptions {
        link: option("#").unwrap_or_default(),
        panes: option("panes"),
        readonly: option("readonly").is_some(),
        run: option("run").is_some(),
        quiz: option("quiz"),
        answer_from: option("answer-from"),
    }))
}

/// Hears of links, and of how exports went, from now on.
pub(crate) fn listen(act: Callback<Action>) {
    let then = move |kind: String, text: String| {
        let action = match &*kind {
            "link" => ShareAction::Open(text),
            kind => ShareAction::Tell(kind == "good", text),
        };
        act.emit(Action::Share(action));
    };
    fetch_listen(Closure::<dyn Fn(String, String)>::new(then).into_js_value());
}

/// Puts something on the clipboard or into a file.
pub(crate) fn hand(handed: &Handed) {
    let copy = handed.out == Out::Copy;
    match &handed.content {
        Content::Text(text) => fetch_hand(copy, &handed.name, &JsValue::from_str(text)),
        Content::Stage(title, form) => {
            let picture = stage::picture(title);
            let (name, form) = (handed.name.clone(), *form);
            wasm_bindgen_futures::spawn_local(async move {
                let content = match (picture, form) {
                    (Ok(picture), As::Png) => stage::png(&picture).await.map(JsValue::from),
                    (Ok(picture), _) => Ok(JsValue::from_str(&picture.svg)),
                    (Err(error), _) => Err(error),
                };
                let content = content.unwrap_or_else(|error| JsError::new(&error).into());
                fetch_hand(copy, &name, &content);
            });
        }
    }
}

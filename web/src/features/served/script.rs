//! Bindings to the script of `lanewise serve`.

use super::ServedAction;
use super::action::ServedProgram;
use crate::store::Action;
use std::rc::Rc;
use web_sys::wasm_bindgen;
use web_sys::wasm_bindgen::prelude::*;
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = LanewiseServe, catch)]
    fn start(open: JsValue, report: JsValue) -> Result<(), JsValue>;
}

/// Starts the script, which hosted pages do not have.
#[hook]
pub(crate) fn use_served(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let emit = dispatch.clone();
        let open = move |name: String, text: String, source: String, keeps: bool| {
            let program = ServedProgram {
                name: Rc::from(name),
                text: Rc::from(text),
                source: Rc::from(source),
                keeps,
            };
            emit.emit(Action::Served(ServedAction::Open(program)));
        };
        let open = Closure::<dyn Fn(String, String, String, bool)>::new(open);
        let emit = dispatch.clone();
        let report = move |problem: String| {
            emit.emit(Action::Served(ServedAction::Report(Rc::from(problem))));
        };
        let report = Closure::<dyn Fn(String)>::new(report);
        // Fails on hosted pages, where the name is not defined.
        if start(open.into_js_value(), report.into_js_value()).is_ok() {
            dispatch.emit(Action::Served(ServedAction::Connected));
        }
    });
}

/// Panel of the tab Source, which the script fills.
pub(crate) fn source_pane() -> Html {
    html! { <lanewise-source /> }
}

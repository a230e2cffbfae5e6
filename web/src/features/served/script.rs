//! Bindings to the script of `lanewise serve`.

use super::ServedAction;
use super::action::ServedProgram;
use crate::features::picker::ServedEntry;
use crate::features::screen::{DrawerTab, ScreenAction};
use crate::store::Action;
use std::rc::Rc;
use web_sys::wasm_bindgen;
use web_sys::wasm_bindgen::prelude::*;
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = LanewiseServe, catch)]
    fn start(open: JsValue, report: JsValue, list: JsValue) -> Result<(), JsValue>;

    /// Opens the file or kernel of an address.
    #[wasm_bindgen(js_namespace = LanewiseServe, js_name = choose)]
    pub(crate) fn choose_served(address: &str);

    #[wasm_bindgen(js_namespace = LanewiseServe, js_name = showProblem)]
    fn show_problem(index: usize);
}

/// Starts the script, which hosted pages do not have.
#[hook]
pub(crate) fn use_served(dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let emit = dispatch.clone();
        let open = move |address: String, name: String, text: String, source: String, keeps| {
            let program = ServedProgram {
                name: Rc::from(name),
                address: Rc::from(address),
                text: Rc::from(text),
                source: Rc::from(source),
                keeps,
            };
            emit.emit(Action::Served(ServedAction::Open(program)));
        };
        let open = Closure::<dyn Fn(String, String, String, String, bool)>::new(open);
        let emit = dispatch.clone();
        let report = move |problems: Vec<String>| {
            let problems = problems.into_iter().map(Rc::from).collect();
            emit.emit(Action::Served(ServedAction::Report(problems)));
        };
        let report = Closure::<dyn Fn(Vec<String>)>::new(report);
        let emit = dispatch.clone();
        let list = move |titles: Vec<String>, addresses: Vec<String>| {
            let entries = titles.into_iter().zip(addresses);
            let entries = entries.map(|(title, address)| ServedEntry {
                title: Rc::from(title),
                address: Rc::from(address),
            });
            emit.emit(Action::Served(ServedAction::List(entries.collect())));
        };
        let list = Closure::<dyn Fn(Vec<String>, Vec<String>)>::new(list);
        let [open, report, list] = [
            open.into_js_value(),
            report.into_js_value(),
            list.into_js_value(),
        ];
        // Fails on hosted pages, where the name is not defined.
        if start(open, report, list).is_ok() {
            dispatch.emit(Action::Served(ServedAction::Connected));
        }
    });
}

/// Problems of the served file, each with a button that opens its source there.
pub(crate) fn served_problems(problems: &[Rc<str>], dispatch: &Callback<Action>) -> Html {
    let items = problems.iter().enumerate().map(|(index, problem)| {
        let dispatch = dispatch.clone();
        let open = move |_| {
            dispatch.emit(ScreenAction::OpenTab(DrawerTab::Source).into());
            show_problem(index);
        };
        html! {
            <li class="problem" data-severity="error">
                <button class="problem-go" onclick={Callback::from(open)}>
                    <span class="severity">{ "error" }</span>{ " " }
                    <span class="message">{ &**problem }</span>
                </button>
            </li>
        }
    });
    match problems {
        [] => Html::default(),
        _ => html! { <ul>{ for items }</ul> },
    }
}

/// Panel of the tab Source, which the script fills.
pub(crate) fn source_pane() -> Html {
    html! { <lanewise-source /> }
}

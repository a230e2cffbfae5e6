//! The page: the state on one side, the components on the other.

use crate::components::{Encoding, Header, Program, execution, explain, lanes, panes};
use crate::hooks::{use_persisted, use_runner, use_shortcuts};
use crate::state::{Action, State, Theme};
use crate::storage;
use crate::store::Store;
use yew::prelude::*;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    let store = use_reducer(Store::open);
    let dispatcher = store.dispatcher();
    let act = use_callback((), move |action: Action, ()| dispatcher.dispatch(action));
    let (help, lane_rows) = (use_node_ref(), use_node_ref());
    let state = store.state();

    use_shortcuts(state.single_keys(), &help, &act);
    use_runner(state.is_running(), state.speed(), &act);
    use_saving(&state);

    let table = state.lanes_table();
    lanes::use_following(&table, &lane_rows);
    let stale = !state.can_run();
    html! {
        <>
            <Header
                scenario={state.scenario().id}
                theme={state.theme()}
                single_keys={state.single_keys()}
                {help}
                act={&act}
            />
            <main class="workbench">
                <Program
                    text={state.text()}
                    title={state.title()}
                    notes={state.notes()}
                    edited={state.is_edited()}
                    aside={state.aside().is_some()}
                    problems={state.problems()}
                    marks={state.marks()}
                    current={state.current_line()}
                    caret={state.caret()}
                    act={&act}
                />
                <div class="machine">
                    { execution::draw(&state.execution(), &act) }
                    { lanes::draw(&table, stale, lane_rows) }
                    { panes::draw(&state, stale, &act) }
                </div>
                <div class="reading" role="group" aria-label="The instruction at hand" tabindex="0">
                    { for state.encoding().map(|encoding| html! { <Encoding {encoding} /> }) }
                    { explain::draw(state.explained(), state.stand()) }
                </div>
            </main>
        </>
    }
}

/// Keeps between visits what is worth keeping.
#[hook]
fn use_saving(state: &State) {
    let aside = state.aside();
    let theme = match state.theme() {
        Theme::System => None,
        theme => Some(AttrValue::from(theme.name())),
    };
    let single_keys = (!state.single_keys()).then_some(AttrValue::Static("off"));
    use_persisted(storage::TEXT, Some(state.text().into()));
    use_persisted(storage::SCENARIO, Some(state.scenario().id.into()));
    use_persisted(storage::ASIDE_TEXT, aside.map(|a| a.text.clone().into()));
    use_persisted(
        storage::ASIDE_SCENARIO,
        aside.map(|a| a.scenario.clone().into()),
    );
    use_persisted(storage::THEME, theme);
    use_persisted(storage::SINGLE_KEYS, single_keys);
}

//! The page: the state on one side, the components on the other.

use crate::components::{Execution, Header, Lanes, Program, StatePanes};
use crate::hooks::{use_persisted, use_runner, use_shortcuts};
use crate::state::{Action, State, Tab, Theme};
use crate::storage;
use crate::store::Store;
use yew::prelude::*;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    let store = use_reducer(Store::open);
    let dispatcher = store.dispatcher();
    let act = use_callback((), move |action: Action, ()| dispatcher.dispatch(action));
    let state = store.state();

    use_shortcuts(state.single_keys(), &act);
    use_runner(state.is_running(), state.speed(), &act);
    use_saving(&state);

    let session = state.session();
    let stale = !state.can_run();
    html! {
        <>
            <Header
                scenario={state.scenario().id}
                theme={state.theme()}
                single_keys={state.single_keys()}
                act={&act}
            />
            <main class="workbench">
                <Program
                    text={AttrValue::from(state.text())}
                    title={state.title().map(AttrValue::from)}
                    notes={state.notes()}
                    edited={state.is_edited()}
                    aside={state.aside().is_some()}
                    problems={state.problems()}
                    current={state.current_line()}
                    caret={state.caret()}
                    act={&act}
                />
                <div class="machine">
                    <Execution
                        position={session.position()}
                        known={session.known()}
                        explored={session.is_explored()}
                        starts={state.ticks()}
                        running={state.is_running()}
                        speed={state.speed()}
                        can_run={state.can_run()}
                        at_end={session.at_end()}
                        faulted={state.is_faulted()}
                        summary={state.summary()}
                        act={&act}
                    />
                    <Lanes table={state.lanes_table()} {stale} />
                    <StatePanes
                        tab={state.tab()}
                        format={state.register_format()}
                        registers={if state.tab() == Tab::Registers { state.registers() } else { Vec::new() }}
                        memory={state.memory(state.tab())}
                        {stale}
                        act={&act}
                    />
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
    use_persisted(storage::TEXT, Some(AttrValue::from(state.text())));
    use_persisted(
        storage::SCENARIO,
        Some(AttrValue::from(state.scenario().id)),
    );
    use_persisted(
        storage::ASIDE_TEXT,
        aside.map(|a| AttrValue::from(a.text.clone())),
    );
    use_persisted(
        storage::ASIDE_SCENARIO,
        aside.map(|a| AttrValue::from(a.scenario.clone())),
    );
    use_persisted(storage::THEME, theme);
    let single_keys = (!state.single_keys()).then_some(AttrValue::Static("off"));
    use_persisted(storage::SINGLE_KEYS, single_keys);
}

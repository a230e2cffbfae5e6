//! The page: the state on one side, the components on the other.

use crate::components::encoding::{self, Encoding};
use crate::components::header::{self, Header};
use crate::components::program::{self, Program};
use crate::components::{execution, explain, lanes, panes, supply};
use crate::dom::{component, el, list};
use crate::fetched;
use crate::hooks::{use_persisted, use_runner, use_shortcuts};
use crate::state::{Action, State, Theme};
use crate::storage;
use yew::prelude::*;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    // One state that is changed in place: a session with its history is not
    // copied for a step. `use_reducer` would do the same by more code.
    let kept = use_mut_ref(|| State::new(storage::load()));
    let redraw = use_force_update();
    let act = {
        let kept = kept.clone();
        use_callback((), move |action: Action, ()| {
            kept.borrow_mut().apply(action);
            redraw.force_update();
        })
    };
    let (help, lane_rows) = (use_node_ref(), use_node_ref());
    let state = kept.borrow();

    use_shortcuts(state.single_keys(), &help, &act);
    use_runner(state.is_running(), state.speed(), &act);
    use_saving(&state);
    use_fetching(state.needed(), state.needs_reasons(), &act);

    let table = state.lanes_table();
    lanes::use_following(&table, &lane_rows);
    let stale = !state.can_run();
    let header = header::Props {
        scenario: state.picked().id,
        theme: state.theme(),
        single_keys: state.single_keys(),
        help,
        act: act.clone(),
    };
    let program = program::Props {
        text: state.text(),
        title: state.title(),
        notes: state.notes(),
        edited: state.is_edited(),
        aside: state.aside().is_some(),
        problems: state.problems(),
        marks: state.marks(),
        current: state.current_line(),
        caret: state.caret(),
        act: act.clone(),
    };
    let own = match state.supply() {
        Some(view) => supply::draw(&view, stale, &act),
        None => lanes::draw(&table, stale, lane_rows),
    };
    let machine = el!("div", "class" = "machine")
        .put(execution::draw(&state.execution(), &act))
        .put(own)
        .put(panes::draw(&state, stale, &act));
    let encoding = state.encoding().map(|encoding| {
        let props = encoding::Props { encoding };
        component::<Encoding>(props, None)
    });
    let reading = el!(
        "div",
        "class" = "reading",
        "role" = "group",
        "aria-label" = "The instruction at hand",
        "tabindex" = "0"
    )
    .put(encoding)
    .put(explain::draw(state.explained(), state.stand()));
    let main = el!("main", "class" = "workbench")
        .put(component::<Program>(program, None))
        .put(machine)
        .put(reading);
    list(vec![component::<Header>(header, None), main.html()])
}

/// Has the text of a bundled scenario fetched, and why rules stand.
#[hook]
fn use_fetching(needed: Option<&'static str>, reasons: bool, act: &Callback<Action>) {
    let act = act.clone();
    use_effect_with((needed, reasons), move |(needed, reasons)| {
        if let Some(id) = *needed {
            fetched::scenario(id, act.clone());
        }
        if *reasons {
            fetched::rules(act);
        }
    });
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

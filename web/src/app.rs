//! The page: the state on one side, the components on the other.

use crate::components::header::Header;
use crate::components::program::Program;
use crate::components::{execution, lanes, panes, reading, share, supply, workbench};
use crate::dom::{Seen, el, list, part};
use crate::fetched;
use crate::shortcuts;
use crate::state::share::Handed;
use crate::state::workbench::{Pane, Workbench};
use crate::state::{Action, Speed, State, Theme, Whole};
use crate::storage;
use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use lanewise_core::isa::Unit;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// The page: one state that is changed in place, and what follows from it
/// outside of what is drawn. Hooks would do the same by more code.
pub(crate) struct App {
    state: State,
    act: Callback<Action>,
    help: NodeRef,
    lane_rows: NodeRef,
    done: Done,
    /// Hears when the window becomes a phone's.
    #[expect(dead_code, reason = "it hears for as long as it is kept")]
    watch: Option<EventListener>,
}

/// What was done for the state that was drawn last.
#[derive(Default)]
struct Done {
    saved: [Seen<Option<AttrValue>>; 6],
    keys: Seen<bool>,
    listener: Option<EventListener>,
    run: Seen<(bool, Speed)>,
    timer: Option<Interval>,
    whole: Seen<Whole>,
    needed: Seen<(Option<&'static str>, bool)>,
    lane: Seen<Option<Unit>>,
    shown: Seen<Workbench>,
    to_program: Seen<u32>,
    address: Option<Rc<str>>,
    handed: Option<Rc<Handed>>,
}

impl Component for App {
    type Message = Action;
    type Properties = ();

    fn create(context: &Context<Self>) -> Self {
        let act = context.link().callback(|action| action);
        Self {
            state: State::new(storage::load()),
            watch: workbench::watch(act.clone()),
            act,
            help: NodeRef::default(),
            lane_rows: NodeRef::default(),
            done: Done::default(),
        }
    }

    fn update(&mut self, _: &Context<Self>, action: Action) -> bool {
        self.state.apply(action);
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        let (state, act) = (&self.state, &self.act);
        let table = state.lanes_table();
        let stale = !state.can_run();
        let header = Header {
            scenario: state.picked().id,
            theme: state.theme(),
            single_keys: state.single_keys(),
            help: self.help.clone(),
            act: act.clone(),
        };
        let program = Program {
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
            Some(view) => supply::draw(&view, stale, act),
            None => lanes::draw(&table, stale, self.lane_rows.clone()),
        };
        let bench = *state.workbench();
        let here = state.whole() == Whole::Here;
        let later = |pane| workbench::place(bench, pane).put(workbench::waiting(state, pane, act));
        let machine = el!("div", "class" = "machine")
            .put(execution::draw(&state.execution(), act))
            .put(workbench::place(bench, Pane::Execution).put(own))
            .put(workbench::place(bench, Pane::State).put(panes::draw(state, stale, act)))
            .put(later(Pane::Outcomes));
        let reading = el!("div", "class" = "reading")
            .put(later(Pane::Encoding).each(here.then(|| reading::encoding(state, act))))
            .put(later(Pane::Explain).each(here.then(|| reading::explain(state)).flatten()));
        let waits = state.picked().id != state.scenario().id;
        let busy = waits.then_some("true");
        let main = el!(
            "main",
            "class" = "workbench",
            "data-shown" = bench.phone.then_some(bench.shown.name()),
            "aria-busy" = busy
        )
        .put(workbench::tabs(bench, act))
        .put(workbench::place(bench, Pane::Program).put(part(program, None)))
        .put(machine)
        .put(reading);
        let mut page = vec![workbench::skip(act).html(), part(header, None)];
        match state.share().is_quiet() {
            true => page.extend([Html::default(), main.html(), Html::default()]),
            false => {
                let [notice, dialog] = share::draw(state, act);
                let nothing = Html::default;
                page.push(notice.unwrap_or_else(nothing));
                page.push(main.html());
                page.push(dialog.unwrap_or_else(nothing));
            }
        }
        list(page)
    }

    fn rendered(&mut self, _: &Context<Self>, first: bool) {
        let (state, act, done) = (&self.state, &self.act, &mut self.done);
        if first {
            fetched::listen(act.clone());
        }
        let address = state.address();
        if done.address != address {
            fetched::address(address.as_deref().unwrap_or(""));
            done.address = address;
        }
        let handed = &state.share().handed;
        if let Some(handed) = handed
            && done.handed.as_ref() != Some(handed)
        {
            fetched::hand(handed);
            done.handed = Some(Rc::clone(handed));
        }
        // After the first paint, and whenever it is asked for again.
        if done.whole.changes(state.whole()) && state.whole() == Whole::Coming {
            fetched::whole(act.clone());
        }
        for ((key, value), saved) in kept(state).into_iter().zip(&mut done.saved) {
            if saved.changes(value.clone()) {
                storage::put(key, value.as_deref());
            }
        }
        let single_keys = state.single_keys();
        if done.keys.changes(single_keys) {
            done.listener = shortcuts::listen(single_keys, self.help.clone(), act.clone());
        }
        let (running, speed) = (state.is_running(), state.speed());
        if done.run.changes((running, speed)) {
            let act = act.clone();
            // Steps by itself while running.
            let start = || Interval::new(speed.milliseconds(), move || act.emit(Action::Tick));
            done.timer = running.then(start);
        }
        let (scenario, reasons) = (state.needed(), state.needs_reasons());
        if done.needed.changes((scenario, reasons)) {
            if let Some(id) = scenario {
                fetched::scenario(id, act.clone());
            }
            if reasons {
                fetched::rules(act.clone());
            }
        }
        let bench = *state.workbench();
        if done.shown.changes(bench) && bench.phone {
            workbench::show_tab(bench);
        }
        if done.to_program.changes(bench.to_program) && bench.to_program > 0 {
            workbench::to_program();
        }
        let lane = state.current_unit();
        if done.lane.changes(lane)
            && lane.is_some()
            && let Some(scroller) = self.lane_rows.cast::<Element>()
        {
            lanes::show_current(&scroller);
        }
    }
}

/// What is worth keeping between visits.
fn kept(state: &State) -> [(&'static str, Option<AttrValue>); 6] {
    let aside = state.aside();
    let theme = match state.theme() {
        Theme::System => None,
        theme => Some(AttrValue::from(theme.name())),
    };
    let single_keys = (!state.single_keys()).then_some(AttrValue::Static("off"));
    [
        (storage::TEXT, Some(state.text().into())),
        (storage::SCENARIO, Some(state.scenario().id.into())),
        (storage::ASIDE_TEXT, aside.map(|a| a.text.clone().into())),
        (
            storage::ASIDE_SCENARIO,
            aside.map(|a| a.scenario.clone().into()),
        ),
        (storage::THEME, theme),
        (storage::SINGLE_KEYS, single_keys),
    ]
}

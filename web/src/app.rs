//! The page: the state on one side, the components on the other.

use crate::components::header::Header;
use crate::components::program::Program;
use crate::components::{
    embed, encoding, execution, explain, help, lanes, outcomes, panes, picker, share, workbench,
};
use crate::dom::{On, Seen, el, list, part};
use crate::features::highlight::HighlightContext;
use crate::features::stage::matrix::matrix_pane;
use crate::fetched;
use crate::outcomes::{Worker, is_work};
use crate::shortcuts;
use crate::state::picker::PickerAction;
use crate::state::share::{Handed, ShareAction};
use crate::state::workbench::{Divider, Pane, Workbench};
use crate::state::{Action, Saved, Speed, State};
use crate::storage;
use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use std::rc::Rc;
use web_sys::HtmlDialogElement;
use web_sys::js_sys::Date;
use yew::prelude::*;

/// The page: one state that is changed in place, and what follows from it
/// outside of what is drawn. Hooks would do the same by more code.
pub(crate) struct App {
    state: State,
    act: Callback<Action>,
    help: NodeRef,
    picker: NodeRef,
    done: Done,
    /// Hears when the window becomes a phone's.
    #[expect(dead_code, reason = "it hears for as long as it is kept")]
    watch: Option<EventListener>,
}

/// What was done for the state that was drawn last.
#[derive(Default)]
struct Done {
    saved: [Seen<Option<AttrValue>>; storage::KEPT],
    keys: Seen<bool>,
    listener: Option<EventListener>,
    run: Seen<(bool, Speed)>,
    timer: Option<Interval>,
    editor: Seen<bool>,
    shown: Seen<Workbench>,
    to_program: Seen<u32>,
    worker: Worker,
    listed: Seen<bool>,
    marked: Seen<usize>,
    address: Option<Rc<str>>,
    handed: Option<Rc<Handed>>,
}

impl Component for App {
    type Message = Action;
    type Properties = ();

    fn create(context: &Context<Self>) -> Self {
        let act = context.link().callback(|action| action);
        let embedded = fetched::option("embed").is_some();
        let mut state = State::new(match embedded {
            // Somebody's work is none of another page's concern.
            true => Saved {
                embedded: true,
                plain: true,
                ..Saved::default()
            },
            false => storage::load(),
        });
        if embedded {
            state.apply(fetched::embed_asked());
        } else if let Some(link) = fetched::link() {
            // Before the first paint: nobody sees another program first.
            state.apply(Action::Share(ShareAction::Open(link)));
        }
        Self {
            state,
            watch: workbench::watch(act.clone()),
            act,
            help: NodeRef::default(),
            picker: NodeRef::default(),
            done: Done::default(),
        }
    }

    fn update(&mut self, _: &Context<Self>, action: Action) -> bool {
        if is_work(&action) {
            return self.done.worker.work(&mut self.state, &self.act);
        }
        self.state.tell_time(Date::now());
        self.state.apply(action);
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        let (state, act) = (&self.state, &self.act);
        let highlight = HighlightContext::new(state, act);
        if state.is_embedded() {
            let player = embed::draw(state, act).html();
            return html! {
                <ContextProvider<HighlightContext> context={highlight}>{player}</ContextProvider<HighlightContext>>
            };
        }
        let stale = !state.can_run();
        let header = Header {
            scenario: state.scenario().title,
            edited: state.is_edited(),
            theme: state.theme(),
            help: self.help.clone(),
            act: act.clone(),
        };
        let program = Program {
            text: state.text(),
            written: state.written(),
            title: state.title(),
            notes: state.notes(),
            edited: state.is_edited(),
            asides: state.asides(),
            problems: state.problems(),
            breakpoints: state.breakpoints(),
            told: state.breakpoints_told(),
            editing: state.editing(),
            family: state.family(),
            formatted: state.formatted().map(String::from),
            lit: state.lit(),
            marks: state.marks(),
            current: state.current_line(),
            caret: state.caret(),
            act: act.clone(),
        };
        let matrix = state.matrix();
        let picture = matrix.as_ref().map(|_| "");
        let own = match matrix {
            Some(model) => matrix_pane(model, state, act),
            None => lanes::pane(state.lanes_table(), stale),
        };
        let bench = *state.workbench();
        let divider = |divider| workbench::divider(bench, divider, act);
        // Before a place with nothing in it there is nothing to drag.
        let explain = explain::pane(state, act);
        let after = |which, filled: bool| match filled {
            true => divider(which),
            false => el!("div", "class" = "divider", "data-idle" = ""),
        };
        let machine = el!(
            "div",
            "class" = "machine",
            "data-picture" = picture,
            "data-inspecting" = state.is_inspecting().then_some("")
        )
        .put(execution::draw(&state.execution(), act))
        .put(workbench::place(bench, Pane::Execution).put(own))
        .put(divider(Divider::Lanes))
        .put(workbench::place(bench, Pane::State).put(panes::draw(state, act)))
        .put(after(Divider::Outcomes, true))
        .put(workbench::place(bench, Pane::Outcomes).put(outcomes::draw(state, stale, act)));
        let reading = el!("div", "class" = "reading")
            .put(workbench::place(bench, Pane::Encoding).put(encoding::pane(state, act)))
            .put(after(Divider::Encoding, explain.is_some() || bench.phone))
            .put(workbench::place(bench, Pane::Explain).each(explain));
        let listed = state.picker().open().is_some();
        // The browser has closed it, by Escape say: the state follows.
        let close = act.reform(|_| Action::Picker(PickerAction::Close));
        let main = el!(
            "main",
            "class" = "workbench",
            "data-shown" = bench.phone.then_some(bench.shown.name()),
            "style" = bench.sizes.style()
        )
        .put(workbench::tabs(bench, act))
        .put(workbench::place(bench, Pane::Program).put(part(program, None)))
        .put(divider(Divider::Program))
        .put(divider(Divider::Columns))
        .put(machine)
        .put(reading);
        let picker = el!(
            "dialog",
            "class" = "picker-dialog",
            "aria-label" = "Choose a scenario"
        )
        .bind(self.picker.clone())
        .on(On::Close, close)
        .put(listed.then(|| picker::draw(state.picker(), state.scenario().id, act)));
        let help = el!("dialog", "class" = "help", "aria-labelledby" = "help-title")
            .bind(self.help.clone())
            .put(help::draw(state.single_keys(), act));
        let [notice, dialog, embedding] = match state.share().is_quiet() {
            true => [None, None, None],
            false => share::draw(state, act),
        };
        let page = list(vec![
            workbench::skip(act).html(),
            part(header, None),
            notice.unwrap_or_default(),
            main.html(),
            picker.html(),
            help.html(),
            dialog.unwrap_or_default(),
            embedding.unwrap_or_default(),
        ]);
        html! {
            <ContextProvider<HighlightContext> context={highlight}>{page}</ContextProvider<HighlightContext>>
        }
    }

    fn rendered(&mut self, _: &Context<Self>, first: bool) {
        let (state, act, done) = (&self.state, &self.act, &mut self.done);
        if first && !state.is_embedded() {
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
        let editor = state.needs_editor();
        if done.editor.changes(editor) && editor {
            fetched::editor(act.clone());
        }
        let kept = storage::kept(state).into_iter();
        let kept = kept.filter(|_| !state.is_embedded());
        for ((key, value), saved) in kept.zip(&mut done.saved) {
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
        if state.shows_outcomes() {
            done.worker.wait(state, act);
        }
        let bench = *state.workbench();
        if done.shown.changes(bench) && bench.phone {
            workbench::show_tab(bench);
        }
        if done.to_program.changes(bench.to_program) && bench.to_program > 0 {
            workbench::to_program();
        }
        let listed = state.picker().open().is_some();
        if done.listed.changes(listed)
            && let Some(dialog) = self.picker.cast::<HtmlDialogElement>()
        {
            // Neither fails for a dialog on the page that is not shown so.
            if listed {
                let _ = dialog.show_modal();
            } else {
                dialog.close();
            }
        }
        if done.marked.changes(state.picker().at()) && listed {
            picker::show_marked(state.picker().at());
        }
    }
}

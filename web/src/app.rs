//! Root components: the store, the effects that reach outside the component
//! tree, and the screen.

use crate::boot;
use crate::components::file::choose_file;
use crate::components::media::use_media_query;
use crate::dom::{focus, scroll_to_middle};
use crate::features::checks::{finding_list, launch_result};
use crate::features::embed::embed_dialog;
use crate::features::files::{files_dialog, use_file_input};
use crate::features::help::{help, use_shortcuts};
use crate::features::highlight::HighlightProvider;
use crate::features::items::{VariablesPane, WorkItemsPane};
use crate::features::lanes::LanesPane;
use crate::features::launch::launch_dialog;
use crate::features::notice::NoticeBar;
use crate::features::outcomes::{SearchStart, use_worker};
use crate::features::output::{OutputModel, output_pane};
use crate::features::picker::{picker_dialog, use_picker_scroll};
use crate::features::player::{Pane, PlayerPage, pane, player_options};
use crate::features::program::{
    ProgramPane, ProgramPaneProps, notes, problem_list, use_code_editor, use_window_title,
};
use crate::features::screen::{
    Area, DRAWER_PANEL_ID, DialogKind, Divider, DividerHandle, DrawerTab, TabScope, area_box,
    area_tabs, drawer_tabs, is_compact, show_theme, skip_links, top_bar, use_compact,
};
use crate::features::served::{served_problems, source_pane, use_served};
use crate::features::share::{
    ShareAction, address, share_dialog, use_address, use_exports, use_links,
};
use crate::features::stage::{Flow, Stage, use_stage};
use crate::features::threads::{thread_picker, threads_pane};
use crate::features::transport::{summary, use_run_timer, use_transport};
use crate::store::{self, Action, State, StoreProps, use_request, use_saved};
use gloo_timers::callback::Timeout;
use gloo_utils::window;
use lanewise_answer::flow::FlowModel;
use lanewise_core::diagnostic::Severity;
use lanewise_core::text::counted;
use std::rc::Rc;
use web_sys::js_sys::Date;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use yew::prelude::*;

/// Initial state of a visit. A link in the address is opened here, before the
/// first render, so that no other program flashes up.
fn start() -> State {
    let link = address::link();
    let mut state = match player_options() {
        Some(options) => State::new_player(options),
        None => State::new(store::load(link.as_deref())),
    };
    state.screen.compact = is_compact();
    if let Some(link) = link.filter(|_| !state.is_player()) {
        state.apply(Action::Share(ShareAction::Open(link)), Date::now());
    }
    state
}

/// Root component: the full page, or the player when embedded.
#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(start);
    let dispatch = {
        let dispatcher = state.dispatcher();
        use_callback((), move |action: Action, ()| {
            dispatcher.dispatch((action, Date::now()));
        })
    };
    use_window_title(&state.source);
    use_code_editor(state.source.editor, &dispatch);
    use_run_timer(state.stepping, &dispatch);
    use_compact(state.screen.compact, &dispatch);
    use_worker(&state, search_start(&state), &dispatch);
    html! {
            <HighlightProvider session={state.session.clone()} opened={state.source.opened}>
                if state.is_player() {
                    <PlayerPage {state} {dispatch} />
                } else {
                    <Page {state} {dispatch} />
                }
            </HighlightProvider>
    }
}

fn search_start(state: &State) -> SearchStart {
    match state.player() {
        Some(player) if player.panes.contains(&Pane::Outcomes) => SearchStart::Now,
        Some(_) => SearchStart::Never,
        None if state.screen.shows_outcomes() => SearchStart::Now,
        None => SearchStart::AfterLoad,
    }
}

/// Facts that decide which drawer tabs exist.
fn tab_scope(state: &State, own: Option<DrawerTab>) -> TabScope {
    let program = state.session.program();
    TabScope {
        own,
        has_branches: program.has_branches(),
        is_kernel: program.launch.is_some(),
        threads: program.threads,
        is_served: state.screen.is_served,
        prints: state.prints(),
    }
}

/// Whether the page has been painted. State and the drawer are rendered only then.
#[hook]
fn use_painted() -> bool {
    let is_painted = use_state(|| false);
    let setter = is_painted.setter();
    use_effect_with((), move |()| {
        // Frames are painted after their callbacks.
        let after_frame = move || Timeout::new(0, move || setter.set(true)).forget();
        let on_frame = Closure::once_into_js(after_frame);
        let asked = window().request_animation_frame(on_frame.unchecked_ref());
        asked.expect("windows support animation frames");
    });
    *is_painted
}

/// Full page: top bar, areas, drawer and dialogs.
#[component]
fn Page(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    use_saved(state, dispatch);
    use_effect_with(state.theme, |theme| show_theme(*theme));
    use_served(dispatch);
    use_links(dispatch);
    use_request(state.screen.focus, focus);
    use_address(state);
    use_exports(state.share.delivery.clone(), dispatch);
    use_shortcuts(state.single_keys, state.is_kernel(), dispatch);
    use_picker_scroll(
        state.screen.dialog == Some(DialogKind::Picker),
        &state.picker,
    );
    let file_input = use_file_input(dispatch);
    let stage = use_stage(state);
    let kind = &stage.kind;
    let transport = use_transport(state);
    let is_system_dark = use_media_query("(prefers-color-scheme: dark)");
    let screen = state.screen;
    let scope = tab_scope(state, kind.extra_tab());
    let tab = screen.open_tab(scope);
    let is_painted = use_painted();
    use_effect_with(is_painted, |is_painted| {
        if *is_painted {
            boot::started();
        }
    });
    let hides = |area| screen.hides(area) || !is_painted;
    let shown = (!hides(Area::Drawer)).then_some(tab);
    let drawer = use_drawer_pane(shown, &stage, state, dispatch);
    // At the edge of a narrow window, or beyond it.
    use_effect_with(shown, move |shown| {
        if let Some(tab) = shown {
            scroll_to_middle(&tab.id());
        }
    });
    let divider = |divider: Divider| {
        let size = screen.size(divider);
        html! { <DividerHandle {divider} {size} dispatch={dispatch.clone()} /> }
    };
    // Exports read the stage from the DOM, so a hidden stage is rendered while
    // the Share dialog is open.
    let hides_stage = screen.hides(Area::Stage) && screen.dialog != Some(DialogKind::Share);
    let program = html! { <ProgramPane ..ProgramPaneProps::of(state, dispatch) /> };
    let picture = html! {
        <section class="pane stage" aria-label="Stage">
            if !hides_stage {
                { kind.picture(state, screen.compact, dispatch) }
            }
        </section>
    };
    let state_pane = html! {
        if !hides(Area::State) {
            { pane(Pane::State, &stage, state, dispatch) }
        }
    };
    let outcomes = state.outcomes.count_text();
    let words = state.session.program().words();
    let drawer = html! {
        <>
            { drawer_tabs(tab, scope, words, outcomes, problem_count(state), dispatch) }
            <div id={DRAWER_PANEL_ID} class="drawer-panel" role="tabpanel" aria-labelledby={tab.id()}>
                { drawer }
            </div>
        </>
    };
    let session = &state.session;
    let first_button = if transport.is_kernel {
        "Continue"
    } else {
        "Step"
    };
    html! {
        <>
            { skip_links(dispatch) }
            { top_bar(state, &transport, is_system_dark, dispatch) }
            { notes(&state.source) }
            <NoticeBar notices={state.notices.clone()} {dispatch} />
            if screen.compact {
                { area_tabs(screen.shown, dispatch) }
            }
            // `~style` sets a property rather than an attribute: the CSP
            // forbids inline styles.
            <main class="screen" ~style={screen.style()}>
                <div class="areas">
                    { area_box(Area::Program, screen, program) }
                    { divider(Divider::Program) }
                    <div class="center">
                        <div class="wrapping stage-head">
                            { summary(state, &transport) }
                            { launch_result(state, dispatch) }
                            if state.source.origin.is_bundled() && state.can_run() && session.position() == 0 && session.known() > 0 {
                                <p class="muted welcome">
                                    { format!("Run and debug Intel and NVIDIA kernels, no GPU needed. Press {first_button}, or ") }
                                    <button onclick={Callback::from(|_| choose_file())}>{ "open your kernel" }</button>
                                    { "." }
                                </p>
                            }
                            <div class="wrapping stage-line">
                                <p class="instruction">
                                    if let Some(line) = stage.line {
                                        <span class="pictured-line">
                                            if stage.is_earlier {
                                                { format!("Last memory access, line {}: ", line + 1) }
                                            } else {
                                                { state.pictured_line_label(line) }
                                            }
                                        </span>
                                    }
                                    { &stage.instruction }
                                </p>
                                if state.has_own_threads() {
                                    { thread_picker(state, dispatch) }
                                }
                            </div>
                        </div>
                        { area_box(Area::Stage, screen, picture) }
                    </div>
                    { divider(Divider::State) }
                    { area_box(Area::State, screen, state_pane) }
                </div>
                { divider(Divider::Drawer) }
                { area_box(Area::Drawer, screen, drawer) }
            </main>
            { picker_dialog(state, dispatch) }
            { file_input }
            { files_dialog(state, dispatch) }
            { launch_dialog(state, dispatch) }
            { help(state, dispatch) }
            { share_dialog(state, dispatch) }
            { embed_dialog(state, dispatch) }
        </>
    }
}

/// Number of problems by severity, such as `2 errors, 68 notes`; `0` for none.
fn problem_count(state: &State) -> String {
    let of_run = state.run_problems();
    let problems = state.source.problems.iter().chain(&of_run);
    let severities = problems.map(|problem| problem.severity);
    let severities = severities.chain(state.findings().iter().map(|found| found.severity));
    let severities = severities.chain(state.served_problems().iter().map(|_| Severity::Error));
    let counts = [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Note, "note"),
    ];
    let counts = counts.into_iter().filter_map(|(severity, name)| {
        match severities.clone().filter(|s| *s == severity).count() {
            0 => None,
            count => Some(counted(count, name)),
        }
    });
    let counts: Vec<String> = counts.collect();
    match counts.is_empty() {
        true => String::from("0"),
        false => counts.join(", "),
    }
}

/// Panel of the open drawer tab. Closed tabs are not mounted, so they cost
/// nothing.
#[hook]
fn use_drawer_pane(
    tab: Option<DrawerTab>,
    stage: &Stage,
    state: &State,
    dispatch: &Callback<Action>,
) -> Html {
    let dispatch = dispatch.clone();
    let flow_thread = state.stepping.thread.or_else(|| state.stopped_thread());
    let of_flow = (tab == Some(DrawerTab::Flow)).then(|| (state.session.clone(), flow_thread));
    let flow = use_memo(of_flow, |inputs| {
        let (session, thread) = inputs.as_ref()?;
        FlowModel::of(session, *thread).map(Rc::new)
    });
    let of_output = (tab == Some(DrawerTab::Output))
        .then(|| (state.session.clone(), state.earlier_printed.clone()));
    let output = use_memo(of_output, |inputs| {
        let (session, earlier) = inputs.as_ref()?;
        OutputModel::of(session, earlier)
    });
    let Some(tab) = tab else {
        return Html::default();
    };
    match tab {
        DrawerTab::WorkItems => html! {
            <WorkItemsPane
                session={state.session.clone()}
                document={state.source.document.clone()}
                thread={state.shown_thread()}
                chosen={state.stepping.channel}
                columns={Rc::clone(&state.item_columns)}
                {dispatch}
            />
        },
        DrawerTab::Variables => html! {
            <VariablesPane
                session={state.session.clone()}
                document={state.source.document.clone()}
                thread={state.shown_thread()}
                channel={state.shown_channel()}
            />
        },
        DrawerTab::Products => stage.kind.own_panel(),
        DrawerTab::Flow => match &*flow {
            Some(model) => html! { <Flow {model} is_stage=false stale=false {dispatch} /> },
            None => html! { <p class="empty">{ "The program has no instructions." }</p> },
        },
        DrawerTab::Threads => threads_pane(state, &dispatch),
        DrawerTab::Lanes => match stage.kind.lanes_table() {
            Some(table) => table,
            None => {
                let session = state.session.clone();
                let (known, stale) = (stage.table_of(&session), !state.can_run());
                html! { <LanesPane {session} {known} {stale} /> }
            }
        },
        DrawerTab::Output => output_pane(output.as_ref().as_ref(), state.waits_for_groups()),
        DrawerTab::Outcomes => pane(Pane::Outcomes, stage, state, &dispatch),
        DrawerTab::Encoding => pane(Pane::Encoding, stage, state, &dispatch),
        DrawerTab::Source => source_pane(),
        DrawerTab::Explain => pane(Pane::Explain, stage, state, &dispatch),
        DrawerTab::Problems => match state.run_problems() {
            of_run
                if state.source.problems.is_empty()
                    && state.served_problems().is_empty()
                    && of_run.is_empty()
                    && state.findings().is_empty() =>
            {
                html! { <p class="empty">{ state.no_problems_text() }</p> }
            }
            of_run => html! {
                <>
                    { served_problems(state.served_problems(), &dispatch) }
                    { finding_list(state, &dispatch) }
                    { problem_list("problem", 200, &state.source.problems, &of_run, false, &dispatch) }
                    if let Some(text) = state.checks_text() {
                        <p class="empty">{ text }</p>
                    }
                </>
            },
        },
    }
}

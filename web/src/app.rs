//! The page: the store, what follows from it outside of the page's elements,
//! and the screen.

use crate::features::embed::{EmbedAction, is_player, player, player_options, use_host};
use crate::features::files::{FileInput, FilesDialog, use_file_drop};
use crate::features::help::{Help, use_shortcuts};
use crate::features::highlight::HighlightContext;
use crate::features::outcomes::{OutcomesPane, use_search_worker};
use crate::features::picker::PickerDialog;
use crate::features::program::{
    self, Notes, Problems, ProgramPane, use_code_editor, use_window_title,
};
use crate::features::screen::{
    Area, AreaBox, AreaTabs, Bar, Divider, DividerHandle, DrawerTab, DrawerTabs, SkipLinks,
    is_compact, use_compact, use_theme,
};
use crate::features::share::{
    EmbedDialog, NoticeBar, ShareAction, ShareDialog, link, page_folder, use_address, use_exports,
    use_links,
};
use crate::features::stage::matrix::{MatrixModel, ProductsPanel};
use crate::features::stage::stage_pane;
use crate::features::state::state_panes;
use crate::features::transport::{Summary, use_run_timer};
use crate::features::{encoding, explain, lanes};
use crate::store::{self, Action, Saved, State, Store, use_saved};
use std::rc::Rc;
use yew::prelude::*;

/// The store at the start of a visit. A link in the address is opened at once,
/// so that no other program is drawn first.
fn start() -> Store {
    let embedded = is_player();
    let mut saved = match embedded {
        // A player neither reads nor writes what the browser keeps.
        true => Saved {
            embedded: true,
            plain: true,
            // It has no settings in which they could be turned off.
            single_keys: false,
            ..Saved::default()
        },
        false => store::load(),
    };
    saved.screen.compact = is_compact();
    let store = Rc::new(Store::new(saved));
    let action = match embedded {
        true => Some(Action::Embed(EmbedAction::Begin(player_options()))),
        false => link().map(|link| Action::Share(ShareAction::Open(link))),
    };
    let store = match action {
        Some(action) => store.reduce(action),
        None => store,
    };
    Rc::into_inner(store).expect("nobody else has it yet")
}

/// The page, or the player inside another page.
#[component]
pub(crate) fn App() -> Html {
    let store = use_reducer(start);
    let dispatch = {
        let dispatcher = store.dispatcher();
        use_callback((), move |action: Action, ()| dispatcher.dispatch(action))
    };
    let dispatch = &dispatch;
    let is_help_open = use_state(|| false);
    let show_help = {
        let setter = is_help_open.setter();
        use_callback((), move |is_open, ()| setter.set(is_open))
    };
    let state = &*store.state();
    use_saved(state, dispatch);
    use_theme((!state.is_embedded()).then(|| state.theme()));
    use_window_title(&state.heading());
    use_links(state.is_embedded(), dispatch);
    use_file_drop(state.is_embedded(), dispatch);
    use_address(state);
    use_exports(state.share().delivery.clone(), dispatch);
    use_host(state.is_embedded());
    use_code_editor(state.editor(), dispatch);
    use_shortcuts(state.single_keys(), show_help.reform(|()| true), dispatch);
    use_run_timer(state.is_running(), state.speed(), dispatch);
    use_compact(dispatch);
    use_program_focus(state.screen().program_focus);
    let outcomes_shown = match state.is_embedded() {
        true => state.shows_outcomes(),
        false => state.screen().shows_outcomes(),
    };
    let outcomes = state.outcomes();
    use_search_worker(
        outcomes.search_order(),
        outcomes.query_order(),
        outcomes_shown,
        !state.is_embedded(),
        dispatch,
    );
    let highlight = HighlightContext::new(state, dispatch);
    let page = match state.is_embedded() {
        true => player(state, dispatch),
        false => screen(state, *is_help_open, &show_help, dispatch),
    };
    html! {
        <ContextProvider<HighlightContext> context={highlight}>
            { page }
        </ContextProvider<HighlightContext>>
    }
}

/// Puts the focus into the program, once for every request.
#[hook]
fn use_program_focus(requests: u32) {
    use_effect_with(requests, |requests| {
        if *requests > 0 {
            crate::components::focus(program::ID);
        }
    });
}

fn screen(
    state: &State,
    is_help_open: bool,
    show_help: &Callback<bool>,
    dispatch: &Callback<Action>,
) -> Html {
    let screen = state.screen();
    let stale = !state.can_run();
    let matrix = state.matrix().map(Rc::new);
    let tab = screen.open_tab(matrix.is_some());
    let execution = Rc::new(state.execution());
    let summary = html! {
        <div class="stage-head">
            <Summary
                text={execution.summary.clone()}
                running={execution.running}
                wrong={execution.faulted || !execution.can_run}
            />
            if execution.can_run && execution.position == 0 {
                <p class="welcome">{ "Lanewise runs GPU instructions lane by lane. Press Step." }</p>
            }
        </div>
    };
    let divider = |divider: Divider| {
        let size = screen.sizes.of(divider);
        html! { <DividerHandle {divider} {size} dispatch={dispatch.clone()} /> }
    };
    // What is behind another area's tab can be exported all the same.
    let hides = |area| screen.hides(area) && !state.share().open;
    html! {
        <>
            <SkipLinks dispatch={dispatch.clone()} />
            <Bar
                scenario={state.scenario().title}
                edited={state.is_edited()}
                theme={state.theme()}
                {execution}
                show_help={show_help.clone()}
                dispatch={dispatch.clone()}
            />
            <Notes heading={state.heading()} />
            { notice(state, dispatch) }
            if screen.compact {
                <AreaTabs shown={screen.shown} dispatch={dispatch.clone()} />
            }
            <main class="screen" ~style={screen.sizes.style()}>
                <div class="areas">
                    <AreaBox area={Area::Program} {screen}>{ program_pane(state, dispatch) }</AreaBox>
                    { divider(Divider::Program) }
                    <div class="center">
                        { summary }
                        <AreaBox area={Area::Stage} {screen}>
                            <section class="pane stage" aria-label="Stage">
                                { if hides(Area::Stage) { Html::default() } else { stage_pane(state, matrix.clone(), screen.compact, dispatch) } }
                            </section>
                        </AreaBox>
                    </div>
                    { divider(Divider::State) }
                    <AreaBox area={Area::State} {screen}>
                        if !hides(Area::State) {
                            { state_panes(state, dispatch) }
                        }
                    </AreaBox>
                </div>
                { divider(Divider::Drawer) }
                <AreaBox area={Area::Drawer} {screen}>
                    <DrawerTabs
                        open={tab}
                        is_matrix={matrix.is_some()}
                        outcomes={state.outcomes().count_text().map(AttrValue::from)}
                        problems={state.problems().len()}
                        dispatch={dispatch.clone()}
                    />
                    <div id="drawer-panel" class="drawer-panel" role="tabpanel" aria-labelledby={tab.id()}>
                        if !screen.hides(Area::Drawer) {
                            { drawer(state, tab, matrix, stale, dispatch) }
                        }
                    </div>
                </AreaBox>
            </main>
            <PickerDialog picker={state.picker().clone()} current={state.scenario().id} dispatch={dispatch.clone()} />
            <FileInput dispatch={dispatch.clone()} />
            <FilesDialog
                listed={state.files().listed().cloned()}
                is_shown={state.files().is_shown()}
                dispatch={dispatch.clone()}
            />
            <Help
                is_open={is_help_open}
                show={show_help.clone()}
                single_keys={state.single_keys()}
                dispatch={dispatch.clone()}
            />
            { share_dialog(state, dispatch) }
            { embed_dialog(state, dispatch) }
        </>
    }
}

fn program_pane(state: &State, dispatch: &Callback<Action>) -> Html {
    html! {
        <ProgramPane
            document={state.document()}
            edited={state.is_edited()}
            drafts={state.drafts()}
            file={state.files().listed().map(|listed| listed.name.clone())}
            problems={state.problems()}
            breakpoints={state.breakpoints().lines()}
            breakpoint_change={state.breakpoints().change()}
            mode={state.editor()}
            wraps={state.editor().wraps(state.screen().compact)}
            family={state.family()}
            formatted={state.formatted().map(AttrValue::from)}
            lit={state.lit()}
            current={state.current_line()}
            caret={state.caret()}
            dispatch={dispatch.clone()}
        />
    }
}

/// What there is to say of links and files, unless a dialog says it.
fn notice(state: &State, dispatch: &Callback<Action>) -> Html {
    let share = state.share();
    let in_dialog = share.open
        || share
            .embedding
            .as_ref()
            .is_some_and(|embedding| embedding.open);
    match share.notice.clone().filter(|_| !in_dialog) {
        Some(notice) => html! { <NoticeBar {notice} dispatch={dispatch.clone()} /> },
        None => Html::default(),
    }
}

/// The dialog "Share", once it has been asked for.
fn share_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let share = state.share();
    let Some(link) = share.link.clone() else {
        return Html::default();
    };
    let mut formats = share.subject.formats().iter();
    html! {
        <ShareDialog
            {link}
            open={share.open}
            subject={share.subject}
            format={formats.position(|format| *format == share.format)}
            exports={if share.open { state.exports() } else { Vec::new() }}
            notice={share.notice.clone()}
            dispatch={dispatch.clone()}
        />
    }
}

/// The dialog "Embed", once it has been asked for.
fn embed_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let share = state.share();
    let Some(chosen) = &share.embedding else {
        return Html::default();
    };
    let code = match chosen.open {
        true => state.embed_code(chosen, &page_folder()),
        false => Ok(String::new()),
    };
    html! {
        <EmbedDialog
            chosen={chosen.clone()}
            {code}
            step={state.execution().position}
            notice={share.notice.clone().filter(|_| chosen.open)}
            dispatch={dispatch.clone()}
        />
    }
}

/// What the open tab of the drawer shows; closed tabs are not even computed.
fn drawer(
    state: &State,
    tab: DrawerTab,
    matrix: Option<Rc<MatrixModel>>,
    stale: bool,
    dispatch: &Callback<Action>,
) -> Html {
    match tab {
        DrawerTab::Products => {
            let model = matrix.expect("only matrix instructions have this tab");
            html! { <ProductsPanel {model} /> }
        }
        DrawerTab::Lanes => lanes::pane(state.lanes_table(), stale),
        DrawerTab::Outcomes => html! {
        <OutcomesPane view={state.outcomes_view()} dispatch={dispatch.clone()} />
        },
        DrawerTab::Encoding => encoding::pane(state, dispatch),
        DrawerTab::Explain => explain::pane(state, dispatch),
        DrawerTab::Problems if state.problems().is_empty() => html! {
            <p class="empty">{ "No problems found." }</p>
        },
        DrawerTab::Problems => html! {
            <Problems
                id="problem"
                problems={state.problems()}
                most={200}
                dispatch={dispatch.clone()}
            />
        },
    }
}

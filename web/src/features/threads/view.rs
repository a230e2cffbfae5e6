//! Threads tab, and the picker of the chosen thread.

use super::model::{ThreadRow, rows, thread_name};
use crate::components::select::select;
use crate::features::transport::TransportAction;
use crate::store::{Action, State};
use yew::prelude::*;

impl State {
    /// Whether the threads of the program take branches of their own.
    pub(crate) fn has_own_threads(&self) -> bool {
        let program = self.session.program();
        program.threads > 1 && (program.launch.is_some() || program.has_branches())
    }
}

/// Picker of the thread that the program and the pictures follow, and a button that
/// steps it.
pub(crate) fn thread_picker(state: &State, dispatch: &Callback<Action>) -> Html {
    let program = state.session.program();
    let schedule = (None, String::from("as scheduled"));
    let threads = (0..program.threads).map(|thread| (Some(thread), thread_name(thread, program)));
    let options = [schedule].into_iter().chain(threads);
    let chosen = Some(&state.stepping.thread);
    let on_pick = dispatch.reform(|thread| Action::Transport(TransportAction::Thread(thread)));
    let step = state.stepping.thread.map(|thread| {
        let onclick = dispatch
            .reform(move |_: MouseEvent| Action::Transport(TransportAction::StepThread(thread)));
        html! {
            <button class="button small" disabled={!state.can_run()} {onclick}>
                { format!("Step {}", thread_name(thread, program)) }
            </button>
        }
    });
    html! {
        <div class="thread-picker">
            { select("Thread", options, chosen, &on_pick) }
            { step }
        </div>
    }
}

/// Threads tab.
pub(crate) fn threads_pane(state: &State, dispatch: &Callback<Action>) -> Html {
    let chosen = state.stepping.thread;
    let row = |row: &ThreadRow| {
        let thread = row.thread;
        let choose = dispatch
            .reform(move |_: MouseEvent| Action::Transport(TransportAction::Thread(Some(thread))));
        let step = dispatch
            .reform(move |_: MouseEvent| Action::Transport(TransportAction::StepThread(thread)));
        let is_chosen = chosen == Some(thread);
        let waiting = match row.waiting {
            0 => String::new(),
            1 => String::from(", 1 waits"),
            count => format!(", {count} wait"),
        };
        html! {
            <tr aria-current={row.is_next.then_some("step")} class={row.has_ended.then_some("off")}>
                <th scope="row">
                    <button class="button small" aria-pressed={is_chosen.to_string()} onclick={choose}>
                        { &row.name }
                    </button>
                </th>
                <td>{ row.line.map_or_else(|| String::from("–"), |line| (line + 1).to_string()) }</td>
                <td class="word">{ &row.lanes }{ waiting }</td>
                <td class="word">{ row.state }</td>
                <td>
                    <button
                        class="button small"
                        aria-label={format!("Step {}", row.name)}
                        disabled={row.has_ended || !state.can_run()}
                        onclick={step}
                    >{ "Step" }</button>
                </td>
            </tr>
        }
    };
    html! {
        <section class="threads" aria-label="Threads">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{ "Thread" }</th>
                        <th scope="col">{ "Line" }</th>
                        <th scope="col" class="word">{ "Lanes" }</th>
                        <th scope="col" class="word">{ "State" }</th>
                        <th scope="col">{ "Step" }</th>
                    </tr>
                </thead>
                <tbody>{ for rows(&state.session).iter().map(row) }</tbody>
            </table>
        </section>
    }
}

//! Threads tab, and the picker of the chosen thread.

use crate::components::select::select;
use crate::components::table::{numbers, table, words};
use crate::features::transport::TransportAction;
use crate::store::{Action, State, on_click};
use lanewise_answer::threads::waiting_at;
use lanewise_core::isa::Unit;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::session::lane_runs;
use lanewise_core::text::capitalized;
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
    let threads = (0..program.threads).map(|thread| (Some(thread), program.thread_name(thread)));
    let options = [schedule].into_iter().chain(threads);
    let chosen = Some(&state.stepping.thread);
    let on_pick = dispatch.reform(|thread| Action::Transport(TransportAction::Thread(thread)));
    let step = state.stepping.thread.map(|thread| {
        let onclick = on_click(dispatch, TransportAction::StepThread(thread));
        html! {
            <button class="button small" disabled={!state.can_step(thread)} {onclick}>
                { format!("Step {}", program.thread_name(thread)) }
            </button>
        }
    });
    html! {
        <div class="wrapping thread-picker">
            { select(capitalized(program.words().thread), options, chosen, &on_pick) }
            { step }
        </div>
    }
}

pub(crate) fn threads_pane(state: &State, dispatch: &Callback<Action>) -> Html {
    let session = &state.session;
    let program = session.program();
    let noun = capitalized(program.words().thread);
    let next = session.next_issue().and_then(|next| session.issue(next));
    let row = |thread: u8| {
        let name = program.thread_name(thread);
        let control = Control::new(session.machine(), thread);
        let has_ended = control.state() == ThreadState::Ended;
        let at = waiting_at(control).unwrap_or_else(|| control.pc());
        let placed = program.instructions.get(at as usize);
        let line = placed.filter(|_| !has_ended).map(|placed| placed.line + 1);
        let active = if has_ended { 0 } else { control.active() };
        let units = (0..32).filter(|lane| active >> lane & 1 == 1);
        let units: Vec<Unit> = units.map(|lane| Unit::lane(thread, lane)).collect();
        let waiting = (0..32).filter(|channel| control.waiting(*channel).is_some());
        let waiting = match waiting.count() {
            0 => String::new(),
            1 => String::from(", 1 waits"),
            count => format!(", {count} wait"),
        };
        let is_next = next.is_some_and(|next| next.threads.iter().any(|own| own == thread));
        let is_chosen = state.stepping.thread == Some(thread);
        let choose = on_click(dispatch, TransportAction::Thread(Some(thread)));
        let step = on_click(dispatch, TransportAction::StepThread(thread));
        html! {
            <tr aria-current={is_next.then_some("step")} class={has_ended.then_some("off")}>
                <th scope="row">
                    <button class="button small" aria-pressed={is_chosen.to_string()} onclick={choose}>
                        { &name }
                    </button>
                </th>
                <td>{ line.map_or_else(|| String::from("–"), |line| line.to_string()) }</td>
                <td class="word">{ lane_runs(&units, 1) }{ waiting }</td>
                <td class="word">
                    { match control.state() {
                        ThreadState::Running => "runs",
                        ThreadState::AtBarrier => "waits at the barrier",
                        ThreadState::AtNamedBarrier => "waits at a named barrier",
                        ThreadState::Ended => "ended",
                    } }
                </td>
                <td>
                    <button
                        class="button small"
                        aria-label={format!("Step {name}")}
                        disabled={!state.can_step(thread)}
                        onclick={step}
                    >{ "Step" }</button>
                </td>
            </tr>
        }
    };
    let columns = [
        numbers(noun.clone()),
        numbers("Line"),
        words("Lanes"),
        words("State"),
        numbers("Step"),
    ];
    html! {
        <section class="threads" aria-label={format!("{noun}s")}>
            { table("", columns, (0..program.threads).map(row)) }
        </section>
    }
}

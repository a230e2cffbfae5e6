use super::settings::Speed;
use super::{ExecutionView, TransportAction};
use crate::store::{Action, State};
use gloo_timers::callback::Interval;
use std::rc::Rc;
use yew::prelude::*;

/// Steps by itself while it runs.
#[hook]
pub(crate) fn use_run_timer(running: bool, speed: Speed, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((running, speed), move |(running, speed)| {
        let timer = running.then(|| {
            Interval::new(speed.milliseconds(), move || {
                dispatch.emit(Action::Transport(TransportAction::Tick))
            })
        });
        move || drop(timer)
    });
}

/// What the transport shows.
#[hook]
pub(crate) fn use_execution(state: &State) -> Rc<ExecutionView> {
    let slices = (
        state.session.clone(),
        state.source.clone(),
        state.stepping,
        state.watched_writes(),
        state.start_error,
    );
    use_memo(slices, |_| state.execution())
}

use super::TransportAction;
use super::settings::Speed;
use crate::store::Action;
use gloo_timers::callback::Interval;
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

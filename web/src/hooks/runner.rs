use crate::state::{Action, Speed};
use gloo_timers::callback::Interval;
use yew::prelude::*;

/// Steps by itself while running.
#[hook]
pub(crate) fn use_runner(running: bool, speed: Speed, act: &Callback<Action>) {
    let act = act.clone();
    use_effect_with((running, speed), move |(running, speed)| {
        let interval =
            running.then(|| Interval::new(speed.milliseconds(), move || act.emit(Action::Tick)));
        move || drop(interval)
    });
}

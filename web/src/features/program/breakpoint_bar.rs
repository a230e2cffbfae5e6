use super::breakpoints::BreakpointAction;
use crate::store::Action;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct BreakpointBarProps {
    /// Lines with breakpoints, from 0.
    pub(crate) lines: Rc<[u32]>,
    /// What was done last, for screen readers.
    pub(crate) change: Rc<str>,
    pub(crate) dispatch: Callback<Action>,
}

/// The lines that have breakpoints, each with a button that removes its own.
#[component]
pub(crate) fn BreakpointBar(props: &BreakpointBarProps) -> Html {
    let BreakpointBarProps {
        lines,
        change,
        dispatch,
    } = props;
    let send =
        |action: BreakpointAction| dispatch.reform(move |_: MouseEvent| Action::Breakpoint(action));
    let remove = |line: &u32| {
        let name = format!("Remove the breakpoint on line {}", line + 1);
        html! {
            <button
                class="button small breakpoint-go"
                aria-label={name.clone()}
                title={name}
                onclick={send(BreakpointAction::Toggle(*line))}
            >
                { format!("line {} ×", line + 1) }
            </button>
        }
    };
    html! {
        <>
            if !lines.is_empty() {
                <div class="breakpoints" role="group" aria-label="Breakpoints">
                    <span class="muted">{ "Breakpoints" }</span>
                    { for lines.iter().map(remove) }
                    if lines.len() > 1 {
                        <button class="button small" onclick={send(BreakpointAction::Clear)}>
                            { "Remove all" }
                        </button>
                    }
                </div>
            }
            <p class="unseen" role="status" aria-label="Breakpoint change">{ &**change }</p>
        </>
    }
}

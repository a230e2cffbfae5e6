use super::{NoticeKind, Notices};
use crate::components::guard::use_guard;
use crate::store::{Action, Slice, on_last_click};
use gloo_timers::callback::Timeout;
use yew::prelude::*;

const STATUS_ID: &str = "notice";

/// Time in milliseconds after which a brief notice disappears.
const BRIEF: u32 = 10_000;

#[derive(Properties, PartialEq)]
pub(crate) struct NoticeBarProps {
    pub(crate) notices: Slice<Notices>,
    pub(crate) dispatch: Callback<Action>,
}

/// Notice with a dismiss button. The live region is always present: screen
/// readers announce only changes inside a known live region. A brief notice
/// disappears unless it is under the pointer or has the focus.
#[component]
pub(crate) fn NoticeBar(props: &NoticeBarProps) -> Html {
    let NoticeBarProps { notices, dispatch } = props;
    let notice = notices.shown.as_ref();
    let is_hovered = use_state_eq(|| false);
    let is_focused = use_state_eq(|| false);
    let kind = notice.map(|notice| notice.kind);
    let stays = *is_hovered || *is_focused || kind != Some(NoticeKind::Brief);
    use_guard((notices.clone(), stays), {
        let dispatch = dispatch.clone();
        move |_| {
            let dismiss = move || dispatch.emit(Action::DismissNotice);
            (!stays).then(|| Timeout::new(BRIEF, dismiss))
        }
    });
    let is_error = kind == Some(NoticeKind::Error);
    let text = notice.map(|notice| &*notice.text);
    let is_visible = kind.is_some_and(|kind| kind != NoticeKind::Spoken);
    let dismiss = on_last_click(dispatch, STATUS_ID, Action::DismissNotice);
    let hover = |on| {
        let is_hovered = is_hovered.clone();
        move |_: MouseEvent| is_hovered.set(on)
    };
    let focus = |on| {
        let is_focused = is_focused.clone();
        move |_: FocusEvent| is_focused.set(on)
    };
    html! {
        <div
            class={if is_visible { "notice" } else { "unseen" }}
            data-error={is_error.then_some("")}
            onmouseenter={hover(true)}
            onmouseleave={hover(false)}
        >
            <p id={STATUS_ID} role="status" aria-label="Notice" tabindex="-1">{ text.filter(|_| !is_error) }</p>
            if is_error {
                <p role="alert">{ text }</p>
            }
            if is_visible {
                <button
                    class="button quiet"
                    onclick={dismiss}
                    onfocus={focus(true)}
                    onblur={focus(false)}
                >
                    { "Dismiss" }
                </button>
            }
        </div>
    }
}

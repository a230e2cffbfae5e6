use super::Notice;
use crate::dom::focus_element;
use crate::store::Action;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct NoticeBarProps {
    pub(crate) notice: Option<Notice>,
    pub(crate) dispatch: Callback<Action>,
}

/// Notice with a dismiss button. The live region is always present: screen
/// readers announce only changes inside a known live region.
#[component]
pub(crate) fn NoticeBar(props: &NoticeBarProps) -> Html {
    let notice = props.notice.as_ref();
    let is_error = notice.is_some_and(|notice| notice.is_error);
    let text = notice.map(|notice| &*notice.text);
    let is_visible = notice.is_some_and(|notice| !notice.is_spoken_only);
    let status = use_node_ref();
    // The dismiss button disappears when pressed: keep focus near its place.
    let dismiss = {
        let (status, dispatch) = (status.clone(), props.dispatch.clone());
        Callback::from(move |_: MouseEvent| {
            let status: HtmlElement = status.cast().expect("the button has a sibling");
            focus_element(&status);
            dispatch.emit(Action::DismissNotice);
        })
    };
    html! {
        <div
            class={if is_visible { "notice" } else { "unseen" }}
            data-error={is_error.then_some("")}
        >
            <p ref={status} role="status" aria-label="Notice" tabindex="-1">{ text.filter(|_| !is_error) }</p>
            if is_error {
                <p role="alert">{ text }</p>
            }
            if is_visible {
                <button class="button quiet" onclick={dismiss}>{ "Dismiss" }</button>
            }
        </div>
    }
}

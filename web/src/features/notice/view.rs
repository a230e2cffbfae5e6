use super::Notice;
use crate::store::Action;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct NoticeBarProps {
    pub(crate) notice: Option<Notice>,
    pub(crate) dispatch: Callback<Action>,
}

/// A message, until it is dismissed. Its live region is
/// there before the message is: a screen reader reads out what changes in one
/// that it knows.
#[component]
pub(crate) fn NoticeBar(props: &NoticeBarProps) -> Html {
    let notice = props.notice.as_ref();
    let is_error = notice.is_some_and(|notice| notice.is_error);
    let text = notice.map(|notice| &*notice.text);
    let dismiss = props.dispatch.reform(|_| Action::DismissNotice);
    html! {
        <div
            class={if notice.is_some() { "notice" } else { "unseen" }}
            data-error={is_error.then_some("")}
        >
            <p role="status" aria-label="Notice">{ text.filter(|_| !is_error) }</p>
            if is_error {
                <p role="alert">{ text }</p>
            }
            if notice.is_some() {
                <button class="button quiet" onclick={dismiss}>{ "Dismiss" }</button>
            }
        </div>
    }
}

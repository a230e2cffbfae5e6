use super::{Notice, ShareAction};
use crate::store::Action;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct NoticeBarProps {
    pub(crate) notice: Option<Notice>,
    pub(crate) dispatch: Callback<Action>,
}

/// A message about links and files, until it is dismissed. Its live region is
/// there before the message is: a screen reader reads out what changes in one
/// that it knows.
#[component]
pub(crate) fn NoticeBar(props: &NoticeBarProps) -> Html {
    let notice = props.notice.as_ref();
    let is_wrong = notice.is_some_and(|notice| notice.wrong);
    let text = notice.map(|notice| &*notice.text);
    let dismiss = props
        .dispatch
        .reform(|_| Action::Share(ShareAction::Dismiss));
    html! {
        <div
            class={if notice.is_some() { "notice" } else { "unseen" }}
            data-is={is_wrong.then_some("wrong")}
        >
            <p role="status" aria-label="Notice">{ text.filter(|_| !is_wrong) }</p>
            if is_wrong {
                <p role="alert">{ text }</p>
            }
            if notice.is_some() {
                <button class="button quiet" onclick={dismiss}>{ "Dismiss" }</button>
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct DialogStatusProps {
    pub(super) notice: Option<Notice>,
}

/// How what was done in the dialog went.
#[component]
pub(super) fn DialogStatus(props: &DialogStatusProps) -> Html {
    let notice = props.notice.as_ref();
    let is_wrong = notice.is_some_and(|notice| notice.wrong);
    html! {
        <p class="share-status" role="status" data-is={is_wrong.then_some("wrong")}>
            { notice.map(|notice| &*notice.text) }
        </p>
    }
}

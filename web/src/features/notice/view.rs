use super::Notice;
use crate::dom::focus;
use crate::store::Action;
use yew::prelude::*;

const STATUS_ID: &str = "notice";

/// Notice with a dismiss button. The live region is always present: screen
/// readers announce only changes inside a known live region.
pub(crate) fn notice_bar(notice: Option<&Notice>, dispatch: &Callback<Action>) -> Html {
    let is_error = notice.is_some_and(|notice| notice.is_error);
    let text = notice.map(|notice| &*notice.text);
    let is_visible = notice.is_some_and(|notice| !notice.is_spoken_only);
    // The dismiss button disappears when pressed: keep focus near its place.
    let dismiss = dispatch.reform(|_: MouseEvent| {
        focus(STATUS_ID);
        Action::DismissNotice
    });
    html! {
        <div
            class={if is_visible { "notice" } else { "unseen" }}
            data-error={is_error.then_some("")}
        >
            <p id={STATUS_ID} role="status" aria-label="Notice" tabindex="-1">{ text.filter(|_| !is_error) }</p>
            if is_error {
                <p role="alert">{ text }</p>
            }
            if is_visible {
                <button class="button quiet" onclick={dismiss}>{ "Dismiss" }</button>
            }
        </div>
    }
}

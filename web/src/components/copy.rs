use crate::clipboard::copy_text;
use yew::platform::spawn_local;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct CopyButtonProps {
    /// What is put on the clipboard.
    pub(crate) text: AttrValue,
    /// More classes of the button.
    #[prop_or_default]
    pub(crate) class: Classes,
}

/// A button that copies a text, and beside it how that went.
#[component]
pub(crate) fn CopyButton(props: &CopyButtonProps) -> Html {
    // The text that was copied last, and whether that was allowed.
    let copied = use_state_eq(|| None::<(AttrValue, bool)>);
    let onclick = {
        let (text, setter) = (props.text.clone(), copied.setter());
        Callback::from(move |_: MouseEvent| {
            let (text, setter) = (text.clone(), setter.clone());
            // A second press is reported again.
            setter.set(None);
            spawn_local(async move {
                let is_allowed = copy_text(&text).await.is_ok();
                setter.set(Some((text, is_allowed)));
            });
        })
    };
    let own = copied.as_ref().filter(|(text, _)| *text == props.text);
    let is_refused = own.is_some_and(|(_, is_allowed)| !is_allowed);
    let status = own.map(|(_, is_allowed)| {
        if *is_allowed {
            "Copied."
        } else {
            "The browser does not allow copying: select the text and copy it by hand."
        }
    });
    html! {
        <>
            <button class={classes!("button", props.class.clone())} {onclick}>{ "Copy" }</button>
            <span class="copy-status" role="status" data-error={is_refused.then_some("")}>
                { status }
            </span>
        </>
    }
}

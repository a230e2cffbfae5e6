use crate::clipboard::copy_text;
use yew::platform::spawn_local;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct CopyButtonProps {
    pub(crate) text: AttrValue,
    /// Additional classes of the button.
    #[prop_or_default]
    pub(crate) class: Classes,
}

/// Button that copies text and reports success or failure beside it.
#[component]
pub(crate) fn CopyButton(props: &CopyButtonProps) -> Html {
    // Last copied text, and whether the copy succeeded.
    let copied = use_state_eq(|| None::<(AttrValue, bool)>);
    let onclick = {
        let (text, setter) = (props.text.clone(), copied.setter());
        Callback::from(move |_: MouseEvent| {
            let (text, setter) = (text.clone(), setter.clone());
            // Cleared first so that a second press is announced again.
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
            "The browser blocked copying. Select the text and copy it manually."
        }
    });
    html! {
        <>
            <button class={classes!("button", props.class.clone())} {onclick}>{ "Copy" }</button>
            <span class="muted copy-status" role="status" data-error={is_refused.then_some("")}>
                { status }
            </span>
        </>
    }
}

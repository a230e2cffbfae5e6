use super::{EmbedAction, EmbedForm, Embedding};
use crate::components::copy::CopyButton;
use crate::components::dialog::{Dialog, close_button};
use crate::components::select::select;
use crate::features::player::Pane;
use crate::features::screen::{DialogKind, close_dialog};
use crate::features::share::page_folder;
use crate::store::{Action, Slice, State};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Embed dialog.
pub(crate) fn embed_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    let is_open = state.screen.dialog == Some(DialogKind::Embed);
    let on_action = dispatch.reform(Action::Embed);
    html! {
        <Dialog
            {is_open}
            on_close={close_dialog(dispatch)}
            label="Embed"
            class="share"
        >
            if is_open {
                { embed_box(&state.embedding, &state.embed_code(&page_folder()), state.session.position(), &on_action) }
            }
        </Dialog>
    }
}

/// Contents of the dialog: options and the resulting code.
fn embed_box(
    chosen: &Slice<Embedding>,
    code: &Result<String, String>,
    step: usize,
    on_action: &Callback<EmbedAction>,
) -> Html {
    let forms = EmbedForm::ALL.map(|form| (form, form.label()));
    let check =
        |name: String, checked: bool, choice: Callback<bool>| check(&name, checked, &choice);
    let panes = Pane::ALL.map(|pane| {
        let choice = on_action.reform(move |on| EmbedAction::Pane(pane, on));
        check(
            String::from(pane.label()),
            chosen.panes.contains(&pane),
            choice,
        )
    });
    html! {
        <>
            <h2>{ "Embed" }</h2>
            <p class="muted">
                { "An interactive copy of this scenario in another page. " }
                <a href="./guide/embedding.html">{ "Setup for mdBook, Sphinx and others" }</a>
            </p>
            <div class="share-row">
                { select("As", forms, Some(&chosen.form), &on_action.reform(EmbedAction::Form)) }
                <p class="muted">{ chosen.form.about() }</p>
            </div>
            <fieldset class="share-choices">
                <legend>{ "Below the steps" }</legend>
                { for panes }
            </fieldset>
            <fieldset class="share-choices">
                <legend>{ "And" }</legend>
                { check(
                    String::from("Read-only"),
                    chosen.read_only,
                    on_action.reform(EmbedAction::ReadOnly),
                ) }
                if step > 0 {
                    { check(
                        format!("Start at step {}", step),
                        chosen.at_step,
                        on_action.reform(EmbedAction::AtStep),
                    ) }
                }
            </fieldset>
            { match code {
                Ok(text) => code_box(text),
                Err(reason) => html! {
                    <p class="share-long">{ format!("This scenario cannot be embedded as a frame: {reason}.") }</p>
                },
            } }
            { close_button() }
        </>
    }
}

/// Checkbox.
fn check(name: &str, checked: bool, onchange: &Callback<bool>) -> Html {
    let onchange = onchange.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        input.checked()
    });
    html! {
        <label class="check">
            <input type="checkbox" checked={checked} {onchange} />
            { name }
        </label>
    }
}

/// Code to copy.
fn code_box(code: &str) -> Html {
    html! {
        <div>
            <textarea
                class="mono share-code"
                aria-label="Code"
                readonly=true
                rows="9"
                spellcheck="false"
                value={code.to_owned()}
            />
            <div class="share-row">
                <CopyButton text={code.to_owned()} class="primary" />
            </div>
        </div>
    }
}

use super::{EmbedAction, EmbedForm, Embedding};
use crate::components::copy::CopyButton;
use crate::components::dialog::{CloseButton, Dialog};
use crate::components::select::Select;
use crate::features::player::Pane;
use crate::features::screen::{DialogKind, close_dialog};
use crate::features::share::page_folder;
use crate::store::{Action, Slice, StoreProps};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Embed dialog.
#[component]
pub(crate) fn EmbedDialog(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let chosen = &state.embedding;
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
                <EmbedBox
                    chosen={chosen.clone()}
                    code={state.embed_code(&page_folder())}
                    step={state.session.position()}
                    {on_action}
                />
            }
        </Dialog>
    }
}

#[derive(Properties, PartialEq)]
struct EmbedBoxProps {
    chosen: Slice<Embedding>,
    /// Embed code, or why there is none.
    code: Result<String, String>,
    /// Position in the run.
    step: usize,
    on_action: Callback<EmbedAction>,
}

/// Contents of the dialog: options and the resulting code.
#[component]
fn EmbedBox(props: &EmbedBoxProps) -> Html {
    let EmbedBoxProps {
        chosen, on_action, ..
    } = props;
    let pick = on_action.reform(|index: usize| {
        EmbedAction::Form(
            *EmbedForm::ALL
                .get(index)
                .expect("the menu lists this value"),
        )
    });
    let forms: Vec<AttrValue> = EmbedForm::ALL
        .iter()
        .map(|form| form.label().into())
        .collect();
    let check = |name: String, checked: bool, choice: Callback<bool>| {
        html! { <Check {name} {checked} onchange={choice} /> }
    };
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
                <Select
                    label="As"
                    options={forms}
                    chosen={EmbedForm::ALL.iter().position(|form| *form == chosen.form)}
                    on_pick={pick}
                />
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
                if props.step > 0 {
                    { check(
                        format!("Start at step {}", props.step),
                        chosen.at_step,
                        on_action.reform(EmbedAction::AtStep),
                    ) }
                }
            </fieldset>
            { match &props.code {
                Ok(code) => html! { <Code code={code.clone()} /> },
                Err(reason) => html! {
                    <p class="share-long">{ format!("This scenario cannot be embedded as a frame: {reason}.") }</p>
                },
            } }
            <CloseButton />
        </>
    }
}

#[derive(Properties, PartialEq)]
struct CheckProps {
    name: String,
    checked: bool,
    onchange: Callback<bool>,
}

/// Checkbox.
#[component]
fn Check(props: &CheckProps) -> Html {
    let onchange = props.onchange.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        input.checked()
    });
    html! {
        <label class="check">
            <input type="checkbox" checked={props.checked} {onchange} />
            { &props.name }
        </label>
    }
}

#[derive(Properties, PartialEq)]
struct CodeProps {
    code: String,
}

/// Code to copy.
#[component]
fn Code(props: &CodeProps) -> Html {
    html! {
        <div>
            <textarea
                class="mono share-code"
                aria-label="Code"
                readonly=true
                rows="9"
                spellcheck="false"
                value={props.code.clone()}
            />
            <div class="share-row">
                <CopyButton text={props.code.clone()} class="primary" />
            </div>
        </div>
    }
}

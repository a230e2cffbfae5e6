//! The dialog "Embed": code that puts the scenario into another page.

use super::{EmbedChoice, EmbedForm, Embedding, ShareAction};
use crate::components::copy::CopyButton;
use crate::components::dialog::{CloseButton, Dialog};
use crate::components::select::Select;
use crate::features::embed::Pane;
use crate::store::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct EmbedDialogProps {
    pub(crate) chosen: Embedding,
    /// The code, or why there is none.
    pub(crate) code: Result<String, String>,
    /// The position in the run.
    pub(crate) step: usize,
    pub(crate) dispatch: Callback<Action>,
}

/// The dialog "Embed".
#[component]
pub(crate) fn EmbedDialog(props: &EmbedDialogProps) -> Html {
    let chosen = &props.chosen;
    let on_choice = props
        .dispatch
        .reform(|choice| Action::Share(ShareAction::Embed(choice)));
    let pick = on_choice.reform(|index: usize| {
        EmbedChoice::Form(*EmbedForm::ALL.get(index).expect("the menu offers these"))
    });
    let forms: Vec<AttrValue> = EmbedForm::ALL
        .iter()
        .map(|form| form.name().into())
        .collect();
    let check = |name: String, checked: bool, choice: Callback<bool>| {
        html! { <Check {name} {checked} onchange={choice} /> }
    };
    let panes = Pane::ALL.map(|pane| {
        let choice = on_choice.reform(move |on| EmbedChoice::Pane(pane, on));
        check(
            String::from(pane.label()),
            chosen.panes.contains(&pane),
            choice,
        )
    });
    html! {
        <Dialog
            is_open={chosen.open}
            on_close={on_choice.reform(|()| EmbedChoice::Close)}
            label="Embed"
            class="share"
        >
            <h2>{ "Embed" }</h2>
            <p class="muted">
                { "A live copy of this scenario in another page. " }
                <a href="./guide/embedding.html">{ "How, in mdBook, Sphinx and others" }</a>
            </p>
            <div class="share-row">
                <Select
                    label="As"
                    options={forms}
                    chosen={EmbedForm::ALL.iter().position(|form| *form == chosen.form)}
                    onpick={pick}
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
                    on_choice.reform(EmbedChoice::ReadOnly),
                ) }
                if props.step > 0 {
                    { check(
                        format!("Start at step {}", props.step),
                        chosen.at_step,
                        on_choice.reform(EmbedChoice::AtStep),
                    ) }
                }
            </fieldset>
            { match &props.code {
                Ok(code) => html! { <Code code={code.clone()} /> },
                Err(reason) => html! {
                    <p class="share-long">{ format!("There is no such frame: {reason}.") }</p>
                },
            } }
            <CloseButton />
        </Dialog>
    }
}

#[derive(Properties, PartialEq)]
struct CheckProps {
    name: String,
    checked: bool,
    onchange: Callback<bool>,
}

/// A box to be ticked.
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

/// The code to be copied.
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

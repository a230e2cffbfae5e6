use super::{EmbedAction, EmbedForm, Embedding};
use crate::components::check::check;
use crate::components::copy::CopyButton;
use crate::components::dialog::close_button;
use crate::components::select::select;
use crate::features::player::Pane;
use crate::features::screen::{DialogKind, dialog};
use crate::features::share::shared_folder;
use crate::store::{Action, State};
use yew::prelude::*;

/// Start of a comment that states the end of the run.
const CLAIM: &str = "// ends:";

pub(crate) fn embed_dialog(state: &State, dispatch: &Callback<Action>) -> Html {
    dialog(state, DialogKind::Embed, "Embed", "share", dispatch, || {
        embed_box(state, dispatch)
    })
}

/// Contents of the dialog: options and the resulting code.
fn embed_box(state: &State, dispatch: &Callback<Action>) -> Html {
    let (chosen, step) = (&state.embedding, state.session.position());
    let code = state.embed_code(&shared_folder(state.screen.is_served));
    let set = |embedding: Embedding| Action::Embed(EmbedAction::Set(embedding));
    let option = |label: &str, is_on: bool, toggled: Embedding| {
        let on_change = dispatch.reform(move |_: bool| set(toggled.clone()));
        check(label, is_on, &on_change)
    };
    let panes = Pane::ALL.map(|pane| {
        let is_on = chosen.panes.contains(&pane);
        option(pane.label(), is_on, chosen.toggled(pane))
    });
    let forms = EmbedForm::ALL.map(|form| (form, form.label()));
    let on_form = {
        let chosen = Embedding::clone(chosen);
        dispatch.reform(move |form| {
            set(Embedding {
                form,
                ..chosen.clone()
            })
        })
    };
    let with = |change: fn(&mut Embedding)| {
        let mut changed = Embedding::clone(chosen);
        change(&mut changed);
        changed
    };
    let read_only = with(|embedding| embedding.read_only ^= true);
    let at_step = with(|embedding| embedding.at_step ^= true);
    html! {
        <>
            <h2>{ "Embed" }</h2>
            <p class="muted">
                { "An interactive copy of this scenario in another page. " }
                <a href="./guide/embedding.html">{ "Setup for mdBook, Sphinx and others" }</a>
            </p>
            <div class="wrapping share-row">
                { select("Format", forms, Some(&chosen.form), &on_form) }
                <p class="muted">{ chosen.form.about() }</p>
            </div>
            <fieldset class="wrapping share-choices">
                <legend class="muted">{ "Panes" }</legend>
                { for panes }
            </fieldset>
            <fieldset class="wrapping share-choices">
                <legend class="muted">{ "Options" }</legend>
                { option("Read-only", chosen.read_only, read_only) }
                if step > 0 {
                    { option(&format!("Start at step {step}"), chosen.at_step, at_step) }
                }
            </fieldset>
            if state.text().contains(CLAIM) {
                <p class="muted">
                    <code>{ CLAIM }</code>
                    { " states what the run leaves: the player warns (W0715) if an edit leaves something else. You can delete the line." }
                </p>
            }
            { match code {
                Ok(text) => code_box(&text),
                Err(reason) => html! {
                    <p class="share-long">{ format!("This scenario cannot be embedded as a frame: {reason}.") }</p>
                },
            } }
            { close_button() }
        </>
    }
}

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
            <div class="wrapping share-row">
                <CopyButton text={code.to_owned()} class="primary" />
            </div>
        </div>
    }
}

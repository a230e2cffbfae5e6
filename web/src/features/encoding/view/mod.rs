//! The bits of the current instruction: to edit as digits, drawn, and field by
//! field; and a form that decodes bytes from elsewhere.

mod edit;
mod fields;
mod messages;
mod paste;
mod picture;

use super::EncodingAction;
use crate::components::copy::CopyButton;
use crate::features::encoding::model::paste::PasteForm;
use crate::features::encoding::model::view::{EncodingInputs, View};
use crate::store::{Action, StoreProps};
use edit::BitsEditor;
use fields::{FieldTable, LitFields};
use lanewise_core::bits::Field;
use paste::DecodeForm;
use picture::BitPicture;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct EncodingProps {
    /// `None` without an instruction.
    pub(crate) view: Option<View>,
    pub(crate) form: PasteForm,
    pub(crate) dispatch: Callback<Action>,
}

/// The encoding of the current instruction, and the form to decode bytes.
#[component]
pub(crate) fn Encoding(props: &EncodingProps) -> Html {
    let dispatch = use_callback(props.dispatch.clone(), |action, dispatch| {
        dispatch.emit(Action::Encoding(action));
    });
    html! {
        <div class="encoding">
            if let Some(view) = props.view.clone() {
                <Bits {view} dispatch={dispatch.clone()} />
            } else {
                <p class="empty">{ "Write an instruction to see its bits." }</p>
            }
            <DecodeForm form={props.form.clone()} {dispatch} />
        </div>
    }
}

/// The encoding as a pane of its own.
#[component]
pub(crate) fn EncodingPane(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let slices = (
        state.encoding.clone(),
        state.session.clone(),
        state.source.clone(),
    );
    let model = use_memo(slices, |(encoding, session, source)| {
        let inputs = EncodingInputs {
            encoding,
            session,
            source,
        };
        (inputs.view(), inputs.paste_form())
    });
    let (view, form) = (*model).clone();
    html! {
        <section class="pane" aria-labelledby="encoding-title">
            <h2 id="encoding-title" class="unseen">{ "Encoding" }</h2>
            <Encoding {view} {form} dispatch={dispatch.clone()} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct BitsProps {
    view: View,
    dispatch: Callback<EncodingAction>,
}

/// What the current instruction is made of. The field under the pointer or
/// the focus is lit here and in the text.
#[component]
fn Bits(props: &BitsProps) -> Html {
    let BitsProps { view, dispatch } = props;
    let fields: Rc<[Field]> = view.encoding.all_fields().into();
    let light = {
        let (last, dispatch) = (use_mut_ref(|| None), dispatch.clone());
        Callback::from(move |field: Option<usize>| {
            if last.replace(field) != field {
                dispatch.emit(EncodingAction::Light(field));
            }
        })
    };
    {
        // Nothing stays lit when the pane goes with the pointer on it.
        let dispatch = dispatch.clone();
        use_effect_with((), move |()| {
            move || dispatch.emit(EncodingAction::Light(None))
        });
    }
    html! {
        <div
            class="bits"
            onmouseover={light.reform(|event: MouseEvent| field_at(event.target()))}
            onmouseout={light.reform(|event: MouseEvent| field_at(event.related_target()))}
            onfocusin={light.reform(|event: FocusEvent| field_at(event.target()))}
            onfocusout={light.reform(|event: FocusEvent| field_at(event.related_target()))}
        >
            <div class="bits-tools">
                <CopyButton text={view.encoding.digits()} class="quiet small" />
            </div>
            <div class="bits-columns">
                <div>
                    <BitsEditor view={view.clone()} dispatch={dispatch.clone()} />
                    <BitPicture view={view.clone()} fields={Rc::clone(&fields)} />
                    <LitFields view={view.clone()} fields={Rc::clone(&fields)} />
                </div>
                <details open=true>
                    <summary>{ format!("{} fields", fields.len()) }</summary>
                    <FieldTable view={view.clone()} {fields} dispatch={dispatch.clone()} />
                </details>
            </div>
        </div>
    }
}

/// The field that an element belongs to, by its index.
fn field_at(target: Option<EventTarget>) -> Option<usize> {
    let element = target?.dyn_into::<Element>().ok()?;
    let field = element.closest("[data-field]").ok()??;
    field.get_attribute("data-field")?.parse().ok()
}

//! Encoding of the current instruction: editable digits, picture of the bits,
//! field table, and a decoder for other bytes.

mod edit;
mod fields;
mod messages;
mod paste;
mod picture;

use super::EncodingAction;
use crate::components::copy::CopyButton;
use crate::dom::data_at;
use crate::features::encoding::model::EncodedInstruction;
use crate::features::encoding::model::edit::TypedDigits;
use crate::features::encoding::model::inputs::{EncodingInputs, EncodingModel};
use crate::features::encoding::model::paste::PasteForm;
use crate::features::highlight::use_encoding_highlight;
use crate::store::{Action, StoreProps};
use edit::DigitsEditor;
use fields::{FieldTable, lit_fields};
use paste::DecodeForm;
use picture::bit_picture;
use std::rc::Rc;
use web_sys::EventTarget;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// Encoding tab.
#[component]
pub(crate) fn EncodingPane(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let on_action = use_callback(dispatch.clone(), |action, dispatch| {
        dispatch.emit(Action::Encoding(action));
    });
    let highlight = use_encoding_highlight();
    let inputs = state.encoding_inputs();
    let model = use_memo(inputs.clone(), EncodingInputs::model);
    let form = use_memo(
        (state.encoding.clone(), state.source.clone()),
        |(encoding, source)| PasteForm::of(&encoding.pasted, source),
    );
    let highlighted = use_memo((inputs, highlight.pointed), |(inputs, pointed)| {
        inputs.highlighted_fields(*pointed)
    });
    html! {
        <section class="pane" aria-labelledby="encoding-title">
            <h2 id="encoding-title" class="unseen">{ "Encoding" }</h2>
            <div class="encoding">
                if let Some(EncodingModel { instruction, typed }) = &*model {
                    <CurrentInstruction
                        instruction={Rc::clone(instruction)}
                        typed={typed.clone()}
                        highlighted={Rc::clone(&*highlighted)}
                        on_light={highlight.set_field}
                        on_action={on_action.clone()}
                    />
                } else {
                    <p class="empty">{ "Write an instruction to see its bits." }</p>
                }
                <DecodeForm {form} {on_action} />
            </div>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct CurrentInstructionProps {
    instruction: Rc<EncodedInstruction>,
    typed: Option<Rc<TypedDigits>>,
    /// Indices of the highlighted fields.
    highlighted: Rc<[usize]>,
    /// Called with the index of the field under the pointer or focus.
    on_light: Callback<Option<usize>>,
    on_action: Callback<EncodingAction>,
}

/// Encoding of the current instruction. The field under the pointer or focus is
/// highlighted here and in the text.
#[component]
fn CurrentInstruction(props: &CurrentInstructionProps) -> Html {
    let CurrentInstructionProps {
        instruction,
        typed,
        highlighted,
        on_light,
        on_action,
    } = props;
    {
        // Clears the highlight if the pane is removed under the pointer.
        let on_light = on_light.clone();
        use_effect_with((), move |()| move || on_light.emit(None));
    }
    let point = on_light.reform(field_at);
    html! {
        <div
            class="bits"
            onmouseover={point.reform(|event: MouseEvent| event.target())}
            onmouseout={point.reform(|event: MouseEvent| event.related_target())}
            onfocusin={point.reform(|event: FocusEvent| event.target())}
            onfocusout={point.reform(|event: FocusEvent| event.related_target())}
        >
            <div class="bits-tools">
                <CopyButton text={instruction.digits()} class="quiet small" />
            </div>
            <div class="bits-columns">
                <div>
                    <DigitsEditor
                        instruction={Rc::clone(instruction)}
                        typed={typed.clone()}
                        on_action={on_action.clone()}
                    />
                    { bit_picture(instruction, highlighted) }
                    { lit_fields(instruction, highlighted) }
                </div>
                <details open=true>
                    <summary>{ format!("{} fields", instruction.fields.len()) }</summary>
                    <FieldTable
                        instruction={Rc::clone(instruction)}
                        typed={typed.clone()}
                        highlighted={Rc::clone(highlighted)}
                        on_action={on_action.clone()}
                    />
                </details>
            </div>
        </div>
    }
}

/// Index of the field that an element belongs to.
fn field_at(target: Option<EventTarget>) -> Option<usize> {
    data_at(target?.dyn_ref()?, "data-field")
}

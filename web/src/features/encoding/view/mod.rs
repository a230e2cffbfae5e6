//! Encoding of the current instruction: editable digits, picture of the bits,
//! field table, and a decoder for other bytes.

mod edit;
mod fields;
mod messages;
mod paste;
mod picture;

use crate::components::copy::CopyButton;
use crate::dom::data_at;
use crate::features::encoding::model::paste::PasteForm;
use crate::features::highlight::use_encoding_highlight;
use crate::store::{Action, StoreProps};
use edit::digits_editor;
use fields::{field_table, highlighted_fields};
use paste::decode_form;
use picture::bit_picture;
use web_sys::EventTarget;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

/// Encoding tab. The field under the pointer or focus is highlighted here and in
/// the text.
#[component]
pub(crate) fn EncodingPane(props: &StoreProps) -> Html {
    let StoreProps { state, dispatch } = props;
    let on_action = dispatch.reform(Action::Encoding);
    let read_only = state.is_read_only();
    let highlight = use_encoding_highlight();
    let inputs = (
        state.encoding.clone(),
        state.session.clone(),
        state.source.clone(),
    );
    let form = use_memo(
        (state.encoding.clone(), state.source.clone()),
        |(encoding, source)| PasteForm::of(&encoding.pasted, source),
    );
    let encoded = use_memo(inputs, |_| state.encoded_instruction());
    let point = highlight.set_field.reform(field_at);
    {
        // Clears the highlight if the pane is removed under the pointer.
        let set_field = highlight.set_field.clone();
        use_effect_with((), move |()| move || set_field.emit(None));
    }
    let instruction = encoded.as_ref().as_ref().map(|instruction| {
        let typed = state.typed_digits();
        let highlighted = state.highlighted_fields(highlight.pointed);
        let digits = digits_editor(instruction, typed, read_only, &on_action);
        let table = field_table(instruction, typed, &highlighted, read_only, &on_action);
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
                        { digits }
                        { bit_picture(instruction, &highlighted) }
                        { highlighted_fields(instruction, &highlighted) }
                    </div>
                    <details open=true>
                        <summary>{ format!("{} fields", instruction.fields.len()) }</summary>
                        { table }
                    </details>
                </div>
            </div>
        }
    });
    html! {
        <section class="pane" aria-labelledby="encoding-title">
            <h2 id="encoding-title" class="unseen">{ "Encoding" }</h2>
            <div class="encoding">
                if let Some(instruction) = instruction {
                    { instruction }
                } else {
                    <p class="empty">{ "Type an instruction to see its bits." }</p>
                }
                { decode_form(&form, read_only, &on_action) }
            </div>
        </section>
    }
}

/// Index of the field that an element belongs to.
fn field_at(target: Option<EventTarget>) -> Option<usize> {
    data_at(target?.dyn_ref()?, "data-field")
}

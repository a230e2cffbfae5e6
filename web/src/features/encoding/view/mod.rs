//! Encoding of the current instruction: editable digits, picture of the bits,
//! field table, and a decoder for other bytes.

mod edit;
mod fields;
mod messages;
mod paste;
mod picture;

use crate::components::copy::CopyButton;
use crate::components::read_only::use_read_only;
use crate::dom::data_at;
use crate::features::encoding::model::paste::PasteForm;
use crate::features::encoding::model::{EncodingState, highlighted_fields};
use crate::features::highlight::use_encoding_highlight;
use crate::features::program::Document;
use crate::store::{Action, Slice};
use edit::digits_editor;
use fields::{field_table, readout};
use lanewise_core::diagnostic::Span;
use lanewise_core::session::Session;
use lanewise_core::text::capitalized;
use messages::diagnostic_message;
use paste::decode_form;
use picture::bit_picture;
use web_sys::EventTarget;
use web_sys::wasm_bindgen::JsCast;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct EncodingPaneProps {
    pub(crate) session: Slice<Session>,
    pub(crate) document: Document,
    pub(crate) encoding: Slice<EncodingState>,
    pub(crate) dispatch: Callback<Action>,
}

/// Encoding tab. The field under the pointer or focus is highlighted here and in
/// the text.
#[component]
pub(crate) fn EncodingPane(props: &EncodingPaneProps) -> Html {
    let EncodingPaneProps {
        session,
        document,
        encoding,
        dispatch,
    } = props;
    let on_action = dispatch.reform(Action::Encoding);
    let read_only = use_read_only();
    let highlight = use_encoding_highlight();
    let form = use_memo(
        (encoding.clone(), document.clone()),
        |(encoding, document)| PasteForm::of(&encoding.pasted, document),
    );
    let encoded = use_memo(
        (encoding.clone(), session.clone(), document.clone()),
        |(encoding, session, document)| encoding.encoded_instruction(session, document),
    );
    let point = highlight.set_field.reform(field_at);
    {
        // Clears the highlight if the pane is removed under the pointer.
        let set_field = highlight.set_field.clone();
        use_effect_with((), move |()| move || set_field.emit(None));
    }
    let instruction = encoded.as_ref().as_ref().map(|instruction| {
        let target = document.program.symbols.target;
        if let Some(error) = target.encoding_error(Span::default()) {
            return html! { <p class="empty">{ capitalized(&error.what) }{ "." }</p> };
        }
        if let Some(error) = &instruction.error {
            return diagnostic_message(error);
        }
        let typed = encoding.typed_digits(session, document);
        let highlighted = highlighted_fields(session, document, highlight.pointed);
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
                        { readout(instruction, &highlighted) }
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

use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::EditedPart;
use crate::features::encoding::model::view::{Typed, View};
use crate::features::encoding::view::messages::TypedMessages;
use lanewise_core::isa::Family;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct BitsEditorProps {
    pub(crate) view: View,
    pub(crate) dispatch: Callback<EncodingAction>,
}

/// The digits of the whole instruction, to be edited, and what is wrong with
/// them.
#[component]
pub(crate) fn BitsEditor(props: &BitsEditorProps) -> Html {
    let BitsEditorProps { view, dispatch } = props;
    let encoding = &view.encoding;
    let label = match encoding.family() {
        Family::Visa => "Bytes",
        Family::Sass => "Word",
    };
    let has_slot = !encoding.slot_fields().is_empty();
    let typed_at = |place: EditedPart| view.typed.clone().filter(|typed| typed.place == place);
    let readonly = !encoding.is_written();
    let of_field = |typed: &&Typed| matches!(typed.place, EditedPart::Field(_));
    let typed = view
        .typed
        .as_ref()
        .filter(|typed| !of_field(typed))
        .cloned();
    html! {
        <div class="digits-edit">
            <div class="digits-row">
                <Digits
                    {label}
                    place={EditedPart::Whole}
                    digits={encoding.digits()}
                    typed={typed_at(EditedPart::Whole)}
                    {readonly}
                    dispatch={dispatch.clone()}
                />
                if has_slot {
                    <Digits
                        label="Control slot"
                        place={EditedPart::Slot}
                        digits={format!("0x{:06x}", encoding.slot_bits())}
                        typed={typed_at(EditedPart::Slot)}
                        {readonly}
                        dispatch={dispatch.clone()}
                    />
                }
            </div>
            <div id="encoding-messages" role="status">
                if readonly {
                    <p class="muted">
                        { "The text has errors: these are the bits of the last valid program. Fix the errors to edit them." }
                    </p>
                }
                if let Some(typed) = typed {
                    <TypedMessages {typed} dispatch={dispatch.clone()} />
                }
            </div>
            if has_slot && !encoding.says_slot() {
                <p class="muted">
                    { "The text does not give its slot of the control word: no barriers, no hint, no stall." }
                </p>
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct DigitsProps {
    label: &'static str,
    place: EditedPart,
    /// The digits that the text stands for.
    digits: String,
    /// What was typed instead.
    typed: Option<Typed>,
    readonly: bool,
    dispatch: Callback<EncodingAction>,
}

/// A box of hexadecimal digits.
#[component]
fn Digits(props: &DigitsProps) -> Html {
    let place = props.place;
    let typed = props.typed.as_ref();
    let value = typed.map_or_else(|| props.digits.clone(), |typed| typed.text.to_string());
    let oninput = props.dispatch.reform(move |event: InputEvent| {
        let area: HtmlTextAreaElement = event.target_unchecked_into();
        EncodingAction::Type(place, area.value())
    });
    let rows = value.len().div_ceil(60).clamp(1, 6);
    html! {
        <label class="field digits-field">
            <span>{ props.label }</span>
            <textarea
                rows={rows.to_string()}
                class="mono"
                aria-label={props.label}
                aria-invalid={typed.filter(|typed| typed.is_wrong).map(|_| "true")}
                aria-describedby="encoding-messages"
                readonly={props.readonly}
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                {value}
                {oninput}
            />
        </label>
    }
}

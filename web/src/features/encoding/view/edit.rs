use crate::dom::value_of;
use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::edit::TypedDigits;
use crate::features::encoding::view::messages::typed_messages;
use lanewise_answer::decoding::{EditedBits, EncodedInstruction};
use lanewise_core::isa::EncodingUnit;
use yew::prelude::*;

/// Editable digits of the whole instruction, with messages.
pub(super) fn digits_editor(
    instruction: &EncodedInstruction,
    typed: Option<&TypedDigits>,
    read_only: bool,
    on_action: &Callback<EncodingAction>,
) -> Html {
    let label = match instruction.unit() {
        EncodingUnit::Byte => "Bytes",
        EncodingUnit::Word => "Word",
    };
    let (_, slot_fields) = instruction.own_and_slot_fields();
    let has_slot = !slot_fields.is_empty();
    let readonly = read_only || !instruction.is_written();
    let typed = typed.filter(|typed| !matches!(typed.edited, EditedBits::Field(_)));
    let input = |label, edited, digits: String| {
        let typed = typed.filter(|typed| typed.edited == edited);
        digits_input(label, edited, digits, typed, readonly, on_action)
    };
    html! {
        <div class="digits-edit">
            <div class="digits-row">
                { input(label, EditedBits::Whole, instruction.digits()) }
                if has_slot {
                    { input("Control slot", EditedBits::Slot, format!("0x{:06x}", instruction.slot_bits)) }
                }
            </div>
            <div id="encoding-messages" role="status">
                if !instruction.is_written() {
                    <p class="muted">
                        { "The text has errors; this is the encoding of your previous program. Fix the errors to edit it." }
                    </p>
                }
                if let Some(typed) = typed {
                    { typed_messages(typed, on_action) }
                }
            </div>
            if has_slot && !instruction.specifies_slot() {
                <p class="muted">
                    { "The text does not specify this instruction's slot of the control word. The default has no barriers, hint or stall." }
                </p>
            }
        </div>
    }
}

/// Text field for hexadecimal digits.
fn digits_input(
    label: &'static str,
    edited: EditedBits,
    digits: String,
    typed: Option<&TypedDigits>,
    readonly: bool,
    on_action: &Callback<EncodingAction>,
) -> Html {
    let value = typed.map_or(digits, |typed| typed.digits.clone());
    let oninput =
        on_action.reform(move |event: InputEvent| EncodingAction::Type(edited, value_of(&event)));
    let rows = value.len().div_ceil(60).clamp(1, 6);
    html! {
        <label class="field digits-field">
            <span>{ label }</span>
            <textarea
                rows={rows.to_string()}
                class="mono"
                aria-label={label}
                aria-invalid={typed.filter(|typed| typed.is_wrong()).map(|_| "true")}
                aria-describedby="encoding-messages"
                readonly={readonly}
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                {value}
                {oninput}
            />
        </label>
    }
}

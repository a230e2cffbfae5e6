use crate::components::read_only::use_read_only;
use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::edit::TypedDigits;
use crate::features::encoding::model::{EditedBits, EncodedInstruction};
use crate::features::encoding::view::messages::typed_messages;
use lanewise_core::isa::Family;
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct DigitsEditorProps {
    pub(crate) instruction: Rc<EncodedInstruction>,
    pub(crate) typed: Option<Rc<TypedDigits>>,
    pub(crate) on_action: Callback<EncodingAction>,
}

/// Editable digits of the whole instruction, with messages.
#[component]
pub(crate) fn DigitsEditor(props: &DigitsEditorProps) -> Html {
    let DigitsEditorProps {
        instruction,
        typed,
        on_action,
    } = props;
    let label = match instruction.family() {
        Family::Visa => "Bytes",
        Family::Sass => "Word",
    };
    let (_, slot_fields) = instruction.own_and_slot_fields();
    let has_slot = !slot_fields.is_empty();
    let typed_in = |edited: EditedBits| typed.clone().filter(|typed| typed.edited == edited);
    let read_only = use_read_only();
    let readonly = read_only || !instruction.is_written();
    let of_field = |typed: &Rc<TypedDigits>| matches!(typed.edited, EditedBits::Field(_));
    let typed = typed.clone().filter(|typed| !of_field(typed));
    html! {
        <div class="digits-edit">
            <div class="digits-row">
                { digits_input(label, EditedBits::Whole, &instruction.digits(), &typed_in(EditedBits::Whole), readonly, on_action) }
                if has_slot {
                    { digits_input("Control slot", EditedBits::Slot, &format!("0x{:06x}", instruction.slot_bits), &typed_in(EditedBits::Slot), readonly, on_action) }
                }
            </div>
            <div id="encoding-messages" role="status">
                if !instruction.is_written() {
                    <p class="muted">
                        { "The text has errors; this is the encoding of your previous program. Fix the errors to edit it." }
                    </p>
                }
                if let Some(typed) = typed {
                    { typed_messages(&typed, on_action) }
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
    digits: &str,
    typed: &Option<Rc<TypedDigits>>,
    readonly: bool,
    on_action: &Callback<EncodingAction>,
) -> Html {
    let typed = typed.as_ref();
    let value = typed.map_or_else(|| digits.to_string(), |typed| typed.digits.to_string());
    let oninput = on_action.reform(move |event: InputEvent| {
        let area: HtmlTextAreaElement = event.target_unchecked_into();
        EncodingAction::Type(edited, area.value())
    });
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

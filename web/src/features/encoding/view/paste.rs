use super::fields::decoded_fields;
use crate::components::select::select;
use crate::dom::value_of;
use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::paste::PasteForm;
use crate::features::encoding::view::messages::{diagnostic_message, message, program_lines};
use lanewise_answer::decoding::PastedItem;
use lanewise_core::isa::{EncodingUnit, Family};
use yew::prelude::*;

/// Decoder for bytes from other sources.
pub(super) fn decode_form(
    form: &PasteForm,
    read_only: bool,
    on_action: &Callback<EncodingAction>,
) -> Html {
    let on_pick = on_action.reform(EncodingAction::PasteFor);
    let families = Family::ALL.map(|family| (family, family.facts().title));
    let unit = form.family.facts().encoding_unit;
    let hint = match unit {
        EncodingUnit::Byte => {
            "One or more instructions, first byte first: 7d 02 04 …, 0x7d, 0x02, … or \\x7d\\x02…"
        }
        EncodingUnit::Word => {
            "Words of 16 digits. A group of four is a control word followed by three instructions."
        }
    };
    let oninput = on_action.reform(|event: InputEvent| EncodingAction::Paste(value_of(&event)));
    let found = &form.found;
    let invalid = found.wrong.is_some() && found.items.is_empty();
    let refused = match &*form.refused {
        "" if read_only => "This program is read-only.",
        refused => refused,
    };
    let items = found.items.iter().map(|item| decoded_item(item, unit));
    html! {
        <details class="paste">
            <summary>{ "Decode bytes" }</summary>
            { select("Instruction set", families, Some(&form.family), &on_pick) }
            <p id="paste-hint" class="muted">{ hint }</p>
            <textarea
                rows="3"
                class="mono"
                aria-label="Bytes to decode"
                aria-describedby="paste-hint"
                aria-invalid={invalid.then_some("true")}
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                value={form.typed.to_string()}
                {oninput}
            />
            <div role="status">
                if let Some(wrong) = &found.wrong {
                    { message("error", wrong) }
                }
                if let Some(line) = form.inserted {
                    <p>{ format!("Inserted at line {line}.") }</p>
                }
            </div>
            <ul class="paste-items">
                { for items }
            </ul>
            if !found.declare.is_empty() {
                <div class="offer">
                    <p>{ "These declarations are missing from the program:" }</p>
                    { program_lines(&found.declare) }
                </div>
            }
            if !found.items.is_empty() {
                <div class="offer">
                    <button
                        class="button"
                        aria-disabled={(!refused.is_empty()).then_some("true")}
                        onclick={on_action.reform(|_: MouseEvent| EncodingAction::Insert)}
                    >
                        { "Insert into the program" }
                    </button>
                    if !refused.is_empty() {
                        <p class="muted">{ refused }</p>
                    }
                </div>
            }
        </details>
    }
}

/// Decoded instruction or word.
fn decoded_item(item: &PastedItem, unit: EncodingUnit) -> Html {
    html! {
        // Expanded fields belong to this item.
        <li key={format!("{} {}", item.place, item.digits)}>
            <p class="muted">{ &item.place }{ " " }<span class="mono">{ &item.digits }</span></p>
            if !item.text.is_empty() {
                <p class="mono paste-text">{ &item.text }</p>
            }
            { for item.diagnostics.iter().map(diagnostic_message) }
            if !item.fields.is_empty() {
                <details>
                    <summary>{ format!("{} fields", item.fields.len()) }</summary>
                    { decoded_fields(&item.fields, unit) }
                </details>
            }
        </li>
    }
}

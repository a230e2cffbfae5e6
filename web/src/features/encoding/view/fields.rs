use crate::components::hue::hue;
use crate::dom::value_of;
use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::edit::TypedDigits;
use crate::features::encoding::view::messages::typed_messages;
use lanewise_answer::decoding::{EditedBits, EncodedInstruction};
use lanewise_core::bits::Field;
use lanewise_core::isa::EncodingUnit;
use lanewise_core::text::SyntaxPart;
use yew::prelude::*;

/// Letter of a field in the picture of the bits.
pub(super) fn letter(index: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    LETTERS.get(index).map_or('·', |letter| char::from(*letter))
}

/// Hue of a field: operands have hues in order; `None` for ignored bits.
pub(super) fn operand_hue(fields: &[Field], field: &Field) -> Option<String> {
    if field.part == SyntaxPart::Ignored {
        return None;
    }
    let mut parts: Vec<SyntaxPart> = fields.iter().map(|field| field.part).collect();
    parts.retain(|part| *part != SyntaxPart::Ignored);
    parts.dedup();
    let number = parts.iter().position(|part| *part == field.part);
    let number = number.expect("the field is one of the fields");
    Some(hue(number as u32))
}

/// Location of a field: bytes, bits of a byte, or bits of a word.
fn bits(field: &Field, unit: EncodingUnit) -> String {
    let (first, last) = (field.first_bit, field.first_bit + field.width - 1);
    // Bytes are listed first to last, bits from the most significant down.
    let range = |what: &str, from: u32, to: u32| {
        if from == to {
            format!("{what} {from}")
        } else {
            format!("{what}s {from}–{to}")
        }
    };
    match unit {
        EncodingUnit::Word => range("bit", last, first),
        EncodingUnit::Byte if first % 8 == 0 && last % 8 == 7 => range("byte", first / 8, last / 8),
        EncodingUnit::Byte if first / 8 == last / 8 => {
            let bits = range("bit", last % 8, first % 8);
            format!("byte {}, {bits}", first / 8)
        }
        EncodingUnit::Byte => format!(
            "byte {}, bit {} to byte {}, bit {}",
            first / 8,
            first % 8,
            last / 8,
            last % 8
        ),
    }
}

fn value(field: &Field) -> String {
    format!("{:#x}", field.bits)
}

/// Letter of a field, in its hue.
fn field_chip(index: usize, fields: &[Field]) -> Html {
    let hue = operand_hue(fields, &fields[index]);
    html! { <span class="chip mono" data-hue={hue}>{ letter(index) }</span> }
}

/// Column headings.
fn table_head() -> Html {
    let names = ["Key", "Field", "Location", "Value", "Meaning"];
    let names = names.map(|name| html! { <div role="columnheader">{ name }</div> });
    html! { <div role="row" class="field-head">{ for names }</div> }
}

/// First cells of a row: letter, name and location of a field.
fn leading_cells(index: usize, fields: &[Field], unit: EncodingUnit) -> Html {
    let field = &fields[index];
    html! {
        <>
            <div role="cell" class="key">{ field_chip(index, fields) }</div>
            <div role="rowheader" class="name">{ field.name }</div>
            <div role="cell" class="where muted">{ bits(field, unit) }</div>
        </>
    }
}

/// Table of the current instruction's fields, with editable values.
pub(super) fn field_table(
    instruction: &EncodedInstruction,
    typed: Option<&TypedDigits>,
    highlighted: &[usize],
    read_only: bool,
    on_action: &Callback<EncodingAction>,
) -> Html {
    let read_only = read_only || !instruction.is_written();
    let (own, _) = instruction.own_and_slot_fields();
    let row = |(index, field): (usize, &Field)| {
        let typed = typed.filter(|typed| typed.edited == EditedBits::Field(index));
        let text = typed.map_or_else(|| value(field), |typed| typed.digits.clone());
        let oninput = on_action.reform(move |event: InputEvent| {
            EncodingAction::Type(EditedBits::Field(index), value_of(&event))
        });
        let messages = AttrValue::from(format!("field-messages-{index}"));
        let of_slot = if index >= own.len() {
            " of the slot"
        } else {
            ""
        };
        html! {
            <div
                key={index}
                role="row"
                class="field-row"
                data-field={index.to_string()}
                data-lit={highlighted.contains(&index).then_some("")}
            >
                { leading_cells(index, &instruction.fields, instruction.unit()) }
                <div role="cell" class="value">
                    <input
                        class="mono"
                        aria-label={format!("{}{of_slot}: value", field.name)}
                        aria-invalid={typed.filter(|typed| typed.is_wrong()).map(|_| "true")}
                        aria-describedby={typed.map(|_| messages.clone())}
                        readonly={read_only || field.part == SyntaxPart::Ignored}
                        size="10"
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        value={text}
                        {oninput}
                    />
                </div>
                <div role="cell" class="meaning">
                    { &field.meaning }
                    <div id={messages} role="status">
                        if let Some(typed) = typed {
                            { typed_messages(typed, on_action) }
                        }
                    </div>
                </div>
            </div>
        }
    };
    let rows = instruction.fields.iter().enumerate().map(row);
    html! {
        <div role="table" class="field-table" aria-label="Fields">
            { table_head() }
            { for rows }
        </div>
    }
}

/// Read-only field table of an instruction.
pub(super) fn decoded_fields(fields: &[Field], unit: EncodingUnit) -> Html {
    let row = |(index, field): (usize, &Field)| {
        html! {
            <div role="row" class="field-row">
                { leading_cells(index, fields, unit) }
                <div role="cell" class="value mono">{ value(field) }</div>
                <div role="cell" class="meaning">{ &field.meaning }</div>
            </div>
        }
    };
    html! {
        <div role="table" class="field-table" aria-label="Fields of the decoded instruction">
            { table_head() }
            { for fields.iter().enumerate().map(row) }
        </div>
    }
}

/// Maximum number of fields described below the picture.
const MAX_DESCRIBED: usize = 4;

/// Names, bits and values of the highlighted fields.
pub(super) fn readout(instruction: &EncodedInstruction, highlighted: &[usize]) -> Html {
    let unit = instruction.unit();
    let line = |index: &usize| {
        let field = instruction.fields.get(*index)?;
        let meaning = match field.meaning.as_str() {
            "" => String::new(),
            meaning => format!(": {meaning}"),
        };
        Some(html! {
            <p>
                { field_chip(*index, &instruction.fields) }
                <b>{ field.name }</b>{ format!(" {}", bits(field, unit)) }
                <span class="mono">{ format!(" {}", value(field)) }</span>{ meaning }
            </p>
        })
    };
    html! {
        <div class="readout">
            if highlighted.is_empty() {
                <p class="muted">
                    { "Point at a field or at the text to see which bits encode which operand." }
                </p>
            }
            { for highlighted.iter().take(MAX_DESCRIBED).filter_map(line) }
        </div>
    }
}

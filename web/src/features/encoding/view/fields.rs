use crate::components::hue::hue;
use crate::components::read_only::use_read_only;
use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::edit::TypedDigits;
use crate::features::encoding::model::{EditedBits, EncodedInstruction};
use crate::features::encoding::view::messages::typed_messages;
use lanewise_core::bits::Field;
use lanewise_core::isa::Family;
use lanewise_core::text::SyntaxPart;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Letter of a field in the picture of the bits.
pub(super) fn letter(index: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    LETTERS.get(index).map_or('·', |letter| char::from(*letter))
}

/// Kinds of operands whose hues differ from those of their neighbours.
const BY_HUE: &[SyntaxPart] = &[
    SyntaxPart::Opcode,
    SyntaxPart::Operation,
    SyntaxPart::Width,
    SyntaxPart::ExecSize,
    SyntaxPart::Mask,
    SyntaxPart::Predicate,
    SyntaxPart::Surface,
    SyntaxPart::Address,
    SyntaxPart::Offsets,
    SyntaxPart::Src0,
    SyntaxPart::Src1,
    SyntaxPart::Src2,
    SyntaxPart::Src3,
    SyntaxPart::Dst,
    SyntaxPart::Carry,
    SyntaxPart::Label,
    SyntaxPart::Name,
    SyntaxPart::Channels,
    SyntaxPart::Precision,
    SyntaxPart::Depth,
    SyntaxPart::Repeat,
    SyntaxPart::Status,
    SyntaxPart::Schedule,
    SyntaxPart::Cache,
];

/// Hue of a field's operand; `None` for ignored bits.
pub(super) fn operand_hue(field: &Field) -> Option<String> {
    let number = match field.part {
        SyntaxPart::Ignored => return None,
        SyntaxPart::Coordinate(number) | SyntaxPart::Descriptor(number) => number.into(),
        part => BY_HUE.iter().position(|kind| *kind == part).unwrap_or(0),
    };
    Some(hue(number as u32).to_string())
}

/// Location of a field: bytes, bits of a byte, or bits of a word.
fn bits(field: &Field, family: Family) -> String {
    let (first, last) = (field.first_bit, field.first_bit + field.width - 1);
    // Bytes are listed first to last, bits from the most significant down.
    let range = |what: &str, from: u32, to: u32| {
        if from == to {
            format!("{what} {from}")
        } else {
            format!("{what}s {from}–{to}")
        }
    };
    match family {
        Family::Sass => range("bit", last, first),
        Family::Visa if first % 8 == 0 && last % 8 == 7 => range("byte", first / 8, last / 8),
        Family::Visa if first / 8 == last / 8 => {
            let bits = range("bit", last % 8, first % 8);
            format!("byte {}, {bits}", first / 8)
        }
        Family::Visa => format!(
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
fn field_chip(index: usize, hue: &Option<String>) -> Html {
    html! { <span class="chip mono" data-hue={hue.clone()}>{ letter(index) }</span> }
}

/// Column headings.
fn table_head() -> Html {
    let names = ["Key", "Field", "Where", "Value", "Meaning"];
    let names = names.map(|name| html! { <div role="columnheader">{ name }</div> });
    html! { <div role="row" class="field-head">{ for names }</div> }
}

/// First cells of a row: letter, name and location of a field.
fn leading_cells(index: usize, field: &Field, family: Family) -> Html {
    html! {
        <>
            <div role="cell" class="key">{ field_chip(index, &operand_hue(field)) }</div>
            <div role="rowheader" class="name">{ field.name }</div>
            <div role="cell" class="where muted">{ bits(field, family) }</div>
        </>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct FieldTableProps {
    pub(super) instruction: Rc<EncodedInstruction>,
    pub(super) typed: Option<Rc<TypedDigits>>,
    /// Indices of the highlighted fields.
    pub(super) highlighted: Rc<[usize]>,
    pub(super) on_action: Callback<EncodingAction>,
}

/// Table of the current instruction's fields, with editable values.
#[component]
pub(super) fn FieldTable(props: &FieldTableProps) -> Html {
    let FieldTableProps {
        instruction,
        typed,
        highlighted,
        on_action,
    } = props;
    let read_only = use_read_only() || !instruction.is_written();
    let (own, _) = instruction.own_and_slot_fields();
    let rows = instruction.fields.iter().enumerate().map(|(index, field)| {
        let typed = typed.clone();
        html! {
            <FieldRow
                key={index}
                {index}
                field={field.clone()}
                of_slot={index >= own.len()}
                family={instruction.family()}
                highlighted={highlighted.contains(&index)}
                typed={typed.filter(|typed| typed.edited == EditedBits::Field(index))}
                readonly={read_only || field.part == SyntaxPart::Ignored}
                on_action={on_action.clone()}
            />
        }
    });
    html! {
        <div role="table" class="field-table" aria-label="Fields">
            { table_head() }
            { for rows }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct FieldRowProps {
    index: usize,
    field: Field,
    /// Whether the field belongs to the slot of the control word.
    of_slot: bool,
    family: Family,
    highlighted: bool,
    /// Digits typed as its value.
    typed: Option<Rc<TypedDigits>>,
    readonly: bool,
    on_action: Callback<EncodingAction>,
}

/// Field with its editable value.
#[component]
fn FieldRow(props: &FieldRowProps) -> Html {
    let (index, field, typed) = (props.index, &props.field, props.typed.as_ref());
    let text = typed.map_or_else(|| value(field), |typed| typed.digits.to_string());
    let oninput = props.on_action.reform(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        EncodingAction::Type(EditedBits::Field(index), input.value())
    });
    let messages = AttrValue::from(format!("field-messages-{index}"));
    let of_slot = if props.of_slot { " of the slot" } else { "" };
    html! {
        <div
            role="row"
            class="field-row"
            data-field={index.to_string()}
            data-lit={props.highlighted.then_some("")}
        >
            { leading_cells(index, field, props.family) }
            <div role="cell" class="value">
                <input
                    class="mono"
                    aria-label={format!("{}{of_slot}: value", field.name)}
                    aria-invalid={typed.filter(|typed| typed.is_wrong()).map(|_| "true")}
                    aria-describedby={typed.map(|_| messages.clone())}
                    readonly={props.readonly}
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
                    if let Some(typed) = typed.cloned() {
                        { typed_messages(&typed, &props.on_action) }
                    }
                </div>
            </div>
        </div>
    }
}

/// Read-only field table of an instruction.
pub(super) fn decoded_fields(fields: &Rc<[Field]>, family: Family) -> Html {
    let row = |(index, field): (usize, &Field)| {
        html! {
            <div role="row" class="field-row">
                { leading_cells(index, field, family) }
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

/// Descriptions of the highlighted fields.
pub(super) fn lit_fields(instruction: &Rc<EncodedInstruction>, highlighted: &Rc<[usize]>) -> Html {
    let family = instruction.family();
    let line = |index: &usize| {
        let field = instruction.fields.get(*index)?;
        let meaning = match field.meaning.as_str() {
            "" => String::new(),
            meaning => format!(": {meaning}"),
        };
        Some(html! {
            <p>
                { field_chip(*index, &operand_hue(field)) }
                <b>{ field.name }</b>{ format!(" {}", bits(field, family)) }
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

use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::Place;
use crate::features::encoding::model::view::{Typed, View};
use crate::features::encoding::view::messages::TypedMessages;
use lanewise_core::bits::Field;
use lanewise_core::isa::Family;
use lanewise_core::text::OperandKind;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The letter that marks a field in the picture of the bits.
pub(crate) fn letter(index: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    LETTERS.get(index).map_or('·', |letter| char::from(*letter))
}

/// The colour of a field: that of the operand it belongs to; none for ignored
/// bits.
pub(crate) fn hue(field: &Field) -> Option<String> {
    match field.part {
        OperandKind::Ignored => None,
        part => Some((part as u8 % 6).to_string()),
    }
}

/// Where a field is: bytes, bits of a byte, or bits of a word.
fn bits(field: &Field, family: Family) -> String {
    let (first, last) = (field.first_bit, field.first_bit + field.width - 1);
    let range = |what: &str, first: u32, last: u32, up: bool| match (first == last, up) {
        (true, _) => format!("{what} {first}"),
        (false, true) => format!("{what}s {first}–{last}"),
        (false, false) => format!("{what}s {last}–{first}"),
    };
    match family {
        Family::Sass => range("bit", first, last, false),
        Family::Visa if first % 8 == 0 && last % 8 == 7 => range("byte", first / 8, last / 8, true),
        Family::Visa if first / 8 == last / 8 => {
            let bits = range("bit", first % 8, last % 8, false);
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

fn chip(index: usize, field: &Field) -> Html {
    html! { <span class="chip mono" data-hue={hue(field)}>{ letter(index) }</span> }
}

fn header() -> Html {
    let names = ["Key", "Field", "Where", "Value", "Meaning"];
    let names = names.map(|name| html! { <div role="columnheader">{ name }</div> });
    html! { <div role="row" class="field-head">{ for names }</div> }
}

/// The first cells of a row: letter, name and place of a field.
fn lead(index: usize, field: &Field, family: Family) -> Html {
    html! {
        <>
            <div role="cell" class="key">{ chip(index, field) }</div>
            <div role="rowheader" class="name">{ field.name }</div>
            <div role="cell" class="where muted">{ bits(field, family) }</div>
        </>
    }
}

/// Every field of the current instruction in a row, with its value to be
/// edited.
pub(crate) fn table(view: &View, fields: &[Field], dispatch: &Callback<EncodingAction>) -> Html {
    let own = view.encoding.fields().len();
    let rows = fields.iter().enumerate().map(|(index, field)| {
        let typed = view.typed.clone();
        html! {
            <FieldRow
                key={index}
                {index}
                field={field.clone()}
                of_slot={index >= own}
                family={view.encoding.family()}
                lit={view.lit.contains(&index)}
                typed={typed.filter(|typed| typed.place == Place::Field(index))}
                readonly={!view.encoding.is_written() || field.part == OperandKind::Ignored}
                dispatch={dispatch.clone()}
            />
        }
    });
    html! {
        <div role="table" class="field-table" aria-label="Fields">
            { header() }
            { for rows }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct FieldRowProps {
    index: usize,
    field: Field,
    /// Whether it is a field of the slot of the control word.
    of_slot: bool,
    family: Family,
    lit: bool,
    /// What was typed for its value.
    typed: Option<Typed>,
    readonly: bool,
    dispatch: Callback<EncodingAction>,
}

/// A field with its value to be edited.
#[component]
fn FieldRow(props: &FieldRowProps) -> Html {
    let (index, field, typed) = (props.index, &props.field, props.typed.as_ref());
    let text = typed.map_or_else(|| value(field), |typed| typed.text.to_string());
    let oninput = props.dispatch.reform(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        EncodingAction::Type(Place::Field(index), input.value())
    });
    let of_slot = if props.of_slot { " of the slot" } else { "" };
    html! {
        <div
            role="row"
            class="field-row"
            data-field={index.to_string()}
            data-is={props.lit.then_some("lit")}
        >
            { lead(index, field, props.family) }
            <div role="cell" class="value">
                <input
                    class="mono"
                    aria-label={format!("{}{of_slot}: value", field.name)}
                    aria-invalid={typed.filter(|typed| typed.is_wrong).map(|_| "true")}
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
                <div role="status">
                    if let Some(typed) = typed.cloned() {
                        <TypedMessages {typed} dispatch={props.dispatch.clone()} />
                    }
                </div>
            </div>
        </div>
    }
}

/// The fields of an instruction that is not edited.
pub(crate) fn list(fields: &[Field], family: Family) -> Html {
    let row = |(index, field): (usize, &Field)| {
        html! {
            <div role="row" class="field-row">
                { lead(index, field, family) }
                <div role="cell" class="value mono">{ value(field) }</div>
                <div role="cell" class="meaning">{ &field.meaning }</div>
            </div>
        }
    };
    html! {
        <div role="table" class="field-table" aria-label="Fields of the decoded instruction">
            { header() }
            { for fields.iter().enumerate().map(row) }
        </div>
    }
}

/// The most fields that the line under the picture describes.
const MAX_DESCRIBED: usize = 4;

/// The lit fields, a line each.
pub(crate) fn readout(view: &View, fields: &[Field]) -> Html {
    let family = view.encoding.family();
    let line = |index: &usize| {
        let field = fields.get(*index)?;
        let meaning = match field.meaning.as_str() {
            "" => String::new(),
            meaning => format!(": {meaning}"),
        };
        Some(html! {
            <p>
                { chip(*index, field) }<b>{ field.name }</b>{ format!(" {}", bits(field, family)) }
                <span class="mono">{ format!(" {}", value(field)) }</span>{ meaning }
            </p>
        })
    };
    html! {
        <div class="readout">
            if view.lit.is_empty() {
                <p class="muted">
                    { "Point at a field, or at the text, to see which bits belong to which operand." }
                </p>
            }
            { for view.lit.iter().take(MAX_DESCRIBED).filter_map(line) }
        </div>
    }
}

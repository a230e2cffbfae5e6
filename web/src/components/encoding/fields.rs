use super::edit::value_of;
use super::said;
use crate::dom::{El, On, el};
use crate::state::EncodingAction;
use crate::state::encoding::Place;
use crate::state::encoding::view::View;
use lanewise_core::bits::Field;
use lanewise_core::isa::Family;
use lanewise_core::text::OperandKind;
use yew::prelude::*;

/// The letter that stands for a field in the picture.
pub(super) fn letter(index: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    LETTERS.get(index).map_or('·', |letter| char::from(*letter))
}

/// Which colour a field has: that of its part.
pub(super) fn hue(field: &Field) -> String {
    match field.part {
        OperandKind::Ignored => String::new(),
        part => (part as u8 % 6).to_string(),
    }
}

/// Where a field stands: bytes, bits of a byte, or bits of a word.
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

fn chip(index: usize, field: &Field) -> El {
    el!("span", "class" = "chip mono", "data-hue" = hue(field)).put(letter(index).to_string())
}

fn cell(class: &'static str) -> El {
    el!("div", "role" = "cell", "class" = class)
}

fn header() -> El {
    let names = ["Key", "Field", "Where", "Value", "Meaning"];
    let name = |name: &'static str| el!("div", "role" = "columnheader").put(name);
    el!("div", "role" = "row", "class" = "field-head").each(names.map(name))
}

fn lead(index: usize, field: &Field, family: Family, row: El) -> El {
    row.put(cell("key").put(chip(index, field)))
        .put(el!("div", "role" = "rowheader", "class" = "name").put(field.name))
        .put(cell("where muted").put(bits(field, family)))
}

/// Every field in a row, with its value to be edited.
pub(super) fn table(view: &View, fields: &[Field], act: &Callback<EncodingAction>) -> El {
    let table = el!(
        "div",
        "role" = "table",
        "class" = "field-table",
        "aria-label" = "Fields"
    )
    .put(header());
    let own = view.encoding.fields().len();
    fields
        .iter()
        .enumerate()
        .fold(table, |table, (index, field)| {
            let family = view.encoding.family();
            let lit = view.lit.contains(&index).then_some("lit");
            let row = el!(
                "div",
                "role" = "row",
                "class" = "field-row",
                "data-field" = index.to_string(),
                "data-is" = lit
            );
            let place = Place::Field(index);
            let typed = view.typed.as_ref().filter(|typed| typed.place == place);
            let wrong = typed.is_some_and(|typed| typed.is_wrong).then_some("true");
            let fixed = !view.encoding.is_written() || field.part == OperandKind::Ignored;
            let text = typed.map_or_else(|| value(field), |typed| typed.text.to_string());
            let oninput =
                act.reform(move |event: Event| EncodingAction::Type(place, value_of(&event)));
            let input = el!(
                "input",
                "class" = "mono",
                "aria-label" = match index < own {
                    true => format!("{}: value", field.name),
                    false => format!("{} of the slot: value", field.name),
                },
                "aria-invalid" = wrong,
                "readonly" = fixed.then_some("true"),
                "size" = "10",
                "spellcheck" = "false",
                "autocomplete" = "off",
                "autocapitalize" = "off"
            )
            .value(text)
            .on(On::Input, oninput);
            let row = lead(index, field, family, row)
                .put(cell("value").put(input))
                .put(
                    cell("meaning").put(field.meaning.clone()).put(
                        el!("div", "role" = "status")
                            .put(typed.map(|typed| said::of_typed(typed, act))),
                    ),
                );
            table.put(row)
        })
}

/// The fields of something that is not edited.
pub(super) fn list(fields: &[Field], family: Family) -> El {
    let row = |(index, field): (usize, &Field)| {
        let row = el!("div", "role" = "row", "class" = "field-row");
        lead(index, field, family, row)
            .put(cell("value mono").put(value(field)))
            .put(cell("meaning").put(field.meaning.clone()))
    };
    el!(
        "div",
        "role" = "table",
        "class" = "field-table",
        "aria-label" = "Fields of what was pasted"
    )
    .put(header())
    .each(fields.iter().enumerate().map(row))
}

/// The fields that are lit, in a line each: what the table says of them
/// without looking for them there.
pub(super) fn readout(view: &View, fields: &[Field]) -> El {
    let family = view.encoding.family();
    let line = |index: &usize| {
        let field = fields.get(*index)?;
        let meaning = match field.meaning.as_str() {
            "" => String::new(),
            meaning => format!(": {meaning}"),
        };
        Some(
            el!("p")
                .put(chip(*index, field))
                .put(el!("b").put(field.name))
                .put(format!(" {}", bits(field, family)))
                .put(el!("span", "class" = "mono").put(format!(" {}", value(field))))
                .put(meaning),
        )
    };
    let lines = view.lit.iter().take(4).filter_map(line);
    let idle = view.lit.is_empty().then(|| {
        el!("p", "class" = "muted")
            .put("Point at a field, or at the text, to see what belongs together.")
    });
    el!("div", "class" = "readout").put(idle).each(lines)
}

use super::edit::value_of;
use super::{fields, said};
use crate::components::select;
use crate::dom::{El, On, el};
use crate::state::EncodingAction;
use crate::state::encoding::paste::{Form, Item};
use lanewise_core::isa::Family;
use yew::prelude::*;

const FAMILIES: [(Family, &str); 2] = [(Family::Visa, "vISA"), (Family::Sass, "SASS")];

/// A form for bytes from elsewhere, and what they are.
pub(super) fn draw(form: &Form, act: &Callback<EncodingAction>) -> El {
    let names = FAMILIES.map(|(_, name)| AttrValue::Static(name));
    let chosen = FAMILIES.iter().position(|(f, _)| *f == form.family);
    let pick = act.reform(|index: usize| {
        let family = FAMILIES.get(index).map(|(family, _)| *family);
        EncodingAction::PasteFor(family.unwrap_or(Family::Visa))
    });
    let hint = match form.family {
        Family::Visa => {
            "One instruction or several, first byte first: 7d 02 04 …, 0x7d, 0x02, … or \\x7d\\x02…"
        }
        Family::Sass => {
            "Words of 16 digits. Four at a time are a group: the control word, then three \
             instructions."
        }
    };
    let oninput = act.reform(|event: Event| EncodingAction::Paste(value_of(&event)));
    let found = &form.found;
    let wrong = found
        .wrong
        .as_ref()
        .map(|wrong| said::message("error", wrong));
    let invalid = (found.wrong.is_some() && found.items.is_empty()).then_some("true");
    let area = el!(
        "textarea",
        "rows" = "3",
        "class" = "mono",
        "aria-label" = "Bytes to decode",
        "aria-describedby" = "paste-hint",
        "aria-invalid" = invalid,
        "spellcheck" = "false",
        "autocomplete" = "off",
        "autocapitalize" = "off"
    )
    .value(form.typed.to_string())
    .on(On::Input, oninput);
    let declare = (!found.declare.is_empty()).then(|| {
        el!("div", "class" = "offer")
            .put(el!("p").put("The program does not declare these yet:"))
            .put(said::lines(&found.declare))
    });
    let insert = act.reform(|_: Event| EncodingAction::Insert);
    let insert = (!found.items.is_empty()).then(|| {
        let refused = !form.refused.is_empty();
        let button = el!(
            "button",
            "class" = "button",
            "aria-disabled" = refused.then_some("true")
        )
        .on(On::Click, insert)
        .put("Insert into the program");
        el!("div", "class" = "offer")
            .put(button)
            .put(refused.then(|| el!("p", "class" = "muted").put(form.refused)))
    });
    let inserted = form
        .inserted
        .map(|line| format!("Inserted at line {line}."));
    let status = el!("div", "role" = "status")
        .put(wrong)
        .put(inserted.map(|said| el!("p").put(said)));
    let items = found.items.iter().map(|found| item(found, form.family));
    el!("details", "class" = "paste")
        .put(el!("summary").put("Decode bytes"))
        .put(select::draw("Instruction set", &names, chosen, pick))
        .put(el!("p", "id" = "paste-hint", "class" = "muted").put(hint))
        .put(area)
        .put(status)
        .put(el!("ul", "class" = "paste-items").each(items))
        .put(declare)
        .put(insert)
}

fn item(item: &Item, family: Family) -> El {
    let text = (!item.text.is_empty())
        .then(|| el!("p", "class" = "mono paste-text").put(item.text.clone()));
    let details = (!item.fields.is_empty()).then(|| {
        el!("details")
            .put(el!("summary").put(format!("{} fields of it", item.fields.len())))
            .put(fields::list(&item.fields, family))
    });
    el!("li")
        .put(
            el!("p", "class" = "muted")
                .put(item.place.clone())
                .put(" ")
                .put(el!("span", "class" = "mono").put(item.digits.clone())),
        )
        .put(text)
        .each(item.said.iter().map(said::problem))
        .put(details)
}

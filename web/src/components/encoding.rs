use crate::dom::{El, Part, el};
use crate::state::encoding;
use lanewise_core::bits::Field;
use yew::prelude::*;

/// The bits of the instruction at hand: all of them, then field by field.
#[derive(PartialEq)]
pub(crate) struct Encoding {
    pub(crate) encoding: encoding::Encoding,
}

impl Part for Encoding {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let encoding = &self.encoding;
        let fields = encoding.fields();
        let head = el!("div", "class" = "pane-head")
            .put(el!("h2", "id" = "encoding-title").put("Encoding"));
        let details = el!("details")
            .put(el!("summary").put(format!("{} fields", fields.len())))
            .put(el!("dl", "class" = "fields").each(fields.iter().map(field)));
        el!(
            "section",
            "class" = "pane encoding",
            "aria-labelledby" = "encoding-title"
        )
        .put(head)
        .put(el!("p", "class" = "mono digits").put(encoding.digits()))
        .put(details)
        .html()
    }
}

fn field(field: &Field) -> El {
    let last = field.first_bit + field.width - 1;
    let bits = match last > field.first_bit {
        true => format!(" {}–{last}", field.first_bit),
        false => format!(" {last}"),
    };
    let meaning = || el!("span").put(" ").put(field.meaning.clone());
    let meaning = (!field.meaning.is_empty()).then(meaning);
    el!("div", "data-hue" = (field.part as u8 % 6).to_string())
        .put(
            el!("dt")
                .put(field.name)
                .put(el!("span", "class" = "muted").put(bits)),
        )
        .put(
            el!("dd")
                .put(el!("b").put(format!("{:#x}", field.bits)))
                .put(meaning),
        )
}

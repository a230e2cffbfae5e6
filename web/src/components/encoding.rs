use crate::state::encoding;
use lanewise_core::bits::Field;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) encoding: encoding::Encoding,
}

/// The bits of the instruction at hand: all of them, then field by field.
#[component]
pub(crate) fn Encoding(props: &Props) -> Html {
    let encoding = &props.encoding;
    let fields = encoding.fields();
    html! {
        <section class="pane encoding" aria-labelledby="encoding-title">
            <div class="pane-head"><h2 id="encoding-title">{ "Encoding" }</h2></div>
            <p class="mono digits">{ encoding.digits() }</p>
            <details>
                <summary>{ fields.len() }{ " fields" }</summary>
                <dl class="fields">{ for fields.iter().map(field) }</dl>
            </details>
        </section>
    }
}

fn field(field: &Field) -> Html {
    let last = field.first_bit + field.width - 1;
    html! {
        <div data-hue={(field.part as u8 % 6).to_string()}>
            <dt>
                { field.name }
                <span class="muted">
                    { " " }{ field.first_bit }
                    if last > field.first_bit {
                        { "–" }{ last }
                    }
                </span>
            </dt>
            <dd>
                <b>{ format!("{:#x}", field.bits) }</b>
                if !field.meaning.is_empty() {
                    <span>{ " " }{ &field.meaning }</span>
                }
            </dd>
        </div>
    }
}

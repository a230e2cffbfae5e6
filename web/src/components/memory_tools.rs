use super::select::Select;
use crate::state::cells::Notation;
use crate::state::{Action, MemoryAction, Tab};
use lanewise_core::number::{ElementType, parse_integer};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) tab: Tab,
    pub(crate) regions: Vec<AttrValue>,
    pub(crate) region: usize,
    pub(crate) notation: Notation,
    /// Whether the region is larger than one scroll bar covers.
    pub(crate) cut: bool,
    pub(crate) act: Callback<Action>,
}

/// Which region, in which type and notation, and where to look.
#[component]
pub(crate) fn MemoryTools(props: &Props) -> Html {
    let tab = props.tab;
    let act = props.act.reform(move |action| Action::Memory(tab, action));
    let types: Vec<AttrValue> = ElementType::ALL.iter().map(|t| t.name().into()).collect();
    let chosen = ElementType::ALL
        .iter()
        .position(|t| *t == props.notation.ty);
    let pick_type = act.reform(|index| {
        let ty = ElementType::ALL.into_iter().nth(index);
        MemoryAction::Type(ty.unwrap_or(ElementType::Ud))
    });
    html! {
        <div class="panel-tools">
            if props.regions.len() > 1 {
                <Select label="Region" options={props.regions.clone()} chosen={props.region} onpick={act.reform(MemoryAction::Region)} />
            } else {
                <p class="muted mono">{ props.regions.first().cloned() }</p>
            }
            <Select label="Type" options={types} chosen={chosen.unwrap_or(0)} onpick={pick_type} />
            <Select
                label="Base"
                options={vec![AttrValue::from("values"), AttrValue::from("hexadecimal")]}
                chosen={usize::from(props.notation.hex)}
                onpick={act.reform(|index| MemoryAction::Hex(index == 1))}
            />
            <GoTo {act} />
            if props.cut {
                <p class="muted">{ "4 MB at a time: go to an address to see others." }</p>
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct GoToProps {
    act: Callback<MemoryAction>,
}

#[component]
fn GoTo(props: &GoToProps) -> Html {
    let field = use_node_ref();
    let wrong = use_state_eq(|| false);
    let onsubmit = {
        let (field, wrong, act) = (field.clone(), wrong.clone(), props.act.clone());
        move |event: SubmitEvent| {
            event.prevent_default();
            let Some(input) = field.cast::<HtmlInputElement>() else {
                return;
            };
            let address = parse_integer(input.value().trim());
            wrong.set(address.is_err());
            if let Ok(address) = address {
                act.emit(MemoryAction::GoTo(address));
            }
        }
    };
    html! {
        <form class="go-to" {onsubmit}>
            <label class="field">
                <span>{ "Go to address" }</span>
                <input
                    ref={field}
                    class="mono"
                    size="8"
                    placeholder="0x40"
                    autocomplete="off"
                    spellcheck="false"
                    aria-invalid={wrong.then_some("true")}
                />
            </label>
        </form>
    }
}

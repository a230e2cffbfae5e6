use crate::components::select::Select;
use crate::features::state::memory::Region;
use crate::features::state::{MemoryAction, MemoryFormat, MemoryKind, StateAction};
use crate::store::Action;
use lanewise_core::number::{ElementType, parse_integer};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct MemoryToolsProps {
    pub(crate) kind: MemoryKind,
    pub(crate) regions: Rc<[Region]>,
    pub(crate) region: usize,
    pub(crate) format: MemoryFormat,
    /// Type of the instructions that access the memory.
    pub(crate) used_type: ElementType,
    /// Number of bytes covered by the scroll bar, if the region has more.
    pub(crate) cut: Option<u64>,
    pub(crate) dispatch: Callback<Action>,
}

/// Controls for region, format and address.
#[component]
pub(crate) fn MemoryTools(props: &MemoryToolsProps) -> Html {
    let kind = props.kind;
    let field = use_node_ref();
    let act = props
        .dispatch
        .reform(move |action| Action::StatePane(StateAction::Memory(kind, action)));
    let regions: Vec<_> = (props.regions.iter())
        .map(|region| AttrValue::from(region.name.clone()))
        .collect();
    let region = match regions.as_slice() {
        [only] => html! { <p class="muted region">{ only }</p> },
        _ => html! {
            <Select
                label="Region"
                options={regions.clone()}
                chosen={props.region}
                on_pick={act.reform(MemoryAction::Region)}
            />
        },
    };
    let formats = MemoryFormat::all();
    let chosen = formats.iter().position(|format| *format == props.format);
    let names = formats.iter().map(|format| {
        let mut name = format.label();
        if format.ty.is_none() && !format.hex {
            name.push_str(&format!(" ({})", props.used_type.name()));
        }
        AttrValue::from(name)
    });
    let names: Vec<_> = names.collect();
    let on_pick = act.reform(move |index: usize| {
        MemoryAction::Format(*formats.get(index).expect("the menu lists this value"))
    });
    let onsubmit = {
        let (field, act, regions) = (field.clone(), act.clone(), Rc::clone(&props.regions));
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(field) = field.cast::<HtmlInputElement>() {
                go_to(&field, &regions, &act);
            }
        })
    };
    html! {
        <div class="panel-tools">
            { region }
            <Select label="Format" options={names} {chosen} {on_pick} />
            <form novalidate=true {onsubmit}>
                <input
                    ref={field}
                    class="go-to"
                    aria-label="Go to address"
                    title="Go to address"
                    size="8"
                    placeholder="Go to 0x…"
                    autocomplete="off"
                    spellcheck="false"
                />
            </form>
            if let Some(bytes) = props.cut {
                <p class="muted">{ format!("Shows {} MB at a time; go to an address to see the rest.", bytes >> 20) }</p>
            }
        </div>
    }
}

fn go_to(field: &HtmlInputElement, regions: &[Region], act: &Callback<MemoryAction>) {
    let is_mapped = |address: u64| {
        regions
            .iter()
            .any(|region| (region.start..=region.last).contains(&address))
    };
    let error = match parse_integer(field.value().trim()) {
        Ok(address) if is_mapped(address) => {
            act.emit(MemoryAction::GoTo(address));
            ""
        }
        Ok(_) => "This address is not mapped.",
        Err(_) => "Enter an address, such as 64 or 0x40.",
    };
    // The browser shows and announces the message at the field.
    field.set_custom_validity(error);
    let invalid = !field.report_validity();
    field
        .set_attribute("aria-invalid", if invalid { "true" } else { "false" })
        .expect("the attribute name is valid");
}

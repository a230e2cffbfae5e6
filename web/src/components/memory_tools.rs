use super::select;
use crate::dom::{On, Part, el};
use crate::state::cells::Notation;
use crate::state::memory::Region;
use crate::state::{Action, MemoryAction, Tab};
use lanewise_core::number::{ElementType, parse_integer};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Which region, in which type and notation, and where to look.
#[derive(PartialEq)]
pub(crate) struct MemoryTools {
    pub(crate) tab: Tab,
    pub(crate) regions: Rc<[Region]>,
    pub(crate) region: usize,
    pub(crate) notation: Notation,
    /// The type of the instructions, if it is that.
    pub(crate) used: Option<ElementType>,
    /// Whether the region is larger than one scroll bar covers.
    pub(crate) cut: bool,
    pub(crate) act: Callback<Action>,
}

impl Part for MemoryTools {
    type Kept = NodeRef;

    fn draw(&self, field: &NodeRef) -> Html {
        let tab = self.tab;
        let act = self.act.reform(move |action| Action::Memory(tab, action));
        let regions = self.regions.iter();
        let names: Vec<_> = regions.map(|r| AttrValue::from(r.name.clone())).collect();
        // First the one that follows the instructions.
        let types = std::iter::once(AttrValue::Static("as used"))
            .chain(ElementType::ALL.map(|ty| AttrValue::from(ty.name())));
        let types: Vec<AttrValue> = types.collect();
        let ty = match self.used {
            Some(_) => Some(0),
            None => ElementType::ALL
                .iter()
                .position(|t| *t == self.notation.ty)
                .map(|index| index + 1),
        };
        let pick_type = act.reform(|index: usize| {
            let ty = index.checked_sub(1).and_then(|i| ElementType::ALL.get(i));
            MemoryAction::Type(ty.copied())
        });
        let bases = ["values", "hexadecimal"].map(AttrValue::Static);
        let base = Some(usize::from(self.notation.hex));
        let pick_base = act.reform(|index| MemoryAction::Hex(index == 1));
        let onsubmit = {
            let (field, act, regions) = (field.clone(), act.clone(), self.regions.clone());
            Callback::from(move |event: Event| {
                event.prevent_default();
                if let Some(field) = field.cast::<HtmlInputElement>() {
                    go_to(&field, &regions, &act);
                }
            })
        };
        let region = if self.regions.len() > 1 {
            select::draw(
                "Region",
                &names,
                Some(self.region),
                act.reform(MemoryAction::Region),
            )
        } else {
            el!("p", "class" = "muted mono").put(names.first().cloned())
        };
        let input = el!(
            "input",
            "size" = "8",
            "placeholder" = "0x40",
            "autocomplete" = "off",
            "spellcheck" = "false"
        )
        .bind(field.clone());
        let label = el!("label", "class" = "field")
            .put(el!("span").put("Go to address"))
            .put(input);
        const CUT: &str = "4 MB at a time: go to an address to see others.";
        el!("div", "class" = "panel-tools")
            .put(region)
            .put(select::draw("Type", &types, ty, pick_type))
            .put(select::draw("Base", &bases, base, pick_base))
            .put(
                el!("form", "novalidate" = "true")
                    .on(On::Submit, onsubmit)
                    .put(label),
            )
            .put(self.cut.then(|| el!("p", "class" = "muted").put(CUT)))
            .html()
    }
}

fn go_to(field: &HtmlInputElement, regions: &[Region], act: &Callback<MemoryAction>) {
    let holds = |address: u64| {
        regions
            .iter()
            .any(|r| r.start <= address && address <= r.last)
    };
    let wrong = match parse_integer(field.value().trim()) {
        Ok(address) if holds(address) => {
            act.emit(MemoryAction::GoTo(address));
            ""
        }
        Ok(_) => "Nothing is mapped at this address.",
        Err(_) => "Write an address as a number: 64 or 0x40.",
    };
    // The browser shows it at the field and reads it out.
    field.set_custom_validity(wrong);
    let good = field.report_validity();
    // An element takes this attribute with any value.
    let _ = field.set_attribute("aria-invalid", if good { "false" } else { "true" });
}

use crate::dom::{El, On, el};
use crate::state::Action;
use crate::state::origin::{is_bundled, origin};
use lanewise_core::library::BUNDLED;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The bundled scenarios, grouped by instruction.
pub(crate) fn draw(chosen: &'static str, act: &Callback<Action>) -> El {
    let onchange = act.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        Action::Choose(select.value())
    });
    let groups = BUNDLED.chunk_by(|a, b| a.topic == b.topic).map(|group| {
        let options = group.iter().map(|scenario| {
            let selected = (scenario.id == chosen).then_some("selected");
            el!("option", "value" = scenario.id, "selected" = selected).put(scenario.title)
        });
        el!("optgroup", "label" = group[0].topic).each(options)
    });
    // A text that came from elsewhere is none of them.
    let strange = origin(chosen).filter(|from| !is_bundled(from));
    let strange = strange
        .map(|from| el!("option", "value" = from.id, "selected" = "selected").put(from.title));
    el!("label", "class" = "field picker")
        .put(el!("span", "class" = "wide-only").put("Scenarios"))
        .put(
            el!("select", "aria-label" = "Scenarios")
                .on(On::Change, onchange)
                .put(strange)
                .each(groups),
        )
}

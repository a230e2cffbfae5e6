use crate::state::Action;
use lanewise_core::library::BUNDLED;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The bundled scenarios, grouped by instruction.
pub(crate) fn draw(chosen: &'static str, act: &Callback<Action>) -> Html {
    let onchange = act.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        Action::Choose(select.value())
    });
    let groups = BUNDLED.chunk_by(|a, b| a.topic == b.topic).map(|group| {
        html! {
            <optgroup label={group[0].topic}>
                { for group.iter().map(|scenario| html! {
                    <option value={scenario.id} selected={scenario.id == chosen}>
                        { scenario.title }
                    </option>
                }) }
            </optgroup>
        }
    });
    html! {
        <label class="field picker">
            <span class="wide-only">{ "Scenarios" }</span>
            <select aria-label="Scenarios" {onchange}>{ for groups }</select>
        </label>
    }
}

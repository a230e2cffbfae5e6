use super::OutputModel;
use lanewise_core::text::counted;
use yew::prelude::*;

/// Printed text, with notes on lost output. `is_waiting`: earlier work-groups are running.
pub(crate) fn output_pane(model: Option<&OutputModel>, is_waiting: bool) -> Html {
    let Some(model) = model else {
        return html! { <p class="empty">{ "The kernel does not call printf." }</p> };
    };
    html! {
        <section class="output" aria-label="Output">
            if !model.notes.is_empty() {
                <ul class="error output-notes" aria-label="Notes on the output">
                    { for model.notes.iter().map(|note| html! { <li>{ note }</li> }) }
                </ul>
            }
            if is_waiting {
                <p class="empty">{ "Earlier work-groups are running. Their output appears once they have ended." }</p>
            } else if model.text.is_empty() {
                <p class="empty">{ "Nothing has been printed up to this step." }</p>
            } else {
                <p class="muted">
                    { "Printed up to this step, in the order of the work-items" }
                </p>
                <pre class="mono" tabindex="0" role="group" aria-label="Printed text">{ &model.text }</pre>
                if model.omitted > 0 {
                    <p class="muted">{ format!("{} not shown.", counted(model.omitted, "more line")) }</p>
                }
            }
        </section>
    }
}

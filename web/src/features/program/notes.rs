use super::invisible::visible;
use super::source::Source;
use yew::prelude::*;

/// Name of the program for the window title and the heading; `None` without a title.
pub(crate) fn program_name(source: &Source) -> Option<String> {
    let title = visible(source.title()?);
    Some(match source.is_heading_outdated {
        true => format!("{title} (edited)"),
        false => title.into_owned(),
    })
}

/// Title and description of the program, collapsed to one line. A description
/// that may be out of date is hidden.
pub(crate) fn notes(source: &Source) -> Html {
    let (name, notes) = (program_name(source), &source.document.program.notes);
    if name.is_none() && notes.is_empty() {
        return Html::default();
    }
    let name = name.unwrap_or_else(|| String::from("Notes"));
    let notes: Vec<_> = if source.is_heading_outdated && !notes.is_empty() {
        vec![String::from(
            "You have edited this scenario; its description may be out of date.",
        )]
    } else {
        let notes = notes.iter();
        notes.map(|note| visible(note).into_owned()).collect()
    };
    if notes.is_empty() {
        return html! {
            <section class="notes" aria-label="Notes">
                <h2 class="ellipsis notes-line">{ name }</h2>
            </section>
        };
    }
    html! {
        <details class="notes">
            <summary>
                <h2 class="ellipsis">{ name }</h2>
                <span class="ellipsis muted first-note">{ notes[0].clone() }</span>
            </summary>
            { for notes.iter().map(|note| html! { <p>{ note }</p> }) }
        </details>
    }
}

/// Sets the window title to the program's name.
#[hook]
pub(crate) fn use_window_title(source: &Source) {
    use_effect_with(program_name(source), |title| {
        let title = match title {
            Some(title) => format!("{title} · Lanewise"),
            None => String::from("Lanewise"),
        };
        gloo_utils::document().set_title(&title);
    });
}

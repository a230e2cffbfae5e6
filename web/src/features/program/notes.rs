use super::invisible::visible;
use yew::prelude::*;

/// `.title` and `.note` of a program, and whether they still apply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Heading {
    pub(crate) title: Option<String>,
    pub(crate) notes: Vec<String>,
    /// Whether the scenario's title and description remain although its
    /// instructions have been edited.
    pub(crate) is_outdated: bool,
}

impl Heading {
    /// Name for the window title and the heading; `None` without a title.
    pub(crate) fn name(&self) -> Option<String> {
        let title = visible(self.title.as_deref()?).into_owned();
        Some(if self.is_outdated {
            format!("{title} (edited)")
        } else {
            title
        })
    }
}

/// Title and description of the program, collapsed to one line. A description
/// that may be out of date is hidden.
pub(crate) fn notes(heading: &Heading) -> Html {
    let Heading {
        title,
        notes,
        is_outdated,
    } = heading;
    if title.is_none() && notes.is_empty() {
        return Html::default();
    }
    let name = heading.name();
    let name = name.unwrap_or_else(|| String::from("Notes"));
    let notes: Vec<_> = if *is_outdated && !notes.is_empty() {
        vec![String::from(
            "You have edited this scenario; its description may be out of date.",
        )]
    } else {
        notes
            .iter()
            .map(|note| visible(note).into_owned())
            .collect()
    };
    if notes.is_empty() {
        return html! { <div class="notes"><h2 class="notes-line">{ name }</h2></div> };
    }
    html! {
        <details class="notes">
            <summary>
                <h2>{ name }</h2>
                <span class="first-note">{ notes[0].clone() }</span>
            </summary>
            { for notes.iter().map(|note| html! { <p>{ note }</p> }) }
        </details>
    }
}

/// Sets the window title to the program's name.
#[hook]
pub(crate) fn use_window_title(heading: &Heading) {
    use_effect_with(heading.name(), |title| {
        let title = match title {
            Some(title) => format!("{title} · Lanewise"),
            None => String::from("Lanewise"),
        };
        gloo_utils::document().set_title(&title);
    });
}

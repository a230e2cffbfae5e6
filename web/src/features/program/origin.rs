//! Texts that are no bundled scenario's: where they came from.

use lanewise_core::library::{Bundled, named};

/// What a text that came with a link starts from.
pub(crate) static LINK: Bundled = Bundled {
    id: "link",
    title: "From a link",
    topic: "",
    text: "",
};

/// What the text of a file starts from.
pub(crate) static FILE: Bundled = Bundled {
    id: "file",
    title: "From a file",
    topic: "",
    text: "",
};

/// Whether the page has a text of its own for it.
pub(crate) fn is_bundled(scenario: &Bundled) -> bool {
    !scenario.topic.is_empty()
}

/// What a text started from, by its id.
pub(crate) fn origin(id: &str) -> Option<&'static Bundled> {
    let strange = [&LINK, &FILE].into_iter().find(|from| from.id == id);
    strange.or_else(|| named(id))
}

use yew::prelude::*;

/// Light, dark, or what the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn named(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    pub(crate) const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

/// Shows the chosen theme. A player wears its host's: `features::embed`.
#[hook]
pub(crate) fn use_theme(theme: Option<Theme>) {
    use_effect_with(theme, |own| {
        let Some(theme) = own else { return };
        let root = gloo_utils::document_element();
        // An element takes any name and value that are set here.
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            theme => root.set_attribute("data-theme", theme.name()),
        };
    });
}

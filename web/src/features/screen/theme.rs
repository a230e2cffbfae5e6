use crate::components::media::use_media_query;
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
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Its name in what a browser keeps and for the style sheets; `boot.js` knows
    /// it too.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn of_key(key: &str) -> Self {
        match key {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    /// The theme that a press on the button chooses. The first looks different
    /// from the system's, and the third is the system's again.
    pub(crate) const fn next(self, system: Appearance) -> Self {
        match (self, system) {
            (Self::System, Appearance::Dark) | (Self::Dark, Appearance::Light) => Self::Light,
            (Self::System, Appearance::Light) | (Self::Light, Appearance::Dark) => Self::Dark,
            (Self::Light, Appearance::Light) | (Self::Dark, Appearance::Dark) => Self::System,
        }
    }
}

/// What a page looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Appearance {
    Light,
    Dark,
}

/// What the system asks pages to look like.
#[hook]
pub(super) fn use_system_appearance() -> Appearance {
    if use_media_query("(prefers-color-scheme: dark)") {
        Appearance::Dark
    } else {
        Appearance::Light
    }
}

/// Shows the chosen theme.
#[hook]
pub(crate) fn use_theme(theme: Theme) {
    use_effect_with(theme, |theme| show_theme(*theme));
}

/// Puts a theme where the style sheets look for it.
pub(crate) fn show_theme(theme: Theme) {
    let root = gloo_utils::document_element();
    // An element takes any name and value that are set here.
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        theme => root.set_attribute("data-theme", theme.key()),
    };
}

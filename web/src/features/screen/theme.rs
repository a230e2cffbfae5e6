use crate::choices::choices;
use crate::components::media::use_media_query;
use yew::prelude::*;

choices! {
    /// Light, dark or the system theme. Style sheets and `boot.js` use the stable names, too.
    #[derive(Default)]
    Theme {
        #[default]
        System "system" "system",
        Light "light" "light",
        Dark "dark" "dark",
    }
}

impl Theme {
    /// Next theme of the cycle: first the opposite of the system theme, then
    /// the other, then the system theme again.
    pub(crate) const fn next(self, system: Appearance) -> Self {
        match (self, system) {
            (Self::System, Appearance::Dark) | (Self::Dark, Appearance::Light) => Self::Light,
            (Self::System, Appearance::Light) | (Self::Light, Appearance::Dark) => Self::Dark,
            (Self::Light, Appearance::Light) | (Self::Dark, Appearance::Dark) => Self::System,
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Appearance {
    Light,
    Dark,
}

/// Tracks the system's preferred colour scheme.
#[hook]
pub(crate) fn use_system_appearance() -> Appearance {
    if use_media_query("(prefers-color-scheme: dark)") {
        Appearance::Dark
    } else {
        Appearance::Light
    }
}

/// Applies the selected theme.
#[hook]
pub(crate) fn use_theme(theme: Theme) {
    use_effect_with(theme, |theme| show_theme(*theme));
}

/// Sets the theme attribute used by the style sheets.
pub(crate) fn show_theme(theme: Theme) {
    let root = gloo_utils::document_element();
    // Setting an attribute with a valid name cannot fail.
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        theme => root.set_attribute("data-theme", theme.key()),
    };
}

use lanewise_answer::choices;

choices! {
    /// Light, dark or the system theme. Style sheets and `boot.js` use the stable names, too.
    #[derive(Default)]
    pub(crate) Theme {
        #[default]
        System "system" "system",
        Light "light" "light",
        Dark "dark" "dark",
    }
}

impl Theme {
    /// Next theme of the cycle: first the opposite of the system theme, then
    /// the other, then the system theme again.
    pub(crate) const fn next(self, is_system_dark: bool) -> Self {
        match (self, is_system_dark) {
            (Self::System, true) | (Self::Dark, false) => Self::Light,
            (Self::System, false) | (Self::Light, true) => Self::Dark,
            (Self::Light, false) | (Self::Dark, true) => Self::System,
        }
    }
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

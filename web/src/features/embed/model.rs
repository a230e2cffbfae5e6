//! Options of the Embed dialog and the resulting code, as documented in
//! `docs/guide/embedding.md`.

use crate::features::player::Pane;
use crate::store::State;
use lanewise_answer::choices;
use lanewise_link::{Link, view};
use std::fmt::Write;

choices! {
    #[derive(Default)]
    pub(crate) EmbedForm {
        /// Custom element; requires the embed script.
        #[default]
        Element "element" "HTML element",
        /// Fenced code block, for Markdown renderers.
        Block "block" "Markdown block",
        /// Iframe; needs no script.
        Frame "frame" "HTML frame",
    }
}

impl EmbedForm {
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Element => {
                "Shows the listing immediately and loads the player on demand. Include the script once per page."
            }
            Self::Block => "For pages that load lanewise-embed.js: the block becomes interactive.",
            Self::Frame => "The player alone, loaded with the page. No script required.",
        }
    }
}

/// Options of the Embed dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Embedding {
    pub(crate) form: EmbedForm,
    /// In the order of [`Pane::ALL`].
    pub(crate) panes: Vec<Pane>,
    pub(crate) read_only: bool,
    pub(crate) at_step: bool,
}

impl Default for Embedding {
    fn default() -> Self {
        Self {
            form: EmbedForm::Element,
            panes: Pane::DEFAULT.to_vec(),
            read_only: false,
            at_step: false,
        }
    }
}

impl Embedding {
    /// With a pane added or removed.
    pub(super) fn toggled(&self, pane: Pane) -> Self {
        let is_shown = |shown: &Pane| self.panes.contains(shown) != (*shown == pane);
        Self {
            panes: Pane::ALL.into_iter().filter(is_shown).collect(),
            ..self.clone()
        }
    }
}

impl State {
    /// Embed code for a page that loads Lanewise from `home`, which ends in a
    /// slash; or why there is none.
    pub(crate) fn embed_code(&self, home: &str) -> Result<String, String> {
        let chosen = &self.embedding;
        let step = self.session.position();
        let step = (chosen.at_step && step > 0).then(|| step.to_string());
        let names: Vec<&str> = chosen.panes.iter().map(|pane| pane.key()).collect();
        let panes = (chosen.panes != Pane::DEFAULT).then(|| names.join(","));
        let mut options = option("panes", panes.as_deref());
        if chosen.read_only {
            options.push_str(" readonly");
        }
        options.push_str(&option("step", step.as_deref()));
        match chosen.form {
            EmbedForm::Element => {
                Ok(format!(
                    "<script src=\"{}lanewise-embed.js\" defer></script>\n\n\
                     <lanewise-scenario{options}>\n<pre>\n{}\n</pre>\n</lanewise-scenario>\n",
                    escaped(home),
                    // Quotes need no escaping in text content, and the listing
                    // stays readable.
                    escaped(self.source.document.text.trim_end()).replace("&quot;", "\"")
                ))
            }
            EmbedForm::Block => {
                let comment = if options.is_empty() {
                    String::new()
                } else {
                    format!("// embed{options}\n")
                };
                let fence = fence(&self.source.document.text);
                let text = self.source.document.text.trim_end();
                Ok(format!("{fence}lanewise\n{comment}{text}\n{fence}\n"))
            }
            EmbedForm::Frame => {
                let mut link = Link {
                    text: self.source.document.text.to_string(),
                    ..Link::default()
                };
                if let Some(step) = &step {
                    link.view.set(view::STEP, step);
                }
                let fragment = link.fragment().map_err(|error| error.to_string())?;
                let mut query = String::from("?embed");
                if let Some(panes) = &panes {
                    let _ = write!(query, "&panes={panes}");
                }
                if chosen.read_only {
                    query.push_str("&readonly");
                }
                let title = self.source.title().unwrap_or("scenario");
                Ok(format!(
                    "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"640\" style=\"border: 0\"></iframe>\n",
                    escaped(&format!("{home}{query}#{fragment}")),
                    escaped(&format!("Lanewise: {title}"))
                ))
            }
        }
    }
}

/// ` name="value"`, or an empty string.
fn option(name: &str, value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| format!(" {name}=\"{value}\""))
}

/// Escapes text for HTML content or attributes.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Code fence that does not occur in the text.
fn fence(text: &str) -> String {
    let ticks = |line: &str| line.trim_start().bytes().take_while(|b| *b == b'`').count();
    let most = text.lines().map(ticks).max().unwrap_or(0);
    "`".repeat(most.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::embed::EmbedAction;

    #[test]
    fn fence_is_longer_than_inner_fences() {
        let mut state = State::of_text("````\n.slm 64\n");
        state.act(EmbedAction::Set(Embedding {
            form: EmbedForm::Block,
            ..Embedding::default()
        }));
        let code = state.embed_code("https://lanewise.example/").unwrap();
        assert!(
            code.starts_with("`````lanewise\n") && code.ends_with("\n`````\n"),
            "{code}"
        );
    }
}

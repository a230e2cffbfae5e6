use crate::dom::{El, Part, el, part};
use crate::fetched;
use crate::state::explain::Explained;
use lanewise_core::isa::{PseudocodeState, Spec};
use web_sys::Element;
use yew::prelude::*;

/// The instruction at hand: what it does, its pseudo-code with the line of
/// the last step, and what its document says. Only the pseudo-code changes
/// with a step.
pub(crate) fn draw(explained: Option<Explained>, stand: Option<PseudocodeState>) -> Option<El> {
    let explained = explained?;
    let spec = explained.spec;
    let head = el!("div", "class" = "pane-head")
        .put(el!("h2", "id" = "explain-title").put("Explain"))
        .put(el!("p", "class" = "muted mono").put(spec.name));
    let explanation = el!("div", "class" = "explanation")
        .put(el!("p").put(spec.summary))
        .each(pseudo_code(spec, stand.as_ref()))
        .put(part(Facts { explained }, None));
    let pane = el!(
        "section",
        "class" = "pane explain",
        "aria-labelledby" = "explain-title"
    );
    Some(pane.put(head).put(explanation))
}

fn pseudo_code(spec: &'static Spec, stand: Option<&PseudocodeState>) -> [Html; 3] {
    let variables = stand.map_or(&[][..], |stand| &stand.variables);
    let variable = |(name, value): &(&'static str, String)| {
        el!("span")
            .put(*name)
            .put(" = ")
            .put(el!("b").put(value.clone()))
    };
    let variables = el!("p", "class" = "variables mono").each(variables.iter().map(variable));
    let lines = spec.pseudo_code;
    let at = stand.map(|stand| stand.line);
    [
        el!("h3", "id" = "pseudo-code-title")
            .put("Pseudo-code")
            .html(),
        variables.html(),
        part(PseudoCode { lines, at }, None),
    ]
}

/// The pseudo-code, drawn anew when another line is lit.
#[derive(PartialEq)]
struct PseudoCode {
    lines: &'static [&'static str],
    at: Option<usize>,
}

impl Part for PseudoCode {
    type Kept = NodeRef;

    fn draw(&self, place: &NodeRef) -> Html {
        let line = |(index, line): (usize, &&'static str)| {
            let current = (Some(index) == self.at).then_some("step");
            el!("li", "aria-current" = current).put(*line)
        };
        el!(
            "div",
            "class" = "scroller code-box",
            "role" = "group",
            "aria-labelledby" = "pseudo-code-title",
            "tabindex" = "0"
        )
        .bind(place.clone())
        .put(el!("ol", "class" = "code").each(self.lines.iter().enumerate().map(line)))
        .html()
    }

    fn drawn(&self, place: &mut NodeRef) {
        if let Some(place) = place.cast::<Element>() {
            super::lanes::show_current(&place);
        }
    }
}

/// What is known of the instruction: fetched, and put there as it is.
#[derive(PartialEq)]
struct Facts {
    explained: Explained,
}

impl Part for Facts {
    type Kept = NodeRef;

    fn draw(&self, place: &NodeRef) -> Html {
        el!("div", "class" = "facts").bind(place.clone()).html()
    }

    fn drawn(&self, place: &mut NodeRef) {
        let Explained {
            spec,
            operation,
            ref contradiction_ids,
        } = self.explained;
        if let Some(place) = place.cast::<Element>() {
            let code = operation.map_or_else(String::new, |code| code.to_string());
            fetched::explain(
                &place,
                &spec.name.to_ascii_lowercase(),
                &code,
                contradiction_ids,
            );
        }
    }
}

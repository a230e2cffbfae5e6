use crate::dom::{El, Part, el, part};
use crate::fetched;
use crate::state::explain::Explained;
use lanewise_core::isa::{Spec, Stand};
use web_sys::Element;
use yew::prelude::*;

/// The instruction at hand: what it does, its pseudo-code with the line of
/// the last step, and what its document says. Only the pseudo-code changes
/// with a step.
#[inline(never)]
pub(crate) fn draw(explained: Option<Explained>, stand: Option<Stand>) -> Option<El> {
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

fn pseudo_code(spec: &'static Spec, stand: Option<&Stand>) -> [El; 3] {
    let at = stand.map(|stand| stand.line);
    let variables = stand.map_or(&[][..], |stand| &stand.variables);
    let line = |(index, line): (usize, &&'static str)| {
        let current = (Some(index) == at).then_some("step");
        el!("li", "aria-current" = current).put(*line)
    };
    let variable = |(name, value): &(&'static str, String)| {
        el!("span")
            .put(*name)
            .put(" = ")
            .put(el!("b").put(value.clone()))
    };
    [
        el!("h3").put("Pseudo-code"),
        el!("p", "class" = "variables mono").each(variables.iter().map(variable)),
        el!("ol", "class" = "code").each(spec.pseudo_code.iter().enumerate().map(line)),
    ]
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
        let Explained { spec, operation } = self.explained;
        if let Some(place) = place.cast::<Element>() {
            let code = operation.map_or_else(String::new, |code| code.to_string());
            fetched::explain(&place, &spec.name.to_ascii_lowercase(), &code);
        }
    }
}

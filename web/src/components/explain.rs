use crate::dom::{El, component, el, list};
use crate::state::explain::Explained;
use lanewise_core::isa::{Fact, OperationRow, Spec, Stand};
use yew::prelude::*;

/// The instruction at hand: what it does, its pseudo-code with the line of
/// the last step, and what its document says. Only the pseudo-code changes
/// with a step.
pub(crate) fn draw(explained: Option<Explained>, stand: Option<Stand>) -> Option<El> {
    let explained = explained?;
    let spec = explained.spec;
    let head = el!("div", "class" = "pane-head")
        .put(el!("h2", "id" = "explain-title").put("Explain"))
        .put(el!("p", "class" = "muted mono").put(spec.name));
    let explanation = el!("div", "class" = "explanation")
        .put(el!("p").put(spec.summary))
        .each(pseudo_code(spec, stand.as_ref()))
        .put(component::<Facts>(FactsProps { explained }, None));
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

#[derive(Properties, PartialEq)]
struct FactsProps {
    explained: Explained,
}

#[component]
fn Facts(props: &FactsProps) -> Html {
    let Explained { spec, operation } = props.explained;
    let rows = (spec.operations)();
    let mut parts = vec![heading("Text")];
    parts.extend(
        spec.syntax
            .iter()
            .map(|form| el!("p", "class" = "mono form").put(*form).html()),
    );
    if !rows.is_empty() {
        parts.push(heading("Operations"));
        parts.push(operations(&rows, operation).html());
    }
    parts.push(heading("What is known"));
    let fact = |fact: &Fact| {
        let mark = fact.mark.word();
        el!("li", "class" = "fact")
            .put(el!("span", "class" = "mark-word", "data-mark" = mark).put(mark))
            .put(el!("span").put(fact.text))
    };
    parts.push(el!("ul").each(spec.facts.iter().map(fact)).html());
    if !spec.contradictions.is_empty() {
        parts.push(heading("Contradictions"));
    }
    let line = |name: &'static str, text: &'static str| el!("p").put(name).put(text);
    parts.extend(spec.contradictions.iter().map(|said| {
        el!("details")
            .put(el!("summary").put(said.title))
            .put(line("One reading: ", said.one))
            .put(line("The other: ", said.other))
            .put(line("Taken here: ", said.taken))
            .html()
    }));
    let source = el!("p", "class" = "muted").put("Source: ").put(spec.source);
    parts.push(source.html());
    list(parts)
}

fn heading(text: &'static str) -> Html {
    el!("h3").put(text).html()
}

fn operations(rows: &[OperationRow], operation: Option<u64>) -> El {
    let heads = ["Operation", "New value", "Types", "Returns", "Code"];
    let row = |row: &OperationRow| {
        let current = (operation == Some(row.code)).then_some("true");
        let cells = [row.formula, row.types, row.returns];
        el!("tr", "aria-current" = current)
            .put(el!("th", "scope" = "row").put(row.name))
            .each(cells.map(|cell| el!("td").put(cell)))
            .put(el!("td").put(format!("{:#04x}", row.code)))
    };
    let heads = heads.map(|head| el!("th", "scope" = "col").put(head));
    let table = el!("table", "class" = "table operations")
        .put(el!("thead").put(el!("tr").each(heads)))
        .put(el!("tbody").each(rows.iter().map(row)));
    el!(
        "div",
        "class" = "scroller",
        "role" = "group",
        "aria-label" = "Operations",
        "tabindex" = "0"
    )
    .put(table)
}

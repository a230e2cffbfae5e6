use crate::state::explain::Explained;
use lanewise_core::isa::{OperationRow, Spec, Stand};
use yew::prelude::*;

/// The instruction at hand: what it does, its pseudo-code with the line of
/// the last step, and what its document says. Only the pseudo-code changes
/// with a step.
pub(crate) fn draw(explained: Option<Explained>, stand: Option<Stand>) -> Html {
    let Some(explained) = explained else {
        return Html::default();
    };
    let spec = explained.spec;
    html! {
        <section class="pane explain" aria-labelledby="explain-title">
            <div class="pane-head">
                <h2 id="explain-title">{ "Explain" }</h2>
                <p class="muted mono">{ spec.name }</p>
            </div>
            <div class="explanation">
                <p>{ spec.summary }</p>
                { pseudo_code(spec, stand.unwrap_or(Stand { line: usize::MAX, variables: Vec::new() })) }
                <Facts {explained} />
            </div>
        </section>
    }
}

fn pseudo_code(spec: &'static Spec, stand: Stand) -> Html {
    let lines = spec.pseudo_code.iter().enumerate();
    let line = |(index, line): (usize, &&'static str)| {
        html! { <li aria-current={(index == stand.line).then_some("step")}>{ *line }</li> }
    };
    let variable = |(name, value): &(&'static str, String)| {
        html! { <span>{ *name }{ " = " }<b>{ value }</b></span> }
    };
    html! {
        <>
            <h3>{ "Pseudo-code" }</h3>
            <p class="variables mono">{ for stand.variables.iter().map(variable) }</p>
            <ol class="code">{ for lines.map(line) }</ol>
        </>
    }
}

#[derive(Properties, PartialEq)]
struct FactsProps {
    explained: Explained,
}

#[component]
fn Facts(props: &FactsProps) -> Html {
    let Explained { spec, operation } = props.explained;
    let rows = (spec.operations)();
    html! {
        <>
            <h3>{ "Text" }</h3>
            { for spec.syntax.iter().map(|form| html! { <p class="mono form">{ *form }</p> }) }
            if !rows.is_empty() {
                <h3>{ "Operations" }</h3>
                { operations(&rows, operation) }
            }
            <h3>{ "What is known" }</h3>
            <ul>
                { for spec.facts.iter().map(|fact| html! {
                    <li class="fact">
                        <span class="mark-word" data-mark={fact.mark.word()}>{ fact.mark.word() }</span>
                        <span>{ fact.text }</span>
                    </li>
                }) }
            </ul>
            if !spec.contradictions.is_empty() {
                <h3>{ "Contradictions" }</h3>
            }
            { for spec.contradictions.iter().map(|said| html! {
                <details>
                    <summary>{ said.title }</summary>
                    <p>{ "One reading: " }{ said.one }</p>
                    <p>{ "The other: " }{ said.other }</p>
                    <p>{ "Taken here: " }{ said.taken }</p>
                </details>
            }) }
            <p class="muted">{ "Source: " }{ spec.source }</p>
        </>
    }
}

fn operations(rows: &[OperationRow], operation: Option<u64>) -> Html {
    let heads = ["Operation", "New value", "Types", "Returns", "Code"];
    let row = |row: &OperationRow| {
        let cells = [row.formula, row.types, row.returns];
        html! {
            <tr aria-current={(operation == Some(row.code)).then_some("true")}>
                <th scope="row">{ row.name }</th>
                { for cells.map(|cell| html! { <td>{ cell }</td> }) }
                <td>{ format!("{:#04x}", row.code) }</td>
            </tr>
        }
    };
    html! {
        <div class="scroller" role="group" aria-label="Operations" tabindex="0">
            <table class="table operations">
                <thead><tr>{ for heads.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

use crate::components::read_only::use_read_only;
use crate::components::table::{numbers, table};
use crate::dom::{focus_element, show_current};
use crate::features::explain::explanations::{Fetched, use_explanation};
use crate::features::explain::model::Explained;
use crate::features::highlight::{Highlight, use_highlight};
use crate::features::program::ProgramAction;
use crate::store::{Action, Slice, on_click};
use lanewise_answer::explanation::{
    Construct, Contradiction, Example, Explanation, Fact, Form, Operation, key_of,
};
use lanewise_core::isa::{PseudocodeState, SourceConstruct};
use lanewise_core::session::Session;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct ExplainPaneProps {
    pub(crate) session: Slice<Session>,
    pub(crate) dispatch: Callback<Action>,
}

#[component]
pub(crate) fn ExplainPane(props: &ExplainPaneProps) -> Html {
    let ExplainPaneProps { session, dispatch } = props;
    let explained = Explained::of(session);
    html! {
        <section class="pane" aria-labelledby="explain-title">
            <h2 id="explain-title" class="unseen">{ "Explain" }</h2>
            if let Some(explained) = &explained {
                { explanation(explained, session.pseudocode_state().as_ref(), dispatch) }
            } else {
                <p class="empty">{ "Type an instruction to see what it does." }</p>
            }
        </section>
    }
}

/// Pseudocode of the current instruction, marking the line of the last step,
/// and reference information.
fn explanation(
    explained: &Explained,
    pseudocode: Option<&PseudocodeState>,
    dispatch: &Callback<Action>,
) -> Html {
    let spec = explained.spec;
    let line = pseudocode.map(|state| state.line);
    let variables = pseudocode.map_or(&[][..], |state| &state.variables);
    html! {
        <div class="explain"><div class="explanation">
            <div class="what">
                <p><b class="mono">{ spec.name }</b>{ " " }{ spec.summary }</p>
                if let Some((lane, values)) = &explained.values {
                    <p class="variables mono wrapping" aria-label={lane.clone()}>
                        <span>{ lane }{ ":" }</span>
                        { for values.iter().map(|(name, value)| variable(name, value)) }
                    </p>
                }
                { for explained.constructs.iter().map(compiled_from) }
                if !spec.pseudo_code.is_empty() {
                    <h3 id="pseudo-code-title">{ "Pseudo-code" }</h3>
                    <p class="variables mono wrapping">
                        { for variables.iter().map(|(name, value)| variable(name, value)) }
                    </p>
                    <Pseudocode lines={spec.pseudo_code} {line} />
                }
            </div>
            <KnownFacts
                key={spec.name}
                explained={explained.clone()}
                dispatch={dispatch.clone()}
            />
        </div></div>
    }
}

fn variable(name: &str, value: &str) -> Html {
    html! { <span>{ name }{ " = " }<b>{ value }</b></span> }
}

/// Source-language construct that compiles to the instruction.
fn compiled_from(construct: &SourceConstruct) -> Html {
    html! {
        <p class="construct">
            { provenance(construct.mark.word()) }
            { format!(" Compiled from {}: ", construct.language) }
            <span class="mono">{ &construct.text }</span>
            <span class="muted">{ format!(" ({})", construct.source) }</span>
        </p>
    }
}

#[derive(Properties, PartialEq)]
struct PseudocodeProps {
    lines: &'static [&'static str],
    /// Current line, from 0.
    line: Option<usize>,
}

/// Pseudocode with the current line marked.
#[component]
fn Pseudocode(props: &PseudocodeProps) -> Html {
    let highlight = use_highlight();
    let scroller = use_node_ref();
    {
        let scroller = scroller.clone();
        use_effect_with(props.line, move |_| {
            if let Some(scroller) = scroller.cast::<Element>() {
                show_current(&scroller);
            }
        });
    }
    let line = |(index, text): (usize, &&'static str)| {
        let current = props.line == Some(index);
        html! {
            <li
                class={highlight.highlighted.has_line(index).then_some("lit")}
                aria-current={current.then_some("step")}
                onmouseover={highlight.highlight_on_over(Highlight::PseudocodeLine(index))}
            >
                { *text }
            </li>
        }
    };
    html! {
        <div
            ref={scroller}
            class="scroller code-box"
            role="group"
            aria-labelledby="pseudo-code-title"
            tabindex="0"
            onmouseleave={highlight.clear_on_leave()}
        >
            <ol class="code">{ for props.lines.iter().enumerate().map(line) }</ol>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct KnownFactsProps {
    explained: Explained,
    dispatch: Callback<Action>,
}

/// Reference information about the instruction.
#[component]
fn KnownFacts(props: &KnownFactsProps) -> Html {
    let KnownFactsProps {
        explained,
        dispatch,
    } = props;
    let (fetched, retry) = use_explanation(explained.spec);
    let read_only = use_read_only();
    let facts = use_node_ref();
    // The button disappears with the focus: move focus to the loaded content.
    let try_again = {
        let facts = facts.clone();
        Callback::from(move |_: MouseEvent| {
            let facts: HtmlElement = facts.cast().expect("the button is a descendant");
            focus_element(&facts);
            retry.emit(());
        })
    };
    html! {
        <div ref={facts} class="facts" tabindex="-1">
            { match fetched {
                Fetched::Loading => html! { <p role="status" class="muted">{ "Loading …" }</p> },
                Fetched::Failed(reason) => html! {
                    <div role="status">
                        <p>{ "The reference for this instruction could not be loaded." }</p>
                        <p class="muted">{ reason }</p>
                        <button class="button small" onclick={try_again}>{ "Try again" }</button>
                    </div>
                },
                Fetched::Loaded(file) => match file.get(&key_of(explained.spec)) {
                    Some(explanation) => loaded_facts(explanation, explained, read_only, dispatch),
                    None => html! { <p class="muted">{ "The reference does not contain this instruction. Reload the page." }</p> },
                },
            } }
        </div>
    }
}

/// Reference information, once loaded.
fn loaded_facts(
    explanation: &Explanation,
    explained: &Explained,
    read_only: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let fact = |fact: &Fact| {
        html! {
            <li class="fact">
                { provenance(&fact.provenance) }<span>{ &fact.text }</span>
            </li>
        }
    };
    let contradiction = |contradiction: &Contradiction| {
        let id = contradiction.id.as_str();
        contradiction_details(contradiction, explained.contradiction_ids.contains(&id))
    };
    let example = |example: &Example| {
        let open = ProgramAction::OpenExample(example.title.clone(), example.program.clone());
        example_details(example, (!read_only).then(|| on_click(dispatch, open)))
    };
    html! {
        <>
            <h3>{ "Syntax" }</h3>
            { for explanation.syntax.iter().map(|form| html! { <p class="mono muted">{ form }</p> }) }
            if !explanation.operations.is_empty() {
                <h3>{ "Operations" }</h3>
                { operations_table(&explanation.operations, explained.operation) }
            }
            if !explanation.constructs.is_empty() {
                <h3>{ "Compiled from" }</h3>
                { constructs_table(&explanation.constructs) }
            }
            <h3>{ "Reference" }</h3>
            <ul>{ for explanation.facts.iter().map(fact) }</ul>
            if !explanation.contradictions.is_empty() {
                <h3>{ "Contradictions" }</h3>
                { for explanation.contradictions.iter().map(contradiction) }
            }
            if !explanation.forms.is_empty() {
                <h3>{ "Fields and allowed values" }</h3>
            }
            { for explanation.forms.iter().map(form_details) }
            if !explanation.examples.is_empty() {
                <h3>{ "Examples" }</h3>
                { for explanation.examples.iter().map(example) }
            }
            <p class="muted">{ "Source: " }{ &explanation.source }</p>
        </>
    }
}

/// Operations of the instruction.
/// `current` is the operation code of the current instruction.
fn operations_table(rows: &[Operation], current: Option<u64>) -> Html {
    let has_messages = rows.iter().any(|row| !row.messages.is_empty());
    let heads = ["Operation", "New value", "Types", "Returns", "Code"].into_iter();
    let heads = heads.chain(has_messages.then_some("Message types"));
    let row = |row: &Operation| {
        html! {
            <tr aria-current={(current == Some(row.code)).then_some("true")}>
                <th scope="row">{ &row.name }</th>
                <td>{ &row.formula }</td>
                <td>{ &row.types }</td>
                <td>{ &row.returns }</td>
                <td>{ format!("{:#04x}", row.code) }</td>
                if has_messages {
                    <td>{ &row.messages }</td>
                }
            </tr>
        }
    };
    reference_table("Operations", heads, rows.iter().map(row))
}

/// Table that scrolls.
fn reference_table(
    label: &'static str,
    heads: impl Iterator<Item = &'static str>,
    rows: impl Iterator<Item = Html>,
) -> Html {
    html! {
        <div class="scroller" role="group" aria-label={label} tabindex="0">
            { table("operations", heads.map(numbers), rows) }
        </div>
    }
}

/// Source constructs that compile to the instruction, by form.
fn constructs_table(rows: &[Construct]) -> Html {
    let heads = ["Form", "Source", "Construct", "Source"];
    let row = |row: &Construct| {
        html! {
            <tr>
                <th scope="row" class="mono">{ if row.form.is_empty() { "any" } else { &row.form } }</th>
                <td>{ &row.language }</td>
                <td class="mono">{ &row.text }</td>
                <td>{ provenance(&row.provenance) }{ " " }{ &row.source }</td>
            </tr>
        }
    };
    html! {
        <details>
            <summary>{ format!("{} source constructs", rows.len()) }</summary>
            { reference_table("Source constructs", heads.into_iter(), rows.iter().map(row)) }
        </details>
    }
}

/// Label for the source of a statement.
fn provenance(word: &str) -> Html {
    html! { <span class="mark-word" data-mark={word.to_owned()}>{ word }</span> }
}

/// Contradiction in a document: two readings, and the one Lanewise implements.
/// `applies` is whether it affects the current instruction as written.
fn contradiction_details(contradiction: &Contradiction, applies: bool) -> Html {
    html! {
        <details data-about={contradiction.id.clone()}>
            <summary>
                { &contradiction.title }
                if applies {
                    <span class="mark-word" data-mark="documented">{ "applies here" }</span>
                }
            </summary>
            <p>{ "One reading: " }{ &contradiction.one }</p>
            <p>{ "The other: " }{ &contradiction.other }</p>
            <p>{ "Lanewise implements: " }{ &contradiction.taken }</p>
        </details>
    }
}

/// Fields of an opcode and their allowed values.
fn form_details(form: &Form) -> Html {
    let field = |field: &lanewise_answer::explanation::AllowedValues| {
        let values = field
            .values
            .iter()
            .map(|value| html! { <dd>{ value }</dd> });
        html! {
            <div>
                <dt><b>{ &field.name }</b><span class="muted">{ &field.bits }</span></dt>
                { for values }
            </div>
        }
    };
    html! {
        <details>
            <summary>{ format!("Opcode {}", form.opcode) }</summary>
            <dl class="allowed">{ for form.fields.iter().map(field) }</dl>
        </details>
    }
}

/// Example program with the instruction, as text and bytes.
fn example_details(example: &Example, open: Option<Callback<MouseEvent>>) -> Html {
    html! {
        <details key={example.title.clone()}>
            <summary>{ &example.title }</summary>
            <pre class="mono" tabindex="0">{ &example.program }</pre>
            <p class="mono">{ "Document: " }{ &example.document }</p>
            <p class="mono">{ "Assembler: " }{ &example.assembler }</p>
            <p class="mono">{ "Encoding: " }{ &example.encoding }</p>
            { for example.end.iter().map(|end| html! { <p class="mono">{ "Final state: " }{ end }</p> }) }
            if let Some(open) = open {
                <button class="button small" onclick={open}>{ "Open this program" }</button>
            }
        </details>
    }
}

//! What is wrong with a program: diagnostics with their places as an editor
//! counts them, and the list of them.

use super::invisible::visible;
use super::line_index::LineIndex;
use crate::features::program::ProgramAction;
use crate::store::Action;
use lanewise_core::diagnostic::{Diagnostic, Severity};
use std::ops::Range;
use std::rc::Rc;
use yew::prelude::*;

/// A fix: a replacement in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    /// The bytes to replace.
    pub(crate) range: Range<usize>,
    pub(crate) replacement: String,
}

/// A diagnostic with its place as an editor counts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    pub(crate) message: String,
    /// What to do about it; empty where nothing is known.
    pub(crate) help: String,
    pub(crate) fix: Option<Replacement>,
    /// Start and end in UTF-16 units.
    pub(crate) selection: (u32, u32),
}

impl Problem {
    pub(crate) fn new(diagnostic: &Diagnostic, lines: &LineIndex) -> Self {
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        let (line, column) = lines.line_column(start);
        Self {
            severity: diagnostic.severity(),
            code: diagnostic.rule.code,
            line,
            column,
            message: diagnostic.message(),
            help: diagnostic.help.clone(),
            fix: diagnostic.edit.as_ref().map(|edit| Replacement {
                range: edit.span.start as usize..edit.span.end as usize,
                replacement: edit.replacement.clone(),
            }),
            selection: (lines.utf16(start), lines.utf16(end)),
        }
    }
}

/// The worst problem of each line that has one: the line from 0 and how severe
/// it is. `problems` come by line.
pub(super) fn worst_by_line(problems: &[Problem]) -> Vec<(u32, Severity)> {
    let worst = |line: &[Problem]| {
        let severity = line.iter().map(|problem| problem.severity).min();
        // `chunk_by` makes no empty chunks.
        (line[0].line - 1, severity.expect("the chunk has a problem"))
    };
    problems
        .chunk_by(|a, b| a.line == b.line)
        .map(worst)
        .collect()
}

#[derive(Properties, PartialEq)]
pub(crate) struct ProblemsProps {
    /// What the ids of this list start with.
    pub(crate) id: &'static str,
    pub(crate) problems: Rc<[Problem]>,
    /// The most that are listed.
    pub(crate) most: usize,
    pub(crate) dispatch: Callback<Action>,
}

/// What is wrong with the program, each with a way to its place and, where
/// one is known, the fix.
#[component]
pub(crate) fn Problems(props: &ProblemsProps) -> Html {
    let ProblemsProps {
        id,
        problems,
        most,
        dispatch,
    } = props;
    let items = problems.iter().enumerate().take(*most);
    let items = items.map(|(index, problem)| {
        html! { <Item id={format!("{id}-{index}")} {index} problem={problem.clone()} dispatch={dispatch.clone()} /> }
    });
    html! {
        <>
            <ul>{ for items }</ul>
            if problems.len() > *most {
                <p class="muted">{ format!("and {} more", problems.len() - most) }</p>
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
struct ItemProps {
    id: AttrValue,
    index: usize,
    problem: Problem,
    dispatch: Callback<Action>,
}

#[component]
fn Item(props: &ItemProps) -> Html {
    let ItemProps {
        id,
        index,
        problem,
        dispatch,
    } = props;
    let index = *index;
    let severity = problem.severity.word();
    let fixable = problem.fix.is_some();
    html! {
        <li class="problem" data-severity={severity}>
            <button
                {id}
                class="problem-go"
                onclick={dispatch.reform(move |_: MouseEvent| Action::Program(ProgramAction::GoTo(index)))}
            >
                <span class="severity">{ severity }</span>{ " " }
                <span class="place">
                    { format!("{} at {}:{}", problem.code, problem.line, problem.column) }
                </span>{ " " }
                <span class="message">{ visible(&problem.message).into_owned() }</span>
            </button>
            if fixable || !problem.help.is_empty() {
                <div class="problem-help">
                    <p>{ visible(&problem.help).into_owned() }</p>
                    if fixable {
                        <button
                            class="button small"
                            aria-describedby={id.clone()}
                            onclick={dispatch.reform(move |_: MouseEvent| Action::Program(ProgramAction::Fix(index)))}
                        >
                            { "Fix" }
                        </button>
                    }
                </div>
            }
        </li>
    }
}

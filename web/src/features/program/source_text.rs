//! Source of a kernel beside its program, if the compiler recorded its lines.

use super::source::Document;
use crate::features::stage::use_reveal;
use crate::features::transport::TransportAction;
use crate::store::{Action, State, on_click};
use lanewise_core::library::BUNDLED;
use lanewise_core::program::Program;
use std::rc::Rc;
use yew::prelude::*;

/// Maximum number of lines shown.
const MAX_LINES: usize = 5_000;

/// Source file that the user opened, or of a bundled kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceText {
    /// Name without its folder.
    pub(crate) name: Rc<str>,
    pub(crate) text: Rc<str>,
}

impl SourceText {
    /// Source of a bundled kernel.
    fn bundled(name: &str) -> Option<Self> {
        let mut sources = BUNDLED.iter().filter_map(|bundled| bundled.source);
        let (name, text) = sources.find(|(own, _)| *own == name)?;
        Some(Self {
            name: Rc::from(name),
            text: Rc::from(text),
        })
    }
}

/// Place of the current instruction in the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SourcePlace {
    /// Name of the program's source file, without its folder.
    file: Rc<str>,
    /// Name of the instruction's own file, and the line from 1, such as `a.cl:12`.
    place: Option<String>,
    /// The line, if it is one of the program's source file.
    line: Option<u32>,
    /// The program's source file, if the user opened it or the kernel is bundled.
    text: Option<SourceText>,
    /// Lines that findings name, with their code and title.
    findings: Rc<Vec<(u32, String, String)>>,
}

/// Name of the source file without its folder, if the program has source lines.
pub(crate) fn source_name(program: &Program) -> Option<&str> {
    program.source_file().map(without_folder)
}

fn without_folder(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

impl State {
    /// The source file that the program names, if the user opened it or the kernel is
    /// bundled.
    pub(crate) fn kernel_source(&self) -> Option<SourceText> {
        let file = source_name(self.session.program())?;
        let opened = self.files.source.clone();
        let opened = opened.filter(|source| &*source.name == file);
        opened.or_else(|| SourceText::bundled(file))
    }

    /// Place of the current instruction in the source.
    pub(super) fn source_place(&self) -> Option<SourcePlace> {
        let session = &self.session;
        let program = session.program();
        let file = source_name(program)?;
        let issue = session.next_issue().or_else(|| session.last_issue());
        let instruction = issue.and_then(|issue| session.issue(issue))?.instruction;
        let own = program.source_line(instruction);
        let line = own.filter(|(own, _)| Some(*own) == program.source_file());
        Some(SourcePlace {
            file: Rc::from(file),
            place: own.map(|(own, line)| format!("{}:{line}", without_folder(own))),
            line: line.and_then(|(_, line)| u32::try_from(line).ok()),
            text: self.kernel_source(),
            findings: self.finding_lines(),
        })
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct SourcePaneProps {
    pub(super) place: SourcePlace,
    pub(super) document: Document,
    pub(super) dispatch: Callback<Action>,
}

/// Name and line of the source, and its text if the user opened it. A press on a
/// line runs to its next execution.
#[component]
pub(super) fn SourcePane(props: &SourcePaneProps) -> Html {
    let SourcePaneProps {
        place,
        document,
        dispatch,
    } = props;
    let list = use_node_ref();
    use_reveal(list.clone(), place.line, &["[aria-current]"]);
    let name = place.place.as_deref().unwrap_or(&place.file);
    let Some(source) = &place.text else {
        let hint = format!("Open {} to see its text", place.file);
        return html! { <p class="source-place" title={hint}>{ name }</p> };
    };
    let row = |(number, text): (u32, &str)| {
        let onclick = on_click(dispatch, TransportAction::RunToSourceLine(number));
        let findings = place.findings.iter();
        let findings = findings.filter(|(line, ..)| *line == number);
        html! {
            <li aria-current={(place.line == Some(number)).then_some("step")}>
                <button
                    aria-label={format!("Run to source line {number}")}
                    disabled={!document.program.has_source_line(number.into())}
                    {onclick}
                >{ number }</button>
                <code>{ text }</code>
                { for findings.map(|(_, code, title)| html! {
                    <span class="source-finding" title={title.clone()}>{ code }</span>
                }) }
            </li>
        }
    };
    html! {
        <section class="source-text" aria-label="Source">
            <p class="source-place">{ name }</p>
            <ol class="scroller" ref={list} tabindex="0" aria-label={source.name.to_string()}>
                { for (1..).zip(source.text.lines()).take(MAX_LINES).map(row) }
            </ol>
            if source.text.lines().nth(MAX_LINES).is_some() {
                <p class="source-place">{ format!("Only the first {MAX_LINES} lines are shown.") }</p>
            }
        </section>
    }
}

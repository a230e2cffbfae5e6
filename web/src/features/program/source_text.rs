//! Source of a kernel beside its program, if the compiler recorded its lines.

use super::source::Document;
use super::{BreakpointAction, Breakpoints};
use crate::components::file::choose_file;
use crate::components::resize::use_measured;
use crate::features::checks::finding_lines;
use crate::features::stage::use_reveal;
use crate::features::transport::{TransportAction, upcoming_instruction};
use crate::store::{Action, on_click};
use lanewise_core::ide::{SourceFunction, source_function};
use lanewise_core::isa::Style;
use lanewise_core::library::BUNDLED;
use lanewise_core::program::{Program, file_name};
use lanewise_core::session::Session;
use lanewise_core::text::counted;
use lanewise_web::launch_checks::LaunchFinding;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// Maximum number of lines shown.
const MAX_LINES: usize = 5_000;

/// Maximum number of instructions shown below a line.
const MAX_CODE: usize = 40;

/// Source file that the user opened, or of a bundled kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceText {
    /// Name without its folder.
    pub(crate) name: Rc<str>,
    pub(crate) text: Rc<str>,
}

impl SourceText {
    /// Source of a bundled kernel.
    pub(crate) fn bundled(name: &str) -> Option<Self> {
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
    /// The line to show: that of the next instruction that has one.
    shown: Option<u32>,
    /// The program's source file, if the user opened it or the kernel is bundled.
    text: Option<SourceText>,
    /// Lines that findings name, with their code and title.
    findings: Vec<(u32, String, String)>,
    /// How often lines were started.
    hits: BTreeMap<u64, u32>,
    breakpoints: Vec<u32>,
    /// The function of the line and its calls, where it has any.
    function: Option<SourceFunction>,
    /// Instructions of the line around the current one, and which of them that is.
    code: Vec<(String, bool)>,
}

/// Place of the current instruction in the source of the kernel, and findings about it.
pub(super) fn source_place(
    session: &Session,
    text: Option<SourceText>,
    findings: &[LaunchFinding],
    breakpoints: &Breakpoints,
) -> Option<SourcePlace> {
    let program = session.program();
    let file = program.source_name()?;
    let instruction = u32::try_from(upcoming_instruction(session)?).ok()?;
    let own = program.source_line(instruction);
    let line_of = |index| {
        let (own, line) = program.source_line(index)?;
        u32::try_from(line)
            .ok()
            .filter(|_| Some(own) == program.source_file())
    };
    let line = line_of(instruction);
    let end = u32::try_from(program.instructions.len()).expect("programs are bounded");
    let function = text.as_ref().zip(line);
    let function = function.and_then(|(source, line)| source_function(&source.text, line));
    let function = function.map(|function| {
        // The file may say which of the calls this is.
        let call = program.source_calls(instruction).next();
        match call.and_then(|line| u32::try_from(line).ok()) {
            Some(call) => SourceFunction {
                calls: vec![call],
                ..function
            },
            None => function,
        }
    });
    Some(SourcePlace {
        file: Rc::from(file),
        place: own.map(|(own, line)| format!("{}:{line}", file_name(own))),
        line,
        shown: (instruction..end).find_map(line_of),
        text,
        function: function.filter(|function| !function.calls.is_empty()),
        findings: finding_lines(findings),
        hits: session.source_line_hits(),
        breakpoints: breakpoints.source_lines(program),
        code: own.map_or_else(Vec::new, |own| code_of(program, own, instruction)),
    })
}

/// Instructions of a line of the source around one of them, as text, and which of them that is.
fn code_of(program: &Program, line: (&str, u64), current: u32) -> Vec<(String, bool)> {
    let is_own = |index: &u32| program.source_line(*index) == Some(line);
    let first = (0..=current).rev().take_while(is_own).last();
    let end = u32::try_from(program.instructions.len()).expect("programs are bounded");
    let own = (first.unwrap_or(current)..end).take_while(is_own);
    let instructions = own.filter_map(|index| {
        let placed = &program.instructions[index as usize];
        let text = placed.instruction.text(&program.symbols, Style::Assembler);
        (!placed.instruction.is_source_mark()).then_some((text, index == current))
    });
    instructions.take(MAX_CODE).collect()
}

/// Lines in words: `line 9`, `lines 9, 12`.
fn lines_of(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{word} {}", numbers.join(", "))
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
    let lines_with_code = use_memo(document.clone(), |document| {
        document.program.lines_with_code()
    });
    let opens = use_state(|| false);
    // In a narrow window, the list may be hidden.
    let has_text = place.text.is_some();
    let is_visible = use_measured(&list, has_text, |list| Some(list.client_height() > 0));
    let revealed = place.shown.filter(|_| is_visible == Some(true));
    use_reveal(list.clone(), revealed, &["[data-shown]"]);
    let name = place.place.as_deref().unwrap_or(&place.file);
    let Some(source) = &place.text else {
        return html! {
            <p class="wrapping source-place">
                <span>{ name }</span>
                <button class="button small" onclick={Callback::from(|_| choose_file())}>
                    { format!("Open {} to step by its lines", place.file) }
                </button>
            </p>
        };
    };
    let flip = {
        let opens = opens.clone();
        Callback::from(move |_: MouseEvent| opens.set(!*opens))
    };
    let calls = place
        .function
        .as_ref()
        .map_or(&[][..], |function| &function.calls);
    let row = |(number, text): (u32, &str)| {
        let onclick = on_click(dispatch, TransportAction::RunToSourceLine(number));
        let findings = place.findings.iter();
        let findings = findings.filter(|(line, ..)| *line == number);
        let has_code = lines_with_code.contains(&number.into());
        let is_current = place.line == Some(number);
        let hits = place.hits.get(&number.into()).filter(|hits| **hits > 1);
        let toggle = on_click(dispatch, BreakpointAction::ToggleSource(number));
        html! {
            <>
            <li
                aria-current={is_current.then_some("step")}
                data-call={calls.contains(&number).then_some("")}
                data-shown={(place.shown == Some(number)).then_some("")}
            >
                <span class="source-gutter">
                    <button
                        class="source-stop"
                        aria-label={format!("Breakpoint on source line {number}")}
                        aria-pressed={place.breakpoints.contains(&number).to_string()}
                        disabled={!has_code}
                        onclick={toggle}
                    />
                    <button
                        aria-label={format!("Run to source line {number}")}
                        disabled={!has_code}
                        {onclick}
                    >{ number }</button>
                </span>
                <code>{ text }</code>
                { for findings.map(|(_, code, title)| html! {
                    <span class="source-finding" title={title.clone()}>{ code }</span>
                }) }
                if let Some(hits) = hits {
                    <span class="source-hits" title={format!("executed {hits} times")}>
                        { format!("×{hits}") }
                    </span>
                }
                if is_current && !place.code.is_empty() {
                    <button
                        class="source-open"
                        aria-expanded={opens.to_string()}
                        onclick={flip.clone()}
                    >{ counted(place.code.len(), "instruction") }</button>
                }
            </li>
            if is_current && *opens {
                { for place.code.iter().map(|(text, is_next)| html! {
                    <li class="source-code"><code data-next={is_next.then_some("")}>{ text }</code></li>
                }) }
            }
            </>
        }
    };
    html! {
        <section class="source-text" aria-label="Source">
            <p class="wrapping source-place">
                { name }
                if let Some(SourceFunction { name, calls }) = &place.function {
                    { " in " }<code>{ name }</code>{ format!(", called on {}", lines_of(calls)) }
                }
            </p>
            <ol class="scroller" ref={list} tabindex="0" aria-label={source.name.to_string()}>
                { for (1..).zip(source.text.lines()).take(MAX_LINES).map(row) }
            </ol>
            if source.text.lines().nth(MAX_LINES).is_some() {
                <p class="wrapping source-place">{ format!("Only the first {MAX_LINES} lines are shown.") }</p>
            }
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::State;

    #[test]
    fn last_line_shows_its_instructions() {
        let mut state = State::of_scenario("kernel-histogram");
        state.run(TransportAction::ToEnd);
        let source = state.kernel_source();
        let place = source_place(&state.session, source, &[], &state.source.breakpoints).unwrap();
        assert_eq!((place.line, place.code.len()), (Some(10), 1));
        assert!(place.code[0].0.starts_with("ret") && place.code[0].1);
    }
}

use super::breakpoints::{BreakpointAction, Breakpoints, breakpoint_place, source_line};
use super::editor::{Editor, EditorAction, EditorStatus, PROGRAM_TEXT_ID};
use super::invisible::invisible_characters;
use super::menu::{MENU_ID, program_menu};
use super::problem_list::problem_list;
use super::source::{Document, Source, draft_title};
use super::source_text::{SourcePane, source_place};
use crate::components::icon::{IconShape, icon};
use crate::components::select::select;
use crate::dom::{focus, value_of};
use crate::features::checks::Checks;
use crate::features::encoding::highlighted_text;
use crate::features::files::Files;
use crate::features::highlight::use_encoding_highlight;
use crate::features::launch::LaunchAction;
use crate::features::program::ProgramAction;
use crate::features::served::served_problems;
use crate::features::transport::TransportAction;
use crate::store::{Action, Slice, State, on_click, on_last_click, use_request};
use lanewise_answer::goal::is_barrier;
use lanewise_answer::launch::{OutlineEntry, outline};
use lanewise_answer::run_marks::{Defect, RunMark, run_marks};
use lanewise_core::diagnostic::Span;
use lanewise_core::isa::SPECS;
use lanewise_core::library;
use lanewise_core::program::Launch;
use lanewise_core::session::Session;
use lanewise_core::text::capitalized;
use lanewise_files::Commented;
use lanewise_web::launch_checks::LaunchFinding;
use std::collections::BTreeSet;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Number of instructions up to which a program needs no outline.
const SHORT_PROGRAM: usize = 40;

/// Maximum number of problems listed below the program; the drawer lists all.
const DOCKED: usize = 4;

/// Maximum number of invisible characters listed below plain text.
const LISTED: usize = 8;

/// Sentence about the commented-out instructions of a kernel, which do not run.
fn commented_out(commented: Commented) -> Option<String> {
    let Commented {
        instructions,
        control_flow,
    } = commented;
    let are = match instructions {
        0 => return None,
        1 => String::from("1 instruction is a comment and does not run"),
        count => format!("{count} instructions are comments and do not run"),
    };
    Some(match control_flow {
        0 => format!("{are}."),
        jumps => format!(
            "{are}, including control flow ({jumps}). The rest runs once, from top to bottom."
        ),
    })
}

/// Number of the work-group in the timeline.
fn group_field(launch: &Launch, dispatch: &Callback<Action>) -> Html {
    let (shown, last) = (launch.group, launch.group_count() - 1);
    let dispatch = dispatch.clone();
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        // Shown as invalid. The browser's message would keep the focus in the field.
        if !input.check_validity() {
            return;
        }
        if let Some(group) = input.value().parse().ok().filter(|group| *group != shown) {
            dispatch.emit(Action::Launch(LaunchAction::ShowGroup(group)));
        }
    });
    let value = shown.to_string();
    html! {
        <label class="field group-field">
            { capitalized(launch.words().group) }
            <input
                type="number"
                required=true
                min="0"
                max={last.to_string()}
                ~style={format!("--digits: {}", last.to_string().len())}
                {value}
                {onchange}
            />
            { format!("(0–{last})") }
        </label>
    }
}

/// Maximum width that the pane reserves for an instruction, in characters.
const MAX_COLUMNS: usize = 160;

/// Width of the longest instruction, in characters.
fn longest_instruction(document: &Document) -> usize {
    let placed = document.program.instructions.iter();
    let width = |span: Span| (span.end - span.start) as usize;
    let longest = placed.map(|placed| width(placed.spans.whole())).max();
    longest.unwrap_or(0).min(MAX_COLUMNS)
}

#[derive(Properties, PartialEq)]
pub(crate) struct ProgramPaneProps {
    source: Slice<Source>,
    session: Slice<Session>,
    files: Slice<Files>,
    checks: Slice<Checks>,
    /// Line of the current instruction, from 0.
    current: Option<u32>,
    /// The chosen thread.
    thread: Option<u8>,
    is_compact: bool,
    dispatch: Callback<Action>,
}

impl ProgramPaneProps {
    pub(crate) fn of(state: &State, dispatch: &Callback<Action>) -> Self {
        Self {
            source: state.source.clone(),
            session: state.session.clone(),
            files: state.files.clone(),
            checks: state.checks.clone(),
            current: state.current_line(),
            thread: state.stepping.thread,
            is_compact: state.screen.compact,
            dispatch: dispatch.clone(),
        }
    }
}

#[hook]
pub(crate) fn use_editor(props: &ProgramPaneProps) -> Html {
    let source = &props.source;
    let pointed = use_encoding_highlight().pointed;
    let run_marks = use_run_marks(props);
    html! {
        <Editor
            source={source.clone()}
            current={props.current}
            {run_marks}
            highlighted={highlighted_text(&props.session, &source.document, pointed)}
            wraps={source.editor.wraps(props.is_compact)}
            dispatch={props.dispatch.clone()}
        />
    }
}

/// Program pane: editor, commands and problems.
#[component]
pub(crate) fn ProgramPane(props: &ProgramPaneProps) -> Html {
    let ProgramPaneProps {
        source,
        session,
        files,
        checks,
        is_compact,
        dispatch,
        ..
    } = props;
    let (document, mode) = (&source.document, source.editor);
    let wraps = mode.wraps(*is_compact);
    let editor = use_editor(props);
    use_request(mode.focus, |()| focus(PROGRAM_TEXT_ID));
    // These buttons disappear when pressed; keep focus in the pane.
    let button = |name: &'static str, class: &'static str, action: Action| {
        let onclick = on_last_click(dispatch, PROGRAM_TEXT_ID, action);
        html! { <button class={classes!("button", class)} {onclick}>{ name }</button> }
    };
    let runs_to = |name: &'static str, action: TransportAction| {
        html! { <button class="button quiet" onclick={on_click(dispatch, action)}>{ name }</button> }
    };
    let program = &document.program;
    let has_barriers = program.instructions.iter().any(is_barrier);
    let place = use_memo(
        (
            session.clone(),
            source.clone(),
            files.clone(),
            checks.clone(),
        ),
        |(session, source, files, checks)| {
            let text = files.source_of(session.program());
            let findings = checks.findings_about(&source.document.program);
            source_place(session, text, findings, &source.breakpoints)
        },
    );
    let facts = session.program().symbols.target.facts();
    let is_empty = document.text.trim().is_empty();
    let has_no_served_program = files.has_no_served_program(source);
    let missing = !mode.plain && mode.status == EditorStatus::Failed;
    // CodeMirror marks invisible characters in place.
    let invisible = use_memo((document.clone(), mode.is_code()), |(document, code)| {
        if *code {
            Vec::new()
        } else {
            invisible_characters(&document.text, LISTED)
        }
    });
    let commented = use_memo(document.clone(), |document| {
        commented_out(lanewise_files::commented(&document.text))
    });
    let entries = use_memo(document.clone(), |document| {
        let program = &document.program;
        let is_long = program.instructions.len() > SHORT_PROGRAM;
        match program.launch.is_some() && is_long {
            true => outline(program),
            false => Vec::new(),
        }
    });
    let go_to = Callback::from({
        let dispatch = dispatch.clone();
        move |instruction| {
            if let Some(instruction) = instruction {
                let go_to = ProgramAction::GoToInstruction(instruction);
                dispatch.emit(Action::Program(go_to));
            }
        }
    });
    let entry = |entry: &OutlineEntry| {
        let indent = "\u{2003}".repeat(entry.depth.min(8));
        (Some(entry.instruction), format!("{indent}{}", entry.text))
    };
    let heading = [(None, String::from("Outline"))].into_iter();
    // Other programs leave the room to the picture.
    let columns = use_memo(document.clone(), |document| match document.program.launch {
        Some(_) => longest_instruction(document),
        None => 0,
    });
    html! {
        <section class="pane program" aria-label="Program">
            <div class="pane-head">
                <h2>{ "Program" }</h2>
                <div class="wrapping pane-tools">
                    if program.has_branches() {
                        { runs_to("Next iteration", TransportAction::NextIteration) }
                    }
                    if has_barriers {
                        { runs_to("Next barrier", TransportAction::NextBarrier) }
                    }
                    if let Some(launch) = &program.launch {
                        <button
                            class="button quiet"
                            aria-haspopup="dialog"
                            onclick={on_click(dispatch, LaunchAction::Open)}
                        >
                            { "Launch…" }
                        </button>
                        if launch.group_count() > 1 {
                            { group_field(launch, dispatch) }
                        }
                    }
                    if !entries.is_empty() {
                        <span class="outline-field">
                            { select("Outline", heading.chain(entries.iter().map(entry)), Some(&None), &go_to) }
                        </span>
                    }
                    if let Some(draft) = source.drafts.get(source.first_draft()) {
                        <span title={draft_title(draft)}>
                            { button("Restore draft", "quiet", Action::Program(ProgramAction::RestoreEdits)) }
                        </span>
                    }
                    if source.is_edited() {
                        { button("Reset text", "quiet", Action::Program(ProgramAction::ResetText)) }
                    }
                </div>
                <button
                    class="button quiet"
                    popovertarget={MENU_ID}
                    aria-label="Program menu"
                    title="Program menu"
                >
                    { icon(IconShape::MORE) }
                </button>
            </div>
            { program_menu(source, facts.spellings, files.listed.as_ref(), wraps, dispatch) }
            if let Some(place) = &*place {
                <SourcePane
                    place={place.clone()}
                    document={document.clone()}
                    dispatch={dispatch.clone()}
                />
            } else if program.launch.is_some() && !program.has_warps() {
                <p class="wrapping source-place" role="note">
                    { "Compile with " }<code>{ "-options \"-g\"" }</code>{ " to step by source line." }
                </p>
            }
            { editor }
            // Gives the pane the width of its longest instruction.
            <div class="program-room" ~style={format!("--columns: {}", *columns)} />
            if let Some(text) = &*commented {
                <p class="commented" role="note" aria-label="Commented-out instructions">{ text }</p>
            }
            if is_empty && !has_no_served_program {
                { template_list(dispatch) }
            }
            <p class="formatted muted" role="status" aria-label="Format result">
                { source.formatted.clone() }
            </p>
            if missing {
                <div class="wrapping editor-missing" role="status">
                    <span>{ "The code editor could not be loaded; using plain text." }</span>
                    { button("Load the editor again", "small", Action::Editor(EditorAction::Retry)) }
                </div>
            }
            if !invisible.is_empty() {
                <p class="invisible-characters" role="status">
                    { format!("Invisible characters: {}.", invisible.join(", ")) }
                </p>
            }
            { breakpoint_bar(&source.breakpoints, document, dispatch) }
            if !source.problems.is_empty() || has_no_served_program {
                <section class="problems scroller" aria-label="Problems" tabindex="0">
                    if has_no_served_program {
                        { served_problems(&files.problems, dispatch) }
                    }
                    { problem_list("docked", DOCKED, &source.problems, &[], false, dispatch) }
                </section>
            }
        </section>
    }
}

/// List of breakpoints, each with a button that removes it.
fn breakpoint_bar(
    breakpoints: &Breakpoints,
    document: &Document,
    dispatch: &Callback<Action>,
) -> Html {
    let program = &document.program;
    // A line of the source may start at several lines of the text.
    let mut of_source = BTreeSet::new();
    let mut lines = breakpoints.lines().to_vec();
    lines.retain(|line| source_line(program, *line).is_none_or(|own| of_source.insert(own)));
    let id = |line: u32| format!("breakpoint-{line}");
    let condition = |line: u32| {
        let text = &breakpoints.lines[&line];
        let error = breakpoints.condition_error(line, program);
        let onchange = dispatch.reform(move |event: Event| {
            Action::Breakpoint(BreakpointAction::Condition(line, value_of(&event).into()))
        });
        html! {
            <>
                <input
                    class="breakpoint-condition"
                    // The longest that links contain.
                    maxlength="96"
                    aria-label={format!("Condition on {}", breakpoint_place(program, line))}
                    aria-invalid={error.is_some().then_some("true")}
                    placeholder={match &program.launch {
                        Some(launch) => launch.words().condition,
                        None => "such as lane 3",
                    }}
                    // Unlike `value`, it does not replace what is being typed when the page renders.
                    ~defaultValue={&**text}
                    {onchange}
                />
                if let Some(error) = error {
                    <span class="error" role="alert">{ error }</span>
                }
            </>
        }
    };
    let remove = |(index, line): (usize, &u32)| {
        let place = breakpoint_place(program, *line);
        let name = format!("Remove the breakpoint on {place}");
        let toggle = match source_line(program, *line) {
            Some(own) => BreakpointAction::ToggleSource(own),
            None => BreakpointAction::Toggle(*line),
        };
        // Focus moves to another button, or to the editor.
        let next = lines.get(index + 1);
        let other = next.or_else(|| lines.get(index.checked_sub(1)?));
        let focused = other.map_or_else(|| String::from(PROGRAM_TEXT_ID), |line| id(*line));
        html! {
            <span key={*line} class="breakpoint-entry">
                <button
                    id={id(*line)}
                    class="button small breakpoint-go"
                    aria-label={name.clone()}
                    title={name}
                    onclick={on_last_click(dispatch, focused, toggle)}
                >
                    { format!("{place} ×") }
                </button>
                { condition(*line) }
            </span>
        }
    };
    html! {
        <>
            if !lines.is_empty() {
                <div class="wrapping breakpoints" role="group" aria-label="Breakpoints">
                    <span class="muted">{ "Breakpoints" }</span>
                    // A separate list: keys take effect only if every sibling
                    // has one.
                    <>{ for lines.iter().enumerate().map(remove) }</>
                    if lines.len() > 1 {
                        <button
                            class="button small"
                            onclick={on_last_click(dispatch, PROGRAM_TEXT_ID, BreakpointAction::Clear)}
                        >
                            { "Remove all" }
                        </button>
                    }
                </div>
            }
            <p class="unseen" role="status" aria-label="Breakpoint change">{ &*breakpoints.change }</p>
        </>
    }
}

/// Start of a program.
pub(super) struct Template {
    pub(super) name: &'static str,
    family: &'static str,
    summary: &'static str,
    pub(super) text: &'static str,
}

/// A loop, and the first example of each instruction.
pub(super) fn templates() -> impl Iterator<Item = Template> {
    let text = library::named("divergent-loop")
        .expect("it is bundled")
        .text;
    let start = Template {
        name: "ADD, CMP, GOTO",
        family: "vISA",
        summary: "A loop that lanes leave one by one.",
        text,
    };
    let examples = SPECS.iter().filter_map(|spec| {
        Some(Template {
            name: spec.name,
            family: spec.family.facts().title,
            summary: first_sentence(spec.summary),
            text: spec.examples.first()?.scenario,
        })
    });
    std::iter::once(start).chain(examples)
}

/// Templates for an empty program.
fn template_list(dispatch: &Callback<Action>) -> Html {
    let template = |template: Template| {
        let onclick = on_click(dispatch, ProgramAction::Template(template.text));
        html! {
            <li>
                <button class="template" {onclick}>
                    <span class="mono">{ template.name }</span>{ " " }
                    <span class="muted">{ template.family }</span>
                    <span class="ellipsis template-summary">{ template.summary }</span>
                </button>
            </li>
        }
    };
    html! {
        <section class="templates scroller" aria-label="Templates">
            <p class="muted">{ "The program is empty. Start with:" }</p>
            <ul>{ for templates().map(template) }</ul>
        </section>
    }
}

fn first_sentence(text: &'static str) -> &'static str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

/// Findings of the checks, by instruction.
fn defects(findings: &[LaunchFinding]) -> impl Iterator<Item = Defect<'_>> {
    findings.iter().flat_map(|found| {
        found.accesses.iter().map(|access| Defect {
            instruction: access.instruction,
            code: &found.code,
            title: &found.title,
        })
    })
}

/// Marks of the run, if the text can run.
#[hook]
fn use_run_marks(props: &ProgramPaneProps) -> Rc<Vec<RunMark>> {
    let document = props.source.document.clone();
    use_memo(
        (
            props.session.clone(),
            document,
            props.thread,
            props.checks.clone(),
        ),
        |(session, document, thread, checks)| match document.program.can_run() {
            true => {
                let findings = checks.findings_about(&document.program);
                run_marks(session, *thread, defects(findings))
            }
            false => Vec::new(),
        },
    )
}

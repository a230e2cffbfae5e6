//! Plain-text editor with line numbers and marks. Used before CodeMirror is
//! loaded, if loading fails, in players, and on request.

use super::{EditorPosition, EditorProps, Handover, InnerEditorProps, KEYS_ID, PROGRAM_TEXT_ID};
use crate::dom::{focus_element, value_of};
use crate::features::program::line_index::{line_ends, utf16_len};
use crate::features::program::problem::worst_by_line;
use crate::features::program::{BreakpointAction, Caret, ProgramAction};
use crate::features::transport::TransportAction;
use crate::store::{Action, Request};
use lanewise_answer::run_marks::RunMark;
use lanewise_core::diagnostic::{Severity, to_u32};
use lanewise_core::text::difference;
use std::fmt::Write;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDocument, HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

#[component]
pub(super) fn PlainEditor(props: &InnerEditorProps) -> Html {
    let InnerEditorProps {
        editor: props,
        handover,
    } = props;
    let source = &props.source;
    let (frame, area, numbers) = (use_node_ref(), use_node_ref(), use_node_ref());
    let shown = use_mut_ref(Shown::default);
    {
        let (area, shown) = (area.clone(), shown.clone());
        let (props, handover) = (props.clone(), handover.clone());
        use_effect_with((), move |()| {
            let element = text_area(&area);
            *shown.borrow_mut() = take_over(&element, &props, handover.take());
            move || {
                let mut handover = handover.borrow_mut();
                handover.left = Some(leave(&element));
                handover.opened_text = shown.take().opened_text;
            }
        });
    }
    {
        let (area, shown) = (area.clone(), shown.clone());
        let text = Rc::clone(&source.document.text);
        use_effect_with(
            (text, source.opened, source.caret, props.current),
            move |(text, opened, caret, line)| {
                let mut shown = shown.borrow_mut();
                shown.follow(&text_area(&area), text, *opened, *caret, *line);
            },
        );
    }
    let edit = |event: InputEvent| Action::Program(ProgramAction::Edit(value_of(&event)));
    let oninput = props.dispatch.reform(edit);
    let onscroll = {
        let frame = frame.clone();
        Callback::from(move |event: Event| {
            let area: HtmlTextAreaElement = event.target_unchecked_into();
            if let Some(frame) = frame.cast::<HtmlElement>() {
                let top = format!("{}px", -area.scroll_top());
                // A custom property accepts any value.
                let _ = frame.style().set_property("--scroll", &top);
            }
        })
    };
    let onkeydown = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            let area = || event.target_unchecked_into();
            match event.key().as_str() {
                "F9" => toggle_breakpoint(&dispatch, caret_line(&area())),
                "F10" if event.ctrl_key() => {
                    let line = TransportAction::RunToLine(caret_line(&area()));
                    dispatch.emit(Action::Transport(line));
                }
                _ => return,
            }
            event.prevent_default();
        })
    };
    let onclick = {
        let (dispatch, numbers) = (props.dispatch.clone(), numbers.clone());
        Callback::from(move |event: MouseEvent| {
            if let Some(numbers) = numbers.cast::<Element>() {
                toggle_breakpoint(&dispatch, line_at(&numbers, event.client_y()));
            }
        })
    };
    let mut severities = source.problems.iter().map(|problem| problem.severity);
    let has_errors = severities.any(|severity| severity == Severity::Error);
    let line_numbers = use_memo(source.document.lines.line_count(), |count| {
        (1..=*count).fold(String::new(), |mut numbers, line| {
            writeln!(numbers, "{line}").expect("writing to a String cannot fail");
            numbers
        })
    });
    let breakpoint = |line: &u32| {
        html! { <span class="breakpoint" ~style={at(*line)}>{ "●" }</span> }
    };
    let sign = |(line, severity): (u32, Severity)| {
        let sign = if severity == Severity::Note { "i" } else { "!" };
        html! {
            <span class="mark" data-severity={severity.word()} ~style={at(line)}>{ sign }</span>
        }
    };
    html! {
        <div class="editor plain" ref={frame}>
            <div class="gutter" aria-hidden="true" {onclick}>
                <div class="layer">
                    { for source.breakpoints.lines().iter().map(breakpoint) }
                    if let Some(line) = props.current {
                        <span class="at-line" ~style={at(line)}>{ "▶" }</span>
                    }
                    { for worst_by_line(&source.problems).into_iter().map(sign) }
                    <pre class="numbers" ref={numbers}>{ &*line_numbers }</pre>
                </div>
            </div>
            <div class="sheet">
                <div class="layer" aria-hidden="true">
                    if let Some(line) = props.current {
                        <div class="line-band" ~style={at(line)} />
                    }
                    { for props.run_marks.iter().map(run_mark) }
                </div>
                <textarea
                    id={PROGRAM_TEXT_ID}
                    ref={area}
                    aria-label="Program"
                    aria-describedby={KEYS_ID}
                    aria-invalid={has_errors.then_some("true")}
                    wrap="off"
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    {oninput}
                    {onkeydown}
                    {onscroll}
                />
            </div>
        </div>
    }
}

fn run_mark(mark: &RunMark) -> Html {
    let class = classes!("run-mark", mark.fault.then_some("fault"));
    html! { <span {class} title={mark.title.clone()} ~style={at(mark.line)}>{ &mark.text }</span> }
}

/// Position of a line, from 0, in a layer.
fn at(line: u32) -> String {
    format!("--at: {line}")
}

fn toggle_breakpoint(dispatch: &Callback<Action>, line: u32) {
    dispatch.emit(Action::Breakpoint(BreakpointAction::Toggle(line)));
}

fn text_area(area: &NodeRef) -> HtmlTextAreaElement {
    area.cast().expect("the text area is mounted")
}

/// Props last shown by the text area.
#[derive(Default)]
struct Shown {
    /// Last handled caret request.
    caret: Option<Request<Caret>>,
    /// Current line that was last scrolled to.
    line: Option<u32>,
    /// Number of programs opened before the current one; `None` before the
    /// first is shown.
    opened: Option<u32>,
    /// Text as the program was opened.
    opened_text: Option<Rc<str>>,
}

impl Shown {
    /// Shows the text, moves the caret on request, and scrolls to the current
    /// line when it changes.
    fn follow(
        &mut self,
        area: &HtmlTextAreaElement,
        text: &Rc<str>,
        opened: u32,
        caret: Option<Request<Caret>>,
        line: Option<u32>,
    ) {
        let request = caret.filter(|_| self.caret != caret);
        self.caret = caret;
        if self.opened != Some(opened) {
            // A different program starts a new undo history.
            fill(area, text);
            self.opened_text = Some(Rc::clone(text));
            self.line = None;
        }
        self.opened = Some(opened);
        if let Some(request) = request {
            rewrite(area, text, request.value);
        } else {
            if area.value() != **text {
                fill(area, text);
            }
            if let (Some(shown), true) = (line, line != self.line) {
                show_line(area, shown);
            }
        }
        self.line = line;
    }
}

/// Continues from CodeMirror's position, or starts as the first editor.
fn take_over(area: &HtmlTextAreaElement, props: &EditorProps, handover: Handover) -> Shown {
    let Some(left) = handover.left else {
        return Shown::default();
    };
    let source = &props.source;
    let text = &source.document.text;
    fill(area, text);
    select(area, left.start, left.end);
    if left.focus {
        focus_element(area);
    }
    area.set_scroll_top(left.scroll);
    Shown {
        caret: source.caret,
        line: props.current,
        opened: Some(source.opened),
        opened_text: Some(Rc::clone(text)),
    }
}

fn leave(area: &HtmlTextAreaElement) -> EditorPosition {
    let focused = gloo_utils::document().active_element();
    let element: &Element = area;
    EditorPosition {
        start: area.selection_start().ok().flatten().unwrap_or(0),
        end: area.selection_end().ok().flatten().unwrap_or(0),
        scroll: area.scroll_top(),
        focus: focused.as_ref() == Some(element),
    }
}

/// Replaces the whole text.
fn fill(area: &HtmlTextAreaElement, text: &str) {
    area.set_value(text);
    select(area, 0, 0);
    area.set_scroll_top(0);
}

fn select(area: &HtmlTextAreaElement, start: u32, end: u32) {
    area.set_selection_range(start, end)
        .expect("a text area has a selection");
}

/// Scrolls a line, from 0, into view.
fn show_line(area: &HtmlTextAreaElement, line: u32) {
    let lines = line_ends(&area.value()) + 1;
    let height = f64::from(area.scroll_height()) / f64::from(lines);
    let top = (f64::from(line) * height) as i32;
    let (view, scrolled) = (area.client_height(), area.scroll_top());
    if top < scrolled || top + 2 * height as i32 > scrolled + view {
        area.set_scroll_top(top - view / 3);
    }
}

/// Line of the caret, from 0.
fn caret_line(area: &HtmlTextAreaElement) -> u32 {
    let caret = area.selection_end().ok().flatten().unwrap_or(0);
    let text = area.value();
    let before = text.encode_utf16().take(caret as usize);
    let ends = before.filter(|unit| *unit == u16::from(b'\n')).count();
    to_u32(ends)
}

/// Line, from 0, at a vertical window position.
fn line_at(numbers: &Element, y: i32) -> u32 {
    let place = numbers.get_bounding_client_rect();
    let text = numbers.text_content().unwrap_or_default();
    let lines = line_ends(&text);
    let within = (f64::from(y) - place.top()) / place.height();
    (within * f64::from(lines)).max(0.0) as u32
}

/// Writes only the difference, so that the user can undo it, and moves the
/// caret.
fn rewrite(area: &HtmlTextAreaElement, text: &str, caret: Caret) {
    let focused = gloo_utils::document().active_element();
    if area.value() != text {
        replace(area, text);
    }
    focus_element(area);
    let (start, end) = caret.selection;
    select(area, start, end);
    show_line(area, caret_line(area));
    let before = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let (Some(before), false) = (before, caret.focus) {
        focus_element(&before);
    }
}

fn replace(area: &HtmlTextAreaElement, text: &str) {
    focus_element(area);
    let old = area.value();
    let (changed, insert) = difference(&old, text);
    let start = utf16_len(&old[..changed.start]);
    select(area, start, start + utf16_len(&old[changed]));
    let command = if insert.is_empty() {
        "delete"
    } else {
        "insertText"
    };
    // Deprecated, but the only API that records an undo step in a text area.
    // Its cost grows with the number of lines, so only the difference is
    // inserted.
    let document = gloo_utils::document().dyn_into::<HtmlDocument>();
    let document = document.expect("the page is HTML");
    let _ = document.exec_command_with_show_ui_and_value(command, false, insert);
    if area.value() != text {
        fill(area, text);
    }
}

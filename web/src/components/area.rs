//! What the text area and the editor do that a first run does without: marks
//! of breakpoints, rewrites, and how one takes the place of the other.

use super::editor::{Done, Editor, Kept, at, fill, show_line};
use super::rich::{Left, Mounted};
use crate::dom::{El, el};
use crate::state::breakpoints::BreakpointAction;
use crate::state::{Action, Caret};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDocument, HtmlElement, HtmlTextAreaElement, KeyboardEvent, MouseEvent};
use yew::prelude::*;

/// Marks of breakpoints, beside the lines.
pub(super) fn breakpoints(layer: El, lines: &[u32]) -> El {
    let mark = |line: &u32| el!("span", "class" = "breakpoint", "style" = at(*line)).put("●");
    layer.each(lines.iter().map(mark))
}

/// How the editor is left that is on the page now.
pub(super) fn leave(kept: &Kept) -> Option<Left> {
    if let Some(mounted) = &kept.mounted {
        return Some(mounted.left());
    }
    let area = kept.area.cast::<HtmlTextAreaElement>()?;
    let document = area.owner_document();
    let focused = document.and_then(|document| document.active_element());
    let element: &Element = &area;
    Some(Left {
        start: area.selection_start().ok().flatten().unwrap_or(0),
        end: area.selection_end().ok().flatten().unwrap_or(0),
        scroll: area.scroll_top(),
        focus: focused.as_ref() == Some(element),
    })
}

/// Brings the editor in line with the state; puts it into the place of the
/// text area, or that into its, where the other stood before.
pub(super) fn swap(editor: &Editor, kept: &mut Kept) {
    let left = kept.left.take().unwrap_or_default();
    if let (true, Some(host)) = (editor.rich, kept.host.cast::<Element>()) {
        let first = kept.done.first.as_deref();
        let mounted = kept
            .mounted
            .get_or_insert_with(|| Mounted::new(&host, editor, first, left));
        return mounted.follow(editor);
    }
    kept.mounted = None;
    kept.done = Done {
        caret: editor.caret.map(|c| c.serial),
        line: editor.current,
        first: Some(editor.text.clone()),
    };
    let Some(area) = kept.area.cast::<HtmlTextAreaElement>() else {
        return;
    };
    fill(&area, &editor.text);
    // It does not fail for a textarea on the page.
    let _ = area.set_selection_range(left.start, left.end);
    if left.focus {
        let _ = area.focus();
    }
    area.set_scroll_top(left.scroll);
}

/// A key in the area, or a press beside it.
pub(super) fn hear(event: &Event, act: &Callback<Action>) {
    let line = match event.dyn_ref::<KeyboardEvent>() {
        Some(key) if key.key() == "F9" => caret_line(event),
        Some(_) => return,
        None => pressed_line(event),
    };
    event.prevent_default();
    act.emit(Action::Breakpoint(BreakpointAction::Toggle(line)));
}

/// The line that the caret is in.
fn caret_line(event: &Event) -> u32 {
    let area: HtmlTextAreaElement = event.target_unchecked_into();
    let caret = area.selection_end().ok().flatten().unwrap_or(0) as usize;
    let text = area.value();
    let (mut units, mut line) = (0, 0);
    for sign in text.chars() {
        if units >= caret {
            break;
        }
        units += sign.len_utf16();
        line += u32::from(sign == '\n');
    }
    line
}

/// The line of the gutter that a press is on.
fn pressed_line(event: &Event) -> u32 {
    let event: &MouseEvent = event.unchecked_ref();
    let target: Element = event.target_unchecked_into();
    let numbers = target.closest(".gutter").ok().flatten();
    let numbers = numbers.and_then(|g| g.query_selector(".numbers").ok().flatten());
    let Some(numbers) = numbers else { return 0 };
    let place = numbers.get_bounding_client_rect();
    let text = numbers.text_content().unwrap_or_default();
    let lines = text.bytes().filter(|byte| *byte == b'\n').count();
    let within = (f64::from(event.client_y()) - place.top()) / place.height();
    (within * lines as f64).max(0.0) as u32
}

/// Writes what differs into the area, which the reader can undo, and puts the
/// caret where it is asked to go.
pub(super) fn rewrite(area: &HtmlTextAreaElement, text: &str, caret: Caret) {
    let document = area.owner_document();
    let before = document.and_then(|document| document.active_element());
    if area.value() != text {
        replace(area, text);
    }
    place_caret(area, text, caret);
    let before = before.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let (Some(before), false) = (before, caret.focus) {
        // It had the focus a moment ago.
        let _ = before.focus();
    }
}

fn replace(area: &HtmlTextAreaElement, text: &str) {
    if area.focus().is_ok() {
        let document = area.owner_document();
        let document = document.and_then(|d| d.dyn_into::<HtmlDocument>().ok());
        let (start, end, new) = difference(&area.value(), text);
        // Old, but the one way into a textarea's undo history. It takes its
        // time for every line: only what differs is put in.
        if let (Some(document), Ok(())) = (document, area.set_selection_range(start, end)) {
            let command = if new.is_empty() {
                "delete"
            } else {
                "insertText"
            };
            let _ = document.exec_command_with_show_ui_and_value(command, false, new);
        }
    }
    if area.value() != text {
        fill(area, text);
    }
}

/// What has to be replaced for `old` to become `new`: where that starts and
/// ends in UTF-16 units of `old`, and by what.
pub(super) fn difference<'a>(old: &str, new: &'a str) -> (u32, u32, &'a str) {
    let same = |(a, b): &(char, char)| a == b;
    let bytes = |(c, _): (char, char)| c.len_utf8();
    let head: usize = old
        .chars()
        .zip(new.chars())
        .take_while(same)
        .map(bytes)
        .sum();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let ends = old_rest.chars().rev().zip(new_rest.chars().rev());
    let tail: usize = ends.take_while(same).map(bytes).sum();
    let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let start = units(&old[..head]);
    let gone = units(&old_rest[..old_rest.len() - tail]);
    (start, start + gone, &new_rest[..new_rest.len() - tail])
}

fn place_caret(area: &HtmlTextAreaElement, text: &str, caret: Caret) {
    let (start, end) = caret.selection;
    // Neither fails for a textarea on the page.
    let _ = area.focus();
    let _ = area.set_selection_range(start, end);
    let mut before = 0;
    let line = text
        .split_inclusive('\n')
        .take_while(|line| {
            before += line.encode_utf16().count();
            before <= start as usize
        })
        .count();
    show_line(area, u32::try_from(line).unwrap_or(0));
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn only_what_differs_is_replaced() {
        for (old, new, wanted) in [
            ("ä🦀 icn x", "ä🦀 inc x", (5, 7, "nc")),
            ("aaa", "aa", (2, 3, "")),
            ("ab", "aab", (1, 1, "a")),
            ("", "a\n", (0, 0, "a\n")),
            ("🦀", "🦁", (0, 2, "🦁")),
            ("a", "a", (1, 1, "")),
        ] {
            assert_eq!(difference(old, new), wanted, "{old} to {new}");
        }
    }
}

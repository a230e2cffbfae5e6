use crate::dom::{On, Part, Seen, el};
use crate::state::problems::Mark;
use crate::state::{Action, Caret};
use lanewise_core::diagnostic::Severity;
use std::fmt::Write;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlDocument, HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The text with line numbers beside it.
#[derive(PartialEq)]
pub(crate) struct Editor {
    pub(crate) text: Rc<str>,
    /// The line of the instruction at hand, from 0.
    pub(crate) current: Option<u32>,
    pub(crate) marks: Rc<[Mark]>,
    pub(crate) caret: Option<Caret>,
    pub(crate) act: Callback<Action>,
}

/// The id of the text area.
pub(crate) const ID: &str = "program-text";

impl Part for Editor {
    type Kept = Kept;

    fn draw(&self, kept: &Kept) -> Html {
        let oninput = self.act.reform(|event: Event| {
            let area: HtmlTextAreaElement = event.target_unchecked_into();
            Action::Edit(area.value())
        });
        let onscroll = {
            let frame = kept.frame.clone();
            Callback::from(move |event: Event| {
                let area: HtmlTextAreaElement = event.target_unchecked_into();
                if let Some(frame) = frame.cast::<HtmlElement>() {
                    let top = format!("{}px", -area.scroll_top());
                    // A custom property takes any value.
                    let _ = frame.style().set_property("--scroll", &top);
                }
            })
        };
        let lines = self.text.bytes().filter(|b| *b == b'\n').count() + 1;
        let numbers = (1..=lines).fold(String::new(), |mut numbers, line| {
            // Writing to a String does not fail.
            let _ = writeln!(numbers, "{line}");
            numbers
        });
        let has_errors = self.marks.iter().any(|m| m.severity == Severity::Error);
        let marker = |line| el!("span", "class" = "at-line", "style" = at(line)).put("▶");
        let marks = self.marks.iter().map(|mark| {
            let sign = if mark.severity == Severity::Note {
                "i"
            } else {
                "!"
            };
            el!(
                "span",
                "class" = "mark",
                "data-severity" = mark.severity.word(),
                "style" = at(mark.line)
            )
            .put(sign)
        });
        let gutter = el!("div", "class" = "gutter", "aria-hidden" = "true").put(
            el!("div", "class" = "layer")
                .put(self.current.map(marker))
                .each(marks)
                .put(el!("pre", "class" = "numbers").put(numbers)),
        );
        let band = |line| el!("div", "class" = "line-band", "style" = at(line));
        let area = el!(
            "textarea",
            "id" = ID,
            "aria-label" = "Program",
            "aria-invalid" = has_errors.then_some("true"),
            "wrap" = "off",
            "spellcheck" = "false",
            "autocomplete" = "off",
            "autocapitalize" = "off"
        )
        .bind(kept.area.clone())
        .on(On::Input, oninput)
        .on(On::Scroll, onscroll);
        let sheet = el!("div", "class" = "sheet")
            .put(el!("div", "class" = "layer", "aria-hidden" = "true").put(self.current.map(band)))
            .put(area);
        el!("div", "class" = "editor")
            .bind(kept.frame.clone())
            .put(gutter)
            .put(sheet)
            .html()
    }

    fn drawn(&self, kept: &mut Kept) {
        let now = (self.text.clone(), self.caret, self.current);
        if kept.seen.changes(now)
            && let Some(area) = kept.area.cast::<HtmlTextAreaElement>()
        {
            kept.done
                .follow(&area, &self.text, self.caret, self.current);
        }
    }
}

/// What an editor keeps from one drawing to the next.
#[derive(Default)]
pub(crate) struct Kept {
    frame: NodeRef,
    area: NodeRef,
    seen: Seen<(Rc<str>, Option<Caret>, Option<u32>)>,
    done: Done,
}

/// What has been done to the text area already.
#[derive(Default)]
struct Done {
    caret: Option<u32>,
    line: Option<u32>,
}

impl Done {
    /// Brings the area in line with the state.
    fn follow(
        &mut self,
        area: &HtmlTextAreaElement,
        text: &str,
        caret: Option<Caret>,
        line: Option<u32>,
    ) {
        let asked = caret.filter(|c| self.caret != Some(c.serial));
        self.caret = caret.map(|c| c.serial);
        let document = area.owner_document();
        let before = document.and_then(|document| document.active_element());
        if area.value() != text {
            replace(area, text, asked.is_some());
        }
        if let Some(caret) = asked {
            place_caret(area, text, caret);
            let before = before.and_then(|element| element.dyn_into::<HtmlElement>().ok());
            if let (Some(before), false) = (before, caret.focus) {
                // It had the focus a moment ago.
                let _ = before.focus();
            }
        } else if let (Some(shown), true) = (line, line != self.line) {
            show_line(area, shown);
        }
        self.line = line;
    }
}

fn at(line: u32) -> String {
    format!("--at: {line}")
}

/// Puts another text into the area. As an edit of its own (`as_edit`) the
/// reader can undo it.
fn replace(area: &HtmlTextAreaElement, text: &str, as_edit: bool) {
    if as_edit && area.focus().is_ok() {
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
        area.set_value(text);
        // Neither fails for a textarea on the page.
        let _ = area.set_selection_range(0, 0);
        area.set_scroll_top(0);
    }
}

/// What has to be replaced for `old` to become `new`: where that starts and
/// ends in UTF-16 units of `old`, and by what.
fn difference<'a>(old: &str, new: &'a str) -> (u32, u32, &'a str) {
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

/// Scrolls a line into view, if it is not.
fn show_line(area: &HtmlTextAreaElement, line: u32) {
    let lines = area.value().bytes().filter(|b| *b == b'\n').count() + 1;
    let height = f64::from(area.scroll_height()) / lines as f64;
    let top = (f64::from(line) * height) as i32;
    let (view, scrolled) = (area.client_height(), area.scroll_top());
    if top < scrolled || top + 2 * height as i32 > scrolled + view {
        area.set_scroll_top(top - view / 3);
    }
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

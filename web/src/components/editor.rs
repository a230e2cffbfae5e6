use super::area;
use super::rich::{Left, Mounted};
use crate::dom::{On, Part, Seen, el};
use crate::state::problems::{Mark, Problem};
use crate::state::{Action, Caret, Written};
use lanewise_core::diagnostic::Severity;
use std::cell::Cell;
use std::fmt::Write;
use std::rc::Rc;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The text with line numbers beside it: in a text area, or in the editor
/// that is fetched, once it is there.
#[derive(PartialEq)]
pub(crate) struct Editor {
    pub(crate) text: Rc<str>,
    /// What it says.
    pub(crate) written: Written,
    /// The line of the instruction at hand, from 0.
    pub(crate) current: Option<u32>,
    pub(crate) marks: Rc<[Mark]>,
    pub(crate) problems: Rc<[Problem]>,
    /// Lines with breakpoints, from 0.
    pub(crate) breakpoints: Rc<[u32]>,
    /// What is lit, in UTF-16 units.
    pub(crate) lit: Option<(u32, u32)>,
    pub(crate) caret: Option<Caret>,
    /// Whether the fetched editor takes the place of the text area.
    pub(crate) rich: bool,
    /// How often its search was asked for.
    pub(crate) searches: u32,
    pub(crate) act: Callback<Action>,
}

/// The id of what the text is edited in.
pub(crate) const ID: &str = "program-text";

impl Part for Editor {
    type Kept = Kept;

    fn draw(&self, kept: &Kept) -> Html {
        // What is on the page still is what was drawn before.
        if self.rich != kept.mounted.is_some() {
            kept.left.set(area::leave(kept));
        }
        if self.rich {
            return el!("div", "class" = "editor rich")
                .bind(kept.host.clone())
                .key("rich")
                .html();
        }
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
        let heard = {
            let act = self.act.clone();
            Callback::from(move |event: Event| area::hear(&event, &act))
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
        let mut layer = el!("div", "class" = "layer");
        if !self.breakpoints.is_empty() {
            layer = area::breakpoints(layer, &self.breakpoints);
        }
        let gutter = el!("div", "class" = "gutter", "aria-hidden" = "true")
            .on(On::Click, heard.clone())
            .put(
                layer
                    .put(self.current.map(marker))
                    .each(marks)
                    .put(el!("pre", "class" = "numbers").put(numbers)),
            );
        let band = |line| el!("div", "class" = "line-band", "style" = at(line));
        let area = el!(
            "textarea",
            "id" = ID,
            "aria-label" = "Program",
            "aria-describedby" = KEYS,
            "aria-invalid" = has_errors.then_some("true"),
            "wrap" = "off",
            "spellcheck" = "false",
            "autocomplete" = "off",
            "autocapitalize" = "off"
        )
        .bind(kept.area.clone())
        .on(On::Input, oninput)
        .on(On::KeyDown, heard)
        .on(On::Scroll, onscroll);
        let sheet = el!("div", "class" = "sheet")
            .put(el!("div", "class" = "layer", "aria-hidden" = "true").put(self.current.map(band)))
            .put(area);
        el!("div", "class" = "editor")
            .bind(kept.frame.clone())
            .key("plain")
            .put(gutter)
            .put(sheet)
            .html()
    }

    fn drawn(&self, kept: &mut Kept) {
        if self.rich || kept.mounted.is_some() {
            return area::swap(self, kept);
        }
        let now = (self.text.clone(), self.caret, self.current);
        if kept.seen.changes(now)
            && let Some(area) = kept.area.cast::<HtmlTextAreaElement>()
        {
            kept.done
                .follow(&area, &self.text, self.caret, self.current);
        }
    }
}

/// The id of a sentence on the keys that the editor has.
pub(crate) const KEYS: &str = "program-keys";

/// What an editor keeps from one drawing to the next.
#[derive(Default)]
pub(crate) struct Kept {
    frame: NodeRef,
    pub(super) area: NodeRef,
    pub(super) host: NodeRef,
    pub(super) mounted: Option<Mounted>,
    pub(super) left: Cell<Option<Left>>,
    seen: Seen<(Rc<str>, Option<Caret>, Option<u32>)>,
    pub(super) done: Done,
}

/// What has been done to the text area already.
#[derive(Default)]
pub(super) struct Done {
    pub(super) caret: Option<u32>,
    pub(super) line: Option<u32>,
    /// What the text was when this program came, so that another editor can
    /// undo what was typed since.
    pub(super) first: Option<Rc<str>>,
}

impl Done {
    /// Brings the area in line with the state.
    fn follow(
        &mut self,
        area: &HtmlTextAreaElement,
        text: &Rc<str>,
        caret: Option<Caret>,
        line: Option<u32>,
    ) {
        let asked = caret.filter(|c| self.caret != Some(c.serial));
        self.caret = caret.map(|c| c.serial);
        if let Some(caret) = asked {
            area::rewrite(area, text, caret);
        } else {
            if area.value() != **text {
                fill(area, text);
                self.first = None;
            }
            if let (Some(shown), true) = (line, line != self.line) {
                show_line(area, shown);
            }
        }
        self.first.get_or_insert_with(|| Rc::clone(text));
        self.line = line;
    }
}

/// Another text takes the place of all.
pub(super) fn fill(area: &HtmlTextAreaElement, text: &str) {
    area.set_value(text);
    // It does not fail for a textarea on the page.
    let _ = area.set_selection_range(0, 0);
    area.set_scroll_top(0);
}

pub(super) fn at(line: u32) -> String {
    format!("--at: {line}")
}

/// Scrolls a line into view, if it is not.
pub(super) fn show_line(area: &HtmlTextAreaElement, line: u32) {
    let lines = area.value().bytes().filter(|b| *b == b'\n').count() + 1;
    let height = f64::from(area.scroll_height()) / lines as f64;
    let top = (f64::from(line) * height) as i32;
    let (view, scrolled) = (area.client_height(), area.scroll_top());
    if top < scrolled || top + 2 * height as i32 > scrolled + view {
        area.set_scroll_top(top - view / 3);
    }
}

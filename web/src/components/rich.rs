//! The editor that is fetched: handed what the page knows, heard when the
//! reader does something. All of it is JavaScript's; see `web/editor`.

use super::area::difference;
use super::editor::Editor;
use crate::assist;
use crate::dom::Seen;
use crate::fetched::{Rich, mount};
use crate::state::breakpoints::BreakpointAction;
use crate::state::encoding::EncodingAction;
use crate::state::problems::Problem;
use crate::state::{Action, Caret};
use lanewise_core::program::Program;
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Element;
use web_sys::js_sys::{Array, Uint32Array};
use web_sys::wasm_bindgen::prelude::*;
use yew::Callback;

/// What the editor asks by: what, two numbers, a text.
pub(crate) type Ask = Closure<dyn Fn(String, u32, u32, JsValue) -> JsValue>;

/// How an editor is left for another.
#[derive(Clone, Copy, Default)]
pub(super) struct Left {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) scroll: i32,
    pub(super) focus: bool,
}

/// The text that the editor holds, and what it says.
struct Held {
    text: Rc<str>,
    program: Rc<Program>,
}

/// An editor on the page, and what it was told.
pub(super) struct Mounted {
    editor: Rich,
    _ask: Ask,
    held: Rc<RefCell<Held>>,
    caret: Option<u32>,
    line: Option<u32>,
    searches: u32,
    current: Seen<Option<u32>>,
    problems: Seen<Rc<[Problem]>>,
    breakpoints: Seen<Rc<[u32]>>,
    lit: Seen<Option<(u32, u32)>>,
}

impl Mounted {
    /// Puts an editor into its place; `first` is what the text was
    /// at first.
    pub(super) fn new(host: &Element, props: &Editor, first: Option<&str>, left: Left) -> Self {
        let held = Rc::new(RefCell::new(Held {
            text: Rc::clone(&props.text),
            program: Rc::clone(&props.written.0),
        }));
        let ask = answering(Rc::clone(&held), props.act.clone());
        let list = Array::new();
        if let Some(first) = first.filter(|first| *first != &*props.text) {
            list.push(&JsValue::from_str(first));
        }
        list.push(&JsValue::from_str(&props.text));
        let Left {
            start,
            end,
            scroll,
            focus,
        } = left;
        Self {
            editor: mount(host, &ask, &list, start, end, scroll, focus),
            _ask: ask,
            held,
            caret: props.caret.map(|caret| caret.serial),
            // Where the reader has not been yet, the line at hand is shown.
            line: props.current.filter(|_| scroll != 0 || focus),
            searches: props.searches,
            current: Seen::default(),
            problems: Seen::default(),
            breakpoints: Seen::default(),
            lit: Seen::default(),
        }
    }

    /// Brings the editor in line with the state.
    pub(super) fn follow(&mut self, props: &Editor) {
        let asked = props.caret.filter(|c| self.caret != Some(c.serial));
        self.caret = props.caret.map(|c| c.serial);
        let mut news = self.write(props, asked);
        let mut set = |name: &str, value: &dyn Fn() -> JsValue, changes: bool| {
            if changes {
                self.editor.set(name, &value());
                news = true;
            }
        };
        let line = || props.current.map_or(JsValue::NULL, JsValue::from);
        set("current", &line, self.current.changes(props.current));
        let problems = || problems(&props.problems);
        let changes = self.problems.changes(Rc::clone(&props.problems));
        set("problems", &problems, changes);
        let lines = || Array::from_iter(props.breakpoints.iter().map(|l| JsValue::from(*l))).into();
        let changes = self.breakpoints.changes(Rc::clone(&props.breakpoints));
        set("breakpoints", &lines, changes);
        let lit = || {
            let place = |(from, to): (u32, u32)| Array::of2(&from.into(), &to.into()).into();
            props.lit.map_or(JsValue::NULL, place)
        };
        set("lit", &lit, self.lit.changes(props.lit));
        let shown = props
            .current
            .filter(|_| props.current != self.line && asked.is_none());
        self.line = props.current;
        if news {
            self.editor.show(shown.unwrap_or(u32::MAX));
        }
        if self.searches != props.searches {
            self.searches = props.searches;
            self.editor.search();
        }
    }

    /// Writes what the editor does not hold yet. Where the caret is asked to
    /// go somewhere the text was rewritten, which can be undone; else it is
    /// another program. Returns whether the program says something else now.
    fn write(&mut self, props: &Editor, asked: Option<Caret>) -> bool {
        let text = &props.text;
        let old = self.held.replace(Held {
            text: Rc::clone(text),
            program: Rc::clone(&props.written.0),
        });
        if *old.text != **text {
            if asked.is_some() {
                let (start, end, new) = difference(&old.text, text);
                self.editor.rewrite(start, end, new);
            } else {
                self.editor.load(text);
                self.problems = Seen::default();
                self.lit = Seen::default();
                // Wherever its instruction is, it comes into view.
                self.line = None;
            }
        }
        let news = !Rc::ptr_eq(&old.program, &props.written.0);
        if news {
            // Marks of lines go with what an edit replaces.
            self.current = Seen::default();
            self.breakpoints = Seen::default();
        }
        if let Some(caret) = asked {
            let (start, end) = caret.selection;
            self.editor.caret(start, end, caret.focus);
        }
        news
    }

    /// How the reader leaves it.
    pub(super) fn left(&self) -> Left {
        let is = self.editor.leave();
        let number = |index| is.get(index).as_f64().unwrap_or(0.0);
        Left {
            start: number(0) as u32,
            end: number(1) as u32,
            scroll: number(2) as i32,
            focus: number(3) > 0.0,
        }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.editor.destroy();
    }
}

/// What the editor is answered.
fn answering(held: Rc<RefCell<Held>>, act: Callback<Action>) -> Ask {
    Closure::new(move |what: String, a: u32, b: u32, text: JsValue| {
        match &*what {
            "edit" => {
                let text = text.as_string().unwrap_or_default();
                if let Ok(mut held) = held.try_borrow_mut() {
                    held.text = Rc::from(&*text);
                }
                act.emit(Action::Edit(text));
            }
            "breakpoint" => act.emit(Action::Breakpoint(BreakpointAction::Toggle(a))),
            "fix" => act.emit(Action::Fix(a as usize)),
            "point" => act.emit(point_at(Some(a as usize))),
            "away" => act.emit(point_at(None)),
            _ => {
                return held
                    .try_borrow()
                    .map_or(JsValue::NULL, |held| tell(&held, &what, a, b));
            }
        }
        JsValue::NULL
    })
}

/// What is known of the text.
fn tell(held: &Held, what: &str, a: u32, b: u32) -> JsValue {
    let Held { text, program } = held;
    match what {
        "classes" => {
            let names = assist::CLASSES.iter().map(|name| JsValue::from_str(name));
            Array::from_iter(names).into()
        }
        "tokens" => Uint32Array::from(&*assist::tokens(program, text, a, b)).into(),
        "hover" => {
            let json = assist::hover(program, text, a);
            json.map_or(JsValue::NULL, |json| JsValue::from_str(&json))
        }
        "complete" => JsValue::from_str(&assist::complete(program, text, a)),
        _ => JsValue::NULL,
    }
}

/// The pointer or the caret is at a place of the text, or at none.
fn point_at(place: Option<usize>) -> Action {
    Action::Encoding(EncodingAction::PointAt(place))
}

/// Problems one after the other, each as what `web/editor/facts.js` says.
fn problems(problems: &[Problem]) -> JsValue {
    let list = Array::new();
    for problem in problems {
        let (from, to) = problem.selection;
        for value in [
            JsValue::from(from),
            JsValue::from(to),
            JsValue::from_str(problem.severity.word()),
            JsValue::from_str(problem.code),
            JsValue::from_str(&problem.message),
            JsValue::from_str(&problem.help),
            JsValue::from(problem.edit.is_some()),
        ] {
            list.push(&value);
        }
    }
    list.into()
}

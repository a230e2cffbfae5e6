//! CodeMirror editor and its callbacks into the page.

use super::{EditorProps, Handover, InnerEditorProps};
use crate::features::highlight::use_encoding_highlight;
use crate::features::program::{
    BreakpointAction, Caret, Document, Problem, ProgramAction, language,
};
use crate::interop::{self, CodeMirror};
use crate::js::{from_js, to_js};
use crate::store::{Action, Request};
use lanewise_answer::run_marks::RunMark;
use serde::Serialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Element;
use web_sys::js_sys::{Array, Object, Reflect};
use web_sys::wasm_bindgen::JsValue;
use web_sys::wasm_bindgen::closure::Closure;
use yew::prelude::*;

/// Argument of `setMarks` in `web/editor/marks.js`.
#[derive(Clone, PartialEq, Serialize)]
struct Marks {
    current: Option<u32>,
    breakpoints: Rc<[u32]>,
    highlighted: Option<(u32, u32)>,
    /// Lines with a note on their execution, in ascending order.
    runs: Rc<Vec<RunMark>>,
}

/// A member of the argument of `showDiagnostics` in `web/editor/diagnostics.js`.
fn diagnostic(problem: &Problem) -> Value {
    let (from, to) = problem.selection;
    json!({
        "from": from,
        "to": to,
        "severity": problem.severity.word(),
        "code": problem.code,
        "message": problem.message,
        "help": problem.help,
        "fixable": problem.fix.is_some(),
    })
}

/// Program in CodeMirror.
#[component]
pub(super) fn CodeEditor(props: &InnerEditorProps) -> Html {
    let InnerEditorProps {
        editor: props,
        handover,
    } = props;
    let parent = use_node_ref();
    let mounted = use_mut_ref(|| None::<Mounted>);
    let on_point = use_encoding_highlight().set_text;
    // Effects run in order: the first mounts CodeMirror, the others update it.
    {
        let (parent, mounted) = (parent.clone(), mounted.clone());
        let (props, handover) = (props.clone(), handover.clone());
        use_effect_with((), move |()| {
            let element = parent.cast::<Element>().expect("the element is mounted");
            *mounted.borrow_mut() = Some(Mounted::new(&element, &props, on_point, handover.take()));
            move || {
                let mounted = mounted.take().expect("the editor was just mounted");
                handover.borrow_mut().left = from_js(&mounted.editor.leave());
            }
        });
    }
    let update = |change: fn(&mut Mounted, &EditorProps)| {
        let (mounted, props) = (mounted.clone(), props.clone());
        move || {
            let mut mounted = mounted.borrow_mut();
            change(
                mounted.as_mut().expect("mounted by the first effect"),
                &props,
            );
        }
    };
    let text = update(|mounted, props| mounted.show_text(props));
    let source = &props.source;
    let document = &source.document;
    use_effect_with(
        (document.clone(), source.opened, source.caret, props.current),
        move |_| text(),
    );
    let marks = Marks {
        current: props.current,
        breakpoints: source.breakpoints.lines(),
        highlighted: props.highlighted,
        runs: Rc::clone(&props.run_marks),
    };
    {
        let mounted = mounted.clone();
        // Replacing the text drops marks, and tokens are available only after
        // parsing.
        use_effect_with((document.clone(), marks), move |(_, marks)| {
            let mounted = mounted.borrow();
            let mounted = mounted.as_ref().expect("mounted by the first effect");
            mounted.editor.set_marks(to_js(marks));
        });
    }
    let problems = update(|mounted, props| mounted.show_problems(&props.source.problems));
    use_effect_with((document.clone(), Rc::clone(&source.problems)), move |_| {
        problems()
    });
    let wrap = update(|mounted, props| mounted.editor.set_wrap(props.wraps));
    use_effect_with(props.wraps, move |_| wrap());
    let search = update(|mounted, props| mounted.open_search(props.source.editor.search));
    use_effect_with(source.editor.search, move |_| search());
    html! { <div class="editor code" ref={parent} /> }
}

/// Mounted CodeMirror instance and the props it shows.
struct Mounted {
    editor: CodeMirror,
    /// Latest document parsed by the page.
    document: Rc<RefCell<Document>>,
    /// Last text that the editor has reported; ahead of `document` while it is processed.
    text: Rc<RefCell<Rc<str>>>,
    /// Number of programs opened before the current one.
    opened: u32,
    /// Last handled caret and search requests.
    caret: Option<Request<Caret>>,
    /// Line of the current instruction that was last scrolled to.
    line: Option<u32>,
    search: Option<Request<()>>,
    has_problems: bool,
}

impl Mounted {
    fn new(
        parent: &Element,
        props: &EditorProps,
        on_point: Callback<Option<u32>>,
        handover: Handover,
    ) -> Self {
        let left = handover.left.unwrap_or_default();
        let source = &props.source;
        let document = Rc::new(RefCell::new(source.document.clone()));
        let text = &source.document.text;
        let typed = Rc::new(RefCell::new(Rc::clone(text)));
        let host = host(&document, &typed, on_point, &props.dispatch);
        let earlier = handover.opened_text.filter(|opened| opened != text);
        let editor = interop::mount(parent, text, earlier.as_deref(), to_js(&left), &host);
        Self {
            editor,
            document,
            text: typed,
            opened: source.opened,
            caret: source.caret,
            // Without focus, the current line is shown rather than the
            // position, which counts folded lines.
            line: props.current.filter(|_| left.focus),
            search: source.editor.search,
            has_problems: false,
        }
    }

    /// Shows the text, moves the caret on request, and scrolls to the current
    /// line when it changes.
    fn show_text(&mut self, props: &EditorProps) {
        let source = &props.source;
        let text = &source.document.text;
        let request = source.caret.filter(|_| self.caret != source.caret);
        let caret = request.map(|request| request.value);
        self.caret = source.caret;
        self.document.replace(source.document.clone());
        let old = self.text.replace(Rc::clone(text));
        if self.opened != source.opened {
            // A different program starts a new undo history.
            self.editor.load(text);
            self.line = None;
        } else if old != *text {
            // Rewritten by the page; can be undone.
            self.editor.rewrite(text);
        }
        self.opened = source.opened;
        if let Some(caret) = caret {
            let (start, end) = caret.selection;
            self.editor.select(start, end, caret.focus);
        } else if let Some(line) = props.current.filter(|_| self.line != props.current) {
            self.editor.reveal_line(line);
        }
        self.line = props.current;
    }

    fn show_problems(&mut self, problems: &[Problem]) {
        if self.has_problems || !problems.is_empty() {
            let list: Value = problems.iter().map(diagnostic).collect();
            self.editor.set_diagnostics(to_js(&list));
        }
        self.has_problems = !problems.is_empty();
    }

    fn open_search(&mut self, search: Option<Request<()>>) {
        if self.search != search {
            self.editor.search();
        }
        self.search = search;
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.editor.destroy();
    }
}

/// Document of the text that the editor has reported, which may be ahead of the rendered one.
/// Offsets are only valid for the matching text.
fn newest(document: &Document, text: &Rc<str>) -> Document {
    if document.text == *text {
        document.clone()
    } else {
        Document::parse(text)
    }
}

/// Callbacks from the editor to the page: `Page` in `web/editor/main.js`. The
/// browser frees them after the editor.
fn host(
    document: &Rc<RefCell<Document>>,
    text: &Rc<RefCell<Rc<str>>>,
    on_point: Callback<Option<u32>>,
    dispatch: &Callback<Action>,
) -> Object {
    let host = Object::new();
    let set = |name: &str, value: JsValue| {
        Reflect::set(&host, &name.into(), &value).expect("an object accepts any property");
    };
    let on_number = |name: &str, action: fn(u32) -> Action| {
        let dispatch = dispatch.clone();
        let emit = move |number| dispatch.emit(action(number));
        set(name, Closure::<dyn Fn(u32)>::new(emit).into_js_value());
    };
    let at_offset = |name: &str, answer: fn(&Document, u32) -> JsValue| {
        let (document, text) = (Rc::clone(document), Rc::clone(text));
        let answer = move |offset| answer(&newest(&document.borrow(), &text.borrow()), offset);
        let answer = Closure::<dyn Fn(u32) -> JsValue>::new(answer);
        set(name, answer.into_js_value());
    };
    let edited = {
        let (text, dispatch) = (Rc::clone(text), dispatch.clone());
        Closure::<dyn Fn(String)>::new(move |typed: String| {
            *text.borrow_mut() = Rc::from(&*typed);
            dispatch.emit(ProgramAction::Edit(typed).into());
        })
    };
    let pointed = Closure::<dyn Fn(Option<u32>)>::new(move |offset| on_point.emit(offset));
    let tokens = {
        let document = Rc::clone(document);
        let tokens = move |from, to| language::tokens(&document.borrow(), from, to);
        Closure::<dyn Fn(u32, u32) -> Vec<u32>>::new(tokens)
    };
    let bytes = {
        let document = Rc::clone(document);
        let bytes = move |line| language::bytes(&document.borrow(), line);
        Closure::<dyn Fn(u32) -> Option<String>>::new(bytes)
    };
    let folds = {
        let text = Rc::clone(text);
        // The editor asks for each visible line.
        let last = RefCell::new((Rc::from(""), JsValue::from(Array::new())));
        let folds = move || {
            let (text, mut last) = (text.borrow(), last.borrow_mut());
            if !Rc::ptr_eq(&text, &last.0) {
                *last = (Rc::clone(&text), to_js(&lanewise_core::ide::folds(&text)));
            }
            last.1.clone()
        };
        Closure::<dyn Fn() -> JsValue>::new(folds)
    };
    set("edited", edited.into_js_value());
    set("pointed", pointed.into_js_value());
    set("tokenClasses", to_js(&language::token_classes()));
    set("tokens", tokens.into_js_value());
    set("bytes", bytes.into_js_value());
    set("folds", folds.into_js_value());
    at_offset("hover", |document, offset| {
        to_js(&language::hover(document, offset))
    });
    at_offset("complete", |document, offset| {
        to_js(&language::complete(document, offset))
    });
    at_offset("definition", |document, offset| {
        to_js(&language::definition(document, offset))
    });
    on_number("toggleBreakpoint", |line| {
        BreakpointAction::Toggle(line).into()
    });
    on_number("runTo", |caret| ProgramAction::RunToCursor(caret).into());
    on_number("fix", |index| ProgramAction::Fix(index as usize).into());
    on_number("showEncoding", |line| {
        ProgramAction::ShowEncoding(line).into()
    });
    host
}

use super::editor::{Editor, ID};
use super::{focus, problems, send};
use crate::dom::{On, Part, el, part};
use crate::fetched;
use crate::state::problems::{Mark, Problem};
use crate::state::share::ShareAction;
use crate::state::{Action, Caret};
use std::rc::Rc;
use yew::prelude::*;

/// The text, what it is about, and what is wrong with it.
#[derive(PartialEq)]
pub(crate) struct Program {
    pub(crate) text: Rc<str>,
    pub(crate) title: Option<Rc<str>>,
    pub(crate) notes: Rc<[String]>,
    pub(crate) edited: bool,
    pub(crate) aside: bool,
    pub(crate) problems: Rc<[Problem]>,
    pub(crate) marks: Rc<[Mark]>,
    pub(crate) current: Option<u32>,
    pub(crate) caret: Option<Caret>,
    pub(crate) act: Callback<Action>,
}

impl Part for Program {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let act = &self.act;
        // These buttons go away when they are pressed, and the focus with them.
        let button = |name: &'static str, action: Action| {
            let onclick = act.reform(move |_| {
                focus(ID);
                action.clone()
            });
            el!("button", "class" = "button quiet")
                .on(On::Click, onclick)
                .put(name)
        };
        let file = |name: &'static str, onclick: Callback<Event>| {
            el!("button", "class" = "button quiet")
                .on(On::Click, onclick)
                .put(name)
        };
        let bring_back = || button("Bring back my text", Action::BringBack);
        let reset_text = || button("Reset text", Action::ResetText);
        let tools = el!("div", "class" = "pane-tools")
            .put(self.aside.then(bring_back))
            .put(self.edited.then(reset_text))
            .put(file("Open file", Callback::from(|_| fetched::open_file())))
            .put(file(
                "Download",
                send(act, Action::Share(ShareAction::Download)),
            ));
        let title = self
            .title
            .clone()
            .map(|title| el!("h3").put(AttrValue::from(title)));
        let notes = self.notes.iter().map(|note| el!("p").put(note.clone()));
        let editor = Editor {
            text: self.text.clone(),
            current: self.current,
            marks: self.marks.clone(),
            caret: self.caret,
            act: act.clone(),
        };
        el!(
            "section",
            "class" = "pane program",
            "aria-labelledby" = "program-title"
        )
        .put(
            el!("div", "class" = "pane-head")
                .put(el!("h2", "id" = "program-title").put("Program"))
                .put(tools),
        )
        .put(el!("div", "class" = "about").put(title).each(notes))
        .put(part(editor, None))
        .put(problems::draw(&self.problems, act))
        .html()
    }
}

use super::editor::{self, Editor};
use super::{focus, problems};
use crate::dom::{On, component, el};
use crate::state::problems::{Mark, Problem};
use crate::state::{Action, Caret};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
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

/// The text, what it is about, and what is wrong with it.
#[component]
pub(crate) fn Program(props: &Props) -> Html {
    let act = &props.act;
    // These buttons go away when they are pressed, and the focus with them.
    let button = |name: &'static str, action: Action| {
        let onclick = act.reform(move |_| {
            focus(editor::ID);
            action.clone()
        });
        el!("button", "class" = "button quiet")
            .on(On::Click, onclick)
            .put(name)
    };
    let bring_back = || button("Bring back my text", Action::BringBack);
    let reset_text = || button("Reset text", Action::ResetText);
    let tools = el!("div", "class" = "pane-tools")
        .put(props.aside.then(bring_back))
        .put(props.edited.then(reset_text));
    let title = props
        .title
        .clone()
        .map(|title| el!("h3").put(AttrValue::from(title)));
    let notes = props.notes.iter().map(|note| el!("p").put(note.clone()));
    let editor = editor::Props {
        text: props.text.clone(),
        current: props.current,
        marks: props.marks.clone(),
        caret: props.caret,
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
    .put(component::<Editor>(editor, None))
    .put(problems::draw(&props.problems, act))
    .html()
}

use super::editor::{Editor, ID, KEYS};
use super::{breakpoints, earlier, editor_tools, focus, problems, send};
use crate::dom::{On, Part, el, part};
use crate::fetched;
use crate::state::editor::Editing;
use crate::state::problems::{Mark, Problem};
use crate::state::share::ShareAction;
use crate::state::{Action, Aside, Caret, Written};
use lanewise_core::isa::Family;
use std::rc::Rc;
use yew::prelude::*;

/// The text, what it is about, and what is wrong with it.
#[derive(PartialEq)]
pub(crate) struct Program {
    pub(crate) text: Rc<str>,
    /// What it says.
    pub(crate) written: Written,
    pub(crate) title: Option<Rc<str>>,
    pub(crate) notes: Rc<[String]>,
    pub(crate) edited: bool,
    pub(crate) asides: Rc<[Aside]>,
    pub(crate) problems: Rc<[Problem]>,
    /// Lines with breakpoints, from 0.
    pub(crate) breakpoints: Rc<[u32]>,
    /// What was done to them last.
    pub(crate) told: Rc<str>,
    pub(crate) editing: Editing,
    pub(crate) family: Family,
    /// What rewriting in one spelling did.
    pub(crate) formatted: Option<String>,
    /// What is lit in the text, in UTF-16 units.
    pub(crate) lit: Option<(u32, u32)>,
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
        let bring_back = || button("Bring back my text", Action::BringBack(0));
        let reset_text = || button("Reset text", Action::ResetText);
        let several = (self.asides.len() > 1).then(|| earlier::draw(&self.asides, act));
        let tools = el!("div", "class" = "pane-tools")
            .put((!self.asides.is_empty()).then(bring_back))
            .each(several.into_iter().flatten())
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
            written: self.written.clone(),
            current: self.current,
            marks: self.marks.clone(),
            problems: self.problems.clone(),
            breakpoints: self.breakpoints.clone(),
            lit: self.lit,
            caret: self.caret,
            rich: self.editing.is_rich(),
            searches: self.editing.searches,
            act: act.clone(),
        };
        let bar = el!("div", "class" = "editor-bar");
        let bar = editor_tools::draw(bar, self.editing, self.family, self.formatted.clone(), act);
        let bar = breakpoints::draw(bar, &self.breakpoints, &self.told, act);
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
        .put(bar)
        .put(part(editor, None))
        .put(el!("p", "id" = KEYS, "class" = "unseen").put(ABOUT_KEYS))
        .put(problems::draw(&self.problems, act))
        .html()
    }
}

/// Read out with the name of the editor.
pub(super) const ABOUT_KEYS: &str =
    "F9 sets a breakpoint on the line. Tab goes on to what follows.";

use super::editor::{self, Editor};
use super::{focus, problems};
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
        html! { <button class="button quiet" {onclick}>{ name }</button> }
    };
    html! {
        <section class="pane program" aria-labelledby="program-title">
            <div class="pane-head">
                <h2 id="program-title">{ "Program" }</h2>
                <div class="pane-tools">
                    if props.aside {
                        { button("Bring back my text", Action::BringBack) }
                    }
                    if props.edited {
                        { button("Reset text", Action::ResetText) }
                    }
                </div>
            </div>
            <div class="about">
                if let Some(title) = &props.title {
                    <h3>{ AttrValue::from(title.clone()) }</h3>
                }
                { for props.notes.iter().map(|note| html! { <p>{ note }</p> }) }
            </div>
            <Editor
                text={props.text.clone()}
                current={props.current}
                marks={props.marks.clone()}
                caret={props.caret}
                {act}
            />
            { problems::draw(&props.problems, act) }
        </section>
    }
}

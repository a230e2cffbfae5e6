use super::editor::{Editor, Mark};
use super::problems::Problems;
use crate::state::problems::Problem;
use crate::state::{Action, Caret};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) text: AttrValue,
    pub(crate) title: Option<AttrValue>,
    pub(crate) notes: Rc<[String]>,
    pub(crate) edited: bool,
    pub(crate) aside: bool,
    pub(crate) problems: Rc<[Problem]>,
    pub(crate) current: Option<u32>,
    pub(crate) caret: Option<Caret>,
    pub(crate) act: Callback<Action>,
}

/// The text, what it is about, and what is wrong with it.
#[component]
pub(crate) fn Program(props: &Props) -> Html {
    let act = &props.act;
    let marks = use_memo(Rc::clone(&props.problems), |problems| {
        let mut marks: Vec<Mark> = (problems.iter())
            .map(|p| Mark {
                line: p.line - 1,
                severity: p.severity,
            })
            .collect();
        // The worst of a line stands for it.
        marks.sort_by_key(|m| (m.line, m.severity));
        marks.dedup_by_key(|m| m.line);
        marks
    });
    html! {
        <section class="pane program" aria-labelledby="program-title">
            <div class="pane-head">
                <h2 id="program-title">{ "Program" }</h2>
                <div class="pane-tools">
                    if props.aside {
                        <button class="button quiet" onclick={act.reform(|_| Action::BringBack)}>
                            { "Bring back my text" }
                        </button>
                    }
                    if props.edited {
                        <button class="button quiet" onclick={act.reform(|_| Action::ResetText)}>
                            { "Reset text" }
                        </button>
                    }
                </div>
            </div>
            <div class="about">
                if let Some(title) = &props.title {
                    <h3>{ title }</h3>
                }
                { for props.notes.iter().map(|note| html! { <p>{ note }</p> }) }
            </div>
            <Editor text={&props.text} current={props.current} {marks} caret={props.caret} {act} />
            <Problems problems={Rc::clone(&props.problems)} {act} />
        </section>
    }
}

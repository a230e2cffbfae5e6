use super::breakpoints::Breakpoints;
use super::editor::{Editor, ID, KEYS};
use super::focus;
use super::icon::{Icon, IconShape};
use super::problems::Problems;
use super::program_menu::ProgramMenu;
use crate::dom::part;
use crate::state::editor::{Editing, EditorAction, EditorStatus};
use crate::state::problems::{Mark, Problem};
use crate::state::{Action, Aside, Caret, Written};
use lanewise_core::isa::Family;
use std::rc::Rc;
use yew::prelude::*;

/// The most problems that are listed below the program; all of them are in
/// the drawer.
const DOCKED: usize = 4;

#[derive(Properties, PartialEq)]
pub(crate) struct ProgramProps {
    pub(crate) text: Rc<str>,
    /// What the text says.
    pub(crate) written: Written,
    /// Whether it differs from the scenario that it started from.
    pub(crate) edited: bool,
    /// The drafts that other programs replaced, the last first.
    pub(crate) drafts: Rc<[Aside]>,
    pub(crate) problems: Rc<[Problem]>,
    /// Lines with breakpoints, from 0.
    pub(crate) breakpoints: Rc<[u32]>,
    /// What was done to breakpoints last.
    pub(crate) breakpoint_change: Rc<str>,
    pub(crate) editing: Editing,
    pub(crate) family: Family,
    /// What rewriting in one syntax did.
    pub(crate) formatted: Option<AttrValue>,
    /// What is highlighted in the text, in UTF-16 units.
    pub(crate) lit: Option<(u32, u32)>,
    pub(crate) marks: Rc<[Mark]>,
    /// The line of the current instruction, from 0.
    pub(crate) current: Option<u32>,
    pub(crate) caret: Option<Caret>,
    pub(crate) dispatch: Callback<Action>,
}

/// The program: its editor, what can be done with it, and its problems.
#[component]
pub(crate) fn Program(props: &ProgramProps) -> Html {
    let dispatch = &props.dispatch;
    // These buttons go away when they are pressed, and the focus with them.
    let restore = |name: &'static str, action: Action| {
        let onclick = dispatch.reform(move |_: MouseEvent| {
            focus(ID);
            action.clone()
        });
        html! { <button class="button quiet" {onclick}>{ name }</button> }
    };
    let editor = Editor {
        text: props.text.clone(),
        written: props.written.clone(),
        current: props.current,
        marks: props.marks.clone(),
        problems: props.problems.clone(),
        breakpoints: props.breakpoints.clone(),
        lit: props.lit,
        caret: props.caret,
        rich: props.editing.is_rich(),
        searches: props.editing.searches,
        act: dispatch.clone(),
    };
    let missing = !props.editing.plain && props.editing.editor == EditorStatus::Failed;
    html! {
        <section class="pane program" aria-label="Program">
            <div class="pane-head">
                <h2>{ "Program" }</h2>
                <div class="pane-tools">
                    if !props.drafts.is_empty() {
                        { restore("Restore my edits", Action::BringBack(0)) }
                    }
                    if props.edited {
                        { restore("Reset text", Action::ResetText) }
                    }
                    <button
                        class="button quiet"
                        popovertarget="program-menu"
                        aria-label="Program menu"
                        title="Program menu"
                    >
                        <Icon shape={IconShape::More} />
                    </button>
                </div>
            </div>
            <ProgramMenu
                editing={props.editing}
                family={props.family}
                drafts={props.drafts.clone()}
                dispatch={dispatch.clone()}
            />
            { part(editor, None) }
            <p id={KEYS} class="unseen">{ ABOUT_KEYS }</p>
            <p class="formatted muted" role="status" aria-label="Format result">
                { props.formatted.clone() }
            </p>
            if missing {
                <div class="editor-missing" role="status">
                    <span>{ "The editor could not be loaded: this is plain text." }</span>
                    <button
                        class="button small"
                        onclick={dispatch.reform(|_: MouseEvent| Action::Editor(EditorAction::Again))}
                    >
                        { "Load the editor again" }
                    </button>
                </div>
            }
            <Breakpoints
                lines={props.breakpoints.clone()}
                change={props.breakpoint_change.clone()}
                dispatch={dispatch.clone()}
            />
            if !props.problems.is_empty() {
                <section class="problems scroller" aria-label="Problems" tabindex="0">
                    <Problems
                        id="docked"
                        problems={props.problems.clone()}
                        most={DOCKED}
                        dispatch={dispatch.clone()}
                    />
                </section>
            }
        </section>
    }
}

/// Read out with the name of the editor.
pub(super) const ABOUT_KEYS: &str =
    "F9 sets a breakpoint on the line. Tab goes on to what follows.";

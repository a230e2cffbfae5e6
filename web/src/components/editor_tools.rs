use super::editor::ID;
use super::send;
use crate::dom::{El, On, el, list};
use crate::state::Action;
use crate::state::editor::EditorStatus;
use crate::state::editor::{Editing, EditorAction};
use lanewise_core::isa::{Family, Style};
use web_sys::js_sys::Reflect;
use yew::prelude::*;

/// What can be done with the text, and which editor it stands in.
pub(super) fn draw(
    bar: El,
    editing: Editing,
    family: Family,
    formatted: Option<String>,
    act: &Callback<Action>,
) -> El {
    let plain = editing.plain;
    let button = |name: &'static str, action: EditorAction| {
        el!("button", "class" = "button small")
            .on(On::Click, send(act, Action::Editor(action)))
            .put(name)
    };
    let toggle = el!(
        "button",
        "class" = "button small plain-toggle",
        "aria-pressed" = if plain { "true" } else { "false" }
    )
    .on(
        On::Click,
        send(act, Action::Editor(EditorAction::Plain(!plain))),
    )
    .put("Plain text");
    let missing = !plain && editing.editor == EditorStatus::Failed;
    let again = || {
        let what = "The editor could not be loaded: this is plain text.";
        el!("div", "class" = "editor-missing", "role" = "status")
            .put(el!("span").put(what))
            .put(button("Load the editor again", EditorAction::Again))
    };
    let search = || button("Find", EditorAction::Search);
    let spell = |name: &'static str, style: Style| {
        let onclick = act.reform(move |_| Action::Format(style, caret()));
        el!(
            "button",
            "class" = "button small",
            "title" = "Rewrites every instruction. Undo takes it back."
        )
        .on(On::Click, onclick)
        .put(name)
    };
    let styles = match family {
        Family::Visa => list(vec![
            spell("Document style", Style::Document).html(),
            spell("Assembler style", Style::Assembler).html(),
        ]),
        Family::Sass => spell("Format", Style::Assembler).html(),
    };
    let done = el!(
        "p",
        "class" = "formatted muted",
        "role" = "status",
        "aria-label" = "Format result"
    )
    .put(formatted.unwrap_or_default());
    bar.put(editing.is_rich().then(search))
        .put(styles)
        .put(done)
        .put(toggle)
        .put(missing.then(again))
}

/// Where the caret is, in whichever editor.
fn caret() -> Option<u32> {
    let document = web_sys::window()?.document()?;
    let editor = document.get_element_by_id(ID)?;
    let place = Reflect::get(&editor, &"selectionEnd".into()).ok()?;
    Some(place.as_f64()? as u32)
}

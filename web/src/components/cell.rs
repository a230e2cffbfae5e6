use crate::dom::{El, el};
use crate::state::cells::{Cell, Notation, digits};
use crate::state::inspect::{Chosen, Editor, Place};

/// Room that the word "unchanged" takes, in characters of a value.
const ROOM: u32 = 7;

/// One element: its value, and above it what it was before the last step.
/// `numbered`: its number in its variable, where it has one.
pub(crate) fn draw(
    cell: &Cell,
    notation: Notation,
    numbered: Option<usize>,
    place: Place,
    chosen: Option<&Chosen>,
) -> El {
    let title = format!("0x{}", digits(cell.bits, notation.ty));
    let above = match &cell.was {
        // A failed compare touches its cell and changes nothing.
        None if cell.kept => {
            let same = notation.width() < ROOM;
            Some(el!("span", "class" = "was").put(if same { "same " } else { "unchanged " }))
        }
        None => numbered.map(|index| {
            el!("span", "class" = "was index", "aria-hidden" = "true").put(index.to_string())
        }),
        Some(was) => Some(
            el!("span", "class" = "was")
                .put(el!("span", "class" = "unseen").put("changed from "))
                .put(was.clone())
                .put(" → "),
        ),
    };
    let state = match cell {
        Cell { was: Some(_), .. } => Shows::Changed,
        Cell { kept: true, .. } => Shows::Kept,
        _ => Shows::Plain,
    };
    button(place, title, state, chosen, |button| {
        button
            .put(above)
            .put(el!("span", "class" = "now").put(cell.now.clone()))
    })
}

/// What the last step did to a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    Plain,
    Changed,
    Kept,
}

/// A cell that can be chosen; while its start value is edited, the editor.
pub(crate) fn button(
    place: Place,
    title: String,
    state: Shows,
    chosen: Option<&Chosen>,
    fill: impl FnOnce(El) -> El,
) -> El {
    let own = chosen.filter(|chosen| chosen.place == place);
    if let Some(editor) = own.and_then(|chosen| chosen.editor.as_ref()) {
        return edit(editor);
    }
    let class = match (state, own.is_some()) {
        (Shows::Plain, false) => "cell",
        (Shows::Plain, true) => "cell chosen",
        (Shows::Changed, false) => "cell changed",
        (Shows::Changed, true) => "cell changed chosen",
        (Shows::Kept, false) => "cell kept",
        (Shows::Kept, true) => "cell kept chosen",
    };
    // One of them is in the tab order; arrow keys go to the others.
    fill(el!(
        "button",
        "type" = "button",
        "class" = class,
        "title" = title,
        "tabindex" = if own.is_some() { "0" } else { "-1" },
        "aria-current" = own.is_some().then_some("true"),
        "data-at" = place.text()
    ))
}

fn edit(editor: &Editor) -> El {
    el!(
        "input",
        "class" = "cell-input",
        "aria-label" = editor.label.clone(),
        "aria-invalid" = editor.wrong.then_some("true"),
        "aria-describedby" = "cell-wrong",
        "autocomplete" = "off",
        "autocapitalize" = "off",
        "spellcheck" = "false",
        "data-start" = editor.start.clone()
    )
    .key("edit")
}

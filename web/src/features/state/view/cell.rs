//! Cell of the State pane: one element of a register or memory.

use crate::features::state::cells::{Cell, Notation, digits};
use crate::features::state::inspect::{ChosenCell, InitialValueEdit};
use crate::features::state::place::Place;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Element with its value, its previous value if the last step wrote it, and
/// whether the last step read it.
pub(crate) struct ValueCell<'c> {
    pub(crate) cell: &'c Cell,
    pub(crate) notation: Notation,
    /// Element number in the variable, if any.
    pub(crate) number: Option<usize>,
    pub(crate) place: Place,
    pub(crate) chosen: Option<&'c ChosenCell>,
    pub(crate) highlighted: bool,
    /// Available width in characters.
    pub(crate) room: usize,
}

impl ValueCell<'_> {
    pub(crate) fn view(&self) -> Html {
        let Self { cell, .. } = self;
        let bits = format!("0x{}", digits(cell.bits, self.notation.ty));
        let mut title = match self.number {
            Some(number) => format!("[{number}] {bits}"),
            None => bits,
        };
        let before = cell.was.as_ref().map(|was| {
            title.push_str(&format!(", this step: {was} → {}", cell.now));
            html! {
                <span class="was">
                    <span class="unseen">{ if cell.same { "written, unchanged: " } else { "changed from " } }</span>
                    { was }{ " → " }
                </span>
            }
        });
        // A failed compare or a gather: nothing was written.
        let before = if cell.read {
            title.push_str(", read in this step");
            Some(html! { <span class="was">{ "read " }</span> })
        } else {
            before
        };
        let beside = match (&cell.was, cell.read) {
            (_, true) => "read ".len(),
            (Some(was), false) => was.chars().count() + 2,
            (None, false) => 0,
        };
        let tall = beside > 0 && beside + cell.now.chars().count() > self.room;
        let look = CellLook {
            access: match (cell.read, &cell.was, cell.same) {
                (true, ..) => LastAccess::Read,
                (false, None, _) => LastAccess::None,
                (false, Some(_), false) => LastAccess::Changed,
                (false, Some(_), true) => LastAccess::SameWritten,
            },
            highlighted: self.highlighted,
            tall,
        };
        let now = html! { <>{ before }<span class="now">{ &cell.now }</span></> };
        cell_button(self.place, title, look, self.chosen, now)
    }
}

/// Effect of the last step on a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LastAccess {
    #[default]
    None,
    /// Read without changing.
    Read,
    Changed,
    /// Wrote an unchanged value.
    SameWritten,
}

/// Appearance of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellLook {
    pub(crate) access: LastAccess,
    pub(crate) highlighted: bool,
    /// Whether the old value is stacked above the new one because they do not
    /// fit side by side.
    pub(crate) tall: bool,
}

/// Cell button, or the initial-value editor while the cell is being edited.
pub(crate) fn cell_button(
    place: Place,
    title: String,
    look: CellLook,
    chosen: Option<&ChosenCell>,
    content: Html,
) -> Html {
    let own = chosen.filter(|chosen| chosen.place == place);
    if let Some(editor) = own.and_then(|chosen| chosen.editor.as_ref()) {
        return html! { <InitialValueEditor editor={editor.clone()} /> };
    }
    let class = classes!(
        "cell",
        match look.access {
            LastAccess::None => None,
            LastAccess::Read => Some("read"),
            LastAccess::Changed => Some("changed"),
            LastAccess::SameWritten => Some("same"),
        },
        look.tall.then_some("tall"),
        look.highlighted.then_some("lit"),
        own.is_some().then_some("chosen"),
    );
    // Roving tab index: arrow keys reach the other cells.
    html! {
        <button
            type="button"
            {class}
            {title}
            tabindex={ if own.is_some() { "0" } else { "-1" } }
            aria-current={own.map(|_| "true")}
            data-at={place.to_string()}
        >
            { content }
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct InitialValueEditorProps {
    editor: InitialValueEdit,
}

/// Initial-value editor. An uncontrolled input; the cell box handles its events.
#[component]
fn InitialValueEditor(props: &InitialValueEditorProps) -> Html {
    let editor = &props.editor;
    let input = use_node_ref();
    {
        let (input, start) = (input.clone(), editor.start.clone());
        use_effect_with((), move |()| {
            let input = input.cast::<HtmlInputElement>();
            input.expect("the element is mounted").set_value(&start);
        });
    }
    html! {
        <input
            ref={input}
            class="cell-input"
            aria-label={editor.label.clone()}
            aria-invalid={editor.wrong.then_some("true")}
            aria-describedby="cell-wrong"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            data-start=""
        />
    }
}

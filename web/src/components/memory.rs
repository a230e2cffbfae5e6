use super::cell;
use super::choosing::listening;
use super::inspect::focus_chosen;
use super::memory_tools::MemoryTools;
use crate::dom::{On, Part, Seen, el, list, part};
use crate::fetched;
use crate::state::cells::cut;
use crate::state::inspect::Place;
use crate::state::memory::{Jump, MemoryPane, MemoryRow};
use crate::state::{Action, MemoryAction, Tab};
use web_sys::Element;
use yew::prelude::*;

/// Height of a row in pixels; the style sheet is told.
const ROW_HEIGHT: i32 = 36;

/// The memory of a tab, 16 bytes a row. Only the rows on the screen and a
/// margin are on the page.
#[derive(PartialEq)]
pub(crate) struct Memory {
    pub(crate) pane: MemoryPane,
    /// Whether it is behind another pane's tab, where nothing can be measured.
    pub(crate) hidden: bool,
    /// A request to put the focus on the chosen cell.
    pub(crate) focus: u32,
    pub(crate) act: Callback<Action>,
}

impl Part for Memory {
    type Kept = Kept;

    fn draw(&self, kept: &Kept) -> Html {
        let pane = &self.pane;
        let tab = pane.tab;
        let (act, (first, count)) = (self.act.clone(), pane.view.visible());
        let onscroll = Callback::from(move |event: Event| {
            let scroller: Element = event.target_unchecked_into();
            // Nothing changes until another row comes into view.
            if visible(&scroller) != (first, count) {
                report(&scroller, tab, &act);
            }
        });
        if pane.regions.is_empty() {
            return el!("p", "class" = "empty").put(nothing(tab)).html();
        }
        let notation = pane.view.notation;
        let height = format!(
            "height: {}px; --width: {}ch; --slots: {}",
            pane.total * ROW_HEIGHT as usize,
            notation.width(),
            16 / notation.ty.bytes()
        );
        let tools = MemoryTools {
            tab,
            regions: pane.regions.clone(),
            region: pane.view.region,
            notation,
            used: pane.view.as_used.then_some(pane.view.used),
            cut: pane.cut,
            act: self.act.clone(),
        };
        let rows = pane
            .rows
            .iter()
            .map(|row| part(Row { row: row.clone() }, Some(row.index.into())));
        let table = el!(
            "div",
            "class" = "rows",
            "role" = "table",
            "aria-label" = tab.name(),
            "aria-rowcount" = pane.total.to_string(),
            "style" = height
        )
        .each(rows);
        let scroller = el!(
            "div",
            "class" = "scroller memory",
            "tabindex" = "0",
            "role" = "group",
            "aria-label" = "Memory rows"
        )
        .bind(kept.scroller.clone())
        .on(On::Scroll, onscroll);
        let scroller = listening(scroller, &self.act).put(table);
        list(vec![part(tools, None), scroller.html()])
    }

    fn drawn(&self, kept: &mut Kept) {
        let jump = self.pane.view.jump;
        let first = kept.seen.is_new();
        if !self.hidden
            && kept.seen.changes(jump)
            && let Some(scroller) = kept.scroller.cast::<Element>()
        {
            let (tab, act) = (self.pane.tab, self.act.clone());
            let show = move || {
                if let Some(jump) = jump {
                    jump_to(&scroller, jump.row);
                }
                report(&scroller, tab, &act);
            };
            // To measure is to wait for the layout: not before the first paint.
            match first {
                true => fetched::painted(show),
                false => show(),
            }
        }
        kept.waits |= kept.focus.changes(self.focus) && self.focus > 0;
        if kept.waits
            && let Some(scroller) = kept.scroller.cast::<Element>()
        {
            kept.waits = !focus_chosen(&scroller);
        }
    }
}

/// What a pane keeps from one drawing to the next.
#[derive(Default)]
pub(crate) struct Kept {
    scroller: NodeRef,
    seen: Seen<Option<Jump>>,
    focus: Seen<u32>,
    /// Whether the chosen cell is yet to come into view.
    waits: bool,
}

/// Tells which rows are on the screen.
fn report(scroller: &Element, tab: Tab, act: &Callback<Action>) {
    let (first, count) = visible(scroller);
    act.emit(Action::Memory(tab, MemoryAction::Scrolled(first, count)));
}

const fn nothing(tab: Tab) -> &'static str {
    match tab {
        Tab::Virtual => {
            "No virtual memory is mapped. Map some with a line like: .region svm 0x10000 4096"
        }
        Tab::Global => {
            "No global memory is mapped. Map some with a line like: .region global 0x10000 4096"
        }
        Tab::Surfaces => {
            "No surface has a buffer. Declare one: .decl T6 v_type=T num_elts=1, then .surface T6 4096"
        }
        Tab::Local | Tab::Registers => {
            "There is no shared local memory: .slm 0. Give it a size: .slm 1024"
        }
    }
}

/// The first row in view and how many are.
fn visible(scroller: &Element) -> (usize, usize) {
    let rows = |pixels: i32| usize::try_from(pixels / ROW_HEIGHT).unwrap_or(0);
    (
        rows(scroller.scroll_top()),
        rows(scroller.client_height()).max(1),
    )
}

/// A third of the way down, so that what comes before is seen too.
fn jump_to(scroller: &Element, row: usize) {
    let top = i32::try_from(row).unwrap_or(0).saturating_mul(ROW_HEIGHT);
    let above = scroller.client_height() / 3 / ROW_HEIGHT * ROW_HEIGHT;
    scroller.set_scroll_top(top - above);
}

#[derive(PartialEq)]
struct Row {
    row: MemoryRow,
}

impl Part for Row {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let row = &self.row;
        let notation = row.notation;
        let size = usize::from(notation.ty.bytes());
        // Elements that are mapped whole.
        let from = row.mapped.start.next_multiple_of(size);
        let to = row.mapped.end / size * size;
        let cells = match row.bytes.get(from..to) {
            Some(bytes) => cut(bytes, row.address + from as u64, notation, &row.changes),
            None => Vec::new(),
        };
        let style = format!("top: {}px", row.index * ROW_HEIGHT as usize);
        let slot = || el!("span", "class" = "slot", "role" = "cell");
        let address = el!("span", "class" = "address", "role" = "rowheader");
        el!(
            "div",
            "class" = "row",
            "role" = "row",
            "aria-rowindex" = (row.index + 1).to_string(),
            "style" = style
        )
        .put(address.put(format!("{:#06x}", row.address)))
        .each((0..from / size).map(|_| slot()))
        .each(cells.iter().enumerate().map(|(index, value)| {
            let at = row.address + (from + index * size) as u64;
            let (place, chosen) = (Place::new(row.space, at), row.chosen.as_ref());
            slot().put(cell::draw(value, notation, None, place, chosen))
        }))
        .html()
    }
}

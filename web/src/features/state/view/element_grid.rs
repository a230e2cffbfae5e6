//! The grid of the State pane: rows of registers, memory, lanes or buffers.
//! Only rows in view are rendered.

use super::scroll::{GridId, ScrollPosition, keep_scroll_position, scroll_position};
use crate::components::resize::use_size;
use crate::dom::{arrow, data_at, find, focus_element, has_lost_focus, has_modifier};
use crate::features::highlight::{Highlight, Highlighted, use_highlight};
use crate::features::state::inspect::{ChosenCell, InitialValueEdit, InspectAction};
use crate::features::state::{BufferAction, StateAction, StateInputs};
use crate::store::Action;
use gloo_timers::callback::Timeout;
use lanewise_answer::ByteRange;
use lanewise_answer::grids::{Cell, CellKind, GridRow, GridShape, LastAccess, Place, RowKind, Tab};
use lanewise_answer::notation::digits;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element, HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// Row height in pixels: the minimum target size of WCAG 2.5.8. Passed to the
/// style sheet as `--row`.
const ROW_HEIGHT: i32 = 24;

/// Time for the second press of two, in milliseconds.
const DOUBLE_PRESS: u32 = 250;

/// Rows scrolled until the window of rendered rows moves.
const WINDOW_STEP: u64 = 4;

/// Rows rendered above the first row in view, and below the last one.
const OVERSCAN: u64 = 2;

/// Maximum number of rows covered by the scroll bar, because browsers limit
/// heights; a request to reveal a cell moves the range.
const MAX_ROWS: u64 = 1 << 18;

/// Width of the ruler, in characters of the smallest type.
const RULER_CHARACTERS: i32 = 40;

#[derive(Properties, PartialEq)]
pub(crate) struct ElementGridProps {
    pub(crate) id: GridId,
    /// Accessible name of the table.
    pub(crate) name: &'static str,
    /// Accessible name of the box that scrolls.
    pub(crate) box_name: &'static str,
    pub(crate) inputs: StateInputs,
    pub(crate) dispatch: Callback<Action>,
}

/// Size of the grid in characters and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PaneSize {
    characters: usize,
    rows: u64,
}

/// Grid of elements. Its listeners are delegated, because it has hundreds of
/// cells: the event target identifies the cell.
#[component]
pub(crate) fn ElementGrid(props: &ElementGridProps) -> Html {
    let ElementGridProps {
        id,
        name,
        box_name,
        inputs,
        dispatch,
    } = props;
    let tab = id.tab;
    let highlight = use_highlight();
    let (scroller, ruler) = (use_node_ref(), use_node_ref());
    let size = pane_size(use_size(&scroller), use_size(&ruler), tab);
    let shape = size.map(|size| inputs.grids().shape(tab, size.characters));
    // First row covered by the scroll bar, and first row in view, rounded.
    let base = use_state_eq(|| 0_u64);
    let first = use_state_eq(|| 0_u64);
    {
        let (scroller, inputs) = (scroller.clone(), inputs.clone());
        let (base, first, id) = (base.clone(), first.clone(), *id);
        let reveal = inputs.state_view.reveal(tab);
        let rows = shape.as_ref().map(|shape| shape.rows);
        use_effect_with((size, rows, reveal), move |(size, _, reveal)| {
            let Some((size, scroller)) = size.zip(scroller.cast::<Element>()) else {
                return;
            };
            let grids = inputs.grids();
            let shape = grids.shape(tab, size.characters);
            let before = scroll_position(id);
            let mut top = match before.characters {
                characters if characters == size.characters => before.first,
                // The same cells stay at the top.
                characters => {
                    let row = grids.row(&grids.shape(tab, characters), before.first);
                    let cell = row.and_then(|row| row.cells.first().map(|cell| cell.place));
                    let cell = cell.filter(|_| before.first > 0);
                    cell.and_then(|place| grids.row_of(&shape, place))
                        .unwrap_or(0)
                }
            };
            let mut after = before;
            after.characters = size.characters;
            if let Some(reveal) = reveal.filter(|reveal| reveal.serial > before.revealed) {
                after.revealed = reveal.serial;
                let row = grids.row_of(&shape, reveal.place);
                let is_in_view = |row: &u64| (top..top + size.rows).contains(row);
                if let Some(row) = row.filter(|row| reveal.always || !is_in_view(row)) {
                    top = row.saturating_sub(size.rows / 3);
                }
            }
            // A bar below that opens does not cover the inspected cell.
            let chosen = inputs.state_view.inspect.chosen();
            let chosen = chosen.and_then(|place| grids.row_of(&shape, place));
            let end = top + size.rows;
            if let Some(row) = chosen.filter(|row| (end..top + before.rows).contains(row)) {
                top = row + 1 - size.rows;
            }
            after.rows = size.rows;
            top = top.min(shape.rows.saturating_sub(size.rows));
            after.first = top;
            let mut start = *base;
            if !(start..start + MAX_ROWS).contains(&top) {
                start = top / MAX_ROWS * MAX_ROWS;
            }
            // Events of the scroll below may come before the next render.
            after.base = start;
            keep_scroll_position(id, after);
            base.set(start);
            first.set(rounded(top));
            if top != row_at(&scroller, start) {
                let pixels = (top - start).saturating_mul(ROW_HEIGHT as u64);
                let pixels = i32::try_from(pixels);
                scroller.set_scroll_top(pixels.expect("MAX_ROWS limits the height"));
            }
        });
    }
    // The editor of an initial value starts with the value selected.
    {
        let scroller = scroller.clone();
        let chosen = inputs.chosen_cell();
        let editor = chosen.and_then(|chosen| Some((chosen.place, chosen.editor?.start)));
        use_effect_with(
            (editor, size.map(|size| size.characters)),
            move |(editor, _)| {
                let scroller = scroller.cast::<Element>();
                let input = scroller
                    .and_then(|scroller| find::<HtmlInputElement>(&scroller, "[data-start]"));
                if let Some(((_, start), input)) = editor.as_ref().zip(input) {
                    input.set_value(start);
                    focus_element(&input);
                    input.select();
                }
            },
        );
    }
    // Focus returns to the cell when its editor closes.
    let returns_focus = use_mut_ref(|| false);
    {
        let (scroller, returns_focus) = (scroller.clone(), Rc::clone(&returns_focus));
        use_effect(move || {
            let scroller = scroller
                .cast::<Element>()
                .filter(|_| *returns_focus.borrow());
            let Some(scroller) = scroller else { return };
            let Some(cell) = find::<HtmlElement>(&scroller, ".cell[aria-current]") else {
                return;
            };
            *returns_focus.borrow_mut() = false;
            // Unless the user has moved on.
            let focused = gloo_utils::document().active_element();
            if has_lost_focus() || scroller.contains(focused.as_deref()) {
                focus_element(&cell);
            }
        });
    }
    // A column of a warp may be beyond the edge.
    {
        let scroller = scroller.clone();
        let place = inputs.state_view.reveal(tab).map(|reveal| reveal.place);
        use_effect_with((inputs.state_view.reveal(tab), *first, size), move |_| {
            if let Some((scroller, place)) = scroller.cast::<Element>().zip(place) {
                scroll_sideways(&scroller, place);
            }
        });
    }
    let onscroll = {
        let (id, first) = (*id, first.setter());
        let (inputs, dispatch) = (inputs.clone(), dispatch.clone());
        Callback::from(move |event: Event| {
            if let Some(scroller) = event.target_dyn_into::<Element>() {
                let mut position = scroll_position(id);
                position.first = row_at(&scroller, position.base);
                keep_scroll_position(id, position);
                first.set(rounded(position.first));
                if let Some(buffer) = scrolled_buffer(&inputs, position) {
                    let action = StateAction::Buffer(buffer, BufferAction::InView);
                    dispatch.emit(Action::StatePane(action));
                }
            }
        })
    };
    let inspect = dispatch.reform(|action| Action::StatePane(StateAction::Inspect(action)));
    // The first selection opens a bar, which may cover the cell: it waits for a second press.
    let selection = use_mut_ref(|| None::<Timeout>);
    let pressed = |event: &MouseEvent| place_at(&event.target_dyn_into::<Element>()?);
    let onclick = {
        let (inspect, selection) = (inspect.clone(), Rc::clone(&selection));
        let waits = inputs.state_view.inspect.chosen().is_none();
        Callback::from(move |event: MouseEvent| {
            let Some(place) = pressed(&event) else { return };
            let select = InspectAction::Select(place);
            // A press by keyboard has no count.
            if waits && event.detail() > 0 {
                let inspect = inspect.clone();
                let select = Timeout::new(DOUBLE_PRESS, move || inspect.emit(select));
                *selection.borrow_mut() = Some(select);
            } else {
                inspect.emit(select);
            }
        })
    };
    let ondblclick = {
        let (inspect, selection) = (inspect.clone(), Rc::clone(&selection));
        Callback::from(move |event: MouseEvent| {
            if let Some(place) = pressed(&event) {
                selection.take();
                inspect.emit(InspectAction::Open(place));
            }
        })
    };
    let onchange = {
        let inspect = inspect.clone();
        Callback::from(move |event: Event| {
            let input = editor(&event);
            let place = input
                .as_ref()
                .and_then(|input| data_at(input, "data-start"));
            if let Some((input, place)) = input.zip(place) {
                inspect.emit(InspectAction::Leave(place, input.value()));
            }
        })
    };
    let keys = GridKeys {
        inputs: inputs.clone(),
        tab,
        characters: size.map_or(0, |size| size.characters),
        returns_focus,
        inspect,
    };
    let onpaste = {
        let keys = keys.clone();
        Callback::from(move |event: Event| keys.paste(&event))
    };
    let onkeydown = {
        let id = *id;
        Callback::from(move |event: KeyboardEvent| keys.press(&event, scroll_position(id).first))
    };
    let under = |event: &Event| highlight_at(&event.target_dyn_into::<Element>()?);
    let contents = size.zip(shape).map(|(size, shape)| Contents {
        tab,
        name,
        inputs,
        size,
        shape,
        base: *base,
        first: *first,
        highlighted: &highlight.highlighted,
    });
    html! {
        <div class="grid-box">
            <div ref={ruler} class="ruler" aria-hidden="true"></div>
            <div
                ref={scroller}
                class={classes!("scroller", "grid", class_of(tab))}
                role="group"
                aria-label={*box_name}
                tabindex="0"
                ~style={format!("--row: {ROW_HEIGHT}px")}
                {onscroll}
                {onclick}
                {ondblclick}
                {onchange}
                {onkeydown}
                {onpaste}
                onmouseover={highlight.set.reform(move |event: MouseEvent| under(&event))}
                onmouseleave={highlight.clear_on_leave()}
                onfocusin={highlight.set.reform(move |event: FocusEvent| under(&event))}
                onfocusout={highlight.clear_on_blur()}
            >
                { for contents.map(|contents| contents.view()) }
            </div>
        </div>
    }
}

/// The buffer to which the grid has been scrolled, if the tools above it name another.
fn scrolled_buffer(inputs: &StateInputs, position: ScrollPosition) -> Option<usize> {
    let (grids, shown) = (inputs.grids(), inputs.state_view.buffer);
    let shape = grids.shape(inputs.state_view.grid.tab, position.characters);
    let rows = position.first..position.first + position.rows;
    let buffer = grids.buffer_in_view(&shape, rows, shown);
    buffer.filter(|buffer| *buffer != shown)
}

const fn class_of(tab: Tab) -> &'static str {
    match tab {
        Tab::Registers => "registers",
        Tab::Warp => "warp",
        Tab::Buffers => "buffers",
        Tab::Local | Tab::Shared | Tab::Virtual | Tab::Global | Tab::Surfaces => "memory",
    }
}

fn pane_size(
    scroller: Option<(i32, i32)>,
    ruler: Option<(i32, i32)>,
    tab: Tab,
) -> Option<PaneSize> {
    let ((width, height), (ruler, _)) = scroller.zip(ruler)?;
    let heads = match tab {
        Tab::Registers | Tab::Buffers => 0,
        _ => 1,
    };
    if height <= 0 {
        return None;
    }
    Some(PaneSize {
        characters: usize::try_from(width * RULER_CHARACTERS / ruler).ok()?,
        rows: u64::try_from((height / ROW_HEIGHT - heads).max(1)).ok()?,
    })
}

const fn rounded(row: u64) -> u64 {
    row / WINDOW_STEP * WINDOW_STEP
}

/// First row in view. Some browsers scroll past the start.
fn row_at(scroller: &Element, base: u64) -> u64 {
    let rows = u64::try_from(scroller.scroll_top().max(0) / ROW_HEIGHT);
    base + rows.expect("the value is not negative")
}

/// Scrolls a box sideways until a cell is in view.
fn scroll_sideways(scroller: &Element, place: Place) {
    let Some(cell) = find::<Element>(scroller, &format!("[data-at='{place}']")) else {
        return;
    };
    let head = cell.closest(".row").ok().flatten();
    let head = head.and_then(|row| row.first_element_child());
    let head = head.map_or(0.0, |head| head.get_bounding_client_rect().width());
    let (view, cell) = (
        scroller.get_bounding_client_rect(),
        cell.get_bounding_client_rect(),
    );
    let left = view.left() + head - cell.left();
    let right = cell.right() - (view.left() + f64::from(scroller.client_width()));
    if left > 0.0 {
        scroller.set_scroll_left(scroller.scroll_left() - left.ceil() as i32);
    } else if right > 0.0 {
        scroller.set_scroll_left(scroller.scroll_left() + right.ceil() as i32);
    }
}

/// Keyboard and clipboard of a grid.
#[derive(Clone)]
struct GridKeys {
    inputs: StateInputs,
    tab: Tab,
    characters: usize,
    returns_focus: Rc<std::cell::RefCell<bool>>,
    inspect: Callback<InspectAction>,
}

impl GridKeys {
    fn shape(&self) -> GridShape {
        self.inputs.grids().shape(self.tab, self.characters)
    }

    fn neighbour(&self, place: Place, right: i32, down: i32) -> Option<Place> {
        self.inputs
            .grids()
            .neighbour(&self.shape(), place, right, down)
    }

    /// Handles a key on a cell, in its editor, or on the box. `top` is the
    /// first row in view.
    fn press(&self, event: &KeyboardEvent, top: u64) {
        let Some(element) = event.target_dyn_into::<Element>() else {
            return;
        };
        if has_modifier(event) {
            return;
        }
        let key = event.key();
        let action = match (editor(event), key.as_str()) {
            (Some(input), "Enter") => Some(InspectAction::Commit(input.value())),
            (Some(_), "Escape") => Some(InspectAction::Cancel),
            (Some(input), "Tab") => {
                let chosen = self.inputs.state_view.inspect.chosen();
                let right = if event.shift_key() { -1 } else { 1 };
                let next = chosen.and_then(|place| self.neighbour(place, right, 0));
                next.map(|next| InspectAction::CommitAndEdit(input.value(), next))
            }
            (Some(_), _) => None,
            (None, "Enter")
                if element.has_attribute("tabindex") && place_at(&element).is_none() =>
            {
                self.first_cell(top).map(InspectAction::Select)
            }
            (None, key) => place_at(&element).and_then(|place| self.move_from(place, key)),
        };
        if let Some(action) = action {
            *self.returns_focus.borrow_mut() = true;
            event.prevent_default();
            self.inspect.emit(action);
        }
    }

    fn move_from(&self, place: Place, key: &str) -> Option<InspectAction> {
        let (right, down) = match key {
            "PageUp" => (0, -8),
            "PageDown" => (0, 8),
            "Escape" => return Some(InspectAction::Close),
            "Enter" | "F2" => return Some(InspectAction::Open(place)),
            key => arrow(key)?,
        };
        // At the edge, the key has no effect.
        let next = self.neighbour(place, right, down).unwrap_or(place);
        Some(InspectAction::Select(next))
    }

    fn first_cell(&self, top: u64) -> Option<Place> {
        let shape = self.shape();
        let mut rows = (top..shape.rows).filter_map(|row| self.inputs.grids().row(&shape, row));
        rows.find_map(|row| row.cells.first().map(|cell| cell.place))
    }

    /// Fills cells with a pasted list: `1, 2, 3`, or the cells of a
    /// spreadsheet.
    fn paste(&self, event: &Event) {
        let data = event.dyn_ref::<ClipboardEvent>();
        let data = data.and_then(ClipboardEvent::clipboard_data);
        let text = data.and_then(|data| data.get_data("text/plain").ok());
        let (Some(text), Some(_)) = (text, editor(event)) else {
            return;
        };
        let values = text.split([',', ';', '\t', '\r', '\n']).map(str::trim);
        let values = values.filter(|value| !value.is_empty()).map(String::from);
        let values: Vec<String> = values.collect();
        let chosen = self.inputs.state_view.inspect.chosen();
        let Some(place) = chosen.filter(|_| values.len() > 1) else {
            return;
        };
        event.prevent_default();
        let next = |place: &Place| self.neighbour(*place, 1, 0);
        let places = std::iter::successors(Some(place), next);
        let places: Vec<Place> = places.take(values.len()).collect();
        *self.returns_focus.borrow_mut() = true;
        self.inspect.emit(InspectAction::Fill(places, values));
    }
}

fn place_at(element: &Element) -> Option<Place> {
    data_at(element, "data-at")
}

/// Highlight for the cell at an element. Masks and pointers have none.
fn highlight_at(element: &Element) -> Option<Highlight> {
    let place = place_at(element)?;
    let bytes = data_at(element, "data-bytes")?;
    let range = ByteRange::new(place.space, place.address, bytes);
    Some(Highlight::Bytes(range))
}

fn editor(event: &Event) -> Option<HtmlInputElement> {
    let input: HtmlInputElement = event.target_dyn_into()?;
    input.has_attribute("data-start").then_some(input)
}

/// Rows in view.
struct Contents<'g> {
    tab: Tab,
    name: &'static str,
    inputs: &'g StateInputs,
    size: PaneSize,
    shape: GridShape,
    base: u64,
    first: u64,
    highlighted: &'g Highlighted,
}

impl Contents<'_> {
    fn view(&self) -> Html {
        let (inputs, shape) = (self.inputs, &self.shape);
        let grids = inputs.grids();
        // After an edit, until the next effect, there may be fewer rows.
        let base = self.base.min(shape.rows);
        let end = shape.rows.min(base + MAX_ROWS);
        let window = self.first.saturating_sub(OVERSCAN).max(base)
            ..end.min(self.first + WINDOW_STEP + self.size.rows + OVERSCAN);
        // The row of the inspected cell may have focus.
        let chosen = inputs.chosen_cell();
        let far = chosen
            .as_ref()
            .and_then(|chosen| grids.row_of(shape, chosen.place));
        let far = far.filter(|row| !window.contains(row) && (base..end).contains(row));
        let above = far.filter(|row| *row < window.start);
        let below = far.filter(|row| *row >= window.end);
        let rows = above.into_iter().chain(window.clone()).chain(below);
        let rows: Vec<GridRow> = rows.filter_map(|row| grids.row(shape, row)).collect();
        let sections = rows.chunk_by(|a, b| a.section == b.section);
        let has_heads = !shape.heads.is_empty();
        let sections = sections.map(|rows| {
            let [first, ..] = rows else {
                unreachable!("sections have rows")
            };
            let section = &first.section;
            let views = rows.iter().map(|row| {
                let is_chosen = |chosen: &&ChosenCell| row.holds(chosen.place);
                let row_of_window = row.index.checked_sub(window.start);
                let lead = match row_of_window {
                    Some(0) => window.start - base,
                    _ => 0,
                };
                html! {
                    <GridRowView
                        key={row.index.to_string()}
                        row={row.clone()}
                        tab={self.tab}
                        {lead}
                        top={far.filter(|far| *far == row.index).map(|far| far - base)}
                        number={row.index + 1 + u64::from(has_heads)}
                        chosen={chosen.as_ref().filter(is_chosen).cloned()}
                        highlighted={highlighted_in(row, self.highlighted)}
                    />
                }
            });
            // A separate list: next to unkeyed headings, keys have no effect.
            let views: Html = views.collect();
            let heads = self.shape.heads.iter().enumerate().map(|(index, head)| {
                let class = if index == 0 {
                    "ellipsis row-head"
                } else {
                    "head"
                };
                // Addresses need no heading.
                let is_spoken = index == 0 && self.tab.memory().is_some();
                html! {
                    <span {class} role="columnheader">
                        <span class={is_spoken.then_some("unseen")}>{ head }</span>
                    </span>
                }
            });
            html! {
                <div
                    key={section.to_string()}
                    class="section"
                    role="rowgroup"
                    aria-label={(!section.is_empty()).then(|| section.to_string())}
                    ~style={self.columns(rows)}
                >
                    if has_heads {
                        <div class="row heads" role="row" aria-rowindex="1">{ for heads }</div>
                    }
                    { views }
                </div>
            }
        });
        let height = (end - base + u64::from(has_heads)) * ROW_HEIGHT as u64;
        let sections: Html = sections.collect();
        html! {
            <div
                class="rows"
                role="table"
                aria-label={self.name}
                aria-rowcount={(shape.rows + u64::from(has_heads)).to_string()}
                ~style={format!("height: {height}px")}
            >
                { sections }
            </div>
        }
    }

    /// Widths of the columns of a section: as wide as their texts, or equal shares of more
    /// room. Each row is a grid with these columns, so that a step lays out only the rows
    /// that it changes. The elements of variables have sizes of their own.
    fn columns(&self, rows: &[GridRow]) -> Option<String> {
        if self.tab == Tab::Registers {
            return None;
        }
        let mut columns: Vec<usize> = self.shape.heads.iter().map(String::len).collect();
        // The heading of addresses is only spoken.
        if let Some(head) = columns.first_mut().filter(|_| self.tab.memory().is_some()) {
            *head = 0;
        }
        for row in rows.iter().filter(|row| row.kind != RowKind::Heading) {
            columns.resize(columns.len().max(row.slots + 1), 0);
            columns[0] = columns[0].max(head_characters(row));
            for (column, head) in columns[1..].iter_mut().zip(&row.heads) {
                *column = head.chars().count().max(*column);
            }
            let own = columns[1 + row.skipped..].iter_mut();
            for (column, cell) in own.zip(&row.cells) {
                *column = cell_characters(cell, row.shows_hex).max(*column);
            }
        }
        let (head, columns) = columns.split_first()?;
        let columns = columns.iter();
        let columns: String = columns
            .map(|characters| format!(" minmax(calc({characters}ch + 6px), 1fr)"))
            .collect();
        Some(format!("--columns: calc({head}ch + 15px){columns}"))
    }
}

fn highlighted_in(row: &GridRow, highlighted: &Highlighted) -> Vec<ByteRange> {
    let cells = row.cells.iter().filter_map(range_of);
    let mut ranges: Vec<ByteRange> = cells.flat_map(|range| highlighted.within(range)).collect();
    ranges.dedup();
    ranges
}

/// Bytes of an element; `None` for masks, pointers and bits.
fn range_of(cell: &Cell) -> Option<ByteRange> {
    match cell.kind {
        CellKind::Value(notation) => {
            let bytes = u64::from(notation.ty.bytes());
            Some(ByteRange::new(cell.place.space, cell.place.address, bytes))
        }
        _ => None,
    }
}

#[derive(Properties, PartialEq)]
struct GridRowProps {
    row: GridRow,
    tab: Tab,
    /// Number of rows above that are not rendered.
    lead: u64,
    /// Position of a row outside the window.
    top: Option<u64>,
    /// Number of the row for assistive technology, from 1.
    number: u64,
    chosen: Option<ChosenCell>,
    highlighted: Vec<ByteRange>,
}

#[component]
fn GridRowView(props: &GridRowProps) -> Html {
    let GridRowProps {
        row,
        tab,
        lead,
        top,
        number,
        chosen,
        highlighted,
    } = props;
    let pixels = |rows: u64| rows * ROW_HEIGHT as u64;
    let mut style = match (top, lead) {
        (Some(top), _) => format!("top: {}px; position: absolute;", pixels(*top)),
        (None, 0) => String::new(),
        (None, lead) => format!("margin-top: {}px;", pixels(*lead)),
    };
    // Variables have elements of different sizes.
    if *tab == Tab::Registers {
        style.push_str(&format!("--slots: {}", row.slots));
    }
    let cells = row.cells.iter().map(|cell| {
        let is_highlighted =
            range_of(cell).is_some_and(|own| highlighted.iter().any(|range| range.overlaps(own)));
        html! {
            <span class="slot" role="cell">
                { cell_view(cell, chosen.as_ref(), is_highlighted, *tab, row.shows_hex) }
            </span>
        }
    });
    let heads = row.heads.iter().map(|head| {
        html! { <span class="head" role="columnheader">{ &**head }</span> }
    });
    let skipped = (0..row.skipped).map(|_| html! { <span class="slot" role="cell" /> });
    let (kind, is_current) = match row.kind {
        RowKind::Heading => ("heading", false),
        RowKind::Columns => ("columns", false),
        RowKind::Mask => ("mask", false),
        RowKind::Pending(_) => ("pending", false),
        RowKind::CurrentLane => ("lane", true),
        RowKind::InactiveLane(_) => ("inactive", false),
        RowKind::Values => ("values", false),
    };
    html! {
        <div
            class="row"
            role="row"
            data-kind={kind}
            data-first={row.name.is_some().then_some("")}
            aria-rowindex={number.to_string()}
            aria-current={is_current.then_some("step")}
            ~style={style}
        >
            if row.kind == RowKind::Columns {
                <span class="ellipsis row-head" role="columnheader"><span class="unseen">{ "Element" }</span></span>
            } else {
                { row_head(row, *tab) }
            }
            { for heads }
            { for skipped }
            { for cells }
        </div>
    }
}

fn row_head(row: &GridRow, tab: Tab) -> Html {
    let title = match (row.kind, &row.title, &row.name) {
        (RowKind::Pending(row), ..) => {
            format!("Row {row} of Dst is still being accumulated; these values are older")
        }
        (_, Some(title), _) => title.to_string(),
        // The text may be truncated.
        (_, None, Some(name)) => format!("{name} {}", row.about),
        (_, None, None) => row.about.clone(),
    };
    let label = match (tab, row.kind) {
        _ if tab.memory().is_some() => Some(format!("0x{}", row.about)),
        (Tab::Buffers, RowKind::Values) => {
            let name = row.section.split(' ').next().unwrap_or_default();
            Some(format!("{name}[{}]", row.about))
        }
        _ => None,
    };
    html! {
        <span class="ellipsis row-head" role="rowheader" {title} aria-label={label}>
            if let Some(name) = &row.name {
                <span class="variable">{ &**name }</span>{ " " }
            }
            <span class="muted">{ &row.about }</span>
            if let RowKind::InactiveLane(why) = row.kind {
                { " " }<span class="muted">{ why }</span>
            }
            if matches!(row.kind, RowKind::Pending(_)) {
                <span class="pending" aria-hidden="true">{ " …" }</span>
                <span class="unseen">{ " pending" }</span>
            }
        </span>
    }
}

fn head_characters(row: &GridRow) -> usize {
    match row.kind {
        RowKind::InactiveLane(why) => row.about.len() + 1 + why.len(),
        _ => row.about.len(),
    }
}

/// Length of the value of a cell. That of its previous value, in smaller type, would make
/// the columns wider with each step.
fn cell_characters(cell: &Cell, shows_hex: bool) -> usize {
    let bits = bits_of(cell).filter(|_| shows_hex);
    let mark = 2 * usize::from(is_not_finite(cell));
    cell.text_of(cell.bits).chars().count() + mark + bits.map_or(0, |bits| bits.len() + 1)
}

/// Hexadecimal bits of an element.
fn bits_of(cell: &Cell) -> Option<String> {
    match cell.kind {
        CellKind::Value(notation) => Some(digits(cell.bits, notation.ty)),
        _ => None,
    }
}

/// Whether an element is infinite or no number.
fn is_not_finite(cell: &Cell) -> bool {
    match cell.kind {
        CellKind::Value(notation) if notation.ty.is_float() && !notation.hex => !notation
            .text(cell.bits)
            .contains(|c: char| c.is_ascii_digit()),
        _ => false,
    }
}

/// Cell button, or the initial-value editor while the cell is being edited.
fn cell_view(
    cell: &Cell,
    chosen: Option<&ChosenCell>,
    is_highlighted: bool,
    tab: Tab,
    shows_hex: bool,
) -> Html {
    let own = chosen.filter(|chosen| chosen.place == cell.place);
    if let Some(editor) = own.and_then(|chosen| chosen.editor.as_ref()) {
        return initial_value_editor(cell.place, editor);
    }
    let now = cell.text_of(cell.bits);
    let was = cell.was.map(|was| cell.text_of(was));
    let (class, spoken) = match cell.access {
        LastAccess::Read => (Some("read"), "read "),
        LastAccess::Changed => (Some("changed"), "changed from "),
        LastAccess::SameWritten => (Some("same"), "written, unchanged: "),
        LastAccess::None => (cell.was.map(|_| "altered"), "changed from "),
    };
    let bytes = range_of(cell).map(|range| range.bytes.to_string());
    let mut title = match cell.kind {
        CellKind::Value(notation) => format!("0x{}", digits(cell.bits, notation.ty)),
        CellKind::Mask(_) => format!("{:#x}", cell.bits),
        CellKind::Bit => String::from("The lane's bit"),
        CellKind::Pointer => String::from("Points to"),
    };
    match (&was, cell.access) {
        (_, LastAccess::Read) => title.push_str(", read in this step"),
        (Some(was), _) => {
            let since = match tab {
                Tab::Buffers => "this launch",
                _ => "this step",
            };
            title.push_str(&format!(", {since}: {was} → {now}"));
        }
        (None, _) => {}
    }
    let before = match (&was, cell.access) {
        (_, LastAccess::Read) => Some(html! { <span class="was">{ spoken }</span> }),
        (Some(was), _) => Some(html! {
            <span class="was"><span class="unseen">{ spoken }</span>{ was }{ " → " }</span>
        }),
        (None, _) => None,
    };
    let bits = bits_of(cell).filter(|_| shows_hex);
    let is_marked = tab == Tab::Buffers && is_not_finite(cell);
    // Roving tab index: arrow keys reach the other cells.
    html! {
        <button
            type="button"
            class={classes!("cell", class, is_highlighted.then_some("lit"))}
            {title}
            tabindex={ if own.is_some() { "0" } else { "-1" } }
            aria-current={own.map(|_| "true")}
            data-at={cell.place.to_string()}
            data-bytes={bytes}
        >
            { before }<span class={classes!("now", is_marked.then_some("not-finite"))}>{ now }</span>
            if let Some(bits) = bits {
                <span class="cell-bits">{ " " }{ bits }</span>
            }
        </button>
    }
}

/// Initial-value editor. An uncontrolled input: the grid sets its value and
/// handles its events.
fn initial_value_editor(place: Place, editor: &InitialValueEdit) -> Html {
    html! {
        <input
            class="cell-input"
            aria-label={editor.label.clone()}
            aria-invalid={editor.wrong.then_some("true")}
            aria-describedby="cell-wrong"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            data-start={place.to_string()}
        />
    }
}

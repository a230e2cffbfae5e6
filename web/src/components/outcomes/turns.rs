use crate::components::focus;
use crate::dom::{El, On, Part, Seen, el};
use crate::state::outcomes::{OutcomesAction, Turn, TurnsView};
use lanewise_core::number::parse_integer;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};
use yew::prelude::*;

/// The turns of the lanes, to be put into another order.
#[derive(PartialEq)]
pub(super) struct Turns {
    pub(super) turns: TurnsView,
    pub(super) act: Callback<OutcomesAction>,
}

impl Part for Turns {
    type Kept = Seen<Option<(u32, usize)>>;

    fn draw(&self, _: &Self::Kept) -> Html {
        let view = &self.turns;
        let heading = format!("Turns of {}, line {}", view.instruction, view.line);
        let hint = "Drag a lane to another turn, or press Alt+↑ or Alt+↓ on it: \
                    that writes an .order line.";
        let turns = view
            .turns
            .iter()
            .enumerate()
            .map(|(at, turn)| self.turn(at, turn));
        let list = el!("ol", "class" = "turns", "aria-labelledby" = "turns-title").each(turns);
        el!("div", "class" = "turns-box")
            .put(el!("h3", "id" = "turns-title").put(heading))
            .put(el!("p", "id" = "turns-hint", "class" = "muted").put(hint))
            .put(list)
            .html()
    }

    fn drawn(&self, seen: &mut Self::Kept) {
        let wanted = self.turns.focus;
        let first = seen.is_new();
        if seen.changes(wanted)
            && !first
            && let Some((_, turn)) = wanted
        {
            focus(&id(turn));
        }
    }
}

fn id(turn: usize) -> String {
    format!("turn-{turn}")
}

impl Turns {
    fn turn(&self, at: usize, turn: &Turn) -> El {
        let count = self.turns.turns.len();
        let dragged = self.turns.dragged;
        let is = match dragged {
            Some((from, to)) if from == at && from != to => Some("dragged"),
            Some((from, to)) if to == at && from < to => Some("after"),
            Some((from, to)) if to == at && from > to => Some("before"),
            _ => None,
        };
        let group = turn.group.as_ref();
        let told = group.map_or_else(String::new, |(letter, _)| format!(", group {letter}"));
        let name = format!("Lane {}, turn {} of {count}{told}", turn.name, at + 1);
        // The style sheet draws the letter: the name says it already.
        let mark = group.map(|(letter, number)| {
            el!(
                "span",
                "class" = "group",
                "data-letter" = letter.clone(),
                "data-hue" = (number % 6).to_string()
            )
        });
        let onkeydown = self.act.reform(move |event: Event| key(event, at, count));
        let onkeydown = Callback::from(move |event: Event| {
            let event_: KeyboardEvent = event.clone().unchecked_into();
            if event_.alt_key() && event_.key().starts_with("Arrow") {
                event.prevent_default();
                onkeydown.emit(event);
            }
        });
        let act = self.act.clone();
        let down = Callback::from(move |event: Event| {
            let event: PointerEvent = event.unchecked_into();
            if event.button() != 0 {
                return;
            }
            let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
            let turn = target.and_then(|t| t.closest("[data-turn]").ok().flatten());
            if let Some(turn) = turn {
                // A pointer that is gone already drags nothing.
                let _ = turn.set_pointer_capture(event.pointer_id());
            }
            act.emit(OutcomesAction::Drag(Some((at, at))));
        });
        let moved = self.on_drag(move |from, to| OutcomesAction::Drag(Some((from, to))), true);
        let up = self.on_drag(OutcomesAction::Move, false);
        let act = self.act.clone();
        let cancelled = Callback::from(move |_| act.emit(OutcomesAction::Drag(None)));
        let grip = el!("span", "class" = "grip", "aria-hidden" = "true");
        let button = el!(
            "button",
            "id" = id(at),
            "class" = "turn",
            "data-turn" = at.to_string(),
            "data-is" = is,
            "aria-label" = name,
            "aria-describedby" = "turns-hint",
            "aria-keyshortcuts" = "Alt+ArrowUp Alt+ArrowDown"
        )
        .on(On::KeyDown, onkeydown)
        .on(On::PointerDown, down)
        .on(On::PointerMove, moved)
        .on(On::PointerUp, up)
        .on(On::PointerCancel, cancelled)
        .put(grip)
        .put(turn.name.clone())
        .put(mark);
        el!("li").put(button)
    }

    /// Emits what is to be done when the pointer is over another turn while
    /// one is dragged; `only_new`: only if it was not there before.
    fn on_drag(
        &self,
        action: impl Fn(usize, usize) -> OutcomesAction + 'static,
        only_new: bool,
    ) -> Callback<Event> {
        let Some((from, to)) = self.turns.dragged else {
            return Callback::noop();
        };
        let act = self.act.clone();
        Callback::from(move |event: Event| {
            let event: PointerEvent = event.unchecked_into();
            let over = turn_at(&event).unwrap_or(to);
            if !only_new || over != to {
                act.emit(action(from, over));
            }
        })
    }
}

/// The turn below a pointer.
fn turn_at(event: &PointerEvent) -> Option<usize> {
    let document = web_sys::window()?.document()?;
    let (x, y) = (event.client_x() as f32, event.client_y() as f32);
    let element = document.element_from_point(x, y)?;
    let turn = element.closest("[data-turn]").ok().flatten()?;
    let turn = parse_integer(&turn.get_attribute("data-turn")?).ok()?;
    usize::try_from(turn).ok()
}

/// What an arrow key does to a turn.
fn key(event: Event, at: usize, count: usize) -> OutcomesAction {
    let event: KeyboardEvent = event.unchecked_into();
    let back = matches!(event.key().as_str(), "ArrowUp" | "ArrowLeft");
    let to = match back {
        true => at.saturating_sub(1),
        false => (at + 1).min(count.saturating_sub(1)),
    };
    OutcomesAction::Move(at, to)
}

//! Memory cell: name, value, trail and queue.

use super::{
    Face, GroupMark, Text, Tone, fit, fit_cell_name, fit_forms, fit_trail, px, shrink, text_width,
};
use std::rc::Rc;
use yew::prelude::*;

/// Level of detail of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CellDensity {
    /// Four lines: address, value with trail, last step, queue; five if the
    /// trail does not fit beside the value.
    #[default]
    Large,
    /// Two lines: address and queue, value with trail.
    Medium,
    /// One line: address, value, trail.
    Small,
}

impl CellDensity {
    /// Preferred height of a card.
    pub(crate) const fn height(self) -> f64 {
        match self {
            Self::Large => 102.0,
            Self::Medium => 44.0,
            Self::Small => 24.0,
        }
    }

    /// Minimum height for its lines.
    pub(crate) const fn least_height(self) -> f64 {
        match self {
            Self::Large => 84.0,
            Self::Medium => 40.0,
            Self::Small => 14.0,
        }
    }
}

/// Effect of the last step on a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CellState {
    #[default]
    Idle,
    /// Accessed.
    Current,
    /// A compare-and-swap found another value.
    Failed,
    /// The cell does not exist: reads return 0, writes have no effect.
    OutOfBounds,
    /// The access faults.
    Fault,
}

impl CellState {
    /// Value of `data-state`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Current => "current",
            Self::Failed => "failed",
            Self::OutOfBounds => "out-of-bounds",
            Self::Fault => "fault",
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct CellCardProps {
    pub(crate) width: f64,
    pub(crate) height: f64,
    #[prop_or_default]
    pub(crate) density: CellDensity,
    /// Name: `slm[0x40]`.
    pub(crate) name: AttrValue,
    /// Current value, or the reason if there is none.
    pub(crate) value: AttrValue,
    /// Values so far, oldest first, ending with the current one.
    #[prop_or_default]
    pub(crate) trail: Rc<[String]>,
    #[prop_or_default]
    pub(crate) group: Option<u32>,
    /// `8 lanes`.
    #[prop_or_default]
    pub(crate) about: AttrValue,
    /// Effect of the last step, from the longest form to the shortest: `lane 3:
    /// expected 0, found 101; not swapped`.
    #[prop_or_default]
    pub(crate) event: Rc<[String]>,
    /// Pending lanes, from the longest form to the shortest: `waiting: 6, 10`.
    #[prop_or_default]
    pub(crate) waiting: Rc<[String]>,
    #[prop_or_default]
    pub(crate) state: CellState,
    /// The last step, if it wrote the cell: the value flips.
    #[prop_or_default]
    pub(crate) step: Option<usize>,
}

/// Card in one of three densities.
#[component]
pub(crate) fn CellCard(props: &CellCardProps) -> Html {
    let tone = match (props.state, props.group) {
        (CellState::Fault, _) => Tone::Error,
        (_, Some(group)) => Tone::Group(group),
        (CellState::Current | CellState::Failed, None) => Tone::Accent,
        _ => Tone::Plain,
    };
    let (width, height) = (props.width, props.height);
    html! {
        <g class="cell" data-state={props.state.name()} data-tone={tone.name()}>
            <rect class="box" width={px(width)} height={px(height)} rx={px((height / 4.0).min(7.0))} />
            <path class="stripe" d={format!("M1.5 4V{}", px(height - 4.0))} />
            { match props.density {
                CellDensity::Large => large(props),
                CellDensity::Medium => medium(props),
                CellDensity::Small => small(props),
            } }
        </g>
    }
}

/// Value of a cell, recreated by a write so that the flip animation runs.
fn value(props: &CellCardProps, x: f64, y: f64, size: f64, room: f64) -> Html {
    let key = props.step.map_or_else(String::new, |step| step.to_string());
    let text = fit(&props.value, room, size, Face::Mono);
    html! {
        <g key={key} class="value" data-flips={props.step.map(|_| "")}>
            <Text {text} {x} {y} {size} class="strong" />
        </g>
    }
}

/// Longest form of a note that fits.
fn note(forms: &[String], room: f64, size: f64) -> (String, f64) {
    let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
    fit_forms(&forms, room, size, Face::Sans)
}

/// Minimum font size of a trail beside its value; below that, a separate line
/// may allow a larger one.
const LEAST_BESIDE: f64 = 10.5;

fn large(props: &CellCardProps) -> Html {
    let (width, height) = (props.width, props.height);
    // Positions of lines as fractions of the height.
    let line = |share: f64| height * share;
    let is_narrow = width < 180.0;
    let left = if is_narrow { 12.0 } else { 18.0 };
    let end = width - if is_narrow { 8.0 } else { 12.0 };
    let mut size = 26.0_f64.min(line(0.27));
    while size > 15.0 && text_width(&props.value, size, Face::Mono) > end - left {
        size -= 1.0;
    }
    let trail_at = left + text_width(&props.value, size, Face::Mono) + 14.0;
    let beside = fit_trail(&props.trail, end - trail_at, 12.0, Face::Mono)
        .filter(|(_, size)| *size >= LEAST_BESIDE);
    // If it does not fit beside the value, the trail gets its own line.
    let below = match beside {
        Some(_) => None,
        None => fit_trail(&props.trail, end - left, 12.0, Face::Mono),
    };
    let [value_y, below_y, event_y, waiting_y] = match below {
        None => [0.4, 0.0, 0.655, 0.85].map(line),
        Some(_) => [0.365, 0.555, 0.725, 0.885].map(line),
    };
    // The name takes precedence, because it identifies the cell.
    let about_width = text_width(&props.about, 12.0, Face::Sans);
    let mark_room = if props.group.is_some() { 22.0 } else { 0.0 };
    let name_width = text_width(&props.name, 12.0, Face::Mono);
    let has_about = left + name_width + 10.0 + mark_room + about_width <= end;
    let name_end = if has_about {
        end - about_width - mark_room
    } else {
        end - mark_room
    };
    let mark_x = if has_about {
        end - about_width - 14.0
    } else {
        end - 8.0
    };
    let (name, name_size) = fit_cell_name(&props.name, name_end - left - 4.0, 12.0);
    // Always a node, so that its siblings keep their positions.
    let trail = |trail: Option<(String, f64)>, x: f64, y: f64| {
        html! {
            if let Some((text, size)) = trail {
                <Text {text} {x} {y} {size} class="dim" />
            }
        }
    };
    let (event, event_size) = note(&props.event, end - left, 12.0);
    let (waiting, waiting_size) = note(&props.waiting, end - left, 12.0);
    html! {
        <>
            <Text text={name} x={left} y={line(0.15)} size={name_size} class="dim" />
            if let Some(group) = props.group {
                <GroupMark {group} x={mark_x} y={line(0.15)} size={14.0} />
            }
            if has_about {
                <Text
                    text={props.about.clone()}
                    x={end}
                    y={line(0.15)}
                    size={12.0}
                    face={Face::Sans}
                    anchor="end"
                    class="dim"
                />
            }
            { value(props, left, value_y, size, end - left) }
            { trail(beside, trail_at, value_y + 2.0) }
            { trail(below, left, below_y) }
            <Text text={event} x={left} y={event_y} size={event_size} face={Face::Sans} class="event" />
            <Text text={waiting} x={left} y={waiting_y} size={waiting_size} face={Face::Sans} class="dim" />
        </>
    }
}

fn medium(props: &CellCardProps) -> Html {
    let (width, height) = (props.width, props.height);
    let (first, second) = (height * 0.28, height * 0.7);
    let left = if width < 180.0 { 12.0 } else { 18.0 };
    let end = width - 12.0;
    let mark = if props.group.is_some() { 18.0 } else { 0.0 };
    let (name, name_size) = fit_cell_name(&props.name, end - mark - left, 11.5);
    let name_end = left + text_width(&name, name_size, Face::Mono);
    let trail_at = left + text_width(&props.value, 16.0, Face::Mono) + 12.0;
    let trail = fit_trail(&props.trail, end - trail_at, 12.0, Face::Mono);
    let value_end = match &trail {
        Some((text, size)) => trail_at + text_width(text, *size, Face::Mono),
        None => trail_at - 12.0,
    };
    // The note is placed where there is more space: beside the name or the
    // value.
    let (forms, class) = if props.event.is_empty() {
        (&props.waiting, "dim")
    } else {
        (&props.event, "event")
    };
    let beside_name = end - mark - name_end - 12.0;
    let beside_value = end - value_end - 12.0;
    let longest = forms.first().map_or("", String::as_str);
    let fits = text_width(longest, 11.5, Face::Sans) <= beside_name;
    let (room, note_end, note_y) = if fits || beside_name >= beside_value {
        (beside_name, end - mark, first)
    } else {
        (beside_value, end, second)
    };
    let (text, note_size) = note(forms, room, 11.5);
    html! {
        <>
            <Text text={name} x={left} y={first} size={name_size} class="dim" />
            <Text {text} x={note_end} y={note_y} size={note_size} face={Face::Sans} anchor="end" {class} />
            if let Some(group) = props.group {
                <GroupMark {group} x={width - 16.0} y={first} size={13.0} />
            }
            { value(props, left, second, 16.0, end - left) }
            if let Some((text, size)) = trail {
                <Text {text} x={trail_at} y={second} {size} class="dim" />
            }
        </>
    }
}

fn small(props: &CellCardProps) -> Html {
    let (width, middle) = (props.width, props.height / 2.0);
    let size = (props.height - 7.0).clamp(9.0, 13.0);
    let quiet = (size - 1.0).max(9.0);
    let mark = if props.group.is_some() {
        size + 7.0
    } else {
        0.0
    };
    // In order of precedence: value, distinguishing text, trail.
    let (left, gap, right) = if width < 140.0 {
        (9.0, 5.0, 4.0)
    } else {
        (12.0, 10.0, 8.0)
    };
    let end = width - right - mark;
    let value_width = text_width(&props.value, size, Face::Mono);
    let name_room = (end - left - gap - value_width).clamp(width * 0.3, width * 0.45);
    let (name, name_size) = fit_cell_name(&props.name, name_room, quiet);
    let value_at = left + text_width(&name, name_size, Face::Mono) + gap;
    let room = end - value_at;
    let value_size = shrink(&props.value, room, size, Face::Mono);
    let trail_at = value_at + value_width + 10.0;
    let trail = fit_trail(&props.trail, end - trail_at, quiet, Face::Mono);
    html! {
        <>
            <Text text={name} x={left} y={middle} size={name_size} class="dim" />
            { value(props, value_at, middle, value_size, room) }
            if let Some((text, size)) = trail {
                <Text {text} x={trail_at} y={middle} {size} class="dim" />
            }
            if let Some(group) = props.group {
                <GroupMark {group} x={width - 6.0 - size / 2.0} y={middle} size={size + 1.0} />
            }
        </>
    }
}

//! A memory cell: where it is, what it holds, what it held, who waits for it.

use super::{Face, GroupMark, Text, Tone, fit, fit_trail, px, text_width};
use std::rc::Rc;
use yew::prelude::*;

/// How much of a cell is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CellDensity {
    /// Four lines: address, value with trail, the last step, queue.
    #[default]
    Large,
    /// Two lines: address and queue, value with trail.
    Medium,
    /// One line: address, value, trail.
    Small,
}

impl CellDensity {
    /// The height of a card.
    pub(crate) const fn height(self) -> f64 {
        match self {
            Self::Large => 102.0,
            Self::Medium => 44.0,
            Self::Small => 24.0,
        }
    }
}

/// What the step at hand did to a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CellState {
    #[default]
    Idle,
    /// It was accessed.
    Current,
    /// A compare-and-swap found another value than it wanted.
    Failed,
    /// It does not exist: an access reads 0 and writes nothing.
    OutOfBounds,
    /// It must not be accessed.
    Fault,
}

impl CellState {
    /// The value of `data-state`.
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
    /// Where it is: `slm[0x40]`.
    pub(crate) name: AttrValue,
    /// Its value now; or why it has none.
    pub(crate) value: AttrValue,
    /// The values it had, oldest first, with that of now.
    #[prop_or_default]
    pub(crate) trail: Rc<[String]>,
    #[prop_or_default]
    pub(crate) group: Option<u32>,
    /// `8 lanes`.
    #[prop_or_default]
    pub(crate) about: AttrValue,
    /// What the step at hand did to it: `lane 3 saw 101, wanted 0`.
    #[prop_or_default]
    pub(crate) event: AttrValue,
    /// Who has yet to access it: `waiting: 6 10`.
    #[prop_or_default]
    pub(crate) waiting: AttrValue,
    #[prop_or_default]
    pub(crate) state: CellState,
    /// The step at hand, if it changed the value: the value flips.
    #[prop_or_default]
    pub(crate) step: Option<usize>,
}

/// A card of one of three densities.
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
            <path class="bar" d={format!("M1.5 4V{}", px(height - 4.0))} />
            { match props.density {
                CellDensity::Large => large(props),
                CellDensity::Medium => medium(props),
                CellDensity::Small => small(props),
            } }
        </g>
    }
}

/// Its value, anew where the step changed it, so that the change is animated.
fn value(props: &CellCardProps, x: f64, y: f64, size: f64, room: f64) -> Html {
    let key = props.step.map_or_else(String::new, |step| step.to_string());
    let text = fit(&props.value, room, size, Face::Mono);
    html! {
        <g key={key} class="value" data-flips={props.step.map(|_| "")}>
            <Text {text} {x} {y} {size} class="strong" />
        </g>
    }
}

fn large(props: &CellCardProps) -> Html {
    let width = props.width;
    let mut size = 26.0;
    while size > 15.0 && text_width(&props.value, size, Face::Mono) > width - 30.0 {
        size -= 1.0;
    }
    let trail_at = 18.0 + text_width(&props.value, size, Face::Mono) + 14.0;
    let trail = fit_trail(&props.trail, width - 12.0 - trail_at, 12.0, Face::Mono);
    // On a phone the mark alone.
    let about = match width < 180.0 {
        true => AttrValue::Static(""),
        false => props.about.clone(),
    };
    let about_width = text_width(&about, 12.0, Face::Sans);
    let mark = width - 12.0 - about_width - 14.0;
    let name = fit(&props.name, mark - 30.0, 12.0, Face::Mono);
    let line = |text: &str| fit(text, width - 30.0, 12.0, Face::Sans);
    html! {
        <>
            <Text text={name} x={18.0} y={15.0} size={12.0} class="dim" />
            if let Some(group) = props.group {
                <GroupMark {group} x={mark} y={15.0} size={14.0} />
            }
            <Text text={about} x={width - 12.0} y={15.0} size={12.0} face={Face::Sans} anchor="end" class="dim" />
            { value(props, 18.0, 41.0, size, width - 30.0) }
            <Text text={trail} x={trail_at} y={43.0} size={12.0} class="dim" />
            <Text text={line(&props.event)} x={18.0} y={67.0} size={12.0} face={Face::Sans} class="event" />
            <Text text={line(&props.waiting)} x={18.0} y={87.0} size={12.0} face={Face::Sans} class="dim" />
        </>
    }
}

fn medium(props: &CellCardProps) -> Html {
    let width = props.width;
    let name_width = text_width(&props.name, 11.5, Face::Mono);
    let mark = if props.group.is_some() { 18.0 } else { 0.0 };
    let note_room = width - 18.0 - name_width - 24.0 - mark;
    let (note, class) = match props.event.is_empty() {
        true => (&props.waiting, "dim"),
        false => (&props.event, "event"),
    };
    let note = fit(note, note_room, 11.5, Face::Sans);
    let trail_at = 18.0 + text_width(&props.value, 16.0, Face::Mono) + 12.0;
    let trail = fit_trail(&props.trail, width - 12.0 - trail_at, 12.0, Face::Mono);
    html! {
        <>
            <Text text={props.name.clone()} x={18.0} y={12.0} size={11.5} class="dim" />
            <Text text={note} x={width - 12.0 - mark} y={12.0} size={11.5} face={Face::Sans} anchor="end" {class} />
            if let Some(group) = props.group {
                <GroupMark {group} x={width - 16.0} y={12.0} size={13.0} />
            }
            { value(props, 18.0, 31.0, 16.0, width - 30.0) }
            <Text text={trail} x={trail_at} y={31.0} size={12.0} class="dim" />
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
    let name = fit(&props.name, width * 0.45, quiet, Face::Mono);
    let value_at = 12.0 + text_width(&name, quiet, Face::Mono) + 10.0;
    let room = width - 8.0 - mark - value_at;
    let trail_at = value_at + text_width(&props.value, size, Face::Mono) + 10.0;
    let trail = match width - 8.0 - mark - trail_at {
        room if room > 30.0 => fit_trail(&props.trail, room, quiet, Face::Mono),
        _ => String::new(),
    };
    html! {
        <>
            <Text text={name} x={12.0} y={middle} size={quiet} class="dim" />
            { value(props, value_at, middle, size, room) }
            <Text text={trail} x={trail_at} y={middle} size={quiet} class="dim" />
            if let Some(group) = props.group {
                <GroupMark {group} x={width - 6.0 - size / 2.0} y={middle} size={size + 1.0} />
            }
        </>
    }
}

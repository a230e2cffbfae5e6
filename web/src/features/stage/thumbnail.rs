//! The stage in small, for lists: forms and lines, no texts.

#![allow(dead_code, reason = "the picker of scenarios is about to show it")]

use super::layout::StageLayout;
use super::model::StageModel;
use super::svg::{ChipState, Edge, EdgeState, Rect, Tone, px};
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use std::rc::Rc;
use yew::prelude::*;

/// The room for which a thumbnail is laid out; it is shown smaller.
const ROOM: (f64, f64) = (420.0, 300.0);

/// The most steps that are taken for a thumbnail.
const MAX_STEPS: usize = 64;

impl StageModel {
    /// What a thumbnail of a program shows: its first instruction with a
    /// stage, half done.
    pub(crate) fn preview(program: Rc<Program>) -> Option<Self> {
        let mut session = Session::new(program);
        session.explore(MAX_STEPS);
        session.seek(session.known().min(MAX_STEPS) / 2);
        Self::of(&session)
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct ThumbnailProps {
    pub(crate) model: Rc<StageModel>,
    /// In CSS pixels.
    #[prop_or(112.0)]
    pub(crate) width: f64,
    #[prop_or(80.0)]
    pub(crate) height: f64,
}

/// A picture without words, which says nothing that its title does not.
#[component]
pub(crate) fn Thumbnail(props: &ThumbnailProps) -> Html {
    let model = &props.model;
    let layout = StageLayout::of(model, ROOM.0, ROOM.1);
    let tone = |group: Option<u32>| group.map_or(Tone::Plain, Tone::Group);
    let edges = model.lanes.iter().zip(&layout.lanes).map(|(lane, place)| {
        let state = match lane.state {
            ChipState::Waiting => EdgeState::Waiting,
            ChipState::Current | ChipState::Fault => EdgeState::Current,
            ChipState::Done => EdgeState::Done,
        };
        html! { <Edge from={place.from} to={place.to} {state} tone={tone(lane.group)} /> }
    });
    let form = |class: &'static str, state: &'static str, tone: Tone, rect: Rect| {
        html! {
            <g {class} data-state={state} data-tone={tone.name()}>
                <rect
                    class="box"
                    x={px(rect.x)} y={px(rect.y)} width={px(rect.width)} height={px(rect.height)} rx="5"
                />
            </g>
        }
    };
    let lanes = model
        .lanes
        .iter()
        .zip(&layout.lanes)
        .map(|(lane, place)| form("chip", lane.state.name(), Tone::Plain, place.rect));
    let cells = model.cells.iter().zip(&layout.cells);
    let cells = cells.map(|(cell, rect)| form("cell", cell.state.name(), tone(cell.group), *rect));
    let (edges, lanes, cells): (Html, Html, Html) =
        (edges.collect(), lanes.collect(), cells.collect());
    html! {
        <svg
            class="stage-svg thumbnail"
            width={px(props.width)}
            height={px(props.height)}
            viewBox={format!("0 0 {} {}", px(layout.width), px(layout.height))}
            aria-hidden="true"
            data-still=""
        >
            { edges }{ cells }{ lanes }
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::library::BUNDLED;

    #[test]
    fn scenarios_with_a_lane_queue_have_a_preview() {
        let previews = BUNDLED.iter().filter(|bundled| {
            let program = Rc::new(Program::parse(bundled.text));
            StageModel::preview(program).is_some_and(|model| !model.cells.is_empty())
        });
        assert!(previews.count() > 30);
    }
}

//! The registers of Src2 of each EU, and the lines to the rows of A.

use super::model::{MatrixModel, Progress, rows_text};
use super::plan::{PanelPlan, Plan};
use crate::features::stage::svg::{
    Edge, EdgeState, Face, Point, Rect, Route, Text, Tone, fit, px, text_width,
};
use lanewise_core::isa::visa::matrix::layout::{Index, MatrixRole};
use yew::prelude::*;

/// Room for the name of a register.
const NAME: f64 = 24.0;

/// How far the rows of a register have come.
fn progress(model: &MatrixModel, rows: &[u8]) -> Progress {
    let Some(at) = model.at else {
        return Progress::Waiting;
    };
    match rows {
        rows if rows.contains(&at.row) => Progress::Current,
        [.., last] if *last < at.row => Progress::Done,
        _ => Progress::Waiting,
    }
}

/// The part of a register's bar that a row of A takes.
pub(super) fn segment(model: &MatrixModel, bar: Rect, eu: u8, row: u8) -> Option<Rect> {
    let at = model.location(MatrixRole::A, eu, Index { row, column: 0 })?;
    let bits = f64::from(model.layout.register_bytes()) * 8.0;
    let unit = (bar.width - NAME) / bits;
    let width = f64::from(model.layout.row_bytes()) * 8.0 * unit;
    let x = bar.x + NAME + f64::from(at.first_bit) * unit;
    Some(Rect::new(x, bar.y, width, bar.height))
}

/// The bars of an EU, each a register: the rows in it as they lie.
pub(super) fn panel(model: &MatrixModel, plan: &PanelPlan) -> Html {
    let eu = plan.eu;
    let bars = plan.bars.iter().enumerate().map(|(n, bar)| {
        let [register, ..] = n.to_le_bytes();
        let middle = bar.y + bar.height / 2.0;
        let size = bar.height.clamp(8.0, 11.0);
        if n >= plan.read {
            let text = format!("R{n} is not read");
            let room = bar.width - 8.0;
            let whole = 0.99 * size * room / text_width(&text, size, Face::Sans);
            let size = size.min(whole).max(8.0);
            let text = fit(&text, room, size, Face::Sans);
            return html! {
                <g key={n} class="segment" data-unused="" role="img" aria-label={format!("EU{eu}.R{n} of Src2 is not read")}>
                    <rect x={px(bar.x + 0.5)} y={px(bar.y + 0.5)} width={px(bar.width - 1.0)} height={px(bar.height - 1.0)} rx="3" />
                    <Text {text} x={bar.x + bar.width / 2.0} y={middle} {size} face={Face::Sans} anchor="middle" class="dim" />
                </g>
            };
        }
        let rows = model.rows_in(eu, register);
        let current = progress(model, &rows) == Progress::Current;
        let pressed = model.register() == Some((eu, register));
        let dimmed = !pressed && (model.look.register.is_some() || chosen_elsewhere(model, &rows));
        let is_here = |row: u8| current && model.at.is_some_and(|at| at.row == row);
        let segments = rows.iter().filter_map(|row| {
            let rect = segment(model, *bar, eu, *row)?;
            Some(html! {
                <g
                    key={*row}
                    class="segment"
                    data-tone={Tone::Eu(eu).name()}
                    data-segment={format!("{eu} {row}")}
                    data-lit={is_here(*row).then_some("")}
                >
                    <rect x={px(rect.x + 0.5)} y={px(rect.y + 0.5)} width={px(rect.width - 1.0)} height={px(rect.height - 1.0)} rx="2" />
                </g>
            })
        });
        let words = rows.iter().filter_map(|row| {
            let rect = segment(model, *bar, eu, *row)?;
            let text = match rect.width > 46.0 {
                true => format!("row {row}"),
                false => row.to_string(),
            };
            Some(html! {
                <g key={*row} class="segment" data-lit={is_here(*row).then_some("")}>
                    <Text {text} x={rect.x + rect.width / 2.0} y={middle} size={size.min(10.0)} anchor="middle" />
                </g>
            })
        });
        let (segments, words): (Html, Html) = (segments.collect(), words.collect());
        let about = format!("EU{eu}.R{register} of Src2: {} of A", rows_text(&rows));
        let tone = || Tone::Eu(eu).name();
        // The words lie beside the button: its name says all of them, in
        // another order.
        html! {
            <g key={n}>
                <g
                    class="bar"
                    role="button"
                    tabindex="0"
                    aria-label={about}
                    aria-pressed={if pressed { "true" } else { "false" }}
                    aria-current={current.then_some("step")}
                    data-bar={format!("{eu} {register}")}
                    data-tone={tone()}
                    data-state={current.then_some("current")}
                    data-dimmed={dimmed.then_some("")}
                >
                    <rect class="frame" x={px(bar.x)} y={px(bar.y)} width={px(bar.width)} height={px(bar.height)} rx="3" />
                    { segments }
                </g>
                <g class="bar" aria-hidden="true" data-tone={tone()} data-dimmed={dimmed.then_some("")}>
                    <Text text={format!("R{register}")} x={bar.x + 4.0} y={middle} {size} class="strong toned" />
                    { words }
                </g>
            </g>
        }
    });
    let bars: Html = bars.collect();
    html! { <g class="src2-registers">{ bars }</g> }
}

/// Whether an element of D is chosen that these rows do not go into.
fn chosen_elsewhere(model: &MatrixModel, rows: &[u8]) -> bool {
    model
        .look
        .element
        .is_some_and(|element| !rows.contains(&element.row))
}

/// The lines from the registers to the rows of A that they supply.
pub(super) fn edges(model: &MatrixModel, plan: &Plan) -> Html {
    let Some(a) = plan.grid(MatrixRole::A, 0) else {
        return Html::default();
    };
    let bounds = a.bounds();
    let lines = plan.panels.iter().flat_map(|panel| {
        panel.bars.iter().enumerate().take(panel.read).filter_map(|(n, bar)| {
            let [register, ..] = n.to_le_bytes();
            let rows = model.rows_in(panel.eu, register);
            let (first, last) = (rows.first()?, rows.last()?);
            let top = a.rect(usize::from(*first), 0);
            let bottom = a.rect(usize::from(*last), 0);
            let y = (top.y + bottom.bottom()) / 2.0;
            let (from, to) = match panel.eu {
                0 => (bar.right_middle(), Point::new(a.label_x - 3.0, y)),
                _ => (bar.left_middle(), Point::new(bounds.right() + 3.0, y)),
            };
            let state = match progress(model, &rows) {
                Progress::Waiting => EdgeState::Waiting,
                Progress::Current => EdgeState::Current,
                Progress::Done => EdgeState::Done,
            };
            let lit = model.register() == Some((panel.eu, register));
            Some(html! {
                <Edge key={format!("{} {n}", panel.eu)} route={Route::Curve { from, to }} {state} {lit} tone={Tone::Eu(panel.eu)} />
            })
        })
    });
    let lines: Html = lines.collect();
    html! { <g class="supply-edges">{ lines }</g> }
}

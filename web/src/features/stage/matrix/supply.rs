//! Registers of Src2 of each EU, and their connections to the rows of A.

use super::item::MatrixItem;
use super::model::{MatrixModel, Progress, rows_text};
use super::plan::{PanelPlan, Plan};
use crate::features::stage::svg::{
    Edge, EdgeState, Face, Point, Rect, Route, Text, Tone, fit, px, text_width,
};
use lanewise_core::isa::visa::matrix::layout::{MatrixRole, RegisterBits};
use yew::prelude::*;

/// Width of a register name.
const NAME: f64 = 31.0;

/// Part of a register's bar occupied by some of its bits.
pub(super) fn place_of_bits(model: &MatrixModel, bar: Rect, bits: RegisterBits) -> Rect {
    let all = f64::from(model.layout.register_bytes()) * 8.0;
    let unit = (bar.width - NAME) / all;
    let x = bar.x + NAME + f64::from(bits.first_bit) * unit;
    Rect::new(x, bar.y, f64::from(bits.count) * unit, bar.height)
}

/// Bars of an EU, one per register, with rows at their actual positions.
pub(super) fn panel(model: &MatrixModel, plan: &PanelPlan) -> Html {
    let eu = plan.eu;
    let bars = plan.bars.iter().enumerate().take(plan.read).map(|(n, bar)| {
        let [register, ..] = n.to_le_bytes();
        let middle = bar.y + bar.height / 2.0;
        let size = bar.height.clamp(8.0, 11.0);
        let rows = model.rows_in(eu, register);
        let current = model.register_progress(eu, register) == Progress::Current;
        let pressed = model.register() == Some((eu, register));
        let dimmed = !pressed && (model.look.register.is_some() || chosen_elsewhere(model, &rows));
        let parts: Vec<(u8, RegisterBits)> = rows
            .iter()
            .flat_map(|row| model.row_parts(eu, *row).into_iter().map(|part| (*row, part)))
            .filter(|(_, part)| (part.eu, part.register) == (eu, register))
            .collect();
        let segments = parts.iter().map(|(row, part)| {
            let rect = place_of_bits(model, *bar, *part);
            html! {
                <g
                    key={*row}
                    class="segment"
                    data-tone={Tone::Eu(eu).name()}
                    data-item={MatrixItem::Segment { eu, register, row: *row }.to_string()}
                    data-lit={model.reads_now(*part).then_some("")}
                >
                    <rect x={px(rect.x + 0.5)} y={px(rect.y + 0.5)} width={px((rect.width - 1.0).max(0.5))} height={px(rect.height - 1.0)} rx="2" />
                </g>
            }
        });
        let words = parts.iter().map(|(row, part)| {
            let rect = place_of_bits(model, *bar, *part);
            let text = match rect.width {
                width if width > 46.0 => format!("row {row}"),
                width if width > 7.0 => row.to_string(),
                // A few bytes: the other register names the row.
                _ => String::new(),
            };
            html! {
                <g key={*row} class="segment" data-lit={model.reads_now(*part).then_some("")}>
                    <Text {text} x={rect.x + rect.width / 2.0} y={middle} size={size.min(10.0)} anchor="middle" />
                </g>
            }
        });
        let (segments, words): (Html, Html) = (segments.collect(), words.collect());
        let register_name = model.register_name(MatrixRole::A, register);
        let about = format!("EU{eu}.{register_name} of Src2: {} of A", rows_text(&rows));
        let tone = || Tone::Eu(eu).name();
        // The visible text is a sibling of the button, whose accessible name
        // contains the same words in another order.
        html! {
            <g key={n}>
                <g
                    class="src2-register"
                    role="button"
                    tabindex="0"
                    aria-label={about}
                    aria-pressed={if pressed { "true" } else { "false" }}
                    aria-current={current.then_some("step")}
                    data-item={MatrixItem::Register { eu, register }.to_string()}
                    data-tone={tone()}
                    data-state={current.then_some("current")}
                    data-dimmed={dimmed.then_some("")}
                >
                    <rect class="frame" x={px(bar.x)} y={px(bar.y)} width={px(bar.width)} height={px(bar.height)} rx="3" />
                    { segments }
                </g>
                <g class="src2-register" aria-hidden="true" data-tone={tone()} data-dimmed={dimmed.then_some("")}>
                    <Text text={register_name} x={bar.x + 4.0} y={middle} {size} class="strong toned" />
                    { words }
                </g>
            </g>
        }
    });
    let bars: Html = bars.collect();
    html! { <g class="src2-registers">{ bars }{ not_read(model, plan) }</g> }
}

/// Registers that only a DPAS would read, as one box.
fn not_read(model: &MatrixModel, plan: &PanelPlan) -> Html {
    let ([first, ..], Some(last)) = (&plan.bars[plan.read..], plan.bars.last()) else {
        return Html::default();
    };
    let name = |n: usize| {
        let number = u8::try_from(n).expect("Src2 has at most sixteen registers");
        model.register_name(MatrixRole::A, number)
    };
    let (from, to) = (plan.read, plan.bars.len() - 1);
    let (names, verb) = if from == to {
        (name(from), "is")
    } else {
        (format!("{}–{}", name(from), name(to)), "are")
    };
    let about = format!("EU{}.{names} of Src2 {verb} not read", plan.eu);
    let rect = Rect {
        height: last.bottom() - first.y,
        ..*first
    };
    let size = 10.0_f64.min(first.height.max(8.0));
    let whole = format!("{names} not read");
    let room = rect.width - 8.0;
    let lines = match rect.height >= 2.0 * size + 4.0 {
        _ if text_width(&whole, size, Face::Sans) <= room => vec![whole],
        true => vec![names, String::from("not read")],
        false => vec![String::from("not read")],
    };
    let pitch = size + 2.0;
    let top = rect.y + rect.height / 2.0 - (lines.len() - 1) as f64 * pitch / 2.0;
    let lines = lines.into_iter().enumerate().map(|(n, text)| {
        let y = top + n as f64 * pitch;
        let text = fit(&text, room, size, Face::Sans);
        html! { <Text key={n} {text} x={rect.x + rect.width / 2.0} {y} {size} face={Face::Sans} anchor="middle" class="dim" /> }
    });
    let lines: Html = lines.collect();
    html! {
        <g class="segment" data-unused="" role="img" aria-label={about.clone()}>
            <rect x={px(rect.x + 0.5)} y={px(rect.y + 0.5)} width={px(rect.width - 1.0)} height={px(rect.height - 1.0)} rx="3">
                <title>{ about }</title>
            </rect>
            { lines }
        </g>
    }
}

/// Whether the selected element of D does not depend on these rows.
fn chosen_elsewhere(model: &MatrixModel, rows: &[u8]) -> bool {
    model
        .look
        .element
        .is_some_and(|element| !rows.contains(&element.row))
}

/// Connections from registers to the rows of A that they supply.
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
            let state = match model.register_progress(panel.eu, register) {
                Progress::Waiting => EdgeState::Waiting,
                Progress::Current => EdgeState::Current,
                Progress::Done => EdgeState::Done,
            };
            let highlighted = model.register() == Some((panel.eu, register));
            Some(html! {
                <Edge key={format!("{} {n}", panel.eu)} route={Route { from, to }} {state} {highlighted} tone={Tone::Eu(panel.eu)} />
            })
        })
    });
    let lines: Html = lines.collect();
    html! { <g class="supply-edges">{ lines }</g> }
}

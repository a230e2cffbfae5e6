//! Registers of Src2 beside the rows of A that they hold.

use super::MatrixAction;
use super::marks::Pointed;
use lanewise_answer::matrix::{MatrixModel, rows_text};
use lanewise_core::isa::visa::matrix::layout::{MatrixRole, RegisterBits};
use std::ops::Range;
use yew::prelude::*;

/// Lines above the rows of A: their heading and the numbers of the stages.
const LINES_ABOVE: u8 = 2;

/// CSS position beside rows of A. Each row of A has two grid rows, because a
/// register of an unaligned Src2 can begin or end inside a row.
fn beside(rows: Range<u8>, begins_inside: bool, ends_inside: bool) -> String {
    let start = LINES_ABOVE + 2 * rows.start + 1 + u8::from(begins_inside);
    let end = LINES_ABOVE + 2 * rows.end + 1 - u8::from(ends_inside);
    format!("grid-row:{start}/{end}")
}

/// Registers of Src2 of an EU, one button each, at the rows that they hold, and
/// those that only a DPAS would read.
pub(super) fn registers(
    model: &MatrixModel,
    eu: u8,
    pointed: Option<Pointed>,
    on_action: &Callback<MatrixAction>,
) -> Html {
    let read = model.layout.registers(MatrixRole::A, eu);
    let registers =
        (0..read).map(|register| self::register(model, (eu, register), pointed, on_action));
    html! { <>{ for registers }{ not_read(model, eu, read) }</> }
}

fn register(
    model: &MatrixModel,
    place: (u8, u8),
    pointed: Option<Pointed>,
    on_action: &Callback<MatrixAction>,
) -> Html {
    let (eu, register) = place;
    let layout = model.layout;
    let rows = layout.rows_in(eu, register);
    let is_here = |part: &RegisterBits| (part.eu, part.register) == place;
    let part_of = |row: u8| Some((row, layout.row_parts(eu, row).find(is_here)?));
    let parts: Vec<(u8, RegisterBits)> = rows.clone().filter_map(part_of).collect();
    let current = parts.iter().any(|(_, part)| model.reads_now(*part));
    let pressed = model.register() == Some(place);
    let element = model.matrix_view.element;
    let elsewhere = element.is_some_and(|element| !rows.contains(&element.index.row));
    let dimmed = !pressed && (model.matrix_view.register.is_some() || elsewhere);
    let all = f64::from(layout.register_bytes()) * 8.0;
    let at = |part: &RegisterBits| {
        let [left, width] = [part.first_bit, part.count].map(|bits| f64::from(bits) / all * 100.0);
        format!("left:{left}%;width:{width}%")
    };
    let segments = parts.iter().map(|(row, part)| {
        html! {
            <span
                key={*row}
                class="segment"
                data-segment={format!("{eu} {register} {row}")}
                data-current={model.reads_now(*part).then_some("")}
                data-row={row.to_string()}
                ~style={at(part)}
            />
        }
    });
    let probed = pointed.filter(|p| p.role == MatrixRole::A && (model.shared() || p.eu == eu));
    let probed = probed.map_or_else(Vec::new, |p| model.element_parts(eu, p.index));
    let probes = probed.iter().filter(|part| is_here(part)).map(|part| {
        html! { <span key="probe" class="segment-probe" data-probe="itself" ~style={at(part)} /> }
    });
    let is_shared = |row: u8| layout.row_parts(eu, row).count() > 1;
    let (first, last) = (parts.first(), parts.last());
    let begins_inside = first.is_some_and(|(row, part)| part.first_bit == 0 && is_shared(*row));
    let ends_inside = last.is_some_and(|(row, part)| part.first_bit > 0 && is_shared(*row));
    let style = beside(rows.clone(), begins_inside, ends_inside);
    let name = model.register_name(MatrixRole::A, register);
    let action = MatrixAction::Register((!pressed).then(|| model.register_number(place)));
    html! {
        <button
            key={register}
            type="button"
            class="src2-register"
            aria-label={format!("EU{eu}.{name} of Src2: {} of A", rows_text(rows))}
            aria-pressed={if pressed { "true" } else { "false" }}
            aria-current={current.then_some("step")}
            data-eu={eu.to_string()}
            data-dimmed={dimmed.then_some("")}
            onclick={on_action.reform(move |_: MouseEvent| action)}
            ~style={style}
        >
            <b><span class="register-eu">{ format!("EU{eu}.") }</span>{ name }</b>
            <span class="segments">{ for segments }{ for probes }</span>
        </button>
    }
}

/// Registers that only a DPAS would read, beside the rows that the other EU
/// supplies.
fn not_read(model: &MatrixModel, eu: u8, read: u8) -> Html {
    let all = model.layout.unshared().registers(MatrixRole::A, eu);
    if read >= all {
        return Html::default();
    }
    let name = |register| model.register_name(MatrixRole::A, register);
    let (names, verb) = match all - read {
        1 => (name(read), "is"),
        _ => (format!("{}–{}", name(read), name(all - 1)), "are"),
    };
    let is_others = |row: &u8| model.layout.row_parts(0, *row).all(|part| part.eu != eu);
    let mut others = (0..model.layout.rc()).filter(is_others);
    let Some(first) = others.next() else {
        return Html::default();
    };
    let last = others.next_back().unwrap_or(first);
    html! {
        <p
            class="src2-unread"
            title={format!("EU{eu}.{names} of Src2 {verb} not read")}
            ~style={beside(first..last + 1, false, false)}
        >
            { names }{ " not read" }
        </p>
    }
}

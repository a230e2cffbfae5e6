use super::{cell, select, warp};
use crate::state::cells::{Notation, cut};
use crate::state::registers::{AddressRow, Eu, FlagRow, GrfRow, Segment};
use crate::state::{Action, RegisterFormat, State};
use lanewise_core::isa::Family;
use yew::prelude::*;

/// The register files, masks and predicates of every EU that runs, or of the
/// warp.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> Html {
    let format = state.register_format();
    let names: Vec<AttrValue> = RegisterFormat::ALL
        .iter()
        .map(|f| f.name().into())
        .collect();
    let chosen = RegisterFormat::ALL.iter().position(|f| *f == format);
    let pick = act.reform(|index| {
        let format = RegisterFormat::ALL.get(index).copied();
        Action::RegisterFormat(format.unwrap_or(RegisterFormat::Declared))
    });
    html! {
        <>
            <div class="panel-tools">{ select::draw("Format", &names, chosen, pick) }</div>
            {
                match state.family() {
                    Family::Sass => warp::draw(&state.warp()),
                    Family::Visa => html! {
                        <div class="scroller eus" role="group" aria-label="Register files" tabindex="0">
                            { for state.registers().iter().map(file) }
                        </div>
                    },
                }
            }
        </>
    }
}

fn file(eu: &Eu) -> Html {
    html! {
        <div class="eu" role="group" aria-label={eu.name}>
            <h3>{ eu.name }</h3>
            <dl class="flags">
                { for eu.flags.iter().map(flag) }
                { for eu.addresses.iter().map(pointers) }
            </dl>
            <div class="grfs">
                { for eu.grfs.iter().map(|row| html! {
                    <Register key={row.grf.number} row={row.clone()} />
                }) }
            </div>
        </div>
    }
}

/// The bits of a mask, lane 0 to the right as in a number.
fn flag(row: &FlagRow) -> Html {
    let bits = (0..row.width).rev().fold(String::new(), |mut bits, bit| {
        bits.push(if row.bits >> bit & 1 == 1 { '1' } else { '0' });
        if bit > 0 && bit % 4 == 0 {
            bits.push(' ');
        }
        bits
    });
    html! {
        <div class="flag">
            <dt>{ AttrValue::from(row.name.clone()) }</dt>
            <dd>{ bits }<span class="muted">{ format!("{:#x}", row.bits) }</span></dd>
        </div>
    }
}

/// Where an address variable points.
fn pointers(row: &AddressRow) -> Html {
    html! {
        <div class="flag">
            <dt>{ AttrValue::from(row.name.clone()) }</dt>
            <dd>{ row.pointers.join(", ") }</dd>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct RegisterProps {
    row: GrfRow,
}

#[component]
fn Register(props: &RegisterProps) -> Html {
    let row = &props.row;
    html! {
        <div class="grf">
            <span class="grf-name">{ "r" }{ row.grf.number }</span>
            <div class="segments">
                { for row.grf.segments.iter().map(|segment| part(segment, row)) }
            </div>
        </div>
    }
}

fn part(segment: &Segment, row: &GrfRow) -> Html {
    let (ty, hex) = row.format.elements(segment.ty);
    let notation = Notation { ty, hex };
    let address = row.grf.address + segment.start as u64;
    let bytes = row.bytes.get(segment.start..segment.start + segment.bytes);
    let cells = cut(bytes.unwrap_or(&[]), address, notation, &row.changes);
    let first = segment.offset as usize / usize::from(ty.bytes());
    // Rows of 4, 8 or 16 elements where there is room.
    let most = match ty.bytes() {
        1 => 16,
        2 | 4 => 8,
        _ => 4,
    };
    let style = format!("--width: {}ch; --most: {most}", notation.width());
    let aliases = match segment.aliases.as_slice() {
        [] => None,
        names => Some(format!("also {}", names.join(", "))),
    };
    html! {
        <div class="segment">
            <span class="segment-name" title={aliases}>
                <span class="variable">{ &*segment.name }</span>
                <span class="muted">
                    { " " }{ segment.ty.name() }
                    if segment.offset > 0 {
                        { format!(" +{}", segment.offset) }
                    }
                </span>
            </span>
            <span class="cells" {style}>
                { for (first..).zip(&cells).map(|(index, cell)| cell::draw(cell, ty, Some(index))) }
            </span>
        </div>
    }
}

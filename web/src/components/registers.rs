use super::cell;
use super::select::Select;
use crate::state::cells::{Notation, cut};
use crate::state::registers::{AddressRow, Eu, FlagRow, GrfRow, Segment};
use crate::state::{Action, RegisterFormat};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) eus: Vec<Eu>,
    pub(crate) format: RegisterFormat,
    pub(crate) act: Callback<Action>,
}

/// The register files, masks and predicates of every EU that runs.
#[component]
pub(crate) fn Registers(props: &Props) -> Html {
    let names: Vec<AttrValue> = RegisterFormat::ALL
        .iter()
        .map(|f| f.name().into())
        .collect();
    let chosen = RegisterFormat::ALL.iter().position(|f| *f == props.format);
    let pick = props.act.reform(|index| {
        let format = RegisterFormat::ALL.get(index).copied();
        Action::RegisterFormat(format.unwrap_or(RegisterFormat::Declared))
    });
    html! {
        <>
            <div class="panel-tools">
                <Select label="Format" options={names} chosen={chosen.unwrap_or(0)} onpick={pick} />
            </div>
            <div class="scroller eus" role="group" aria-label="Register files" tabindex="0">
                { for props.eus.iter().map(file) }
            </div>
        </>
    }
}

fn file(eu: &Eu) -> Html {
    html! {
        <div class="eu" role="group" aria-label={eu.name}>
            <h3>{ eu.name }</h3>
            <dl class="flags">
                { for eu.flags.iter().map(|flag| html! { <Flag flag={flag.clone()} /> }) }
                { for eu.addresses.iter().map(|row| html! { <Pointer row={row.clone()} /> }) }
            </dl>
            <div class="grfs">
                { for eu.grfs.iter().map(|row| html! {
                    <Register key={row.grf.number} row={row.clone()} />
                }) }
            </div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct FlagProps {
    flag: FlagRow,
}

/// The bits of a mask, lane 0 to the right as in a number.
#[component]
fn Flag(props: &FlagProps) -> Html {
    let flag = &props.flag;
    let bits = (0..flag.width).rev().map(|bit| {
        let set = flag.bits >> bit & 1 == 1;
        let gap = bit % 4 == 3 && bit + 1 != flag.width;
        html! {
            <span class={classes!("bit", set.then_some("set"), gap.then_some("gap"))}>
                { if set { "1" } else { "0" } }
            </span>
        }
    });
    html! {
        <div class="flag">
            <dt>{ AttrValue::from(flag.name.clone()) }</dt>
            <dd>
                <span class="bits">{ for bits }</span>
                <span class="muted mono">{ format!("{:#x}", flag.bits) }</span>
            </dd>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct PointerProps {
    row: AddressRow,
}

#[component]
fn Pointer(props: &PointerProps) -> Html {
    html! {
        <div class="flag">
            <dt>{ AttrValue::from(props.row.name.clone()) }</dt>
            <dd class="mono">{ props.row.pointers.join(", ") }</dd>
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
            <span class="cells" style={format!("--width: {}ch", notation.width())}>
                { for cells.iter().map(|cell| cell::draw(cell, ty)) }
            </span>
        </div>
    }
}

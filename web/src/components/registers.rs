use super::{cell, select, warp};
use crate::dom::{El, Part, el, list, part};
use crate::state::cells::{Notation, cut};
use crate::state::registers::{AddressRow, Eu, FlagRow, GrfRow, Segment};
use crate::state::{Action, RegisterFormat, State};
use lanewise_core::isa::Family;
use yew::prelude::*;

/// The register files, masks and predicates of every EU that runs, or of the
/// warp.
pub(crate) fn draw(state: &State, act: &Callback<Action>) -> Html {
    let format = state.register_format();
    let names = RegisterFormat::ALL.map(|format| match (format, state.family()) {
        // Registers of a warp are declared nowhere.
        (RegisterFormat::Declared, Family::Sass) => AttrValue::Static("bits"),
        _ => AttrValue::Static(format.name()),
    });
    let chosen = RegisterFormat::ALL.iter().position(|f| *f == format);
    let pick = act.reform(|index| {
        let format = RegisterFormat::ALL.get(index).copied();
        Action::RegisterFormat(format.unwrap_or(RegisterFormat::Declared))
    });
    let tools =
        el!("div", "class" = "panel-tools").put(select::draw("Format", &names, chosen, pick));
    let files = match state.family() {
        Family::Sass => warp::draw(&state.warp()),
        Family::Visa => el!(
            "div",
            "class" = "scroller eus",
            "role" = "group",
            "aria-label" = "Register files",
            "tabindex" = "0"
        )
        .each(state.registers().iter().map(file)),
    };
    list(vec![tools.html(), files.html()])
}

fn file(eu: &Eu) -> El {
    let flags = el!("dl", "class" = "flags")
        .each(eu.flags.iter().map(flag))
        .each(eu.addresses.iter().map(pointers));
    let rows = eu
        .grfs
        .iter()
        .map(|row| part(Register { row: row.clone() }, Some(row.grf.number.into())));
    el!(
        "div",
        "class" = "eu",
        "role" = "group",
        "aria-label" = eu.name
    )
    .put(el!("h3").put(eu.name))
    .put(flags)
    .put(el!("div", "class" = "grfs").each(rows))
}

/// The bits of a mask, lane 0 to the right as in a number.
fn flag(row: &FlagRow) -> El {
    let bits = (0..row.width).rev().fold(String::new(), |mut bits, bit| {
        bits.push(if row.bits >> bit & 1 == 1 { '1' } else { '0' });
        if bit > 0 && bit % 4 == 0 {
            bits.push(' ');
        }
        bits
    });
    let hex = el!("span", "class" = "muted").put(format!("{:#x}", row.bits));
    el!("div", "class" = "flag")
        .put(el!("dt").put(AttrValue::from(row.name.clone())))
        .put(el!("dd").put(bits).put(hex))
}

/// Where an address variable points.
fn pointers(row: &AddressRow) -> El {
    el!("div", "class" = "flag")
        .put(el!("dt").put(AttrValue::from(row.name.clone())))
        .put(el!("dd").put(row.pointers.join(", ")))
}

#[derive(PartialEq)]
struct Register {
    row: GrfRow,
}

impl Part for Register {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let row = &self.row;
        let segments = row.grf.segments.iter().map(|one| segment(one, row));
        el!("div", "class" = "grf")
            .put(el!("span", "class" = "grf-name").put(format!("r{}", row.grf.number)))
            .put(el!("div", "class" = "segments").each(segments))
            .html()
    }
}

fn segment(segment: &Segment, row: &GrfRow) -> El {
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
    let mut about = format!(" {}", segment.ty.name());
    if segment.offset > 0 {
        about += &format!(" +{}", segment.offset);
    }
    let name = el!("span", "class" = "segment-name", "title" = aliases)
        .put(el!("span", "class" = "variable").put(String::from(segment.name.clone())))
        .put(el!("span", "class" = "muted").put(about));
    let cells = (first..)
        .zip(&cells)
        .map(|(index, cell)| cell::draw(cell, ty, Some(index)));
    el!("div", "class" = "segment")
        .put(name)
        .put(el!("span", "class" = "cells", "style" = style).each(cells))
}

//! Bytes set by `.init` lines, and targets of new lines.

use crate::diagnostic::{to_u32, to_usize};
use crate::isa::sass::warp::{LANES, register_address, register_at};
use crate::isa::visa::declarations::{Declarations, address_element};
use crate::machine::{SpaceId, flag_address};
use crate::number::ElementType;
use crate::program::init::{self, Init};
use crate::program::place::{ElementRange, InitTarget};
use crate::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, Program};
use crate::text::{Cursor, lex};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The elements set by a line, on the first of its EUs.
fn elements(program: &Program, init: &Init) -> ElementRange {
    let eu = init.eu.map_or(0, |(eu, _)| eu);
    let elements = init.place.elements(&program.symbols, eu, init.ty);
    elements.expect("a valid line sets a declared variable")
}

/// Number of elements set by a line.
pub(super) fn count(program: &Program, init: &Init) -> u64 {
    let range = elements(program, init);
    match (range.elements, init.values.len()) {
        (Some(count), _) => count,
        (None, Some(length)) => u64::from(to_u32(length)),
        (None, None) => {
            let memory = program.start.space(range.space);
            memory.mapped_from(range.address, 1) / u64::from(init.ty.bytes())
        }
    }
}

/// Address of an element of a line.
pub(super) fn address_of(program: &Program, init: &Init, element: u64) -> u64 {
    let range = elements(program, init);
    range.address.wrapping_add(element * range.stride)
}

/// The element of a line at a byte.
pub(super) fn element_at(
    program: &Program,
    init: &Init,
    space: SpaceId,
    address: u64,
) -> Option<u64> {
    let eus = match init.eu {
        Some((eu, _)) => eu..eu + 1,
        None => 0..program.threads,
    };
    let mut eus = eus;
    let here = match init.place {
        InitTarget::General(_) | InitTarget::Lanes(_) => {
            eus.any(|eu| SpaceId::registers(eu) == space)
        }
        InitTarget::Flags(_) | InitTarget::Address(_) => eus.any(|eu| SpaceId::flags(eu) == space),
        InitTarget::Memory(own, _) => own == space,
    };
    if !here {
        return None;
    }
    if let InitTarget::Lanes(register) = init.place {
        let (lane, found) = register_at(address);
        let wide = init.ty.bytes() == 8;
        let own = found == u64::from(register) || wide && found == u64::from(register) + 1;
        return own.then_some(lane);
    }
    let offset = address.checked_sub(address_of(program, init, 0))?;
    let element = offset / u64::from(init.ty.bytes());
    (element < count(program, init)).then_some(element)
}

/// A new line: its target and the elements it sets.
pub(super) struct NewInit {
    /// `EU1.V32`, `slm[0x40] : ud`.
    pub(super) name: String,
    pub(super) space: SpaceId,
    pub(super) ty: ElementType,
    /// Addresses of the elements.
    pub(super) addresses: Vec<u64>,
    /// Notation of the values.
    pub(super) style: ValueNotation,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueNotation {
    Values,
    /// A single mask.
    Mask,
    /// `&V32 + 4`.
    Pointers,
}

/// The target of a new line for bytes that no line sets yet.
pub(super) fn target(
    program: &Program,
    space: SpaceId,
    address: u64,
    bytes: u64,
    ty: ElementType,
) -> Option<NewInit> {
    let symbols = &program.symbols;
    let eu = (0..2).find(|eu| [SpaceId::registers(*eu), SpaceId::flags(*eu)].contains(&space));
    let whose = match eu {
        Some(eu) if program.threads == 2 => format!("EU{eu}."),
        _ => String::new(),
    };
    let files = eu.map(SpaceId::registers) == Some(space);
    if files && let Some((_, register)) = symbols.lane_register_at(address) {
        let register = u8::try_from(register).ok()?;
        let pair = bytes == 8;
        let of = |lane| register_address(lane, register);
        return Some(NewInit {
            name: match pair {
                true => format!("R{register}:R{}", u16::from(register) + 1),
                false => format!("R{register}"),
            },
            space,
            ty: if pair {
                ElementType::Uq
            } else {
                ElementType::Ud
            },
            addresses: (0..LANES).map(of).collect(),
            style: ValueNotation::Values,
        });
    }
    if files {
        let at = u32::try_from(address).ok()?;
        let mut found = symbols.visa.at_register_byte(at);
        let (_, variable) = found.find(|(_, v)| v.alias.is_none())?;
        let width = u64::from(variable.ty.bytes());
        let start = u64::from(variable.offset);
        return Some(NewInit {
            name: format!("{whose}{}", variable.name),
            space,
            ty: variable.ty,
            addresses: (0..u64::from(variable.elements))
                .map(|i| start + i * width)
                .collect(),
            style: ValueNotation::Values,
        });
    }
    if eu.is_some() {
        return flags(program, &whose, space, address);
    }
    let name = match space {
        SpaceId::SLM | SpaceId::VIRTUAL => symbols.memory_name(space)?,
        other => {
            let mut surfaces = symbols.visa.surfaces();
            let found = surfaces.find(|(index, _)| SpaceId::surface(*index) == other);
            &*found?.1.name
        }
    };
    let whole = bytes == u64::from(ty.bytes());
    let ty = match bytes {
        _ if whole => ty,
        8 => ElementType::Uq,
        4 => ElementType::Ud,
        2 => ElementType::Uw,
        _ => ElementType::Ub,
    };
    let width = u64::from(ty.bytes());
    Some(NewInit {
        name: format!("{name}[{address:#x}] : {}", ty.name()),
        space,
        ty,
        addresses: (0..bytes / width).map(|i| address + i * width).collect(),
        style: ValueNotation::Values,
    })
}

/// The target for predicates, the execution mask and address variables.
fn flags(program: &Program, whose: &str, space: SpaceId, address: u64) -> Option<NewInit> {
    let symbols = &program.symbols;
    let of_address = address.checked_sub(ADDRESS_VARIABLES);
    let id =
        u16::try_from(of_address.map_or(address / 4, |at| at / ADDRESS_VARIABLE_BYTES)).ok()?;
    let (name, addresses, style) = match of_address {
        Some(_) => {
            let variable = symbols.visa.address_variable(id)?;
            let start = address_element(id, 0);
            let addresses = (0..u64::from(variable.elements)).map(|i| start + 4 * i);
            (
                String::from(&*variable.name),
                addresses.collect(),
                ValueNotation::Pointers,
            )
        }
        None => {
            let name = match id {
                // The participating lanes of a warp are set by `.lanes`.
                0 if symbols.target.facts().has_declarations => String::from("em"),
                _ => symbols.predicate_name(id)?,
            };
            (name, alloc::vec![flag_address(id)], ValueNotation::Mask)
        }
    };
    Some(NewInit {
        name: format!("{whose}{name}"),
        space,
        ty: ElementType::Ud,
        addresses,
        style,
    })
}

/// Parses a register address such as `&V33 + 32`.
#[must_use]
pub fn parse_pointer_text(symbols: &Declarations, text: &str) -> Option<u32> {
    let mut lexemes = Vec::new();
    lex(text, &mut lexemes);
    let mut cursor = Cursor::new(text, &lexemes, to_u32(text.len()));
    let pointer = init::parse_pointer(&mut cursor, symbols)?;
    let whole = cursor.at_end() && to_usize(cursor.before()) <= text.len();
    u32::try_from(pointer).ok().filter(|_| whole)
}

//! Places of a machine named as `.init` names them, and snapshots.

use lanewise_core::isa::Family;
use lanewise_core::isa::sass::register::Register;
use lanewise_core::isa::sass::warp::register_address;
use lanewise_core::isa::visa::declarations::Symbol;
use lanewise_core::isa::visa::surface::Surface;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::{ElementType, parse_integer};
use lanewise_core::scenario::Program;

/// The elements from a place on: `slm[0] : ud`, `T6[4] : uw`,
/// `svm[0x100] : uq`, `EU0.V34`, `V34`, `EU1.P1`, `em`; of a warp
/// `global[0] : ud` and `R4`, a value for every lane.
///
/// # Errors
/// When the place does not exist.
pub fn load(
    program: &Program,
    machine: &Machine,
    place: &str,
    count: usize,
) -> Result<(Vec<u64>, ElementType), String> {
    let (space, start, ty) = find(program, place).ok_or(format!("no place {place}"))?;
    let step = match Register::named(place) {
        Some(_) => register_address(1, 0),
        None => u64::from(ty.bytes()),
    };
    (0..count as u64)
        .map(|i| {
            let address = start + i * step;
            machine
                .load(space, address, ty.bytes())
                .ok_or(format!("{place} ends after {i} elements"))
        })
        .collect::<Result<Vec<u64>, String>>()
        .map(|values| (values, ty))
}

/// Where a place lies and of what type its elements are.
#[must_use]
pub fn find(program: &Program, place: &str) -> Option<(SpaceId, u64, ElementType)> {
    if let Some((name, rest)) = place.split_once('[') {
        let (address, ty) = rest.split_once(']')?;
        let space = match program.names.visa.symbol(name) {
            Some(Symbol::Surface(index)) => Surface(index).space(),
            _ if name == "slm" => SpaceId::SLM,
            _ if name == "svm" || name == "global" => SpaceId::VIRTUAL,
            _ => return None,
        };
        let ty = ElementType::named(ty.trim().strip_prefix(':')?.trim())?;
        return Some((space, parse_integer(address.trim()).ok()?, ty));
    }
    if let (Some(register), Family::Sass) = (Register::named(place), program.names.target.family())
    {
        let start = register_address(0, register.0);
        return Some((SpaceId::registers(0), start, ElementType::Ud));
    }
    let (eu, name) = match place.split_once('.') {
        Some(("EU0", name)) => (0, name),
        Some(("EU1", name)) => (1, name),
        _ => (0, place),
    };
    match program.names.visa.symbol(name) {
        Some(Symbol::General(id)) => {
            let variable = program.names.visa.general(id)?;
            Some((
                SpaceId::registers(eu),
                u64::from(variable.offset),
                variable.ty,
            ))
        }
        Some(Symbol::Predicate(id)) => {
            Some((SpaceId::flags(eu), u64::from(id) * 4, ElementType::Ud))
        }
        None if name == "em" => Some((SpaceId::flags(eu), 0, ElementType::Ud)),
        _ => None,
    }
}

/// Every mapped byte of a machine.
#[must_use]
pub fn snapshot(machine: &Machine) -> Vec<(u16, u64, Vec<u8>)> {
    (0..300)
        .flat_map(|id| {
            let space = machine.space(SpaceId(id));
            space
                .regions()
                .map(|(start, _)| (id, start, space.region_bytes(start)))
                .collect::<Vec<_>>()
        })
        .collect()
}

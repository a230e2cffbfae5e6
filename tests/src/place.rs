//! Access to named places of a machine, and snapshots.

use lanewise_core::machine::{MAX_THREADS, Machine, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::program::{ElementRange, Program};

/// Loads elements starting at a place named as for [`ElementRange::named`].
///
/// # Errors
/// If the place does not exist.
pub fn load(
    program: &Program,
    machine: &Machine,
    name: &str,
    count: usize,
) -> Result<(Vec<u64>, ElementType), String> {
    let place = ElementRange::named(program, name).ok_or(format!("unknown place {name}"))?;
    let value = |i| {
        let value = place.load(machine, i);
        value.ok_or(format!("{name} ends after {i} elements"))
    };
    (0..count as u64)
        .map(value)
        .collect::<Result<Vec<u64>, String>>()
        .map(|values| (values, place.ty))
}

/// Every mapped byte of a machine, control state left out: what a program
/// computes.
#[must_use]
pub fn snapshot(machine: &Machine) -> Vec<(u16, u64, Vec<u8>)> {
    let mut all = whole_snapshot(machine);
    all.retain(|(id, ..)| !SpaceId(*id).is_control());
    all
}

/// Every mapped byte of a machine.
#[must_use]
pub fn whole_snapshot(machine: &Machine) -> Vec<(u16, u64, Vec<u8>)> {
    let mut all = Vec::new();
    for id in 0..=SpaceId::control(MAX_THREADS - 1).0 {
        let space = machine.space(SpaceId(id));
        for (start, _) in space.regions() {
            all.push((id, start, space.region_bytes(start)));
        }
    }
    all
}

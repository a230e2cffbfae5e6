//! Mapped regions of the memories.

use super::memories::{Memories, MemoryKind};
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;
use lanewise_core::machine::SpaceId;
use lanewise_core::session::Session;

/// Mapped region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub space: SpaceId,
    pub name: Rc<str>,
    pub start: u64,
    pub last: u64,
}

impl Region {
    /// Number of the first row, counted from address 0.
    pub(super) const fn first_row(&self, row_bytes: u64) -> u64 {
        self.start / row_bytes
    }

    pub(super) const fn rows(&self, row_bytes: u64) -> u64 {
        self.last / row_bytes - self.first_row(row_bytes) + 1
    }

    pub const fn holds(&self, address: u64) -> bool {
        self.start <= address && address <= self.last
    }
}

/// Regions of every memory; fixed for a run.
pub(super) fn regions_of(session: &Session) -> Memories<Rc<[Region]>> {
    let machine = session.machine();
    let symbols = &session.program().symbols;
    let of = |space: SpaceId| {
        let name = symbols.memory_name(space);
        let name = name.expect("the space is a memory of the target, or a surface");
        let regions = machine.space(space).regions();
        let alone = regions.len() == 1 && space != SpaceId::VIRTUAL;
        let region = |(start, bytes): (u64, u64)| Region {
            space,
            name: Rc::from(if alone {
                format!("{name}, {bytes} bytes")
            } else {
                format!("{name} {start:#x}, {bytes} bytes")
            }),
            start,
            last: start + (bytes - 1),
        };
        regions.map(region).collect::<Vec<_>>()
    };
    Memories::from_fn(|kind| match kind {
        MemoryKind::Local => of(SpaceId::SLM).into(),
        MemoryKind::Virtual => of(SpaceId::VIRTUAL).into(),
        // Ordered by surface number, then by start address.
        MemoryKind::Surfaces => (0..=u8::MAX)
            .filter(|index| symbols.visa.has_surface(*index))
            .flat_map(|index| of(SpaceId::surface(index)))
            .collect(),
    })
}

/// Index of the region that contains an address. `regions` are sorted by space
/// and start.
pub fn region_at(regions: &[Region], space: SpaceId, address: u64) -> Option<usize> {
    let after = regions.partition_point(|r| (r.space, r.start) <= (space, address));
    let index = after.checked_sub(1)?;
    let region = regions.get(index)?;
    (region.space == space && region.holds(address)).then_some(index)
}

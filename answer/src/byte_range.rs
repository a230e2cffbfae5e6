//! Byte ranges of address spaces.

use lanewise_core::isa::Access;
use lanewise_core::machine::SpaceId;

/// Byte range of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    pub space: SpaceId,
    pub address: u64,
    pub bytes: u64,
}

impl ByteRange {
    pub const fn new(space: SpaceId, address: u64, bytes: u64) -> Self {
        Self {
            space,
            address,
            bytes,
        }
    }

    /// Cell of an access.
    pub fn of(access: &Access) -> Self {
        Self::new(access.space, access.address, access.bytes.into())
    }

    pub const fn overlaps(self, other: Self) -> bool {
        self.space.0 == other.space.0
            && self.address < other.address.saturating_add(other.bytes)
            && other.address < self.address.saturating_add(self.bytes)
    }
}

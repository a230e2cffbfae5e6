//! Location and kind of a cell.

use crate::byte_range::ByteRange;
use crate::notation::Notation;
use core::fmt;
use core::str::FromStr;
use lanewise_core::machine::{Change, MAX_THREADS, Machine, SpaceId, SpaceKind};
use lanewise_core::number::low_mask;

/// Byte of the machine, used to identify the cell that contains it. For a
/// lane's bit of a warp predicate, the upper half of the address holds the
/// lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub space: SpaceId,
    pub address: u64,
}

impl Place {
    pub const fn new(space: SpaceId, address: u64) -> Self {
        Self { space, address }
    }

    /// Whether the place is in a register file.
    pub fn is_register(self) -> bool {
        matches!(self.space.kind(), SpaceKind::Registers(_))
    }

    /// A lane's bit of a mask.
    pub const fn of_bit(space: SpaceId, address: u64, lane: u8) -> Self {
        Self {
            space,
            address: address | (lane as u64) << 32,
        }
    }

    /// Address of the bit's mask, and the bit index.
    pub const fn bit(self) -> (u64, u64) {
        (self.address & 0xffff_ffff, self.address >> 32)
    }

    /// Bits of the cell that starts at this place.
    pub fn bits(self, kind: CellKind) -> CellBits {
        let (address, bytes, mask) = match kind {
            CellKind::Value(Notation { ty, .. }) => (self.address, ty.bytes(), low_mask(ty.bits())),
            CellKind::Mask(width) => (self.address, 4, low_mask(width)),
            CellKind::Bit => {
                let (address, lane) = self.bit();
                (address, 4, 1 << lane)
            }
            CellKind::Pointer => (self.address, 4, low_mask(32)),
        };
        CellBits {
            range: ByteRange::new(self.space, address, bytes.into()),
            mask,
        }
    }
}

/// Bits of a cell: `mask` selects them from a few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellBits {
    pub range: ByteRange,
    mask: u64,
}

impl CellBits {
    /// Loads the bytes; `None` if they are not mapped.
    pub fn load(&self, machine: &Machine) -> Option<u64> {
        let range = self.range;
        let bytes = u8::try_from(range.bytes).expect("a cell has at most 8 bytes");
        machine.load(range.space, range.address, bytes)
    }

    fn is_touched_by(&self, change: &Change) -> bool {
        let range = self.range;
        change.touches(range.space, range.address, range.bytes)
    }

    /// Whether a change wrote the cell. A change of a mask writes the bits that it
    /// alters.
    pub fn is_written_by(&self, change: &Change) -> bool {
        let bits = u32::try_from(8 * self.range.bytes).expect("a cell has at most 8 bytes");
        match self.mask == low_mask(bits) {
            true => self.is_touched_by(change),
            false => self.is_altered_by(change),
        }
    }

    /// Whether a change altered any of the bits.
    pub fn is_altered_by(&self, change: &Change) -> bool {
        let altered = change.old ^ change.new;
        let own = self.range.address;
        // Both have at most 8 bytes and overlap.
        self.is_touched_by(change)
            && match change.address.checked_sub(own) {
                Some(after) => altered << (8 * after) & self.mask != 0,
                None => altered >> (8 * (own - change.address)) & self.mask != 0,
            }
    }
}

/// Stable form used in links and attributes, independent of space numbers:
/// `slm:1c`; `r1:40` for the registers of thread 1; `s2:40` for surface 2.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.space.kind() {
            SpaceKind::Local => f.write_str("slm"),
            SpaceKind::Virtual => f.write_str("svm"),
            SpaceKind::Surface(index) => write!(f, "s{index}"),
            SpaceKind::Registers(thread) => write!(f, "r{thread}"),
            SpaceKind::Flags(thread) => write!(f, "m{thread}"),
            SpaceKind::Accumulators(_) | SpaceKind::Control(_) => {
                unreachable!("grids show neither accumulators nor control state")
            }
        }?;
        write!(f, ":{:x}", self.address)
    }
}

impl FromStr for Place {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (space, address) = text.split_once(':').ok_or(())?;
        let address = u64::from_str_radix(address, 16).map_err(|_| ())?;
        let space = match space {
            "slm" => SpaceId::SLM,
            "svm" => SpaceId::VIRTUAL,
            _ => {
                let (kind, index) = space.split_at_checked(1).ok_or(())?;
                let index: u8 = index.parse().map_err(|_| ())?;
                match kind {
                    "s" => SpaceId::surface(index),
                    "r" if index < MAX_THREADS => SpaceId::registers(index),
                    "m" if index < MAX_THREADS => SpaceId::flags(index),
                    _ => return Err(()),
                }
            }
        };
        Ok(Self { space, address })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    Value(Notation),
    /// Predicate or execution mask with this many bits.
    Mask(u32),
    /// A lane's bit of a warp predicate.
    Bit,
    /// Element of an address variable.
    Pointer,
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn places_round_trip_through_their_names() {
        let spaces = [
            SpaceId::SLM,
            SpaceId::VIRTUAL,
            SpaceId::registers(0),
            SpaceId::registers(17),
            SpaceId::flags(1),
        ];
        let surfaces = [0, 1, 7, 255].map(SpaceId::surface);
        for space in spaces.into_iter().chain(surfaces) {
            for address in [0, 0x1c, u64::MAX, 31 << 32 | 4] {
                let there = Place::new(space, address);
                assert_eq!(there.to_string().parse(), Ok(there), "{there}");
            }
        }
        assert_eq!(Place::new(SpaceId::surface(2), 0x40).to_string(), "s2:40");
    }

    #[test]
    fn invalid_places_are_rejected() {
        for text in [
            "",
            ":",
            "slm",
            "slm:",
            "slm:0x4",
            "kitchen:4",
            "s:4",
            "s256:0",
            "r200:0",
            "svm:-1",
            "svm:10000000000000000",
        ] {
            assert_eq!(text.parse::<Place>(), Err(()), "{text}");
        }
    }
}

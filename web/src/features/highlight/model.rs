//! What can be lit.

use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;

/// Bytes of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRange {
    pub(crate) space: SpaceId,
    /// The first byte.
    pub(crate) address: u64,
    /// How many bytes there are.
    pub(crate) bytes: u64,
}

impl ByteRange {
    pub(crate) const fn new(space: SpaceId, address: u64, bytes: u64) -> Self {
        Self {
            space,
            address,
            bytes,
        }
    }

    /// Whether the two have a byte in common.
    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.space.0 == other.space.0
            && self.address < other.address.saturating_add(other.bytes)
            && other.address < self.address.saturating_add(self.bytes)
    }
}

/// A place of the encoding, or of the text that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncodingPoint {
    /// A field, by its index.
    Field(usize),
    /// A place of the text, in UTF-16 units.
    Text(u32),
}

/// Something that several views show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Highlight {
    /// A lane of the current instruction, or one of its channels.
    Lane(Unit),
    /// Bytes of a memory.
    Memory(ByteRange),
    /// Bytes of a register file.
    Register(ByteRange),
    /// A line of the pseudo-code of the current instruction, from 0.
    PseudocodeLine(usize),
}

/// Everything that is lit: what the pointer is on and what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Highlighted(pub(super) Vec<Highlight>);

impl Highlighted {
    /// Whether a lane is lit. A unit without a channel is lit with any of its
    /// channels.
    pub(crate) fn has_lane(&self, unit: Unit) -> bool {
        self.0.iter().any(|lit| match lit {
            Highlight::Lane(lit) => {
                let channel =
                    lit.channel.is_none() || unit.channel.is_none() || lit.channel == unit.channel;
                (lit.eu, lit.lane) == (unit.eu, unit.lane) && channel
            }
            _ => false,
        })
    }

    /// Whether any byte of a range, of a memory or a register file, is lit.
    pub(crate) fn has_bytes(&self, range: ByteRange) -> bool {
        self.0.iter().any(|lit| match lit {
            Highlight::Memory(lit) | Highlight::Register(lit) => lit.overlaps(range),
            _ => false,
        })
    }

    /// The lit byte ranges that overlap `range`; for rows that are only drawn
    /// anew when theirs change.
    pub(crate) fn within(&self, range: ByteRange) -> Vec<ByteRange> {
        let bytes = self.0.iter().filter_map(|lit| match lit {
            Highlight::Memory(lit) | Highlight::Register(lit) => Some(*lit),
            _ => None,
        });
        bytes.filter(|lit| lit.overlaps(range)).collect()
    }

    /// Whether a line of the pseudo-code is lit.
    pub(crate) fn has_line(&self, line: usize) -> bool {
        self.0.contains(&Highlight::PseudocodeLine(line))
    }
}

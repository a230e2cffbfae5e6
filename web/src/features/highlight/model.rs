//! Things that can be highlighted.

use lanewise_core::isa::{Access, Unit};
use lanewise_core::machine::SpaceId;
use lanewise_core::text::SyntaxPart;

/// Byte range of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRange {
    pub(crate) space: SpaceId,
    pub(crate) address: u64,
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

    /// Cell of an access.
    pub(crate) fn of(access: &Access) -> Self {
        Self::new(access.space, access.address, access.bytes.into())
    }

    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.space.0 == other.space.0
            && self.address < other.address.saturating_add(other.bytes)
            && other.address < self.address.saturating_add(self.bytes)
    }
}

/// Position in the encoding or in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncodingPoint {
    Field(usize),
    /// Part of the instruction, such as an operand.
    Part(SyntaxPart),
    /// Text position in UTF-16 code units.
    Text(u32),
}

/// Something that several views show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Highlight {
    /// Lane of the current instruction, or one of its channels.
    Lane(Unit),
    /// Bytes of a memory or register file.
    Bytes(ByteRange),
    /// Line of the current instruction's pseudocode, from 0.
    PseudocodeLine(usize),
}

/// Everything highlighted: the thing under the pointer and whatever relates to
/// it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Highlighted(pub(super) Vec<Highlight>);

impl Highlighted {
    /// Whether a lane is highlighted. A unit without a channel matches any of
    /// its channels.
    pub(crate) fn has_lane(&self, unit: Unit) -> bool {
        self.0.iter().any(|highlighted| match highlighted {
            Highlight::Lane(highlighted) => {
                let channel = highlighted.channel.is_none()
                    || unit.channel.is_none()
                    || highlighted.channel == unit.channel;
                (highlighted.eu, highlighted.lane) == (unit.eu, unit.lane) && channel
            }
            _ => false,
        })
    }

    /// Whether any byte of a range is highlighted.
    pub(crate) fn has_bytes(&self, range: ByteRange) -> bool {
        self.within(range).next().is_some()
    }

    /// The highlighted ranges that overlap `range`. Rows use them as props so
    /// that they re-render only when their own highlight changes.
    pub(crate) fn within(&self, range: ByteRange) -> impl Iterator<Item = ByteRange> {
        self.0
            .iter()
            .filter_map(move |highlighted| match highlighted {
                Highlight::Bytes(own) if own.overlaps(range) => Some(*own),
                _ => None,
            })
    }

    pub(crate) fn has_line(&self, line: usize) -> bool {
        self.0.contains(&Highlight::PseudocodeLine(line))
    }
}

//! Where a cell lies, and what it holds.

use crate::features::machine::cells::Notation;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;

/// Where a cell lies. Of a lane's bit of a warp's predicate the lane is in
/// the upper half of the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) space: SpaceId,
    pub(crate) address: u64,
}

impl Place {
    pub(crate) const fn new(space: SpaceId, address: u64) -> Self {
        Self { space, address }
    }

    /// Whether it lies in a register file.
    pub(crate) const fn is_register(self) -> bool {
        self.space.0 == SpaceId::registers(0).0 || self.space.0 == SpaceId::registers(1).0
    }

    /// A lane's bit of a mask.
    pub(crate) const fn of_bit(space: SpaceId, address: u64, lane: u8) -> Self {
        Self {
            space,
            address: address | (lane as u64) << 32,
        }
    }

    /// The mask of a bit, and which bit it is.
    pub(crate) const fn bit(self) -> (u64, u64) {
        (self.address & 0xffff_ffff, self.address >> 32)
    }

    /// The bytes that hold it.
    pub(crate) const fn range(self, kind: Kind) -> (SpaceId, u64, u64) {
        match kind {
            Kind::Bit => (self.space, self.bit().0, 4),
            _ => (self.space, self.address, kind.notation().ty.bytes() as u64),
        }
    }

    /// As the page writes it at a cell.
    pub(crate) fn text(self) -> String {
        format!("{}.{}", self.space.0, self.address)
    }

    /// What [`Self::text`] wrote.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (space, address) = text.split_once('.')?;
        Some(Self::new(
            SpaceId(space.parse().ok()?),
            address.parse().ok()?,
        ))
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A number.
    Value(Notation),
    /// So many bits of a predicate or of the execution mask.
    Mask(u32),
    /// A lane's bit of a warp's predicate.
    Bit,
    /// An element of an address variable.
    Pointer,
}

impl Kind {
    pub(crate) const fn notation(self) -> Notation {
        match self {
            Self::Value(notation) => notation,
            _ => Notation {
                ty: ElementType::Ud,
                hex: true,
            },
        }
    }
}

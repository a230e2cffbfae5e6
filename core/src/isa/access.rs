//! What a lane is about to do, and why it may not.

use super::visa::declarations::Declarations;
use crate::machine::{Machine, SpaceId};

/// Which lane of which EU does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    /// 0 or 1.
    pub eu: u8,
    /// The lane within the instruction, from 0.
    pub lane: u8,
}

/// Why an access cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The address is not a multiple of the access size.
    Misaligned,
    /// Nothing is mapped there.
    Unmapped,
}

impl FaultKind {
    /// The word used in JSON answers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Misaligned => "misaligned",
            Self::Unmapped => "unmapped",
        }
    }
}

/// What one lane is about to do: its operands are latched when the
/// instruction issues, so that a dst that is also a source does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Who.
    pub unit: Unit,
    /// In which space.
    pub space: SpaceId,
    /// Size of the cell in bytes.
    pub bytes: u8,
    /// Whether the cell exists; an access out of bounds reads zero and writes
    /// nothing.
    pub in_bounds: bool,
    /// What is wrong with the address, if it faults.
    pub fault: Option<FaultKind>,
    /// Address of the cell.
    pub address: u64,
    /// src0 of this lane.
    pub src0: u64,
    /// src1 of this lane.
    pub src1: u64,
    /// Where the returned value goes in the register file, if it is wanted.
    pub dst: Option<u32>,
}

/// What an instruction sees when it issues.
pub struct Stage<'s> {
    /// The program's variables.
    pub names: &'s Declarations,
    /// The state before the instruction.
    pub machine: &'s Machine,
    /// How many EUs run: 1 or 2.
    pub threads: u8,
}

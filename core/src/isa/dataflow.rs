//! Data flow from the operands to the results of instructions, for checks that follow values
//! through a run.

use crate::machine::SpaceId;
use alloc::vec::Vec;
use core::ops::Range;

/// Operands that an instruction can read, whatever the state.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// Bytes of the register file.
    pub registers: Vec<Range<u32>>,
    /// Bytes of the flags: predicates and elements of address variables.
    pub flags: Vec<Range<u32>>,
    /// Whether it can read others, too: an address decides, or they are not listed here.
    pub has_others: bool,
}

/// How the bits of a result depend on those of its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// The result is the source, byte by byte.
    Copy,
    And,
    Or,
    Xor,
    /// The second source is a count.
    ShiftLeft,
    /// The second source is a count; the flag says whether the sign is repeated.
    ShiftRight(bool),
    /// A function of the bits of three sources, by its truth table.
    Boolean(u8),
    /// A factor of 0 makes the result 0.
    Multiply,
    /// Every bit depends on all bits of all sources.
    All,
}

/// Values that a computing instruction reads and writes on one thread.
#[derive(Clone, Debug)]
pub struct Dataflow {
    pub transfer: Transfer,
    /// Whether lanes read and write regardless of the execution mask.
    pub ignores_mask: bool,
    pub sources: Vec<DataSource>,
    pub results: Vec<DataResult>,
}

/// Elements that lanes read.
#[derive(Clone, Debug)]
pub struct DataSource {
    /// Bit n is set if lane n reads an element.
    pub read: u32,
    /// Their values before source modifiers apply.
    pub bits: [u64; 32],
    /// Size of an element in bits.
    pub width: u8,
    /// Location; `None` for constants.
    pub places: Option<(SpaceId, [u64; 32])>,
    /// By lane, the first byte of the address of an indirect operand in the flags.
    pub addressed_by: Option<[u64; 32]>,
}

/// Elements that lanes write.
#[derive(Clone, Debug)]
pub struct DataResult {
    /// Bit n is set if lane n writes an element.
    pub written: u32,
    /// Size of an element in bits; 1 for predicates.
    pub width: u8,
    pub space: SpaceId,
    /// Byte addresses; of predicates, bit addresses.
    pub places: [u64; 32],
    /// By lane, the first byte of the address of an indirect operand in the flags.
    pub addressed_by: Option<[u64; 32]>,
}

//! Vector operands at run time: placement, reading and writing of elements.
//!
//! Source: visa_5_operands.md, "Region-based Addressing" and "Vector Operands".

mod place;
mod predicate;
mod read;
mod write;

pub use place::PlacedOperand;
pub(super) use place::{source_places, span_of};
pub use predicate::{PredicateLanes, predicate_bits, write_predicate};
pub use read::read_lanes;
pub(super) use read::read_row;
pub use write::LaneDestination;

use super::declarations::Declarations;
use crate::machine::Machine;

/// A thread of a vISA program, which provides the registers and flags of operands.
#[derive(Clone, Copy, Debug)]
pub struct VisaThread<'s> {
    pub symbols: &'s Declarations,
    /// Thread number.
    pub number: u8,
}

/// The lanes for which an operand is accessed.
#[derive(Clone, Copy, Debug)]
pub struct LaneRange {
    pub count: u8,
    /// Mask of the enabled lanes, lane n in bit n.
    pub enabled: u32,
}

/// The reason that an operand cannot be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperandFault {
    /// An element is outside the register file.
    #[error("lane {lane}: register byte {byte:#x} does not exist")]
    OutOfRegisters {
        /// The first such lane.
        lane: u8,
        /// Address of its first byte; negative addresses wrap around at 2^32.
        byte: u64,
    },
    /// An address is not a multiple of the element size.
    #[error("lane {lane}: register byte {byte:#x} is not aligned to the type of the operand")]
    Misaligned {
        /// The first such lane.
        lane: u8,
        /// Address of its first byte.
        byte: u64,
    },
    /// A required element of an address variable does not exist.
    #[error("element {element} of the address variable does not exist")]
    AddressElement { element: u32 },
    /// A required element of a surface variable does not exist.
    #[error("element {element} of the surface variable does not exist")]
    StateElement { element: u32 },
    /// The variable is not declared.
    #[error("the variable is not declared")]
    Undeclared,
    /// The null variable as a source.
    #[error("the null variable has no value")]
    NullSource,
    /// The region is undefined for the operand.
    #[error("the region is undefined for the operand")]
    Region,
    /// A predicate operand with any, all or inverse, which is undocumented.
    #[error("a predicate operand cannot be combined or inverted")]
    PredicateControl,
    /// An operand class without elements.
    #[error("an operand of class {0} cannot be used here")]
    Class(&'static str),
    /// An element type without elements.
    #[error("an operand of type {0} cannot be used here")]
    Type(&'static str),
}

/// Loads a dword from the flags of a thread: the execution mask, a predicate, or an
/// element of an address variable.
#[must_use]
pub fn load_flags(machine: &Machine, thread: u8, address: u64) -> Option<u32> {
    let bits = machine.load(crate::machine::SpaceId::flags(thread), address, 4)?;
    u32::try_from(bits).ok()
}

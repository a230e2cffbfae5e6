//! Vector operands at run time: where the elements of all lanes lie, reading
//! and writing them.
//!
//! Source: visa_5_operands.md, "Region-based Addressing" and "Vector Operands".

mod place;
mod predicate;
mod read;
mod write;

pub use predicate::{PredicateLanes, predicate_bits, write_predicate};
pub use read::read_lanes;
pub use write::LaneDestination;

use super::declarations::Declarations;
use crate::machine::Machine;

/// A thread of a vISA program: whose registers and flags operands name.
#[derive(Clone, Copy, Debug)]
pub struct VisaThread<'s> {
    /// The variables of the program.
    pub symbols: &'s Declarations,
    /// Its number, that of its register file.
    pub number: u8,
}

/// Lanes of an instruction that an operand is read or written for.
#[derive(Clone, Copy, Debug)]
pub struct LaneRange {
    /// The execution size.
    pub count: u8,
    /// Bit n is set if lane n takes part.
    pub enabled: u32,
}

/// Why an operand has no elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperandFault {
    /// An element lies outside of the register file.
    #[error("lane {lane}: register byte {byte:#x} does not exist")]
    OutOfRegisters {
        /// The first such lane.
        lane: u8,
        /// Its first byte; addresses below 0 wrap around at 2^32.
        byte: u64,
    },
    /// An address is not a multiple of the size of an element.
    #[error("lane {lane}: register byte {byte:#x} is not aligned to the type of the operand")]
    Misaligned {
        /// The first such lane.
        lane: u8,
        /// Its first byte.
        byte: u64,
    },
    /// An address variable does not have an element that is needed.
    #[error("element {element} of the address variable does not exist")]
    AddressElement {
        /// Its number.
        element: u32,
    },
    /// A surface variable does not have an element that is needed.
    #[error("element {element} of the surface variable does not exist")]
    StateElement {
        /// Its number.
        element: u32,
    },
    /// A variable that is not declared.
    #[error("the operand names a variable that is not declared")]
    Undeclared,
    /// The null variable as a source.
    #[error("the null variable has no value")]
    NullSource,
    /// A region that is not defined for the operand.
    #[error("the region of the operand is not defined")]
    Region,
    /// A predicate operand with any, all or inverse, which documents do not
    /// define.
    #[error("a predicate operand cannot be combined or inverted")]
    PredicateControl,
    /// An operand that has no elements of its own.
    #[error("an operand of class {0} cannot be used here")]
    Class(&'static str),
    /// A type that has no elements.
    #[error("an operand of type {0} cannot be used here")]
    Type(&'static str),
}

/// Loads a dword of the flags of a thread: the execution mask, a predicate, an
/// element of an address variable.
#[must_use]
pub fn load_flags(machine: &Machine, thread: u8, address: u64) -> Option<u32> {
    let bits = machine.load(crate::machine::SpaceId::flags(thread), address, 4)?;
    u32::try_from(bits).ok()
}

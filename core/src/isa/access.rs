//! What a lane is about to do, and why it may not.

use super::symbols::SymbolTable;
use super::visa::execution::Execution;
use super::visa::op::{FlowKind, LabelId};
use super::visa::vector::VectorOperand;
use crate::machine::{Change, Machine, SpaceId};
use crate::number::ElementType;
use crate::text::OperandKind;
use alloc::string::String;
use alloc::vec::Vec;

/// Names of the channels of a scatter, by number.
pub const CHANNELS: [&str; 4] = ["R", "G", "B", "A"];

/// Which lane of which EU does something, and for which channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unit {
    /// 0 or 1.
    pub eu: u8,
    /// The lane within the instruction, from 0.
    pub lane: u8,
    /// The channel of a scatter, 0 to 3 for R, G, B, A; `None` for
    /// instructions that have no channels.
    pub channel: Option<u8>,
}

impl Unit {
    /// A lane of an instruction without channels.
    #[must_use]
    pub const fn lane(eu: u8, lane: u8) -> Self {
        Self {
            eu,
            lane,
            channel: None,
        }
    }

    /// The letter of its channel; empty where there is none.
    #[must_use]
    pub fn letter(self) -> &'static str {
        let channel = self.channel.map(usize::from);
        channel.and_then(|c| CHANNELS.get(c)).copied().unwrap_or("")
    }
}

/// Why an access cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FaultKind {
    /// The address is not a multiple of the access size.
    Misaligned,
    /// Nothing is mapped there.
    Unmapped,
    /// The address has more bits than there are, or nothing is mapped there
    /// (SASS).
    OutOfRange,
    /// The address lies in the window of another address space (SASS).
    AddressSpace,
    /// Lanewise reads and prints the instruction, and does not execute it.
    NotModelled,
    /// The operands have no meaning for the operation.
    Undefined,
    /// An integer is divided by zero.
    DivisionByZero,
    /// A branch has no target in this state.
    BadTarget,
    /// Calls are nested too deeply.
    CallTooDeep,
    /// The run has issued as many instructions as `.fuel` allows.
    OutOfFuel,
}

impl FaultKind {
    /// Whether the program would go on: the fault says nothing about what it
    /// does, but that Lanewise stops there.
    #[must_use]
    pub const fn is_unfinished(self) -> bool {
        matches!(self, Self::NotModelled | Self::OutOfFuel)
    }

    /// The word used in JSON answers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Misaligned => "misaligned",
            Self::Unmapped => "unmapped",
            Self::OutOfRange => "out-of-range",
            Self::AddressSpace => "address-space",
            Self::NotModelled => "not-modelled",
            Self::Undefined => "undefined",
            Self::DivisionByZero => "division-by-zero",
            Self::BadTarget => "bad-target",
            Self::CallTooDeep => "call-too-deep",
            Self::OutOfFuel => "out-of-fuel",
        }
    }
}

/// Registers that a lane's address is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressRegister {
    /// The operand.
    pub operand: OperandKind,
    /// Its place, as `.init` names it: `R2:R3`, `V32`.
    pub place: String,
    /// Bytes of an element.
    pub bytes: u8,
    /// Whether each lane has its own element; otherwise all lanes share one.
    pub is_per_lane: bool,
}

/// Where a lane has an element of an operand that it reads: so many bytes of its
/// EU's register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceElement {
    /// The operand.
    pub operand: OperandKind,
    /// Address of the first byte in the register file.
    pub at: u32,
    /// How many bytes there are.
    pub bytes: u8,
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
    /// Whether it may change its cell. Accesses that only read do not
    /// conflict with each other.
    pub writes: bool,
    /// Where the returned value goes in the register file, if it is wanted.
    pub dst: Option<u32>,
}

/// Consecutive threads: those that issue an instruction together, or all of a
/// program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreadSet {
    first: u8,
    count: u8,
}

impl ThreadSet {
    /// One thread.
    #[must_use]
    pub const fn one(thread: u8) -> Self {
        Self {
            first: thread,
            count: 1,
        }
    }

    /// `count` threads from `first` on.
    #[must_use]
    pub const fn from(first: u8, count: u8) -> Self {
        Self { first, count }
    }

    /// Threads 0 to `count` - 1.
    #[must_use]
    pub const fn all(count: u8) -> Self {
        Self::from(0, count)
    }

    /// The lowest of them.
    #[must_use]
    pub const fn first(self) -> u8 {
        self.first
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> u8 {
        self.count
    }

    /// The threads, ascending.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u8> + Clone {
        self.first..self.first.saturating_add(self.count)
    }
}

/// What an instruction sees when it issues.
pub struct IssueContext<'s> {
    /// The symbols of the program.
    pub symbols: &'s SymbolTable,
    /// The state before the instruction.
    pub machine: &'s Machine,
    /// The threads that issue it.
    pub threads: ThreadSet,
}

/// What an instruction that computes reads and writes on one thread, by lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneComputation {
    /// Bit n is set if lane n is enabled.
    pub enabled: u32,
    /// Sources in the order of the line.
    pub sources: Vec<LaneSource>,
    /// Destinations: most instructions have one, an overflow is a second.
    pub results: Vec<LaneResult>,
}

/// A source of a [`LaneComputation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneSource {
    /// Which operand.
    pub operand: OperandKind,
    /// Type of the elements; `None` for bits of a predicate.
    pub ty: Option<ElementType>,
    /// Bit n is set if lane n reads an element.
    pub read: u32,
    /// Elements before source modifiers apply.
    pub bits: [u64; 32],
}

/// A destination of a [`LaneComputation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneResult {
    /// Which operand.
    pub operand: OperandKind,
    /// Type of the elements; `None` for bits of a predicate.
    pub ty: Option<ElementType>,
    /// Names of the elements of enabled lanes: `V33[4]`, `P1[4]`.
    pub names: Vec<String>,
    /// Space of the elements.
    pub space: SpaceId,
    /// Their addresses; of bits of a predicate, the channels.
    pub places: [u64; 32],
    /// Elements before the instruction.
    pub old: [u64; 32],
    /// Elements that the lanes write.
    pub new: [u64; 32],
}

/// A control-flow instruction, for the session that executes it.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'i> {
    /// How it continues.
    pub kind: FlowKind,
    /// Which channels it concerns.
    pub execution: Execution,
    /// The labels that it names.
    pub targets: &'i [LabelId],
    /// The index of a `switchjmp`, the address of an indirect call.
    pub index: Option<VectorOperand>,
}

/// The pseudo-code line and variable bindings of one effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PseudocodeState {
    /// Index of the line in [`super::Spec::pseudo_code`].
    pub line: usize,
    /// The variables of the pseudo-code with their values.
    pub variables: Vec<(&'static str, String)>,
}

/// What one step of an instruction did.
#[derive(Clone, Copy, Debug)]
pub struct Effect<'s> {
    /// Its index among the instruction's effects.
    pub index: u32,
    /// The threads that issued the instruction.
    pub threads: ThreadSet,
    /// The access that it was, of an instruction that makes accesses.
    pub access: Option<&'s Access>,
    /// What changed, in order.
    pub changes: &'s [Change],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::SPECS;
    use crate::library::BUNDLED;
    use crate::number::low_mask;
    use crate::program::Program;
    use crate::session::{IssueIndex, Session};
    use std::collections::BTreeSet;
    use std::rc::Rc;
    use std::vec::Vec;

    /// Of the first instruction of every bundled scenario; among them are all
    /// instructions that make accesses.
    #[test]
    fn lanes_are_issued_with_what_their_source_elements_hold() {
        let (mut with_address, mut with_data) = (BTreeSet::new(), BTreeSet::new());
        for scenario in BUNDLED {
            let session = Session::new(Rc::new(Program::parse(scenario.text)));
            let program = session.program();
            let instruction = &program.instructions[0].instruction;
            let name = instruction.spec().name;
            let mut bases = Vec::new();
            for access in session
                .lanes(IssueIndex(0))
                .iter()
                .filter_map(|row| row.access)
            {
                let registers = SpaceId::registers(access.unit.eu);
                let mask = low_mask(u32::from(access.bytes) * 8);
                for element in instruction.source_elements(access.unit, &program.symbols) {
                    let value = session
                        .machine()
                        .load(registers, element.at.into(), element.bytes)
                        .unwrap();
                    if matches!(element.operand, OperandKind::Address | OperandKind::Offsets) {
                        let channel = u64::from(access.unit.channel.unwrap_or(0)) * 4;
                        bases.push(access.address.wrapping_sub(value + channel));
                        with_address.insert(name);
                        continue;
                    }
                    let wanted = match element.operand {
                        OperandKind::Src1 => access.src1,
                        _ => access.src0,
                    };
                    assert_eq!(value & mask, wanted, "{}", scenario.id);
                    with_data.insert(name);
                }
            }
            // Each address is its lane's element and what all lanes add to it.
            let all_same = bases.iter().all(|base| *base == bases[0]);
            assert!(all_same, "{}", scenario.id);
        }
        let specs = || SPECS.iter().filter(|spec| spec.lane_queue);
        assert!(specs().all(|spec| with_address.contains(spec.name)));
        // A gather alone reads no data.
        let without = specs().filter(|spec| !with_data.contains(spec.name));
        assert_eq!(
            without.map(|spec| spec.name).collect::<Vec<_>>(),
            ["SVM_GATHER4_SCALED"]
        );
    }
}

//! Latched accesses of lanes, and their faults.

use super::symbols::SymbolTable;
use super::visa::alu::{AluSource, Unfitted};
use super::visa::execution::Execution;
use super::visa::op::{FlowKind, LabelId, VisaInstruction};
use super::visa::vector::{Modifier, VectorOperand};
use crate::machine::{Change, Machine, SpaceId};
use crate::number::{ElementType, show};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Names of the channels and vector elements of a lane, by number.
pub const CHANNELS: [&str; 12] = ["R", "G", "B", "A", "0", "1", "2", "3", "4", "5", "6", "7"];

/// Number of the first vector element; lower numbers are channels.
pub const FIRST_ELEMENT: u8 = 4;

/// Index of a channel or vector element in memory: 0 for `R` and for the first element.
#[must_use]
pub fn index_of(channel: u8) -> u8 {
    channel.checked_sub(FIRST_ELEMENT).unwrap_or(channel)
}

/// A lane of a thread, or one of its channels or vector elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unit {
    /// Index of the thread in its group.
    pub thread: u8,
    /// Lane index within the instruction.
    pub lane: u8,
    /// Channel, 0 to 3 for R, G, B, A, or vector element, from [`FIRST_ELEMENT`] on;
    /// `None` if a lane has one access.
    pub channel: Option<u8>,
}

impl Unit {
    /// A lane of an instruction without channels.
    #[must_use]
    pub const fn lane(thread: u8, lane: u8) -> Self {
        Self {
            thread,
            lane,
            channel: None,
        }
    }

    /// A channel or vector element of a lane, if it has several.
    #[must_use]
    pub const fn part(thread: u8, lane: u8, channel: Option<u8>) -> Self {
        Self {
            thread,
            lane,
            channel,
        }
    }

    /// The letter of the channel or number of the element; empty without one.
    #[must_use]
    pub fn letter(self) -> &'static str {
        let channel = self.channel.map(usize::from);
        channel.and_then(|c| CHANNELS.get(c)).copied().unwrap_or("")
    }
}

/// The reason that an access faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FaultKind {
    /// The address is not a multiple of the access size.
    Misaligned,
    /// The address is not mapped.
    Unmapped,
    /// The address has too many bits or is not mapped (SASS).
    OutOfRange,
    /// The address is in the window of another address space (SASS).
    AddressSpace,
    /// Lanewise does not execute the instruction.
    NotModelled,
    /// The operation is undefined for the operands.
    Undefined,
    /// Integer division by zero.
    DivisionByZero,
    /// The target of a branch does not exist.
    BadTarget,
    /// Lanes of a kernel go on behind its last instruction.
    PastEnd,
    /// Calls are nested too deeply.
    CallTooDeep,
    /// The run has reached the limit set by `.fuel`.
    OutOfFuel,
    /// The program has stopped itself.
    Trap,
    /// All lanes that have not ended wait for each other.
    Deadlock,
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
            Self::PastEnd => "past-end",
            Self::CallTooDeep => "call-too-deep",
            Self::OutOfFuel => "out-of-fuel",
            Self::Trap => "trap",
            Self::Deadlock => "deadlock",
        }
    }
}

/// A register operand that contributes to a lane's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressRegister {
    pub operand: SyntaxPart,
    /// Its name in `.init`: `R2:R3`, `V32`.
    pub place: String,
    /// Bytes of an element.
    pub bytes: u8,
    /// Whether each lane has its own element; otherwise, all lanes share one.
    pub is_per_lane: bool,
}

/// Register-file range of one source element of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceElement {
    pub operand: SyntaxPart,
    /// Register-file address of the first byte.
    pub at: u32,
    /// Length in bytes.
    pub bytes: u8,
}

/// An access of one lane. Operands are latched when the instruction issues, so dst
/// may alias a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub unit: Unit,
    pub space: SpaceId,
    pub bytes: u8,
    /// Whether the cell exists; an out-of-bounds access reads zero and writes nothing.
    pub in_bounds: bool,
    /// The fault, if any.
    pub fault: Option<FaultKind>,
    pub address: u64,
    pub src0: u64,
    pub src1: u64,
    /// Whether it can change its cell. Accesses that only read do not conflict.
    pub writes: bool,
    /// Register-file address of the returned value, if there is a destination.
    pub dst: Option<u32>,
    /// The place to which another access of the lane copies what this one loads.
    pub copied_to: Option<(SpaceId, u64)>,
}

impl Access {
    /// A valid access without operands that only reads, and returns no value.
    #[must_use]
    pub const fn new(unit: Unit, space: SpaceId, address: u64, bytes: u8) -> Self {
        Self {
            unit,
            space,
            bytes,
            in_bounds: true,
            fault: None,
            address,
            src0: 0,
            src1: 0,
            writes: false,
            dst: None,
            copied_to: None,
        }
    }

    /// Whether it has an effect: prefetches have none, and neither have loads to registers from
    /// `excess` on, which no instruction reads.
    #[must_use]
    pub fn has_effect(&self, excess: Option<u32>) -> bool {
        let is_needed = |dst| excess.is_none_or(|excess| dst < excess);
        self.writes || self.copied_to.is_some() || self.dst.is_some_and(is_needed)
    }
}

/// Accesses that a fence orders. A fence alone synchronizes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence {
    /// Accesses to the memory of the work-group.
    pub local: bool,
    /// Accesses to global memory.
    pub global: bool,
    pub scope: FenceScope,
}

/// The threads for which a fence orders accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceScope {
    /// Those of the work-group.
    Group,
    /// All threads.
    Device,
}

/// A range of threads: those that issue an instruction together, or all threads of a
/// program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreadSet {
    first: u8,
    count: u8,
}

impl ThreadSet {
    #[must_use]
    pub const fn one(thread: u8) -> Self {
        Self {
            first: thread,
            count: 1,
        }
    }

    /// `count` threads starting at `first`.
    #[must_use]
    pub const fn from(first: u8, count: u8) -> Self {
        Self { first, count }
    }

    /// Threads 0 to `count` - 1.
    #[must_use]
    pub const fn all(count: u8) -> Self {
        Self::from(0, count)
    }

    /// The lowest thread.
    #[must_use]
    pub const fn first(self) -> u8 {
        self.first
    }

    /// Number of threads.
    #[must_use]
    pub const fn count(self) -> u8 {
        self.count
    }

    /// The threads in ascending order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u8> + Clone {
        self.first..self.first.saturating_add(self.count)
    }
}

/// Inputs of an issuing instruction.
pub struct IssueContext<'s> {
    pub symbols: &'s SymbolTable,
    /// State before the instruction.
    pub machine: &'s Machine,
    /// The threads that issue the instruction.
    pub threads: ThreadSet,
}

/// Values that a computing instruction reads and writes on one thread, by lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneComputation {
    /// Channel of lane 0, which the mask control selects.
    pub first_channel: u8,
    /// Bit n is set if lane n is enabled.
    pub enabled: u32,
    /// Sources in the order of the line.
    pub sources: Vec<LaneSource>,
    /// Numbers between the sources and the results, by name: the lane that a shuffle reads.
    pub derived: Vec<(&'static str, [u64; 32])>,
    /// How lanes exchange values.
    pub exchange: Option<LaneExchange>,
    /// Destinations: most instructions have one, an overflow is a second.
    pub results: Vec<LaneResult>,
}

/// How the lanes of an instruction exchange values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneExchange {
    /// Each lane reads the value of a lane.
    Shuffle([u8; 32]),
    /// The lanes of the mask are bits of the result.
    Ballot(u32),
}

/// How the values of an operand are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// In their type.
    #[default]
    Number,
    /// In hexadecimal.
    Hexadecimal,
    /// As two 16-bit floats.
    Halves,
}

impl Shown {
    /// Text of a value; bits of a predicate have no type.
    #[must_use]
    pub fn text(self, bits: u64, ty: Option<ElementType>) -> String {
        let half = |bits: u64| show(bits & 0xffff, ElementType::Hf);
        match (self, ty) {
            (Self::Hexadecimal, _) => format!("{bits:#x}"),
            (Self::Halves, _) => format!("({}, {})", half(bits), half(bits >> 16)),
            (Self::Number, None) => format!("{bits}"),
            (Self::Number, Some(ty)) => show(bits, ty),
        }
    }
}

/// A source of a [`LaneComputation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneSource {
    /// Which operand.
    pub operand: SyntaxPart,
    /// Type of the elements; `None` for bits of a predicate.
    pub ty: Option<ElementType>,
    pub shown: Shown,
    /// Bit n is set if lane n reads an element.
    pub read: u32,
    /// Elements before source modifiers apply.
    pub bits: [u64; 32],
    /// The source modifier, if any.
    pub modifier: Modifier,
    /// Location of the elements; `None` for constants and predicates.
    pub places: Option<ElementPlaces>,
}

impl LaneSource {
    /// Text of the element of a lane after the source modifier; `None` without a
    /// modifier.
    #[must_use]
    pub fn modified_text(&self, lane: usize) -> Option<String> {
        self.modifier.spelling()?;
        let (ty, modifier) = (self.ty?, self.modifier);
        let bits = self.bits.get(lane)?;
        Some(AluSource { ty, modifier }.modified_text(*bits))
    }
}

/// Location of the elements of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementPlaces {
    pub space: SpaceId,
    /// Address of the element of each lane.
    pub addresses: [u64; 32],
    /// Vertical stride, width and horizontal stride, in elements; `None` if absent.
    pub region: [Option<u32>; 3],
    /// Of an indirect operand, the address elements that it uses.
    pub paths: Vec<AddressPath>,
}

/// Address element of an indirect operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressPath {
    /// `A0[2]`.
    pub name: String,
    /// Byte address in the register file.
    pub value: u32,
    /// Bytes added to it.
    pub offset: i16,
}

/// A destination of a [`LaneComputation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneResult {
    /// Which operand.
    pub operand: SyntaxPart,
    /// Type of the elements; `None` for bits of a predicate.
    pub ty: Option<ElementType>,
    pub shown: Shown,
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
    /// By lane, the result before it is fitted to the type; empty where it always fits.
    pub unfitted: Vec<Option<Unfitted>>,
}

/// Control flow of an instruction, executed by the session.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'i> {
    /// The kind of control flow.
    pub kind: FlowKind,
    /// The channels to which it applies.
    pub execution: Execution,
    /// The labels it references.
    pub targets: &'i [LabelId],
    pub(super) instruction: &'i VisaInstruction,
}

impl Branch<'_> {
    /// The index of a `switchjmp`, the address of an indirect call, the number of a named
    /// barrier.
    #[must_use]
    pub fn index(&self) -> Option<VectorOperand> {
        self.instruction.vector(SyntaxPart::Src0)
    }

    /// The number of threads of a named barrier; the role of the thread if there are
    /// [`Self::roles`].
    #[must_use]
    pub fn threads(&self) -> Option<VectorOperand> {
        self.instruction.vector(SyntaxPart::Src1)
    }

    /// The numbers of threads by role.
    #[must_use]
    pub fn roles(&self) -> Option<BarrierRoles> {
        self.instruction.barrier_roles()
    }
}

/// Threads of a named barrier by role.
#[derive(Clone, Copy, Debug)]
pub struct BarrierRoles {
    /// The number of threads that produce.
    pub producers: VectorOperand,
    /// The number of threads that consume.
    pub consumers: VectorOperand,
}

/// Pseudo-code line and variable bindings of one effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PseudocodeState {
    /// Index of the line in [`super::Spec::pseudo_code`].
    pub line: usize,
    /// Names and values of the pseudo-code variables.
    pub variables: Vec<(&'static str, String)>,
}

/// One effect of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Effect<'s> {
    /// Index among the instruction's effects.
    pub index: u32,
    /// The threads that issued the instruction.
    pub threads: ThreadSet,
    /// The access, if the instruction makes accesses.
    pub access: Option<&'s Access>,
    /// Element type of the buffer that it accesses.
    pub cell_type: Option<ElementType>,
    /// The changes in order.
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

    /// Checks the first instruction of every bundled scenario, which covers all
    /// instructions that make accesses.
    #[test]
    fn latched_operands_match_source_elements() {
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
                let registers = SpaceId::registers(access.unit.thread);
                let mask = low_mask(u32::from(access.bytes) * 8);
                for element in instruction.source_elements(access.unit, &program.symbols) {
                    let value = session
                        .machine()
                        .load(registers, element.at.into(), element.bytes)
                        .unwrap();
                    if matches!(element.operand, SyntaxPart::Address | SyntaxPart::Offsets) {
                        let channel = u64::from(access.unit.channel.unwrap_or(0)) * 4;
                        bases.push(access.address.wrapping_sub(value + channel));
                        with_address.insert(name);
                        continue;
                    }
                    let wanted = match element.operand {
                        SyntaxPart::Src1 => access.src1,
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
        // Only the gather does not read data.
        let without = specs().filter(|spec| !with_data.contains(spec.name));
        assert_eq!(
            without.map(|spec| spec.name).collect::<Vec<_>>(),
            ["SVM_GATHER4_SCALED"]
        );
    }
}

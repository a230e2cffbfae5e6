//! Conflicting accesses of an instruction and their transitions.

use crate::interner::Interner;
use alloc::vec::Vec;
use lanewise_core::isa::{Access, Instruction, SymbolTable, Unit};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::little_endian;
use lanewise_core::session::{ScratchExecutor, conflict_groups};

/// Accesses with the same effect on every content: same cell, same operands.
#[derive(Clone, Debug)]
pub(crate) struct EquivalenceClass {
    /// A representative.
    pub(crate) access: Access,
    /// Indices of all its accesses in the conflict set, ascending.
    pub(crate) lanes: Vec<usize>,
}

/// Effect of an access on a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    /// Number of the next content.
    pub(crate) next: usize,
    /// Returned value; 0 if it does not return one.
    pub(crate) returned: u64,
}

/// Accesses that share bytes. A *content* is a value of all these bytes, little-endian;
/// contents are numbered in order of discovery, and the initial one is number 0. A
/// *lane* is the index of an access in this set.
#[derive(Clone, Debug)]
pub(crate) struct ConflictSet {
    /// Its number within the instruction.
    pub(crate) group: u32,
    pub(crate) units: Vec<Unit>,
    /// The class of each lane.
    pub(crate) class_of: Vec<usize>,
    pub(crate) classes: Vec<EquivalenceClass>,
    /// Whether some access returns a value.
    pub(crate) returns: bool,
    /// Whether all accesses so far returned the previous content.
    pub(crate) returns_content: bool,
    pub(crate) space: SpaceId,
    pub(crate) address: u64,
    /// Number of shared bytes, at most 8.
    pub(crate) bytes: u8,
    contents: Interner,
    instruction: Instruction,
    machine: Machine,
    scratch: ScratchExecutor,
}

/// Splits the accesses of an instruction into conflict sets, ascending by address.
/// Accesses without a conflict are in no set. `None` if a set has more than eight
/// bytes, which is not searched.
pub(crate) fn split(
    instruction: &Instruction,
    accesses: &[Access],
    machine: &Machine,
) -> Option<Vec<ConflictSet>> {
    let mut members: Vec<Vec<Access>> = Vec::new();
    for (access, group) in accesses.iter().zip(conflict_groups(accesses)) {
        let Some(group) = group.map(lanewise_core::diagnostic::to_usize) else {
            continue;
        };
        if members.len() <= group {
            members.resize(group + 1, Vec::new());
        }
        members[group].push(*access);
    }
    let sets = (0..)
        .zip(&members)
        .map(|(group, members)| ConflictSet::new(instruction, group, members, machine));
    sets.collect()
}

impl ConflictSet {
    fn new(
        instruction: &Instruction,
        group: u32,
        members: &[Access],
        machine: &Machine,
    ) -> Option<Self> {
        let space = members[0].space;
        let first = members.iter().map(|a| a.address).min();
        let address = first.expect("a group has at least two accesses");
        let end = members
            .iter()
            .map(|a| a.address - address + u64::from(a.bytes));
        let bytes = end.max().and_then(|bytes| u8::try_from(bytes).ok());
        let bytes = bytes.filter(|bytes| *bytes <= 8)?;
        let mut classes: Vec<EquivalenceClass> = Vec::new();
        let mut class_of = Vec::new();
        for (lane, access) in members.iter().enumerate() {
            let operands = |a: &Access| (a.address, a.bytes, a.src0, a.src1, a.dst.is_some());
            let same = |class: &EquivalenceClass| operands(&class.access) == operands(access);
            let class = classes.iter().position(same).unwrap_or_else(|| {
                classes.push(EquivalenceClass {
                    access: *access,
                    lanes: Vec::new(),
                });
                classes.len() - 1
            });
            classes[class].lanes.push(lane);
            class_of.push(class);
        }
        let mut contents = Interner::new(1);
        let start = machine.load(space, address, bytes);
        contents.intern(&[start.expect("accesses without a fault are mapped")]);
        Some(Self {
            group,
            units: members.iter().map(|a| a.unit).collect(),
            class_of,
            classes,
            returns: members.iter().any(|a| a.dst.is_some()),
            returns_content: true,
            space,
            address,
            bytes,
            contents,
            instruction: instruction.clone(),
            machine: machine.clone(),
            scratch: ScratchExecutor::default(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// The value of a content.
    pub(crate) fn content(&self, number: usize) -> u64 {
        self.contents.row(number)[0]
    }

    /// Number of known contents.
    pub(crate) fn contents_len(&self) -> usize {
        self.contents.len()
    }

    /// The number of a content.
    pub(crate) fn number_of(&mut self, content: u64) -> usize {
        self.contents.intern(&[content]).0
    }

    /// Performs an access of a class on a content, with the semantics of the instruction.
    pub(crate) fn apply(
        &mut self,
        class: usize,
        content: usize,
        symbols: &SymbolTable,
    ) -> Transition {
        let old = self.content(content);
        let access = self.classes[class].access;
        self.machine
            .space_mut(self.space)
            .expect("the space exists")
            .store(self.address, self.bytes, old);
        let changes = self.scratch.perform_accesses(
            &self.instruction,
            core::slice::from_ref(&access),
            &mut self.machine,
            symbols,
        );
        let registers = SpaceId::registers(access.unit.thread);
        let returned = changes
            .iter()
            .find(|c| c.space == registers && Some(c.address) == access.dst.map(u64::from));
        let returned = returned.map_or(0, |change| change.new);
        let new = self.machine.load(self.space, self.address, self.bytes);
        let new = new.expect("the cell is mapped");
        let next = self.number_of(new);
        self.returns_content &= returned == old;
        Transition { next, returned }
    }

    /// The addend of each class, if all of them only add to the same cell.
    pub(crate) fn addends(&self, symbols: &SymbolTable) -> Option<Vec<u64>> {
        let addend = |class: &EquivalenceClass| {
            let access = &class.access;
            let addend = self.instruction.adds(access, symbols)?;
            let same = (access.address, access.bytes) == (self.address, self.bytes);
            same.then_some(addend)
        };
        self.classes.iter().map(addend).collect()
    }

    /// The values returned by a lane for some contents, ascending.
    pub(crate) fn returned(
        &mut self,
        lane: usize,
        found: impl IntoIterator<Item = u64>,
        symbols: &SymbolTable,
    ) -> Vec<u64> {
        let class = self.class_of[lane];
        let mut returned = Vec::new();
        for content in found {
            let number = self.number_of(content);
            returned.push(self.apply(class, number, symbols).returned);
        }
        sorted(returned)
    }

    /// The first state of a search: the number of lanes of each class, eight to a word, and
    /// content 0.
    pub(crate) fn first_row(&self) -> Vec<u64> {
        let size = |class: &EquivalenceClass| {
            let size = u8::try_from(class.lanes.len());
            size.expect("an instruction has at most 128 accesses")
        };
        let sizes: Vec<u8> = self.classes.iter().map(size).collect();
        let words = sizes.chunks(8).map(little_endian);
        words.chain([0]).collect()
    }
}

/// The different numbers, ascending.
pub(crate) fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The number of the content in a row, its last word.
pub(crate) fn to_content(row: &[u64]) -> usize {
    usize::try_from(row[row.len() - 1]).expect("content numbers fit a usize")
}

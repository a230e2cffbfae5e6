//! Accesses of one instruction that share bytes, and what each of them makes
//! of the bytes.

use super::keys::Keys;
use super::returns::insert;
use alloc::vec::Vec;
use lanewise_core::isa::{Access, Instruction, SymbolTable, Unit};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::session::{ScratchExecutor, conflict_groups};

/// Accesses that do the same to every content: same cell, same operands.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// One of them.
    access: Access,
    /// All of them, by their numbers in the group.
    pub(super) lanes: Vec<usize>,
}

/// Accesses that share bytes, and the means to make them one at a time.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) units: Vec<Unit>,
    /// The class of each.
    pub(super) class_of: Vec<usize>,
    pub(super) classes: Vec<Class>,
    /// Whether values are returned.
    pub(super) returns: bool,
    /// Whether every turn so far returned the content before it.
    pub(super) returns_old: bool,
    pub(super) space: SpaceId,
    /// The bytes that the accesses share: at most eight.
    pub(super) address: u64,
    pub(super) bytes: u8,
    /// Contents that were met, the first that before the instruction.
    contents: Keys,
    instruction: Instruction,
    machine: Machine,
    scratch: ScratchExecutor,
}

/// What one access does to a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// The content after it, by number.
    pub(super) next: usize,
    /// What it returns.
    pub(super) returned: u64,
}

/// Splits accesses into groups that share bytes. The others have one outcome.
/// `None` for a group of more than eight bytes, which no instruction makes:
/// their cells are aligned, and of one size.
pub(super) fn split(
    instruction: &Instruction,
    accesses: &[Access],
    machine: &Machine,
) -> Option<Vec<Group>> {
    let numbers = conflict_groups(accesses);
    let count = numbers.iter().flatten().max().map_or(0, |last| last + 1);
    let mut groups = Vec::new();
    for group in 0..count {
        let mut members: Vec<&Access> = Vec::new();
        for (access, number) in accesses.iter().zip(&numbers) {
            if *number == Some(group) {
                members.push(access);
            }
        }
        groups.push(Group::new(instruction, &members, machine)?);
    }
    Some(groups)
}

impl Group {
    fn new(instruction: &Instruction, members: &[&Access], machine: &Machine) -> Option<Self> {
        let space = members.first()?.space;
        let address = members.iter().map(|a| a.address).min()?;
        let reach = |a: &&Access| (a.address - address).saturating_add(a.bytes.into());
        let bytes = u8::try_from(members.iter().map(reach).max()?).ok();
        let bytes = bytes.filter(|bytes| *bytes <= 8)?;
        let mut classes: Vec<Class> = Vec::new();
        let mut class_of = Vec::new();
        for (lane, access) in members.iter().enumerate() {
            let same = |class: &Class| {
                let other = &class.access;
                (other.address, other.bytes, other.src0, other.src1)
                    == (access.address, access.bytes, access.src0, access.src1)
                    && other.dst.is_some() == access.dst.is_some()
            };
            let class = classes.iter().position(same).unwrap_or(classes.len());
            class_of.push(class);
            match classes.get_mut(class) {
                Some(class) => class.lanes.push(lane),
                None => classes.push(Class {
                    access: **access,
                    lanes: alloc::vec![lane],
                }),
            }
        }
        let mut contents = Keys::new(1);
        contents.number(&[machine.load(space, address, bytes)?]);
        Some(Self {
            units: members.iter().map(|a| a.unit).collect(),
            class_of,
            classes,
            returns: members.iter().any(|a| a.dst.is_some()),
            returns_old: true,
            space,
            address,
            bytes,
            contents,
            instruction: *instruction,
            machine: machine.clone(),
            scratch: ScratchExecutor::default(),
        })
    }

    /// The value of a content.
    pub(super) fn content(&self, number: usize) -> u64 {
        self.contents.row(number).first().copied().unwrap_or(0)
    }

    /// How many contents were met.
    pub(super) const fn met(&self) -> usize {
        self.contents.len()
    }

    /// Makes one access of a class with a content before it, by the
    /// instruction's own semantics.
    pub(super) fn turn(&mut self, class: usize, content: usize, symbols: &SymbolTable) -> Turn {
        let old = self.content(content);
        let nothing = Turn {
            next: content,
            returned: 0,
        };
        let Some(class) = self.classes.get(class) else {
            return nothing;
        };
        let access = class.access;
        if let Some(memory) = self.machine.space_mut(self.space) {
            memory.store(self.address, self.bytes, old);
        }
        let changes = self.scratch.perform(
            &self.instruction,
            core::slice::from_ref(&access),
            &mut self.machine,
            symbols,
        );
        let registers = SpaceId::registers(access.unit.eu);
        let returned = changes
            .iter()
            .find(|c| c.space == registers && Some(c.address) == access.dst.map(u64::from));
        let returned = returned.map_or(0, |change| change.new);
        let new = self.machine.load(self.space, self.address, self.bytes);
        let new = new.unwrap_or(old);
        let next = if new == old {
            content
        } else {
            self.contents.number(&[new]).0
        };
        self.returns_old &= returned == old;
        Turn { next, returned }
    }

    /// What each class adds to what it finds, if that is all that any of them
    /// does, to the same cell, and all of them return it or none does.
    pub(super) fn addends(&self, symbols: &SymbolTable) -> Option<Vec<u64>> {
        let addend = |class: &Class| {
            let access = &class.access;
            let same = (access.address, access.bytes) == (self.address, self.bytes)
                && access.dst.is_some() == self.returns;
            let addend = self.instruction.adds(access, symbols)?;
            same.then_some(addend)
        };
        self.classes.iter().map(addend).collect()
    }

    /// What an access returns where it finds one of some contents: values,
    /// ascending.
    pub(super) fn returned(
        &mut self,
        lane: usize,
        found: &[u64],
        symbols: &SymbolTable,
    ) -> Vec<u64> {
        let class = self.class_of.get(lane).copied().unwrap_or(0);
        let mut returned = Vec::new();
        for content in found {
            let number = self.contents.number(&[*content]).0;
            insert(&mut returned, self.turn(class, number, symbols).returned);
        }
        returned
    }

    /// The lanes of each class, as counts.
    pub(super) fn counts(&self) -> Vec<u8> {
        let counts = self.classes.iter().map(|c| c.lanes.len());
        counts.map(|n| u8::try_from(n).unwrap_or(u8::MAX)).collect()
    }
}

//! Undefined values of the lanes of a warp.
//!
//! An instruction computes undefined bits if they change with the undefined bits that it
//! reads: it is performed again on copies of the machine with other values of these.

use super::shadow::Mark;
use crate::isa::dataflow::Reads;
use crate::isa::sass::chip::Chip;
use crate::isa::sass::op::memory::LOCAL_BYTES;
use crate::isa::sass::op::operand::{KERNEL_FILE_BYTES, LaneRegister};
use crate::isa::sass::warp::{LANES, register_at};
use crate::isa::{Evaluation, LaneSource, ThreadSet};
use crate::machine::{Change, Journal, Machine, SpaceId, SpaceKind};
use crate::program::{Issue, Program};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

/// Bytes of the register file of a warp.
pub(super) const REGISTER_BYTES: u64 = KERNEL_FILE_BYTES;

/// Bytes of the local memories of the lanes of a warp.
pub(super) const LOCAL_MEMORY_BYTES: u64 = LANES as u64 * LOCAL_BYTES;

/// Bytes of the registers that have a value at the start of a warp.
pub(super) fn registers_at_start(chip: Chip) -> impl Iterator<Item = Range<u64>> {
    let register = chip.register_at_start().and_then(LaneRegister::named);
    let places = register.flatten().into_iter();
    places.flat_map(|register| {
        (0..LANES).map(move |lane| register.address(lane)..register.address(lane) + 4)
    })
}

/// A byte of a register, or a bit of a predicate, with an undefined value.
#[derive(Clone, Copy, Debug)]
pub(super) struct UndefinedUnit {
    pub(super) space: SpaceId,
    pub(super) unit: u64,
    pub(super) lane: u8,
    pub(super) mark: Mark,
}

/// Values that undefined bits are given.
#[derive(Clone, Copy, Debug)]
enum Trial<'s> {
    /// The same in each byte.
    Byte(u8),
    /// Different in each byte.
    Mixed,
    /// Those of a source, which a comparison may compare with.
    Like(&'s LaneSource),
}

impl Trial<'_> {
    fn byte(self, unit: &UndefinedUnit) -> u8 {
        let [low, ..] = match self {
            Self::Byte(byte) => [byte, 0, 0, 0, 0, 0, 0, 0],
            Self::Mixed => (unit.unit + 1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(8)
                .to_le_bytes(),
            Self::Like(source) => {
                let size = source.ty.map_or(4, |ty| u64::from(ty.bytes()).max(1));
                let bits = source.bits[usize::from(unit.lane)];
                (bits >> (unit.unit % size * 8)).to_le_bytes()
            }
        };
        low
    }
}

impl UndefinedUnit {
    pub(super) fn new(space: SpaceId, unit: u64, mark: Mark) -> Self {
        Self {
            space,
            unit,
            lane: lane_of(space, unit),
            mark,
        }
    }
}

/// Registers and predicates, by byte and bit, that an instruction can read.
pub(super) fn units_read(reads: &Reads, thread: u8) -> impl Iterator<Item = (SpaceId, u64)> {
    let (file, flags) = (SpaceId::registers(thread), SpaceId::flags(thread));
    let registers = reads.registers.iter().flat_map(Clone::clone);
    let registers = registers.map(move |byte| (file, u64::from(byte)));
    let bits = reads.flags.iter();
    let bits = bits.flat_map(|range| u64::from(range.start) * 8..u64::from(range.end) * 8);
    registers.chain(bits.map(move |bit| (flags, bit)))
}

/// The undefined bytes and bits that an instruction computes, with their marks.
pub(super) fn recomputed(
    program: &Program,
    issue: Issue,
    machine: &Machine,
    thread: u8,
    undefined: &[UndefinedUnit],
) -> Vec<(SpaceId, u64, Mark)> {
    let mut marked = Vec::new();
    if undefined.is_empty() {
        return marked;
    }
    let instruction = &program.instruction(issue).instruction;
    let given = |trial: Trial<'_>| {
        let mut other = machine.clone();
        for unit in undefined {
            give(&mut other, unit, trial.byte(unit));
        }
        other
    };
    let performed = |mut machine: Machine| {
        let mut journal = Journal::new();
        let threads = ThreadSet::from(thread, 1);
        let context = program.context(Issue { threads, ..issue }, &machine);
        let mut evaluation = Evaluation::default();
        let evaluated = instruction.evaluate(&context, &mut evaluation);
        evaluated.expect("only instructions that are executed are tried");
        evaluation.perform(
            instruction,
            threads,
            &mut machine,
            &program.symbols,
            &mut journal,
        );
        let changes: Vec<Change> = journal.changes().to_vec();
        (machine, changes)
    };
    let computation = instruction.computation(&program.context(issue, machine), thread);
    let sources = computation
        .iter()
        .flat_map(|computation| &computation.sources);
    let trials = [Trial::Byte(0), Trial::Byte(0xff), Trial::Mixed];
    let trials = trials.into_iter().chain(sources.map(Trial::Like));
    let before = given(Trial::Mixed);
    let (mixed, _) = performed(before.clone());
    let (first, changes) = performed(machine.clone());
    let mut differs: BTreeMap<(SpaceId, u64), u64> = BTreeMap::new();
    for trial in trials {
        let (other, changed) = performed(given(trial));
        for change in changes.iter().chain(&changed) {
            let (space, at, bytes) = (change.space, change.address, change.bytes);
            // What it reads and does not write differs, too.
            let [one, two] = [&first, &other].map(|machine| {
                let held = machine.load(space, at, bytes);
                held.expect("the instruction has written it")
            });
            let bits = one ^ two;
            for byte in (0..u64::from(bytes)).filter(|byte| bits >> (byte * 8) & 0xff != 0) {
                let bits = bits >> (byte * 8) & 0xff;
                *differs.entry((space, at + byte)).or_default() |= bits;
            }
        }
    }
    for ((space, at), bits) in differs {
        let is_flag = matches!(space.kind(), SpaceKind::Flags(_));
        let units = match is_flag {
            true => (0..8)
                .filter(|bit| bits >> bit & 1 == 1)
                .map(|bit| at * 8 + bit)
                .collect(),
            false => Vec::from([at]),
        };
        for unit in units {
            let lane = lane_of(space, unit);
            let own = undefined.iter().find(|unit| unit.lane == lane);
            let mark = own.unwrap_or(&undefined[0]).mark;
            let is_copy = computation.iter().flat_map(|c| &c.sources).any(|source| {
                let size = source.ty.map_or(4, |ty| ty.bytes());
                let place = source.places.as_ref().filter(|_| !is_flag);
                let place = place.map(|places| places.addresses[usize::from(lane)]);
                let held = place.and_then(|at| before.load(space, at, size));
                held.is_some() && held == mixed.load(space, unit & !u64::from(size - 1), size)
            });
            let mark = if is_copy { mark } else { mark.computed() };
            marked.push((space, unit, mark));
        }
    }
    marked
}

/// The lane of a byte of a register or a bit of a predicate.
fn lane_of(space: SpaceId, unit: u64) -> u8 {
    let lane = match space.kind() {
        SpaceKind::Flags(_) => unit % u64::from(LANES),
        _ => register_at(unit).0,
    };
    u8::try_from(lane).expect("there are 32 lanes")
}

/// Gives an undefined unit a value.
fn give(machine: &mut Machine, unit: &UndefinedUnit, byte: u8) {
    let is_flag = matches!(unit.space.kind(), SpaceKind::Flags(_));
    let (at, byte) = match is_flag {
        true => {
            let (at, bit) = (unit.unit / 8, unit.unit % 8);
            let old = machine.load(unit.space, at, 1);
            let old = old.expect("the flags of a warp are mapped");
            let new = u64::from(byte & 1) << bit;
            (at, old & !(1 << bit) | new)
        }
        false => (unit.unit, u64::from(byte)),
    };
    machine.store(&mut crate::machine::NoJournal, unit.space, at, 1, byte);
}

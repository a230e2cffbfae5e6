//! Execution of read-modify-write accesses, one after another: each reads its cell,
//! writes it and returns a value atomically.

use super::Access;
use super::rmw::{Rmw, Width};
use crate::machine::{Change, Machine, Memory, Recorder, SpaceId, update_cell};
use alloc::format;
use alloc::string::String;

/// The read-modify-write of an instruction's accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The arithmetic.
    pub rmw: Rmw,
    /// Whether src1 is the first operand and src0 the second.
    pub swapped: bool,
    /// Whether the new value is returned instead of the old one.
    pub returns_new: bool,
}

impl Update {
    /// The operands of the arithmetic.
    #[must_use]
    #[inline]
    pub const fn roles(self, access: &Access) -> (u64, u64) {
        if self.swapped {
            (access.src1, access.src0)
        } else {
            (access.src0, access.src1)
        }
    }

    /// Describes what an access has done to its cell: `4 + 5 → 9`.
    #[must_use]
    pub fn describe(
        self,
        width: Width,
        change: &Change,
        access: &Access,
        show: impl Fn(u64) -> String,
    ) -> String {
        let (a, b) = self.roles(access);
        let (old, new) = (show(change.old), show(change.new));
        let (operand, expected) = (show(a), show(b));
        match self.rmw {
            Rmw::Add | Rmw::FloatAdd | Rmw::BfAdd | Rmw::FlushedFloatAdd => {
                format!("{old} + {operand} → {new}")
            }
            Rmw::PairAdd(_) | Rmw::BfPairAdd => format!("{old} + {operand} → {new}"),
            Rmw::Sub | Rmw::FloatSub | Rmw::BfSub => format!("{old} − {operand} → {new}"),
            Rmw::IncrementTo if change.old >= a => format!("{old} reached {operand} → {new}"),
            Rmw::Increment | Rmw::IncrementTo => format!("{old} + 1 → {new}"),
            Rmw::DecrementFrom if change.old == 0 => format!("{old} wraps to {operand} → {new}"),
            Rmw::DecrementFrom if change.old > a => format!("{old} exceeds {operand} → {new}"),
            Rmw::Decrement | Rmw::DecrementFrom => format!("{old} − 1 → {new}"),
            Rmw::Min | Rmw::SignedMin | Rmw::FloatMin | Rmw::BfMin => {
                format!("min({old}, {operand}) → {new}")
            }
            Rmw::PairMin(_) | Rmw::BfPairMin => format!("min({old}, {operand}) → {new}"),
            Rmw::Max | Rmw::SignedMax | Rmw::FloatMax | Rmw::BfMax => {
                format!("max({old}, {operand}) → {new}")
            }
            Rmw::PairMax(_) | Rmw::BfPairMax => format!("max({old}, {operand}) → {new}"),
            Rmw::Exchange | Rmw::Arrive(_) => format!("{old} → {new}"),
            Rmw::And => format!("{old} & {operand} → {new}"),
            Rmw::Or => format!("{old} | {operand} → {new}"),
            Rmw::Xor => format!("{old} ^ {operand} → {new}"),
            Rmw::CompareExchange | Rmw::FloatCompareExchange | Rmw::BfCompareExchange => {
                match self.rmw.compares_equal(width, change.old, b) {
                    Some(true) => format!("expected {expected}, found {old}: {old} → {new}"),
                    _ => format!("expected {expected}, found {old}: not swapped"),
                }
            }
        }
    }

    /// Computes the new value of a cell with value `old` and the value returned to the
    /// lane.
    #[must_use]
    #[inline(always)]
    pub fn apply(self, width: Width, old: u64, access: &Access) -> Updated {
        let (a, b) = self.roles(access);
        let new = self.rmw.apply(width, old, a, b);
        Updated {
            new,
            returned: if self.returns_new { new } else { old },
        }
    }

    /// The comparison made by a compare-and-swap access that found `found` in its cell;
    /// `None` for other operations.
    #[must_use]
    pub fn comparison(self, access: &Access, found: u64) -> Option<Comparison> {
        let (replacement, expected) = self.roles(access);
        let width = match access.bytes {
            2 => Width::W16,
            4 => Width::W32,
            8 => Width::W64,
            _ => return None,
        };
        let equal = self.rmw.compares_equal(width, found, expected)?;
        Some(Comparison {
            expected,
            replacement,
            equal,
        })
    }
}

/// The comparison of a compare-and-swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The expected value of the cell.
    pub expected: u64,
    /// The value written on success.
    pub replacement: u64,
    /// Whether the cell had the expected value, compared bitwise or as floats depending
    /// on the operation.
    pub equal: bool,
}

/// Result of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updated {
    /// The new value of the cell.
    pub new: u64,
    /// The value returned to the lane.
    pub returned: u64,
}

/// Performs accesses of one size in order, each writing memory first and then the
/// returned value. Only this size of dst is written: in vISA's 16-bit forms, the upper
/// half is unchanged (assumed). An out-of-bounds cell is not updated and returns 0.
pub fn perform<R: Recorder>(
    update: Update,
    accesses: &[Access],
    machine: &mut Machine,
    recorder: &mut R,
) {
    for turn in accesses.chunk_by(|a, b| a.unit.thread == b.unit.thread && a.space == b.space) {
        match turn.first().map(|first| first.bytes) {
            Some(2) => perform_cells::<2, R>(update, turn, machine, recorder),
            Some(8) => perform_cells::<8, R>(update, turn, machine, recorder),
            _ => perform_cells::<4, R>(update, turn, machine, recorder),
        }
    }
}

/// Performs the accesses of one thread to one space.
fn perform_cells<const BYTES: usize, R: Recorder>(
    update: Update,
    accesses: &[Access],
    machine: &mut Machine,
    recorder: &mut R,
) {
    let Some(first) = accesses.first() else {
        return;
    };
    let registers = SpaceId::registers(first.unit.thread);
    let spaces = machine.two_spaces(first.space, registers);
    let [memory, file] = spaces.expect("memory and registers are separate spaces");
    let mut rest = accesses;
    // Lanes mostly access one page of memory and one of registers, so look up the
    // pages once for a run of lanes.
    while let Some(first) = rest.first() {
        let mut cells = memory.window(first.address);
        let mut slots = first.dst.and_then(|dst| file.window(u64::from(dst)));
        let mut done = 0;
        for access in rest {
            let cell = match &mut cells {
                _ if !access.in_bounds => None,
                Some(cells) => match cells.cell::<BYTES>(access.address) {
                    None => break,
                    cell => cell,
                },
                None => break,
            };
            let slot = match (access.dst, &mut slots) {
                (None, _) => None,
                (Some(dst), Some(slots)) => match slots.cell::<BYTES>(u64::from(dst)) {
                    None => break,
                    slot => slot,
                },
                (Some(_), None) => break,
            };
            perform_one(update, access, cell, slot, recorder);
            done += 1;
        }
        if done == 0 {
            perform_across::<BYTES, R>(update, first, memory, file, recorder);
            done = 1;
        }
        rest = rest.get(done..).expect("`done` is at most the length");
    }
}

/// Performs an access whose cell or slot straddles two pages, on copies.
#[cold]
fn perform_across<const BYTES: usize, R: Recorder>(
    update: Update,
    access: &Access,
    memory: &mut Memory,
    file: &mut Memory,
    recorder: &mut R,
) {
    let (mut cell, mut slot) = ([0; BYTES], [0; BYTES]);
    let mapped = access.in_bounds && memory.read(access.address, &mut cell) == BYTES;
    let dst = access.dst.map(u64::from);
    let wanted = dst.is_some_and(|dst| file.read(dst, &mut slot) == BYTES);
    perform_one(
        update,
        access,
        mapped.then_some(&mut cell),
        wanted.then_some(&mut slot),
        recorder,
    );
    if mapped {
        memory.write(access.address, &cell);
    }
    if let Some(dst) = dst.filter(|_| wanted) {
        file.write(dst, &slot);
    }
}

/// Performs one access: memory first, then the returned value. A missing cell is out
/// of bounds; a missing slot is a null dst.
#[inline]
fn perform_one<const BYTES: usize, R: Recorder>(
    update: Update,
    access: &Access,
    cell: Option<&mut [u8; BYTES]>,
    slot: Option<&mut [u8; BYTES]>,
    recorder: &mut R,
) {
    let width = const {
        match BYTES {
            2 => Width::W16,
            4 => Width::W32,
            _ => Width::W64,
        }
    };
    let change = |space, address, (old, new)| Change {
        space,
        bytes: width.bytes(),
        address,
        old,
        new,
    };
    recorder.begin();
    let mut returned = 0;
    if let Some(cell) = cell {
        let values = update_cell(cell, |old| {
            let updated = update.apply(width, old, access);
            returned = updated.returned;
            updated.new
        });
        recorder.record(change(access.space, access.address, values));
    }
    if let (Some(slot), Some(dst)) = (slot, access.dst) {
        let values = update_cell(slot, |_| returned);
        let registers = SpaceId::registers(access.unit.thread);
        recorder.record(change(registers, u64::from(dst), values));
    }
}

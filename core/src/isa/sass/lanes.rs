//! The lanes of a warp: who takes part, and what they hold.

use super::register::{Guard, Register};
use super::warp::{LANE_BYTES, LANES, predicate_address, register_address};
use crate::isa::Stage;
use crate::isa::rmw::Width;
use crate::machine::{Memory, SpaceId};

/// Bytes of the registers of a lane.
const BLOCK: usize = 1024;
const _: () = assert!(LANE_BYTES == 1024, "a block is a lane");

/// A word of the flags: 0 for the lanes that take part, then the predicates.
fn flags(stage: &Stage<'_>, address: u64) -> u32 {
    let word = stage.machine.load(SpaceId::flags(0), address, 4);
    u32::try_from(word.unwrap_or(0)).unwrap_or(0)
}

/// The lanes whose guard holds.
fn guarded(guard: Guard, stage: &Stage<'_>) -> u32 {
    let address = predicate_address(guard.predicate.0);
    let set = match guard.predicate.is_true() {
        true => u32::MAX,
        false => flags(stage, address),
    };
    guard.lanes(set)
}

/// The lanes that take part: no helper pixels, not killed, covered, and with
/// a guard that holds.
#[must_use]
pub fn taking_part(guard: Guard, stage: &Stage<'_>) -> u32 {
    flags(stage, 0) & guarded(guard, stage)
}

/// Why a lane takes no part; empty if it does.
#[must_use]
pub fn why_idle(guard: Guard, stage: &Stage<'_>, lane: u8) -> &'static str {
    let warp = &stage.names.sass;
    let is_in = |mask: u32| mask.checked_shr(lane.into()).unwrap_or(0) & 1 == 1;
    if is_in(warp.helper) {
        "helper pixel"
    } else if is_in(warp.killed) {
        "killed"
    } else if is_in(warp.uncovered) {
        "no raster coverage"
    } else if !is_in(guarded(guard, stage)) {
        "guard"
    } else {
        ""
    }
}

/// The registers of one lane.
#[derive(Clone, Copy)]
pub struct Lane<'m> {
    /// Its number.
    pub number: u8,
    block: &'m [u8; BLOCK],
}

/// The lanes of `mask`, ascending, with their registers.
pub fn of<'m>(mask: u32, registers: &'m Memory) -> impl Iterator<Item = Lane<'m>> {
    let lanes = (0..LANES).filter(move |lane| mask >> lane & 1 == 1);
    lanes.filter_map(|number| {
        let block = registers.block(register_address(number, 0))?;
        Some(Lane { number, block })
    })
}

impl Lane<'_> {
    /// What a register holds, 32 bits.
    #[must_use]
    #[inline]
    pub fn word(&self, register: Register) -> u64 {
        // RZ reads the four bytes that nothing writes.
        let bytes = self.block.get(4 * usize::from(register.0)..);
        let bytes = bytes.and_then(<[u8]>::first_chunk);
        u64::from(bytes.map_or(0, |b| u32::from_le_bytes(*b)))
    }

    /// What a register and the next one hold, low word first.
    #[must_use]
    #[inline]
    pub fn pair(&self, register: Register) -> u64 {
        let bytes = self.block.get(4 * usize::from(register.0)..);
        let bytes = bytes.and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |b| u64::from_le_bytes(*b))
    }

    /// What a register holds, or a pair for 64 bits.
    #[must_use]
    #[inline]
    pub fn value(&self, register: Register, width: Width) -> u64 {
        match width {
            Width::W64 => self.pair(register),
            _ => self.word(register),
        }
    }

    /// Where a register lies in the register file; nowhere for RZ.
    #[must_use]
    #[inline]
    pub fn place(&self, register: Register) -> Option<u32> {
        let address = register_address(self.number, register.0);
        u32::try_from(address).ok().filter(|_| !register.is_zero())
    }
}

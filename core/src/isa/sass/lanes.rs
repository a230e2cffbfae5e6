//! The lanes of a warp: who takes part, and what they hold.

use super::register::{Guard, Register};
use super::warp::{LANES, predicate_address, register_address};
use crate::isa::IssueContext;
use crate::machine::{Memory, SpaceId};
use crate::number::low_mask;

/// Lanes of a warp.
const COUNT: usize = LANES as usize;

/// Bytes of a pair of registers in every lane.
const PAIRS: usize = 8 * COUNT;

/// A word of the flags: 0 for the lanes that take part, then the predicates.
fn flags(context: &IssueContext<'_>, address: u64) -> u32 {
    let word = context.machine.load(SpaceId::flags(0), address, 4);
    let word = word.expect("a warp has its flags");
    u32::try_from(word).expect("four bytes were read")
}

/// The lanes whose guard holds.
fn guarded(guard: Guard, context: &IssueContext<'_>) -> u32 {
    let address = predicate_address(guard.predicate.0);
    let set = match guard.predicate.is_true() {
        true => u32::MAX,
        false => flags(context, address),
    };
    guard.lanes(set)
}

/// The lanes that take part: no helper pixels, not killed, covered, and with
/// a guard that holds.
#[must_use]
pub fn taking_part(guard: Guard, context: &IssueContext<'_>) -> u32 {
    flags(context, 0) & guarded(guard, context)
}

/// Why a lane takes no part; empty if it does.
#[must_use]
pub fn why_idle(guard: Guard, context: &IssueContext<'_>, lane: u8) -> &'static str {
    let warp = &context.symbols.sass;
    debug_assert!(lane < LANES);
    let is_in = |mask: u32| mask >> lane & 1 == 1;
    if is_in(warp.helper) {
        "helper pixel"
    } else if is_in(warp.killed) {
        "killed"
    } else if is_in(warp.uncovered) {
        "no raster coverage"
    } else if !is_in(guarded(guard, context)) {
        "guard"
    } else {
        ""
    }
}

/// What a register holds in every lane; with `wide`, it and the next one, low
/// word first.
#[must_use]
pub fn read(registers: &Memory, register: Register, wide: bool) -> [u64; COUNT] {
    let mut values = [0; COUNT];
    let even = register_address(0, register.0 & !1);
    if register.is_zero() {
        return values;
    }
    let pairs = registers.block::<PAIRS>(even);
    let (pairs, _) = pairs.expect("a pair lies in one page").as_chunks::<8>();
    let shift = if register.0 % 2 == 1 { 32 } else { 0 };
    let mask = if wide { u64::MAX } else { low_mask(32) };
    for (value, pair) in values.iter_mut().zip(pairs) {
        *value = u64::from_le_bytes(*pair) >> shift & mask;
    }
    values
}

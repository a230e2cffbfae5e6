//! In which bytes results differ.

use super::{Cell, Outcome};
use alloc::vec::Vec;

/// A byte of some result.
#[derive(Clone, Copy)]
struct Byte {
    place: (u16, u64),
    value: u8,
    /// How many results change it, and whether to different values.
    seen: usize,
    differs: bool,
}

/// The bytes in which results differ, by space and address, ascending.
#[must_use]
pub fn differing(outcomes: &[Outcome]) -> Vec<(u16, u64)> {
    let mut bytes: Vec<Byte> = Vec::new();
    let mut new: Vec<Byte> = Vec::new();
    for outcome in outcomes {
        // Both are in order.
        let mut known = bytes.iter_mut().peekable();
        for cell in &outcome.cells {
            let place = (cell.space.0, cell.address);
            while known.next_if(|byte| byte.place < place).is_some() {}
            match known.next_if(|byte| byte.place == place) {
                Some(byte) => {
                    byte.seen += 1;
                    byte.differs |= byte.value != cell.value;
                }
                None => new.push(Byte::of(cell)),
            }
        }
        if !new.is_empty() {
            // Two runs in order: that takes one pass.
            bytes.append(&mut new);
            bytes.sort_by_key(|byte| byte.place);
        }
    }
    let all = outcomes.len();
    let differing = bytes.iter().filter(|byte| byte.differs || byte.seen < all);
    differing.map(|byte| byte.place).collect()
}

impl Byte {
    const fn of(cell: &Cell) -> Self {
        Self {
            place: (cell.space.0, cell.address),
            value: cell.value,
            seen: 1,
            differs: false,
        }
    }
}

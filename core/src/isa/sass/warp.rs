//! The warp of a SASS program: lanes, registers and address windows.

use super::chip::Chip;
use crate::machine::flag_address;
use alloc::vec::Vec;

/// Lanes of a warp.
pub const LANES: u8 = 32;

/// Bytes of a register pair in all lanes.
pub const PAIR_BYTES: u64 = 8 * LANES as u64;

/// Bytes of the register file: R0 to R254, and four unused bytes per lane.
pub const FILE_BYTES: u64 = 128 * PAIR_BYTES;

/// Size and alignment of a window of the generic address space, in bytes.
pub const WINDOW_BYTES: u64 = 1 << 24;

/// Bits of a global-memory address; larger addresses are out of range.
pub const ADDRESS_BITS: u32 = 40;

/// Register-file address of a register of a lane. The registers of a pair are
/// adjacent, so that a 64-bit value is one cell, and followed by those of the other
/// lanes, so that all lanes can be read at once.
#[must_use]
pub const fn register_address(lane: u8, register: u8) -> u64 {
    let pair = register as u64 / 2 * PAIR_BYTES;
    pair + lane as u64 * 8 + register as u64 % 2 * 4
}

/// The lane and register at an address.
#[must_use]
pub const fn register_at(address: u64) -> (u64, u64) {
    let (pair, within) = (address / PAIR_BYTES, address % PAIR_BYTES);
    (within / 8, pair * 2 + within % 8 / 4)
}

/// Address of a predicate in the flags space, with one bit per lane.
#[must_use]
pub const fn predicate_address(predicate: u8) -> u64 {
    flag_address(predicate as u16 + 1)
}

/// Declarations about the warp of a program.
#[derive(Clone, Debug, Default)]
pub struct Warp {
    /// The chip it runs on.
    pub chip: Chip,
    /// Mask of the helper-pixel lanes.
    pub helper: u32,
    /// Mask of the killed lanes.
    pub killed: u32,
    /// Mask of the lanes without raster coverage.
    pub uncovered: u32,
    /// Start of the window of shared memory, if `.window` sets it.
    shared: Option<u64>,
    /// Start of the window of local memory, in bytes.
    local: Option<u64>,
    /// Nonresident ranges as pairs of first and last byte.
    pub sparse: Vec<(u64, u64)>,
    registers: [u64; 4],
    predicates: u8,
}

/// A window of the generic address space that is not global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressWindow {
    /// Shared memory of the thread group.
    Shared,
    /// Local memory of the thread.
    Local,
}

impl AddressWindow {
    /// Its name in `.window NAME …`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Local => "local",
        }
    }
}

impl Warp {
    /// Start of a window; by default 0x01000000 for shared and 0x02000000 for local
    /// memory.
    #[must_use]
    pub fn window(&self, window: AddressWindow) -> u64 {
        match window {
            AddressWindow::Shared => self.shared.unwrap_or(0x0100_0000),
            AddressWindow::Local => self.local.unwrap_or(0x0200_0000),
        }
    }

    /// Sets the start of a window.
    pub fn set_window(&mut self, window: AddressWindow, start: u64) {
        match window {
            AddressWindow::Shared => self.shared = Some(start),
            AddressWindow::Local => self.local = Some(start),
        }
    }

    /// The starts of both windows. A window contains the addresses that are equal to its
    /// start above bit 23.
    #[must_use]
    pub fn windows(&self) -> [u64; 2] {
        [AddressWindow::Shared, AddressWindow::Local].map(|window| self.window(window))
    }

    /// The window that contains an address.
    #[must_use]
    pub fn window_at(&self, address: u64) -> Option<AddressWindow> {
        let start = address & !(WINDOW_BYTES - 1);
        [AddressWindow::Shared, AddressWindow::Local]
            .into_iter()
            .find(|window| self.window(*window) == start)
    }

    /// Whether an address is in a nonresident range.
    #[must_use]
    pub fn is_sparse(&self, address: u64) -> bool {
        self.sparse
            .iter()
            .any(|(start, last)| (*start..=*last).contains(&address))
    }

    /// Mask of the lanes that participate before guards: not helper pixels, not killed,
    /// and with raster coverage.
    #[must_use]
    pub const fn participating(&self) -> u32 {
        !(self.helper | self.killed | self.uncovered)
    }

    /// Records a register used by the program.
    pub fn note_register(&mut self, register: u8) {
        if let Some(word) = self.registers.get_mut(usize::from(register / 64)) {
            *word |= 1 << (register % 64);
        }
    }

    /// Records a predicate used by the program.
    pub const fn note_predicate(&mut self, predicate: u8) {
        if predicate < 7 {
            self.predicates |= 1 << predicate;
        }
    }

    /// The registers used by the program except RZ, ascending.
    pub fn registers(&self) -> impl Iterator<Item = u8> + '_ {
        (0..u8::MAX).filter(|register| {
            let word = self.registers.get(usize::from(register / 64));
            word.is_some_and(|word| word >> (register % 64) & 1 == 1)
        })
    }

    /// The predicates used by the program except PT, ascending.
    pub fn predicates(&self) -> impl Iterator<Item = u8> + '_ {
        (0..7).filter(|predicate| self.predicates >> predicate & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_addresses_are_distinct() {
        let mut seen = std::vec![false; 8192];
        for lane in 0..LANES {
            for register in 0..=u8::MAX {
                let address = register_address(lane, register);
                assert_eq!(register_at(address), (lane.into(), register.into()));
                let place = &mut seen[usize::try_from(address / 4).unwrap()];
                assert!(!*place, "{lane} {register}");
                *place = true;
            }
        }
        assert_eq!(register_address(3, 5), register_address(3, 4) + 4);
    }

    #[test]
    fn windows_are_sixteen_megabytes_in_the_low_four_gigabytes() {
        let mut warp = Warp::default();
        assert_eq!(warp.window_at(0x0100_0000), Some(AddressWindow::Shared));
        assert_eq!(warp.window_at(0x02ff_ffff), Some(AddressWindow::Local));
        assert_eq!(warp.window_at(0x0300_0000), None);
        assert_eq!(warp.window_at(0x1_0100_0000), None);
        warp.set_window(AddressWindow::Shared, 0x0500_0000);
        assert_eq!(warp.window_at(0x0100_0000), None);
        assert_eq!(warp.window_at(0x0512_3456), Some(AddressWindow::Shared));
    }
}

//! How CAS keeps its two operands: one register number and what it stands for.

use super::register::Register;
use crate::bits::{BitField, SymbolResolver};
use crate::isa::rmw::Width;
use alloc::string::String;

/// What the one number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pair {
    /// Rb is Rn; Rc lies behind it, one register on or, for 64 bits, two.
    Both,
    /// Rb is Rn, Rc is RZ.
    StoresZero,
    /// Rb is RZ, Rc is Rn: has bits, and is illegal.
    ComparesZero,
}

const fn step(width: Width) -> u8 {
    match width {
        Width::W64 => 2,
        _ => 1,
    }
}

impl Pair {
    /// Rb and Rc; `None` where Rc would lie past the last register.
    #[must_use]
    pub fn registers(self, stored: Register, width: Width) -> Option<(Register, Register)> {
        match self {
            Self::Both => {
                let next = stored.0.checked_add(step(width)).map(Register);
                next.filter(|next| !next.is_zero()).map(|rc| (stored, rc))
            }
            Self::StoresZero => Some((stored, Register::ZERO)),
            // RZ twice is written the other way.
            Self::ComparesZero => (!stored.is_zero()).then_some((Register::ZERO, stored)),
        }
    }

    /// How Rb and Rc are kept, and the number; `None` where they cannot be.
    #[must_use]
    pub fn of(rb: Register, rc: Register, width: Width) -> Option<(Self, Register)> {
        if rc.is_zero() {
            Some((Self::StoresZero, rb))
        } else if rb.is_zero() {
            Some((Self::ComparesZero, rc))
        } else {
            let together = Self::Both.registers(rb, width) == Some((rb, rc));
            together.then_some((Self::Both, rb))
        }
    }
}

impl BitField for Pair {
    fn to_bits(self) -> u64 {
        match self {
            Self::Both => 0,
            Self::StoresZero => 1,
            Self::ComparesZero => 2,
        }
    }
    fn from_bits(bits: u64) -> Option<Self> {
        match bits {
            0 => Some(Self::Both),
            1 => Some(Self::StoresZero),
            2 => Some(Self::ComparesZero),
            _ => None,
        }
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        String::from(match self {
            Self::Both => "both, one after the other",
            Self::StoresZero => "Rc is RZ",
            Self::ComparesZero => "Rb is RZ",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_kept_comes_back() {
        for width in [Width::W32, Width::W64] {
            for rb in 0..=255 {
                for rc in 0..=255 {
                    let (rb, rc) = (Register(rb), Register(rc));
                    if let Some((pair, stored)) = Pair::of(rb, rc, width) {
                        assert_eq!(pair.registers(stored, width), Some((rb, rc)));
                    }
                }
            }
        }
        assert_eq!(Pair::Both.registers(Register(254), Width::W32), None);
        assert_eq!(Pair::Both.registers(Register(253), Width::W64), None);
        assert_eq!(
            Pair::ComparesZero.registers(Register(255), Width::W32),
            None
        );
    }
}

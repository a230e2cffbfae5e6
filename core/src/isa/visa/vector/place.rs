//! Where the elements of a vector operand lie, and what a scalar one is worth.

use super::{DirectOperand, ImmediateOperand, IndirectOperand, VectorOperand};
use crate::isa::visa::declarations::{Declarations, address_element};
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, low_mask, sign_extend};

impl DirectOperand {
    /// The byte of its variable at which its first element starts: R registers
    /// and C elements of the variable's type. None for an unknown variable.
    #[must_use]
    pub fn byte(self, symbols: &Declarations) -> Option<u32> {
        let element = u32::from(symbols.general(self.id.0)?.ty.bytes());
        Some(u32::from(self.row) * symbols.grf_bytes() + u32::from(self.column) * element)
    }

    /// Where its first element starts in the register file.
    #[must_use]
    pub fn register_byte(self, symbols: &Declarations) -> Option<u64> {
        let base = symbols.general(self.id.0)?.offset;
        Some(u64::from(base) + u64::from(self.byte(symbols)?))
    }
}

impl IndirectOperand {
    /// Where its first element starts in the register file of an EU: what the
    /// address variable holds, and the offset. None below 0.
    #[must_use]
    pub fn register_byte(self, machine: &Machine, eu: u8) -> Option<u64> {
        let at = address_element(self.id.0, self.element);
        let address = machine.load(SpaceId::flags(eu), at, 4)?;
        address.checked_add_signed(i64::from(self.offset.0))
    }
}

impl ImmediateOperand {
    /// The bits of its type; the encoding may hold more, which do not count.
    #[must_use]
    pub fn value(self) -> u64 {
        self.bits & low_mask(8 * u32::from(self.ty.bytes()))
    }

    /// Whether the encoding holds nothing that the type has no room for: the
    /// bits of the type, of a signed one perhaps widened by its sign.
    #[must_use]
    pub fn fits(self) -> bool {
        let bits = 8 * u32::from(self.ty.bytes());
        let signed = self.ty.element().is_some_and(ElementType::is_signed);
        let widened = sign_extend(self.bits, bits).cast_unsigned() & low_mask(32);
        self.bits == self.value() || signed && bits < 32 && self.bits == widened
    }
}

impl VectorOperand {
    /// The type of its elements; none where they have none of their own.
    #[must_use]
    pub fn element_type(self, symbols: &Declarations) -> Option<ElementType> {
        match self {
            Self::Direct(direct) => Some(symbols.general(direct.id.0)?.ty),
            Self::Indirect(indirect) => indirect.ty.element(),
            Self::Immediate(immediate) => immediate.ty.element(),
            Self::Address { .. } | Self::Predicate(_) | Self::State { .. } => None,
        }
    }

    /// Where its first element starts in the register file of an EU; none for
    /// an operand that lies in none.
    #[must_use]
    pub fn register_byte(self, symbols: &Declarations, machine: &Machine, eu: u8) -> Option<u64> {
        match self {
            Self::Direct(direct) => direct.register_byte(symbols),
            Self::Indirect(indirect) => indirect.register_byte(machine, eu),
            _ => None,
        }
    }

    /// The value of a scalar integer operand in 64 bits: its first element,
    /// narrower types widened by their sign. None for other types and classes,
    /// for one with a modifier, and where there is no register.
    #[must_use]
    pub fn scalar(self, symbols: &Declarations, machine: &Machine, eu: u8) -> Option<u64> {
        let ty = self.element_type(symbols).filter(|ty| !ty.is_float())?;
        if self.modifier().sign().is_some() {
            return None;
        }
        let bits = match self {
            Self::Immediate(immediate) => immediate.value(),
            _ => {
                let at = self.register_byte(symbols, machine, eu)?;
                machine.load(SpaceId::registers(eu), at, ty.bytes())?
            }
        };
        Some(if ty.is_signed() {
            sign_extend(bits, ty.bits()).cast_unsigned()
        } else {
            bits
        })
    }
}

//! Vector operands: what they are, their bits, and where their elements lie.
//! [`DirectOperand`] is the general operand alone, for instructions that take
//! no other; [`VectorOperand`] is any of them. Text is in [`text`].
//!
//! Source: visa_5_operands.md, "Vector Operands" and "Scalar Operands".

mod fields;
mod packed;
mod rules;
pub mod text;

pub use fields::{
    AddressId, ByteOffset, Modifier, OperandClass, OperandType, Region, StateClass, Stride,
};

pub use packed::PackedType;
pub use rules::Scalar;

use super::declarations::{Declarations, address_element};
use super::execution::{ExecSize, Predicate};
use super::raw_operand::VariableId;
use crate::bits::{DecodeError, Visitor};
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, low_mask, sign_extend};
use crate::text::OperandKind;

/// What the fields of one operand are called.
#[derive(Clone, Copy, Debug)]
pub struct FieldNames {
    /// Bits 0-2 of the tag.
    pub class: &'static str,
    /// Bits 3-5 of the tag.
    pub modifier: &'static str,
    /// Bits 6-7 of the tag.
    pub tag_reserved: &'static str,
    /// The variable.
    pub id: &'static str,
    /// Rows from its start.
    pub row: &'static str,
    /// Elements from the start of the row.
    pub column: &'static str,
    /// Elements of an address variable from its start.
    pub element: &'static str,
    /// Bytes after an address.
    pub offset: &'static str,
    /// The type of an indirect or immediate operand.
    pub ty: &'static str,
    /// Bits 4-7 beside the type.
    pub type_reserved: &'static str,
    /// Bits 0-3 of the region.
    pub vertical: &'static str,
    /// Bits 4-7 of the region.
    pub width: &'static str,
    /// Bits 8-11 of the region.
    pub horizontal: &'static str,
    /// Bits 12-15 of the region.
    pub region_reserved: &'static str,
    /// The lower half of an immediate.
    pub low: &'static str,
    /// The upper half of an immediate.
    pub high: &'static str,
}

macro_rules! field_names {
    ($operand:literal) => {
        FieldNames {
            class: concat!($operand, " class"),
            modifier: concat!($operand, " modifier"),
            tag_reserved: concat!($operand, " tag reserved"),
            id: concat!($operand, " id"),
            row: concat!($operand, " row"),
            column: concat!($operand, " column"),
            element: concat!($operand, " element"),
            offset: concat!($operand, " offset"),
            ty: concat!($operand, " type"),
            type_reserved: concat!($operand, " type reserved"),
            vertical: concat!($operand, " vertical stride"),
            width: concat!($operand, " width"),
            horizontal: concat!($operand, " horizontal stride"),
            region_reserved: concat!($operand, " region reserved"),
            low: concat!($operand, " low"),
            high: concat!($operand, " high"),
        }
    };
}

pub(super) use field_names;

/// The names of a scalar address.
pub static ADDRESS: FieldNames = field_names!("Address");

/// The names of a first source.
pub static SRC0: FieldNames = field_names!("Src0");

/// The names of a second source.
pub static SRC1: FieldNames = field_names!("Src1");

/// The names of a third source.
pub static SRC2: FieldNames = field_names!("Src2");

/// The names of a fourth source.
pub static SRC3: FieldNames = field_names!("Src3");

/// The names of a destination.
pub static DST: FieldNames = field_names!("Dst");

/// The names of a second destination.
pub static CARRY: FieldNames = field_names!("Carry");

/// A general operand: elements of a variable from a row and column on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DirectOperand {
    /// What is done to the elements before they are used.
    pub modifier: Modifier,
    /// Which variable.
    pub id: VariableId,
    /// Registers from its start.
    pub row: u8,
    /// Elements from the start of that register.
    pub column: u8,
    /// How elements are taken from there on.
    pub region: Region,
}

impl DirectOperand {
    /// The first elements of a variable.
    #[must_use]
    pub const fn start_of(id: VariableId, region: Region) -> Self {
        Self {
            modifier: Modifier::NONE,
            id,
            row: 0,
            column: 0,
            region,
        }
    }

    /// Whether it names the null variable.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.id.0 == 0
    }

    /// The whole operand, for an instruction that takes no other class.
    ///
    /// # Errors
    /// When the tag has another class, or the bytes end.
    pub fn layout<V: Visitor>(
        &mut self,
        part: OperandKind,
        fields: &FieldNames,
        v: &mut V,
    ) -> Result<(), DecodeError> {
        v.fixed(part, fields.class, 3, 0)?;
        v.field(part, fields.modifier, 3, &mut self.modifier)?;
        v.ignored(fields.tag_reserved, 2)?;
        self.info(part, fields, v)
    }

    /// `gen_opnd`: what follows the tag.
    fn info<V: Visitor>(
        &mut self,
        part: OperandKind,
        fields: &FieldNames,
        v: &mut V,
    ) -> Result<(), DecodeError> {
        v.field(part, fields.id, 32, &mut self.id)?;
        v.field(part, fields.row, 8, &mut self.row)?;
        v.field(part, fields.column, 8, &mut self.column)?;
        self.region.layout(part, fields, v)
    }
}

/// Elements at an address that an address variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IndirectOperand {
    /// What is done to the elements before they are used.
    pub modifier: Modifier,
    /// Which address variable.
    pub id: AddressId,
    /// Which of its elements.
    pub element: u8,
    /// Bytes after that address.
    pub offset: ByteOffset,
    /// The type of the elements.
    pub ty: OperandType,
    /// How elements are taken from there on.
    pub region: Region,
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImmediateOperand {
    /// Its type.
    pub ty: OperandType,
    /// Its bits, as in the encoding.
    pub bits: u64,
}

/// A vector operand of any class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorOperand {
    /// A general variable.
    Direct(DirectOperand),
    /// The address of an element of a general variable: `&V32[64]`. It is
    /// encoded as the element itself.
    AddressOf(DirectOperand),
    /// An address variable itself.
    Address {
        /// Which one.
        id: AddressId,
        /// Its first element.
        element: u8,
        /// How many elements.
        width: ExecSize,
    },
    /// A predicate variable itself.
    Predicate(Predicate),
    /// A general variable through an address variable.
    Indirect(IndirectOperand),
    /// A constant.
    Immediate(ImmediateOperand),
    /// A surface or sampler itself.
    State {
        /// Which of the two.
        class: StateClass,
        /// Its number.
        id: u16,
        /// Its first element.
        element: u8,
    },
}

impl VectorOperand {
    /// The null variable: no operand.
    pub const NULL: Self = Self::null_of(OperandClass::Direct);

    /// The null variable with the region of a destination.
    pub const NULL_DESTINATION: Self =
        Self::Direct(DirectOperand::start_of(VariableId(0), Region::DESTINATION));

    const fn null_of(class: OperandClass) -> Self {
        match class {
            OperandClass::Direct => {
                Self::Direct(DirectOperand::start_of(VariableId(0), Region::SCALAR))
            }
            OperandClass::Address => Self::Address {
                id: AddressId(0),
                element: 0,
                width: ExecSize::ONE,
            },
            OperandClass::Predicate => Self::Predicate(Predicate::NONE),
            OperandClass::Indirect => Self::Indirect(IndirectOperand {
                modifier: Modifier::NONE,
                id: AddressId(0),
                element: 0,
                offset: ByteOffset(0),
                ty: OperandType::UQ,
                region: Region::SCALAR,
            }),
            OperandClass::Immediate => Self::Immediate(ImmediateOperand {
                ty: OperandType::UQ,
                bits: 0,
            }),
            OperandClass::State => Self::State {
                class: StateClass::SURFACE,
                id: 0,
                element: 0,
            },
        }
    }

    /// Its class, as the tag has it.
    #[must_use]
    pub const fn class(self) -> OperandClass {
        match self {
            Self::Direct(_) | Self::AddressOf(_) => OperandClass::Direct,
            Self::Address { .. } => OperandClass::Address,
            Self::Predicate(_) => OperandClass::Predicate,
            Self::Indirect(_) => OperandClass::Indirect,
            Self::Immediate(_) => OperandClass::Immediate,
            Self::State { .. } => OperandClass::State,
        }
    }

    /// The modifier of a class that may have one.
    #[must_use]
    pub const fn modifier(self) -> Modifier {
        match self {
            Self::Direct(direct) => direct.modifier,
            Self::Indirect(indirect) => indirect.modifier,
            _ => Modifier::NONE,
        }
    }

    /// `vec_operand`: the tag, then what its class has.
    ///
    /// # Errors
    /// When the tag has a reserved class, or the bytes end.
    pub fn layout<V: Visitor>(
        &mut self,
        part: OperandKind,
        fields: &FieldNames,
        v: &mut V,
    ) -> Result<(), DecodeError> {
        let mut class = self.class();
        v.field(part, fields.class, 3, &mut class)?;
        // Only a decoder finds another class than the one that is there.
        if class != self.class() {
            *self = Self::null_of(class);
        }
        match self {
            Self::Direct(DirectOperand { modifier, .. })
            | Self::AddressOf(DirectOperand { modifier, .. })
            | Self::Indirect(IndirectOperand { modifier, .. }) => {
                v.field(part, fields.modifier, 3, modifier)?;
            }
            // "For the other operands the modifier must be zero."
            _ => v.ignored(fields.modifier, 3)?,
        }
        v.ignored(fields.tag_reserved, 2)?;
        match self {
            Self::Direct(direct) | Self::AddressOf(direct) => direct.info(part, fields, v),
            Self::Address { id, element, width } => {
                v.field(part, fields.id, 16, id)?;
                v.field(part, fields.element, 8, element)?;
                v.field(part, fields.width, 4, width)?;
                v.ignored(fields.type_reserved, 4)
            }
            Self::Predicate(predicate) => predicate.layout(part, v),
            Self::Indirect(indirect) => indirect.info(part, fields, v),
            Self::Immediate(immediate) => immediate.info(part, fields, v),
            Self::State { class, id, element } => {
                v.field(part, fields.ty, 2, class)?;
                v.ignored(fields.type_reserved, 6)?;
                v.field(part, fields.id, 16, id)?;
                v.field(part, fields.element, 8, element)
            }
        }
    }
}

impl IndirectOperand {
    /// `indirect_opnd`: what follows the tag.
    fn info<V: Visitor>(
        &mut self,
        part: OperandKind,
        fields: &FieldNames,
        v: &mut V,
    ) -> Result<(), DecodeError> {
        v.field(part, fields.id, 16, &mut self.id)?;
        v.field(part, fields.element, 8, &mut self.element)?;
        v.field(part, fields.offset, 16, &mut self.offset)?;
        v.field(part, fields.ty, 4, &mut self.ty)?;
        v.ignored(fields.type_reserved, 4)?;
        self.region.layout(part, fields, v)
    }
}

impl ImmediateOperand {
    /// `const_opnd`: what follows the tag; `high` only for 64-bit types.
    fn info<V: Visitor>(
        &mut self,
        part: OperandKind,
        fields: &FieldNames,
        v: &mut V,
    ) -> Result<(), DecodeError> {
        v.field(part, fields.ty, 4, &mut self.ty)?;
        v.ignored(fields.type_reserved, 4)?;
        let mut low = self.bits & 0xffff_ffff;
        v.field(part, fields.low, 32, &mut low)?;
        let mut high = self.bits >> 32;
        if self.ty.bytes() == 8 {
            v.field(part, fields.high, 32, &mut high)?;
        } else {
            high = 0;
        }
        self.bits = high << 32 | low;
        Ok(())
    }
}

// Where the elements of an operand lie, and what a scalar one is worth.

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
            Self::AddressOf(_) | Self::Address { .. } | Self::Predicate(_) | Self::State { .. } => {
                None
            }
        }
    }

    /// The name of the type of its elements, packed vectors included; none
    /// where they have none, and for the null variable.
    #[must_use]
    pub fn type_name(self, symbols: &Declarations) -> Option<&'static str> {
        match self {
            Self::Direct(direct) if direct.is_null() => None,
            Self::Indirect(IndirectOperand { ty, .. })
            | Self::Immediate(ImmediateOperand { ty, .. }) => Some(ty.name()),
            _ => self.element_type(symbols).map(ElementType::name),
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

#[cfg(test)]
mod tests;

//! Vector operands: classes, encoding and element placement. [`DirectOperand`] is
//! the general operand alone, for instructions that accept only that;
//! [`VectorOperand`] is an operand of any class. [`text`] has the syntax.
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

use super::declarations::{Declarations, address_element, surface_element};
use super::execution::{ExecSize, Predicate};
use super::raw_operand::VariableId;
use crate::bits::{DecodeError, Visitor};
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, low_mask, sign_extend};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;

/// An operand with the names of its encoding fields.
#[derive(Clone, Copy, Debug)]
pub struct FieldNames {
    pub part: SyntaxPart,
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
    /// Index into an address variable.
    pub element: &'static str,
    /// Bytes after an address.
    pub offset: &'static str,
    /// The type of an indirect or immediate operand.
    pub ty: &'static str,
    /// Bits 4-7 of the type byte.
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
    ($part:expr, $operand:literal) => {
        FieldNames {
            part: $part,
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

/// Field names of a scalar address.
pub static ADDRESS: FieldNames = field_names!(SyntaxPart::Address, "Address");

/// Field names of src0.
pub static SRC0: FieldNames = field_names!(SyntaxPart::Src0, "Src0");

/// Field names of src1.
pub static SRC1: FieldNames = field_names!(SyntaxPart::Src1, "Src1");

/// Field names of src2.
pub static SRC2: FieldNames = field_names!(SyntaxPart::Src2, "Src2");

/// Field names of src3.
pub static SRC3: FieldNames = field_names!(SyntaxPart::Src3, "Src3");

/// Field names of a destination.
pub static DST: FieldNames = field_names!(SyntaxPart::Dst, "Dst");

/// Field names of the second destination, such as the carry.
pub static CARRY: FieldNames = field_names!(SyntaxPart::Carry, "Carry");

/// A general operand: elements of a variable from a row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DirectOperand {
    /// Applied to the elements before they are used.
    pub modifier: Modifier,
    pub id: VariableId,
    /// Row, in registers from the start of the variable.
    pub row: u8,
    /// Column, in elements from the start of the row.
    pub column: u8,
    /// Region of the elements.
    pub region: Region,
}

impl DirectOperand {
    /// The operand at the start of a variable.
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

    /// Whether the variable is the null variable.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.id.0 == 0
    }

    /// Visits the whole operand of an instruction that accepts no other class.
    ///
    /// # Errors
    /// If the tag has another class or the bytes end early.
    pub fn layout<V: Visitor>(&mut self, names: &FieldNames, v: &mut V) -> Result<(), DecodeError> {
        v.fixed(names.part, names.class, 3, 0)?;
        v.field(names.part, names.modifier, 3, &mut self.modifier)?;
        v.ignored(names.tag_reserved, 2)?;
        self.info(names, v)
    }

    /// Visits `gen_opnd`, the part after the tag.
    fn info<V: Visitor>(&mut self, names: &FieldNames, v: &mut V) -> Result<(), DecodeError> {
        v.field(names.part, names.id, 32, &mut self.id)?;
        v.field(names.part, names.row, 8, &mut self.row)?;
        v.field(names.part, names.column, 8, &mut self.column)?;
        self.region.layout(names, v)
    }
}

/// Elements at an address held by an address variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IndirectOperand {
    /// Applied to the elements before they are used.
    pub modifier: Modifier,
    pub id: AddressId,
    pub element: u8,
    /// Byte offset from the address.
    pub offset: ByteOffset,
    /// The type of the elements.
    pub ty: OperandType,
    /// Region of the elements.
    pub region: Region,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImmediateOperand {
    pub ty: OperandType,
    /// The encoded bits.
    pub bits: u64,
}

/// A vector operand of any class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorOperand {
    /// A general variable.
    Direct(DirectOperand),
    /// The address of an element of a general variable, such as `&V32[64]`; encoded like
    /// the element.
    AddressOf(DirectOperand),
    /// An address variable.
    Address {
        id: AddressId,
        /// First element.
        element: u8,
        /// Number of elements.
        width: ExecSize,
    },
    /// A predicate variable.
    Predicate(Predicate),
    /// A general variable through an address variable.
    Indirect(IndirectOperand),
    Immediate(ImmediateOperand),
    /// A surface or sampler.
    State {
        /// Surface or sampler.
        class: StateClass,
        id: u16,
        /// First element.
        element: u8,
    },
}

impl VectorOperand {
    /// The null variable, which stands for an absent operand.
    pub const NULL: Self = Self::null_of(OperandClass::Direct);

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

    /// Operand class, as encoded in the tag.
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

    /// The modifier; none for classes without one.
    #[must_use]
    pub const fn modifier(self) -> Modifier {
        match self {
            Self::Direct(direct) => direct.modifier,
            Self::Indirect(indirect) => indirect.modifier,
            _ => Modifier::NONE,
        }
    }

    /// Visits `vec_operand`: the tag, then the fields of its class.
    ///
    /// # Errors
    /// If the tag has a reserved class or the bytes end early.
    pub fn layout<V: Visitor>(&mut self, names: &FieldNames, v: &mut V) -> Result<(), DecodeError> {
        let mut class = self.class();
        v.field(names.part, names.class, 3, &mut class)?;
        // Only a decoder can change the class.
        if class != self.class() {
            *self = Self::null_of(class);
        }
        match self {
            Self::Direct(DirectOperand { modifier, .. })
            | Self::AddressOf(DirectOperand { modifier, .. })
            | Self::Indirect(IndirectOperand { modifier, .. }) => {
                v.field(names.part, names.modifier, 3, modifier)?;
            }
            // "For the other operands the modifier must be zero."
            _ => v.ignored(names.modifier, 3)?,
        }
        v.ignored(names.tag_reserved, 2)?;
        match self {
            Self::Direct(direct) | Self::AddressOf(direct) => direct.info(names, v),
            Self::Address { id, element, width } => {
                v.field(names.part, names.id, 16, id)?;
                v.field(names.part, names.element, 8, element)?;
                v.field(names.part, names.width, 4, width)?;
                v.ignored(names.type_reserved, 4)
            }
            Self::Predicate(predicate) => predicate.layout(names.part, v),
            Self::Indirect(indirect) => indirect.info(names, v),
            Self::Immediate(immediate) => immediate.info(names, v),
            Self::State { class, id, element } => {
                v.field(names.part, names.ty, 2, class)?;
                v.ignored(names.type_reserved, 6)?;
                v.field(names.part, names.id, 16, id)?;
                v.field(names.part, names.element, 8, element)
            }
        }
    }
}

impl IndirectOperand {
    /// Visits `indirect_opnd`, the part after the tag.
    fn info<V: Visitor>(&mut self, names: &FieldNames, v: &mut V) -> Result<(), DecodeError> {
        v.field(names.part, names.id, 16, &mut self.id)?;
        v.field(names.part, names.element, 8, &mut self.element)?;
        v.field(names.part, names.offset, 16, &mut self.offset)?;
        v.field(names.part, names.ty, 4, &mut self.ty)?;
        v.ignored(names.type_reserved, 4)?;
        self.region.layout(names, v)
    }
}

impl ImmediateOperand {
    /// Visits `const_opnd`, the part after the tag; `high` only for 64-bit types.
    fn info<V: Visitor>(&mut self, names: &FieldNames, v: &mut V) -> Result<(), DecodeError> {
        v.field(names.part, names.ty, 4, &mut self.ty)?;
        v.ignored(names.type_reserved, 4)?;
        let mut low = self.bits & 0xffff_ffff;
        v.field(names.part, names.low, 32, &mut low)?;
        let mut high = self.bits >> 32;
        if self.ty.bytes() == 8 {
            v.field(names.part, names.high, 32, &mut high)?;
        } else {
            high = 0;
        }
        self.bits = high << 32 | low;
        Ok(())
    }
}

// Element placement and scalar values.

impl DirectOperand {
    /// Byte offset of the first element within its variable: R registers and C
    /// elements of the variable's type. `None` for an unknown variable.
    #[must_use]
    pub fn byte(self, symbols: &Declarations) -> Option<u32> {
        let element = u32::from(symbols.general(self.id.0)?.ty.bytes());
        Some(u32::from(self.row) * symbols.grf_bytes() + u32::from(self.column) * element)
    }

    /// Register-file address of the first element.
    #[must_use]
    pub fn register_byte(self, symbols: &Declarations) -> Option<u64> {
        let base = symbols.general(self.id.0)?.offset;
        Some(u64::from(base) + u64::from(self.byte(symbols)?))
    }
}

impl IndirectOperand {
    /// Register-file address of the first element on an EU: the address variable's
    /// value plus the offset. `None` if negative.
    #[must_use]
    pub fn register_byte(self, machine: &Machine, eu: u8) -> Option<u64> {
        let at = address_element(self.id.0, self.element);
        let address = machine.load(SpaceId::flags(eu), at, 4)?;
        address.checked_add_signed(i64::from(self.offset.0))
    }
}

impl ImmediateOperand {
    /// The bits within the type; the encoding may hold more, which are ignored.
    #[must_use]
    pub fn value(self) -> u64 {
        self.bits & low_mask(8 * u32::from(self.ty.bytes()))
    }

    /// Whether the encoded bits fit the type; those of a signed type may be
    /// sign-extended.
    #[must_use]
    pub fn fits(self) -> bool {
        let bits = 8 * u32::from(self.ty.bytes());
        let signed = self.ty.element().is_some_and(ElementType::is_signed);
        let widened = sign_extend(self.bits, bits).cast_unsigned() & low_mask(32);
        self.bits == self.value() || signed && bits < 32 && self.bits == widened
    }
}

impl VectorOperand {
    /// Element type, if the class has one.
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

    /// Name of one of its elements by its address, or by its channel in a
    /// predicate: `V33[4]`, `P1[4]`, `r[64]`.
    #[must_use]
    pub fn element_name(self, place: u64, symbols: &Declarations) -> String {
        let named = |name: &str, index: u64| format!("{name}[{index}]");
        let found = match self {
            Self::Direct(direct) => symbols.general(direct.id.0).and_then(|variable| {
                let within = place.checked_sub(variable.offset.into())?;
                Some(named(
                    variable.name,
                    within / u64::from(variable.ty.bytes()),
                ))
            }),
            Self::Predicate(predicate) => {
                let variable = symbols.predicate_variable(predicate.id.0);
                variable.map(|variable| named(&variable.name, place))
            }
            Self::Address { id, .. } => {
                let variable = symbols.address_variable(id.0);
                let within = place.checked_sub(address_element(id.0, 0));
                let found = variable.zip(within);
                found.map(|(variable, within)| named(&variable.name, within / 4))
            }
            Self::Indirect(_) => symbols.element_name(place),
            Self::State { id, .. } => {
                let name = u8::try_from(id)
                    .ok()
                    .and_then(|id| symbols.surface_name(id));
                let within = place.checked_sub(surface_element(id, 0));
                let found = name.zip(within);
                found.map(|(name, within)| named(name, within / 4))
            }
            Self::AddressOf(_) | Self::Immediate(_) => None,
        };
        found.unwrap_or_else(|| named("r", place))
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

    /// Register-file address of the first element on an EU; `None` for an operand
    /// that is not in registers.
    #[must_use]
    pub fn register_byte(self, symbols: &Declarations, machine: &Machine, eu: u8) -> Option<u64> {
        match self {
            Self::Direct(direct) => direct.register_byte(symbols),
            Self::Indirect(indirect) => indirect.register_byte(machine, eu),
            _ => None,
        }
    }

    /// Value of a scalar integer operand: its first element, extended to 64 bits
    /// according to its type. `None` for other types and classes, with a modifier,
    /// or without a register.
    #[must_use]
    pub fn scalar(self, symbols: &Declarations, machine: &Machine, eu: u8) -> Option<u64> {
        let ty = self.element_type(symbols).filter(|ty| !ty.is_float())?;
        if self.modifier().spelling().is_some() {
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

//! Memory messages: loads, stores and atomics per lane.
//!
//! The `MessageShape` of a message maps the memory accessed by each lane to registers. A
//! message performs its accesses one by one, so that history, outcomes and the stage
//! handle all messages alike.
//!
//! Source: the pages of the instructions in documentation/visa; out-of-bounds
//! accesses of surfaces read zero and write nothing (documented), unmapped
//! virtual addresses fault (assumed).

mod plan;
mod shape;
mod target;

pub(super) use plan::MessagePlan;

use super::lsc::{PITCH, name};
use super::{Argument, VisaInstruction};
use crate::isa::rmw::Rmw;
use crate::isa::rmw_exec::Update;
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::raw_operand::RawOperand;
use crate::isa::visa::vector::VectorOperand;
use crate::isa::{FaultKind, IssueFault, SourceElement, Unit};
use crate::number::ElementType;
use crate::text::SyntaxPart;
use alloc::string::ToString;
use alloc::vec::Vec;
use plan::register_of;
use shape::{LscVector, MessageShape, elements_mask};
use target::ARGUMENTS;
pub(in crate::isa::visa) use target::SurfaceMemory;

/// Kind of access of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Reads cells into registers.
    Load,
    /// Writes cells from registers.
    Store,
    /// Reads, modifies and writes cells.
    Atomic(Update),
}

/// Layout of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageFormat {
    /// `gather4_scaled`, `scatter4_scaled`: channels of four bytes.
    Channels,
    /// `gather_scaled`, `scatter_scaled`: 1 to 8 bytes per lane.
    Bytes,
    /// `gather`, `scatter`: elements, with offsets in elements.
    Elements,
    /// `svm_gather`, `svm_scatter`: blocks at virtual addresses.
    Blocks,
    /// `qw_gather`, `qw_scatter`: quadwords, with offsets in bytes.
    Quadwords,
    /// `oword_ld`, `oword_st`: 16 bytes at a time, at an offset in units of
    /// this many bytes.
    Owords(u8),
    /// `svm_block_ld`, `svm_block_st`: 16 bytes at a time, at an address.
    BlocksOfMemory,
    /// LSC: vectors of elements, optionally transposed, or selected channels.
    Lsc,
    /// LSC: blocks of a 2D surface.
    Block2d,
}

/// A memory message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub kind: MessageKind,
    pub format: MessageFormat,
}

impl Message {
    #[must_use]
    pub const fn load(format: MessageFormat) -> Self {
        Self {
            kind: MessageKind::Load,
            format,
        }
    }

    #[must_use]
    pub const fn store(format: MessageFormat) -> Self {
        Self {
            kind: MessageKind::Store,
            format,
        }
    }

    /// An LSC atomic. Compares use the first source.
    #[must_use]
    pub const fn atomic(rmw: Rmw) -> Self {
        Self {
            kind: MessageKind::Atomic(Update {
                rmw,
                swapped: rmw.is_compare_exchange(),
                returns_new: false,
            }),
            format: MessageFormat::Lsc,
        }
    }
}

/// The reason that a message faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageFault {
    /// The form is not modeled.
    #[error("{0} is not modeled")]
    NotModelled(&'static str),
    /// An operand does not have a value.
    #[error("{0} has no value")]
    NoValue(&'static str),
    /// The surface is not bound.
    #[error("no buffer is bound to the surface")]
    Unbound,
    /// The handle is that of no surface.
    #[error("no buffer has the surface handle {0:#x}")]
    UnknownHandle(u64),
    /// The program is not a launch.
    #[error("only a launch has arguments in memory")]
    NoArguments,
    /// The registers exceed the register file.
    #[error("the registers of {0} are outside the register file")]
    PastEnd(&'static str),
    /// The rows of a surface overlap.
    #[error("the pitch of the surface is smaller than its width")]
    NarrowPitch,
}

impl MessageFault {
    /// The kind of fault.
    #[must_use]
    pub const fn kind(self) -> FaultKind {
        match self {
            Self::NotModelled(_) => FaultKind::NotModelled,
            Self::NarrowPitch => FaultKind::Undefined,
            Self::NoValue(_)
            | Self::NoArguments
            | Self::Unbound
            | Self::UnknownHandle(_)
            | Self::PastEnd(_) => FaultKind::OutOfRange,
        }
    }
}

impl From<MessageFault> for IssueFault {
    fn from(fault: MessageFault) -> Self {
        Self {
            kind: fault.kind(),
            reason: Some(fault.to_string()),
        }
    }
}

impl VisaInstruction {
    /// Whether it addresses the arguments of the launch.
    pub(super) fn addresses_arguments(&self) -> bool {
        self.field(name::KIND) == Some(ARGUMENTS)
    }

    /// The base that all lanes of `flat(V32)[V33]` share.
    pub(super) fn flat_base(&self) -> Option<VectorOperand> {
        let surface = self.vector(SyntaxPart::Surface)?;
        let is_base = match surface {
            VectorOperand::Direct(direct) => !direct.is_null(),
            VectorOperand::Immediate(immediate) => immediate.bits != 0,
            _ => false,
        };
        (is_base && self.field(name::KIND) == Some(1)).then_some(surface)
    }

    /// Size of the address of a lane in registers, in bytes, and whether it is signed.
    fn lsc_address(&self, symbols: &Declarations) -> (u8, bool) {
        let own = match self.field(name::WIDTH) {
            Some(1) => (2, false),
            Some(3) => (8, false),
            Some(5) => (4, true),
            _ => (4, false),
        };
        let Some(Argument::Raw(raw)) = self.argument(SyntaxPart::Address) else {
            return own;
        };
        // Beside a base, offsets can have 32 bits.
        match (self.flat_base(), symbols.general(raw.id.0)) {
            (Some(_), Some(variable)) if own.0 == 8 && !raw.is_null() => {
                let bytes = variable.ty.bytes().clamp(4, 8);
                (bytes, bytes == 4 && variable.ty.is_signed())
            }
            _ => own,
        }
    }
}

/// An instruction that is a memory message.
pub struct MessageInstruction<'i> {
    pub message: Message,
    pub instruction: &'i VisaInstruction,
}

impl MessageInstruction<'_> {
    fn raw(&self, part: SyntaxPart) -> RawOperand {
        self.instruction.raw(part).unwrap_or(RawOperand::NULL)
    }

    /// The registers of the data.
    fn data(&self) -> RawOperand {
        match (self.message.kind, self.message.format) {
            (MessageKind::Store, MessageFormat::Lsc | MessageFormat::Block2d) => {
                self.raw(SyntaxPart::Src1)
            }
            (MessageKind::Store, _) => self.raw(SyntaxPart::Src0),
            (MessageKind::Load | MessageKind::Atomic(_), _) => self.raw(SyntaxPart::Dst),
        }
    }

    /// Whether the message only fills caches: a load without a destination.
    pub fn is_prefetch(&self) -> bool {
        let is_lsc = matches!(
            self.message.format,
            MessageFormat::Lsc | MessageFormat::Block2d
        );
        is_lsc && self.message.kind == MessageKind::Load && self.data().is_null()
    }

    /// Number of lanes, or of elements of a block.
    #[must_use]
    pub fn lanes(&self) -> u8 {
        let lanes = self.instruction.execution.size.lanes();
        match self.message.format {
            MessageFormat::Owords(_) | MessageFormat::BlocksOfMemory => lanes.saturating_mul(4),
            MessageFormat::Lsc => match LscVector::of(self.instruction) {
                LscVector::Block(count) => count,
                _ => lanes,
            },
            _ => lanes,
        }
    }

    /// Whether the message accesses consecutive elements at one address.
    #[must_use]
    pub fn is_block(&self) -> bool {
        match self.message.format {
            MessageFormat::Owords(_) | MessageFormat::BlocksOfMemory => true,
            MessageFormat::Lsc => matches!(LscVector::of(self.instruction), LscVector::Block(_)),
            _ => false,
        }
    }

    /// Mask of the channels or elements that each lane accesses, as in [`Unit`]; 0 if it
    /// has one access.
    #[must_use]
    pub fn channels(&self) -> u16 {
        let code = |part| self.instruction.expect_code(part);
        match self.message.format {
            MessageFormat::Channels => {
                u16::try_from(code(SyntaxPart::Channels) & 15).expect("four bits")
            }
            MessageFormat::Blocks | MessageFormat::Quadwords => match code(SyntaxPart::Repeat) {
                0 => 0,
                exponent => elements_mask(1 << exponent),
            },
            MessageFormat::Lsc => match LscVector::of(self.instruction) {
                LscVector::Channels(mask) => mask,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Number of values that a lane writes or combines.
    #[must_use]
    pub fn operands(&self) -> u8 {
        let is_given = |part| u8::from(!self.raw(part).is_null());
        match self.message.kind {
            MessageKind::Load => 0,
            MessageKind::Store => 1,
            MessageKind::Atomic(_) => is_given(SyntaxPart::Src1) + is_given(SyntaxPart::Src2),
        }
    }

    /// Type of the values: that of a float atomic or of the data's variable, or else unsigned
    /// integers.
    #[must_use]
    pub fn display_type(&self, symbols: &Declarations) -> ElementType {
        let shape = MessageShape::of(self.message, self.instruction, symbols);
        let bytes = shape.map_or(4, |shape| match shape.shift {
            0 => shape.bytes,
            // The register shows where the value lies.
            _ => shape.width,
        });
        let source = self.raw(SyntaxPart::Src1);
        let data = match self.message.kind {
            MessageKind::Atomic(_) if !source.is_null() => source,
            _ => self.data(),
        };
        let variable = symbols.general(data.id.0).filter(|_| !data.is_null());
        if let MessageKind::Atomic(update) = self.message.kind
            && let Some(ty) = update.rmw.cell_type(bytes)
        {
            return ty;
        }
        match (variable.map(|variable| variable.ty), bytes) {
            (Some(ty), bytes) if ty.bytes() == bytes => ty,
            (_, 1) => ElementType::Ub,
            (_, 2) => ElementType::Uw,
            (_, 8) => ElementType::Uq,
            _ => ElementType::Ud,
        }
    }

    /// Elements that a lane and channel reads: its address and data.
    #[must_use]
    pub fn source_elements(&self, unit: Unit, symbols: &Declarations) -> Vec<SourceElement> {
        let Ok(shape) = MessageShape::of(self.message, self.instruction, symbols) else {
            return Vec::new();
        };
        let address_lane = if shape.step.is_some() { 0 } else { unit.lane };
        let address_part = match self.message.format {
            MessageFormat::Blocks | MessageFormat::Lsc => SyntaxPart::Address,
            _ => SyntaxPart::Offsets,
        };
        let at = u32::from(address_lane) * u32::from(shape.address_bytes);
        let mut found = Vec::from([(address_part, at, shape.address_bytes)]);
        if let Some(place) = shape.place(unit) {
            let parts: &[SyntaxPart] = match (self.message.kind, self.message.format) {
                (MessageKind::Load, _) => &[],
                (MessageKind::Store, MessageFormat::Lsc) => &[SyntaxPart::Src1],
                (MessageKind::Store, _) => &[SyntaxPart::Src0],
                (MessageKind::Atomic(_), _) => &[SyntaxPart::Src1, SyntaxPart::Src2],
            };
            found.extend(parts.iter().map(|part| (*part, place, shape.bytes)));
        }
        let element = |(operand, offset, bytes)| {
            let raw = Some(self.raw(operand)).filter(|raw| !raw.is_null())?;
            let at = register_of(raw, offset, symbols)?;
            Some(SourceElement { operand, at, bytes })
        };
        found.into_iter().filter_map(element).collect()
    }

    /// Register-file address of the element that a lane and channel loads or stores.
    #[must_use]
    pub fn channel_element(&self, unit: Unit, symbols: &Declarations) -> Option<u32> {
        let shape = MessageShape::of(self.message, self.instruction, symbols).ok()?;
        register_of(self.data(), shape.place(unit)?, symbols)
    }
}

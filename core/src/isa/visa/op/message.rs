//! Memory messages: loads, stores and atomics per lane.
//!
//! The `MessageShape` of a message maps the memory accessed by each lane to registers. A
//! message performs its accesses one by one, so that history, outcomes and the stage
//! handle all messages alike.
//!
//! Source: the pages of the instructions in documentation/visa; out-of-bounds
//! accesses of surfaces read zero and write nothing (documented), unmapped
//! virtual addresses fault (assumed).

use super::block2d::{BlockLocation, BlockShape};
use super::lsc::{PITCH, SLM_FUNCTION, name};
use super::memory::{ALIGNED, ALIGNMENT};
use super::{Argument, VisaInstruction};
use crate::isa::rmw::{Rmw, Width};
use crate::isa::rmw_exec::{self, Update};
use crate::isa::visa::declarations::{BoundSurface, Declarations, SURFACE_IS_SET, surface_element};
use crate::isa::visa::operand::load_flags;
use crate::isa::visa::raw_operand::RawOperand;
use crate::isa::visa::surface::Surface;
use crate::isa::visa::vector::VectorOperand;
use crate::isa::{Access, FIRST_ELEMENT, FaultKind, IssueContext, SourceElement, Unit, index_of};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::{ElementType, sign_extend};
use crate::text::SyntaxPart;
use alloc::vec::Vec;

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
    /// A load.
    #[must_use]
    pub const fn load(format: MessageFormat) -> Self {
        Self {
            kind: MessageKind::Load,
            format,
        }
    }

    /// A store.
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
        let swapped = matches!(rmw, Rmw::CompareExchange | Rmw::FloatCompareExchange);
        Self {
            kind: MessageKind::Atomic(Update {
                rmw,
                swapped,
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

/// The kind of address of the arguments of a launch.
const ARGUMENTS: u64 = 5;

/// The memory that a message accesses.
#[derive(Clone, Copy, Debug)]
pub(in crate::isa::visa) struct SurfaceMemory {
    pub(in crate::isa::visa) space: SpaceId,
    /// Address of offset 0.
    base: u64,
    /// Size; accesses beyond it read zero and write nothing. `None` for virtual memory,
    /// where unmapped addresses fault.
    bytes: Option<u64>,
    /// Mask of the significant bits of an offset.
    mask: u64,
}

/// Mask of the significant bits of a local address in a launch. Intel's compiler tags
/// local addresses in the bits above (observed).
const LOCAL_ADDRESS: u64 = 0x0fff_ffff;

impl Surface {
    /// The memory of the surface on a thread.
    ///
    /// # Errors
    /// If the surface variable refers to an unbound entry of the binding table.
    pub(in crate::isa::visa) fn memory(
        self,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Result<SurfaceMemory, MessageFault> {
        let symbols = &context.symbols.visa;
        let space = self.space();
        if space == SpaceId::VIRTUAL {
            return Ok(SurfaceMemory::flat(u64::from(u32::MAX)));
        }
        if space != SpaceId::SLM {
            let variable = surface_element(u16::from(self.0), 0);
            let state = load_flags(context.machine, thread, variable);
            if let Some(state) = state.filter(|state| state & SURFACE_IS_SET != 0) {
                let entry = u8::try_from(state & !SURFACE_IS_SET);
                return SurfaceMemory::bound(entry.ok(), symbols);
            }
        }
        Ok(SurfaceMemory {
            space,
            base: 0,
            bytes: Some(context.machine.space(space).mapped_bytes()),
            mask: local_mask(space, symbols),
        })
    }
}

const fn local_mask(space: SpaceId, symbols: &Declarations) -> u64 {
    if symbols.is_launch() && space.0 == SpaceId::SLM.0 {
        LOCAL_ADDRESS
    } else {
        u64::MAX
    }
}

impl SurfaceMemory {
    const fn flat(mask: u64) -> Self {
        Self {
            space: SpaceId::VIRTUAL,
            base: 0,
            bytes: None,
            mask,
        }
    }

    /// The buffer of an entry of the binding table.
    fn bound(entry: Option<u8>, symbols: &Declarations) -> Result<Self, MessageFault> {
        let surface = entry.and_then(|entry| symbols.bound_surface(entry));
        surface.map(Self::of).ok_or(MessageFault::Unbound)
    }

    const fn of(surface: BoundSurface) -> Self {
        Self {
            space: SpaceId::VIRTUAL,
            base: surface.address,
            bytes: Some(surface.bytes),
            mask: u32::MAX as u64,
        }
    }

    /// The address of an offset.
    pub(in crate::isa::visa) const fn address(self, offset: u64) -> u64 {
        self.base.wrapping_add(offset & self.mask)
    }

    /// Whether the bytes at an offset exist.
    pub(in crate::isa::visa) fn contains(self, offset: u64, bytes: u8, machine: &Machine) -> bool {
        let (_, exists, _) = self.cell(offset, bytes, machine);
        exists
    }

    /// The cell at an offset: its address, whether it exists, and its fault.
    fn cell(self, offset: u64, bytes: u8, machine: &Machine) -> (u64, bool, Option<FaultKind>) {
        let address = self.address(offset);
        let offset = offset & self.mask;
        match self.bytes {
            Some(size) => {
                let end = offset.checked_add(u64::from(bytes));
                (address, end.is_some_and(|end| end <= size), None)
            }
            None if machine.space(self.space).is_mapped(address, bytes) => (address, true, None),
            None => (address, false, Some(FaultKind::Unmapped)),
        }
    }
}

/// An access that each lane performs.
#[derive(Clone, Copy, Debug)]
struct MessageElement {
    /// The channel or element, if each lane has several accesses.
    channel: Option<u8>,
    /// Bytes from the address of the lane.
    offset: u64,
    /// Bytes from the start of the register operand, for lane 0.
    register: u32,
}

/// Memory and registers accessed by the lanes of a message.
struct MessageShape {
    elements: Vec<MessageElement>,
    /// Register stride between lanes, in bytes.
    stride: u32,
    /// Size of a cell in memory.
    bytes: u8,
    /// Size in registers; larger sizes are zero-extended.
    width: u8,
    /// Memory stride between lanes, if all lanes share one address.
    step: Option<u64>,
    /// Whether the execution mask applies; to a block, channel 0 of the mask.
    masked: bool,
    lanes: u8,
    /// Size of an address in registers, in bytes.
    address_bytes: u8,
    /// Whether an address of 32 bits is extended with its sign.
    is_signed: bool,
    /// Documented alignment of loads and stores in memory, in bytes; 1 where the documents
    /// demand none, as for LSC messages. Atomics are aligned to their size.
    alignment: u8,
    /// Scale of offsets.
    unit: u64,
    /// Scale of the addresses of each lane.
    scale: u64,
    /// Position of a loaded value in its register element, in bits.
    shift: u32,
}

/// Data size of elements of 16 bits that are loaded into the upper half of 32 bits, above
/// zeros (visa_igc_common_header.h). No document says which half a store takes.
const UPPER_HALF: u64 = 7;

impl MessageShape {
    /// Bytes from the start of the register operand.
    fn place(&self, unit: Unit) -> Option<u32> {
        let mut elements = self.elements.iter();
        let element = elements.find(|element| element.channel == unit.channel)?;
        Some(element.register + self.stride * u32::from(unit.lane))
    }

    fn of(
        message: Message,
        instruction: &VisaInstruction,
        symbols: &Declarations,
    ) -> Result<Self, MessageFault> {
        let lanes = instruction.execution.size.lanes();
        let grf = symbols.grf_bytes();
        let padded = |bytes: u32| u32::from(lanes).max(grf / 4) * bytes;
        let plain = |bytes: u8, width: u8, address_bytes, unit| Self {
            elements: Vec::from([MessageElement {
                channel: None,
                offset: 0,
                register: 0,
            }]),
            stride: u32::from(width),
            bytes,
            width,
            step: None,
            masked: true,
            lanes,
            address_bytes,
            unit,
            is_signed: false,
            alignment: 1,
            scale: 1,
            shift: 0,
        };
        let code = |part| {
            let code = instruction.code(part);
            code.and_then(|code| u8::try_from(code).ok()).unwrap_or(0)
        };
        Ok(match message.format {
            MessageFormat::Channels => {
                let mask = code(SyntaxPart::Channels);
                let enabled = (0..4_u8).filter(|channel| mask >> channel & 1 == 1);
                let elements = (0..)
                    .zip(enabled)
                    .map(|(position, channel)| MessageElement {
                        channel: Some(channel),
                        offset: 4 * u64::from(channel),
                        register: position * padded(4),
                    });
                Self {
                    elements: elements.collect(),
                    alignment: 4,
                    ..plain(4, 4, 4, 1)
                }
            }
            MessageFormat::Bytes => {
                let bytes = 1 << code(SyntaxPart::Repeat).min(3);
                plain(bytes, bytes.max(4), 4, 1)
            }
            MessageFormat::Elements => {
                let bytes = 1 << code(SyntaxPart::Width).min(2);
                plain(bytes, 4, 4, u64::from(bytes))
            }
            MessageFormat::Blocks => {
                let blocks = 1_u8 << code(SyntaxPart::Repeat).min(3);
                let bytes = [1_u8, 4, 8][usize::from(code(SyntaxPart::Width).min(2))];
                let each = match bytes {
                    1 => 1,
                    _ => u32::from(lanes) * u32::from(bytes),
                };
                let elements = (0..blocks).map(|block| MessageElement {
                    channel: (blocks > 1).then_some(FIRST_ELEMENT + block),
                    offset: u64::from(block) * u64::from(bytes),
                    register: u32::from(block) * each,
                });
                Self {
                    elements: elements.collect(),
                    stride: match bytes {
                        1 => u32::from(blocks.max(4)),
                        _ => u32::from(bytes),
                    },
                    alignment: bytes,
                    ..plain(bytes, bytes, 8, 1)
                }
            }
            MessageFormat::Owords(_) | MessageFormat::BlocksOfMemory => {
                // A doubleword for each lane, side by side.
                let dwords = lanes.saturating_mul(4);
                let unit = match message.format {
                    MessageFormat::Owords(unit) => u64::from(unit),
                    _ => 1,
                };
                Self {
                    step: Some(4),
                    masked: false,
                    lanes: dwords,
                    alignment: match instruction.field(ALIGNMENT) {
                        Some(ALIGNED) => 16,
                        _ => 4,
                    },
                    ..plain(4, 4, 8, unit)
                }
            }
            MessageFormat::Lsc => {
                let (address_bytes, is_signed) = instruction.lsc_address(symbols);
                Self {
                    address_bytes,
                    is_signed,
                    ..Self::of_lsc(message.kind, instruction, lanes, grf)?
                }
            }
            MessageFormat::Block2d => {
                let block = BlockShape::of(instruction, grf).map_err(MessageFault::NotModelled)?;
                // The pseudo-code of LSC_UNTYPED.md and its text differ.
                if message.kind == MessageKind::Store && block.is_transformed() {
                    return Err(MessageFault::NotModelled("a transposed store"));
                }
                Self {
                    // Their places depend on the operands.
                    elements: Vec::new(),
                    ..plain(block.bytes, block.bytes, 8, 1)
                }
            }
        })
    }

    fn of_lsc(
        kind: MessageKind,
        instruction: &VisaInstruction,
        lanes: u8,
        grf: u32,
    ) -> Result<Self, MessageFault> {
        let field = |name| instruction.field(name).unwrap_or(0);
        let size = field(name::SIZE);
        let (bytes, width) = match size {
            1 => (1, 1),
            2 => (2, 2),
            3 => (4, 4),
            4 => (8, 8),
            5 => (1, 4),
            6 => (2, 4),
            UPPER_HALF if kind == MessageKind::Load => (2, 4),
            _ => return Err(MessageFault::NotModelled("the data size")),
        };
        let vector = LscVector::of(instruction);
        // The elements of a block lie side by side; else each has registers of its own.
        let each = (u32::from(lanes) * u32::from(width)).next_multiple_of(grf);
        let elements = match vector {
            LscVector::TooLong => {
                let what = "a vector of more than 8 elements that is not transposed";
                return Err(MessageFault::NotModelled(what));
            }
            LscVector::Unknown => return Err(MessageFault::NotModelled("the number of elements")),
            LscVector::Single | LscVector::Block(_) => Vec::from([MessageElement {
                channel: None,
                offset: 0,
                register: 0,
            }]),
            LscVector::Channels(mask) => (0..)
                .zip(channels_of(mask))
                .map(|(position, channel)| MessageElement {
                    channel: Some(channel),
                    offset: u64::from(index_of(channel)) * u64::from(bytes),
                    register: position * each,
                })
                .collect(),
        };
        let (lanes, step) = match vector {
            LscVector::Block(count) => (count, Some(u64::from(bytes))),
            _ => (lanes, None),
        };
        Ok(Self {
            is_signed: false,
            alignment: 1,
            elements,
            stride: u32::from(width),
            bytes,
            width,
            step,
            masked: true,
            lanes,
            address_bytes: 4,
            unit: 1,
            scale: field(name::SCALE).max(1),
            shift: if size == UPPER_HALF { 16 } else { 0 },
        })
    }
}

/// Elements that each lane of an LSC message accesses.
#[derive(Clone, Copy)]
enum LscVector {
    Single,
    /// Mask of channels or elements, as in [`Unit`].
    Channels(u16),
    /// Transposed: one lane accesses this number of elements.
    Block(u8),
    TooLong,
    /// A number without a meaning.
    Unknown,
}

impl LscVector {
    fn of(instruction: &VisaInstruction) -> Self {
        let field = |name| instruction.field(name).unwrap_or(0);
        if instruction.is_quad() {
            let mask = u16::try_from(field(name::CHANNELS) & 15);
            return Self::Channels(mask.expect("four bits"));
        }
        let count = match field(name::ELEMENTS) {
            count @ 1..=4 => u8::try_from(count).expect("at most 4"),
            5 => 8,
            6 => 16,
            7 => 32,
            8 => 64,
            _ => return Self::Unknown,
        };
        match (field(name::ORDER) == 2, count) {
            (true, count) => Self::Block(count),
            (false, 1) => Self::Single,
            (false, 2..=8) => Self::Channels(elements_mask(count)),
            (false, _) => Self::TooLong,
        }
    }
}

/// Mask of this number of vector elements, at most 8.
const fn elements_mask(count: u8) -> u16 {
    ((1 << count) - 1) << FIRST_ELEMENT
}

/// Numbers of the channels and elements in a mask.
fn channels_of(mask: u16) -> impl Iterator<Item = u8> {
    (0..16).filter(move |channel| mask >> channel & 1 == 1)
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
        match self.instruction.argument(part) {
            Some(Argument::Raw(raw)) => *raw,
            _ => RawOperand::NULL,
        }
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

    pub(in crate::isa::visa) fn target(
        &self,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Result<SurfaceMemory, MessageFault> {
        match self.message.format {
            MessageFormat::Blocks | MessageFormat::BlocksOfMemory | MessageFormat::Block2d => {
                Ok(SurfaceMemory::flat(u64::MAX))
            }
            MessageFormat::Lsc => self.lsc_target(context, thread),
            _ => match self.instruction.argument(SyntaxPart::Surface) {
                Some(Argument::Surface(surface)) => surface.memory(context, thread),
                _ => Err(MessageFault::Unbound),
            },
        }
    }

    fn lsc_target(
        &self,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Result<SurfaceMemory, MessageFault> {
        let symbols = &context.symbols.visa;
        if self.instruction.code(SyntaxPart::Operation) == Some(SLM_FUNCTION) {
            return Ok(SurfaceMemory {
                space: SpaceId::SLM,
                base: 0,
                bytes: Some(context.machine.space(SpaceId::SLM).mapped_bytes()),
                mask: local_mask(SpaceId::SLM, symbols),
            });
        }
        if self.instruction.field(name::INDEX).is_some_and(|i| i != 0) {
            return Err(MessageFault::NotModelled("an index of a surface state"));
        }
        let surface = || {
            let surface = self.instruction.vector(SyntaxPart::Surface)?;
            surface.scalar(symbols, context.machine, thread)
        };
        match self.instruction.field(name::KIND) {
            // Offsets of 32 bits are extended to 64, except those of a32.
            Some(1) => Ok(SurfaceMemory::flat(
                match self.instruction.field(name::WIDTH) {
                    Some(3..=5) => u64::MAX,
                    _ => u64::from(u32::MAX),
                },
            )),
            Some(4) => {
                let entry = surface().and_then(|entry| u8::try_from(entry).ok());
                SurfaceMemory::bound(entry, symbols)
            }
            // A bindless handle, or the state of the scratch surface, which is a thread's own
            // memory.
            Some(2 | 3) => {
                let handle = surface().ok_or(MessageFault::Unbound)?;
                let scratch = symbols.scratch(thread);
                let scratch = scratch.filter(|scratch| scratch.address >> 10 == handle >> 6);
                let of_handle = u32::try_from(handle).ok();
                let of_handle = of_handle.and_then(|handle| symbols.surface_of_handle(handle));
                let found = of_handle.or(scratch);
                Ok(SurfaceMemory::of(
                    found.ok_or(MessageFault::UnknownHandle(handle))?,
                ))
            }
            // Where %r0 points to, the implicit arguments lie before the payload.
            Some(ARGUMENTS) => {
                let base = symbols.arguments().ok_or(MessageFault::NoArguments)?;
                Ok(SurfaceMemory {
                    base,
                    ..SurfaceMemory::flat(u64::from(u32::MAX))
                })
            }
            _ => Err(MessageFault::NotModelled("this kind of surface")),
        }
    }

    /// The address part shared by all lanes.
    fn base(&self, context: &IssueContext<'_>, thread: u8) -> Result<u64, MessageFault> {
        if self.message.format == MessageFormat::Lsc {
            let offset = self.instruction.field(name::OFFSET).unwrap_or(0);
            // A signed field of 32 bits.
            let offset = sign_extend(offset, 32).cast_unsigned();
            let Some(base) = self.instruction.flat_base() else {
                return Ok(offset);
            };
            let value = base.scalar(&context.symbols.visa, context.machine, thread);
            let value = value.ok_or(MessageFault::NoValue("the base of the address"))?;
            return Ok(offset.wrapping_add(value));
        }
        match self.instruction.vector(SyntaxPart::Address) {
            Some(VectorOperand::Direct(direct)) if direct.is_null() => Ok(0),
            Some(operand) => {
                let symbols = &context.symbols.visa;
                let value = operand.scalar(symbols, context.machine, thread);
                value.ok_or(MessageFault::NoValue("the offset"))
            }
            None => Ok(0),
        }
    }

    /// The distance between the lanes of a strided message, in bytes.
    fn pitch(&self, context: &IssueContext<'_>, thread: u8) -> Result<Option<u64>, MessageFault> {
        let Some(pitch) = self.instruction.vector(PITCH) else {
            return Ok(None);
        };
        let value = pitch.scalar(&context.symbols.visa, context.machine, thread);
        value.map(Some).ok_or(MessageFault::NoValue("the pitch"))
    }

    /// The registers of the addresses of each lane.
    fn addresses(&self) -> RawOperand {
        match self.message.format {
            MessageFormat::Blocks | MessageFormat::Lsc => self.raw(SyntaxPart::Address),
            _ => self.raw(SyntaxPart::Offsets),
        }
    }

    /// Appends the accesses of all enabled lanes.
    ///
    /// # Errors
    /// If the message faults in this state.
    pub fn issue(
        &self,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) -> Result<(), MessageFault> {
        let symbols = &context.symbols.visa;
        let shape = MessageShape::of(self.message, self.instruction, symbols)?;
        for thread in context.threads.iter() {
            let execution = u64::from(self.instruction.execution.enabled_on(context, thread));
            let enabled = match (shape.masked, shape.step) {
                (true, None) => execution,
                (true, Some(_)) if execution & 1 == 0 => 0,
                // Messages without an execution mask access all their blocks.
                _ => u64::MAX,
            };
            if enabled == 0 {
                continue;
            }
            let target = self.target(context, thread)?;
            if self.message.format == MessageFormat::Block2d {
                self.issue_block(&shape, target, context, thread, out)?;
                continue;
            }
            let base = self.base(context, thread)?;
            let step = self.pitch(context, thread)?.or(shape.step);
            for element in &shape.elements {
                for lane in (0..shape.lanes).filter(|lane| enabled >> (lane & 63) & 1 == 1) {
                    // Lanes at one distance share the first address.
                    let (address_lane, distance) = match step {
                        Some(step) => (0, step.wrapping_mul(lane.into())),
                        None => (lane, 0),
                    };
                    let own = self.address_of(&shape, address_lane, context, thread)?;
                    let offset = base
                        .wrapping_add(own.wrapping_mul(shape.scale))
                        .wrapping_mul(shape.unit)
                        .wrapping_add(element.offset)
                        .wrapping_add(distance);
                    out.push(self.access(&shape, element, lane, offset, target, context, thread)?);
                }
            }
        }
        Ok(())
    }

    fn issue_block(
        &self,
        shape: &MessageShape,
        target: SurfaceMemory,
        context: &IssueContext<'_>,
        thread: u8,
        out: &mut Vec<Access>,
    ) -> Result<(), MessageFault> {
        let block = BlockShape::of(self.instruction, context.symbols.visa.grf_bytes());
        let block = block.map_err(MessageFault::NotModelled)?;
        let location = BlockLocation::of(self.instruction, context, thread);
        let location = location.ok_or(MessageFault::NoValue("the surface"))?;
        if location.has_overlapping_rows() {
            return Err(MessageFault::NarrowPitch);
        }
        if !self.data().is_null() {
            let last = register_of(
                self.data(),
                block.register_bytes() - 1,
                &context.symbols.visa,
            );
            let registers = context.machine.space(SpaceId::registers(thread));
            if !last.is_some_and(|last| registers.is_mapped(last.into(), 1)) {
                return Err(MessageFault::PastEnd("the block"));
            }
        }
        for (place, register) in block.elements() {
            let (offset, is_inside) = location.element(place, block.bytes);
            let element = MessageElement {
                channel: None,
                offset: 0,
                register,
            };
            let mut access = self.access(shape, &element, 0, offset, target, context, thread)?;
            if !is_inside {
                (access.in_bounds, access.fault) = (false, None);
            }
            out.push(access);
        }
        Ok(())
    }

    /// Whether the message only fills caches: a load without a destination.
    pub fn is_prefetch(&self) -> bool {
        let is_lsc = matches!(
            self.message.format,
            MessageFormat::Lsc | MessageFormat::Block2d
        );
        is_lsc && self.message.kind == MessageKind::Load && self.data().is_null()
    }

    fn address_of(
        &self,
        shape: &MessageShape,
        lane: u8,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Result<u64, MessageFault> {
        let addresses = self.addresses();
        if addresses.is_null() {
            return Ok(0);
        }
        let at = register_of(
            addresses,
            u32::from(lane) * u32::from(shape.address_bytes),
            &context.symbols.visa,
        );
        let value = at.and_then(|at| {
            let registers = SpaceId::registers(thread);
            (context.machine).load(registers, at.into(), shape.address_bytes)
        });
        let value = value.ok_or(MessageFault::PastEnd("the addresses"))?;
        Ok(match shape.is_signed {
            true => sign_extend(value, 8 * u32::from(shape.address_bytes)).cast_unsigned(),
            false => value,
        })
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one lane of one element on one thread"
    )]
    fn access(
        &self,
        shape: &MessageShape,
        element: &MessageElement,
        lane: u8,
        offset: u64,
        target: SurfaceMemory,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Result<Access, MessageFault> {
        let place = element.register + shape.stride * u32::from(lane);
        let load = |operand: RawOperand, bytes: u8| {
            if operand.is_null() {
                return Ok(0);
            }
            let at = register_of(operand, place, &context.symbols.visa);
            let value = at.and_then(|at| {
                (context.machine).load(SpaceId::registers(thread), at.into(), bytes)
            });
            value.ok_or(MessageFault::PastEnd("a source"))
        };
        let (src0, src1) = match self.message.kind {
            MessageKind::Load => (0, 0),
            MessageKind::Store => (load(self.data(), shape.bytes)?, 0),
            MessageKind::Atomic(_) => (
                load(self.raw(SyntaxPart::Src1), shape.bytes)?,
                load(self.raw(SyntaxPart::Src2), shape.bytes)?,
            ),
        };
        let dst = match self.message.kind {
            MessageKind::Store => None,
            _ if self.data().is_null() => None,
            _ => {
                let at = register_of(self.data(), place, &context.symbols.visa);
                let registers = context.machine.space(SpaceId::registers(thread));
                let at = at.filter(|at| registers.is_mapped(u64::from(*at), shape.width));
                Some(at.ok_or(MessageFault::PastEnd("the destination"))?)
            }
        };
        let (address, in_bounds, mut fault) = target.cell(offset, shape.bytes, context.machine);
        let alignment = match self.message.kind {
            MessageKind::Atomic(_) => shape.bytes,
            MessageKind::Load | MessageKind::Store => shape.alignment,
        };
        // The lanes of a block are at one distance from its start.
        let start = address.wrapping_sub(shape.step.unwrap_or(0).wrapping_mul(lane.into()));
        if !start.is_multiple_of(alignment.into()) {
            fault = Some(FaultKind::Misaligned);
        }
        if self.is_prefetch() {
            fault = None;
        }
        Ok(Access {
            unit: Unit {
                eu: thread,
                lane,
                channel: element.channel,
            },
            space: target.space,
            bytes: shape.bytes,
            in_bounds,
            fault,
            address,
            src0,
            src1,
            writes: self.message.kind != MessageKind::Load,
            dst,
        })
    }

    /// Performs accesses in order and calls `recorder` at the start of each.
    pub fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        symbols: &Declarations,
        recorder: &mut R,
    ) {
        let shape = MessageShape::of(self.message, self.instruction, symbols);
        let shape = shape.expect("a faulting instruction is not executed");
        if let MessageKind::Atomic(update) = self.message.kind {
            let width = match shape.bytes {
                2 => Width::W16,
                8 => Width::W64,
                _ => Width::W32,
            };
            let apply = |width, old, access: &Access| update.apply(width, old, access);
            if shape.width == shape.bytes {
                rmw_exec::perform(width, accesses, machine, recorder, apply);
                return;
            }
            // Returned values are zero-extended like loaded ones.
            for access in accesses {
                rmw_exec::perform(width, &[*access], machine, recorder, apply);
                if let Some(dst) = access.dst {
                    let registers = SpaceId::registers(access.unit.eu);
                    let upper = u64::from(dst) + u64::from(shape.bytes);
                    machine.store(recorder, registers, upper, shape.width - shape.bytes, 0);
                }
            }
            return;
        }
        for access in accesses {
            recorder.begin();
            if access.writes {
                if access.in_bounds {
                    machine.store(
                        recorder,
                        access.space,
                        access.address,
                        access.bytes,
                        access.src0,
                    );
                }
                continue;
            }
            let value = match access.in_bounds {
                true => machine.load(access.space, access.address, access.bytes),
                false => Some(0),
            };
            if let (Some(value), Some(dst)) = (value, access.dst) {
                let registers = SpaceId::registers(access.unit.eu);
                let value = value << shape.shift;
                machine.store(recorder, registers, dst.into(), shape.width, value);
            }
        }
        if self.message.format == MessageFormat::Block2d {
            self.clear_padding(accesses, machine, symbols, recorder);
        }
    }

    /// Clears the registers between the rows and blocks that a message has loaded.
    fn clear_padding<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        symbols: &Declarations,
        recorder: &mut R,
    ) {
        let block = BlockShape::of(self.instruction, symbols.grf_bytes());
        let block = block.expect("a faulting instruction is not executed");
        let per_thread = block.elements().count();
        // The first element is the first in registers, too.
        for first in accesses.iter().step_by(per_thread) {
            let Some(start) = first.dst else { continue };
            let registers = SpaceId::registers(first.unit.eu);
            for byte in block.padding() {
                machine.store(recorder, registers, (start + byte).into(), block.bytes, 0);
            }
        }
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
        let code = |part| self.instruction.code(part).unwrap_or(0);
        match self.message.format {
            MessageFormat::Channels => {
                u16::try_from(code(SyntaxPart::Channels) & 15).expect("four bits")
            }
            MessageFormat::Blocks => match code(SyntaxPart::Repeat).min(3) {
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

    /// Type of the values: that of the data's variable, or else unsigned integers.
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

/// Register-file address of a byte of an operand.
fn register_of(operand: RawOperand, offset: u32, symbols: &Declarations) -> Option<u32> {
    let variable = symbols.general(operand.id.0)?;
    variable
        .offset
        .checked_add(u32::from(operand.offset))?
        .checked_add(offset)
}

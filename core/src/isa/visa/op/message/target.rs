//! The memory that a message accesses.

use super::super::VisaInstruction;
use super::super::lsc::{SLM_FUNCTION, name};
use super::{Message, MessageFault, MessageFormat};
use crate::isa::visa::declarations::{BoundSurface, Declarations, SURFACE_IS_SET, surface_element};
use crate::isa::visa::op::Argument;
use crate::isa::visa::operand::load_flags;
use crate::isa::visa::surface::Surface;
use crate::isa::visa::vector::VectorOperand;
use crate::isa::{FaultKind, IssueContext};
use crate::machine::{Memory, SpaceId};
use crate::text::SyntaxPart;

/// The kind of address of the arguments of a launch.
pub(super) const ARGUMENTS: u64 = 5;

/// The memory that a message names.
#[derive(Clone, Copy, Debug)]
pub(super) enum MessageTarget {
    /// Virtual memory, with the mask of the significant bits of an address.
    Flat(u64),
    /// Shared local memory.
    Local,
    Surface(Surface),
    /// An entry of the binding table.
    Entry(Option<VectorOperand>),
    /// A bindless handle, or the state of the scratch surface, which is a thread's own
    /// memory.
    Handle(Option<VectorOperand>),
    /// The arguments of a launch.
    Arguments,
}

impl MessageTarget {
    pub(super) fn of(
        message: Message,
        instruction: &VisaInstruction,
    ) -> Result<Self, MessageFault> {
        match message.format {
            MessageFormat::Blocks | MessageFormat::BlocksOfMemory | MessageFormat::Block2d => {
                return Ok(Self::Flat(u64::MAX));
            }
            MessageFormat::Lsc => {}
            _ => {
                return match instruction.argument(SyntaxPart::Surface) {
                    Some(Argument::Surface(surface)) => Ok(Self::Surface(*surface)),
                    _ => Err(MessageFault::Unbound),
                };
            }
        }
        if instruction.code(SyntaxPart::Operation) == Some(SLM_FUNCTION) {
            return Ok(Self::Local);
        }
        if instruction.field(name::INDEX).is_some_and(|i| i != 0) {
            return Err(MessageFault::NotModelled("an index of a surface state"));
        }
        let surface = instruction.vector(SyntaxPart::Surface);
        match instruction.field(name::KIND) {
            // Offsets of 32 bits are extended to 64, except those of a32.
            Some(1) => Ok(Self::Flat(match instruction.field(name::WIDTH) {
                Some(3..=5) => u64::MAX,
                _ => u64::from(u32::MAX),
            })),
            Some(4) => Ok(Self::Entry(surface)),
            Some(2 | 3 | 6) => Ok(Self::Handle(surface)),
            Some(ARGUMENTS) => Ok(Self::Arguments),
            _ => Err(MessageFault::NotModelled("this kind of surface")),
        }
    }

    pub(super) fn memory(
        self,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Result<SurfaceMemory, MessageFault> {
        let symbols = &context.symbols.visa;
        let value =
            |surface: Option<VectorOperand>| surface?.scalar(symbols, context.machine, thread);
        match self {
            Self::Flat(mask) => Ok(SurfaceMemory::flat(mask)),
            Self::Local => Ok(SurfaceMemory::whole(SpaceId::SLM, context)),
            Self::Surface(surface) => surface.memory(context, thread),
            Self::Entry(entry) => {
                let entry = value(entry).and_then(|entry| u8::try_from(entry).ok());
                SurfaceMemory::bound(entry, symbols)
            }
            Self::Handle(handle) => {
                let handle = value(handle).ok_or(MessageFault::Unbound)?;
                let scratch = symbols.scratch(thread);
                let scratch = scratch.filter(|scratch| scratch.address >> 10 == handle >> 6);
                let of_handle = u32::try_from(handle).ok();
                let of_handle = of_handle.and_then(|handle| symbols.handles.get(&handle).copied());
                let found = of_handle.or(scratch);
                Ok(SurfaceMemory::of(
                    found.ok_or(MessageFault::UnknownHandle(handle))?,
                ))
            }
            // Where %r0 points to, the implicit arguments lie before the payload.
            Self::Arguments => {
                let base = symbols.arguments.ok_or(MessageFault::NoArguments)?;
                Ok(SurfaceMemory {
                    base,
                    ..SurfaceMemory::flat(u64::from(u32::MAX))
                })
            }
        }
    }
}

/// Memory with bounds.
#[derive(Clone, Copy, Debug)]
pub(in crate::isa::visa) struct SurfaceMemory {
    pub(in crate::isa::visa) space: SpaceId,
    /// Address of offset 0.
    base: u64,
    /// Size; `None` for virtual memory, which has unmapped addresses instead.
    bytes: Option<u64>,
    /// Fault of an access out of bounds; without one, it reads zero and writes nothing.
    missing_cell: Option<FaultKind>,
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
        Ok(SurfaceMemory::whole(space, context))
    }
}

const fn local_mask(space: SpaceId, symbols: &Declarations) -> u64 {
    if symbols.is_launch && space.0 == SpaceId::SLM.0 {
        LOCAL_ADDRESS
    } else {
        u64::MAX
    }
}

impl SurfaceMemory {
    /// Virtual memory; the offsets are addresses.
    pub(in crate::isa::visa) const fn flat(mask: u64) -> Self {
        Self {
            space: SpaceId::VIRTUAL,
            base: 0,
            bytes: None,
            missing_cell: Some(FaultKind::Unmapped),
            mask,
        }
    }

    /// All that is mapped in a space.
    fn whole(space: SpaceId, context: &IssueContext<'_>) -> Self {
        Self {
            space,
            base: 0,
            bytes: Some(context.machine.space(space).mapped_bytes()),
            missing_cell: None,
            mask: local_mask(space, &context.symbols.visa),
        }
    }

    /// The buffer of an entry of the binding table.
    fn bound(entry: Option<u8>, symbols: &Declarations) -> Result<Self, MessageFault> {
        let surface = entry.and_then(|entry| symbols.binding_table.get(&entry).copied());
        surface.map(Self::of).ok_or(MessageFault::Unbound)
    }

    const fn of(surface: BoundSurface) -> Self {
        Self {
            space: SpaceId::VIRTUAL,
            base: surface.address,
            bytes: Some(surface.bytes),
            missing_cell: match surface.is_null() {
                true => Some(FaultKind::Unmapped),
                false => None,
            },
            mask: u32::MAX as u64,
        }
    }

    /// The address of an offset.
    pub(in crate::isa::visa) const fn address(self, offset: u64) -> u64 {
        self.base.wrapping_add(offset & self.mask)
    }

    /// Fault of every access, if it is the surface of NULL.
    pub(in crate::isa::visa) fn null_fault(self) -> Option<FaultKind> {
        self.bytes.and(self.missing_cell)
    }

    /// The cell at an offset: its address, whether it exists in `memory`, the space of the
    /// surface, and its fault.
    #[inline]
    pub(in crate::isa::visa) fn cell(
        &self,
        offset: u64,
        bytes: u8,
        memory: &Memory,
    ) -> (u64, bool, Option<FaultKind>) {
        let address = self.address(offset);
        let offset = offset & self.mask;
        let exists = match self.bytes {
            Some(size) => {
                let end = offset.checked_add(u64::from(bytes));
                end.is_some_and(|end| end <= size)
            }
            None => memory.is_mapped(address, bytes),
        };
        (address, exists, self.missing_cell.filter(|_| !exists))
    }
}

//! Where the lanes of a message find their memory and registers.

use super::super::VisaInstruction;
use super::super::block2d::BlockShape;
use super::super::lsc::name;
use super::super::memory::{ALIGNED, ALIGNMENT};
use super::{Message, MessageFault, MessageFormat, MessageKind};
use crate::isa::visa::declarations::Declarations;
use crate::isa::{FIRST_ELEMENT, Unit, index_of};
use crate::text::SyntaxPart;
use alloc::vec::Vec;

/// An access that each lane performs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MessageElement {
    /// The channel or element, if each lane has several accesses.
    pub(super) channel: Option<u8>,
    /// Bytes from the address of the lane.
    pub(super) offset: u64,
    /// Bytes from the start of the register operand, for lane 0.
    pub(super) register: u32,
}

/// Memory and registers accessed by the lanes of a message.
#[derive(Clone, Debug)]
pub(super) struct MessageShape {
    pub(super) elements: Vec<MessageElement>,
    /// Register stride between lanes, in bytes.
    pub(super) stride: u32,
    /// Size of a cell in memory.
    pub(super) bytes: u8,
    /// Size in registers; larger sizes are zero-extended.
    pub(super) width: u8,
    /// Memory stride between lanes, if all lanes share one address.
    pub(super) step: Option<u64>,
    /// Whether the execution mask applies; to a block, channel 0 of the mask.
    pub(super) masked: bool,
    pub(super) lanes: u8,
    /// Size of an address in registers, in bytes.
    pub(super) address_bytes: u8,
    /// Whether an address of 32 bits is extended with its sign.
    pub(super) is_signed: bool,
    /// Documented alignment of loads and stores in memory, in bytes; 1 where the documents
    /// demand none, as for LSC messages. Atomics are aligned to their size.
    pub(super) alignment: u8,
    /// Scale of offsets.
    pub(super) unit: u64,
    /// Scale of the addresses of each lane.
    pub(super) scale: u64,
    /// Position of a loaded value in its register element, in bits.
    pub(super) shift: u32,
}

/// Data size of elements of 16 bits that are loaded into the upper half of 32 bits, above
/// zeros (visa_igc_common_header.h). No document says which half a store takes.
const UPPER_HALF: u64 = 7;

impl MessageShape {
    /// Bytes from the start of the register operand.
    pub(super) fn place(&self, unit: Unit) -> Option<u32> {
        let mut elements = self.elements.iter();
        let element = elements.find(|element| element.channel == unit.channel)?;
        Some(element.register + self.stride * u32::from(unit.lane))
    }

    /// Register-file address from which no instruction reads what a message loads to
    /// `start`, if any is left over. The first element is always needed.
    pub(super) fn unread_from(&self, start: u32, symbols: &Declarations) -> Option<u32> {
        let lane = self.lanes.checked_sub(1)?;
        let last = self.elements.last()?.register + self.stride * u32::from(lane);
        let end = start.checked_add(last + u32::from(self.width))?;
        let read = symbols
            .value_flow
            .end_of_reads(&(start..end))
            .unwrap_or(start);
        let needed = read.max(start + u32::from(self.width));
        (needed < end).then_some(needed)
    }

    /// One element of each lane, at addresses of 32 bits.
    fn plain(lanes: u8, bytes: u8, width: u8) -> Self {
        Self {
            elements: Vec::from([MessageElement::default()]),
            stride: u32::from(width),
            bytes,
            width,
            step: None,
            masked: true,
            lanes,
            address_bytes: 4,
            is_signed: false,
            alignment: 1,
            unit: 1,
            scale: 1,
            shift: 0,
        }
    }

    pub(super) fn of(
        message: Message,
        instruction: &VisaInstruction,
        symbols: &Declarations,
    ) -> Result<Self, MessageFault> {
        let lanes = instruction.execution.size.lanes();
        let grf = symbols.grf_bytes();
        let padded = |bytes: u32| u32::from(lanes).max(grf / 4) * bytes;
        let plain = |bytes, width, address_bytes, unit| Self {
            address_bytes,
            unit,
            ..Self::plain(lanes, bytes, width)
        };
        // Texts and encodings with other codes are rejected.
        let code = |part| u8::try_from(instruction.expect_code(part)).expect("a code has 8 bits");
        let listed = |sizes: &[u8], part| {
            let size = sizes.get(usize::from(code(part)));
            *size.expect("the code is listed in the table of the part")
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
                let bytes = listed(&[1, 2, 4, 8], SyntaxPart::Repeat);
                plain(bytes, bytes.max(4), 4, 1)
            }
            MessageFormat::Elements => {
                let bytes = listed(&[1, 2, 4], SyntaxPart::Width);
                plain(bytes, 4, 4, u64::from(bytes))
            }
            MessageFormat::Blocks | MessageFormat::Quadwords => {
                let blocks = listed(&[1, 2, 4, 8], SyntaxPart::Repeat);
                let (bytes, address_bytes, alignment) = match message.format {
                    MessageFormat::Quadwords => (8, 4, 1),
                    _ => {
                        let bytes = listed(&[1, 4, 8], SyntaxPart::Width);
                        (bytes, 8, bytes)
                    }
                };
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
                    alignment,
                    ..plain(bytes, bytes, address_bytes, 1)
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
        let field = |name| instruction.expect_field(name);
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
            LscVector::Single | LscVector::Block(_) => Vec::from([MessageElement::default()]),
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
            elements,
            step,
            scale: field(name::SCALE).max(1),
            shift: if size == UPPER_HALF { 16 } else { 0 },
            ..Self::plain(lanes, bytes, width)
        })
    }
}

/// Elements that each lane of an LSC message accesses.
#[derive(Clone, Copy)]
pub(super) enum LscVector {
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
    pub(super) fn of(instruction: &VisaInstruction) -> Self {
        let field = |name| instruction.expect_field(name);
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
pub(super) const fn elements_mask(count: u8) -> u16 {
    ((1 << count) - 1) << FIRST_ELEMENT
}

/// Numbers of the channels and elements in a mask.
fn channels_of(mask: u16) -> impl Iterator<Item = u8> {
    (0..16).filter(move |channel| mask >> channel & 1 == 1)
}

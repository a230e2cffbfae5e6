//! Blocks of 2D surfaces: `lsc_load_block2d`, `lsc_store_block2d`.
//!
//! Source: LSC_UNTYPED.md for the layout in registers. The finalizer of Intel's compiler
//! copies the operands into a payload that holds width, height and pitch minus 1, and X and
//! Y as signed numbers; the document does not say so for the pitch. Elements outside the
//! surface read zero and are not written (cl_intel_subgroup_2d_block_io).

use super::VisaInstruction;
use super::lsc::{BLOCK_LOCATION, name};
use crate::diagnostic::to_usize;
use crate::isa::IssueContext;
use crate::isa::visa::vector::VectorOperand;
use crate::machine::SpaceId;
use crate::number::sign_extend;

/// Shape of the data of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockShape {
    /// Size of an element, in bytes.
    pub(super) bytes: u8,
    /// Blocks side by side, and the size of each, in elements.
    count: u32,
    width: u32,
    height: u32,
    transposed: bool,
    vnni: bool,
    grf: u32,
}

/// Whether a block has 1 to 32 rows of 1 to 64 bytes.
pub(super) fn is_block_size(row_bytes: u64, height: u64) -> bool {
    (1..=32).contains(&height) && (1..=64).contains(&row_bytes)
}

impl BlockShape {
    /// # Errors
    /// The property of the message that is not modeled.
    pub(super) fn of(instruction: &VisaInstruction, grf: u32) -> Result<Self, &'static str> {
        let field = |name| instruction.field(name).expect("the format has the field");
        let bytes = match field(name::SIZE) {
            1 => 1,
            2 => 2,
            3 => 4,
            4 => 8,
            _ => return Err("the data size"),
        };
        let (count, width, height) = (
            field(name::BLOCKS),
            field(name::BLOCK_WIDTH),
            field(name::BLOCK_HEIGHT),
        );
        let small = |n: u64| u32::try_from(n).expect("the fields have at most 16 bits");
        let block = Self {
            bytes,
            count: small(count),
            width: small(width),
            height: small(height),
            transposed: field(name::ORDER) == 2,
            vnni: field(name::VNNI) == 1,
            grf,
        };
        let row_bytes = count.saturating_mul(width) * u64::from(bytes);
        if !is_block_size(row_bytes, height) {
            return Err("this block size");
        }
        // The document has no pseudo-code for both.
        if block.vnni && block.transposed {
            return Err("a transposed VNNI transform");
        }
        if block.vnni && (bytes > 2 || !height.is_multiple_of(block.per_dword().into())) {
            return Err("this VNNI transform");
        }
        Ok(block)
    }

    /// Whether the block is transposed or VNNI-transformed.
    pub(super) fn is_transformed(self) -> bool {
        self.transposed || self.vnni
    }

    /// Elements that the VNNI transform packs into a doubleword.
    fn per_dword(self) -> u32 {
        4 / u32::from(self.bytes)
    }

    /// Length of a row in registers, and number of rows, in elements.
    fn register_rows(self) -> (u32, u32) {
        match self.transposed {
            true => (self.height.next_power_of_two(), self.width),
            false => (self.width.next_power_of_two(), self.height),
        }
    }

    /// Distance of the blocks in registers, in elements.
    fn register_pitch(self) -> u32 {
        let (row, rows) = self.register_rows();
        (row * rows).next_multiple_of(self.grf / u32::from(self.bytes))
    }

    /// Bytes of the registers of the message.
    pub(super) fn register_bytes(self) -> u32 {
        self.count * self.register_pitch() * u32::from(self.bytes)
    }

    /// The elements: row and column in memory, relative to the first, and byte in registers.
    pub(super) fn elements(self) -> impl Iterator<Item = ((u32, u32), u32)> {
        let places = move |block| {
            (0..self.height).flat_map(move |y| (0..self.width).map(move |x| (block, y, x)))
        };
        (0..self.count).flat_map(places).map(move |(block, y, x)| {
            let (across, along) = if self.transposed { (x, y) } else { (y, x) };
            let (row, _) = self.register_rows();
            let index = match self.vnni {
                false => across * row + along,
                true => {
                    let n = self.per_dword();
                    across / n * n * row + along * n + across % n
                }
            };
            let element = block * self.register_pitch() + index;
            ((y, block * self.width + x), element * u32::from(self.bytes))
        })
    }

    /// Bytes in registers of the elements that pad rows and blocks.
    pub(super) fn padding(self) -> impl Iterator<Item = u32> {
        let mut used = alloc::vec![false; to_usize(self.count * self.register_pitch())];
        for (_, byte) in self.elements() {
            used[to_usize(byte / u32::from(self.bytes))] = true;
        }
        let unused = (0..).zip(used).filter(|(_, is_used)| !is_used);
        unused.map(move |(element, _)| element * u32::from(self.bytes))
    }
}

/// A surface in virtual memory, and the place of a block in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockLocation {
    base: u64,
    /// Bytes of a row and number of rows, minus 1.
    last: (i64, i64),
    pitch: i64,
    /// Column and row of the first element.
    first: (i64, i64),
}

impl BlockLocation {
    /// `None` if an operand has no value.
    pub(super) fn of(
        instruction: &VisaInstruction,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Option<Self> {
        let value = |part| {
            let operand = instruction.vector(part)?;
            operand.scalar(&context.symbols.visa, context.machine, thread)
        };
        let unsigned = |part| Some(i64::try_from(value(part)? & 0xffff_ffff).expect("32 bits"));
        let signed = |part| Some(sign_extend(value(part)?, 32));
        let [base, width, height, pitch, x, y] = BLOCK_LOCATION;
        let offset = |name| sign_extend(instruction.expect_field(name), 32);
        let offsets = (offset(name::X_OFFSET), offset(name::Y_OFFSET));
        if instruction.field(name::PAYLOAD) == Some(1) {
            let VectorOperand::Direct(payload) = instruction.vector(base)? else {
                return None;
            };
            // The base, then width, height and pitch minus 1, X and Y.
            let symbols = &context.symbols.visa;
            let start = payload.register_byte(symbols)?;
            let dword = |index: u32| {
                let registers = SpaceId::registers(thread);
                (context.machine).load(registers, start + 4 * u64::from(index), 4)
            };
            let unsigned = |index| Some(i64::try_from(dword(index)?).expect("32 bits"));
            let signed = |index| Some(sign_extend(dword(index)?, 32));
            return Some(Self {
                base: dword(0)? | dword(1)? << 32,
                last: (unsigned(2)?, unsigned(3)?),
                pitch: unsigned(4)? + 1,
                first: (signed(5)? + offsets.0, signed(6)? + offsets.1),
            });
        }
        Some(Self {
            base: value(base)?,
            last: (unsigned(width)?, unsigned(height)?),
            pitch: unsigned(pitch)? + 1,
            first: (signed(x)? + offsets.0, signed(y)? + offsets.1),
        })
    }

    /// Whether the rows of the surface overlap.
    pub(super) fn has_overlapping_rows(self) -> bool {
        self.pitch <= self.last.0
    }

    /// Address of an element, and whether it lies in the surface.
    pub(super) fn element(self, (y, x): (u32, u32), bytes: u8) -> (u64, bool) {
        let bytes = i64::from(bytes);
        let column = (self.first.0 + i64::from(x)) * bytes;
        let row = self.first.1 + i64::from(y);
        let is_inside =
            (0..=self.last.0 - bytes + 1).contains(&column) && (0..=self.last.1).contains(&row);
        let offset = row.wrapping_mul(self.pitch).wrapping_add(column);
        (self.base.wrapping_add_signed(offset), is_inside)
    }
}

//! Kernel launches: `.launch`, `.simd`, `.buffer`, `.local_arg`, `.bind`.
//!
//! A launch has work-groups in up to three dimensions. A work-group consists of hardware
//! threads with `.simd` channels each. [`Launch::enter_group`] initializes the threads of
//! a work-group and keeps the global memory written by earlier groups.
//!
//! Source: IGC's zeinfo.md and visa_4_visa_header.md; compute-runtime for the
//! order of work-items and the contents of r0, which are undocumented.

use super::implicit_args::{self, ImplicitArguments};
use super::init_edit::literal;
use super::mapping::{CONSTANT_BANKS, MAX_MAPPED};
use super::type_layout::TypeLayout;
use super::values::Values;
use super::{Mapping, Program, Reader};
use crate::diagnostic::{Span, to_u32, to_usize};
use crate::isa::sass::chip::{BankWord, Chip};
use crate::isa::sass::op::memory::LOCAL_BYTES;
use crate::isa::sass::warp::{AddressWindow, LANES};
use crate::isa::visa::declarations::{BoundSurface, Declarations, FIRST_GENERAL, Symbol};
use crate::isa::visa::execution::low_lanes;
use crate::isa::visa::predefined::SCRATCH_LOCATION;
use crate::isa::{Access, LaunchWords};
use crate::machine::warp::{Geometry, set_geometry};
use crate::machine::{MAX_THREADS, Machine, Memory, SpaceId, SpaceKind, control};
use crate::number::{ElementType, little_endian, parse_literal};
use crate::rules;
use crate::text::{Cursor, Rewritten};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Maximum number of work-items of a work-group.
const MAX_GROUP_ITEMS: u64 = 1024;

/// Maximum number of work-groups of a launch.
const MAX_GROUPS: u64 = 1 << 20;

/// Address of the first buffer without an address, and distance between such buffers.
const BUFFER_SPACING: u64 = 0x1_0000;

/// Alignment of a local argument, in bytes.
const LOCAL_ALIGN: u64 = 64;

/// The same of a kernel of warps.
const WARP_LOCAL_ALIGN: u64 = 16;

/// Channels per thread of a launch that does not give them.
const ASSUMED_SIMD: u8 = 16;

/// Size of the buffer that printf writes, in bytes, which compiled kernels contain.
pub const PRINTF_BYTES: u64 = 4 << 20;

/// Bytes of the printf buffer before its first record: the size of the used part.
pub const PRINTF_HEADER: u32 = 4;

/// Start of a window in the generic address space of a launch, above the buffers (assumed). Code
/// of old chips takes its upper word for zero, and that of SM90 its lower word.
fn window_of_launch(window: AddressWindow, chip: Chip) -> u64 {
    let start = match window {
        AddressWindow::Shared => 0x7e00_0000,
        AddressWindow::Local => 0x7f00_0000,
    };
    if chip.is_old() { start } else { start << 8 }
}

/// The variable %r0.
const R0: u32 = 7;

/// The variable %hw_id.
const HW_ID: u32 = 12;

/// The variable %sr0.
const SR0: u32 = 13;

/// The variable %msg0.
const MSG0: u32 = 20;

/// Sizes in three dimensions: x, y, z.
pub type Sizes = [u32; 3];

/// The word for undefined content of a buffer.
pub const UNDEFINED: &str = "undef";

/// The word for a pointer without a buffer.
pub const NULL: &str = "null";

/// A named buffer in global memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub name: String,
    pub ty: ElementType,
    /// Number of elements.
    pub elements: u64,
    /// Virtual address.
    pub address: u64,
    /// Whether the text gives the address.
    is_placed: bool,
    /// Whether its initial content counts as undefined; it reads as zeros.
    pub is_undefined: bool,
    /// Whether it stands for a NULL pointer: it has no memory, and its address is 0.
    pub is_null: bool,
    /// The structure of its elements, by whose fields places are named.
    pub structure: Option<TypeLayout>,
    values: Option<Values>,
    span: Span,
}

/// Maximum number of elements of a buffer that are written as a list.
const MAX_LISTED: u64 = 16_384;

impl Buffer {
    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.elements * u64::from(self.ty.bytes())
    }

    /// Virtual addresses.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.address..self.address + self.bytes()
    }

    fn surface(&self) -> BoundSurface {
        BoundSurface {
            address: self.address,
            bytes: self.bytes(),
        }
    }

    /// Type of the element, or of the field of a structure, at an offset in bytes; `None` in
    /// padding.
    fn type_at(&self, offset: u64) -> Option<ElementType> {
        match &self.structure {
            Some(structure) => structure.field_at(offset).map(|(_, field)| field.element),
            None => Some(self.ty),
        }
    }

    /// Address and type of an element, or of the field of a structure with this path.
    pub(crate) fn place_of(&self, index: u64, path: &str) -> Option<(u64, ElementType)> {
        let (size, offset, ty) = match &self.structure {
            Some(structure) => {
                let mut fields = structure.fields.iter();
                let field = fields.find(|field| field.path == path)?;
                (structure.size, field.offset, field.element)
            }
            None if path.is_empty() => (self.ty.bytes().into(), 0, self.ty),
            None => return None,
        };
        let at = index.checked_mul(size.into())?.checked_add(offset.into())?;
        let is_inside = at.checked_add(ty.bytes().into())? <= self.bytes();
        is_inside.then_some((self.address + at, ty))
    }

    /// Name of the elements at an offset in bytes.
    fn element_name(&self, offset: i64, bytes: u8) -> String {
        let name = &self.name;
        let last = offset + i64::from(bytes) - 1;
        if let Some(structure) = &self.structure {
            let (first, byte) = structure.place_name(name, offset);
            let (last, _) = structure.place_name(name, last);
            return match (first == last, byte) {
                (true, 0) => first,
                (true, byte) => format!("{first} byte {byte}"),
                (false, _) => format!("{first}–{last}"),
            };
        }
        let size = i64::from(self.ty.bytes());
        let (first, last) = (offset.div_euclid(size), last.div_euclid(size));
        match (first == last, offset.rem_euclid(size)) {
            (true, 0) => format!("{name}[{first}]"),
            (true, byte) => format!("{name}[{first}] byte {byte}"),
            (false, _) => format!("{name}[{first}–{last}]"),
        }
    }

    /// Rewrites `text`, from which the buffer was parsed, so that the buffer starts with
    /// `bytes`, followed by zeros.
    ///
    /// # Errors
    /// Why the buffer cannot start with these bytes.
    pub fn with_bytes(&self, text: &str, bytes: &[u8]) -> Result<Rewritten, String> {
        let size = usize::from(self.ty.bytes());
        let given = bytes.len() as u64;
        if given == 0 || given > self.bytes() || !bytes.len().is_multiple_of(size) {
            return Err(format!(
                "expected {size} to {} bytes, a multiple of {size}, found {given}",
                self.bytes()
            ));
        }
        let used = bytes.iter().rposition(|byte| *byte != 0);
        let used = used.map_or(1, |last| last / size + 1);
        if used as u64 > MAX_LISTED {
            return Err(format!(
                "expected at most {MAX_LISTED} elements, found {used}"
            ));
        }
        let values = bytes
            .chunks(size)
            .take(used)
            .map(|element| literal(little_endian(element), self.ty, false, ""));
        let values: Vec<String> = values.collect();
        let place = match self.is_placed {
            true => format!(" at={:#x}", self.address),
            false => String::new(),
        };
        let line = format!(
            ".buffer {} : {}[{}]{place} = {}",
            self.name,
            self.ty.name(),
            self.elements,
            values.join(", ")
        );
        let (start, end) = (to_usize(self.span.start), to_usize(self.span.end));
        let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
            return Err(String::from("the text has changed"));
        };
        Ok(Rewritten {
            caret: start + line.len(),
            text: [before, &line, after].concat(),
        })
    }
}

/// Value of an input variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// An address in a buffer or data, as an offset in bytes.
    Address(BindTarget, u64),
    /// The handle of the surface of a buffer or data.
    Handle(BindTarget),
    /// The bits of a number, and its size in bytes.
    Number(u64, u8),
    /// The offset of a local argument, by index.
    Local(usize),
    /// Local IDs in a dimension, one word per channel starting at a channel.
    LocalId(usize, u8),
    /// The address of the private memory.
    Private,
    /// The address of the printf buffer.
    Printf,
    /// The address of the implicit arguments.
    ImplicitArguments,
    /// A three-dimensional property of the launch, from a dimension on.
    Sizes(Quantity, usize),
}

/// A buffer or data of the program, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BindTarget {
    Buffer(usize),
    Data(usize),
}

/// An address that data contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pointer {
    data: usize,
    /// Byte offset in the data.
    at: u64,
    target: BindTarget,
    offset: u64,
    part: AddressPart,
}

/// Part of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AddressPart {
    Whole,
    /// Bits 31:0.
    Low,
    /// Bits 63:32.
    High,
}

impl AddressPart {
    const fn bytes(self) -> u64 {
        match self {
            Self::Whole => 8,
            Self::Low | Self::High => 4,
        }
    }
}

/// Handle of the first bindless surface. The next ones follow in steps of a surface state;
/// the value is arbitrary (assumed), but not that of an offset.
const FIRST_HANDLE: u32 = 0x0b1d_0040;

/// Size of a surface state, in bytes.
const HANDLE_STEP: u32 = 64;

/// Three-dimensional properties of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    GroupId,
    GlobalOffset,
    GlobalSize,
    /// Size of the work-group, which may be a smaller one at the end.
    LocalSize,
    EnqueuedLocalSize,
    NumGroups,
}

/// Names of the three-dimensional properties in `.bind`.
const QUANTITIES: [(&str, Quantity); 6] = [
    ("group_id", Quantity::GroupId),
    ("global_offset", Quantity::GlobalOffset),
    ("global_size", Quantity::GlobalSize),
    ("local_size", Quantity::LocalSize),
    ("enqueued_local_size", Quantity::EnqueuedLocalSize),
    ("num_groups", Quantity::NumGroups),
];

/// A `.bind` line of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Binding {
    variable: u32,
    /// Byte offset in the variable.
    offset: u32,
    value: Bound,
}

/// A `.launch` line.
#[derive(Clone, Copy)]
struct WrittenSizes {
    global: Sizes,
    local: Sizes,
    offset: Sizes,
    group: u32,
    /// The line.
    span: Span,
    /// The sizes of a work-group.
    local_span: Span,
}

/// The launch directives parsed so far.
#[derive(Default)]
pub(super) struct PendingLaunch {
    sizes: Option<WrittenSizes>,
    simd: Option<(u8, Span)>,
    buffers: Vec<Buffer>,
    data: Vec<Buffer>,
    private: Option<(u64, Span)>,
    locals: Vec<(u64, Span)>,
    bindings: Vec<Binding>,
    tables: Vec<(u8, BindTarget)>,
    pointers: Vec<Pointer>,
    /// Names of places in data: the data, and an offset in bytes.
    names: Vec<(String, usize, u64)>,
    /// Parameters of a kernel of warps, by their offset in constant bank 0.
    parameters: Vec<(u32, Bound)>,
    /// Contents of other constant banks.
    constants: Vec<(u8, ElementType, u64, Values)>,
}

impl PendingLaunch {
    /// Whether the text is a launch.
    pub(super) const fn has_sizes(&self) -> bool {
        self.sizes.is_some()
    }
}

/// Constant banks of a launch of warps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WarpConstants {
    chip: Chip,
    parameters: Vec<(u32, Bound)>,
    banks: Vec<(u8, ElementType, u64, Values)>,
}

/// A known value in constant bank 0 of a launch of warps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchConstant {
    /// Offset of its first byte.
    pub offset: u32,
    /// The value, little-endian.
    pub bytes: Vec<u8>,
    /// `threads of a block, x`.
    pub what: String,
}

/// Blocks of a grid in y and in z, at most. Source of both: NVIDIA/cccl, `arch_traits.cuh`.
const MOST_BLOCKS: u32 = 65_535;

/// Threads of a block in z, at most.
const MOST_THREADS: u32 = 64;

/// Size of a constant bank that the text does not fill, and of bank 0, in bytes.
const BANK_BYTES: u64 = 0x1_0000;

/// A kernel launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Total work-items.
    pub global: Sizes,
    /// Work-items per work-group.
    pub local: Sizes,
    /// Global ID of the first work-item.
    pub offset: Sizes,
    /// The work-group shown in the timeline.
    pub group: u32,
    /// Channels per thread.
    pub simd: u8,
    /// Named buffers.
    pub buffers: Vec<Buffer>,
    /// Data of the program, which `faddr` addresses by name.
    pub data: Vec<Buffer>,
    /// Address of the buffer that printf writes, if the kernel has one.
    pub printf: Option<u64>,
    private: Private,
    /// Address of the table of local IDs that the implicit arguments follow.
    implicit: Option<u64>,
    /// Offsets of the local arguments in shared local memory.
    locals: Vec<u64>,
    /// Bytes of shared local memory that the kernel and its arguments ask for. What is mapped
    /// is a multiple of 1 KB.
    pub local_bytes: u64,
    bindings: Vec<Binding>,
    /// Addresses that the data contain.
    pointers: Vec<Pointer>,
    /// Initial values of registers, flags and shared local memory.
    initial: Vec<InitialBytes>,
    /// Set if threads are warps.
    warps: Option<WarpConstants>,
    pub(super) words: &'static LaunchWords,
}

/// Bytes that `.init` sets at the start of every work-group.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InitialBytes {
    space: SpaceId,
    address: u64,
    bytes: Vec<u8>,
}

/// Private memory of the threads of a work-group, one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Private {
    address: u64,
    /// Size per thread, in bytes.
    bytes: u64,
}

impl Private {
    /// Dword 5 of %r0: bits 31:10 of the address of the private memory of a thread, and the
    /// number of the thread.
    fn scratch_dword(self, thread: u8) -> u32 {
        let address = self.address + self.bytes * u64::from(thread);
        let address = u32::try_from(address).expect("private memory lies below 4 GB");
        address & !0x3ff | u32::from(thread)
    }

    /// Handle of the private memory of a thread, which compiled kernels of other platforms
    /// compute from dword 5 of %r0 (observed).
    fn scratch_handle(self, thread: u8) -> u32 {
        self.scratch_dword(thread) >> 10 << 6
    }
}

impl Launch {
    /// Bytes and meaning of a word of constant bank 0, which may have one for each dimension.
    fn bank_word(&self, word: BankWord, chip: Chip) -> Vec<(Vec<u8>, String)> {
        let number = |number: u32, what: &str| {
            let bytes = number.to_le_bytes().to_vec();
            Vec::from([(bytes, String::from(what))])
        };
        let sizes = |sizes: Sizes, what: &str| {
            let named = |(size, dimension): (u32, _)| {
                (size.to_le_bytes().to_vec(), format!("{what}, {dimension}"))
            };
            let dimensions = ["x", "y", "z"];
            sizes.into_iter().zip(dimensions).map(named).collect()
        };
        let window = |window: AddressWindow| {
            let start = window_of_launch(window, chip).to_le_bytes();
            let size = if chip.is_old() { 4 } else { 8 };
            let what = format!("generic address of {} memory", window.name());
            Vec::from([(start[..size].to_vec(), what)])
        };
        match word {
            BankWord::Block => sizes(self.local, "threads of a block"),
            BankWord::Grid => sizes(self.groups(), "blocks of the grid"),
            BankWord::Cluster => sizes([1; 3], "blocks of a cluster"),
            BankWord::ClusterInverse => {
                let one = 1.0_f32.to_bits();
                sizes([one; 3], "1 divided by the blocks of a cluster")
            }
            BankWord::Clusters => sizes(self.groups(), "clusters of the grid"),
            BankWord::ClusterBlocks => number(1, "blocks of a cluster"),
            BankWord::Stack => {
                let top = u32::try_from(LOCAL_BYTES).expect("it has 32 bits");
                number(top, "end of the local memory")
            }
            BankWord::SharedWindow => window(AddressWindow::Shared),
            BankWord::LocalWindow => window(AddressWindow::Local),
            BankWord::DynamicShared => {
                let first = self.locals.first();
                let bytes = first.map_or(0, |first| self.local_bytes - first);
                let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                number(bytes, "dynamic shared memory, in bytes")
            }
            BankWord::SystemShared => number(0x400, "shared memory of the system, in bytes"),
            BankWord::Multiprocessors => number(1, "number of multiprocessors"),
        }
    }

    /// The known values of constant bank 0, if threads are warps.
    #[must_use]
    pub fn constants(&self) -> Vec<LaunchConstant> {
        let Some(warps) = &self.warps else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (mut offset, word) in warps.chip.bank().words() {
            for (bytes, what) in self.bank_word(word, warps.chip) {
                let next = offset + u32::try_from(bytes.len()).expect("a word is short");
                found.push(LaunchConstant {
                    offset,
                    bytes,
                    what,
                });
                offset = next;
            }
        }
        for (offset, value) in &warps.parameters {
            let what = match value {
                Bound::Address(BindTarget::Buffer(index), _) => {
                    let name = self.buffers.get(*index).map_or("", |buffer| &*buffer.name);
                    format!("parameter, the address of {name}")
                }
                _ => String::from("parameter"),
            };
            found.push(LaunchConstant {
                offset: *offset,
                bytes: self.bytes_of(*value, [0; 3], 0),
                what,
            });
        }
        found
    }
}

impl Program {
    /// Element type of the buffer of the launch that an access reads or writes, if it
    /// accesses one element.
    #[must_use]
    pub fn cell_type(&self, access: &Access) -> Option<ElementType> {
        let launch = self.launch.as_ref()?;
        let buffer = launch.buffer_at(access.address)?;
        let ty = buffer.type_at(access.address - buffer.address)?;
        let is_element = ty.bytes() == access.bytes && access.space == SpaceId::VIRTUAL;
        is_element.then_some(ty)
    }
}

impl Launch {
    /// Number of work-groups per dimension. The last ones are smaller if the local size
    /// does not divide the global size.
    #[must_use]
    pub fn groups(&self) -> Sizes {
        core::array::from_fn(|i| self.global[i].div_ceil(self.local[i].max(1)))
    }

    /// Number of work-items of a work-group per dimension, by its ID.
    pub(super) fn size_of(&self, group: Sizes) -> Sizes {
        core::array::from_fn(|i| {
            let first = group[i].saturating_mul(self.local[i]);
            self.local[i].min(self.global[i].saturating_sub(first))
        })
    }

    /// Total number of work-groups.
    #[must_use]
    pub fn group_count(&self) -> u32 {
        self.groups().iter().product()
    }

    /// Number of work-items of the largest work-groups.
    #[must_use]
    pub fn group_items(&self) -> u32 {
        self.local.iter().product()
    }

    /// Number of hardware threads of the largest work-groups.
    #[must_use]
    pub fn threads(&self) -> u8 {
        let threads = self.group_items().div_ceil(u32::from(self.simd));
        u8::try_from(threads).expect("a work-group has at most 128 threads")
    }

    /// The ID of a work-group by index, x fastest.
    #[must_use]
    pub fn group_id(&self, group: u32) -> Sizes {
        let groups = self.groups();
        let (x, y) = (groups[0].max(1), groups[1].max(1));
        [group % x, group / x % y, group / x / y]
    }

    /// The buffer that contains a byte of the virtual address space.
    #[must_use]
    pub fn buffer_at(&self, address: u64) -> Option<&Buffer> {
        let holds = |b: &&Buffer| address.wrapping_sub(b.address) < b.bytes();
        self.buffers.iter().find(holds)
    }

    /// Whether an access to local memory reaches past the bytes that the kernel and its
    /// arguments use. More is mapped.
    #[must_use]
    pub fn is_past_local(&self, access: &Access) -> bool {
        let end = access.address.saturating_add(access.bytes.into());
        access.space == SpaceId::SLM && end > self.local_bytes
    }

    /// Whether an address is in the printf buffer.
    #[must_use]
    pub fn is_printed(&self, address: u64) -> bool {
        let start = self.printf;
        start.is_some_and(|start| address.wrapping_sub(start) < PRINTF_BYTES)
    }

    /// Whether an address lies in the private memory of the threads.
    #[must_use]
    pub fn is_private(&self, address: u64) -> bool {
        let memory = self.private_memory();
        memory.is_some_and(|memory| memory.contains(&address))
    }

    /// The part of the private memory that belongs to a thread: its address and size.
    #[must_use]
    pub fn private_of(&self, thread: u8) -> (u64, u64) {
        let Private { address, bytes } = self.private;
        (address + bytes * u64::from(thread), bytes)
    }

    /// Name of accessed buffer elements: `bins[3]`, `x[4–7]`, `p[3].id`, or for a part of one,
    /// `a[3] byte 1`. `None` outside the buffers.
    #[must_use]
    pub fn element_name(&self, address: u64, bytes: u8) -> Option<String> {
        let buffer = self.buffer_at(address)?;
        let offset = i64::try_from(address - buffer.address).ok()?;
        Some(buffer.element_name(offset, bytes))
    }

    /// Name of elements accessed through the surface of a buffer that starts at an address;
    /// also outside the buffer: `y[-1]`.
    #[must_use]
    pub fn surface_element_name(&self, start: u64, address: u64, bytes: u8) -> Option<String> {
        let is_own = |buffer: &&Buffer| buffer.address == start && !buffer.is_null;
        let buffer = self.buffers.iter().find(is_own)?;
        // Buffers are much smaller than half of 32 bits, to which offsets may be cut off.
        let offset = address.wrapping_sub(start).cast_signed();
        let offset = match u32::try_from(offset) {
            Ok(offset) => offset.cast_signed(),
            Err(_) => i32::try_from(offset).ok()?,
        };
        Some(buffer.element_name(offset.into(), bytes))
    }

    fn target(&self, target: BindTarget) -> &Buffer {
        match target {
            BindTarget::Buffer(index) => &self.buffers[index],
            BindTarget::Data(index) => &self.data[index],
        }
    }

    /// The handle of the surface of a buffer or data.
    fn handle(&self, target: BindTarget) -> u32 {
        let index = match target {
            BindTarget::Buffer(index) => index,
            BindTarget::Data(index) => self.buffers.len() + index,
        };
        FIRST_HANDLE + to_u32(index) * HANDLE_STEP
    }

    /// Names the NULL arguments, if the faulting access may have gone through one. Begins with a
    /// colon if they are the cause, and with a semicolon otherwise.
    #[must_use]
    pub fn null_access(&self, access: &Access, memory: &Memory) -> Option<String> {
        // The surface of NULL has no memory, even if the address is mapped.
        let is_surface = memory.is_mapped(access.address, access.bytes);
        let mark = match is_surface {
            true => ':',
            false if access.address < BUFFER_SPACING => ';',
            false => return None,
        };
        Some(format!("{mark} {}", self.null_arguments()?))
    }

    /// Says which arguments are NULL, if there are any: "`p`, `q` are NULL".
    pub(crate) fn null_arguments(&self) -> Option<String> {
        let names = self.buffers.iter().filter(|buffer| buffer.is_null);
        let names: Vec<String> = names.map(|buffer| format!("`{}`", buffer.name)).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        (!names.is_empty()).then(|| format!("{} {verb} NULL", names.join(", ")))
    }

    /// Describes where an address lies relative to the nearest buffer, or to private memory if
    /// that is nearer.
    pub(crate) fn nearest_buffer(&self, address: u64) -> Option<String> {
        let distance = |(_, start, bytes): &(_, u64, u64)| match address.checked_sub(*start) {
            Some(inside) => inside.saturating_sub(*bytes),
            None => start - address,
        };
        let buffers = self.buffers.iter().filter(|buffer| !buffer.is_null);
        let buffers = buffers.chain(&self.data);
        let buffers = buffers.map(|buffer| (Some(&buffer.name), buffer.address, buffer.bytes()));
        let private = self.private_memory();
        let private = private.map(|range| (None, range.start, range.end - range.start));
        let (name, start, bytes) = buffers.chain(private).min_by_key(distance)?;
        let place = match address.checked_sub(start) {
            Some(inside) if inside < bytes => String::from("across the end"),
            Some(inside) if inside == bytes => String::from("at the end"),
            Some(inside) => format!("{} bytes past the end", inside - bytes),
            None => format!("{} bytes before the start", start - address),
        };
        let name = match name {
            Some(name) => format!("the nearest buffer, `{name}`"),
            None => format!("{} memory", self.words().private),
        };
        Some(format!("{place} of {name} ({bytes} bytes at {start:#x})"))
    }

    /// Initializes the registers, flags and control state of the threads of a work-group.
    /// Clears shared local memory and keeps global memory.
    pub fn enter_group(&self, symbols: &Declarations, group: u32, machine: &mut Machine) {
        if let Some(memory) = machine.space_mut(SpaceId::SLM) {
            memory.clear();
        }
        self.write_implicit(group, machine);
        for thread in 0..self.threads() {
            for space in [
                SpaceId::registers(thread),
                SpaceId::flags(thread),
                SpaceId::accumulators(thread),
                SpaceId::control(thread),
            ] {
                if let Some(memory) = machine.space_mut(space) {
                    memory.clear();
                }
            }
            self.enter_thread(symbols, group, thread, machine);
        }
        for initial in &self.initial {
            let memory = machine.space_mut(initial.space);
            let memory = memory.expect("the machine has the spaces of the program's");
            memory.write(initial.address, &initial.bytes);
        }
        for thread in 0..self.threads() {
            control::dispatch(machine, thread);
        }
    }

    /// Address of the implicit arguments, behind the table of local IDs.
    fn implicit_arguments(&self) -> Option<u64> {
        let table = implicit_args::thread_bytes(self.simd) * u64::from(self.threads());
        Some(self.implicit? + table)
    }

    /// Writes the implicit arguments of a work-group.
    fn write_implicit(&self, group: u32, machine: &mut Machine) {
        let (Some(table), Some(address), Some(memory)) = (
            self.implicit,
            self.implicit_arguments(),
            machine.space_mut(SpaceId::VIRTUAL),
        ) else {
            return;
        };
        let local = self.size_of(self.group_id(group));
        for thread in 0..self.threads() {
            let first = u32::from(thread) * u32::from(self.simd);
            let ids = implicit_args::local_ids(local, self.simd, first);
            let place = implicit_args::thread_bytes(self.simd) * u64::from(thread);
            memory.write(table + place, &ids);
        }
        let arguments = ImplicitArguments {
            dimensions: implicit_args::dimensions(self.global),
            simd: self.simd,
            local,
            global: self.global,
            offset: self.offset,
            groups: self.groups(),
            printf: self.printf.unwrap_or(0),
            local_ids: table,
        };
        memory.write(address, &arguments.bytes());
    }

    /// Addresses of the private memory of all threads of a work-group.
    #[must_use]
    pub fn private_memory(&self) -> Option<Range<u64>> {
        let bytes = self.private.bytes * u64::from(self.threads());
        (bytes > 0).then(|| self.private.address..self.private.address + bytes)
    }

    /// Register-file bytes that [`Self::enter_group`] initializes.
    pub fn input_registers(&self, symbols: &Declarations) -> impl Iterator<Item = Range<u32>> {
        let bound = self.bindings.iter().map(|binding| binding.variable);
        let variables = (0..FIRST_GENERAL).chain(bound);
        variables.filter_map(|id| {
            let variable = symbols.storage(symbols.general(id)?);
            Some(variable.offset..variable.offset + variable.bytes())
        })
    }

    /// Bytes of registers, flags and shared local memory that have initial values.
    pub fn initial_ranges(&self) -> impl Iterator<Item = (SpaceId, Range<u64>)> {
        self.initial.iter().map(|initial| {
            let end = initial.address + initial.bytes.len() as u64;
            (initial.space, initial.address..end)
        })
    }

    /// Keeps initial values that have been written, for the start of every work-group.
    /// Global memory is initialized once.
    pub(super) fn keep_initial(
        &mut self,
        space: SpaceId,
        address: u64,
        bytes: u64,
        machine: &Machine,
    ) {
        if matches!(space.kind(), SpaceKind::Virtual | SpaceKind::Surface(_)) {
            return;
        }
        let length = usize::try_from(bytes).expect("mapped memory is bounded");
        let mut bytes = vec![0; length];
        machine.space(space).read(address, &mut bytes);
        self.initial.push(InitialBytes {
            space,
            address,
            bytes,
        });
    }

    fn enter_thread(&self, symbols: &Declarations, group: u32, thread: u8, machine: &mut Machine) {
        let id = self.group_id(group);
        let items: u32 = self.size_of(id).iter().product();
        let first = u32::from(thread) * u32::from(self.simd);
        let left = items.saturating_sub(first);
        if left == 0 {
            control::end(machine, thread);
        }
        let mut write = |space, address: u64, bytes: &[u8]| {
            if let Some(memory) = machine.space_mut(space) {
                memory.write(address, bytes);
            }
        };
        let lanes = u8::try_from(left.min(u32::from(self.simd))).expect("at most 32 channels");
        write(SpaceId::flags(thread), 0, &low_lanes(lanes).to_le_bytes());
        if self.warps.is_some() {
            let (block, size) = (id, self.local);
            let geometry = Geometry { block, size, first };
            set_geometry(machine, thread, &geometry);
            return;
        }
        let registers = SpaceId::registers(thread);
        let mut set = |variable, dwords: &[u32]| {
            if let Some(variable) = symbols.general(variable) {
                let bytes: Vec<u8> = dwords.iter().flat_map(|d| d.to_le_bytes()).collect();
                write(registers, u64::from(variable.offset), &bytes);
            }
        };
        let (number, scratch) = (u32::from(thread), self.private.scratch_dword(thread));
        set(R0, &[0, id[0], number, 0, 0, scratch, id[1], id[2]]);
        let [status, message] = symbols.features().slot.dwords(thread);
        set(SR0, &[status, 0, low_lanes(lanes)]);
        set(MSG0, &[message]);
        set(SCRATCH_LOCATION, &[self.private.scratch_handle(thread), 0]);
        // %group_id_x, %group_id_y, %group_id_z.
        for (variable, value) in [(3, id[0]), (4, id[1]), (5, id[2]), (HW_ID, number)] {
            set(variable, &[value]);
        }
        for binding in &self.bindings {
            let variable = symbols.general(binding.variable);
            let variable = variable.expect("a binding names a declared variable");
            let room = variable.bytes().saturating_sub(binding.offset);
            let mut bytes = self.bytes_of(binding.value, id, first);
            bytes.truncate(to_usize(room));
            let at = u64::from(variable.offset) + u64::from(binding.offset);
            write(registers, at, &bytes);
        }
    }

    /// The value of a binding on the thread whose first work-item has the index `first` in
    /// its group.
    fn bytes_of(&self, value: Bound, group: Sizes, first: u32) -> Vec<u8> {
        let (number, bytes) = match value {
            Bound::Address(target, offset) => (self.target(target).address.wrapping_add(offset), 8),
            Bound::Handle(target) => (self.handle(target).into(), 4),
            Bound::Private => (self.private.address, 8),
            Bound::Printf => (self.printf.expect("mapped if it is bound"), 8),
            Bound::ImplicitArguments => {
                let address = self.implicit_arguments();
                (address.expect("mapped if they are bound"), 8)
            }
            Bound::Number(bits, bytes) => (bits, bytes),
            Bound::Local(index) => (self.locals[index], 8),
            Bound::LocalId(dimension, channel) => {
                let local = self.size_of(group);
                let items = (u32::from(channel)..u32::from(self.simd)).map(|i| first + i);
                let ids = items.map(|item| implicit_args::local_id(local, dimension, item));
                // Beyond the group they are masked off.
                return ids.flat_map(u16::to_le_bytes).collect();
            }
            Bound::Sizes(quantity, first) => {
                let sizes = match quantity {
                    Quantity::GroupId => group,
                    Quantity::GlobalOffset => self.offset,
                    Quantity::GlobalSize => self.global,
                    Quantity::LocalSize => self.size_of(group),
                    Quantity::EnqueuedLocalSize => self.local,
                    Quantity::NumGroups => self.groups(),
                };
                let sizes = sizes.iter().skip(first);
                return sizes.flat_map(|size| size.to_le_bytes()).collect();
            }
        };
        number.to_le_bytes()[..usize::from(bytes)].to_vec()
    }
}

// Reading the directives.

impl Reader<'_> {
    /// `.launch global=64,1,1 local=32 offset=0 group=2`.
    pub(super) fn read_launch(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = "write .launch global=64 local=32";
        let (mut global, mut local, mut offset, mut group) = (None, None, None, None);
        let mut is_grid = false;
        while let Some((word, span)) = cursor.name() {
            let sizes = cursor.eat_punct('=').and_then(|_| {
                let start = cursor.here().start;
                let sizes = Self::sizes(cursor)?;
                Some((sizes, cursor.since(start)))
            });
            let Some((sizes, sizes_span)) = sizes else {
                let what = format!("`{word}` requires one to three sizes");
                self.out.advise(&rules::LAUNCH, span, what, EXAMPLE);
                return;
            };
            let rest = u32::from(word != "offset");
            let given = Some((padded(&sizes, rest), sizes_span));
            let before = match word {
                "global" | "grid" => {
                    if global.is_some() && is_grid != (word == "grid") {
                        let what = "both `global` and `grid` are given";
                        self.out
                            .advise(&rules::LAUNCH, span, what, "give one of the two");
                        return;
                    }
                    is_grid = word == "grid";
                    core::mem::replace(&mut global, given)
                }
                "block" | "local" => core::mem::replace(&mut local, given),
                "offset" => core::mem::replace(&mut offset, given),
                "group" if sizes.len() == 1 => core::mem::replace(&mut group, given),
                _ => {
                    let what = format!("unknown launch parameter `{word}`");
                    self.out.advise(&rules::LAUNCH, span, what, EXAMPLE);
                    return;
                }
            };
            self.warn_repeated(before.is_some(), span, word);
        }
        self.end_of_line(cursor);
        let (Some(mut global), Some(local)) = (global, local) else {
            let what = "a launch requires a global and a local size";
            self.out.advise(&rules::LAUNCH, whole, what, EXAMPLE);
            return;
        };
        if is_grid {
            if volume(global.0) > u128::from(MAX_GROUPS) {
                let what = format!("too many blocks: {}", volume(global.0));
                self.out.report(&rules::LAUNCH_SIZE, global.1, what);
                return;
            }
            global.0 = core::array::from_fn(|i| global.0[i].saturating_mul(local.0[i]));
        }
        let group = group.map_or((0, whole), |(sizes, span)| (sizes[0], span));
        let error = size_error(global, local, group, &self.facts().words);
        if let Some((span, what, help)) = error {
            self.out.advise(&rules::LAUNCH_SIZE, span, what, help);
            return;
        }
        let before = self.launch.sizes.replace(WrittenSizes {
            global: global.0,
            local: local.0,
            offset: offset.map_or([0; 3], |(sizes, _)| sizes),
            group: group.0,
            span: whole,
            local_span: local.1,
        });
        self.warn_repeated(before.is_some(), whole, ".launch");
    }

    fn sizes(cursor: &mut Cursor<'_>) -> Option<Vec<u32>> {
        let mut sizes = Vec::new();
        loop {
            sizes.push(u32::try_from(cursor.integer()?).ok()?);
            if cursor.eat_punct(',').is_none() {
                break;
            }
        }
        (sizes.len() <= 3).then_some(sizes)
    }

    /// `.simd 16`.
    pub(super) fn read_simd(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let Some(lanes) = self.number(cursor, "8, 16 or 32", ".simd 16") else {
            return;
        };
        match u8::try_from(lanes) {
            Ok(lanes @ (8 | 16 | 32)) => {
                let before = self.launch.simd.replace((lanes, whole));
                self.warn_repeated(before.is_some(), whole, ".simd");
                self.end_of_line(cursor);
            }
            _ => self.out.report(
                &rules::LAUNCH_SIMD,
                whole,
                format!("unsupported channel count {lanes}"),
            ),
        }
    }

    /// `.buffer y : f[64] = iota(1, 0.5)`, `.buffer y : f[64] at=0x10000`,
    /// `.buffer y : f[64] = null`, which has no elements.
    pub(super) fn read_buffer(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = "write .buffer y : f[64] = iota(1, 0.5)";
        let name = cursor.name().map(|(name, _)| name);
        if let Some(buffer) = self.read_range(name, EXAMPLE, whole, cursor) {
            self.launch.buffers.push(buffer);
        }
    }

    /// `.data "primes" : d[4] = 2, 3, 5, 7`.
    pub(super) fn read_data(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = "write .data \"primes\" : d[4] = 2, 3, 5, 7";
        let name = cursor.take().map(|lexeme| unquoted(lexeme.span, cursor));
        if cursor.eat_punct('=').is_some() {
            self.read_data_name(name, whole, cursor);
            return;
        }
        match self.read_range(name, EXAMPLE, whole, cursor) {
            Some(data) if data.is_null => {
                let what = "only a buffer can be `null`";
                self.out.advise(&rules::BUFFER, whole, what, EXAMPLE);
            }
            Some(data) => self.launch.data.push(data),
            None => {}
        }
    }

    /// `.data "primes" = &".data.const" + 16`, after the equals sign.
    fn read_data_name(&mut self, name: Option<&str>, whole: Span, cursor: &mut Cursor<'_>) {
        let place = match cursor.eat_punct('&') {
            Some(_) => self.address(cursor),
            None => None,
        };
        match (name, place) {
            (Some(name), Some((BindTarget::Data(data), offset))) => {
                self.end_of_line(cursor);
                self.launch.names.push((name.into(), data, offset));
            }
            _ => {
                let what = "expected an address in data";
                let example = "write .data \"primes\" = &\".data.const\" + 16";
                self.out.advise(&rules::BUFFER, whole, what, example);
            }
        }
    }

    /// `y + 16` or `".data.const" + 16`: a buffer or data, and an offset in bytes.
    fn address(&self, cursor: &mut Cursor<'_>) -> Option<(BindTarget, u64)> {
        let target = self.target(cursor)?;
        let offset = match cursor.eat_punct('+') {
            Some(_) => cursor.integer()?,
            None => 0,
        };
        Some((target, offset))
    }

    /// The buffer, or the data in quotation marks, of this name.
    fn target(&self, cursor: &mut Cursor<'_>) -> Option<BindTarget> {
        let lexeme = cursor.take()?;
        let name = unquoted(lexeme.span, cursor);
        let of = |all: &[Buffer]| all.iter().position(|known| known.name == name);
        match lexeme.span.of(cursor.text()).starts_with('"') {
            true => of(&self.launch.data).map(BindTarget::Data),
            false => of(&self.launch.buffers).map(BindTarget::Buffer),
        }
    }

    /// `".data.global"[24] = &".data.const" + 3`, after `.bind`.
    fn read_pointer(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let pointer = (|| {
            let BindTarget::Data(data) = self.target(cursor)? else {
                return None;
            };
            cursor.eat_punct('[')?;
            let at = cursor.integer()?;
            cursor.eat_punct(']')?;
            cursor.eat_punct('=')?;
            cursor.eat_punct('&')?;
            let (target, offset) = self.address(cursor)?;
            let part = match cursor.eat_punct(':') {
                None => AddressPart::Whole,
                Some(_) if cursor.keyword("low").is_some() => AddressPart::Low,
                Some(_) if cursor.keyword("high").is_some() => AddressPart::High,
                Some(_) => return None,
            };
            Some(Pointer {
                data,
                at,
                target,
                offset,
                part,
            })
        })();
        let Some(pointer) = pointer else {
            let what = "expected data and an address";
            let example = "write .bind \".data.global\"[24] = &\".data.const\" + 16";
            self.out.advise(&rules::BIND, whole, what, example);
            return;
        };
        let data = &self.launch.data[pointer.data];
        let end = pointer.at.checked_add(pointer.part.bytes());
        if end.is_none_or(|end| end > data.bytes()) {
            let (bytes, at, size) = (pointer.part.bytes(), pointer.at, data.bytes());
            let what = format!(
                "{bytes} bytes at byte {at} exceed the {size} bytes of `{}`",
                data.name
            );
            self.out.report(&rules::BIND, whole, what);
            return;
        }
        self.end_of_line(cursor);
        self.launch.pointers.push(pointer);
    }

    /// `.private 6000`.
    pub(super) fn read_private(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        if let Some(bytes) = self.number(cursor, "a size in bytes", ".private 4096") {
            let before = self.launch.private.replace((bytes, whole));
            self.warn_repeated(before.is_some(), whole, ".private");
            self.end_of_line(cursor);
        }
    }

    /// Reads a range of global memory after its name, and maps it.
    fn read_range(
        &mut self,
        name: Option<&str>,
        example: &'static str,
        whole: Span,
        cursor: &mut Cursor<'_>,
    ) -> Option<Buffer> {
        let head = (|| {
            let name = name?;
            let (ty, elements) = array_type(cursor)?;
            Some((name, ty, elements))
        })();
        let Some((name, ty, elements)) = head else {
            let what = "expected a name, an element type and a length";
            self.out.advise(&rules::BUFFER, whole, what, example);
            return None;
        };
        let mut known = self.launch.buffers.iter().chain(&self.launch.data);
        if known.any(|known| known.name == name) {
            let what = format!("buffer `{name}` is already declared");
            self.out.report(&rules::BUFFER, whole, what);
            return None;
        }
        let placed = match cursor.keyword("at") {
            Some(span) => {
                if cursor.eat_punct('=').is_none() {
                    let (what, help) = ("expected `=` after `at`", "write at=0x10000");
                    self.out.advise(&rules::DIRECTIVE_SYNTAX, span, what, help);
                    return None;
                }
                let address = self.number(cursor, "an address", ".buffer y : f[64] at=0x10000")?;
                Some((address, cursor.since(span.start)))
            }
            None => None,
        };
        let has_values = cursor.eat_punct('=').is_some();
        let is_undefined = has_values && cursor.keyword(UNDEFINED).is_some();
        let is_null = has_values && !is_undefined && cursor.keyword(NULL).is_some();
        let values = match has_values && !is_undefined && !is_null {
            true => Some(Values::parse(cursor, ty, &mut self.out)?),
            false => None,
        };
        self.end_of_line(cursor);
        let bytes = elements.checked_mul(u64::from(ty.bytes()));
        // Those of other buffers are limited where they are mapped.
        let bytes = bytes.filter(|bytes| !is_null || *bytes <= MAX_MAPPED);
        let Some(bytes) = bytes else {
            let what = format!("invalid length {elements} of buffer `{name}`");
            self.out.report(&rules::MEMORY_SIZE, whole, what);
            return None;
        };
        if let Some(given) = values.as_ref().and_then(Values::len)
            && u64::from(to_u32(given)) > elements
        {
            let what =
                format!("too many values for `{name}`: expected at most {elements}, found {given}");
            self.out.report(&rules::INIT_TOO_LONG, whole, what);
            return None;
        }
        let (address, elements) = match (is_null, placed) {
            (true, placed) => {
                if let Some((_, span)) = placed {
                    let (what, help) = ("a NULL pointer has no address", "remove the address");
                    self.out.advise(&rules::BUFFER, span, what, help);
                }
                (0, 0)
            }
            (false, placed) => {
                let address = placed.map_or_else(|| self.free_address(), |(address, _)| address);
                self.map_virtual(address, bytes, whole);
                (address, elements)
            }
        };
        Some(Buffer {
            name: String::from(name),
            ty,
            elements,
            address,
            is_placed: placed.is_some(),
            is_undefined,
            is_null,
            structure: None,
            values,
            span: whole,
        })
    }

    /// Maps a range of virtual memory.
    pub(super) fn map_virtual(&mut self, start: u64, bytes: u64, span: Span) {
        self.mappings.push(Mapping {
            space: SpaceId::VIRTUAL,
            start,
            bytes,
            span,
        });
    }

    /// The first address for a range that follows all mapped ranges at a distance.
    fn free_address(&self) -> u64 {
        let mapped = self.mappings.iter().filter(|m| m.space == SpaceId::VIRTUAL);
        let ends = mapped.map(|mapping| mapping.start.saturating_add(mapping.bytes));
        let next = ends.max().unwrap_or(0).saturating_add(BUFFER_SPACING);
        next / BUFFER_SPACING * BUFFER_SPACING
    }

    /// Maps the private memory of the threads of a work-group.
    fn map_private(&mut self, private: Option<(u64, Span)>, threads: u64) -> Private {
        let Some((bytes, span)) = private.filter(|(bytes, _)| *bytes > 0) else {
            return Private::default();
        };
        let address = self.free_address();
        let total = bytes.saturating_mul(threads);
        if u32::try_from(address.saturating_add(total)).is_err() {
            let what = format!("{total} bytes of private memory do not fit below 4 GB");
            let help = "use a smaller work-group, or buffers at lower addresses";
            self.out.advise(&rules::MEMORY_SIZE, span, what, help);
            return Private::default();
        }
        self.map_virtual(address, total, span);
        self.symbols
            .visa
            .place_scratch(BoundSurface { address, bytes });
        Private { address, bytes }
    }

    /// Maps memory at a free address, for the launch at `span`.
    fn map_free(&mut self, bytes: u64, span: Span) -> u64 {
        let start = self.free_address();
        self.map_virtual(start, bytes, span);
        start
    }

    /// `.local_arg 128`.
    pub(super) fn read_local_argument(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        if let Some(bytes) = self.number(cursor, "a size in bytes", ".local_arg 128") {
            self.launch.locals.push((bytes, whole));
            self.end_of_line(cursor);
        }
    }

    /// `.bind V34 = &y`, `.bind V38[12] = local_size`, `.bind bti 0 = y`.
    pub(super) fn read_binding(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        if cursor.keyword("bti").is_some() {
            self.read_table_entry(whole, cursor);
            return;
        }
        if cursor.word().starts_with('"') {
            self.read_pointer(whole, cursor);
            return;
        }
        let Some((name, span)) = cursor.name() else {
            let (what, help) = ("expected a variable", "write .bind V34 = &y");
            self.out.advise(&rules::BIND, whole, what, help);
            return;
        };
        let Some(Symbol::General(variable)) = self.symbols.visa.symbol(name) else {
            let what = format!("variable `{name}` is not declared");
            self.out.report(&rules::BIND, span, what);
            return;
        };
        let bound = (|| {
            let mut offset = 0;
            if cursor.eat_punct('[').is_some() {
                offset = u32::try_from(cursor.integer()?).ok()?;
                cursor.eat_punct(']')?;
            }
            cursor.eat_punct('=')?;
            Some((self.bound(cursor)?, offset))
        })();
        let Some((value, offset)) = bound else {
            let what = format!("invalid binding `{}`", whole.of(cursor.text()));
            let help = "bind &buffer, handle buffer, 2.5:f, &local 0, local_id.x, group_id, global_offset, global_size, \
                 local_size, enqueued_local_size or num_groups";
            self.out.advise(&rules::BIND, whole, what, help);
            return;
        };
        let general = self.symbols.visa.general(variable);
        let room = general.map_or(0, |general| general.bytes());
        let takes = match value {
            Bound::Number(_, bytes) => u32::from(bytes),
            _ => 1,
        };
        if offset.checked_add(takes).is_none_or(|end| end > room) {
            let what =
                format!("{takes} bytes at byte {offset} exceed the {room} bytes of `{name}`");
            self.out.report(&rules::BIND, whole, what);
            return;
        }
        self.end_of_line(cursor);
        let mut known = self.launch.bindings.iter();
        let is_repeated = known.any(|known| (known.variable, known.offset) == (variable, offset));
        self.warn_repeated(is_repeated, whole, ".bind");
        self.launch.bindings.push(Binding {
            variable,
            offset,
            value,
        });
    }

    fn bound(&self, cursor: &mut Cursor<'_>) -> Option<Bound> {
        if cursor.eat_punct('&').is_some() {
            // A buffer may be called `local` or `private`.
            let mut after = cursor.clone();
            if after.keyword("local").is_some()
                && let Some(index) = after.integer()
            {
                *cursor = after;
                let index = usize::try_from(index).ok()?;
                return (index < self.launch.locals.len()).then_some(Bound::Local(index));
            }
            let is_buffer = self.target(&mut cursor.clone()).is_some();
            if !is_buffer && cursor.keyword("private").is_some() {
                return Some(Bound::Private);
            }
            if !is_buffer && cursor.keyword("printf").is_some() {
                return Some(Bound::Printf);
            }
            if !is_buffer && cursor.keyword("implicit_args").is_some() {
                return Some(Bound::ImplicitArguments);
            }
            let (target, offset) = self.address(cursor)?;
            return Some(Bound::Address(target, offset));
        }
        if cursor.keyword("handle").is_some() {
            return self.target(cursor).map(Bound::Handle);
        }
        if cursor.keyword("local_id").is_some() {
            cursor.eat_punct('.')?;
            let dimension = dimension(cursor)?;
            let mut channel = 0;
            if cursor.eat_punct('[').is_some() {
                channel = u8::try_from(cursor.integer()?).ok()?;
                cursor.eat_punct(']')?;
            }
            return (channel < 32).then_some(Bound::LocalId(dimension, channel));
        }
        if cursor.keyword("work_dim").is_some() {
            let global = self.launch.sizes.map_or([1; 3], |sizes| sizes.global);
            let dimensions = implicit_args::dimensions(global);
            return Some(Bound::Number(u64::from(dimensions), 4));
        }
        let quantity = |(word, _)| QUANTITIES.iter().find(|(known, _)| *known == word);
        // Others are numbers, such as `nan`.
        if let Some(found) = cursor.clone().name().and_then(quantity) {
            cursor.advance();
            let first = match cursor.eat_punct('.') {
                Some(_) => dimension(cursor)?,
                None => 0,
            };
            return Some(Bound::Sizes(found.1, first));
        }
        let (text, _) = cursor.until(&[':']);
        cursor.eat_punct(':')?;
        let (ty, _) = cursor.name()?;
        let ty = ElementType::named(ty)?;
        let literal: String = text.split_whitespace().collect();
        let bits = parse_literal(&literal, ty).ok()?;
        Some(Bound::Number(bits, ty.bytes()))
    }

    /// `0 = y`, after `.bind bti`.
    fn read_table_entry(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let entry = (|| {
            let index = u8::try_from(cursor.integer()?).ok()?;
            cursor.eat_punct('=')?;
            let target = self.target(cursor)?;
            (index < 240).then_some((index, target))
        })();
        match entry {
            Some(entry) => {
                self.end_of_line(cursor);
                let mut known = self.launch.tables.iter();
                let is_repeated = known.any(|(known, _)| *known == entry.0);
                self.warn_repeated(is_repeated, whole, ".bind");
                self.launch.tables.push(entry);
            }
            None => {
                let what = "expected a buffer";
                let help = "write .bind bti 0 = y, after .buffer y";
                self.out.advise(&rules::BIND, whole, what, help);
            }
        }
    }

    /// The launch, if its sizes are consistent. Local arguments follow the local memory of
    /// the kernel.
    pub(super) fn finish_launch(&mut self) -> Option<Launch> {
        let pending = core::mem::take(&mut self.launch);
        let sizes = pending.sizes?;
        if let Some(chip) = self.symbols.target.chip() {
            return self.finish_warp_launch(chip, pending, sizes);
        }
        let span = sizes.span;
        let given = pending.simd.map(|(lanes, _)| lanes);
        let simd = given.or(self.simd_size).unwrap_or_else(|| {
            let what = format!("assuming {ASSUMED_SIMD} channels per thread");
            let help = format!("add the line `.simd {ASSUMED_SIMD}`");
            self.out.advise(&rules::SIMD_ASSUMED, span, what, help);
            ASSUMED_SIMD
        });
        let items: u64 = sizes.local.into_iter().map(u64::from).product();
        if items.div_ceil(u64::from(simd)) > u64::from(MAX_THREADS) {
            let what =
                format!("too many threads: {items} work-items with {simd} channels per thread");
            self.out.report(&rules::LAUNCH_SIZE, sizes.local_span, what);
            return None;
        }
        self.symbols.visa.is_launch = true;
        for data in &pending.data {
            self.symbols.visa.place_data(&data.name, data.address);
        }
        let threads = items.div_ceil(u64::from(simd));
        let private = self.map_private(pending.private, threads);
        let is_bound =
            |value| (pending.bindings.iter()).any(|binding: &Binding| binding.value == value);
        let has_implicit = is_bound(Bound::ImplicitArguments) || self.symbols.visa.reads_arguments;
        // With their table of local IDs.
        let bytes = implicit_args::thread_bytes(simd) * threads + implicit_args::BYTES;
        let implicit = has_implicit.then(|| self.map_free(bytes, span));
        // Functions find the printf buffer in the implicit arguments. Formats are data.
        let prints = has_implicit && !pending.data.is_empty() || is_bound(Bound::Printf);
        let printf = prints.then(|| self.map_free(PRINTF_BYTES, span));
        for (name, data, offset) in &pending.names {
            let address = pending.data[*data].address.wrapping_add(*offset);
            self.symbols.visa.place_data(name, address);
        }
        // The kernel adds the size of its own local memory itself.
        let own = self.slm.map_or(0, |(bytes, _)| bytes);
        let (locals, used, end) = place_locals(&pending.locals, 0, LOCAL_ALIGN);
        // The memory of the kernel itself begins behind the last argument.
        let local_bytes = match own {
            0 => used,
            own => own.saturating_add(end),
        };
        let room = aligned(own.saturating_add(end), 1024);
        self.set_local_memory(room, local_bytes, &pending.locals, span);
        let launch = Launch {
            global: sizes.global,
            local: sizes.local,
            offset: sizes.offset,
            group: sizes.group,
            simd,
            buffers: pending.buffers,
            data: pending.data,
            printf,
            private,
            implicit,
            locals,
            local_bytes,
            bindings: pending.bindings,
            pointers: pending.pointers,
            initial: Vec::new(),
            warps: None,
            words: &self.facts().words,
        };
        self.symbols.visa.arguments = launch.implicit_arguments();
        for (index, target) in &pending.tables {
            let surface = launch.target(*target).surface();
            self.symbols.visa.binding_table.insert(*index, surface);
        }
        for binding in &launch.bindings {
            if let Bound::Handle(target) = binding.value {
                let (handle, surface) = (launch.handle(target), launch.target(target).surface());
                self.symbols.visa.handles.insert(handle, surface);
            }
        }
        Some(launch)
    }

    /// Sets the size of the local memory, of which the kernel and its arguments use `used` bytes.
    /// Reports more than the processor has.
    fn set_local_memory(&mut self, room: u64, used: u64, arguments: &[(u64, Span)], span: Span) {
        let target = self.symbols.target;
        let most = target.most_local_bytes();
        let (declared, span) = self.slm.unwrap_or((0, span));
        self.slm = Some((room.min(most), span));
        if room <= most {
            return;
        }
        let LaunchWords {
            local, work_group, ..
        } = self.facts().words;
        let name = target.processor();
        let largest = arguments.iter().max_by_key(|(bytes, _)| *bytes);
        let parts = largest.map_or_else(String::new, |_| {
            let others = used.saturating_sub(declared);
            format!(" ({declared} declared, {others} for arguments)")
        });
        let what = format!(
            "a {work_group} needs {used} bytes of {local} memory{parts}, but {name} has {most}"
        );
        let help = match target.with_local_bytes(room).join(", ") {
            names if names.is_empty() => format!("use less {local} memory"),
            names => {
                format!("use less {local} memory, or one of {names}, if the compiler supports it")
            }
        };
        let span = largest.map_or(span, |(_, span)| *span);
        self.out.advise(&rules::LOCAL_SIZE, span, what, help);
    }

    /// The launch of a kernel of warps. Local arguments follow the static shared memory.
    fn finish_warp_launch(
        &mut self,
        chip: Chip,
        pending: PendingLaunch,
        sizes: WrittenSizes,
    ) -> Option<Launch> {
        let (global, local, span) = (sizes.global, sizes.local, sizes.span);
        let whole = (0..3).all(|i| local[i] > 0 && global[i].is_multiple_of(local[i]));
        if !whole {
            let what = format!(
                "a grid consists of whole blocks: {global:?} threads in blocks of {local:?}"
            );
            let help = "write .launch grid=2 block=32";
            self.out
                .advise(&rules::LAUNCH_SIZE, sizes.local_span, what, help);
            return None;
        }
        let blocks = |i: usize| global[i] / local[i];
        // Other dimensions have the limits of all blocks, and of all threads of a block.
        let limits = [
            (blocks(1), MOST_BLOCKS, "blocks", "y", span),
            (blocks(2), MOST_BLOCKS, "blocks", "z", span),
            (
                local[2],
                MOST_THREADS,
                "threads of a block",
                "z",
                sizes.local_span,
            ),
        ];
        for (size, most, items, letter, span) in limits {
            if size > most {
                let what = format!("too many {items} in {letter}: {size}");
                let help = format!("use at most {most} in {letter}; move the rest to x");
                self.out.advise(&rules::LAUNCH_SIZE, span, what, help);
                return None;
            }
        }
        let own = self.slm.map_or(0, |(bytes, _)| bytes);
        let start = aligned(own, WARP_LOCAL_ALIGN);
        let (locals, used, end) = place_locals(&pending.locals, start, WARP_LOCAL_ALIGN);
        let local_bytes = if locals.is_empty() { own } else { used };
        self.set_local_memory(end, local_bytes, &pending.locals, span);
        for window in [AddressWindow::Shared, AddressWindow::Local] {
            if !self.windows.contains(&window) {
                let start = window_of_launch(window, self.symbols.sass.chip);
                self.symbols.sass.set_window(window, start);
            }
        }
        for bank in 0..CONSTANT_BANKS {
            let given = pending.constants.iter().find(|(known, ..)| *known == bank);
            let bytes = match given {
                Some((_, ty, elements, _)) => elements * u64::from(ty.bytes()),
                None if bank == 0 => BANK_BYTES,
                None => continue,
            };
            self.mappings.push(Mapping {
                space: SpaceId::surface(bank),
                start: 0,
                bytes,
                span,
            });
        }
        Some(Launch {
            global,
            local,
            offset: [0; 3],
            group: sizes.group,
            simd: LANES,
            buffers: pending.buffers,
            data: pending.data,
            printf: None,
            local_bytes,
            implicit: None,
            private: Private::default(),
            locals,
            bindings: Vec::new(),
            pointers: pending.pointers,
            initial: Vec::new(),
            words: &self.facts().words,
            warps: Some(WarpConstants {
                chip,
                parameters: pending.parameters,
                banks: pending.constants,
            }),
        })
    }

    /// `.param 0x160 = &y`.
    pub(super) fn read_parameter(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let parameter = (|| {
            let offset = u32::try_from(cursor.integer()?).ok()?;
            cursor.eat_punct('=')?;
            Some((offset, self.bound(cursor)?))
        })();
        let Some((offset, value)) = parameter else {
            let what = format!("invalid parameter `{}`", whole.of(cursor.text()));
            let help = "write .param 0x160 = &y, 2.5:f or &local 0";
            self.out.advise(&rules::BIND, whole, what, help);
            return;
        };
        if u64::from(offset) >= BANK_BYTES - 8 {
            let what = format!("parameters end before {BANK_BYTES:#x}, found {offset:#x}");
            self.out.report(&rules::BIND, whole, what);
            return;
        }
        self.end_of_line(cursor);
        let mut known = self.launch.parameters.iter();
        let is_repeated = known.any(|(known, _)| *known == offset);
        self.warn_repeated(is_repeated, whole, ".param");
        self.launch.parameters.push((offset, value));
    }

    /// `.constant 3 : ud[4] = 1, 2, 3, 4`.
    pub(super) fn read_constants(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let head = (|| {
            let bank = u8::try_from(cursor.integer()?).ok()?;
            let (ty, elements) = array_type(cursor)?;
            cursor.eat_punct('=')?;
            let fits = elements <= BANK_BYTES / u64::from(ty.bytes());
            let is_free = (1..CONSTANT_BANKS).contains(&bank)
                && self
                    .launch
                    .constants
                    .iter()
                    .all(|(known, ..)| *known != bank);
            (fits && is_free).then_some((bank, ty, elements))
        })();
        let Some((bank, ty, elements)) = head else {
            let what = "expected a constant bank, an element type and a length";
            let help = "write .constant 3 : ud[4] = 1, 2, 3, 4";
            self.out.advise(&rules::BIND, whole, what, help);
            return;
        };
        if let Some(values) = Values::parse(cursor, ty, &mut self.out) {
            self.end_of_line(cursor);
            self.launch.constants.push((bank, ty, elements, values));
        }
    }

    /// Fills the constant banks of a launch of warps.
    fn fill_constants(launch: &Launch, warps: &WarpConstants, machine: &mut Machine) {
        if let Some(memory) = machine.space_mut(SpaceId::surface(0)) {
            for constant in launch.constants() {
                memory.write(constant.offset.into(), &constant.bytes);
            }
        }
        for (bank, ty, elements, values) in &warps.banks {
            if let Some(memory) = machine.space_mut(SpaceId::surface(*bank)) {
                let count = usize::try_from(*elements).expect("a bank has 64 KB");
                memory.fill(0, ty.bytes(), values.elements(*ty).take(count));
            }
        }
    }

    /// Fills the buffers with their initial values.
    pub(super) fn fill_buffers(&self, launch: &Launch, machine: &mut Machine) {
        if let Some(warps) = &launch.warps {
            Self::fill_constants(launch, warps, machine);
        }
        let Some(memory) = machine.space_mut(SpaceId::VIRTUAL) else {
            return;
        };
        for buffer in launch.buffers.iter().chain(&launch.data) {
            let mapped = memory.mapped_from(buffer.address, buffer.bytes());
            if let Some(values) = &buffer.values
                && mapped >= buffer.bytes()
            {
                let count = usize::try_from(buffer.elements).expect("mapped memory is bounded");
                let values = values.elements(buffer.ty).take(count);
                memory.fill(buffer.address, buffer.ty.bytes(), values);
            }
        }
        if let Some(address) = launch.printf {
            memory.store(address, 4, u64::from(PRINTF_HEADER));
        }
        for pointer in &launch.pointers {
            let data = &launch.data[pointer.data];
            if memory.mapped_from(data.address, data.bytes()) < data.bytes() {
                continue;
            }
            let address = launch.target(pointer.target).address;
            let address = address.wrapping_add(pointer.offset).to_le_bytes();
            let bytes = match pointer.part {
                AddressPart::Whole => &address[..],
                AddressPart::Low => &address[..4],
                AddressPart::High => &address[4..],
            };
            memory.write(data.address + pointer.at, bytes);
        }
    }
}

/// The text of a lexeme without quotation marks.
fn unquoted<'t>(span: Span, cursor: &Cursor<'t>) -> &'t str {
    span.of(cursor.text()).trim_matches('"')
}

/// `: f[64]`: an element type and a number of elements.
fn array_type(cursor: &mut Cursor<'_>) -> Option<(ElementType, u64)> {
    cursor.eat_punct(':')?;
    let (ty, _) = cursor.name()?;
    let ty = ElementType::named(ty)?;
    cursor.eat_punct('[')?;
    let elements = cursor.integer()?;
    cursor.eat_punct(']')?;
    Some((ty, elements))
}

/// `x`, `y` or `z`.
fn dimension(cursor: &mut Cursor<'_>) -> Option<usize> {
    let (letter, _) = cursor.name()?;
    ["x", "y", "z"].iter().position(|known| *known == letter)
}

fn padded(sizes: &[u32], rest: u32) -> Sizes {
    core::array::from_fn(|i| sizes.get(i).copied().unwrap_or(rest))
}

/// The number of work-items or groups in three dimensions.
fn volume(sizes: Sizes) -> u128 {
    sizes.into_iter().map(u128::from).product()
}

/// A multiple of `align`, not less than a number of bytes; one that no memory has if it
/// exceeds the address space.
fn aligned(bytes: u64, align: u64) -> u64 {
    bytes.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

/// Offsets of local arguments, which follow each other from `start`; the end of the last, and
/// where another one would start.
fn place_locals(sizes: &[(u64, Span)], start: u64, align: u64) -> (Vec<u64>, u64, u64) {
    let (mut used, mut next) = (start, start);
    let locals = sizes.iter().map(|(bytes, _)| {
        let place = next;
        used = place.saturating_add(*bytes);
        next = aligned(used, align);
        place
    });
    (locals.collect(), used, next)
}

/// Finds an inconsistency in the sizes of a launch: which of the three values, what and how to
/// fix it.
fn size_error(
    global: (Sizes, Span),
    local: (Sizes, Span),
    group: (u32, Span),
    words: &LaunchWords,
) -> Option<(Span, String, String)> {
    let LaunchWords {
        item, work_group, ..
    } = words;
    let items = volume(local.0);
    if items == 0 || items > u128::from(MAX_GROUP_ITEMS) {
        return Some((
            local.1,
            format!("invalid {work_group} size of {items} {item}s"),
            format!("choose local sizes whose product is 1 to {MAX_GROUP_ITEMS}"),
        ));
    }
    let mut letters = ["x", "y", "z"].iter().zip(global.0);
    if let Some((letter, _)) = letters.find(|(_, size)| *size == 0) {
        return Some((
            global.1,
            format!("no {item}s in {letter}"),
            String::from("use a size of at least 1"),
        ));
    }
    let groups = volume(core::array::from_fn(|i| global.0[i].div_ceil(local.0[i])));
    if groups > u128::from(MAX_GROUPS) {
        return Some((
            global.1,
            format!("too many {work_group}s: {groups}"),
            format!("use larger {work_group}s, or at most {MAX_GROUPS} of them"),
        ));
    }
    (u128::from(group.0) >= groups).then(|| {
        (
            group.1,
            format!(
                "{work_group} {} does not exist: the launch has {groups}",
                group.0
            ),
            format!("use a {work_group} from 0 to {}", groups - 1),
        )
    })
}

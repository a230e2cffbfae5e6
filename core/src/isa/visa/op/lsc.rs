//! Formats of the LSC messages: loads, stores and atomics of the load/store cache.
//!
//! The untyped ones differ in what lies behind the shape of the data; the
//! typed ones (`.tgm`) have an opcode of their own.

use super::format::{
    EXECUTION, Format, PREDICATE, Slot, code, codes, format, operand, wide, without_size,
};
use super::memory::{COORDINATES, DST_FIELD, SRC1_FIELD, raw_in, raw_out};
use crate::isa::schema::{Direction, Form, Operand, Suffix, Words};
use crate::isa::visa::vector::{FieldNames, field_names};
use crate::text::SyntaxPart;

/// Names of fields that the text modules look up.
pub(super) mod name {
    pub(crate) const KIND: &str = "Address type";
    pub(crate) const SCALE: &str = "Address scale";
    pub(crate) const OFFSET: &str = "Address offset";
    pub(crate) const INDEX: &str = "Surface index";
    pub(crate) const WIDTH: &str = "Address size";
    pub(crate) const SIZE: &str = "Data size";
    pub(crate) const ORDER: &str = "Data order";
    pub(crate) const ELEMENTS: &str = "Elements";
    pub(crate) const CHANNELS: &str = "Channel mask";
    pub(crate) const BLOCKS: &str = "Blocks";
    pub(crate) const BLOCK_WIDTH: &str = "Block width";
    pub(crate) const BLOCK_HEIGHT: &str = "Block height";
    pub(crate) const VNNI: &str = "VNNI";
    pub(crate) const PAYLOAD: &str = "Payload";
    pub(crate) const X_OFFSET: &str = "X offset";
    pub(crate) const Y_OFFSET: &str = "Y offset";
    pub(crate) const COORDINATE_OFFSETS: [&str; 4] =
        ["U offset", "V offset", "R offset", "LOD offset"];
}

/// Code of the function that accesses shared local memory.
pub(super) const SLM_FUNCTION: u64 = 3;

/// Code of the scope of a fence that orders the threads of a work-group.
pub(super) const GROUP_SCOPE: u64 = 0;

const FUNCTIONS: &[(&str, u32)] = &[("ugm", 0), ("ugml", 1), ("tgm", 2), ("slm", 3)];
const CACHES: &[(&str, u32)] = &[
    ("df", 0),
    ("uc", 1),
    ("ca", 2),
    ("wb", 3),
    ("wt", 4),
    ("st", 5),
    ("ri", 6),
    // Written as ri.
    ("cc", 6),
];
/// Controls of L3 behind those of L1 and L2, which only the text has.
const LAST_CACHES: &[(&str, u32)] = &[
    ("df", 1),
    ("uc", 2),
    ("ca", 3),
    ("wb", 4),
    ("wt", 5),
    ("st", 6),
    ("ri", 7),
    ("cc", 8),
];
/// Kinds of addresses.
pub(super) const KINDS: &[(&str, u32)] = &[
    ("flat", 1),
    ("bss", 2),
    ("ss", 3),
    ("bti", 4),
    ("arg", 5),
    ("surf", 6),
];
/// Widths of addresses. An offset of 32 bits beside a base of 64 is extended with zeros or
/// with its sign.
pub(super) const WIDTHS: &[(&str, u32)] =
    &[("a16", 1), ("a32", 2), ("a64", 3), ("a32u", 4), ("a32s", 5)];
/// Sizes of data in memory and, behind a `c`, in registers.
pub(super) const SIZES: &[(&str, u32)] = &[
    ("d8", 1),
    ("d16", 2),
    ("d32", 3),
    ("d64", 4),
    ("d8c32", 5),
    ("d16c32", 6),
    ("d16c32h", 7),
];
const ORDERS: &[(&str, u32)] = &[("", 1), ("t", 2)];
/// Elements of a vector.
pub(super) const ELEMENTS: &[(&str, u32)] = &[
    ("x1", 1),
    ("x2", 2),
    ("x3", 3),
    ("x4", 4),
    ("x8", 5),
    ("x16", 6),
    ("x32", 7),
    ("x64", 8),
];
/// Channels of a quad.
pub(super) const QUAD: &[(&str, u32)] = &[("x", 1), ("y", 2), ("z", 4), ("w", 8)];

/// The part of an instruction that the shape of its data is.
const SHAPE: SyntaxPart = SyntaxPart::Width;
/// The part of an instruction that kind and size of its address are.
const ADDRESS: SyntaxPart = SyntaxPart::Offsets;

static SURFACE_NAMES: FieldNames = field_names!(SyntaxPart::Surface, "Surface");
static PITCH_NAMES: FieldNames = field_names!(PITCH, "Pitch");

const fn byte(part: SyntaxPart, name: &'static str, words: &'static [(&'static str, u32)]) -> Slot {
    code(part, name, Words::Codes(words))
}

const fn word(name: &'static str) -> Slot {
    wide(SHAPE, name, 16, Words::Decimal)
}

const FUNCTION_FIELD: Slot = byte(SyntaxPart::Operation, "Shared function", FUNCTIONS);
const L1_FIELD: Slot = byte(SyntaxPart::Cache, "L1", CACHES);
const L3_FIELD: Slot = byte(SyntaxPart::Descriptor(0), "L3", CACHES);
const LAST_CACHE_FIELD: Slot = Slot::TextCode(SyntaxPart::Descriptor(1), "L3 behind L2");
const KIND_FIELD: Slot = byte(ADDRESS, name::KIND, KINDS);
const WIDTH_FIELD: Slot = byte(ADDRESS, name::WIDTH, WIDTHS);
const SIZE_FIELD: Slot = byte(SHAPE, name::SIZE, SIZES);
const ORDER_FIELD: Slot = byte(SHAPE, name::ORDER, ORDERS);
const ELEMENTS_FIELD: Slot = code(SHAPE, name::ELEMENTS, Words::Decimal);
const CHANNELS_FIELD: Slot = code(SHAPE, name::CHANNELS, Words::Decimal);
const SURFACE_FIELD: Slot = Slot::Vector(&SURFACE_NAMES);
const PITCH_FIELD: Slot = Slot::Vector(&PITCH_NAMES);
const BASE_FIELD: Slot = Slot::Raw(SyntaxPart::Address, ["Address id", "Address byte offset"]);
const SRC2_FIELD: Slot = Slot::Raw(SyntaxPart::Src2, ["Src2 id", "Src2 offset"]);

/// The distance between the elements of a strided message.
pub(super) const PITCH: SyntaxPart = SyntaxPart::Coordinate(0);

const SUFFIXES: &[Suffix] = &[
    codes(SyntaxPart::Operation, "function", false, FUNCTIONS),
    codes(SyntaxPart::Cache, "l1", true, CACHES),
    codes(SyntaxPart::Descriptor(0), "l2|l3", true, CACHES),
    codes(SyntaxPart::Descriptor(1), "l3", true, LAST_CACHES),
];
const TYPED_SUFFIXES: &[Suffix] = SUFFIXES.split_at(1).1;

/// A hint behind the cache controls, which only the text has.
const fn hint(words: &'static [(&'static str, u32)]) -> Suffix {
    codes(HINT, words[0].0, true, words)
}

const HINT: SyntaxPart = SyntaxPart::Descriptor(2);
const HINT_FIELD: Slot = Slot::TextCode(HINT, "Hint");
const LOAD_SUFFIXES: &[Suffix] = &[
    SUFFIXES[0],
    SUFFIXES[1],
    SUFFIXES[2],
    SUFFIXES[3],
    hint(&[("ov", 1)]),
];
const TYPED_ATOMIC_SUFFIXES: &[Suffix] =
    &[SUFFIXES[1], SUFFIXES[2], SUFFIXES[3], hint(&[("msaa", 1)])];

const LOADED: Operand = Operand {
    form: Form::Data,
    ..raw_out(SyntaxPart::Dst, "dst:shape")
};
const STORED: Operand = Operand {
    form: Form::Data,
    ..raw_in(SyntaxPart::Src1, "src:shape")
};
const LOCATION: Operand = operand(
    SyntaxPart::Address,
    "kind[address]:size",
    Direction::In,
    Form::Location,
    "the addresses, and the memory they lie in",
);
const SRC1: Operand = Operand {
    form: Form::BareRaw,
    ..raw_in(SyntaxPart::Src1, "src1")
};
const SRC2: Operand = Operand {
    form: Form::BareRaw,
    ..raw_in(SyntaxPart::Src2, "src2")
};

const fn message(
    fields: &'static [Slot],
    suffixes: &'static [Suffix],
    operands: &'static [Operand],
) -> Format {
    Format {
        gaps: u8::MAX,
        ..format(fields, suffixes, operands)
    }
}

macro_rules! untyped_fields {
    ($($behind:expr),*) => {
        &[
            EXECUTION,
            PREDICATE,
            FUNCTION_FIELD,
            L1_FIELD,
            L3_FIELD,
            KIND_FIELD,
            wide(ADDRESS, name::SCALE, 16, Words::Decimal),
            wide(ADDRESS, name::OFFSET, 32, Words::Decimal),
            WIDTH_FIELD,
            SIZE_FIELD,
            ORDER_FIELD,
            ELEMENTS_FIELD,
            CHANNELS_FIELD,
            SURFACE_FIELD,
            DST_FIELD,
            BASE_FIELD,
            $($behind,)*
            Slot::TextCode(ADDRESS, name::INDEX),
            LAST_CACHE_FIELD,
            HINT_FIELD
        ]
    };
}

const UNTYPED: &[Slot] = untyped_fields!(SRC1_FIELD, SRC2_FIELD);
const STRIDED: &[Slot] = untyped_fields!(PITCH_FIELD, SRC1_FIELD);

/// `lsc_load.ugm (M1, 16) V33:d32x4 flat[V32]:a64`.
pub(super) const LSC_LOAD: Format = message(UNTYPED, LOAD_SUFFIXES, &[LOADED, LOCATION]);

/// `lsc_store.ugm (M1, 16) flat[V32]:a64 V33:d32x4`.
pub(super) const LSC_STORE: Format = message(UNTYPED, SUFFIXES, &[LOCATION, STORED]);

/// `lsc_atomic_iadd.ugm (M1, 16) V33:d32 flat[V32]:a64 V34 %null`.
pub(super) const LSC_ATOMIC: Format = message(UNTYPED, SUFFIXES, &[LOADED, LOCATION, SRC1, SRC2]);

/// `lsc_load_strided.ugm (M1, 1) V33:d32x4 flat[V32,4]:a64`.
pub(super) const LSC_LOAD_STRIDED: Format = message(STRIDED, SUFFIXES, &[LOADED, LOCATION]);

/// `lsc_store_strided.ugm (M1, 1) flat[V32,4]:a64 V33:d32x4`.
pub(super) const LSC_STORE_STRIDED: Format = message(STRIDED, SUFFIXES, &[LOCATION, STORED]);

static BASE: FieldNames = field_names!(BLOCK_LOCATION[0], "Base");
static SURFACE_WIDTH: FieldNames = field_names!(BLOCK_LOCATION[1], "Surface width");
static SURFACE_HEIGHT: FieldNames = field_names!(BLOCK_LOCATION[2], "Surface height");
static SURFACE_PITCH: FieldNames = field_names!(BLOCK_LOCATION[3], "Surface pitch");
static BLOCK_X: FieldNames = field_names!(BLOCK_LOCATION[4], "X");
static BLOCK_Y: FieldNames = field_names!(BLOCK_LOCATION[5], "Y");

/// Base, width, height and pitch of a surface, and the place of a block in it.
pub(super) const BLOCK_LOCATION: [SyntaxPart; 6] = [
    SyntaxPart::Address,
    SyntaxPart::Coordinate(3),
    SyntaxPart::Coordinate(4),
    SyntaxPart::Coordinate(5),
    SyntaxPart::Coordinate(6),
    SyntaxPart::Coordinate(7),
];

const BLOCK: &[Slot] = &[
    EXECUTION,
    PREDICATE,
    FUNCTION_FIELD,
    L1_FIELD,
    L3_FIELD,
    SIZE_FIELD,
    ORDER_FIELD,
    code(SHAPE, name::BLOCKS, Words::Decimal),
    word(name::BLOCK_WIDTH),
    word(name::BLOCK_HEIGHT),
    code(SHAPE, name::VNNI, Words::Codes(&[("n", 0), ("t", 1)])),
    DST_FIELD,
    Slot::Vector(&BASE),
    Slot::Vector(&SURFACE_WIDTH),
    Slot::Vector(&SURFACE_HEIGHT),
    Slot::Vector(&SURFACE_PITCH),
    Slot::Vector(&BLOCK_X),
    Slot::Vector(&BLOCK_Y),
    SRC1_FIELD,
    // Whether the base is the first register of a payload with all of the location.
    Slot::TextCode(ADDRESS, name::PAYLOAD),
    // Added to X and Y, as 32-bit numbers.
    Slot::TextCode(ADDRESS, name::X_OFFSET),
    Slot::TextCode(ADDRESS, name::Y_OFFSET),
    LAST_CACHE_FIELD,
];

/// `lsc_load_block2d.ugm (M1, 1) V33:d16.8x8nn flat[base,w,h,pitch,x+16,y]`, or
/// `lsc_load_block2d.ugm (M1, 1) V33:d16.8x8nn flat[payload + (16,0)]`.
pub(super) const LSC_LOAD_BLOCK: Format = message(BLOCK, SUFFIXES, &[LOADED, LOCATION]);

/// `lsc_store_block2d.ugm (M1, 1) flat[base,w,h,pitch,x,y] V33:d16.8x8nn`.
pub(super) const LSC_STORE_BLOCK: Format = message(BLOCK, SUFFIXES, &[LOCATION, STORED]);

const TYPED: &[Slot] = &[
    EXECUTION,
    PREDICATE,
    L1_FIELD,
    L3_FIELD,
    KIND_FIELD,
    WIDTH_FIELD,
    SIZE_FIELD,
    ORDER_FIELD,
    ELEMENTS_FIELD,
    CHANNELS_FIELD,
    SURFACE_FIELD,
    DST_FIELD,
    COORDINATES[0],
    COORDINATES[1],
    COORDINATES[2],
    COORDINATES[3],
    SRC1_FIELD,
    SRC2_FIELD,
    Slot::TextCode(ADDRESS, name::INDEX),
    LAST_CACHE_FIELD,
    HINT_FIELD,
    Slot::TextCode(ADDRESS, name::COORDINATE_OFFSETS[0]),
    Slot::TextCode(ADDRESS, name::COORDINATE_OFFSETS[1]),
    Slot::TextCode(ADDRESS, name::COORDINATE_OFFSETS[2]),
    Slot::TextCode(ADDRESS, name::COORDINATE_OFFSETS[3]),
];

/// `lsc_load_quad.tgm (M1, 8) V33:d32.xy bti(4)[u,v,r,lod]:a32`.
pub(super) const LSC_TYPED_LOAD: Format = message(TYPED, TYPED_SUFFIXES, &[LOADED, LOCATION]);

/// `lsc_store_quad.tgm (M1, 8) bti(4)[u,v,r,lod]:a32 V33:d32.xy`.
pub(super) const LSC_TYPED_STORE: Format = message(TYPED, TYPED_SUFFIXES, &[LOCATION, STORED]);

/// `lsc_atomic_iadd.tgm (M1, 8) V33:d32 bti(4)[u,v,r,lod]:a32 V34 %null`.
pub(super) const LSC_TYPED_ATOMIC: Format = message(
    TYPED,
    TYPED_ATOMIC_SUFFIXES,
    &[LOADED, LOCATION, SRC1, SRC2],
);

/// `lsc_read_state_info.tgm V33 bti(4)`.
pub(super) const LSC_STATE_INFO: Format = Format {
    has_size: false,
    ..message(
        TYPED,
        &[],
        &[
            Operand {
                form: Form::BareRaw,
                ..raw_out(SyntaxPart::Dst, "dst")
            },
            Operand {
                name: "surface",
                ..LOCATION
            },
        ],
    )
};

const OPERATIONS: &[(&str, u32)] = &[
    ("none", 0),
    ("evict", 1),
    ("invalidate", 2),
    ("discard", 3),
    ("clean", 4),
    ("flushl3", 5),
    ("type6", 6),
];
const SCOPES: &[(&str, u32)] = &[
    ("group", 0),
    ("local", 1),
    ("tile", 2),
    ("gpu", 3),
    ("gpus", 4),
    ("sysrel", 5),
    ("sysacq", 6),
];

/// `lsc_fence.ugm.evict.gpu`.
pub(super) const LSC_FENCE: Format = without_size(
    &[
        EXECUTION,
        PREDICATE,
        FUNCTION_FIELD,
        byte(SyntaxPart::Cache, "Fence operation", OPERATIONS),
        byte(SyntaxPart::Descriptor(0), "Scope", SCOPES),
    ],
    &[
        codes(SyntaxPart::Operation, "function", false, FUNCTIONS),
        codes(SyntaxPart::Cache, "op", false, OPERATIONS),
        codes(SyntaxPart::Descriptor(0), "scope", false, SCOPES),
    ],
    &[],
);

//! Formats of memory messages and of messages whose descriptors are explicit.

use super::format::{
    EXECUTION, Format, PREDICATE, Slot, code, codes, format, number, operand, source, wide,
    without_size,
};
use crate::isa::schema::{Direction, Form, Operand, Suffix, Words};
use crate::isa::visa::operation::VisaOperation;
use crate::isa::visa::vector::{ADDRESS, FieldNames, field_names};
use crate::text::SyntaxPart;

pub(super) const fn raw_in(part: SyntaxPart, name: &'static str) -> Operand {
    operand(
        part,
        name,
        Direction::In,
        Form::Raw,
        "registers from here on",
    )
}

pub(super) const fn raw_out(part: SyntaxPart, name: &'static str) -> Operand {
    operand(
        part,
        name,
        Direction::Out,
        Form::Raw,
        "registers from here on",
    )
}

const SURFACE: Operand = operand(
    SyntaxPart::Surface,
    "surface",
    Direction::In,
    Form::Surface,
    "the memory that is accessed",
);
const OFFSET: Operand = source(SyntaxPart::Address, "offset", Form::Source);
const OFFSETS: Operand = raw_in(SyntaxPart::Offsets, "offsets");
const DST: Operand = raw_out(SyntaxPart::Dst, "dst");
const SRC: Operand = raw_in(SyntaxPart::Src0, "src");
const ADDRESSES: Operand = raw_in(SyntaxPart::Address, "addresses");

pub(super) const DST_FIELD: Slot = Slot::Raw(SyntaxPart::Dst, ["Dst id", "Dst offset"]);
pub(super) const SRC0_FIELD: Slot = Slot::Raw(SyntaxPart::Src0, ["Src0 id", "Src0 offset"]);
pub(super) const SRC1_FIELD: Slot = Slot::Raw(SyntaxPart::Src1, ["Src1 id", "Src1 offset"]);
const OFFSET_FIELD: Slot = Slot::Vector(&ADDRESS);
const OFFSETS_FIELD: Slot = Slot::Raw(SyntaxPart::Offsets, ["Offsets id", "Offsets offset"]);
const ADDRESSES_FIELD: Slot = Slot::Raw(SyntaxPart::Address, ["Addresses id", "Addresses offset"]);

const fn ignored(name: &'static str, width: u32) -> Slot {
    Slot::Ignored { name, width }
}

const MODIFIER: Slot = ignored("Modifier", 8);
const SCALE: Slot = ignored("Scale", 16);

const MODIFIED: Suffix = Suffix {
    part: SyntaxPart::Cache,
    name: "mod",
    optional: true,
    what: "lost in the encoding",
    words: Words::Dropped("mod"),
};

/// `oword_ld (4) surface offset dst`.
pub(super) const OWORD_LD: Format = format(
    &[
        Slot::Blocks,
        MODIFIER,
        Slot::Surface,
        OFFSET_FIELD,
        DST_FIELD,
    ],
    &[MODIFIED],
    &[SURFACE, OFFSET, DST],
);

/// `oword_st (4) surface offset src`.
pub(super) const OWORD_ST: Format = format(
    &[Slot::Blocks, Slot::Surface, OFFSET_FIELD, SRC0_FIELD],
    &[MODIFIED],
    &[SURFACE, OFFSET, SRC],
);

const PLANE_PART: SyntaxPart = SyntaxPart::Coordinate(0);
pub(super) const WIDTH_PART: SyntaxPart = SyntaxPart::Coordinate(1);
pub(super) const HEIGHT_PART: SyntaxPart = SyntaxPart::Coordinate(2);
const X_PART: SyntaxPart = SyntaxPart::Coordinate(3);
const Y_PART: SyntaxPart = SyntaxPart::Coordinate(4);

static X: FieldNames = field_names!(X_PART, "X");
static Y: FieldNames = field_names!(Y_PART, "Y");

const X_FIELD: Slot = Slot::Vector(&X);
const Y_FIELD: Slot = Slot::Vector(&Y);

const LOAD_MODIFIERS: &[(&str, u32)] = &[
    ("nomod", 0),
    ("modified", 1),
    ("top", 2),
    ("bottom", 3),
    ("top_mod", 4),
    ("bottom_mod", 5),
];
const STORE_MODIFIERS: &[(&str, u32)] = &[("nomod", 0), ("reserved", 1), ("top", 2), ("bottom", 3)];

const PLANE_FIELD: Slot = code(PLANE_PART, "Plane", Words::Decimal);
const WIDTH_FIELD: Slot = code(WIDTH_PART, "Block width", Words::Decimal);
const HEIGHT_FIELD: Slot = code(HEIGHT_PART, "Block height", Words::Decimal);

const fn modifier(words: &'static [(&'static str, u32)]) -> Slot {
    code(SyntaxPart::Operation, "Modifier", Words::Codes(words))
}

const LOAD_MODIFIER: Slot = modifier(LOAD_MODIFIERS);
const STORE_MODIFIER: Slot = modifier(STORE_MODIFIERS);

const BLOCK: Operand = operand(
    WIDTH_PART,
    "(width,height)",
    Direction::In,
    Form::BlockSize,
    "size of the block, in bytes and rows",
);
const PLANE: Operand = Operand {
    optional: true,
    ..number(PLANE_PART, "plane", "a plane of the surface")
};
const X_OPERAND: Operand = source(X_PART, "x", Form::Source);
const Y_OPERAND: Operand = source(Y_PART, "y", Form::Source);

macro_rules! media_fields {
    ($modifiers:expr, $data:expr) => {
        &[
            $modifiers,
            Slot::Surface,
            PLANE_FIELD,
            WIDTH_FIELD,
            HEIGHT_FIELD,
            X_FIELD,
            Y_FIELD,
            $data,
        ]
    };
}

/// `media_ld.modifier (width,height) surface plane x y dst`.
pub(super) const MEDIA_LD: Format = without_size(
    media_fields!(LOAD_MODIFIER, DST_FIELD),
    &[codes(
        SyntaxPart::Operation,
        "modifier",
        false,
        LOAD_MODIFIERS,
    )],
    &[BLOCK, SURFACE, PLANE, X_OPERAND, Y_OPERAND, DST],
);

/// `media_st.modifier (width,height) surface plane x y src`.
pub(super) const MEDIA_ST: Format = without_size(
    media_fields!(STORE_MODIFIER, SRC0_FIELD),
    &[codes(
        SyntaxPart::Operation,
        "modifier",
        false,
        STORE_MODIFIERS,
    )],
    &[BLOCK, SURFACE, PLANE, X_OPERAND, Y_OPERAND, SRC],
);

const ELEMENT_SIZES: &[(&str, u32)] = &[("1", 0), ("2", 1), ("4", 2)];
const ELEMENT_SIZE: Slot = code(
    SyntaxPart::Width,
    "Element size",
    Words::Codes(ELEMENT_SIZES),
);
const ELEMENT_SUFFIX: Suffix = codes(SyntaxPart::Width, "bytes", false, ELEMENT_SIZES);

/// `gather.4 (M1, 8) surface offset offsets dst`.
pub(super) const GATHER: Format = format(
    &[
        ELEMENT_SIZE,
        MODIFIER,
        Slot::GatherLanes,
        Slot::Surface,
        OFFSET_FIELD,
        OFFSETS_FIELD,
        DST_FIELD,
    ],
    &[ELEMENT_SUFFIX, MODIFIED],
    &[SURFACE, OFFSET, OFFSETS, DST],
);

/// `scatter.4 (M1, 8) surface offset offsets src`.
pub(super) const SCATTER: Format = format(
    &[
        ELEMENT_SIZE,
        Slot::GatherLanes,
        Slot::Surface,
        OFFSET_FIELD,
        OFFSETS_FIELD,
        SRC0_FIELD,
    ],
    &[ELEMENT_SUFFIX, MODIFIED],
    &[SURFACE, OFFSET, OFFSETS, SRC],
);

const CHANNELS: Words = Words::Flags {
    base: 0,
    letters: &[("R", 1), ("G", 2), ("B", 4), ("A", 8)],
};
const CHANNEL_FIELD: Slot = code(SyntaxPart::Channels, "Channels", CHANNELS);
const CHANNEL_SUFFIX: Suffix = Suffix {
    part: SyntaxPart::Channels,
    name: "RGBA",
    optional: false,
    what: "the channels that are enabled",
    words: CHANNELS,
};

const U_FIELD: Slot = Slot::Raw(SyntaxPart::Coordinate(0), ["U id", "U offset"]);
const V_FIELD: Slot = Slot::Raw(SyntaxPart::Coordinate(1), ["V id", "V offset"]);
const R_FIELD: Slot = Slot::Raw(SyntaxPart::Coordinate(2), ["R id", "R offset"]);
const LOD_FIELD: Slot = Slot::Raw(SyntaxPart::Coordinate(3), ["LOD id", "LOD offset"]);
const U: Operand = raw_in(SyntaxPart::Coordinate(0), "u");
const V: Operand = raw_in(SyntaxPart::Coordinate(1), "v");
const R: Operand = raw_in(SyntaxPart::Coordinate(2), "r");
const LOD: Operand = raw_in(SyntaxPart::Coordinate(3), "lod");

/// The coordinates of a typed message.
pub(super) const COORDINATES: [Slot; 4] = [U_FIELD, V_FIELD, R_FIELD, LOD_FIELD];

/// The formats of a load and of the store with the same fields and operands before the data.
macro_rules! load_and_store {
    ($(#[doc = $load_doc:literal])* $load:ident; $(#[doc = $store_doc:literal])* $store:ident;
        [$($field:expr),*], $suffixes:expr, [$($operand:expr),*]) => {
        $(#[doc = $load_doc])*
        pub(super) const $load: Format = format(
            &[EXECUTION, PREDICATE, $($field,)* DST_FIELD],
            $suffixes,
            &[$($operand,)* DST],
        );

        $(#[doc = $store_doc])*
        pub(super) const $store: Format = format(
            &[EXECUTION, PREDICATE, $($field,)* SRC0_FIELD],
            $suffixes,
            &[$($operand,)* SRC],
        );
    };
}

load_and_store! {
    /// `gather4_typed.RGBA (M1, 8) surface u v r lod dst`.
    GATHER4_TYPED;
    /// `scatter4_typed.RGBA (M1, 8) surface u v r lod src`.
    SCATTER4_TYPED;
    [CHANNEL_FIELD, Slot::Surface, U_FIELD, V_FIELD, R_FIELD, LOD_FIELD],
    &[CHANNEL_SUFFIX],
    [SURFACE, U, V, R, LOD]
}

load_and_store! {
    /// `gather4_scaled.RGBA (M1, 8) surface offset offsets dst`.
    GATHER4_SCALED;
    /// `scatter4_scaled.RGBA (M1, 8) surface offset offsets src`.
    SCATTER4_SCALED;
    [CHANNEL_FIELD, SCALE, Slot::Surface, OFFSET_FIELD, OFFSETS_FIELD],
    &[CHANNEL_SUFFIX],
    [SURFACE, OFFSET, OFFSETS]
}

const BLOCK_COUNTS: &[(&str, u32)] = &[("1", 0), ("2", 1), ("4", 2), ("8", 3)];
const BLOCKS: Slot = code(SyntaxPart::Repeat, "Blocks", Words::Codes(BLOCK_COUNTS));
const BLOCK_SUFFIX: Suffix = codes(SyntaxPart::Repeat, "blocks", false, BLOCK_COUNTS);

load_and_store! {
    /// `gather_scaled.4 (M1, 8) surface offset offsets dst`.
    GATHER_SCALED;
    /// `scatter_scaled.4 (M1, 8) surface offset offsets src`.
    SCATTER_SCALED;
    [ignored("Block size", 8), BLOCKS, SCALE, Slot::Surface, OFFSET_FIELD, OFFSETS_FIELD],
    &[BLOCK_SUFFIX],
    [SURFACE, OFFSET, OFFSETS]
}

load_and_store! {
    /// `qw_gather.2 (M1, 8) surface offsets dst`.
    QW_GATHER;
    /// `qw_scatter.2 (M1, 8) surface offsets src`.
    QW_SCATTER;
    [BLOCKS, Slot::Surface, OFFSETS_FIELD],
    &[BLOCK_SUFFIX],
    [SURFACE, OFFSETS]
}

const HALF: &[(&str, u32)] = &[("", 0), ("16", 1)];

/// `typed_atomic.op.16 (M1, 8) surface u v r lod src0 src1 dst`.
pub(super) const TYPED_ATOMIC: Format = Format {
    predicate: true,
    ..format(
        &[
            wide(
                SyntaxPart::Operation,
                "Operation",
                5,
                Words::Codes(VisaOperation::CODES),
            ),
            wide(SyntaxPart::Width, "16-bit", 1, Words::Codes(HALF)),
            ignored("Operation reserved", 2),
            EXECUTION,
            PREDICATE,
            Slot::Surface,
            U_FIELD,
            V_FIELD,
            R_FIELD,
            LOD_FIELD,
            SRC0_FIELD,
            SRC1_FIELD,
            DST_FIELD,
        ],
        &[
            codes(SyntaxPart::Operation, "op", false, VisaOperation::CODES),
            codes(SyntaxPart::Width, "16", true, HALF),
        ],
        &[
            SURFACE,
            U,
            V,
            R,
            LOD,
            raw_in(SyntaxPart::Src0, "src0"),
            raw_in(SyntaxPart::Src1, "src1"),
            DST,
        ],
    )
};

/// Words for the alignment of blocks; without one, the address is dword-aligned.
const ALIGNMENTS: &[(&str, u32)] = &[("unaligned", 1), ("aligned", 2)];
/// The code of blocks at multiples of 16 bytes.
pub(super) const ALIGNED: u64 = 2;
/// The field of that code.
pub(super) const ALIGNMENT: &str = "Alignment";
const ALIGNMENT_CODE: Slot = Slot::TextCode(SyntaxPart::Operation, ALIGNMENT);
const BLOCK_SUFFIXES: &[Suffix] = &[codes(SyntaxPart::Operation, "unaligned", true, ALIGNMENTS)];

/// `svm_block_ld (4) address dst`.
pub(super) const SVM_BLOCK_LD: Format = format(
    &[Slot::Blocks, OFFSET_FIELD, DST_FIELD, ALIGNMENT_CODE],
    BLOCK_SUFFIXES,
    &[source(SyntaxPart::Address, "address", Form::Source), DST],
);

/// `svm_block_st (4) address src`.
pub(super) const SVM_BLOCK_ST: Format = format(
    &[Slot::Blocks, OFFSET_FIELD, SRC0_FIELD, ALIGNMENT_CODE],
    BLOCK_SUFFIXES,
    &[source(SyntaxPart::Address, "address", Form::Source), SRC],
);

const SVM_SIZES: &[(&str, u32)] = &[("1", 0), ("4", 1), ("8", 2)];
const SVM_SIZE: Slot = code(SyntaxPart::Width, "Block size", Words::Codes(SVM_SIZES));
const SVM_SUFFIXES: &[Suffix] = &[
    codes(SyntaxPart::Width, "bytes", false, SVM_SIZES),
    BLOCK_SUFFIX,
];

load_and_store! {
    /// `svm_gather.4.2 (M1, 8) addresses dst`.
    SVM_GATHER;
    /// `svm_scatter.4.2 (M1, 8) addresses src`.
    SVM_SCATTER;
    [SVM_SIZE, BLOCKS, ADDRESSES_FIELD],
    SVM_SUFFIXES,
    [ADDRESSES]
}

// Messages with explicit descriptors.

const EXTENDED: SyntaxPart = SyntaxPart::Descriptor(0);
const MESSAGE: SyntaxPart = SyntaxPart::Descriptor(1);
pub(super) const SHARED_FUNCTION: SyntaxPart = SyntaxPart::Descriptor(2);
const SOURCES: SyntaxPart = SyntaxPart::Descriptor(3);
const MORE_SOURCES: SyntaxPart = SyntaxPart::Descriptor(4);
const RESULTS: SyntaxPart = SyntaxPart::Descriptor(5);

static EXTENDED_NAMES: FieldNames = field_names!(EXTENDED, "Extended descriptor");
static MESSAGE_NAMES: FieldNames = field_names!(MESSAGE, "Descriptor");

const FIRST_COUNT: Slot = code(SOURCES, "Src0 registers", Words::Decimal);
const SECOND_COUNT: Slot = code(MORE_SOURCES, "Src1 registers", Words::Decimal);
const RESULT_COUNT: Slot = code(RESULTS, "Result registers", Words::Decimal);
const FUNCTION_FIELD: Slot = code(SHARED_FUNCTION, "Shared function", Words::Decimal);
const EXTENDED_FIELD: Slot = Slot::Vector(&EXTENDED_NAMES);
const MESSAGE_FIELD: Slot = Slot::Vector(&MESSAGE_NAMES);
const MESSAGE_OPERAND: Operand = source(MESSAGE, "desc", Form::Source);

/// `raw_send (M1, 8) exdesc sources results desc src dst`.
pub(super) const RAW_SEND: Format = Format {
    gaps: 1 << 3,
    ..format(
        &[
            EXECUTION,
            PREDICATE,
            wide(EXTENDED, "Extended descriptor", 32, Words::Decimal),
            FIRST_COUNT,
            RESULT_COUNT,
            MESSAGE_FIELD,
            SRC0_FIELD,
            DST_FIELD,
        ],
        &[],
        &[
            Operand {
                form: Form::Hexadecimal,
                ..number(EXTENDED, "exdesc", "the extended descriptor")
            },
            number(SOURCES, "sources", "registers that are sent"),
            number(RESULTS, "results", "registers that are returned"),
            MESSAGE_OPERAND,
            SRC,
            DST,
        ],
    )
};

const fn decimal(part: SyntaxPart, name: &'static str, what: &'static str) -> Suffix {
    Suffix {
        part,
        name,
        optional: false,
        what,
        words: Words::Decimal,
    }
}

/// `raw_sends.ffid.src0.src1.dst (M1, 8) exdesc desc src0 src1 dst`.
pub(super) const RAW_SENDS: Format = Format {
    gaps: 1,
    ..format(
        &[
            EXECUTION,
            PREDICATE,
            FIRST_COUNT,
            SECOND_COUNT,
            RESULT_COUNT,
            FUNCTION_FIELD,
            EXTENDED_FIELD,
            MESSAGE_FIELD,
            SRC0_FIELD,
            SRC1_FIELD,
            DST_FIELD,
        ],
        &[SENDS_FUNCTION, SENT, SENT_TOO, RETURNED],
        &[
            source(EXTENDED, "exdesc", Form::Source),
            MESSAGE_OPERAND,
            raw_in(SyntaxPart::Src0, "src0"),
            raw_in(SyntaxPart::Src1, "src1"),
            DST,
        ],
    )
};

/// `raw_sendsc`: the shared function may be left out.
pub(super) const RAW_SENDSC: Format = Format {
    suffixes: &[
        Suffix {
            optional: true,
            ..SENDS_FUNCTION
        },
        SENT,
        SENT_TOO,
        RETURNED,
    ],
    ..RAW_SENDS
};

const SENDS_FUNCTION: Suffix = decimal(SHARED_FUNCTION, "ffid", "the shared function");
const SENT: Suffix = decimal(SOURCES, "src0", "registers that are sent");
const SENT_TOO: Suffix = decimal(MORE_SOURCES, "src1", "further registers that are sent");
const RETURNED: Suffix = decimal(RESULTS, "dst", "registers that are returned");

//! DWORD_ATOMIC: read-modify-write of dwords or words of a surface.
//!
//! Source: DWORD_ATOMIC.md; the real tool where the document is silent.

use super::atomic::{self, AddressMode, VisaAtomicRow};
use super::execution::Verifier;
use super::predefined::SLM;
use super::surface::Surface;
use crate::contradictions;
use crate::isa::rmw::Width;
use crate::isa::schema::{Elements, Form, Null, Operand, Suffix, Syntax, Words};
use crate::isa::{Example, Fact, Family, Opcode, Spec};
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;

static SPEC: Spec = Spec {
    name: "DWORD_ATOMIC",
    mnemonics: &["dword_atomic"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x7d])],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane reads a dword or word of a surface, combines it with its operands, writes the result back and returns the old value. Each lane's read-modify-write is atomic.",
    source: "DWORD_ATOMIC.md",
    syntax: Syntax {
        predicate: true,
        suffixes: &[
            atomic::OPERATION,
            Suffix {
                part: SyntaxPart::Width,
                name: "16",
                optional: true,
                what: "width of the cells; 32 bits by default",
                words: Words::Listed(&[("16", "16-bit cells")]),
            },
        ],
        lanes: "n",
        operands: &[SURFACE, OFFSETS, atomic::SRC0, atomic::SRC1, atomic::DST],
    },
    operations: atomic::operation_table,
    constructs: || atomic::source_constructs("__local", &[Width::W32, Width::W16]),
    pseudo_code: &[
        "for each lane i of the execution size:",
        "  if the lane is enabled:",
        "    offset = offsets[i]",
        "    old = surface[offset]",
        "    surface[offset] = op(old, src0[i], src1[i])",
        "    dst[i] = old (PREDEC: the new value)",
    ],
    facts: &[
        Fact::documented("Lanes that access the same cell are serialized in an undefined order."),
        Fact::documented(
            "Each variable provides its first Exec_size elements, one per lane: Element_offset the offsets in bytes, Src0 and Src1 the operands. Src0 of INC and DEC is V0, as is Src1 of all operations except CMPXCHG and FCMPWR.",
        ),
        Fact::documented(
            "Message types: integer operations have DWORD, SVM and TYPED messages; FMAX, FMIN and FCMPWR have DWORD and SVM messages only. 64-bit types require SVM messages.",
        ),
        Fact::documented("Out-of-bounds reads return zero, and out-of-bounds writes are dropped."),
        Fact::assumed(
            "A cell that is partly out of bounds counts as out of bounds, where PREDEC returns 0.",
        ),
        Fact::documented("In the 16-bit forms, operands and results use the low half of a dword."),
        atomic::HALF_RESULTS,
        Fact::assumed(
            "An offset that is not a multiple of the access size faults, and the instruction has no effect.",
        ),
        atomic::FLOAT_ARITHMETIC,
        atomic::FLOAT_COMPARISON,
        Fact::assumed(
            "T255 accesses the same virtual memory as SVM, with 32-bit offsets from address 0.",
        ),
    ],
    contradictions: &[
        &contradictions::SWAPPED_ROLES,
        &contradictions::PSEUDO_CODE_RETURN,
        &contradictions::PREDEC_TYPE,
        &contradictions::PREDEC_RETURN,
        &contradictions::NARROW_TYPES,
        &contradictions::SIGNED_ADD,
        &contradictions::ANY_ALL,
    ],
    examples: &EXAMPLES,
};

/// The memory to access.
const SURFACE: Operand = Operand {
    part: SyntaxPart::Surface,
    name: "surface",
    role: "the surface",
    form: Form::Surface,
    elements: Elements::None,
    null: Null::Never,
    what: "memory to access",
    ..atomic::SRC0
};

/// Byte offset of each lane's cell.
const OFFSETS: Operand = Operand {
    part: SyntaxPart::Address,
    name: "offsets",
    role: "the element offsets",
    elements: Elements::PerLane(ElementType::Ud, &rules::OFFSET_TYPE),
    null: Null::Never,
    what: "byte offsets from the start of the surface, one UD per lane",
    ..atomic::SRC0
};

/// The row of DWORD_ATOMIC.
pub static ROW: VisaAtomicRow = VisaAtomicRow {
    spec: &SPEC,
    mode: AddressMode::Surface(Surface(SLM)),
    fields: ["Element_offset id", "Element_offset offset"],
    address: "offset",
    missing_cell: None,
    verifier: Verifier::Strict,
    max_lanes: 32,
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 4] = [
    Example {
        title: "Four lanes add to two cells of shared local memory",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.slm 64
.init V32 = 0, 0, 4, 4
.init V33 = 1, 2, 3, 4
dword_atomic.add (M1, 4) %slm V32.0 V33.0 %null.0 V34.0
",
        document: "DWORD_ATOMIC.ADD (4) T0 V32 V33 V0 V34",
        assembler: "dword_atomic.add (M1, 4) %slm V32.0 V33.0 %null.0 V34.0",
        bytes: "7d0002000000200000000000210000000000000000000000220000000000",
        end: &[("slm[0] : ud", "3, 7"), ("EU0.V34", "0, 1, 0, 3")],
    },
    Example {
        title: "A compare-and-swap lock: the first lane acquires it",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.decl V35 v_type=G type=ud num_elts=8 align=GRF
.slm 64
.init V33 = iota(1, 1)
DWORD_ATOMIC.CMPXCHG (2) T0 V32 V33 V34 V35
",
        document: "DWORD_ATOMIC.CMPXCHG (2) T0 V32 V33 V34 V35",
        assembler: "dword_atomic.cmpxchg (M1, 2) %slm V32.0 V33.0 V34.0 V35.0",
        bytes: "7d0701000000200000000000210000000000220000000000230000000000",
        end: &[("slm[0] : ud", "1"), ("EU0.V35", "0, 1")],
    },
    Example {
        title: "16-bit lanes: the low half of each dword",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.slm 64
.init V32 = 0, 2
.init V33 = 0xaaaa0001, 0xbbbbffff
.init V34 = 0x11112222, 0x33334444
.init slm[0] : uw = 0xffff, 5
dword_atomic.add.16 (M1, 2) %slm V32.0 V33.0 %null.0 V34.0
",
        document: "DWORD_ATOMIC.ADD.16 (2) T0 V32 V33 V0 V34",
        assembler: "dword_atomic.add.16 (M1, 2) %slm V32.0 V33.0 %null.0 V34.0",
        bytes: "7d2001000000200000000000210000000000000000000000220000000000",
        end: &[
            ("slm[0] : uw", "0, 4"),
            ("EU0.V34", "0x1111ffff, 0x33330005"),
        ],
    },
    Example {
        title: "PREDEC returns the new value",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=d num_elts=8 align=GRF
.slm 64
.init slm[0] : d = 5
DWORD_ATOMIC.PREDEC (1) T0 V32 V0 V0 V33
",
        document: "DWORD_ATOMIC.PREDEC (1) T0 V32 V0 V0 V33",
        assembler: "dword_atomic.predec (M1, 1) %slm V32.0 %null.0 %null.0 V33.0",
        bytes: "7d0d00000000200000000000000000000000000000000000210000000000",
        end: &[("slm[0] : d", "4"), ("EU0.V33", "4")],
    },
];

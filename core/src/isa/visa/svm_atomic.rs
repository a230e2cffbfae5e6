//! SVM_ATOMIC: read-modify-write of words, dwords or qwords of the virtual
//! address space.
//!
//! Source: SVM_ATOMIC.md; the real tool where the document is silent.

use super::atomic::{self, AddressMode, VisaAtomicRow};
use super::execution::Verifier;
use crate::contradictions;
use crate::isa::rmw::Width;
use crate::isa::schema::{Elements, Null, Operand, Suffix, Syntax, Words};
use crate::isa::{Example, Fact, Family, FaultKind, Opcode, Spec};
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;

static SPEC: Spec = Spec {
    name: "SVM_ATOMIC",
    mnemonics: &["svm_atomic"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x4e, 0x05])],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane reads a word, dword or qword at a virtual address, combines it with its operands, writes the result back and returns the old value. Each lane's read-modify-write is atomic.",
    source: "SVM_ATOMIC.md",
    syntax: Syntax {
        predicate: true,
        suffixes: &[
            atomic::OPERATION,
            Suffix {
                part: SyntaxPart::Width,
                name: "16|64",
                optional: true,
                what: "width of the cells; 32 bits by default",
                words: Words::Listed(&[
                    ("16", "16-bit cells"),
                    ("64", "64-bit cells"),
                    ("32", "32-bit cells"),
                ]),
            },
        ],
        lanes: "n",
        operands: &[ADDRESSES, atomic::DST, atomic::SRC0, atomic::SRC1],
    },
    operations: atomic::operation_table,
    constructs: || atomic::source_constructs("__global", &[Width::W32, Width::W16, Width::W64]),
    pseudo_code: &[
        "for each lane i of the execution size:",
        "  if the lane is enabled:",
        "    address = addresses[i]",
        "    old = memory[address]",
        "    memory[address] = op(old, src0[i], src1[i])",
        "    dst[i] = old (PREDEC: the new value)",
    ],
    facts: &[
        Fact::documented("dst is the second operand in the text, but the last in the encoding."),
        Fact::assumed(
            "Lanes that access the same cell are serialized in an undefined order, as documented for DWORD_ATOMIC.",
        ),
        Fact::assumed(
            "An unmapped or misaligned address faults, and the instruction has no effect. The fault reports the lane and the address.",
        ),
        Fact::documented(
            "The 64-bit forms require 64-bit types; the 16-bit forms use the low half of a dword.",
        ),
        atomic::HALF_RESULTS,
        atomic::FLOAT_ARITHMETIC,
        atomic::FLOAT_COMPARISON,
        Fact::observed(
            "The real tool barely checks SVM instructions: it accepts any type and mask, with or without operands.",
        ),
    ],
    contradictions: &[
        &contradictions::SWAPPED_ROLES,
        &contradictions::PSEUDO_CODE_RETURN,
        &contradictions::PREDEC_TYPE,
        &contradictions::PREDEC_RETURN,
        &contradictions::SVM_SIZES,
        &contradictions::ANY_ALL,
    ],
    examples: &EXAMPLES,
};

/// Virtual address of each lane's cell.
const ADDRESSES: Operand = Operand {
    part: SyntaxPart::Address,
    name: "addresses",
    role: "the addresses",
    elements: Elements::PerLane(ElementType::Uq, &rules::ADDRESS_TYPE),
    null: Null::Never,
    what: "virtual addresses in bytes, one UQ per lane",
    ..atomic::SRC0
};

/// The row of SVM_ATOMIC.
pub static ROW: VisaAtomicRow = VisaAtomicRow {
    spec: &SPEC,
    mode: AddressMode::Virtual,
    fields: ["Addresses id", "Addresses offset"],
    address: "address",
    missing_cell: Some(FaultKind::Unmapped),
    verifier: Verifier::Lax,
    max_lanes: 8,
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 3] = [
    Example {
        title: "A 64-bit counter",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=uq num_elts=4 align=GRF
.decl V34 v_type=G type=uq num_elts=4 align=GRF
.region svm 0x10000 64
.init V32 = splat(0x10000)
.init V34 = 1, 2, 3, 4
.init svm[0x10000] : uq = 0xffffffff
svm_atomic.add.64 (M1, 4) V32.0 V33.0 V34.0 %null.0
",
        document: "SVM_ATOMIC.ADD.64 (4) V32 V33 V34 V0",
        assembler: "svm_atomic.add.64 (M1, 4) V32.0 V33.0 V34.0 %null.0",
        bytes: "4e0502000040200000000000220000000000000000000000210000000000",
        end: &[
            ("svm[0x10000] : uq", "0x100000009"),
            (
                "EU0.V33",
                "0xffffffff, 0x100000000, 0x100000002, 0x100000005",
            ),
        ],
    },
    Example {
        title: "FCMPWR compares with src0 and stores src1; -0 equals +0",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=f num_elts=8 align=GRF
.decl V34 v_type=G type=f num_elts=8 align=GRF
.decl V35 v_type=G type=f num_elts=8 align=GRF
.region svm 0x10000 64
.init V32 = 0x10000, 0x10004
.init V33 = -0, nan
.init V34 = 1.5, 2.5
.init svm[0x10004] : f = nan
SVM_ATOMIC.FCMPWR (2) V32 V35 V33 V34
",
        document: "SVM_ATOMIC.FCMPWR (2) V32 V35 V33 V34",
        assembler: "svm_atomic.fcmpwr (M1, 2) V32.0 V35.0 V33.0 V34.0",
        bytes: "4e0501000012200000000000210000000000220000000000230000000000",
        end: &[("svm[0x10000] : f", "1.5, nan")],
    },
    Example {
        title: "INC without operands, discarding the old value",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl P1 v_type=P num_elts=4
.region svm 0x10000 64
.init V32 = splat(0x10010)
.init P1 = 0b0101
(P1) svm_atomic.inc (M1, 4) V32.0 %null.0 %null.0 %null.0
",
        document: "(P1) SVM_ATOMIC.INC (4) V32 V0 V0 V0",
        assembler: "(P1) svm_atomic.inc (M1, 4) V32.0 %null.0 %null.0 %null.0",
        bytes: "4e0502010002200000000000000000000000000000000000000000000000",
        end: &[("svm[0x10010] : ud", "2")],
    },
];

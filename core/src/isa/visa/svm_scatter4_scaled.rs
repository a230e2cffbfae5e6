//! SVM_SCATTER4_SCALED: writes up to four dwords per lane to the virtual address
//! space.
//!
//! Source: SVM_SCATTER4_SCALED.md; the real tool where the document is silent.

use super::channels::Channels;
use super::plane_access::{self, ADDRESS, OFFSETS, PlaneRow};
use crate::contradictions;
use crate::isa::schema::{Elements, Form, Operand, Syntax};
use crate::isa::{Example, Fact, Family, Opcode, Spec};
use crate::text::SyntaxPart;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "SVM_SCATTER4_SCALED",
    mnemonics: &["svm_scatter4scaled", "svm_scatter4_scaled"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x4e, 0x07])],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane writes one dword per enabled channel (R, G, B, A) to four consecutive dwords at its own virtual address. The source contains one plane per channel, with an element for each lane.",
    source: "SVM_SCATTER4_SCALED.md",
    syntax: Syntax {
        predicate: true,
        suffixes: &[Channels::SUFFIX],
        lanes: "n",
        operands: &[ADDRESS, OFFSETS, SRC],
    },
    operations: Vec::new,
    constructs: || plane_access::source_constructs("a store"),
    pseudo_code: &[
        "ch_pos = 0",
        "for each channel c of R, G, B, A (0 to 3):",
        "  if the channel is enabled:",
        "    ch_start = ch_pos × max(exec_size, GRF_SIZE / 4)",
        "    for each lane i of the execution size:",
        "      if the lane is enabled:",
        "        memory[address + element_offset[i] + 4 × c] = src[ch_start + i]",
        "    ch_pos = ch_pos + 1",
    ],
    facts: &[
        Fact::documented(
            "Disabled channels occupy no space in src: enabled channels are contiguous.",
        ),
        Fact::documented(
            "The address depends on the channel, not on its rank among the enabled ones: A is written 12 bytes after R, whether or not G and B are enabled.",
        ),
        Fact::documented(
            "address is one UQ for all lanes; its region is ignored. Element offsets are UQ byte offsets.",
        ),
        Fact::documented("Scale is ignored and always zero."),
        Fact::assumed("The sum of address and offset wraps at 64 bits."),
        Fact::assumed(
            "If cells overlap, the document does not guarantee an order. Lanewise follows the document's loop: channel by channel, lanes ascending, last write wins. Use .order to choose another order.",
        ),
        Fact::assumed(
            "An unmapped address, or one that is not a multiple of 4, faults, and the instruction has no effect. The fault reports the lane and the channel.",
        ),
        Fact::observed(
            "Addresses of narrower integer types are extended according to their signedness. The real tool barely checks SVM instructions: it accepts any type, any mask, and sizes 1 to 32.",
        ),
    ],
    contradictions: &[
        &contradictions::CHANNEL_PADDING,
        &contradictions::SCALING_PITCH,
        &contradictions::WIDE_CONSTANT,
        &contradictions::ANY_ALL,
    ],
    examples: &EXAMPLES,
};

/// Source of the planes.
const SRC: Operand = Operand {
    part: SyntaxPart::Src0,
    name: "src",
    role: "src",
    form: Form::Raw,
    elements: Elements::BySuffix,
    what: "one plane per enabled channel, with one dword per lane",
    ..ADDRESS
};

/// The row of SVM_SCATTER4_SCALED.
pub static ROW: PlaneRow = PlaneRow {
    spec: &SPEC,
    planes: SRC.part,
    fields: ["Src id", "Src offset"],
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 3] = [
    Example {
        title: "Four planes become pixels: every lane writes R, G, B and A side by side",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=1 align=qword
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=32 align=GRF
.region svm 0x10000 128
.init V32 = 0x10000
.init V33 = iota(0, 16)
.init V34 = iota(0, 1)
svm_scatter4scaled.RGBA (M1, 8) V32(0,0)<0;1,0> V33.0 V34.0
",
        document: "SVM_SCATTER4_SCALED.RGBA (8) V32 V33 V34",
        assembler: "svm_scatter4scaled.RGBA (M1, 8) V32(0,0)<0;1,0> V33.0 V34.0",
        bytes: "4e070300000f0000002000000000002101210000000000220000000000",
        end: &[
            ("svm[0x10000] : ud", "0, 8, 16, 24, 1, 9, 17, 25, 2, 10"),
            ("svm[0x10070] : ud", "7, 15, 23, 31"),
        ],
    },
    Example {
        title: "A disabled channel occupies no space in src, but keeps its place in memory",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=f num_elts=16 align=GRF
.decl P1 v_type=P num_elts=8
.region svm 0x10000 128
.init V32 = 0, 0, 0x10000, 0
.init V33 = iota(0, 16)
.init V34 = iota(0, 0.5)
.init P1 = 0b10
(P1) SVM_SCATTER4_SCALED.RA (8) V32(0,2)<0;1,0> V33 V34
",
        document: "(P1) SVM_SCATTER4_SCALED.RA (8) V32(0,2)<0;1,0> V33 V34",
        assembler: "(P1) svm_scatter4scaled.RA (M1, 8) V32(0,2)<0;1,0> V33.0 V34.0",
        bytes: "4e07030100090000002000000000022101210000000000220000000000",
        end: &[("svm[0x10000] : f", "0, 0, 0, 0, 0.5, 0, 0, 4.5, 0")],
    },
    Example {
        title: "Overlapping cells: channel by channel, the last write wins",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=8 align=GRF
.decl V33 v_type=G type=d num_elts=16 align=GRF
.region svm 0x10000 64
.init V32 = iota(0, 4)
.init V33 = 1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7, -8
svm_scatter4scaled.RG (M1, 8) 0x10000:uq V32.0 V33.0
",
        document: "SVM_SCATTER4_SCALED.RG (8) 0x10000:uq V32 V33",
        assembler: "svm_scatter4scaled.RG (M1, 8) 0x10000:uq V32.0 V33.0",
        bytes: "4e07030000030000050b0000010000000000200000000000210000000000",
        end: &[("svm[0x10000] : d", "1, -1, -2, -3, -4, -5, -6, -7, -8, 0")],
    },
];

//! SVM_GATHER4_SCALED: reads up to four dwords per lane from the virtual address
//! space.
//!
//! Source: SVM_GATHER4_SCALED.md; the real tool where the document is silent.

use super::channels::Channels;
use super::plane_access::{self, ADDRESS, OFFSETS, PlaneRow};
use crate::contradictions;
use crate::isa::schema::{Direction, Elements, Form, Operand, Syntax};
use crate::isa::{Example, Fact, Family, Opcode, Spec};
use crate::text::SyntaxPart;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "SVM_GATHER4_SCALED",
    mnemonics: &["svm_gather4scaled", "svm_gather4_scaled"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x4e, 0x06])],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane reads one dword per enabled channel (R, G, B, A) from four consecutive dwords at its own virtual address. The destination receives one plane per channel, with an element for each lane.",
    source: "SVM_GATHER4_SCALED.md",
    syntax: Syntax {
        predicate: true,
        suffixes: &[Channels::SUFFIX],
        lanes: "n",
        operands: &[ADDRESS, OFFSETS, DST],
    },
    operations: Vec::new,
    constructs: || plane_access::source_constructs("a load"),
    pseudo_code: &[
        "ch_pos = 0",
        "for each channel c of R, G, B, A (0 to 3):",
        "  if the channel is enabled:",
        "    ch_start = ch_pos × max(exec_size, GRF_SIZE / 4)",
        "    for each lane i of the execution size:",
        "      if the lane is enabled:",
        "        dst[ch_start + i] = memory[address + element_offset[i] + 4 × c]",
        "    ch_pos = ch_pos + 1",
    ],
    facts: &[
        Fact::documented(
            "Disabled channels occupy no space in dst: enabled channels are contiguous.",
        ),
        Fact::documented(
            "The address depends on the channel, not on its rank among the enabled ones: A is read 12 bytes after R, whether or not G and B are enabled.",
        ),
        Fact::documented(
            "address is one UQ for all lanes; element offsets are UQ byte offsets. Scale is ignored and always zero.",
        ),
        Fact::documented(
            "If a channel's data does not fill its last register, the rest of that register is undefined. Lanewise leaves it unchanged (assumed).",
        ),
        Fact::assumed("The dst elements of disabled lanes are unchanged."),
        Fact::assumed(
            "It is the inverse of SVM_SCATTER4_SCALED: a gather after a scatter with the same operands returns the same planes, unless cells overlap.",
        ),
        Fact::assumed(
            "Address and offsets are read before dst is written, so dst can be the same variable as the offsets. The lane order does not matter.",
        ),
        Fact::assumed(
            "The sum of address and offset wraps at 64 bits. An unmapped address, or one that is not a multiple of 4, faults, and the instruction has no effect. The fault reports the lane and the channel.",
        ),
        Fact::observed(
            "dst is the last operand in the text and in the encoding. The real tool accepts sizes 1 to 32, any mask, any type of dst, and a null dst.",
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

/// Destination of the planes.
const DST: Operand = Operand {
    part: SyntaxPart::Dst,
    name: "dst",
    role: "dst",
    direction: Direction::Out,
    form: Form::Raw,
    elements: Elements::BySuffix,
    what: "one plane per enabled channel, with one dword per lane",
    ..ADDRESS
};

/// The row of SVM_GATHER4_SCALED.
pub static ROW: PlaneRow = PlaneRow {
    spec: &SPEC,
    planes: DST.part,
    fields: ["Dst id", "Dst offset"],
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 3] = [
    Example {
        title: "Pixels become four planes: R, G, B and A of every lane",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=1 align=qword
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=32 align=GRF
.region svm 0x10000 128
.init svm[0x10000] : ud = iota(0, 1)
.init V32 = 0x10000
.init V33 = iota(0, 16)
svm_gather4scaled.RGBA (M1, 8) V32(0,0)<0;1,0> V33.0 V34.0
",
        document: "SVM_GATHER4_SCALED.RGBA (8) V32 V33 V34",
        assembler: "svm_gather4scaled.RGBA (M1, 8) V32(0,0)<0;1,0> V33.0 V34.0",
        bytes: "4e060300000f0000002000000000002101210000000000220000000000",
        end: &[(
            "V34",
            "0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29, 2, 6",
        )],
    },
    Example {
        title: "A disabled channel occupies no space in dst; a disabled lane is unchanged",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=f num_elts=16 align=GRF
.decl P1 v_type=P num_elts=8
.region svm 0x10000 128
.init svm[0x10000] : f = iota(0, 0.5)
.init V32 = 0, 0, 0x10000, 0
.init V33 = iota(0, 16)
.init V34 = splat(-1)
.init P1 = 0b11
(P1) SVM_GATHER4_SCALED.RA (8) V32(0,2)<0;1,0> V33 V34
",
        document: "(P1) SVM_GATHER4_SCALED.RA (8) V32(0,2)<0;1,0> V33 V34",
        assembler: "(P1) svm_gather4scaled.RA (M1, 8) V32(0,2)<0;1,0> V33.0 V34.0",
        bytes: "4e06030100090000002000000000022101210000000000220000000000",
        end: &[("V34", "0, 2, -1, -1, -1, -1, -1, -1, 1.5, 3.5, -1")],
    },
    Example {
        title: "Lanes can read the same cells, and dst can overwrite the offsets",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF alias=<V32, 0>
.region svm 0x10000 64
.init svm[0x10000] : ud = 7, 8, 9
.init V32 = 0, 4, 0, 4, 0, 4, 0, 4
svm_gather4scaled.RG (M1, 8) 0x10000:uq V32.0 V33.0
",
        document: "SVM_GATHER4_SCALED.RG (8) 0x10000:uq V32 V33",
        assembler: "svm_gather4scaled.RG (M1, 8) 0x10000:uq V32.0 V33.0",
        bytes: "4e06030000030000050b0000010000000000200000000000210000000000",
        end: &[("V33", "7, 8, 7, 8, 7, 8, 7, 8, 8, 9, 8, 9, 8, 9, 8, 9")],
    },
];

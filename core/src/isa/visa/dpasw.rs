//! DPASW: a matrix multiply-add on both EUs of a fused pair, which share Src2.
//!
//! Sources: DPASW.md for sharing, DPAS.md for everything else; the real tool where
//! the documents are silent.

use super::matrix::construct::{EIGHT_BITS, FLOAT_PAIRS, source_constructs};
use super::matrix::rules::OPERANDS;
use super::matrix::text::words;
use super::matrix::{self, FLOATS, INTEGERS, MatrixSuffix, Precision, READ_FIRST, Variant};
use crate::contradictions;
use crate::isa::schema::Syntax;
use crate::isa::{Example, Fact, Family, Opcode, Spec};
use crate::rules;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "DPASW",
    mnemonics: &["dpasw"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x1c])],
    fused: true,
    lane_queue: false,
    summary: "Each EU of a fused pair computes D = C + A × B for small matrices: Dst = Src0 + Src2 × Src1. Each has its own Dst, Src0 and Src1. Src2 is shared: EU0 supplies its first registers, EU1 the others.",
    source: "DPASW.md",
    syntax: Syntax {
        predicate: false,
        suffixes: &MatrixSuffix::schema(|| words(&Precision::BEFORE_TF32)),
        lanes: "8",
        operands: &OPERANDS,
    },
    operations: Vec::new,
    constructs: || {
        source_constructs(
            "split_matrix_mad",
            &[&EIGHT_BITS, &FLOAT_PAIRS],
            &[2, 4, 8],
            "cl_intel_subgroup_split_matrix_multiply_accumulate; IGC's source (IBiF_dpas.cl)",
        )
    },
    pseudo_code: &matrix::pseudo_code(
        "Src2 = NGrf_EU0 registers of EU0's Src2, then NGrf_EU1 registers of EU1's",
    ),
    facts: &[
        Fact::documented(
            "Purpose: the fused EUs share the Src2 registers that both read, so the dpas pipes need less register-file (GRF) bandwidth than with two DPAS.",
        ),
        Fact::documented(
            "Sharing requires paired hardware threads: the number of threads in a work group must be even.",
        ),
        Fact::assumed(
            "If one EU of the pair jumps over the instruction or has ended, the other one stops the run: what it would read is not documented.",
        ),
        Fact::documented(
            "NGrf is the total number of Src2 registers; EU0 supplies (NGrf + 1) / 2 of them, EU1 the others. If EU1 supplies none, nothing is shared, and the document advises against it.",
        ),
        Fact::observed(
            "EU0 is the even thread of the pair, EU1 the odd one. The document says \"need to verify\"; it does not matter if both supply the same amount.",
        ),
        Fact::documented(
            "OPS_PER_CHAN is 2 for bf and hf, 4 if either precision has 8 bits, and 8 otherwise. W and A are both integers of 2, 4 or 8 bits, both bf, or both hf.",
        ),
        INTEGERS,
        FLOATS,
        Fact::observed(
            "Intel's finalizer counts (RC + 1) / 2 whole rows of Src2 per EU, where the formula counts whole registers. This is fewer bytes if a row is shorter than a register and RC is small or odd, but the same registers.",
        ),
        Fact::documented(
            "XEHP and later support a depth of 8 only, and the formula's size of Src2 assumes it; Lanewise uses the depth as written.",
        ),
        READ_FIRST,
        Fact::assumed(
            "The instruction has no predicate and ignores the execution mask: all 8 channels of both EUs are written. A null Src0 is +0.",
        ),
    ],
    contradictions: &[
        &contradictions::SUPPLY_TABLE,
        &contradictions::MATRIX_EXEC_SIZE,
        &contradictions::SRC2_STRIDE,
    ],
    examples: &EXAMPLES,
};

/// The row of DPASW.
pub static ROW: Variant = Variant {
    spec: &SPEC,
    platform_rule: &rules::MATRIX_PLATFORM,
    exec_size_rule: &rules::MATRIX_EXEC_SIZE,
    precisions: &Precision::BEFORE_TF32,
    precision_rule: &rules::PRECISION,
    later_rule: &rules::LATER_PRECISION,
    type_rule: &rules::MATRIX_TYPE,
    type_taken_rule: &rules::MATRIX_TYPE_TAKEN,
    narrow_sums: false,
    shares_src2: true,
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 2] = [
    Example {
        title: "8-bit integers, two rows: EU0 supplies the first row, EU1 the second",
        scenario: "\
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=64 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.init V33 = splat(0x01010101)
.init EU0.V34 = splat(0x01010101)
.init EU1.V34 = splat(0x02020202)
dpasw.s8.s8.8.2 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)
",
        document: "DPASW.s8.s8.8.2 (8) V32 V0 V33 V34",
        assembler: "dpasw.s8.s8.8.2 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)",
        bytes: "1c0320000000000000000000000021000000000000220000000000220108080802",
        end: &[
            (
                "EU0.V32",
                "32, 32, 32, 32, 32, 32, 32, 32, 64, 64, 64, 64, 64, 64, 64, 64",
            ),
            (
                "EU1.V32",
                "32, 32, 32, 32, 32, 32, 32, 32, 64, 64, 64, 64, 64, 64, 64, 64",
            ),
        ],
    },
    Example {
        title: "bf16: products are rounded and added one at a time",
        scenario: "\
.decl V32 v_type=G type=f num_elts=8 align=GRF
.decl V33 v_type=G type=f num_elts=8 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=d num_elts=8 align=GRF
.init V33 = splat(1.5)
.init V34 = splat(0x3f803f80)
.init V35 = splat(0x3e803f00)
DPASW.bf.bf.8.1 (8) V32 V33 V34 V35
",
        document: "DPASW.bf.bf.8.1 (8) V32 V33 V34 V35",
        assembler: "dpasw.bf.bf.8.1 (M1, 8) V32.0 V33.0 V34.0 V35(0,0)",
        bytes: "1c0320000000000021000000000022000000000000230000000000220109090801",
        end: &[("EU1.V32", "7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5")],
    },
];

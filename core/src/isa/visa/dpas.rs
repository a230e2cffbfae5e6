//! DPAS: a matrix multiply-add on one EU.
//!
//! Source: DPAS.md; the real tool where the document is silent.

use super::matrix::construct::{EIGHT_BITS, FLOAT_PAIRS, FOUR_BITS, source_constructs};
use super::matrix::rules::OPERANDS;
use super::matrix::text::words;
use super::matrix::{self, FLOATS, INTEGERS, MatrixSuffix, Precision, READ_FIRST, Variant};
use crate::contradictions;
use crate::isa::schema::Syntax;
use crate::isa::{Example, Fact, Family, Opcode, Spec};
use crate::rules;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "DPAS",
    mnemonics: &["dpas"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x83])],
    fused: false,
    lane_queue: false,
    summary: "One EU computes D = C + A × B for small matrices: Dst = Src0 + Src2 × Src1. Dst and Src0 have RC rows of 8 channels (16 with registers of 64 bytes); Src2 has RC rows, and Src1 one column per channel.",
    source: "DPAS.md",
    syntax: Syntax {
        predicate: false,
        suffixes: &MatrixSuffix::schema(|| words(&Precision::RUNNABLE)),
        lanes: "n",
        operands: &OPERANDS,
    },
    operations: Vec::new,
    constructs: || {
        source_constructs(
            "matrix_mad",
            &[&EIGHT_BITS, &FOUR_BITS, &FLOAT_PAIRS],
            &[1, 2, 4, 8],
            "cl_intel_subgroup_matrix_multiply_accumulate; IGC's source (IBiF_dpas.cl)",
        )
    },
    pseudo_code: &matrix::pseudo_code("Src2 = the EU's own registers"),
    facts: &[
        Fact::documented(
            "The execution size is 8, and 16 on platforms with registers of 64 bytes.",
        ),
        Fact::documented(
            "OPS_PER_CHAN is 1 for tf32, 2 for bf and hf, 4 if either precision has 8 bits, and 8 otherwise. W and A are both integers of 2, 4 or 8 bits, both 8-bit floats, or the same other float.",
        ),
        Fact::documented(
            "Dst and Src0 are D or UD with integers and F with floats; with bf and hf, each can also have the type of the sources. Observed: the real tool accepts the latter on PVC only.",
        ),
        INTEGERS,
        FLOATS,
        Fact::assumed(
            "A bf or hf Src0 is widened to F, sums stay F between stages, and Dst is rounded to nearest even when its row is complete. Observed: Intel's CPU emulation rounds bf the same way but truncates hf. A NaN result is 0x7fc0 for bf and 0x7e00 for hf.",
        ),
        Fact::assumed(
            "tf32 is the upper 19 bits of a dword: the lower 13 bits are dropped before multiplication. Observed: Intel's CPU emulation multiplies all 32 bits.",
        ),
        Fact::assumed(
            "bf8 is 1-5-2, the upper byte of a half; hf8 is 1-4-3 without infinities and e2m1 1-2-1 without infinities and NaNs, as in the formats of the Open Compute Project. Their sums are F, or bf as in IGC's built-in functions.",
        ),
        Fact::documented(
            "XEHP and later support a depth of 8 only. The real tool also accepts 1, 2 and 4, even on PVC (observed), so Lanewise uses the depth as written.",
        ),
        Fact::observed(
            "On PVC, the finalizer splits a repeat count of 8 with a depth of 8 into two native instructions of four rows each; the result is the same.",
        ),
        READ_FIRST,
        Fact::assumed(
            "The instruction has no predicate and ignores the execution mask: all channels are written. A null Src0 is +0.",
        ),
    ],
    contradictions: &[
        &contradictions::TF32_CODE,
        &contradictions::NARROW_ROWS,
        &contradictions::NARROW_SUMS,
        &contradictions::SRC2_STRIDE,
    ],
    examples: &EXAMPLES,
};

/// The row of DPAS.
pub static ROW: Variant = Variant {
    spec: &SPEC,
    platform_rule: &rules::DPAS_PLATFORM,
    exec_size_rule: &rules::DPAS_EXEC_SIZE,
    precisions: &Precision::RUNNABLE,
    precision_rule: &rules::DPAS_PRECISION,
    later_rule: &rules::PRECISION_PLATFORM,
    type_rule: &rules::DPAS_TYPE,
    type_taken_rule: &rules::DPAS_TYPE_TAKEN,
    narrow_sums: true,
    shares_src2: false,
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 3] = [
    Example {
        title: "8-bit integers, two rows",
        scenario: "\
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=64 align=GRF
.decl V34 v_type=G type=ud num_elts=16 align=GRF
.init V33 = splat(0x01010101)
.init V34 = 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0x01010101, 0x02020202, 0x02020202, 0x02020202, 0x02020202, 0x02020202, 0x02020202, 0x02020202, 0x02020202
dpas.s8.s8.8.2 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)
",
        document: "DPAS.s8.s8.8.2 (8) V32 V0 V33 V34",
        assembler: "dpas.s8.s8.8.2 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)",
        bytes: "830320000000000000000000000021000000000000220000000000220108080802",
        end: &[(
            "V32",
            "32, 32, 32, 32, 32, 32, 32, 32, 64, 64, 64, 64, 64, 64, 64, 64",
        )],
    },
    Example {
        title: "tf32 on PVC: one product per stage",
        scenario: "\
.target visa PVC
.decl V32 v_type=G type=f num_elts=16 align=GRF
.decl V33 v_type=G type=f num_elts=16 align=GRF
.decl V34 v_type=G type=ud num_elts=128 align=GRF
.decl V35 v_type=G type=ud num_elts=8 align=GRF
.init V33 = splat(1.5)
.init V34 = splat(0x3f800000)
.init V35 = splat(0x3e800000)
DPAS.tf32.tf32.8.1 (16) V32 V33 V34 V35
",
        document: "DPAS.tf32.tf32.8.1 (16) V32 V33 V34 V35",
        assembler: "dpas.tf32.tf32.8.1 (M1, 16) V32.0 V33.0 V34.0 V35(0,0)",
        bytes: "83042000000000002100000000002200000000000023000000000022010c0c0801",
        end: &[("V32", "3.5, 3.5, 3.5")],
    },
    Example {
        title: "hf on PVC: each row of Dst occupies half a register",
        scenario: "\
.target visa PVC
.decl V32 v_type=G type=hf num_elts=32 align=GRF
.decl V33 v_type=G type=ud num_elts=128 align=GRF
.decl V34 v_type=G type=ud num_elts=16 align=GRF
.init V33 = splat(0x3c003c00)
.init V34 = 0x3c003c00, 0, 0, 0, 0, 0, 0, 0, 0x40004000, 0, 0, 0, 0, 0, 0, 0
dpas.hf.hf.8.2 (M1, 16) V32.0 %null.0 V33.0 V34(0,0)
",
        document: "DPAS.hf.hf.8.2 (16) V32 V0 V33 V34",
        assembler: "dpas.hf.hf.8.2 (M1, 16) V32.0 %null.0 V33.0 V34(0,0)",
        bytes: "83042000000000000000000000002100000000000022000000000022010a0a0802",
        end: &[(
            "V32",
            "2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4",
        )],
    },
];

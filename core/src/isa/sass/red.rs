//! RED: a reduction to a cell of global memory by every lane of a warp.
//!
//! RED has no public documentation. Sources: NVIDIA's tools for syntax, encoding
//! and chip support; ATOM's document, carried over, for the semantics.

use super::atomic::{self, ADDRESS, AtomicRules, EXTENDED, OPERATION, RB, SIZE, SassAtomicRow};
use super::operation::{self, SassOperation};
use super::suffix::{SizeNames, SuffixSyntax};
use crate::contradictions;
use crate::isa::schema::Syntax;
use crate::isa::{Example, Fact, Family, Opcode, Spec};
use crate::rules;

static SPEC: Spec = Spec {
    name: "RED",
    mnemonics: &["red"],
    family: Family::Sass,
    opcodes: &[Opcode::high(13, 0xebf8 >> 3)],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane of the warp reads a cell of global memory, combines it with Rb and writes the result back, without returning a value. Each lane's read-modify-write is atomic.",
    source: "NVIDIA's nvdisasm and ptxas; ATOM, SPA 5.0",
    syntax: Syntax {
        predicate: true,
        suffixes: &[EXTENDED, OPERATION, SIZE],
        lanes: "",
        operands: &[ADDRESS, RB],
    },
    operations: || operation::table(&OPERATIONS, "nothing"),
    constructs: || {
        let ptx = [
            ("red{.global}", ""),
            ("atom{.global}", " with an unused result"),
        ];
        ptx.map(|ptx| atomic::source_constructs(ptx, &OPERATIONS, SassOperation::becomes_red))
            .concat()
    },
    pseudo_code: &[
        "for each lane of the warp:",
        "  if it is active and its guard is true:",
        "    address = Ra + offset (.E: 64 bits in Ra, Ra+1)",
        "    if a check fails: fault, nothing changes",
        "    M = memory[address]",
        "    memory[address] = op(M, Rb)",
    ],
    facts: &[
        Fact::assumed(
            "RED has no public documentation. It behaves like ATOM with RZ as Rd: arithmetic, lane order, address checks and faults are those of ATOM.",
        ),
        Fact::observed(
            "Compilers emit RED if the old value of an atomic is unused: ptxas compiles PTX red and an atom with an unused result to the same code.",
        ),
        Fact::observed(
            "ptxas emits RED for add of u32, s32, u64, f32, f64 and f16x2; min and max of u32 and s32; inc and dec of u32; and, or and xor of b32. It compiles other 64-bit operations to ATOM with RZ.",
        ),
        Fact::observed(
            "nvdisasm prints each of the eight operations with every size that the chip supports. RED does not have EXCH, SAFEADD, CAS, Rd or sparse forms.",
        ),
        Fact::assumed(
            "Sizes that ATOM's document does not list for an operation are encoded with a warning. They run if the result is certain: ADD, AND, OR and XOR of S64 equal those of U64. Whether hardware supports them is unknown.",
        ),
        Fact::observed(
            "Rb is in bits 7 to 0, where ATOM has Rd; operation and size are in bits 25 to 20. Bits 50, 49, 27 and 26 are ignored.",
        ),
        Fact::observed(
            "Size code 4 is .U128 on SM50, .F16x2.FTZ.RN on SM52 and SM53, and .F16x2.RN from SM60; code 6, .F64.RN, exists from SM60.",
        ),
        Fact::assumed(
            "Lanes that access the same cell are serialized in an undefined order. Each takes effect exactly once.",
        ),
        Fact::assumed(
            "INC counts up to Rb and wraps to 0; DEC counts down to 0 and wraps to Rb. F32.FTZ.RN flushes subnormal operands and results to zeros of the same sign.",
        ),
        Fact::assumed(
            "Addresses are checked in this order: window, alignment, range. A faulting instruction has no effect.",
        ),
        Fact::observed(
            "Scheduling (&req, &rd, &wr, ?stall) affects timing only, so runs ignore it.",
        ),
    ],
    contradictions: &[&contradictions::REDUCTION_SIZES],
    examples: &EXAMPLES,
};

/// The operations, encoded in three bits.
const OPERATIONS: [SassOperation; 8] = [
    SassOperation::Add,
    SassOperation::Min,
    SassOperation::Max,
    SassOperation::Inc,
    SassOperation::Dec,
    SassOperation::And,
    SassOperation::Or,
    SassOperation::Xor,
];

/// The row of RED.
pub static ROW: SassAtomicRow = SassAtomicRow {
    spec: &SPEC,
    suffixes: SuffixSyntax {
        name: SPEC.name,
        operations: &OPERATIONS,
        sizes: SizeNames::OfTheChip,
        wide_offsets: false,
    },
    rules: AtomicRules {
        operation_size: &rules::RED_OPERATION_SIZE,
        size_128: &rules::RED_SIZE_128,
        register_pair: &rules::RED_REGISTER_PAIR,
        address_pair: &rules::RED_ADDRESS_PAIR,
    },
    returns: false,
    size_byte: 2,
    not_resident: 3,
    stores: 5,
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 3] = [
    Example {
        title: "Eight lanes add to two counters",
        scenario: "\
.target sass SM50
.region global 0x10000 64
.init R2 = 0x10000, 0x10004, 0x10000, 0x10004, 0x10000, 0x10004, 0x10000, 0x10004
.init R4 = iota(1, 1)
.init P0 = 0xff
@P0 RED.ADD [R2], R4;
",
        document: "@P0 RED.ADD [R2], R4;",
        assembler: "@P0 RED.ADD [R2], R4",
        bytes: "040200000000f8eb",
        end: &[("global[0x10000] : ud", "16, 20"), ("R4", "1, 2, 3")],
    },
    Example {
        title: "The largest value, signed; the address in a pair",
        scenario: "\
.target sass SM50
.region global 0x100000000 64
.init global[0x100000000] : d = -100
.init R2:R3 = splat(0x100000010)
.init R6 = 0xfffffff0, 7, 0xffffffff, 5
.init P1 = 0xf
@P1 RED.E.MAX.S32 [R2 - 16], R6;
",
        document: "@P1 RED.E.MAX.S32 [R2 - 16], R6;",
        assembler: "@P1 RED.E.MAX.S32 [R2+-0x10], R6",
        bytes: "06021101fffff9eb",
        end: &[("global[0x100000000] : d", "7")],
    },
    Example {
        title: "64-bit sums at an absolute address",
        scenario: "\
.target sass SM60
.region global 0xff000 4096
.init global[0xfff00] : uq = 0xfffffffff
.init R8:R9 = splat(1)
RED.ADD.U64 [0xfff00], R8;
",
        document: "RED.ADD.U64 [0xfff00], R8;",
        assembler: "RED.ADD.U64 [0xfff00], R8",
        bytes: "08ff2700f0fff8eb",
        end: &[("global[0xfff00] : uq", "0x100000001f")],
    },
];

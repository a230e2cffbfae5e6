//! ATOM: read-modify-write of a cell of global memory by every lane of a warp.
//!
//! Sources: the instruction's page under SPA 5.0; NVIDIA's tools for the encoding
//! and chip support; assumptions where neither says anything.

use super::atomic::{self, ADDRESS, AtomicRules, EXTENDED, OPERATION, RB, SIZE, SassAtomicRow};
use super::operation::{self, SassOperation};
use super::size::Size;
use super::suffix::{SizeNames, SuffixSyntax};
use crate::contradictions;
use crate::isa::schema::{Direction, Elements, Form, Operand, Syntax};
use crate::isa::{Example, Fact, Family, Opcode, Spec};
use crate::rules;
use crate::text::SyntaxPart;

static SPEC: Spec = Spec {
    name: "ATOM",
    mnemonics: &["atom"],
    family: Family::Sass,
    // Index bit 0: CAS; bit 1: sparse form.
    opcodes: &[
        Opcode::high(8, 0xed),
        Opcode::high(12, 0xeef),
        Opcode::high(12, 0xee6),
        Opcode::high(12, 0xee7),
    ],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane of the warp reads a cell of global memory, combines it with Rb, writes the result back and returns the old value in Rd. Each lane's read-modify-write is atomic.",
    source: "ATOM, SPA 5.0",
    syntax: Syntax {
        predicate: true,
        suffixes: &[EXTENDED, OPERATION, SIZE],
        lanes: "",
        operands: &[PS, RD, ADDRESS, RB, RC],
    },
    operations: || operation::table(SassOperation::ALL, "old"),
    constructs: || {
        let all = atomic::source_constructs(("atom{.global}", ""), SassOperation::ALL, |_, _| true);
        let is_reduction = |operation: SassOperation, size: Size| {
            !matches!(operation, SassOperation::Exch | SassOperation::Cas)
                && !operation.becomes_red(size)
        };
        let ptx = ("red{.global}", " (Rd is RZ)");
        let reductions = atomic::source_constructs(ptx, SassOperation::ALL, is_reduction);
        [all, reductions].concat()
    },
    pseudo_code: &[
        "for each lane of the warp:",
        "  if it is active and its guard is true:",
        "    address = Ra + offset (.E: 64 bits in Ra, Ra+1)",
        "    if a check fails: fault, nothing changes",
        "    sparse, and not resident: Ps = true, Rd = 0, next lane",
        "    M = memory[address]",
        "    memory[address] = op(M, Rb, Rc)",
        "    Rd = M (sparse: Ps = false)",
    ],
    facts: &[
        Fact::assumed(
            "SAFEADD is only publicly described as incrementing the put pointer of a circular queue. It runs as a 64-bit INC, M >= Rb ? 0 : M + 1, where Rb is the last index.",
        ),
        Fact::documented(
            "MIN and MAX of U64 and S64, and AND, OR and XOR of U64, exist since SPA 3.5.",
        ),
        Fact::observed(
            "The real tool accepts ADD, MIN and MAX of F16x2 and the sparse forms from SM52, and ADD of F64.RN from SM60.",
        ),
        Fact::documented(
            "INC counts up to Rb and wraps to 0; DEC counts down to 0 and wraps to Rb. Both are unsigned.",
        ),
        Fact::documented("Lanes that access the same cell are serialized in an undefined order."),
        Fact::documented(
            "Helper pixels, killed lanes and lanes without raster coverage are inactive.",
        ),
        Fact::documented(
            "Memory is little-endian. A 64-bit value occupies an even register and the next.",
        ),
        Fact::assumed("The even register of a pair contains the low word."),
        Fact::documented(
            "Without .E, the address is Ra + offset modulo 2^32; with .E, it is the pair Ra, Ra+1 plus the offset.",
        ),
        Fact::documented(
            "An access faults if the cell is in the window of local or shared memory, is not aligned to its size, exceeds 40 address bits, or is not mapped.",
        ),
        Fact::observed("Each window has 16 MB and is aligned to 16 MB in the low 4 GB."),
        Fact::assumed(
            "Addresses are checked in this order: window, alignment, range. A faulting instruction changes neither memory nor any lane's registers.",
        ),
        Fact::observed(
            "F32.FTZ.RN flushes subnormal operands and results to zeros of the same sign, rounds to nearest even, and returns 0x7fffffff for every NaN (CUDA programming guide).",
        ),
        Fact::assumed(
            "F32.FTZ.RN returns the old value without flushing it; inf - inf gives the same NaN.",
        ),
        Fact::observed(
            "F16x2 is atomic for each half, not for the pair (PTX); the low half is bits 15 to 0. Lanewise executes both halves in one step.",
        ),
        Fact::assumed(
            "F16x2: a NaN result is 0x7fff; in MIN and MAX, a number beats a NaN and -0 is less than +0; chips that spell it with FTZ flush subnormals, including in MIN and MAX.",
        ),
        Fact::assumed("F64.RN preserves subnormals; the NaN that it returns is unknown."),
        Fact::assumed(
            "Sparse forms: if the page is not resident, Ps is set to true, memory is unchanged and Rd is 0; otherwise Ps is set to false. Writing PT has no effect.",
        ),
        Fact::observed(
            "Scheduling (&req, &rd, &wr, ?stall) affects timing only, so runs ignore it.",
        ),
    ],
    contradictions: &[
        &contradictions::LATER_FORMS,
        &contradictions::FLUSHED_HALVES,
        &contradictions::WIDE_OFFSET,
        &contradictions::OMITTED_RC,
    ],
    examples: &EXAMPLES,
};

/// Ps, in sparse forms.
const PS: Operand = Operand {
    part: SyntaxPart::Status,
    name: "Ps",
    role: "Ps",
    form: Form::Predicate,
    elements: Elements::None,
    optional: true,
    what: "in sparse forms: whether the cell is not resident",
    ..RD
};

const RD: Operand = Operand {
    part: SyntaxPart::Dst,
    name: "Rd",
    role: "Rd",
    direction: Direction::Out,
    what: "value returned to each lane",
    ..RB
};

/// Rc, for CAS.
const RC: Operand = Operand {
    part: SyntaxPart::Src1,
    name: "Rc",
    role: "Rc",
    optional: true,
    what: "for CAS: value stored if the cell equals Rb",
    ..RB
};

/// The row of ATOM.
pub static ROW: SassAtomicRow = SassAtomicRow {
    spec: &SPEC,
    suffixes: SuffixSyntax {
        name: SPEC.name,
        operations: SassOperation::ALL,
        sizes: SizeNames::Documented,
        wide_offsets: true,
    },
    rules: AtomicRules {
        operation_size: &rules::OPERATION_SIZE,
        size_128: &rules::SIZE_128,
        register_pair: &rules::REGISTER_PAIR,
        address_pair: &rules::ADDRESS_PAIR,
    },
    returns: true,
    size_byte: 6,
    not_resident: 4,
    stores: 6,
};

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 4] = [
    Example {
        title: "Four lanes add floats; the offset is negative",
        scenario: "\
.target sass SM50
.region global 0x10000 64
.init global[0x10000] : f = 1, 2, 3, 4
.init R1 = iota(0x10190, 4)
.init R9 = 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000
.init P0 = 0xf
@P0 ATOM.ADD.F32.FTZ.RN R0, [R1 - 400], R9;
",
        document: "@P0 ATOM.ADD.F32.FTZ.RN R0, [R1 - 400], R9;",
        assembler: "@P0 ATOM.ADD.F32.FTZ.RN R0, [R1+-0x190], R9",
        bytes: "00019000e7ff06ed",
        end: &[
            ("global[0x10000] : f", "1.5, 2.5, 3.5, 4.5"),
            ("R0", "0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0"),
        ],
    },
    Example {
        title: "A counter that wraps at its bound",
        scenario: "\
.target sass SM50
.region global 0x10000 64
.init R2 = splat(0x10000)
.init R4 = splat(2)
.init P0 = 0x1f
@P0 ATOM.INC R0, [R2], R4;
",
        document: "@P0 ATOM.INC R0, [R2], R4;",
        assembler: "@P0 ATOM.INC R0, [R2], R4",
        bytes: "00024000000030ed",
        end: &[("global[0x10000] : ud", "2"), ("R0", "0, 1, 2, 0, 1")],
    },
    Example {
        title: "Compare and swap 64 bits, the address in a pair",
        scenario: "\
.target sass SM50
.region global 0x100000000 64
.init global[0x100000008] : uq = 5
.init R2:R3 = splat(0x100000000)
.init R4:R5 = splat(5)
.init R6:R7 = iota(0x900000000, 1)
.init P0 = 3
@P0 ATOM.E.CAS.64 R0, [R2 + 8], R4, R6;
",
        document: "@P0 ATOM.E.CAS.64 R0, [R2 + 8], R4, R6;",
        assembler: "@P0 ATOM.E.CAS.64 R0, [R2+0x8], R4, R6",
        bytes: "000240800000f3ee",
        end: &[
            ("global[0x100000008] : uq", "0x900000000"),
            ("R0", "5, 0"),
            ("R1", "0, 9"),
        ],
    },
    Example {
        title: "An absolute address with serialized lanes",
        scenario: "\
.target sass SM50
.region global 0xff000 4096
.init R8 = iota(1, 1)
.order 2 1 0
ATOM.ADD.S32 R9, [0xfff00], R8;
",
        document: "ATOM.ADD.S32 R9, [0xfff00], R8;",
        assembler: "ATOM.ADD.S32 R9, [0xfff00], R8",
        bytes: "09ff8700f0ff02ed",
        end: &[("global[0xfff00] : d", "528"), ("R9", "5, 3, 0, 6, 10")],
    },
];

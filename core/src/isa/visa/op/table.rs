//! The rows: every vISA opcode of the base set.
//!
//! Source: documentation/visa of intel/intel-graphics-compiler; the real
//! assembler where it differs (tests/vectors/visa).

use super::format::{
    ADDRESS_ADD, ANY_BINARY, ANY_UNARY, BARE, BINARY, BOOLEAN_FUNCTION, BRANCH, CARRY, COMPARE,
    FUNCTION_ADDRESS, FUNCTION_CALL, INDIRECT_CALL, MAXIMUM, MINIMUM, MOVE_STATE, QUATERNARY,
    RETURN, SET_PREDICATE, SWITCH, TERNARY, UNARY, UNPREDICATED_BINARY, UNPREDICATED_UNARY, WAIT,
};
use super::{Behaviour, FlowKind, VisaOp};
use crate::isa::schema::Syntax;
use crate::isa::visa::alu::AluOp;
use crate::isa::visa::compute::Computation;
use crate::isa::{Family, Opcode, Spec};
use Behaviour::{Compute, Flow, NoEffect, NotModelled};
use Computation::{AddAddress, Alu, Compare, MoveState, Select, SetPredicate};

const SAT: bool = true;
const NO_SAT: bool = false;

macro_rules! ops {
    ($($opcode:expr, $name:literal $mnemonic:literal $format:ident $saturates:ident
        $behaviour:expr, $summary:literal;)*) => {
        /// Every opcode of the table.
        pub static OPS: &[VisaOp] = &[$(VisaOp {
            spec: Spec {
                name: $name,
                mnemonics: &[$mnemonic],
                family: Family::Visa,
                opcodes: &[$opcode],
                fused: false,
                lane_queue: false,
                summary: $summary,
                source: "documentation/visa",
                syntax: Syntax {
                    predicate: $format.predicate,
                    suffixes: $format.suffixes,
                    lanes: if $format.has_size { "n" } else { "" },
                    operands: $format.operands,
                },
                operations: alloc::vec::Vec::new,
                constructs: alloc::vec::Vec::new,
                pseudo_code: &[],
                facts: &[],
                contradictions: &[],
                examples: &[],
            },
            format: &$format,
            saturates: $saturates,
            behaviour: $behaviour,
        }),*];
    };
}

/// An opcode of one byte.
const fn byte(opcode: u8) -> Opcode {
    Opcode::bytes(&[opcode])
}

ops! {
    byte(0x01), "ADD" "add" BINARY SAT Compute(Alu(AluOp::Add)), "dst = src0 + src1";
    byte(0x02), "AVG" "avg" BINARY SAT Compute(Alu(AluOp::Avg)), "dst = (src0 + src1 + 1) >> 1, on integers";
    byte(0x03), "DIV" "div" BINARY SAT Compute(Alu(AluOp::Div)), "dst = src0 / src1";
    byte(0x04), "DP2" "dp2" BINARY SAT NotModelled, "dot product of two elements of each four";
    byte(0x05), "DP3" "dp3" BINARY SAT NotModelled, "dot product of three elements of each four";
    byte(0x06), "DP4" "dp4" BINARY SAT NotModelled, "dot product of four elements";
    byte(0x07), "DPH" "dph" BINARY SAT NotModelled, "homogeneous dot product";
    byte(0x08), "EXP" "exp" UNARY SAT Compute(Alu(AluOp::Exp)), "dst = 2 to the power of src0";
    byte(0x09), "FRC" "frc" UNARY NO_SAT Compute(Alu(AluOp::Frc)), "dst = src0 - floor(src0)";
    byte(0x0a), "LINE" "line" BINARY SAT NotModelled, "dst = src0.0 * src1 + src0.3";
    byte(0x0b), "LOG" "log" UNARY SAT Compute(Alu(AluOp::Log)), "dst = logarithm of src0 to base 2";
    byte(0x0c), "MAD" "mad" TERNARY SAT Compute(Alu(AluOp::Mad)), "dst = src0 * src1 + src2, rounded once";
    byte(0x0d), "MULH" "mulh" BINARY SAT Compute(Alu(AluOp::Mulh)), "dst = the upper 32 bits of src0 * src1";
    byte(0x0e), "LRP" "lrp" TERNARY SAT Compute(Alu(AluOp::Lrp)), "dst = src0 * src1 + (1 - src0) * src2";
    byte(0x0f), "MOD" "mod" BINARY NO_SAT Compute(Alu(AluOp::Mod)), "dst = the remainder of src0 / src1, with the sign of src0";
    byte(0x10), "MUL" "mul" BINARY SAT Compute(Alu(AluOp::Mul)), "dst = src0 * src1";
    byte(0x11), "POW" "pow" BINARY SAT Compute(Alu(AluOp::Pow)), "dst = |src0| to the power of src1";
    byte(0x12), "RNDD" "rndd" UNARY SAT Compute(Alu(AluOp::Rndd)), "dst = src0 rounded down";
    byte(0x13), "RNDU" "rndu" UNARY SAT Compute(Alu(AluOp::Rndu)), "dst = src0 rounded up";
    byte(0x14), "RNDE" "rnde" UNARY SAT Compute(Alu(AluOp::Rnde)), "dst = src0 rounded to nearest even";
    byte(0x15), "RNDZ" "rndz" UNARY SAT Compute(Alu(AluOp::Rndz)), "dst = src0 rounded toward zero";
    byte(0x16), "SAD2" "sad2" BINARY SAT NotModelled, "sums of absolute differences of pairs of bytes";
    byte(0x17), "SIN" "sin" UNARY SAT Compute(Alu(AluOp::Sin)), "dst = sine of src0, in radians";
    byte(0x18), "COS" "cos" UNARY SAT Compute(Alu(AluOp::Cos)), "dst = cosine of src0, in radians";
    byte(0x19), "SQRT" "sqrt" UNARY SAT Compute(Alu(AluOp::Sqrt)), "dst = square root of src0";
    byte(0x1a), "RSQRT" "rsqrt" UNARY SAT Compute(Alu(AluOp::Rsqrt)), "dst = 1 / square root of src0";
    byte(0x1b), "INV" "inv" UNARY SAT Compute(Alu(AluOp::Inv)), "dst = 1 / src0";
    byte(0x1d), "FCVT" "fcvt" UNPREDICATED_UNARY NO_SAT Compute(Alu(AluOp::Fcvt)), "converts between 8-bit or tf32 floats and wider ones";
    byte(0x1e), "SRND" "srnd" UNPREDICATED_BINARY NO_SAT NotModelled, "stochastic rounding of src0 with the random bits src1";
    byte(0x1f), "LZD" "lzd" UNARY SAT Compute(Alu(AluOp::Lzd)), "dst = number of leading zeros of src0";
    byte(0x20), "AND" "and" ANY_BINARY SAT Compute(Alu(AluOp::And)), "dst = src0 & src1";
    byte(0x21), "OR" "or" ANY_BINARY SAT Compute(Alu(AluOp::Or)), "dst = src0 | src1";
    byte(0x22), "XOR" "xor" ANY_BINARY SAT Compute(Alu(AluOp::Xor)), "dst = src0 ^ src1";
    byte(0x23), "NOT" "not" ANY_UNARY SAT Compute(Alu(AluOp::Not)), "dst = ~src0";
    byte(0x24), "SHL" "shl" BINARY SAT Compute(Alu(AluOp::Shl)), "dst = src0 << src1";
    byte(0x25), "SHR" "shr" BINARY SAT Compute(Alu(AluOp::Shr)), "dst = src0 >> src1, filled with zeros";
    byte(0x26), "ASR" "asr" BINARY SAT Compute(Alu(AluOp::Asr)), "dst = src0 >> src1, filled with the sign";
    byte(0x27), "CBIT" "cbit" UNARY SAT Compute(Alu(AluOp::Cbit)), "dst = number of bits set in src0";
    byte(0x28), "ADDR_ADD" "addr_add" ADDRESS_ADD NO_SAT Compute(AddAddress), "address = src0 + src1, in bytes of the register file";
    byte(0x29), "MOV" "mov" ANY_UNARY SAT Compute(Alu(AluOp::Mov)), "dst = src0, converted to the type of dst";
    byte(0x2a), "SEL" "sel" BINARY SAT Compute(Select), "dst = src0 where the predicate is set, else src1";
    byte(0x2b), "SETP" "setp" SET_PREDICATE NO_SAT Compute(SetPredicate), "predicate = bits of src0";
    byte(0x2c), "CMP" "cmp" COMPARE NO_SAT Compute(Compare), "dst = src0 relation src1, for each lane";
    byte(0x2d), "MOVS" "movs" MOVE_STATE NO_SAT Compute(MoveState), "moves to or from a surface or sampler variable";
    byte(0x2e), "FBL" "fbl" UNARY SAT Compute(Alu(AluOp::Fbl)), "dst = index of the lowest bit set in src0";
    byte(0x2f), "FBH" "fbh" UNARY SAT Compute(Alu(AluOp::Fbh)), "dst = distance of the highest significant bit of src0 from the top";
    Opcode::bytes_at(0x45, 2, 0), "MIN" "min" MINIMUM SAT Compute(Alu(AluOp::Min)), "dst = the smaller of src0 and src1";
    Opcode::bytes_at(0x45, 2, 1), "MAX" "max" MAXIMUM SAT Compute(Alu(AluOp::Max)), "dst = the larger of src0 and src1";
    byte(0x46), "BFE" "bfe" TERNARY SAT Compute(Alu(AluOp::Bfe)), "dst = the field of src2 that is src0 bits wide, from bit src1";
    byte(0x47), "BFI" "bfi" QUATERNARY SAT Compute(Alu(AluOp::Bfi)), "dst = src3 with src2 inserted as a field of src0 bits from bit src1";
    byte(0x48), "BFREV" "bfrev" UNARY SAT Compute(Alu(AluOp::Bfrev)), "dst = src0 with its bits in reverse order";
    byte(0x49), "ADDC" "addc" CARRY NO_SAT Compute(Alu(AluOp::Addc)), "dst = src0 + src1, with the carry of each lane";
    byte(0x4a), "SUBB" "subb" CARRY NO_SAT Compute(Alu(AluOp::Subb)), "dst = src0 - src1, with the borrow of each lane";
    byte(0x6a), "SAD2ADD" "sad2add" TERNARY SAT NotModelled, "sad2 of src0 and src1, added to src2";
    byte(0x6b), "PLANE" "plane" BINARY SAT NotModelled, "dst = src0.0 * u + src0.1 * v + src0.3";
    byte(0x7e), "SQRTM" "sqrtm" UNARY SAT Compute(Alu(AluOp::Sqrtm)), "dst = square root of src0, correctly rounded";
    byte(0x7f), "DIVM" "divm" BINARY SAT Compute(Alu(AluOp::Divm)), "dst = src0 / src1, correctly rounded";
    byte(0x80), "ROL" "rol" BINARY SAT Compute(Alu(AluOp::Rol)), "dst = src0 rotated left by src1";
    byte(0x81), "ROR" "ror" BINARY SAT Compute(Alu(AluOp::Ror)), "dst = src0 rotated right by src1";
    byte(0x82), "DP4A" "dp4a" TERNARY SAT Compute(Alu(AluOp::Dp4a)), "dst = src0 + the dot product of the bytes of src1 and src2";
    byte(0x84), "ADD3" "add3" TERNARY SAT Compute(Alu(AluOp::Add3)), "dst = src0 + src1 + src2";
    byte(0x85), "BFN" "bfn" BOOLEAN_FUNCTION SAT Compute(Alu(AluOp::Bfn)), "dst = a Boolean function of the bits of three sources";
    byte(0x91), "MADW" "madw" TERNARY SAT Compute(Alu(AluOp::Madw)), "dst = src0 * src1 + src2 in 64 bits: low halves, then high halves";
    byte(0x32), "JMP" "jmp" BRANCH NO_SAT Flow(FlowKind::Jump), "continues at a label; all channels of the thread go together";
    byte(0x6c), "GOTO" "goto" BRANCH NO_SAT Flow(FlowKind::Goto), "enabled channels continue at a label, the others at the next instruction";
    byte(0x33), "CALL" "call" BRANCH NO_SAT Flow(FlowKind::Call), "enabled channels run a subroutine; the others wait behind the call";
    byte(0x34), "RET" "ret" RETURN NO_SAT Flow(FlowKind::Return), "returns from a subroutine, or ends the thread";
    byte(0x67), "FCALL" "fcall" FUNCTION_CALL NO_SAT Flow(FlowKind::Call), "calls a function by name";
    byte(0x68), "FRET" "fret" RETURN NO_SAT Flow(FlowKind::Return), "returns from a function";
    byte(0x4f), "IFCALL" "ifcall" INDIRECT_CALL NO_SAT Flow(FlowKind::IndirectCall), "calls a function by its address";
    byte(0x69), "SWITCHJMP" "switchjmp" SWITCH NO_SAT Flow(FlowKind::Switch), "continues at the label that an index chooses";
    byte(0x50), "FADDR" "faddr" FUNCTION_ADDRESS NO_SAT NotModelled, "dst = the address of a function";
    byte(0x59), "BARRIER" "barrier" BARE NO_SAT Flow(FlowKind::Barrier), "waits until every thread of the work-group is here";
    byte(0x5a), "SAMPLER_CACHE_FLUSH" "sampler_cache_flush" BARE NO_SAT NoEffect("Lanewise has no sampler cache."), "flushes the sampler cache";
    byte(0x5f), "YIELD" "yield" BARE NO_SAT NoEffect("The schedule of threads is fixed; see .threads."), "lets another thread run";
    byte(0x5b), "WAIT" "wait" WAIT NO_SAT NoEffect("Lanewise sends no notifications."), "waits for a notification";
}

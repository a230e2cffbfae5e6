//! The opcode table: every vISA opcode, sorted by first byte.
//!
//! Source: documentation/visa of intel/intel-graphics-compiler; the real
//! assembler where it differs (tests/vectors/visa).

use super::constraints::{self as c, Classes, Mixing, Modifiers, Requirement, Saturation};
use super::message::{Message, MessageFormat};
use super::{
    Behavior, FenceSpaces, FlowKind, SourceMark, VisaOp, facts, format as f, lsc, memory as m,
};
use crate::isa::rmw::Rmw;
use crate::isa::schema::Syntax;
use crate::isa::visa::alu::AluOp;
use crate::isa::visa::compute::Computation;
use crate::isa::visa::platform::Platforms;
use crate::isa::{Fact, Family, Opcode, Spec};
use Behavior::{
    Compute, Fence, Flow, Message as Memory, NoEffect, NotModelled, SourceMark as Source,
};
use Classes::{Direct, PredicateDst, VectorOrAddressDst, VectorOrPredicateDst};
use Computation::{AddAddress, AddressOfName, Alu, Compare, MoveState, Select, SetPredicate};
use MessageFormat::{
    Block2d, Blocks, BlocksOfMemory, Bytes, Channels, Elements, Lsc, Owords, Quadwords,
};
use Modifiers::{AcceptsNot, AcceptsSign, Shift};
use Requirement::{
    AddressSum, BfToF, ComparableTypes, FloatConversion, FunctionAddress, Index, NarrowFactors,
    NoDwordConstant, Predicate, PredicateBits, RareIntegers, SameSignedness, State,
    TakesFunctionAddress, VariableSrc0,
};
use Saturation::{Accepted, Conversions, Floats};

const SAT: bool = true;
const NO_SAT: bool = false;

macro_rules! ops {
    ($($opcode:expr, $name:literal $($mnemonic:literal)|+, $format:path, $saturates:ident
        $behavior:expr, $constraints:expr, $summary:literal;)*) => {
        /// Every opcode of the table.
        pub static OPS: &[VisaOp] = &[$(VisaOp {
            spec: Spec {
                name: $name,
                mnemonics: &[$($mnemonic),+],
                family: Family::Visa,
                opcodes: &[$opcode],
                fused: false,
                // A block of a surface does not belong to lanes.
                lane_queue: matches!($behavior, Behavior::Message(m) if !matches!(m.format, Block2d)),
                summary: $summary,
                source: "documentation/visa of intel/intel-graphics-compiler; its visa/ for instructions that the documents lack",
                syntax: Syntax {
                    predicate: $format.predicate,
                    suffixes: $format.suffixes,
                    lanes: if $format.has_size { "n" } else { "" },
                    operands: $format.operands,
                },
                operations: alloc::vec::Vec::new,
                constructs: alloc::vec::Vec::new,
                pseudo_code: &[],
                facts: facts::of(&$behavior),
                contradictions: &[],
                examples: &[],
            },
            format: &$format,
            saturates: $saturates,
            behavior: $behavior,
            constraints: $constraints,
        }),*];
    };
}

macro_rules! assumed {
    ($reason:literal) => {
        const { &Fact::assumed($reason) }
    };
}

macro_rules! no_effect {
    ($reason:literal) => {
        NoEffect(assumed!($reason))
    };
}

/// Why fences change nothing.
const IN_ORDER: &Fact =
    assumed!("Accesses happen one after another here: they are in order already.");

/// A one-byte opcode.
const fn byte(opcode: u8) -> Opcode {
    Opcode::bytes(&[opcode])
}

ops! {
    byte(0x01), "ADD" "add", f::BINARY, SAT Compute(Alu(AluOp::Add)), c::types(c::EVERY), "dst = src0 + src1";
    byte(0x02), "AVG" "avg", f::BINARY, SAT Compute(Alu(AluOp::Avg)), c::types(c::INTEGERS), "dst = (src0 + src1 + 1) >> 1, on integers";
    byte(0x03), "DIV" "div", f::BINARY, SAT Compute(Alu(AluOp::Div)), c::types(c::INTEGERS.and(c::FLOATS)).accepting(c::ALL_INTEGERS.and(c::FLOATS)).requiring(&[RareIntegers]), "dst = src0 / src1";
    byte(0x04), "DP2" "dp2", f::BINARY, SAT NotModelled, c::DOT, "dot product of two elements of each four";
    byte(0x05), "DP3" "dp3", f::BINARY, SAT NotModelled, c::DOT, "dot product of three elements of each four";
    byte(0x06), "DP4" "dp4", f::BINARY, SAT NotModelled, c::DOT, "dot product of four elements";
    byte(0x07), "DPH" "dph", f::BINARY, SAT NotModelled, c::DOT, "homogeneous dot product";
    byte(0x08), "EXP" "exp", f::UNARY, SAT Compute(Alu(AluOp::Exp)), c::TRANSCENDENTAL, "dst = 2 to the power of src0";
    byte(0x09), "FRC" "frc", f::UNARY, NO_SAT Compute(Alu(AluOp::Frc)), c::FLOAT, "dst = src0 - floor(src0)";
    byte(0x0a), "LINE" "line", f::BINARY, SAT NotModelled, c::OLD_FLOAT, "dst = src0.0 * src1 + src0.3";
    byte(0x0b), "LOG" "log", f::UNARY, SAT Compute(Alu(AluOp::Log)), c::TRANSCENDENTAL, "dst = logarithm of src0 to base 2";
    byte(0x0c), "MAD" "mad", f::TERNARY, SAT Compute(Alu(AluOp::Mad)), c::types(c::INTEGERS.and(c::FLOATS_AND_BF)).accepting(c::EVERY).saturation(Floats).requiring(&[NoDwordConstant]), "dst = src0 * src1 + src2, rounded once";
    byte(0x0d), "MULH" "mulh", f::BINARY, SAT Compute(Alu(AluOp::Mulh)), c::types(c::DWORDS).unsaturated(), "dst = the upper 32 bits of src0 * src1";
    byte(0x0e), "LRP" "lrp", f::TERNARY, SAT Compute(Alu(AluOp::Lrp)), c::FLOAT.documented_on(Platforms::UP_TO_SKL), "dst = src0 * src1 + (1 - src0) * src2";
    byte(0x0f), "MOD" "mod", f::BINARY, NO_SAT Compute(Alu(AluOp::Mod)), c::types(c::INTEGERS).requiring(&[RareIntegers]), "dst = the remainder of src0 / src1, with the sign of src0";
    byte(0x10), "MUL" "mul", f::BINARY, SAT Compute(Alu(AluOp::Mul)), c::types(c::EVERY).saturation(Floats).requiring(&[NarrowFactors]), "dst = src0 * src1";
    byte(0x11), "POW" "pow", f::BINARY, SAT Compute(Alu(AluOp::Pow)), c::TRANSCENDENTAL, "dst = |src0| to the power of src1";
    byte(0x12), "RNDD" "rndd", f::UNARY, SAT Compute(Alu(AluOp::Rndd)), c::FLOAT, "dst = src0 rounded down";
    byte(0x13), "RNDU" "rndu", f::UNARY, SAT Compute(Alu(AluOp::Rndu)), c::FLOAT, "dst = src0 rounded up";
    byte(0x14), "RNDE" "rnde", f::UNARY, SAT Compute(Alu(AluOp::Rnde)), c::FLOAT, "dst = src0 rounded to nearest even";
    byte(0x15), "RNDZ" "rndz", f::UNARY, SAT Compute(Alu(AluOp::Rndz)), c::FLOAT, "dst = src0 rounded toward zero";
    byte(0x16), "SAD2" "sad2", f::BINARY, SAT NotModelled, c::FREE.on(Platforms::UP_TO_ICLLP), "sums of absolute differences of pairs of bytes";
    byte(0x17), "SIN" "sin", f::UNARY, SAT Compute(Alu(AluOp::Sin)), c::TRANSCENDENTAL, "dst = sine of src0, in radians";
    byte(0x18), "COS" "cos", f::UNARY, SAT Compute(Alu(AluOp::Cos)), c::TRANSCENDENTAL, "dst = cosine of src0, in radians";
    byte(0x19), "SQRT" "sqrt", f::UNARY, SAT Compute(Alu(AluOp::Sqrt)), c::ROOT, "dst = square root of src0";
    byte(0x1a), "RSQRT" "rsqrt", f::UNARY, SAT Compute(Alu(AluOp::Rsqrt)), c::ROOT, "dst = 1 / square root of src0";
    byte(0x1b), "INV" "inv", f::UNARY, SAT Compute(Alu(AluOp::Inv)), c::ROOT, "dst = 1 / src0";
    byte(0x1d), "FCVT" "fcvt", f::UNPREDICATED_UNARY, SAT Compute(Alu(AluOp::Fcvt)), c::types(c::EVERY).modifiers(Modifiers::None).saturation(Conversions).mixing(Mixing::Documented).on(Platforms::FROM_PVC).requiring(&[FloatConversion]), "converts between 8-bit or tf32 floats and wider ones";
    byte(0x1e), "SRND" "srnd", f::UNPREDICATED_BINARY, SAT Compute(Alu(AluOp::Srnd)), c::FREE.on(Platforms::FROM_PVC), "stochastic rounding of src0 with the random bits src1";
    byte(0x1f), "LZD" "lzd", f::UNARY, SAT Compute(Alu(AluOp::Lzd)), c::types(c::UD).accepting(c::DWORDS).modifiers(AcceptsSign).unsaturated(), "dst = number of leading zeros of src0";
    byte(0x20), "AND" "and", f::ANY_BINARY, SAT Compute(Alu(AluOp::And)), c::LOGIC, "dst = src0 & src1";
    byte(0x21), "OR" "or", f::ANY_BINARY, SAT Compute(Alu(AluOp::Or)), c::LOGIC, "dst = src0 | src1";
    byte(0x22), "XOR" "xor", f::ANY_BINARY, SAT Compute(Alu(AluOp::Xor)), c::LOGIC, "dst = src0 ^ src1";
    byte(0x23), "NOT" "not", f::ANY_UNARY, SAT Compute(Alu(AluOp::Not)), c::LOGIC, "dst = ~src0";
    byte(0x24), "SHL" "shl", f::BINARY, SAT Compute(Alu(AluOp::Shl)), c::SHIFT, "dst = src0 << src1";
    byte(0x25), "SHR" "shr", f::BINARY, SAT Compute(Alu(AluOp::Shr)), c::types(c::UNSIGNED).accepting(c::ALL_INTEGERS).others(c::ALL_INTEGERS, c::ALL_INTEGERS).modifiers(Shift).requiring(&[SameSignedness]), "dst = src0 >> src1, filled with zeros";
    byte(0x26), "ASR" "asr", f::BINARY, SAT Compute(Alu(AluOp::Asr)), c::types(c::SIGNED).accepting(c::ALL_INTEGERS).others(c::ALL_INTEGERS, c::ALL_INTEGERS).modifiers(Shift).saturation(Accepted).requiring(&[SameSignedness]), "dst = src0 >> src1, filled with the sign";
    byte(0x27), "CBIT" "cbit", f::UNARY, SAT Compute(Alu(AluOp::Cbit)), c::types(c::INTEGERS).accepting(c::ALL_INTEGERS).modifiers(AcceptsNot).unsaturated(), "dst = number of bits set in src0";
    byte(0x28), "ADDR_ADD" "addr_add", f::ADDRESS_ADD, NO_SAT Compute(AddAddress), c::PLACED.requiring(&[AddressSum]), "address = src0 + src1, in bytes of the register file";
    byte(0x29), "MOV" "mov", f::ANY_UNARY, SAT Compute(Alu(AluOp::Mov)), c::types(c::EVERY).modifiers(Shift).mixing(Mixing::Documented).classes(VectorOrAddressDst).requiring(&[BfToF]), "dst = src0, converted to the type of dst";
    byte(0x2a), "SEL" "sel", f::BINARY, SAT Compute(Select), c::types(c::EVERY).mixing(Mixing::Accepted).requiring(&[Predicate]), "dst = src0 where the predicate is set, else src1";
    byte(0x2b), "SETP" "setp", f::SET_PREDICATE, NO_SAT Compute(SetPredicate), c::PLACED.classes(PredicateDst).requiring(&[PredicateBits]), "predicate = bits of src0";
    byte(0x2c), "CMP" "cmp", f::COMPARE, NO_SAT Compute(Compare), c::types(c::EVERY).mixing(Mixing::Documented).classes(VectorOrPredicateDst).requiring(&[ComparableTypes]), "dst = src0 relation src1, for each lane";
    byte(0x2d), "MOVS" "movs", f::MOVE_STATE, NO_SAT Compute(MoveState), c::PLACED.classes(Direct).requiring(&[State]), "dst = src0, for surfaces and samplers";
    byte(0x2e), "FBL" "fbl", f::UNARY, SAT Compute(Alu(AluOp::Fbl)), c::BIT_FIELD, "dst = index of the lowest bit set in src0";
    byte(0x2f), "FBH" "fbh", f::UNARY, SAT Compute(Alu(AluOp::Fbh)), c::BIT_FIELD, "dst = distance of the highest significant bit of src0 from the top";
    byte(0x30), ".FUNCTION" ".function", f::DEFINITION, NO_SAT no_effect!("It is a place in the program."), c::FREE, "starts a subroutine";
    byte(0x31), ":" ":", f::LABEL, NO_SAT no_effect!("It is a place in the program."), c::FREE, "a label";
    byte(0x32), "JMP" "jmp", f::BRANCH, NO_SAT Flow(FlowKind::Jump), c::FREE, "continues at a label; all channels of the thread go together";
    byte(0x33), "CALL" "call", f::BRANCH, NO_SAT Flow(FlowKind::Call), c::FREE, "enabled channels run a subroutine; the others wait after the call";
    byte(0x34), "RET" "ret", f::RETURN, NO_SAT Flow(FlowKind::Return), c::FREE, "returns from a subroutine, or ends the thread";
    byte(0x35), "OWORD_LD" "oword_ld", m::OWORD_LD, NO_SAT Memory(Message::load(Owords(16))), c::OWORDS, "loads blocks of 16 bytes from a surface";
    byte(0x36), "OWORD_ST" "oword_st", m::OWORD_ST, NO_SAT Memory(Message::store(Owords(16))), c::OWORDS, "stores blocks of 16 bytes to a surface";
    byte(0x37), "MEDIA_LD" "media_ld", m::MEDIA_LD, NO_SAT NotModelled, c::MEDIA, "loads a rectangle of a 2D surface";
    byte(0x38), "MEDIA_ST" "media_st", m::MEDIA_ST, NO_SAT NotModelled, c::MEDIA, "stores a rectangle of a 2D surface";
    byte(0x39), "GATHER" "gather", m::GATHER, NO_SAT Memory(Message::load(Elements)), c::ELEMENTS, "loads an element of a surface for each lane";
    byte(0x3a), "SCATTER" "scatter", m::SCATTER, NO_SAT Memory(Message::store(Elements)), c::ELEMENTS, "stores an element to a surface for each lane";
    byte(0x3c), "OWORD_LD_UNALIGNED" "oword_ld_unaligned", m::OWORD_LD, NO_SAT Memory(Message::load(Owords(1))), c::OWORDS, "loads blocks of 16 bytes from a surface, from a byte offset that is a multiple of 4";
    byte(0x40), "SAMPLE" "sample", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface";
    byte(0x41), "SAMPLE_UNORM" "sample_unorm", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface with coordinates that are not normalized";
    byte(0x42), "LOAD" "load", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads from a surface through the sampler";
    byte(0x43), "AVS" "avs", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "adaptive video scaling";
    Opcode::bytes_at(0x45, 2, 0), "MIN" "min", f::MINIMUM, SAT Compute(Alu(AluOp::Min)), c::types(c::EVERY), "dst = the smaller of src0 and src1";
    Opcode::bytes_at(0x45, 2, 1), "MAX" "max", f::MAXIMUM, SAT Compute(Alu(AluOp::Max)), c::types(c::EVERY), "dst = the larger of src0 and src1";
    byte(0x46), "BFE" "bfe", f::TERNARY, SAT Compute(Alu(AluOp::Bfe)), c::BIT_FIELD.requiring(&[SameSignedness]), "dst = the field of src2 that is src0 bits wide, from bit src1";
    byte(0x47), "BFI" "bfi", f::QUATERNARY, SAT Compute(Alu(AluOp::Bfi)), c::BIT_FIELD, "dst = src3 with src2 inserted as a field of src0 bits from bit src1";
    byte(0x48), "BFREV" "bfrev", f::UNARY, SAT Compute(Alu(AluOp::Bfrev)), c::BIT_FIELD, "dst = src0 with its bits in reverse order";
    byte(0x49), "ADDC" "addc", f::CARRY, NO_SAT Compute(Alu(AluOp::Addc)), c::CARRIED, "dst = src0 + src1, with the carry of each lane";
    byte(0x4a), "SUBB" "subb", f::CARRY, NO_SAT Compute(Alu(AluOp::Subb)), c::CARRIED, "dst = src0 - src1, with the borrow of each lane";
    byte(0x4b), "GATHER4_TYPED" "gather4_typed", m::GATHER4_TYPED, NO_SAT NotModelled, c::TYPED, "loads up to four channels of a typed surface";
    byte(0x4c), "SCATTER4_TYPED" "scatter4_typed", m::SCATTER4_TYPED, NO_SAT NotModelled, c::TYPED, "stores up to four channels of a typed surface";
    Opcode::bytes(&[0x4e, 0x01]), "SVM_BLOCK_LD" "svm_block_ld", m::SVM_BLOCK_LD, NO_SAT Memory(Message::load(BlocksOfMemory)), c::SVM_BLOCKS, "loads blocks of 16 bytes from virtual memory";
    Opcode::bytes(&[0x4e, 0x02]), "SVM_BLOCK_ST" "svm_block_st", m::SVM_BLOCK_ST, NO_SAT Memory(Message::store(BlocksOfMemory)), c::SVM_BLOCKS, "stores blocks of 16 bytes to virtual memory";
    Opcode::bytes(&[0x4e, 0x03]), "SVM_GATHER" "svm_gather", m::SVM_GATHER, NO_SAT Memory(Message::load(Blocks)), c::SVM_ELEMENTS, "loads blocks of virtual memory for each lane";
    Opcode::bytes(&[0x4e, 0x04]), "SVM_SCATTER" "svm_scatter", m::SVM_SCATTER, NO_SAT Memory(Message::store(Blocks)), c::SVM_ELEMENTS, "stores blocks to virtual memory for each lane";
    byte(0x4f), "IFCALL" "ifcall", f::INDIRECT_CALL, NO_SAT Flow(FlowKind::IndirectCall), c::FREE.requiring(&[FunctionAddress]), "calls a function by its address";
    byte(0x50), "FADDR" "faddr", f::FUNCTION_ADDRESS, NO_SAT Compute(AddressOfName), c::FREE.requiring(&[TakesFunctionAddress]), "dst = the address of a function, or of data of the program";
    byte(0x51), ".FILE" ".file" | "FILE", f::FILE, NO_SAT Source(SourceMark::File), c::FREE, "names the source file of what follows";
    byte(0x52), ".LOC" ".loc" | "LOC", f::LINE_NUMBER, NO_SAT Source(SourceMark::Line), c::FREE, "gives the source line of what follows";
    byte(0x54), "VME_IME" "vme_ime", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "video motion estimation: integer search";
    byte(0x55), "VME_SIC" "vme_sic", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "video motion estimation: skip and intra check";
    byte(0x56), "VME_FBR" "vme_fbr", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "video motion estimation: fractional refinement";
    byte(0x57), "VME_IDM" "vme_idm", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "video motion estimation: distortion mesh";
    byte(0x59), "BARRIER" "barrier", f::BARE, NO_SAT Flow(FlowKind::Barrier), c::FREE, "waits until every thread of the work-group is here";
    byte(0x5a), "SAMPLER_CACHE_FLUSH" "sampler_cache_flush", f::BARE, NO_SAT no_effect!("Lanewise has no sampler cache."), c::FREE, "flushes the sampler cache";
    byte(0x5b), "WAIT" "wait", f::WAIT, NO_SAT no_effect!("Lanewise sends no notifications."), c::FREE, "waits for a notification";
    Opcode::bits_of_second(0x5c, 0xa0, 0x00), "FENCE_GLOBAL" "fence_global", f::FENCE_GLOBAL, NO_SAT Fence(FenceSpaces::Global, IN_ORDER), c::FREE, "orders accesses to global memory";
    Opcode::bits_of_second(0x5c, 0xa0, 0x20), "FENCE_LOCAL" "fence_local", f::FENCE_LOCAL, NO_SAT Fence(FenceSpaces::Local, IN_ORDER), c::FREE, "orders accesses to shared local memory";
    Opcode::bits_of_second(0x5c, 0x80, 0x80), "FENCE_SW" "fence_sw", f::FENCE_SOFTWARE, NO_SAT Fence(FenceSpaces::Compiler, assumed!("It binds the compiler only.")), c::FREE, "keeps the compiler from moving accesses across";
    Opcode::bytes(&[0x5d, 0x00]), "RAW_SEND" "raw_send", m::RAW_SEND, NO_SAT NotModelled, c::FREE, "sends a message with explicit descriptors";
    Opcode::bytes(&[0x5d, 0x01]), "RAW_SENDC" "raw_sendc", m::RAW_SEND, NO_SAT NotModelled, c::FREE, "sends a message with explicit descriptors";
    byte(0x5f), "YIELD" "yield", f::BARE, NO_SAT no_effect!("The schedule of threads is fixed; see .threads."), c::FREE, "lets another thread run";
    Opcode::bytes(&[0x60, 0x00]), "NBARRIER.WAIT" "nbarrier.wait", f::NAMED_WAIT, NO_SAT Flow(FlowKind::NamedWait), c::BARRIER, "waits until all threads of a named barrier have signalled";
    Opcode::bytes(&[0x60, 0x01]), "NBARRIER.SIGNAL" "nbarrier.signal", f::NAMED_SIGNAL, NO_SAT Flow(FlowKind::NamedSignal), c::BARRIER, "signals a named barrier, with the number of its threads";
    byte(0x67), "FCALL" "fcall", f::FUNCTION_CALL, NO_SAT Flow(FlowKind::Call), c::FREE, "calls a function by name";
    byte(0x67), "FCCALL" "fccall", f::COMPOSABLE_CALL, NO_SAT NotModelled, c::FREE, "calls a composable function by name";
    byte(0x68), "FRET" "fret", f::RETURN, NO_SAT Flow(FlowKind::Return), c::FREE, "returns from a function";
    byte(0x69), "SWITCHJMP" "switchjmp", f::SWITCH, NO_SAT Flow(FlowKind::Switch), c::FREE.accepted_on(Platforms::WITH_SWITCH).requiring(&[Index]), "continues at the label that an index chooses";
    byte(0x6a), "SAD2ADD" "sad2add", f::TERNARY, SAT NotModelled, c::FREE.on(Platforms::UP_TO_ICLLP), "sad2 of src0 and src1, added to src2";
    byte(0x6b), "PLANE" "plane", f::BINARY, SAT NotModelled, c::OLD_FLOAT, "dst = src0.0 * u + src0.1 * v + src0.3";
    byte(0x6c), "GOTO" "goto", f::BRANCH, NO_SAT Flow(FlowKind::Goto), c::FREE, "enabled channels continue at a label, the others at the next instruction";
    byte(0x6d), "SAMPLE_3D" "sample_3d", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_B" "sample_b", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_L" "sample_l", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_C" "sample_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_D" "sample_d", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_B_C" "sample_b_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_L_C" "sample_l_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_D_C" "sample_d_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_LZ" "sample_lz", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_C_LZ" "sample_c_lz", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO" "sample_po", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_B" "sample_po_b", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_L" "sample_po_l", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_C" "sample_po_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_D" "sample_po_d", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_B_C" "sample_po_b_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_L_C" "sample_po_l_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_D_C" "sample_po_d_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_LZ" "sample_po_lz", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_PO_C_LZ" "sample_po_c_lz", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_MLOD" "sample_mlod", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_C_MLOD" "sample_c_mlod", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "SAMPLE_D_C_MLOD" "sample_d_c_mlod", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6d), "LOD" "lod", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples a surface in a shader";
    byte(0x6e), "LOAD_3D" "load_3d", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads from a surface in a shader";
    byte(0x6e), "LOAD_MCS" "load_mcs", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads from a surface in a shader";
    byte(0x6e), "LOAD_LZ" "load_lz", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads from a surface in a shader";
    byte(0x6e), "LOAD_2DMS_W" "load_2dms_w", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads from a surface in a shader";
    byte(0x6e), "LOAD_L" "load_l", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads from a surface in a shader";
    byte(0x6f), "SAMPLE4" "sample4", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_C" "sample4_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_PO" "sample4_po", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_PO_C" "sample4_po_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_B" "sample4_b", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_L" "sample4_l", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_L_C" "sample4_l_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_I" "sample4_i", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_I_C" "sample4_i_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_PO_B" "sample4_po_b", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_PO_L" "sample4_po_l", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_PO_L_C" "sample4_po_l_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_PO_I" "sample4_po_i", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x6f), "SAMPLE4_PO_I_C" "sample4_po_i_c", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "samples four texels in a shader";
    byte(0x70), "RESINFO" "resinfo", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "reads the properties of a surface";
    byte(0x70), "SAMPLEINFO" "sampleinfo", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "reads the properties of a surface";
    byte(0x71), "RT_WRITE" "rt_write", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "writes to a render target";
    byte(0x71), "RT_WRITE_3D" "rt_write_3d", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "writes to a render target";
    byte(0x72), "URB_WRITE" "urb_write", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "writes to the unified return buffer";
    byte(0x72), "URB_WRITE_3D" "urb_write_3d", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "writes to the unified return buffer";
    byte(0x73), "TYPED_ATOMIC" "typed_atomic", m::TYPED_ATOMIC, NO_SAT NotModelled, c::TYPED_ATOMIC, "an atomic on an element of a typed surface";
    byte(0x74), "GATHER4_SCALED" "gather4_scaled", m::GATHER4_SCALED, NO_SAT Memory(Message::load(Channels)), c::CHANNELS, "loads up to four channels of a surface for each lane";
    byte(0x75), "SCATTER4_SCALED" "scatter4_scaled", m::SCATTER4_SCALED, NO_SAT Memory(Message::store(Channels)), c::CHANNELS, "stores up to four channels to a surface for each lane";
    byte(0x78), "GATHER_SCALED" "gather_scaled", m::GATHER_SCALED, NO_SAT Memory(Message::load(Bytes)), c::SCALED, "loads bytes of a surface for each lane";
    byte(0x79), "SCATTER_SCALED" "scatter_scaled", m::SCATTER_SCALED, NO_SAT Memory(Message::store(Bytes)), c::SCALED, "stores bytes to a surface for each lane";
    Opcode::bytes(&[0x7a, 0x00]), "RAW_SENDS" "raw_sends", m::RAW_SENDS, NO_SAT NotModelled, c::FREE, "sends a message of two parts with explicit descriptors";
    Opcode::bytes(&[0x7a, 0x01]), "RAW_SENDSC" "raw_sendsc", m::RAW_SENDSC, NO_SAT NotModelled, c::FREE, "sends a message of two parts with explicit descriptors";
    Opcode::bytes(&[0x7a, 0x02]), "RAW_SENDS_EOT" "raw_sends_eot", m::RAW_SENDS, NO_SAT NotModelled, c::FREE, "sends a message of two parts with explicit descriptors";
    Opcode::bytes(&[0x7a, 0x03]), "RAW_SENDSC_EOT" "raw_sendsc_eot", m::RAW_SENDSC, NO_SAT NotModelled, c::FREE, "sends a message of two parts with explicit descriptors";
    byte(0x7b), "LIFETIME" "lifetime", f::LIFETIME, NO_SAT no_effect!("Every variable has registers of its own."), c::FREE, "says where a variable starts or ends to be in use";
    Opcode::bytes(&[0x7c, 0x00]), "SBARRIER.WAIT" "sbarrier.wait", f::BARE, NO_SAT Flow(FlowKind::Barrier), c::FREE, "waits until every thread of the work-group has signalled";
    Opcode::bytes(&[0x7c, 0x01]), "SBARRIER.SIGNAL" "sbarrier.signal", f::BARE, NO_SAT no_effect!("A thread that reaches sbarrier.wait has signalled."), c::FREE, "signals the barrier of the work-group";
    byte(0x7e), "SQRTM" "sqrtm", f::UNARY, SAT Compute(Alu(AluOp::Sqrtm)), c::IEEE, "dst = square root of src0, correctly rounded";
    byte(0x7f), "DIVM" "divm", f::BINARY, SAT Compute(Alu(AluOp::Divm)), c::IEEE, "dst = src0 / src1, correctly rounded";
    byte(0x80), "ROL" "rol", f::BINARY, SAT Compute(Alu(AluOp::Rol)), c::ROTATION, "dst = src0 rotated left by src1";
    byte(0x81), "ROR" "ror", f::BINARY, SAT Compute(Alu(AluOp::Ror)), c::ROTATION, "dst = src0 rotated right by src1";
    byte(0x82), "DP4A" "dp4a", f::TERNARY, SAT Compute(Alu(AluOp::Dp4a)), c::types(c::DWORDS).modifiers(AcceptsSign).on(Platforms::FROM_TGLLP).requiring(&[VariableSrc0]), "dst = src0 + the dot product of the bytes of src1 and src2";
    byte(0x84), "ADD3" "add3", f::TERNARY, SAT Compute(Alu(AluOp::Add3)), c::SUM_OF_THREE.requiring(&[NoDwordConstant]), "dst = src0 + src1 + src2";
    byte(0x85), "BFN" "bfn", f::BOOLEAN_FUNCTION, SAT Compute(Alu(AluOp::Bfn)), c::types(c::WORDS_AND_DWORDS).accepting(c::ALL_INTEGERS).modifiers(AcceptsNot).unsaturated().documented_on(Platforms::FROM_XEHP), "dst = a Boolean function of the bits of three sources";
    byte(0x86), "QW_GATHER" "qw_gather", m::QW_GATHER, NO_SAT Memory(Message::load(Quadwords)), c::QUADWORDS, "loads quadwords of a surface for each lane";
    byte(0x87), "QW_SCATTER" "qw_scatter", m::QW_SCATTER, NO_SAT Memory(Message::store(Quadwords)), c::QUADWORDS, "stores quadwords to a surface for each lane";
    Opcode::bytes(&[0x89, 0x00]), "LSC_LOAD" "lsc_load", lsc::LSC_LOAD, NO_SAT Memory(Message::load(Lsc)), c::LSC_LOAD, "loads elements for each lane";
    Opcode::bytes(&[0x89, 0x01]), "LSC_LOAD_STRIDED" "lsc_load_strided", lsc::LSC_LOAD_STRIDED, NO_SAT Memory(Message::load(Lsc)), c::LSC_LOAD, "loads elements at one distance from each other";
    Opcode::bytes(&[0x89, 0x02]), "LSC_LOAD_QUAD" "lsc_load_quad", lsc::LSC_LOAD, NO_SAT Memory(Message::load(Lsc)), c::LSC_LOAD.quad(), "loads up to four channels for each lane";
    Opcode::bytes(&[0x89, 0x03]), "LSC_LOAD_BLOCK2D" "lsc_load_block2d", lsc::LSC_LOAD_BLOCK, NO_SAT Memory(Message::load(Block2d)), c::LSC_LOAD, "loads blocks of a 2D surface";
    Opcode::bytes(&[0x89, 0x04]), "LSC_STORE" "lsc_store", lsc::LSC_STORE, NO_SAT Memory(Message::store(Lsc)), c::LSC_STORE, "stores elements for each lane";
    Opcode::bytes(&[0x89, 0x05]), "LSC_STORE_STRIDED" "lsc_store_strided", lsc::LSC_STORE_STRIDED, NO_SAT Memory(Message::store(Lsc)), c::LSC_STORE, "stores elements at one distance from each other";
    Opcode::bytes(&[0x89, 0x06]), "LSC_STORE_QUAD" "lsc_store_quad", lsc::LSC_STORE, NO_SAT Memory(Message::store(Lsc)), c::LSC_STORE.quad(), "stores up to four channels for each lane";
    Opcode::bytes(&[0x89, 0x07]), "LSC_STORE_BLOCK2D" "lsc_store_block2d", lsc::LSC_STORE_BLOCK, NO_SAT Memory(Message::store(Block2d)), c::LSC_STORE, "stores a block of a 2D surface";
    Opcode::bytes(&[0x89, 0x1b]), "LSC_LOAD_STATUS" "lsc_load_status", lsc::LSC_LOAD, NO_SAT NotModelled, c::LSC_LOAD, "loads the status of pages for each lane";
    Opcode::bytes(&[0x89, 0x1c]), "LSC_STORE_UNCOMPRESSED" "lsc_store_uncompressed", lsc::LSC_STORE, NO_SAT NotModelled, c::LSC_STORE, "stores elements uncompressed";
    Opcode::bytes(&[0x89, 0x1d]), "LSC_CCS_UPDATE" "lsc_ccs_update", lsc::LSC_STORE, NO_SAT NotModelled, c::LSC_STORE, "updates the compression state";
    Opcode::bytes(&[0x89, 0x21]), "LSC_ATOMIC_BFADD" "lsc_atomic_bfadd", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::BfAdd)), c::lsc_bf_atomic(1), "an atomic of bfloat16 numbers for each lane";
    Opcode::bytes(&[0x89, 0x22]), "LSC_ATOMIC_BFSUB" "lsc_atomic_bfsub", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::BfSub)), c::lsc_bf_atomic(1), "an atomic of bfloat16 numbers for each lane";
    Opcode::bytes(&[0x89, 0x23]), "LSC_ATOMIC_BFMIN" "lsc_atomic_bfmin", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::BfMin)), c::lsc_bf_atomic(1), "an atomic of bfloat16 numbers for each lane";
    Opcode::bytes(&[0x89, 0x24]), "LSC_ATOMIC_BFMAX" "lsc_atomic_bfmax", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::BfMax)), c::lsc_bf_atomic(1), "an atomic of bfloat16 numbers for each lane";
    Opcode::bytes(&[0x89, 0x25]), "LSC_ATOMIC_BFCAS" "lsc_atomic_bfcas", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::BfCompareExchange)), c::lsc_bf_atomic(2), "an atomic of bfloat16 numbers for each lane";
    Opcode::bytes(&[0x89, 0x28]), "LSC_APNDCTR_ATOMIC_ADD" "lsc_apndctr_atomic_add", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "an atomic on the append counter of a surface";
    Opcode::bytes(&[0x89, 0x29]), "LSC_APNDCTR_ATOMIC_SUB" "lsc_apndctr_atomic_sub", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "an atomic on the append counter of a surface";
    Opcode::bytes(&[0x89, 0x30]), "LSC_APNDCTR_ATOMIC_STORE" "lsc_apndctr_atomic_store", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "an atomic on the append counter of a surface";
    Opcode::bytes(&[0x89, 0x33]), "LSC_EXTENDED_CACHE_CTRL" "lsc_extended_cache_ctrl", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "controls the caches of an address";
    Opcode::bytes(&[0x89, 0x36]), "LSC_LOAD_QUAD_STATUS" "lsc_load_quad_status", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads up to four channels and the status of their pages";
    Opcode::bytes(&[0x89, 0x08]), "LSC_ATOMIC_IINC" "lsc_atomic_iinc", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Increment)), c::lsc_atomic(0), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x09]), "LSC_ATOMIC_IDEC" "lsc_atomic_idec", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Decrement)), c::lsc_atomic(0), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x0a]), "LSC_ATOMIC_LOAD" "lsc_atomic_load", lsc::LSC_ATOMIC, NO_SAT Memory(Message::load(Lsc)), c::lsc_atomic(0), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x0b]), "LSC_ATOMIC_STORE" "lsc_atomic_store", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Exchange)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x0c]), "LSC_ATOMIC_IADD" "lsc_atomic_iadd", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Add)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x0d]), "LSC_ATOMIC_ISUB" "lsc_atomic_isub", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Sub)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x0e]), "LSC_ATOMIC_SMIN" "lsc_atomic_smin", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::SignedMin)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x0f]), "LSC_ATOMIC_SMAX" "lsc_atomic_smax", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::SignedMax)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x10]), "LSC_ATOMIC_UMIN" "lsc_atomic_umin", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Min)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x11]), "LSC_ATOMIC_UMAX" "lsc_atomic_umax", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Max)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x12]), "LSC_ATOMIC_ICAS" "lsc_atomic_icas", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::CompareExchange)), c::LSC_COMPARE, "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x13]), "LSC_ATOMIC_FADD" "lsc_atomic_fadd", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::FloatAdd)), c::LSC_FLOAT_SUM, "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x14]), "LSC_ATOMIC_FSUB" "lsc_atomic_fsub", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::FloatSub)), c::LSC_FLOAT_SUM, "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x15]), "LSC_ATOMIC_FMIN" "lsc_atomic_fmin", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::FloatMin)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x16]), "LSC_ATOMIC_FMAX" "lsc_atomic_fmax", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::FloatMax)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x17]), "LSC_ATOMIC_FCAS" "lsc_atomic_fcas", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::FloatCompareExchange)), c::lsc_atomic(2), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x18]), "LSC_ATOMIC_AND" "lsc_atomic_and", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::And)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x19]), "LSC_ATOMIC_OR" "lsc_atomic_or", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Or)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x89, 0x1a]), "LSC_ATOMIC_XOR" "lsc_atomic_xor", lsc::LSC_ATOMIC, NO_SAT Memory(Message::atomic(Rmw::Xor)), c::lsc_atomic(1), "an atomic for each lane, in memory";
    Opcode::bytes(&[0x8a, 0x02]), "LSC_LOAD_QUAD.TGM" "lsc_load_quad.tgm", lsc::LSC_TYPED_LOAD, NO_SAT NotModelled, c::LSC_LOAD.quad().typed(), "loads up to four channels of a typed surface for each lane";
    Opcode::bytes(&[0x8a, 0x03]), "LSC_LOAD_BLOCK2D.TGM" "lsc_load_block2d.tgm", f::TEXT_ONLY, NO_SAT NotModelled, c::LSC, "loads blocks of a typed surface";
    Opcode::bytes(&[0x8a, 0x06]), "LSC_STORE_QUAD.TGM" "lsc_store_quad.tgm", lsc::LSC_TYPED_STORE, NO_SAT NotModelled, c::LSC_STORE.quad().typed(), "stores up to four channels of a typed surface for each lane";
    Opcode::bytes(&[0x8a, 0x07]), "LSC_STORE_BLOCK2D.TGM" "lsc_store_block2d.tgm", f::TEXT_ONLY, NO_SAT NotModelled, c::LSC, "stores a block of a typed surface";
    Opcode::bytes(&[0x8a, 0x08]), "LSC_ATOMIC_IINC.TGM" "lsc_atomic_iinc.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(0).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x09]), "LSC_ATOMIC_IDEC.TGM" "lsc_atomic_idec.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(0).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x0a]), "LSC_ATOMIC_LOAD.TGM" "lsc_atomic_load.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(0).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x0b]), "LSC_ATOMIC_STORE.TGM" "lsc_atomic_store.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x0c]), "LSC_ATOMIC_IADD.TGM" "lsc_atomic_iadd.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x0d]), "LSC_ATOMIC_ISUB.TGM" "lsc_atomic_isub.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x0e]), "LSC_ATOMIC_SMIN.TGM" "lsc_atomic_smin.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x0f]), "LSC_ATOMIC_SMAX.TGM" "lsc_atomic_smax.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x10]), "LSC_ATOMIC_UMIN.TGM" "lsc_atomic_umin.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x11]), "LSC_ATOMIC_UMAX.TGM" "lsc_atomic_umax.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x12]), "LSC_ATOMIC_ICAS.TGM" "lsc_atomic_icas.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::LSC_COMPARE.typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x13]), "LSC_ATOMIC_FADD.TGM" "lsc_atomic_fadd.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::LSC_FLOAT_SUM.typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x14]), "LSC_ATOMIC_FSUB.TGM" "lsc_atomic_fsub.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::LSC_FLOAT_SUM.typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x15]), "LSC_ATOMIC_FMIN.TGM" "lsc_atomic_fmin.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x16]), "LSC_ATOMIC_FMAX.TGM" "lsc_atomic_fmax.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x17]), "LSC_ATOMIC_FCAS.TGM" "lsc_atomic_fcas.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(2).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x18]), "LSC_ATOMIC_AND.TGM" "lsc_atomic_and.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x19]), "LSC_ATOMIC_OR.TGM" "lsc_atomic_or.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x1a]), "LSC_ATOMIC_XOR.TGM" "lsc_atomic_xor.tgm", lsc::LSC_TYPED_ATOMIC, NO_SAT NotModelled, c::lsc_atomic(1).typed(), "an atomic for each lane, on a typed surface";
    Opcode::bytes(&[0x8a, 0x1e]), "LSC_READ_STATE_INFO.TGM" "lsc_read_state_info.tgm", lsc::LSC_STATE_INFO, NO_SAT NotModelled, c::LSC, "reads the state of a surface";
    Opcode::bytes(&[0x8a, 0x31]), "LSC_LOAD_QUAD_MSRT" "lsc_load_quad_msrt", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "loads up to four channels of a multisampled surface for each lane";
    Opcode::bytes(&[0x8a, 0x32]), "LSC_STORE_QUAD_MSRT" "lsc_store_quad_msrt", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "stores up to four channels of a multisampled surface for each lane";
    byte(0x8b), "LSC_FENCE" "lsc_fence", lsc::LSC_FENCE, NO_SAT Fence(FenceSpaces::OfMessage, IN_ORDER), c::LSC, "orders accesses and maintains caches";
    byte(0x90), "RT_READ" "rt_read", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "reads from a render target";
    byte(0x91), "MADW" "madw", f::TERNARY, SAT Compute(Alu(AluOp::Madw)), c::types(c::DWORDS), "dst = src0 * src1 + src2 in 64 bits: low halves, then high halves";
    byte(0x92), "ADD3.O" "add3.o", f::TERNARY, SAT NotModelled, c::SUM_OF_THREE, "dst = src0 + src1 + src2, and whether the sum overflows";
    byte(0x93), "RAW_SENDG" "raw_sendg", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "sends a message with descriptors of 64 bits";
    byte(0x93), "RAW_SENDG_EOT" "raw_sendg_eot", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "sends a message with descriptors of 64 bits";
    byte(0x93), "RAW_SENDGC" "raw_sendgc", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "sends a message with descriptors of 64 bits";
    byte(0x93), "RAW_SENDGC_EOT" "raw_sendgc_eot", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "sends a message with descriptors of 64 bits";
    byte(0x94), "BREAKPOINT" "breakpoint", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "stops in a debugger";
    byte(0x95), "SHFL_IDX4" "shfl_idx4", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "converts 4-bit numbers with a table";
    byte(0x96), "TANH" "tanh", f::UNARY, SAT Compute(Alu(AluOp::Tanh)), c::TRANSCENDENTAL.on(Platforms::FROM_XE3P), "dst = hyperbolic tangent of src0";
    byte(0x97), "SIGM" "sigm", f::UNARY, SAT Compute(Alu(AluOp::Sigm)), c::TRANSCENDENTAL.on(Platforms::FROM_XE3P), "dst = 1 / (1 + e to the power of -src0)";
    byte(0x98), "LFSR" "lfsr", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "dst = the next state of a linear-feedback shift register";
    byte(0x99), "BDPAS" "bdpas", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "a matrix multiplication with scaled sources";
    byte(0x9a), "DNSCL" "dnscl", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "scales floats down to 4 bits";
    byte(0x9b), "INVM" "invm", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "dst = src0 / src1 for a library, with a flag of special cases";
    byte(0x9c), "RSQTM" "rsqtm", f::TEXT_ONLY, NO_SAT NotModelled, c::FREE, "dst = 1 / square root of src0 for a library, with a flag of special cases";
}

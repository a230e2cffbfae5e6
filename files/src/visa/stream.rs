//! Splits the instruction stream of a vISA object.
//!
//! Instructions do not have a length field; the length follows from the
//! documented fields of each opcode. Sources: the "Format" sections of the vISA
//! instructions and visa_5_operands.md; comments note where real objects differ.

use crate::MAX_INSTRUCTIONS;
use Field::{
    Byte, Dword, Exec, LabelCount, Labels, MoreVectors, Pred, Raw, RawCount, RenderTarget, Vector,
    Word,
};

/// Field of an instruction's encoding, after the opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Execution size and mask control: 1 byte.
    Exec,
    /// Predicate control: 2 bytes.
    Pred,
    /// 1 byte.
    Byte,
    /// 2 bytes.
    Word,
    /// 4 bytes.
    Dword,
    /// Vector operand; its tag determines its length.
    Vector,
    /// Raw operand: 6 bytes.
    Raw,
    /// 1-byte count, then that many raw operands.
    RawCount,
    /// 1-byte count of the labels in [`Field::Labels`].
    LabelCount,
    /// 2-byte labels; the number is in the preceding count.
    Labels,
    /// Two vector operands, absent in older objects (observed with 1.0.12504).
    /// Unambiguous, because no opcode equals the tag of a scalar operand.
    MoreVectors,
    /// Rest of RT_WRITE after the predicate: mode, surface, and the operands that
    /// the mode selects. NumParams is absent (observed).
    RenderTarget,
}

/// Unsupported instruction.
struct Foreign {
    opcode: u8,
    /// Second byte, if the fields depend on it.
    sub_opcode: Option<u8>,
    /// Documented name, in lower case.
    name: &'static str,
    fields: &'static [Field],
}

const BARE: &[Field] = &[Exec, Pred];
const BRANCH: &[Field] = &[Exec, Pred, Word];
const UNARY: &[Field] = &[Exec, Pred, Vector, Vector];
const BINARY: &[Field] = &[Exec, Pred, Vector, Vector, Vector];
const TERNARY: &[Field] = &[Exec, Pred, Vector, Vector, Vector, Vector];

/// LSC_UNTYPED after its sub-operation: predicate, SFID, caching (two levels),
/// address (type, scale, offset, size), data (size, order, elements, channels),
/// surface, dst, addresses, two operands.
const LSC: &[Field] = &[
    Exec, Pred, Byte, Byte, Byte, Byte, Word, Dword, Byte, Byte, Byte, Byte, Byte, Vector, Raw,
    Raw, Raw, Raw,
];

/// [`LSC`] with a pitch after the address.
const LSC_STRIDED: &[Field] = &[
    Exec, Pred, Byte, Byte, Byte, Byte, Word, Dword, Byte, Byte, Byte, Byte, Byte, Vector, Raw,
    Raw, Vector, Raw,
];

/// [`LSC`] for a block: block size and position instead of addresses.
const LSC_BLOCK: &[Field] = &[
    Exec, Pred, Byte, Byte, Byte, Byte, Byte, Byte, Word, Word, Byte, Raw, Vector, Vector, Vector,
    Vector, Vector, Vector, Raw,
];

/// [`LSC`] for the counter of a surface.
const LSC_COUNTER: &[Field] = &[
    Exec, Pred, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Vector, Raw, Raw,
];

/// LSC_TYPED after its sub-operation: predicate, caching, address, data, surface,
/// dst, four coordinates, two operands.
const LSC_TYPED: &[Field] = &[
    Exec, Pred, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Vector, Raw, Raw, Raw, Raw, Raw,
    Raw, Raw,
];

/// [`LSC_TYPED`] for a block.
const LSC_TYPED_BLOCK: &[Field] = &[
    Byte, Byte, Byte, Word, Word, Vector, Raw, Vector, Vector, Raw,
];

/// Documented instructions that [`lanewise_core`] does not support.
#[rustfmt::skip]
const FOREIGN: &[Foreign] = &[
    Foreign { opcode: 0x01, sub_opcode: None, name: "add", fields: BINARY },
    Foreign { opcode: 0x02, sub_opcode: None, name: "avg", fields: BINARY },
    Foreign { opcode: 0x03, sub_opcode: None, name: "div", fields: BINARY },
    Foreign { opcode: 0x08, sub_opcode: None, name: "exp", fields: UNARY },
    Foreign { opcode: 0x09, sub_opcode: None, name: "frc", fields: UNARY },
    Foreign { opcode: 0x0b, sub_opcode: None, name: "log", fields: UNARY },
    Foreign { opcode: 0x0c, sub_opcode: None, name: "mad", fields: TERNARY },
    Foreign { opcode: 0x0d, sub_opcode: None, name: "mulh", fields: BINARY },
    Foreign { opcode: 0x0e, sub_opcode: None, name: "lrp", fields: TERNARY },
    Foreign { opcode: 0x0f, sub_opcode: None, name: "mod", fields: BINARY },
    Foreign { opcode: 0x10, sub_opcode: None, name: "mul", fields: BINARY },
    Foreign { opcode: 0x11, sub_opcode: None, name: "pow", fields: BINARY },
    Foreign { opcode: 0x12, sub_opcode: None, name: "rndd", fields: UNARY },
    Foreign { opcode: 0x13, sub_opcode: None, name: "rndu", fields: UNARY },
    Foreign { opcode: 0x14, sub_opcode: None, name: "rnde", fields: UNARY },
    Foreign { opcode: 0x15, sub_opcode: None, name: "rndz", fields: UNARY },
    Foreign { opcode: 0x16, sub_opcode: None, name: "sad2", fields: BINARY },
    Foreign { opcode: 0x17, sub_opcode: None, name: "sin", fields: UNARY },
    Foreign { opcode: 0x18, sub_opcode: None, name: "cos", fields: UNARY },
    Foreign { opcode: 0x19, sub_opcode: None, name: "sqrt", fields: UNARY },
    Foreign { opcode: 0x1a, sub_opcode: None, name: "rsqrt", fields: UNARY },
    Foreign { opcode: 0x1b, sub_opcode: None, name: "inv", fields: UNARY },
    Foreign { opcode: 0x1d, sub_opcode: None, name: "fcvt", fields: &[Exec, Vector, Vector] },
    Foreign { opcode: 0x1e, sub_opcode: None, name: "srnd", fields: BINARY },
    Foreign { opcode: 0x1f, sub_opcode: None, name: "lzd", fields: UNARY },
    Foreign { opcode: 0x20, sub_opcode: None, name: "and", fields: BINARY },
    Foreign { opcode: 0x21, sub_opcode: None, name: "or", fields: BINARY },
    Foreign { opcode: 0x22, sub_opcode: None, name: "xor", fields: BINARY },
    Foreign { opcode: 0x23, sub_opcode: None, name: "not", fields: UNARY },
    Foreign { opcode: 0x24, sub_opcode: None, name: "shl", fields: BINARY },
    Foreign { opcode: 0x25, sub_opcode: None, name: "shr", fields: BINARY },
    Foreign { opcode: 0x26, sub_opcode: None, name: "asr", fields: BINARY },
    Foreign { opcode: 0x27, sub_opcode: None, name: "cbit", fields: UNARY },
    Foreign { opcode: 0x28, sub_opcode: None, name: "addr_add", fields: &[Exec, Vector, Vector, Vector] },
    Foreign { opcode: 0x29, sub_opcode: None, name: "mov", fields: UNARY },
    Foreign { opcode: 0x2a, sub_opcode: None, name: "sel", fields: BINARY },
    Foreign { opcode: 0x2b, sub_opcode: None, name: "setp", fields: &[Exec, Vector, Vector] },
    Foreign { opcode: 0x2c, sub_opcode: None, name: "cmp", fields: &[Exec, Byte, Vector, Vector, Vector] },
    Foreign { opcode: 0x2d, sub_opcode: None, name: "movs", fields: &[Exec, Vector, Vector] },
    Foreign { opcode: 0x2e, sub_opcode: None, name: "fbl", fields: UNARY },
    Foreign { opcode: 0x2f, sub_opcode: None, name: "fbh", fields: UNARY },
    Foreign { opcode: 0x30, sub_opcode: None, name: "subroutine", fields: &[Word] },
    Foreign { opcode: 0x31, sub_opcode: None, name: "label", fields: &[Word] },
    Foreign { opcode: 0x32, sub_opcode: None, name: "jmp", fields: BRANCH },
    Foreign { opcode: 0x33, sub_opcode: None, name: "call", fields: BRANCH },
    Foreign { opcode: 0x34, sub_opcode: None, name: "ret", fields: BARE },
    Foreign { opcode: 0x35, sub_opcode: None, name: "oword_ld", fields: &[Byte, Byte, Byte, Vector, Raw] },
    Foreign { opcode: 0x36, sub_opcode: None, name: "oword_st", fields: &[Byte, Byte, Vector, Raw] },
    Foreign { opcode: 0x37, sub_opcode: None, name: "media_ld", fields: &[Byte, Byte, Byte, Byte, Byte, Vector, Vector, Raw] },
    Foreign { opcode: 0x38, sub_opcode: None, name: "media_st", fields: &[Byte, Byte, Byte, Byte, Byte, Vector, Vector, Raw] },
    Foreign { opcode: 0x39, sub_opcode: None, name: "gather", fields: &[Byte, Byte, Byte, Byte, Vector, Raw, Raw] },
    Foreign { opcode: 0x3a, sub_opcode: None, name: "scatter", fields: &[Byte, Byte, Byte, Vector, Raw, Raw] },
    Foreign { opcode: 0x3c, sub_opcode: None, name: "oword_ld_unaligned", fields: &[Byte, Byte, Byte, Vector, Raw] },
    Foreign { opcode: 0x41, sub_opcode: None, name: "sample_unorm", fields: &[Byte, Byte, Byte, Vector, Vector, Vector, Vector, Raw] },
    Foreign { opcode: 0x43, sub_opcode: None, name: "avs", fields: &[Byte, Byte, Byte, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Byte, Vector, Byte, Vector, Raw] },
    Foreign { opcode: 0x45, sub_opcode: None, name: "min_max", fields: &[Exec, Byte, Vector, Vector, Vector] },
    Foreign { opcode: 0x46, sub_opcode: None, name: "bfe", fields: TERNARY },
    Foreign { opcode: 0x47, sub_opcode: None, name: "bfi", fields: &[Exec, Pred, Vector, Vector, Vector, Vector, Vector] },
    Foreign { opcode: 0x48, sub_opcode: None, name: "bfrev", fields: UNARY },
    Foreign { opcode: 0x49, sub_opcode: None, name: "addc", fields: TERNARY },
    Foreign { opcode: 0x4a, sub_opcode: None, name: "subb", fields: TERNARY },
    Foreign { opcode: 0x4b, sub_opcode: None, name: "gather4_typed", fields: &[Exec, Pred, Byte, Byte, Raw, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x4c, sub_opcode: None, name: "scatter4_typed", fields: &[Exec, Pred, Byte, Byte, Raw, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x01), name: "svm_block_ld", fields: &[Byte, Vector, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x02), name: "svm_block_st", fields: &[Byte, Vector, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x03), name: "svm_gather", fields: &[Exec, Pred, Byte, Byte, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x04), name: "svm_scatter", fields: &[Exec, Pred, Byte, Byte, Raw, Raw] },
    Foreign { opcode: 0x4f, sub_opcode: None, name: "ifcall", fields: &[Exec, Pred, Vector, Byte, Byte] },
    Foreign { opcode: 0x50, sub_opcode: None, name: "faddr", fields: &[Word, Vector] },
    Foreign { opcode: 0x51, sub_opcode: None, name: "file", fields: &[Dword] },
    Foreign { opcode: 0x52, sub_opcode: None, name: "loc", fields: &[Dword] },
    Foreign { opcode: 0x54, sub_opcode: None, name: "vme_ime", fields: &[Byte, Byte, Raw, Raw, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x55, sub_opcode: None, name: "vme_sic", fields: &[Raw, Raw, Byte, Raw] },
    Foreign { opcode: 0x56, sub_opcode: None, name: "vme_fbr", fields: &[Raw, Raw, Byte, Vector, Vector, Vector, Raw] },
    Foreign { opcode: 0x57, sub_opcode: None, name: "vme_idm", fields: &[Raw, Raw, Byte, Raw] },
    Foreign { opcode: 0x59, sub_opcode: None, name: "barrier", fields: &[] },
    Foreign { opcode: 0x5a, sub_opcode: None, name: "cache_flush", fields: &[] },
    Foreign { opcode: 0x5b, sub_opcode: None, name: "wait", fields: &[Vector] },
    Foreign { opcode: 0x5c, sub_opcode: None, name: "fence", fields: &[Byte] },
    Foreign { opcode: 0x5d, sub_opcode: None, name: "raw_send", fields: &[Byte, Exec, Pred, Dword, Byte, Byte, Vector, Raw, Raw] },
    Foreign { opcode: 0x5f, sub_opcode: None, name: "yield", fields: &[] },
    Foreign { opcode: 0x60, sub_opcode: None, name: "nbarrier", fields: &[Byte, Vector, Vector, MoreVectors] },
    Foreign { opcode: 0x67, sub_opcode: None, name: "fcall", fields: &[Exec, Pred, Word, Byte, Byte] },
    Foreign { opcode: 0x68, sub_opcode: None, name: "fret", fields: BARE },
    Foreign { opcode: 0x69, sub_opcode: None, name: "switchjmp", fields: &[Exec, LabelCount, Vector, Labels] },
    Foreign { opcode: 0x6a, sub_opcode: None, name: "sad2add", fields: TERNARY },
    Foreign { opcode: 0x6b, sub_opcode: None, name: "pln", fields: BINARY },
    Foreign { opcode: 0x6c, sub_opcode: None, name: "goto", fields: BRANCH },
    Foreign { opcode: 0x6d, sub_opcode: None, name: "3d_sample", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Byte, Raw, RawCount] },
    Foreign { opcode: 0x6e, sub_opcode: None, name: "3d_load", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Raw, RawCount] },
    Foreign { opcode: 0x6f, sub_opcode: None, name: "3d_sample4", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Byte, Raw, RawCount] },
    Foreign { opcode: 0x70, sub_opcode: Some(0x0a), name: "resinfo", fields: &[Exec, Byte, Byte, Raw, Raw] },
    Foreign { opcode: 0x70, sub_opcode: Some(0x0b), name: "sampleinfo", fields: &[Exec, Byte, Byte, Raw] },
    Foreign { opcode: 0x71, sub_opcode: None, name: "rt_write", fields: &[Exec, Pred, RenderTarget] },
    Foreign { opcode: 0x72, sub_opcode: None, name: "urb_write", fields: &[Exec, Pred, Byte, Raw, Word, Raw, Raw, Raw] },
    Foreign { opcode: 0x73, sub_opcode: None, name: "typed_atomic", fields: &[Byte, Exec, Pred, Byte, Raw, Raw, Raw, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x74, sub_opcode: None, name: "gather4_scaled", fields: &[Exec, Pred, Byte, Word, Byte, Vector, Raw, Raw] },
    Foreign { opcode: 0x75, sub_opcode: None, name: "scatter4_scaled", fields: &[Exec, Pred, Byte, Word, Byte, Vector, Raw, Raw] },
    Foreign { opcode: 0x78, sub_opcode: None, name: "gather_scaled", fields: &[Exec, Pred, Byte, Byte, Word, Byte, Vector, Raw, Raw] },
    Foreign { opcode: 0x79, sub_opcode: None, name: "scatter_scaled", fields: &[Exec, Pred, Byte, Byte, Word, Byte, Vector, Raw, Raw] },
    Foreign { opcode: 0x7a, sub_opcode: None, name: "raw_sends", fields: &[Byte, Exec, Pred, Byte, Byte, Byte, Byte, Vector, Vector, Raw, Raw, Raw] },
    Foreign { opcode: 0x7b, sub_opcode: None, name: "lifetime", fields: &[Byte, Dword] },
    Foreign { opcode: 0x7c, sub_opcode: None, name: "sbarrier", fields: &[Byte] },
    Foreign { opcode: 0x7e, sub_opcode: None, name: "sqrtm", fields: UNARY },
    Foreign { opcode: 0x7f, sub_opcode: None, name: "divm", fields: BINARY },
    Foreign { opcode: 0x80, sub_opcode: None, name: "rol", fields: BINARY },
    Foreign { opcode: 0x81, sub_opcode: None, name: "ror", fields: BINARY },
    Foreign { opcode: 0x82, sub_opcode: None, name: "dp4a", fields: TERNARY },
    Foreign { opcode: 0x84, sub_opcode: None, name: "add3", fields: TERNARY },
    Foreign { opcode: 0x85, sub_opcode: None, name: "bfn", fields: &[Exec, Pred, Vector, Vector, Vector, Vector, Byte] },
    Foreign { opcode: 0x86, sub_opcode: None, name: "qw_gather", fields: &[Exec, Pred, Byte, Byte, Raw, Raw] },
    Foreign { opcode: 0x87, sub_opcode: None, name: "qw_scatter", fields: &[Exec, Pred, Byte, Byte, Raw, Raw] },
    Foreign { opcode: 0x89, sub_opcode: Some(0x00), name: "lsc_load", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x01), name: "lsc_load_strided", fields: LSC_STRIDED },
    Foreign { opcode: 0x89, sub_opcode: Some(0x02), name: "lsc_load_quad", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x03), name: "lsc_load_block2d", fields: LSC_BLOCK },
    Foreign { opcode: 0x89, sub_opcode: Some(0x04), name: "lsc_store", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x05), name: "lsc_store_strided", fields: LSC_STRIDED },
    Foreign { opcode: 0x89, sub_opcode: Some(0x06), name: "lsc_store_quad", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x07), name: "lsc_store_block2d", fields: LSC_BLOCK },
    Foreign { opcode: 0x89, sub_opcode: Some(0x08), name: "lsc_atomic_iinc", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x09), name: "lsc_atomic_idec", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x0a), name: "lsc_atomic_load", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x0b), name: "lsc_atomic_store", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x0c), name: "lsc_atomic_iadd", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x0d), name: "lsc_atomic_isub", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x0e), name: "lsc_atomic_smin", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x0f), name: "lsc_atomic_smax", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x10), name: "lsc_atomic_umin", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x11), name: "lsc_atomic_umax", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x12), name: "lsc_atomic_icas", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x13), name: "lsc_atomic_fadd", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x14), name: "lsc_atomic_fsub", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x15), name: "lsc_atomic_fmin", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x16), name: "lsc_atomic_fmax", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x17), name: "lsc_atomic_fcas", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x18), name: "lsc_atomic_and", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x19), name: "lsc_atomic_or", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x1a), name: "lsc_atomic_xor", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x1b), name: "lsc_load_status", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x1c), name: "lsc_store_uncompressed", fields: LSC },
    Foreign { opcode: 0x89, sub_opcode: Some(0x28), name: "lsc_apndctr_atomic_add", fields: LSC_COUNTER },
    Foreign { opcode: 0x89, sub_opcode: Some(0x29), name: "lsc_apndctr_atomic_sub", fields: LSC_COUNTER },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x02), name: "lsc_load_quad.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x03), name: "lsc_load_block2d.tgm", fields: LSC_TYPED_BLOCK },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x06), name: "lsc_store_quad.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x07), name: "lsc_store_block2d.tgm", fields: LSC_TYPED_BLOCK },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x08), name: "lsc_atomic_iinc.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x09), name: "lsc_atomic_idec.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x0a), name: "lsc_atomic_load.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x0b), name: "lsc_atomic_store.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x0c), name: "lsc_atomic_iadd.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x0d), name: "lsc_atomic_isub.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x0e), name: "lsc_atomic_smin.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x0f), name: "lsc_atomic_smax.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x10), name: "lsc_atomic_umin.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x11), name: "lsc_atomic_umax.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x12), name: "lsc_atomic_icas.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x13), name: "lsc_atomic_fadd.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x14), name: "lsc_atomic_fsub.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x15), name: "lsc_atomic_fmin.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x16), name: "lsc_atomic_fmax.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x17), name: "lsc_atomic_fcas.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x18), name: "lsc_atomic_and.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x19), name: "lsc_atomic_or.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x1a), name: "lsc_atomic_xor.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x1b), name: "lsc_load_status.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x1c), name: "lsc_store_uncompressed.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8a, sub_opcode: Some(0x1e), name: "lsc_read_surface_info.tgm", fields: LSC_TYPED },
    Foreign { opcode: 0x8b, sub_opcode: None, name: "lsc_fence", fields: &[Exec, Pred, Byte, Byte, Byte] },
    Foreign { opcode: 0x90, sub_opcode: None, name: "rt_read", fields: &[Exec, Pred, Word, Byte, Vector, Raw] },
    Foreign { opcode: 0x91, sub_opcode: None, name: "madw", fields: TERNARY },
    Foreign { opcode: 0x92, sub_opcode: None, name: "add3o", fields: TERNARY },
    Foreign { opcode: 0x9b, sub_opcode: None, name: "invm", fields: TERNARY },
    Foreign { opcode: 0x9c, sub_opcode: None, name: "rsqtm", fields: BINARY },
];

/// Shapes of the supported instructions; [`lanewise_core`] reads their fields. The
/// last four bytes of DPAS and DPASW are one field, as in the real assembler.
#[rustfmt::skip]
const OWN: &[Foreign] = &[
    Foreign { opcode: 0x1c, sub_opcode: None, name: "dpasw", fields: &[Exec, Raw, Raw, Raw, Vector, Dword] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x05), name: "svm_atomic", fields: &[Exec, Pred, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x06), name: "svm_gather4scaled", fields: &[Exec, Pred, Byte, Word, Vector, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x07), name: "svm_scatter4scaled", fields: &[Exec, Pred, Byte, Word, Vector, Raw, Raw] },
    Foreign { opcode: 0x7d, sub_opcode: None, name: "dword_atomic", fields: &[Byte, Exec, Pred, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x83, sub_opcode: None, name: "dpas", fields: &[Exec, Raw, Raw, Raw, Vector, Dword] },
];

/// Encoding variant of an instruction stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As documented.
    Complete,
    /// Written by libigc-tools 1.0.12198 to 1.0.12812 (observed): counts the
    /// execution size and the predicate as operands, and therefore omits as many
    /// operands at the end of each instruction. Zeros pad the stream.
    Truncated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// Instruction, by its documented name.
    Instruction(&'static str),
    /// Label by number; `true` for a subroutine.
    Label(u16, bool),
    /// Undecodable bytes, up to the next readable position.
    Unknown,
}

/// Range of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) length: usize,
    pub(crate) kind: PieceKind,
    /// Number of missing bytes at the end of the instruction; 0 in a complete
    /// stream. Missing vector operands are counted with their minimum length.
    pub(crate) missing: usize,
}

/// Pieces of a stream, up to the end of the function.
pub(crate) struct Split {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) form: Form,
    /// Offset of the first byte behind the pieces.
    pub(crate) end: usize,
}

impl Split {
    /// Whether only zeros follow the pieces.
    fn is_whole(&self, code: &[u8]) -> bool {
        self.pieces.len() == MAX_PIECES || is_zero(&code[self.end..])
    }

    fn unknown_bytes(&self) -> usize {
        let unknown = self.pieces.iter().filter(|p| p.kind == PieceKind::Unknown);
        unknown.map(|piece| piece.length).sum()
    }
}

/// After an instruction of unknown length, the stream is searched for the next
/// position from which it can be read to the end. Maximum length of that search.
const MAX_SEARCH: usize = 1 << 20;

/// One more than the number of listed instructions, to detect truncation.
pub(crate) const MAX_PIECES: usize = MAX_INSTRUCTIONS + 1;

/// Splits the stream of a function with `labels` labels into at most
/// [`MAX_PIECES`] pieces, and detects its form.
pub(crate) fn split(code: &[u8], labels: usize) -> Split {
    let forms = [Form::Complete, Form::Truncated];
    let walk = |form| Walk::new(code, form, labels).run(false);
    let mut ended = forms.into_iter().filter_map(walk).collect::<Vec<_>>();
    if let Some(whole) = ended.iter().position(|split| split.is_whole(code)) {
        return ended.swap_remove(whole);
    }
    // Both readings have gaps or stop early; use the one that reads more.
    let longest = ended.into_iter().rev().max_by_key(|split| split.end);
    longest.unwrap_or_else(|| {
        let gaps = |form| {
            let split = Walk::new(code, form, labels).run(true);
            split.expect("a walk with gaps reads everything")
        };
        let [complete, truncated] = forms.map(gaps);
        match truncated.unknown_bytes() < complete.unknown_bytes() {
            true => truncated,
            false => complete,
        }
    })
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| *b == 0)
}

/// A reading of a stream in one form.
struct Walk<'c> {
    code: &'c [u8],
    form: Form,
    pieces: Vec<Piece>,
    at: usize,
    /// By number: whether the label is still to come.
    pending: Vec<bool>,
    /// Number of labels still to come.
    pending_labels: usize,
    /// Whether the rest of a truncated stream was found to be code.
    is_code_to_the_end: bool,
}

impl<'c> Walk<'c> {
    fn new(code: &'c [u8], form: Form, labels: usize) -> Self {
        Self {
            code,
            form,
            pieces: Vec::new(),
            at: 0,
            pending: vec![true; labels],
            pending_labels: labels,
            is_code_to_the_end: false,
        }
    }

    /// Splits the stream. Returns `None` at undecodable bytes, unless they are
    /// allowed as gaps.
    fn run(mut self, has_gaps: bool) -> Option<Split> {
        let mut readable: Option<Readable> = None;
        while self.at < self.code.len() && self.pieces.len() < MAX_PIECES && !self.is_at_end() {
            let piece = match piece_at(self.code, self.at, self.form) {
                Some(piece) => piece,
                None if has_gaps => {
                    let next = if self.code.len() - self.at > MAX_SEARCH {
                        self.code.len()
                    } else {
                        readable
                            .get_or_insert_with(|| Readable::new(self.code, self.at, self.form))
                            .first_after(self.at)
                    };
                    Piece {
                        start: self.at,
                        length: next - self.at,
                        kind: PieceKind::Unknown,
                        missing: 0,
                    }
                }
                None => return None,
            };
            self.push(piece);
        }
        Some(Split {
            pieces: self.pieces,
            form: self.form,
            end: self.at,
        })
    }

    fn push(&mut self, piece: Piece) {
        self.at += piece.length;
        if let PieceKind::Label(id, _) = piece.kind
            && let Some(pending) = self.pending.get_mut(usize::from(id))
        {
            self.pending_labels -= usize::from(std::mem::replace(pending, false));
        }
        self.pieces.push(piece);
    }

    /// Whether the function ends here: only zeros pad a truncated stream, and
    /// nothing can reach what follows an unconditional return if no label
    /// is left.
    fn is_at_end(&mut self) -> bool {
        let Some(last) = self.pieces.last() else {
            return false;
        };
        if self.form == Form::Truncated && is_zero(&self.code[self.at..]) {
            return true;
        }
        if !self.returns(last) {
            return false;
        }
        if self.pending_labels > 0 || self.is_code_to_the_end {
            return false;
        }
        if self.form == Form::Complete {
            let bytes = &self.code[last.start..last.start + last.length];
            let predicate = [bytes.get(2), bytes.get(3)];
            // Bits 0 to 11 are the number of the predicate, 0 for none.
            return matches!(predicate, [Some(0), Some(high)] if high & 15 == 0);
        }
        // A truncated return has no predicate; what follows may be code.
        self.is_code_to_the_end = self.reads_to_a_return();
        !self.is_code_to_the_end
    }

    fn returns(&self, piece: &Piece) -> bool {
        matches!(piece.kind, PieceKind::Instruction("ret" | "fret"))
    }

    /// Whether the rest is instructions, the last of which is a return.
    fn reads_to_a_return(&self) -> bool {
        let mut at = self.at;
        let mut last = None;
        while at < self.code.len() && !is_zero(&self.code[at..]) {
            let Some(piece) = piece_at(self.code, at, self.form) else {
                return false;
            };
            at += piece.length;
            last = Some(piece);
        }
        last.is_some_and(|last| self.returns(&last))
    }
}

/// For each position, whether the stream can be read from there to its end.
struct Readable {
    from: usize,
    is: Vec<bool>,
}

impl Readable {
    fn new(code: &[u8], from: usize, form: Form) -> Self {
        let mut is = vec![false; code.len() - from + 1];
        is[code.len() - from] = true;
        let mut are_zeros = form == Form::Truncated;
        for at in (from..code.len()).rev() {
            are_zeros &= code[at] == 0;
            if are_zeros {
                is[at - from] = true;
            } else if let Some(piece) = piece_at(code, at, form) {
                is[at - from] = is[at + piece.length - from];
            }
        }
        Self { from, is }
    }

    /// First readable position after `at`; the end is readable.
    fn first_after(&self, at: usize) -> usize {
        let after = at + 1 - self.from;
        let found = self.is[after..].iter().position(|is| *is);
        found.expect("the end is readable") + at + 1
    }
}

/// Instruction at `at`, if its opcode is known and it is in bounds.
fn piece_at(code: &[u8], at: usize, form: Form) -> Option<Piece> {
    let rest = code.get(at..)?;
    let opcode = *rest.first()?;
    let second = rest.get(1).copied();
    let is = |foreign: &&Foreign| {
        foreign.opcode == opcode && (foreign.sub_opcode.is_none() || foreign.sub_opcode == second)
    };
    let shape = OWN.iter().chain(FOREIGN).find(is)?;
    let lead = if shape.sub_opcode.is_some() { 2 } else { 1 };
    let lost = match form {
        Form::Complete => 0,
        Form::Truncated => lost_fields(shape.fields),
    };
    let length = lead + fields_length(rest.get(lead..)?, shape.fields, lost)?;
    rest.get(..length)?;
    let kind = match opcode {
        0x30 | 0x31 => {
            let id = u16::from_le_bytes([*rest.get(1)?, *rest.get(2)?]);
            PieceKind::Label(id, opcode == 0x30)
        }
        _ => PieceKind::Instruction(shape.name),
    };
    Some(Piece {
        start: at,
        length,
        kind,
        missing: (shape.fields.iter().rev().take(lost))
            .map(|f| shortest(*f))
            .sum(),
    })
}

/// Number of fields missing at the end of an instruction in a truncated stream:
/// the number of its execution-size and predicate fields. For ret that is all.
fn lost_fields(fields: &[Field]) -> usize {
    fields.iter().filter(|f| matches!(f, Exec | Pred)).count()
}

/// Length of the fields without the last `lost` operands; `None` if they are out
/// of bounds or an operand has an invalid tag.
fn fields_length(bytes: &[u8], fields: &[Field], lost: usize) -> Option<usize> {
    let is_list = matches!(fields.last(), Some(RawCount | Labels | RenderTarget));
    let kept = match is_list {
        true => fields,
        false => &fields[..fields.len() - lost],
    };
    let mut at = 0;
    let mut labels = 0;
    for field in kept {
        at += match field {
            Vector => vector_length(bytes.get(at..)?)?,
            MoreVectors => match bytes.get(at) {
                Some(0 | 5) => {
                    let first = vector_length(bytes.get(at..)?)?;
                    first + vector_length(bytes.get(at + first..)?)?
                }
                _ => 0,
            },
            RawCount => 1 + 6 * usize::from(*bytes.get(at)?).checked_sub(lost)?,
            LabelCount => {
                labels = usize::from(*bytes.get(at)?);
                1
            }
            Labels => 2 * labels.checked_sub(lost)?,
            RenderTarget => render_target_length(bytes.get(at..)?, lost)?,
            fixed => shortest(*fixed),
        };
    }
    (at <= bytes.len()).then_some(at)
}

/// Length of [`RenderTarget`] without the last `lost` operands.
fn render_target_length(bytes: &[u8], lost: usize) -> Option<usize> {
    let mode = u16::from_le_bytes([*bytes.first()?, *bytes.get(1)?]);
    let count = |bits: &[u16]| bits.iter().filter(|bit| mode >> **bit & 1 == 1).count();
    // Mode, surface, header; then sample index, CPS counter, target index.
    let mut at = 2 + 1 + 6;
    for _ in 0..count(&[11, 8, 2]) {
        at += vector_length(bytes.get(at..)?)?;
    }
    // Source 0 alpha, oMask, four colours, depth, stencil.
    let raws = 4 + count(&[3, 4, 5, 6]);
    Some(at + 6 * raws.checked_sub(lost)?)
}

/// Minimum length of a field.
const fn shortest(field: Field) -> usize {
    match field {
        Exec | Byte | LabelCount | RawCount => 1,
        RenderTarget => 2 + 1 + 6,
        Pred | Word => 2,
        Dword => 4,
        Raw => 6,
        Vector => 3,
        Labels | MoreVectors => 0,
    }
}

/// Length of a vector operand, by the class in its tag (visa_5_operands.md).
fn vector_length(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? & 7 {
        // General and indirect.
        0 | 3 => Some(9),
        // Address and state.
        1 | 6 => Some(5),
        // Predicate.
        2 => Some(3),
        // Immediate: df, uq and q have 8 bytes.
        5 => match bytes.get(1)? & 15 {
            6 | 11 | 13 => Some(10),
            _ => Some(6),
        },
        _ => None,
    }
}

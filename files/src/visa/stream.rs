//! Splits the instruction stream of a vISA object.
//!
//! Instructions have no length field: the length follows from the documented
//! fields of each opcode. Sources: the pages of the vISA instructions
//! ("Format") and visa_5_operands.md.

use crate::MAX_INSTRUCTIONS;
use Field::{Byte, Dword, Exec, LabelCount, Labels, Pred, Raw, RawCount, Vector, Word};

/// One field of an instruction's encoding behind its opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Execution size and mask control, 1 byte.
    Exec,
    /// Predicate control, 2 bytes.
    Pred,
    /// 1 byte.
    Byte,
    /// 2 bytes.
    Word,
    /// 4 bytes.
    Dword,
    /// A vector operand: its tag decides how long it is.
    Vector,
    /// A raw operand, 6 bytes.
    Raw,
    /// A count in 1 byte, then as many raw operands.
    RawCount,
    /// A count in 1 byte of the labels of [`Field::Labels`].
    LabelCount,
    /// As many labels of 2 bytes as the count before says.
    Labels,
}

/// An instruction that Lanewise skips.
struct Foreign {
    opcode: u8,
    /// The second byte of the SVM instructions.
    sub_opcode: Option<u8>,
    /// As the document calls it, in lower case.
    name: &'static str,
    fields: &'static [Field],
}

const BARE: &[Field] = &[Exec, Pred];
const BRANCH: &[Field] = &[Exec, Pred, Word];
const UNARY: &[Field] = &[Exec, Pred, Vector, Vector];
const BINARY: &[Field] = &[Exec, Pred, Vector, Vector, Vector];
const TERNARY: &[Field] = &[Exec, Pred, Vector, Vector, Vector, Vector];

/// The documented instructions but those that [`lanewise_core`] runs. Left out
/// are LSC_UNTYPED, LSC_TYPED and RT_WRITE: which fields they have depends on
/// their sub-operation.
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
    Foreign { opcode: 0x60, sub_opcode: None, name: "nbarrier", fields: &[Byte, Vector, Vector, Vector, Vector] },
    Foreign { opcode: 0x67, sub_opcode: None, name: "fcall", fields: &[Exec, Pred, Word, Byte, Byte] },
    Foreign { opcode: 0x68, sub_opcode: None, name: "fret", fields: BARE },
    Foreign { opcode: 0x69, sub_opcode: None, name: "switchjmp", fields: &[Exec, LabelCount, Vector, Labels] },
    Foreign { opcode: 0x6a, sub_opcode: None, name: "sad2add", fields: TERNARY },
    Foreign { opcode: 0x6b, sub_opcode: None, name: "pln", fields: BINARY },
    Foreign { opcode: 0x6c, sub_opcode: None, name: "goto", fields: BRANCH },
    Foreign { opcode: 0x6d, sub_opcode: None, name: "3d_sample", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Byte, Raw, RawCount] },
    Foreign { opcode: 0x6e, sub_opcode: None, name: "3d_load", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Raw, RawCount] },
    Foreign { opcode: 0x6f, sub_opcode: None, name: "3d_sample4", fields: &[Word, Exec, Pred, Byte, Vector, Byte, Byte, Raw, RawCount] },
    Foreign { opcode: 0x70, sub_opcode: None, name: "info", fields: &[Word, Exec, Byte, Raw, Raw] },
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
    Foreign { opcode: 0x8b, sub_opcode: None, name: "lsc_fence", fields: &[Exec, Pred, Byte, Byte, Byte] },
    Foreign { opcode: 0x90, sub_opcode: None, name: "rt_read", fields: &[Exec, Pred, Word, Byte, Vector, Raw] },
    Foreign { opcode: 0x91, sub_opcode: None, name: "madw", fields: TERNARY },
    Foreign { opcode: 0x92, sub_opcode: None, name: "add3o", fields: TERNARY },
    Foreign { opcode: 0x9b, sub_opcode: None, name: "invm", fields: TERNARY },
    Foreign { opcode: 0x9c, sub_opcode: None, name: "rsqtm", fields: BINARY },
];

/// Opcodes whose length is not documented by opcode alone.
const UNKNOWN_LENGTH: [(u8, &str); 3] = [(0x71, "rt_write"), (0x89, "lsc"), (0x8a, "lsc_typed")];

/// The instructions that Lanewise runs, as shapes only: [`lanewise_core`] reads
/// their fields. The four last bytes of DPAS and DPASW are one field, as the
/// real assembler writes them.
#[rustfmt::skip]
const OWN: &[Foreign] = &[
    Foreign { opcode: 0x1c, sub_opcode: None, name: "dpasw", fields: &[Exec, Raw, Raw, Raw, Vector, Dword] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x05), name: "svm_atomic", fields: &[Exec, Pred, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x06), name: "svm_gather4scaled", fields: &[Exec, Pred, Byte, Word, Vector, Raw, Raw] },
    Foreign { opcode: 0x4e, sub_opcode: Some(0x07), name: "svm_scatter4scaled", fields: &[Exec, Pred, Byte, Word, Vector, Raw, Raw] },
    Foreign { opcode: 0x7d, sub_opcode: None, name: "dword_atomic", fields: &[Byte, Exec, Pred, Byte, Raw, Raw, Raw, Raw] },
    Foreign { opcode: 0x83, sub_opcode: None, name: "dpas", fields: &[Exec, Raw, Raw, Raw, Vector, Dword] },
];

/// How the instructions of a stream were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As documented.
    Complete,
    /// By the writer of libigc-tools 1.0.12198 to 1.0.12812 (observed): it
    /// counts execution size and predicate among the operands and leaves out
    /// as many operands at the end of each instruction. Zeros fill the stream
    /// up to its length.
    Truncated,
}

/// What a piece of the stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// An instruction that Lanewise runs.
    Own,
    /// One that it skips, by name.
    Foreign(&'static str),
    /// A label (`true` for a subroutine's), by its number.
    Label(u16, bool),
    /// Bytes that cannot be split, up to where the stream can be read again.
    Unknown,
    /// Zeros at the end of a truncated stream.
    Filler,
}

/// A piece of the stream, in bytes from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) length: usize,
    pub(crate) kind: PieceKind,
    /// How many bytes a complete instruction has after its last byte here;
    /// 0 in a complete stream. Vector operands that are missing count as the
    /// shortest.
    pub(crate) missing: usize,
}

/// Behind an instruction of unknown length the stream is searched for the next
/// place from which it can be read to the end; longer rests are given up.
const MAX_SEARCH: usize = 1 << 20;

/// The first pieces of a stream, [`MAX_PIECES`] at most, and how it was
/// written.
pub(crate) fn split(code: &[u8]) -> (Vec<Piece>, Form) {
    if let Some(pieces) = walk(code, Form::Complete) {
        return (pieces, Form::Complete);
    }
    if let Some(pieces) = walk(code, Form::Truncated) {
        return (pieces, Form::Truncated);
    }
    (walk_with_gaps(code), Form::Complete)
}

/// One more than are listed of a function.
pub(crate) const MAX_PIECES: usize = MAX_INSTRUCTIONS + 1;

/// All pieces, if the whole stream can be read in this form.
fn walk(code: &[u8], form: Form) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < code.len() && pieces.len() < MAX_PIECES {
        if form == Form::Truncated && code[at..].iter().all(|b| *b == 0) {
            pieces.push(Piece {
                start: at,
                length: code.len() - at,
                kind: PieceKind::Filler,
                missing: 0,
            });
            break;
        }
        let piece = piece_at(code, at, form)?;
        at += piece.length;
        pieces.push(piece);
    }
    Some(pieces)
}

/// All pieces of a stream that holds instructions of unknown length.
fn walk_with_gaps(code: &[u8]) -> Vec<Piece> {
    let mut readable: Option<Readable> = None;
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0;
    while at < code.len() && pieces.len() < MAX_PIECES {
        if let Some(piece) = piece_at(code, at, Form::Complete) {
            at += piece.length;
            pieces.push(piece);
            continue;
        }
        let next = if code.len() - at > MAX_SEARCH {
            code.len()
        } else {
            let readable = readable.get_or_insert_with(|| Readable::new(code, at));
            readable.first_behind(at)
        };
        pieces.push(Piece {
            start: at,
            length: next - at,
            kind: PieceKind::Unknown,
            missing: 0,
        });
        at = next;
    }
    pieces
}

/// For each byte from one on whether the stream can be read from there to its
/// end.
struct Readable {
    from: usize,
    is: Vec<bool>,
}

impl Readable {
    fn new(code: &[u8], from: usize) -> Self {
        let mut is = vec![false; code.len() - from + 1];
        is[code.len() - from] = true;
        for at in (from..code.len()).rev() {
            if let Some(piece) = piece_at(code, at, Form::Complete) {
                is[at - from] = is[at + piece.length - from];
            }
        }
        Self { from, is }
    }

    /// The first byte behind `at` from which it can be read. The end is one.
    fn first_behind(&self, at: usize) -> usize {
        let behind = at + 1 - self.from;
        let found = self.is[behind..].iter().position(|is| *is);
        found.expect("the end is readable") + at + 1
    }
}

/// The instruction at `at`, if its opcode is known and it fits.
fn piece_at(code: &[u8], at: usize, form: Form) -> Option<Piece> {
    let rest = code.get(at..)?;
    let opcode = *rest.first()?;
    let second = rest.get(1).copied();
    let is = |foreign: &&Foreign| {
        foreign.opcode == opcode && (foreign.sub_opcode.is_none() || foreign.sub_opcode == second)
    };
    let (shape, own) = match OWN.iter().find(is) {
        Some(own) => (own, true),
        None => (FOREIGN.iter().find(is)?, false),
    };
    let lead = if shape.sub_opcode.is_some() { 2 } else { 1 };
    let (kept, lost) = match form {
        Form::Complete => (shape.fields, &[][..]),
        Form::Truncated => shape.fields.split_at(kept_fields(shape.fields)),
    };
    let length = lead + fields_length(rest.get(lead..)?, kept)?;
    rest.get(..length)?;
    let kind = match (own, opcode) {
        (true, _) => PieceKind::Own,
        (false, 0x30 | 0x31) => {
            let id = u16::from_le_bytes([*rest.get(1)?, *rest.get(2)?]);
            PieceKind::Label(id, opcode == 0x30)
        }
        (false, _) => PieceKind::Foreign(shape.name),
    };
    Some(Piece {
        start: at,
        length,
        kind,
        missing: lost.iter().map(|f| shortest(*f)).sum(),
    })
}

/// How many fields of an instruction a truncated stream has. Of a branch only
/// the execution size is there (observed for jmp).
fn kept_fields(fields: &[Field]) -> usize {
    if fields == BRANCH {
        return 1;
    }
    let counted = fields.iter().filter(|f| matches!(f, Exec | Pred)).count();
    let operands = fields.iter().rev();
    let operands = operands.take_while(|f| !matches!(f, Exec | Pred)).count();
    fields.len() - counted.min(operands)
}

/// How many bytes the fields take; `None` if they do not fit or an operand
/// has a tag that means nothing.
fn fields_length(bytes: &[u8], fields: &[Field]) -> Option<usize> {
    let mut at = 0;
    let mut labels = 0;
    for field in fields {
        at += match field {
            Vector => vector_length(bytes.get(at..)?)?,
            RawCount => 1 + 6 * usize::from(*bytes.get(at)?),
            LabelCount => {
                labels = usize::from(*bytes.get(at)?);
                1
            }
            Labels => 2 * labels,
            fixed => shortest(*fixed),
        };
    }
    (at <= bytes.len()).then_some(at)
}

/// The length of a field, or the shortest that it can have.
const fn shortest(field: Field) -> usize {
    match field {
        Exec | Byte | LabelCount | RawCount => 1,
        Pred | Word => 2,
        Dword => 4,
        Raw => 6,
        Vector => 3,
        Labels => 0,
    }
}

/// The length of a vector operand by the class in its tag
/// (visa_5_operands.md).
fn vector_length(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? & 7 {
        // General and indirect.
        0 | 3 => Some(9),
        // Address and state.
        1 | 6 => Some(5),
        // Predicate.
        2 => Some(3),
        // An immediate: df, uq and q have 8 bytes.
        5 => match bytes.get(1)? & 15 {
            6 | 11 | 13 => Some(10),
            _ => Some(6),
        },
        _ => None,
    }
}

/// The name of the instruction at the start of `bytes` where its length is not
/// documented by its opcode.
pub(crate) fn unknown_name(bytes: &[u8]) -> Option<&'static str> {
    let opcode = bytes.first()?;
    let known = UNKNOWN_LENGTH.iter().find(|(code, _)| code == opcode);
    known.map(|(_, name)| *name)
}
